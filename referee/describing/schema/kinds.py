"""The kinds of fields: what a value of each must be, said in a sentence where it is not."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol, TypeAlias

from referee.describing.complaints import near, shown
from referee.saying import Told, wrong

Shape: TypeAlias = Callable[[object], bool]

LONGEST_TEXT: Final = 400
"""Letters that a sentence may have."""
_LONGEST_WORD: Final = 60
FACE: Final = "face"
"""In place of a number of points: the number that a card shows."""
_MOST_ROWS: Final = 80
_SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)


class Kind(Protocol):
    """What a field may hold."""

    def problem(self, value: object) -> Told | None:
        """What is wrong with a value, and what would do; None if it is good."""


@dataclass(frozen=True, slots=True)
class Switch:
    """Yes or no."""

    def problem(self, value: object) -> Told | None:  # noqa: D102 - told above, and so below
        return None if type(value) is bool else wrong("switch")


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from a range, or one of a few words; `none`: there may be no limit."""

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
    """Some of a few words, in a list; `none`: it may be empty; those `alone` go with no other."""

    words: tuple[str, ...]
    none: bool = False
    alone: tuple[str, ...] = ()

    def problem(self, value: object) -> Told | None:  # noqa: D102
        good = listed(lambda word: word in self.words)(value) and (self.none or value != [])
        return None if good else wrong("list-of", words=", ".join(self.words))


@dataclass(frozen=True, slots=True)
class ByPlayers(Whole):
    """A whole number, the same however many play, or one for each number of players."""

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
    """A rule in somebody's own words, on one line."""

    def problem(self, value: object) -> Told | None:  # noqa: D102
        good = isinstance(value, str) and is_text(value) and value.isprintable()
        return None if good and str(value).strip() == value else wrong("text", most=LONGEST_TEXT)


@dataclass(frozen=True, slots=True)
class Named:
    """The name of one of a few things with arguments, each a number: settling a round."""

    known: Mapping[str, Mapping[str, int]]
    """The names, each with its arguments and what they are by default."""

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
    """A short text: what a row is called."""

    def problem(self, value: object) -> Told | None:  # noqa: D102
        return None if is_word(value) else wrong("text", most=_LONGEST_WORD)


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards by selectors: "JK", "black 2"."""

    def problem(self, value: object) -> Told | None:  # noqa: D102
        good = listed(is_word, 20)(value)
        return None if good else wrong("list-like", like='["JK", "black 2"]')


@dataclass(frozen=True, slots=True)
class CardValues:
    """What cards count, by selectors: a number, or the number that a card shows."""

    most: int

    def problem(self, value: object) -> Told | None:  # noqa: D102
        good = table(is_word, lambda v: v == FACE or is_whole(v, -self.most, self.most))(value)
        return None if good else wrong("table-like", like='{"2-9" = 5, "10-K" = "face"}')


@dataclass(frozen=True, slots=True)
class Record:
    """A table of a few parts, each of a kind; some of them have to be there."""

    parts: Mapping[str, Kind]
    must: tuple[str, ...]
    example: Told

    def problem(self, value: object) -> Told | None:  # noqa: D102
        good = record(self.must, {key: is_a(kind) for key, kind in self.parts.items()})(value)
        return None if good else self.example


@dataclass(frozen=True, slots=True)
class Rows:
    """A table of rows of one kind, by their names."""

    key: Callable[[str], bool]
    row: Kind
    example: Told
    usual: Mapping[str, object] = field(default_factory=dict)
    """The rows that can be added with a tap, each as it is at first."""
    typed: object = None
    """What a row is at first whose name somebody types; None if a name can’t be typed."""

    def problem(self, value: object) -> Told | None:  # noqa: D102
        return None if table(self.key, is_a(self.row))(value) else self.example


@dataclass(frozen=True, slots=True)
class Shaped:
    """A list or a table of its own shape, with an example of what would do."""

    shape: Shape
    example: Told

    def problem(self, value: object) -> Told | None:  # noqa: D102
        return None if self.shape(value) else self.example


class Number(NamedTuple):
    """A number from a range that a table of numbers may hold."""

    low: int
    high: int
    usual: int
    """What it is where it is not written."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """A few numbers, each by its name; one that is not written is as usual."""

    known: Mapping[str, Number]

    def problem(self, value: object) -> Told | None:  # noqa: D102
        good = isinstance(value, dict) and all(
            name in self.known and is_whole(number, self.known[name].low, self.known[name].high)
            for name, number in value.items()
        )
        takes = ", ".join(f"{name} ({one.low}–{one.high})" for name, one in self.known.items())
        return None if good else wrong("numbers", takes=takes)


def named(value: object) -> tuple[str, object]:
    """A name with its arguments, from a name alone or {name = {arguments}}; empty if neither."""
    if isinstance(value, str):
        return value, {}
    if isinstance(value, dict) and len(value) == 1:
        name, given = next(iter(value.items()))
        return str(name), given
    return "", {}


def is_whole(value: object, low: int = -(10**6), high: int = 10**6) -> bool:
    """Whether this is a whole number from a range; true is none."""
    return type(value) is int and low <= value <= high


def is_text(value: object, longest: int = LONGEST_TEXT) -> bool:
    """Whether this is text of so many letters at most, and not empty."""
    return isinstance(value, str) and 0 < len(value) <= longest


def is_word(value: object) -> bool:
    """Whether this is a short text."""
    return is_text(value, _LONGEST_WORD)


def is_slug(value: object) -> bool:
    """Whether this is a short word for addresses: "three-thirteen"."""
    return isinstance(value, str) and _SLUG.fullmatch(value) is not None and len(value) <= 40  # noqa: PLR2004


def is_switch(value: object) -> bool:
    """Whether this is true or false."""
    return type(value) is bool


def is_a(kind: Kind) -> Shape:
    """A value that a kind of field may hold."""
    return lambda value: not kind.problem(value)


def one_of(*words: str) -> Shape:
    """One of a few words."""
    return lambda value: isinstance(value, str) and value in words


def listed(each: Shape, most: int = 60) -> Shape:
    """A list of such values, so many at most."""
    return lambda value: isinstance(value, list) and len(value) <= most and all(map(each, value))


def players_in(word: str) -> range:
    """The numbers of players that a row covers: "3-4", or "5" alone."""
    low, _, high = word.partition("-")
    return range(int(low), int(high or low) + 1)


def table(key: Callable[[str], bool], value: Shape) -> Shape:
    """A table whose keys and values are such."""
    return lambda given: (
        isinstance(given, dict)
        and len(given) <= _MOST_ROWS
        and all(isinstance(k, str) and key(k) and value(v) for k, v in given.items())
    )


def record(must: tuple[str, ...], may: Mapping[str, Shape]) -> Shape:
    """A table with these keys, the first of which it must have."""
    return lambda given: (
        isinstance(given, dict)
        and set(must) <= set(given) <= set(may)
        and all(may[key](value) for key, value in given.items())
    )
