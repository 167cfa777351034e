"""Going out all at once, with nothing laid before: what a round counts then."""

import pytest

from referee import variants
from referee.describing import Refused, build
from referee.scorepad import HandRecord, close_choices, keep_score
from referee.variant import Variant
from tests import described

KALUKI = variants.get("kaluki").with_options({"at-once": 2})
ROMME = variants.get("romme").with_options({"at-once": 2})


def with_at_once(slug, times, **score):
    """Give a game in which going out at once counts so often, without house rules."""
    rules = described.game(slug)
    return rules | {
        "score": rules["score"] | {"at-once": times} | score,
        "options": {},
        "examples": [],
        "text": {},
    }


def points(game: Variant, close):
    """Give what a round comes to in which the first of three goes out so."""
    left = (HandRecord(left=20), HandRecord(left=10))
    pad = keep_score(game, 3, [(HandRecord(out=True, close=close), *left)], first_dealer=0)
    assert not pad.problems
    return pad.points[0]


@pytest.mark.parametrize(
    ("game", "usual", "at_once"),
    [(KALUKI, (30, -20, -10), (60, -40, -20)), (ROMME, (0, 20, 10), (0, 40, 20))],
    ids=["paid to who is out", "counted against oneself"],
)
def test_what_is_left_counts_twice(game, usual, at_once):
    assert points(game, "outright") == at_once
    assert points(game, "out") == points(game, None) == usual


def test_if_it_counts_as_any_other_way_nobody_is_asked():
    game = variants.get("romme")

    assert close_choices(game) == ()
    assert points(game, "outright") == (0, 20, 10)


def test_the_pad_asks_how_often_it_counts_and_the_usual_way_needs_no_word():
    assert [(choice.word, choice.title, choice.counts) for choice in close_choices(KALUKI)] == [
        ("out", "Out", ""),
        ("outright", "All at once", "×2"),
    ]


def test_going_out_at_once_counts_the_same_under_a_contract():
    game = build(with_at_once("liverpool-rummy", 3))

    assert points(game, "outright") == (0, 60, 30)
    assert "counts 3 times" in game.rulebook.cited("at-once").says


@pytest.mark.parametrize(
    ("slug", "score"),
    [("gin-rummy", {}), ("rummy-500", {}), ("tonk", {}), ("rummikub", {}), ("romme", {"cap": 80})],
)
def test_if_it_cannot_be_counted_it_is_refused_at_its_field(slug, score):
    with pytest.raises(Refused) as refused:
        build(with_at_once(slug, 2, **score))
    assert "score.at-once" in {each.path for each in refused.value.complaints}


def test_the_rulebook_says_it_in_the_place_of_the_usual_rule():
    assert ROMME.rulebook.cited("settle").basis.value == "house"
    assert ROMME.rulebook.cited("at-once") == ROMME.rulebook.cited("settle")
