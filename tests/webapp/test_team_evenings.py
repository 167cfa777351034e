"""Evenings of the games of teams through the pages to their end, without scripts.

Each is held to the second scorer of the referee's tests after every round, correction and undo,
and then printed, exported, imported and put back.
"""

import csv
import io
from contextlib import closing
from random import Random
from typing import Any

import pytest

from tests.examples import in_turn
from tests.referee.test_team_evenings import RULES, SIZES, Rules, score_of, teams_of
from tests.webapp.drafts import kept
from tests.webapp.table import Phone, Table
from webapp.backups.backups import take_backup
from webapp.backups.check import find_faults
from webapp.backups.restoring import put_back
from webapp.db import Database
from webapp.exchange.choice import Selection
from webapp.exchange.preview import copy_staged, staging
from webapp.exchange.reading import read_book
from webapp.exchange.tables import write_totals
from webapp.exchange.writing import write_book
from webapp.history.search import read_history
from webapp.pages.history.view import read_sheet
from webapp.pages.printing.view import read_print
from webapp.pages.scorepad import commands as taps
from webapp.pages.scorepad.view import read_pad

pytestmark = pytest.mark.slow

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")
Round = list[dict[str, Any]]


def a_round(slug: str, random: Random, teams: list[list[int]], *, dry: bool) -> Round:
    """A round as a table might end it; nobody is out where the stock runs dry."""
    rules, players = RULES[slug], sum(map(len, teams))
    records: Round = [{"left": 0} for _ in range(players)]
    out = None if dry else random.randrange(players)
    reds = 2 * rules.packs[players] if rules.red_three else 0
    for team in teams:
        first = records[team[0]]
        goes = out in team
        first["bonus"] = {kind: random.choice([0, 0, 1]) + goes for kind in rules.bonuses}
        first["table"] = 5 * random.randint(30, 50) + 40 * sum(first["bonus"].values())
        if not goes and random.random() < 0.25:
            first["bonus"], first["table"] = {}, 0
        if reds:
            first["aside"] = random.randint(0, reds // len(teams))
        if out is not None and goes:
            records[out]["out"] = True
        elif rules.untaken and random.random() < 0.3:
            first["reserve"] = False
        keeps = next((seat for seat in team if seat != out), None)
        if keeps is not None:
            records[keeps]["left"] = 5 * random.randint(22, 30)
    return records


def points_of(rules: Rules, teams: list[list[int]], records: Round) -> list[int]:
    reds = 2 * rules.packs[sum(map(len, teams))]
    return [score_of(rules, [records[seat] for seat in team], reds) for team in teams]


def fields_of(ids: list[int], teams: list[list[int]], records: Round) -> dict[str, str]:
    """The form of a round as it is filled in."""
    filled: dict[str, str] = {}
    for team in teams:
        first, who = records[team[0]], ids[team[0]]
        filled |= {f"bonus-{who}-{kind}": str(n) for kind, n in first["bonus"].items() if n}
        filled[f"table-{who}"] = str(first["table"])
        filled |= {f"aside-{who}": str(first["aside"])} if "aside" in first else {}
        if len(team) > 1 or not first.get("out"):
            filled[f"left-{who}"] = str(sum(records[seat].get("left", 0) for seat in team))
        if not first.get("reserve", True):
            filled["untaken"] = str(who)
        for seat in team:
            if records[seat].get("out"):
                filled["out"] = str(ids[seat])
    return filled


def save(phone: Phone, fields: dict[str, str], *, dry: bool = False) -> None:
    """Save a count; a round that nobody ended is asked about once."""
    phone.press("save", 422 if dry else 200, **fields)
    if dry:
        phone.press("sure")


@pytest.fixture
def evening(request, client, database):
    """A game to its end; answers the table, the points by round and team, and the teams."""
    slug, players, size, seed = request.param
    random, rules = Random(f"{slug} {players} {size} {seed}"), RULES[slug]
    teams, names, more = teams_of(players, size), NAMES[:players], {}
    if size != SIZES[players]:
        sizes = {"2-3": 1, "4": 2, "5": 1, "6": size}
        more = {"draft": kept(database, slug, {"teams.size": sizes})}
    table, phone = Table(database, names, slug, **more), Phone(client)
    ids = [table.ids[name.lower()] for name in names]
    scored: list[list[int]] = []
    while not table.pad.over:
        number = len(scored) + 1
        records = a_round(slug, random, teams, dry=number == 2)
        phone.open(f"/g/{table.pub}/rounds/{number}")
        save(phone, fields_of(ids, teams, records), dry=number == 2)
        scored.append(points_of(rules, teams, records))
        assert_scores(table, scored)
        if number == 1:
            correct(phone, table, (slug, teams, records), scored)
    assert number == rules.rounds or max(map(sum, zip(*scored, strict=True))) >= (rules.target or 0)
    table.tap(taps.finish_game)
    return table, scored, teams


def correct(phone, table, first, scored):
    """Correct what the first team has on the table, undo that, and do it again."""
    slug, teams, records = first
    was, who = [*scored[0]], table.ids["ann"]
    records[0]["table"] += 105
    phone.open(f"/g/{table.pub}/rounds/1/hands/{who}")
    save(phone, {f"table-{who}": str(records[0]["table"])})
    scored[0] = points_of(RULES[slug], teams, records)
    assert scored[0] != was
    assert_scores(table, scored)
    table.undo()
    assert_scores(table, [was])
    table.redo()
    assert_scores(table, scored)


def assert_scores(table: Table, scored: list[list[int]]) -> None:
    pad = table.pad
    rows = [[cell.points for cell in row.cells] for row in pad.rows if row.complete]
    assert rows == scored
    assert [column.total for column in pad.columns] == list(map(sum, zip(*scored, strict=True)))


EVENINGS = [
    *(("canasta", players, SIZES[players], 1) for players in (4, 6)),
    ("canasta", 6, 2, 1),
    *(("samba", players, SIZES[players], 1) for players in (4, 6)),
    *(("hand-and-foot", players, SIZES[players], 1) for players in (4, 6)),
    ("hand-and-foot", 6, 2, 1),
    *(("burraco", 4, 2, seed) for seed in (1, 2)),
]


@pytest.mark.parametrize("evening", in_turn(EVENINGS, each=3), indirect=True)
def test_an_evening_is_scored_printed_and_carried_elsewhere(evening, client, other, tmp_path):
    database = evening[0].database
    table, scored, teams = evening
    totals = list(map(sum, zip(*scored, strict=True)))
    best = max(totals)
    won = [team for team, total in zip(teams, totals, strict=True) if total == best]
    names = [" and ".join(NAMES[seat] for seat in team) for team in teams]

    pad = table.pad
    assert set(pad.winners) == {NAMES[seat] for team in won for seat in team}
    sheet = database.read(read_sheet, table.pub)
    assert [each.seat.total for each in sheet.standing] == sorted(totals, reverse=True)
    assert client.get(f"/g/{table.pub}/result").status_code == 200
    if len(teams[0]) == 2:
        assert [column.name for column in pad.columns] == names

    printed = database.read(read_print, table.pub)
    assert [column.seat.total for column in printed.columns] == totals
    assert len(printed.rows) >= len(scored)

    text = "".join(write_totals(database, Selection()))[1:]
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [int(row["total"]) for row in rows] == [
        totals[seat % len(teams)] for seat in range(len(rows))
    ]
    assert {int(row["won"]) for row in rows if int(row["total"]) == best} == {1}

    book = list(write_book(database, Selection()))
    with staging() as staged:
        read_book(staged, book, read_pad)
        copy_staged(other, staged)
    assert list(write_book(other, Selection())) == book
    assert not list(find_faults(other))

    url = f"sqlite:///{tmp_path / 'back.db'}"
    put_back(take_backup(str(database.engine.url), tmp_path / "backups").path, url)
    with closing(Database(url)) as back:
        assert back.read(read_history).lines == database.read(read_history).lines
