"""Every answer of the referee held against those of before: `python -m tests.answers`.

A change that should change no ruling changes no answer. The questions are frozen: the conformance
cases of a day, 20,000 seeded questions of every kind and game, spoilt ones and advice among them,
500 scorepads, and what tests of single rulings once asked; besides them all clauses and house rules
of the games. Kept of an answer are its codes, verdicts and numbers, never its sentences.

Where some differ it shows both; `--record` keeps the answers of today. Advice goes by its figures:
equally good melds are as good. The exit status is 1 where anything differs.
"""

import argparse
import json
import lzma
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, Final

from referee import Variant, variants
from referee.protocol import answer_line
from webapp._bootstrap import ROOT

GOLDEN: Final = ROOT / "tests" / "golden"
QUESTIONS: Final = GOLDEN / "questions.jsonl.xz"
"""Pairs of a kind ("case", "fuzz", "made", "advice", "pad", "told") and a line to ask."""
ANSWERS: Final = GOLDEN / "answers.txt.xz"
"""A line for each question, by its number, then one for each clause and house rule of a game."""
_FIGURES: Final = ("possible", "points", "played_count", "played_value", "kind", "multiplier")
"""What advice comes to, by whatever melds."""
_SHOWN: Final = 20


@cache
def questions() -> tuple[str, ...]:
    """The questions, in their order."""
    lines = lzma.decompress(QUESTIONS.read_bytes()).decode().splitlines()
    return tuple(json.loads(line)[1] for line in lines)


def brief(answer: Mapping[str, Any]) -> str:
    """What two answers must have in common, in a line: of advice its figures."""
    if "error" in answer:
        return f"error {answer['error']['code']}"
    if "decided" in answer:
        return _line({name: answer[name] for name in _FIGURES if name in answer})
    if "findings" not in answer:
        return _line(answer)
    told = dict(answer)
    codes = " ".join(f"{each['code']}@{each['clause']}" for each in told.pop("findings"))
    verdict = "legal" if told.pop("legal") else "not legal"
    return f"{verdict} {codes} {_line(told)}"


def _line(told: Mapping[str, object]) -> str:
    return json.dumps(_bare(told), ensure_ascii=False, sort_keys=True).replace('"', "")


def _bare(told: object) -> object:
    """What was told without its sentences."""
    if isinstance(told, dict):
        return {name: _bare(each) for name, each in told.items() if name not in {"id", "says"}}
    return list(map(_bare, told)) if isinstance(told, list | tuple) else told


def book_of(game: Variant) -> Iterator[tuple[str, str]]:
    """All clauses and house rules of a game, each by its name, with what it goes by."""
    for clause in game.rulebook.clauses:
        yield f"{game.slug}/{clause.id}", clause.basis.value
    for option in game.options:
        values = getattr(option.kind, "values", getattr(option.kind, "named", ()))
        values = sorted(values) if isinstance(values, frozenset) else values
        yield f"{game.slug}/{option.name}=", f"{option.clause} {option.default!r} {values!r}"


def kept() -> dict[str, str]:
    """The answers of before, by what was asked."""
    lines = lzma.decompress(ANSWERS.read_bytes()).decode().splitlines()
    return {name: told for name, _, told in (line.partition(" ") for line in lines)}


def today(every: int = 1, first: int = 0) -> dict[str, str]:
    """The answers of now: to every so-many-th question from one on, and the book of each game."""
    asked = range(first, len(questions()), every)
    found = {str(number): brief(answer_line(questions()[number])) for number in asked}
    return found | dict(chain.from_iterable(map(book_of, variants.all())))


def differing(now: Mapping[str, str], before: Mapping[str, str]) -> list[str]:
    """What is answered otherwise, of what was asked now."""
    return [name for name, told in now.items() if before.get(name) != told]


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask everything and say what differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--every", type=int, default=1, help="only each so-many-th question")
    parser.add_argument("--record", action="store_true", help="keep the answers of today")
    asked = parser.parse_args(arguments)
    now = today(asked.every)
    if asked.record:
        text = "".join(f"{name} {told}\n" for name, told in now.items())
        ANSWERS.write_bytes(lzma.compress(text.encode(), preset=9))
        return 0
    before = kept()
    names = differing(now, before)
    for name in names[:_SHOWN]:
        print(questions()[int(name)][:400] if name.isdigit() else name)
        print(f"  before {before.get(name)}\n  now    {now[name]}")
    print(f"{len(now)} answers, {len(names)} differ")
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
