"""A list of rounds: each drawn, and one of them open to be changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from referee import variants
from referee.describing import STEPS, Description, nouns_of
from referee.saying import WORDS, Catalogue
from webapp.services.own.naming import title_of
from webapp.services.rulebook.changes import line_of, table_of
from webapp.services.rulebook.parts import Bounds, Control, Round, Step, Tap, step, tap
from webapp.services.rulebook.telling import say_contract
from webapp.services.wording import capital
from webapp.speaking import language, say

_MOST_DEALT: Final = 30
_LEAST: Final = 2
"""Cards that a meld of a contract has at least."""
_BY: Final = 5
"""Points by which an opening goes up and down."""
_NEW: Final = {"set": 3, "run": 4, "flush": 4}
"""The cards of a meld that is added to a contract, if it has none of its kind."""
_NEAR: Final = 2
"""Cards by which a contract that is offered for another is larger or smaller."""
Needs = list[tuple[str, int]]


def with_rounds(spec: Mapping[str, Any], value: Sequence[Any] | None, at: int) -> Control:
    """The control for the rounds of a game, of which number `at`, from 1, is open."""
    lines = [*(value or ())]
    # The last round is often one without a discard.
    again = line_of({**table_of(lines[-1]), "discard": None}) if lines else None
    rounds = tuple(_Line(spec, number, line).shown(at) for number, line in enumerate(lines, 1))
    more = [Tap(tap(STEPS, steps), name) for name, steps in _ladders(spec) if steps != lines]
    if lines and Description(spec).way != "contract":
        more.append(Tap(tap(STEPS, None), say("changing.no-rounds")))
    return Control(
        path=STEPS,
        title=title_of(STEPS),
        rounds=rounds,
        another=tap(STEPS, len(lines), again) if lines else "",
        more=tuple(more),
        adds=say("changing.as-elsewhere"),
    )


def with_deals(asked: Control, spec: Mapping[str, Any]) -> Control:
    """The control for how many cards are dealt, which may go by the round."""
    game, lines = Description(spec), [*spec.get(STEPS, ())]
    if not lines:
        return asked
    tables = [table_of(line) for line in lines]
    usual = game.most_dealt if isinstance(game.get("deal.cards"), dict) else game.get("deal.cards")
    deals = [table.get("deal", usual) for table in tables]

    def taps(says: str, dealt: Sequence[int | None]) -> Iterator[Tap]:
        if [*dealt] != deals:
            pairs = zip(tables, dealt, strict=True)
            yield Tap(tap(STEPS, [line_of({**one, "deal": n}) for one, n in pairs]), says)

    rising = [deals[0] + at for at in range(len(deals))]
    chips = [*taps(say("changing.one-more"), rising)]
    if not game.deals:
        each = [line_of({**table, "deal": usual}) for table in tables]
        by_round = Tap(tap(STEPS, each), say("changing.by-round"))
        return replace(asked, chips=(by_round, *chips, *asked.chips))
    if all("contract" in table for table in tables):
        chips += taps(say("changing.same-deal"), [None] * len(deals))
    steps = (
        step(
            *(STEPS, (at, "deal"), Bounds(dealt, 1, _MOST_DEALT)),
            title=say("changing.in-round", "cards", number=at + 1),
            says=say("changing.in-round", number=at + 1),
            usual=() if at else tuple(chips),
        )
        for at, dealt in enumerate(deals)
    )
    return replace(asked, steps=tuple(steps), more=())


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
        for place, (kind, size) in enumerate(self.needs):
            before, after = self.needs[:place], self.needs[place + 1 :]
            plain = _plain(kind)
            noun = capital(self.nouns.get(plain, plain))
            yield Step(
                title=noun,
                says=say("changing.meld", "pure" if kind.startswith("pure") else "", kind=noun),
                text=str(size),
                less=self._written([*before, (kind, size - 1), *after]) if size > _LEAST else "",
                more=self._written([*before, (kind, size + 1), *after]),
                drop=self._written([*before, *after]) if before or after else "",
            )
        deal = self.said.get("deal")
        if isinstance(deal, int):
            yield Step(
                title=title_of("deal.cards"),
                says=say("changing.deal"),
                text=str(deal),
                less=self._written(deal=deal - 1) if deal > 1 else "",
                more=self._written(deal=deal + 1),
                drop=self._written(deal=None) if self.needs else "",
            )
        opening = self.said.get("opening")
        if isinstance(opening, int):
            yield Step(
                title=title_of("opening.points"),
                says=say("changing.opening"),
                text=str(opening),
                less=self._written(opening=max(opening - _BY, 0)) if opening else "",
                more=self._written(opening=opening + _BY),
                by=(min(opening, _BY), _BY),
                drop="",
            )

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


def needs_of(contract: str) -> Needs:
    """The melds of a contract: "2 sets of 3 + 1 run of 4"; none if it can’t be read.

    A set of a certain rank is of the kind "set| aces".
    """
    found: Needs = []
    for part in filter(None, map(str.strip, contract.split("+"))):
        count, _, rest = part.partition(" ")
        kind, _, size = rest.rpartition(" of ")
        size, _, rank = size.partition(" ")
        if not (count.isdigit() and size.isdigit()):
            return []
        kind = kind.removesuffix("es") if kind.endswith("hes") else kind.removesuffix("s")
        found += [(f"{kind}| {rank}" if rank else kind, int(size))] * int(count)
    return found


def contract_of(needs: Needs) -> str:
    """Melds written as a contract."""
    return " + ".join(
        f"{count} {kind}{('es' if kind.endswith('h') else 's') * (count > 1)} of {size}{rank}"
        for whole, size in dict.fromkeys(needs)
        for count in [needs.count((whole, size))]
        for kind, _, rank in [whole.partition("|")]
    )
