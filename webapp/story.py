"""The story of a game: its entries, folded to what is true now.

Nothing here reads a database or a clock. The same entries give the same story on every engine,
and the referee's scorepad turns the hands of the story into points.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from referee import variants
from referee.scorepad import HandRecord, keep_score
from webapp.facts import (
    Corrected,
    Counted,
    Disputed,
    Finished,
    LaidDown,
    Reopened,
    Started,
    Voided,
    canonical,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from referee.scorepad import Score
    from referee.variant import Variant
    from webapp.facts import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """One entry as it was read: a fact, its place in the game, and whence it came."""

    seq: int
    at: datetime
    device: str
    fact: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """What stands in one cell of the pad."""

    seq: int
    """The entry that it stands on."""
    left: int
    typed: str
    out: bool
    made: bool | None
    before: Hand | None
    """What it took the place of; None where the cell was blank."""
    corrected: bool
    """Whether it was corrected after its round was closed."""

    @property
    def record(self) -> HandRecord:
        """The hand as the referee's scorepad takes it."""
        return HandRecord(out=self.out, made=self.made, left=None if self.out else self.left)

    @property
    def says(self) -> str:
        """The hand in a word: "out", "45"."""
        return "out" if self.out else str(self.left)


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A game as its entries tell it."""

    entered: tuple[Entered, ...]
    start: Started
    variant: Variant
    """The game with the house rules it was begun with."""
    rounds: tuple[Mapping[int, Hand], ...]
    """The complete rounds: every player's hand."""
    counting: Mapping[int, Hand]
    """The hands that are counted already in the round that is not complete."""
    lay_downs: Mapping[tuple[int, int], LaidDown]
    """By round and player."""
    disputes: tuple[Entered, ...]
    """What the table argued about, in order."""
    score: Score
    finished: bool
    last: Entered | None
    """The entry that Undo takes back."""
    taken_back: Entered | None
    """The taking back that Redo takes back."""

    @property
    def open_round(self) -> int | None:
        """The round that takes new counts; None once the rules say that the game is over."""
        return None if self.score.over else len(self.rounds) + 1

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; when the table ended the game early, whoever leads."""
        if not self.finished:
            return ()
        return self.score.winners if self.score.over else self.score.leaders

    def hands_of(self, number: int) -> Mapping[int, Hand]:
        """What is counted in a round; nothing for a round that was not reached."""
        if 1 <= number <= len(self.rounds):
            return self.rounds[number - 1]
        return self.counting if number == len(self.rounds) + 1 else {}

    def steps_before(self, number: int) -> tuple[int, ...]:
        """The step of each seat at the start of a round that was reached."""
        if number > len(self.rounds):
            return self.score.steps
        return _keep(self.variant, self.start, self.rounds[: number - 1]).steps

    def entry(self, seq: int) -> Entered:
        """Find an entry; raises LookupError."""
        return self.entered[seq - 1]

    def followed_by(self, facts: Iterable[Fact]) -> Story:
        """Tell what the story would be with more facts, entered just now."""
        last = self.entered[-1]
        more = tuple(
            Entered(seq=last.seq + count, at=last.at, device="", fact=fact)
            for count, fact in enumerate(facts, 1)
        )
        return fold(self.entered + more)


def fold(entered: Sequence[Entered]) -> Story:
    """Fold a game's entries, in order, to what is true now.

    Raises ValueError where the first is not its start.
    """
    start = entered[0].fact if entered else None
    if not isinstance(start, Started):
        raise ValueError("A game begins with its start.")  # noqa: TRY004 - the entries are wrong
    variant = _variant_of(start.variant, canonical(dict(start.options)))
    void = _void(entered)
    live = [entry for entry in entered if entry.seq not in void]
    cells, standing = _lay_out(live)
    rounds, counting = _split(cells, start.seats)
    return Story(
        entered=tuple(entered),
        start=start,
        variant=variant,
        rounds=rounds,
        counting=counting,
        lay_downs={
            (entry.fact.round, entry.fact.player): entry.fact
            for entry in live
            if isinstance(entry.fact, LaidDown)
        },
        disputes=tuple(entry for entry in live if isinstance(entry.fact, Disputed)),
        score=_keep(variant, start, rounds),
        finished=_is_finished(entered),
        last=standing[-1] if standing else None,
        taken_back=_latest_void(entered, void),
    )


@lru_cache(maxsize=256)
def _variant_of(slug: str, options: str) -> Variant:
    return variants.get(slug).with_options(json.loads(options))


def _void(entered: Sequence[Entered]) -> frozenset[int]:
    """Find the entries that are taken back.

    Voids point backwards, so that going back from the end each is known to stand or not when it
    is reached; a void that is itself void takes nothing back.
    """
    void: set[int] = set()
    for entry in reversed(entered):
        if isinstance(entry.fact, Voided) and entry.seq not in void:
            void.add(entry.fact.seq)
    return frozenset(void)


def _lay_out(live: Iterable[Entered]) -> tuple[dict[tuple[int, int], Hand], list[Entered]]:
    """Put the live hands into their cells; answers the cells, and the entries that show.

    A hand that names a base stands only on that base: when the base is taken back, what corrected
    it falls too. A hand without one stands only in a blank cell.
    """
    cells: dict[tuple[int, int], Hand] = {}
    standing: list[Entered] = []
    for entry in live:
        if isinstance(entry.fact, LaidDown | Disputed):
            standing.append(entry)
        if not isinstance(entry.fact, Counted):
            continue
        shows = False
        for player, hand in entry.fact.hands.items():
            before = cells.get((entry.fact.round, player))
            if hand.base != (before.seq if before else 0):
                continue
            shows = True
            cells[entry.fact.round, player] = Hand(
                seq=entry.seq,
                left=hand.left,
                typed=hand.typed,
                out=hand.out,
                made=hand.made,
                before=before,
                corrected=isinstance(entry.fact, Corrected) or bool(before and before.corrected),
            )
        if shows:
            standing.append(entry)
    return cells, standing


def _split(
    cells: Mapping[tuple[int, int], Hand], seats: Sequence[int]
) -> tuple[tuple[Mapping[int, Hand], ...], Mapping[int, Hand]]:
    """Part the complete rounds from the one that is being counted."""
    rounds: list[Mapping[int, Hand]] = []
    while True:
        number = len(rounds) + 1
        hands = {player: cells[number, player] for player in seats if (number, player) in cells}
        if len(hands) < len(seats):
            return tuple(rounds), hands
        rounds.append(hands)


def _keep(variant: Variant, start: Started, rounds: Sequence[Mapping[int, Hand]]) -> Score:
    records = [[hands[player].record for player in start.seats] for hands in rounds]
    return keep_score(variant, len(start.seats), records, start.dealer)


def _is_finished(entered: Iterable[Entered]) -> bool:
    turns = [entry.fact for entry in entered if isinstance(entry.fact, Finished | Reopened)]
    return bool(turns) and isinstance(turns[-1], Finished)


def _latest_void(entered: Sequence[Entered], void: frozenset[int]) -> Entered | None:
    """Find what Redo takes back: the latest void that stands, if nothing was entered since."""
    for entry in reversed(entered):
        if isinstance(entry.fact, Counted | LaidDown | Disputed):
            return None
        if isinstance(entry.fact, Voided) and entry.seq not in void:
            target = entered[entry.fact.seq - 1].fact
            if isinstance(target, Counted | LaidDown | Disputed):
                return entry
    return None
