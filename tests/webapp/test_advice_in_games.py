"""What can be laid down, asked in a game: what it knows already, and what it records."""

import re
from urllib.parse import urlsplit

import pytest

from tests.webapp.advice import HANDS, advise, follow, found
from tests.webapp.table import HTMX, OWN, Table
from webapp.game.lay_downs import melds_of_round
from webapp.ledger.ledger import new_key, read_game

pytestmark = pytest.mark.slow


def test_a_game_knows_its_round_and_its_table(client, table):
    table.play(1)
    record(client, table, "ben", **{"meld-1": "9C 9D 9H", "meld-2": "4H 5H 6H 7H"})
    address = f"/g/{table.pub}/desk/advice"

    page = advise(client, "", address=address, step="5", hand=HANDS["mexican-rummy"])

    assert "round 2 · 1 set of 3 + 1 run of 4" in page
    assert "on Ben’s 4♥" in page.replace("\ufe0e", "")


def test_a_player_who_is_down_is_advised_to_lay_off(client, table):
    table.play(1)
    record(client, table, "ben", **{"meld-1": "9C 9D 9H", "meld-2": "4H 5H 6H 7H"})
    address, ben = f"/g/{table.pub}/desk/advice", str(table.ids["ben"])

    page = advise(client, "", address=address, player=ben, hand="8H KD")

    assert found(page)
    assert 'id="record-advised"' not in page
    assert follow(client, page) == "yes"


def record(client, table: Table, who: str, **fields: str):
    form = {"key": new_key(), "ask": "laydown", "player": str(table.ids[who])} | fields
    answer = client.post(f"/g/{table.pub}/laydowns", data=form, headers=OWN)
    assert answer.status_code == 303, answer.text


def test_one_tap_records_what_was_advised(phone, table):
    phone.open(f"/g/{table.pub}")
    phone.tap("Advice")
    phone.tap("Ben")
    phone.press("Find Ben’s best play", hand="7C 7D 7H 8C 8D 8H KS AS")
    phone.press("Lay it down")

    assert phone.address == f"/g/{table.pub}"
    assert [seat.laid_down for seat in table.pad.seats] == [False, True, False]
    state = table.database.read(read_game, table.pub)
    (laid,) = state.lay_downs[1, table.ids["ben"]]
    assert laid.melds == ("7H 7D 7C", "8H 8D 8C")


def test_a_swap_that_is_recorded_changes_the_meld_of_the_other(phone, client, table):
    table.play(1)
    record(client, table, "ben", **{"meld-1": "9C 9D 9H", "meld-2": "4D 5D 2S 7D"})
    phone.open(f"/g/{table.pub}")
    phone.tap("Advice")
    phone.tap("Ana")
    phone.press("Find Ana’s best play", hand="8C 8D 8H 9S 10S QS 6D 3D KC")
    assert "from Ben’s 4♦ 5♦ 2♠ 7♦" in phone.page.text.replace("\ufe0e", "")
    phone.press("Lay it down")

    state = table.database.read(read_game, table.pub)
    lying = dict.fromkeys(text for _, text in melds_of_round(state, 2))
    assert [*lying] == ["8H 8D 8C", "9S 10S 2S QS", "9C 9D 9H", "3D 4D 5D 6D 7D"]


def test_a_player_who_may_swap_when_down_is_asked_which_melds_are_their_own(client, database):
    table = Table(database, ("Ana", "Ben"), options={"swap": "when-down-too"})
    record(client, table, "ben", **{"meld-1": "9C 9D 9H", "meld-2": "4H 4S 4C"})

    there = fields_of(client, table, "ben")

    assert (there["own-1"], there["own-2"], there["table-1"]) == ("9C 9D 9H", "4H 4S 4C", "")


def fields_of(client, table: Table, who: str) -> dict[str, str]:
    """Give what stands in the form of the advice before anything is written."""
    page = client.get(f"/g/{table.pub}/desk/advice?player={table.ids[who]}").text
    rows = re.findall(r'<input id="([a-z0-9-]+)" name="\1" value="([^"]*)"', page)
    on = re.findall(r'type="checkbox" name="([a-z-]+)" value="1" id="[a-z-]+" checked', page)
    return dict(rows) | dict.fromkeys(on, "on")


@pytest.fixture
def five_hundred(database):
    return Table(database, ("Ana", "Ben"), "rummy-500")


def test_in_rummy_500_what_was_laid_is_filled_in(client, five_hundred):
    record(client, five_hundred, "ana", **{"meld-1": "3S 4S 5S"})
    record(client, five_hundred, "ben", **{"meld-1": "9C 9D 9H"})

    filled = fields_of(client, five_hundred, "ana")

    assert {name: text for name, text in filled.items() if text} == {
        "own-1": "3S 4S 5S",
        "table-1": "9C 9D 9H",
        "later": "on",
    }


def test_in_rummy_500_one_tap_records_melds_with_what_is_laid_off(phone, client, five_hundred):
    record(client, five_hundred, "ana", **{"meld-1": "4S 5S 6S"})
    phone.open(f"/g/{five_hundred.pub}/desk/advice?player={five_hundred.ids['ben']}")
    phone.press("Find Ben’s best play", hand="KC KD KH 3S QD 8H")

    phone.press("Lay it down")

    state = five_hundred.database.read(read_game, five_hundred.pub)
    (laid,) = state.lay_downs[1, five_hundred.ids["ben"]]
    assert laid.points == 30 + 5
    assert [(off.onto, off.grown) for off in laid.layoffs] == [("4S 5S 6S", "3S 4S 5S 6S")]


@pytest.mark.parametrize("slug", ["rummikub", "remigio"])
def test_if_nothing_is_recorded_advice_goes_to_the_referee(client, phone, database, slug):
    table = Table(database, ("Ana", "Ben", "Cleo"), slug)
    assert not any(fields_of(client, table, "ben").values())

    phone.open(f"/g/{table.pub}/desk/advice")
    phone.tap("Ben")
    phone.press("Find Ben’s best play", hand=HANDS[slug])

    assert 'id="record-advised"' not in phone.page.response.text
    phone.tap("Ask the referee")
    assert "✓ Legal" in phone.page.text
    assert 'id="record"' not in phone.page.response.text


def test_advice_in_a_game_keeps_its_house_rules(client, database):
    table = Table(database, ("Ana", "Ben"), "remigio", options={"wrap": "true"})
    hand = "QH KH AH 2H 7C 7D 7S 4S 5S 6S 9D"

    page = advise(client, "", address=f"/g/{table.pub}/desk/advice", hand=hand)

    assert found(page) is True
    assert found(advise(client, "remigio", hand=hand)) is False


def test_what_was_recorded_meanwhile_is_not_recorded_again(phone, client, table):
    phone.open(f"/g/{table.pub}/desk/advice")
    phone.tap("Ana")
    phone.press("Find Ana’s best play", hand="7C 7D 7H 8C 8D 8H KS AS")
    record(client, table, "ana", **{"meld-1": "9C 9D 9H", "meld-2": "4H 4D 4C"})

    phone.press("Lay it down", 422)

    assert table.pad.undo.says == "Ana’s lay-down in round 1"


def test_a_phase_of_your_own_is_what_is_asked_for(client, database):
    table = Table(database, ("Ana", "Ben"), "eleven-phases")
    table.count(1, ana="out", ben="100")
    address = f"/g/{table.pub}/desk/advice"
    steps = [seat.step for seat in table.pad.seats]

    for who, step in zip(("ana", "ben"), steps, strict=True):
        page = advise(client, "", address=address, player=str(table.ids[who]), hand="3 5")
        assert f"Advice for {who.title()} · {table.pad.variant.step_says(step)}" in page


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_game_can_be_played_without_advice(client, database, headers):
    form = {"variant": "mexican-rummy", "key": new_key(), "seat": ["+Ana", "+Ben"], "advice": "off"}
    started = client.post("/games", data=form, headers=OWN)
    address = urlsplit(started.headers["Location"]).path

    refused = client.get(f"{address}/desk/advice?put=1&hand=7C", headers=headers)
    pad = client.get(address).text
    desk = client.get(f"{address}/desk").text

    assert refused.status_code == 403
    assert "Advice is off" in refused.text
    assert "Advice is off" in pad
    assert "/desk/advice" not in pad
    assert "/desk/advice" not in desk


def test_advice_is_on_unless_it_was_switched_off(client, table):
    assert table.database.read(read_game, table.pub).start.advice
    assert "Advice is off" not in client.get(f"/g/{table.pub}").text
    assert "/desk/advice" in client.get(f"/g/{table.pub}").text


def test_a_rematch_keeps_the_choice(client, database):
    form = {"variant": "mexican-rummy", "key": new_key(), "seat": ["+Ana", "+Ben"], "advice": "off"}
    pub = client.post("/games", data=form, headers=OWN).headers["Location"].removeprefix("/g/")
    for command in ("endings", "rematches"):
        key = re.search(r'name="key" value="([^"]+)"', client.get(f"/g/{pub}").text)
        answer = client.post(
            f"/g/{pub}/{command}", data={"key": key[1] if key else new_key()}, headers=OWN
        )
        assert answer.status_code == 303

    again = urlsplit(answer.headers["Location"]).path.removeprefix("/g/")
    assert again != pub
    assert not database.read(read_game, again).start.advice


def test_nobody_else_is_advised_in_a_game(client, table):
    assert client.get(f"/g/{table.pub}/desk/advice?player=999999").status_code == 404
    assert client.get("/g/aaaaaaaaaa/desk/advice").status_code == 404
    assert client.get("/desk/whist/advice").status_code == 404
