"""Going out all at once at the pad: asked for where it counts more, and the usual way by itself."""

import pytest

from tests.webapp.table import Table
from tests.webapp.test_own_form import draft_of, save, walk
from webapp import ledger
from webapp.services import own


@pytest.fixture
def rummy(database):
    return Table(database, ("Ana", "Ben", "Cleo"), "rummy", options={"at-once": "2"})


def totals(table):
    return table.database.read(ledger.read_story, table.pub).score.totals


def test_all_at_once_counts_twice_and_stands_on_the_pad(client, rummy):
    rummy.save(1, rummy.typed(1, close="outright", ana="out", ben="20", cleo="10"))
    rummy.count(2, ana="out", ben="5", cleo="5")

    assert totals(rummy) == (70, -45, -25)
    pad = client.get(f"/g/{rummy.pub}").text
    assert pad.count("×2</small>") == 1
    assert "×1" not in pad


def test_the_usual_way_is_chosen_until_another_is(client, rummy):
    page = client.get(f"/g/{rummy.pub}/rounds/1").text

    assert 'id="close-out" aria-label="Out" checked>' in page
    assert 'id="close-outright" aria-label="All at once, ×2">' in page


def test_it_is_offered_on_the_form_and_so_are_jokers_by_players(client, database):
    answer = walk(client, client.get("/games/own/new?from=kaluki"), to="score")
    assert 'name="score.at-once"' in answer.text
    answer = walk(client, answer, to="cards", **{"score.at-once": "2"})
    answer = walk(client, answer, **{"pack.jokers": "2-4: 2, 5-6: 4"})

    draft = draft_of(answer)
    assert draft["score"]["at-once"] == 2
    assert draft["pack"]["jokers"] == {"2-4": 2, "5-6": 4}
    assert "counts twice" in answer.text
    slug = f"own-{save(client, answer).headers['Location'].rpartition('/')[2]}"
    assert database.read(own.find_game, slug).pack_for(3).jokers == 2
