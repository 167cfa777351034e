"""Questions that can't be understood: every error has its sentence, in each language."""

import json
import re
from functools import cache

import pytest

from referee import variants
from referee.protocol import answer_line
from referee.saying import ENGLISH, LANGUAGES, WORDS, Catalogue
from tests.english import left_in

OTHERS = sorted({*LANGUAGES} - {ENGLISH})

MELD = {"id": 1, "variant": "mexican-rummy", "ask": "meld", "cards": "7C 7H 7D"}
LAY = {"id": 2, "variant": "mexican-rummy", "ask": "laydown", "step": 1, "melds": ["7C 7H 7D"]}
OFF = {"id": 3, "variant": "mexican-rummy", "ask": "layoff", "cards": "7C", "onto": "7H 7D 7S"}
PILE = {"id": 4, "variant": "rummy-500", "ask": "pickup", "pile": "4S KS", "melds": []}
CANASTA = {"id": 5, "variant": "canasta", "ask": "pickup", "pile": "4S KS", "melds": []}
GAME = {"id": 6, "variant": "mexican-rummy", "ask": "game", "players": ["Ana", "Ben"], "rounds": []}
SHOWN = {"id": 7, "variant": "remigio", "ask": "close", "cards": "7C"}
HAND = {"id": 8, "variant": "mexican-rummy", "ask": "advise", "step": 1, "hand": "7C"}
KNOCKED = "8C 4S 8D 6S AD 7S 8H 2C 2H 5S"
COUNT = {"id": 9, "variant": "remigio", "ask": "count", "cards": "7C"}


NAMELESS = {key: value for key, value in MELD.items() if key != "variant"}


def scored(variant: str, *records: dict[str, object], **more: object) -> dict[str, object]:
    """A question for a scorepad of one round."""
    players = ["Ana", "Ben", "Cleo", "Dov"][: len(records)]
    round_ = dict(zip(players, records, strict=True))
    return GAME | {"variant": variant, "players": players, "rounds": [round_]} | more


ASKED = (
    *({key: value for key, value in MELD.items() if key != name} for name in MELD),
    *(MELD | {"options": options} for options in ({"no": 1}, {"wrap": 1}, {"max-wilds": 9})),
    *(MELD | {"variant": variant} for variant in ("bridge", 7)),
    *(MELD | {"cards": cards} for cards in (7, "7X", "7C 7C 7C", "7C " * 5000, "JK " * 401)),
    *({**NAMELESS, "game": game} for game in (variants.description_of("rummy") | {"slug": 7}, 7)),
    MELD | {"ask": "knock"},
    MELD | {"step": "one"},
    MELD | {"step": 0},
    MELD | {"variant": "remigio", "step": 0},
    MELD | {"arranged": 1},
    MELD | {"options": []},
    MELD | {"seats": 99},
    MELD | {"variant": "rummikub", "cards": "R14"},
    MELD | {"variant": "rummikub", "cards": "R7 R7 R7"},
    MELD | {"variant": "rummikub", "cards": "JK JK JK"},
    LAY | {"melds": "7C"},
    LAY | {"melds": [7]},
    LAY | {"melds": ["7C"] * 200},
    LAY | {"layoffs": [{}] * 200},
    LAY | {"layoffs": [7]},
    LAY | {"swaps": [{"give": "7C 8C"}]},
    LAY | {"step": 7},
    {key: value for key, value in LAY.items() if key != "step"},
    OFF | {"owner": "me"},
    PILE | {"take": "9C"},
    PILE | {"pile": "", "variant": "canasta"},
    CANASTA | {"total": 10**9},
    CANASTA | {"own": ["KS 4D"]},
    CANASTA | {"own": [""]},
    CANASTA
    | {"own": ["KS KH KD"], "layoffs": [{"cards": "5C", "onto": "5S 5H 5D", "owner": "self"}]},
    SHOWN | {"says": "gin"},
    COUNT | {"variant": "mexican-rummy", "cards": "JK"},
    COUNT | {"cards": " ".join(f"{rank}{suit}" for rank in range(2, 6) for suit in "SHDC")},
    COUNT | {"variant": "okey", "cards": "R7"},
    COUNT | {"variant": "okey", "cards": "FJ", "turned": "R7"},
    HAND | {"aim": "none"},
    HAND | {"own": ["7C 7H 7D"]},
    HAND | {"hand": "2 3 4 5 6 7 8 9 10 J Q K " * 6, "variant": "eleven-phases"},
    HAND | {"variant": "canasta"},
    GAME | {"players": ["Ana", 7]},
    GAME | {"players": ["Ana"]},
    GAME | {"players": ["Ana", "Ana"]},
    GAME | {"dealer": "Cleo"},
    GAME | {"rounds": [{}] * 501},
    GAME | {"rounds": [7]},
    GAME | {"rounds": [{"Cleo": {}}]},
    GAME | {"rounds": [{"Ana": {"out": True}}]},
    GAME | {"turned": [7]},
    scored("mexican-rummy", {"out": True}, {"left": -1}),
    scored("mexican-rummy", {"out": True}, {}),
    scored("remigio", {"out": True, "close": "knock"}, {"left": 3}),
    scored("indian-rummy", {"out": True}, {"fixed": "none"}),
    scored("mexican-rummy", {"out": True}, {"fixed": "none"}),
    scored("indian-rummy", {"out": True}, {"left": "7C 8C"}),
    scored("canasta", {"bonus": {"clean": 1}, "out": True}, {}, {}, {}),
    scored("canasta", {"aside": "3S", "out": True}, {}, {}, {}),
    scored("gin-rummy", {"out": True, "cards": KNOCKED, "melds": ["4S 5S 7S"]}, {"left": 30}),
)
"""Of each error at least one question that is answered with it."""
NO_LANGUAGE = ("", "[]", "x" * 1_000_001, json.dumps(MELD | {"language": "xx"}))


def refused(line: str) -> tuple[str, str]:
    """The code of an error, and what it says."""
    error = answer_line(line)["error"]
    assert isinstance(error, dict)
    return error["code"], error["says"]


@cache
def refused_in(language: str) -> list[tuple[str, str]]:
    """The errors of all questions, in a language."""
    return [refused(json.dumps(question | {"language": language})) for question in ASKED]


def sentences(language: str) -> dict[str, str]:
    """The sentences for errors, by "code" or "code.how"."""
    errors: dict[str, str | dict[str, str]] = Catalogue.read(language, WORDS).tables["errors"]
    found: dict[str, str] = {}
    for code, entry in errors.items():
        hows = {"other": entry} if isinstance(entry, str) else entry
        found |= {f"{code}.{how}": says for how, says in hows.items()}
    return found


def test_each_sentence_for_an_error_answers_a_question() -> None:
    said = {*refused_in(ENGLISH), *map(refused, NO_LANGUAGE)}
    for name, template in sentences(ENGLISH).items():
        code = name.partition(".")[0]
        pattern = ".+".join(map(re.escape, re.split(r"\{[^}]*\}", template)))
        assert any(code == each and re.fullmatch(pattern, says) for each, says in said), name


@pytest.mark.parametrize("language", OTHERS)
def test_each_error_has_a_sentence_in_each_language(language: str) -> None:
    assert sentences(language).keys() == sentences(ENGLISH).keys()


@pytest.mark.parametrize("language", OTHERS)
def test_an_error_is_in_the_language_of_the_question(language: str) -> None:
    asked = zip(refused_in(language), refused_in(ENGLISH), strict=True)
    for (code, says), (same, english) in asked:
        # What is quoted are names of the question format, the same in each language.
        assert left_in(re.sub("“[^”]*”", "“…”", says)) == [], says
        assert code == same
        assert says != english


@pytest.mark.parametrize("line", NO_LANGUAGE)
def test_an_error_is_in_english_if_its_language_is_not_known(line: str) -> None:
    code, says = refused(line)

    assert any(says in told for told in sentences(ENGLISH).values()) or code == "unknown-language"
