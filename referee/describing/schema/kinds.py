"""The kinds of fields: which values each can have, and the message for any other value."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol, TypeAlias

from referee.describing.complaints import near, shown
from referee.saying import Told, wrong

Shape: TypeAlias = Callable[[object], bool]
"""Returns whether a value has a certain shape."""

LONGEST_TEXT: Final = 400
"""The most characters of a sentence."""
_LONGEST_WORD: Final = 60
FACE: Final = "face"
"""The word, instead of a number of points, for the number that a card shows."""
_MOST_ROWS: Final = 80
_SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)


class Kind(Protocol):
    """The values that a field can have."""

    def problem(self, value: object) -> Told | None:
        """Return what is wrong with a value and what is allowed; None if the value is allowed."""


@dataclass(frozen=True, slots=True)
class Switch:
    """Yes or no: true or false."""

    def problem(self, value: object) -> Told | None:  # noqa: D102 - told above, and so below
        return None if type(value) is bool else wrong("switch")


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`, or one of `words`.

    With `none`, leaving the field out means that there is no limit.
    """

    low: int
    high: int
    none: bool = False
    words: tuple[str, ...] = ()

    def problem(self, value: object) -> Told | None:  # noqa: D102
        if value in self.words or is_whole(value, self.low, self.high):
            return None
        how = "words" if self.words else "none" if self.none else ""
        low, high, words = self.low, self.high, ", ".join(self.words)
        return wrong("no-whole", how, value=shown(value), low=low, high=high, words=words)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words."""

    words: tuple[str, ...]

    def problem(self, value: object) -> Told | None:  # noqa: D102
        good = isinstance(value, str) and value in self.words
        return None if good else wrong("no-word", value=shown(value), words=", ".join(self.words))


@dataclass(frozen=True, slots=True)
class SomeOf:
    """A list of some of a few words; with `none`, the list can be empty.

    A word of `alone` can’t be combined with others. The form goes by this; `problem` doesn’t check
    it.
    """

    words: tuple[str, ...]
    none: bool = False
    alone: tuple[str, ...] = ()

    def problem(self, value: object) -> Told | None:  # noqa: D102
        good = listed(lambda word: word in self.words)(value) and (self.none or value != [])
        return None if good else wrong("list-of", words=", ".join(self.words))


@dataclass(frozen=True, slots=True)
class ByPlayers(Whole):
    """A whole number, or a table of whole numbers by how many play: `{"2-4" = 2, "5-6" = 3}`."""

    def problem(self, value: object) -> Told | None:  # noqa: D102
        def players(word: str) -> bool:
            return re.fullmatch(r"[0-9]{1,2}(-[0-9]{1,2})?", word, re.ASCII) is not None

        if not isinstance(value, dict):
            return Whole.problem(self, value)
        good = table(players, lambda n: is_whole(n, self.low, self.high))(value) and value != {}
        if good:
            named = [n for word in value for n in players_in(word)]
            good = len(named) == len({*named})
        return None if good else wrong("by-players", like='{"2-4" = 2, "5-6" = 3}')


@dataclass(frozen=True, slots=True)
class Text:
    """A rule in the players’ own words, on one line."""

    def problem(self, value: object) -> Told | None:  # noqa: D102
        good = isinstance(value, str) and is_text(value) and value.isprintable()
        return None if good and str(value).strip() == value else wrong("text", most=LONGEST_TEXT)


@dataclass(frozen=True, slots=True)
class Named:
    """One of a few names, alone or with whole numbers as arguments: `{knock = {gin = 25}}`."""

    known: Mapping[str, Mapping[str, int]]
    """The names, each with its arguments and their defaults."""

    def problem(self, value: object) -> Told | None:  # noqa: D102
        name, given = named(value)
        if name not in self.known:
            return wrong("no-way", value=shown(value), near=near(name, self.known))
        arguments = self.known[name]
        if not isinstance(given, dict) or not all(
            key in arguments and is_whole(number) for key, number in given.items()
        ):
            return wrong(
                "arguments",
                "" if arguments else "none",
                name=name,
                takes=", ".join(arguments),
            )
        return None


@dataclass(frozen=True, slots=True)
class Word:
    """A short text, such as the title of a row."""

    def problem(self, value: object) -> Told | None:  # noqa: D102
        return None if is_word(value) else wrong("text", most=_LONGEST_WORD)


@dataclass(frozen=True, slots=True)
class Cards:
    """A list of selectors for cards: "JK", "black 2"."""

    def problem(self, value: object) -> Told | None:  # noqa: D102
        good = listed(is_word, 20)(value)
        return None if good else wrong("list-like", like='["JK", "black 2"]')


@dataclass(frozen=True, slots=True)
class CardValues:
    """A table of points by selectors of cards: numbers, or "face" for the number on the card."""

    most: int

    def problem(self, value: object) -> Told | None:  # noqa: D102
        good = table(is_word, lambda v: v == FACE or is_whole(v, -self.most, self.most))(value)
        return None if good else wrong("table-like", like='{"2-9" = 5, "10-K" = "face"}')


@dataclass(frozen=True, slots=True)
class Record:
    """A table with a few known keys, each with its kind; the keys in `must` are required."""

    parts: Mapping[str, Kind]
    must: tuple[str, ...]
    example: Told

    def problem(self, value: object) -> Told | None:  # noqa: D102
        good = record(self.must, {key: is_a(kind) for key, kind in self.parts.items()})(value)
        return None if good else self.example


@dataclass(frozen=True, slots=True)
class Rows:
    """A table of rows that are all of one kind; `key` returns whether a row’s name is allowed."""

    key: Callable[[str], bool]
    row: Kind
    example: Told
    usual: Mapping[str, object] = field(default_factory=dict)
    """Rows that can be added with a tap, by name, each with its first value."""
    typed: object = None
    """The first value of a row whose name was typed; None if names can’t be typed."""

    def problem(self, value: object) -> Told | None:  # noqa: D102
        return None if table(self.key, is_a(self.row))(value) else self.example


@dataclass(frozen=True, slots=True)
class Shaped:
    """A list or a table with a shape of its own; `example` is the message for any other value."""

    shape: Shape
    example: Told

    def problem(self, value: object) -> Told | None:  # noqa: D102
        return None if self.shape(value) else self.example


class Number(NamedTuple):
    """A range for one of the numbers in a table of numbers."""

    low: int
    high: int
    usual: int
    """The value if it isn’t given."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """A table of a few numbers by name; those that are left out have their usual value."""

    known: Mapping[str, Number]

    def problem(self, value: object) -> Told | None:  # noqa: D102
        good = isinstance(value, dict) and all(
            name in self.known and is_whole(number, self.known[name].low, self.known[name].high)
            for name, number in value.items()
        )
        takes = ", ".join(f"{name} ({one.low}–{one.high})" for name, one in self.known.items())
        return None if good else wrong("numbers", takes=takes)


def named(value: object) -> tuple[str, object]:
    """Return the name and its arguments from a name or from {name = {arguments}}.

    The name is empty if the value is neither.
    """
    if isinstance(value, str):
        return value, {}
    if isinstance(value, dict) and len(value) == 1:
        name, given = next(iter(value.items()))
        return str(name), given
    return "", {}


def is_whole(value: object, low: int = -(10**6), high: int = 10**6) -> bool:
    """Return whether this is a whole number in a range; true isn’t one."""
    return type(value) is int and low <= value <= high


def is_text(value: object, longest: int = LONGEST_TEXT) -> bool:
    """Return whether this is text with 1 to `longest` characters."""
    return isinstance(value, str) and 0 < len(value) <= longest


def is_word(value: object) -> bool:
    """Return whether this is a short text."""
    return is_text(value, _LONGEST_WORD)


def is_slug(value: object) -> bool:
    """Return whether this is a short name for web addresses: "three-thirteen"."""
    return isinstance(value, str) and _SLUG.fullmatch(value) is not None and len(value) <= 40  # noqa: PLR2004


def is_switch(value: object) -> bool:
    """Return whether this is true or false."""
    return type(value) is bool


def is_a(kind: Kind) -> Shape:
    """Return the shape of values that a kind of field allows."""
    return lambda value: not kind.problem(value)


def one_of(*words: str) -> Shape:
    """Return the shape of values that are one of these words."""
    return lambda value: isinstance(value, str) and value in words


def listed(each: Shape, most: int = 60) -> Shape:
    """Return the shape of lists of up to `most` values that each have a shape."""
    return lambda value: isinstance(value, list) and len(value) <= most and all(map(each, value))


def players_in(word: str) -> range:
    """Return the numbers of players in a key of a table by players: "3-4", or "5"."""
    low, _, high = word.partition("-")
    return range(int(low), int(high or low) + 1)


def table(key: Callable[[str], bool], value: Shape) -> Shape:
    """Return the shape of tables whose keys and values have these shapes."""
    return lambda given: (
        isinstance(given, dict)
        and len(given) <= _MOST_ROWS
        and all(isinstance(k, str) and key(k) and value(v) for k, v in given.items())
    )


def record(must: tuple[str, ...], may: Mapping[str, Shape]) -> Shape:
    """Return the shape of tables with the keys in `may`, of which those in `must` are required."""
    return lambda given: (
        isinstance(given, dict)
        and set(must) <= set(given) <= set(may)
        and all(may[key](value) for key, value in given.items())
    )
