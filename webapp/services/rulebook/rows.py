"""Tables of a shape of their own, a row for each line of them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from webapp.services.rulebook.parts import Bounds, Control, Step, Tap, step, tap
from webapp.services.wording import capital

Table: TypeAlias = Mapping[str, Any]
Part: TypeAlias = Step | Tap

_OF_LIMITS: Final = {
    "naturals": "Natural cards, at least",
    "most": "Wilds, at most",
    "adjacent": "Wilds side by side",
    "outnumber": "More wilds than natural cards",
}
_SHAPES: Final = {
    "one-rank": "all of one rank",
    "one-suit": "all of one suit",
    "one-run": "one run",
    "pairs": "pairs",
    "melds": "all in melds",
}
_NEEDS: Final = ("run", "pure run", "set", "flush")
_OFTEN: Final = 1000


def with_rows(path: str, title: str, value: Table) -> Control:
    """The control for a table by its path: rows with numbers, chips, and what can be added."""
    steps: list[Step] = []
    chips: list[Tap] = []
    more: list[Tap] = []
    for part in _ROWS[path](path, value):
        if isinstance(part, Step):
            steps.append(part)
        else:
            is_chip = part.says in _OF_LIMITS.values() or part.says.endswith(_SAVES)
            (chips if is_chip and not part.sets.endswith(",1]") else more).append(part)
    words = tap(path) if path in _NAMED else ""
    return Control(
        path=path,
        title=title,
        steps=tuple(steps),
        chips=tuple(chips),
        more=tuple(more),
        words=words,
    )


_NAMED: Final = frozenset({"clock.penalties", "pack.special", "score.fixed"})
"""Tables to which rows are added by a name."""
_SAVES: Final = "saves a player from paying"


def _times(path: str, value: Table) -> Iterator[Part]:
    for key, says in (("with", "With a wild"), ("without", "Without a wild")):
        yield step(path, (key,), Bounds(value.get(key, 1), 0, _OFTEN), before=says, after="times")


def _needs(path: str, value: Table) -> Iterator[Part]:
    for key, number in value.items():
        gone = tap(path, key, None)
        yield step(path, (key,), Bounds(number, 1, 6), before=capital(f"{key}s"), drop=gone)
    yield from (Tap(tap(path, key, 1), capital(key)) for key in _NEEDS if key not in value)


def _penalties(path: str, value: Table) -> Iterator[Part]:
    for key, number in value.items():
        gone = tap(path, key, None)
        yield step(path, (key,), Bounds(number, 0, 100), before=key, after="cards", drop=gone)


def _limits(path: str, value: Table) -> Iterator[Part]:
    for key, says in _OF_LIMITS.items():
        now = value.get(key)
        if key in {"adjacent", "outnumber"}:
            on = now is not False
            yield Tap(tap(path, key, not on), says, on)
        elif now is None:
            yield Tap(tap(path, key, 1), says)
        else:
            gone = tap(path, key, None)
            yield step(path, (key,), Bounds(now, 0, 12), before=says, drop=gone)


def _special(path: str, value: Table) -> Iterator[Part]:
    for key, card in value.items():
        bounds = Bounds(card["count"], 1, 16)
        yield step(path, (key, "count"), bounds, before=card["name"], drop=tap(path, key, None))


def _fixed(path: str, value: Table) -> Iterator[Part]:
    for key, one in value.items():
        bounds = Bounds(one["points"], 0, _OFTEN)
        yield step(path, (key, "points"), bounds, before=one["title"], drop=tap(path, key, None))


def _hands(path: str, value: Table) -> Iterator[Part]:
    for key, one in value.items():
        title = one.get("title", capital(key.replace("-", " ")))
        says = f"{title} ({_SHAPES[one['is']]}) counts"
        bounds = Bounds(one["times"], 0, _OFTEN)
        gone = tap(path, key, None)
        yield step(path, (key, "times"), bounds, before=says, after="times", drop=gone)
        bounds = Bounds(one.get("without", one["times"]), 0, _OFTEN)
        yield step(path, (key, "without"), bounds, before="Without a wild", after="times")
        saved = one.get("protects", False)
        yield Tap(tap(path, key, "protects", not saved), f"{title} {_SAVES}", saved)
    there = {one["is"] for one in value.values()}
    for shape, says in _SHAPES.items():
        if shape not in there:
            yield Tap(tap(path, shape, {"is": shape, "times": 2}), f"A hand {says}")


_ROWS: Final[Mapping[str, Callable[[str, Table], Iterator[Part]]]] = {
    "hand.times": _times,
    "hand.needs": _needs,
    "clock.penalties": _penalties,
    "wild.set": _limits,
    "wild.run": _limits,
    "pack.special": _special,
    "score.fixed": _fixed,
    "hand.special": _hands,
}
