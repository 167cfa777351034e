"""What a team needs to go out can be more from round to round."""

import pytest

from referee import parse_cards, variants
from referee.describing import changed, problems
from referee.judging import rule_on
from referee.plays import LayDown, Moment
from referee.rulings import Code
from referee.scorepad import HandRecord, keep_score

STEPS = [
    {"opening": 50, "needs": {"clean": 1}},
    {"opening": 90, "needs": {"clean": 1, "dirty": 1}},
    {"opening": 120, "needs": {"clean": 2, "dirty": 1}},
    {"opening": 150},
]
GAME = variants.get("hand-and-foot").with_options({"/steps": STEPS})
CLEAN = parse_cards("KS KS KH KH KD KD KC")
OUT = parse_cards("QS QS QH QH QD QD QC")


def goes_out(step, game=GAME):
    play = LayDown(melds=(OUT,), own=(CLEAN,), kept=(), down=True)
    return rule_on(play, game, Moment(step))


def scored(bonus, rounds, game=GAME):
    """The codes on the pad for a last round in which the first team went out with these books."""
    usual = {"clean": 2, "dirty": 2}
    last = [*[usual] * (rounds - 1), bonus]
    others = [HandRecord(left=5)] * 3
    records = [[HandRecord(out=True, table=900, bonus=one), *others] for one in last]
    return [each.code for each in keep_score(game, 4, records, 0).problems]


def test_each_round_has_its_own_needs_to_go_out():
    assert goes_out(1).is_legal
    assert goes_out(2).broken == {Code.NEEDS_MISSING}
    assert goes_out(3).broken == {Code.NEEDS_MISSING}


def test_a_round_without_needs_of_its_own_has_those_of_the_game():
    usual = variants.get("hand-and-foot")

    assert goes_out(4).broken == goes_out(1, usual).broken == {Code.NEEDS_MISSING}


@pytest.mark.parametrize(
    ("bonus", "rounds", "found"),
    [
        ({"clean": 1}, 1, []),
        ({"clean": 1}, 2, [Code.NEEDS_MISSING]),
        ({"clean": 1, "dirty": 1}, 2, []),
        ({"clean": 1, "dirty": 1}, 3, [Code.NEEDS_MISSING]),
        ({"clean": 1, "dirty": 1}, 4, []),
    ],
)
def test_the_pad_asks_for_the_needs_of_its_round(bonus, rounds, found):
    assert scored(bonus, rounds) == found


def test_a_pad_that_forgets_the_round_would_ask_for_the_same_in_each():
    forgets = variants.get("hand-and-foot")

    assert scored({"clean": 1}, 1, forgets) == [Code.NEEDS_MISSING]


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "a clean book; a clean book and a dirty book; 2 clean books"),
        ("es", "2 libros limpios"),
    ],
)
def test_the_rulebook_lists_them_by_round(language, says):
    game = variants.get("hand-and-foot", language).with_options({"/steps": STEPS})

    (clause,) = (each for each in game.rulebook.clauses if says in each.says)
    assert clause.id == "house-out-needs"


def test_only_melds_with_a_bonus_can_be_needed():
    spec = variants.description_of("hand-and-foot")
    odd = [{**STEPS[0], "needs": {"golden": 1}}, *STEPS[1:]]

    assert [each.path for each in problems(changed(spec, {"steps": odd}))] == ["steps, line 1"]
    assert problems(changed(spec, {"steps": STEPS})) == ()
    canasta = changed(variants.description_of("canasta"), {"steps": [{"needs": {"any": 2}}, {}]})
    assert problems(canasta) == ()
