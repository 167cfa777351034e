"""The parts of a control: things to tap, numbers to step, rounds of a list.

A tap says what it sets as JSON (`changes.read_tap`), so that one form field does for all of them.
"""

import json
from dataclasses import dataclass
from typing import Final, NamedTuple

NUMBER: Final = "…"
"""A number in a sentence."""
_POINTS: Final = 100
"""A number that can go this high is points or seconds, and doesn’t count things."""
_STRIDES: Final = ((10, 1), (30, 5), (100, 10), (250, 25), (1000, 50), (5000, 100), (10**6, 500))
"""By how much points go up and down at most while they are below a number."""


@dataclass(frozen=True, slots=True)
class Tap:
    """One thing to tap: what it sets, and what it says."""

    sets: str
    says: str
    on: bool = False


@dataclass(frozen=True, slots=True)
class Toggle(Tap):
    """A tap that turns something on or off, beside others that add something."""


class Bounds(NamedTuple):
    """A number as it is, and how low and high it can go."""

    now: object
    low: int
    high: int
    is_count: bool = False
    """Whether it counts things, and so goes up by 1 however high it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A number with a button on either side."""

    title: str
    """What is counted, for those who hear it."""
    at: str
    """Where a number that is typed goes: a tap without its last part."""
    says: str = ""
    """What the number is about: a sentence with "…" for it, or what stands before it."""
    text: str = ""
    less: str = ""
    more: str = ""
    by: tuple[int, int] = (1, 1)
    """How much less and more."""
    usual: tuple[Tap, ...] = ()
    drop: str = ""
    """What takes the row out; empty if it stays."""
    face: str = ""
    """The cards that it is about, as they are drawn."""
    rank: int = 0
    """The place of their first rank, from 1; 0 if they aren’t chosen by rank."""
    keys: tuple[Tap, ...] = ()
    """Ranks, each among these cards or not, if they are open to be chosen."""

    @property
    def before(self) -> str:
        """What is written before the number."""
        return self.says.partition("…")[0].strip()

    @property
    def after(self) -> str:
        """What is written after the number, without what ends a sentence there."""
        return self.says.partition("…")[2].strip().lstrip(".,;: ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round of a list: its melds, each with a number, and what else it has."""

    number: int
    says: str
    drawn: tuple[tuple[str, int], ...]
    """Its melds: a kind and a size each."""
    opened: bool
    steps: tuple[Step, ...]
    melds: tuple[Tap, ...]
    """What it could ask for instead."""
    taps: tuple[Tap, ...]
    drop: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """How one field is changed."""

    path: str
    title: str
    sentences: tuple[Tap, ...] = ()
    """One of these is so."""
    arguments: tuple[Step, ...] = ()
    """The numbers of the sentence that is chosen."""
    steps: tuple[Step, ...] = ()
    chips: tuple[Tap, ...] = ()
    """Each is on or off."""
    keys: tuple[Tap, ...] = ()
    """Cards, each on or off."""
    suits: tuple[Tap, ...] = ()
    """Which suits of a rank."""
    rank: str = ""
    """That rank."""
    rounds: tuple[Round, ...] = ()
    another: str = ""
    """What adds one more round, like the last."""
    more: tuple[Tap, ...] = ()
    """What can be added to it, or put in its place."""
    adds: str = ""
    """What `more` is called."""
    words: str = ""
    """Where a name that is typed adds a row; empty if none can."""
    writes: str = ""
    """Where a rule in the table’s own words goes; empty if it takes none."""
    text: str = ""
    """Those words."""

    @property
    def id(self) -> str:
        """What it is called on the page."""
        return f"f-{self.path.replace('.', '-')}"

    @property
    def needs_title(self) -> bool:
        """Whether nothing in it says what its number is about."""
        return any(step.says == NUMBER for step in self.steps)

    @property
    def is_sentence(self) -> bool:
        """Whether its number is in a sentence, which says what it’s about."""
        return len(self.steps) == 1 and bool(self.steps[0].before and NUMBER in self.steps[0].says)

    @property
    def taps(self) -> tuple[str, ...]:
        """Everything that can be tapped here."""
        one = (*self.sentences, *self.chips, *self.keys, *self.suits, *self.more)
        steps = [
            *self.steps,
            *self.arguments,
            *(step for each in self.rounds for step in each.steps),
        ]
        found = [each.sets for each in one]
        found += [sets for step in steps for sets in (step.less, step.more, step.drop)]
        found += [each.sets for step in steps for each in (*step.usual, *step.keys)]
        found += [each.sets for round_ in self.rounds for each in (*round_.melds, *round_.taps)]
        found += [self.another, *(round_.drop for round_ in self.rounds)]
        return tuple(filter(None, found))


def tap(path: str, *way: object) -> str:
    """What a tap sets, as it is written."""
    return json.dumps([path, *way], ensure_ascii=False, separators=(",", ":"))


def step(
    path: str, way: tuple[str | int, ...], bounds: Bounds, **says: str | int | tuple[Tap, ...]
) -> Step:
    """A number at the end of a way into the value of a path."""
    number, low, high, is_count = bounds
    now = number if type(number) is int else None
    first = max(low, min(high, 0))
    down, up = strides(now or 0) if high >= _POINTS and not is_count else (1, 1)
    lesser = max(low, min(high, now - down)) if now is not None else None
    greater = max(low, min(high, now + up)) if now is not None else first
    said = {"title": " ".join(str(says.get("says", path)).replace("…", " ").split()), **says}
    return Step(
        at=tap(path, *way),
        text="" if now is None else str(now).replace("-", "−"),
        less=tap(path, *way, lesser) if lesser not in {None, now} else "",
        more=tap(path, *way, greater) if greater != now else "",
        by=(now - lesser, greater - now) if now is not None and lesser is not None else (1, 1),
        **said,  # type: ignore[arg-type]  # by the names of its fields
    )


def strides(now: int) -> tuple[int, int]:
    """How many points a number goes down and up by, from one round number to the next.

    The way back from a number is as long as the way there: from 100 to 125, and to 100 again.
    """

    def stride(magnitude: int) -> int:
        most = next(by for below, by in _STRIDES if magnitude < below)
        return max(by for _, by in _STRIDES if by <= most and now % by == 0)

    return stride(now - 1 if now > 0 else -now), stride(now if now >= 0 else -now - 1)
