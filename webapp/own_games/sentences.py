"""The sentences of rules that were changed: the sentence for a path, and what differs in it."""

import json
from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from referee import Variant
from referee.describing import (
    CHANGE,
    PLAYERS,
    SECTIONS,
    STEPS,
    UNCHECKED,
    Description,
    Values,
    kinds,
    label,
)
from referee.describing import say as say_value
from webapp.language import language, say
from webapp.own_games.names import title_of, usual
from webapp.text.formatting import capital, uncapital

_REMEMBERED: Final = 2048
"""The most sentences of values that are cached."""
_MOST_USUAL: Final = 4
"""The most rules suggested for a chapter."""


def label_in(spec: Mapping[str, Any], path: str, value: Hashable) -> str:
    """Return the sentence of a field’s value in a game’s own words; empty if it has none."""
    pack, nouns = Description(spec).get("pack.kind"), spec.get("text", {}).get("nouns", {})
    return _label(path, value, pack, language(), json.dumps(nouns))


@lru_cache(maxsize=_REMEMBERED, typed=True)
def _label(path: str, value: Hashable, pack: str, spoken: str, nouns: str) -> str:
    """Return the sentence for `label_in`, cached: a page has dozens, and each takes a while.

    `pack` is the kind of pack, `spoken` the language, and `nouns` are the game’s words as JSON.
    """
    return label(path, value, pack, spoken, json.loads(nouns))


def usual_rules(spec: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    """Yield rules that tables often play and that no field has, to suggest for a chapter.

    `path` is the field for the chapter’s rules in your own words. Each rule comes with the value
    that the field has once the rule is added.
    """
    game, chapter = Description(spec), path.removeprefix(f"{UNCHECKED}.")
    lacks = {
        "turn": game.no_discard_pile,
        "turn-4": game.get("draw.pile") != "all" or not game.has("teams"),
        "deal-2": game.get("end.leads") != "lowest",
        "down": game.way == "hand",
        "score": game.way == "hand",
    }
    if not path or game.has_tiles or lacks.get(chapter):
        return
    text = game.get(path) or ""
    for number in range(1, _MOST_USUAL + 1):
        says = say("changing.written", f"{chapter}-{number}")
        whole = f"{text} {says}".strip()
        if lacks.get(f"{chapter}-{number}"):
            continue
        if says and says not in text and len(whole) <= kinds.LONGEST_TEXT:
            yield says, whole


def say_house_rules(variant: Variant) -> Iterator[tuple[str, str]]:
    """Yield the house rules of a game that differ from its source: title and value in words."""
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
            # A game from before, with an option that today’s rules no longer have.
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
    """Return a contract as a list of rounds shows it, in the language of the page: "2 sets of 3".

    `nouns` are the game’s own words.
    """
    values = Values(language())
    values.nouns = nouns
    try:
        return values.contract(contract)
    except (LookupError, ValueError):  # It came in an address, and isn’t a contract.
        return contract


def _line(step: object, nouns: Mapping[str, object]) -> str:
    said = step if isinstance(step, dict) else {"contract": step}
    contract = said.get("contract", said.get("deal", ""))
    return say_contract(contract, nouns) if isinstance(contract, str) else str(contract)
