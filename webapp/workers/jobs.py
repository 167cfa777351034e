"""Tasks: costly work, as values that can be sent to another process.

A game consists of functions, which can’t be sent; its name and house rules can. A process that
solves tasks only needs the referee, or what draws a picture.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, TypeVar

from referee import (
    Cards,
    Example,
    ForTheTableError,
    Moment,
    MomentError,
    OptionError,
    Play,
    Reading,
    Ruling,
    ShowMeld,
    Variant,
    rule_on,
    variants,
)
from referee.advice import Advice, advise, no_advice
from referee.describing import build, try_house_rules
from referee.faq import asked_about
from referee.saying import LANGUAGES
from referee.variants import UnknownVariantError

FEW: Final = 24
"""The most cards of a ruling that isn’t costly: such a ruling takes up to 3 ms, while one on a
table of tiles can take 90."""

_GAMES_KEPT: Final = 64
"""The most games that are cached, which is more than there are: a question that names no game is
searched for in all of them."""
_EXAMPLES: Final = "examples"

FACE: Final = (
    Path(__file__).resolve().parents[2] / "static" / "vendor" / "bitter@5.3.0" / "bitter-740.ttf"
)

_FACE_HAS: Final = (range(0x20, 0x250), range(0x400, 0x460), range(0x1E00, 0x1F00))
"""The characters that our font has: Latin with all its accents, and Cyrillic."""

_SIGNS: Final = frozenset("−–…’“”·")

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Task(Protocol[T_co]):
    """A piece of work that another process can do."""

    @property
    def is_costly(self) -> bool:
        """Whether it could take more than a few milliseconds."""

    def do(self) -> T_co:
        """Do the work in this process, and return its result."""


class Solver(Protocol):
    """A function that has tasks done, in this process or another one."""

    def __call__(self, task: Task[T], /) -> T:
        """Return the result of a task; raise what `task.do` raises."""


def directly(task: Task[T], /) -> T:
    """Solve a task in this process."""
    return task.do()


def name_game(variant: Variant) -> str:
    """Return a text from which `find_game` makes the same game, also in another process.

    It has the rules, the card turned up, the number of players, and the language, because results
    name cards and wilds in the game’s words.
    """
    upcard = "" if variant.upcard is None else str(variant.upcard)
    rules, told = variants.kept(variant), variant.language
    return json.dumps([variant.slug, dict(variant.chosen), rules, upcard, variant.seats, told])


@lru_cache(maxsize=_GAMES_KEPT)
def find_game(name: str) -> Variant:
    """Return the game of a name from `name_game`; its rules can be older than today’s."""
    slug, chosen, form, upcard, seats, told = json.loads(name)
    game = variants.in_language(variants.kept_with(slug, chosen, form), told)
    game = game if seats is None else game.seated(seats)
    return game.dealt(game.pack.parse(upcard)[0]) if upcard else game


@lru_cache(maxsize=_GAMES_KEPT)
def _comes_with_laydown(name: str) -> bool:
    """Return whether such a name is one of our games, with or without its house rules.

    All its rules are compared: a game that somebody made can have the slug of one of ours.
    """
    slug, chosen, form, *_ = json.loads(name)
    try:
        ours = variants.get(slug).with_options(chosen)
    except (UnknownVariantError, OptionError):
        return False
    return bool(variants.kept(ours) == form)


@dataclass(frozen=True, slots=True)
class RulingAndReadings:
    """The ruling on a play, and the readings of its melds."""

    ruling: Ruling
    readings: tuple[Reading | None, ...]
    """A reading for each meld that was to be read; None if it isn’t a meld."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTask:
    """The task to rule on a play; it raises MomentError if the game needs to know the step."""

    game: str
    play: Play
    step: int | None
    melds: tuple[Cards, ...] = ()
    """The melds to read: as the ruling reads them, or else on their own."""
    cards: int = 0
    """The number of cards in the question."""

    @property
    def is_costly(self) -> bool:
        """Whether ruling may take long.

        It may with more than `FEW` cards, or in a game that doesn’t come with Laydown.
        """
        return self.cards > FEW or not _comes_with_laydown(self.game)

    def do(self) -> RulingAndReadings:
        """Rule on the play, and read the melds."""
        variant, moment = find_game(self.game), Moment(self.step)
        ruling = rule_on(self.play, variant, moment)
        known = {reading.cards: reading for reading in reversed(ruling.readings)}

        def read(cards: Cards) -> Reading | None:
            if cards in known:
                return known[cards]
            alone = rule_on(ShowMeld(cards), variant, moment).readings
            return alone[0] if alone and alone[0].cards == cards else None

        return RulingAndReadings(ruling, tuple(map(read, self.melds)))


@dataclass(frozen=True, slots=True)
class ExamplesTask:
    """The task to rule on all examples of a game."""

    game: str
    asked: tuple[tuple[Play, int | None], ...]
    """Each play, and the step in which it’s made."""

    @property
    def is_costly(self) -> bool:
        """Whether the game doesn’t come with Laydown, so that its rules could be anything."""
        return not _comes_with_laydown(self.game)

    def do(self) -> tuple[Ruling | None, ...]:
        """Rule on each play; None if it needs a round that the game doesn’t have, for example."""
        return _rule_on_all(find_game(self.game), self.asked)


def _rule_on_all(
    variant: Variant, asked: Iterable[tuple[Play, int | None]]
) -> tuple[Ruling | None, ...]:
    def rule(play: Play, step: int | None) -> Ruling | None:
        try:
            return rule_on(play, variant, Moment(step))
        except (MomentError, ForTheTableError):
            return None

    return tuple(rule(*each) for each in asked)


def is_as_kept(example: Example, ruling: Ruling) -> bool:
    """Return whether a ruling agrees with the verdict that is stored with an example."""
    return example.is_legal if ruling.is_legal else example.code in ruling.broken


@dataclass(frozen=True, slots=True)
class KeepTask:
    """The task to check that a description can be saved, and to rule on its examples.

    Every value of its house rules is tried. It raises Refused if one of them doesn’t make a game,
    or the description doesn’t.
    """

    is_costly: ClassVar[bool] = True
    written: str
    """The description to check, as JSON text."""

    def do(self) -> dict[str, Any]:
        """Check it, and return it with today’s verdicts."""
        spec: dict[str, Any] = json.loads(self.written)
        game = build(spec)
        try_house_rules(spec)
        if not game.examples:
            return spec
        rulings = _rule_on_all(game, ((each.play, each.step) for each in game.examples))
        lines = [
            _with_verdict(line, ruling) if ruling and not is_as_kept(example, ruling) else line
            for line, example, ruling in zip(spec[_EXAMPLES], game.examples, rulings, strict=True)
        ]
        return {**spec, _EXAMPLES: lines}


def _with_verdict(line: Mapping[str, Any], ruling: Ruling) -> dict[str, Any]:
    plain = {key: part for key, part in line.items() if key not in {"legal", "code"}}
    if ruling.is_legal:
        return {**plain, "legal": True}
    return {**plain, "code": next(each.code.value for each in ruling.findings if each.against)}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTask:
    """The task to find the best play from a hand; see `referee.advice.advise`."""

    is_costly: ClassVar[bool] = True
    game: str
    step: int | None
    hand: Cards
    table: tuple[Cards, ...] = ()
    own: tuple[Cards, ...] = ()
    down: bool = False
    first: bool = True
    opened: bool = True
    by_value: bool = False
    pile: Cards = ()

    def do(self) -> Advice:
        """Find the best play, and what is missing if there isn’t one."""
        found = advise(
            find_game(self.game),
            Moment(self.step),
            self.hand,
            table=self.table,
            own=self.own,
            down=self.down,
            first=self.first,
            opened=self.opened,
            by_value=self.by_value,
            pile=self.pile,
        )
        return found.worked_out()


@dataclass(frozen=True, slots=True)
class PrepareTask:
    """The task to load what every question needs, so that the first one isn’t slow."""

    is_costly: ClassVar[bool] = True

    def do(self) -> None:
        """Read how people ask about rules, and advise on a small hand of every game."""
        for language in LANGUAGES:
            asked_about(language)
        for variant in variants.all():
            hand = variant.pack.cards[: variant.hand_at(1)]
            if not no_advice(variant):
                advise(variant, Moment(1 if variant.steps else None), hand)


@dataclass(frozen=True, slots=True)
class DrawTask:
    """The task to draw an SVG, which takes a third of a second."""

    is_costly: ClassVar[bool] = True
    svg: str

    def do(self) -> bytes:
        """Draw it as PNG."""
        # Only pictures need it, and a worker starts sooner without it.
        import resvg_py  # noqa: PLC0415

        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=self.svg,
                font_files=[str(FACE)],
                # Other scripts are drawn with the machine’s fonts; looking for those takes time.
                skip_system_fonts=all(map(_is_in_face, self.svg)),
            )
        )


def _is_in_face(sign: str) -> bool:
    return sign.isspace() or sign in _SIGNS or any(ord(sign) in part for part in _FACE_HAS)
