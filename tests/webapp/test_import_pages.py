"""Importing on the page: shown first, imported once; and by the command."""

from io import BytesIO

import pytest
from sqlalchemy import func, select

from tests.webapp.table import OWN, Table, drawn_key
from webapp import cli
from webapp.exchange import preview as looking
from webapp.exchange.choice import Selection
from webapp.exchange.writing import write_book
from webapp.ledger.ledger import new_key
from webapp.models import Game
from webapp.pages.exchange import upload as incoming

pytestmark = pytest.mark.slow


@pytest.fixture
def file(other):
    """Another book as a file: one game of Ana and Cleo."""
    Table(other, ("Ana", "Cleo")).play(2)
    return "".join(write_book(other, Selection())).encode()


def games(database):
    count = select(func.count()).select_from(Game)
    return database.read(lambda session: session.execute(count).scalar_one())


def send(client, what, key="held-1"):
    fields = {"held": key, "file": (BytesIO(what), "book.jsonl")}
    return client.post("/imports", data=fields, headers=OWN)


def waiting(client):
    return list(client.application.extensions["config"].instance.glob("incoming/*"))


def test_a_file_is_shown_then_imported_once(client, database, file):
    key = new_key()

    send(client, file, key)
    shown = send(client, file, key)
    assert shown.status_code == 200
    assert "1 game and 2 players." in shown.text
    assert games(database) == 0

    before = len(waiting(client))
    for _ in range(2):
        kept = client.post("/imports/kept", data={"key": key}, headers=OWN)
        assert kept.status_code == 303
        assert games(database) == 1
    assert len(waiting(client)) == before - 1
    assert send(client, file).status_code == 422, "the house is not empty any more"


@pytest.mark.parametrize("what", [b"", b"{}", b"\xff\xfe", b"[" * 5000, b"x" * 200_000])
def test_what_is_no_book_is_a_sentence(what, client, database):
    answer = send(client, what)

    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert games(database) == 0


def test_a_page_takes_so_many_games(client, database, other, file, monkeypatch):
    """Each is replayed, and its pad made, while somebody waits."""
    Table(other, ("Ana", "Dora")).play(1)
    two = "".join(write_book(other, Selection())).encode()
    monkeypatch.setattr(looking, "MOST_GAMES", 1)
    answer = send(client, two)

    assert answer.status_code == 422
    assert "This page imports up to 1 games." in answer.text
    assert games(database) == 0
    monkeypatch.setattr(looking, "MOST_GAMES", 2)
    assert "2 games and 3 players." in send(client, two).text


def test_no_more_is_taken_than_a_page_takes(client, database):
    much = b"x" * (incoming.LARGEST_FILE + 1)
    kind = "multipart/form-data; boundary=x"
    answer = client.post("/imports", data=much, content_type=kind, headers=OWN)
    assert answer.status_code == 413
    large = {"name": "x" * 100_000, "key": new_key()}
    assert client.post("/players", data=large, headers=OWN).status_code == 413


def test_no_more_files_wait_than_have_room(client, database, file):
    for number in range(incoming.MOST_WAITING + 4):
        assert send(client, file, f"held-{number}").status_code == 200
    assert len(waiting(client)) == incoming.MOST_WAITING


def test_no_file_waits_with_a_name_that_was_deleted(client, database, file):
    table = Table(database, ("Ana", "Dora"))
    send(client, b"date,game,winner,Ana,Ben\n2025-12-27,Rummy,,1,2\n")
    assert waiting(client)

    path = f"/players/{table.ids['ana']}/deletion"
    fields = {"key": drawn_key(client, path), "word": "Ana"}
    assert client.post(path, data=fields, headers=OWN).status_code == 303

    assert not waiting(client)


def test_the_command_imports_into_a_new_book(tmp_path, file, monkeypatch, capsys):
    monkeypatch.setenv("LAYDOWN_INSTANCE", str(tmp_path / "new"))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    book = tmp_path / "book.jsonl"
    book.write_bytes(file)

    assert cli.main(["import", str(book)]) == 2, "nobody has agreed to it"
    assert cli.main(["import", str(book), "--yes"]) == 0
    capsys.readouterr()
    assert cli.main(["export", str(tmp_path / "again.jsonl")]) == 0
    assert (tmp_path / "again.jsonl").read_bytes() == file

    assert cli.main(["import", str(book), "--yes"]) == 1
    assert "empty" in capsys.readouterr().err
    monkeypatch.setenv("LAYDOWN_INSTANCE", str(tmp_path / "newer"))
    book.write_bytes(file[:-30])
    assert cli.main(["import", str(book), "--yes"]) == 1
    assert "Line " in capsys.readouterr().err
    assert cli.main(["import", str(tmp_path / "nothing"), "--yes"]) == 1
    assert cli.main(["import"]) == 2
