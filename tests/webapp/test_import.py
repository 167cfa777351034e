"""Import: the same book comes out again, whole or not at all."""

import json
import random
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.described import from_nothing
from tests.examples import examples
from tests.webapp.books import add_players, play_at_random
from tests.webapp.table import Table, sent
from webapp.backups.check import find_faults
from webapp.db import Database
from webapp.exchange import reading
from webapp.exchange.choice import Selection
from webapp.exchange.lines import SCHEMA
from webapp.exchange.preview import HouseNotEmptyError, copy_staged, staging
from webapp.exchange.reading import BentFileError, read_book
from webapp.exchange.writing import write_book
from webapp.game.facts import Noted
from webapp.ledger.quota import MORE_TO_END, MOST_ENTRIES, GameFullError, require_quota_of
from webapp.ledger.seals import NO_SEAL, seal
from webapp.models import utcnow
from webapp.own_games.commands import save_game
from webapp.own_games.examples import ruled_today
from webapp.pages.scorepad import commands as taps
from webapp.pages.scorepad.view import read_pad
from webapp.players.commands import hide_player, merge_players, rename_player

pytestmark = pytest.mark.slow


def written(database, **which):
    return list(write_book(database, Selection(**which)))


def carry(lines, database):
    """Import a file; answers how many games were new."""
    with staging() as staged:
        read_book(staged, lines, read_pad)
        return copy_staged(database, staged)


def lively(database, seed, games=8):
    """A book with all there is: games of many kinds, names, merged and hidden players."""
    players = add_players(database, 5)
    play_at_random(database, random.Random(seed), players, games)
    database.write(rename_player, players[0], "Zoë", sent())
    database.write(add_one, "Somebody else")
    return players


def add_one(session, name):
    from webapp.players.queries import add_player

    add_player(session, name, sent())


@settings(
    max_examples=examples(12),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 10**6), games=st.integers(0, 5))
def test_export_import_export_is_equal_to_the_byte(seed, games, migrated_sqlite, tmp_path_factory):
    folder = tmp_path_factory.mktemp("books")
    books = []
    for name in ("one", "two"):
        copy = folder / f"{name}.db"
        copy.write_bytes(Path(migrated_sqlite).read_bytes())
        books.append(Database(f"sqlite:///{copy}"))
    with closing(books[0]) as one, closing(books[1]) as two:
        lively(one, seed, games)
        before = written(one)

        carry(before, two)

        assert written(two) == before
        assert list(find_faults(two)) == []


@pytest.mark.databases
def test_a_whole_book_arrives_on_each_database(database, other):
    lively(other, 3)
    before = written(other)

    carry(before, database)

    assert written(database) == before
    assert list(find_faults(database)) == []
    # And the book goes on: the next player has a number of their own.
    assert Table(database, ("Neu", "Zoë")).pad


def test_a_hand_that_closed_in_a_way_of_its_house_rules_arrives_as_such(database, other):
    for game, closed in (("gin-rummy", "big-gin"), ("romme", "outright")):
        rule = {"gin-rummy": {"big-gin": "31"}, "romme": {"at-once": "2"}}[game]
        table = Table(other, ("Ana", "Ben"), game, options=rule)
        table.save(1, table.typed(1, close=closed, ana="out", ben="20"))
    before = written(other)

    carry(before, database)

    assert written(database) == before
    assert list(find_faults(database)) == []


def bent(lines, at, change):
    """A file with one line changed, as who means harm would."""
    line = json.loads(lines[at])
    [(kind, what)] = line.items()
    change(what)
    return [*lines[:at], json.dumps({kind: what}) + "\n", *lines[at + 1 :]]


def find(lines, kind, count=1):
    return [at for at, line in enumerate(lines) if line.startswith(f'{{"{kind}"')][count - 1]


CHANGES = {
    "a payload": (
        "entry",
        2,
        lambda what: what.update(payload=what["payload"].replace("60", "61")),
    ),
    "a time": ("entry", 2, lambda what: what.update(at="2026-01-01T00:00:00.000000+00:00")),
    "a seal": ("entry", 2, lambda what: what.update(seal="0" * 64)),
    "a gap": ("entry", 2, lambda what: what.update(seq=3)),
    "a kind": ("entry", 1, lambda what: what.update(kind="whatever")),
    "a field": ("game", 1, lambda what: what.update(more=1)),
    "a stranger": ("player", 1, lambda what: what.update(id=99)),
    "a name": ("player", 1, lambda what: what.update(name="A\u202ena")),
    "a zero byte": ("player", 1, lambda what: what.update(name="A\0na")),
    "a number": ("player", 1, lambda what: what.update(id=2**70)),
    "a moment": ("game", 1, lambda what: what.update(at="yesterday")),
    "an age": ("game", 1, lambda what: what.update(at="1066-10-14T09:00:00.000000+00:00")),
    "a player of many digits": ("game", 1, lambda what: what.update(players={"9" * 5000: 1})),
    "a player in words": ("game", 1, lambda what: what.update(players={"٣": 1})),
    "a version": ("laydown", 1, lambda what: what.update(schema=SCHEMA + 1)),
    "an own game": ("game", 1, lambda what: what.update(variant="own-7")),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_bent_file_is_named_by_its_line_and_keeps_nothing(name, database, other):
    kind, count, change = CHANGES[name]
    Table(other, ("Ana", "Cleo")).play(2)
    lines = written(other)
    at = find(lines, kind, count)
    before = written(database)

    with pytest.raises(BentFileError) as caught:
        carry(bent(lines, at, change), database)

    assert written(database) == before
    if name != "a stranger":
        assert str(caught.value).startswith(f"Line {at + 1}: ")


NO_GAMES = ("[]", "12", "{}x", "[[1, 2]]", '"a"', "[" * 50)
"""What could be in the place of a game of your own, and isn’t one. Each made *New game* fail."""


@pytest.mark.parametrize("field", ["spec", "prose"])
@pytest.mark.parametrize("written_in", NO_GAMES)
def test_an_own_game_that_cannot_be_read_is_named_by_its_line(field, written_in, database, other):
    other.write(save_game, ruled_today(from_nothing()), sent())
    lines = written(other)
    at = find(lines, "own-version")

    with pytest.raises(BentFileError) as caught:
        carry(bent(lines, at, lambda what: what.update({field: written_in})), database)

    assert str(caught.value).startswith(f"Line {at + 1}: ")
    carry(lines, database)


def test_a_line_that_has_a_key_twice_is_refused(database, other):
    Table(other, ("Ana", "Cleo")).play(2)
    lines = written(other)
    at = find(lines, "player")
    twice = lines[at].replace('"name"', '"name":"Zoe","name"', 1)

    with pytest.raises(BentFileError, match="“name” is there twice"):
        carry([*lines[:at], twice, *lines[at + 1 :]], database)


@pytest.mark.parametrize("cut", [1, 3, 5])
def test_a_torn_file_is_rejected(cut, database, other):
    Table(other, ("Ana", "Cleo")).play(2)

    with pytest.raises(BentFileError):
        carry(written(other)[:-cut], database)


def test_a_seal_made_to_fit_does_not_help_what_cannot_be_replayed(database, other):
    table = Table(other, ("Ana", "Cleo"))
    table.play(1)
    lines = written(other)
    at = find(lines, "entry")

    def change(what):
        said = json.loads(what["payload"])
        said["dealer"] = 40
        what["payload"] = json.dumps(said, sort_keys=True, separators=(",", ":"))
        row = {**what, "at": utcnow().fromisoformat(what["at"])}
        what["seal"] = seal(NO_SEAL, row)

    cut = bent(lines, at, change)
    alone = [*cut[: at + 1], json.dumps({"end": {"lines": at + 1}}) + "\n"]
    with pytest.raises(BentFileError) as caught:
        carry(alone, database)
    assert str(caught.value).startswith(f"Line {at}: ")


def test_a_reader_that_trusts_seals_would_be_seen(database, other, monkeypatch):
    monkeypatch.setattr(reading, "find_unsealed", lambda _: None)
    monkeypatch.setattr("webapp.ledger.intake.find_unsealed", lambda _: None)

    with pytest.raises(pytest.fail.Exception):
        test_a_bent_file_is_named_by_its_line_and_keeps_nothing("a payload", database, other)


@settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(lines=st.lists(st.text(max_size=60), max_size=5))
def test_any_text_is_a_book_or_is_refused(lines):
    with staging() as staged, pytest.raises(BentFileError):
        read_book(staged, lines, read_pad)


def test_merged_and_hidden_players_arrive_as_such(database, other):
    one, two = Table(other, ("Bne", "Cleo")), Table(other, ("Ben", "Dora"))
    one.play(1)
    two.play(1)
    other.write(merge_players, one.ids["bne"], "Ben", sent())
    other.write(hide_player, two.ids["dora"], sent())
    lines = written(other)

    carry(lines, database)

    assert written(database) == lines
    assert list(find_faults(database)) == []


def test_one_game_of_a_player_of_two_names_comes_back_to_the_byte(database, other):
    one, two = Table(other, ("Bne", "Cleo")), Table(other, ("Ben", "Dora"))
    one.play(6)
    one.tap(taps.finish_game)
    other.write(merge_players, one.ids["bne"], "Ben", sent())
    lines = written(other, pub=one.pub)

    carry(lines, database)

    assert written(database, pub=one.pub) == lines
    assert two.pub not in "".join(written(database))


def test_a_game_with_more_in_it_than_any_has_room_for_is_refused():
    facts = [Noted(round=1, text="more")] * (MOST_ENTRIES + MORE_TO_END + 2)

    with pytest.raises(GameFullError):
        require_quota_of(facts)
    require_quota_of(facts[1:])


@pytest.mark.databases
def test_a_book_comes_into_an_empty_house_only(database, other):
    Table(other, ("Ana", "Cleo")).play(2)
    lines = written(other)
    database.write(add_one, "Dora")
    before = written(database)

    with pytest.raises(HouseNotEmptyError):
        carry(lines, database)

    assert written(database) == before
