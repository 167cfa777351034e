"""What a change says: the sentence of a path, and what is different in it."""

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, Final, NamedTuple

from referee import Variant
from referee.describing import (
    BARE,
    CHANGE,
    OF_SECTION,
    PLAYERS,
    SECTIONS,
    STEPS,
    Description,
    label,
    say,
    tell,
    told_of,
    told_of_table,
)
from webapp.services.own.naming import TITLES, title_of
from webapp.services.wording import capital, uncapital

_WORDS: Final = re.compile(r"\S+\s*")
_ALIKE: Final = 0.4
"""How much of two sentences must be the same for marking single words."""


class Piece(NamedTuple):
    """A part of a sentence."""

    says: str
    mark: str = ""
    """“was” for what is so no longer, “now” for what is so instead; else empty."""


def _for_players(spec: Mapping[str, Any]) -> str:
    """How many can play, in a sentence."""
    low, high = spec[PLAYERS]
    return f"For {low} players." if low == high else f"For {low} to {high} players."


def sentence_at(spec: Mapping[str, Any], path: str) -> str:
    """What a game says at a path; empty if it says nothing there."""
    if path == PLAYERS:
        return _for_players(spec)
    game = Description(spec)
    if path == STEPS:
        told = tell(game) if game.steps else {}
        return told.get("contracts") or told.get("steps", "")
    if not game.has(path.partition(".")[0]):
        return ""
    return _of_table(game, path) if path in SECTIONS else _of_field(game, path)


def _of_table(game: Description, path: str) -> str:
    if path in BARE:
        return told_of_table(path)
    fields = (told_of(game, field.path) for field in OF_SECTION[path])
    return next(filter(None, fields), f"{TITLES.get(path, capital(path))}.")


def _of_field(game: Description, path: str) -> str:
    value, told = game.get(path), told_of(game, path)
    if told or value in (None, [], {}):
        return told
    return f"{title_of(path)}: {say(path, value)}."


def say_house_rules(variant: Variant) -> Iterator[tuple[str, str]]:
    """Say which house rules of a game are different from its source: title and value in words."""
    by_name = {option.name: option for option in variant.options}
    for name, value in variant.chosen:
        option = by_name.get(name)
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
    if path == PLAYERS:
        return "Players", " to ".join(map(str, variant.players[:: len(variant.players) - 1 or 1]))
    if path == STEPS:
        lines = value if isinstance(value, list | tuple) else ()
        return "Rounds", " · ".join(map(_line, lines)) or "no list"
    if path in SECTIONS:
        return TITLES.get(path, capital(path)), "no" if value is None else "yes"
    told = label(path, value) if isinstance(value, str | bool) else ""
    return title_of(path), uncapital(told.rstrip(".")) or say(path, value)


def _line(step: object) -> str:
    if not isinstance(step, dict):
        return str(step)
    return str(step.get("contract") or step.get("deal", ""))


def gone_at(path: str) -> str:
    """What is said of a path at which a game says nothing any more."""
    title = TITLES.get(path) or title_of(path)
    return f"{title}: no longer."


def marked(was: str, now: str) -> tuple[Piece, ...]:
    """A sentence with its changed words marked; marked whole if most of it changed."""
    if was == now:
        return (Piece(now),)
    if not was:
        return (Piece(now, "now"),)
    old, new = _WORDS.findall(was), _WORDS.findall(now)
    matcher = SequenceMatcher(
        None, [w.strip() for w in old], [w.strip() for w in new], autojunk=False
    )
    if matcher.ratio() < _ALIKE:
        return (Piece(was, "was"), Piece(" "), Piece(now, "now"))
    return tuple(_pieces(matcher, old, new))


def _pieces(matcher: Any, old: list[str], new: list[str]) -> Iterator[Piece]:  # noqa: ANN401 - of words
    for deed, i, j, k, m in matcher.get_opcodes():
        if deed == "equal":
            yield Piece("".join(new[k:m]))
            continue
        for words, mark in ((old[i:j], "was"), (new[k:m], "now")):
            says = "".join(words)
            if says:
                yield Piece(says.rstrip(), mark)
                yield Piece(" ")
