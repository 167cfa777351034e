"""Changes to a description, one field at a time.

A patch maps paths to values; None removes what is there. A path is that of a field ("run.ace"), a
table ("buy"), "players" or "steps". The result may not be a game: `problems` says why.
"""

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, TypeAlias

from referee.describing.checking import check_rules
from referee.describing.checking.unruled import unruled
from referee.describing.complaints import Complaint, Refused
from referee.describing.description import Description
from referee.describing.packs import JOKER, NamedCard
from referee.describing.patch import PLAYERS, patched
from referee.describing.schema import (
    FIELDS,
    SECTIONS,
    STEPS,
    Spec,
)
from referee.describing.schema.kinds import FACE
from referee.describing.sentences import matters
from referee.options import CHANGE

Patch: TypeAlias = Mapping[str, object]

_JOKERS: Final = 4
_BY_PLAYERS: Final = ("pack.copies", "pack.jokers", "deal.cards", "teams.size")
_COSTS: Final = ("score.hand", "score.table")
"""Tables in which every card needs points."""
_JOKER_COSTS: Final = 25
_STARTS: Final[Mapping[str, Mapping[str, object]]] = {
    "flush": {"min": 3},
    "wild": {"cards": ["JK"]},
    "opening": {"points": 30},
    "clock": {"seconds": 60},
    "bonus": {"melds": {"long": {"cards": 7, "points": 300}}},
    "aside": {"cards": ["red 3"]},
    "reserve": {"cards": 11},
}
"""The first value of a table, if some of its fields are required."""
_LADDER: Final = ["2 sets of 3", "1 set of 3 + 1 run of 4", "2 runs of 4"]
_RESTS_ON: Final[Mapping[str, tuple[str, ...]]] = {
    "deal.cards": ("pack.copies", PLAYERS),
    "wild.cards": ("pack.jokers",),
    "wild.alone": ("wild.naturals",),
    "teams.size": (PLAYERS,),
}
"""Other paths where a complaint about a path can be solved, nearest first.

A complaint names one path, and usually the problem can be solved there. If there are too few cards,
jokers or players, that would undo the change that was just made, so the row that adds more of them
opens instead. A table of everything that each path depends on was tried: its other rows led away
from the solution.
"""


def changed(spec: Spec, patch: Patch) -> dict[str, Any]:
    """Return the description with a patch (values by path) applied.

    Setting a path clears those that it excludes, as `end.rounds` clears `end.total`; setting
    `players` drops what is for other numbers of players. Raise Refused if a path doesn’t exist, or
    if a table is set to anything but a table or None.

    >>> from referee import variants
    >>> from referee.describing import changed
    >>> spec = changed(variants.description_of("gin-rummy"), {"run.min": 4})
    >>> spec["run"]["min"]
    4
    """
    return patched(spec, {f"{CHANGE}{path}": value for path, value in patch.items()})


def problems(spec: Spec) -> tuple[Complaint, ...]:
    """Return the reasons why a description isn’t a game that the referee can rule on.

    The result is empty if there are none; this never raises Refused.

    >>> from referee import variants
    >>> from referee.describing import changed, problems
    >>> spec = variants.description_of("gin-rummy")
    >>> problems(spec), problems(changed(spec, {"run.min": 40}))[0].path
    ((), 'run.min')
    """
    try:
        return tuple(unruled(check_rules(spec)))
    except Refused as refused:
        return refused.complaints


def brought(before: Spec, now: Spec) -> dict[str, object]:
    """Return what else usually has to change after a change, as values by path.

    `before` and `now` are the description before the change and after it.

    If jokers became wild, they are put into the pack; a card without points gets its face value;
    and numbers by how many play are completed for new numbers of players. Anything that was already
    missing in `before` stays so: this change doesn’t need it, and somebody may have undone it.

    >>> from referee import variants
    >>> from referee.describing import brought, changed
    >>> spec = variants.description_of("gin-rummy")
    >>> brought(spec, changed(spec, {"wild": {"cards": ["JK"]}}))["pack.jokers"]
    4
    """
    old, game = Description(before), Description(now)
    found: dict[str, object] = {}
    for path in _BY_PLAYERS:
        known = game.by_players(path) if game.has(path.partition(".")[0]) else {}
        if known and {*game.players} - {*known} - {*old.players}:
            found[path] = _for_all(game, path)
    # Somebody who takes the jokers out of the deck means it. If jokers are wild, it’s a conflict.
    if _jokers_are_wild(game) and not _jokers_are_wild(old) and not game.most_jokers:
        found["pack.jokers"] = _JOKERS
    game = Description(changed(now, found))
    for path in _COSTS:
        if _without_points(game, path) - _without_points(old, path):
            found[path] = _filled(game, path)
    return found


def _jokers_are_wild(game: Description) -> bool:
    wild = game.get("wild.cards") if game.has("wild") else ()
    return JOKER in (wild or ())


def _without_points(game: Description, path: str) -> frozenset[NamedCard]:
    """Return the cards without a row in a table of points, if the game has that table."""
    words = game.get(path)
    costed = game.wild if game.get("score.wild") is not None and path == "score.hand" else {*()}
    return game.there - game.selected(path) - costed if words else frozenset()


def rests_on(path: str) -> tuple[str, ...]:
    """Return other paths where a complaint about a path can be solved, nearest first.

    >>> from referee.describing import rests_on
    >>> rests_on("wild.cards")
    ('pack.jokers',)
    """
    return _RESTS_ON.get(path, ())


def start_of(path: str, spec: Spec) -> object:
    """Return the value that a table, or the list of rounds, has when it is added to a description.

    >>> from referee import variants
    >>> from referee.describing import start_of
    >>> start_of("flush", variants.description_of("gin-rummy"))
    {'min': 3}
    """
    if path == "teams":
        return {"size": _two_teams(Description(spec).players)}
    return list(_LADDER) if path == STEPS else dict(_STARTS.get(path, {}))


def _two_teams(players: Iterable[int]) -> dict[str, int]:
    """Return team sizes by how many play: 2 equal teams if possible, else everyone alone."""
    return _table_of({n: n // 2 if n % 2 == 0 and n > 2 else 1 for n in players})  # noqa: PLR2004 - two alone


def _table_of(numbers: Mapping[int, int]) -> dict[str, int]:
    """Return numbers by how many play as a description has them: "3-4"."""
    parts = [[n for n, _ in part] for _, part in groupby(numbers.items(), key=itemgetter(1))]
    return {f"{p[0]}-{p[-1]}" if p[1:] else str(p[0]): numbers[p[0]] for p in parts}


def _for_all(game: Description, path: str) -> dict[str, int]:
    """Return a table by players, completed with the number for the nearest number of players."""
    known = game.by_players(path)
    return _table_of({n: known[min(known, key=lambda other: abs(other - n))] for n in game.players})


def _filled(game: Description, path: str) -> dict[str, object]:
    """Return a table of points with a row added for each card that has none."""
    table: dict[str, object] = dict(game.get(path) or game.get("score.hand") or {})
    table = {word: points for word, points in table.items() if game.pack.select(word)}
    said = {card for word in table for card in game.pack.select(word)}
    for card in sorted(game.there - said, key=str):
        table[card.rank] = FACE if card.suit else _JOKER_COSTS
    return table


def silent(spec: Spec, told: frozenset[str]) -> tuple[str, ...]:
    """Return the paths that no sentence of a book is about: fields, and tables that could be added.

    `told` has the paths that sentences of the book are about.

    >>> from referee import variants
    >>> from referee.describing import silent
    >>> silent(variants.description_of("gin-rummy"), frozenset())[0]
    'pack.kind'
    """
    game = Description(spec)
    fields = [f.path for f in FIELDS if f.path not in told and matters(game, f.path)]
    tables = [name for name in dict.fromkeys(f.section for f in FIELDS) if not game.has(name)]
    bare = [name for name in sorted(SECTIONS - {*tables}) if not game.has(name)]
    return (*fields, *tables, *bare)
