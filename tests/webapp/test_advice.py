"""What can be laid down: asked on the pages, answered, put to the referee, and recorded."""

import re
from dataclasses import replace

import pytest
from flask import render_template

from referee import variants
from tests.webapp.advice import FIVE, HANDS, STEPS, advise, follow, found
from tests.webapp.table import Page, Table
from webapp.pages.advice.view import open_advice
from webapp.pages.desk.card_fields import DeskQuestion

pytestmark = pytest.mark.slow

HOPELESS = {
    "mexican-rummy": "3C 5D 7H 9S JC KD",
    "eleven-phases": "A 3 5 7 9 J",
    "rummikub": "R1 B4 K8",
    "remigio": "AH 3C 5D 7S 9H JC KD 2D 4S 6H 8C",
    "rummy-500": "4D 6C 8H",
}


@pytest.mark.parametrize("slug", HANDS)
def test_what_is_advised_is_legal_for_the_referee(client, slug):
    page = advise(client, slug, hand=HANDS[slug])

    assert found(page)
    assert follow(client, page) == "yes"


@pytest.mark.parametrize("slug", HOPELESS)
def test_a_hand_that_can_do_nothing_gets_a_sentence(client, slug):
    page = advise(client, slug, hand=HOPELESS[slug])

    assert found(page) is False
    assert 'id="rule"' not in page
    assert 'id="change"' in page


@pytest.mark.parametrize(
    ("slug", "question"),
    [
        ("mexican-rummy", {"hand": "8H 8C 3S", "table_1": "5H 6H 7H 4H", "down": "1"}),
        (
            "mexican-rummy",
            {"hand": "7C 7D 7H 4D 5D 6D 7D 8H 3H", "table_1": "4H 5H 6H 7H", "table_2": "9C 9D 9H"},
        ),
        ("eleven-phases", {"hand": "7 2", "table_1": "7 7 7", "down": "1"}),
        ("rummikub", {"hand": "R4 K4 R9", "table_1": "R7 B7 K7", "table_2": "B4 B5 B6 B7"}),
        ("rummikub", {"hand": "R10 B10 K10 R4", "not_opened": "1", "aim": "value"}),
        ("remigio", {"hand": "AH 2H 3H 4H 7C 7D 7S KS KH JK"}),
        ("remigio", {"hand": "AH 3H 5H 6H 8H 9H JH QH KH 2H"}),
        ("rummy-500", {"hand": "6S 8D", "table_1": "3S 4S 5S", "own_1": "9D 10D JD"}),
        ("rummy-500", {"hand": "KS KH KD 6S", "table_1": "3S 4S 5S", "later": "1"}),
        ("rummy-500", {"hand": "2C 8D", "own_1": "9D 10D JD", "later": "1"}),
    ],
)
def test_advice_counts_the_melds_on_the_table(client, slug, question):
    page = advise(client, slug, **question)

    assert found(page)
    assert follow(client, page) == "yes"
    for link in re.findall(r'href="([^"]+)">on ', page):
        ruling = client.get(link.replace("&amp;", "&")).text
        assert re.search(r'data-legal="(\w*)"', ruling)[1] == "yes"


@pytest.mark.parametrize(
    ("slug", "question", "says"),
    [
        (
            "mexican-rummy",
            {"step": "1", "hand": "7C 7D 8C 8D 8H KS AS"},
            "1 card short|✓ done|missing: 7|One of these and you can lay down.|6 of the 97 unseen",
        ),
        (
            "mexican-rummy",
            {"step": "1", "hand": "7C 7D 8C 8D 8H KS AS"},
            "Let go of A♠. It fits nowhere and counts 15.|Next: K♠.",
        ),
        (
            "mexican-rummy",
            {"step": "3", "hand": "4H 5H 6H 7H 9C QC AD 10S 6D 3S"},
            "2 cards short|missing: 10 of clubs|One of these leaves you 1 short.|Two that go",
        ),
        (
            "mexican-rummy",
            {"step": "3", "hand": "4H 5H 6H 7H 9C QC AD 10S 6D 3S"},
            "8 of the 94 unseen cards help|Let go of A♦.|Next: 10♠, then 6♦.|The rest",
        ),
        ("rummikub", {"hand": "R10 B10 R4 K1", "not_opened": "1"}, "1 tile short|you can open"),
        ("rummy-500", {"hand": "4D 6C 8H 4S"}, "1 card short|Let go of 8♥."),
        (
            "kaluki",
            {"hand": "JH QH 3S 10C 10D 4S 4H 8C 8D 7S 2C 3D 5H"},
            "2 cards short|can open|Or:|Or 1 of",
        ),
    ],
)
def test_what_is_missing_what_helps_and_what_to_let_go_are_shown(client, slug, question, says):
    page = Page(client.get(f"/desk/{slug}/advice", query_string=query(question)))

    assert found(page.response.text) is False
    text = page.text.replace("\ufe0e", "")
    for part in says.split("|"):
        assert part in text


def query(question):
    return {"put": "1", **{name.replace("_", "-"): text for name, text in question.items()}}


def test_if_the_packs_are_not_known_the_number_is_the_most(client):
    page = advise(client, "eleven-phases", hand="7 7 8 8 8 K")

    assert "Up to 18 unseen cards help." in page


def test_far_off_only_what_to_let_go_is_shown(client):
    page = Page(client.get("/desk/mexican-rummy/advice?put=1&step=2&hand=3C 5D 7H 9S JC KD 8S"))

    assert "cards short" in page.text
    assert "Let go of" in page.text
    assert "Look for" not in page.text


def test_tiles_are_not_let_go(client):
    page = advise(client, "rummikub", hand="R9 B9 R4 K1 O12", not_opened="1")

    assert "Let go" not in page


def test_the_unseen_cards_are_those_of_the_packs_of_the_table(client, database):
    table = Table(database, ("Ana", "Ben"), "eleven-phases")

    page = advise(client, "", address=f"/g/{table.pub}/desk/advice", hand="7 7 8 8 8 K", player=1)

    assert "Advice for Ana · 2 sets of 3" in page
    assert "10 of the 150 unseen cards help." in page


def test_a_pile_is_taken_if_it_brings_more(client):
    hand = {"hand": "7C 7H 4D", "later": "1"}
    page = advise(client, "rummy-500", discards="KH 7D 9C", **hand)

    assert "Take the pile down to 7♦" in page
    assert "Without the pile" in page
    assert follow(client, page) == "yes"
    assert "Take the pile" not in advise(client, "rummy-500", discards="KH QD 9C", **hand)


def test_what_is_taken_off_a_pile_may_be_laid_off(client):
    page = advise(
        client,
        "rummy-500",
        hand="4C",
        discards="KH 6S 9D",
        table_1="3S 4S 5S",
        own_1="9C 9H 9S",
        later="1",
    )

    assert "Take the pile down to 6♠" in page
    assert follow(client, page) == "yes"


def test_what_closes_a_hand_says_how_often_it_is_paid(client):
    words = Page(client.get(f"/desk/remigio/advice?put=1&hand={HANDS['remigio']}")).text
    plain = Page(client.get("/desk/remigio/advice?put=1&hand=9H 9C 9D 9S 9H 9C JK JK 9D 9S")).text

    assert "pay double" in words
    assert "Discard" in words
    assert "10 times" in plain


@pytest.mark.parametrize(
    ("slug", "question", "row"),
    [
        *((slug, {"hand": ""}, "hand") for slug in HANDS),
        *((slug, {"hand": "7X"}, "hand") for slug in HANDS),
        ("mexican-rummy", {"hand": "7C 7C 7C"}, "hand"),
        ("mexican-rummy", {"hand": "JK 7C"}, "hand"),
        ("mexican-rummy", {"hand": "7C", "table_1": "7D 8D 2H"}, "table-1"),
        ("mexican-rummy", {"hand": "7C", "table_1": "what"}, "table-1"),
        ("eleven-phases", {"hand": "A " * 61}, "hand"),
        ("remigio", {"hand": "AH 2H 3H 4H 5H 6H 7H 8H 9H JH QH KH " * 5 + "2C"}, "hand"),
        ("rummikub", {"hand": "R1", "table_1": "R1 R2"}, "table-1"),
        ("rummy-500", {"hand": "7C", "own_1": "7C 7D 7H"}, "own-1"),
        ("rummy-500", {"hand": "7C 8C", "own_1": "3S 4S 9S"}, "own-1"),
    ],
)
def test_unreadable_text_is_kept_and_shows_an_error_next_to_its_row(client, slug, question, row):
    page = advise(client, slug, 422, **question)

    assert found(page) is None
    (field,) = re.findall(rf'<input id="{row}"[^>]*>', page)
    assert 'aria-invalid="true"' in field
    assert f'id="{row}-why"' in page
    assert f'value="{question[row.replace("-", "_")]}"' in field


@pytest.mark.parametrize(
    ("slug", "hand"),
    [
        ("remigio", "AH 2H 3H 4H 7C 7D 7S KS KH KD 9D"),
        ("eleven-phases", "7 8 9 K A 3 7 8 9 K A 3"),
    ],
)
def test_a_hand_holds_what_was_dealt_and_one_that_was_drawn(client, slug, hand):
    assert found(advise(client, slug, hand=hand)) is not None
    assert found(advise(client, slug, 422, hand=f"{hand} {hand.split()[0]}")) is None


@pytest.mark.parametrize(
    ("slug", "says"), [("mexican-rummy", "a better play"), ("remigio", "a play")]
)
def test_advice_says_if_the_time_ran_out(app, slug, says):
    hand = HANDS[slug] if says == "a better play" else HOPELESS[slug]
    texts = {"put": "1", "hand": hand}
    page = open_advice(variants.get(slug), DeskQuestion(step=2, texts=texts))
    cut = replace(page, found=replace(page.found, decided=False))

    with app.test_request_context():
        told = render_template("advice/found.html", page=cut, here="/here", desk="/desk")
        whole = render_template("advice/found.html", page=page, here="/here", desk="/desk")

    assert re.search(rf"out of time. There may be {says}", told)
    assert "out of time" not in whole


@pytest.mark.parametrize("variant", FIVE, ids=lambda variant: variant.slug)
def test_it_can_be_asked_without_scripts(phone, variant):
    phone.open(f"/desk/{variant.slug}")
    phone.tap("What can I lay down?")
    phone.press("Find best play", 422)
    phone.press("Find best play", hand=HANDS[variant.slug], **step_of(variant))
    phone.tap(f"Change the {variant.speaker.nouns['card'].many}")
    hand = dict(phone.page.forms[0].fields)["hand"]
    assert sorted(hand.split()) == sorted(HANDS[variant.slug].split())
    phone.press("Find best play")
    phone.tap("Ask the referee")
    assert "✓ Legal" in phone.page.text


def step_of(variant):
    return {"step": STEPS.get(variant.slug, "1")} if variant.contracts else {}


SWAP = {
    "step": "2",
    "hand": "8C 8D 8H 9S 10S QS 6D 3C",
    "table_1": "4D 5D 2S 7D",
}


def test_a_swap_shows_the_card_given_and_the_card_taken(client):
    page = advise(client, "mexican-rummy", **SWAP)

    assert found(page)
    swap = page.split("<h3>Swap</h3>")[1].split("<h3>")[0]
    assert swap.index("6 of diamonds") < swap.index("2 of spades") < swap.index(">from")
    assert follow(client, page) == "yes"


def test_two_swaps_and_what_is_laid_off_after_them_are_put_to_the_referee(client):
    page = advise(
        client,
        "mexican-rummy",
        **SWAP | {"hand": "8C 8D 8H 9S QS 6D 7D 9D KD", "table_1": "5D 2S 2C 8D"},
    )

    assert page.count("<h3>Swap</h3>") == 2
    assert "Lay off" in page
    assert follow(client, page) == "yes"


@pytest.mark.parametrize(
    ("slug", "question", "says"),
    [
        ("rummy", {"hand": "9C 9H 9D KD", "table-2": "KC KS KH", "later": "1"}, "lay down"),
        ("kaluki", {"hand": "JH QH KH 10C 10D 10S 4H 8C 8D JK"}, "open"),
        ("conquian", {"hand": "4S 5S 6S KC", "own-1": "QC JC 7C"}, "lay down"),
    ],
)
def test_melds_that_are_laid_freely_are_advised_and_legal(client, slug, question, says):
    page = advise(client, slug, **question)

    assert f"You can {says}" in page
    assert follow(client, page) == "yes"
    assert "points: what" not in page
