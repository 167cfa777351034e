"""Facts, replayed: old entries read as they were written, and nothing comes back by itself."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from webapp.game import hand
from webapp.game.facts import (
    Corrected,
    Counted,
    Joined,
    LaidDown,
    LaidOff,
    Left,
    Noted,
    Started,
    Took,
    Voided,
    kind_of,
    read_fact,
    write_fact,
)
from webapp.game.hand import Hand
from webapp.game.replay import replay
from webapp.game.state import LoggedFact

AT = datetime(2026, 11, 21, 20, tzinfo=UTC)
OLD = [
    ("started", '{"dealer":2,"rules":"1","seats":[1,2,3],"variant":"mexican-rummy"}'),
    ("counted", '{"hands":{"1":{"out":true},"2":{"left":45},"3":{"left":60}},"round":1}'),
    (
        "corrected",
        '{"hands":{"2":{"base":2,"left":35,"typed":"30+5"}},"override":["points-many"],"round":1}',
    ),
    (
        "laid-down",
        '{"codes":["a-set"],"melds":["4C 4D 4H","9S 9H 9D"],"player":1,"round":2,"step":2}',
    ),
    ("voided", '{"seq":4}'),
    ("finished", '{"by":"table"}'),
    ("reopened", "{}"),
]


def state(*facts):
    return replay(
        [LoggedFact(seq=seq, at=AT, device="", fact=fact) for seq, fact in enumerate(facts, 1)]
    )


def start(variant="mexican-rummy", seats=(1, 2, 3), **more):
    return Started(variant=variant, rules="1", seats=seats, dealer=len(seats) - 1, **more)


def counted(number, kind=Counted, **hands):
    made = {
        int(name[1:]): Hand(out=value == "out", left="" if value == "out" else str(value))
        for name, value in hands.items()
    }
    return kind(round=number, hands=made)


def corrected(number, player, left, base):
    hands = {player: Hand(left=str(left), base=base)}
    return Corrected(round=number, hands=hands, closed=2)


ROUND = counted(1, p1="out", p2=60, p3=65)


@pytest.mark.parametrize(("kind", "text"), OLD)
def test_old_entries_are_read_and_written_byte_for_byte(kind, text):
    fact = read_fact(kind, text)

    assert kind_of(fact) == kind
    assert write_fact(fact) == text


@pytest.mark.parametrize(
    "fact",
    [
        Joined(player=4, round=3, after=2, carried=-40, step=5),
        Left(player=2, round=4, ranked=False),
        Noted(round=1, text="Ünruly “dealing”"),
        Took(player=1, round=2),
        LaidDown(
            player=1,
            round=1,
            step=0,
            melds=(),
            points=5,
            layoffs=(LaidOff(onto="3S 4S 5S", grown="3S 4S 5S 6S"),),
        ),
        start(stake="0.05", currency="€", clock=60),
        Counted(
            round=1,
            hands={
                1: Hand(out=True, shown="2S 2H", close="colour", joker=True, table="45"),
                2: Hand(left="5H KC", table="15+45"),
                3: Hand(left="20+10+5", table="0"),
            },
        ),
    ],
)
def test_new_entries_come_back_as_they_were(fact):
    assert read_fact(kind_of(fact), write_fact(fact)) == fact


HANDS = (Path(__file__).parent / "hands.txt").read_text(encoding="utf-8").splitlines()
"""Rounds of books that releases 632db3b, 9b5df282 and 68795443 wrote: each shape a hand had."""


@pytest.mark.parametrize("line", HANDS)
def test_a_round_that_an_older_release_wrote_is_written_in_the_same_bytes(line):
    kind, payload = line.split("\t")

    assert write_fact(read_fact(kind, payload)) == payload


def test_a_hand_that_lost_its_sum_would_be_written_otherwise(monkeypatch):
    monkeypatch.setattr(hand, "_typed_or", lambda number, *_: number)
    sums = [line for line in HANDS if re.search('"(table_)?typed"', line)]

    assert sums
    for line in sums:
        kind, payload = line.split("\t")
        assert write_fact(read_fact(kind, payload)) != payload


@pytest.mark.parametrize("typed", ["1+1", "9", "KS", "5+"])
def test_if_a_sum_contradicts_its_number_the_number_counts(typed):
    """Laydown never wrote one; a file from elsewhere may have it."""
    text = f'{{"hands":{{"1":{{"left":45,"typed":"{typed}"}}}},"round":1}}'

    assert read_fact("counted", text).hands[1].left == "45"


@pytest.mark.parametrize("cards", ["7", "7+8", "-7"])
def test_cards_that_are_a_number_are_no_entry(cards):
    """They would count as points; Laydown never wrote any."""
    with pytest.raises(ValueError, match=re.escape(cards)):
        read_fact("counted", f'{{"hands":{{"1":{{"cards":"{cards}"}}}},"round":1}}')


def test_a_game_from_before_has_no_stake_and_no_clock():
    fact = read_fact(*OLD[0])

    assert (fact.stake, fact.clock) == ("", 0)


def test_a_correction_never_brings_back_a_voided_round():
    told = state(start(), ROUND, corrected(1, 2, 90, base=2), Voided(seq=2))

    assert told.rounds == ()
    assert dict(told.counting) == {}


def test_a_correction_of_a_correction_falls_with_it():
    facts = (start(), ROUND, corrected(1, 2, 90, base=2), corrected(1, 2, 95, base=3))

    assert state(*facts).score.totals == (0, 95, 65)
    assert state(*facts, Voided(seq=3)).score.totals == (0, 60, 65)


def test_a_taking_back_that_is_taken_back_brings_its_entry_back():
    facts = (start(), ROUND, Voided(seq=2))

    assert state(*facts).score.totals == (0, 0, 0)
    assert state(*facts, Voided(seq=3)).score.totals == (0, 60, 65)
    assert state(*facts, Voided(seq=3), Voided(seq=4)).score.totals == (0, 0, 0)


def test_a_round_that_was_played_on_stays_closed_when_somebody_comes_back_into_the_game():
    """At a hundred below Ben is out; a correction brings him back, and no round is lost."""
    more = {"options": {"end": "eliminate-100"}}
    first = Counted(
        round=1,
        hands={
            1: Hand(out=True, close="closed", joker=True),
            2: Hand(left="110"),
            3: Hand(left="10"),
        },
    )
    second = Counted(
        round=2,
        hands={1: Hand(out=True, close="closed", joker=True), 3: Hand(left="20")},
    )
    facts = (start("remigio", **more), first, second)
    told = state(*facts)
    assert told.score.totals == (140, -110, -30)
    assert told.players_of(3) == (1, 3)

    mended = state(*facts, corrected(1, 2, 11, base=2))

    assert len(mended.rounds) == 2
    assert mended.score.totals == (41, -11, -30)
    assert mended.players_of(3) == (1, 2, 3)


def test_the_first_dealer_deals_first_wherever_others_sit_down():
    told = state(start(), Joined(player=4, round=1, after=0), Joined(player=5, round=1, after=3))

    assert told.seats == (4, 1, 2, 3, 5)
    assert told.seats[told.score.dealers[0]] == 3


def test_what_a_hand_of_named_cards_costs_is_worked_out_and_not_kept():
    named = Hand(left="5H 5S 5D 6D 7D KC QH 9S 2C AH")
    closer = Hand(out=True, close="closed", joker=False)
    told = state(start("remigio", (1, 2)), Counted(round=1, hands={1: closer, 2: named}))

    assert told.rounds[0][2].left == 42
    assert told.score.totals == (84, -84)
