"""An evening's vandal: all that one phone entered is taken back at once, and can be put back."""

from dataclasses import replace

import pytest

from tests.webapp.table import HTMX, OWN, Phone, Table, entries, game_id
from webapp.game import replay
from webapp.ledger.ledger import FormKey, new_key, read_game
from webapp.ledger.verification import verify
from webapp.pages.counting import commands as counting
from webapp.pages.history.view import read_sheet
from webapp.pages.notes import commands as notes
from webapp.pages.phones import commands as phones
from webapp.pages.phones.view import read_phone
from webapp.pages.scorepad import commands as taps
from webapp.pages.seats import commands as seats
from webapp.pages.seats.view import Joining
from webapp.text.refusals import GameFinishedError, PhoneNotFoundError

pytestmark = pytest.mark.slow

PAGES = ("", "/notes", "/phones", "/phones/1", "/seats", "/sheet", "/desk", "/rounds/1", "/print")


@pytest.fixture
def evening(table, client):
    """A game in which several phones write; every page of it can be seen at its end."""
    yield Evening(table)
    for page in PAGES:
        answer = client.get(f"/g/{table.pub}{page}")
        assert answer.status_code in {200, 302, 303, 404, 409}, page
    assert table.database.read(verify, game_id(table)) == ()


class Evening:
    def __init__(self, table: Table):
        self.table = table
        self.database = table.database

    def count(self, device, number, **hands):
        only = next(iter(hands)) if len(hands) == 1 else ""
        typed = self.table.typed(number, sure=True, only=only, **hands)
        typed = replace(typed, key=new_key(), device=device)
        return self.database.write(counting.save_count, self.table.pub, number, typed).seq

    def do(self, command, *given, device, **more):
        sent = FormKey(key=new_key(), device=device)
        return self.database.write(command, self.table.pub, *given, sent, **more).seq

    def number(self, device):
        entered = self.database.read(read_game, self.table.pub).entered
        return list(dict.fromkeys(entry.device for entry in entered)).index(device) + 1

    def undo(self, device, since=1, by="phone"):
        return self.do(phones.undo_phone, self.number(device), since, device=by)

    def follows(self, device, since=None):
        page = self.database.read(read_phone, self.table.pub, self.number(device), since, "phone")
        return " ".join(page.follows)

    def scores(self):
        return [row for row in self.table.scores() if any(cell is not None for cell in row)]


def test_what_a_phone_entered_is_taken_back_and_what_others_saved_in_between_stays(evening):
    evening.count("phone", 1, ana="out", ben="45", cleo="60")
    evening.do(notes.note, 1, "Nonsense", device="vandal")
    evening.count("vandal", 1, ben="95")
    evening.do(notes.note, 1, "Ben dealt twice", device="phone")
    evening.count("vandal", 2, ana="out", ben="5", cleo="5")
    evening.count("phone", 1, cleo="65")

    evening.undo("vandal")

    assert evening.scores() == [[0, 45, 65]]
    assert evening.table.pad.rows[0].notes == ("Ben dealt twice",)
    assert evening.table.pad.round_number == 2


@pytest.mark.databases
def test_it_is_one_entry_and_is_put_back_by_one(evening):
    evening.count("phone", 1, ana="out", ben="45", cleo="60")
    evening.count("vandal", 1, ben="95")
    evening.count("vandal", 1, cleo="95")
    before = len(entries(evening.table))

    undone = evening.undo("vandal")
    assert entries(evening.table)[before:] == ["undone"]
    assert evening.scores() == [[0, 45, 60]]
    evening.count("phone", 2, ana="out", ben="10", cleo="20")

    evening.do(phones.put_back, undone, device="phone")
    assert evening.scores() == [[0, 95, 95], [0, 10, 20]]
    assert evening.do(phones.put_back, undone, device="other") == len(entries(evening.table))


def test_only_what_was_entered_since_is_taken_back(evening):
    evening.count("phone", 1, ana="out", ben="45", cleo="60")
    evening.count("vandal", 2, ana="out", ben="10", cleo="20")
    later = evening.count("vandal", 2, ben="95")

    evening.undo("vandal", later)

    assert evening.scores() == [[0, 45, 60], [0, 10, 20]]


def test_what_a_phone_took_back_is_there_again(evening):
    evening.count("phone", 1, ana="out", ben="45", cleo="60")
    seq = evening.do(notes.note, 1, "Ben dealt twice", device="phone")
    evening.do(notes.take_back, seq, device="vandal")
    evening.do(taps.void_entry, evening.table.pad.undo.seq, device="vandal")
    assert evening.scores() == []

    evening.undo("vandal")

    assert evening.scores() == [[0, 45, 60]]
    assert evening.table.pad.rows[0].notes == ("Ben dealt twice",)


def test_undoing_everything_of_a_phone_can_also_be_undone(evening):
    evening.count("phone", 1, ana="out", ben="45", cleo="60")
    evening.undo("phone", by="vandal")
    assert evening.scores() == []

    evening.undo("vandal")

    assert evening.scores() == [[0, 45, 60]]


def test_a_correction_of_an_undone_entry_goes_with_it_and_the_page_says_which(evening):
    evening.count("vandal", 1, ana="out", ben="95", cleo="60")
    evening.count("phone", 1, ben="45")
    assert "the correction of Ben in round 1" in evening.follows("vandal")

    evening.undo("vandal")

    assert evening.scores() == []


def test_a_hand_that_is_missing_is_counted_again_and_later_rounds_come_back(evening):
    for number in (1, 2, 3):
        evening.count("phone", number, ana="out")
        evening.count("phone", number, cleo="20")
        evening.count("vandal" if number == 2 else "phone", number, ben="10")
    says = evening.follows("vandal")
    assert "You’ll score round 2 again for Ben." in says
    assert "Round 3 comes back" in says

    evening.undo("vandal")
    assert evening.scores() == [[0, 10, 20], [0, None, 20]]
    assert evening.table.pad.round_number == 2
    assert evening.table.totals() == [0, 10, 20]

    evening.count("phone", 2, ben="45")
    assert evening.scores() == [[0, 10, 20], [0, 45, 20], [0, 10, 20]]
    assert evening.table.totals() == [0, 65, 60]


def test_without_gaps_a_hand_would_be_missing_for_good(table, monkeypatch):
    """The twin of the replay: what is blank in a round that others followed stays so."""
    evening = Evening(table)
    monkeypatch.setattr(replay, "find_gaps", lambda *_: frozenset())
    for number in (1, 2):
        evening.count("phone", number, ana="out")
        evening.count("phone", number, cleo="20")
        evening.count("vandal" if number == 1 else "phone", number, ben="10")

    evening.undo("vandal")

    assert table.pad.round_number == 3
    assert not table.pad.rows[0].cells[1].opens


def test_a_whole_round_that_is_missing_is_counted_again_and_later_ones_come_back(evening):
    evening.count("vandal", 1, ana="out", ben="10", cleo="20")
    evening.count("phone", 2, ana="out", ben="30", cleo="40")
    evening.count("phone", 1, cleo="25")
    evening.count("phone", 2, cleo="45")

    evening.undo("vandal")
    assert evening.scores() == []
    assert evening.table.pad.changed == ""

    evening.count("phone", 1, ana="out", ben="15", cleo="25")
    assert evening.scores() == [[0, 15, 25], [0, 30, 45]]


def test_a_player_who_joined_by_that_phone_is_gone_with_their_scores(evening):
    table = evening.table
    evening.do(seats.join, Joining(name="Dov"), device="vandal")
    table.seat("Dov")
    evening.count("phone", 1, ana="out", ben="45", cleo="60", dov="20")
    evening.do(notes.take, table.ids["dov"], device="phone")
    says = evening.follows("vandal")
    assert "Dov’s May I" in says
    assert "Dov leaves the game" in says

    evening.undo("vandal")

    assert [seat.name for seat in table.pad.seats] == ["Ana", "Ben", "Cleo"]
    assert evening.scores() == [[0, 45, 60]]
    assert table.database.read(read_sheet, table.pub).standing[0].seat.name == "Ana"


def test_if_all_is_undone_already_nothing_is_entered(evening):
    evening.count("vandal", 1, ana="out", ben="45", cleo="60")
    evening.undo("vandal")
    before = entries(evening.table)

    evening.undo("vandal")

    assert entries(evening.table) == before


def test_a_finished_game_is_reopened_first(evening):
    evening.count("vandal", 1, ana="out", ben="45", cleo="60")
    evening.table.tap(taps.finish_game)

    with pytest.raises(GameFinishedError):
        evening.undo("vandal")


@pytest.mark.parametrize("number", [0, 3, 99])
def test_a_phone_that_never_entered_anything_is_not_found(evening, number):
    evening.count("vandal", 1, ana="out", ben="45", cleo="60")

    with pytest.raises(PhoneNotFoundError):
        evening.do(phones.undo_phone, number, 1, device="phone")
    with pytest.raises(PhoneNotFoundError):
        evening.do(phones.put_back, 2, device="phone")


def test_on_the_pages_a_phone_is_taken_back_and_put_back(client, table):
    evening = Evening(table)
    evening.count("vandal", 1, ana="out", ben="45", cleo="60")
    evening.count("vandal", 1, ben="95")
    phone = Phone(client)
    phone.open(f"/g/{table.pub}/sheet")
    phone.tap("Undo all of a phone")
    phone.tap("Phone 2")
    phone.open("?since=3")
    phone.press("undo")
    assert evening.scores() == [[0, 45, 60]]

    phone.open(f"/g/{table.pub}/sheet")
    phone.tap("Undo all of a phone")
    phone.press("redo-4")

    assert evening.scores() == [[0, 95, 60]]
    form = {"key": new_key(), "since": "2"}
    answer = client.post(f"/g/{table.pub}/phones/2/undoings", data=form, headers=OWN | HTMX)
    assert answer.headers["HX-Redirect"] == f"/g/{table.pub}#saved"
    assert evening.scores() == []
