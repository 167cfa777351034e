"""What is shuffled together for so many players: packs, and the jokers in them."""

import pytest

from referee import Moment, ShowMeld, rule_on, variants
from referee.advice import advise
from referee.cards import JOKER
from referee.describing import build
from referee.describing.checking import check_rules
from referee.describing.complaints import Refused
from referee.describing.sentences import sentences_of
from referee.rulings import Code
from referee.scorepad import HandRecord, check_round
from tests import described

RULES = described.game("mexican-rummy") | {"options": {}, "examples": [], "text": {}}
JOKERS = {"2-3": 0, "4": 1, "5-6": 6}


def with_jokers(jokers, copies=2):
    """Give Mexican Rummy with jokers that are wild, as many as there are players for."""
    return RULES | {
        "pack": {"copies": copies, "jokers": jokers},
        "players": [2, 6],
        "wild": {"cards": ["JK"]},
        "score": RULES["score"] | {"wild": 50},
    }


GAME = build(with_jokers(JOKERS))


@pytest.mark.parametrize(("players", "jokers"), [(2, 0), (3, 0), (4, 1), (5, 6), (6, 6)])
def test_the_jokers_go_by_how_many_play(players, jokers):
    there = GAME.pack_for(players)
    classes = GAME.value_classes(1, players)

    assert (there.copies, there.jokers) == (2, jokers)
    assert sum(each.copies for each in classes) == 104 + jokers
    assert any(JOKER in each.cards for each in classes) is (jokers > 0)


def test_the_hands_of_one_table_are_shown():
    told = sentences_of(check_rules(with_jokers(JOKERS)))["pack"]

    assert "none for 2 or 3 players, 1 for 4 players and 6 for 5 or 6 players" in told


def test_a_joker_on_a_pad_of_so_many_must_be_there():
    def problems(players, *hands):
        rest = [HandRecord(left=100)] * (players - len(hands) - 1)
        records = [HandRecord(out=True), *hands, *rest]
        return {each.code for each in check_round(GAME, [1] * players, records) if each.certain}

    one, two = (
        HandRecord(left=(JOKER,) * n + GAME.pack.parse("KC KD KH QC QD QH JC JD JH 10C"))
        for n in (1, 2)
    )
    assert Code.TOO_MANY_COPIES in problems(3, one)
    assert Code.TOO_MANY_COPIES not in problems(4, one)
    assert Code.TOO_MANY_COPIES in problems(4, two)
    assert Code.TOO_MANY_COPIES not in problems(5, two)


def test_jokers_that_are_not_in_are_not_unseen():
    hand = GAME.pack.parse("7C 7D 8C 8D 8H KS AS")

    def jokers(game):
        return [each.unseen for each in advise(game, Moment(1), hand).misses if each.card is JOKER]

    assert jokers(GAME.seated(2)) == []
    assert jokers(GAME.seated(4)) == [1]
    assert jokers(GAME) == [6]


def test_the_cards_dealt_go_by_how_many_play():
    game = variants.get("rummy")

    assert [game.seated(n).hand_size for n in game.players] == [10, 7, 7, 6, 6]
    assert game.with_options({"deal": 7}).seated(2).hand_size == 7


def test_a_table_without_jokers_has_none_in_its_melds():
    ruled = rule_on(ShowMeld(GAME.pack.parse("KC KD JK")), GAME.seated(2), Moment(1))

    assert Code.NOT_IN_PACK in {each.code for each in ruled.findings}
    assert GAME.seated(5).seated(5) is GAME.seated(5)


def test_a_deal_without_a_number_of_players_is_rejected():
    with pytest.raises(Refused, match="for 6 players"):
        build(with_jokers(JOKERS) | {"deal": {"cards": {"2-5": 10}}})


def test_two_numbers_for_as_many_players_are_rejected():
    with pytest.raises(Refused, match="By players"):
        build(with_jokers({"2-4": 0, "4": 1, "5-6": 6}))


def test_jokers_need_not_go_by_packs():
    game = build(with_jokers({"2-3": 3, "4-6": 4}, {"2-3": 1, "4-6": 2}))

    assert [game.pack_for(n).jokers for n in (2, 3, 4, 6)] == [3, 3, 4, 4]
    assert [game.pack_for(n).copies for n in (2, 3, 4, 6)] == [1, 1, 2, 2]
