"""What every game must keep, whatever its rules: a new game falls under this by being there."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

import referee
from referee import variants
from referee.cards import Card, Suit
from referee.judging import rule_on
from referee.plays import LayDown, Moment, ShowMeld
from referee.rulebook import Basis
from referee.rulings import Code
from referee.variant import OptionError
from referee.variants import UnknownVariantError
from tests.examples import examples
from tests.positions import FEWEST, packs

EVERY = pytest.mark.parametrize("variant", variants.all(), ids=lambda variant: variant.slug)
WITH_CONTRACTS = pytest.mark.parametrize(
    "variant",
    [variant for variant in variants.all() if variant.contracts],
    ids=lambda variant: variant.slug,
)


@EVERY
def test_a_game_is_found_by_its_slug(variant):
    assert variants.get(variant.slug) is variant


def test_an_unknown_game_is_an_error_that_names_those_there_are():
    with pytest.raises(UnknownVariantError, match="bridge") as raised:
        variants.get("bridge")

    assert "mexican-rummy" in raised.value.games


@EVERY
def test_examples_are_ruled_as_written(variant):
    for example in variant.examples:
        ruling = rule_on(example.play, variant, Moment(example.step, example.upcard))
        assert ruling.is_legal is example.is_legal, example.says
        assert example.code is None or example.code in ruling.broken, example.says


@EVERY
def test_both_verdicts_are_exemplified(variant):
    assert {example.is_legal for example in variant.examples} == {True, False}


@EVERY
def test_every_clause_names_its_source(variant):
    for clause in variant.rulebook.clauses:
        assert clause.says.endswith(".")
        assert bool(clause.place) is (clause.basis is not Basis.TOLD)
        if clause.basis is Basis.SOURCE:
            # A line of a text that was given, or the work of a publisher: "Bicycle: Canasta".
            assert "line" in clause.place or ": " in clause.place


@EVERY
def test_every_reading_names_what_the_source_leaves_open(variant):
    readings = [c for c in variant.rulebook.clauses if c.basis is Basis.READING]

    assert readings
    assert all(clause.place.endswith(".") for clause in readings)


@EVERY
def test_an_option_bears_on_a_clause_of_the_book(variant):
    for option in variant.options:
        assert option.clause in variant.rulebook, option.name


@EVERY
def test_the_default_changes_nothing_and_forms_give_back_what_they_show(variant):
    for option in variant.options:
        kind = option.kind

        assert variant.with_options({option.name: option.default}) == variant
        assert kind.parse(kind.show(option.default)) == option.default


@EVERY
def test_no_other_value_is_taken(variant):
    for option in variant.options:
        for value in ("no such value", 10**6, -1, [[]], {}, 1.5):
            with pytest.raises(OptionError):
                variant.with_options({option.name: value})


@EVERY
def test_an_unknown_option_has_an_error_of_its_own(variant):
    with pytest.raises(OptionError) as error:
        variant.with_options({"no-such-rule": True})

    assert error.value.unknown


@WITH_CONTRACTS
def test_every_contract_can_be_met_from_the_packs(variant):
    low = 3  # In some games 2s are wild wherever they are.
    for step, contract in enumerate(variant.contracts, start=1):
        melds, rank = [], low
        for number, need in enumerate(contract.needs):
            suits = variant.pack.suits
            if need.kind.value == "set":
                cards = (Card(rank, suits[index % len(suits)]) for index in range(need.size))
                rank += 1
            else:
                cards = (
                    Card(low + index, suits[number % len(suits)]) for index in range(need.size)
                )
            melds.append(tuple(cards))
        ruling = rule_on(LayDown(melds=tuple(melds)), variant, Moment(step))
        assert ruling.is_legal, (step, melds, ruling.broken)


@EVERY
def test_what_is_refused_is_explained_and_what_is_read_uses_the_cards_given(variant):
    random = Random(variant.slug)
    pack = variant.pack.cards * 2
    for _ in range(examples(2_000)):
        cards = tuple(random.choices(pack, k=random.randint(1, 8)))
        step = random.choice([None, *range(1, len(variant.contracts) + 1)])
        ruling = rule_on(ShowMeld(cards), variant, Moment(step))
        assert ruling.findings
        assert all(
            variant.say(finding)
            and variant.rulebook.cited(finding.cites) in variant.rulebook.clauses
            for finding in ruling.findings
        )
        if ruling.is_legal:
            assert Counter(ruling.readings[0].cards) == Counter(cards)
            assert not ruling.hint
        else:
            assert ruling.broken


@EVERY
def test_the_keys_of_the_count_cover_every_card_once(variant):
    there = Counter(packs(variant))
    # What stands in for the wild of a deal has a key once the deal is known.
    for card in variant.values.stand_ins:
        del there[card]
    for step in range(1, variant.steps + 1) or [None]:
        wilds = variant.wilds_at(step).cards
        classes = variant.value_classes(step, FEWEST)
        assert Counter(card for value in classes for card in value.cards) == Counter(set(there))
        for value in classes:
            assert {variant.values.points(card, wilds) for card in value.cards} == {value.points}
            assert value.copies == sum(there[card] for card in value.cards)


@EVERY
def test_more_players_never_need_fewer_packs(variant):
    needed = [variant.packs(players) for players in variant.players]

    assert all(fewer <= more for fewer, more in pairwise(needed))
    assert max(needed) == variant.pack.copies


def test_every_code_is_a_word_that_something_in_the_referee_says():
    said = {code.name for code in Code}
    text = "".join(path.read_text() for path in Path(referee.__file__).parent.rglob("*.py"))

    assert all(code.value == code.value.lower().replace("_", "-") for code in Code)
    assert {name for name in said if f"Code.{name}" not in text} == set()


@pytest.mark.parametrize(
    ("slug", "step", "keys"),
    [
        ("mexican-rummy", 1, {"2–9": (5, 64), "10–K": (10, 32), "A": (15, 8)}),
        ("mexican-rummy", 2, {"2–9": (5, 60), "10–K": (10, 32), "A": (15, 8), "black 2": (20, 4)}),
        ("rummy-500", None, {"3–9": (5, 28), "10–K": (10, 16), "A": (15, 4), "wild card": (25, 6)}),
        ("rummikub", None, {**{str(n): (n, 8) for n in range(1, 14)}, "joker": (30, 2)}),
    ],
)
def test_the_keys_of_the_count_are_named_after_their_cards(slug, step, keys):
    classes = variants.get(slug).value_classes(step, FEWEST)

    assert {value.label: (value.points, value.copies) for value in classes} == keys
    assert [value.label for value in classes] == list(keys)


@pytest.mark.parametrize(
    ("suits", "label"),
    [
        ((Suit.SPADES,), "♠ Q"),
        ((Suit.HEARTS, Suit.DIAMONDS), "red Q"),
        ((Suit.SPADES, Suit.HEARTS), "♠♥ Q"),
    ],
)
def test_cards_that_cost_otherwise_than_their_rank_are_named_by_their_suits(suits, label):
    game, queens = variants.get("gin-rummy"), {Card(12, suit) for suit in suits}
    values = replace(game.values, by_card=dict.fromkeys(queens, 40))

    odd = list(values.classes(game.pack, frozenset(), "wild"))[-1]

    assert (odd.label, odd.points, odd.cards, odd.copies) == (label, 40, queens, len(queens))
    assert values.unit(game.pack, frozenset()) == 1
    assert replace(values, by_rank={12: 20}).unit(game.pack, frozenset()) == 20


def test_cards_that_cost_nothing_are_left_over_all_the_same_if_nobody_knocks():
    rule = variants.get("gin-rummy").close

    assert rule.may_show(10)
    assert not replace(rule, knock=0).may_show(0)
