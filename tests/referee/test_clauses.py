"""What a rulebook says is what the game is: house rules leave no clause that says otherwise."""

import re
from itertools import combinations
from random import Random

import pytest

from referee import variants
from referee.describing import build, full_form, patched
from referee.describing.checking import check_rules
from referee.describing.options import values_of
from referee.describing.patch import patch_of
from referee.describing.schema import CHAPTERS, UNCHECKED
from referee.describing.sentences.book import Book, clauses_of
from referee.describing.sentences.clauses import CATALOGUE
from referee.rulebook import Basis
from referee.saying import LANGUAGES, WORDS, Catalogue
from referee.wording import number_word
from tests import described
from tests.examples import examples, in_turn

pytestmark = pytest.mark.slow

SLUGS = pytest.mark.parametrize("slug", described.slugs())
SOME = pytest.mark.parametrize("slug", in_turn(described.slugs(), quick=0))
WRITTEN = (Basis.SOURCE, Basis.READING)

MEANT_OTHERWISE = {
    ("101-okey", "penalty"): {"opening", "out-bonus"},
    ("biriba", "close-with"): {"one-wild"},
    ("buraco", "close-with"): {"one-wild"},
    ("burraco", "close-with"): {"one-wild"},
    ("burraco", "half-clean"): {"aim", "table-values"},
    ("canasta", "deal"): {"one-card", "pile"},
    ("hand-and-foot", "books"): {"first-melds"},
    ("hand-and-foot", "pile"): {"aim", "full-book", "table-values"},
    ("hand-and-foot", "red-threes"): {"out-bonus", "red-threes"},
    ("hand-and-foot", "wilds"): {"blocked", "first-melds", "set", "teams"},
    ("contract-rummy", "jokers"): {"split-run", "values"},
    ("indian-rummy", "cap"): {"fixed"},
    ("loba-de-menos", "run"): {"set"},
    ("mexican-rummy", "min-naturals"): {"contracts"},
    ("liverpool-rummy", "number-cards"): {"steps"},
    ("phase-10", "naturals"): {"pack", "run", "values"},
    ("rami-51", "run"): {"wilds-most"},
    ("remi", "close"): {"values"},
    ("remi", "run"): {"one", "pack", "table-values", "values", "wild", "wilds-most"},
    ("remigio", "min-naturals"): {"values"},
    ("remigio", "multipliers"): {"one-natural", "values"},
    ("rummikub", "opening-points"): {"joker-cost"},
    ("rummikub", "jokers"): {"one"},
    ("rummikub", "jokers-per-set"): {"joker", "one", "tiles"},
    ("rummy-500", "first-lay-naturals"): {
        *("ace", "hand-values", "lay-offs-ask-nothing", "pack", "players", "two-jokers"),
        "twos-are-wild",
    },
    ("three-thirteen", "packs"): {"ace", "values"},
    ("tonk", "caught"): {"dealt"},
}
"""Clauses, read by a person, in which the old number is another one: by game and house rule."""


def house_rules(spec):
    """Every value of every house rule of a game that is not the game as it is, alone."""
    as_it_is = full_form(spec)
    for name, option in spec["options"].items():
        for value in values_of(spec, option):
            if full_form(patched(spec, {name: value})) != as_it_is:
                yield name, value


def leaves(table, path=""):
    """The values of a description by path."""
    if not isinstance(table, dict):
        return {path: table}
    return {
        at: value
        for key, part in table.items()
        for at, value in leaves(part, f"{path}.{key}").items()
    }


def stale(spec, chosen):
    """The clauses of the prose that still name a number which these house rules have changed."""
    before, after = (leaves(full_form(game)) for game in (spec, patched(spec, chosen)))
    old = {value for at, value in before.items() if type(value) is int and after.get(at) != value}
    numbers = "|".join(
        {str(each) for each in old} | {number_word(each) for each in old if each > 1}
    )
    words = re.compile(rf"\b({numbers or 'none at all'})\b", re.IGNORECASE)
    written = Book(check_rules(spec), {}).rulebook("", "").clauses
    now = Book(check_rules(patched(spec, chosen)), chosen).rulebook("", "").clauses
    kept = [clause for clause in now if clause in written and clause.basis is not Basis.TOLD]
    return {clause.id for clause in kept if words.search(clause.says)}


def cited_as_before(spec, chosen):
    """What is cited in the words of the published game, of all that these house rules change."""
    before, now = (
        Book(check_rules(patched(spec, rules)), rules).rulebook("", "") for rules in ({}, chosen)
    )
    changed = {
        clause
        for name, value in chosen.items()
        if not _has_a_line(spec, name)
        for clause in clauses_of(patch_of(spec["options"][name], value))
    }
    return {
        clause
        for clause in changed & set(before.by_cite) & set(now.by_cite)
        if before.cited(clause) == now.cited(clause) and before.cited(clause).basis in WRITTEN
    }


def _has_a_line(spec, name):
    """Whether the prose has a clause of this house rule, which says what it stands for."""
    return any(line.get("option") == name for line in described.clauses_of(spec["text"]))


@SOME
def test_no_clause_names_a_number_that_a_house_rule_has_changed(slug):
    spec = described.game(slug)
    found = {}
    for name, value in house_rules(spec):
        found.setdefault((slug, name), set()).update(stale(spec, {name: value}))

    assert {at: clauses for at, clauses in found.items() if clauses} == {
        at: clauses for at, clauses in MEANT_OTHERWISE.items() if at[0] == slug
    }


@SOME
def test_no_ruling_cites_the_published_rule_that_a_house_rule_has_changed(slug):
    spec = described.game(slug)
    found = [(rule, cited_as_before(spec, dict([rule]))) for rule in house_rules(spec)]

    assert [(rule, clauses) for rule, clauses in found if clauses] == []


@SOME
def test_no_two_house_rules_leave_a_clause_that_one_of_them_has_changed(slug):
    spec = described.game(slug)
    pairs = [dict(pair) for pair in combinations(house_rules(spec), 2) if pair[0][0] != pair[1][0]]
    for chosen in Random(slug).sample(pairs, min(len(pairs), examples(10))):
        meant = set().union(*(MEANT_OTHERWISE.get((slug, name), set()) for name in chosen))
        assert stale(spec, chosen) <= meant, chosen
        assert not cited_as_before(spec, chosen), chosen


@SLUGS
def test_no_clause_has_a_slot_that_nothing_fills(slug):
    game = described.game(slug)

    assert not [clause for clause in build(game).rulebook.clauses if "{" in clause.says]


def test_a_house_rule_that_is_not_chosen_is_not_in_the_book():
    for slug in described.slugs():
        bases = {clause.basis for clause in build(described.game(slug)).rulebook.clauses}

        assert Basis.HOUSE not in bases


def test_a_clause_that_keeps_an_old_number_is_caught():
    """The twin: Gin Rummy said "Who comes to 100 first wins" at a table that played to 200."""
    spec = described.game("gin-rummy")
    line = {"id": "end-bonus", "says": "The first to 100 wins, and nothing is added."}
    spec["text"] = {"clauses": [line]}

    assert stale(spec, {"target": 200}) == {"end-bonus"}


def test_a_clause_gives_way_to_a_told_one_if_a_slot_of_it_cannot_be_filled():
    game = variants.get("indian-rummy")
    fixed = variants.description_of(game.slug)["score"]["fixed"]
    less = {name: one for name, one in fixed.items() if name != "wrong"}

    clauses = game.with_options({"/score.fixed": less}).rulebook.clauses

    assert [clause.says for clause in clauses if "{" in clause.says] == []
    assert any("Dropped later" in clause.says for clause in clauses)


def test_a_clause_gives_way_with_a_field_that_it_names_and_stays_with_one_in_its_slot():
    spec = described.game("gin-rummy")
    line = {"id": "dry", "says": "Knock with {hand.knock}.", "fields": ["end.total", "hand.knock"]}
    game = build({**spec, "text": {"clauses": [line]}})

    assert game.with_options({"knock": 5}).rulebook["dry"].says == "Knock with 5."
    assert game.with_options({"knock": 5}).rulebook["dry"].basis is Basis.HOUSE
    assert "Knock with 10." not in {
        clause.says for clause in game.with_options({"target": 200}).rulebook.clauses
    }


def test_sets_of_only_wilds_change_what_is_said_of_natural_cards():
    game = variants.get("contract-rummy")
    assert game.rulebook.cited("naturals").basis is not Basis.HOUSE
    changed = game.with_options({"/wild.alone": True})
    assert changed.rulebook.cited("naturals").basis is Basis.HOUSE


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_has_a_heading_that_players_know(language):
    written = {f"{UNCHECKED}-{chapter}" for chapter in CHAPTERS}
    assert set(CATALOGUE) - written <= set(Catalogue.read(language, WORDS).tables["headings"])


@SLUGS
def test_no_two_clauses_of_a_game_have_the_same_heading(slug):
    titles = [clause.title for clause in build(described.game(slug)).rulebook.clauses]

    assert sorted(set(titles)) == sorted(titles)


CONTRADICTED = [
    # A person has read these beside each other: what is said of aces, wilds and the end of a game
    # is in words, which no number gives away.
    ("500-rum", {"ace": "high"}, "below the two"),
    ("rummy-500", {"natural-twos": True}, "ace or below"),
    ("rummy-500", {"first-lay-naturals": "each-meld"}, "set of only wilds has no rank"),
    ("rummikub", {"opening-joker": "zero"}, "worth most"),
    ("kaluki", {"ace": "high"}, "below the two"),
    ("phase-10", {"advance": "everyone"}, "a player has made the last phase"),
    ("eleven-phases", {"advance": "everyone"}, "first player to make all"),
    ("eleven-phases", {"phases": ["1 run of 4"]}, "eleven phases"),
    ("mexican-rummy", {"max-wilds": 1}, "side by side"),
    ("mexican-rummy", {"min-naturals": 0}, "at least 0"),
    ("three-thirteen", {"wild-value": 15}, "what its own rank does"),
    ("chinchon", {"seven": "fifty"}, "win the game"),
]


@pytest.mark.parametrize(("slug", "chosen", "words"), CONTRADICTED)
def test_no_clause_says_in_words_what_a_house_rule_has_changed(slug, chosen, words):
    clauses = variants.get(slug).with_options(chosen).rulebook.clauses

    assert not [clause.says for clause in clauses if words in clause.says]


@SLUGS
def test_nothing_is_said_of_wilds_side_by_side_if_a_meld_has_one_at_most(slug):
    told = build(described.game(slug)).rulebook.by_cite

    assert told["wilds-most"].says != "A meld has one joker at the most." or (
        "side by side" not in told["touching"].says
    )
