"""The kinds of fields for questions: cards, melds, switches and more, and how each is read.

Most functions return a field with a name. A field for cards counts them as in play when it is read,
unless they are there already.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final, TypeVar

from referee.cards import Card, Cards, write_cards
from referee.judging.turn_layoffs import first_named, named_once
from referee.melds.standing import standing
from referee.plays import LayOff, Taken
from referee.questions.intake import (
    Holds,
    JsonObject,
    QuestionError,
    QuestionField,
    Reader,
    value_of,
)

T = TypeVar("T")


def _melds_of(text: str) -> list[str]:
    """Return the melds in a text from a terminal, which has “/” between them."""
    return [meld.strip() for meld in text.split("/") if meld.strip()]


def cards(name: str, *, count: bool = True) -> QuestionField[Cards]:
    """Return a field for cards; `count` says whether they are in play in addition to all others."""
    return QuestionField(
        name,
        lambda reader, entry: reader.cards(entry.need_cards(name), name, count=count),
        holds=Holds.CARDS,
    )


def optional(field: QuestionField[T]) -> QuestionField[T | None]:
    """Return the same field, but one that can be left out and is None then."""
    return QuestionField(
        field.name,
        lambda reader, entry: field.read(reader, entry) if field.name in entry.values else None,
        field.from_words,
        field.holds,
    )


def one_card(name: str, *, count: bool = True) -> QuestionField[Card]:
    """Return a field for exactly 1 card; `count` is as in `cards`."""
    return QuestionField(
        name,
        lambda reader, entry: the_card(reader, entry.need_cards(name), name, count=count),
        holds=Holds.CARD,
    )


def the_card(reader: Reader, written: str | Cards, name: str, *, count: bool) -> Card:
    """Return the only card of a field; raise QuestionError if it hasn’t exactly 1."""
    found = reader.cards(written, name, count=count)
    if len(found) != 1:
        raise QuestionError("bad-field", "one-card", pack=reader.pack, name=name)
    return found[0]


def melds(name: str, *, count: bool = True, laid: bool = False) -> QuestionField[tuple[Cards, ...]]:
    """Return a field for melds; `laid` says whether they are laid on this turn.

    Lay-offs on the same turn can then add to them.
    """

    def read(reader: Reader, entry: JsonObject) -> tuple[Cards, ...]:
        found = reader.melds(entry.need(name, list), name, count=count)
        reader.laid += found if laid else ()
        return found

    return QuestionField(name, read, _melds_of, Holds.MELDS)


def switch(name: str, *, default: bool) -> QuestionField[bool]:
    """Return a field that is true or false."""
    return QuestionField(name, lambda _, entry: entry.may(name, bool, default))


def number(name: str, *, most: int) -> QuestionField[int]:
    """Return a field for a whole number from −`most` to `most`; 0 if it’s left out."""

    def read(_: Reader, entry: JsonObject) -> int:
        found = entry.may(name, int, 0)
        if abs(found) > most:
            raise QuestionError("bad-field", "up-to", name=name, most=most)
        return found

    return QuestionField(name, read, _number_of)


def _number_of(text: str) -> object:
    """Return the number that a word is, which can begin with a minus; else the word itself."""
    value = value_of(text.lstrip("-−"))
    is_below = text[:1] in {"-", "−"} and isinstance(value, int)
    return -value if is_below and isinstance(value, int) else value_of(text)


def text(name: str) -> QuestionField[str]:
    """Return a field for text."""
    return QuestionField(name, lambda _, entry: entry.need(name, str))


def step(*, needed: bool, of_a_deal: bool = False) -> QuestionField[int | None]:
    """Return a field for the step; it is required if `needed` is true and the game has steps.

    Without contracts, the step decides what first melds need, so a team that is down can leave it
    out. With `of_a_deal`, it’s read only in games whose deal differs by step, and is None in
    others.
    """

    def read(reader: Reader, entry: JsonObject) -> int | None:
        if of_a_deal and not reader.variant.deals:
            return None
        last = reader.variant.steps
        has_melds = entry.values.get("down") is True or bool(entry.values.get("own"))
        is_down = not reader.variant.contracts and has_melds
        if needed and last and not is_down:
            entry.need("step", int)
        found = entry.may("step", int, None)
        if found is not None and (found < 1 or (last and found > last)):
            raise QuestionError("bad-field", "step" if last else "any-step", last=last)
        return found

    return QuestionField("step", read, value_of)


def _read_seats(reader: Reader, entry: JsonObject) -> None:
    number = entry.may("seats", int, None)
    if number is None:
        return
    if number not in reader.variant.players:
        raise QuestionError("bad-field", "seats", why=reader.variant.for_how_many)
    reader.variant = reader.variant.seated(number)


SEATS: Final = QuestionField("seats", _read_seats, value_of)
"""The number of players. Reading it changes the reader’s game to that for this many players."""


def _read_upcard(reader: Reader, entry: JsonObject) -> None:
    text = entry.may("turned", str, None)
    if text is not None and reader.variant.turning is not None:
        # It may have been taken since, so it isn't counted beside the cards in play.
        reader.variant = reader.variant.dealt(the_card(reader, text, "turned", count=False))


UPCARD: Final = QuestionField("turned", _read_upcard)
"""The card turned up at the deal. If it decides something, reading it changes the reader’s game."""


def _is_own(_: Reader, entry: JsonObject) -> bool:
    owner = entry.need("owner", str)
    if owner not in {"self", "other"}:
        raise QuestionError("bad-field", "owner")
    return owner == "self"


OWNER: Final = QuestionField("owner", _is_own)
"""The owner of a meld ("self" or "other"); true if it’s the player’s own."""

_ONTO: Final = cards("onto", count=False)


def layoffs(*, count: bool = True) -> QuestionField[tuple[LayOff, ...]]:
    """Return a field for the lay-offs on the same turn.

    If a meld is named several times, before or after it has grown, it is counted once; melds laid
    on this turn are counted already. `count` says whether to count the cards that are laid off.
    """
    off = cards("cards", count=count)

    def read(reader: Reader, _: JsonObject) -> tuple[LayOff, ...]:
        found: list[LayOff] = []
        for entry in reader.objects("layoffs"):
            some, onto = off.read(reader, entry), _ONTO.read(reader, entry)
            found.append(LayOff(some, onto, own=OWNER.read(reader, entry), same_turn=True))
        known = [*(tuple(some.elements()) for some in reader.counted), *reader.laid]
        for onto in named_once(known, [(layoff.cards, layoff.onto) for layoff in found]):
            reader.count(onto)
        return tuple(found)

    return QuestionField("layoffs", read, holds=Holds.LAY_OFFS)


OWN: Final = optional(melds("own", laid=True))
"""All melds of the player's team before the play."""


def check_own(
    reader: Reader, own: Sequence[Cards] | None, laid: Sequence[Cards], off: Sequence[LayOff]
) -> None:
    """Raise QuestionError if `own` has something that isn’t a meld, or lacks a meld.

    Each lay-off on an own meld needs a meld in `own`, or one of those `laid` now. If `own` is None,
    nothing is checked.
    """
    if own is None:
        return
    for meld in own:
        if not standing(meld, reader.variant.melds_at(None)):
            how = "not-a-meld" if meld else "no-meld"
            raise QuestionError("bad-field", how, cards=write_cards(meld))
    known = [*laid, *own]
    onto = first_named(known, [(layoff.cards, layoff.onto) for layoff in off])
    for layoff, meld in zip(off, onto, strict=True):
        if layoff.own and not any(meld is one for one in known):
            raise QuestionError("bad-field", "onto", cards=write_cards(layoff.onto))


GIVE: Final = one_card("give")
"""The card given in exchange for a wild."""
TAKE: Final = one_card("take", count=False)
"""The wild that is taken."""
MELD: Final = cards("meld", count=False)
"""The meld that a wild is taken from. See `count_taken` for how `GIVE`, `TAKE` and `MELD` are
counted."""


def count_taken(reader: Reader, swap: Taken, before: Sequence[Taken] = ()) -> Taken:
    """Count the meld that a wild is taken from as in play, and return the swap.

    If another wild was taken from the same meld `before`, the meld is counted once.
    """
    there = Counter(swap.meld)
    gone = sum(one.take == swap.take and Counter(one.meld) == there for one in before)
    if there not in reader.counted or gone >= there[swap.take]:
        reader.count(swap.meld)
    reader.counted += [there, there - Counter([swap.take]) + Counter([swap.give])]
    reader.in_play[swap.take] -= 1
    return swap


def _swaps(reader: Reader, _: JsonObject) -> tuple[Taken, ...]:
    found: list[Taken] = []
    for entry in reader.objects("swaps"):
        give, take = GIVE.read(reader, entry), TAKE.read(reader, entry)
        swap = Taken(give, take, MELD.read(reader, entry))
        found.append(count_taken(reader, swap, found))
    return tuple(found)


SWAPS: Final = QuestionField("swaps", _swaps, holds=Holds.SWAPS)
"""The wilds that are taken before laying down."""
