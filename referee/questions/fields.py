"""The fields that questions are made of: cards, melds, switches, each with the way it is read.

Every function gives a field of one kind by its name. A field that cards are read from counts them
as in play, unless they are there already.
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
    """Melds as they are written at a terminal, with “/” between them."""
    return [meld.strip() for meld in text.split("/") if meld.strip()]


def cards(name: str, *, count: bool = True) -> QuestionField[Cards]:
    """A field of cards; `count` says whether they are in play beside all others."""
    return QuestionField(
        name,
        lambda reader, entry: reader.cards(entry.need_cards(name), name, count=count),
        holds=Holds.CARDS,
    )


def optional(field: QuestionField[T]) -> QuestionField[T | None]:
    """A field that may be left out."""
    return QuestionField(
        field.name,
        lambda reader, entry: field.read(reader, entry) if field.name in entry.values else None,
        field.from_words,
        field.holds,
    )


def one_card(name: str, *, count: bool = True) -> QuestionField[Card]:
    """A field that holds exactly one card."""
    return QuestionField(
        name,
        lambda reader, entry: the_card(reader, entry.need_cards(name), name, count=count),
        holds=Holds.CARD,
    )


def the_card(reader: Reader, written: str | Cards, name: str, *, count: bool) -> Card:
    """Take or read exactly one card of a field."""
    found = reader.cards(written, name, count=count)
    if len(found) != 1:
        raise QuestionError("bad-field", "one-card", pack=reader.pack, name=name)
    return found[0]


def melds(name: str, *, count: bool = True, laid: bool = False) -> QuestionField[tuple[Cards, ...]]:
    """A field of melds; `laid` says that they are put down in this turn, and may be grown in it."""

    def read(reader: Reader, entry: JsonObject) -> tuple[Cards, ...]:
        found = reader.melds(entry.need(name, list), name, count=count)
        reader.laid += found if laid else ()
        return found

    return QuestionField(name, read, _melds_of, Holds.MELDS)


def switch(name: str, *, default: bool) -> QuestionField[bool]:
    """A field that is true or false."""
    return QuestionField(name, lambda _, entry: entry.may(name, bool, default))


def number(name: str, *, most: int) -> QuestionField[int]:
    """A field of a whole number, up to so much above or below 0, which it is if it is left out."""

    def read(_: Reader, entry: JsonObject) -> int:
        found = entry.may(name, int, 0)
        if abs(found) > most:
            raise QuestionError("bad-field", "up-to", name=name, most=most)
        return found

    return QuestionField(name, read, _number_of)


def _number_of(text: str) -> object:
    """The number that a word is, below 0 if it begins with a minus; else the word itself."""
    value = value_of(text.lstrip("-−"))
    is_below = text[:1] in {"-", "−"} and isinstance(value, int)
    return -value if is_below and isinstance(value, int) else value_of(text)


def text(name: str) -> QuestionField[str]:
    """A field of text."""
    return QuestionField(name, lambda _, entry: entry.need(name, str))


def step(*, needed: bool, of_a_deal: bool = False) -> QuestionField[int | None]:
    """The step, within those that the game has; `needed` where the game goes by steps.

    Where there are no contracts it says what the first melds need, so a team that is down needs
    none. With `of_a_deal` it is asked only of games whose deal differs by the step.
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
"""How many play: with it the game is that of a table of so many, with their packs and deal."""


def _read_upcard(reader: Reader, entry: JsonObject) -> None:
    text = entry.may("turned", str, None)
    if text is not None and reader.variant.turning is not None:
        # It may have been taken since, so it isn't counted beside the cards in play.
        reader.variant = reader.variant.dealt(the_card(reader, text, "turned", count=False))


UPCARD: Final = QuestionField("turned", _read_upcard)
"""The card turned up at the deal: with it the game is that of one deal, where it matters."""


def _is_own(_: Reader, entry: JsonObject) -> bool:
    owner = entry.need("owner", str)
    if owner not in {"self", "other"}:
        raise QuestionError("bad-field", "owner")
    return owner == "self"


OWNER: Final = QuestionField("owner", _is_own)
"""Whose meld it is: true for the player's own."""

_ONTO: Final = cards("onto", count=False)


def layoffs(*, count: bool = True) -> QuestionField[tuple[LayOff, ...]]:
    """What is laid off in the same turn.

    A meld that is named again, as it was or as it has grown, is counted once, and those laid in
    this turn are there already. `count` says whether the cards that are laid off are counted here.
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
    """Raise if cards are laid off on a meld of the team that is neither `own` nor `laid` now.

    So it does if one of its own isn't a meld.
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
TAKE: Final = one_card("take", count=False)
MELD: Final = cards("meld", count=False)
"""The three fields of a wild that is taken; see `count_taken`."""


def count_taken(reader: Reader, swap: Taken, before: Sequence[Taken] = ()) -> Taken:
    """A wild that is taken, counted in the meld it stood in.

    A meld out of which another wild was taken `before` is counted once.
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
"""The wilds that are taken before a lay-down."""
