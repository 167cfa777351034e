"""Sentences out of catalogues: which branch is taken, what fills it, what a language lacks."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import pytest

from referee.rulings import Code, MeldKind
from referee.saying import WORDS, Catalogue
from webapp._bootstrap import ROOT

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


@pytest.mark.parametrize(
    ("items", "word", "says"),
    [
        (["Ana", "Inés"], "and", "Ana e Inés"),
        (["agua", "hielo"], "and", "agua y hielo"),
        (["Inés", "Ana"], "and", "Inés y Ana"),
        ([7, 8], "or", "7 u 8"),
        ([10, 11], "or", "10 u 11"),
        ([11, 110], "or", "11 o 110"),
        (["3♥", "8♥"], "comma", "3♥, 8♥"),
        (["Inés"], "and", "Inés"),
    ],
)
def test_a_list_in_spanish_goes_by_the_sound_of_its_last_item(
    items: list[object], word: str, says: str
) -> None:
    assert Catalogue.read("es", WORDS).joined(items, word) == says


CALLS = ("found", "ground", "problem", "doubt")
FOLDERS = [ROOT / "referee", ROOT / "webapp" / "game"]
MOVED = ("melds", "turns", "judging", "scorepad", "questions", "protocol")
GRAMMAR = {"one", "other", "tiles", "numbered", *(kind.value for kind in MeldKind)}
"""Branches that grammar chooses, whoever calls."""
OWN = {"game", "step", "contract", "ace"}
"""Nouns that each game brings."""
SAID_BY_ANOTHER = {Code.MELD_NOT_LEGAL, Code.HAND_DOES_NOT_CLOSE}
"""Problems that are said by what was found against a play."""


class Made(NamedTuple):
    """A call that makes a finding: of its sentences one of these, all if that is not read here."""

    code: Code
    hows: frozenset[str]
    values: frozenset[str]


def constants(node: ast.AST) -> frozenset[str]:
    """The strings of an expression."""
    found = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return frozenset(each for each in found if isinstance(each, str))


def assigned(function: ast.AST, name: str) -> frozenset[str]:
    """The strings that a name is given in a function."""
    found: frozenset[str] = frozenset()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            [target], value = node.targets, node.value
            names, values = [target], [value]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                names, values = target.elts, value.elts
            for one, given in zip(names, values, strict=True):
                if isinstance(one, ast.Name) and one.id == name:
                    found |= constants(given)
    return found


def made(function: ast.AST) -> Iterator[Made]:
    for node in ast.walk(function):
        match node:
            case ast.Call(
                func=ast.Name(id=name), args=[ast.Attribute(attr=code), *args], keywords=words
            ) if name in CALLS:
                hows = frozenset({""})
                if len(args) > 2:
                    how = args[2]
                    is_name = isinstance(how, ast.Name)
                    hows = assigned(function, how.id) if is_name else constants(how)
                yield Made(Code[code], hows, frozenset(word.arg for word in words if word.arg))


@cache
def all_made() -> tuple[Made, ...]:
    files = chain.from_iterable(folder.rglob("*.py") for folder in FOLDERS)
    trees = [ast.parse(path.read_text("utf-8")) for path in files]
    functions = (each for tree in trees for each in ast.walk(tree))
    return tuple(
        one
        for function in functions
        if isinstance(function, ast.FunctionDef)
        for one in made(function)
    )


def leaves(entry: object, hows: frozenset[str] = frozenset()) -> Iterator[str]:
    """The sentences of an entry that may be said: with these hows, all of them without."""
    if isinstance(entry, str):
        yield entry
        return
    assert isinstance(entry, dict)
    for branch, inner in entry.items():
        if not hows or branch in hows or (branch in GRAMMAR and "" in hows):
            yield from leaves(inner)


BANNED = re.compile(
    r"\bWho \w+ (?!.*\?)|[,;] who (is|has|goes|went)| (is|are|do|does) not\b|\b(may|must|shall)\b"
    r"|\b(is told|held|holds|begun|one.s own|at the (most|least)|stands? (in|alone)|as it lies)\b"
    r"|is no (set|run)|colour|whatever|goes on with|please|sorry|!",
)
"""What the English of `english.md` never says."""

FINDINGS = Catalogue.read("en", WORDS).tables["findings"]
LANGUAGES = sorted(path.stem for path in Path(WORDS).glob("*.toml"))
"""Those too that aren’t offered yet."""


def test_each_code_has_its_sentences_and_no_sentence_is_unused() -> None:
    codes = {code.value for code in set(Code) - SAID_BY_ANOTHER}
    assert set(FINDINGS) == codes

    for code, entry in FINDINGS.items():
        calls = [one for one in all_made() if one.code.value == code]
        assert calls, code
        hows = frozenset[str]().union(*(one.hows for one in calls)) - {""}
        branches = set() if isinstance(entry, str) else set(entry) - (GRAMMAR - hows)
        unread = any(not one.hows for one in calls)
        assert unread or branches == hows, code


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_placeholder_is_filled_by_the_call_or_is_a_noun_in_that_form(language: str) -> None:
    catalogue = Catalogue.read(language, WORDS)
    packs = [catalogue.nouns(pack) for pack in ("", *catalogue.tables["nouns"].get("of", ()))]
    nouns = packs[0]
    for one in all_made():
        for says in leaves(catalogue.tables["findings"].get(one.code.value, {}), one.hows):
            fields = [field for _, field, _, _ in Formatter().parse(says) if field]
            for name, _, form in (field.partition(".") for field in fields):
                assert name in one.values | set(nouns) | OWN, says
                assert not form or all(form in of[name].forms for of in packs if name in of), says
                kinds = [of[kind.value] for of in packs for kind in MeldKind]
                assert name != "kind" or not form or all(form in kind.forms for kind in kinds), says


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_has_a_finding_or_a_branch_that_is_never_said(language: str) -> None:
    for code, entry in Catalogue.read(language, WORDS).tables["findings"].items():
        english = FINDINGS[code]
        known = set() if isinstance(english, str) else set(english)
        assert isinstance(entry, str) or set(entry) <= known | GRAMMAR, code


CHECKS = ROOT / "referee" / "describing"


def complaints() -> Iterator[tuple[str, frozenset[str]]]:
    """What is said against descriptions: the key of each call, and its values."""
    others = ("melds/contracts.py", "options.py", "variant.py", "variants.py")
    for path in (*CHECKS.rglob("*.py"), *(ROOT / "referee" / other for other in others)):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case (
                    ast.Call(
                        func=ast.Name(id="complaint"), args=[_, ast.Constant(value=str(key)), *_]
                    )
                    | ast.Call(func=ast.Name(id="wrong"), args=[ast.Constant(value=str(key)), *_])
                ):
                    # Those of a dict have no name.
                    yield key, frozenset(word.arg or "" for word in node.keywords)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_complaint_has_its_sentence_and_no_sentence_is_unused(language: str) -> None:
    catalogue = Catalogue.read(language, WORDS)
    said = catalogue.tables["complaints"]
    calls = list(complaints())

    assert set(said) == {key for key, _ in calls}
    for key, values in calls:
        for says in leaves(said[key]):
            names = {name.partition(".")[0] for _, name, _, _ in Formatter().parse(says) if name}
            assert "" in values or names <= values | set(catalogue.nouns()), says


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_second_sentence_begins_with_a_value_that_has_no_capital(language: str) -> None:
    told = leaves(Catalogue.read(language, WORDS).tables["findings"])

    assert not [says for says in told if re.search(r"[.?] \{(?!n\})", says)]


def test_what_finds_says_nothing() -> None:
    """Every sentence is in a catalogue, but for the terminal’s and what only a programmer reads."""
    paths = chain.from_iterable((ROOT / "referee" / room).rglob("*.py") for room in MOVED)
    read = [path.read_text("utf-8") for path in paths if path.name != "terminal.py"]
    told = [says for text in read for says in _told(ast.parse(text))]

    assert told == []


def _told(tree: ast.AST) -> Iterator[str]:
    """The strings of two words or more that are no docstring, assertion or message of an error."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Assert():
                continue
            case ast.Assign(targets=[ast.Name(id="message")]):
                continue
            case ast.Constant(value=str(says)) if re.search(r"[a-z] [a-z]", says):
                yield says
        yield from _told(node)


def test_findings_are_said_in_plain_english() -> None:
    told = list(leaves(FINDINGS))

    assert not [says for says in told if BANNED.search(says)]
    assert BANNED.search("Who is out has no cards.")
    assert all(says.endswith((".", "?")) for says in told)
