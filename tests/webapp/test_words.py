"""Each sentence of the pages is in the catalogue once, is used, is filled, and is plain English."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

import pytest
from jinja2 import Environment, nodes

from referee import variants
from referee.saying import ENGLISH, Catalogue
from webapp import app as factory
from webapp import cli
from webapp._bootstrap import ROOT
from webapp.language import WORDS, nouns
from webapp.refusal import Refusal

NOUNS = nouns(variants.get("mexican-rummy"))
LANGUAGES = sorted(path.stem for path in WORDS.glob("*.toml"))


BANNED = (
    r"^Who [a-z]+ (?!.*\?)",
    r"[,;] who (is|has|goes|went)\b",
    r" (is|do|does|are) not ",
    r"\b(is told|held|begun|one’s|at the most|at the least|stands in|lies|as it lies|taken back)\b",
    r"\b(thus|whatever|please|sorry|may not|must|shall|for ever|invalid|refused)\b",
    r"\b(cannot|could not|did not|does not|has not|have not)\b",
    r"\b(colour|favour|centre|licence|grey)",
    r"!$",
)
"""What `english.md` would have otherwise, as patterns of a sentence."""

WORDS_THAT_ARE_TYPED = {"find.same", "find.common", "find.asking", "find.whether", "find.open"}
"""Those that people look for, in British English too."""

GIVEN = {
    f"refusals.{code}"
    for code in (
        *("refusal", "refused", "page-refused", "database", "damaged", "intake", "command"),
        "too-old",
        *("house-not-empty", "paper-refused", "version-moved"),
    )
}
"""Refusals that are always given a sentence of their own."""


@pytest.fixture(scope="module")
def said() -> Mapping[str, list[set[str]]]:
    """The values with which each key is said, call by call."""
    calls = defaultdict(list)
    pages = Environment(autoescape=True)
    for path in (each for each in (ROOT / "templates").rglob("*") if each.is_file()):
        for key, values in on_page(pages.parse(path.read_text("utf-8"))):
            calls[key].append(values)
    for path in (each for kind in ("css", "js") for each in (ROOT / "static" / kind).iterdir()):
        for key in re.findall("«([a-z-]+\\.[a-z-]+)[a-z.-]*»", path.read_text("utf-8")):
            calls[key]
    # A refusal makes its key of its own name.
    for path in {*(ROOT / "webapp").rglob("*.py")} - {ROOT / "webapp" / "refusal.py"}:
        for key, values in in_code(ast.parse(path.read_text("utf-8"))):
            calls[key].append(values)
    return calls


def on_page(page: nodes.Template) -> Iterator[tuple[str, set[str]]]:
    for call in page.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "say":
            key = call.args[0]
            assert isinstance(key, nodes.Const), f"A key is made up in line {call.lineno}"
            yield key.value, {each.key for each in call.kwargs}


def test_a_template_that_others_import_says_nothing_outside_its_macros():
    # Jinja runs the rest once, in the language of whoever asked first.
    there = Environment(autoescape=True)
    pages = {
        path.relative_to(ROOT / "templates").as_posix(): there.parse(path.read_text("utf-8"))
        for path in (ROOT / "templates").rglob("*")
        if path.is_file()
    }
    imported = {
        call.template.value
        for page in pages.values()
        for call in page.find_all((nodes.FromImport, nodes.Import))
        if isinstance(call.template, nodes.Const)
    }

    assert imported
    assert [
        (name, key)
        for name in imported
        for part in pages[name].body
        if not isinstance(part, nodes.Macro)
        for key, _ in on_page(nodes.Template([part]))
    ] == []


def in_code(module: ast.Module) -> Iterator[tuple[str, set[str]]]:
    """What a module says that has `say` from `webapp.language`; others mean other things by it."""
    if not any(
        isinstance(node, ast.ImportFrom) and node.module == "webapp.language"
        for node in module.body
    ):
        return
    for node in ast.walk(module):
        match node:
            case ast.Call(
                func=ast.Name(id="say" | "later" | "write"), args=[key, *_], keywords=given
            ):
                assert isinstance(key, ast.Constant), ast.unparse(node)
                # Those of a dict are called "".
                yield str(key.value), {each.arg or "" for each in given}


def sentences(language: str = ENGLISH) -> dict[str, str | Mapping[str, Any]]:
    tables = Catalogue.read(language, WORDS).tables
    return {f"{part}.{key}": each for part, table in tables.items() for key, each in table.items()}


def branches(sentence: str | Mapping[str, Any]) -> Iterator[str]:
    if isinstance(sentence, str):
        yield sentence
    else:
        for each in sentence.values():
            yield from branches(each)


def fields(template: str) -> set[str]:
    parts = [name for _, name, _, _ in Formatter().parse(template) if name is not None]
    return {name.partition(".")[0] for name in parts}


def nouns_with(values: set[str]) -> set[str]:
    """What else fills a sentence that a game is given to: what that calls things."""
    return set(NOUNS) if "variant" in values else set()


def said_with(sentence: str | Mapping[str, Any], without: set[str]) -> set[str]:
    """The values, the tags and the values for scripts that are in a sentence."""
    return {
        part
        for each in branches(sentence)
        for part in re.findall(r"\{+[a-z0-9.-]+\}+|<[^>]+>", each)
        if part.strip("{}").partition(".")[0] not in without
    }


def refusals() -> Iterator[str]:
    """The keys of all that can be refused."""
    assert {cli, factory}  # With them all refusals are imported.
    kinds: list[type[Refusal]] = [Refusal]
    for kind in kinds:
        kinds += kind.__subclasses__()
        yield f"refusals.{kind.__new__(kind).code}"


def test_each_key_has_a_sentence_and_no_sentence_is_left_over(said):
    there = set(sentences())
    others = {key for key in there - set(said) if not key.startswith("lists.")}
    # By which a language calls itself: asked of the catalogue, for it is not the one spoken.
    others -= {"base.language"}

    assert set(said) - there == set()
    assert others <= set(refusals())
    assert set(refusals()) - GIVEN <= there


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_placeholder_is_filled_by_each_call(said, language):
    there = sentences(language)

    assert [
        (key, template, values)
        for key, calls in said.items()
        for template in branches(there.get(key, ""))
        for values in calls
        if "" not in values and not fields(template) <= values | nouns_with(values)
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_has_a_sentence_that_english_lacks(language):
    assert set(sentences(language)) - set(sentences()) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_says_what_english_says(said, language):
    """The same values and tags, whatever its branches and nouns; a time has 24 hours or 12."""
    english = sentences()
    nouns = {key: nouns_with(set().union(*said.get(key, ()))) for key in english}

    assert [
        (key, sentence)
        for key, sentence in sentences(language).items()
        if key != "dates.time"
        and said_with(sentence, nouns[key]) != said_with(english[key], nouns[key])
    ] == []


@pytest.mark.parametrize("pattern", BANNED)
def test_english_is_written_as_we_write_it(pattern):
    assert [
        (key, template)
        for key, sentence in sentences().items()
        if key not in WORDS_THAT_ARE_TYPED
        for template in branches(sentence)
        if re.search(pattern, template, re.IGNORECASE)
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_tags_that_a_sentence_needs_are_in_it(language):
    tags = re.compile(r"</?(b|i|a|span)( [a-z]+=\"[a-z:{}]+\")*>")
    assert [
        (key, template)
        for key, sentence in sentences(language).items()
        for template in branches(sentence)
        # What people shorten is read, and never shown.
        if key != "find.short" and re.search("[<>&]", tags.sub("", template))
    ] == []


def test_a_value_on_a_page_is_escaped_and_its_sentence_is_not(app):
    page = app.jinja_env.from_string('{{ say("games.of", name="<Ana>") }}')
    assert "<b>&lt;Ana&gt;</b>" in page.render()


ROOMS = (
    *(f"referee/{room}" for room in ("melds", "turns", "judging", "scorepad", "advice")),
    "webapp/pages",
    "webapp/game",
    "webapp/history",
    "webapp/own_games",
    "webapp/players",
    "webapp/standings",
    "webapp/text",
)
"""Where a sentence is named by its key, and nothing is said."""

NEVER_READ = {"pure run", "lay down ", "undo phone ", "House rule", "We agreed"}
"""How a kind of meld is written, what forms are known by, and why a score is odd, as it’s kept."""


def texts(module: ast.Module) -> Iterator[str]:
    """The texts of a module, but for docstrings and what an assertion says to us."""
    ours: set[ast.AST] = set()
    for node in ast.walk(module):
        match node:
            case (
                ast.Expr(value=ast.Constant() as ours_alone)
                | ast.Assert(msg=ast.expr() as ours_alone)
            ):
                ours.update(ast.walk(ours_alone))
            case ast.AnnAssign(annotation=ast.Name(id="TypeAlias"), value=ast.expr() as kind):
                ours.update(ast.walk(kind))
            case ast.AnnAssign(annotation=kind) | ast.arg(annotation=ast.expr() as kind):
                ours.update(ast.walk(kind))
            case ast.Call(func=ast.Name(id="cast" | "text"), args=[first, *_]):
                ours.update(ast.walk(first))
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in ours:
            yield node.value


def test_a_script_says_nothing_but_by_its_key():
    said = re.compile(
        r"""['`][A-Z][a-z]+ [^'`]*['`]|(?:hint|say|textContent[:=]) ?\(?['`][A-Za-z]"""
    )

    assert [
        (path.name, line)
        for path in sorted((ROOT / "static" / "js").glob("*.js"))
        for line in path.read_text("utf-8").splitlines()
        if not line.lstrip().startswith("//") and said.search(line)
    ] == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_sentence_is_in_a_catalogue_and_not_in_the_code(room):
    two_words = re.compile(r"[A-Za-z’]{2,}[,;:.]? +[A-Za-z’]{2,}")

    assert [
        (path.name, text)
        for path in sorted((ROOT / room).rglob("*.py"))
        if path.name != "routes.py"  # They speak HTTP.
        for text in texts(ast.parse(path.read_text("utf-8")))
        if two_words.search(text) and text not in NEVER_READ
    ] == []
