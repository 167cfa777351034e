"""Descriptions of games for tests: those there are, sketches of others, wrong ones."""

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from itertools import chain, combinations
from pathlib import Path
from typing import Any, Final

from referee import Variant
from referee.describing import BY_PATH, SCHEMA, build, kinds, value_at
from referee.faq import UNTOLD
from webapp._bootstrap import ROOT

GAMES: Final = ROOT / "referee" / "games"
SKETCHES: Final = ROOT / "tests" / "games" / "sketches"
"""Games that are described and not all ruled on."""
WRONG: Final = ROOT / "tests" / "games" / "wrong"
"""Descriptions with a mistake each, named after it."""
FAR_HOUSE: Final = ROOT / "tests" / "games" / "far-house.toml"
"""Rummy of the most surprising house rules: no game that comes with the referee."""

PAIRS = """
deal = {cards = 11}
teams = {size = {"2-3" = 1, "4" = 2, "5" = 1, "6" = 2}}
set = {without = ["3"]}
wild = {cards = ["2", "JK"], naturals = 2, most = 3, counts = "own"}
opening = {points = 15, by-total = {"0" = 50, "1500" = 90, "3000" = 120}, then-table = true}
layoff = {onto = "own"}
draw = {pile = "all"}
aside = {cards = ["red 3"], each = 100, all = 800, minus = "not-down"}
bonus.melds.natural = {cards = 7, wilds = 0, points = 500}
bonus.melds.mixed = {cards = 7, points = 300}
out = {dry = true, needs = {any = 1}}
[score]
hand = {"3-7" = 5, "8-K" = 10, "A" = 20, "2" = 20, "JK" = 50, "red 3" = 500}
table = {"3-7" = 5, "8-K" = 10, "A" = 20, "2" = 20, "JK" = 50}
settle = "table-less-hand"
out = 100
at-once = 2
[end]
total = 5000
leads = "highest"
"""
"""A game for pairs: melds with a bonus, cards laid open, first melds by the total."""


BARE: Final[Mapping[str, Any]] = {
    "schema": SCHEMA,
    "slug": "our-game",
    "players": [2, 4],
    "deal": {"cards": 7},
    "set": {},
    "run": {},
    "end": {"total": 100},
}
"""What games of a table's own have in common in tests of one rule."""


def rules_of(path: Path) -> dict[str, Any]:
    """The description in a file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def from_nothing() -> dict[str, Any]:
    """The plainest game: sets and runs laid down as one likes, until nobody wants another round."""
    return {
        "schema": SCHEMA,
        "slug": "own",
        "players": [2, 6],
        "pack": {"copies": 2, "jokers": 4},
        "deal": {"cards": 10},
        "set": {},
        "run": {},
        "wild": {"cards": ["JK"]},
        "free": {},
        "layoff": {},
        "score": {"hand": {"2-9": 5, "10-K": 10, "A": 15, "JK": 25}},
        "end": {"open": True},
        "text": {"name": "Our rummy"},
    }


def game(slug: str) -> dict[str, Any]:
    """A game that comes with the referee, with its prose but for what people ask."""
    rules, text = rules_of(GAMES / f"{slug}.toml"), rules_of(GAMES / f"{slug}.en.toml")
    text = {name: part for name, part in text.items() if name not in UNTOLD}
    return rules | {"text": text}


def clauses_of(text: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The clauses of a game's prose."""
    return [*text.get("clauses", ())]


def changed(slug: str, fields: Mapping[str, object]) -> Variant:
    """A game that comes with the referee, with some fields set otherwise, by path."""
    spec: dict[str, Any] = deepcopy({**game(slug), "examples": []})
    for path, value in fields.items():
        section, _, name = path.partition(".")
        spec[section] = {**spec.get(section, {}), name: value} if name else value
    return build(spec)


@cache
def every_slug() -> list[str]:
    """The games that come with the referee, those of points alone among them."""
    files = GAMES.glob("*.toml")
    return sorted(file.stem for file in files if "." not in file.stem and file.stem != "packs")


@cache
def slugs() -> list[str]:
    """The games that the referee knows more of than scores."""
    rules = ((slug, rules_of(GAMES / f"{slug}.toml")) for slug in every_slug())
    return [slug for slug, spec in rules if "points" not in spec]


def all_rules() -> list[dict[str, Any]]:
    """Every description that is sound, without its prose."""
    files = [GAMES / f"{slug}.toml" for slug in slugs()]
    return [rules_of(file) for file in (*files, *sorted(SKETCHES.glob("*.toml")))]


def costly_game() -> dict[str, Any]:
    """A game of your own in which cards can be laid off in very many ways.

    Eight packs, eight ranks wild, runs of two round the corner: seven lay-offs once took 4 s.
    """
    spec = game("kaluki")
    del spec["options"], spec["examples"]
    return spec | {
        "text": {"name": "Costly"},
        "pack": {"copies": 8, "jokers": 12},
        "wild": {"cards": ["6", "J", "A", "8", "9", "JK", "Q", "7"], "naturals": 0},
        "run": {"min": 2, "ace": "both", "around": True},
    }


def alternatives(spec: Mapping[str, Any], path: str) -> list[object]:
    """Values that a field can have, if these are few words, and what the description says now."""
    now = value_at(spec, path)
    match BY_PATH[path].kind:
        case kinds.Switch():
            found: list[object] = [True, False]
        case kinds.OneOf(words):
            found = [*words]
        case kinds.Whole(_, _, none, words):
            found = [*words, *((None,) if none else ())]
        case kinds.SomeOf(words):
            there = [word for word in words if word in spec or path != "wild.in"]
            found = [*map(list, chain.from_iterable(combinations(there, n) for n in (1, 2)))]
        case kinds.Named(known):
            found = [*known]
        case _:
            found = []
    return found if now in found else [*found, now]
