"""Reads questions: each field as its kind, with the cards counted against the packs.

A field is a value (`QuestionField`): its name, and how it is read from JSON or from words at a
terminal. Questions (`referee.questions`) are made of fields.
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
"""A question or an answer as a JSON object."""

_MOST_CARDS: Final = 400
_MOST_MELDS: Final = 120


class QuestionError(UnfitError):
    """Raised for a question that can’t be understood; `code` is the error code."""

    def __init__(self, code: str, how: str = "", *, pack: str = "", **values: object) -> None:
        """Make the error; its sentence is in the catalogues, under its code.

        `how` is the message variant, `pack` the kind of pack whose nouns it uses, and `values` are
        for the placeholders.
        """
        super().__init__(Told(f"errors.{code}", (how,), pack, tuple(values.items())))
        self.code = code


def quoted(words: Iterable[str]) -> str:
    """Return words of the question format as a sentence has them: “tiles”, “value”."""
    return ", ".join(f"“{word}”" for word in words)


T = TypeVar("T")
D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class JsonObject:
    """A JSON object, read field by field: the caller names the type that a field needs to have.

    A missing field or one of another type raises QuestionError. Cards are text in JSON, but callers
    can also pass a tuple of cards.
    """

    values: Mapping[str, object]
    where: str = ""
    """The text before the name of a field in errors: where in the question the object is."""

    def need(self, name: str, kind: type[T]) -> T:
        """Return a field; raise QuestionError if it is missing or isn’t of this kind."""
        if name not in self.values:
            raise QuestionError("missing-field", name=f"{self.where}{name}")
        value = self.values[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise QuestionError("bad-field", kind.__name__, name=f"{self.where}{name}")
        return value

    def need_cards(self, name: str) -> str | Cards:
        """Return a field of cards, as text or as a tuple; raise QuestionError if it is missing."""
        cards = self.values.get(name)
        return cards if isinstance(cards, tuple) else self.need(name, str)

    def may(self, name: str, kind: type[T], default: D) -> T | D:
        """Return a field, or `default` if it is missing; raise QuestionError for a wrong kind."""
        return self.need(name, kind) if name in self.values else default


_SWITCHES: Final = {"true": True, "yes": True, "false": False, "no": False, "null": None}


def value_of(text: str) -> object:
    """Return the value of a word: true or false, None for "null", a number, or the word itself."""
    if text.lower() in _SWITCHES:
        return _SWITCHES[text.lower()]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text  # noqa: PLR2004 - no number is longer


def word_of(text: str) -> object:
    """Return the value of a word if numbers can be cards: true, false, None, or the word itself."""
    return _SWITCHES.get(text.lower(), text)


class Holds(Enum):
    """The kinds of fields that have cards, for callers that show them as rows of cards."""

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
    """Reads it from a JSON object of the question; raises QuestionError if it can’t."""
    from_words: Callable[[str], object] = word_of
    """Returns its JSON for text from a terminal."""
    holds: Holds | None = None
    """Its kind, if it has cards; else None."""


@dataclass(slots=True)
class Reader:
    """Reads one question about one game, and counts the cards in play.

    Everything that can’t be read raises QuestionError, with an error code of the question format.
    """

    question: JsonObject
    variant: Variant
    known: tuple[QuestionField[Any], ...] = ()
    """The fields that the question can have."""
    in_play: Counter[Card] = field(default_factory=Counter)
    """The number of each card in play, so far."""
    laid: list[Cards] = field(default_factory=list)
    """The melds that are laid on this turn."""
    counted: list[Counter[Card]] = field(default_factory=list)
    """The melds that are already counted, in each form that they have on this turn."""

    def __getitem__(self, wanted: QuestionField[T]) -> T:
        """Read a field of the question; it has to be one of `known`."""
        assert wanted in self.known, f"{wanted.name} is no field of this ask"
        return wanted.read(self, self.question)

    @property
    def pack(self) -> str:
        """The kind of pack whose nouns an error uses."""
        return self.variant.pack.kind

    def has(self, wanted: QuestionField[T]) -> bool:
        """Return whether the question has a field."""
        return wanted.name in self.question.values

    def cards(self, written: str | Cards, name: str, *, count: bool = True) -> Cards:
        """Return the cards of a field, from text or as they are, and count them as in play."""
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
        """Return the melds in the list of a field, and count their cards as in play."""
        if len(written) > _MOST_MELDS:
            raise QuestionError("too-large", "melds", name=name)
        read: list[Cards] = []
        for meld in written:
            if not isinstance(meld, str | tuple):
                raise QuestionError("bad-field", "texts", name=name)
            read.append(self.cards(meld, name, count=count))
        return tuple(read)

    def objects(self, name: str) -> list[JsonObject]:
        """Return the list of objects in a field; empty if the field is left out."""
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
        """Raise QuestionError if there are jokers among the cards but none in the packs."""
        if JOKER in cards and not self.variant.pack.jokers:
            raise QuestionError("bad-card", "no-jokers")

    def refuse_many(self, cards: Cards) -> None:
        """Raise QuestionError if there are more cards than can be put into melds (14)."""
        if len(cards) > MOST_ARRANGED:
            raise QuestionError("too-large", "hand", pack=self.pack, most=MOST_ARRANGED)

    def check_copies(self) -> None:
        """Raise QuestionError if more cards are in play than the packs have, or more than 400."""
        card = self.variant.pack.excess(self.in_play)
        if card is not None:
            raise QuestionError("too-many-cards", this=self.variant.speaker.card(card))
        if self.in_play.total() > _MOST_CARDS:
            raise QuestionError("too-large", "in-play", pack=self.pack)
