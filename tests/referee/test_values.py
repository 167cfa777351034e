"""What cards cost, as the keys of the count have it."""

import pytest

from referee import variants
from referee.cards import parse_cards
from referee.values import fewest, most
from tests.described import changed


def keys(game, step=None):
    """The keys of a count: what is on each, what it costs, and how many such cards there are."""
    return [
        (key.label, key.points, key.copies) for key in game.value_classes(step, game.players[0])
    ]


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        (
            "mexican-rummy",
            [("2–9", 5, 60), ("10–K", 10, 32), ("A", 15, 8), ("black 2", 20, 4)],
        ),
        ("eleven-phases", [("2–9", 5, 96), ("10–K", 10, 48), ("A", 20, 12)]),
        ("phase-10", [("1–9", 5, 72), ("10–12", 10, 24), ("skip", 15, 4), ("wild", 25, 8)]),
        ("liverpool-rummy", [("2–9", 5, 64), ("10–K", 10, 32), ("A", 15, 8), ("joker", 25, 4)]),
        ("rummy-500", [("3–9", 5, 28), ("10–K", 10, 16), ("A", 15, 4), ("wild card", 25, 6)]),
    ],
)
def test_cards_of_one_value_share_a_key(slug, expected):
    assert keys(variants.get(slug)) == expected


@pytest.mark.parametrize(
    ("odd", "aces"),
    [
        # Of two and two the key of the rank is for those that no line of their own names.
        ({"red A": 1}, [("A", 15, 4), ("red A", 1, 4)]),
        ({"black A": 1}, [("A", 15, 4), ("black A", 1, 4)]),
        ({"AS": 1}, [("A", 15, 6), ("♠ A", 1, 2)]),
        ({"AC": 1}, [("A", 15, 6), ("♣ A", 1, 2)]),
        ({"AS": 1, "AH": 1}, [("A", 15, 4), ("♠♥ A", 1, 4)]),
        ({"red A": 1, "AS": 1}, [("A", 1, 6), ("♣ A", 15, 2)]),
    ],
)
def test_cards_that_cost_otherwise_than_most_of_their_rank_have_a_key_of_their_own(odd, aces):
    hand = {"A": 15, "2-9": "face", "10-K": 10, "JK": 50, **odd}
    game = changed("kalooki-jamaican", {"score.hand": hand})

    assert keys(game)[-3:] == [*aces, ("joker", 50, 4)]


@pytest.mark.parametrize(
    ("cards", "least", "highest"), [(0, 0, 0), (3, 15, 60), (60, 300, 600), (62, 320, 610)]
)
def test_a_number_of_cards_costs_between_its_least_and_its_most(cards, least, highest):
    classes = variants.get("mexican-rummy").value_classes(None, 2)

    assert (fewest(classes, cards), most(classes, cards)) == (least, highest)


def test_no_more_can_be_left_than_all_cards_cost():
    assert most(variants.get("mexican-rummy").value_classes(None, 2)) == 300 + 320 + 120 + 80


def test_a_count_adds_what_each_card_costs():
    values = variants.get("kalooki-jamaican").values

    assert values.count(parse_cards("AS AH 9D KC JK"), frozenset()) == 15 + 1 + 9 + 10 + 50
