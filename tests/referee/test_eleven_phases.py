"""The eleven-phase game, where it differs."""

import pytest

from referee.cards import Notation, parse_cards
from referee.judging import rule_on
from referee.melds.contracts import Contract
from referee.plays import LayDown, LayOff, Moment, ShowMeld
from referee.rulebook import Basis
from referee.rulings import Code
from referee.scorepad import HandRecord, keep_score
from referee.variant import OptionError
from tests.referee.plays import PHASES, clauses

OUT = HandRecord(out=True)
MADE = HandRecord(made=True, left=25)
WIDE = "1 set of 3".rjust(201)
"""More than is read of a contract."""
MISSED = HandRecord(made=False, left=85)


def cards(text):
    return parse_cards(text, Notation.RANKS)


def lay(*melds, step, variant=PHASES):
    play = LayDown(melds=tuple(map(cards, melds)))
    return rule_on(play, variant, Moment(step))


def test_suits_are_ignored():
    assert rule_on(ShowMeld(cards("3S 4H 5H 6C")), PHASES).is_legal


def test_a_two_is_a_plain_card():
    assert rule_on(ShowMeld(cards("5 5 2")), PHASES).broken == {Code.SET_OF_TWO_RANKS}


def test_a_joker_does_not_belong_to_the_game():
    assert rule_on(ShowMeld(cards("5 5 JK")), PHASES).broken == {Code.NOT_IN_PACK}


@pytest.mark.parametrize(("ace", "low", "high"), [("both", True, True), ("high", False, True)])
def test_the_house_decides_where_the_ace_stands(ace, low, high):
    variant = PHASES.with_options({"ace": ace})

    assert rule_on(ShowMeld(cards("A 2 3 4")), variant).is_legal is low
    assert rule_on(ShowMeld(cards("J Q K A")), variant).is_legal is high


def test_the_list_of_phases_is_marked_as_our_reading():
    ruling = lay("6 6 6", "9 10 J Q", step=4)

    assert ruling.broken == {Code.CONTRACT_NOT_MET}
    assert clauses(ruling, PHASES)[0].basis is Basis.READING


def test_a_list_of_the_table_takes_its_place():
    variant = PHASES.with_options({"phases": ["2 sets of 3", "1 run of 5 + 1 set of 4"]})

    ruling = lay("6 6 6 6", "9 10 J Q K", step=2, variant=variant)

    assert ruling.is_legal
    assert {clause.basis for clause in clauses(ruling, variant)} == {Basis.HOUSE, Basis.SOURCE}


@pytest.mark.parametrize(
    "phases", [[], ["3 sets of nothing"], ["3 sets of 5"], "my list", [7], ["1 run of 13"]]
)
def test_a_list_that_cannot_be_played_is_refused(phases):
    with pytest.raises(OptionError):
        PHASES.with_options({"phases": phases})


def test_a_phase_is_exactly_its_melds():
    assert lay("K K K", "9 9 9", "4 5 6 7", step=2).broken == {Code.TOO_MANY_MELDS}


def test_a_run_grows_by_hits_at_both_ends():
    play = LayOff(cards("2 7 8"), cards("3 4 5 6"))

    assert rule_on(play, PHASES).is_legal


def test_a_player_who_laid_the_phase_moves_on_whoever_went_out():
    score = keep_score(PHASES, 3, [[OUT, MADE, MISSED]], 2)

    assert score.steps == (2, 2, 1)
    assert score.points == ((0, 25, 85),)


def test_a_phase_made_with_fifty_points_and_more_in_hand_counts():
    score = keep_score(PHASES, 2, [[OUT, HandRecord(made=True, left=60)]], 1)

    assert score.steps == (2, 2)
    assert score.problems == ()


def test_a_player_who_missed_the_phase_holds_all_eleven_cards():
    eleven = HandRecord(left=cards("A A 2 3 4 5 6 7 8 9 10"), made=False)
    ten = HandRecord(left=cards("A A A A A A A A A A"), made=False)

    assert keep_score(PHASES, 2, [[OUT, eleven]], 1).problems == ()
    assert [problem.code for problem in keep_score(PHASES, 2, [[OUT, ten]], 1).problems] == [
        Code.POINTS_TOO_FEW
    ]


def test_everybody_may_move_on_by_a_house_rule():
    variant = PHASES.with_options({"advance": "everyone"})

    assert keep_score(variant, 2, [[OUT, MISSED]], 1).steps == (2, 2)
    assert variant.rounds == 11


def test_of_several_who_finish_in_one_round_the_lowest_total_wins():
    rounds = [[OUT, MADE], [MADE, OUT]] * 5 + [[OUT, MADE]]

    score = keep_score(PHASES, 2, rounds, 1)

    assert score.over
    assert score.totals == (125, 150)
    assert score.winners == (0,)


def test_a_lower_total_does_not_win_without_the_last_phase():
    rounds = [[OUT, MADE], [MADE, OUT]] * 5 + [[MADE, HandRecord(out=True, made=True)]]
    rounds[0] = [OUT, MISSED]

    score = keep_score(PHASES, 2, rounds, 1)

    assert score.steps == (12, 11)
    assert score.winners == (0,)


def test_nobody_goes_beyond_the_last_phase():
    rounds = [[OUT, MADE], [MADE, OUT]] * 6

    assert keep_score(PHASES, 2, rounds, 1).steps == (12, 12)


def test_equal_totals_share_the_win():
    rounds = [[OUT, MADE], [MADE, OUT]] * 5 + [[MADE, MADE]]

    assert keep_score(PHASES, 2, rounds, 1).winners == (0, 1)


def test_a_contract_asks_for_six_melds_of_two_cards_or_more():
    assert Contract.parse("4 sets of 3 + 2 runs of 4").cards == 20
    assert Contract.parse("1 set of 2").cards == 2
    assert Contract.parse("1 set of 3".rjust(200)).cards == 3
    assert (
        Contract.parse("2 flushes of 7 + 1 pure run of 4").says
        == "2 flushes of 7 + 1 pure run of 4"
    )
    for text in ("7 sets of 3", "4 sets of 3 + 3 runs of 4", "1 set of 1", "0 sets of 3", "", WIDE):
        with pytest.raises(ValueError):
            Contract.parse(text)


def test_a_contract_is_written_with_one_meld_in_the_singular():
    contract = Contract.parse("2 sets of 3 + 1 run of 4")

    assert contract.says == "2 sets of 3 + 1 run of 4"
    assert contract.title == "2 sets of 3 and 1 run of 4"
    assert contract.brief == "2 sets + 1 run"
    assert [need.label for need in contract.needs] == ["Set of 3", "Set of 3", "Run of 4"]
