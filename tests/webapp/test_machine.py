"""Any sequence of taps on two phones: the ledger and a plain list of lists never disagree."""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.webapp.table import Table
from webapp import ledger
from webapp.db import Database
from webapp.services import endings
from webapp.services.counting import CountConflictError, CountRefusedError
from webapp.services.endings import NotLastError
from webapp.services.saving import GameFinishedError

NAMES = ("ana", "ben", "cleo")
LEFT = st.sampled_from([5, 10, 45, 60, 100])


class Scorekeepers(RuleBasedStateMachine):
    """The model is the pad as a person would keep it on paper, with a pile of old sheets."""

    database: Database

    @initialize()
    def start(self):
        self.table = Table(self.database)
        self.sheets: list[list[dict[str, int]]] = [[]]
        self.taken_back: list[list[dict[str, int]]] = []
        self.finished = False

    @property
    def rounds(self) -> list[dict[str, int]]:
        return self.sheets[-1]

    def write(self, rounds: list[dict[str, int]]) -> None:
        self.sheets.append(rounds)
        self.taken_back.clear()

    @property
    def complete(self) -> int:
        return sum(len(hands) == len(NAMES) for hands in self.rounds)

    def save(self, number: int, **hands: str) -> bool:
        typed = self.table.typed(number, sure=True, only="", **hands)
        if len(hands) == 1:
            typed = self.table.typed(number, sure=True, only=next(iter(hands)), **hands)
        kept = self.table.save(number, typed)
        again = self.table.save(number, typed)
        assert again.again
        return not kept.again

    @precondition(lambda self: not self.finished and self.complete < 6)
    @rule(out=st.sampled_from(NAMES), left=LEFT, more=LEFT)
    def count_a_round(self, out, left, more):
        """On one phone, over whatever other phones have counted of it already."""
        number = self.complete + 1
        others = iter([left, more])
        hands = {name: 0 if name == out else next(others) for name in NAMES}
        if number == 6:
            hands = {name: 0 if name == out else max(50, left) for name, left in hands.items()}
        shown = {name: "out" if name == out else str(left) for name, left in hands.items()}
        if self.save(number, **shown):
            self.write([*self.rounds[: number - 1], hands])
        self.end()

    @precondition(lambda self: not self.finished and self.complete < 5)
    @rule(name=st.sampled_from(NAMES), left=LEFT)
    def count_a_hand(self, name, left):
        number = self.complete + 1
        standing = self.rounds[number - 1] if len(self.rounds) >= number else {}
        try:
            new = self.save(number, **{name: str(left)})
        except CountRefusedError:
            # The last hand of a round in which nobody went out.
            assert not any(value == 0 for who, value in standing.items() if who != name)
            return
        if new:
            self.write([*self.rounds[: number - 1], {**standing, name: left}])

    @precondition(lambda self: not self.finished and self.complete)
    @rule(data=st.data(), left=LEFT)
    def correct(self, data, left):
        number = data.draw(st.integers(1, self.complete))
        losers = [name for name in NAMES if self.rounds[number - 1][name]]
        name = data.draw(st.sampled_from(losers))
        left = max(50, left) if number == 6 else left
        if self.save(number, **{name: str(left)}):
            rounds = [dict(hands) for hands in self.rounds]
            rounds[number - 1][name] = left
            self.write(rounds)

    @precondition(lambda self: not self.finished and self.complete)
    @rule()
    def a_stale_phone_is_told(self):
        loser = next(name for name in NAMES if self.rounds[0][name])
        value = self.rounds[0][loser] + 5
        typed = self.table.typed(1, only=loser, seen={loser: 0}, **{loser: str(value)})
        with pytest.raises(CountConflictError):
            self.table.save(1, typed)

    @precondition(lambda self: not self.finished and len(self.sheets) > 1)
    @rule()
    def undo(self):
        self.table.undo()
        self.taken_back.append(self.sheets.pop())

    @precondition(lambda self: not self.finished and self.taken_back)
    @rule()
    def redo(self):
        self.table.redo()
        self.sheets.append(self.taken_back.pop())

    @rule(seq=st.integers(1, 30))
    def take_back_anything_else(self, seq):
        offered = {entry.seq for entry in (self.table.pad.undo, self.table.pad.redo) if entry}
        if seq not in offered:
            with pytest.raises((NotLastError, GameFinishedError)):
                self.table.void(seq)

    @precondition(lambda self: not self.finished)
    @rule()
    def finish(self):
        self.table.tap(endings.finish_game)
        self.finished = True

    @precondition(lambda self: self.finished)
    @rule()
    def reopen(self):
        self.table.tap(endings.reopen_game)
        self.finished = False

    def end(self):
        self.finished = self.table.pad.finished
        assert self.finished == (self.complete == 6)

    @invariant()
    def the_pad_shows_the_sheet(self):
        shown = [[cell.points for cell in row.cells] for row in self.table.pad.rows]
        sheet = [[hands.get(name) for name in NAMES] for hands in self.rounds]
        blank = [[None] * len(NAMES)] * (len(shown) - len(sheet))
        assert shown == sheet + blank
        whole = [hands for hands in self.rounds if len(hands) == len(NAMES)]
        assert self.table.totals() == [sum(hands[name] for hands in whole) for name in NAMES]
        assert self.table.pad.finished == self.finished

    @invariant()
    def the_ledger_is_in_order(self):
        def check(session):
            number = ledger._game_id(session, self.table.pub)
            return ledger.verify(session, number)

        assert self.database.write(check) == ()


def test_any_sequence_of_taps_is_kept_as_on_paper(clean_url):
    """LAYDOWN_EXAMPLES says how many sequences, for longer runs."""
    database = Database(clean_url)
    machine = type("Keepers", (Scorekeepers,), {"database": database})
    try:
        run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=int(os.environ.get("LAYDOWN_EXAMPLES", "10")),
                stateful_step_count=25,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
    finally:
        database.close()
