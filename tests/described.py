"""Descriptions of games for tests: those there are, sketches of others, wrong ones, bent ones."""

import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, Final

from referee import Variant
from referee.describing import build
from webapp._bootstrap import ROOT

GAMES: Final = ROOT / "referee" / "games"
SKETCHES: Final = ROOT / "tests" / "games" / "sketches"
"""Games that are described and not all ruled on."""
WRONG: Final = ROOT / "tests" / "games" / "wrong"
"""Descriptions with a mistake each, named after it."""
FAR_HOUSE: Final = ROOT / "tests" / "games" / "far-house.toml"
"""Rummy of the most surprising house rules: no game that comes with the referee."""
ODD: Final[tuple[Any, ...]] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        3,
        10**9,
        2.5,
        "",
        "x",
        "JK",
        "face",
        "2-",
        "-",
        "A-A",
        "turned",
    ),
    *("2 sets of 3", [], ["JK"], [[]], [1, 2], {}, {"a": 1}, {"2-6": 2}, {"A": "face"}, {"": {}}),
    *("ä" * 300, "\ud800", [{}], {"x": {"x": {"x": {"x": {"x": {"x": {"x": {"x": {}}}}}}}}}),
)


def rules_of(path: Path) -> dict[str, Any]:
    """The description in a file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def game(slug: str) -> dict[str, Any]:
    """A game that comes with the referee, with its prose."""
    rules = rules_of(GAMES / f"{slug}.toml")
    return rules | {"text": rules_of(GAMES / f"{slug}.en.toml")}


def clauses_of(text: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The clauses of a game's prose, under a heading or not."""
    parts = [*text.get("sections", ()), {"clauses": text.get("clauses", ())}]
    return [clause for part in parts for clause in part["clauses"]]


def changed(slug: str, fields: Mapping[str, object]) -> Variant:
    """A game that comes with the referee, with some fields set otherwise, by path."""
    spec: dict[str, Any] = deepcopy({**game(slug), "examples": []})
    for path, value in fields.items():
        section, _, name = path.partition(".")
        spec[section] = {**spec.get(section, {}), name: value} if name else value
    return build(spec)


def every_slug() -> list[str]:
    """The games that come with the referee, those of points alone among them."""
    files = GAMES.glob("*.toml")
    return sorted(file.stem for file in files if "." not in file.stem and file.stem != "packs")


def slugs() -> list[str]:
    """The games that the referee knows more of than scores."""
    rules = ((slug, rules_of(GAMES / f"{slug}.toml")) for slug in every_slug())
    return [slug for slug, spec in rules if "points" not in spec]


def all_rules() -> list[dict[str, Any]]:
    """Every description that is sound, without its prose."""
    files = [GAMES / f"{slug}.toml" for slug in slugs()]
    return [rules_of(file) for file in (*files, *sorted(SKETCHES.glob("*.toml")))]


def bent(seed: int) -> Iterator[dict[str, Any]]:
    """Descriptions with a thing or two changed: taken out, made odd, or another game's."""
    chance = Random(seed)
    sound = all_rules()
    while True:
        spec = deepcopy(chance.choice(sound))
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            _bend(spec, sound, chance)
        yield spec


def _bend(spec: dict[str, Any], sound: list[dict[str, Any]], chance: Random) -> None:
    places = [place for place in _places(spec) if place]
    if not places:
        return
    place = chance.choice(places)
    *way, last = place
    here: Any = _at(spec, way)
    kind = chance.random()
    if kind < 0.2:
        del here[last]
    elif kind < 0.8:
        here[last] = deepcopy(chance.choice(ODD))
    else:
        other = chance.choice(sound)
        here[last] = deepcopy(_at(other, chance.choice(list(_places(other)))))


def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield way
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in keys:
        yield from _places(value[key], (*way, key))


def _at(value: Any, way: Any) -> Any:
    for key in way:
        value = value[key]
    return value


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
