"""Advised: what was found for a hand, as the page shows it and the referee is asked about it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from referee import Card, Cards, ContractRule, LayOff, Reading, Taken
from referee.advice import Advice, PickUpAdvice
from webapp.services.advice.kinds import AdviceKind, in_order, lay_off_fields, pick_up_fields
from webapp.services.advice.misses import name_misses
from webapp.services.advice.table_turn import ShownTurn, show_turn
from webapp.services.desk.rows import LaidCards
from webapp.services.tokens import Token

MOST_NAMED: Final = 8
"""Cards that are named of those that are lacking; of the others it is said how many they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownGame:
    """What is known of the game that is played."""

    owners: Mapping[str, str] = field(default_factory=dict)
    """Who laid the melds on the table, by their cards."""
    pub: str | None = None
    """The game in progress; None outside of one."""
    players: tuple[tuple[int, str], ...] = ()
    """Everybody who is playing, by id and name."""
    tokens: Mapping[int, Token] = field(default_factory=dict)
    """How the players are shown."""
    who: str = ""
    """Whose hand it is, or empty outside of a game."""
    asked_for: bool = False
    """Whether it is known whose hand it is."""
    can_record: Callable[[Mapping[str, str]], bool] = field(default=lambda _: False)
    """Whether a play, as the fields of its question, may be recorded as the player's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvisedMeld:
    """A meld to lay down, with what the contract calls it."""

    label: str
    reading: Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvisedLayOff:
    """Cards to lay off, and where."""

    cards: Cards
    onto: Cards
    owner: str
    """Whose meld it is, where that is known."""
    fields: Mapping[str, str]
    """The question whether that may be done, as the fields of the desk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvisedSwap:
    """A card to give for a wild on the table."""

    give: Card
    take: Card
    meld: Cards
    """The meld that the wild is in."""
    owner: str
    """Whose meld it is, where that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvisedPlay:
    """What is done with a hand: laid down, laid off, thrown away, kept."""

    swaps: tuple[AdvisedSwap, ...] = ()
    melds: tuple[AdvisedMeld, ...]
    layoffs: tuple[AdvisedLayOff, ...]
    discard: Card | None
    """What to throw away, where the hand is shown without it."""
    kept: Cards
    """What is left in the hand, without the discard."""
    kept_points: int
    fields: Mapping[str, str]
    """The play, as the fields of the desk; none where nothing can be played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvisedPickUp:
    """What to take off the discard pile, and what for."""

    gain: int
    """What that brings beyond playing the hand alone."""
    play: AdvisedPlay


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAdvice:
    """What was found."""

    title: str
    """ "You can lay down"."""
    points_say: str
    """What the play scores, in games where it does."""
    possible: bool
    decided: bool
    play: AdvisedPlay
    misses: tuple[tuple[str, str], ...]
    """The single cards that are lacking: "a six", "3 unseen"."""
    lacks_more: bool
    """Whether no single card that may still come would do."""
    misses_short: bool
    """Whether there was no time to try every card."""
    turn: ShownTurn | None
    saw_pile: bool
    """Whether a discard pile was shown."""
    pickup: AdvisedPickUp | None
    """None where nothing of it may be taken."""

    @property
    def first_misses(self) -> tuple[tuple[str, str], ...]:
        """As many of the single cards as are named."""
        return self.misses[:MOST_NAMED]

    @property
    def other_misses(self) -> int:
        """How many more there are."""
        return len(self.misses[MOST_NAMED:])

    @property
    def best(self) -> AdvisedPlay:
        """The play to put to the referee."""
        return self.pickup.play if self.pickup and self.pickup.gain > 0 else self.play


def in_hand(card: Card) -> tuple[int, int]:
    """Where a card is in a hand that is sorted: by suit, then by rank."""
    return card.suit.at if card.suit else -1, card.rank


def show_found(
    kind: AdviceKind,
    laid: LaidCards,
    advice: Advice,
    table: Sequence[Cards],
    game: KnownGame,
) -> FoundAdvice:
    """Show what was found."""
    variant = laid.variant
    turn = show_turn(table, advice.turn, variant.melds_at(None)) if advice.turn else None
    misses = name_misses(variant, advice.misses, laid.count(""), len(game.players) or None)
    play = _show_play(laid, advice, game.owners, kind.play(laid, advice), advice.discard)
    return FoundAdvice(
        title=kind.title(laid, advice).format(game.who or "You"),
        points_say=kind.points(laid, advice),
        possible=advice.possible,
        decided=advice.decided and (advice.pickup is None or advice.pickup.decided),
        play=replace(play, swaps=tuple(_swaps(advice.swaps, game.owners))),
        misses=misses,
        lacks_more=not misses and _may_miss(laid, advice) and advice.misses_decided,
        misses_short=_may_miss(laid, advice) and not advice.misses_decided,
        turn=turn,
        saw_pile=bool(laid.row("discards")),
        pickup=_show_pick_up(laid, advice.pickup, game.owners),
    )


def _show_play(
    laid: LaidCards,
    advice: Advice | PickUpAdvice,
    owners: Mapping[str, str],
    fields: Mapping[str, str],
    discard: Card | None = None,
) -> AdvisedPlay:
    variant, step = laid.variant, laid.question.step
    kept = list(advice.kept)
    if discard in kept:
        kept.remove(discard)
    return AdvisedPlay(
        melds=tuple(_melds(laid, advice.melds)),
        layoffs=tuple(
            AdvisedLayOff(
                cards=layoff.cards,
                onto=layoff.onto,
                owner=owners.get(" ".join(map(str, layoff.onto)), ""),
                fields=_asked_by(laid, _lay_off(layoff, advice)),
            )
            for layoff in advice.layoffs
        ),
        discard=discard,
        kept=tuple(sorted(kept, key=in_hand)),
        kept_points=variant.values.count(kept, variant.wilds_at(step).cards),
        fields=_asked_by(laid, fields),
    )


def _show_pick_up(
    laid: LaidCards, pickup: PickUpAdvice | None, owners: Mapping[str, str]
) -> AdvisedPickUp | None:
    if pickup is None:
        return None
    fields = pick_up_fields(laid, pickup)
    return AdvisedPickUp(
        gain=pickup.gain,
        play=_show_play(laid, pickup, owners, fields),
    )


def _swaps(swaps: Sequence[Taken], owners: Mapping[str, str]) -> Iterator[AdvisedSwap]:
    for swap in swaps:
        owner = owners.get(" ".join(map(str, swap.meld)), "")
        yield AdvisedSwap(give=swap.give, take=swap.take, meld=swap.meld, owner=owner)


def _lay_off(layoff: LayOff, advice: Advice | PickUpAdvice) -> dict[str, str]:
    return lay_off_fields(layoff, same_turn=bool(advice.melds))


def _asked_by(laid: LaidCards, fields: Mapping[str, str]) -> dict[str, str]:
    """Add to a play when and by whom it is made."""
    if not fields:
        return {}
    question = laid.question
    told = {"step": question.step, "player": question.player}
    return {**fields, **{name: str(value) for name, value in told.items() if value}}


def _melds(laid: LaidCards, melds: Sequence[Reading]) -> Iterator[AdvisedMeld]:
    contract = laid.variant.contract_at(laid.question.step)
    needs = contract.needs if contract else ()
    for place, meld in enumerate(in_order(melds, contract)):
        label = needs[place].label if place < len(needs) else meld.kind.value.capitalize()
        yield AdvisedMeld(label=label, reading=meld)


def _may_miss(laid: LaidCards, advice: Advice) -> bool:
    """Whether there is a contract that a single card could be lacking for."""
    if not isinstance(laid.variant.way, ContractRule) or laid.question.has("down"):
        return False
    return advice.decided and not advice.possible
