"""Opening with pairs, and special cards that stand for the wild of a deal in laid games."""

import pytest

from referee import LayDown, LayOff, Moment, PickUp, ShowMeld, Swap, Taken, rule_on, variants
from referee.describing import build, check, sentences_of
from referee.describing.complaints import Refused
from referee.rulings import Code
from referee.scorepad import HandRecord, close_choices, keep_score
from tests.described import BARE

OKEY = variants.get("101-okey")
[UPCARD] = OKEY.pack.parse("O4")
NOW = Moment(upcard=UPCARD)
PAIRS = ("R7 R7", "B2 B2", "K9 K9", "O1 O1", "B13 B13")


def melds(*texts):
    return tuple(map(OKEY.pack.parse, texts))


def laid(*texts, **how):
    return rule_on(LayDown(melds=melds(*texts), **how), OKEY, NOW)


@pytest.mark.parametrize("wanting", range(1, 6))
def test_fewer_pairs_than_needed_open_nothing(wanting):
    ruling = laid(*PAIRS[wanting:]) if PAIRS[wanting:] else laid("R7 B7")

    assert not ruling.is_legal


def test_pairs_are_counted_and_not_their_points():
    assert laid(*PAIRS).is_legal
    assert laid(*PAIRS, "K1 K1").is_legal
    assert laid("R13 R13", "B13 B13", "K13 K13", "O13 O13").broken == {Code.OPENING_TOO_LOW}


def test_a_pair_that_is_none_is_said_beside_the_count():
    assert laid(*PAIRS[:4], "B13 K13").broken == {Code.NOT_A_PAIR, Code.OPENING_TOO_LOW}


def test_how_a_player_has_opened_decides_what_they_lay():
    assert laid("R7 R7", down=True, pairs=True).is_legal
    assert laid("R7 R8 R9", down=True).is_legal
    assert laid("R7 R7", down=True).broken == {Code.PAIRS_MIXED}
    assert laid("R7 R8 R9", down=True, pairs=True).broken == {Code.PAIRS_MIXED}


def test_a_false_joker_is_ruled_on_in_every_play_of_a_turn():
    [joker] = OKEY.pack.parse("FJ")
    run, okey_run = melds("O2 O3 O4", "O3 O4 O5 O6")
    taken = Taken(give=joker, take=OKEY.pack.parse("O5")[0], meld=melds("R5 B5 O5")[0])
    plays = [
        ShowMeld(melds("O4 FJ O6")[0]),
        LayDown(melds=melds("O4 FJ O6"), down=True),
        LayOff((joker,), run),
        PickUp(pile=(joker,), take=joker, melds=melds("O4 FJ O6"), down=True, first=False),
    ]
    for play in plays:
        assert rule_on(play, OKEY, NOW).is_legal, play
    assert not rule_on(LayOff((joker,), okey_run), OKEY, NOW).is_legal
    # It is the very tile that the okey stands for in its own place.
    assert rule_on(Swap(taken=taken, then=(), down=True), OKEY, NOW).is_legal


def test_a_reading_has_the_cards_that_were_laid():
    [reading] = rule_on(ShowMeld(melds("O4 FJ O6")[0]), OKEY, NOW).readings

    assert " ".join(map(str, reading.cards)) == "O4 FJ O6"
    assert " ".join(map(str, reading.stands)) == "O4 O5 O6"


def test_a_false_joker_counts_what_the_deal_makes_of_it():
    [joker] = OKEY.pack.parse("FJ")
    for turned, points in (("O4", 5), ("R13", 1), ("B12", 13)):
        dealt = OKEY.dealt(OKEY.pack.parse(turned)[0])
        assert dealt.values.points(joker, dealt.wilds.cards) == points
        assert points in {each.points for each in dealt.value_classes(None) if joker in each.cards}
    assert all(joker not in each.cards for each in OKEY.value_classes(None))


def test_no_other_game_reads_two_cards_as_a_pair():
    for game in variants.all():
        if game is not OKEY and game.pack.kind == "tiles":
            assert not rule_on(ShowMeld(game.pack.parse("R7 R7")), game, NOW).is_legal


def with_fields(**tables):
    spec = BARE | {"free": {}, "score": {"hand": {"A-K": 5}}}
    return spec | {name: {**spec.get(name, {}), **more} for name, more in tables.items()}


@pytest.mark.parametrize(
    ("tables", "path"),
    [
        ({"score": {"pairs": 2}}, "score.pairs"),
        ({"opening": {"points": 30, "pairs": 4}, "rearrange": {}}, "opening.pairs"),
        ({"score": {"ways": {"w": {"times": 2, "title": "W"}}, "cap": 50}}, "score.ways"),
        (
            {"score": {"settle": "to-out", "penalty": 5}, "end": {"leads": "highest"}},
            "score.penalty",
        ),
        ({"score": {"partners": "spared"}}, "score.partners"),
    ],
)
def test_what_could_not_be_counted_is_rejected(tables, path):
    with pytest.raises(Refused) as refused:
        build(with_fields(**tables))
    assert path in {complaint.path for complaint in refused.value.complaints}


def test_each_field_has_its_sentence_in_both_languages():
    spec = variants.description_of("101-okey")
    here = ("opening-pairs", "ways-out", "pairs-left", "penalties")
    for language, words in (
        ("en", ("pairs", "twice", "twice", "101")),
        ("es", ("parejas", "veces")),
    ):
        told = sentences_of(check(spec), language=language)
        for clause, word in zip(here, words, strict=False):
            assert word in told[clause], (language, clause)


def test_partners_lay_alone_and_add_up():
    game = OKEY.with_options({"teams": "partners"})
    [rounds] = [[HandRecord(left=9), HandRecord(out=True), HandRecord(left=7), HandRecord(left=50)]]

    assert keep_score(game, 4, [rounds], 0).points == ((16, -101, 16, -101),)
    assert game.in_teams(4)
    assert not game.melds_together(4)


def test_the_ways_to_go_out_are_offered_with_how_often_they_count():
    assert [(each.word, each.counts) for each in close_choices(OKEY)] == [
        ("out", "×1"),
        ("okey", "×2"),
    ]
