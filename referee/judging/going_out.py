"""Going out: check a play after which a player has at most 1 card, against the team’s melds."""

from collections.abc import Iterable, Iterator

from referee.cards import Cards
from referee.plays import LayDown
from referee.rulings import Finding, Reading
from referee.turns.going_out import GoingOut
from referee.variant import Variant


def going_out(
    play: LayDown, after: Iterable[Reading], kept: Cards, variant: Variant
) -> Iterator[Finding]:
    """Yield findings on whether a player can go out with these cards kept.

    `after` has all melds of the team after the play. Yield nothing if 2 or more cards are kept.
    """
    return _ways_out(play, variant).check(kept, after, variant.wilds)


def is_going_out(play: LayDown, kept: Cards, variant: Variant) -> bool:
    """Return whether a player who keeps these cards goes out, with a discard or without."""
    return _ways_out(play, variant).is_out(kept)


def _ways_out(play: LayDown, variant: Variant) -> GoingOut:
    return GoingOut(
        rule=variant.going_out,
        bonuses=variant.bonuses,
        must_discard=variant.must_discard,
        must_meld_last=variant.must_meld_last,
        second_hand=variant.reserve is not None and not play.reserve,
    )
