"""What is laid off in one turn: as good as the best of all ways, and soon found."""

import json
import time
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import permutations
from random import Random

import pytest

from referee import Code, parse_cards, rule_on, variants
from referee.cards import Card, write_cards
from referee.describing import build
from referee.judging import turn_layoffs
from referee.judging.turn_layoffs import laid_off
from referee.plays import LayDown, LayOff, ShowMeld
from referee.protocol import answer_line
from referee.turns.layoffs import ways_on
from tests.described import costly_game
from tests.examples import examples
from tests.yardstick import milliseconds


def best_of_all(play, game, rules):
    """Try every way on every meld there may be: the findings against, less than 0, and points."""
    there = Counter(card for layoff in play.layoffs for card in layoff.cards)
    for onto in dict.fromkeys(layoff.onto for layoff in play.layoffs):
        there.update(onto)

    @cache
    def ways(layoff):
        return ways_on(layoff, game.lay_offs, rules, game.worth)

    def go(layoffs, melds, others):
        """Go on with whichever fits; where none does the others are as many findings."""
        found = []
        for at, layoff in enumerate(layoffs):
            rest = layoffs[:at] + layoffs[at + 1 :]
            grown = melds.get(layoff.onto, ())
            more = others + layoff.onto if grown else others
            tables = [(at, onto, others) for at, onto in enumerate(grown)]
            if game.pack.excess(there + Counter(more)) is None:
                tables.append((len(grown), layoff.onto, more))
            for place, onto, besides in tables:
                for joined in ways(replace(layoff, onto=onto, down=True)):
                    if joined.reading is not None:
                        against = sum(finding.against for finding in joined.findings)
                        after = (*grown[:place], joined.reading.arranged.cards, *grown[place + 1 :])
                        good, points = go(rest, melds | {layoff.onto: after}, besides)
                        found.append((good - against, points + joined.points))
        return max(found, default=(-len(layoffs), 0))

    return go(play.layoffs, {}, ())


def dealt(random, game, rules):
    """Lay off a few cards that often fit, onto one or two runs; None where there are too many."""
    wilds = sorted(rules.wilds.cards, key=str)
    layoffs = []
    runs = [(random.randint(3, 8), random.choice(game.pack.suits)) for _ in range(2)]
    for _ in range(random.randint(2, 4)):
        low, suit = random.choice(runs)
        ends = [Card(low + by, suit) for by in (-2, -1, -1, 4, 4, 5)]
        cards = random.choices(ends + wilds, k=random.choice((1, 1, 1, 2)))
        onto = tuple(Card(low + by, suit) for by in range(4))
        own = not game.contracts
        layoffs.append(LayOff(tuple(cards), onto, own=own, same_turn=True))
    there = Counter(card for layoff in layoffs for card in layoff.cards)
    for onto in {layoff.onto for layoff in layoffs}:
        there.update(onto)
    play = LayDown(melds=(), layoffs=tuple(layoffs))
    return play if game.pack.excess(there) is None else None


@pytest.mark.parametrize(
    ("slug", "options", "step"),
    [
        ("mexican-rummy", {}, 2),
        ("mexican-rummy", {"max-wilds": 1}, 2),
        ("mexican-rummy", {"adjacent-wilds": False, "wrap": True}, 2),
        ("eleven-phases", {"wrap": True}, 1),
        ("rummy-500", {}, None),
        ("rummy-500", {"natural-twos": True}, None),
    ],
)
def test_what_is_laid_off_equals_brute_force(slug, options, step):
    game, random = variants.get(slug).with_options(options), Random(f"{slug} {options}")
    rules, good, hard = game.melds_at(step), 0, 0
    for _ in range(examples(250, least=25)):
        play = dealt(random, game, rules)
        if play is None:
            continue
        found = laid_off(play, game, rules)
        against = sum(finding.against for joined in found for finding in joined.findings)
        expected = best_of_all(play, game, rules)
        case = [(write_cards(one.cards), write_cards(one.onto)) for one in play.layoffs]
        assert (against == 0) == (expected[0] == 0), case
        if not against:
            assert sum(joined.points for joined in found) == expected[1], case
            good += 1
            hard += len({layoff.onto for layoff in play.layoffs}) < len(play.layoffs)
    assert hard > examples(15)


@pytest.mark.parametrize("order", [*permutations(["8", "9", "10", "3"])], ids=" ".join)
def test_lay_offs_are_made_in_whatever_order_works(order):
    layoffs = [{"cards": f"{rank}S", "onto": "4S 5S 6S 7S", "owner": "other"} for rank in order]
    asked = {
        ("mexican-rummy", "laydown"): {"step": 1, "melds": ["KS KH KD", "9H 9D 9C"]},
        ("mexican-rummy", "swap"): {
            "step": 2,
            "melds": [],
            "then": ["KS KH KD", "9H 10H 2S QH"],
            "give": "6D",
            "take": "2S",
            "meld": "4D 5D 2S 7D",
        },
        ("rummy-500", "laydown"): {"melds": []},
        ("rummy-500", "pickup"): {"pile": "KD 10S", "take": "10S", "melds": []},
    }
    for (variant, ask), fields in asked.items():
        question = {"id": 1, "variant": variant, "ask": ask, "layoffs": layoffs} | fields
        assert answer_line(json.dumps(question)).get("legal"), question


def test_both_of_two_equal_melds_can_be_laid_off_on():
    game = variants.get("mexican-rummy")
    cards = [game.pack.parse(card) for card in ("8S", "8S", "9S", "9S", "10S", "10S")]
    layoffs = tuple(LayOff(card, game.pack.parse("4S 5S 6S 7S")) for card in cards)

    found = laid_off(LayDown(melds=(), layoffs=layoffs, down=True), game, game.melds_at(1))

    assert not any(finding.against for joined in found for finding in joined.findings)


@pytest.mark.parametrize("order", [*permutations(range(3))], ids=str)
def test_a_grown_meld_may_be_named_before_it_has_grown(order):
    named = [("8S", "5S 6S 7S"), ("9S", "5S 6S 7S 8S"), ("4S", "5S 6S 7S 8S 9S")]
    layoffs = [
        {"cards": c, "onto": onto, "owner": "other"} for c, onto in (named[n] for n in order)
    ]
    question = {"id": 1, "variant": "rummy-500", "ask": "laydown", "melds": [], "layoffs": layoffs}

    answer = answer_line(json.dumps(question))

    assert (answer.get("legal"), answer.get("points")) == (True, 15)


def test_each_lay_off_is_named_in_its_turn():
    onto = {"A": "5H 6H 7H", "B": "9C 9D 9S"}
    order = [("4H", "A"), ("9H", "B"), ("3H", "A")]
    game = variants.get("rummy-500")
    layoffs = [LayOff(game.pack.parse(card), game.pack.parse(onto[to])) for card, to in order]

    found = laid_off(LayDown(melds=(), layoffs=tuple(layoffs)), game, game.melds_at(None))

    grown = [write_cards(joined.reading.arranged.cards) for joined in found]
    assert grown == ["4H 5H 6H 7H", "9C 9D 9S 9H", "3H 4H 5H 6H 7H"]


@pytest.mark.parametrize(
    ("onto", "says"),
    [
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH", "full"),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH", "K♥ or A♥"),
        ("2H 3H 4H 5H", "A♥ or 6♥"),
    ],
)
def test_round_the_corner_a_run_is_full_with_a_card_at_both_ends(onto, says):
    layoff = {"cards": "5S", "onto": onto, "owner": "self", "options": {"wrap": True}}
    question = {"id": 1, "variant": "mexican-rummy", "ask": "layoff", "step": 3, **layoff}

    (finding,) = answer_line(json.dumps(question))["findings"]
    assert finding["code"] == "does-not-fit"
    assert says in finding["says"]


def test_a_lay_off_scores_nothing_if_melds_score_nothing():
    game, cards = variants.get("mexican-rummy"), variants.get("mexican-rummy").pack.parse
    layoff = LayOff(cards("6H"), cards("2H 3H 4H 5H"))

    (joined,) = ways_on(layoff, game.lay_offs, game.melds_at(3))
    assert (joined.reading is not None, joined.points) == (True, 0)


RUN = "2 3 4 5 6 7 8 9 10 J Q K"
ENDS = "8 3 9 2 8 3 9 2 8 3 9 2 8 3 9 2 10 10 10 J J J A A A K".split()


@pytest.mark.timed
@pytest.mark.parametrize(
    ("options", "layoffs"),
    [
        ({}, [("A", RUN)] * 12 + [("", RUN)] * 108),
        ({}, [("7", "7 7")] * 12 + [("8", "7 7")] * 14),
        ({}, [(card, "4 5 6 7") for card in ENDS]),
        ({"layoff-same-turn": False}, [(card, "4 5 6 7") for card in ENDS]),
    ],
)
def test_any_number_of_lay_offs_takes_400_ms_at_most(options, layoffs):
    question = {"id": 1, "variant": "eleven-phases", "ask": "laydown", "step": 1}
    question |= {"melds": ["5 5 5", "6 6 6"], "options": options}
    question["layoffs"] = [{"cards": c, "onto": onto, "owner": "other"} for c, onto in layoffs]
    begun = time.process_time()

    answer = answer_line(json.dumps(question))

    assert time.process_time() - begun < milliseconds(400)
    assert answer["legal"] is False


def test_many_lay_offs_in_one_turn_stop_at_their_budget():
    """Eight packs, eight ranks wild, runs of two round the corner: this once took 4 s."""
    game = build(costly_game())
    onto = parse_cards("7D 6S")
    layoffs = [LayOff(parse_cards(card), onto) for card in "7C 9C QC 8H JH 7H 7D".split()]
    play = LayDown(melds=(parse_cards("AC 6C"),), layoffs=tuple(layoffs), down=True, first=False)
    began = time.process_time()

    rule_on(play, game)

    assert time.process_time() - began < milliseconds(500)


def test_a_turn_that_is_too_long_to_try_is_undecided_not_refused(monkeypatch):
    """A lay-off that fits must not be refused because the tries ran out."""
    monkeypatch.setattr(turn_layoffs, "MOST_TRIED", 1)
    fitting = [LayOff(parse_cards(card), parse_cards("5H 6H 7H")) for card in ("9H", "8H")]
    alien = LayOff(parse_cards("KS"), parse_cards("5H 6H 7H"))
    play = LayDown(melds=(), layoffs=(*fitting, alien), down=True, first=False)

    assert rule_on(play, variants.get("kaluki")).broken == {Code.NOT_DECIDED}


def test_many_lay_offs_that_make_no_meld_together_are_refused_without_trying_all_orders():
    onto = parse_cards("AS 2S 3S")
    added = "2D/5S 2H/2D/2S/2H/4S 2C/2C"
    layoffs = tuple(
        LayOff(parse_cards(cards), onto, own=True, same_turn=True) for cards in added.split("/")
    )
    play = LayDown(melds=(), layoffs=layoffs, own=(onto,), down=True)

    broken = rule_on(play, variants.get("burraco")).broken

    assert Code.TOO_MANY_WILDS in broken
    assert Code.NOT_DECIDED not in broken


@pytest.mark.parametrize(
    ("cards", "onto", "stands"),
    [
        ("7H", "5H 6H JK 8H", {"4H", "9H"}),
        # It has one end left.
        ("7H", "5H 6H JK 8H 9H 10H JH QH KH AH", {"4H"}),
        # Nothing is where it was, so it stays.
        ("9H", "5H 6H JK 8H", {"7H"}),
        ("9H 10H", "5H 6H JK 8H", {"7H"}),
        # The 10 needs the 9, which the joker can be once the 7 is there.
        ("7H 10H", "5H 6H JK 8H", {"9H"}),
    ],
)
def test_a_wild_of_a_run_moves_over_for_the_card_that_it_stands_for(cards, onto, stands):
    game = variants.get("kalooki-jamaican")
    joined = ways_on(LayOff(parse_cards(cards), parse_cards(onto)), game.lay_offs, game.melds_at(2))

    there = {str(stand) for way in joined for stand in way.reading.stands_for.values()}
    assert not any(way.findings for way in joined)
    assert there == stands


def test_the_ruling_says_where_a_wild_moves_to():
    play = LayOff(parse_cards("7H"), parse_cards("5H 6H JK 8H"))
    ruling = rule_on(play, variants.get("kalooki-jamaican"))

    moved = [found for found in ruling.findings if found.code is Code.WILD_MOVED]
    assert [str(card) for card in moved[0].cards] == [str(ruling.readings[0].stands[2])]


@pytest.mark.parametrize(("cards", "onto"), [("3H", "2H 4H 5H"), ("6H", "3H 4H 5H 2H")])
def test_of_a_wild_that_moves_home_no_sentence_says_that_it_stands_for_a_card(cards, onto):
    play = LayOff(parse_cards(cards), parse_cards(onto), own=True)
    ruling = rule_on(play, variants.get("burraco"))

    assert ruling.is_legal
    assert Code.WILD_MOVED not in {found.code for found in ruling.findings}


def test_a_wild_after_the_king_is_no_second_ace_in_a_run_that_has_one():
    run = parse_cards("AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH JK")
    ruling = rule_on(ShowMeld(run), variants.get("burraco"))

    assert ruling.is_legal
    assert Code.TWO_ACES not in {found.code for found in ruling.findings}
