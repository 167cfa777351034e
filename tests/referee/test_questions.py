"""The question format: what cannot be understood is answered with an error, never a traceback."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from referee import variants
from referee.protocol import answer, answer_line
from referee.questions.intake import QuestionError

MELD = {"id": 1, "variant": "mexican-rummy", "ask": "meld", "cards": "7C 7H 7D"}
LAY = {"id": 2, "variant": "mexican-rummy", "ask": "laydown", "step": 1, "melds": ["7C 7H 7D"]}
GAME = {"id": 3, "variant": "mexican-rummy", "ask": "game", "players": ["Ann", "Bob"], "rounds": []}


def code(question):
    return answer_line(json.dumps(question))["error"]["code"]


@pytest.mark.parametrize(
    "line", ["", "[]", "7", "{", "null", "[" * 100_000, '{"id": NaN}', '{"id": -1e400}', "\udcff"]
)
def test_a_question_that_is_not_an_object_is_bad_json(line):
    assert answer_line(line)["error"]["code"] == "bad-json"


def test_a_question_can_describe_the_game_that_it_is_about():
    described = variants.description_of("rummy")
    question = {key: value for key, value in MELD.items() if key != "variant"}

    assert answer(question | {"game": described}) == answer(MELD | {"variant": "rummy"})
    longer = described | {"set": {**described["set"], "min": 4}}
    assert answer(question | {"game": longer})["legal"] is False
    for odd in ({}, described | {"steps": 7}, described | {"schema": 99}, {"a": [[[{}]]]}):
        assert code(question | {"game": odd}) == "bad-game"
    assert code(question | {"game": [], "language": "es"}) == "bad-field"
    assert code(question | {"game": described, "language": "xx"}) == "unknown-language"


def test_a_line_beyond_all_measure_is_too_large():
    assert answer_line('{"id": "' + "x" * 1_000_001)["error"]["code"] == "too-large"


@pytest.mark.parametrize("name", ["id", "variant", "ask", "cards"])
def test_every_field_that_is_not_marked_must_be_there(name):
    assert code({key: value for key, value in MELD.items() if key != name}) == "missing-field"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (MELD | {"variant": "bridge"}, "unknown-variant"),
        (MELD | {"variant": 7}, "bad-field"),
        (MELD | {"ask": "knock"}, "unknown-ask"),
        (MELD | {"cards": "7X"}, "bad-card"),
        (MELD | {"cards": "7C 7C 7C"}, "too-many-cards"),
        (MELD | {"cards": "7C " * 5000}, "too-large"),
        (MELD | {"step": 0}, "bad-field"),
        (MELD | {"step": 7}, "bad-field"),
        (MELD | {"variant": "remigio", "step": 0}, "bad-field"),
        (MELD | {"step": True}, "bad-field"),
        (MELD | {"step": 2.0}, "bad-field"),
        (MELD | {"arranged": "no"}, "bad-field"),
        (MELD | {"options": []}, "bad-field"),
        (MELD | {"options": {"wrap": 1}}, "bad-option"),
        (MELD | {"options": {"max-wilds": True}}, "bad-option"),
        (MELD | {"options": {"": 1}}, "unknown-option"),
        (MELD | {"ask": "layoff", "onto": "7S 7S 8D", "owner": "me"}, "bad-field"),
        (LAY | {"melds": "7C"}, "bad-field"),
        (LAY | {"melds": [7]}, "bad-field"),
        (LAY | {"melds": ["7C"] * 200}, "too-large"),
        (LAY | {"layoffs": [7]}, "bad-field"),
        (LAY | {"layoffs": [{"cards": "7C"}]}, "missing-field"),
        ({key: value for key, value in LAY.items() if key != "step"}, "missing-field"),
        (LAY | {"swaps": [{"give": "6D 6D", "take": "2S", "meld": "4D 5D 2S 7D"}]}, "bad-field"),
        (GAME | {"players": ["Ann"]}, "bad-field"),
        (GAME | {"players": ["Ann", "Ann"]}, "bad-field"),
        (GAME | {"players": ["Ann", 7]}, "bad-field"),
        (GAME | {"dealer": "Cy"}, "bad-field"),
        (GAME | {"rounds": [7]}, "bad-field"),
        (GAME | {"rounds": [{"Ann": {"out": True}}]}, "missing-field"),
        (GAME | {"rounds": [{"Ann": {"out": True}, "Bob": {}}]}, "missing-field"),
        (GAME | {"rounds": [{"Ann": {"out": True}, "Bob": {"left": -5}}]}, "bad-field"),
        (GAME | {"rounds": [{"Ann": {"out": True}, "Bob": {"left": 5.0}}]}, "bad-field"),
        (
            GAME | {"rounds": [{"Ann": {"out": True}, "Bob": {"left": "7C 7C 7C"}}]},
            "too-many-cards",
        ),
        (GAME | {"rounds": [{"Ann": {"out": True}, "Cy": {"left": 5}}]}, "bad-field"),
        (GAME | {"rounds": [{}] * 501}, "too-large"),
        (MELD | {"ask": "count", "cards": "JK"}, "bad-card"),
        (MELD | {"ask": "advise", "step": 1, "hand": "JK 7C"}, "bad-card"),
        (MELD | {"ask": "advise", "step": 1, "hand": " ".join(["7C"] * 61)}, "too-many-cards"),
        (GAME | {"rounds": [{"Ann": {"out": True}, "Bob": {"left": "JK"}}]}, "bad-card"),
    ],
)
def test_a_question_that_is_wrong_in_itself_is_an_error(question, expected):
    assert code(question) == expected


@pytest.mark.parametrize("variant", variants.all(), ids=lambda variant: variant.slug)
def test_a_pad_is_for_as_many_players_as_the_game(variant):
    for number in range(14):
        players = [f"Player {seat}" for seat in range(number)]

        answered = answer_line(json.dumps(GAME | {"variant": variant.slug, "players": players}))

        assert ("error" in answered) is (number not in variant.players), number


def test_an_error_is_answered_in_its_place_with_its_id():
    assert answer_line(json.dumps(MELD | {"cards": "7X"}))["id"] == 1


def test_the_wild_of_a_swap_is_one_card_in_two_places():
    question = {
        "id": 4,
        "variant": "mexican-rummy",
        "ask": "laydown",
        "step": 3,
        "melds": ["9S 10S 2S QS", "5H 6H 2S 8H"],
        "swaps": [{"give": "6D", "take": "2S", "meld": "4D 5D 2S 7D"}],
    }

    assert "legal" in answer_line(json.dumps(question))


@pytest.mark.parametrize("field", ["kept", "hand"])
def test_a_joker_anywhere_in_a_game_without_is_illegal(field):
    question = LAY | {"melds": ["7C 7H 7D", "9C 9H 9D"], field: "7C 7H 7D 9C 9H 9D JK"}
    question[field] = question[field] if field == "hand" else "JK"

    assert answer_line(json.dumps(question))["legal"] is False


def test_a_meld_that_grows_twice_is_on_the_table_once():
    question = LAY | {
        "melds": ["7C 7H 7D", "9C 9C 9D"],
        "layoffs": [
            {"cards": "KD", "onto": "KC KC KH", "owner": "other"},
            {"cards": "KS", "onto": "KC KC KH KD", "owner": "other"},
        ],
    }

    assert answer_line(json.dumps(question))["legal"] is True


@pytest.mark.parametrize("ask", ["rearrange", "close", "pickup", "call"])
def test_a_play_that_the_game_does_not_know_is_answered(ask):
    fields = {"before": [], "after": [], "pile": "7C", "take": "7C", "melds": [], "table": []}
    question = MELD | fields | {"ask": ask, "discard": "8C"}

    assert answer_line(json.dumps(question))["legal"] is False


words = st.sampled_from(
    "7C 7H 7D 2S 2C KS AS 4D 5D 6D JK 7X A 10 A,K self other Ann Bob to-lay-down".split()
)
texts = st.one_of(st.text(max_size=12), st.lists(words, max_size=8).map(" ".join))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(words, st.text(max_size=5)), inner, max_size=4),
    ),
    max_leaves=12,
)
FIELDS = (
    "cards melds step options layoffs swaps kept hand down onto owner same_turn my_turn give take "
    "meld then players rounds dealer arranged first before after rack pile discard table says"
).split()
questions = st.builds(
    lambda base, rest: base | rest,
    st.fixed_dictionaries(
        {
            "id": st.just("x"),
            "variant": st.sampled_from(["mexican-rummy", "eleven-phases"]),
            "ask": st.sampled_from(
                "meld laydown layoff swap count game advise rearrange close pickup call".split()
            ),
        }
    ),
    st.dictionaries(st.sampled_from(FIELDS), values, max_size=8),
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(questions)
@example(MELD | {"cards": "2S 2S 2C 2C"})
@example(LAY | {"melds": [], "down": True})
def test_nothing_that_is_asked_raises_anything_but_a_question_error(question):
    try:
        answered = answer(question)
    except QuestionError:
        return
    assert "findings" in answered or "points" in answered or "totals" in answered


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.one_of(st.text(), values.map(lambda value: json.dumps(value, allow_nan=True))))
def test_no_line_whatever_raises(line):
    assert "error" in answer_line(line)
