"""One's own game on a phone: Spanish cards whose ace follows the rey, runs that go round."""

import pytest

from tests.webapp.table import Page
from tests.webapp.test_own_form import draft_of, save, walk
from webapp.services import own

CARDS = {
    "name": "Abuela's rummy",
    "pack.kind": "spanish",
    "pack.copies": "2",
    "pack.jokers": "2",
    "pack.remove": "8-9",
}
COSTS = {
    "score.hand:name": ["1-9", "10-12", "JK", "", "", ""],
    "score.hand:number": ["face", "10", "25", "", "", ""],
}
FOLLOWS = "The ranks beside a gap follow on each other"


@pytest.fixture
def spanish(client):
    """Rummy from nothing with forty Spanish cards, all said but how runs go."""
    answer = walk(client, client.get("/games/own/new"), to="score", **CARDS)
    return walk(client, answer, to="melds", **COSTS)


@pytest.mark.parametrize(
    "case",
    [
        ({"run.ace": "both"}, "The 1 stands at either end of a run", "11O 12O 1O", "12O 1O 2O"),
        ({"run.ace": "high"}, "The 1 is high only", "11O 12O 1O", "1O 2O 3O"),
        ({"run.ace": "low"}, "The 1 is low only", "1O 2O 3O", "11O 12O 1O"),
        ({"run.around": "true"}, "Runs may go on round the corner", "12O 1O 2O", "7O 11O 12O"),
    ],
    ids=lambda case: str(case[0]),
)
def test_how_runs_go_is_chosen_told_and_ruled_on(client, database, spanish, case):
    run, told, legal, not_legal = case
    look = walk(client, spanish, **run)
    assert "This can be played" in look.text
    save(client, look)
    (slug,) = database.read(own.read_shelf).own

    rules = Page(client.get(f"/rules/{slug}")).text
    assert told in rules
    assert FOLLOWS.lower() in rules.lower()
    for cards, verdict in (("6O 7O 10O", "Legal"), (legal, "Legal"), (not_legal, "Not legal")):
        desk = Page(client.get(f"/desk/{slug}?ask=meld&cards={cards.replace(' ', '+')}"))
        assert verdict in desk.text, cards
        assert ("Not legal" in desk.text) is (verdict == "Not legal"), cards


def test_the_form_offers_the_ace_in_the_words_of_the_pack(client, spanish):
    assert "The 1 stands at either end of a run" in spanish.text
    assert draft_of(walk(client, spanish, **{"run.ace": "both"}))["run"]["ace"] == "both"


@pytest.mark.parametrize(("out", "there"), [("5-K", "A-4"), ("4-K", "A-3")])
def test_a_pack_of_few_ranks_is_shown_with_the_melds_that_it_has(client, out, there):
    cards = {"name": "Few", "pack.copies": "8", "pack.remove": out}
    costs = {"score.hand:name": [there, "JK"], "score.hand:number": ["5", "25"]}
    look = walk(client, walk(client, client.get("/games/own/new"), to="score", **cards), **costs)

    assert "This can be played" in look.text
    assert "A♠ 2♠ 3♠" in look.text
