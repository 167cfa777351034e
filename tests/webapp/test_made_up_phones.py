"""One person with many cookies: who was there first counts, undoes and finishes all the same."""

from dataclasses import replace

import pytest

from tests.webapp.table import Table
from webapp.game.facts import Undone
from webapp.language import say
from webapp.ledger import quota
from webapp.ledger.ledger import FormKey, new_key, read_game
from webapp.ledger.quota import FIRST, QUOTAS, GameFullError
from webapp.pages.notes import commands as notes
from webapp.pages.notes.commands import NoteRefusedError
from webapp.pages.phones import commands as phones
from webapp.pages.phones.view import read_phones
from webapp.pages.scorepad import commands as taps

pytestmark = pytest.mark.slow

MOST = 5
"""How many phones can enter something in these games, and what is kept for each of the first."""


@pytest.fixture
def game(database, monkeypatch) -> "Game":
    """A game of two phones, with little room, that somebody then fills with phones made up."""
    small = {
        use: replace(each, in_all=FIRST * MOST + 1, of_a_phone=MOST, kept=MOST)
        for use, each in QUOTAS.items()
    }
    monkeypatch.setattr(quota, "QUOTAS", small)
    monkeypatch.setattr(quota, "MOST_PHONES", MOST)
    game = Game(Table(database, ("Ana", "Ben"), "rummikub"))
    game.count("phone", 1, ana="out", ben="20")
    game.count("other", 2, ana="out", ben="30")
    return game


class Game:
    def __init__(self, table: Table) -> None:
        self.table = table

    def do(self, device: str, command, *given):
        sent = FormKey(key=new_key(), device=device)
        return self.table.database.write(command, self.table.pub, *given, sent)

    def count(self, device: str, number: int, **hands: str):
        typed = self.table.typed(number, sure=True, **hands)
        typed = replace(typed, key=new_key(), device=device)
        return self.table.save(number, typed)

    def undo_or_redo(self, device: str):
        pad = self.table.pad
        return self.do(device, taps.void_entry, (pad.undo or pad.redo).seq)

    def put_back(self, device: str):
        state = self.table.database.read(read_game, self.table.pub)
        undone = [entry.seq for entry in state.entered if isinstance(entry.fact, Undone)]
        return self.do(device, phones.put_back, undone[-1])

    def scribble(self, device: str):
        return self.do(device, notes.note, 1, "Nonsense")

    def count_nonsense(self, device: str):
        return self.count(device, self.table.pad.round_number, ana="99", ben="out")

    def undo_the_first(self, device: str):
        return self.do(device, phones.undo_phone, 1, 1)

    def flood(self) -> None:
        """Do with each phone that is made up all that it is let do, and end the game."""
        commands = (
            self.scribble,
            self.count_nonsense,
            self.undo_or_redo,
            self.undo_the_first,
            self.put_back,
        )
        for device in [f"made up {number}" for number in range(MOST)]:
            for command in commands:
                as_often_as_it_is_let(command, device)
        self.do("made up 0", taps.finish_game)


def as_often_as_it_is_let(command, device: str) -> None:
    try:
        while not command(device).again:
            pass
    except (GameFullError, NoteRefusedError):
        pass


def clean_up(game: Game, device: str) -> None:
    """Put it right from one phone, play on and finish."""
    game.do(device, taps.reopen_game)
    page = game.table.database.read(read_phones, game.table.pub, device)
    for each in page.phones[2:]:
        game.do(device, phones.undo_phone, each.number, 1)
    game.count(device, 3, ana="out", ben="40")
    game.count(device, 3, ana="out", ben="45")
    game.do(device, taps.void_entry, game.table.pad.undo.seq)
    game.do(device, taps.finish_game)


@pytest.mark.parametrize("device", ["phone", "other"])
def test_phones_that_were_there_first_undo_the_others_and_play_on(game, device):
    game.flood()

    clean_up(game, device)

    assert game.table.scores() == [[20, -20], [30, -30], [40, -40]]
    assert game.table.pad.finished
    assert game.table.pad.rows[0].notes == ()


def test_so_many_phones_enter_something_in_a_game_and_no_more(game, monkeypatch):
    monkeypatch.setattr(quota, "QUOTAS", QUOTAS)
    for device in ("third", "fourth", "fifth"):
        game.scribble(device)

    with pytest.raises(GameFullError):
        game.count("sixth", 3, ana="out", ben="40")
    game.count("fifth", 3, ana="out", ben="40")


def test_a_later_phone_learns_that_the_rest_is_saved(game):
    game.count("third", 3, ana="out", ben="40")
    game.count("fourth", 4, ana="out", ben="40")

    with pytest.raises(GameFullError) as refused:
        game.count("fourth", 5, ana="out", ben="40")
    assert str(refused.value) == say("room.kept")
    game.count("third", 5, ana="out", ben="40")


def test_if_nothing_is_kept_a_game_could_be_filled(game, monkeypatch):
    """The twin: whoever comes first takes all."""
    greedy = {use: replace(each, kept=0) for use, each in quota.QUOTAS.items()}
    monkeypatch.setattr(quota, "QUOTAS", greedy)
    game.flood()

    with pytest.raises(GameFullError):
        clean_up(game, "phone")
