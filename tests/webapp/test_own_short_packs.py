"""One's own game: Spanish cards whose ace follows the rey, runs that go round, few ranks."""

import pytest

from tests.described import from_nothing
from tests.webapp.table import Page
from webapp.ledger import Sent, new_key
from webapp.services.own.judging import judge
from webapp.services.own.keeping import save_game

pytestmark = pytest.mark.slow

SPANISH = from_nothing() | {
    "pack": {"kind": "spanish", "copies": 2, "jokers": 2, "remove": ["8-9"]},
    "score": {"hand": {"1-9": "face", "10-12": 10, "JK": 25}},
    "text": {"name": "Abuela's rummy"},
}


@pytest.mark.parametrize(
    "case",
    [
        ({"ace": "both"}, "11O 12O 1O", "12O 1O 2O"),
        ({"ace": "high"}, "11O 12O 1O", "1O 2O 3O"),
        ({"ace": "low"}, "1O 2O 3O", "11O 12O 1O"),
        ({"around": True}, "12O 1O 2O", "7O 11O 12O"),
    ],
    ids=lambda case: str(case[0]),
)
def test_how_runs_go_is_ruled_on(client, database, case):
    run, legal, not_legal = case
    slug = database.write(save_game, SPANISH | {"run": run}, Sent(key=new_key()))

    for cards, verdict in (("6O 7O 10O", "Legal"), (legal, "Legal"), (not_legal, "Not legal")):
        desk = Page(client.get(f"/desk/{slug}?ask=meld&cards={cards.replace(' ', '+')}"))
        assert verdict in desk.text, cards
        assert ("Not legal" in desk.text) is (verdict == "Not legal"), cards


@pytest.mark.parametrize(("out", "there"), [("5-K", "A-4"), ("4-K", "A-3")])
def test_a_pack_of_few_ranks_is_shown_with_the_melds_that_it_has(out, there):
    pack = {"copies": 8, "jokers": 4, "remove": [out]}
    few = from_nothing() | {
        "pack": pack,
        "run": {"ace": "low"},
        "score": {"hand": {there: 5, "JK": 25}},
    }

    assert "A♠ 2♠ 3♠" in {each.cards for each in judge(few).examples}
