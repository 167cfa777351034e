"""Ask anything at all: `python -m tests.fuzz questions 100000`, or games, requests, taps or forms.

*questions* go to the referee, so many for each game: the cases of the conformance suite as they
are, bent here and there, and torn to pieces. Whatever is asked is answered in JSON, a bad question
by an error in its place. *games* bends descriptions of games and links to them. Each is built, or
refused in sentences; what is built rules on every play, under any house rules. *requests* is
`tests.webapp.sender`, *taps* on rules `tests.webapp.tapper`, and *forms*, for so many seconds,
`tests.webapp.spoiler`. Limits are in milliseconds of a machine like ours (`tests.yardstick`).
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any, Final

from referee import ForTheTableError, MomentError, OptionError, Variant, rule_on, variants
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
from referee.protocol import answer_line
from referee.protocol.asks import ASKS
from tests import described
from tests.positions import packs
from tests.yardstick import milliseconds
from webapp._bootstrap import ROOT
from webapp.own_games.patches import DraftRefusedError
from webapp.own_games.url_token import read_token, write_token

LIMIT: Final = 50
"""Milliseconds that a ruling or a score may take."""
ADVICE_LIMIT: Final = 150
"""Milliseconds that advice may take, which searches until its own budget is spent."""
BUILT: Final = 200
"""Milliseconds in which a description is built or refused."""
EXPECTED: Final = (Refused, OptionError, MomentError, ForTheTableError, DraftRefusedError)
"""What is raised with a sentence."""

CARDS: Final = [f"{rank}{suit}" for rank in "A 2 3 4 5 6 7 8 9 10 J Q K".split() for suit in "SHDC"]
TILES: Final = [f"{color}{number}" for color in "RBKO" for number in range(1, 14)]
ODD_WORDS: Final = ("JK", "JK", "2S", "A", "7", "T♥", "R14", "1S", "?", "♠", "\u0663", "7S7S")
ODD: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, 3, -1, 10**9, 2**70, 2.5, "", "x", "JK", "face", "2-", "A-A"),
    *("turned", "2 sets of 3", "7S 8S 9S", "ä" * 300, "\ud800", "JK " * 20, "A " * 300),
    *([], ["JK"], [[]], [1, 2], [""] * 100, [None], [{}], ["7S 7H 7D"], {}, {"a": 1}, {"": {}}),
    *({"2-6": 2}, {"A": "face"}, {"x": {"x": {"x": {"x": {"x": {"x": {"x": {}}}}}}}}),
)
"""What may be anywhere, and is seldom right."""


@dataclass(slots=True)
class Tally:
    """What came of many calls."""

    tried: int = 0
    answered: int = 0
    """How many weren’t refused."""
    slowest: float = 0
    """In seconds of processor time."""
    wrong: list[str] = field(default_factory=list)

    def call(self, ask: Callable[[], object], limit: int, about: object) -> object:
        """Return what a call returns, or the error with a sentence that it raises."""
        self.tried += 1
        answer, taken = self._timed(ask, about)
        if taken * 1000 > limit:
            # A machine that is slow, or busy with something else, is no fault of the answer's.
            taken = min(taken, *(self._timed(ask, about)[1] for _ in range(3)))
            if taken > milliseconds(limit):
                self.wrong.append(f"{taken * 1000:.0f} ms for {str(about)[:1500]}")
        self.slowest = max(self.slowest, taken)
        return answer

    def _timed(self, ask: Callable[[], object], about: object) -> tuple[object, float]:
        started = time.process_time()
        try:
            answer: object = ask()
        except EXPECTED as error:
            answer = error
            if not str(error).strip():
                self.wrong.append(f"no sentence for {str(about)[:1500]}")
        except Exception as error:  # noqa: BLE001 - that none comes is what is asked
            answer = error
            self.wrong.append(f"{error!r} on {str(about)[:1500]}")
        return answer, time.process_time() - started


def bend(whole: Any, others: Sequence[Any], words: Sequence[str], chance: Random) -> None:
    """Change one thing in nested JSON: leave it out, make it odd or another's, change its words."""
    places = [place for place in _places(whole) if place]
    if not places:
        return
    *way, last = chance.choice(places)
    here = _at(whole, way)
    kind = chance.random()
    if kind < 0.1:
        del here[last]
    elif kind < 0.5 and isinstance(here[last], str):
        said = here[last].split()
        at = chance.randrange(len(said) + 1)
        said[at - chance.randrange(2) : at] = [chance.choice(words)] * chance.randrange(2)
        here[last] = " ".join(said)
    elif kind < 0.6 and isinstance(here[last], list):
        here[last] = [deepcopy(each) for each in here[last] for _ in range(chance.randrange(3))]
        chance.shuffle(here[last])
    elif kind < 0.85:
        here[last] = deepcopy(chance.choice(ODD))
    else:
        other = chance.choice(others)
        here[last] = deepcopy(_at(other, chance.choice([*_places(other)])))


def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield way
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in keys:
        yield from _places(value[key], (*way, key))


def _at(value: Any, way: Sequence[Any]) -> Any:
    for key in way:
        value = value[key]
    return value


PARTS = ("", "-piles", "-score")
"""The files of cases that a game has: one, or some beside it."""


def questions(slug: str, count: int, seed: int = 0) -> Iterator[str]:
    """Make lines to ask about one game; the same ones for the same seed."""
    chance, variant = Random(f"{slug}/{seed}"), variants.get(slug)
    files = [ROOT / "tests" / "cases" / f"{slug}{part}.jsonl" for part in PARTS]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files if file.exists())
    asked = [json.loads(line) for line in text.splitlines() if line.strip()]
    cases = [
        {key: case[key] for key in case if key not in {"id", "variant", "expect", "why", "source"}}
        for case in asked
    ]
    # Of each ask as many: there are few cases of some, and most of what can go wrong is in those.
    by_ask = [[case for case in cases if case.get("ask") == ask] for ask in ASKS]
    by_ask = [some for some in by_ask if some]
    words = [*(TILES if '"R7' in text else CARDS) * 4, *ODD_WORDS]
    for _ in range(count):
        case = deepcopy(chance.choice(chance.choice([cases, chance.choice(by_ask)])))
        kind = chance.random()
        if kind > 0.35:
            for _ in range(chance.choice((1, 1, 2, 3))):
                bend(case, cases, words, chance)
        if kind > 0.7:
            _choose(case, variant, chance)
        line = json.dumps({"id": 1, "variant": slug, **case})
        yield _tear(line, chance) if kind > 0.9 else line


def _choose(case: dict[str, Any], variant: Variant, chance: Random) -> None:
    """Choose a house rule, or ask about many cards at once, which may all be wild."""
    if variant.options and chance.random() < 0.7:
        option = chance.choice(variant.options)
        case["options"] = {option.name: _value(option.kind, chance)}
    else:
        cards = [*packs(variant), *"JK JK JK JK".split()]
        few = chance.sample(cards, chance.randint(10, min(60, len(cards))))
        case[chance.choice(("cards", "kept", "rack", "hand", "pile"))] = " ".join(map(str, few))


def _value(kind: object, chance: Random) -> object:
    if isinstance(kind, Choice) and chance.random() < 0.9:
        return chance.choice(kind.values)[0]
    return chance.choice((1, 7, 100, 100_000, "open", {}, ["1 set of 3"], None))


def _tear(line: str, chance: Random) -> str:
    """Make something of a line that may be no JSON any more."""
    at, to = sorted(chance.randrange(len(line)) for _ in range(2))
    odd = chance.choice(("\\ud800", "\0", "1e999", "NaN", '"', "{", "]", "[" * 10_000, "9" * 5000))
    return line[:at] + chance.choice(("", odd)) + chance.choice((line[at:], line[to:], ""))


def ask(slug: str, count: int, seed: int = 0) -> Tally:
    """Put that many questions to one game."""
    tally = Tally()
    for line in questions(slug, count, seed):
        limit = ADVICE_LIMIT if "advise" in line else LIMIT
        answer = tally.call(lambda line=line: answer_line(line), limit, line)  # type: ignore[misc]  # bound
        tally.call(lambda answer=answer: json.dumps(answer, allow_nan=False), limit, line)  # type: ignore[misc]  # bound
        tally.answered += isinstance(answer, dict) and "error" not in answer
    return tally


def bent(seed: int) -> Iterator[dict[str, Any]]:
    """Make descriptions with a thing or two changed."""
    chance, sound = Random(seed), described.all_rules()
    while True:
        spec = deepcopy(chance.choice(sound))
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            bend(spec, sound, ODD_WORDS, chance)
        yield spec


def games(count: int, seed: int) -> Tally:
    """Build so many bent descriptions, and ask what is built."""
    tally, chance = Tally(), Random(seed)
    for spec in islice(bent(seed), count):
        game = tally.call(lambda spec=spec: build(spec), BUILT, spec)  # type: ignore[misc]  # bound
        if not isinstance(game, Variant):
            continue
        tally.answered += 1
        values = {option.name: _value(option.kind, chance) for option in game.options}
        few = dict(chance.sample(sorted(values.items()), min(2, len(values))))
        other = tally.call(lambda game=game, few=few: game.with_options(few), BUILT, (few, spec))  # type: ignore[misc]  # bound
        for each in (game, other):
            for play in plays(each, chance) if isinstance(each, Variant) else ():
                moment = Moment(chance.choice((None, 1, 1, 2)))
                tally.call(
                    lambda play=play, each=each, moment=moment: rule_on(play, each, moment),  # type: ignore[misc]  # bound
                    LIMIT,
                    (play, moment, few, spec),
                )
    return tally


def plays(game: Variant, chance: Random) -> Iterator[Play]:
    """Make a play of each kind with cards of the pack, few of which are of one suit or rank."""
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
    yield LayDown(melds=melds, kept=draw(0, 5))
    yield LayOff(draw(1, 3), draw(3, 6))
    yield Close(cards=draw(9, 14))
    yield Swap(taken=Taken(near[0], chance.choice(there), draw(3, 5)), then=melds)
    yield Rearrange(before=melds, after=(*melds[1:], draw(3, 4)), rack=draw(1, 14))
    pile = draw(1, 10)
    yield PickUp(pile=pile, take=pile[0], melds=melds)
    yield Call(discard=near[0], table=melds)
    own = (draw(3, 8), tuple(chance.choices(of_a_rank, k=chance.randint(3, 9))))
    onto = chance.choice((*own, *melds))
    team: dict[str, Any] = {
        "melds": melds[: chance.randint(0, 3)],
        "layoffs": tuple(LayOff(draw(1, 2), onto, own=True) for _ in range(chance.randint(0, 6))),
        "own": own[: chance.randint(0, 2)],
        "kept": chance.choice((None, (), draw(1, 1), draw(2, 4))),
        "total": chance.choice((-100, 0, 1500, 10**6)),
        "reserve": chance.random() < 0.5,
    }
    yield LayDown(**team)
    hand = chance.choice((None, draw(2, 15)))
    if game.pile is not None and game.pile.whole:
        yield PickUp(pile=pile, hand=hand, down=chance.random() < 0.5, **team)


def answers(game: Variant, count: int, seed: int = 0) -> list[tuple[object, ...]]:
    """Return how a game rules on so many plays: two games of one pack are asked the same."""
    chance, found = Random(seed), list[tuple[object, ...]]()
    while len(found) < count:
        moment = Moment(chance.randint(1, 4))
        for play in plays(game, chance):
            ruling = rule_on(play, game, moment)
            reasons = tuple((each.code, game.say(each), each.cards) for each in ruling.findings)
            found.append((play, moment, ruling.is_legal, ruling.points, reasons))
    return found


def links(count: int, seed: int) -> Tally:
    """Read so many links whose letters were changed, cut out, doubled."""
    tally, chance = Tally(), Random(seed)
    good = [write_token(spec) for spec in described.all_rules()]
    for _ in range(count):
        token = chance.choice(good)
        for _ in range(chance.choice((1, 1, 2, 5))):
            at, skip = chance.randrange(len(token) or 1), chance.choice((0, 1, 1, 3, 500))
            letters = chance.choice("abcXYZ0189-_=+/ \N{SNOWMAN}") * chance.choice((0, 1, 1, 2))
            token = token[:at] + letters + token[at + skip :]
        found = tally.call(lambda token=token: read_token(token), BUILT, token)  # type: ignore[misc]  # bound
        tally.answered += isinstance(found, dict)
    return tally


def main() -> int:
    """Try so much of one kind; the exit status is 1 if something was wrong, or late."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("what", choices=("questions", "games", "requests", "forms", "taps"))
    parser.add_argument("number", type=int, nargs="?", default=5_000, help="of forms, seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--game", choices=[variant.slug for variant in variants.all()])
    asked = parser.parse_args()
    if asked.what == "requests":
        from tests.webapp.sender import run

        tallies = {"requests": run(asked.number, asked.seed)}
    elif asked.what == "taps":
        from tests.webapp.tapper import run as tap

        tallies = {"taps": tap(asked.number, asked.seed)}
    elif asked.what == "forms":
        from tests.webapp.spoiler import run as spoil

        tallies = {"forms": spoil(asked.number, asked.seed)}
    elif asked.what == "games":
        tallies = {kind.__name__: kind(asked.number, asked.seed) for kind in (games, links)}
    else:
        slugs = [asked.game] if asked.game else [variant.slug for variant in variants.all()]
        tallies = {slug: ask(slug, asked.number, asked.seed) for slug in slugs}
    for name, tally in tallies.items():
        print(
            f"{name}: {tally.tried} tried, {tally.answered} answered, "
            f"slowest {tally.slowest * 1000:.0f} ms, {len(tally.wrong)} wrong"
        )
        for sentence in tally.wrong[:20]:
            print(f"- {sentence}")
    return 1 if any(tally.wrong for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
