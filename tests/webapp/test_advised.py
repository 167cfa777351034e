"""What was found, put so that a page can show it: turns, near misses, the order of melds."""

from collections import Counter

import pytest

from referee import variants
from referee.advice import Turn
from referee.advice.advised import Miss
from webapp.pages.advice.closest import name_misses
from webapp.pages.advice.table_turn import show_turn

RUMMIKUB = variants.get("rummikub")


def tiles(*sets):
    return tuple(RUMMIKUB.pack.parse(text) for text in sets)


def shown(table, after, origins):
    played = tuple(
        tile
        for cards, own in zip(after, origins, strict=True)
        for tile, origin in zip(cards, own, strict=True)
        if origin is None
    )
    turn = Turn(after=after, played=played, value=0, origins=origins)
    return show_turn(table, turn, RUMMIKUB)


def marks(sets):
    return {each.label: [(str(tile.card), tile.mark) for tile in each.tiles] for each in sets}


def test_a_set_that_gives_a_tile_keeps_its_number():
    table = tiles("R7 B7 K7", "B4 B5 B6 B7")
    after = tiles("R7 B7 K7", "B5 B6 B7", "R4 B4 K4")

    seen = shown(table, after, ((0, 0, 0), (1, 1, 1), (None, 1, None)))

    assert marks(seen.still) == {"Set 1": [("R7", ""), ("B7", ""), ("K7", "")]}
    assert marks(seen.before) == {"Set 2": [("B4", "moved"), ("B5", ""), ("B6", ""), ("B7", "")]}
    assert marks(seen.after) == {
        "Set 2": [("B5", ""), ("B6", ""), ("B7", "")],
        "New": [("R4", "rack"), ("B4", "moved"), ("K4", "rack")],
    }


def test_a_set_that_grows_is_not_moved():
    seen = shown(tiles("O9 O10 O11"), tiles("O8 O9 O10 O11"), ((None, 0, 0, 0),))

    assert marks(seen.before) == {"Set 1": [("O9", ""), ("O10", ""), ("O11", "")]}
    assert marks(seen.after)["Set 1"][0] == ("O8", "rack")
    assert seen.still == ()


def test_of_two_sets_put_together_one_is_moved():
    table = tiles("R1 R2 R3", "R5 R6 R7")
    seen = shown(table, tiles("R1 R2 R3 R4 R5 R6 R7"), ((0, 0, 0, None, 1, 1, 1),))

    assert [mark for _, mark in marks(seen.before)["Set 2"]] == ["moved"] * 3
    assert [mark for _, mark in marks(seen.after)["Set 1"]] == ["", "", "", "rack"] + ["moved"] * 3


def test_sets_that_were_not_there_are_marked():
    after = tiles("R1 R2 R3", "K1 K2 K3")
    seen = shown((), after, ((None,) * 3, (None,) * 3))

    assert [each.label for each in seen.after] == ["New 1", "New 2"]


def test_a_joker_says_what_it_stands_for():
    (grown,) = shown((), tiles("K11 JK K13"), ((None,) * 3,)).after

    assert [str(tile.stands) for tile in grown.tiles if tile.stands] == ["K12"]


@pytest.mark.parametrize(
    ("slug", "step", "misses", "seen", "named"),
    [
        ("eleven-phases", 1, {"8": 18, "A": 9}, "", "8 A"),
        (
            "mexican-rummy",
            1,
            {"2S": 1, "6S": 1, "6D": 1, "6C": 1},
            "6H 6H 2C 2C",
            "6 2S",
        ),
        ("mexican-rummy", 1, {"6S": 2, "6H": 1}, "", "6S 6H"),
        ("mexican-rummy", 2, {"2S": 1, "2C": 1, "9D": 1}, "", "9D 2S 2C"),
        ("mexican-rummy", 2, {"2S": 2, "9D": 1}, "", "9D 2S"),
        ("five-crowns", 3, {"5S": 2, "6S": 1}, "", "6S 5S"),
        ("five-crowns", 4, {"5S": 2, "6S": 1}, "", "5S 6S"),
    ],
)
def test_a_card_that_helps_in_every_suit_is_named_once_and_wilds_come_last(
    slug, step, misses, seen, named
):
    variant = variants.get(slug)
    lacking = [Miss(variant.pack.parse(text)[0], unseen) for text, unseen in misses.items()]

    wilds = variant.wilds_at(step).cards
    told = name_misses(variant, wilds, lacking, Counter(variant.pack.parse(seen)))

    assert [str(card) for card in told] == named.split()
