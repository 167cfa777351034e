"""Tables of a shape of their own, a row for each line of them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from webapp.services.rulebook.parts import Bounds, Control, Step, Tap, Toggle, step, tap
from webapp.services.wording import capital
from webapp.speaking import say

Table: TypeAlias = Mapping[str, Any]
Part: TypeAlias = Step | Tap

_LIMITS: Final = ("naturals", "most", "adjacent", "outnumber")
_SHAPES: Final = ("one-rank", "one-suit", "one-run", "pairs", "melds")
_NEEDS: Final = ("run", "pure run", "set", "flush")
_OFTEN: Final = 1000
_MOST_BONUS: Final = 10_000
_OF_BONUSES: Final = {"wilds": 12, "unbroken": 30}
"""What else a meld with a bonus can say, with the most of it."""
_BONUSES: Final[Mapping[str, Mapping[str, object]]] = {
    "pure": {"cards": 7, "wilds": 0, "points": 500},
    "long": {"cards": 7, "points": 300},
}
"""Melds with a bonus that can be added."""
_TOTALS: Final = ("0", "1500", "3000", "5000", "7000")
"""Totals from which tables ask for more."""


def with_rows(path: str, title: str, value: Table, titles: Mapping[str, str]) -> Control:
    """The control for a table by its path: rows with numbers, chips, and what can be added.

    `titles` are what the prose of the game calls rows: "special.colour".
    """
    name = path.partition(".")[2]
    called = ((key, titles.get(f"{name}.{key}")) for key in value)
    value = {**value, **{key: {**value[key], "title": says} for key, says in called if says}}
    steps: list[Step] = []
    chips: list[Tap] = []
    more: list[Tap] = []
    for part in _ROWS[path](path, value):
        if isinstance(part, Step):
            steps.append(part)
        else:
            (chips if isinstance(part, Toggle) else more).append(part)
    words = tap(path) if path in _NAMED else ""
    return Control(
        path=path,
        title=title,
        steps=tuple(steps),
        chips=tuple(chips),
        more=tuple(more),
        adds=say("changing.more"),
        words=words,
    )


_NAMED: Final = frozenset({"clock.penalties", "pack.special", "score.fixed"})
"""Tables to which rows are added by a name."""


def _called(kind: str) -> str:
    """A kind of meld that a hand needs: "Runs", "Pure runs", "Runs of 4"."""
    name, _, size = kind.partition(" of ")
    melds = say("changing.melds", name.replace(" ", "-"))
    return say("changing.melds-of", melds=melds, size=size) if size else melds


def _times(path: str, value: Table) -> Iterator[Part]:
    for key in ("with", "without"):
        bounds = Bounds(value.get(key, 1), 0, _OFTEN, is_count=True)
        yield step(path, (key,), bounds, says=say("changing.times", key))


def _needs(path: str, value: Table) -> Iterator[Part]:
    for key, number in value.items():
        gone = tap(path, key, None)
        yield step(path, (key,), Bounds(number, 1, 6), says=_called(key), drop=gone)
    yield from (Tap(tap(path, key, 1), _called(key)) for key in _NEEDS if key not in value)


def _penalties(path: str, value: Table) -> Iterator[Part]:
    for key, number in value.items():
        gone = tap(path, key, None)
        yield step(
            path,
            (key,),
            Bounds(number, 0, 100),
            drop=gone,
            says=say("changing.penalty", name=key),
        )


def _limits(path: str, value: Table) -> Iterator[Part]:
    for key in _LIMITS:
        now, says = value.get(key), say("changing.limit", key)
        if key in {"adjacent", "outnumber"}:
            on = now is not False
            yield Toggle(tap(path, key, not on), says, on)
        elif now is None:
            yield Tap(tap(path, key, 1), say("changing.limit-add", key))
        else:
            gone = tap(path, key, None)
            yield step(path, (key,), Bounds(now, 0, 12), drop=gone, says=says)


def _special(path: str, value: Table) -> Iterator[Part]:
    for key, card in value.items():
        bounds = Bounds(card["count"], 1, 16)
        yield step(path, (key, "count"), bounds, says=card["name"], drop=tap(path, key, None))


def _fixed(path: str, value: Table) -> Iterator[Part]:
    for key, one in value.items():
        bounds = Bounds(one["points"], 0, _OFTEN)
        yield step(path, (key, "points"), bounds, says=one["title"], drop=tap(path, key, None))


def _hands(path: str, value: Table) -> Iterator[Part]:
    for key, one in value.items():
        title = one.get("title", capital(key.replace("-", " ")))
        says = say("changing.hand-times", one["is"], title=title)
        bounds = Bounds(one["times"], 0, _OFTEN, is_count=True)
        gone = tap(path, key, None)
        yield step(path, (key, "times"), bounds, drop=gone, says=says)
        bounds = Bounds(one.get("without", one["times"]), 0, _OFTEN, is_count=True)
        yield step(path, (key, "without"), bounds, says=say("changing.times", "without"))
        saved = one.get("protects", False)
        says = say("changing.hand-saves", title=title)
        yield Toggle(tap(path, key, "protects", not saved), says, saved)
    there = {one["is"] for one in value.values()}
    for shape in _SHAPES:
        if shape not in there:
            hand = {"is": shape, "times": 2, "title": say("changing.hand-called", shape)}
            yield Tap(tap(path, shape, hand), say("changing.hand-of", shape))


def _bonuses(path: str, value: Table) -> Iterator[Part]:
    for key, one in value.items():
        title = one.get("title", capital(key.replace("-", " ")))
        bounds = Bounds(one["points"], 1, _MOST_BONUS)
        says = say("changing.bonus-points", title=title)
        yield step(path, (key, "points"), bounds, drop=tap(path, key, None), says=says)
        says = say("changing.bonus-meld", "cards")
        yield step(path, (key, "cards"), Bounds(one["cards"], 1, 30), says=says)
        for limit, most in _OF_BONUSES.items():
            says = say("changing.bonus-meld", limit)
            if limit in one:
                gone = tap(path, key, limit, None)
                yield step(path, (key, limit), Bounds(one[limit], 0, most), drop=gone, says=says)
            else:
                first = 0 if limit == "wilds" else one["cards"]
                says = say("changing.bonus-add", limit, title=title)
                yield Tap(tap(path, key, limit, first), says)
    for key, one in _BONUSES.items():
        if key not in value:
            yield Tap(tap(path, key, one), say("changing.bonus-new", key))


def _by_total(path: str, value: Table) -> Iterator[Part]:
    for key, number in sorted(value.items(), key=lambda line: int(line[0])):
        says = say("changing.from-total", total=key.replace("-", "−"))
        yield step(path, (key,), Bounds(number, 0, _OFTEN), drop=tap(path, key, None), says=says)
    most = max(value.values(), default=20)
    for total in _TOTALS:
        if total not in value:
            yield Tap(tap(path, total, most + 30), say("changing.from-total-add", total=total))


_ROWS: Final[Mapping[str, Callable[[str, Table], Iterator[Part]]]] = {
    "hand.times": _times,
    "hand.needs": _needs,
    "opening.needs": _needs,
    "clock.penalties": _penalties,
    "wild.set": _limits,
    "wild.run": _limits,
    "pack.special": _special,
    "score.fixed": _fixed,
    "hand.special": _hands,
    "bonus.melds": _bonuses,
    "opening.by-total": _by_total,
}
