"""Advised: what was found for a hand, as the page shows it and the referee is asked about it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from referee import Card, Cards, ContractRule, LayOff, Reading, Taken, write_cards
from referee.advice import Advice, PickUpAdvice
from webapp.pages.advice.forms import AdviceKind, in_order, lay_off_fields, pick_up_fields
from webapp.pages.advice.near_misses import name_misses
from webapp.pages.advice.table_turn import ShownTurn, show_turn
from webapp.pages.desk.card_fields import LaidCards
from webapp.players.tokens import Token
from webapp.text.formatting import capital

MOST_NAMED: Final = 8
"""Missing cards that are named; of the others only the number is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownGame:
    """What is known of the game that is played."""

    owners: Mapping[str, str] = field(default_factory=dict)
    """The players who laid the melds on the table, by their cards."""
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
class AdvisedPlay:
    """What is done with a hand: laid down, laid off, thrown away, kept."""

    swaps: tuple[tuple[Taken, str], ...] = ()
    """The wilds to take from the table, each with whose meld it is in, if that is known."""
    melds: tuple[tuple[str, Reading], ...]
    """The melds to lay down, each with what the contract calls it."""
    layoffs: tuple[tuple[LayOff, str, Mapping[str, str]], ...]
    """What to lay off, with whose meld it is, if that is known, and the question whether that may
    be done, as the fields of the desk."""
    discard: Card | None
    """What to throw away, where the hand is shown without it."""
    kept: Cards
    """What is left in the hand, without the discard."""
    kept_points: int
    fields: Mapping[str, str]
    """The play, as the fields of the desk; none where nothing can be played."""


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
    """The single cards that are lacking: "any 6", "3 unseen"."""
    lacks_more: bool
    """Whether no single card that may still come would do."""
    misses_short: bool
    """Whether there was no time to try every card."""
    turn: ShownTurn | None
    saw_pile: bool
    """Whether a discard pile was shown."""
    pickup: AdvisedPlay | None
    """The play if some of it is taken; None if nothing of it may be."""
    gain: int
    """What that brings beyond playing the hand alone."""

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
        return self.pickup if self.pickup and self.gain > 0 else self.play


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
    variant, pickup = laid.variant, advice.pickup
    turn = show_turn(table, advice.turn, variant) if advice.turn else None
    misses = name_misses(variant, advice.misses, laid.count(""), len(game.players) or None)
    play = _show_play(laid, advice, game.owners, kind.play(laid, advice), advice.discard)
    swaps = tuple((swap, game.owners.get(write_cards(swap.meld), "")) for swap in advice.swaps)
    return FoundAdvice(
        title=kind.title(laid, advice, game.who),
        points_say=kind.points(laid, advice),
        possible=advice.possible,
        decided=advice.decided and (pickup is None or pickup.decided),
        play=replace(play, swaps=swaps),
        misses=misses,
        lacks_more=not misses and _may_miss(laid, advice) and advice.misses_decided,
        misses_short=_may_miss(laid, advice) and not advice.misses_decided,
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
    """Add to a play when and by whom it is made."""
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


def _may_miss(laid: LaidCards, advice: Advice) -> bool:
    """Whether there is a contract that a single card could be lacking for."""
    if not isinstance(laid.variant.way, ContractRule) or laid.question.has("down"):
        return False
    return advice.decided and not advice.possible
