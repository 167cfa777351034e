"""Scorekeepers who tap anything in any order on two phones, and keep a pad of paper beside them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.webapp.paper import GAMES, Line, Paper, Pile, Rules
from tests.webapp.table import Table
from webapp.db import Database
from webapp.game.facts import Noted, Undone
from webapp.game.validation import CountConflictError, CountRefusedError
from webapp.ledger import ledger
from webapp.ledger.ledger import FormKey, new_key, read_game
from webapp.ledger.verification import verify
from webapp.pages.notes import commands as notes
from webapp.pages.phones import commands as phones
from webapp.pages.scorepad import commands as taps
from webapp.pages.seats import commands as seats
from webapp.pages.seats.view import NOTHING, OWN, Joining
from webapp.text.refusals import GameFinishedError, NotLastError

WHICH = st.integers(0, 11)
"""Somebody, counted round the table."""


@contextmanager
def refused(*errors: type[Exception]) -> Iterator[None]:
    """Say, as any other broken promise, that something was taken which must be refused."""
    try:
        yield
    except errors:
        return
    raise AssertionError(errors)


class Scorekeepers(RuleBasedStateMachine):
    """The model is the pad as a person would keep it on paper, with a pile of old sheets."""

    database: Database
    games: tuple[Rules, ...] = GAMES

    @initialize(data=st.data())
    def start(self, data):
        game = data.draw(st.sampled_from(self.games))
        names = tuple(name.capitalize() for name in game.names)
        self.table = Table(self.database, names, game.slug, options=game.options)
        self.game = game
        self.pile = Pile((Paper(game, game.names),))
        self.piles: dict[int, Pile] = {}
        self.device = "phone"
        self.noted = 0
        self.finished = False

    @property
    def sheets(self) -> tuple[Paper, ...]:
        return self.pile.sheets

    @property
    def paper(self) -> Paper:
        return self.sheets[-1]

    @property
    def open(self) -> int:
        return self.paper.complete + 1

    @property
    def playing(self) -> bool:
        return not self.finished and not self.table.pad.over

    def write(self, paper: Paper) -> None:
        self.pile = Pile((*self.sheets, paper))

    def sent(self, key: str = "") -> FormKey:
        """A form of the phone that is in somebody's hand."""
        return FormKey(key=key or new_key(), device=self.device)

    def tap(self, command, *given):
        """Tap on the pad, with the key that it shows."""
        return self.database.write(command, self.table.pub, *given, self.sent(self.table.pad.key))

    def save(self, number: int, hands: dict[str, Line], close: str = "") -> bool:
        """Write on a phone, and send the same form once more; answers whether it was new."""
        asks = self.game.asks_table
        texts = {
            name: f"{line.table}/{line.text}" if asks else line.text for name, line in hands.items()
        }
        dry = not any(line.out for line in hands.values())
        only = next(iter(texts)) if len(texts) == 1 else ""
        typed = self.table.typed(number, sure=True, only=only, nobody=dry, close=close, **texts)
        typed = replace(typed, key=new_key(), device=self.device)
        kept = self.table.save(number, typed)
        assert self.table.save(number, typed).again
        return not kept.again

    def line(self, data) -> Line:
        return Line(
            left=data.draw(st.sampled_from(self.game.lefts)),
            made=self.game.climbs and data.draw(st.booleans()),
            table=data.draw(st.sampled_from((0, 45, 100))) if self.game.asks_table else 0,
        )

    def closing(self, data) -> tuple[Line, str]:
        close, times = data.draw(st.sampled_from(self.game.closes or (("", 1),)))
        table = data.draw(st.sampled_from((60, 90))) if self.game.asks_table else 0
        return Line(out=True, made=self.game.climbs, table=table, times=times), close

    @precondition(lambda self: self.playing)
    @rule(out=WHICH, dry=st.booleans(), data=st.data())
    def count_a_round(self, out, dry, data):
        """On one phone, over whatever other phones have counted of it already."""
        number, players = self.open, self.paper.players(self.open)
        hands = {name: self.line(data) for name in players}
        close = ""
        if not (dry and self.game.may_be_dry):
            hands[players[out % len(players)]], close = self.closing(data)
        before = self.paper.counting
        if self.save(number, hands, close):
            # A hand that stood there already as it is was not written again.
            self.write(self.paper.write(number, {**before, **hands}))
        self.end()

    @precondition(lambda self: self.playing)
    @rule(who=WHICH, data=st.data())
    def count_a_hand(self, who, data):
        number, standing = self.open, self.paper.counting
        players = self.paper.players(number)
        name = players[who % len(players)]
        line = self.line(data)
        others = [each for each in players if each != name]
        last = all(each in standing for each in others)
        try:
            new = self.save(number, {name: line})
        except CountRefusedError:
            # The last hand of a round in which nobody went out.
            assert last
            assert not self.game.may_be_dry
            assert not any(standing[each].out for each in others)
            return
        if new:
            self.write(self.paper.write(number, {name: line}))
        self.end()

    @precondition(lambda self: not self.finished and self.paper.complete)
    @rule(number=WHICH, who=WHICH, data=st.data())
    def correct(self, number, who, data):
        number = number % self.paper.complete + 1
        hands = self.paper.rounds[number - 1]
        losers = [name for name, line in hands.items() if not line.out]
        name = losers[who % len(losers)]
        line = self.line(data)
        if self.save(number, {name: line}):
            self.write(self.paper.write(number, {name: line}))

    @precondition(lambda self: not self.finished and self.paper.complete)
    @rule(number=WHICH, out=WHICH, data=st.data())
    def correct_a_round(self, number, out, data):
        """All hands at once: somebody else went out, or closed in another way."""
        number = number % self.paper.complete + 1
        players = list(self.paper.rounds[number - 1])
        hands = {name: self.line(data) for name in players}
        hands[players[out % len(players)]], close = self.closing(data)
        if self.save(number, hands, close):
            self.write(self.paper.write(number, hands))

    @precondition(lambda self: not self.finished and self.paper.complete)
    @rule(number=WHICH)
    def a_stale_phone_is_told(self, number):
        number = number % self.paper.complete + 1
        hands = self.paper.rounds[number - 1]
        loser = next(name for name, line in hands.items() if not line.out)
        line = replace(hands[loser], left=hands[loser].left + 5)
        text = f"{line.table}/{line.text}" if self.game.asks_table else line.text
        typed = self.table.typed(number, only=loser, seen={loser: 0}, **{loser: text})
        with refused(CountConflictError):
            self.table.save(number, typed)

    @precondition(lambda self: not self.finished and len(self.sheets) > 1)
    @rule()
    def undo(self):
        self.tap(taps.void_entry, self.table.pad.undo.seq)
        fact = self.table.state.entered[-1].fact
        if isinstance(fact, Undone):
            # Of a round that was saved hand by hand all are gone; what else was written stays.
            number = self.paper.complete
            first = next(n for n, each in enumerate(self.sheets) if len(each.rounds) >= number)
            sheets = list(self.sheets[:first])
            for each in self.sheets[first:]:
                blank = replace(each, rounds=each.rounds[: number - 1])
                sheets += [blank] if blank != sheets[-1] else []
            self.pile = Pile(tuple(sheets), before=self.pile)
        else:
            self.pile = Pile(self.sheets[:-1], before=self.pile)

    @precondition(lambda self: not self.finished and self.pile.before)
    @rule()
    def redo(self):
        self.tap(taps.void_entry, self.table.pad.redo.seq)
        self.pile = self.pile.before

    @rule()
    def take_the_other_phone(self):
        self.device = "other" if self.device == "phone" else "phone"

    @precondition(lambda self: not self.finished and len(self.piles) > 1)
    @rule(data=st.data())
    def undo_a_phone(self, data):
        """All that one phone entered last, but for what was noted on the other meanwhile."""
        entered = self.database.read(read_game, self.table.pub).entered
        phone = next(each.device for each in reversed(entered) if not isinstance(each.fact, Noted))
        first = len(entered)
        while first > 1 and (
            entered[first - 1].device == phone or isinstance(entered[first - 1].fact, Noted)
        ):
            first -= 1
        begins = [seq + 1 for seq in self.piles if first <= seq < len(entered)]
        since = data.draw(st.sampled_from(begins))
        number = list(dict.fromkeys(each.device for each in entered)).index(phone) + 1
        base = self.piles[since - 1].sheets
        for each in entered[since - 1 :]:
            if each.device != phone:
                noted = (*base[-1].notes, each.fact.text)
                base = (*base, replace(base[-1], notes=noted))

        asked = (phones.undo_phone, self.table.pub, number, since, self.sent())
        kept = self.database.write(*asked)
        assert self.database.write(*asked).again
        if kept.again:
            # It was there already, or all that it did was to end the game and to open it again.
            assert base == self.sheets
        else:
            self.pile = Pile(base, before=self.pile)

    @precondition(lambda self: not self.finished and len(self.sheets) > 1)
    @rule()
    def undo_and_redo_is_as_before(self):
        before = self.table.pad
        self.undo()
        self.the_pad_shows_the_sheet()
        self.redo()
        after = self.table.pad
        assert (after.rows, after.seats, after.undo) == (before.rows, before.seats, before.undo)

    @rule(seq=st.integers(1, 40))
    def take_back_anything_else(self, seq):
        offered = {entry.seq for entry in (self.table.pad.undo, self.table.pad.redo) if entry}
        if seq not in offered:
            with refused(NotLastError, GameFinishedError):
                self.tap(taps.void_entry, seq)

    @precondition(lambda self: self.playing and len(self.paper.order) < len(self.table.ids) + 1)
    @rule(after=WHICH, carried=st.sampled_from((0, 35)))
    def join(self, after, carried):
        free = [name for name in self.game.late if name not in self.paper.order]
        if not free:
            return
        name, order = free[0], ("", *self.paper.order)
        neighbour = order[after % len(order)]
        own = carried and not self.game.zero_sum and self.paper.complete
        asked = Joining(
            name=name.capitalize(),
            after=self.table.ids[neighbour] if neighbour else 0,
            carry=OWN if own else NOTHING,
            carried=str(carried),
        )
        sent = self.sent()
        self.database.write(seats.join, self.table.pub, asked, sent)
        assert self.database.write(seats.join, self.table.pub, asked, sent).again
        self.table.seat(name.capitalize())
        self.write(self.paper.join(name, neighbour, carried if own else 0))

    @precondition(lambda self: self.playing)
    @rule(who=WHICH, ranked=st.booleans())
    def leave(self, who, ranked):
        there = self.paper.players(self.paper.next_round)
        name = there[who % len(there)]
        command = (seats.leave, self.table.pub, self.table.ids[name], self.sent())
        if len(there) == 2:
            with refused(seats.SeatsRefusedError):
                self.database.write(*command, ranked=ranked)
            return
        self.database.write(*command, ranked=ranked)
        self.write(self.paper.leave(name))

    @precondition(lambda self: not self.finished)
    @rule()
    def note(self):
        self.noted += 1
        words = f"Note {self.noted}"
        self.database.write(notes.note, self.table.pub, 1, words, self.sent())
        self.write(replace(self.paper, notes=(*self.paper.notes, words)))

    @precondition(lambda self: not self.finished and self.paper.notes)
    @rule(which=WHICH)
    def take_back_a_note(self, which):
        """Whichever it is: every sheet since is as if it had never been written."""
        words = self.paper.notes[which % len(self.paper.notes)]
        state = self.database.read(read_game, self.table.pub)
        (seq,) = (each.seq for each in state.asides if getattr(each.fact, "text", "") == words)
        self.database.write(notes.take_back, self.table.pub, seq, self.sent())
        first = next(n for n, sheet in enumerate(self.sheets) if words in sheet.notes)
        without = tuple(
            replace(sheet, notes=tuple(each for each in sheet.notes if each != words))
            for sheet in self.sheets
        )
        self.pile = Pile(without[:first] + without[first + 1 :], before=self.pile)

    @precondition(lambda self: self.playing and self.game.may_take)
    @rule(who=WHICH)
    def take(self, who):
        players = self.paper.players(self.open)
        name = players[who % len(players)]
        sent = self.sent(self.table.pad.key)
        self.database.write(notes.take, self.table.pub, self.table.ids[name], sent)
        assert self.database.write(notes.take, self.table.pub, self.table.ids[name], sent).again
        self.write(replace(self.paper, takes=self.paper.takes + 1))

    @precondition(lambda self: not self.finished)
    @rule()
    def finish(self):
        self.tap(taps.finish_game)
        self.finished = True

    @precondition(lambda self: self.finished)
    @rule()
    def reopen(self):
        self.tap(taps.reopen_game)
        self.finished = False

    def end(self):
        self.finished = self.table.pad.finished
        assert self.finished == self.table.pad.over
        if self.game.rounds:
            assert self.finished == (self.paper.complete >= self.game.rounds)
        if self.game.out_at is not None:
            assert self.finished == (len(self.paper.players(self.open)) == 1)

    @invariant()
    def the_pad_shows_the_sheet(self):
        pad, paper = self.table.pad, self.paper
        assert [seat.name.lower() for seat in pad.seats] == list(paper.order)
        shown = [[cell.points for cell in row.cells] for row in pad.rows]
        scored = [[points.get(name) for name in paper.order] for points in paper.points()]
        if paper.counting:
            left = {name: 0 if line.out else line.left for name, line in paper.counting.items()}
            if self.game.asks_table:
                left = {name: line.table - left[name] for name, line in paper.counting.items()}
            scored.append([left.get(name) for name in paper.order])
        blank = [[None] * len(paper.order)] * (len(shown) - len(scored))
        assert shown == scored + blank, (self.game.slug, shown, scored, paper)
        assert pad.finished == self.finished

    @invariant()
    def what_was_entered_last_can_be_taken_back_and_what_was_taken_back_last_put_back(self):
        pad = self.table.pad
        assert bool(pad.undo) == (len(self.sheets) > 1 and not self.finished)
        assert bool(pad.redo) == (bool(self.pile.before) and not self.finished)

    @invariant()
    def the_totals_are_the_sum_of_what_stands(self):
        totals, paper = dict(zip(self.paper.order, self.table.totals(), strict=True)), self.paper
        assert totals == paper.totals()
        if self.game.zero_sum:
            assert sum(totals.values()) == 0

    @invariant()
    def nobody_makes_more_than_one_phase_a_round(self):
        if not self.game.climbs:
            return
        state = self.database.read(read_game, self.table.pub)
        steps = dict(zip(self.paper.order, state.score.steps, strict=True))
        assert steps == {name: min(step, 12) for name, step in self.paper.steps().items()}
        for number in range(1, len(state.rounds)):
            before, after = state.score_before(number), state.score_before(number + 1)
            pairs = zip(before.steps, after.steps, strict=True)
            assert all(now - then in {0, 1} for then, now in pairs)

    @invariant()
    def notes_and_may_is_are_kept(self):
        state = self.database.read(read_game, self.table.pub)
        facts = [entry.fact for entry in state.asides]
        notes = tuple(fact.text for fact in facts if isinstance(fact, Noted))
        assert notes == self.paper.notes
        assert sum(map(len, state.takes.values())) == self.paper.takes

    @invariant()
    def the_ledger_is_in_order(self):
        """Entries are dense and sealed, and the projection is what a rebuild makes of them."""

        def check(session):
            number = ledger.game_id_of(session, self.table.pub)
            return verify(session, number)

        assert self.database.write(check) == ()

    @invariant()
    def the_pile_is_remembered(self):
        """By how many entries there are, to go back to."""
        self.piles[len(self.database.read(read_game, self.table.pub).entered)] = self.pile
