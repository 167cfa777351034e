"""A list of rounds: each drawn, and one of them open to be changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from referee import variants
from referee.describing import STEPS, Description, nouns_of
from referee.saying import WORDS, Catalogue
from webapp.services.own.naming import title_of
from webapp.services.rulebook.lines import (
    LENGTH,
    NUMBERS,
    Needs,
    another,
    contract_of,
    line_of,
    needs_of,
    table_of,
)
from webapp.services.rulebook.parts import Bounds, Control, Round, Step, Tap, step, tap
from webapp.services.rulebook.telling import say_contract
from webapp.services.wording import capital
from webapp.speaking import language, say

_NEW: Final = {"set": 3, "run": 4, "flush": 4}
"""The cards of a meld that is added to a contract, if it has none of its kind."""
_NEAR: Final = 2
"""Cards by which a contract that is offered for another is larger or smaller."""


def with_rounds(spec: Mapping[str, Any], value: Sequence[Any] | None, at: int) -> Control:
    """The control for the rounds of a game, of which number `at`, from 1, is open."""
    lines = [*(value or ())]
    rounds = tuple(_Line(spec, number, line).shown(at) for number, line in enumerate(lines, 1))
    more = [Tap(tap(STEPS, steps), name) for name, steps in _ladders(spec) if steps != lines]
    if lines and Description(spec).way != "contract":
        more.append(Tap(tap(STEPS, None), say("changing.no-rounds")))
    return Control(
        path=STEPS,
        title=title_of(STEPS),
        steps=(_number(len(lines), LENGTH, says=say("changing.length")),) if lines else (),
        rounds=rounds,
        another=tap(STEPS, len(lines), another(lines)) if lines else "",
        more=tuple(more),
        adds=say("changing.as-elsewhere"),
    )


def with_deals(asked: Control, dealt: Any, lines: Sequence[Any]) -> Control:  # noqa: ANN401 - as is
    """The control for how many cards are dealt, which may go by the round.

    `dealt` is the number where no round has its own, or numbers by how many play; `lines` are
    the rounds.
    """
    tables = [table_of(line) for line in lines]
    usual = max(dealt.values()) if isinstance(dealt, dict) else dealt
    deals = [table.get("deal", usual) for table in tables]

    # Both ways are always there, chosen or not: a new one would push the rounds from under a thumb.
    def chip(says: str, dealt: Sequence[int | None]) -> Tap:
        pairs = zip(tables, dealt, strict=True)
        sets = tap(STEPS, [line_of({**one, "deal": n}) for one, n in pairs])
        return Tap(sets, says, [*dealt] == deals)

    rising = [deals[0] + at for at in range(len(deals))]
    first = ", ".join(map(str, rising[:3])) + "…" * (len(rising) > len(rising[:3]))
    chips = [chip(say("changing.one-more", numbers=first), rising)]
    if not any("deal" in table for table in tables):
        each = [line_of({**table, "deal": usual}) for table in tables]
        by_round = Tap(tap(STEPS, each), say("changing.by-round"))
        return replace(asked, chips=(by_round, *chips, *asked.chips))
    if all("contract" in table for table in tables):
        same = None if deals[0] == usual else deals[0]
        chips.append(chip(say("changing.same-deal"), [same] * len(deals)))
    steps = (
        _number(
            *(dealt, at, "deal"),
            title=say("changing.in-round", "cards", number=at + 1),
            says=say("changing.in-round", number=at + 1),
            usual=() if at else tuple(chips),
        )
        for at, dealt in enumerate(deals)
    )
    return replace(asked, steps=tuple(steps), more=())


def _number(now: object, *way: str | int, **says: str | tuple[Tap, ...]) -> Step:
    """A number in a list of rounds, by the way to it."""
    low, high = next(NUMBERS[key] for key in way if key in NUMBERS)
    return step(STEPS, way, Bounds(now, low, high), **says)


def _ladders(spec: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """The lists of rounds that this game names, and those of other games."""
    labels: Any = spec.get("text", {}).get("options", {})
    for name, option in spec.get("options", {}).items():
        said = labels.get(name, {}).get("labels", {})
        for preset, lines in option.get("presets", {}).items():
            yield said.get(preset, capital(preset.replace("-", " "))), [*lines]
    contract = Description(spec).way == "contract"
    for game in variants.all(language()):
        if bool(game.contracts) == contract and game.slug != spec.get("slug"):
            steps = variants.description_of(game.slug).get(STEPS)
            if steps:
                yield say("changing.as-in", game=game.name), steps


class _Line:
    """One line of a list of rounds."""

    def __init__(self, spec: Mapping[str, Any], number: int, line: object) -> None:
        self.spec = spec
        self.number = number
        self.said = table_of(line)
        self.nouns = nouns_of(Description(spec), Catalogue.read(language(), WORDS))
        self.needs = needs_of(str(self.said.get("contract", "")))

    def shown(self, at: int) -> Round:
        """The round as it is drawn, with what can be tapped in it if it is open."""
        opened = at == self.number
        return Round(
            number=self.number,
            says=say_contract(self.said["contract"], self.nouns)
            if "contract" in self.said
            else say("changing.dealt", n=self.said["deal"])
            if "deal" in self.said
            else say("changing.opens", n=self.said.get("opening")),
            drawn=tuple((_plain(kind), size) for kind, size in self.needs),
            opened=opened,
            steps=tuple(self._steps()) if opened else (),
            melds=tuple(self._melds()) if opened and self.needs else (),
            taps=tuple(self._taps()) if opened and self.needs else (),
            drop=tap(STEPS, self.number - 1, None),
        )

    def _written(self, needs: Needs | None = None, **more: object) -> str:
        """The tap for the line with other melds, or something else said of it."""
        said = {**self.said, **({"contract": contract_of(needs)} if needs else {}), **more}
        return tap(STEPS, self.number - 1, line_of(said))

    def _steps(self) -> Iterator[Step]:
        at = self.number - 1
        for place, (kind, size) in enumerate(self.needs):
            before, after = self.needs[:place], self.needs[place + 1 :]
            plain = _plain(kind)
            noun = capital(self.nouns.get(plain, plain))
            says = say("changing.meld", "pure" if kind.startswith("pure") else "", kind=noun)
            drop = self._written([*before, *after]) if before or after else ""
            yield _number(size, at, "contract", place, title=noun, says=says, drop=drop)
        deal = self.said.get("deal")
        if isinstance(deal, int):
            title, says = title_of("deal.cards"), say("changing.deal")
            drop = self._written(deal=None) if self.needs else ""
            yield _number(deal, at, "deal", title=title, says=says, drop=drop)
        opening = self.said.get("opening")
        if isinstance(opening, int):
            title, says = title_of("opening.points"), say("changing.opening")
            yield _number(opening, at, "opening", title=title, says=says)

    def _melds(self) -> Iterator[Tap]:
        """Contracts of other rounds and games that ask for about as many cards as this one."""
        for text, needs in _contracts().items():
            more = sum(size for _, size in needs) - sum(size for _, size in self.needs)
            if needs != self.needs and abs(more) <= _NEAR and self._can_ask(needs):
                yield Tap(self._written(needs), say_contract(text, self.nouns))

    def _can_ask(self, needs: Needs) -> bool:
        """Whether the game can ask for these melds here, as far as their cards go."""
        game = Description(self.spec)
        dealt = self.said.get("deal", game.most_dealt)
        return sum(size for _, size in needs) <= dealt and all(
            kind in self.spec and size >= game.get(f"{kind}.min") for kind, size in needs
        )

    def _taps(self) -> Iterator[Tap]:
        for kind in filter(self.spec.__contains__, _NEW):
            # One more is as large as the last of its kind.
            size = {**_NEW, **dict(self.needs)}[kind]
            added = say_contract(contract_of([(kind, size)]), self.nouns)
            needs = [*self.needs, (kind, size)]
            yield Tap(self._written(needs), say("changing.add-meld", melds=added))
        never = self.said.get("discard") == "never"
        sets = self._written(discard=None if never else "never")
        yield Tap(sets, say("changing.whole-hand"), never)
        if "deal" not in self.said:
            deal = Description(self.spec).most_dealt
            yield Tap(self._written(deal=deal), say("changing.other-deal"))


@cache
def _contracts() -> Mapping[str, Needs]:
    """The contracts that games ask for, those of fewest cards first."""
    lines = (each for game in variants.all() for each in _steps_of(game.slug))
    found = {text: needs_of(text) for each in lines if (text := table_of(each).get("contract"))}
    return dict(sorted(found.items(), key=lambda one: sum(size for _, size in one[1])))


def _steps_of(slug: str) -> Iterator[object]:
    """All rounds of a game, in each of its lists."""
    spec = variants.description_of(slug)
    yield from spec.get(STEPS, ())
    for option in spec.get("options", {}).values():
        for steps in option.get("presets", {}).values():
            yield from steps


def _plain(kind: str) -> str:
    """The kind of meld alone: "run" of "pure run"."""
    return kind.removeprefix("pure ").partition("|")[0]
