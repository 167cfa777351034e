"""Bend descriptions of games: `python -m tests.fuzz games`, and a tenth as many links.

A description that comes with the referee is changed in a thing or two: taken out, made odd, or
another game's. Whatever comes of it is built, or refused in sentences within 200 ms of processor
time; what is built answers every play within 50 ms, under any house rules, and keeps score. A
mapping is bent likewise on the form of one's own games, and the letters of a link. Milliseconds are
those of a machine like ours (`tests.yardstick`).
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

from referee import ForTheTableError, MomentError, OptionError, Variant, rule_on
from referee.describing import Refused, build
from referee.options import Choice
from referee.plays import (
    Call,
    Close,
    LayDown,
    LayOff,
    Moment,
    PickUp,
    Play,
    Rearrange,
    ShowMeld,
    Swap,
    Taken,
)
from tests import described
from tests.yardstick import milliseconds
from webapp.services.own.drafts import DraftRefusedError
from webapp.services.own.judging import judge
from webapp.services.own.packed import read_token, write_token

REFUSED = 200
"""Milliseconds in which a description is built or refused."""
RULED = 50
"""Milliseconds that a ruling may take."""
EXPECTED = (Refused, OptionError, MomentError, ForTheTableError, DraftRefusedError)
"""What is raised with a sentence."""
EVERY = 20
"""Of so many descriptions one is put into the form."""


@dataclass(slots=True)
class Tally:
    """What came of many bent descriptions."""

    bent: int = 0
    sound: int = 0
    rulings: int = 0
    slowest: float = 0
    slowest_ruling: float = 0
    """Both in seconds of processor time."""
    wrong: list[str] = field(default_factory=list)

    def timed(self, call: Callable[[], object], limit: int, about: object) -> tuple[object, float]:
        """What a call answers, and how long that took; what it raises is to be expected."""
        started = time.process_time()
        try:
            answer: object = call()
        except EXPECTED as error:
            answer = error
            if not str(error).strip():
                self.wrong.append(f"no sentence for {about}")
        except Exception as error:  # noqa: BLE001 - that none comes is what is asked
            self.wrong.append(f"{error!r} on {str(about)[:1500]}")
            return None, 0
        taken = time.process_time() - started
        if taken * 1000 > limit:
            again = []
            for _ in range(3):
                started = time.process_time()
                with suppress(*EXPECTED):
                    call()
                again.append(time.process_time() - started)
            taken = min(taken, *again)
            if taken > milliseconds(limit):
                self.wrong.append(f"{taken * 1000:.0f} ms for {str(about)[:1500]}")
        return answer, taken


def bend(count: int, seed: int) -> Tally:
    """Build so many bent descriptions, and ask what is built."""
    tally, chance = Tally(), Random(seed)
    for spec in islice(described.bent(seed), count):
        tally.bent += 1
        game, taken = tally.timed(lambda spec=spec: build(spec), REFUSED, spec)  # type: ignore[misc]  # bound
        tally.slowest = max(tally.slowest, taken)
        if tally.bent % EVERY == 0:
            tally.timed(lambda spec=spec: _judged(spec), REFUSED, spec)  # type: ignore[misc]  # bound
        if game is not None and not isinstance(game, Exception):
            tally.sound += 1
            _ask(tally, game, spec, chance)  # type: ignore[arg-type]  # it was built
    return tally


def _judged(spec: dict[str, Any]) -> object:
    """A description as the form shows it; letters that no JSON can hold come to none."""
    json.dumps(spec, ensure_ascii=False).encode("utf-8", "replace")
    return judge(spec)


def _ask(tally: Tally, game: Variant, spec: dict[str, Any], chance: Random) -> None:
    values = {option.name: _value(option.kind, chance) for option in game.options}
    few = dict(chance.sample(sorted(values.items()), min(2, len(values))))
    other, _ = tally.timed(lambda: game.with_options(few), REFUSED, (few, spec))
    games = [game, *([] if other is None or isinstance(other, Exception) else [other])]
    for each in games:
        for play in plays(each, chance):  # type: ignore[arg-type]  # a game
            step = Moment(chance.choice((None, 1, 1, 2)))
            about = (play, step, few, spec)
            _, taken = tally.timed(lambda: rule_on(play, each, step), RULED, about)  # type: ignore[arg-type]  # noqa: B023 - called at once
            tally.rulings += 1
            tally.slowest_ruling = max(tally.slowest_ruling, taken)


def _value(kind: object, chance: Random) -> object:
    if isinstance(kind, Choice):
        return chance.choice(kind.values)[0]
    return chance.choice((1, 7, 100, 100_000, "open", {}, ["1 set of 3"], None))


def plays(game: Variant, chance: Random) -> Iterator[Play]:
    """A play of each kind with cards of the pack, few of which are of one suit or rank."""
    there = [*game.pack.cards, *game.pack.cards]
    jokers = [card for card in there if not card.rank]
    low = chance.randint(1, 10)
    near = [card for card in there if low <= card.rank < low + 4] or there

    def draw(least: int, most: int) -> tuple[Any, ...]:
        cards = chance.choices(near, k=chance.randint(least, most))
        return tuple([*cards, *chance.choices(jokers, k=chance.randint(0, 2))] if jokers else cards)

    melds = tuple(draw(3, 5) for _ in range(chance.randint(1, 3)))
    of_a_rank = [card for card in there if card.rank == low] or near
    of_a_suit = [card for card in there[: len(there) // 2] if card.suit == near[0].suit]
    at = chance.randrange(len(of_a_suit))
    yield ShowMeld(tuple(chance.choices(of_a_rank, k=chance.randint(3, 4))))
    yield ShowMeld(tuple(of_a_suit[at : at + chance.randint(3, 6)]) or tuple(near[:3]))
    yield ShowMeld(draw(2, 14))
    yield ShowMeld(tuple(chance.choices(there, k=14)))
    yield LayDown(melds=melds, kept=draw(0, 5))
    yield LayOff(draw(1, 3), draw(3, 6))
    yield Close(cards=draw(9, 14))
    yield Swap(taken=Taken(near[0], chance.choice(there), draw(3, 5)), then=melds)
    yield Rearrange(before=melds, after=(*melds[1:], draw(3, 4)), rack=draw(1, 14))
    pile = draw(1, 10)
    yield PickUp(pile=pile, take=pile[0], melds=melds)
    yield Call(discard=near[0], table=melds)


def answers(game: Variant, count: int, seed: int = 0) -> list[tuple[object, ...]]:
    """How a game rules on so many plays: two games of one pack are asked the same."""
    chance, found = Random(seed), list[tuple[object, ...]]()
    while len(found) < count:
        moment = Moment(chance.randint(1, 4))
        for play in plays(game, chance):
            ruling = rule_on(play, game, moment)
            reasons = tuple((each.code, each.says, each.cards) for each in ruling.findings)
            found.append((play, moment, ruling.is_legal, ruling.points, reasons))
    return found


def bend_links(count: int, seed: int) -> Tally:
    """Read so many links whose letters were changed, cut out, doubled."""
    tally, chance = Tally(), Random(seed)
    good = [write_token(spec) for spec in described.all_rules()]
    letters = "abcXYZ0189-_=+/ \N{SNOWMAN}"
    for _ in range(count):
        token = chance.choice(good)
        for _ in range(chance.choice((1, 1, 2, 5))):
            at, skip = chance.randrange(len(token) or 1), chance.choice((0, 1, 1, 3, 500))
            token = (
                token[:at]
                + chance.choice(letters) * chance.choice((0, 1, 1, 2))
                + token[at + skip :]
            )
        tally.bent += 1
        found, taken = tally.timed(lambda token=token: read_token(token), REFUSED, token)  # type: ignore[misc]  # bound
        tally.sound += isinstance(found, dict)
        tally.slowest = max(tally.slowest, taken)
    return tally
