"""What is printed: the blank sheet of each game, and a game as it stands."""

import re
from typing import Any

import pytest

from referee import variants
from tests.examples import in_turn
from tests.webapp.partners import sit_down
from tests.webapp.table import Phone, Table, sent
from webapp.db import Database
from webapp.pages.notes import commands as notes
from webapp.pages.printing.blank import BLANK_ROWS, blank_sheet
from webapp.pages.printing.view import LEAST_ROWS, PrintedGame, read_print
from webapp.pages.scorepad import commands as taps
from webapp.pages.seats import commands as seats
from webapp.pages.seats.view import Joining
from webapp.text.refusals import SheetRefusedError

pytestmark = pytest.mark.slow

GAMES = variants.all()
MEXICAN, CLOSING, LAYING, MATCH, CLIMBING = (
    variants.get(slug)
    for slug in ("mexican-rummy", "remigio", "rummy-500", "rummikub", "eleven-phases")
)


def printed(table: Table) -> PrintedGame:
    return table.database.read(read_print, table.pub)


def page_of(phone: Phone, table: Table) -> str:
    return phone.open(f"/g/{table.pub}/print").text


@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.slug)
def test_a_blank_sheet_has_a_column_a_team_or_player_and_a_row_a_round(variant: Any) -> None:
    for players in variant.players:
        sheet = blank_sheet(variant, players)
        columns = len(variant.teams(players))
        assert sheet.players == players
        assert sheet.columns == columns
        assert len(sheet.rows) == (variant.rounds or BLANK_ROWS)
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
    assert blank_sheet(MATCH).feet == ("won", "total")
    assert blank_sheet(CLIMBING).feet == ("step", "total")
    assert "×4" in dict(blank_sheet(CLOSING).closes).values()
    assert not blank_sheet(MATCH).closes


def test_values_that_are_printed_on_the_card_go_together() -> None:
    assert blank_sheet(MATCH).values == (("1–13", "as numbered"), ("joker", "30"))
    assert blank_sheet(MEXICAN).values[-1][1] == "20"


@pytest.mark.parametrize("players", [0, 1, 3, 99])
def test_no_sheet_for_more_or_fewer_than_can_play(players: int) -> None:
    with pytest.raises(SheetRefusedError):
        blank_sheet(LAYING, players)


def test_a_game_is_printed_with_its_points_totals_and_places(phone: Phone, table: Table) -> None:
    table.count(1, ana="out", ben="65", cleo="35")
    table.count(2, ana="40", ben="out", cleo="25")
    going_on = page_of(phone, table)
    assert "Mexican Rummy" in going_on
    assert "Place" not in going_on
    assert "Total 40 65 60" in going_on
    assert list(printed(table).spare) == []
    assert len(printed(table).rows) == 6

    table.tap(taps.finish_game)
    page = page_of(phone, table)
    assert "Ana wins Mexican Rummy, by 20 points, after 2 rounds" in page
    assert "1 2 sets 0 out 65 35 2 Set, run 40 0 out 25 Total 40 65 60" in page
    assert "Place ★ 1st 3rd 2nd" in page
    assert "Checksum" not in page


def test_a_game_without_a_fixed_number_of_rounds_leaves_rows_for_a_pencil(
    database: Database,
) -> None:
    table = Table(database, variant=CLOSING.slug, stake="0.05", currency="€")
    table.save(1, table.typed(1, ana="out", ben="20", cleo="10", close="colour"))

    assert list(printed(table).spare) == list(range(len(printed(table).rows) + 1, LEAST_ROWS + 1))
    assert any("Ben pays Ana 3.00 €" in says for says in printed(table).says)
    table.tap(taps.finish_game)
    assert list(printed(table).spare) == []


def test_a_correction_is_marked_and_notes_and_house_rules_are_below(
    phone: Phone, table: Table
) -> None:
    table.count(1, ana="out", ben="65", cleo="35")
    table.count(1, ben="70")
    table.database.write(notes.note, table.pub, 1, "Cleo dealt twice.", sent())
    page = page_of(phone, table)
    assert "70*" in page
    assert "* corrected" in page
    assert "Round 1: Cleo dealt twice." in page


def test_a_half_counted_round_has_no_total_yet(phone: Phone, table: Table) -> None:
    table.count(1, ben="65")
    assert "1 2 sets 65 2 Set, run" in page_of(phone, table)


def test_who_made_their_phase_is_marked_and_their_next_one_is_below(
    phone: Phone, database: Database
) -> None:
    table = Table(database, variant=CLIMBING.slug)
    table.count(1, ana="out", ben="made 60", cleo="120")
    page = page_of(phone, table)
    assert "1 0 ✓ out 60 ✓ 120" in page
    assert "Phase 2 2 1" in page
    assert "✓ phase made" in page


def test_a_mark_that_says_nothing_on_paper_is_left_out(phone: Phone, table: Table) -> None:
    table.count(1, ana="out", ben="made 65", cleo="60")
    assert "1 2 sets 0 out 65 60" in page_of(phone, table)


def test_a_player_who_made_every_phase_is_done_on_paper_too(
    phone: Phone, database: Database
) -> None:
    table = Table(database, ("Ana", "Ben"), "phase-10")
    for number in range(1, 11):
        table.save(number, table.typed(number, sure=True, ana="out made", ben="15"))
    # A page that was printed at 11, or on the 11th, says so.
    moment = re.compile(r"\d{1,2}:\d\d|[A-Z][a-z]+ \d{1,2}, \d{4}|\d{1,2}/\d{1,2}")
    for place in ("result", "sheet", "print"):
        assert "11" not in moment.sub("", phone.open(f"/g/{table.pub}/{place}").text)


def test_what_was_on_the_table_and_in_hand_is_below_the_points(
    phone: Phone, database: Database
) -> None:
    table = Table(database, ("Ana", "Ben"), LAYING.slug)
    table.save(1, table.typed(1, sure=True, ana="60/out", ben="40/15"))
    assert "60 out 25 40 − 15" in page_of(phone, table)


def test_how_it_was_closed_is_below_the_points(phone: Phone, database: Database) -> None:
    table = Table(database, variant=CLOSING.slug)
    table.save(1, table.typed(1, ana="out", ben="20", cleo="10", close="colour"))
    assert "90 ×3" in page_of(phone, table)


def test_games_won_are_printed_if_they_count(phone: Phone, database: Database) -> None:
    table = Table(database, variant=MATCH.slug)
    table.count(1, ana="out", ben="20", cleo="10")
    assert "Won 1 0 0 Total 30 −20 −10" in page_of(phone, table)


def test_a_player_who_came_late_has_a_dash_and_starts_from_what_was_given(
    phone: Phone, table: Table
) -> None:
    table.count(1, ana="out", ben="65", cleo="35")
    late = Joining(player="", name="Dov", after=None, carry="own", carried="50", step=None)
    table.database.write(seats.join, table.pub, late, sent())
    table.seat("Dov")
    table.count(2, ana="out", ben="65", cleo="35", dov="40")
    column = next(each for each in printed(table).columns if each.seat.name == "Dov")
    assert column.seat.total == 90
    assert "–" in page_of(phone, table)
    assert any("Dov" in says for says in printed(table).says)


def test_partners_are_one_column_and_no_name_is_broken(database: Database) -> None:
    table = sit_down(database, ("Ana", "Ben", "Grandma Edith", "Dov"))
    assert [column.names for column in printed(table).columns] == [
        ("Ana", "+ Grandma", "Edith"),
        ("Ben", "+ Dov"),
    ]


@pytest.mark.parametrize(
    ("names", "size"),
    [
        (("Ana", "Ben", "Cleo"), "large"),
        (("W" * 24, "Ben", "Cleo", "Dov"), "small"),
        (("Anne-Sophie", *(f"Player{place}" for place in range(7))), "small"),
        (("W" * 24, *(f"Player{place}" for place in range(7))), "turned"),
    ],
)
def test_long_names_are_smaller_and_then_turned(
    database: Database, names: tuple[str, ...], size: str
) -> None:
    assert printed(Table(database, names)).names_in == size


def test_more_than_nine_columns_turn_the_page(database: Database) -> None:
    names = tuple(f"Player{place}" for place in range(10))
    assert not printed(Table(database, names[:8], CLOSING.slug)).is_wide
    others = tuple(f"Guest{place}" for place in range(10))
    assert printed(Table(database, others, CLOSING.slug)).is_wide


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
