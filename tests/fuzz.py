"""Ask anything at all: `python -m tests.fuzz questions 100000`, or games, requests, forms.

*questions* go to the referee, so many for each game: the cases of the conformance suite as they
are, changed here and there, and torn to pieces. Whatever is asked is answered in JSON, a bad
question by an error in its place: advice within 150 ms of processor time, all else within 50, both
as a machine like ours counts them (`tests.yardstick`). *games* bends descriptions and links
(`tests.bent`), *requests* sends whatever comes to mind to every address (`tests.crash.fuzz`), and
*forms* fills in the form of your own games (`tests.crash.editor`).
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from referee import variants
from referee.options import Choice
from referee.protocol import answer_line
from referee.protocol.asks import ASKS
from tests.yardstick import milliseconds
from webapp._bootstrap import ROOT

LIMIT = 50
"""Milliseconds of processor time that a ruling or a score may take, on a machine like ours."""

ADVICE_LIMIT = 150
"""Milliseconds that advice may take, which searches until its own budget is spent."""

FIELDS = sorted({field.name for ask in ASKS.values() for field in ask.fields})
CARDS = [f"{rank}{suit}" for rank in "A 2 3 4 5 6 7 8 9 10 J Q K".split() for suit in "SHDC"]
TILES = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)]
ODD = ("JK", "JK", "2S", "2C", "A", "7", "T♥", "R14", "1S", "", "?", "10", "♠", "\u0663", "7S7S")
ANY: tuple[object, ...] = (
    *(None, True, False, 0, 1, 3, 13, -1, 2**70, 0.5, "", "x", "7S 8S 9S", "other", "tiles"),
    *([], {}, [[]], [""] * 100, [{}], [None], ["7S 7H 7D"], ["7S", 8], {"a": []}),
    *("JK " * 20, "A " * 300),
)


@dataclass(slots=True)
class Tally:
    """What came of many questions to one game."""

    asked: int = 0
    ruled: int = 0
    """Answered by something else than an error."""
    codes: Counter[str] = field(default_factory=Counter)
    """The errors, by code."""
    wrong: list[str] = field(default_factory=list)
    slowest: float = 0
    slowest_advice: float = 0
    """Both in seconds of processor time."""
    seconds: float = 0


def questions(slug: str, count: int, seed: int = 0) -> Iterator[str]:
    """Make lines to ask, for one game; the same ones for the same seed."""
    chance = random.Random(f"{slug}/{seed}")
    maker = _Maker(slug, chance)
    for _ in range(count):
        kind = chance.random()
        question = maker.valid()
        if kind < 0.2:
            yield json.dumps(question)
        elif kind < 0.85:
            for _ in range(chance.choice((1, 1, 2, 3, 5))):
                maker.change(question)
            yield json.dumps(question)
        else:
            yield maker.tear(json.dumps(question))


class _Maker:
    """Questions of one game, and ways to spoil them."""

    def __init__(self, slug: str, chance: random.Random) -> None:
        self.chance = chance
        self.slug = slug
        self.variant = variants.get(slug)
        file = ROOT / "tests" / "cases" / f"{slug}.jsonl"
        lines = file.read_text(encoding="utf-8").splitlines()
        self.lines = [line for line in lines if line.strip()]
        self.advice = [line for line in self.lines if '"ask": "advise"' in line]
        self.tokens = (TILES if '"R7' in file.read_text(encoding="utf-8") else CARDS) * 4
        self.tokens += list(ODD)

    def valid(self) -> dict[str, object]:
        """Give a case without its answer; one in ten is of advice, which has the most to do."""
        lines = self.advice if self.chance.random() < 0.1 and self.advice else self.lines
        case = json.loads(self.chance.choice(lines))
        return {key: case[key] for key in case if key not in {"expect", "why", "source"}}

    def change(self, question: dict[str, object]) -> None:
        """Change one thing in a question."""
        chance = self.chance
        ways = (self._card, self._card, self._card, self._list, self._option, self._option)
        chance.choice((*ways, self._field, self._step, self._ask, self._crowd))(question)

    def _card(self, question: dict[str, object]) -> None:
        """Change, add, take out or move a card somewhere."""
        places = list(_texts(question))
        if not places:
            return
        holder, key = self.chance.choice(places)
        words = str(holder[key]).split()  # type: ignore[index]  # a list or a mapping
        way, at = self.chance.randrange(4), self.chance.randrange(len(words) + 1)
        if way == 0 or not words:
            words.insert(at, self.chance.choice(self.tokens))
        elif way == 1:
            del words[at - 1]
        elif way == 2:
            words[at - 1] = self.chance.choice(self.tokens)
        else:
            self.chance.shuffle(words)
        holder[key] = " ".join(words)  # type: ignore[index]  # as above

    def _list(self, question: dict[str, object]) -> None:
        """Double, drop or shuffle what is in a list."""
        lists = [value for value in question.values() if isinstance(value, list) and value]
        if not lists:
            return
        items = self.chance.choice(lists)
        way = self.chance.randrange(4)
        if way == 0:
            items.append(self.chance.choice(items))
        elif way == 1:
            items.pop(self.chance.randrange(len(items)))
        elif way == 2:
            self.chance.shuffle(items)
        else:
            items.append(self._cards(3, 7))

    def _option(self, question: dict[str, object]) -> None:
        """Choose a house rule."""
        if not self.variant.options:
            return
        option = self.chance.choice(self.variant.options)
        value: object = self.chance.choice(ANY)
        if isinstance(option.kind, Choice) and self.chance.random() < 0.9:
            value = self.chance.choice(option.kind.values)[0]
        options = question.setdefault("options", {})
        if isinstance(options, dict):
            options[option.name] = value

    def _field(self, question: dict[str, object]) -> None:
        """Leave a field out, or put anything at all into one."""
        if self.chance.random() < 0.3:
            question.pop(self.chance.choice(list(question)))
        else:
            question[self.chance.choice(FIELDS)] = self.chance.choice(ANY)

    def _step(self, question: dict[str, object]) -> None:
        question["step"] = self.chance.randint(-1, 13)

    def _ask(self, question: dict[str, object]) -> None:
        question["ask"] = self.chance.choice(list(ASKS))

    def _crowd(self, question: dict[str, object]) -> None:
        """Ask about many cards at once, many of them wild."""
        name = self.chance.choice(("cards", "cards", "kept", "rack", "hand", "hand", "pile"))
        question[name] = self._cards(10, 60)

    def _cards(self, least: int, most: int) -> str:
        """Draw cards from the packs of the game, mostly: now and then with jokers too many."""
        pack = [str(card) for card in self.variant.pack.cards * self.variant.pack.copies]
        pack += ["JK"] * self.chance.choice((0, self.variant.pack.jokers, 6))
        return " ".join(self.chance.sample(pack, min(self.chance.randint(least, most), len(pack))))

    def tear(self, line: str) -> str:
        """Make something of a line that may be no JSON any more."""
        chance = self.chance
        at, to = sorted(chance.randrange(len(line)) for _ in range(2))
        return chance.choice(
            (
                line[:at],
                line[:at] + line[to:],
                line[:at]
                + chance.choice(("\\ud800", "\0", "1e999", "NaN", '"', "{", "]"))
                + line[at:],
                "[" * chance.choice((1, 100, 100_000)),
                '{"id":' + "9" * chance.choice((10, 5000)) + "}",
                line.replace(chance.choice(line), chance.choice('"0,:[]{}é♠ ')),
                "".join(map(chr, (chance.randrange(1, 0x3000) for _ in range(30)))),
                "",
            )
        )


def _texts(value: object) -> Iterator[tuple[object, object]]:
    """Give every place in a question where cards may be written."""
    pairs: list[tuple[object, object]] = []
    if isinstance(value, dict):
        pairs = [(key, item) for key, item in value.items() if key not in {"id", "variant", "ask"}]
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    for key, item in pairs:
        if isinstance(item, str):
            yield value, key
        else:
            yield from _texts(item)


def ask(slug: str, count: int, seed: int = 0) -> Tally:
    """Put that many questions to one game."""
    tally = Tally()
    started = time.monotonic()
    for line in questions(slug, count, seed):
        tally.asked += 1
        try:
            taken, answer = _timed(line)
            json.dumps(answer, allow_nan=False)
        except Exception as error:  # noqa: BLE001 - that none comes is what is asked
            tally.wrong.append(f"{error!r} on {line[:2000]}")
            continue
        limit = ADVICE_LIMIT if "advise" in line else LIMIT
        if taken * 1000 > limit:
            # A machine that is slow, or busy with something else, is no fault of the answer's.
            taken = min(taken, *(_timed(line)[0] for _ in range(3)))
            if taken > milliseconds(limit):
                tally.wrong.append(f"{taken * 1000:.0f} ms for {line[:2000]}")
        if limit == LIMIT:
            tally.slowest = max(tally.slowest, taken)
        else:
            tally.slowest_advice = max(tally.slowest_advice, taken)
        fault = answer.get("error")
        if isinstance(fault, dict):
            tally.codes[str(fault["code"])] += 1
        else:
            tally.ruled += 1
    tally.seconds = time.monotonic() - started
    return tally


def _timed(line: str) -> tuple[float, dict[str, object]]:
    started = time.process_time()
    answer = answer_line(line)
    return time.process_time() - started, answer


def _questions(asked: argparse.Namespace) -> int:
    wrong = 0
    for slug in [asked.game] if asked.game else [variant.slug for variant in variants.all()]:
        tally = ask(slug, asked.number, asked.seed)
        wrong += len(tally.wrong)
        print(
            f"{slug:14} {tally.asked} asked in {tally.seconds:.0f} s, {tally.ruled} ruled on, "
            f"slowest {tally.slowest * 1000:.1f} ms (advice {tally.slowest_advice * 1000:.0f} ms), "
            f"{len(tally.wrong)} wrong; errors: "
            + ", ".join(f"{code} {times}" for code, times in tally.codes.most_common())
        )
        for sentence in tally.wrong[:20]:
            print(f"- {sentence}")
    return wrong


def _games(asked: argparse.Namespace) -> int:
    from tests.bent import bend, bend_links

    games, links = bend(asked.number, asked.seed), bend_links(asked.number // 10, asked.seed)
    print(
        f"{games.bent} descriptions: {games.sound} sound, slowest {games.slowest * 1000:.0f} ms; "
        f"{games.rulings} rulings, slowest {games.slowest_ruling * 1000:.1f} ms; "
        f"{links.bent} links: {links.sound} read, slowest {links.slowest * 1000:.0f} ms"
    )
    wrong = [*games.wrong, *links.wrong]
    for sentence in wrong[:20]:
        print(f"- {sentence}")
    return len(wrong)


def _requests(asked: argparse.Namespace) -> int:
    from tests.crash import editor, fuzz

    run = editor.run if asked.what == "forms" else fuzz.run
    began = time.monotonic()
    outcome = run(3600, seed=asked.seed, most=asked.number)
    return fuzz.say(outcome, time.monotonic() - began, asked.seed)


def main() -> int:
    """Send so much of one kind; the exit status is 1 if something was wrong, or late."""
    kinds = {"questions": _questions, "games": _games, "requests": _requests, "forms": _requests}
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("what", choices=[*kinds])
    parser.add_argument("number", type=int, nargs="?", default=5_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--game", choices=[variant.slug for variant in variants.all()])
    asked = parser.parse_args()
    return 1 if kinds[asked.what](asked) else 0


if __name__ == "__main__":
    sys.exit(main())
