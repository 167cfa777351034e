"""The ledger: nothing lost, nothing doubled, nothing changed unseen."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from tests.webapp.table import Table, entries
from webapp.game.facts import Counted
from webapp.game.hand import Hand
from webapp.game.validation import CountConflictError, CountRefusedError
from webapp.ledger import ledger
from webapp.ledger.ledger import GameNotFoundError, KeyConflictError, Submission, new_key
from webapp.pages.counting import commands as counting
from webapp.pages.scorepad.view import read_pad
from webapp.text.refusals import NotLastError, RoundNotOpenError

pytestmark = pytest.mark.databases


def test_a_round_is_one_entry(table):
    table.count(1, ana="out", ben="45", cleo="60")

    assert entries(table) == ["started", "counted"]
    assert table.scores()[0] == [0, 45, 60]


def test_the_same_form_twice_counts_once(table):
    typed = table.typed(1, ana="out", ben="45", cleo="60")

    first = table.save(1, typed)
    second = table.save(1, typed)

    assert (second.seq, second.again) == (first.seq, True)
    assert entries(table) == ["started", "counted"]


def test_the_same_form_with_other_numbers_is_refused(table):
    key = new_key()
    table.save(1, table.typed(1, key=key, ana="out", ben="45", cleo="60"))

    with pytest.raises(KeyConflictError):
        table.save(1, table.typed(1, key=key, ana="out", ben="50", cleo="60"))


def test_the_same_numbers_from_another_phone_are_no_conflict(table):
    late = table.typed(1, ana="out", ben="45", cleo="60")
    table.count(1, ana="out", ben="45", cleo="60")

    assert table.save(1, late).again
    assert entries(table) == ["started", "counted"]


def test_phones_count_their_own_hands_in_parallel(table):
    bens = table.typed(1, only="ben", ben="45")
    anas = table.typed(1, only="ana", ana="out")

    table.save(1, anas)
    table.save(1, bens)

    assert table.scores()[0] == [0, 45, None]
    assert table.pad.in_says == "Ana and Ben are in. 1 player to go."


def test_a_round_closes_when_every_hand_is_counted(table):
    for hand in ({"ana": "out"}, {"ben": "45"}, {"cleo": "60"}):
        assert table.pad.round_number == 1
        table.count(1, **hand)

    assert table.pad.round_number == 2
    assert table.totals() == [0, 45, 60]


def test_a_blank_line_is_not_nought(table):
    with pytest.raises(CountRefusedError) as refused:
        table.save(1, table.typed(1, ana="out", ben="45", cleo=""))

    assert [bool(line.problem) for line in refused.value.page.lines] == [False, False, True]
    assert entries(table) == ["started"]


def test_a_blank_line_leaves_alone_what_another_phone_has_counted(table):
    late = table.typed(1, ana="out", ben="45", cleo="")
    table.count(1, cleo="60")

    table.save(1, late)

    assert table.scores()[0] == [0, 45, 60]


def test_two_phones_with_two_values_are_shown_both(table):
    late = table.typed(1, only="ben", ben="50")
    table.count(1, ben="45")

    with pytest.raises(CountConflictError) as conflict:
        table.save(1, late)

    choices = conflict.value.page.lines[0].choices
    assert [(each.says, each.whose) for each in choices] == [("45", "pad"), ("50", "you")]
    assert table.scores()[0] == [None, 45, None]


def test_after_a_conflict_mine_may_replace_theirs(table):
    late = table.typed(1, only="ben", ben="50")
    table.count(1, ben="45")
    with pytest.raises(CountConflictError) as conflict:
        table.save(1, late)
    base = conflict.value.page.lines[0].hand.base

    table.save(1, table.typed(1, only="ben", ben="50", seen={"ben": base}))

    assert table.scores()[0] == [None, 50, None]


def test_a_correction_names_what_it_corrects(table):
    table.play(2)
    stale = table.typed(1, only="ben", ben="50")

    table.count(1, ben="65")

    assert table.totals() == [0, 125, 120]
    with pytest.raises(CountConflictError):
        table.save(1, stale)


def test_a_correction_shows_until_the_next_hand_is_counted(table):
    table.play(2)
    table.count(1, ben="65")

    assert "Ben 60 → 65" in table.pad.changed
    assert [cell.corrected for cell in table.pad.rows[0].cells] == [False, True, False]
    table.play(3)
    assert table.pad.changed == ""


def test_a_correction_that_cannot_be_is_refused(table):
    table.play(2)

    with pytest.raises(CountRefusedError):
        table.count(1, ben="out")


def test_a_player_who_went_out_is_moved_by_correcting_both_hands_at_once(table):
    table.play(2)

    table.count(1, ana="60", ben="out", cleo="60")

    assert table.scores()[0] == [60, 0, 60]
    assert "Ana out → 60, Ben 60 → out" in table.pad.changed
    table.undo()
    assert table.scores()[0] == [0, 60, 60]


def test_what_could_not_be_kept_is_never_shown(database):
    """A pad is remembered by its version, and the next save gets the version of the failed one."""
    table = Table(database, variant="rummikub")
    typed = table.typed(1, ana="out", ben="20", cleo="30")

    def fail_at_the_end(session):
        counting.save_count(session, table.pub, 1, typed)
        assert [seat.total for seat in read_pad(session, table.pub).seats] == [50, -20, -30]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        database.write(fail_at_the_end)
    assert table.totals() == [0, 0, 0]
    table.count(1, ana="out", ben="25", cleo="35")

    assert table.totals() == [60, -25, -35]


def test_only_the_round_on_the_table_takes_counts(table):
    typed = table.typed(1, ana="out", ben="45", cleo="60")

    with pytest.raises(RoundNotOpenError):
        table.save(2, typed)


def test_undo_twice_and_redo_twice_is_as_before(table):
    table.play(1)
    table.count(2, ana="out", ben="45", cleo="60")
    before = table.pad

    table.undo()
    table.undo()
    assert table.scores()[0] == [None, None, None]
    table.redo()
    table.redo()

    assert table.pad.rows == before.rows
    assert table.pad.seats == before.seats
    assert table.pad.undo == before.undo


def test_undo_says_what_it_takes_back(table):
    table.count(1, ben="65")

    assert table.pad.undo.says == "Ben 65 in round 1"
    table.undo()
    assert table.pad.redo.says == "Ben 65 in round 1"


def test_nothing_comes_back_once_something_else_is_entered(table):
    table.count(1, ben="65")
    table.undo()
    table.count(1, ben="45")

    assert table.pad.redo is None
    with pytest.raises(NotLastError):
        table.void(3, "at-99")


def test_undoing_a_round_undoes_its_corrections(table):
    table.play(1)
    table.count(1, ben="65")
    table.undo()
    assert table.scores()[0] == [0, 60, 60]

    table.undo()

    assert table.scores()[0] == [None, None, None]
    assert not any(cell.corrected for cell in table.pad.rows[0].cells)


def test_two_phones_that_tap_undo_at_once_undo_one_entry(table):
    table.play(2)
    seq, key = table.pad.undo.seq, table.pad.key

    table.void(seq, key)
    again = table.void(seq, key)

    assert again.again
    assert len([row for row in table.pad.rows if row.complete]) == 1


def test_only_the_last_entry_can_be_taken_back(table):
    table.play(2)

    with pytest.raises(NotLastError):
        table.void(2)


def test_an_unknown_game_is_not_found(database):
    with pytest.raises(GameNotFoundError):
        database.read(ledger.read_game, "aaaaaaaaaa")


def naive_save(table: Table, left: int, both_have_read: Barrier) -> None:
    """Read, decide, and write in another transaction: the broken twin of `ledger.enter`."""
    database, pub, number, player = table.database, table.pub, 1, table.ids["ben"]
    state = database.read(ledger.read_game, pub)
    both_have_read.wait(10)
    standing = state.hands_of(number).get(player)
    hand = Hand(left=str(left), base=standing.seq if standing else 0)
    fact = Counted(round=number, hands={player: hand})
    form = Submission(key=new_key(), content=str(left), device="")
    database.write(lambda session: ledger.enter(session, pub, form, lambda _: (fact,)))


def race(table: Table, save) -> tuple[int, int]:
    """Let two phones write one cell at once, many times; answers the kept and the lost."""
    kept = lost = 0
    with ThreadPoolExecutor(2) as pool:
        for turn in range(12):
            values = [50 + 10 * turn, 55 + 10 * turn]
            won = [value for value in pool.map(save, values) if value is not None]
            state = table.database.read(ledger.read_game, table.pub)
            hand = state.hands_of(1)[table.ids["ben"]]
            seen = []
            while hand:
                seen.append(hand.left)
                hand = hand.before
            kept += len(won)
            lost += len([value for value in won if value not in seen])
    return kept, lost


def test_no_acknowledged_write_is_lost_between_two_phones(table):
    def save(value):
        typed = table.typed(1, only="ben", ben=str(value), sure=True)
        try:
            table.save(1, typed)
        except CountConflictError:
            return None
        return value

    kept, lost = race(table, save)

    assert kept >= 12
    assert lost == 0


def test_the_guard_against_lost_writes_would_be_missed(table):
    """The twin without the guard loses writes, or the test above proves nothing."""
    both_have_read = Barrier(2)

    def save(value):
        naive_save(table, value, both_have_read)
        return value

    _, lost = race(table, save)

    assert lost == 12
