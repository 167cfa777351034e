"""Asking: from cards as they were written to the referee's ruling, slot by slot."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from referee.bench import MomentError, rule_on
from referee.cards import NotationError
from referee.plays import LayDown, LayOff, Moment, ShowMeld, Swap, Taken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from referee.cards import Card, Cards
    from referee.plays import Play
    from referee.rulings import Reading, Ruling
    from referee.variant import Variant

_LONGEST: Final = 200
"""Characters of a slot; a hand of twenty cards needs eighty."""

_MELD: Final = "meld-"
"""How the slots of a contract begin: "meld-1", "meld-2"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is put to the referee, as it came in; nothing in it is checked yet."""

    ask: str = ""
    step: int | None = None
    player: int | None = None
    own: bool = False
    texts: Mapping[str, str] = field(default_factory=dict)
    """The cards as written, by slot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One row of cards that the play is made of."""

    name: str
    """The form field ("meld-1", "kept", "cards", "onto", "give", "take", "meld")."""
    label: str
    """ "Set of 3", "Run of 4", "Cards left over". """
    text: str
    """The cards as written so far."""
    cards: Cards
    """The same, read; empty where they cannot be read."""
    reading: Reading | None
    """How the referee reads this meld, once it is legal."""
    problem: str
    """Why the text names no cards; or empty."""


def asks_of(variant: Variant) -> tuple[tuple[str, str], ...]:
    """Give what can be asked in a game, each with its label; the first is what is asked most."""
    words = variant.words
    asks = [("meld", "Is it a meld?")]
    if variant.swaps is not None:
        asks.insert(0, ("swap", "Take a wild"))
    if variant.lay_offs is not None:
        asks.insert(0, ("layoff", words.lay_off[:1].upper() + words.lay_off[1:]))
    if variant.contract_rule is not None:
        asks.insert(0, ("laydown", words.lay_down[:1].upper() + words.lay_down[1:]))
    return tuple(asks)


def put(
    variant: Variant, question: Question, *, down: bool
) -> tuple[tuple[Slot, ...], Ruling | None]:
    """Put a question to the referee; answers the slots, and the ruling once there are cards.

    `down` says whether the player has laid down in this round already.
    """
    named = tuple(_names(variant, question))
    slots = tuple(
        _read(variant, name, label, question.texts.get(name, "")) for name, label in named
    )
    slots = _mind_the_packs(variant, slots)
    if any(slot.problem for slot in slots) or not any(slot.cards for slot in slots):
        return slots, None
    by_name = {slot.name: slot for slot in slots}
    play = _play(question, by_name, down=down)
    if play is None:
        return slots, None
    try:
        ruling = rule_on(play, variant, Moment(question.step))
    except MomentError:
        return slots, None
    return tuple(_with_readings(variant, question, slots, ruling)), ruling


def melds_of(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """Give the slots of a contract that hold cards."""
    return tuple(slot for slot in slots if slot.name.startswith(_MELD) and slot.cards)


def _names(variant: Variant, question: Question) -> Iterator[tuple[str, str]]:
    """Name the slots of a question, in the order they are filled."""
    if question.ask == "meld":
        yield "cards", "The meld"
    if question.ask == "layoff":
        yield "cards", "Cards to lay off"
        yield "onto", "Onto the meld"
    if question.ask == "swap":
        yield "give", "Card given"
        yield "take", "Wild taken"
        yield "meld", "Out of the meld"
    if question.ask in {"laydown", "swap"}:
        contract = variant.contract_at(question.step)
        for count, need in enumerate(contract.needs if contract else (), 1):
            yield f"{_MELD}{count}", need.label
        if contract and contract.no_discard:
            yield "kept", "Cards left over"


def _read(variant: Variant, name: str, label: str, text: str) -> Slot:
    slot = Slot(name=name, label=label, text=text[:_LONGEST], cards=(), reading=None, problem="")
    if len(text) > _LONGEST:
        return replace(slot, problem="That is more cards than a hand can hold.")
    try:
        cards = variant.pack.parse(text)
    except NotationError as error:
        return replace(slot, problem=str(error))
    if name in {"give", "take"} and len(cards) > 1:
        return replace(slot, problem="This is one card.")
    return replace(slot, cards=cards)


def _mind_the_packs(variant: Variant, slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """Say where a card is written more often than the packs hold it."""
    # The wild that is taken is written twice: in the meld it leaves and in the one it joins.
    counts = Counter(card for slot in slots if slot.name != "take" for card in slot.cards)
    counts.subtract(card for slot in slots if slot.name == "take" for card in slot.cards)
    excess = variant.pack.excess(+counts)
    if excess is None:
        return slots
    last = max(place for place, slot in enumerate(slots) if excess.rank in _ranks(slot.cards))
    says = f"There are not so many of the {excess.name} in the packs."
    return tuple(
        replace(slot, problem=says) if place == last else slot for place, slot in enumerate(slots)
    )


def _ranks(cards: Cards) -> set[int]:
    return {card.rank for card in cards}


def _play(question: Question, slots: Mapping[str, Slot], *, down: bool) -> Play | None:
    """Make the play of the slots; None while something is missing without which it is none."""
    cards = {name: slot.cards for name, slot in slots.items()}
    melds = tuple(slot.cards for slot in melds_of(tuple(slots.values())))
    kept = cards.get("kept", ())
    play: Play | None = None
    if question.ask == "meld":
        play = ShowMeld(cards["cards"])
    elif question.ask == "laydown" and melds:
        play = LayDown(melds=melds, kept=kept, down=down)
    elif question.ask == "layoff" and cards["cards"] and cards["onto"]:
        play = LayOff(cards["cards"], cards["onto"], own=question.own)
    elif question.ask == "swap" and cards["give"] and cards["take"] and cards["meld"]:
        taken = Taken(cards["give"][0], cards["take"][0], cards["meld"])
        play = Swap(taken=taken, then=melds, down=down, kept=kept)
    return play


def _with_readings(
    variant: Variant, question: Question, slots: tuple[Slot, ...], ruling: Ruling
) -> Iterator[Slot]:
    """Give each meld the reading that the ruling went by, or its own where it had none."""
    melds = [slot.name for slot in slots if _is_meld(slot, question) and slot.cards]
    ruled: dict[str, Reading] = {}
    if len(ruling.readings) >= len(melds) and question.ask != "layoff":
        ruled = dict(zip(melds, ruling.readings, strict=False))
    for slot in slots:
        if slot.name not in melds:
            yield slot
            continue
        reading = ruled.get(slot.name)
        if reading is None or reading.cards != slot.cards:
            reading = _read_alone(variant, question, slot.cards)
        yield replace(slot, reading=reading)


def _is_meld(slot: Slot, question: Question) -> bool:
    if slot.name == "cards":
        return question.ask == "meld"
    return slot.name.startswith(_MELD) or slot.name in {"onto", "meld"}


def _read_alone(variant: Variant, question: Question, cards: Cards) -> Reading | None:
    readings = rule_on(ShowMeld(cards), variant, Moment(question.step)).readings
    return readings[0] if readings and readings[0].cards == cards else None


def hint_slot(slots: Sequence[Slot], cards: Sequence[Card]) -> Slot | None:
    """Find the slot whose cards a hint puts in another order."""
    wanted = Counter(cards)
    return next((slot for slot in slots if slot.cards and Counter(slot.cards) == wanted), None)
