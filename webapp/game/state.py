"""The cells of a pad: which entries count, and which hand each leaves in its cell.

A cell is the place of one player’s hand in one round: (round, player).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol, TypeVar

from referee import Variant
from referee.scorepad import HandRecord, points_of
from webapp.game.facts import (
    Amended,
    CarriedOn,
    Corrected,
    Counted,
    Disputed,
    Fact,
    Joined,
    LaidDown,
    Left,
    Noted,
    Reseated,
    SatOut,
    Started,
    Took,
    Undone,
    Voided,
    read_fact,
)
from webapp.game.hand import Hand
from webapp.game.player_ids import SAME, PlayerIds
from webapp.language import say

Of = TypeVar("Of", bound=LaidDown | Took)

MOVE = Joined | Left | SatOut | Reseated
"""The facts that say who sits where and who plays."""

OF_PHONE = Counted | LaidDown | Took | MOVE | Amended | Noted | Disputed
"""The facts that are undone with everything from a phone."""

TAKEN_BACK = OF_PHONE | CarriedOn
"""The facts that Undo can undo; the end of a game is undone by reopening it."""

ASIDE = Noted | Took | Disputed
"""The facts that no other entry builds on, so that they can be undone at any time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedFact:
    """An entry as it was read: a fact, its number in the game, and where it came from."""

    seq: int
    at: datetime
    device: str
    fact: Fact


def read_entries(rows: Iterable[Any], player_ids: PlayerIds = SAME) -> tuple[LoggedFact, ...]:
    """Return the entries of a game from their rows; raise ValueError if one isn’t an entry."""
    return tuple(
        LoggedFact(
            seq=row.seq,
            at=row.at,
            device=row.device,
            fact=player_ids.read(read_fact(row.kind, row.payload)),
        )
        for row in rows
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One player’s hand in one round, as the pad shows it."""

    seq: int
    """The number of the entry that it comes from."""
    hand: Hand
    """The hand as it was entered."""
    record: HandRecord
    """The hand as the referee’s scorepad takes it."""
    left: int
    """The points of the cards left in hand."""
    before: Cell | None
    """The cell that it replaced; None if there was none."""
    corrected: bool
    """Whether it was corrected after its round was closed."""

    @property
    def typed(self) -> str:
        """The cards or sum left in hand as entered; empty if it was a plain number.

        A sum that a later limit has reduced is shown as a number too. Melds that were shown are
        separated by commas.
        """
        hand = self.hand
        if hand.cards:
            rest = Counter(hand.cards.split()) - Counter(" ".join(hand.laid).split())
            return ", ".join(filter(None, (*hand.laid, " ".join(rest.elements()))))
        is_plain = hand.left == str(hand.points)
        return "" if is_plain or self.left != hand.points else hand.left

    @property
    def as_typed(self) -> Hand:
        """The hand as a form has it, ready to be changed."""
        nothing = self.hand.out and not self.left
        left = "" if nothing else self.typed or str(self.left)
        return replace(self.hand, left=left, base=self.seq)

    @property
    def says(self) -> str:
        """The hand in brief: "out", "45", "60 down and 15 left"."""
        return say_hand(self.hand, self.left)


def say_hand(hand: Hand, left: int) -> str:
    """Return a hand in brief: "out", "45", "60 down and 15 left"."""
    if hand.table_points is None:
        said = say("hand.out-with", left=left) if left else say("hand.out")
        return ", ".join([said if hand.out else str(left), *say_marks(hand)])
    said = say("hand.table", "out" if hand.out else "", table=hand.table_points, left=left)
    return ", ".join([said, *say_marks(hand)])


def say_marks(hand: Hand) -> Iterator[str]:
    """Yield what counts besides the cards of a hand, in brief: "pairs", "2 penalties"."""
    if hand.pairs:
        yield say("hand.pairs")
    if hand.penalties:
        yield say("hand.penalties", n=hand.penalties)


def record_of(variant: Variant, hand: Hand) -> HandRecord:
    """Return a hand as the referee’s scorepad takes it."""
    parse, points = variant.pack.parse, hand.points
    return HandRecord(
        out=hand.out,
        made=hand.made,
        left=parse(hand.cards) if hand.cards else None if hand.out and not points else points,
        table=hand.table_points,
        shown=parse(hand.shown),
        laid=tuple(map(parse, hand.laid)),
        close=hand.close or None,
        joker=hand.joker,
        bonus=hand.bonus,
        aside=hand.aside,
        reserve=hand.reserve,
        pairs=hand.pairs,
        penalties=hand.penalties,
        written=True,
    )


def left_of(variant: Variant, hand: Hand, number: int) -> int:
    """Return the points left in a hand in round `number`: those of its cards, or as typed."""
    return points_of(variant, record_of(variant, hand), number) if hand.cards else hand.points


class InOrder(Protocol):
    """An entry of any log: a fact and its number."""

    @property
    def seq(self) -> int:
        """Its number in the log, from 1."""

    @property
    def fact(self) -> object:
        """The fact that the entry records, such as a `Counted` or an `Undone`."""


def find_void(entered: Sequence[InOrder]) -> frozenset[int]:
    """Return the numbers of the entries that are undone.

    An entry can only undo earlier ones. So, going back from the end, each is known to be undone or
    not when it’s reached, and an undo that is itself undone has no effect.
    """
    void: set[int] = set()
    for entry in reversed(entered):
        if entry.seq in void:
            continue
        if isinstance(entry.fact, Voided):
            void.add(entry.fact.seq)
        elif isinstance(entry.fact, Undone):
            void.update(entry.fact.seqs)
    return frozenset(void)


def find_gaps(
    entered: Sequence[LoggedFact], live: Iterable[LoggedFact], cells: Mapping[tuple[int, int], Cell]
) -> frozenset[tuple[int, int]]:
    """Return the cells, by round and player, that are blank because a phone’s entries were undone.

    Such a blank doesn’t mean that the player missed the round: the hand has to be counted again.
    """
    gone = {seq for entry in live if isinstance(entry.fact, Undone) for seq in entry.fact.seqs}
    facts = (entered[seq - 1].fact for seq in gone)
    counted = (fact for fact in facts if isinstance(fact, Counted))
    return frozenset((fact.round, who) for fact in counted for who in fact.hands) - cells.keys()


def upcards_of(live: Iterable[LoggedFact]) -> dict[int, str]:
    """Return the cards turned up at the deals, by round, as last entered."""
    facts = (entry.fact for entry in live)
    counted = (fact for fact in facts if isinstance(fact, Counted) and fact.turned)
    return {fact.round: fact.turned for fact in counted}


def deal_of(variant: Variant, upcard: str) -> Variant:
    """Return a game in a deal with this card turned up; the plain game if it’s empty."""
    return variant.dealt(variant.pack.parse(upcard)[0]) if upcard else variant


def lay_out(
    variant: Variant, live: Sequence[LoggedFact]
) -> tuple[dict[tuple[int, int], Cell], list[LoggedFact]]:
    """Put the hands of entries that aren’t undone into their cells.

    Return the cells by round and player, and the entries that are in force. A hand with a base (the
    number of the entry that it corrects) counts only if that entry is in the cell: if the base is
    undone, its correction no longer counts either. A hand without a base counts only in a blank
    cell. So the result doesn’t depend on which phone was faster.
    """
    upcards = upcards_of(live)
    cells: dict[tuple[int, int], Cell] = {}
    standing: list[LoggedFact] = []
    # Hands are counted by the last rules of the game, so only the last change of the rules says
    # whether numbers entered under another limit (`cap`, as of each entry) are cut to theirs.
    caps = any([entry.fact.caps for entry in live if isinstance(entry.fact, Amended)][-1:])
    cap: object = None
    for entry in live:
        fact = entry.fact
        if isinstance(fact, Started | Amended):
            cap = _cap_of(fact)
        if not isinstance(fact, Counted):
            if isinstance(fact, TAKEN_BACK):
                standing.append(entry)
            continue
        shows = False
        for player, hand in fact.hands.items():
            before = cells.get((fact.round, player))
            if hand.base != (before.seq if before else 0):
                continue
            shows = True
            counted = _capped(variant, hand) if caps and cap != variant.cap else hand
            cells[fact.round, player] = Cell(
                seq=entry.seq,
                hand=hand,
                record=record_of(variant, counted),
                left=left_of(deal_of(variant, upcards.get(fact.round, "")), counted, fact.round),
                before=before,
                corrected=isinstance(fact, Corrected) or bool(before and before.corrected),
            )
        if shows:
            standing.append(entry)
    return cells, standing


def _cap_of(fact: Started | Amended) -> object:
    """Return the limit of a hand’s points in the rules of a fact; None if there isn’t one."""
    score = fact.game.get("score")
    return score.get("cap") if isinstance(score, Mapping) else None


def _capped(variant: Variant, hand: Hand) -> Hand:
    """Return a hand reduced to the limit of the current rules.

    It’s for hands that were entered under another limit: points above the limit that was in force
    at the time were the table’s decision. A fixed score, written down instead of a count, has no
    limit.
    """
    points = hand.points
    if hand.cards or variant.cap is None or variant.pad.is_fixed(points) or points <= variant.cap:
        return hand
    return replace(hand, left=str(variant.cap))


def latest_void(entered: Sequence[LoggedFact], void: frozenset[int]) -> LoggedFact | None:
    """Return the undo that Redo would undo: the latest in force; None if more was entered since."""
    for entry in reversed(entered):
        if isinstance(entry.fact, TAKEN_BACK):
            return None
        if isinstance(entry.fact, Undone) and entry.seq not in void:
            return entry
        if isinstance(entry.fact, Voided) and entry.seq not in void:
            target = entered[entry.fact.seq - 1].fact
            if isinstance(target, TAKEN_BACK):
                return entry
    return None


def by_cell(live: Iterable[LoggedFact], kind: type[Of]) -> dict[tuple[int, int], tuple[Of, ...]]:
    """Return the facts of one kind by round and player, in the order they were entered."""
    found: dict[tuple[int, int], tuple[Of, ...]] = {}
    for entry in live:
        fact = entry.fact
        if isinstance(fact, kind):
            found[fact.round, fact.player] = (*found.get((fact.round, fact.player), ()), fact)
    return found
