"""Runs of packs with other than thirteen ranks, or with ranks out: what follows on what.

The ranks that are there follow one another in their order, over any gap. The ace, or whatever is
lowest, is below them, above them or both; round the corner the lowest follows on the highest.
"""

from dataclasses import replace
from random import Random

import pytest

from referee.cards import JOKER, write_cards
from referee.describing import Refused, build, check, sentences_of
from referee.judging import rule_on
from referee.melds.deadwood import arrange
from referee.melds.grounds import judge, legal_readings
from referee.plays import Close, LayDown, LayOff, Moment, Rearrange, ShowMeld
from referee.rulings import Code, MeldKind
from tests.described import BARE, changed
from tests.examples import examples
from tests.referee.short_packs import (
    EVERY_PACK,
    EVERY_WAY,
    OF_TWELVE,
    SPANISH,
    WILD,
    described,
    divisions,
    free,
    hand,
    is_run,
    is_set,
    near,
    rows,
)


def show(game, cards):
    return rule_on(ShowMeld(game.pack.parse(cards)), game)


# The rules, one after the other.


@pytest.mark.parametrize(
    ("pack", "way", "cards", "said"),
    [
        ("Spanish 40", "low", "6O 7O 10O", None),
        ("Spanish 40", "low", "11O 12O 1O", Code.RUN_GAP),
        ("Spanish 40", "high", "11O 12O 1O", None),
        ("Spanish 40", "high", "1O 2O 3O", Code.ACE_NOT_LOW),
        ("Spanish 40", "both", "11O 12O 1O", None),
        ("Spanish 40", "both", "1O 2O 3O", None),
        ("Spanish 40", "both", "12O 1O 2O", Code.RUN_AROUND_THE_CORNER),
        ("Spanish 40", "round", "12O 1O 2O", None),
        ("Spanish 40", "round", "7O 11O 12O", Code.RUN_GAP),
        ("Spanish 48", "both", "7O 10O 11O", Code.RUN_GAP),
        ("Spanish 48", "round", "9O 10O 11O 12O 1O 2O", None),
        ("eight to ace", "both", "AH 8H 9H", None),
        ("eight to ace", "both", "QH KH AH", None),
        ("eight to ace", "both", "KH AH 8H", Code.RUN_AROUND_THE_CORNER),
        ("eight to ace", "both", "AH 8H 9H 10H JH QH KH AH", None),
        ("eight to ace", "high", "AH 8H 9H", Code.ACE_NOT_LOW),
        ("eight to ace", "high", "8H 9H 10H JH QH KH AH", None),
        ("eight to ace", "low", "QH KH AH", Code.RUN_GAP),
        ("eight to ace", "round", "QH KH AH 8H", None),
        ("eight to ace", "round", "QH KH AH 8H 9H 10H JH QH", None),
        ("eight to ace", "round", "JH QH KH AH 8H 9H 10H JH QH", Code.RUN_REPEATS_RANK),
        ("numbered to 12", "round", "R11 R12 R1", None),
        ("numbered to 12", "both", "R11 R12 R1", None),
        ("numbered to 12", "both", "R12 R1 R2", Code.RUN_AROUND_THE_CORNER),
        ("three to king", "round", "KX 3X 4X", None),
        ("three to king", "high", "QX KX 3X", None),
        ("three to king", "low", "QX KX 3X", Code.RUN_GAP),
        ("ace to seven, and court", "both", "7H JH QH", None),
        ("ace to seven, and court", "both", "QH KH AH", None),
        ("ace to seven, and court", "round", "KH AH 2H", None),
        ("tiles without 4 and 9", "both", "R12 R13 R1", None),
        ("tiles without 4 and 9", "low", "R3 R5 R6", None),
        ("tiles without 4 and 9", "round", "R13 R1 R2", None),
        ("ace to five", "round", "4C 5C AC 2C 3C 4C", None),
        ("ace to five", "round", "4C 5C AC 2C 3C 4C 5C", Code.RUN_REPEATS_RANK),
    ],
)
def test_what_follows_on_what(pack, way, cards, said):
    ruling = show(free(pack, way), cards)

    assert ruling.is_legal is (said is None)
    assert ruling.broken == ({said} if said else set())


def test_the_sentences_name_the_ranks_of_the_pack():
    spanish, eights = free("Spanish 40", "both"), free("eight to ace", "high")

    assert show(spanish, "12O 1O 2O").broken == {Code.RUN_AROUND_THE_CORNER}
    assert eights.say(show(eights, "AH 8H 9H").findings[0]).endswith("before the 8.")
    assert "10♥" in eights.say(show(eights, "8H 9H JH").findings[0])


@pytest.mark.parametrize(
    ("pack", "told"),
    [
        ("Spanish 40", "The ace is low or high in a run. A run can have one at each end."),
        ("eight to ace", "The ace is low or high in a run. A run can have one at each end."),
        ("three to king", "The 3 is low or high in a run. A run can have one at each end."),
    ],
)
def test_the_book_says_where_the_lowest_rank_goes(pack, told):
    assert sentences_of(check(described(pack, "both", free={})))["ace"] == told


@pytest.mark.parametrize(
    ("pack", "way", "cards", "stands"),
    [
        ("Spanish 40", "both", "11O JK 1O", "11O 12O 1O"),
        ("Spanish 40", "both", "7O JK 11O", "7O 10O 11O"),
        ("Spanish 40", "round", "12O JK 2O", "12O 1O 2O"),
        ("Spanish 40", "round", "2O JK 12O", "2O 1O 12O"),
        ("eight to ace", "both", "AH JK 9H", "AH 8H 9H"),
        ("three to king", "round", "QX JK 3X", "QX KX 3X"),
        ("tiles without 4 and 9", "both", "R8 JK R11", "R8 R10 R11"),
    ],
)
def test_a_wild_is_what_its_place_makes_it(pack, way, cards, stands):
    [reading] = show(free(pack, way), cards).readings

    assert write_cards(reading.stands) == stands


@pytest.mark.parametrize(
    ("pack", "way", "onto", "fits"),
    [
        ("Spanish 40", "low", "10O 11O 12O", "7O"),
        ("Spanish 40", "both", "10O 11O 12O", "7O 1O"),
        ("Spanish 40", "both", "1O 2O 3O", "4O"),
        ("Spanish 40", "round", "1O 2O 3O", "12O 4O"),
        ("eight to ace", "high", "10H JH QH KH AH", "9H"),
        ("eight to ace", "round", "KH AH 8H", "QH 9H"),
        ("three to king", "high", "QX KX 3X", "JX"),
        ("tiles without 4 and 9", "low", "R5 R6 R7", "R3 R8"),
    ],
)
def test_a_card_joins_a_run_at_either_end(pack, way, onto, fits):
    game = free(pack, way)
    lying = game.pack.parse(onto)
    joins = {
        str(card) for card in game.pack.cards if rule_on(LayOff((card,), lying), game).is_legal
    }

    assert joins == set(fits.split())


def test_what_joins_a_run_is_named():
    game = free("eight to ace", "round")
    ruling = rule_on(LayOff(game.pack.parse("10C"), game.pack.parse("QC KC AC")), game)

    assert ruling.findings[0].values["ends"] == game.pack.parse("JC 8C")


def test_one_long_run_counts_as_two_only_if_allowed_even_around_the_corner():
    rule = {"contract": {"split-runs": False}, "steps": ["2 runs of 3"], "end": {}}
    game = build(described("Spanish 40", "round", **rule, wild=WILD))
    melds = [game.pack.parse(cards) for cards in ("10O 11O 12O", "1O 2O 3O", "2O 3O 4O")]
    one, next_up, other = melds

    assert rule_on(LayDown(melds=(one, next_up)), game, Moment(1)).broken == {Code.RUN_SPLIT}
    assert rule_on(LayDown(melds=(one, other)), game, Moment(1)).is_legal


@pytest.mark.parametrize(("way", "legal"), [("low", False), ("both", True), ("round", True)])
def test_a_table_is_rearranged_by_the_same_runs(way, legal):
    costs = {word: points for word, points in OF_TWELVE.items() if word != "JK"}
    rest = {
        "pack": {**SPANISH, "remove": ["8-9"], "jokers": 0},
        "score": {"hand": costs},
        "free": {},
        "rearrange": {},
        "set": {"suits": "different"},
        "draw": {"pile": "none"},
    }
    game = build(described("Spanish 40", way, **rest))
    before, after = (
        tuple(map(game.pack.parse, melds))
        for melds in (["1O 1C 1E 1B"], ["1C 1E 1B", "11O 12O 1O"])
    )

    play = Rearrange(before=before, after=after, rack=game.pack.parse("11O 12O"))
    assert rule_on(play, game).is_legal is legal


def test_a_low_ace_counts_less_in_an_opening_even_with_a_short_pack():
    costs = {"8-10": "face", "J-K": 10, "A": 11, "JK": 20}
    rest = {"opening": {"points": 30}, "score": {"hand": costs, "low-ace": 1}, "free": {}}
    game = build(described("eight to ace", "both", **rest, wild=WILD))

    worth = {
        cards: rule_on(LayDown(melds=(game.pack.parse(cards),)), game).points
        for cards in ("AH 8H 9H", "QH KH AH", "AH AC AS", "QH JK AH")
    }
    assert worth == {"AH 8H 9H": 18, "QH KH AH": 31, "AH AC AS": 33, "QH JK AH": 31}


def test_a_lowest_card_other_than_an_ace_counts_as_always():
    rest = {"opening": {"points": 10}, "score": {"hand": {"3-K": 5, "JK": 20}, "low-ace": 1}}
    game = build(described("three to king", "both", **rest, free={}, wild=WILD))

    assert rule_on(LayDown(melds=(game.pack.parse("3X 4X 5X"),)), game).points == 15


def test_if_the_ace_is_out_nothing_is_high_in_its_place_but_runs_may_go_round():
    def without_aces(**run):
        pack, costs = {"copies": 2, "remove": ["A"]}, {"hand": {"2-K": 5}}
        return build({**BARE, "pack": pack, "run": run, "score": costs, "free": {}})

    for ace in ("both", "high"):
        with pytest.raises(Refused, match=r"^run\.ace"):
            without_aces(ace=ace)
    assert show(without_aces(ace="low", around=True), "QC KC 2C").is_legal
    assert show(without_aces(ace="low"), "QC KC 2C").broken == {Code.RUN_GAP}


@EVERY_PACK
@EVERY_WAY
def test_cards_are_a_meld_if_they_are_one_by_the_rows_written_out(pack, way):
    game, chance, seen = free(pack, way), Random(f"{pack} {way}"), set()
    rules = game.melds_at(None)
    for _ in range(examples(400, least=40)):
        cards = near(chance, game, chance.randint(3, 8))
        for size in range(3, len(cards) + 1):
            some = tuple(chance.sample(cards, size))
            kinds = {reading.kind for reading in legal_readings(some, rules, as_laid=False)}
            told = {MeldKind.RUN} if is_run(some, pack, way) else set()
            told |= {MeldKind.SET} if is_set(some) else set()
            assert kinds == told, write_cards(some)
            seen |= kinds
    assert seen == {MeldKind.RUN, MeldKind.SET}


def test_the_rank_of_the_number_dealt_is_wild_even_over_a_gap():
    gap = {"pack.remove": ["2", "9"], "run.ace": "both", "steps": [3, 4, 8, 10]}
    costs = {"score.hand": {"A-10": "face", "J-K": 10}, "options": {}}
    game = changed("three-thirteen", gap | costs)

    def show_in(step, cards):
        return rule_on(ShowMeld(game.pack.parse(cards)), game, Moment(step))

    wild = [min(map(str, game.melds_at(step).wilds.cards)) for step in (1, 2, 3, 4)]
    assert wild == ["3C", "4C", "8C", "10C"]
    assert show_in(3, "7S 8H 10S").is_legal
    assert show_in(2, "7S 8H 10S").broken == {Code.RUN_OF_TWO_SUITS}
    assert write_cards(show_in(4, "7S 8S 10H JS").readings[0].stands) == "7S 8S 10S JS"
    assert show_in(4, "QS KS AS 3S").broken == {Code.RUN_AROUND_THE_CORNER}


def test_a_referee_that_counts_thirteen_ranks_in_every_pack_is_caught():
    game = free("Spanish 40", "round")
    rules = game.melds_at(None)
    broken = replace(rules, runs=replace(rules.runs, top=13))

    cards = game.pack.parse("11O 12O 1O")

    assert is_run(cards, "Spanish 40", "round")
    assert legal_readings(cards, rules)
    assert not legal_readings(cards, broken)


@EVERY_PACK
@EVERY_WAY
def test_every_row_is_a_run_as_it_lies_up_and_down_and_each_wild_is_what_is_missing(pack, way):
    game, chance = free(pack, way), Random(f"{pack} {way} as laid")
    rules, longest = game.melds_at(None), len(game.pack.ranks) + 2
    suit = game.pack.suits[0]
    by_name = {card.shown: card for card in game.pack.cards if card.suit is suit}
    for size in range(3, longest + 1):
        for row in rows(pack, way, size)[: len(game.pack.ranks)]:
            stands = tuple(by_name[name] for name in row)
            wild = set(chance.sample(range(size), chance.randint(0, min(2, size - 2))))
            cards = tuple(JOKER if at in wild else card for at, card in enumerate(stands))
            for laid, meant in ((cards, stands), (cards[::-1], stands[::-1])):
                readings = [r for r in judge(laid, rules).readings if r.places]
                assert meant in {reading.stands for reading in readings}, write_cards(laid)


@pytest.mark.slow
@EVERY_PACK
@EVERY_WAY
def test_what_joins_a_run_makes_a_longer_row(pack, way):
    game, chance = free(pack, way), Random(f"{pack} {way} laid off")
    suit = game.pack.suits[0]
    by_name = {card.shown: card for card in game.pack.cards if card.suit is suit}
    for _ in range(examples(60)):
        row = chance.choice(rows(pack, way, chance.randint(3, 4)))
        onto = tuple(by_name[name] for name in row)
        for one, other in ((one, other) for one in by_name for other in (*by_name, None)):
            more = tuple(by_name[name] for name in (one, other) if name)
            longer = [[*low, *row, *high] for low, high in splits([card.shown for card in more])]
            legal = any(each in rows(pack, way, len(each)) for each in longer)
            assert rule_on(LayOff(more, onto), game).is_legal is legal, write_cards(more + onto)


def splits(names):
    """Every way to lay one or two cards below and above."""
    for order in {tuple(names), tuple(names[::-1])}:
        for below in range(len(order) + 1):
            yield order[:below], order[below:]


@pytest.mark.slow
@pytest.mark.parametrize("wild", [True, False], ids=["jokers", "none"])
@EVERY_PACK
@EVERY_WAY
def test_no_division_of_a_hand_leaves_less(pack, way, wild):
    game, chance = hand(pack, way, wild=wild), Random(f"{pack} {way} {wild}")
    rules, values = game.melds_at(None), game.values
    for _ in range(examples(40)):
        cards = near(chance, game, 7)
        left = [values.count(rest, rules.wilds.cards) for rest in divisions(cards, pack, way)]
        found = arrange(cards, rules, values)

        assert found.decided
        assert found.points == min(left), write_cards(cards)
        assert all(legal_readings(meld.cards, rules) for meld in found.melds)
        if len(cards) == 7:
            closes = rule_on(Close(cards=cards), game).is_legal
            assert closes is any(rest == () for rest in divisions(cards, pack, way))


def test_a_run_all_the_way_round_that_falls_into_no_two_is_found():
    game = hand("ace to five", "round", wild=False)
    cards = game.pack.parse("4C 5C AC 2C 3C 4C 5D")

    assert arrange(cards, game.melds_at(None), game.values).left == game.pack.parse("5D")


# Where runs go round, no rank is before the others: turned by some ranks, everything stays.


@EVERY_PACK
def test_round_the_corner_it_is_all_the_same_where_the_ranks_begin(pack):
    game, chance = free(pack, "round"), Random(pack)
    rules, top = game.melds_at(None), len(game.pack.ranks)
    by_place = {(card.rank, card.suit): card for card in game.pack.cards}

    def turned(cards, by):
        return tuple(
            card if card is JOKER else by_place[(card.rank - 1 + by) % top + 1, card.suit]
            for card in cards
        )

    for _ in range(examples(60)):
        cards = near(chance, game, chance.randint(3, 7))
        kinds = {
            frozenset(r.kind for r in legal_readings(turned(cards, by), rules, as_laid=False))
            for by in range(top)
        }
        assert len(kinds) == 1, write_cards(cards)
