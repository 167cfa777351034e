"""What a question says: each field read with its kind, its cards counted against the packs.

A field is one value (`QuestionField`): its name, and how it is read from JSON and from words at a
terminal.
Questions are made of them (`referee.questions`), and are read by them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Final, Generic, TypeAlias, TypeVar

from referee.cards import JOKER, Card, Cards, NotationError
from referee.melds.deadwood import MOST_ARRANGED
from referee.saying import Told, UnfitError
from referee.variant import Variant

Json: TypeAlias = dict[str, object]
"""A question, or an answer, as it is written."""

_MOST_CARDS: Final = 400
_MOST_MELDS: Final = 120


class QuestionError(UnfitError):
    """A question that can’t be understood: a code, which sentence of it, and values."""

    def __init__(self, code: str, how: str = "", *, pack: str = "", **values: object) -> None:
        """Keep what to say; `pack` is a kind of pack, whose nouns it uses."""
        super().__init__(Told(f"errors.{code}", (how,), pack, tuple(values.items())))
        self.code = code


def quoted(words: Iterable[str]) -> str:
    """Words of the question format as a sentence names them: “tiles”, “value”."""
    return ", ".join(f"“{word}”" for word in words)


T = TypeVar("T")
D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class JsonObject:
    """One JSON object, its fields read with their kinds; raises QuestionError.

    Cards are text in JSON. A caller that has parsed them already passes them as a tuple.
    """

    values: Mapping[str, object]
    where: str = ""
    """What an error names before the field: where in the question the object stands."""

    def need(self, name: str, kind: type[T]) -> T:
        """Read a field that must be there."""
        if name not in self.values:
            raise QuestionError("missing-field", name=f"{self.where}{name}")
        value = self.values[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise QuestionError("bad-field", kind.__name__, name=f"{self.where}{name}")
        return value

    def need_cards(self, name: str) -> str | Cards:
        """Read a field of cards, as text or parsed already."""
        cards = self.values.get(name)
        return cards if isinstance(cards, tuple) else self.need(name, str)

    def may(self, name: str, kind: type[T], default: D) -> T | D:
        """Read a field that may be left out."""
        return self.need(name, kind) if name in self.values else default


_SWITCHES: Final = {"true": True, "yes": True, "false": False, "no": False, "null": None}


def value_of(text: str) -> object:
    """The value that a word stands for: true or false, nothing, a number, else the word itself."""
    if text.lower() in _SWITCHES:
        return _SWITCHES[text.lower()]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text  # noqa: PLR2004 - no number is longer


def word_of(text: str) -> object:
    """The value that a word stands for where a number may be a card."""
    return _SWITCHES.get(text.lower(), text)


class Holds(Enum):
    """The kinds of fields that hold cards: whoever asks shows each as one row or as several."""

    CARDS = auto()
    CARD = auto()
    MELDS = auto()
    LAY_OFFS = auto()
    SWAPS = auto()


@dataclass(frozen=True, slots=True, eq=False)
class QuestionField(Generic[T]):
    """One field of a question: its name, and how it is read."""

    name: str
    read: Callable[[Reader, JsonObject], T]
    """Reads it out of an object of the question; raises QuestionError."""
    from_words: Callable[[str], object] = word_of
    """Makes its JSON out of what was written at a terminal."""
    holds: Holds | None = None
    """What it holds, if that is cards."""


@dataclass(slots=True)
class Reader:
    """Reads one question about one game, and keeps count of the cards in play.

    What cannot be read raises QuestionError, with the code that the question format has for it.
    """

    question: JsonObject
    variant: Variant
    known: tuple[QuestionField[Any], ...] = ()
    """The fields that such a question may have."""
    in_play: Counter[Card] = field(default_factory=Counter)
    laid: list[Cards] = field(default_factory=list)
    """The melds that are laid down in this turn."""
    counted: list[Counter[Card]] = field(default_factory=list)
    """The melds of this turn that are counted already, as they were named and as they become."""

    def __getitem__(self, wanted: QuestionField[T]) -> T:
        """Read a field of the question; it is one of those that the ask names."""
        assert wanted in self.known, f"{wanted.name} is no field of this ask"
        return wanted.read(self, self.question)

    @property
    def pack(self) -> str:
        """The kind of pack whose nouns an error uses."""
        return self.variant.pack.kind

    def has(self, wanted: QuestionField[T]) -> bool:
        """Whether a field is there."""
        return wanted.name in self.question.values

    def cards(self, written: str | Cards, name: str, *, count: bool = True) -> Cards:
        """Take the cards of a field, or read them out of its text; and count them as in play."""
        cards = self._parse(written, name) if isinstance(written, str) else written
        if count:
            self.count(cards)
        return cards

    def _parse(self, text: str, name: str) -> Cards:
        if len(text) > _MOST_CARDS * 8:
            raise QuestionError("too-large", "cards", pack=self.pack, name=name)
        try:
            return self.variant.pack.parse(text)
        except NotationError as error:
            sample = self.variant.pack.notation.sample
            raise QuestionError(
                "bad-card", pack=self.pack, text=error.shown, sample=sample
            ) from None

    def melds(
        self, written: Sequence[object], name: str, *, count: bool = True
    ) -> tuple[Cards, ...]:
        """Take or read the melds in the list of a field, and count their cards as in play."""
        if len(written) > _MOST_MELDS:
            raise QuestionError("too-large", "melds", name=name)
        read: list[Cards] = []
        for meld in written:
            if not isinstance(meld, str | tuple):
                raise QuestionError("bad-field", "texts", name=name)
            read.append(self.cards(meld, name, count=count))
        return tuple(read)

    def objects(self, name: str) -> list[JsonObject]:
        """Read a list of objects, which may be left out."""
        entries: list[object] = self.question.may(name, list, [])
        if len(entries) > _MOST_MELDS:
            raise QuestionError("too-large", "objects", name=name)
        found = [entry for entry in entries if isinstance(entry, dict)]
        if len(found) < len(entries):
            raise QuestionError("bad-field", "objects", name=name)
        return [JsonObject(entry, f"{name}: ") for entry in found]

    def count(self, cards: Iterable[Card]) -> None:
        """Count cards as in play."""
        self.in_play.update(cards)

    def refuse_jokers(self, cards: Cards) -> None:
        """Raise where jokers are to be counted in a game that has none."""
        if JOKER in cards and not self.variant.pack.jokers:
            raise QuestionError("bad-card", "no-jokers")

    def refuse_many(self, cards: Cards) -> None:
        """Raise where more cards are to be put into melds than can be."""
        if len(cards) > MOST_ARRANGED:
            raise QuestionError("too-large", "hand", pack=self.pack, most=MOST_ARRANGED)

    def check_copies(self) -> None:
        """Raise where there are more cards in play than the packs hold."""
        card = self.variant.pack.excess(self.in_play)
        if card is not None:
            raise QuestionError("too-many-cards", this=self.variant.speaker.card(card))
        if self.in_play.total() > _MOST_CARDS:
            raise QuestionError("too-large", "in-play", pack=self.pack)
