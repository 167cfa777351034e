"""What the search found for a hand, as the page shows it and as questions for the referee."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee import Card, Cards, LayOff, Reading, Taken, write_cards
from referee.advice import Advice, PickUpAdvice
from webapp.language import say
from webapp.pages.advice.closest import ShownClosest, show_closest
from webapp.pages.advice.forms import (
    AdviceKind,
    in_hand,
    in_order,
    lay_off_fields,
    own_swaps,
    pick_up_fields,
)
from webapp.pages.advice.table_turn import ShownTurn, show_turn
from webapp.pages.desk.card_fields import LaidCards
from webapp.players.tokens import Token
from webapp.text.formatting import capital


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownGame:
    """The context that is known when advice is asked for in a game."""

    owners: Mapping[str, str] = field(default_factory=dict)
    """The name of the player who laid each meld on the table, by its cards as text."""
    pub: str | None = None
    """The public id of the game; None outside of games."""
    players: tuple[tuple[int, str], ...] = ()
    """Everybody who is playing, by id and name."""
    tokens: Mapping[int, Token] = field(default_factory=dict)
    """The color, shape and initials of each player in the game, by id; none outside of games."""
    who: str = ""
    """The name of the player whose hand it is; empty outside of games."""
    asked_for: bool = False
    """Whether the question named the player in `who`; if not, it’s the first one in the round."""
    can_record: Callable[[Mapping[str, str]], bool] = field(default=lambda _: False)
    """A function that returns whether a play, as fields of the desk, can be recorded for the
    player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvisedPlay:
    """A play with a hand: what to lay down, lay off, discard and keep."""

    swaps: tuple[tuple[Taken, str], ...] = ()
    """The wilds to take from the table, each with the owner of its meld, if known."""
    melds: tuple[tuple[str, Reading], ...]
    """The melds to lay down, each after its name: as the contract has it, or else its kind."""
    layoffs: tuple[tuple[LayOff, str, Mapping[str, str]], ...]
    """The cards to lay off, with the owner of the meld, if known, and the question whether that is
    allowed, as fields of the desk."""
    discard: Card | None
    """The card to discard, if the hand is shown without it."""
    kept: Cards
    """The cards left in hand, without the discard."""
    kept_points: int
    fields: Mapping[str, str]
    """The play as fields of the desk; none if nothing can be played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAdvice:
    """Advice as the page shows it."""

    title: str
    """The heading: "You can lay down"."""
    points_say: str
    """A sentence about the points of the play; empty if there is nothing to say."""
    possible: bool
    decided: bool
    play: AdvisedPlay
    closest: ShownClosest | None
    """How far the hand is from laying down; None if something can be played, or if unknown."""
    turn: ShownTurn | None
    saw_pile: bool
    """Whether a discard pile was shown."""
    pickup: AdvisedPlay | None
    """The play if some of the discard pile is taken; None if none can be, or no pile was shown."""
    gain: int
    """How many points better `pickup` is than playing the hand alone; 0 if there is no pickup."""

    @property
    def best(self) -> AdvisedPlay:
        """The better play: `pickup` if it gains points, or else `play`."""
        return self.pickup if self.pickup and self.gain > 0 else self.play


def show_found(
    kind: AdviceKind,
    laid: LaidCards,
    advice: Advice,
    table: Sequence[Cards],
    game: KnownGame,
) -> FoundAdvice:
    """Return advice as the page shows it."""
    variant, pickup = laid.variant, advice.pickup
    turn = show_turn(table, advice.turn, variant) if advice.turn else None
    closest = advice.closest
    near = None
    if closest is not None and closest.short and not (pickup and pickup.gain > 0):
        opens = variant.opening is not None and not laid.question.has("later")
        near = show_closest(laid, closest, game.owners, opens=opens)
    play = _show_play(laid, advice, game.owners, kind.play(laid, advice), advice.discard)
    return FoundAdvice(
        title=say("advice.short", n=near.short, variant=variant)
        if near
        else kind.title(laid, advice, game.who),
        points_say=kind.points(laid, advice),
        possible=advice.possible,
        decided=advice.decided and (pickup is None or pickup.decided),
        play=replace(play, swaps=own_swaps(advice.swaps, game.owners)),
        closest=near,
        turn=turn,
        saw_pile=bool(laid.row("discards")),
        pickup=_show_play(laid, pickup, game.owners, pick_up_fields(laid, pickup))
        if pickup
        else None,
        gain=pickup.gain if pickup else 0,
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
            (
                layoff,
                owners.get(write_cards(layoff.onto), ""),
                _asked_by(laid, lay_off_fields(layoff, same_turn=bool(advice.melds))),
            )
            for layoff in advice.layoffs
        ),
        discard=discard,
        kept=tuple(sorted(kept, key=in_hand)),
        kept_points=variant.values.count(kept, variant.wilds_at(step).cards),
        fields=_asked_by(laid, fields),
    )


def _asked_by(laid: LaidCards, fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a play with the moment and the player added."""
    if not fields:
        return {}
    question = laid.question
    told = {"step": question.step, "player": question.player}
    return {**fields, **{name: str(value) for name, value in told.items() if value}}


def _melds(laid: LaidCards, melds: Sequence[Reading]) -> Iterator[tuple[str, Reading]]:
    contract = laid.variant.contract_at(laid.question.step)
    needs = contract.needs if contract else ()
    speaker = laid.variant.speaker
    for place, meld in enumerate(in_order(melds, contract)):
        label = needs[place].said(speaker) if place < len(needs) else speaker.nouns[meld.kind.value]
        yield capital(label), meld
