"""Change a description one field at a time, with everything that the change needs.

A patch maps paths to values; None takes away what is there. A path is that of a field ("run.ace"),
a table ("buy"), "players" or "steps". A patch keeps what was asked for even if no game comes of it:
`problems` says why, and `ways_out` finds the changes that would make it one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, groupby, islice
from operator import itemgetter
from typing import Any, Final, TypeAlias

from referee.describing.canonical import canonical
from referee.describing.checking import check_rules
from referee.describing.checking.unruled import unruled
from referee.describing.complaints import Complaint, Refused
from referee.describing.description import Description
from referee.describing.packs import JOKER, NamedCard
from referee.describing.patch import PLAYERS, patched, value_at
from referee.describing.schema import (
    ALWAYS,
    BY_PATH,
    ENDS,
    FIELDS,
    POINTS_ONLY,
    SECTIONS,
    STEPS,
    WAYS,
    Spec,
)
from referee.describing.schema.fields import GIVEN, Field
from referee.describing.schema.kinds import FACE, ByPlayers, Named, OneOf, SomeOf, Switch, Whole
from referee.describing.telling import matters
from referee.options import CHANGE

Patch: TypeAlias = Mapping[str, object]

_MOST_TRIED: Final = 80
_FEW_TRIED: Final = 24
"""The most changes to try for what a description doesn’t say."""
_MOST_CHANGES: Final = 5
_MOST_WAYS: Final = 3
_MOST_TOGETHER: Final = 3
"""Words of a list that are offered together."""
_JOKERS: Final = 4
_BY_PLAYERS: Final = ("pack.copies", "pack.jokers", "deal.cards", "teams.size")
_COSTS: Final = ("score.hand", "score.table")
"""Tables in which every card needs points."""
_JOKER_COSTS: Final = 25
_CHANGES_OTHERS: Final = frozenset({*WAYS, "score.settle", "end.leads", "pack.kind"})
"""What changes other rules with it, even if a game states them: the lowest total only wins where
points count against you.
"""
_STARTS: Final[Mapping[str, Mapping[str, object]]] = {
    "flush": {"min": 3},
    "wild": {"cards": ["JK"]},
    "opening": {"points": 30},
    "clock": {"seconds": 60},
    "bonus": {"melds": {"long": {"cards": 7, "points": 300}}},
    "aside": {"cards": ["red 3"]},
    "reserve": {"cards": 11},
}
"""What a table says at first, if some of it has to be given."""
_LADDER: Final = ["2 sets of 3", "1 set of 3 + 1 run of 4", "2 runs of 4"]
_NEAR: Final[Mapping[str, tuple[str, ...]]] = {
    "": (POINTS_ONLY, *WAYS, "set", "run", STEPS),
    STEPS: ("deal.cards", "run", "set", "contract", "free", "set.max", "run.ace", "set.suits"),
    "deal.cards": ("pack.copies", PLAYERS, STEPS),
    "deal.upcard": ("deal.upcard",),
    "end": (*ENDS, "contract.pace"),
    "end.leads": ("contract.pace", "end.eliminated", "score.settle"),
    "end.eliminated": ("end.leads",),
    "end.total": ("end.leads",),
    "end.tie": (STEPS,),
    "end.rounds": (STEPS,),
    "score.table": ("score.settle",),
    "score.settle": ("score.table", PLAYERS, "hand"),
    "score.wild": ("wild.cards",),
    "wild.cards": ("pack.jokers", "wild"),
    "wild.alone": ("wild.naturals",),
    "wild.in": ("set", "run", "flush"),
    "wild.when": ("contract",),
    "set.max": ("set.min",),
    "set.min": ("set.suits", "set.max"),
    "run.max": ("run.min",),
    "set.suits": ("pack.ignore-suits", "set.min"),
    "layoff.counted": ("layoff.onto",),
    "hand.spades-twice": ("hand.knock", "score.settle"),
    "rearrange.retrieval": ("pack.jokers",),
    "rearrange": ("rearrange.whose",),
    "buy": ("draw.pile",),
    "claim": ("claim",),
    "teams.size": (PLAYERS,),
    "bonus": ("score.settle",),
    "aside": ("score.settle",),
    "reserve": ("score.settle", "reserve.untaken"),
    "bonus.melds": ("score.settle", "wild.alone"),
    "aside.cards": ("score.settle",),
    "aside.minus": ("out.needs", "aside.minus"),
    "out.needs": ("bonus", "out.needs"),
    "draw.frozen": ("aside", "draw.frozen"),
    "set.last": ("set.without",),
}
"""Where else to look for a way out of a complaint: what its path depends on."""


def changed(spec: Spec, patch: Patch) -> dict[str, Any]:
    """The description with a patch; raises Refused if a path doesn't exist."""
    return patched(spec, {f"{CHANGE}{path}": value for path, value in patch.items()})


def problems(spec: Spec) -> tuple[Complaint, ...]:
    """What keeps a description from being a game that the referee rules on; empty if nothing."""
    try:
        return tuple(unruled(check_rules(spec)))
    except Refused as refused:
        return refused.complaints


def brought(before: Spec, now: Spec) -> dict[str, object]:
    """What a change leaves open that has one usual answer, as values by path.

    Jokers that became wild come into the deck, a card that has no points yet gets its face value,
    and numbers by how many play get one for players who have none. What `before` left open too
    stays open: it isn't this change that asks for it, and somebody may have undone the answer.
    """
    old, game = Description(before), Description(now)
    found: dict[str, object] = {}
    for path in _BY_PLAYERS:
        known = game.by_players(path) if game.has(path.partition(".")[0]) else {}
        if known and {*game.players} - {*known} - {*old.players}:
            found[path] = _for_all(game, path)
    if _wants_jokers(game) and not _wants_jokers(old):
        found["pack.jokers"] = _JOKERS
    game = Description(changed(now, found))
    for path in _COSTS:
        if _without_points(game, path) - _without_points(old, path):
            found[path] = _filled(game, path)
    return found


def _wants_jokers(game: Description) -> bool:
    """Whether jokers are wild, and there are none in the deck."""
    wild = game.get("wild.cards") if game.has("wild") else ()
    return JOKER in (wild or ()) and not game.most_jokers


def _without_points(game: Description, path: str) -> frozenset[NamedCard]:
    """The cards that lack a row in a table of what cards count, if the game has such a table."""
    words = game.get(path)
    costed = game.wild if game.get("score.wild") is not None and path == "score.hand" else {*()}
    return game.there - game.selected(path) - costed if words else frozenset()


def start_of(path: str, spec: Spec) -> object:
    """What a table or the list of rounds begins with when it's added to a description."""
    if path == "teams":
        return {"size": _two_teams(Description(spec).players)}
    return list(_LADDER) if path == STEPS else dict(_STARTS.get(path, {}))


def _two_teams(players: Iterable[int]) -> dict[str, int]:
    """Teams by how many play: two if they are as large, else everyone alone."""
    return _table_of({n: n // 2 if n % 2 == 0 and n > 2 else 1 for n in players})  # noqa: PLR2004 - two alone


def _table_of(numbers: Mapping[int, int]) -> dict[str, int]:
    """A number for each number of players as a description has them: "3-4"."""
    parts = [[n for n, _ in part] for _, part in groupby(numbers.items(), key=itemgetter(1))]
    return {f"{p[0]}-{p[-1]}" if p[1:] else str(p[0]): numbers[p[0]] for p in parts}


def _for_all(game: Description, path: str) -> dict[str, int]:
    """A table by players; where it has no number, it gets that of the nearest number of players."""
    known = game.by_players(path)
    return _table_of({n: known[min(known, key=lambda other: abs(other - n))] for n in game.players})


def put(spec: Spec, path: str, value: object) -> Patch:
    """The patch that gives a path this value, with what has to come with it.

    What the description left unsaid is filled in, and tables that make no sense any more go. What
    it does say is left alone: then the patch is only the change, and `problems` speaks.
    """
    patch: dict[str, object] = {path: value}
    if path in WAYS and value is not None:
        patch |= {way: None for way in WAYS if way != path and way in spec}
    if not problems(changed(spec, patch)):
        return patch
    brought = _search(spec, patch, gently=path not in _CHANGES_OTHERS)
    return brought[0] if brought else patch


def ways_out(spec: Spec, patch: Patch) -> tuple[Patch, ...]:
    """Patches that make a game of a description with a patch that keeps it from being one.

    They keep the last change if they can; undoing it is always the last of them.
    """
    if not problems(changed(spec, patch)):
        return ()
    undone = ({p: v for p, v in patch.items() if p != path} for path in reversed([*patch]))
    back = next((one for one in undone if not problems(changed(spec, one))), {})
    # Leaving out what was just added is the same as undoing it.
    without, found = changed(spec, back), _search(spec, patch, gently=False)
    others = [one for one in (*_nearest(spec, patch), *found) if changed(spec, one) != without]
    return (*others[: _MOST_WAYS - 1], back)


def _nearest(spec: Spec, patch: Patch) -> Iterator[Patch]:
    """The last change with the nearest number that makes a game."""
    path, value = [*patch.items()][-1]
    if path in BY_PATH and type(value) is int:
        others = ({**patch, path: near} for near in _answers(changed(spec, patch), path))
        yield from islice((one for one in others if not problems(changed(spec, one))), 1)


def _search(spec: Spec, patch: Patch, *, gently: bool) -> list[Patch]:
    """Patches with one change more, or two or three, after which nothing is wrong."""
    found: list[Patch] = []
    tried, most = 0, _FEW_TRIED if gently else _MOST_TRIED
    level: list[Patch] = [patch]
    for _ in range(_MOST_CHANGES):
        following: list[tuple[int, Patch]] = []
        for here in level:
            now = changed(spec, here)
            complaints = problems(now)
            for path, value in _candidates(now, complaints):
                said = path in here or (path in ENDS and {*ENDS} & {*here})
                # A table that goes would take the change with it.
                said = said or any(each.startswith(f"{path}.") for each in here)
                if said or tried > most or (gently and not _is_unsaid(now, path, value)):
                    continue
                tried += 1
                more = {**here, path: value}
                left = problems(changed(spec, more))
                if not left:
                    found.append(more)
                elif not {complaints[0]} & {*left}:
                    following.append((len(left), more))
        if found:
            return sorted(found, key=lambda one: _far(spec, one))
        level = [more for _, more in sorted(following, key=lambda pair: pair[0])[:2]]
    return found


def _is_unsaid(spec: Spec, path: str, value: object) -> bool:
    """Whether a change says what was left open, and so takes nothing back."""
    if path in {"score.hand", "score.table"} and isinstance(value, dict):
        return {*(value_at(spec, path) or {})} <= {*value}
    if path in BY_PATH:
        section, _, name = path.partition(".")
        # A table by players keeps its numbers, and gets those it lacks.
        return name not in spec.get(section, {}) or (
            isinstance(BY_PATH[path].kind, ByPlayers) and isinstance(value, dict)
        )
    return path in SECTIONS and path not in WAYS


def _far(spec: Spec, patch: Patch) -> int:
    """How far a patch is from the description, so that near ways out come first."""

    def step(path: str, value: object) -> int:
        before = value_at(spec, path)
        if type(value) is int and type(before) is int:
            return abs(value - before)
        return 2 if path in BY_PATH else 4

    return sum(step(path, value) for path, value in patch.items())


def _candidates(spec: Spec, complaints: Sequence[Complaint]) -> Iterator[tuple[str, object]]:
    """Changes that could answer the first complaint."""
    at = complaints[0].path
    root = at.partition(",")[0]
    root = ".".join(root.split(".")[:2])
    if ", line " in at:
        # If one round takes too many cards, those after it often do, too.
        wrong = {each.path for each in complaints}
        lines = enumerate(spec[STEPS], 1)
        yield STEPS, [one for line, one in lines if f"{STEPS}, line {line}" not in wrong] or None
    for path in dict.fromkeys([root, *_NEAR.get(root, ())]):
        if path in BY_PATH:
            if path.partition(".")[0] in spec or value_at(spec, path) is not None:
                yield from ((path, value) for value in _answers(spec, path))
        elif path == STEPS:
            # Replacing a table’s rounds with our usual ones would read as leaving some out.
            yield STEPS, None if spec.get(STEPS) else start_of(STEPS, spec)
        elif path == PLAYERS and PLAYERS in spec:
            low, high = spec[PLAYERS]
            yield from ((PLAYERS, [min(low, most), most]) for most in range(high - 1, 1, -1))
        elif path in SECTIONS and path not in {*ALWAYS, "score"}:
            yield path, (None if path in spec else start_of(path, spec))


def _answers(spec: Spec, path: str) -> Iterator[object]:
    """Values of a field that could answer a complaint: all of few, the missing of a table."""
    now, kind = value_at(spec, path), BY_PATH[path].kind
    if path in {"score.hand", "score.table"}:
        yield _filled(Description(spec), path)
    if path == "pack.jokers" and not now:
        yield _JOKERS
        return
    if path == "wild.in":
        yield [one for one in ("set", "run", "flush") if one in spec]
    match kind:
        case ByPlayers(low, high) if isinstance(now, dict):
            yield _for_all(Description(spec), path)
            yield from range(low, min(high, 8) + 1)
        case Whole(low, high):
            first = now if type(now) is int else low
            yield from sorted(
                range(low, min(high, max(first, low) + 40) + 1), key=lambda n: abs(n - first)
            )
            yield -first
        case _:
            yield from alternatives(spec, path)
    if BY_PATH[path].default is not GIVEN:
        yield None


def _filled(game: Description, path: str) -> dict[str, object]:
    """A table of values with a row for each card that has none."""
    table: dict[str, object] = dict(game.get(path) or game.get("score.hand") or {})
    table = {word: points for word, points in table.items() if game.pack.select(word)}
    said = {card for word in table for card in game.pack.select(word)}
    for card in sorted(game.there - said, key=str):
        table[card.rank] = FACE if card.suit else _JOKER_COSTS
    return table


def alternatives(spec: Spec, path: str) -> tuple[object, ...]:
    """The values that a field is offered, if these are few, with what the description says now."""
    field, now = BY_PATH[path], value_at(spec, path)
    found = [*_offered(field, spec)]
    if now not in found:
        found.append(now)
    kept = {
        canonical(value): value for value in found if value is None or not field.kind.problem(value)
    }
    values = [*kept.values()]
    if isinstance(field.kind, Whole | ByPlayers):
        values.sort(key=lambda v: (type(v) is not int, v if type(v) is int else 0))
    return tuple(values)


def _offered(field: Field, spec: Spec) -> Iterator[object]:
    match field.kind:
        case Switch():
            yield from (True, False)
        case OneOf(words):
            yield from words
        case Whole(_, _, none, words):
            yield from words
            yield from (None,) if none else ()
        case SomeOf(words):
            there = [word for word in words if word in spec or field.path != "wild.in"]
            sizes = range(1, min(len(there), _MOST_TOGETHER) + 1)
            yield from map(list, chain.from_iterable(combinations(there, n) for n in sizes))
        case Named(known):
            yield from known


def silent(spec: Spec, told: frozenset[str]) -> tuple[str, ...]:
    """The paths that nothing in a book speaks for: fields, and tables that could be added.

    `told` are the paths that sentences of the book speak for.
    """
    game = Description(spec)
    fields = [f.path for f in FIELDS if f.path not in told and matters(game, f.path)]
    tables = [name for name in dict.fromkeys(f.section for f in FIELDS) if not game.has(name)]
    bare = [name for name in sorted(SECTIONS - {*tables}) if not game.has(name)]
    return (*fields, *tables, *bare)
