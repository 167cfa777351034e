"""Sentences out of catalogues: which branch is taken, what fills it, what a language lacks."""

import pytest

from referee.saying import WORDS, Catalogue

ENGLISH = Catalogue(
    "en",
    {
        "nouns": {"run": {"one": "run", "a": "a run"}, "of": {"tiles": {"run": {"one": "row"}}}},
        "lists": {"and": " and "},
        "findings": {
            "gap": {"other": "A gap.", "one-gap": {"one": "1 is missing.", "other": "{n}."}},
            "ends": {"other": "Aces.", "one": "One.", "tiles": "Tiles."},
            "run": "This is {run.a}: {what}.",
        },
    },
)


@pytest.mark.parametrize(
    ("key", "hows", "n", "says"),
    [
        ("findings.gap", (), None, "A gap."),
        ("findings.gap", ("one-gap",), 1, "1 is missing."),
        ("findings.gap", ("one-gap",), 3, "3."),
        ("findings.ends", ("", "tiles"), 1, "One."),
        ("findings.ends", ("", "tiles"), 2, "Tiles."),
    ],
)
def test_a_sentence_is_taken_from_its_branch(
    key: str, hows: tuple[str, ...], n: int | None, says: str
) -> None:
    assert ENGLISH.say(key, *hows, n=n) == says


def test_nouns_and_values_fill_a_sentence() -> None:
    assert ENGLISH.say("findings.run", what=7) == "This is a run: 7."
    assert ENGLISH.nouns("tiles")["run"] == "row"


def test_a_language_says_in_english_what_it_lacks() -> None:
    spanish = Catalogue("es", {"findings": {"ends": "Ases."}}, ENGLISH)
    assert spanish.say("findings.ends") == "Ases."
    assert spanish.template("findings.gap") == "A gap."
    with pytest.raises(KeyError):
        spanish.template("findings.nothing")


def test_a_list_names_its_last_item_apart() -> None:
    assert Catalogue.read("en", WORDS).joined(["Ana", "Ben", "Cleo"]) == "Ana, Ben and Cleo"
