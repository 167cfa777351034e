"""A file that is no game leaves all others running, and is reported."""

import shutil
import subprocess
import sys

import pytest

from referee import variants
from referee.variants import read_catalogue
from tests import described
from webapp._bootstrap import ROOT

pytestmark = pytest.mark.slow

READ = """
import sys
opened = []
sys.addaudithook(lambda event, of: opened.append(str(of[0])) if event == "open" else None)
from referee import protocol, variants
print(sum(name.endswith(".toml") for name in opened))
variants.all()
print(sum(name.endswith(".toml") for name in opened))
"""


FEW = ["mexican-rummy", "remigio", "rummikub"]


@pytest.fixture
def folder(tmp_path):
    """The files of a few games, to be spoilt."""
    for slug in FEW:
        for file in described.GAMES.glob(f"{slug}.*"):
            shutil.copy(file, tmp_path)
    return tmp_path


def slugs(catalogue):
    return [game.slug for game in catalogue.games]


def test_nothing_that_comes_with_the_referee_is_left_out():
    assert variants.left_out() == ()
    every = (*variants.all(), *variants.points_only())
    assert sorted(game.slug for game in every) == described.every_slug()


SPOILT = {
    "no toml": b"players = [2 6]",
    "no text": b"\xff\xfe\x00",
    "empty": b"",
    "no game": b'schema = 1\nslug = "x"\nplayers = [2, 6]\n',
    "deep": b"a = " + b"[" * 5000 + b"]" * 5000,
}


@pytest.mark.parametrize("content", SPOILT.values(), ids=SPOILT)
def test_a_broken_file_leaves_all_others_running(folder, content):
    (folder / "remigio.toml").write_bytes(content)

    found = read_catalogue(folder)

    assert slugs(found) == ["mexican-rummy", "rummikub"]
    (left,) = found.left_out
    assert left.file == "remigio.toml"
    assert all(each.says.endswith((".", "?")) for each in left.complaints)


def test_broken_prose_leaves_its_game_out_and_no_other(folder):
    (folder / "rummikub.en.toml").write_text("name = ", encoding="utf-8")

    found = read_catalogue(folder)

    assert slugs(found) == ["mexican-rummy", "remigio"]
    assert [left.file for left in found.left_out] == ["rummikub.toml"]


def test_a_game_without_prose_has_sentences(folder):
    (folder / "rummikub.en.toml").unlink()

    found = read_catalogue(folder)

    assert not found.left_out
    (game,) = (game for game in found.games if game.slug == "rummikub")
    assert {clause.basis.value for clause in game.rulebook.clauses} == {"told"}


def test_a_name_that_is_taken_replaces_no_game(folder):
    text = (folder / "remigio.toml").read_text(encoding="utf-8")
    (folder / "zz-again.toml").write_text(text.replace("cards = 10", "cards = 9"), encoding="utf-8")

    found = read_catalogue(folder)

    assert sorted(slugs(found)) == FEW
    assert next(game for game in found.games if game.slug == "remigio").hand_size == 10
    assert [left.file for left in found.left_out] == ["zz-again.toml"]


@pytest.mark.slow
def test_no_game_is_read_before_one_is_asked_for():
    done = subprocess.run(
        [sys.executable, "-c", READ], cwd=ROOT, capture_output=True, text=True, check=True
    )
    before, after = map(int, done.stdout.split())

    assert before == 0
    assert after == 2 + 2 * len(described.every_slug())


ASKED_AT_ONCE = """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from referee import variants

together = Barrier(8)

def ask(_):
    together.wait()
    return id(variants.get("rummikub"))

with ThreadPoolExecutor(8) as pool:
    print(len(set(pool.map(ask, range(8)))))
"""


@pytest.mark.slow
def test_the_games_are_the_same_for_all_who_ask_first():
    asked = subprocess.run(
        [sys.executable, "-c", ASKED_AT_ONCE], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert asked.stdout == "1\n"
