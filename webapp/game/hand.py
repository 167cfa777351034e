"""Hands as they are typed: digits, a sum, or cards by name, read by one strict rule."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from referee import JOKER, NotationError, Pack
from webapp.language import say
from webapp.refusal import Refusal

MOST_POINTS: Final = 99_999
_COUNT: Final = re.compile(r"\s*[-+]?[0-9]{1,5}\s*(?:[-+]\s*[0-9]{1,5}\s*){0,59}", re.ASCII)
_POINTS: Final = re.compile(r"[-+]?[0-9]{1,5}(?:[-+][0-9]{1,5}){0,59}", re.ASCII)
_TERM: Final = re.compile(r"[-+]?[0-9]+", re.ASCII)
_DIGITS: Final = re.compile(r"[-−–0-9+\s]*", re.ASCII)
_SIGNED: Final = re.compile(r"[-+]?[0-9]{1,5}", re.ASCII)
_TOLD: Final = re.compile(r"(bonus\.[a-z-]{1,40}|aside|out|untaken)=([0-9]{1,9})", re.ASCII)
_LONGEST: Final = 200
_SPACES: Final = re.compile(r"\s+")
_MINUSES: Final = str.maketrans({"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-"})


class UnreadableCountError(Refusal, ValueError):
    """What was typed for a hand is neither points nor cards."""


class UnreadableNumberError(Refusal, ValueError):
    """What was typed is no number of points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """A count that was read."""

    points: int
    """What was typed, added up; 0 if cards were named."""
    typed: str
    """The sum as it was typed, without spaces; empty if it was only a number."""
    cards: str = ""
    """The cards that were named instead."""


def read_count(text: str) -> Count | None:
    """Read points: "35", "20+10+5", "-20"; None for blank, which is not 0.

    Python's own int() is not asked: it takes "1_000" and digits of any script, and breaks at
    five thousand of them. Raises UnreadableCountError.
    """
    if len(text) > _LONGEST:
        raise UnreadableCountError
    written = unicodedata.normalize("NFKC", text).translate(_MINUSES)
    plain = _SPACES.sub("", written)
    if not plain:
        return None
    if not _COUNT.fullmatch(written):
        raise UnreadableCountError
    points = sum(map(int, _TERM.findall(plain)))
    if abs(points) > MOST_POINTS:
        raise UnreadableCountError
    return Count(points=points, typed="" if plain.lstrip("+-").isdecimal() else plain)


def read_points(text: str) -> Count | None:
    """Read what a player scored, also below 0: "35", "-20", "20-5"; None for blank.

    Raises UnreadableCountError.
    """
    plain = _SPACES.sub("", unicodedata.normalize("NFKC", text[:_LONGEST])).translate(_MINUSES)
    if not plain:
        return None
    if not _POINTS.fullmatch(plain):
        raise UnreadableCountError(say("typed.whole"))
    points = sum(map(int, _TERM.findall(plain)))
    if abs(points) > MOST_POINTS:
        raise UnreadableCountError(say("typed.most", most=MOST_POINTS))
    return Count(points=points, typed="" if plain.lstrip("+-").isdecimal() else plain)


def read_left(text: str, pack: Pack | None, most: int) -> Count | None:
    """Read what is left in a hand: points, or where `pack` is given up to `most` cards by name.

    None for blank. Raises UnreadableCountError.
    """
    try:
        return read_count(text)
    except UnreadableCountError:
        if pack is None or _DIGITS.fullmatch(text):
            raise
    return Count(points=0, typed="", cards=read_cards(text, pack, most))


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
    """Read the card turned up, and write it the one way it is kept; empty for blank.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What is counted of a team without adding up: bonus melds, cards laid open, who is out."""

    bonus: Mapping[str, int] = field(default_factory=dict)
    """How many melds of each kind, by its name; kinds without any are left out."""
    aside: int = 0
    """How many cards are laid open."""
    out: int = 0
    """The player who went out; 0 for nobody of the team."""
    untaken: frozenset[int] = frozenset()
    """The players whose second hand nobody took."""

    def __bool__(self) -> bool:
        """Whether anything was counted."""
        return bool(self.bonus or self.aside or self.out or self.untaken)

    def __str__(self) -> str:
        """The tally as a field carries it: "natural=1 aside=2 out=7", sorted."""
        said = [f"bonus.{name}={number}" for name, number in sorted(self.bonus.items())]
        said += [f"aside={self.aside}"] * bool(self.aside) + [f"out={self.out}"] * bool(self.out)
        return " ".join([*said, *(f"untaken={player}" for player in sorted(self.untaken))])


def read_laid(text: str) -> tuple[str, Tally]:
    """Read what a team laid as one field carries it: the points as typed, and the tally."""
    told = [_TOLD.fullmatch(word) for word in text.split()]
    points = " ".join(word for word, found in zip(text.split(), told, strict=True) if not found)
    said = [(found[1], int(found[2])) for found in told if found]
    once = dict(said)
    return points, Tally(
        bonus={name[6:]: number for name, number in said if name.startswith("bonus.") and number},
        aside=once.get("aside", 0),
        out=once.get("out", 0),
        untaken=frozenset(number for name, number in said if name == "untaken"),
    )


NOTHING: Final = Tally()


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedHand:
    """One player's line as a form brings it; where teams are counted, that of a team."""

    left: str
    out: bool
    made: bool
    base: int
    table: str = ""
    """What was scored on the table, as typed."""
    tally: Tally = NOTHING

    @property
    def is_blank(self) -> bool:
        """Whether nothing was entered."""
        return not (self.left or self.table or self.out or self.made or self.tally)

    @property
    def laid(self) -> str:
        """What was scored on the table, as one field carries it: "245 bonus.natural=1"."""
        return " ".join(filter(None, (self.table, str(self.tally))))

    @property
    def says(self) -> str:
        """The hand as one field carries it: "45|||", "|60|out|made"."""
        said = "out" if self.out else "", "made" if self.made else ""
        return "|".join((self.left, self.laid, *said))
