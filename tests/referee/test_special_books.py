"""Bonuses for special books: seven 7s or aces without wilds, and wilds alone."""

import pytest

from referee import parse_cards, variants
from referee.describing import changed, problems
from referee.judging import rule_on
from referee.melds.bonuses import MeldBonus
from referee.plays import Moment, ShowMeld
from referee.rulings import MeldKind
from referee.scorepad import HandRecord, keep_score

SEVENS = "7S 7S 7H 7H 7D 7D 7C"
WITH_WILD = "7S 7S 7H 7H 7D 7D 2C"
KINGS = "KS KS KH KH KD KD KC"
WILDS = "2S 2H 2D 2C JK JK JK"
ACES = {"cards": 7, "wilds": 0, "points": 1000, "ranks": ["A"]}


def bonus(variant, cards):
    return rule_on(ShowMeld(parse_cards(cards)), variant, Moment()).bonus


@pytest.mark.parametrize("slug", ["canasta", "hand-and-foot"])
@pytest.mark.parametrize(
    ("cards", "usual", "sevens", "wilds"),
    [
        (SEVENS, 0, "sevens", "sevens"),
        (WITH_WILD, 1, 1, 1),
        (KINGS, 0, 0, 0),
        (WILDS, None, None, "wilds"),
    ],
)
def test_seven_7s_without_a_wild_and_wilds_alone_earn_a_bonus_of_their_own(
    slug, cards, usual, sevens, wilds
):
    game = variants.get(slug)
    names = [kind.name for kind in game.bonuses]
    games = [game, *(game.with_options({"special": word}) for word in SPECIAL)]
    for one, wanted in zip(games, (usual, sevens, wilds), strict=True):
        assert bonus(one, cards) == (names[wanted] if isinstance(wanted, int) else wanted)


SPECIAL = ("sevens", "sevens-and-wilds")


def test_a_bonus_that_forgets_its_rank_would_count_kings_as_7s():
    (kings,) = rule_on(ShowMeld(parse_cards(KINGS)), variants.get("canasta")).readings
    (kind,) = (
        kind
        for kind in variants.get("canasta").with_options({"special": "sevens"}).bonuses
        if kind.name == "sevens"
    )
    forgets = MeldBonus(name=kind.name, title="", points=1500, cards=7, wilds=0)

    assert not kind.fits(kings)
    assert forgets.fits(kings)


def test_a_team_is_paid_for_special_books_by_number_or_by_cards():
    game = variants.get("canasta").with_options({"special": "sevens"})
    others = [HandRecord(left=5), HandRecord(left=5), HandRecord(left=5)]
    by_number = HandRecord(out=True, table=35, bonus={"sevens": 1})
    by_cards = HandRecord(out=True, table=(parse_cards(SEVENS),))

    for record in (by_number, by_cards):
        score = keep_score(game, 4, [[record, *others]], 0)
        assert score.points[0] == (1630, -10, 1630, -10)
        assert score.problems == ()


def test_seven_7s_need_the_points_of_7s_on_the_pad():
    game = variants.get("canasta").with_options({"special": "sevens"})
    first = HandRecord(out=True, table=30, bonus={"sevens": 1})
    rounds = [[first, HandRecord(left=5), HandRecord(left=5), HandRecord(left=5)]]

    assert [each.code.value for each in keep_score(game, 4, rounds, 0).problems]


def test_a_book_of_7s_counts_as_a_clean_book_to_go_out_but_no_clean_book_as_one_of_7s():
    game = variants.get("hand-and-foot").with_options({"special": "sevens"})
    by_name = {kind.name: kind for kind in game.bonuses}

    assert by_name["sevens"].counts_as(by_name["clean"])
    assert not by_name["clean"].counts_as(by_name["sevens"])
    assert not by_name["sevens"].counts_as(by_name["dirty"])


@pytest.mark.parametrize("slug", ["samba", "burraco", "buraco", "biriba"])
def test_any_game_with_bonuses_can_have_one_for_aces(slug):
    spec = variants.description_of(slug)
    now = changed(spec, {"bonus.melds": {**spec["bonus"]["melds"], "aces": ACES}})

    assert problems(now) == ()
    game = variants.get(slug).with_options(
        {"/bonus.melds": {**spec["bonus"]["melds"], "aces": ACES}}
    )
    assert any(kind.ranks and kind.of is None for kind in game.bonuses)
    assert bonus(game, "AS AS AH AH AD AD AC") == next(
        kind.name
        for kind in game.bonuses
        if kind.points >= ACES["points"] and kind.of is not MeldKind.RUN
    )


@pytest.mark.parametrize("more", [{"of": "run"}, {"of": "wilds"}, {"ranks": ["99"]}])
def test_a_bonus_by_rank_is_for_a_set_of_cards_that_there_are(more):
    spec = variants.description_of("samba")

    assert problems(changed(spec, {"bonus.melds": {"aces": {**ACES, **more}}}))
