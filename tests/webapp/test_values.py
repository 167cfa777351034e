"""What a card costs stands in one place: a house rule that changes it is seen wherever it counts.

Each card of each game is made dearer in turn, as a house rule "jokers cost 50" would.
"""

from collections import Counter
from dataclasses import replace

import pytest

from referee import Moment, rule_on, variants
from referee.advice import advise
from referee.cards import JOKER_RANK, Card, write_cards
from referee.plays import Rearrange
from referee.protocol.asks import ASKS
from referee.questions.intake import JsonObject, Reader
from tests.webapp.advice import FIVE
from tests.webapp.table import Table
from webapp.pages.counting import view as count_page

pytestmark = pytest.mark.slow

MORE = 35
"""Points that a card costs more: a multiple of what every hand's cost is a multiple of."""


FIRST = 1
"""The round or phase that is asked about."""


def kinds():
    """A card of each value of each game, by the slug of the game."""
    for variant in FIVE:
        for each in variant.value_classes(FIRST):
            yield variant.slug, min(each.cards, key=str)


EVERY_VALUE = pytest.mark.parametrize(("slug", "card"), list(kinds()), ids=str)
EVERY_TILE = pytest.mark.parametrize(
    ("slug", "card"), [each for each in kinds() if each[0] == "rummikub"], ids=str
)


def dearer(variant, card):
    """The game where such a card costs more."""
    values = variant.values
    own = card.rank == JOKER_RANK and JOKER_RANK in values.by_rank
    if values.wild is not None and not own and card in variant.wilds_at(FIRST).cards:
        return replace(variant, values=replace(values, wild=values.wild + MORE))
    by_rank = {**values.by_rank, card.rank: values.by_rank[card.rank] + MORE}
    return replace(variant, values=replace(values, by_rank=by_rank))


def counted(variant, card):
    """What `count` says that the card costs in hand."""
    ask = ASKS["count"]
    fields = {"cards": write_cards((card,)), "step": FIRST}
    return ask.answer(Reader(JsonObject(fields), variant, ask.fields))["points"]


def in_turn(variant, card):
    """A turn that plays such a tile once, beside others, or a joker as a tile."""
    colours = variant.pack.suits
    rank = card.rank or 5
    tiles = [Card(rank, colour) for colour in colours[:3]]
    return (*tiles[:2], card) if not card.rank else tuple(tiles)


@EVERY_VALUE
def test_count_and_advise_see_a_changed_value(slug, card):
    game = variants.get(slug)
    changed = dearer(game, card)

    assert counted(changed, card) == counted(game, card) + MORE
    before, after = (advise(each, Moment(FIRST), (card,)) for each in (game, changed))
    assert not after.possible
    assert after.points == before.points + MORE


@EVERY_TILE
def test_a_turn_at_a_table_of_tiles_sees_a_changed_value(slug, card):
    game = variants.get(slug)
    changed = dearer(game, card)
    tiles = in_turn(game, card)
    play = Rearrange(before=(), after=(tiles,), rack=tiles, opened=True)

    before, after = (rule_on(play, each) for each in (game, changed))
    assert after.is_legal
    many = sum(tile.rank == card.rank for tile in tiles)
    assert after.points == before.points + many * MORE
    assert after.points == sum(counted(changed, tile) for tile in tiles)
    first, then = (advise(each, Moment(), tiles) for each in (game, changed))
    assert then.turn.value == first.turn.value + many * MORE == after.points


@EVERY_VALUE
def test_the_keys_of_the_count_see_a_changed_value(database, monkeypatch, slug, card):
    game = variants.get(slug)
    changed = replace(dearer(game, card), slug=f"{slug}-dearer-{card}".lower())
    costs = counted(changed, card)
    monkeypatch.setitem(variants._by_slug(), changed.slug, changed)
    table = Table(database, ("Ana", "Ben"), changed.slug)

    form = table.database.read(count_page.open_count, table.pub, 1)

    points = {key.points for key in form.classes if card in key.cards}
    assert points == {costs}
    assert max(Counter(tile for key in form.classes for tile in key.cards).values()) == 1
