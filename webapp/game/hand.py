"""A hand: the same shape in the count form, in the ledger and on the pad.

It’s what a table writes down, as texts and ticks: "45", "20+10+5" or "5H KC" left in hand, "15+45"
on the table. A form has it as it was typed. Validation reads it once and turns it into the one
spelling that entries have, and the pad and the form show that. Its points follow from it.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
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
    """What one player had when the round ended.

    In a game that is counted by team, the melds of the team are in its first player’s hand, and the
    cards it has left in the hand of the first player who isn’t out. A form has both with the first
    player.
    """

    left: str = ""
    """The cards left in hand: points, a sum, or cards by name; empty is blank, not 0."""
    table: str = ""
    """The points scored on the table: points or a sum, in a form also melds by their cards; empty
    if the game doesn’t ask."""
    out: bool = False
    made: bool | None = None
    """Whether the contract was made; None if nobody said."""
    base: int = 0
    """The number of the entry that this hand replaces: the one whose hand the form showed, or 0 if
    the form showed a blank."""
    laid: tuple[str, ...] = ()
    """The melds that a player who knocked showed, from the cards left, if they were entered."""
    shown: str = ""
    """The whole hand that closed the round, if its cards were entered."""
    close: str = ""
    """How the round was closed, such as "colour"; empty if nobody chose it."""
    joker: bool = False
    """Whether there was a joker among the cards shown, if that was ticked."""
    bonus: Mapping[str, int] = field(default_factory=dict)
    """The number of melds with a bonus, by kind of meld; kinds without any may be left out."""
    aside: int = 0
    """The number of cards placed face up that score, such as red 3s."""
    reserve: bool = True
    """Whether the player took the second hand that some games deal; True in all other games."""
    pairs: bool = False
    """Whether the player opened with pairs."""
    penalties: int = 0
    """The number of penalties that the player got in the round."""

    @property
    def is_blank(self) -> bool:
        """Whether nothing was entered."""
        more = self.bonus or self.aside or not self.reserve or self.pairs or self.penalties
        return not (self.left or self.table or self.out or self.made or more)

    @property
    def cards(self) -> str:
        """The cards left in hand; empty if points, a sum or nothing was entered."""
        return "" if is_sum(self.left) else self.left

    @property
    def points(self) -> int:
        """The points left in hand, added up; 0 if cards were named or nothing was entered."""
        return add_up(self.left) if is_sum(self.left) else 0

    @property
    def table_points(self) -> int | None:
        """The points scored on the table; None if the game doesn’t ask."""
        return add_up(self.table) if self.table else None

    @property
    def content(self) -> tuple[object, ...]:
        """The hand’s content: equal for hands that differ only in spelling or in their base."""
        how = self.laid, self.shown, self.close, self.joker
        team = dict(self.bonus), self.aside, self.reserve
        more = self.pairs, self.penalties
        made = bool(self.made)
        return self.points, self.cards, self.out, made, self.table_points, *how, *team, *more


Hands: TypeAlias = Mapping[int, Hand]
"""Hands by player id."""


def is_sum(text: str) -> bool:
    """Return whether a text that was read is a number, a sum or empty, and doesn’t name cards."""
    return not text or text.isdecimal() or _SUM.fullmatch(text) is not None


def add_up(text: str) -> int:
    """Return the value of a number or sum that was read: "20+10-5"; 0 for an empty text."""
    return int(text) if text.isdecimal() else sum(map(int, _TERM.findall(text)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A hand as it’s stored in entries, which stay forever: never rename or remove a field."""

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
    pairs: bool = False
    penalties: int = 0


_KEPT: Final = TypeAdapter(_Kept)
_ALIKE: Final = tuple(
    each.name
    for each in fields(_Kept)
    if each.name not in {"left", "typed", "cards", "table", "table_typed"}
)
"""The fields that a hand and a stored hand share."""


def _from_kept(value: object) -> Hand:
    kept = _KEPT.validate_python(value)
    if kept.cards and is_sum(kept.cards):
        # Laydown reads "7" as points and never stored it as cards. Read again, it would count
        # differently.
        raise ValueError(kept.cards)
    # A player who went out has nothing left. Nobody wrote a 0 there.
    number = "" if kept.out and not kept.left else str(kept.left)
    table = "" if kept.table is None else str(kept.table)
    return Hand(
        left=kept.cards or _typed_or(number, kept.typed, kept.left),
        table=_typed_or(table, kept.table_typed, kept.table),
        **{name: getattr(kept, name) for name in _ALIKE},
    )


def _typed_or(number: str, typed: str, points: int | None) -> str:
    """Return the sum that was typed, or `number` if the sum doesn’t come to `points`.

    It can only differ in a file that another program wrote.
    """
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
"""A hand as a field of a stored fact: what is read from an entry is written as the same bytes."""


class UnreadableCountError(Refusal, ValueError):
    """The text typed for a hand is neither points nor cards."""


class UnreadableNumberError(Refusal, ValueError):
    """The text isn’t a number of points."""


def read_count(text: str) -> str:
    """Return typed points in their stored spelling: "35", "20+10+5", "-20"; "" for blank.

    It doesn’t use Python’s own int(), which accepts "1_000" and digits of any script, and fails
    with 5,000 of them. Raises UnreadableCountError for any other text.
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
    """Return typed points of a player, which can be below 0: "35", "-20", "20-5"; "" for blank.

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
    """Return what was typed as left in a hand: points, or up to `most` cards if `pack` is given.

    It’s "" for blank. Raises UnreadableCountError for any other text.
    """
    try:
        return read_count(text)
    except UnreadableCountError:
        if pack is None or _DIGITS.fullmatch(text):
            raise
    return read_cards(text, pack, most)


def read_cards(text: str, pack: Pack, most: int) -> str:
    """Return typed cards in their stored spelling.

    Raises UnreadableCountError if the text isn’t cards, or has more than `most`.
    """
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
    """Return the typed card turned up, in its stored spelling; "" for blank.

    Raises UnreadableCountError if it isn’t 1 card.
    """
    card = read_cards(text, pack, _LONGEST)
    if " " in card:
        raise UnreadableCountError(say("typed.one-turned", pack.kind))
    return card


def read_signed(text: str) -> int | None:
    """Return typed points that can be below 0: "-35", "−35"; None for blank.

    Raises UnreadableNumberError for any other text.
    """
    plain = _SPACES.sub("", unicodedata.normalize("NFKC", text[:_LONGEST])).translate(_MINUSES)
    if not plain:
        return None
    if not _SIGNED.fullmatch(plain):
        raise UnreadableNumberError
    return int(plain)
