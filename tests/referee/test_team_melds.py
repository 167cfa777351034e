"""What teams meld, and what their long melds earn."""

import pytest

from referee import variants
from referee.cards import parse_cards
from referee.judging import rule_on
from referee.melds.grounds import judge, legal_readings
from referee.melds.rules import while_going_out
from referee.melds.unfinished import takes
from referee.plays import LayOff, Moment, ShowMeld
from referee.rulings import Code
from tests.referee.plays import lay_down, lay_off, show

CANASTA = variants.get("canasta")
BURRACO = variants.get("burraco")
FOOT = variants.get("hand-and-foot")
SAMBA = variants.get("samba")
FULL = "KS KS KH KH KD KD KC"


def ruled(play, game, step=None, **options):
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    return rule_on(play, game.with_options(chosen) if chosen else game, Moment(step))


def on(cards, onto, game, **said):
    return ruled(lay_off(cards, onto, own=True, **said), game)


def joined(cards, onto):
    return LayOff(parse_cards(cards), parse_cards(onto), own=True, same_turn=True)


def melds(*texts):
    return tuple(map(parse_cards, texts))


@pytest.mark.parametrize("game", [CANASTA, FOOT], ids=lambda game: game.slug)
def test_a_game_without_runs_reads_no_run(game):
    rules = game.melds_at(None)

    assert not rules.runs.exists
    assert legal_readings(parse_cards("4S 5S 6S 7S"), rules, as_laid=False) == ()
    assert ruled(show("4S 5S 6S 7S"), game).broken == {Code.SET_OF_TWO_RANKS}


@pytest.mark.parametrize("cards", ["3H 3D 3H", "3H 3D JK", "3S 3C 3H"])
def test_cards_left_out_of_sets_make_none(cards):
    assert Code.SPECIAL_CARD in ruled(show(cards), CANASTA).broken


def test_cards_left_out_of_runs_are_in_none_and_no_wild_stands_for_them():
    assert ruled(show("3S 4S 5S"), SAMBA).broken == {Code.SPECIAL_CARD}
    assert ruled(show("4S 5S 6S"), SAMBA).is_legal


def test_a_wild_that_is_left_out_of_sets_is_still_wild_in_one():
    assert ruled(show("7S 7H 2S"), BURRACO).is_legal
    assert ruled(show("2S 2H 2D"), BURRACO).broken == {Code.TOO_FEW_NATURALS, Code.TOO_MANY_WILDS}


@pytest.mark.parametrize("cards", ["4S 5S JK", "2S 3S 4S", "QS KS AS 2S", "JK 4S 9S JS"])
def test_wilds_that_are_wild_in_sets_alone_are_in_no_run(cards):
    assert ruled(show(cards), SAMBA).broken == {Code.TOO_MANY_WILDS}
    assert ruled(show("8S 8H JK"), SAMBA).is_legal


def test_a_natural_beside_wilds_was_meant_as_a_set_where_no_run_has_wilds():
    assert Code.TOO_FEW_NATURALS in ruled(show("8S 2H JK"), SAMBA).broken


@pytest.mark.parametrize(
    ("cards", "codes"),
    [
        ("3S 3C 3S", set()),
        ("3S 3C 3S 3C", set()),
        ("3S 3C 3S 3C 3C", {Code.TOO_MANY_IN_MELD}),
        ("3S 3C JK", {Code.TOO_MANY_WILDS}),
        ("3S 3C 3H", {Code.SPECIAL_CARD}),
        ("KS KH KD", set()),
    ],
)
def test_the_player_going_out_can_meld_what_nobody_else_can(cards, codes):
    found = judge(parse_cards(cards), while_going_out(CANASTA.melds_at(None))).findings

    assert {finding.code for finding in found} == codes


@pytest.mark.parametrize(
    ("kept", "codes"), [("", set()), ("4H", set()), ("4H 5H", {Code.ONLY_GOING_OUT})]
)
def test_a_player_goes_out_with_one_card_or_none_left(kept, codes):
    lay = lay_down("3S 3C 3S", kept=kept, down=True, own=melds(FULL))

    assert ruled(lay, CANASTA).broken == codes


def test_nobody_knows_that_a_player_goes_out_if_nothing_is_said_of_the_hand():
    lay = lay_down("3S 3C 3S", down=True, own=melds(FULL))

    assert ruled(lay, CANASTA).broken == {Code.ONLY_GOING_OUT}


ACE_TO_KING = "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"


def test_a_run_with_one_ace_has_a_wild_at_its_other_end():
    assert ruled(show(f"{ACE_TO_KING} JK"), BURRACO).is_legal
    assert ruled(show(f"{ACE_TO_KING} AH"), BURRACO).broken == {Code.RUN_REPEATS_RANK}


@pytest.mark.parametrize("cards", ["KD AD 3D", "QD KD AD 3D", "KD AD 2D 3D"])
def test_a_run_with_one_ace_does_not_go_on_past_it(cards):
    assert Code.RUN_AROUND_THE_CORNER in ruled(show(cards), BURRACO).broken


@pytest.mark.parametrize(
    ("cards", "bonus"),
    [
        ("3H 4H 5H 6H 7H 8H 9H", "clean"),
        ("2H 3H 4H 5H 6H 7H 8H", "clean"),
        ("JK 4H 5H 6H 7H 8H 9H 10H", "semi"),
        ("4H 5H 6H 7H 8H 9H 10H JK", "semi"),
        ("4H 5H 6H JK 8H 9H 10H JH", "dirty"),
        ("8S 8S 8H 8H 8D 8D 8C JK", "semi"),
        ("8S 8S 8H 8H 8D 8D JK", "dirty"),
        ("3H 4H 5H 6H 7H 8H", None),
    ],
)
def test_a_meld_earns_the_dearest_bonus_that_fits(cards, bonus):
    assert ruled(show(cards), BURRACO).bonus == bonus


def test_of_several_readings_the_one_with_the_dearer_bonus_counts():
    shown = ShowMeld(parse_cards("9H 2H 5H 3H 6H 4H 8H 7H"))

    assert ruled(shown, BURRACO).bonus == "clean"


def test_a_set_of_wilds_alone_has_a_bonus_of_its_own():
    game = CANASTA.with_options(
        {
            "/wild.alone": True,
            "/bonus.melds": {
                "wild": {"cards": 7, "of": "wilds", "points": 2000},
                "natural": {"cards": 7, "of": "set", "wilds": 0, "points": 500},
                "mixed": {"cards": 7, "of": "set", "points": 300},
            },
        }
    )

    assert ruled(show("JK JK 2S 2H 2D 2C 2S"), game).bonus == "wild"
    assert ruled(show("JK 2S 2H"), game).bonus is None
    assert ruled(show(FULL), game).bonus == "natural"
    assert ruled(show("KS KS KH KH KD JK JK"), game).bonus == "mixed"


@pytest.mark.parametrize(
    ("cards", "onto", "legal"),
    [
        ("7C", "6C JK 8C", True),
        ("7C 9C", "6C JK 8C", True),
        ("4C", "6C 7C JK", True),
        ("3C", "6C 7C JK", False),
        ("10C", "6C JK 8C", False),
        ("6H", "3H 4H 5H 2H", True),
        ("JK", "2H 3H 4H", True),
        ("JK", "2S 3H 4H", False),
    ],
)
def test_a_wild_that_moves_freely_takes_any_place_of_its_run(cards, onto, legal):
    assert on(cards, onto, BURRACO).is_legal == legal


def test_the_order_of_a_meld_on_the_table_says_nothing_if_wilds_move_freely():
    assert on("9C", "8C JK 6C 7C", BURRACO).is_legal
    assert on("7C", "8C 6C JK", BURRACO).is_legal


def test_an_ace_goes_to_the_other_end_if_the_run_earns_more_there():
    run = "AD 2D 3D 4D 5D 6D 2S 8D 9D 10D JD QD"

    assert on("KD", run, BURRACO).bonus == "semi"


def test_a_finished_run_takes_the_card_that_its_wild_stands_for():
    taken = takes(parse_cards("6C JK 8C"), BURRACO.melds_at(None))

    assert set(taken) == set(parse_cards("5C 7C 9C"))


def test_a_wild_keeps_its_place_under_a_contract_unless_its_card_comes():
    game = variants.get("carioca").with_options({"jokers-move": True})
    run = "5H 6H 7H JK"

    assert ruled(lay_off("8H", run, own=True), game).is_legal
    assert not ruled(lay_off("3H", run, own=True), game).is_legal
    assert on("3H", run, BURRACO).is_legal


@pytest.mark.parametrize(
    ("total", "asked"),
    [(-5, 15), (0, 50), (1495, 50), (1500, 90), (2995, 90), (3000, 120), (9000, 120)],
)
def test_first_melds_are_asked_for_by_the_total_of_the_team(total, asked):
    assert CANASTA.opening.asked(total) == asked


@pytest.mark.parametrize(("step", "asked"), [(1, 50), (2, 90), (3, 120), (4, 150)])
def test_first_melds_are_asked_for_by_the_round(step, asked):
    assert FOOT.opening.asked(5000, step) == asked


def test_a_wild_counts_its_own_points_in_first_melds():
    ruling = ruled(lay_down("4S 4H JK"), CANASTA)

    assert (ruling.is_legal, ruling.points) == (True, 60)
    assert Code.WILD_COUNTS not in {finding.code for finding in ruling.findings}


def test_a_team_that_has_melds_has_laid_its_first():
    assert ruled(lay_down("4S 4H 4D", own=melds("KS KH KD")), CANASTA).is_legal
    assert ruled(lay_down("4S 4H 4D"), CANASTA).broken == {Code.OPENING_TOO_LOW}


@pytest.mark.parametrize(
    ("laid", "own", "layoffs", "codes"),
    [
        (["KD KC KC"], ["KS KS KH KH KD KD"], [], {Code.RANK_LIES_THERE}),
        (["KD KC KC"], [FULL], [], set()),
        (["KD KC KC"], ["KS KS KH KH KD KD"], [("KC", "KS KS KH KH KD KD")], set()),
        ([FULL, "KC KC KD"], [], [], set()),
        ([FULL], ["KC KC KD"], [], {Code.RANK_LIES_THERE}),
        (["KS KH KD", "KC KC KH"], [], [], {Code.RANK_LIES_THERE}),
        (["QS QH QD"], ["KC KC KD"], [], set()),
    ],
)
def test_a_second_set_of_a_rank_is_started_once_the_first_is_full(laid, own, layoffs, codes):
    lay = lay_down(
        *laid, down=True, own=melds(*own), layoffs=tuple(joined(*each) for each in layoffs)
    )

    assert ruled(lay, FOOT, 1).broken == codes


def test_a_set_without_a_limit_can_always_grow():
    lay = lay_down("KC KC KD", own=melds("KS KS KH KH KD 2D JK"))

    assert ruled(lay, CANASTA).broken == {Code.RANK_LIES_THERE}


def test_two_sets_of_a_rank_are_fine_if_no_rule_forbids_it():
    assert ruled(lay_down("KC KC KD", own=melds("KS KS KH")), SAMBA).is_legal


def test_a_team_without_melds_has_none_to_lay_off_on():
    off = (joined("QC", "QS QH QD"),)

    assert ruled(lay_down("KS KH JK", layoffs=off), CANASTA).broken == {Code.NOT_MELDED}


def test_cards_go_on_a_meld_laid_in_the_same_turn():
    off = (joined("KC", "KS KH JK"),)

    assert ruled(lay_down("KS KH JK", layoffs=off), CANASTA).is_legal


def test_cards_go_on_the_melds_that_the_team_has_and_on_no_other():
    off = (joined("QC", "QS QH QD"),)
    lay = lay_down("AS AH AD", own=melds("KS KH KD"), layoffs=off)

    assert ruled(lay, CANASTA).broken == {Code.NOT_OWN_MELD}


def test_a_meld_of_the_team_can_be_named_as_it_has_grown():
    run = "6C JK 8C"
    off = (joined("7C", run), joined("10C", "6C JK 8C 7C"))
    lay = lay_down(own=melds(run), layoffs=off)

    assert ruled(lay, BURRACO).is_legal


def test_the_longest_run_of_a_game_is_closed():
    samba = "7D 8D 9D 10D JD QD KD"

    assert ruled(show(samba), SAMBA).bonus == "samba"
    assert on("AD", samba, SAMBA).broken == {Code.TOO_MANY_IN_MELD}
