"""The desk in games of teams: what a team has goes into each question, and is filled in a game."""

import re

import pytest

from tests.webapp.partners import enter
from tests.webapp.table import OWN, Table
from tests.webapp.test_desk import verdict
from webapp.game.facts import Counted
from webapp.game.hand import Hand
from webapp.ledger.ledger import new_key, read_game

KINGS, ACES = "KS+KH+KD", "AS+AH+AD"
SEVEN = "KS+KH+KD+KC+KS+KH+KD"


def fields(text: str) -> dict[str, str]:
    """The rows of cards of a page, as they are filled."""
    return dict(
        re.findall(r'<input id="[^"]+" name="([^"]+)" value="([^"]*)" maxlength="200"', text)
    )


@pytest.fixture
def partners(database):
    return Table(database, ("Ana", "Ben", "Cleo", "Dov"), "canasta")


def lay_down(client, table, player, **more):
    form = {"key": new_key(), "ask": "laydown", "player": str(table.ids[player])} | more
    return client.post(f"/g/{table.pub}/laydowns", data=form, headers=OWN)


@pytest.mark.parametrize(
    ("question", "legal"),
    [
        (f"meld-1={KINGS}&meld-2={ACES}&total=1500", "yes"),
        (f"meld-1={KINGS}&meld-2={ACES}&total=3000", "no"),
        ("meld-1=4S+4H+4D&total=-1", "yes"),
        (f"own-1={KINGS}&meld-1=4S+4H+4D", "yes"),
        (f"own-1={KINGS}&meld-1=KC+KS+KH", "no"),
        (f"own-1={KINGS}&add-1=KC", "yes"),
        (f"own-1={KINGS}&add-1=QC", "no"),
        (f"own-1={KINGS}&own-2={ACES}&add-2=AC+JK&add-1=KC", "yes"),
        (f"own-1={SEVEN}&meld-1=4S+4H+4D&goes-out=1", "yes"),
        (f"own-1={KINGS}&meld-1=4S+4H+4D&goes-out=1", "no"),
        (f"own-1={KINGS}&meld-1=4S+4H+4D&kept=9S+9H", "yes"),
        (f"own-1={KINGS}&meld-1=4S+4H+4D&kept=9S", "no"),
        # No rule looks at a suit, but for the color of a 3.
        ("meld-1=K+K+K&meld-2=A+A+A&total=1500", "yes"),
        ("meld-1=K+K+K&meld-2=A+A+A&total=3000", "no"),
        (f"own-1={KINGS}&add-1=K+2", "yes"),
        (f"own-1={SEVEN}&meld-1=B3+B3+B3&goes-out=1", "yes"),
        (f"own-1={SEVEN}&meld-1=B3+B3+R3&goes-out=1", "no"),
        (f"own-1={'+'.join('K' * 7)}&meld-1=4S+4+4&goes-out=1", "yes"),
        (f"own-1={KINGS}", ""),
        ("total=nonsense", ""),
    ],
)
def test_a_lay_down_is_ruled_on_with_what_the_team_has(client, question, legal):
    answer = client.get(f"/desk/canasta/ruling?ask=laydown&{question}")

    assert answer.status_code == 200
    assert verdict(answer.text) == legal


@pytest.mark.parametrize(
    ("question", "legal"),
    [
        (f"pile=9S+KC&hand=KS+KH+4S+4H+4D&own-1={ACES}&meld-1=KC+KS+KH", "yes"),
        (f"pile=9S+KC&own-1={KINGS}&add-1=KC", "yes"),
        (f"pile=9+K&hand=KS+K+4+4+4&own-1={ACES}&meld-1=K+K+K", "yes"),
        ("pile=9+B3&own-1=K+K+K&meld-1=9+9+9", "no"),
        ("pile=9S+KC&hand=KS+4S+4H+4D&meld-1=KC+KS+JK", "no"),
        (f"pile=9S+3S&own-1={KINGS}&meld-1=9S+9H+9D", "no"),
        (f"pile=2S+KC&own-1={KINGS}&add-1=KC", "no"),
        (f"pile=R3+KC&own-1={KINGS}&add-1=KC", "no"),
        ("pile=9S+KC&hand=KS+KH+4S&meld-1=KC+KS+KH&total=1500", "no"),
    ],
)
def test_the_pile_is_taken_with_what_the_team_has(client, question, legal):
    answer = client.get(f"/desk/canasta/ruling?ask=pickup&{question}")

    assert answer.status_code == 200
    assert verdict(answer.text) == legal


@pytest.mark.parametrize(("total", "unfolds"), [("0", False), ("1500", True)])
def test_only_a_total_that_was_chosen_unfolds_what_is_rarely_needed(client, total, unfolds):
    page = client.get(f"/desk/canasta?ask=pickup&total={total}").text

    assert ('id="rare" open' in page) is unfolds


def test_a_card_without_its_suit_is_ruled_on_and_named_without_one(client):
    url = "/desk/canasta/ruling?ask=meld&cards="
    legal, wrong = (client.get(url + cards).text for cards in ("7+7+2", "7+7+8"))
    said = [text.partition('id="ruling"')[2].partition("</section>")[0] for text in (legal, wrong)]

    assert (verdict(legal), verdict(wrong)) == ("yes", "no")
    assert not set("♠♥♦♣") & set("".join(said))


@pytest.mark.parametrize(
    ("cards", "there"), [("9 " * 12, True), ("9 " * 13, False), ("R3 " * 7, False)]
)
def test_cards_without_suits_are_counted_against_the_packs_together(client, cards, there):
    text = client.get("/desk/canasta", query_string={"ask": "meld", "cards": cards}).text

    assert ('role="alert"' not in text) is there


@pytest.mark.parametrize(
    ("slug", "keys"),
    [("canasta", True), ("hand-and-foot", True), ("burraco", False), ("samba", False)],
)
def test_a_card_is_one_tap_if_no_rule_looks_at_suits(client, slug, keys):
    page = client.get(f"/desk/{slug}").text

    assert ('data-adds="R3"' in page and 'data-adds="B3"' in page) is keys
    assert ('id="suit-S"' in page) is not keys


def test_a_pile_that_is_taken_at_once_asks_for_no_lowest_card(client):
    rows = fields(client.get("/desk/canasta?ask=pickup").text)

    assert {"pile", "hand", "own-1", "kept"} <= set(rows)
    assert not {"take", "cards", "onto"} & set(rows)


@pytest.mark.parametrize(("untaken", "legal"), [("&untaken=1", "yes"), ("", "no")])
def test_a_second_hand_is_picked_up_instead_of_going_out(client, untaken, legal):
    question = f"ask=laydown&step=1&own-1={KINGS}&meld-1=4S+4H+4D&kept=9S{untaken}"

    answer = client.get(f"/desk/hand-and-foot/ruling?{question}")

    assert verdict(answer.text) == legal


@pytest.mark.parametrize(("step", "legal"), [(1, "yes"), (2, "no")])
def test_the_round_says_what_the_first_melds_must_be_worth(client, step, legal):
    question = f"ask=laydown&step={step}&meld-1=KS+KH+KD&meld-2=9S+9H+9D"

    assert verdict(client.get(f"/desk/hand-and-foot/ruling?{question}").text) == legal


def test_a_lay_off_is_on_the_team_s_melds_unless_the_page_says_otherwise(client):
    question = f"/desk/canasta/ruling?ask=layoff&cards=KC&onto={KINGS}"

    assert verdict(client.get(question).text) == "yes"
    assert verdict(client.get(f"{question}&theirs=1").text) == "no"


def test_the_melds_of_partners_are_filled_in_and_those_of_others_are_not(client, partners):
    melds = {"meld-1": "KS KH KD", "meld-2": "AS AH AD"}
    assert lay_down(client, partners, "ana", **melds).status_code == 303
    desk = f"/g/{partners.pub}/desk?ask=laydown&player="

    cleo = fields(client.get(f"{desk}{partners.ids['cleo']}").text)
    ben = fields(client.get(f"{desk}{partners.ids['ben']}").text)

    assert (cleo["own-1"], cleo["own-2"], cleo["own-3"]) == ("KS KH KD", "AS AH AD", "")
    assert ben["own-1"] == ""


def test_a_partner_lays_off_on_them_and_they_grow(client, database, partners):
    assert lay_down(client, partners, "ana", **{"meld-1": "KS KH KD", "meld-2": "AS AH AD"})
    again = {"own-1": "KS KH KD", "own-2": "AS AH AD", "add-1": "KC", "meld-1": "4S 4H 4D"}

    assert lay_down(client, partners, "cleo", **again).status_code == 303

    page = client.get(f"/g/{partners.pub}/desk?ask=laydown&player={partners.ids['ana']}").text
    assert sorted(text for name, text in fields(page).items() if name.startswith("own-")) == [
        "",
        "4S 4H 4D",
        "AS AH AD",
        "KS KH KD KC",
    ]
    assert len(database.read(read_game, partners.pub).lay_downs) == 2


def test_the_pile_is_taken_in_a_game_and_its_melds_are_on_the_table(client, partners):
    taken = {"ask": "pickup", "pile": "9S KC", "meld-1": "KC KS KH", "meld-2": "AS AH AD"}

    answer = lay_down(client, partners, "ben", hand="KS KH AS AH AD 4S 4H", **taken)

    assert answer.status_code == 303
    page = client.get(f"/g/{partners.pub}/desk?ask=laydown&player={partners.ids['dov']}").text
    assert fields(page)["own-1"] == "KC KS KH"


def test_the_total_of_the_team_is_filled_in(client, partners):
    hands = {"ana": Hand(table="1800"), "cleo": Hand(out=True)}
    others = {"ben": Hand(left="30"), "dov": Hand()}
    ids = partners.ids
    counted = {ids[name]: hand for name, hand in {**hands, **others}.items()}
    enter(partners, Counted(round=1, hands=counted))
    desk = f"/g/{partners.pub}/desk?player="

    assert 'value="1500" selected' in client.get(f"{desk}{ids['cleo']}").text
    assert 'value="-1" selected' in client.get(f"{desk}{ids['dov']}").text


def test_advice_says_that_there_is_none_and_no_page_leads_to_it(client, partners):
    desk = f"/g/{partners.pub}/desk"

    answer = client.get(f"{desk}/advice")
    assert answer.status_code == 404
    assert "no advice for this game yet" in answer.text
    assert "<h1>No advice</h1>" in answer.text
    assert f'href="{desk}"' in answer.text
    pages = ("/desk/canasta", desk, f"/g/{partners.pub}", "/rules/canasta")
    assert not [path for path in pages if "/advice" in client.get(path).text]


def test_the_round_of_the_game_says_what_first_melds_must_be_worth(client, database):
    table = Table(database, ("Ana", "Ben", "Cleo", "Dov"), "hand-and-foot")
    hands = {table.ids["ana"]: Hand(table="200", bonus={"clean": 1, "dirty": 1}, out=True)}
    hands |= {table.ids["ben"]: Hand(left="60")}
    hands |= {table.ids[name]: Hand() for name in ("cleo", "dov")}
    enter(table, Counted(round=1, hands=hands))
    melds = "meld-1=KS+KH+KD&meld-2=9S+9H+9D"

    answer = client.get(f"/g/{table.pub}/desk/ruling?ask=laydown&{melds}")

    assert verdict(answer.text) == "no"
    assert "90" in answer.text


@pytest.mark.parametrize("names", [("Ana", "Ben"), ("Ana", "Ben", "Cleo", "Dov")], ids=len)
def test_only_players_with_a_partner_are_called_a_team(client, database, names):
    table = Table(database, names, "canasta")

    page = client.get(f"/g/{table.pub}/desk").text

    assert ("Your team’s melds" in page) is (len(names) == 4)
    assert ("Your melds" in page) is (len(names) == 2)
