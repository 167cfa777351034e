"""Games whose deal and whose wilds change with the round, at the pad and at the desk."""

import html
import re

import pytest

from referee import variants
from tests.webapp.table import Page, Table
from webapp.ledger import ledger


def state(table):
    return table.database.read(ledger.read_game, table.pub)


@pytest.fixture
def dealt(database):
    return Table(database, ("Ana", "Ben"), "three-thirteen")


def test_cards_that_are_named_are_arranged_with_the_wilds_of_their_round(dealt):
    dealt.count(1, ana="out", ben="3S 9H KD")
    dealt.count(2, ana="out", ben="4S 9H 9D KD")

    assert [hands[dealt.ids["ben"]].left for hands in state(dealt).rounds] == [22, 10]
    assert state(dealt).score.totals == (0, 32)


def test_the_pad_the_count_and_the_sheet_say_what_is_dealt(client, dealt):
    dealt.count(1, ana="out", ben="22")

    assert "4 cards, 4s wild" in Page(client.get(f"/g/{dealt.pub}")).text
    assert "4 cards, 4s wild" in Page(client.get(f"/g/{dealt.pub}/rounds/2")).text
    paper = Page(client.get("/print/three-thirteen")).text
    assert "3 cards, 3s wild" in paper
    assert "13 cards, kings wild" in paper


def test_nobody_is_asked_how_a_hand_closed_if_all_pay_once(client, dealt):
    assert 'name="close"' not in client.get(f"/g/{dealt.pub}/rounds/1").text


def test_two_may_have_nothing_left_and_one_of_them_is_out(dealt):
    dealt.count(1, ana="out", ben="0")

    assert state(dealt).score.totals == (0, 0)
    assert state(dealt).score.games_won == (1, 0)


@pytest.mark.parametrize(("step", "legal"), [("5", "yes"), ("4", "no")])
def test_at_the_desk_the_round_says_what_is_wild(client, step, legal):
    page = client.get(f"/desk/three-thirteen?ask=meld&cards=9C+7H+9D&step={step}").text

    assert re.search(r'data-legal="(\w*)"', page)[1] == legal


def test_five_suits_are_on_the_keys_and_jokers(client):
    page = html.unescape(client.get("/desk/five-crowns?ask=meld").text)
    suits = re.findall(r'id="suit-(\w)"', page)
    ranks = re.findall(r'id="rank-(\w+)"', page)

    assert suits == list("SHDCX")
    assert ranks == "3 4 5 6 7 8 9 10 J Q K".split()
    assert 'id="joker"' in page


def test_each_game_has_the_keys_of_its_pack(client):
    for variant in variants.all():
        page = client.get(f"/desk/{variant.slug}?ask=meld").text
        # A rank that is told apart by its color has two keys.
        keys = re.findall(r'(?:id="rank-|data-adds="[RB](?=\d"))(\w+)"', page)
        assert [*dict.fromkeys(keys)] == [*variant.pack.rank_letters]
        assert ('id="joker"' in page) is bool(variant.pack.jokers)
