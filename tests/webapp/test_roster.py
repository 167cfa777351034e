"""The roster: renaming, hiding and merging players, each kept in a log and taken back from it."""

import pytest
from sqlalchemy import delete, text, update
from sqlalchemy.exc import DBAPIError

from tests.webapp.roster import Roster
from tests.webapp.table import Table
from webapp.ledger import roster as log
from webapp.ledger.ledger import FormKey, new_key
from webapp.ledger.roster import RosterFullError, rebuild_roster, shown_names
from webapp.ledger.verification import verify_roster
from webapp.models import Player, PlayerName
from webapp.pages.games.commands import start_game
from webapp.pages.games.page import NewGameChoices
from webapp.pages.games.view import read_new_game
from webapp.pages.scorepad import commands as taps
from webapp.pages.seats.commands import SeatsRefusedError, join, leave
from webapp.pages.seats.view import Joining, read_join_page
from webapp.players import commands as changes
from webapp.players.queries import read_roster
from webapp.text.refusals import (
    ChangeNotFoundError,
    PlayerExistsError,
    PlayerNotFoundError,
    RosterRefusedError,
)

pytestmark = [pytest.mark.databases, pytest.mark.slow]


@pytest.fixture
def roster(database):
    yield Roster(database)
    assert database.read(verify_roster) == ()


@pytest.fixture
def typo(database, table, roster):
    """Another game, in which Ben sat under a name that was mistyped."""
    return Table(database, ("Bne", "Dov"))


def shown(table):
    return [seat.name for seat in table.pad.seats]


def test_a_renamed_player_has_the_new_name_on_every_pad_and_can_get_the_old_one_back(roster, table):
    roster.rename("Ben", "Benita")
    roster.rename("Benita", "Benno")
    assert shown(table) == ["Ana", "Benno", "Cleo"]

    roster.void(2)
    assert shown(table) == ["Ana", "Benita", "Cleo"]
    roster.void(1)
    assert shown(table) == ["Ana", "Ben", "Cleo"]
    roster.void(4)
    assert shown(table) == ["Ana", "Benita", "Cleo"]


def test_a_name_that_somebody_else_has_by_now_is_not_given_back(roster, table):
    roster.rename("Ben", "Benita")
    Table(table.database, ("Ben", "Eva"))

    with pytest.raises(RosterRefusedError):
        roster.void(1)

    assert shown(table) == ["Ana", "Benita", "Cleo"]


def test_the_log_holds_no_name_and_a_name_can_be_erased(roster, table, database):
    roster.rename("Ben", "Benita")
    ben = table.ids["ben"]

    def erase(session):
        session.execute(delete(PlayerName).where(PlayerName.player_id == ben))
        named = {"name": f"Player {ben}", "folded": f"player {ben}"}
        session.execute(update(Player).where(Player.id == ben).values(named))

    rows = database.read(
        lambda session: str(session.execute(text("SELECT * FROM roster_entry")).all())
    )
    assert "Ben" not in rows
    database.write(erase)

    assert roster.changes == [("a deleted name was renamed to a deleted name", False)]
    with pytest.raises(RosterRefusedError):
        roster.void(1)
    database.write(rebuild_roster)
    assert database.read(shown_names, [ben]) == {ben: f"Player {ben}"}


@pytest.mark.parametrize(
    "statement", ["UPDATE roster_entry SET device = 'x'", "DELETE FROM roster_entry"]
)
def test_what_was_changed_is_never_forgotten(roster, table, database, statement):
    roster.hide("Ben")

    with pytest.raises(DBAPIError):
        database.write(lambda session: session.execute(text(statement)))


def test_a_player_who_is_hidden_is_not_offered_and_their_games_stay(roster, table):
    roster.hide("Ben")

    assert roster.offered == {"Ana", "Cleo"}
    assert shown(table) == ["Ana", "Ben", "Cleo"]
    page = table.database.read(read_roster)
    assert [line.name for line in page.hidden] == ["Ben"]
    roster.void(page.hidden[0].seq)
    assert roster.offered == {"Ana", "Ben", "Cleo"}


def test_a_player_who_is_hidden_sits_down_when_they_are_named(roster, table):
    roster.hide("Ben")

    again = Table(table.database, ("Ben", "Eva"))

    assert again.ids["ben"] == table.ids["ben"]
    assert "Ben" not in roster.offered


def test_both_names_count_for_one_person(roster, table, typo):
    roster.merge("Bne", "Ben")

    assert "Bne" not in roster.lines
    assert roster.lines["Ben"].games == 2
    assert [name for _, name in roster.lines["Ben"].also] == ["Bne"]
    assert shown(typo) == ["Ben", "Dov"]
    assert roster.offered == {"Ana", "Ben", "Cleo", "Dov"}

    roster.void(1)
    assert roster.lines["Ben"].games == roster.lines["Bne"].games == 1
    assert shown(typo) == ["Bne", "Dov"]


def test_a_phone_that_shows_a_merged_player_looks_again(roster, table, typo):
    before = [table.database.version_of(each.pub) for each in (table, typo)]

    roster.merge("Bne", "Ben")

    after = [table.database.version_of(each.pub) for each in (table, typo)]
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False]


def test_players_are_merged_over_several_names_and_parted_in_any_order(roster, table, typo):
    third = Table(table.database, ("Bneee", "Eva"))
    roster.merge("Bneee", "Bne")
    roster.merge("Bne", "Ben")
    assert (shown(third)[0], roster.lines["Ben"].games) == ("Ben", 3)

    roster.void(2)
    assert (shown(third)[0], shown(typo)[0]) == ("Bne", "Bne")
    roster.void(3)
    roster.void(1)
    assert (shown(third)[0], shown(typo)[0]) == ("Bneee", "Ben")


def test_players_of_one_table_are_two_people(roster, table):
    with pytest.raises(RosterRefusedError):
        roster.merge("Ana", "Ben")

    assert roster.changes == []


def test_players_of_one_table_under_another_name_are_two_people(roster, table, typo):
    Table(table.database, ("Bne", "Bneee"))
    roster.merge("Bne", "Ben")

    with pytest.raises(RosterRefusedError):
        roster.merge("Bneee", "Ben")


def test_what_is_put_back_must_still_be_possible(roster, table, typo):
    roster.merge("Bne", "Ben")
    roster.void(1)
    Table(table.database, ("Bne", "Ben"))

    with pytest.raises(RosterRefusedError):
        roster.void(2)


def test_merging_never_leads_round_in_a_circle(roster, table, typo):
    roster.merge("Bne", "Ben")
    roster.void(1)
    roster.merge("Ben", "Bne")

    with pytest.raises(RosterRefusedError):
        roster.void(2)
    with pytest.raises(RosterRefusedError):
        roster.merge("Bne", "Ben")
    with pytest.raises(RosterRefusedError):
        roster.merge("Bne", "Bne")


def test_a_merged_player_cannot_be_merged_with_somebody_else(roster, table, typo):
    roster.merge("Bne", "Ben")

    with pytest.raises(RosterRefusedError):
        roster.merge("Bne", "Cleo")


def test_nobody_is_merged_with_an_unknown_player(roster, table):
    with pytest.raises(RosterRefusedError):
        roster.merge("Ben", "Zoe")
    with pytest.raises(PlayerNotFoundError):
        roster.do(changes.merge_players, 999, "Ben")
    with pytest.raises(PlayerNotFoundError):
        roster.do(changes.hide_player, 999)
    with pytest.raises(ChangeNotFoundError):
        roster.void(1)


def test_a_name_that_was_merged_is_taken_and_leads_to_the_person(roster, table, typo):
    roster.merge("Bne", "Ben")

    with pytest.raises(PlayerExistsError):
        roster.rename("Ana", "Bne")
    with pytest.raises(PlayerExistsError):
        roster.rename("Ben", "Bne")
    again = Table(table.database, ("Ben", "Eva"))
    choices = NewGameChoices(
        variant="mexican-rummy", seats=("+bne", f"{typo.ids['bne']}", "+Eva"), key=new_key()
    )
    form = table.database.read(read_new_game, choices)
    assert [seat.name for seat in form.seated] == ["Ben", "Eva"]
    again.pub = table.database.write(start_game, choices, "phone")
    assert [seat.player_id for seat in again.pad.seats] == [again.ids["ben"], again.ids["eva"]]


def test_a_merged_player_is_at_the_table_already(roster, table, typo):
    roster.merge("Bne", "Ben")
    page = table.database.read(read_join_page, typo.pub)

    assert {"Ben", "Dov"}.isdisjoint(line.name for line in page.players)
    for joining in (Joining(name="Ben"), Joining(player=str(table.ids["ben"]))):
        with pytest.raises(SeatsRefusedError):
            roster.do(join, typo.pub, joining)


def test_a_merged_player_comes_back_to_the_old_seat(roster, table, database):
    third = Table(database, ("Bne", "Dov", "Eva"))
    third.count(1, bne="out", dov="20", eva="30")
    sent = FormKey(key=new_key())
    database.write(leave, third.pub, third.ids["bne"], sent, ranked=True)
    roster.merge("Bne", "Ben")

    roster.do(join, third.pub, Joining(name="Ben"))

    assert shown(third) == ["Ben", "Dov", "Eva"]
    assert [seat.left for seat in third.pad.seats] == [False, False, False]


def test_a_rematch_is_played_under_the_right_name(roster, table, typo):
    typo.count(1, bne="out", dov="20")
    typo.tap(taps.finish_game)
    roster.merge("Bne", "Ben")

    typo.pub = typo.tap(taps.play_again)
    roster.void(1)

    assert shown(typo) == ["Ben", "Dov"]
    assert roster.lines["Ben"].games == 2


def test_a_tap_that_another_phone_was_quicker_with_changes_nothing(roster, table):
    roster.hide("Ben")
    roster.hide("Ben")
    roster.void(1)
    roster.void(1)

    assert roster.changes == [("Ben was hidden", True)]
    assert "Ben" in roster.offered


def test_the_roster_is_not_filled_by_one_phone(roster, table, monkeypatch):
    monkeypatch.setattr(log, "MOST_OF_A_PHONE", 3)
    monkeypatch.setattr(log, "MOST_CHANGES", 5)
    for seq in range(3):
        roster.void(seq) if seq else roster.hide("Ben")

    with pytest.raises(RosterFullError):
        roster.void(3)
    roster.do(changes.take_back_change, 3, device="other")
    roster.do(changes.take_back_change, 4, device="other")
    with pytest.raises(RosterFullError):
        roster.do(changes.take_back_change, 5, device="third")


def test_a_change_that_was_tampered_with_is_found(table, database):
    roster = Roster(database)
    roster.hide("Ben")
    roster.hide("Cleo")

    database.write(lambda session: session.execute(text("UPDATE player SET hidden = NOT hidden")))

    assert len(database.read(verify_roster)) == 3
    database.write(rebuild_roster)
    assert database.read(verify_roster) == ()
