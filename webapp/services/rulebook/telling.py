"""What a change says: the sentence of a path, and what is different in it."""

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

from referee import Variant
from referee.describing import (
    BARE,
    BY_PATH,
    CHANGE,
    OF_SECTION,
    PLAYERS,
    SECTIONS,
    STEPS,
    UNCHECKED,
    VALUES,
    Description,
    Values,
    kinds,
    label,
    may_be_ruled,
    named,
    tell,
    told_of,
    told_of_table,
)
from referee.describing import say as say_value
from referee.saying import WORDS, Catalogue
from webapp.services.own.naming import title_of, usual
from webapp.services.rulebook.parts import tap
from webapp.services.wording import capital, uncapital
from webapp.speaking import language, say

_WORDS: Final = re.compile(r"\S+\s*")
_LETTER: Final = re.compile(r"[^\W\d_]")
_ALIKE: Final = 0.4
"""How much of two sentences must be the same for marking single words."""
_REMEMBERED: Final = 2048
"""Sentences of values."""
_MOST_USUAL: Final = 3
"""Rules that tables write into a chapter."""
OPTIONAL: Final = frozenset(
    {
        *("wild.cards", "flush.min", "opening.points", "rearrange.whose", "layoff.onto"),
        *("swap.who", "claim", "buy.extra", "clock.seconds"),
    }
)
"""Tables that a game can be played without, each by the field whose sentence says what it is."""


class Piece(NamedTuple):
    """A part of a sentence."""

    says: str
    mark: str = ""
    """“was” for what is so no longer, “now” for what is different, “can” for what can be else."""


def sentence_at(spec: Mapping[str, Any], path: str) -> str:
    """What a game says at a path; empty if it says nothing there."""
    game = Description(spec)
    if path == PLAYERS:
        return tell(game, language=language())["players"]
    if path == STEPS:
        told = tell(game, language=language()) if game.steps else {}
        return told.get("contracts") or told.get("steps", "")
    if not game.has(path.partition(".")[0]):
        return ""
    return _of_table(game, path) if path in SECTIONS else _of_field(game, path)


def _of_table(game: Description, path: str) -> str:
    if path in BARE:
        return told_of_table(path, language())
    says_it = [field for field in OPTIONAL if field.startswith(f"{path}.")]
    told = (_of_field(game, field) for field in says_it)
    fields = (told_of(game, field.path, language()) for field in OF_SECTION[path])
    return next(filter(None, chain(told, fields)), f"{title_of(path, game.spec)}.")


def _of_field(game: Description, path: str) -> str:
    value, told = game.get(path), told_of(game, path, language())
    if told or value in (None, [], {}):
        return told
    word = "usual" if isinstance(value, list | dict) else str(value).lower()
    if says := usual(path, word, game.spec):
        return says
    # The sentence of its clause tells what has none of its own: how many jokers are in the deck.
    return tell(game, language=language()).get(BY_PATH[path].clauses[0], "")


def label_in(spec: Mapping[str, Any], path: str, value: Hashable) -> str:
    """The sentence of a value of a field in a game’s own words; empty if it has none."""
    pack, nouns = Description(spec).get("pack.kind"), spec.get("text", {}).get("nouns", {})
    return _label(path, value, pack, language(), json.dumps(nouns))


@lru_cache(maxsize=_REMEMBERED, typed=True)
def _label(path: str, value: Hashable, pack: str, spoken: str, nouns: str) -> str:
    """It as it was told before: a book has dozens, and each takes a tenth of its time."""
    return label(path, value, pack, spoken, json.loads(nouns))


class Adding(NamedTuple):
    """A rule that a game could have."""

    says: str
    """The sentence that it would have, or what it is about."""
    sets: str = ""
    """The tap that makes it so; empty if it has to be said first which cards, or how many."""


def adding(spec: Mapping[str, Any], path: str) -> Adding:
    """The rule that a game could have at a path: of a field or a table."""
    title = title_of(path, spec)
    if path in SECTIONS:
        return Adding(f"{title}.", tap(path, {}))
    now = Description(spec).get(path)
    match BY_PATH[path].kind:
        case kinds.Switch():
            values: tuple[Hashable, ...] = (not now,)
        case kinds.OneOf(words):
            values = tuple(word for word in words if word != now and may_be_ruled(path, word))
        case kinds.Whole():
            return Adding(label_in(spec, path, ...).replace("….", "…") or title)
        case _:
            return Adding(title)
    told = ((label_in(spec, path, value), value) for value in values)
    return next((Adding(says, tap(path, value)) for says, value in told if says), Adding(title))


def usual_rules(spec: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    """Rules of card games that tables write into a chapter, as no field says them.

    `path` is that of the chapter’s own words, which each rule has with it: as it is added to them.
    """
    game, chapter = Description(spec), path.removeprefix(f"{UNCHECKED}.")
    lacks = {"turn": game.no_discard_pile, "down": game.way == "hand", "score": game.way == "hand"}
    if not path or game.has_tiles or lacks.get(chapter):
        return
    text = game.get(path) or ""
    for number in range(1, _MOST_USUAL + 1):
        says = say("changing.written", f"{chapter}-{number}")
        whole = f"{text} {says}".strip()
        if says and says not in text and len(whole) <= kinds.LONGEST_TEXT:
            yield says, whole


def say_house_rules(variant: Variant) -> Iterator[tuple[str, str]]:
    """Say which house rules of a game are different from its source: title and value in words."""
    by_name = {option.name: option for option in variant.options}
    edition = variant.edition
    if edition:
        yield say("new.edition", "short"), edition.title
    for name, value in variant.chosen:
        option = by_name.get(name)
        if edition and name.removeprefix(CHANGE) in edition.patch:
            continue
        if name.startswith(CHANGE):
            yield _say_change(variant, name.removeprefix(CHANGE), value)
        elif option is None:
            # A game of before, which the rules of today no longer offer.
            yield capital(name.replace("-", " ")), str(value)
        else:
            labels = [says for known, says in getattr(option.kind, "values", ()) if known == value]
            text = labels[0] if labels else option.kind.show(value)
            yield option.title, text.replace("\n", " · ")


def _say_change(variant: Variant, path: str, value: object) -> tuple[str, str]:
    game = Description({**json.loads(variant.form), "text": variant.names})
    title = title_of(path, game.spec)
    if path == PLAYERS:
        low, high = variant.players[0], variant.players[-1]
        return title, say("counts.span", "" if low < high else "same", low=low, high=high)
    if path == STEPS:
        lines = value if isinstance(value, list | tuple) else ()
        told = " · ".join(_line(line, variant.speaker.nouns) for line in lines)
        return title, told or say("changing.no-list")
    if path in SECTIONS:
        return title, say_value(path, value is not None, game, language())
    told = ""
    if isinstance(value, str | bool):
        told = usual(path, str(value).lower(), game.spec) or label_in(game.spec, path, value)
    values, titles = Values(language()), variant.names.get("titles")
    values.nouns, values.titles = variant.speaker.nouns, titles if isinstance(titles, dict) else {}
    return title, uncapital(told.rstrip(".")) or values.say(path, value)


def say_contract(contract: str, nouns: Mapping[str, object]) -> str:
    """A contract as a list of rounds has it, in the language of the page: "2 sets of 3".

    `nouns` are what the game calls things.
    """
    values = Values(language())
    values.nouns = nouns
    try:
        return values.contract(contract)
    except (LookupError, ValueError):  # It came in an address, and is no contract.
        return contract


def _line(step: object, nouns: Mapping[str, object]) -> str:
    said = step if isinstance(step, dict) else {"contract": step}
    contract = said.get("contract", said.get("deal", ""))
    return say_contract(contract, nouns) if isinstance(contract, str) else str(contract)


def gone_at(spec: Mapping[str, Any], path: str) -> str:
    """The sentence for a path about which a game no longer says anything."""
    return say("changing.gone", what=title_of(path, spec))


def marked(was: str, now: str) -> tuple[Piece, ...]:
    """A sentence as it is now, with the words marked that it didn’t have; whole if most changed."""
    if was == now:
        return (Piece(now),)
    old, new = _WORDS.findall(was), _WORDS.findall(now)
    matcher = SequenceMatcher(None, [*map(_bare, old)], [*map(_bare, new)], autojunk=False)
    pieces = tuple(_pieces(matcher, new)) if matcher.ratio() >= _ALIKE else ()
    return pieces if any(piece.mark for piece in pieces) else (Piece(now, "now"),)


def _bare(word: str) -> str:
    """A word without what follows it, and small: “4,” is the 4 that stood at an end before."""
    return word.strip().rstrip(".,;:").casefold()


def _pieces(matcher: Any, new: list[str]) -> Iterator[Piece]:  # noqa: ANN401 - of words
    for deed, _, _, k, m in matcher.get_opcodes():
        says = "".join(new[k:m])
        if deed == "equal":
            yield Piece(says)
        elif says:
            yield Piece(says.rstrip(), "now")
            yield Piece(says[len(says.rstrip()) :])


def underlined(says: str, spec: Mapping[str, Any], paths: Iterable[str]) -> tuple[Piece, ...]:
    """A sentence with the words marked that its fields decide; whole where they aren’t found."""
    game = Description(spec)
    words = [word for path in paths for word in _deciding(game, path)]
    tried = "|".join(map(re.escape, sorted(dict.fromkeys(words), key=len, reverse=True)))
    parts = re.split(rf"(?<!\w)({tried})(?!\w)", says) if tried else [says]
    if not any(map(_LETTER.search, parts[1::2])):
        # A number alone is too small to be seen as something to tap.
        return (Piece(says, "can"),)
    marks = ("", "can")
    return tuple(Piece(part, marks[at % 2]) for at, part in enumerate(parts) if part)


def _deciding(game: Description, path: str) -> Iterator[str]:
    """The words of a sentence that the value of a field may be told by."""
    if path == PLAYERS:
        yield from map(str, game.players[:: len(game.players) - 1 or 1])
    if path not in BY_PATH:
        return
    value = game.get(path)
    if type(value) is int:
        yield from [Values(language()).number(value)] if value else []
    elif value is None or isinstance(value, bool | str):
        yield from filter(None, [_apart(path, named(value), language())])
    elif value:
        told = say_value(path, game.apart(value) if path in VALUES else value, game, language())
        yield from (told, capital(told))


@cache
def _apart(path: str, key: str, spoken: str) -> str:
    """Most of the words by which the sentence of a value differs from the one most like it."""
    section, _, name = path.partition(".")
    told = Catalogue.read(spoken, WORDS).tables["told"].get(section, {}).get(name)
    sentences = told if isinstance(told, dict) else {}
    plain = {
        each: _WORDS.findall(says["other"] if isinstance(says, dict) else says)
        for each, says in sentences.items()
    }
    if key not in plain or len(plain) == 1:
        return ""
    this = plain.pop(key)
    matchers = (SequenceMatcher(None, other, this, autojunk=False) for other in plain.values())
    nearest = max(matchers, key=SequenceMatcher.ratio)
    if nearest.ratio() < _ALIKE:
        return ""
    runs = ["".join(this[k:m]) for deed, _, _, k, m in nearest.get_opcodes() if deed != "equal"]
    return max((run.strip(" .,;:") for run in runs if "{" not in run), key=len, default="")
