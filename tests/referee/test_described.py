"""A game is a description: it is built, or refused in sentences that name the field."""

import itertools
import json
import time

import pytest

from referee import variants
from referee.describing import (
    Refused,
    build,
    canonical,
    check,
    full_form,
    patched,
    rules_hash,
    say,
    sentences_of,
)
from referee.describing.checking import check_rules
from referee.describing.checking.unruled import unruled
from referee.describing.description import Description
from referee.describing.options import values_of
from referee.describing.sentences.clauses import CATALOGUE, CONSTANTS
from referee.describing.sentences.glance import glance
from referee.describing.trial import check_option_values, try_house_rules
from referee.judging import rule_on
from referee.plays import LayOff, Moment, ShowMeld
from referee.rulebook import Basis
from referee.rulings import Code
from referee.variant import OptionError
from tests import described
from tests.examples import in_turn
from tests.referee.plays import clauses
from tests.yardstick import milliseconds

pytestmark = pytest.mark.slow

SLUGS = pytest.mark.parametrize("slug", described.slugs())
SOME = pytest.mark.parametrize("slug", in_turn(described.slugs()))
SKETCHES = pytest.mark.parametrize(
    "file", sorted(described.SKETCHES.glob("*.toml")), ids=lambda file: file.stem
)

MISTAKES = {
    "bad-contract": "steps, line 1",
    "contract-too-long": "steps, line 2",
    "default-not-listed": "options.target.values",
    "duplicate-value": "score.hand",
    "eliminated-backwards": "end.eliminated",
    "example-foreign": "examples, line 1",
    "joker-unvalued": "score.hand",
    "misspelt": "run.acce",
    "no-end": "end",
    "no-flush": "steps, line 1",
    "no-natural-needed": "wild.naturals",
    "no-such-value": "run.ace",
    "opening-with-contract": "opening",
    "settle-unknown": "score.settle",
    "teams": "teams.size",
    "too-few-cards": "deal.cards",
    "two-ends": "end",
    "two-house-rules": "options.ace",
    "two-ways": "",
    "points-and-cards": "",
    "value-missing": "score.hand",
    "wild-not-there": "wild.cards",
}
"""Where each wrong description is wrong."""
BY_VALUE = {"option-breaks-game": "options.deal"}
"""The same of those that are wrong under a house rule."""
NO_TOML = {"not-toml"}


def paths(spec):
    """What is complained of."""
    with pytest.raises(Refused) as refused:
        check(spec)
    return [complaint.path for complaint in refused.value.complaints]


def test_every_wrong_description_is_tried():
    names = {file.stem for file in described.WRONG.glob("*.toml")}

    assert names == {*MISTAKES, *BY_VALUE, *NO_TOML}


@pytest.mark.parametrize(("name", "path"), MISTAKES.items(), ids=MISTAKES)
def test_what_is_wrong_is_said_of_its_field(name, path):
    assert path in paths(described.rules_of(described.WRONG / f"{name}.toml"))


@pytest.mark.parametrize("name", MISTAKES)
def test_errors_are_also_in_spanish(name):
    with pytest.raises(Refused) as refused:
        check(described.rules_of(described.WRONG / f"{name}.toml"))

    for complaint in refused.value.complaints:
        assert complaint.said("es") != complaint.said("en")


def test_house_rules_are_refused_in_the_language_of_the_game():
    game = variants.get("gin-rummy", "es")

    for chosen, says in (
        ({"nonsense": 1}, "no tiene ninguna regla de la casa"),
        ({"target": 7}, "Puede ser un número de"),
        ({"/run.min": 1}, "no son compatibles. run.min: “1” no es un número de"),
    ):
        with pytest.raises(OptionError, match=says):
            game.with_options(chosen)


@pytest.mark.parametrize(("name", "path"), BY_VALUE.items(), ids=BY_VALUE)
def test_a_house_rule_that_makes_no_game_is_found_by_trying_it(name, path):
    spec = described.rules_of(described.WRONG / f"{name}.toml")

    check(spec)
    assert path in [complaint.path for complaint in check_option_values(spec)]


@pytest.mark.parametrize("odd", [None, 7, "rummy", [], {}, {"schema": 1}], ids=repr)
def test_an_invalid_description_is_rejected(odd):
    assert paths(odd)


@SLUGS
def test_the_examples_of_a_game_are_ruled_as_they_say_without_a_word_of_prose(slug):
    game = build({**described.game(slug), "text": {}})

    for example in game.examples:
        ruling = rule_on(example.play, game, Moment(example.step, example.upcard))
        assert ruling.is_legal is example.is_legal
        assert example.code is None or example.code in ruling.broken
        assert set(clauses(ruling, game)) <= set(game.rulebook.clauses)
        assert {clause.basis for clause in clauses(ruling, game)} == {Basis.TOLD}


@SLUGS
def test_prose_does_not_change_a_rule(slug):
    game = described.game(slug)

    assert rules_hash(game) == rules_hash({**game, "text": {}, "examples": [], "options": {}})


@SLUGS
def test_all_of_the_prose_is_in_the_book_and_nothing_is_there_twice(slug):
    game = described.game(slug)
    clauses = build(game).rulebook.clauses
    written = [
        clause["id"] for clause in described.clauses_of(game["text"]) if "option" not in clause
    ]

    assert set(written) <= {clause.id for clause in clauses}
    assert len({clause.says for clause in clauses}) == len(clauses)


@SLUGS
def test_every_clause_that_is_stood_for_is_one_the_referee_knows(slug):
    text = described.game(slug)["text"]
    cited = [
        name.partition(".")[0]
        for clause in described.clauses_of(text)
        for name in clause.get("for", [])
    ]

    assert set(cited) <= set(CATALOGUE)


def test_every_clause_of_the_catalogue_has_a_sentence_or_is_cited_with_another():
    told = set(CONSTANTS)
    for spec in described.all_rules():
        told |= set(sentences_of(check_rules(spec)))

    assert set(CONSTANTS) <= set(CATALOGUE)
    assert told <= set(CATALOGUE)


def test_a_game_with_flushes_tells_that_cards_join_them():
    game = described.game("phase-10")

    assert "a flush of its color" in sentences_of(check_rules(game))["fits"]
    assert "flush" not in sentences_of(check_rules(described.game("rummy")))["fits"]


def test_it_matters_how_a_hand_closed_if_a_close_without_a_wild_pays_twice():
    rules = described.game("remigio")
    times = {"times": {"with": 1, "without": 2}}
    game = build(rules | {"hand": times, "options": {}, "examples": []})

    assert game.close.asks_how
    assert not build(described.game("gin-rummy")).close.asks_how


def flushes_of_two_wilds():
    """Phase 10 in a house where a meld has two wilds at most."""
    rules = described.game("phase-10")
    return build(rules | {"wild": rules["wild"] | {"most": 2}, "options": {}, "examples": []})


def test_a_flush_has_no_more_wilds_than_a_meld_may_have():
    game = flushes_of_two_wilds()
    ruling = rule_on(ShowMeld(game.pack.parse("G1 G3 G4 G12 JK JK JK")), game)

    assert ruling.broken == {Code.TOO_MANY_WILDS}


def test_a_flush_of_seven_with_too_many_wilds_is_a_flush_where_it_lies():
    game = flushes_of_two_wilds()
    cards, onto = map(game.pack.parse, ("G9", "G1 G3 G4 G12 JK JK JK"))

    assert rule_on(LayOff(cards, onto), game).broken == {Code.TOO_MANY_WILDS}


@pytest.mark.parametrize("asked", [{"ace": "both"}, {"ace": "high"}, {"around": True}], ids=str)
@pytest.mark.parametrize(
    ("slug", "cards"),
    [("chinchon", "11O 12O 1O"), ("five-crowns", "QX KX 3X"), ("phase-10", "R10 R11 R12 R1")],
)
def test_the_lowest_rank_goes_above_the_highest_of_any_pack(slug, cards, asked):
    """11O 12O 1O was refused as a gap where the game said that its ace is high."""
    spec = described.rules_of(described.GAMES / f"{slug}.toml")
    spec = {**spec, "examples": [], "options": {}}
    game, low = (build({**spec, "run": {**spec["run"], **run}}) for run in (asked, {"ace": "low"}))

    assert rule_on(ShowMeld(game.pack.parse(cards)), game).is_legal
    assert rule_on(ShowMeld(low.pack.parse(cards)), low).broken == {Code.RUN_GAP}


@SKETCHES
def test_a_sketch_is_sound_and_has_sentences(file):
    spec = described.rules_of(file)
    told = sentences_of(check(spec))

    assert {"values", "ends", "turn"} <= set(told)
    assert all(says.endswith((".", "!")) and "{" not in says for says in told.values())


@SKETCHES
def test_a_sketch_is_built_if_all_of_it_is_ruled_on(file):
    game = check(described.rules_of(file))
    beyond = [*unruled(game)]

    if beyond:
        assert all(complaint.path for complaint in beyond)
        with pytest.raises(Refused):
            build(game.spec)
    else:
        build(game.spec)


@pytest.mark.parametrize("spec", described.all_rules(), ids=lambda spec: spec["slug"])
def test_every_value_of_a_house_rule_makes_a_game_and_has_a_sentence(spec):
    assert [*check_option_values(spec)] == []


@SOME
def test_a_house_rule_and_a_description_written_so_are_one_game(slug):
    spec = described.game(slug)
    for name, option in spec["options"].items():
        for value in values_of(spec, option):
            one = patched(spec, {name: value})
            other = json.loads(canonical(full_form(one)))
            assert rules_hash(one) == rules_hash(other)
            check_rules(other)


@SOME
def test_any_two_house_rules_go_together_or_are_refused(slug):
    spec = described.game(slug)
    each = [(name, value) for name, option in spec["options"].items()
            for value in values_of(spec, option)]  # fmt: skip
    for (one, first), (other, second) in itertools.combinations(each, 2):
        if one != other:
            check_rules(patched(spec, {one: first, other: second}))


def test_a_list_of_contracts_to_choose_has_a_contract_in_each_line():
    spec = described.game("eleven-phases")
    phases = {"path": "steps", "named": "usual", "presets": {"odd": [{"deal": 3}]}}

    assert paths({**spec, "options": {"phases": phases}}) == ["options.phases.presets"]


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("path", 7),
        ("values", "3"),
        ("range", [9, 3]),
        ("none", "yes"),
        ("choices", {"a": 7}),
        ("rows", []),
        ("named", ""),
        ("presets", {"No!": []}),
        ("high", 0),
        ("rnage", [3, 9]),
    ],
)
def test_what_is_wrong_in_a_house_rule_is_said_of_its_part(part, value):
    rule = {"path": "set.max", "values": [4], "none": True} | {part: value}

    assert paths({**described.game("rummy-500"), "options": {"most": rule}}) == [
        f"options.most.{part}"
    ]


def test_the_number_of_house_rule_values_that_are_tried_is_bounded():
    cards = {"path": "deal.cards", "values": [*range(1, 31)]}
    rules = {
        "deal": cards,
        "most": {"path": "set.max", "values": [*range(2, 31)]},
        "buys": {"path": "buy.limit", "values": [*range(1, 21)]},
        "run": {"path": "run.max", "values": [*range(3, 31)]},
    }

    with pytest.raises(Refused, match="107 values"):
        try_house_rules({**described.game("rummy-500"), "options": rules})


def test_house_rules_that_make_no_game_together_are_refused_in_a_sentence():
    rules = {
        "most": {"path": "set.max", "values": [3, 4]},
        "least": {"path": "set.min", "values": [3, 4]},
    }
    game = described.changed("rummy-500", {"options": rules})

    assert game.with_options({"most": 3}).sets.max_size == 3
    with pytest.raises(OptionError) as refused:
        game.with_options({"most": 3, "least": 4})
    assert not refused.value.unknown
    assert "set.max" in str(refused.value)


def test_house_rules_are_set_of_the_description_and_those_before_are_gone():
    game = described.changed("mexican-rummy", {})

    first = game.with_options({"wrap": True})
    second = first.with_options({"max-wilds": 1})
    assert (second.runs.wrap, second.wilds.max_in_meld) == (False, 1)
    assert second.chosen == (("max-wilds", 1),)
    assert second.with_options({}) is game


@SLUGS
def test_a_default_that_is_written_out_changes_no_hash(slug):
    spec = described.game(slug)
    form = full_form(spec)

    assert full_form(form) == form
    assert rules_hash(form) == rules_hash(spec)
    assert canonical(json.loads(canonical(form))) == canonical(form)


@SLUGS
def test_another_rule_is_another_hash(slug):
    spec = described.game(slug)

    assert rules_hash(patched(spec, {}) | {"players": [2, 2]}) != rules_hash(spec) or (
        spec["players"] == [2, 2]
    )
    spec["deal"] = {**spec["deal"], "cards": 4}
    assert rules_hash(spec) != rules_hash(described.game(slug))


def test_values_are_told_in_the_order_of_the_ranks_however_they_were_kept():
    kept = {"10-K": 10, "2": 20, "3-9": 5, "A": 15, "JK": 50}
    game = variants.get("shanghai-rummy").with_options({"/score.hand": kept})

    assert any(
        "2: 20 points, 3–9: 5, 10–king: 10, ace: 15, joker: 50." in clause.says
        for clause in game.rulebook.clauses
    )


def test_a_list_of_values_keeps_cards_and_points_apart():
    game = Description(described.game("rummy"))
    table = {"2": 20, "3-9": 5, "10": 10, "J-K": 10, "red A": 1}
    says = say("score.hand", {"A-10": "face", "JK": -1}, game, "es")

    assert (
        say("score.hand", table, game) == "2: 20 points, 3–9: 5, 10: 10, jack–king: 10, red ace: 1"
    )
    assert says == "As–10: su número, joker: −1 puntos"


def test_a_range_is_told_without_the_cards_that_count_for_themselves():
    table = {"2-10": 5, "J-K": 10, "A": 15, "JK": 25, "2": 20, "10": 10}
    game = variants.get("contract-rummy").with_options({"/score.hand": table})

    assert any(
        "2: 20 points, 3–9: 5, 10: 10, jack–king: 10, ace: 15, joker: 25." in clause.says
        for clause in game.rulebook.clauses
    )


@pytest.mark.parametrize(
    ("deals", "told"),
    [
        ([10, 10, 12, 12], "Deal 10 cards each in rounds 1 and 2 and 12 in rounds 3 and 4."),
        ([6, 7, 8], "Deal 6 cards each in the first round, and 1 more each round, up to 8."),
        ([9, 10, 11, 12, 12], "Cards dealt, round by round: 9, 10, 11, 12, 12."),
        ([7, None, None], "Deal 7 cards each in round 1 and 10 in rounds 2 and 3."),
    ],
    ids=str,
)
def test_a_deal_that_goes_by_the_round_is_told_in_numbers(deals, told):
    lines = [{"contract": "2 sets of 3", **({"deal": n} if n else {})} for n in deals]
    game = variants.get("mexican-rummy").with_options({"/steps": lines})

    assert told in [clause.says for clause in game.rulebook.clauses]
    assert "Deal 10 cards each" not in " ".join(
        clause.says.replace(told, "") for clause in game.rulebook.clauses
    )


def test_a_glance_says_who_loses_where_the_lowest_total_wins():
    spec = patched(variants.description_of("rummy"), {"/end.leads": "lowest", "/end.total": 100})

    assert "Lowest total; you lose at 100" in [line.says for line in glance(Description(spec))]


@pytest.mark.parametrize(
    ("copies", "jokers", "says"),
    [
        (2, 4, "2 decks, 4 jokers"),
        ({"2-4": 2, "5-8": 3}, 4, "2 decks, 4 jokers; more from 5 players"),
        (1, {"2": 0, "3-8": 1}, "1 deck, no jokers; more from 3 players"),
        (
            {"2-4": 2, "5-8": 3},
            {"2-4": 4, "5-8": 0},
            "2 decks, 4 jokers; other numbers from 5 players",
        ),
    ],
    ids=["alike", "decks", "jokers", "fewer jokers"],
)
def test_a_glance_says_how_many_players_need_more_than_the_smallest_table(copies, jokers, says):
    spec = variants.description_of("continental")
    spec = patched(spec, {"/pack.copies": copies, "/pack.jokers": jokers})

    assert says in [line.says for line in glance(Description(spec))]


def test_a_glance_says_how_large_melds_are_where_contracts_differ():
    steps = ["2 sets of 3", "1 set of 3 + 1 run of 4", "2 runs of 5"]
    spec = patched(variants.description_of("mexican-rummy"), {"/steps": steps})

    assert "Sets of 3, runs of 4 or 5" in [line.says for line in glance(Description(spec))]


@pytest.mark.timed
@SOME
def test_a_game_is_built_in_thirty_milliseconds(slug):
    game = described.game(slug)
    times = []
    for _ in range(5):
        started = time.process_time()
        build(game)
        times.append(time.process_time() - started)

    assert min(times) < milliseconds(30)
