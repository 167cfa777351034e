"""A game made from another one calls things what that one does."""

import pytest

from referee import variants
from referee.describing import build
from webapp.own_games.patches import made_from


@pytest.mark.parametrize("slug", ["hand-and-foot", "burraco", "canasta"])
def test_a_game_made_from_another_keeps_its_nouns_and_its_source(slug):
    spec = variants.description_of(slug, "en")
    draft = {**made_from(spec, "Ours"), "slug": "ours"}

    game, before = build(draft), variants.get(slug)

    assert game.rulebook.source == before.rulebook.source
    assert [kind.called for kind in game.bonuses] == [kind.called for kind in before.bonuses]
    for noun in ("reserve", "bonus"):
        assert game.speaker.nouns[noun] == before.speaker.nouns[noun]
