"""Games in other languages: the same rules, told whole, in words of their own."""

import re
import tomllib
from itertools import product

import pytest

from referee import variants
from referee.describing import GAMES, Description, glance, values_of
from referee.protocol import answer_line
from referee.saying import ENGLISH, LANGUAGES, WORDS, Catalogue
from referee.variants import UnknownLanguageError, in_language
from tests.examples import in_turn

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
SLOT = re.compile(r"\{[^}]*\}")
TOLD = ("chapters", "headings", "sources", "words", "told", "parts", "values", "glance", "wilds")
"""The sections of the catalogues that the rules of games are told from."""
TRANSLATED = [
    tuple(file.name.split(".")[:2])
    for language, file in product(OTHERS, sorted(GAMES.glob("*.toml")))
    if file.name.endswith(f".{language}.toml")
]
FILES = pytest.mark.parametrize(("slug", "language"), TRANSLATED)
BEGUN = pytest.mark.parametrize(
    ("slug", "language"),
    sorted(
        (slug, language)
        for slug, _, language in (file.stem.partition(".") for file in GAMES.glob("*.*.toml"))
        if language != ENGLISH
    ),
)
"""Those too in languages that aren’t offered yet."""


def read(slug, language):
    return tomllib.loads((GAMES / f"{slug}.{language}.toml").read_text(encoding="utf-8"))


def wanted(slug, headings):
    """What a file in another language has to say, from the English one: key to sentence."""
    text = read(slug, ENGLISH)
    found = {key: text[key] for key in ("name", "title", "tagline", "source") if key in text}
    found |= {f"words.{word}": "" for word in text.get("words", {}).keys() - {"wild"}}
    found |= {f"examples.{n}": says for n, says in enumerate(text.get("examples", ()))}
    for line in text.get("clauses", ()):
        if "option" in line:
            found[f"options.{line['option']}.says.{line.get('value', 'other')}"] = line["says"]
            continue
        found |= {f"clauses.{line['id']}.{key}": line[key] for key in ("says", "at") if key in line}
        if line["id"] not in headings:
            found[f"clauses.{line['id']}.title"] = ""
    for name, option in text.get("options", {}).items():
        found[f"options.{name}.title"] = option["title"]
        labels = option.get("labels", {}).items()
        found |= {f"options.{name}.labels.{value}": says for value, says in labels}
    return found


def said(slug, language):
    """What a file says: key to sentence."""
    text = read(slug, language)
    found = {key: text[key] for key in ("name", "title", "tagline", "source") if key in text}
    found |= {f"words.{word}": says for word, says in text.get("words", {}).items()}
    found |= {f"examples.{n}": says for n, says in enumerate(text.get("examples", ()))}
    for name, clause in text.get("clauses", {}).items():
        found |= {f"clauses.{name}.{key}": says for key, says in clause.items()}
    for name, option in text.get("options", {}).items():
        rules, labels = option.get("says", {}), option.get("labels", {})
        rules = {"other": rules} if isinstance(rules, str) else rules
        found[f"options.{name}.title"] = option["title"]
        found |= {f"options.{name}.says.{value}": says for value, says in rules.items()}
        found |= {f"options.{name}.labels.{value}": says for value, says in labels.items()}
    return found


def missing(english, other):
    """The sentences of one table that another has not, by key; branches are a language’s own."""
    if isinstance(english, str) or isinstance(other, str):
        return []
    if english.keys() & {"other", "one"} and other.keys() & {"other", "one"}:
        return []
    return [
        *(key for key in english if key not in other),
        *(
            f"{key}.{each}"
            for key in english.keys() & other.keys()
            for each in missing(english[key], other[key])
        ),
    ]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("section", TOLD)
def test_a_language_lacks_no_sentence_for_rules(language, section):
    english, other = (Catalogue.read(each, WORDS).tables[section] for each in (ENGLISH, language))

    assert missing(english, other) == []


@pytest.mark.parametrize("file", in_turn(TRANSLATED), ids=".".join)
def test_no_rule_is_in_english_with_any_house_rules(file):
    slug, language = file
    spec = variants.description_of(slug)
    alone = ({name: v} for name, option in spec["options"].items() for v in values_of(spec, option))
    for chosen in ({}, *alone):
        game = variants.get(slug).with_options(chosen)
        english = {clause.says for clause in game.rulebook.clauses}

        assert not english & {
            clause.says for clause in in_language(game, language).rulebook.clauses
        }


@FILES
def test_a_game_at_a_glance_is_in_its_language(slug, language):
    game = Description(variants.description_of(slug))
    english, other = (
        dict(line[:2] for line in glance(game, language=each)) for each in (ENGLISH, language)
    )

    assert len(other) == len(english)
    assert english.keys() & other.keys() <= {"Jokers", "Okeys"}


OWN = ("wild", "outright")
"""Words that a game may call its own although the catalogue has none for them."""


@BEGUN
def test_a_game_has_a_sentence_for_each_rule_and_none_for_rules_it_lacks(slug, language):
    english = wanted(slug, Catalogue.read(ENGLISH, WORDS).tables["headings"])
    told = said(slug, language)

    own = {key for key in told if key.startswith("words.") or key.endswith(".title")}
    assert set(english) <= set(told)
    assert set(told) - set(english) <= own
    assert {".".join(key.split(".")[:2]) for key in own if "." in key} <= {
        ".".join(key.split(".")[:2]) for key in english
    } | {f"words.{word}" for word in (*Catalogue.read(ENGLISH, WORDS).tables["words"], *OWN)}


@BEGUN
def test_a_sentence_has_the_same_slots_in_each_language(slug, language):
    english, told = wanted(slug, {}), said(slug, language)

    assert {key: sorted(SLOT.findall(says)) for key, says in told.items() if key in english} == {
        key: sorted(SLOT.findall(says)) for key, says in english.items() if key in told
    }


@FILES
def test_a_game_is_the_same_in_each_language(slug, language):
    game = variants.get(slug)
    other = in_language(game, language)

    assert (other.form, other.language) == (game.form, language)
    assert [*other.rulebook.by_cite] == [*game.rulebook.by_cite]
    assert [clause.id for clause in other.rulebook.clauses] == [
        clause.id for clause in game.rulebook.clauses
    ]
    titles = [clause.title for clause in other.rulebook.clauses]
    assert sorted(set(titles)) == sorted(titles)
    # Either may be a new one by now: only so many are remembered.
    assert in_language(other, ENGLISH).rulebook.by_cite == game.rulebook.by_cite


@pytest.mark.parametrize("language", OTHERS)
def test_house_rules_seats_and_the_name_of_a_table_stay(language):
    game = variants.get("mexican-rummy").with_options({"max-wilds": 2, "wrap": True}).seated(8)
    other = in_language(game.called("Friday"), language)

    assert (other.form, other.chosen, other.seats) == (game.form, game.chosen, game.seats)
    assert other.name == "Friday"
    assert "2" in other.rulebook["house-max-wilds"].says


@pytest.mark.parametrize("language", OTHERS)
def test_a_game_by_older_rules_keeps_them(language):
    game = variants.get("mexican-rummy")
    form = game.form.replace('"cards":10', '"cards":9')
    other = in_language(variants.kept_with(game.slug, {}, form), language)

    assert other.hand_size == 9
    assert other.name == variants.get(game.slug, language).name


def test_a_language_that_nobody_speaks_is_refused():
    with pytest.raises(UnknownLanguageError):
        variants.get("mexican-rummy", "xx")


def test_the_protocol_answers_in_a_language_and_with_the_same_codes():
    asked = '{"id":1,"variant":"mexican-rummy","ask":"meld","cards":"4D 5D 7D","language":"%s"}'
    english, spanish = answer_line(asked % ENGLISH), answer_line(asked % "es")

    assert [found["code"] for found in spanish["findings"]] == [
        found["code"] for found in english["findings"]
    ]
    assert answer_line(asked % "xx")["error"]["code"] == "unknown-language"
