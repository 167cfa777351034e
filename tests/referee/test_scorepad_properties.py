"""What holds for every pad of every game, whatever was written down."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from referee import variants
from referee.scorepad import Attendance, keep_score
from referee.scorepad.checks import check_round
from referee.scorepad.hands import HandRecord
from tests.examples import examples

GAMES = [
    *variants.all(),
    variants.get("eleven-phases").with_options({"advance": "everyone"}),
    variants.get("eleven-phases").with_options({"phases": ["2 sets of 3", "1 run of 7"]}),
    variants.get("remigio").with_options({"end": "eliminate-100"}),
    variants.get("remigio").with_options({"end": 3}),
    variants.get("rummy-500").with_options({"target": 100}),
]
ANY = given(variant=st.sampled_from(GAMES), data=st.data())
MANY = settings(max_examples=examples(200), deadline=None)
CLOSES = ["closed", "colour", "straight-colour", "remigio", None]


@st.composite
def hands(draw, variant):
    """A record that a table could write down, true or not."""
    if draw(st.integers(0, 3)):
        pack = (*variant.pack.cards, *variant.wilds.cards)
        cards = st.lists(st.sampled_from(sorted(pack, key=str)), max_size=11).map(tuple)
        left = draw(st.one_of(st.integers(0, 40).map(lambda n: n * 5), cards))
        made = draw(st.sampled_from([None, False, True]))
        return HandRecord(left=left, made=made, table=draw(st.integers(0, 30)) * 5)
    return HandRecord(
        out=True,
        close=draw(st.sampled_from(CLOSES)),
        joker=draw(st.booleans()),
        table=draw(st.integers(7, 60)) * 5,
    )


@st.composite
def places(draw):
    """A seat, mostly there from the start to the end."""
    start = draw(st.sampled_from([1, 1, 1, 3]))
    end = draw(st.sampled_from([50, 50, 50, 4]))
    return Attendance(
        away=(range(1, start), range(end, 1000)),
        carried=draw(st.sampled_from([0, 0, 35, -40])),
        step=draw(st.sampled_from([1, 1, 2])),
        ranked=draw(st.sampled_from([True, True, True, False])),
    )


def most_alone(variant):
    """The most players here that play alone: nobody joins or leaves a game of teams."""
    return max(players for players in (2, 3, 4) if not variant.in_teams(players))


@st.composite
def pads(draw, variant, rounds=7):
    """Seats, and the rounds they played; here and there a hand is missing or too many."""
    seats = draw(st.lists(places(), min_size=2, max_size=most_alone(variant)))
    number = draw(st.integers(0, rounds))
    records = []
    for _ in range(number):
        playing = keep_score(variant, seats, records, 0).playing
        careless = draw(st.integers(0, 9)) == 0
        line = [draw(hands(variant)) if plays or careless else None for plays in playing]
        records.append(line)
    return seats, records


@MANY
@ANY
def test_totals_are_what_was_carried_and_the_sum_of_the_rounds(variant, data):
    seats, rounds = data.draw(pads(variant))
    score = keep_score(variant, seats, rounds, 0)

    for index, seat in enumerate(seats):
        assert score.totals[index] == seat.carried + sum(line[index] for line in score.points)
    assert len(score.points) == len(score.played) == len(rounds) == len(score.dealers) - 1


@MANY
@ANY
def test_what_some_win_the_others_lose_in_zero_sum_games(variant, data):
    seats, rounds = data.draw(pads(variant))
    score = keep_score(variant, seats, rounds, 0)

    if variant.pad.zero_sum:
        assert [sum(line) for line in score.points] == [0] * len(rounds)
    if not variant.pad.negative:
        assert min([points for line in score.points for points in line], default=0) >= 0


@MANY
@ANY
def test_seats_are_alike(variant, data):
    seats, rounds = data.draw(pads(variant))
    order = data.draw(st.permutations(range(len(seats))))
    turned = keep_score(
        variant,
        [seats[index] for index in order],
        [[line[index] for index in order] for line in rounds],
        0,
    )
    score = keep_score(variant, seats, rounds, 0)

    for name in ("totals", "steps", "games_won", "playing"):
        assert getattr(turned, name) == tuple(getattr(score, name)[index] for index in order)
    for name in ("winners", "leaders", "decider"):
        assert {order[index] for index in getattr(turned, name)} == set(getattr(score, name))
    assert turned.over == score.over


@MANY
@ANY
def test_a_round_more_never_changes_the_rounds_before(variant, data):
    seats, rounds = data.draw(pads(variant))
    score = keep_score(variant, seats, rounds, 0)

    for number in range(len(rounds)):
        before = keep_score(variant, seats, rounds[:number], 0)
        assert score.points[:number] == before.points
        assert score.dealers[: number + 1] == before.dealers
        assert score.problems[: len(before.problems)] == before.problems
        assert score.played[number] == before.playing
        if before.over:
            assert score.winners == before.winners


@MANY
@ANY
def test_nobody_goes_up_more_than_one_step_in_a_round(variant, data):
    seats, rounds = data.draw(pads(variant))
    steps = [keep_score(variant, seats, rounds[:n], 0).steps for n in range(len(rounds) + 1)]

    for number, (before, after) in enumerate(pairwise(steps)):
        for seat, record in enumerate(rounds[number]):
            assert after[seat] - before[seat] in {0, 1}
            if variant.climbs_alone and after[seat] > before[seat]:
                assert record is not None
                assert record.is_down


@MANY
@ANY
def test_the_dealer_plays_and_every_winner_is_ranked(variant, data):
    seats, rounds = data.draw(pads(variant))
    score = keep_score(variant, seats, rounds, 0)

    for dealer, playing in zip(score.dealers, [*score.played, score.playing], strict=True):
        assert playing[dealer] or not any(playing)
    assert all(seats[seat].ranked for seat in score.leaders)
    assert score.over == bool(score.winners)
    assert sum(score.games_won) <= len(rounds)


@MANY
@ANY
def test_a_hand_that_is_not_counted_yet_makes_nothing_worse(variant, data):
    most = most_alone(variant)
    records = data.draw(st.lists(hands(variant), min_size=2, max_size=most))
    steps = [1] * len(records)
    whole = check_round(variant, steps, records)
    part = check_round(variant, steps, [None, *records[1:]])

    assert all(problem in whole for problem in part if problem.seat is not None)
