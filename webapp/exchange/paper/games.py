"""Games as somebody wrote them down, and what is understood of them: who, which game, who won."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from referee import Lead
from webapp.exchange.paper.dates import DateRefusedError, Order, read_date
from webapp.ledger.story import best_of
from webapp.models import MOST_SEATS, MOST_TOTAL
from webapp.services.refusals import NameRefusedError
from webapp.services.roster import clean_name, fold_name
from webapp.services.wording import MINUS, joined, plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from referee import Variant

_NOT_BY_TOTALS: Final = {
    Lead.FURTHEST: "whoever gets furthest",
    Lead.GAMES: "whoever wins most rounds",
}
"""How games are won of which totals do not say the winner."""

_SUM: Final = re.compile(r"[+-]?\d{1,9}(?:\s?[+-]\s?\d{1,9}){0,40}", re.ASCII)
_AND: Final = re.compile(r"\s*[,;/&+|]\s*|\s+and\s+", re.IGNORECASE)
_NONE: Final = frozenset({"-", "–", "/", "none", "nobody", "0", "draw", "tie"})


class Cell(NamedTuple):
    """A text, and where it stands: "Line 4, column B, “Game”"."""

    where: str
    text: str


class Part(NamedTuple):
    """One player of a game as it was written."""

    name: Cell
    total: Cell
    won: bool | None
    """None where it is not said there."""


class Written(NamedTuple):
    """A game as it was written."""

    line: int
    date: Cell
    hour: str
    game: Cell
    parts: Sequence[Part]
    winners: Cell | None
    """Names of who won; None where there is no place for them."""
    goes_on: bool = False
    """Whether it was not over yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperGame:
    """A game as it was understood."""

    line: int
    variant: Variant
    begun: datetime
    totals: Mapping[str, int]
    """By name, in the order in which they stand there."""
    winners: tuple[str, ...]
    remark: str
    """That the winners are not those with the best totals; empty where they are."""


class NotUnderstoodError(ValueError):
    """What stands somewhere cannot be understood: a sentence that begins with where."""

    def __init__(self, cell: Cell, why: str) -> None:
        super().__init__(f"{cell.where}: {why}")


@dataclass(slots=True)
class Reader:
    """Understands games by the catalogue and the roster of this house."""

    games: Sequence[Variant]
    persons: Mapping[str, int]
    """Who is known here: a number for each folded name."""
    order: Order | None
    taken: dict[str, str]
    """What games are called there whose name here is another."""

    def read(self, written: Written) -> PaperGame:
        """What is understood of a game; raises NotUnderstoodError."""
        variant = self._find_game(written.game)
        if written.goes_on:
            raise NotUnderstoodError(written.game, "This game was not over yet.")
        try:
            begun = read_date(written.date.text, written.hour, self.order)
        except DateRefusedError as error:
            raise NotUnderstoodError(written.date, str(error)) from error
        totals = self._read_totals(written)
        if len(totals) not in variant.players or len(totals) > MOST_SEATS:
            there = plural(len(totals), "player")
            raise NotUnderstoodError(written.game, f"{variant.for_how_many} There are {there}.")
        said = _read_winners(written, totals)
        winners, remark = _judge(variant, written, totals, said)
        return PaperGame(
            line=written.line,
            variant=variant,
            begun=begun,
            totals=totals,
            winners=winners,
            remark=remark,
        )

    def _find_game(self, cell: Cell) -> Variant:
        wanted = _plain(cell.text)
        if not wanted:
            raise NotUnderstoodError(cell, "It is not said which game it was.")
        for game in self.games:
            if wanted in {_plain(game.name), _plain(game.slug)}:
                return game
        words = set(wanted.split())
        found = [game for game in self.games if words <= set(_plain(game.name).split())]
        if len(found) > 1:
            names = joined([game.name for game in found[:4]])
            raise NotUnderstoodError(cell, f"“{cell.text[:40]}” may be {names}: write it in full.")
        if not found:
            raise NotUnderstoodError(cell, f"No game here is called “{cell.text[:40]}”.")
        self.taken[cell.text[:40]] = found[0].name
        return found[0]

    def _read_totals(self, written: Written) -> dict[str, int]:
        totals: dict[str, int] = {}
        seated: dict[int | str, str] = {}
        for part in written.parts:
            try:
                name = clean_name(part.name.text)
            except NameRefusedError as error:
                raise NotUnderstoodError(part.name, str(error)) from error
            folded = fold_name(name)
            other = seated.setdefault(self.persons.get(folded, folded), name)
            if other is not name or name in totals:
                raise NotUnderstoodError(part.name, f"{name} and {other} are one person here.")
            totals[name] = _read_total(part.total)
        return totals


def _read_total(cell: Cell) -> int:
    """A total, also one that is written as a sum."""
    text = cell.text.replace(MINUS, "-").replace("–", "-").strip()
    if not text:
        raise NotUnderstoodError(cell, "There is no total.")
    if not _SUM.fullmatch(text):
        raise NotUnderstoodError(cell, f"“{cell.text[:40]}” is no whole number.")
    total = sum(int(part.replace(" ", "")) for part in re.findall(r"[+-]?\s?\d+", text))
    if abs(total) > MOST_TOTAL:
        raise NotUnderstoodError(cell, "No pad keeps a total beyond a million.")
    return total


def _read_winners(written: Written, totals: Mapping[str, int]) -> tuple[str, ...]:
    """Who is said to have won; nobody where that is not said."""
    marked = zip(totals, written.parts, strict=True)
    won = {name for name, part in marked if part.won}
    cell = written.winners
    if cell is not None and cell.text and cell.text.casefold() not in _NONE:
        known = {fold_name(name): name for name in totals}
        whole = known.get(fold_name(cell.text))
        said = [cell.text] if whole else [name for name in _AND.split(cell.text) if name]
        for each in said:
            if fold_name(each) not in known:
                raise NotUnderstoodError(cell, f"{each[:40]} did not play, and cannot have won.")
            won.add(known[fold_name(each)])
    return tuple(name for name in totals if name in won)


def _judge(
    variant: Variant, written: Written, totals: Mapping[str, int], said: tuple[str, ...]
) -> tuple[tuple[str, ...], str]:
    """Who has won, and what is to be said where the totals say otherwise."""
    pad = variant.pad
    names = list(totals)
    best = tuple(names[place] for place in best_of(variant, tuple(totals.values())))
    how = _NOT_BY_TOTALS.get(pad.lead) if pad else None
    if not said and how:
        raise NotUnderstoodError(
            written.winners or written.game,
            f"{variant.name} is won by {how}: say who it was. Totals alone do not tell.",
        )
    if not said:
        return best, ""
    if how or (pad and pad.overtaken) or set(said) <= set(best):
        return said, ""
    verb = "has" if len(best) == 1 else "have"
    is_said, there = "is" if len(said) == 1 else "are", written.date.where.partition(",")[0]
    better = "lower" if pad and pad.lead is Lead.LOWEST else "higher"
    return said, (
        f"{there}: {joined(said)} {is_said} said to have won, though {joined(best)} {verb} the "
        f"{better} total. It is kept as it is said."
    )


def _plain(name: str) -> str:
    """A name without capitals, accents and signs, as games are compared by."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    kept = "".join(
        letter if letter.isalnum() else " "
        for letter in letters
        if not unicodedata.combining(letter)
    )
    return " ".join(kept.split())
