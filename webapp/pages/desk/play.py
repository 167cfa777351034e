"""Asking the referee: reads the rows of cards, makes the play and has it ruled on."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee import (
    Card,
    Cards,
    ForTheTableError,
    MomentError,
    NotationError,
    Play,
    Ruling,
    Variant,
)
from webapp.language import say
from webapp.pages.desk.card_fields import UPCARD, CardRow, DeskQuestion, HasRows, LaidCards
from webapp.pages.desk.questions import DeskAsk
from webapp.text.cards import Drawing
from webapp.workers.jobs import RuleTask, Solver, name_game

_LONGEST: Final = 200
"""The most characters of a row; a hand of 20 cards needs 80."""

_SINGLE: Final = frozenset({"give", "take", "discard", UPCARD})
"""The kinds of rows that have a single card."""

_NO_MELDS: Final = frozenset({"kept", "rack", "pile", *_SINGLE})


@dataclass(frozen=True, slots=True)
class Ruled:
    """A play and the referee’s ruling on it."""

    play: Play
    ruling: Ruling


def put(
    variant: Variant, ask: DeskAsk, question: DeskQuestion, solve: Solver
) -> tuple[tuple[CardRow, ...], Ruled | None]:
    """Put a question to the referee; return its rows, and the ruling or None if it’s too early."""
    slots, laid = read(variant, ask, question)
    if any(slot.problem for slot in slots):
        return slots, None
    play = ask.play(laid)
    if play is None:
        return slots, None
    if laid.variant.lacks_upcard and any(slot.name == UPCARD for slot in slots):
        return note_missing_upcard(slots, variant), None
    task = RuleTask(
        game=name_game(laid.variant),
        play=play,
        step=question.step,
        melds=tuple(slot.cards for slot in slots if _is_meld(slot)),
        cards=sum(len(slot.cards) for slot in slots),
    )
    try:
        read_too = solve(task)
    except MomentError:
        return slots, None
    readings = iter(read_too.readings)
    slots = tuple(
        replace(slot, reading=next(readings)) if _is_meld(slot) else slot for slot in slots
    )
    return slots, Ruled(play, read_too.ruling)


def read(
    variant: Variant, ask: HasRows, question: DeskQuestion
) -> tuple[tuple[CardRow, ...], LaidCards]:
    """Return the rows of a question, each with what is wrong with it, and the cards in them."""
    rows = (*_upcard_row(variant, ask), *ask.rows(variant, question))
    play = _PLAYS.get(getattr(ask, "name", ""), "")
    slots = tuple(_note_unchecked(_read(variant, row, question), variant, play) for row in rows)
    if any(card in variant.pack.notation.bare for slot in slots for card in slot.cards):
        # Typed or recorded earlier, cards may have suits that the game ignores: then "7" and "7C"
        # are the same card.
        bare = variant.pack.without_suits
        slots = tuple(replace(slot, cards=bare(slot.cards)) for slot in slots)
    cards = {slot.name: slot.cards for slot in slots}
    # Somebody may have taken the card turned up since, so it isn’t counted.
    upcard = next(iter(cards.pop(UPCARD, ())), None)
    laid = LaidCards(variant.dealt(upcard), question, cards)
    return _note_excess(variant, slots, ask.together(laid)), laid


_PLAYS: Final = {
    "meld": "ShowMeld",
    "close": "Close",
    "laydown": "LayDown",
    "layoff": "LayOff",
    "swap": "Swap",
    "pickup": "PickUp",
}
"""The plays that can be ruled on with a card that stands in for the wild, by question."""


def _note_unchecked(slot: CardRow, variant: Variant, play: str) -> CardRow:
    """Return a row, with a problem if its cards are for a play that the referee doesn’t rule on."""
    try:
        variant.leave_to_table("" if slot.name == UPCARD else play, slot.cards)
    except ForTheTableError as error:
        return replace(slot, problem=str(error))
    return slot


def _upcard_row(variant: Variant, ask: HasRows) -> Iterator[CardRow]:
    """Yield the row of the card turned up, if it matters for the question."""
    rule = variant.turning
    if rule is not None and (rule.rank_wild or ask.whole_hand):
        yield CardRow(name=UPCARD, label=say("count.turned"))


def note_missing_upcard(slots: Sequence[CardRow], variant: Variant) -> tuple[CardRow, ...]:
    """Return the rows, with the problem at the card turned up that it’s needed."""
    says = say("count.which-turned", variant.pack.kind)
    return tuple(replace(slot, problem=says) if slot.name == UPCARD else slot for slot in slots)


def hint_slot(slots: Sequence[CardRow], cards: Sequence[Card]) -> CardRow | None:
    """Return the row whose cards a hint puts into another order; None if there isn’t one."""
    wanted = Counter(cards)
    return next((slot for slot in slots if slot.cards and Counter(slot.cards) == wanted), None)


def _read(variant: Variant, row: CardRow, question: DeskQuestion) -> CardRow:
    text = question.texts.get(row.name, row.text)
    cards, problem = _parse(variant, row, text)
    return replace(row, text=text[:_LONGEST], cards=cards, problem=problem)


def _parse(variant: Variant, row: CardRow, text: str) -> tuple[Cards, str]:
    """Return the cards of a row, and why it can’t be read."""
    if len(text) > _LONGEST:
        return (), say("typed.long", variant.pack.kind)
    try:
        cards = variant.pack.parse(text)
    except NotationError as error:
        sample = variant.pack.notation.sample
        return (), say("desk.unreadable", text=error.shown, sample=sample, variant=variant)
    if _kind(row.name) in _SINGLE and len(cards) > 1:
        return (), say("desk.single", variant=variant)
    return cards, ""


def _kind(name: str) -> str:
    """Return the kind of a row, its name without the number: "give" of "give-1"."""
    return name.partition("-")[0]


def _note_excess(
    variant: Variant, slots: tuple[CardRow, ...], counts: Counter[Card]
) -> tuple[CardRow, ...]:
    """Return the rows, with a problem at the last one that has a card too often for the packs.

    `counts` has the cards that are in play at one time.
    """
    excess = variant.pack.excess(counts)
    if excess is None:
        return slots
    last = max(place for place, slot in enumerate(slots) if excess.rank in _ranks(slot.cards))
    says = Drawing(variant).say("too-many-copies", "", {"this": excess})
    return tuple(
        replace(slot, problem=says) if place == last else slot for place, slot in enumerate(slots)
    )


def _ranks(cards: Cards) -> set[int]:
    return {card.rank for card in cards}


def _is_meld(slot: CardRow) -> bool:
    return bool(slot.cards) and _kind(slot.name) not in _NO_MELDS
