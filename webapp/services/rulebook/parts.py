"""The parts of a control: things to tap, numbers to step, rounds of a list.

A tap says what it sets as JSON (`changes.read_tap`), so that one form field does for all of them.
"""

import json
from dataclasses import dataclass
from typing import NamedTuple

from referee.describing import VALUES
from webapp.speaking import say


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A number with a button on either side."""

    title: str
    """What is counted, for those who hear it."""
    at: str = ""
    """Where a number that is typed goes: a tap without its last part; empty if none is typed."""
    says: str = ""
    """What the number is about: a sentence with "…" for it, or what stands before it."""
    text: str = ""
    less: str = ""
    more: str = ""
    usual: tuple[Tap, ...] = ()
    drop: str = ""
    """What takes the row out; empty if it stays."""
    face: str = ""
    """The card that it is about, as it is drawn."""

    @property
    def before(self) -> str:
        """What is written before the number."""
        return self.says.partition("…")[0].strip()

    @property
    def after(self) -> str:
        """What is written after the number."""
        return self.says.partition("…")[2].strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round of a list: its melds, each with a number, and what else it has."""

    number: int
    says: str
    drawn: tuple[tuple[str, int], ...]
    """Its melds: a kind and a size each."""
    opened: bool
    steps: tuple[Step, ...]
    taps: tuple[Tap, ...]
    drop: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """How one field is changed."""

    path: str
    title: str
    sentences: tuple[Tap, ...] = ()
    """One of these is so."""
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
    more: tuple[Tap, ...] = ()
    """What can be added to it, or put in its place."""
    words: str = ""
    """Where a name that is typed adds a row; empty if none can."""

    @property
    def id(self) -> str:
        """What it is called on the page."""
        return f"f-{self.path.replace('.', '-')}"

    @property
    def adds(self) -> str:
        """What `more` is called."""
        return say("changing.more", "card" if self.path in VALUES else "")

    @property
    def taps(self) -> tuple[str, ...]:
        """Everything that can be tapped here."""
        one = (*self.sentences, *self.chips, *self.keys, *self.suits, *self.more)
        steps = [*self.steps, *(step for each in self.rounds for step in each.steps)]
        found = [each.sets for each in one]
        found += [sets for step in steps for sets in (step.less, step.more, step.drop)]
        found += [each.sets for step in steps for each in step.usual]
        found += [each.sets for round_ in self.rounds for each in round_.taps]
        found += [round_.drop for round_ in self.rounds]
        return tuple(filter(None, found))


def tap(path: str, *way: object) -> str:
    """What a tap sets, as it is written."""
    return json.dumps([path, *way], ensure_ascii=False, separators=(",", ":"))


def step(
    path: str, way: tuple[str | int, ...], bounds: Bounds, **says: str | tuple[Tap, ...]
) -> Step:
    """A number at the end of a way into the value of a path."""
    number, low, high = bounds
    now = number if type(number) is int else None
    first = max(low, min(high, 0))
    lesser = max(low, min(high, now - 1)) if now is not None else None
    greater = max(low, min(high, now + 1)) if now is not None else first
    said = {"title": " ".join(str(says.get("says", path)).replace("…", " ").split()), **says}
    return Step(
        at=tap(path, *way),
        text="" if now is None else str(now).replace("-", "−"),
        less=tap(path, *way, lesser) if lesser not in {None, now} else "",
        more=tap(path, *way, greater) if greater != now else "",
        **said,  # type: ignore[arg-type]  # by the names of its fields
    )
