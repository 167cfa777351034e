"""The desk: plays put to the referee through the pages."""

import re

import pytest

from referee import JOKER, Card, parse_cards, variants
from referee.rulings import Code, found
from referee.saying import Said
from referee.suits import Suit
from tests.webapp.table import HTMX, OWN, Table
from webapp.ledger.ledger import new_key
from webapp.pages.desk.card_fields import DeskQuestion
from webapp.pages.desk.page import _ground
from webapp.pages.desk.view import open_desk
from webapp.pages.history.view import read_sheet
from webapp.pages.scorepad import commands as taps
from webapp.text.cards import Drawing

LEGAL = "meld-1=7C+7D+7H&meld-2=8C+8D+8H"


def verdict(text: str) -> str:
    found = re.search(r'data-legal="(\w*)"', text)
    return found[1] if found else "none"


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize(
    ("question", "legal"),
    [
        (f"ask=laydown&step=1&{LEGAL}", "yes"),
        ("ask=laydown&step=1&meld-1=7C+7D+7H&meld-2=8C+8D+9H", "no"),
        ("ask=laydown&step=2&meld-1=7C+7D+7H&meld-2=4D+5D+2S+7D", "yes"),
        (f"ask=laydown&step=1&{LEGAL}&off-1=9S&onto-1=9C+9D+9H", "yes"),
        (f"ask=laydown&step=1&{LEGAL}&off-1=9S&onto-1=9C+9D+9H&off-2=9C&onto-2=9H+9C+9D", "yes"),
        (f"ask=laydown&step=1&{LEGAL}&off-1=10S&onto-1=9C+9D+9H", "no"),
        ("ask=meld&step=2&cards=QS+KS+AS+2S", "no"),
        ("ask=meld&step=2&cards=q♠+k♠,a♠+2♥", "no"),
        ("ask=layoff&step=2&cards=8D&onto=4D+5D+6D+7D", "yes"),
        ("ask=layoff&step=2&cards=9D&onto=4D+5D+6D+7D", "no"),
        ("", ""),
        ("ask=layoff&step=2&cards=8D", ""),
        ("ask=nonsense&step=99&player=1", ""),
    ],
)
def test_the_desk_answers(client, headers, question, legal):
    answer = client.get(f"/desk/mexican-rummy/ruling?{question}", headers=headers)

    assert answer.status_code == 200
    assert verdict(answer.text) == legal


def test_a_hint_is_a_link_to_the_better_order(client):
    page = client.get("/desk/mexican-rummy?ask=meld&step=2&cards=QS+KS+AS+2S").text
    links = re.findall(r'href="([^"]+)"[^>]*>Try', page)
    assert links

    better = client.get(links[0].replace("&amp;", "&"))

    assert verdict(better.text) == "yes"


@pytest.mark.parametrize("cards", ["7X", "seven", "7C 7C 7C", "\0", "7C " * 80, "<b>", "1️⃣"])
def test_unreadable_cards_show_an_error_next_to_the_field(client, cards):
    answer = client.get("/desk/mexican-rummy", query_string={"ask": "meld", "cards": cards})

    assert answer.status_code == 200
    assert 'aria-invalid="true"' in answer.text


def test_a_wild_is_taken_to_lay_down_with_it(client):
    question = {
        "ask": "swap",
        "step": "2",
        "give": "6D",
        "take": "2S",
        "meld": "4D 5D 2S 7D",
        "meld-1": "9C 9D 9H",
        "meld-2": "JH QH KH 2S",
    }

    answer = client.get("/desk/mexican-rummy", query_string=question)

    assert verdict(answer.text) == "yes"


def record(client, table: Table, headers=None, **fields):
    form = {
        "key": new_key(),
        "ask": "laydown",
        "player": str(table.ids["ben"]),
        "meld-1": "7C 7D 7H",
        "meld-2": "8C 8D 8H",
    }
    return client.post(
        f"/g/{table.pub}/laydowns", data=form | fields, headers=OWN | (headers or {})
    )


def test_a_legal_lay_down_is_recorded(client, table):
    answer = record(client, table)

    assert answer.status_code == 303
    assert [seat.laid_down for seat in table.pad.seats] == [False, True, False]
    assert table.pad.undo.says == "Ben’s lay-down in round 1"
    page = client.get(f"/g/{table.pub}/desk?ask=layoff&player={table.ids['cleo']}").text
    assert "7C 7D 7H" in page
    assert "down ✓" in client.get(f"/g/{table.pub}/rounds/1").text


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_an_illegal_lay_down_is_not_recorded(client, table, headers):
    answer = record(client, table, headers, **{"meld-2": "8C 8D 9H"})

    assert answer.status_code == 422
    assert verdict(answer.text) == "no"
    assert not any(seat.laid_down for seat in table.pad.seats)


def test_a_finished_game_records_nothing(client, table):
    table.play(6)

    assert record(client, table).status_code == 409


def test_a_lay_down_of_a_phase_makes_it(client, database):
    table = Table(database, ("Ana", "Ben"), "eleven-phases")
    answer = record(client, table, **{"meld-1": "7 7 7", "meld-2": "8 8 8"})
    assert answer.status_code == 303

    page = client.get(f"/g/{table.pub}/rounds/1").text

    made = re.findall(rf'<input[^>]*name="made-{table.ids["ben"]}"[^>]*>', page)
    assert "checked" in made[0]


def argue(client, table: Table, headers=None, **fields):
    form = {
        "key": new_key(),
        "ask": "laydown",
        "player": str(table.ids["ben"]),
        "meld-1": "7C 7D 7H",
        "meld-2": "8C 8D 9H",
        "decided": "overruled",
        "note": "Grandma always\nplayed it \u202eso.",
    }
    return client.post(
        f"/g/{table.pub}/disputes", data=form | fields, headers=OWN | (headers or {})
    )


def disputes(table: Table):
    return table.database.read(read_sheet, table.pub).disputes


def test_a_table_may_overrule_the_referee_and_both_are_kept(client, table):
    assert argue(client, table).status_code == 303

    (line,) = disputes(table)
    assert (line.name, line.fact.round) == ("Ben", 1)
    assert (line.fact.legal, line.overruled) == (False, True)
    assert line.fact.note == "Grandma always played it so."
    assert verdict(client.get(f"/g/{table.pub}/desk?{line.fact.question}").text) == "no"
    assert client.get(f"/g/{table.pub}/sheet").status_code == 200


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize(
    "fields", [{"decided": ""}, {"decided": "maybe"}, {"meld-1": "", "meld-2": ""}]
)
def test_a_dispute_needs_a_play_and_a_decision(client, table, headers, fields):
    answer = argue(client, table, headers, **fields)

    assert answer.status_code == 422
    assert disputes(table) == ()


def test_what_is_argued_about_once_the_game_is_over_belongs_to_its_last_round(client, table):
    table.play(6)
    table.tap(taps.reopen_game)

    assert argue(client, table, ask="meld", cards="7C 7D 8H").status_code == 303

    assert [line.fact.round for line in disputes(table)] == [6]


def test_a_finished_game_is_not_argued_about(client, table):
    table.play(6)

    assert argue(client, table).status_code == 409


@pytest.mark.parametrize(
    ("question", "cards"),
    [
        ("remigio?ask=close&cards=4H+5H+6H+7H+8H+9H+10H+KS+KD+2C", "K♠ K♦ 2♣"),
        (
            "rummikub?ask=rearrange&before-1=R7+B7+K7&after-1=R7+B7+K7&after-2=O4+R4",
            "Orange 4, red 4",
        ),
    ],
)
def test_the_cards_that_a_ruling_is_about_are_named_once_and_drawn(client, question, cards):
    page = client.get(f"/desk/{question}").text.replace("\ufe0e", "")
    why = re.search(r'<ul class="reasons">\s*<li>(.*?)<a', page, re.DOTALL)

    assert why
    assert re.sub("<[^>]*>", "", why[1]).count(cards) == 1


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("after-1=R7+B7+K7&rack=R7+B7", "You don’t have black 7 in your rack."),
        ("before-1=O9+O10+O11&after-1=O9+O10+O12", "Orange 9 10 12 isn’t a set"),
        ("after-1=JK+K13", "Joker, black 13 isn’t a set"),
    ],
)
def test_tiles_are_named_by_their_colors(client, question, says):
    page = client.get(f"/desk/rummikub?ask=rearrange&{question}").text

    assert says in page
    assert not re.search(r">[^<]*\b([RBKO]\d|JK)\b", page)


@pytest.mark.parametrize(
    ("row", "before"),
    [("O9+O10+O11+O13", "3"), ("R5+R7+R8", "1"), ("K7", "-1"), ("R5+B5", "-1"), ("JK+O9+O11", "2")],
)
def test_a_missing_tile_goes_where_its_gap_is(client, row, before):
    page = client.get(f"/desk/rummikub?ask=table&after-1={row}").text

    assert re.findall(r'data-row="after-1".* data-before="([-\d]+)"', page) == [before]


@pytest.mark.parametrize(
    ("question", "row", "is_open"),
    [
        ("rummikub?ask=rearrange", "rack", False),
        ("rummikub?ask=rearrange&after-1=R7+B7+K7&rack=R7", "rack", True),
        ("rummikub?ask=rearrange&drew=1", "drew", True),
        ("remigio?ask=close", "discard", False),
        ("rummy-500?ask=pickup&later=1", "later", True),
    ],
)
def test_what_is_rarely_needed_is_folded_until_it_is(client, question, row, is_open):
    page = client.get(f"/desk/{question}").text
    found = re.search(r'(?s)<details class="rare" id="rare"( open)?>(.*?)</details>', page)

    assert found
    assert f'name="{row}"' in found[2]
    assert bool(found[1]) == is_open


LAID = {"meld-1": "7C 7D 7H", "meld-2": "4D 5D 2S 7D"}


def test_a_card_in_a_finding_is_drawn_small_and_has_a_name_to_be_read_out(client):
    page = client.get(
        "/desk/mexican-rummy", query_string={"ask": "laydown", "step": 2, **LAID}
    ).text

    assert (
        'stands for <b class="pip" data-suit="D" role="img" aria-label="6 of diamonds">6♦\ufe0e</b>'
        in page
    )


def test_what_is_found_is_said_in_the_words_of_the_language():
    question = DeskQuestion(ask="laydown", step=2, texts=LAID)
    desk = open_desk(variants.get("mexican-rummy", "es"), question)

    said = [re.sub("<[^>]+>|\ufe0e", "", ground.says) for ground in desk.grounds]
    assert "El 2 negro hace de 6♦." in said


def test_a_spanish_card_is_drawn_as_what_it_is(client):
    page = client.get("/desk/chinchon?ask=meld&cards=12B+12B").text

    drawn = re.findall(r'<b class="pip" data-suit="(\w)" role="img" aria-label="([^"]+)">', page)
    assert set(drawn) == {("B", "12 of batons")}


def test_a_missing_card_is_drawn_in_the_verdict(client):
    page = client.get("/desk/mexican-rummy/ruling?ask=meld&put=1&step=2&cards=4D+5D+2S+8D").text

    assert "&lt;b" not in page
    assert re.search(r'Run: <b class="pip" data-suit="D"[^>]*>7♦\ufe0e</b> is missing', page)


def test_a_games_own_words_are_escaped_beside_drawn_cards():
    drawing = Drawing(variants.get("mexican-rummy"))
    drawing.nouns = {**drawing.nouns, "wild": Said("<i>", a="<i>", many="<i>")}

    assert drawing.say("wild-at-rest", "", {}).startswith("&lt;i&gt; aren’t wild")


ACE, OF_SPADES, THREES = Card(1), Card(1, Suit.SPADES), parse_cards("3S 3C 3S")


@pytest.mark.parametrize(
    ("slug", "language", "finding", "shown"),
    [
        ("mexican-rummy", "en", found(Code.ACE_NOT_LOW, "set", (OF_SPADES,), after=Card(2)), "A♠"),
        ("eleven-phases", "en", found(Code.ACE_NOT_LOW, "set", (ACE,), after=Card(2)), ""),
        ("eleven-phases", "es", found(Code.ACE_NOT_LOW, "set", (ACE,), after=Card(2)), ""),
        ("eleven-phases", "es", found(Code.DOES_NOT_FIT, "set", (ACE,), "full"), "A"),
        ("canasta", "en", found(Code.ONLY_GOING_OUT, "set", THREES, this=THREES[0]), "3♠ 3♣ 3♠"),
        ("continental", "en", found(Code.NO_SWAPS, "set", (JOKER,), "run", wild="joker"), ""),
        ("continental", "es", found(Code.SET_OF_TWO_RANKS, "set", (JOKER,)), "Joker"),
        ("chinchon", "en", found(Code.NOT_IN_PACK, "set", (JOKER,)), ""),
    ],
)
def test_cards_are_shown_before_a_sentence_that_has_no_place_for_them(
    slug, language, finding, shown
):
    ground = _ground(finding, 9, variants.get(slug, language))

    assert re.sub("<[^>]+>|\ufe0e", "", ground.cards) == shown
