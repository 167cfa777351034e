"""What is laid on the table is recorded as it is laid, and scores for whoever laid it."""

import pytest

from tests.webapp.table import Table
from webapp.game.validation import CountRefusedError
from webapp.ledger.ledger import FormKey, new_key, read_game
from webapp.pages.counting.view import open_count
from webapp.pages.desk.card_fields import DeskQuestion
from webapp.pages.desk.commands import LayDownRefusedError, record_lay_down
from webapp.pages.desk.view import read_desk
from webapp.pages.seats.commands import leave

pytestmark = pytest.mark.slow


@pytest.fixture
def five_hundred(database):
    return Table(database, ("Ana", "Ben"), "rummy-500")


def lay(table: Table, who: str, ask: str = "laydown", **texts: str):
    question = DeskQuestion(
        ask=ask,
        player=table.ids[who],
        texts={name.replace("_", "-"): text for name, text in texts.items()},
    )
    sent = FormKey(key=new_key(), device="phone")
    return table.database.write(record_lay_down, table.pub, question, sent)


def on_table(table: Table) -> list[int]:
    """The points that each player has recorded on the table in this round."""
    state = table.database.read(read_game, table.pub)
    laid = [state.lay_downs.get((state.open_round, who), ()) for who in state.seats]
    return [sum(each.points or 0 for each in facts) for facts in laid]


def test_melds_are_recorded_as_often_as_they_are_laid(five_hundred):
    lay(five_hundred, "ana", meld_1="3S 4S 5S", meld_2="AC AH AD")
    lay(five_hundred, "ana", meld_1="7C 7H 7D")

    assert on_table(five_hundred) == [15 + 45 + 15, 0]


def test_a_card_laid_off_scores_for_whoever_laid_it(five_hundred):
    lay(five_hundred, "ana", meld_1="3S 4S 5S")
    lay(five_hundred, "ben", meld_1="7C 7H 7D")
    lay(five_hundred, "ben", "layoff", cards="6S", onto="3S 4S 5S")
    lay(five_hundred, "ana", "layoff", cards="7S", onto="3S 4S 5S 6S")

    assert on_table(five_hundred) == [15 + 5, 15 + 5]
    assert on_the_desk(five_hundred) == [("Ana", "3S 4S 5S 6S 7S"), ("Ben", "7C 7H 7D")]


def test_lay_offs_named_in_another_order_than_they_fit_lie_on_one_meld(five_hundred):
    lay(five_hundred, "ana", meld_1="3S 4S 5S")
    off = {"off_1": "7S", "onto_1": "3S 4S 5S", "off_2": "6S", "onto_2": "3S 4S 5S"}
    lay(five_hundred, "ben", meld_1="KC KH KD", **off)

    assert on_table(five_hundred) == [15, 30 + 10]
    assert on_the_desk(five_hundred) == [("Ana", "3S 4S 5S 6S 7S"), ("Ben", "KC KH KD")]


def test_a_player_who_has_only_laid_off_has_laid_no_melds_yet(five_hundred):
    lay(five_hundred, "ana", meld_1="3S 4S 5S")
    lay(five_hundred, "ben", "layoff", cards="6S", onto="3S 4S 5S")

    with pytest.raises(LayDownRefusedError) as error:
        lay(five_hundred, "ben", meld_1="9C 2S JK")

    assert "too-few-naturals-first" in {f.code.value for f in error.value.page.ruling.findings}
    lay(five_hundred, "ben", meld_1="7C 7H 7D")
    lay(five_hundred, "ben", meld_1="9C 2S JK")


def test_a_card_is_on_the_table_once(five_hundred):
    lay(five_hundred, "ana", meld_1="3S 4S 5S", meld_2="AC AH JK")
    for who, ask, cards in (
        ("ana", "laydown", {"meld_1": "3S 4S 5S"}),
        ("ben", "laydown", {"meld_1": "3S 3H 3D"}),
        ("ben", "layoff", {"cards": "5S", "onto": "5H 5D 5C"}),
    ):
        with pytest.raises(LayDownRefusedError) as error:
            lay(five_hundred, who, ask, **cards)
        assert error.value.page.ruling.is_legal
        assert error.value.page.notes
    lay(five_hundred, "ben", meld_1="7C 7D JK")

    assert on_table(five_hundred) == [15 + 45, 15]


def test_a_card_laid_off_on_an_unrecorded_meld_is_also_on_the_table(five_hundred):
    lay(five_hundred, "ana", "layoff", cards="6S", onto="3S 4S 5S")
    for onto in ("3S 4S 5S", "6H 6D 6C"):
        with pytest.raises(LayDownRefusedError):
            lay(five_hundred, "ben", "layoff", cards="6S", onto=onto)
    lay(five_hundred, "ben", meld_1="3S 4S 5S")

    assert on_table(five_hundred) == [5, 15]


def test_a_player_who_calls_rummy_scores_the_discard(five_hundred):
    lay(five_hundred, "ana", meld_1="3S 4S 5S")
    lay(five_hundred, "ana", "call", discard="6S", table_1="3S 4S 5S")

    assert on_table(five_hundred) == [20, 0]


def test_the_second_lay_of_a_hand_needs_no_two_naturals(five_hundred):
    with pytest.raises(LayDownRefusedError):
        lay(five_hundred, "ana", meld_1="9S 2D JK")
    lay(five_hundred, "ana", meld_1="3S 4S 5S")

    lay(five_hundred, "ana", meld_1="9S 2D JK")

    assert on_table(five_hundred) == [15 + 25, 0]


def on_the_desk(table: Table, **asked) -> list[tuple[str, str]]:
    desk = table.database.read(read_desk, table.pub, DeskQuestion(**asked))
    return [(meld.owner, meld.text) for meld in desk.table]


def test_a_lay_down_with_lay_offs_is_one_entry(five_hundred):
    lay(five_hundred, "ana", meld_1="4S 5S 6S")
    lay(
        five_hundred,
        "ben",
        meld_1="7C 7H 7D",
        off_1="3S",
        onto_1="4S 5S 6S",
        off_2="7S 8S",
        onto_2="4S 5S 6S",
    )

    assert on_table(five_hundred) == [15, 15 + 5 + 5 + 5]
    assert on_the_desk(five_hundred) == [("Ana", "3S 4S 5S 6S 7S 8S"), ("Ben", "7C 7H 7D")]

    five_hundred.undo()
    assert on_table(five_hundred) == [15, 0]
    assert on_the_desk(five_hundred) == [("Ana", "4S 5S 6S")]


def test_what_is_taken_off_the_pile_is_recorded_as_it_is_laid(five_hundred):
    lay(five_hundred, "ana", meld_1="4S 5S 6S")
    lay(
        five_hundred,
        "ben",
        "pickup",
        pile="KD 7C 2D",
        take="7C",
        meld_1="7C 7H 7D",
        cards="3S",
        onto="4S 5S 6S",
    )

    assert on_table(five_hundred) == [15, 20]
    assert on_the_desk(five_hundred) == [("Ana", "3S 4S 5S 6S"), ("Ben", "7C 7H 7D")]


def test_a_pile_that_is_taken_for_nothing_is_not_recorded(five_hundred):
    with pytest.raises(LayDownRefusedError):
        lay(five_hundred, "ana", "pickup", pile="KD 7C 2D", take="2D")


def test_a_call_knows_the_melds_on_the_table(five_hundred):
    lay(five_hundred, "ana", meld_1="4S 5S 6S", meld_2="7C 7H 7D")

    lay(five_hundred, "ben", "call", discard="3S")

    assert on_table(five_hundred) == [30, 5]
    assert on_the_desk(five_hundred) == [("Ana", "3S 4S 5S 6S"), ("Ana", "7C 7H 7D")]
    assert five_hundred.pad.undo.says == "Ben’s lay-off in round 1"


def test_a_player_who_has_left_lays_nothing(table):
    sent = FormKey(key=new_key(), device="phone")
    table.database.write(leave, table.pub, table.ids["ana"], sent, ranked=True)

    with pytest.raises(LayDownRefusedError):
        lay(table, "ana", meld_1="4C 4D 4H", meld_2="9S 9H 9D")
    desk = table.database.read(read_desk, table.pub, DeskQuestion())
    assert [name for _, name in desk.players] == ["Ben", "Cleo"]


def test_a_contract_is_laid_down_with_its_lay_offs(table):
    table.play(1)
    lay(table, "ben", meld_1="9C 9D 9H", meld_2="4H 5H 6H 7H")
    lay(
        table,
        "ana",
        meld_1="KC KD KH",
        meld_2="4D 5D 6D 7D",
        off_1="3H",
        onto_1="4H 5H 6H 7H",
        off_2="9S",
        onto_2="9C 9D 9H",
    )

    assert on_the_desk(table) == [
        ("Ana", "KC KD KH"),
        ("Ana", "4D 5D 6D 7D"),
        ("Ben", "9C 9D 9H 9S"),
        ("Ben", "3H 4H 5H 6H 7H"),
    ]


def test_what_is_recorded_stands_in_the_count_as_a_sum(five_hundred):
    lay(five_hundred, "ana", meld_1="3S 4S 5S")
    lay(five_hundred, "ana", meld_1="AC AH AD")

    form = five_hundred.database.read(open_count, five_hundred.pub, 1)

    assert [line.hand.table for line in form.lines] == ["15+45", ""]
    assert form.lines[0].table_points == 60


def test_less_than_was_recorded_is_asked_about_once(five_hundred):
    lay(five_hundred, "ana", meld_1="3S 4S 5S")
    lay(five_hundred, "ana", meld_1="AC AH AD")
    with pytest.raises(CountRefusedError) as asked:
        five_hundred.count(1, ana="45/out", ben="0/20")
    assert asked.value.page.asked

    five_hundred.count(1, ana="75/out", ben="0/20")

    assert five_hundred.totals() == [75, -20]


def test_if_melds_do_not_score_one_lay_down_a_round_is_recorded(table):
    lay(table, "ana", meld_1="4C 4D 4H", meld_2="9S 9H 9D")
    with pytest.raises(LayDownRefusedError):
        lay(table, "ana", meld_1="4C 4D 4H", meld_2="9S 9H 9D")

    state = table.database.read(read_game, table.pub)
    assert [laid.points for laid in state.lay_downs[1, table.ids["ana"]]] == [None]


@pytest.mark.parametrize("variant", ["rummikub", "remigio"])
def test_if_the_pad_does_not_ask_nothing_is_recorded(database, variant):
    table = Table(database, ("Ana", "Ben"), variant)

    with pytest.raises(LayDownRefusedError):
        lay(table, "ana", "laydown", meld_1="R10 B10 K10")
