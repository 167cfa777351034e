"""Sentences from catalogues, one per language, with English for what a language lacks.

A catalogue is a TOML file of sections. A sentence can have variants: by its message variant, by
number, or by something else about the game. Callers name a key and give values, never words, so a
sentence can be made later in any language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from itertools import groupby
from os.path import dirname
from re import IGNORECASE, match
from string import Formatter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from referee.cards import ACE, SPECIAL_RANK, Card, Pack, Suit
from referee.wording import number_word, say_points

if TYPE_CHECKING:
    from pathlib import Path

ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "es")
"""The languages that the referee has rules and messages in."""
WORDS: Final = f"{dirname(__file__)}/words"  # noqa: PTH120 - pathlib is slow to import
"""The folder of the referee’s own catalogues."""


class Said(str):
    """A word for a sentence, with other forms of it as attributes.

    As a placeholder, `{run}` is "run", `{run.a}` "a run" and `{run.many}` "runs".
    """

    __slots__ = ("forms",)

    forms: Mapping[str, str]

    def __new__(cls, says: str, **forms: str) -> Self:
        """Make a word, given how it is usually written and its other forms by name."""
        said = super().__new__(cls, says)
        said.forms = forms
        return said

    def __getattr__(self, form: str) -> str:
        """Return a form by its name; raise AttributeError if the word has no such form."""
        try:
            return self.forms[form]
        except KeyError:
            message = f"“{self}” has no form “{form}”"
            raise AttributeError(message) from None


class Catalogue:
    """All sentences of one language: `tables` has tables of tables and, at last, of text."""

    def __init__(
        self, language: str, tables: Mapping[str, Any], fallback: Catalogue | None = None
    ) -> None:
        self.language = language
        self.tables = tables
        self.fallback = fallback
        """The catalogue to use for sentences that this language lacks; None for English."""
        self._templates: dict[tuple[object, ...], str] = {}
        self._nouns: dict[str, Mapping[str, Said]] = {}

    @classmethod
    @cache
    def read(cls, language: str, *folders: str | Path) -> Catalogue:
        """Read a language from a file in each folder; raise OSError if a file is missing."""
        from pathlib import Path  # noqa: PLC0415 - rulings without sentences need none
        from tomllib import loads  # noqa: PLC0415 - as above

        tables: dict[str, Any] = {}
        for folder in folders:
            text = (Path(folder) / f"{language}.toml").read_text(encoding="utf-8")
            for name, table in loads(text).items():
                tables.setdefault(name, {}).update(table)
        english = None if language == ENGLISH else cls.read(ENGLISH, *folders)
        return cls(language, tables, english)

    def template(self, key: str, *hows: str, n: int | None = None) -> str:
        """Return the sentence of a key ("findings.run-gap"), with its placeholders not yet filled.

        If it has variants, the first of these that exists is used: the first of `hows`, `one` if
        `n` is 1, the rest of `hows`, and `other`; the same again if that has variants of its own. A
        sentence that the language lacks is in English. Raise KeyError if that is missing also.
        """
        one = n == 1
        asked = key, one, hows
        found = self._templates.get(asked)
        if found is None:
            found = self.find(key, [*hows[:1], *["one"] * one, *hows[1:], "other"])
            self._templates[asked] = found
        return found

    def find(self, key: str, branches: Sequence[str]) -> str:
        """Return the sentence of a key, choosing the first of `branches` that exists at each level.

        Without any of them, it is `other`. Raise KeyError if English lacks the sentence also.
        """
        try:
            entry: Any = self.tables
            for part in key.split("."):
                entry = entry[part]
            while not isinstance(entry, str):
                there = entry
                entry = there[next((branch for branch in branches if branch in there), "other")]
        except KeyError:
            if self.fallback is None:
                raise KeyError(key, *branches) from None
            return self.fallback.find(key, branches)
        return entry

    def say(self, key: str, *hows: str, n: int | None = None, **values: object) -> str:
        """Return the sentence of a key with its values filled in.

        `n` fills `{n}`, and chooses the variant `one` if it is 1. Raise KeyError if there is no
        such sentence.
        """
        return self.template(key, *hows, n=n).format_map({**self.nouns(), "n": n, **values})

    def nouns(self, kind: str = "") -> Mapping[str, Said]:
        """Return the nouns by name, with those that a kind of pack ("tiles") has of its own."""
        if kind not in self._nouns:
            known: dict[str, Any] = self.tables.get("nouns", {})
            own = known.get("of", {}).get(kind, {})
            there = {name: own.get(name, forms) for name, forms in known.items() if name != "of"}
            said = {name: Said(forms["one"], **forms) for name, forms in there.items()}
            self._nouns[kind] = {**self.fallback.nouns(kind), **said} if self.fallback else said
        return self._nouns[kind]

    def joined(self, items: Iterable[object], word: str = "and") -> str:
        """Return items as a list in a sentence, with `word` ("and" or "or") before the last."""
        *most, last = [*map(str, items)] or [""]
        return f"{', '.join(most)}{self.before(last, word) if most else ''}{last}"

    def before(self, last: str, word: str) -> str:
        """Return what to put before the last item of a list; a comma if `word` is unknown."""
        between = self.tables["lists"].get(word, ", ")
        if isinstance(between, str):
            return between
        return next(  # Spanish: "Ana e Inés", "7 u 8".
            str(says)
            for start, says in between.items()
            if start == "other" or match(start, last, IGNORECASE)
        )


class Told(NamedTuple):
    """A message that says what is wrong with some input; the sentence is made when it is shown."""

    key: str
    """Its key in the catalogues: "complaints.near"."""
    hows: tuple[str, ...] = ()
    """The variants of the sentence to prefer, as for `Catalogue.template`."""
    pack: str = ""
    """The kind of pack whose nouns the sentence uses; empty for the usual nouns."""
    values: tuple[tuple[str, object], ...] = ()
    """Name and value of each placeholder. A tuple becomes a list in words, `kind` the noun for that
    kind of meld, and anything with a method `shown` its text in the language."""

    def shown(self, language: str = ENGLISH) -> str:
        """Return the sentence in a language, with a capital letter."""
        says = self.within(language)
        return f"{says[:1].upper()}{says[1:]}"

    def within(self, language: str) -> str:
        """Return the sentence in a language as part of another sentence, not capitalized."""
        speech = Catalogue.read(language, WORDS)
        nouns = speech.nouns(self.pack)

        def said(name: str, value: Any) -> object:  # noqa: ANN401 - whatever it is about
            if isinstance(value, Told):
                return value.within(language)
            if hasattr(value, "shown"):
                return value.shown(language)
            if isinstance(value, tuple):
                return speech.joined(value)
            return nouns[str(value)] if name == "kind" else value

        given = {name: said(name, value) for name, value in self.values}
        template = speech.template(self.key, *self.hows)
        return template.format_map({**nouns, **given})


def wrong(key: str, *hows: str, pack: str = "", **values: object) -> Told:
    """Return the message with the key `complaints.KEY`, where KEY is the `key` given.

    `hows`, `pack` and `values` are as in `Told`.
    """
    return Told(f"complaints.{key}", hows, pack, tuple(values.items()))


class ShownError(ValueError):
    """An error whose message can be shown in each language; `str` of it is in English."""

    def shown(self, language: str = ENGLISH) -> str:  # noqa: ARG002 - others need it
        """Return the message in a language."""
        return str(self)


class UnfitError(ShownError):
    """Raised for a value that isn’t allowed; `told` is the message that says why."""

    def __init__(self, told: Told) -> None:
        super().__init__(told)
        self.told = told

    def __str__(self) -> str:
        """Return the message in English."""
        return self.told.shown()

    def shown(self, language: str = ENGLISH) -> str:
        """Return the message in a language."""
        return self.told.shown(language)


def is_named(card: Card) -> bool:
    """Return whether sentences use a card’s name ("joker", "red 7"), not what is printed on it."""
    return card.is_tile or not card.rank or not card.shown


def spoken_card(card: Card, catalogue: Catalogue) -> str:
    """Return a card as it is read aloud: "7 of hearts", "red 7", "joker"."""
    called: Mapping[str, str] = catalogue.tables.get("called", {})
    suit, rank = card.suit, card.shown
    if suit is None or not card.rank or not rank or not suit.word:
        says = rank if card.rank and rank.isdigit() else card.name
        return called.get(says, says)
    rank = rank if rank.isdigit() else suit.names[card.rank]
    said, of = called.get(rank, rank), called.get(suit.word, suit.word)
    return catalogue.template("cards", "tile" if suit.first else "of").format(rank=said, suit=of)


def rank_said(card: Card, pack: Pack) -> str:
    """Return the rank of a card on its own: "7", "king"; empty for a special card."""
    if card.rank == SPECIAL_RANK:
        return ""
    return pack.rank_name(card.rank) if card.rank else pack.name_of(card)


def with_article(word: str, language: str = ENGLISH) -> str:
    """Return an English word with its article ("a joker", "an 8"), others unchanged."""
    if language != ENGLISH:
        return word
    return f"{'an' if word.startswith(('a', 'e', 'i', 'o', '8', '11')) else 'a'} {word}"


class Speaker:
    """Makes sentences about one game, with the nouns and card names of its pack."""

    def __init__(self, catalogue: Catalogue, pack: Pack, own: Mapping[str, Said]) -> None:
        self.catalogue = catalogue
        self.pack = pack
        self._called: Mapping[str, str] = catalogue.tables.get("called", {})
        self._templates: dict[tuple[object, ...], str] = {}
        self._values: dict[object, Said] = {}
        ace = self.card(Card(ACE))
        own = {"ace": Said(ace.rank, many=ace.ranks, a=with_article(ace.rank)), **own}
        self.nouns = {**catalogue.nouns(pack.kind), **own}
        """The nouns of the language for this kind of pack, and the game’s own."""

    def called(self, word: str) -> str:
        """Return the language’s word for an English one, such as a suit, a rank or "joker"."""
        return self._called.get(word, word)

    def say(self, key: str, how: str, values: Mapping[str, object]) -> str:
        """Return the sentence of a finding with a capital letter; raise KeyError without one.

        `key` is the value of its code, `how` the message variant, and `values` fill the
        placeholders.
        """
        says = self.put(f"findings.{key}", how, **values)
        return says[:1].upper() + says[1:]

    def put(self, key: str, how: str = "", /, **values: object) -> str:
        """Return the text of a key with its values filled in; raise KeyError if there isn’t one.

        `how` is the message variant to prefer. Unlike `say`, it doesn’t add a capital letter.
        """
        n, kind = values.get("n"), values.get("kind")
        asked = key, how, n == 1, kind
        template = self._templates.get(asked)
        if template is None:
            template = self.text(self._filled(self._template(key, how, values)))
            self._templates[asked] = template
        return template.format_map({name: self.value(value) for name, value in values.items()})

    def names(
        self, cards: Sequence[Card], key: str, how: str, values: Mapping[str, object]
    ) -> bool:
        """Return whether the sentence of a finding shows each of these cards.

        A noun shows the cards with that name, and a rank alone shows a card without a suit.
        """
        words: set[object] = set()
        for _, place, _, _ in Formatter().parse(self._template(f"findings.{key}", how, values)):
            name, _, form = (place or "").partition(".")
            value = values.get(name)
            if name in self.nouns:
                words.add(self.nouns[name])
            elif value and not isinstance(value, int | Card | tuple | list):
                words.add(self.value(value))
            for said in map(self.card, _cards_in(value)):
                words.add(said.rank if form in {"rank", "ranks"} else str(said))
        return all(
            card in words or (not there.suit and card.rank in words)
            for there, card in zip(cards, map(self.card, cards), strict=True)
        )

    def _template(self, key: str, how: str, values: Mapping[str, object]) -> str:
        """Return the sentence of a key for this game, with its placeholders not yet filled."""
        n, kind = values.get("n"), values.get("kind")
        hows = how, kind.value if isinstance(kind, Enum) else "", self.pack.kind
        return self.catalogue.template(key, *hows, n=1 if n == 1 else None)

    def text(self, says: str) -> str:
        """Return a text as this speaker’s output needs it; subclasses can escape it."""
        return says

    def _filled(self, template: str) -> str:
        """Return a template with its nouns filled in, which are the same throughout a game."""
        parts: list[str] = []
        for text, name, form, _ in Formatter().parse(template):
            parts.append(text)
            noun, _, case = (name or "").partition(".")
            if noun in self.nouns:
                parts.append(getattr(self.nouns[noun], case) if case else self.nouns[noun])
            elif name is not None:
                parts.append(f"{{{name}:{form}}}" if form else f"{{{name}}}")
        return "".join(parts)

    def value(self, value: Any) -> object:  # noqa: ANN401 - whatever a finding is about
        """Return a value of a finding as sentences format it: a word, or a list of words."""
        if isinstance(value, tuple | list):
            return _List(value, self)
        if isinstance(value, str):
            return self.nouns.get(value, self.called(value))
        if not isinstance(value, int | Card | Suit | Enum):
            return "" if value is None else value.said(self)
        said = self._values.get(value)
        if said is None:
            said = self._values[value] = self._said(value)
        return said

    def _said(self, value: int | Card | Suit | Enum) -> Said:
        match value:
            case int():
                return Said(say_points(value), word=number_word(value))
            case Suit():
                return Said(self.called(value.word))
            case Card():
                return self.card(value)
        return self.nouns[value.value]

    def cards(self, cards: Iterable[Card]) -> str:
        """Return cards in a row; tiles of one color name it once: "orange 9 10, joker"."""
        names, is_table = [], False
        for suit, group in groupby(cards, lambda card: card.suit if card.rank else None):
            if suit and suit.first:
                is_table = True
                names.append(self._tiles(suit, group))
            else:
                names += [self.name(card) for card in group]
        return self.text(", " if is_table else " ").join(names)

    def joined(self, values: Iterable[Any], word: str) -> str:
        """Return values as a list in a sentence, with `word` ("and" or "or") before the last."""
        return self.catalogue.joined(map(self.value, values), word)

    def name(self, card: Card) -> str:
        """Return a card in its shortest form: "7♣", "orange 9", "joker", "wild"."""
        if not is_named(card):
            return card.sign
        if card.is_tile and card.suit and card.rank:
            return self._tiles(card.suit, (card,))
        return self.called(self.pack.name_of(card))

    def _tiles(self, suit: Suit, cards: Iterable[Card]) -> str:
        says = self.catalogue.template("cards.tile")
        return says.format(suit=self.called(suit.word), rank=" ".join(card.shown for card in cards))

    def card(self, card: Card) -> Said:
        """Return a card as it goes into a sentence, with forms for its articles and its rank."""
        says, rank = self.name(card), rank_said(card, self.pack)
        the, a, ranks = says, says, self._called.get(f"{rank}s", self.called(rank))
        if self.catalogue.language == ENGLISH:
            ranks = f"{rank}s"
            the, a = (f"the {says}", with_article(says)) if is_named(card) else (says, says)
        return Said(says, the=the, a=a, rank=self.called(rank), ranks=ranks)


def _cards_in(value: object) -> Iterator[Card]:
    """Yield the cards in a value: itself, those of a list, or those of lists in a list."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _cards_in(each)


class _List:
    """Several values, formatted as a list (`{ends:or}`), or as a row of cards without a word."""

    def __init__(self, values: Sequence[Any], speaker: Speaker) -> None:
        self.values = values
        self.speaker = speaker

    def __format__(self, word: str) -> str:
        """Return all values as a list with this word before the last, or as a row of cards."""
        if not word:
            return self.speaker.cards(self.values)
        return self.speaker.joined(self.values, word)

    def __str__(self) -> str:
        """Return the cards in a row."""
        return format(self)
