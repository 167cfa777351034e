"""What people ask has an answer, clauses it rests on, and a position that proves it."""

import json
import tomllib
from itertools import permutations

import pytest

from referee import variants
from referee.describing import GAMES, value_at
from referee.describing.sentences.clauses import CATALOGUE
from referee.faq import ALSO, QUESTIONS, other_names, questions_of
from referee.protocol.cases import check_case
from referee.saying import ENGLISH

GAMES_TOLD = [game for game in variants.all() if game.slug != "just-points"]
ANY = "any/questions"
"""The file of what people ask in any game."""
FILES = pytest.mark.parametrize("slug", [ANY, *(game.slug for game in GAMES_TOLD)])
EVERY = pytest.mark.parametrize("game", GAMES_TOLD, ids=lambda game: game.slug)
SEEDS = {"mexican-rummy", "eleven-phases", "rummikub", "remigio", "rummy-500"}
AT_LEAST, OF_SEEDS = 6, 12


def written(slug, language=ENGLISH):
    text = (GAMES / f"{slug}.{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)[QUESTIONS]


def own(asked):
    """A question in another language: what it asks alone, or a table."""
    return {"asks": asked} if isinstance(asked, str) else asked


@EVERY
def test_each_clause_that_is_named_answers_or_will_by_a_house_rule(game):
    book = game.rulebook
    for row in written(game.slug):
        there = [name for name in row["answers"] if name in book or name in book.by_cite]
        assert there, row["id"]
        assert {*row["answers"]} - {*there} <= {*CATALOGUE}, row["id"]


@EVERY
def test_the_referee_rules_as_half_of_the_questions_are_answered(game):
    shared = {row["id"] for row in written(ANY)}
    asked = [each for each in questions_of(game) if each.id not in shared]
    cases = [
        json.dumps({"id": each.id, "variant": game.slug, **each.position})
        for each in asked
        if each.position
    ]

    assert 2 * len(cases) >= len(asked)
    assert [fault for case in cases for fault in check_case(case)] == []


@FILES
def test_each_question_is_asked_once_in_both_languages(slug):
    ids = [row["id"] for row in written(slug)]
    spanish = {name: own(asked) for name, asked in written(slug, "es").items()}

    assert len(ids) == len(set(ids))
    assert list(spanish) == ids
    assert all(
        row["asks"].startswith("¿") and row["asks"].endswith("?") for row in spanish.values()
    )
    assert all(row["asks"].endswith("?") for row in written(slug))
    assert [name for name in ids if "says" in spanish[name]] == [
        row["id"] for row in written(slug) if "says" in row
    ]


YES_OR_NO = ("Can", "Do", "Does", "Is", "Are")
NOT_REALLY = "high or low"
"""It asks which of two."""


@FILES
def test_a_yes_or_no_question_is_answered_and_no_other(slug):
    for row in written(slug):
        wants = row["asks"].split()[0] in YES_OR_NO and NOT_REALLY not in row["asks"]
        assert row.get("is", "") in (("yes", "no", "if") if wants else ("",)), row["id"]


@EVERY
def test_an_answer_is_what_its_position_proves(game):
    rows = {row["id"]: row for row in [*written(ANY), *written(game.slug)]}

    assert [
        each.id for each in questions_of(game) if each.answer != rows[each.id].get("is", "")
    ] == []
    for row in rows.values():
        if "legal" in row:
            legal = row["position"]["expect"]["legal"]
            assert (row["is"] == row["legal"]) is legal, row["id"]
        elif row.get("is") in ("yes", "no") and "legal" in row.get("position", {}).get(
            "expect", {}
        ):
            assert row["id"] in SHOWS_ONLY, row["id"]


SHOWS_ONLY = {"throw-what-fits", "wins-outright", "discard-a-wild", "no-joker-bonus"}
"""Their position shows what follows from the answer; none proves it."""

HOUSES = [
    ("burraco", {"close-with": "clean"}, "close-without", "no"),
    ("canasta", {"always-frozen": True}, "pile-with-a-joker", "no"),
    ("chinchon", {"seven": "fifty"}, "wins-outright", "no"),
    ("five-crowns", {"naturals": 1}, "all-wilds", "no"),
    ("frustration", {"leads": "furthest"}, "first-to-finish", "yes"),
    ("liverpool-rummy", {"split-runs": True}, "same-suit-runs", "yes"),
    ("mexican-rummy", {"layoff-same-turn": False}, "off-while-going-down", "no"),
    ("mexican-rummy", {"swap": "never"}, "take-a-two", "no"),
    ("mexican-rummy", {"swap": "when-down-too"}, "two-when-down", "yes"),
    ("mexican-rummy", {"wrap": True}, "king-ace-two", "yes"),
    ("rummikub", {"joker-retrieval": "free"}, "take-the-joker", "yes"),
    ("rummikub", {"joker-retrieval": "locked"}, "take-the-joker", "no"),
    ("rummikub", {"one": "high-too"}, "one-after-13", "yes"),
    ("rummy-500", {"top-discard-free": True}, "keep-the-top", "yes"),
    ("shanghai-rummy", {"swap": "anyone"}, "joker-to-go-down", "yes"),
    ("carioca", {"wrap": False}, "around-the-ace", "no"),
    ("chinchon", {"knock": 5}, "too-high-a-card", "yes"),
    ("chinchon", {"pack": "40"}, "too-high-a-card", "no"),
    ("chinchon", {"pack": "40"}, "seven-then-sota", "yes"),
    ("gin-rummy", {"knock": 5}, "must-knock", "no"),
    ("rummikub", {"jokers": 1}, "both-jokers", "no"),
    ("rummikub", {"joker-retrieval": "free"}, "free-a-joker", "yes"),
    ("rummy", {"last-card": "discard"}, "discard-to-go-out", "yes"),
    ("rummy", {"layoff-first": "down"}, "before-own-meld", "no"),
    ("rummy", {"top-discard": "used"}, "take-the-discard", "yes"),
    ("rummy", {"at-once": 2}, "all-at-once", "yes"),
    ("rummy", {"/run.min": 4}, "ace-high", "no"),
    ("rummy", {"/run.min": 4}, "before-own-meld", "if"),
    ("romme", {"at-once": 2}, "all-at-once", "yes"),
    ("shanghai-rummy", {"swap": "never"}, "take-a-joker", "no"),
]


@pytest.mark.parametrize(("slug", "chosen", "name", "answer"), HOUSES)
def test_an_answer_follows_the_house_rules(slug, chosen, name, answer):
    game = variants.get(slug).with_options(chosen)

    assert {each.id: each.answer for each in questions_of(game)}[name] == answer


@pytest.mark.parametrize(("chosen", "says"), [({}, True), ({"knock": 5}, False)])
def test_a_sentence_is_left_out_once_its_clause_has_another_number(chosen, says):
    game = variants.get("chinchon").with_options(chosen)
    found = {each.id: each for each in questions_of(game)}

    assert bool(found["close-with-a-card"].says) is says


@pytest.mark.parametrize(
    ("slug", "chosen", "name", "says"),
    [
        ("chinchon", {"knock": 5}, "two-left-over", True),
        ("chinchon", {"/hand.knock-cards": 2}, "two-left-over", False),
        ("chinchon", {"knock": 5}, "close-first-turn", True),
        ("eleven-phases", {"advance": "everyone"}, "part-of-it", True),
        ("mexican-rummy", {"swap": "when-down-too"}, "take-a-two", False),
    ],
)
def test_a_sentence_stays_while_what_it_speaks_of_is_as_published(slug, chosen, name, says):
    found = {each.id: each for each in questions_of(variants.get(slug).with_options(chosen))}

    assert bool(found[name].says) is says


def test_nobody_is_told_how_to_take_a_black_2_where_nobody_can():
    game = variants.get("mexican-rummy").with_options({"swap": "never"})
    answers = {each.id: each for each in questions_of(game)}

    for name in ("take-a-two", "keep-a-two", "two-when-down"):
        assert [clause.id for clause in answers[name].clauses] == ["house-swap-never"]


@EVERY
def test_no_answer_says_a_sentence_twice_under_a_house_rule(game):
    kinds = [(option, getattr(option.kind, "values", ())) for option in game.options]
    for option, values in kinds:
        for value, _ in values:
            for each in questions_of(game.with_options({option.name: value})):
                said = [line for clause in each.clauses for line in clause.says.split(". ")]
                said = [line.rstrip(".") for line in said if ": " not in line]
                assert not [
                    (option.name, value, each.id, first)
                    for first, other in permutations(said, 2)
                    if other.startswith(first)
                ]


@pytest.mark.parametrize(
    ("slug", "chosen", "name", "says"),
    [
        ("canasta", {"deal": "two-canastas"}, "going-out", "2 canastas"),
        ("contract-rummy", {"jokers": "by-players"}, "how-many-jokers", "Jokers: "),
        ("hand-and-foot", {"pile": None}, "whole-pile", "the whole discard pile"),
        ("samba", {"opening": "up-to-160"}, "first-melds", "160"),
        ("three-thirteen", {"wild-value": 15}, "wild-left-over", "15"),
    ],
)
def test_the_clause_of_a_house_rule_answers_for_the_one_it_replaced(slug, chosen, name, says):
    game = variants.get(slug).with_options(chosen)
    found = {each.id: each for each in questions_of(game)}

    assert says in " ".join(clause.says for clause in found[name].clauses)


@EVERY
def test_every_house_rule_leaves_an_answer_that_is_one_of_three(game):
    kinds = [(option, getattr(option.kind, "values", ())) for option in game.options]
    for option, values in kinds:
        for value, _ in values:
            for each in questions_of(game.with_options({option.name: value})):
                assert each.answer in ("", "yes", "no", "if")
                assert each.clauses


@pytest.mark.parametrize("value", ["free", "locked"])
def test_a_joker_that_is_freely_taken_or_never_needs_no_neighbor_in_its_place(value):
    book = variants.get("rummikub").with_options({"joker-retrieval": value}).rulebook

    assert not [clause for clause in book.clauses if "neighbors" in clause.says]


def test_a_game_is_known_by_its_other_names():
    prose = {game.slug: other_names(game.slug) for game in GAMES_TOLD}

    assert "Conga" in prose["chinchon"]
    assert [slug for slug, names in prose.items() if "May I" in names] == [
        "contract-rummy",
        "liverpool-rummy",
    ]
    told = [variants.description_of(slug)["text"] for slug in prose]
    assert not any(ALSO in text for text in told)


@EVERY
def test_a_game_has_enough_of_them(game):
    assert len(questions_of(game)) >= (OF_SEEDS if game.slug in SEEDS else AT_LEAST)


@EVERY
def test_a_game_answers_what_becomes_of_a_mishap(game):
    shared = {row["id"] for row in written(ANY)}
    asked = {each.id: each for each in questions_of(game)}

    assert {"out-of-turn", "wrong-number", "saw-a-card"} <= shared & {*asked}
    form = json.loads(game.form)
    assert ("late-buy" in asked) is ("buy" in form)
    assert ("forgot-discard" in asked) is (value_at(form, "out.discard") != "never")
    if game.pack.kind == "tiles":
        assert [each.asks for each in asked.values() if " card" in each.asks] == []


def test_the_question_of_a_game_stands_for_the_one_of_any_game():
    [own] = [each for each in questions_of(variants.get("rummikub")) if each.id == "wrong-melds"]
    [shared] = [each for each in questions_of(variants.get("canasta")) if each.id == "wrong-melds"]

    assert (own.is_shared, shared.is_shared) == (False, True)
    assert "Put the table back" in own.says


@pytest.mark.parametrize(
    ("language", "says"), [("en", "With 2 players"), ("es", "Entre 2 jugadores")]
)
def test_in_a_game_of_two_a_skip_gives_its_player_another_turn(language, says):
    game = variants.get("phase-10", language)
    (asked,) = (each for each in questions_of(game) if each.id == "who-is-skipped")
    (clause,) = (each for each in game.rulebook.clauses if each.id == "special")

    assert says in asked.says
    assert says in clause.says
