"""Examples of a game of your own: told with the verdict of today."""

import json

from referee.describing import build
from tests.described import from_nothing
from webapp.ledger.ledger import FormKey, new_key
from webapp.own_games.commands import save_game
from webapp.own_games.examples import ruled_today
from webapp.own_games.sharing import read_link
from webapp.own_games.url_token import write_token

EXAMPLE = {"meld": "3S 4S 5H", "code": "run-of-two-suits"}


def test_an_example_is_in_the_rulebook_and_stays_with_the_game(client, database):
    spec = from_nothing() | {"examples": [EXAMPLE]}
    slug = database.write(save_game, spec, FormKey(key=new_key()))

    rules = client.get(f"/rules/{slug}").text
    assert 'aria-label="Not legal"' in rules
    assert json.loads(read_link(write_token(spec)).draft_text)["examples"] == [EXAMPLE]


def test_a_verdict_is_that_of_the_round_and_is_put_right_when_saved():
    steps = {"contract": {}, "steps": ["1 set of 3", "1 run of 4"], "end": {}}
    plain = {key: part for key, part in from_nothing().items() if key != "free"}
    wild = {"cards": ["JK"], "when": "run-in-contract"}
    examples = [{"meld": "7S 7H JK", "step": 1, "code": "wild-not-called"}]
    spec = {**plain, **steps, "wild": wild, "examples": examples}

    ruled = ruled_today(spec)

    assert "code" in ruled["examples"][0]
    assert ruled_today(ruled) == ruled
    assert build(ruled).examples
