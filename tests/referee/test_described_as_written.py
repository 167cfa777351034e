"""Each described game is the very game that its Python file makes, under every house rule.

Field for field, and every two house rules together. It goes when the Python files go.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping

import pytest

from referee import variants
from referee.cards import JOKER, Card
from referee.describing import build
from referee.describing.options import values_of
from referee.rulings import MeldKind, Reading
from tests import described

ASIDE = {"apply", "remake", "arranged", "_melds", "_by_id"}


def differences(one, other, path, game):  # noqa: PLR0911 - one for each kind of value
    """The fields in which two games differ, by path."""
    if path == "packs":
        return [path for players in game.players if one(players) != other(players)]
    if path == "worth":
        return [path for meld in melds(game) if (one and one(meld)) != (other and other(meld))]
    if path == "notes":
        steps = range(1, len(game.contracts) + 1)
        return [path for step in steps if one(game, step) != other(game, step)]
    if path == "rulebook.clauses":
        return [path] if {c.id: c for c in one} != {c.id: c for c in other} else []
    # What joins a set of only wilds is not looked at where there is no such set.
    if path == "sets.wilds_join" and game.sets.only_wilds is None:
        return []
    if callable(one) and hasattr(one, "__qualname__"):
        same = one.__qualname__ == other.__qualname__ and cells(one) == cells(other)
        return [] if same else [path]
    if dataclasses.is_dataclass(one) and type(one) is type(other):
        names = [field.name for field in dataclasses.fields(one) if field.name not in ASIDE]
        pairs = [(name, getattr(one, name), getattr(other, name)) for name in names]
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        pairs = [(str(number), *pair) for number, pair in enumerate(zip(one, other, strict=True))]
    elif isinstance(one, Mapping):
        return [] if dict(one) == dict(other) else [path]
    else:
        return [] if one == other and type(one) is type(other) else [path]
    return [
        found
        for name, first, second in pairs
        for found in differences(first, second, f"{path}.{name}".lstrip("."), game)
    ]


def cells(function):
    """What a function was made with."""
    return [cell.cell_contents for cell in function.__closure__ or ()]


def melds(game):
    """A few melds to score."""
    suit, second = game.pack.suits[:2]
    king, ace, two = (Card(rank, suit) for rank in (13, 1, 2))
    nine, other = Card(9, suit), Card(9, second)
    yield Reading(MeldKind.RUN, (king, ace), (king, ace), (13, 14))
    yield Reading(MeldKind.RUN, (JOKER, Card(7, suit)), (Card(6, suit), Card(7, suit)), (6, 7))
    yield Reading(MeldKind.RUN, (two, Card(3, suit)), (two, Card(3, suit)), (2, 3))
    yield Reading(MeldKind.SET, (nine, JOKER), (nine, other))
    yield Reading(MeldKind.SET, (ace, JOKER), (ace, Card(1, second)))
    if game.sets.only_wilds is not None:
        yield Reading(MeldKind.SET, (JOKER, JOKER), (JOKER, JOKER), rankless=True)


@pytest.mark.parametrize("written", variants.all(), ids=lambda game: game.slug)
def test_every_field_is_the_same_under_every_two_house_rules(written):
    spec = described.game(written.slug)
    game = build(spec)
    each = [
        {name: value}
        for name, option in spec["options"].items()
        for value in values_of(spec, option)
    ]
    pairs = [
        one | other for one, other in itertools.combinations(each, 2) if not one.keys() & other
    ]

    for chosen in ({}, *each, *pairs):
        one, other = written.with_options(chosen), game.with_options(chosen)
        assert differences(one, other, "", one) == [], chosen


def test_a_field_that_differs_is_seen():
    written = variants.get("remigio")
    game = build(described.game("remigio"))
    changed = dataclasses.replace(game, runs=dataclasses.replace(game.runs, min_size=4))

    assert differences(written, changed, "", written) == ["runs.min_size"]
