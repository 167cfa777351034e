"""Games of a table's own: what wilds, short packs and contracts are as the rulebook tells them."""

import pytest

from referee.advice import advise
from referee.cards import parse_cards
from referee.describing import Refused, build, check
from referee.judging import rule_on
from referee.plays import Call, LayDown, LayOff, Moment, ShowMeld
from referee.rulings import Code, MeldKind
from referee.scorepad import keep_score
from referee.scorepad.hands import HandRecord
from tests.described import BARE
from tests.referee.pads import OUT
from tests.referee.plays import lay_off as lay_off_play
from tests.referee.plays import swap

CARDS = {
    **BARE,
    "pack": {"copies": 2, "jokers": 4},
    "deal": {"cards": 10},
    "score": {"hand": {"A-K": 5, "JK": 20}},
    "layoff": {},
}


def free(**sections):
    return build({**CARDS, "free": {}, **sections})


def contracts(*steps, rule=None, **sections):
    return build({**CARDS, "end": {}, "contract": rule or {}, "steps": [*steps], **sections})


def show(game, cards, step=None):
    return rule_on(ShowMeld(parse_cards(cards)), game, Moment(step))


def lay_down(game, *melds, step=1):
    laid = tuple(parse_cards(cards) for cards in melds)
    return rule_on(LayDown(melds=laid), game, Moment(step))


def lay_off(game, cards, onto, step=None):
    play = LayOff(parse_cards(cards), parse_cards(onto), own=True)
    return rule_on(play, game, Moment(step))


def wild(*cards, **limits):
    return {"cards": [*cards], **limits}


def test_an_ace_may_be_at_the_far_end_of_a_run_of_fourteen_if_jokers_may_not_touch():
    game = free(wild=wild("JK", adjacent=False))

    assert show(game, "JK 10S 9S 5S QS JK JS 8S 6S AS 3S JK 2S 4S").is_legal


def test_a_wild_in_its_own_place_is_wild_if_no_wild_is_natural():
    game = free(wild=wild("JK", "9", natural="never", most=1))

    assert show(game, "8D 9D 10D").is_legal
    assert show(game, "6D 7D JK 9D 10D").broken == {Code.TOO_MANY_WILDS}
    assert show(game, "10D 7D 8D 9D JK").broken == {Code.TOO_MANY_WILDS}
    assert lay_off(game, "JK", "7D 8D 9D 10D").broken == {Code.TOO_MANY_WILDS}
    assert Code.NATURAL_IN_PLACE not in {found.code for found in show(game, "8D 9D 10D").findings}


def test_a_rank_that_is_never_natural_cannot_end_a_run():
    low = free(wild=wild("2", natural="never"), run={"ace": "high"})
    high = free(wild=wild("K", natural="never"), run={"ace": "low"})

    assert show(low, "2D 3D 4D").hint
    assert show(high, "JD QD KD").hint
    assert show(high, "JD KD QD").is_legal is False
    assert show(high, "KD JD QD").is_legal


def test_if_wilds_are_for_runs_only_and_never_natural_they_are_no_set():
    game = free(wild=wild("2", natural="never", **{"in": ["run"]}))

    assert show(game, "2S 2H 2D").broken == {Code.WILD_IN_SET}


def test_if_suits_are_ignored_a_wild_in_its_own_place_is_natural_and_a_joker_is_no_king():
    game = free(
        pack={"copies": 2, "jokers": 4, "ignore-suits": True},
        run={"min": 2},
        wild=wild("JK", "9", naturals=2),
    )

    assert show(game, "10D 9S").is_legal
    assert show(game, "QD JK").broken == {Code.TOO_FEW_NATURALS}


def test_a_set_that_needs_no_natural_is_of_any_rank():
    game = free(wild=wild("JK", naturals=0))

    assert lay_off(game, "7S 7H", "JK JK JK").is_legal
    assert lay_off(game, "7S 8H", "JK JK JK").broken


def test_jokers_that_are_not_wild_are_no_set():
    assert not show(free(), "JK JK JK").is_legal


def test_a_contract_may_ask_for_a_set_of_two():
    game = contracts("1 set of 2 + 1 run of 3")

    assert lay_down(game, "7S 7H", "3C 4C 5C").is_legal


def test_a_contract_asks_for_no_larger_set_than_there_is():
    spec = {**CARDS, "end": {}, "contract": {}, "steps": ["1 set of 5"], "set": {"max": 4}}

    with pytest.raises(Refused, match=r"^steps"):
        check(spec)
    with pytest.raises(Refused, match=r"^steps"):
        check({**spec, "set": {"suits": "different"}})
    check({**spec, "set": {"suits": "different"}, "wild": wild("JK")})


def test_further_melds_do_not_count_against_the_contract():
    game = contracts("2 sets of 3", rule={"same-rank-sets": False, "extra-melds": True})

    assert lay_down(game, "7S 7H 7D", "7C 7S 7D", "KS KH KD").is_legal
    assert lay_down(game, "7S 7H 7D", "7C 7S 7D").broken == {Code.SETS_OF_ONE_RANK}


def test_if_runs_are_of_no_suit_it_does_not_matter_which_card_comes_first():
    game = contracts("2 runs of 3", rule={"split-runs": False}, run={"one-suit": False})

    assert lay_down(game, "3H 4S 5D", "6H 7S 8C").broken == {Code.RUN_SPLIT}
    assert lay_down(game, "3H 4S 5D", "6S 7S 8C").broken == {Code.RUN_SPLIT}


FLUSHES = {"flush": {"min": 4}, "steps": ["1 flush of 4"], "contract": {}, "end": {}}


def test_a_wild_of_the_suit_of_a_flush_is_natural_there_if_any_is():
    where = {"in": ["set", "run", "flush"]}
    game = build({**CARDS, **FLUSHES, "wild": wild("2", most=1, **where)})
    never = build({**CARDS, **FLUSHES, "wild": wild("2", most=1, natural="never", **where)})

    assert lay_down(game, "9S 2S 2S QS").is_legal
    assert Code.TOO_MANY_WILDS in lay_down(never, "9S 2S 2S QS").broken


@pytest.mark.parametrize("wilds", [wild("JK"), wild("2", natural="never")], ids=["JK", "2"])
def test_a_wild_cannot_be_in_a_flush_if_it_is_not_wild_there(wilds):
    game = build({**CARDS, **FLUSHES, "wild": wilds})
    odd = "JK" if wilds["cards"] == ["JK"] else "2S"

    assert Code.WILD_IN_FLUSH in lay_down(game, f"9S 4S 7S QS {odd}").broken


def test_without_aces_no_card_is_high_in_their_place():
    spec = {**CARDS, "free": {}, "pack": {"copies": 2, "remove": ["A"]}, "run": {"ace": "high"}}

    with pytest.raises(Refused, match=r"^run\.ace"):
        build({**spec, "score": {"hand": {"2-K": 5}}})


HAND = {**CARDS, "hand": {}, "out": {"discard": "must"}}


@pytest.mark.parametrize(
    ("field", "spec"),
    [
        ("score.hand", {"score": {"hand": {"A-K": 5, "JK": -5}}}),
        (
            "hand.special.row",
            {"hand": {"special": {"row": {"is": "one-run", "times": 2, "protects": True}}}},
        ),
    ],
)
def test_what_a_whole_hand_is_not_ruled_by_is_refused(field, spec):
    game = {path: value for path, value in {**HAND, **spec}.items() if path != "layoff"}

    with pytest.raises(Refused) as refused:
        build(game)
    assert [complaint.path for complaint in refused.value.complaints] == [field]


OPENING = {
    "opening": {"points": 20, "wilds": "nothing"},
    "score": {"hand": {"A": 11, "2-10": "face", "J-K": 10, "JK": 20}},
}


def test_a_wild_that_counts_nothing_in_the_opening_counts_nothing_in_its_own_place_either():
    game = free(**OPENING, wild=wild("3", natural="never"))

    assert lay_down(game, "2H 3H 4H", "5S 5H 5D").points == 21
    assert lay_down(game, "2H 3H 4H").points == 6


def test_an_ace_below_the_two_counts_less_even_if_wilds_count_nothing():
    low = OPENING | {"score": {**OPENING["score"], "low-ace": 1}}

    assert lay_down(free(**low, wild=wild("JK")), "AS 2S 3S").points == 6


def test_a_player_who_is_down_lays_no_first_melds():
    game = free(free={"first-naturals": 3}, wild=wild("JK"))
    melds = (parse_cards("4S 4H JK"),)

    assert not rule_on(LayDown(melds=melds, first=True), game, Moment(None)).is_legal
    assert rule_on(LayDown(melds=melds, first=True, down=True), game, Moment(None)).is_legal


TABLE = {
    "deal": {"cards": 5},
    "score": {"hand": {"A-K": 5}, "table": {"A-K": 5}, "settle": "table-less-hand"},
    "end": {"total": 100, "leads": "highest"},
}


@pytest.mark.parametrize(
    "spec",
    [
        {"pack": {"remove": ["2-6"]}, "run": {"ace": "high"}, "wild": wild("A")},
        {"pack": {}, "run": {"ace": "low"}, "wild": wild("A", naturals=0, natural="never")},
    ],
    ids=["short pack", "no naturals needed"],
)
def test_there_is_advice_for_a_short_pack_and_if_no_naturals_are_needed(spec):
    game = free(**TABLE | spec)
    hand = game.pack.parse("9S 8H 8S 7S QS 9H 9D")

    assert {card for meld in advise(game, Moment(None), hand).melds for card in meld.cards}


@pytest.mark.parametrize("costs", [{"wild": 0}, {"hand": {"A-Q": 5, "K": 0, "JK": 20}}])
def test_a_player_who_is_not_out_can_have_cards_that_count_nothing(costs):
    game = free(wild=wild("JK"), score={"hand": {"A-K": 5}} | costs)

    score = keep_score(game, 2, [[OUT, HandRecord(left=0)]], 0)

    assert not score.problems


def test_if_runs_are_of_no_suit_a_wild_is_taken_for_a_card_of_any():
    game = contracts("2 runs of 3", wild=wild("JK"), run={"one-suit": False}, swap={"who": "down"})
    exchange = {"layoffs": (lay_off_play("JK", "9S 9H 9D"),), "down": True}

    assert rule_on(swap("7C", "JK", "5H 6S JK", **exchange), game, Moment(1)).is_legal
    assert rule_on(swap("8C", "JK", "5H 6S JK", **exchange), game, Moment(1)).broken == {
        Code.WRONG_CARD_GIVEN
    }


def test_if_melds_score_nothing_a_discard_is_claimed_for_the_first_that_it_fits():
    game = free(wild=wild("JK"), draw={"pile": "any"}, claim={})
    (seven,) = parse_cards("7S")
    table = (parse_cards("7H 7D 7C"), parse_cards("8S 9S 10S"))

    ruling = rule_on(Call(discard=seven, table=table), game)

    assert ruling.is_legal
    assert ruling.points is None
    assert [meld.kind for meld in ruling.readings] == [MeldKind.SET]


def test_a_run_laid_in_no_order_is_arranged_if_runs_go_round_the_corner():
    ruling = show(free(wild=wild("JK"), run={"around": True}), "6S 7S 8S JK 3S 4S 5S")

    assert ruling.is_legal
    assert Code.ORDER_NOT_MEANT in {finding.code for finding in ruling.findings}


PLAIN_AT_FIRST = {
    "wild": wild("2", "JK", when="run-in-contract", **{"in": ["run"]}),
    "score": {"hand": {"A-K": 5}, "wild": 20},
}


def plain_at_first():
    return contracts("2 sets of 3", "1 set of 3 + 1 run of 4", **PLAIN_AT_FIRST)


@pytest.mark.parametrize("cards", ["4D 4S JK", "JK JK JK", "2S 2C JK"])
def test_a_joker_in_a_round_without_wilds_is_in_no_meld_and_the_ruling_explains_it(cards):
    assert show(plain_at_first(), cards, 1).broken == {Code.WILD_AT_REST}


@pytest.mark.parametrize("cards", ["JK JK JK", "4D 4S JK"])
def test_a_joker_that_joins_runs_only_is_in_no_set_and_the_ruling_explains_it(cards):
    assert show(plain_at_first(), cards, 2).broken == {Code.WILD_IN_SET}


def test_a_joker_left_in_hand_counts_as_a_wild_in_a_round_without_wilds():
    """It was an error of the server: nothing said what such a joker costs."""
    game, left = plain_at_first(), HandRecord(left=parse_cards("JK 2S 3D"), made=True)
    score = keep_score(game, 2, [[OUT, left], [OUT, left]], 0)

    assert score.points == ((0, 30), (0, 45))
    assert [each.points for each in game.value_classes(1) if each.label == "joker"] == [20]
    assert not score.problems


def test_a_wild_is_not_called_after_some_of_the_wilds_only():
    """The word of another game was kept: a joker was “the black 2”."""
    rules = {"wild": wild("black 2", "JK"), "score": {"hand": {"A-K": 5, "JK": 20}}}

    assert free(**rules, text={"words": {"wild": "black 2"}}).wilds.name == "wild card"
    assert free(**rules, text={"words": {"wild": "monkey"}}).wilds.name == "monkey"
    black = {**rules, "wild": wild("black 2"), "pack": {"copies": 2}, "score": {"hand": {"A-K": 5}}}
    assert free(**black, text={"words": {"wild": "black 2"}}).wilds.name == "black 2"


# What a second reader, written from the told rulebooks alone, read otherwise.

TEN_CARDS_AND_FLUSHES = {"flush": {"min": 4}, "deal": {"cards": 10}}


def test_a_joker_that_cannot_be_in_a_flush_does_not_count_towards_one():
    game = contracts("1 flush of 4", wild=wild("JK", **{"in": ["run"]}), **TEN_CARDS_AND_FLUSHES)

    assert not show(game, "JK JK JK JK", 1).is_legal
    assert not show(game, "4S 9S JS JK", 1).is_legal


def test_the_limits_of_runs_are_not_those_of_flushes():
    limits = wild("JK", most=2, run={"most": 0}, **{"in": ["run", "flush"]})
    game = contracts("1 flush of 4", wild=limits, **TEN_CARDS_AND_FLUSHES)

    assert show(game, "4S 9S JK JK", 1).is_legal
    assert not show(game, "4S 5S JK", 1).is_legal


def test_wilds_alone_are_a_run_if_runs_need_no_natural_card():
    game = free(wild=wild("JK", "2", natural="never", run={"naturals": 0}))

    assert show(game, "2S 2H 2C").is_legal
    assert not show(free(wild=wild("JK", "2", natural="never")), "2S 2H 2C").is_legal


def test_a_run_begins_with_a_two_in_a_round_in_which_twos_are_plain():
    rules = {"natural": "never", "when": "run-in-contract"}
    game = contracts("2 sets of 3", "2 runs of 3", wild=wild("2", **rules), run={"ace": "high"})

    assert show(game, "2S 3S 4S", 1).is_legal


def test_the_rulebook_has_the_fewest_cards_that_a_contract_asks_for():
    game = contracts("1 set of 2", "1 run of 3", set={"min": 3}, run={"min": 4})

    assert game.rulebook["set"].says.startswith("A set is 2 or more")
    assert game.rulebook["run"].says.startswith("A run is 3 or more")


@pytest.mark.parametrize(
    ("limits", "path"),
    [
        ({"alone": True, "in": ["run"]}, "wild.alone"),
        ({"naturals": 4}, "wild.naturals"),
        ({"run": {"naturals": 4}}, "wild.run"),
    ],
)
def test_wilds_that_no_meld_could_hold_make_no_game(limits, path):
    with pytest.raises(Refused) as refused:
        free(wild=wild("JK", **limits))

    assert path in {complaint.path for complaint in refused.value.complaints}


def test_advice_puts_wilds_of_runs_only_into_no_set():
    # What a card costs doesn’t tell the two classes apart here.
    score = {"hand": {"A-K": 5, "JK": 5}}
    game = free(wild=wild("JK", "black 2", **{"runs-only": ["black 2"]}), score=score)

    sets = advise(game, Moment(), parse_cards("9C 9H 2S"))
    run = advise(game, Moment(), parse_cards("9C 10C 2S"))
    joker = advise(game, Moment(), parse_cards("9C 9H 9D 9S 2S JK"))

    assert not sets.possible
    assert sets.decided
    assert [meld.kind for meld in run.melds] == [MeldKind.RUN]
    # A 9 goes into a run with both wilds, the three others are a set.
    assert {meld.kind for meld in joker.melds} == {MeldKind.SET, MeldKind.RUN}
    assert not joker.kept


@pytest.mark.parametrize(
    "wilds",
    [
        wild("JK", **{"runs-only": ["black 2"]}),
        wild("JK", **{"runs-only": ["JK"]}),
        wild("JK", "2", **{"runs-only": ["2"], "in": ["run"]}),
    ],
)
def test_only_some_wilds_can_be_wild_in_runs_only(wilds):
    with pytest.raises(Refused):
        free(wild=wilds)
