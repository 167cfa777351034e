"""What is printed: the blank sheet of each game, and a game as it stands."""

from typing import Any

import pytest

from referee import variants
from tests.examples import in_turn
from tests.webapp.table import Phone, Table, sent
from webapp.db import Database
from webapp.pages.notes import commands as notes
from webapp.pages.printing.view import BLANK_ROWS, LEAST_ROWS, PrintedSheet, blank_sheet, read_print
from webapp.pages.seats import commands as seats
from webapp.pages.seats.view import Joining
from webapp.text.refusals import SheetRefusedError

pytestmark = pytest.mark.slow

GAMES = variants.all()
MEXICAN, CLOSING, LAYING, MATCH, CLIMBING = (
    variants.get(slug)
    for slug in ("mexican-rummy", "remigio", "rummy-500", "rummikub", "eleven-phases")
)


def printed(table: Table) -> PrintedSheet:
    return table.database.read(read_print, table.pub)


def texts(table: Table) -> list[list[tuple[str, ...]]]:
    """The rounds that were reached, as they are printed."""
    return [[cell.texts for cell in row.cells] for row in printed(table).rows if any_text(row)]


def any_text(row: Any) -> bool:
    return any(text for cell in row.cells for text in cell.texts)


@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.slug)
def test_a_blank_sheet_has_a_column_a_team_or_player_and_a_row_a_round(variant: Any) -> None:
    for players in variant.players:
        sheet = blank_sheet(variant, players)
        columns = len(variant.teams(players))
        assert sheet.players == players
        assert len(sheet.names) == columns
        assert len(sheet.rows) == (variant.rounds or BLANK_ROWS)
        assert {len(row.cells) for row in sheet.rows} == {columns}
        assert not any(any_text(row) for row in sheet.rows)
        assert sheet.values
    usual = max(variant.players[0], min(4, variant.players[-1]))
    assert blank_sheet(variant).players == usual


def test_the_objectives_are_on_it() -> None:
    variant = MEXICAN
    rows = blank_sheet(variant, 4).rows
    assert [row.label for row in rows] == [
        each.title(variant.speaker) for each in variant.contracts
    ]
    assert [row.note for row in rows] == [variant.round_note(row.number) for row in rows]
    assert [row.label for row in blank_sheet(variant, 8).rows] == [
        each.brief(variant.speaker) for each in variant.contracts
    ]
    ladder = blank_sheet(CLIMBING).ladder
    assert ladder == tuple(each.title(CLIMBING.speaker) for each in CLIMBING.contracts)
    assert "reconstructed" in blank_sheet(CLIMBING).ladder_says


def test_each_game_has_the_columns_and_lines_it_needs() -> None:
    assert blank_sheet(CLIMBING, 4).parts == ("step", "points", "total")
    assert blank_sheet(CLIMBING, 8).parts == ("step", "points")
    assert blank_sheet(LAYING).parts == ("table", "hand", "total")
    assert blank_sheet(CLOSING, 3).asks_how
    assert not blank_sheet(MATCH).asks_how
    assert [label for label, _ in blank_sheet(MATCH).feet] == ["won", "total"]
    assert [label for label, _ in blank_sheet(CLIMBING).feet] == ["step", "total"]
    assert "×4" in dict(blank_sheet(CLOSING).closes).values()
    assert not blank_sheet(MATCH).closes


def test_values_that_are_printed_on_the_card_go_together() -> None:
    assert blank_sheet(MATCH).values == (("1–13", "as numbered"), ("joker", "30"))
    assert blank_sheet(MEXICAN).values[-1][1] == "20"


@pytest.mark.parametrize("players", [0, 1, 3, 99])
def test_no_sheet_for_more_or_fewer_than_can_play(players: int) -> None:
    with pytest.raises(SheetRefusedError):
        blank_sheet(LAYING, players)


def test_a_game_is_printed_with_points_and_running_totals(table: Table) -> None:
    table.count(1, ana="out", ben="65", cleo="35")
    table.count(2, ana="40", ben="out", cleo="25")
    assert texts(table) == [
        [("0", "0"), ("65", "65"), ("35", "35")],
        [("40", "40"), ("0", "65"), ("25", "60")],
    ]
    sheet = printed(table)
    assert sheet.names == ("Ana", "Ben", "Cleo")
    assert [[cell.out for cell in row.cells] for row in sheet.rows[:2]] == [
        [True, False, False],
        [False, True, False],
    ]
    assert sheet.feet == (("total", ("40", "65", "60")),)
    assert len(sheet.rows) == 6
    assert sheet.title == ""
    assert len(sheet.seal) == 12


def test_a_correction_is_marked_and_notes_stand_below(table: Table) -> None:
    table.count(1, ana="out", ben="65", cleo="35")
    table.count(1, ben="70")
    table.database.write(notes.note, table.pub, 1, "Cleo dealt twice.", sent())
    sheet = printed(table)
    assert [cell.corrected for cell in sheet.rows[0].cells] == [False, True, False]
    assert "Round 1: Cleo dealt twice." in sheet.says


def test_a_half_counted_round_has_no_total_yet(table: Table) -> None:
    table.count(1, ben="65")
    assert texts(table) == [[("", ""), ("65", ""), ("", "")]]


def test_the_phase_that_was_made_is_in_its_round(database: Database) -> None:
    table = Table(database, variant=CLIMBING.slug)
    table.count(1, ana="out", ben="made 60", cleo="120")
    table.count(2, ana="60", ben="out", cleo="made 20")
    rows = texts(table)
    assert [cell[0] for cell in rows[0]] == ["1", "1", ""]
    assert [cell[0] for cell in rows[1]] == ["", "2", "1"]
    assert dict(printed(table).feet)["step"] == ("2", "3", "2")


def test_what_was_on_the_table_and_in_hand_are_apart(database: Database) -> None:
    table = Table(database, ("Ana", "Ben"), LAYING.slug)
    table.save(1, table.typed(1, sure=True, ana="60/out", ben="40/15"))
    assert texts(table) == [[("60", "0", "60"), ("40", "−15", "25")]]


def test_how_it_was_closed_and_who_pays_whom(database: Database) -> None:
    table = Table(database, variant=CLOSING.slug, stake="0.05", currency="€")
    table.save(1, table.typed(1, ana="out", ben="20", cleo="10", close="colour"))
    sheet = printed(table)
    assert sheet.rows[0].how == "×3"
    assert sheet.feet == (("total", ("90", "−60", "−30")),)
    assert any("Ben pays Ana 3.00 €" in says for says in sheet.says)
    assert len(sheet.rows) == LEAST_ROWS


def test_games_won_are_printed_if_they_count(database: Database) -> None:
    table = Table(database, variant=MATCH.slug)
    table.count(1, ana="out", ben="20", cleo="10")
    assert printed(table).feet == (("won", ("1", "0", "0")), ("total", ("30", "−20", "−10")))


def test_a_player_who_came_late_has_a_dash_and_starts_from_what_was_given(table: Table) -> None:
    table.count(1, ana="out", ben="65", cleo="35")
    late = Joining(player="", name="Dov", after=None, carry="own", carried="50", step=None)
    table.database.write(seats.join, table.pub, late, sent())
    table.seat("Dov")
    table.count(2, ana="out", ben="65", cleo="35", dov="40")
    place = printed(table).names.index("Dov")
    assert [row[place] for row in texts(table)] == [("–", "–"), ("40", "90")]
    assert dict(printed(table).feet)["total"][place] == "90"
    assert any("Dov" in says for says in printed(table).says)


@pytest.mark.parametrize("variant", in_turn(GAMES), ids=lambda variant: variant.slug)
def test_the_blank_page_offers_every_number_of_players(phone: Phone, variant: Any) -> None:
    phone.open(f"/rules/{variant.slug}")
    page = phone.tap("Paper sheet")
    assert variant.name in page.text
    many = [str(each) for each in variant.players] if len(variant.players) > 1 else []
    assert [text for text in page.links if text.isdigit()] == many
    for number in many:
        assert phone.client.get(f"/print/{variant.slug}?players={number}").status_code == 200


@pytest.mark.parametrize("asked", ["1", "9", "0", "-2", "x", "999999999999", "2.5", ""])
def test_a_number_that_cannot_be_is_answered_with_a_sentence(phone: Phone, asked: str) -> None:
    page = phone.open(f"/print/{MEXICAN.slug}?players={asked}", status=404)
    assert "2 to 8 players" in page.text


def test_the_page_of_a_game_leads_back_to_its_sheet(phone: Phone, table: Table) -> None:
    table.play(2)
    phone.open(f"/g/{table.pub}/sheet")
    page = phone.tap("Print")
    assert page.links["Sheet"] == f"/g/{table.pub}/sheet"
    assert "browser’s menu" in page.text
    phone.open("/g/aaaaaaaaaa/print", status=404)
    phone.open("/print/whist", status=404)
