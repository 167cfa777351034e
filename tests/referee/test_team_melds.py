"""What teams meld, and what their long melds earn: what tests/cases has no question for."""

from referee import variants
from referee.cards import parse_cards
from referee.judging import rule_on
from referee.melds.unfinished import takes
from referee.plays import LayOff, Moment, ShowMeld
from referee.rulings import Code
from tests.referee.plays import lay_down, lay_off, show

CANASTA = variants.get("canasta")
BURRACO = variants.get("burraco")
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


def test_nobody_knows_that_a_player_goes_out_if_nothing_is_said_of_the_hand():
    lay = lay_down("3S 3C 3S", down=True, own=melds(FULL))

    assert ruled(lay, CANASTA).broken == {Code.ONLY_GOING_OUT}


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


def test_a_wild_counts_its_own_points_in_first_melds():
    ruling = ruled(lay_down("4S 4H JK"), CANASTA)

    assert (ruling.is_legal, ruling.points) == (True, 60)
    assert Code.WILD_COUNTS not in {finding.code for finding in ruling.findings}


def test_cards_go_on_the_melds_that_the_team_has_and_on_no_other():
    off = (joined("QC", "QS QH QD"),)
    lay = lay_down("AS AH AD", own=melds("KS KH KD"), layoffs=off)

    assert ruled(lay, CANASTA).broken == {Code.NOT_OWN_MELD}


def test_a_meld_of_the_team_can_be_named_as_it_has_grown():
    run = "6C JK 8C"
    off = (joined("7C", run), joined("10C", "6C JK 8C 7C"))
    lay = lay_down(own=melds(run), layoffs=off)

    assert ruled(lay, BURRACO).is_legal
