"""What teams score, and what their pads can’t have: what tests/cases has no question for."""

import tomllib
from dataclasses import replace
from random import Random

import pytest

from referee.describing import build
from referee.rulings import Code
from referee.scorepad import HandRecord, Score, check_round, keep_score
from referee.scoring import (
    dropped,
    fixed,
    knocked,
    others_pay,
    own_deadwood,
    penalty,
    rack_to_winner,
    with_bonus,
    won_from_others,
)
from referee.variant import Variant
from tests import described
from tests.referee.pads import codes, left

SPEC = {
    **described.from_nothing(),
    **tomllib.loads(described.PAIRS),
    "pack": {"copies": {"2-4": 2, "5-6": 3}, "jokers": 4},
    "reserve": {"cards": 11, "of": "team", "untaken": 100},
}


def pairs(**sections) -> Variant:
    """A game for two pairs, with some of its sections otherwise; None leaves one out."""
    spec = SPEC | sections
    return build({path: section for path, section in spec.items() if section is not None})


GAME = pairs()
OUT = HandRecord(out=True, table=200, bonus={"natural": 1})


def keep(*rounds, game: Variant = GAME) -> Score:
    return keep_score(game, len(rounds[0]), rounds, len(rounds[0]) - 1)


def scores(*records: HandRecord, game: Variant = GAME) -> tuple[int, ...]:
    return keep(records, game=game).points[0]


def test_partners_sit_alternately_and_score_the_same():
    score = keep([OUT, left(30, table=150), left(45), left(10)])

    assert score.teams == ((0, 2), (1, 3))
    assert score.points == ((755, 110, 755, 110),)
    assert score.totals == (755, 110, 755, 110)
    assert score.games_won == (1, 0, 1, 0)


@pytest.mark.parametrize("partner", [0, 2])
def test_what_belongs_to_a_team_can_be_written_with_either_partner(partner):
    own = {"table": 400, "bonus": {"mixed": 1}, "aside": 2, "reserve": False}
    written = [replace(left(45), **own) if seat == partner else left(5) for seat in (0, 2)]

    assert scores(written[0], OUT, written[1], left(10))[0] == 400 + 300 + 200 - 50 - 100


def test_what_both_partners_wrote_adds_up():
    one, other = left(5, table=60, aside=1), left(5, table=40, aside=1, bonus={"natural": 1})

    assert scores(one, OUT, other, left(10))[0] == 100 + 500 + 200 - 10


def test_places_count_teams():
    score = keep([OUT, left(5), left(10), left(10), left(20), left(5)])

    assert score.teams == ((0, 3), (1, 4), (2, 5))
    assert score.places == (1, 3, 2, 1, 3, 2)
    assert score.leaders == (0, 3)


def test_the_deal_passes_seat_by_seat():
    rounds = [[OUT, left(30), left(45), left(10)]] * 3

    assert keep(*rounds).dealers == (3, 0, 1, 2)


def test_a_team_that_is_out_of_the_game_leaves_it_together():
    game = build(
        described.from_nothing()
        | {"teams": {"size": {"2-3": 1, "4": 2, "5": 1, "6": 2}}, "end": {"eliminated": 100}}
    )
    first = [HandRecord(out=True), left(30), left(80), left(10), left(30), left(30)]
    one, other = keep(first, game=game), keep(first, first, game=game)

    assert one.points == ((10, 60, 110) * 2,)
    assert one.playing == (True, True, False) * 2
    assert not one.over
    assert other.winners == (0, 3)


def paired(slug: str, **sections) -> Variant:
    """A game that comes with the referee, played by two pairs."""
    rules = described.game(slug)
    return build(
        rules
        | {
            "players": [2, 4],
            "teams": {"size": {"2-3": 1, "4": 2}},
            "options": {},
            "examples": [],
            "text": {},
        }
        | sections
    )


def test_a_game_that_is_played_alone_can_be_played_by_pairs():
    game = paired("500-rum")
    rounds = [
        [HandRecord(out=True, table=100), left(30, table=40), left(20, table=30), left(5)]
    ] * 6

    score = keep(*rounds, game=game)
    assert score.points[0] == (110, 5, 110, 5)
    assert score.winners == (0, 2)


@pytest.mark.parametrize(
    ("settle", "points"),
    [
        (own_deadwood, (20, 35)),
        (with_bonus(own_deadwood, -10), (10, 35)),
        (others_pay, (35, -35)),
        (won_from_others, (35, 0)),
        (rack_to_winner, (35, -35)),
        (fixed(10), (10, -10)),
        (penalty(10), (0, 10)),
        (knocked(25, 10), (40, 0)),
        (dropped(1, 2), (1, -1)),
    ],
    ids=[
        "own hand",
        "with a bonus",
        "to out",
        "winner scores",
        "to lowest",
        "fixed",
        "penalty",
        "knock",
        "drop",
    ],
)
def test_each_way_to_settle_takes_a_team_as_one(settle, points):
    game = replace(paired("rummy"), settle=settle)

    assert scores(HandRecord(out=True), left(30), left(20), left(5), game=game) == points * 2


HERE = [left(30), left(45), left(10)]
THREES = HandRecord(left=GAME.pack.parse("3H 3D KS"))


@pytest.mark.parametrize(
    ("records", "code", "seat"),
    [
        ([OUT, replace(OUT), *HERE[1:]], Code.TWO_OUT, None),
        ([OUT, HERE[0], HandRecord(out=True), HERE[2]], Code.TWO_OUT, None),
        ([replace(OUT, bonus={}), *HERE], Code.NEEDS_MISSING, 0),
        ([HERE[0], HERE[1], HandRecord(out=True, table=80), HERE[2]], Code.NEEDS_MISSING, 2),
        ([replace(OUT, aside=5), *HERE], Code.TOO_MANY_COPIES, 0),
        ([replace(OUT, aside=3), left(30, aside=2), *HERE[1:]], Code.TOO_MANY_COPIES, None),
        ([replace(OUT, aside=3), THREES, *HERE[1:]], Code.TOO_MANY_COPIES, None),
        ([replace(OUT, table=201), *HERE], Code.POINTS_IMPOSSIBLE, 0),
        ([replace(OUT, table=1185), *HERE], Code.POINTS_TOO_MANY, 0),
        ([replace(OUT, table=700), left(30, table=485), *HERE[1:]], Code.POINTS_TOO_MANY, None),
        ([replace(OUT, table=30), *HERE], Code.POINTS_TOO_FEW, 0),
        ([OUT, left(30, table=65, bonus={"natural": 2}), *HERE[1:]], Code.POINTS_TOO_FEW, 1),
        ([replace(OUT, reserve=False), *HERE], Code.OUT_WITH_CARDS, 0),
        ([OUT, HERE[0], left(45, reserve=False), HERE[2]], Code.OUT_WITH_CARDS, 0),
        ([OUT, left(5), left(45), left(0)], Code.NOTHING_LEFT, 1),
        ([OUT, left(30), left(0), left(45)], Code.NOTHING_LEFT, 2),
        ([OUT, left(31), left(45), left(10)], Code.POINTS_IMPOSSIBLE, 1),
        ([OUT, left(3500), left(45), left(10)], Code.POINTS_TOO_MANY, 1),
    ],
)
def test_what_cannot_be_true_of_a_team_is_certain(records, code, seat):
    problems = keep(records).problems

    assert [(each.code, each.seat) for each in problems] == [(code, seat)]
    assert GAME.say(problems[0])
    assert GAME.rulebook.cited(problems[0].cites)


@pytest.mark.parametrize(
    "records",
    [
        [OUT, left(10), left(5), left(0)],
        [OUT, left(75), left(45), HandRecord()],
        [HandRecord(out=True), left(30), left(45, table=200, bonus={"mixed": 1}), left(10)],
        [OUT, left(30, table=70, bonus={"natural": 2}), *HERE[1:]],
        [OUT, left(30, aside=4), *HERE[1:]],
    ],
    ids=["one count for both", "the other has none", "with the partner", "the least", "all four"],
)
def test_what_partners_count_as_one_is_no_problem(records):
    assert not codes(check_round(GAME, (1,) * 4, records))


def test_a_team_is_looked_at_when_all_its_hands_are_counted():
    assert not codes(check_round(GAME, (1,) * 4, [replace(OUT, bonus={}), None, None, None]))


def any_hand(random: Random) -> HandRecord:
    """What a player could have written down, true or not."""
    out = random.random() < 0.3
    return HandRecord(
        out=out,
        left=None if out else random.choice([0, 5, 30, 31, 700, THREES.left]),
        table=random.choice([None, 0, 30, 203, 400, 900]),
        bonus={"natural": random.randint(0, 2), "mixed": random.randint(0, 1)},
        aside=random.choice([0, 0, 1, 3, 5]),
        reserve=random.random() < 0.7,
    )


@pytest.mark.parametrize(
    ("record", "doubted"),
    [
        (left(30, table=60), True),
        (left(30, table=90), False),
        (left(30), False),
        (HandRecord(out=True, table=70, bonus={"natural": 1}), True),
        (HandRecord(out=True, table=70, bonus={"natural": 1}, close="outright"), False),
    ],
    ids=["too low", "enough", "no melds", "out", "all at once"],
)
def test_melds_worth_less_than_the_first_of_them_needed_are_doubted(record, doubted):
    other = left(5) if record.out else OUT
    found = check_round(GAME, (1,) * 4, [record, other, left(45), left(10)], opens=(90, 50, 90, 50))

    low = [each for each in found if each.cites == "opening"]
    assert [(each.code, each.seat, each.certain) for each in low] == [
        (Code.POINTS_UNLIKELY, 0, False)
    ] * doubted


@pytest.mark.parametrize("of", ["team", "each"])
def test_a_hand_that_is_not_counted_yet_makes_nothing_worse(of):
    random, game = Random(of), pairs(reserve={"cards": 11, "of": of})
    for _ in range(200):
        records: list[HandRecord | None] = [any_hand(random) for _ in range(4)]
        whole = check_round(game, (1,) * 4, records)
        part = check_round(game, (1,) * 4, [None, *records[1:]])

        assert all(found in whole for found in part if found.seat is not None)


def test_black_threes_are_melded_by_a_team_that_went_out_alone():
    game = pairs(set={"without": ["3"], "last": ["black 3"]})
    natural, threes = game.pack.parse("8S 8S 8H 8H 8D 8D 8C"), game.pack.parse("3S 3S 3C")
    out = HandRecord(out=True, table=(natural, threes))
    other = [left(5, table=(threes,)), left(5), left(5), left(5)]

    score = keep([out, *HERE], game=game)
    assert score.points[0][0] == 70 + 500 + 15 + 100 - 45
    assert not score.problems
    assert Code.MELD_NOT_LEGAL in codes(keep(other, game=game).problems)


def test_a_player_who_goes_out_has_laid_down_two_hands_where_there_are_two():
    game = pairs(bonus=None, out={"dry": True})
    few, enough = (HandRecord(out=True, table=points) for points in (105, 110))

    assert codes(check_round(game, (1,) * 4, [few, *HERE])) == {Code.POINTS_UNLIKELY}
    assert not codes(check_round(game, (1,) * 4, [enough, *HERE]))
