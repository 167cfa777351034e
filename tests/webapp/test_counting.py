"""Counting in every game: what is asked is what the game asks, and what cannot be is refused."""

import re

import pytest

from tests.webapp.table import HTMX, OWN, Page, Table
from webapp.game.hand import Hand, UnreadableCountError
from webapp.game.validation import CountConflictError, CountForm, CountRefusedError
from webapp.ledger.ledger import FormKey, new_key, read_game
from webapp.ledger.projection import TotalTooLargeError
from webapp.pages.counting import view as count_page
from webapp.pages.counting.view import fill_count
from webapp.pages.notes import commands as notes
from webapp.text.refusals import NoMayIError, NotInRoundError

CLOSED = "4S 4H 4D 9C 10C JC QC AD 2D 3D"
"""Closes without a joker: twice."""


def form(table, number=1, only=None):
    return table.database.read(count_page.open_count, table.pub, number, only)


def review(table, number, **hands):
    return table.database.read(fill_count, table.pub, number, table.typed(number, **hands))


def refused(table, number, **hands):
    with pytest.raises(CountRefusedError) as error:
        table.count(number, **hands)
    return error.value.page


@pytest.mark.parametrize(
    ("variant", "asks"),
    [
        ("mexican-rummy", set()),
        ("eleven-phases", {"made"}),
        ("rummikub", {"dry"}),
        ("remigio", {"close", "cards"}),
        ("rummy-500", {"dry", "table"}),
    ],
)
def test_the_page_asks_what_the_game_asks(database, variant, asks):
    asked = form(Table(database, ("Ana", "Ben"), variant))

    found = {
        "made": asked.variant.climbs_alone,
        "dry": bool(asked.pad.dry),
        "close": len(asked.closes) == 7,
        "cards": asked.variant.names_cards,
        "table": asked.variant.pad.asks_table,
    }
    assert {name for name, there in found.items() if there} == asks


def test_if_the_pool_can_run_dry_nobody_out_is_asked_about_once(database):
    table = Table(database, variant="rummikub")
    asked = refused(table, 1, ana="30", ben="10", cleo="12")
    assert asked.asked

    table.save(1, table.typed(1, sure=True, ana="30", ben="10", cleo="12"))

    assert table.totals() == [-20, 22, -2]
    state = table.database.read(read_game, table.pub)
    assert state.last.fact.override == ("nobody-out",)


def test_if_nobody_out_was_said_it_is_not_asked_again(database):
    table = Table(database, variant="rummikub")

    table.count(1, ana="30", ben="10", cleo="12", nobody=True)

    assert table.totals() == [-20, 22, -2]
    assert form(table, 1).nobody


def test_the_review_says_who_shares_a_round_that_nobody_has_won(database):
    table = Table(database, variant="rummikub")

    found = review(table, 1, ana="30", ben="10", cleo="10", nobody=True)

    assert len(found.sentences) == 5
    assert found.sentences[-1].startswith("Ben and Cleo ")


def test_a_round_that_is_not_complete_has_not_ended_with_nobody_out(database):
    table = Table(database, variant="rummikub")

    assert len(review(table, 1, only="ana", ana="30").sentences) == 1


def test_the_review_says_who_is_out_of_the_game(database):
    table = Table(database, variant="remigio", options={"end": "eliminate-100"})

    found = review(table, 1, ana="out", ben="10", cleo="9", close="remigio")

    assert len(found.sentences) == 4
    assert found.sentences[-1].startswith("Ben ")


def test_the_review_of_a_correction_says_each_total_once(database):
    table = Table(database, variant="remigio")
    table.count(1, ana="out", ben="10", cleo="9", close="closed")

    found = review(table, 1, only="ben", ben="12")

    assert ["Ben" in says for says in found.sentences] == [True, False]
    assert found.sentences[1] == "Ana now has 21."


def test_the_page_says_why_going_out_wins_over_the_higher_total(database):
    table = Table(database, ("Ana", "Ben"), variant="rummy-500")
    table.count(1, ana="245/out", ben="250/5", sure=True)
    table.count(2, ana="245/out", ben="250/5", sure=True)
    hands = {"ana": "35/out", "ben": "60/10"}
    rule = table.pad.variant.rulebook.cited("overtaken").says

    found = review(table, 3, **hands)
    table.count(3, **hands)

    assert table.pad.winners == ("Ana",)
    assert rule in found.says
    assert table.pad.note == rule


def test_nothing_is_explained_if_the_best_total_wins(database):
    table = Table(database, ("Ana", "Ben"), variant="rummy-500")
    table.count(1, ana="255/out", ben="0/10", sure=True)
    table.count(2, ana="255/out", ben="0/10", sure=True)

    assert table.pad.winners == ("Ana",)
    assert table.pad.note == ""


@pytest.mark.parametrize("shown", ["4S 5S 6S 6H 6D 7S 8S 9S QD QC", "4S 4H 4D", CLOSED + " 5H"])
def test_a_hand_that_does_not_close_is_asked_about_and_counts_once(database, shown):
    table = Table(database, variant="remigio")
    hands = {"ana": "out", "ben": "10", "cleo": "7", "shown": shown}
    asked = refused(table, 1, **hands)
    assert [each.box.id for each in asked.asked.boxes] == ["close-how"]
    assert asked.asked.reasons
    assert asked.shown == shown

    table.count(1, sure=True, **hands)

    assert table.totals() == [17, -10, -7]


def test_a_hand_shown_that_is_no_cards_is_refused(database):
    table = Table(database, variant="remigio")

    assert refused(table, 1, ana="out", ben="10", cleo="7", shown="nonsense").shown_problem
    assert table.totals() == [0, 0, 0]


def test_how_it_was_closed_must_be_said(database):
    table = Table(database, variant="remigio")

    for close in ("", "gin"):
        assert refused(table, 1, ana="out", ben="10", cleo="7", close=close).shown_problem


@pytest.mark.parametrize("left", ["5H 5H 5H", "JK JK JK JK JK JK JK", "5H 6X", "2S " * 15])
def test_cards_that_are_not_there_are_refused(database, left):
    table = Table(database, ("Ana", "Ben"), "remigio")

    asked = refused(table, 1, ana="out", ben=left, shown=CLOSED)

    assert asked.lines[1].hand.left == left.strip()


def test_only_a_game_that_arranges_hands_takes_cards_by_name(table):
    assert refused(table, 1, ana="out", ben="5H 6H", cleo="60").lines[1].problem


def test_table_points_are_kept_as_the_sum_that_was_typed(database):
    table = Table(database, ("Ana", "Ben"), "rummy-500")
    table.count(1, ana="15+45/out", ben="30/20")

    assert table.totals() == [60, 10]
    cells = table.pad.rows[0].cells
    assert [(cell.table, cell.left, cell.points) for cell in cells] == [
        (60, None, 60),
        (30, 20, 10),
    ]
    assert [line.hand.table for line in form(table, 1).lines] == ["15+45", "30"]


def test_nothing_on_the_table_is_nought_and_a_blank_hand_is_not(database):
    table = Table(database, ("Ana", "Ben"), "rummy-500")

    assert refused(table, 1, ana="60/out", ben="30/").lines[1].problem
    table.count(1, ana="60/out", ben="/35")

    assert table.totals() == [60, -35]


@pytest.mark.parametrize(
    ("variant", "hands", "totals"),
    [
        ("mexican-rummy", {"ana": "out", "ben": "out 5", "cleo": "60"}, [0, 5, 60]),
        ("mexican-rummy", {"ana": "out 30", "ben": "-20", "cleo": "650"}, [30, -20, 650]),
        ("mexican-rummy", {"ana": "60", "ben": "60", "cleo": "60"}, [60, 60, 60]),
        ("eleven-phases", {"ana": "out", "ben": "45", "cleo": "60"}, [0, 45, 60]),
        ("rummikub", {"ana": "out", "ben": "0", "cleo": "60"}, [60, 0, -60]),
        ("500-rum", {"ana": "60/out 10", "ben": "30/20", "cleo": "-15/5"}, [50, 10, -20]),
        ("remigio", {"ana": "60", "ben": "60", "cleo": "60"}, [0, 0, 0]),
    ],
)
def test_what_the_rules_speak_against_is_asked_about_and_counts_as_written(
    database, variant, hands, totals
):
    table = Table(database, variant=variant)
    assert refused(table, 1, close="closed", **hands).asked

    table.count(1, sure=True, close="closed", **hands)

    assert table.totals() == totals
    assert table.pad.problems == ()


def test_a_phase_counts_as_it_was_ticked(database):
    table = Table(database, variant="eleven-phases")
    hands = {"ana": "out unmade", "ben": "45", "cleo": "made 20"}
    asked = refused(table, 1, **hands).asked
    ids = [f"made-{table.ids['ana']}", f"left-{table.ids['ben']}"]
    assert [each.box.id for each in asked.boxes] == ids

    table.count(1, sure=True, **hands)

    assert [seat.step for seat in table.pad.seats] == [1, 1, 2]


def test_if_it_was_ticked_that_nobody_went_out_it_is_not_asked(table):
    asked = refused(table, 1, ana="60", ben="60", cleo="60").asked
    assert [each.box.id for each in asked.boxes] == ["out-nobody"]

    table.count(1, ana="60", ben="60", cleo="60", nobody=True)

    assert table.totals() == [60, 60, 60]
    assert table.pad.problems == ()


def test_may_is_are_known_to_the_count(table):
    for _ in range(2):
        sent = FormKey(key=table.pad.key)
        table.database.write(notes.take, table.pub, table.ids["ben"], sent)

    assert [seat.takes for seat in table.pad.seats] == [0, 2, 0]
    assert ["+4 cards" in line.told for line in form(table).lines] == [False, True, False]
    # Fourteen cards may cost more than ten.
    assert refused(table, 1, ana="out", ben="60", cleo="160").asked
    table.count(1, ana="out", ben="160", cleo="60")


def test_may_is_are_for_the_games_that_know_them(database):
    table = Table(database, variant="rummikub")
    with pytest.raises(NoMayIError):
        table.database.write(notes.take, table.pub, table.ids["ben"], FormKey(key="at-1"))


def test_the_review_says_who_advances_and_who_deals_next(database):
    table = Table(database, ("Ana", "Ben"), "eleven-phases")
    said = review(table, 1, ana="out", ben="made 60")

    assert sum("phase 1" in each for each in said.sentences) == 2
    assert "Ana deals" in said.says


def test_the_review_says_who_wins(table):
    table.play(5)

    assert "Ana wins" in review(table, 6, ana="out", ben="60", cleo="60").says


def test_a_clash_over_how_a_round_closed_is_refused(database):
    table = Table(database, ("Ana", "Ben"), "remigio")
    late = table.typed(1, ana="out", ben="20", close="closed")
    table.count(1, ana="out", ben="20", close="remigio")

    with pytest.raises(CountConflictError) as error:
        table.save(1, late)

    line = error.value.page.lines[0]
    assert [each.says for each in line.choices] == ["out", "out"]


@pytest.mark.parametrize("ben", ["5 10", "1 000", "5 5+5"])
def test_two_numbers_side_by_side_are_not_one(database, ben):
    table = Table(database, variant="rummikub")

    assert refused(table, 1, ana="out", ben=ben, cleo="7").lines[1].problem
    table.count(1, ana="out", ben=" 5 + 10 ", cleo="7")

    assert table.totals() == [22, -15, -7]


def test_digits_that_are_no_count_are_not_taken_for_a_card(database):
    table = Table(database, variant="remigio")
    numbers = refused(table, 1, ana="out", ben="1000000", cleo="7", close="closed")
    cards = refused(table, 1, ana="out", ben="7X", cleo="7", close="closed")

    assert numbers.lines[1].problem == str(UnreadableCountError())
    assert cards.lines[1].problem != str(UnreadableCountError())


@pytest.mark.parametrize("variant", ["rummikub", "remigio"])
def test_a_hand_counted_alone_gains_nothing_if_the_others_pay(database, client, variant):
    table = Table(database, ("Ana", "Ben"), variant)

    said = review(table, 1, only="ben", ben="12")
    table.count(1, ben="12")

    assert "+" not in said.sentences[0]
    assert "12 left" in Page(client.get(f"/g/{table.pub}")).text


def test_a_hand_counted_alone_scores_what_is_laid_less_what_is_left(database, client):
    table = Table(database, ("Ana", "Ben"), "rummy-500")
    table.count(1, ben="5/45")

    assert table.pad.rows[0].cells[1].points == -40
    assert "5 \N{MINUS SIGN} 45" in Page(client.get(f"/g/{table.pub}")).text


def test_if_cards_score_otherwise_on_the_table_the_page_says_so(database):
    notes = {}
    for variant in ("rummy-500", "rummikub"):
        notes[variant] = form(Table(database, ("Ana", "Ben"), variant), 1).note

    assert {variant for variant, note in notes.items() if note} == {"rummy-500"}


def test_a_phone_counts_only_who_plays(table):
    typed = CountForm(hands={}, only=999, key=new_key())

    with pytest.raises(NotInRoundError):
        table.save(1, typed)


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_what_was_typed_stays_if_it_is_refused(client, database, headers):
    table = Table(database, ("Ana", "Ben"), "remigio")
    ana, ben = table.ids["ana"], table.ids["ben"]
    fields = {
        "key": new_key(),
        "out": str(ana),
        f"left-{ben}": "5H 6X",
        "shown": "4S 4H",
        "close": "colour",
    }

    answer = client.post(f"/g/{table.pub}/rounds/1", data=fields, headers=OWN | headers)

    assert answer.status_code == 422
    assert 'value="5H 6X"' in answer.text
    assert 'value="4S 4H"' in answer.text
    assert re.search(r'value="colour"[^>]*(checked|selected)', answer.text)


def test_a_total_that_no_pad_keeps_is_refused_with_a_sentence(database):
    """The multipliers of a table may be a thousand; a million is where the columns end."""
    names = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gina")
    table = Table(database, names, "remigio", options={"multipliers": "remigio: 1000"})
    losers = {name.lower(): "90" for name in names[1:]}
    table.count(1, ana="out", close="remigio", **losers)

    with pytest.raises(TotalTooLargeError):
        table.count(2, ana="out", close="remigio", **losers)
    assert table.totals()[0] == 540_000


def test_fifty_for_an_exact_cut_is_typed_with_the_hand_and_asked_about_once(database):
    table = Table(database, ("Ana", "Ben"), "liverpool-rummy")
    ana, ben = (table.ids[name] for name in ("ana", "ben"))
    hands = {ana: Hand(left="", out=True), ben: Hand(left="35-50")}

    with pytest.raises(CountRefusedError):
        table.save(1, CountForm(hands=hands, sure=False, key=new_key(), device="phone"))
    table.save(1, CountForm(hands=hands, sure=True, key=new_key(), device="phone"))

    assert [column.total for column in table.pad.columns] == [0, -15]
