"""The end of a running game is changed: it's over as of now, and every page names one winner."""

import csv
import io
from contextlib import closing
from dataclasses import replace

import pytest

from tests.webapp.older import copy_rows, make_older
from tests.webapp.table import Table
from tests.webapp.teams import in_pairs
from tests.webapp.test_amending import change, page_of
from webapp.backups.check import find_faults
from webapp.db import Database
from webapp.exchange.choice import Selection
from webapp.exchange.tables import write_totals
from webapp.game import replay
from webapp.game.facts import Amended, Corrected, Counted, Undone
from webapp.game.hand import Hand
from webapp.history.search import read_history
from webapp.ledger import ledger
from webapp.migrations import migrate
from webapp.pages.counting.view import open_count
from webapp.pages.evening.view import read_evening
from webapp.pages.history.picture import SQUARE, read_picture
from webapp.pages.history.view import read_sheet
from webapp.pages.printing.view import read_print
from webapp.pages.scorepad import commands as taps
from webapp.pages.standings.player import read_player
from webapp.pages.standings.view import read_house
from webapp.standings.rivals import read_against

pytestmark = pytest.mark.slow

ANA, BEN, CLEO, DOV = "Ana", "Ben", "Cleo", "Dov"


def hand(text: str) -> Hand:
    """A hand: "out", "45", "120/10" for 120 on the table and 10 left, "made 45"."""
    table, _, left = text.rpartition("/")
    digits = "".join(sign for sign in left if sign.isdecimal())
    return Hand(
        out="out" in text,
        made="made" in text or None,
        left=digits,
        table=table,
        close="closed" if "closed" in text else "",
    )


def count(table: Table, *rounds: tuple[str, ...], first: int = 1) -> None:
    """Enter whole rounds, a hand for each player in seat order; "" for one who doesn't play."""
    for number, texts in enumerate(rounds, first):
        who = zip(table.ids.values(), texts, strict=True)
        hands = {player: hand(text) for player, text in who if text}
        enter(table, Counted(round=number, hands=hands))


def enter(table: Table, *facts) -> None:
    key = ledger.new_key()
    form = ledger.Submission(key=key, content=key, device="phone")
    table.database.write(ledger.enter, table.pub, form, lambda _: facts)


def rum(database, *rounds: tuple[str, ...]) -> Table:
    table = Table(database, (ANA, BEN), "500-rum")
    count(table, *(rounds or (("120/out", "140/10"), ("200/out", "90/10"))))
    return table


KINDS = {
    # The game, what was played of it, what's changed then, and who wins.
    "highest": (
        "500-rum",
        [("120/out", "140/10"), ("200/out", "90/10")],
        {"end.total": 100},
        [ANA],
    ),
    "between-two": (
        "gin-rummy",
        [("out closed", "30"), ("60", "out closed")],
        {"end.total": 50},
        [BEN],
    ),
    "goes-out": (
        "rummy-500",
        [("120/out", "60/20"), ("100/10", "90/out")],
        {"end.total": 100},
        [ANA],
    ),
    "lowest": (
        "mexican-rummy",
        [("120", "out"), ("out", "130")],
        {"end.total": 100},
        [ANA],
    ),
    "rounds": (
        "500-rum",
        [("120/out", "140/10"), ("200/out", "90/10")],
        {"end.rounds": 1},
        [ANA],
    ),
    "contracts": (
        "mexican-rummy",
        [("out", "60"), ("90", "out")],
        {"steps": ["1 set of 3"]},
        [BEN],
    ),
    "rounds-won": (
        "rummikub",
        [("out", "9"), ("5", "out"), ("5", "out")],
        {"end.rounds": 2},
        [BEN],
    ),
    "one-left": (
        "chinchon",
        [("out closed", "60"), ("70", "out closed")],
        {"end.eliminated": 50},
        [BEN],
    ),
    "phases": (
        "eleven-phases",
        [("out made", "60")] * 2 + [("90", "out made")] * 2,
        {"steps": ["1 set of 3", "1 run of 4"]},
        [BEN],
    ),
    "teams": (
        "canasta",
        [("400/0", "200/out", "0", "0"), ("50/0", "600/out", "0", "0")],
        {"end.total": 300},
        [BEN, DOV],
    ),
    "own": (
        "",
        [("400/0", "200/out", "0", "0"), ("50/0", "600/out", "0", "0")],
        {"end.total": 300},
        [BEN, DOV],
    ),
}


def lowered(database, kind: str) -> Table:
    slug, rounds, patch, _ = KINDS[kind]
    names = (ANA, BEN, CLEO, DOV)[: len(rounds[0])]
    table = Table(database, names, slug or in_pairs(database))
    count(table, *rounds)
    assert not table.pad.over
    change(table, patch)
    return table


@pytest.mark.parametrize("kind", KINDS)
def test_every_page_names_the_winner_by_all_rounds(database, kind):
    *_, winners = KINDS[kind]
    table = lowered(database, kind)
    people = len(table.ids)
    before = table.pad
    assert before.over
    assert list(before.leaders) == list(before.winners) == winners
    assert not any("after the end" in says for says in before.problems)

    table.tap(taps.finish_game)
    pad, pub = table.pad, table.pub
    assert list(pad.winners) == winners
    assert [seat.name for seat in pad.seats if seat.wins] == winners

    sheet = database.read(read_sheet, pub)
    assert {each.name for at in sheet.podium if at.seat.wins for each in at.seat.players} == {
        *winners
    }
    assert [at.rank for at in sheet.standing] == [1, 2]
    assert sheet.result_says.endswith(f" · {pad.title} ★")
    assert database.read(read_picture, pub, SQUARE).winner.name == sheet.standing[0].seat.name
    assert database.read(read_print, pub).title == pad.title
    [line] = database.read(read_history).lines
    assert [name for each in line.players if each.won for name in each.names] == winners
    evening = database.read(read_evening, pub)
    assert {player.name for player in evening.players if player.wins} == {*winners}
    house = database.read(read_house, table.state.start.variant)
    assert {each.name for each in (*house.lines, *house.few) if each.rate.wins} == {*winners}
    for name, who in table.ids.items():
        won = name.capitalize() in winners
        assert [each.won for each in database.read(read_player, who).last] == [won]
        for against in database.read(lambda session, who=who: [*read_against(session, (who,))]):
            assert (against.ahead, against.behind) == ((1, 0) if won else (0, 1))
    rows = list(csv.DictReader(io.StringIO("".join(write_totals(database, Selection())))))
    assert {row["\ufeffdate"] and row["player"] for row in rows if row["won"] == "1"} == {*winners}
    assert {row["player"] for row in rows if row["place"] == "1"} == {*winners}
    assert len(rows) == people
    assert list(find_faults(database)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_change_is_undone_and_redone(database, kind):
    table = lowered(database, kind)
    over = table.pad
    table.undo()
    assert not table.pad.over
    assert table.pad.round_number == len(KINDS[kind][1]) + 1
    table.redo()

    assert table.pad.over
    assert table.totals() == [seat.total for seat in over.seats]


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_of_the_change_says_who_would_win(database, kind):
    slug, rounds, patch, winners = KINDS[kind]
    names = (ANA, BEN, CLEO, DOV)[: len(rounds[0])]
    table = Table(database, names, slug or in_pairs(database))
    count(table, *rounds)
    told = " ".join(page_of(table, patch).tells)

    assert f"over now: {' and '.join(winners)} win" in told


def test_a_fold_that_forgets_the_change_names_another_winner(database, monkeypatch):
    """The broken twin: a game that ended as soon as its new rules would have ended it."""
    table = lowered(database, "highest")
    monkeypatch.setattr(replay, "_changed", lambda *_: replay.NEVER)
    database.cache.__init__()

    assert table.pad.winners == (BEN,)


def test_a_target_that_is_raised_again_lets_the_game_go_on(database):
    table = lowered(database, "highest")
    change(table, {"end.total": 500})
    assert not table.pad.over

    count(table, ("10/20", "400/out"), first=3)
    assert table.pad.over
    assert table.pad.winners == (BEN,)


def test_another_change_of_a_game_that_is_over_leaves_its_winner(database):
    table = lowered(database, "goes-out")
    change(table, {"set.max": 3})
    assert table.pad.winners == (ANA,)

    table = Table(database, ("Eve", "Finn"), "rummy-500")
    count(table, ("520/10", "510/out"))
    assert table.pad.winners == ("Finn",)
    change(table, {"set.max": 3})
    assert table.pad.winners == ("Finn",)


def test_a_round_after_the_end_changes_no_winner_though_other_rules_change_then(database):
    table = rum(database, ("120/out", "140/10"), ("200/out", "90/10"), ("20/out", "200/10"))
    first = table.state.rounds[0]
    who = table.ids["ben"]
    enter(
        table,
        Corrected(
            round=1,
            closed=3,
            hands={who: replace(first[who].hand, table="600", base=first[who].seq)},
        ),
    )
    assert (table.state.score.ended, table.pad.winners) == (1, (BEN,))
    for patch in ({"set.max": 3}, {"end.total": 400}):
        change(table, patch)
        assert (table.state.score.ended, table.pad.winners) == (1, (BEN,))


def test_a_correction_of_an_early_round_counts_in_the_totals_that_win(database):
    table = lowered(database, "highest")
    table.count(1, ana="20/out", sure=True)

    assert table.totals() == [220, 210]
    assert table.pad.winners == (ANA,)
    table.count(1, ana="5/out", sure=True)
    assert table.totals() == [205, 210]
    assert table.pad.winners == (BEN,)
    assert table.pad.problems == ()


def test_a_correction_below_the_target_lets_the_game_go_on(database):
    table = rum(database, ("120/out", "40/10"))
    change(table, {"end.total": 100})
    assert table.pad.over
    table.count(1, ana="60/out")

    assert not table.pad.over
    table.count(2, ana="60/out", ben="20/10")
    assert table.pad.winners == (ANA,)


def test_a_correction_is_made_among_the_players_who_played(database):
    table = Table(database, (ANA, BEN, CLEO), "indian-rummy-pool")
    count(table, ("out", "60", "20"), ("25", "out", "15"))
    change(table, {"end.eliminated": 50})

    assert table.totals() == [25, 60, 35]
    assert [seat.plays for seat in table.pad.seats] == [True, False, True]
    assert table.pad.problems == ()
    form = database.read(open_count, table.pub, 2)
    assert [line.player_id for line in form.lines] == [*table.ids.values()]
    table.count(2, cleo="16")
    assert table.totals() == [25, 60, 36]
    assert table.pad.problems == ()


def test_players_who_were_out_when_a_limit_was_raised_missed_no_round(database):
    table = Table(database, (ANA, BEN, CLEO), "chinchon")
    count(table, ("out closed", "30", "60"), ("out closed", "20", "50"), ("20", "out closed", ""))
    assert [seat.plays for seat in table.pad.seats] == [True, True, False]
    change(table, {"end.eliminated": 200})

    assert table.pad.round_number == 4
    assert [seat.plays for seat in table.pad.seats] == [True, True, True]
    assert table.pad.problems == ()


def test_a_round_that_is_being_counted_is_left_as_it_is(database):
    table = rum(database)
    table.count(3, ben="140/10")
    change(table, {"end.total": 100})
    assert table.pad.winners == (ANA,)

    table.undo()
    assert table.pad.in_says.startswith(f"{BEN} is in.")
    table.count(3, ana="20/out", sure=True)
    assert table.totals() == [340, 340]


def test_a_hand_of_a_phone_that_is_undone_after_the_change_is_counted_again(database):
    table = Table(database, (ANA, BEN), "500-rum")
    ana, ben = table.ids.values()
    enter(table, Counted(round=1, hands={ana: hand("120/out")}))
    enter(table, Counted(round=1, hands={ben: hand("140/10")}))
    count(table, ("200/out", "90/10"), first=2)
    change(table, {"end.total": 100})
    enter(table, Undone(phone="phone", seqs=(3,)))

    assert (table.pad.over, table.pad.round_number) == (False, 1)
    table.count(1, ben="440/10", sure=True)
    assert table.totals() == [320, 510]
    assert table.pad.winners == (BEN,)


def test_games_of_before_name_the_winner_by_all_rounds_too(database):
    """Their changes don't note after how many rounds they were."""
    table = rum(database)
    change(table, {"end.total": 100})
    fact = table.state.amended.fact
    assert isinstance(fact, Amended)
    table.undo()
    enter(table, Amended(options=fact.options, game=fact.game))

    assert table.state.amended.fact.rounds is None
    assert table.pad.winners == (ANA,)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_history_of_such_a_game_is_made_again_with_an_upgrade(
    kind, database, new_postgres_database, tmp_path, monkeypatch
):
    with monkeypatch.context() as patch:
        # As the Laydown of before kept it.
        patch.setattr(replay, "_changed", lambda *_: replay.NEVER)
        table = lowered(database, "highest")
        table.tap(taps.finish_game)
    [line] = database.read(read_history).lines
    assert line.won_by.startswith(BEN)
    url = f"sqlite:///{tmp_path / 'older.db'}" if kind == "sqlite" else new_postgres_database()
    make_older(url, "0016")
    copy_rows(database, url)
    migrate(url)

    with closing(Database(url)) as upgraded:
        [line] = upgraded.read(read_history).lines
        assert line.won_by.startswith(ANA)
        assert list(find_faults(upgraded)) == []


def test_a_number_of_rounds_that_nobody_counted_is_not_believed(database):
    table = rum(database)
    change(table, {"end.total": 100})
    fact = table.state.amended.fact
    for rounds in (10**9, -5):
        table.undo()
        enter(table, replace(fact, rounds=rounds))
        assert table.pad.over
