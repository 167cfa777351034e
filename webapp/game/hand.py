"""A hand: one shape from the count form to the ledger and back onto the pad.

It is what a table writes down, as texts and ticks: "45", "20+10+5" or "5H KC" left in hand, "15+45"
on the table. A form brings it as it was typed. Validating reads it once and writes it the one way
that entries have it, and the pad and the form show it again. Its points follow from it.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, TypeAlias

from pydantic import PlainSerializer, PlainValidator, TypeAdapter

from referee import JOKER, NotationError, Pack
from webapp.language import say
from webapp.refusal import Refusal

MOST_POINTS: Final = 99_999
_COUNT: Final = re.compile(r"\s*[-+]?[0-9]{1,5}\s*(?:[-+]\s*[0-9]{1,5}\s*){0,59}", re.ASCII)
_POINTS: Final = re.compile(r"[-+]?[0-9]{1,5}(?:[-+][0-9]{1,5}){0,59}", re.ASCII)
_SUM: Final = re.compile(r"[-+]?[0-9]+(?:[-+][0-9]+)*", re.ASCII)
_NUMBER: Final = re.compile(r"-?[0-9]+", re.ASCII)
_TERM: Final = re.compile(r"[-+]?[0-9]+", re.ASCII)
_DIGITS: Final = re.compile(r"[-−–0-9+\s]*", re.ASCII)
_SIGNED: Final = re.compile(r"[-+]?[0-9]{1,5}", re.ASCII)
_LONGEST: Final = 200
_SPACES: Final = re.compile(r"\s+")
_MINUSES: Final = str.maketrans({"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """How one player stood when the round ended.

    If a game is counted by team, what the team laid is in its first player’s hand, and what it has
    left is in the hand of the first player who isn’t out. A form has both with the first player.
    """

    left: str = ""
    """What is left in hand: points, a sum, or cards by name; empty is blank, not 0."""
    table: str = ""
    """What was scored on the table, the same way; empty if the game doesn’t ask."""
    out: bool = False
    made: bool | None = None
    """Whether the contract was made; None if nobody said."""
    base: int = 0
    """The entry that stood in this cell when the form was made; 0 for a blank cell."""
    laid: tuple[str, ...] = ()
    """The melds of the cards left as a player who knocked showed them, where that was said."""
    shown: str = ""
    """The whole hand with which the round was closed, where it was named."""
    close: str = ""
    """How the round was closed, if somebody chose it: "closed", "colour"."""
    joker: bool = False
    """Whether there was a joker among the cards shown, where that was said by hand."""
    bonus: Mapping[str, int] = field(default_factory=dict)
    """How many melds of each kind score more, by kind; kinds without any may be left out."""
    aside: int = 0
    """How many cards were laid open that score."""
    reserve: bool = True
    """Whether the second hand was taken."""

    @property
    def is_blank(self) -> bool:
        """Whether nothing was entered."""
        more = self.bonus or self.aside or not self.reserve
        return not (self.left or self.table or self.out or self.made or more)

    @property
    def cards(self) -> str:
        """The cards left in hand, where they were named; what they cost follows from them."""
        return "" if is_sum(self.left) else self.left

    @property
    def points(self) -> int:
        """What is left in hand, added up; 0 if cards were named, or nothing was."""
        return add_up(self.left) if is_sum(self.left) else 0

    @property
    def table_points(self) -> int | None:
        """What was scored on the table; None if the game doesn’t ask."""
        return add_up(self.table) if self.table else None

    @property
    def content(self) -> tuple[object, ...]:
        """What it says: equal for hands that differ only in spelling or in their base."""
        how = self.laid, self.shown, self.close, self.joker
        team = dict(self.bonus), self.aside, self.reserve
        return self.points, self.cards, self.out, bool(self.made), self.table_points, *how, *team


Hands: TypeAlias = Mapping[int, Hand]
"""Hands by player."""


def is_sum(text: str) -> bool:
    """Whether a text that was read is a number or a sum, or empty, and doesn’t name cards."""
    return not text or text.isdecimal() or _SUM.fullmatch(text) is not None


def add_up(text: str) -> int:
    """Add up a number or a sum that was read: "20+10-5"; 0 for an empty text."""
    return int(text) if text.isdecimal() else sum(map(int, _TERM.findall(text)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A hand as entries have it. They are kept forever: never rename or remove a field."""

    left: int = 0
    typed: str = ""
    out: bool = False
    made: bool | None = None
    base: int = 0
    cards: str = ""
    table: int | None = None
    table_typed: str = ""
    laid: tuple[str, ...] = ()
    shown: str = ""
    close: str = ""
    joker: bool = False
    bonus: Mapping[str, int] = field(default_factory=dict)
    aside: int = 0
    reserve: bool = True


_KEPT: Final = TypeAdapter(_Kept)
_ALIKE: Final = (
    *("out", "made", "base", "laid", "shown", "close", "joker", "bonus", "aside", "reserve"),
)
"""The fields that a hand and an entry share."""


def _from_kept(value: object) -> Hand:
    kept = _KEPT.validate_python(value)
    if kept.cards and is_sum(kept.cards):
        # Laydown reads "7" as points and never wrote this. It would count otherwise.
        raise ValueError(kept.cards)
    # A player who went out has nothing left. That isn’t a 0 that somebody wrote.
    number = "" if kept.out and not kept.left else str(kept.left)
    table = "" if kept.table is None else str(kept.table)
    return Hand(
        left=kept.cards or _typed_or(number, kept.typed, kept.left),
        table=_typed_or(table, kept.table_typed, kept.table),
        **{name: getattr(kept, name) for name in _ALIKE},
    )


def _typed_or(number: str, typed: str, points: int | None) -> str:
    """A sum as it was typed; or the number, if a file from elsewhere has another sum beside it."""
    return typed if typed and is_sum(typed) and add_up(typed) == points else number


def _to_kept(hand: Hand) -> dict[str, object]:
    kept = _Kept(
        left=hand.points,
        typed="" if hand.cards or _NUMBER.fullmatch(hand.left) else hand.left,
        cards=hand.cards,
        table=hand.table_points,
        table_typed="" if _NUMBER.fullmatch(hand.table) else hand.table,
        **{name: getattr(hand, name) for name in _ALIKE},
    )
    written: dict[str, object] = _KEPT.dump_python(kept, mode="json", exclude_defaults=True)
    return written


KeptHand = Annotated[Hand, PlainValidator(_from_kept), PlainSerializer(_to_kept)]
"""A hand as it is read from an entry and written into one, in the same bytes."""


class UnreadableCountError(Refusal, ValueError):
    """What was typed for a hand is neither points nor cards."""


class UnreadableNumberError(Refusal, ValueError):
    """What was typed is no number of points."""


def read_count(text: str) -> str:
    """Read points, and write them the one way they are kept: "35", "20+10+5", "-20"; "" for blank.

    Python's own int() is not asked: it takes "1_000" and digits of any script, and breaks at
    five thousand of them. Raises UnreadableCountError.
    """
    if len(text) > _LONGEST:
        raise UnreadableCountError
    written = unicodedata.normalize("NFKC", text).translate(_MINUSES)
    plain = _SPACES.sub("", written)
    if not plain:
        return ""
    if not _COUNT.fullmatch(written) or abs(points := add_up(plain)) > MOST_POINTS:
        raise UnreadableCountError
    return str(points) if plain.lstrip("+-").isdecimal() else plain


def read_points(text: str) -> str:
    """Read what a player scored, also below 0: "35", "-20", "20-5"; "" for blank.

    Raises UnreadableCountError.
    """
    plain = _SPACES.sub("", unicodedata.normalize("NFKC", text[:_LONGEST])).translate(_MINUSES)
    if not plain:
        return ""
    if not _POINTS.fullmatch(plain):
        raise UnreadableCountError(say("typed.whole"))
    points = add_up(plain)
    if abs(points) > MOST_POINTS:
        raise UnreadableCountError(say("typed.most", most=MOST_POINTS))
    return str(points) if plain.lstrip("+-").isdecimal() else plain


def read_left(text: str, pack: Pack | None, most: int) -> str:
    """Read what is left in a hand: points, or where `pack` is given up to `most` cards by name.

    "" for blank. Raises UnreadableCountError.
    """
    try:
        return read_count(text)
    except UnreadableCountError:
        if pack is None or _DIGITS.fullmatch(text):
            raise
    return read_cards(text, pack, most)


def read_cards(text: str, pack: Pack, most: int) -> str:
    """Read cards by name, and write them the one way they are kept; raises UnreadableCountError."""
    if len(text) > _LONGEST:
        raise UnreadableCountError(say("typed.long", pack.kind))
    try:
        cards = pack.parse(text)
    except NotationError as error:
        sample, kind = pack.notation.sample, pack.kind
        says = say("typed.no-card", kind, text=error.shown, sample=sample)
        raise UnreadableCountError(says) from None
    if JOKER in cards and not pack.jokers:
        raise UnreadableCountError(say("typed.no-jokers"))
    if len(cards) > most:
        raise UnreadableCountError(say("typed.too-many", pack.kind, most=most))
    return " ".join(map(str, cards))


def read_upcard(text: str, pack: Pack) -> str:
    """Read the card turned up, and write it the one way it is kept; "" for blank.

    Raises UnreadableCountError.
    """
    card = read_cards(text, pack, _LONGEST)
    if " " in card:
        raise UnreadableCountError(say("typed.one-turned", pack.kind))
    return card


def read_signed(text: str) -> int | None:
    """Read points that may be below 0: "-35", "−35"; None for blank.

    Raises UnreadableNumberError.
    """
    plain = _SPACES.sub("", unicodedata.normalize("NFKC", text[:_LONGEST])).translate(_MINUSES)
    if not plain:
        return None
    if not _SIGNED.fullmatch(plain):
        raise UnreadableNumberError
    return int(plain)
