"""Every answer of the referee held against those of before: `python -m tests.answers`.

A change that should change no ruling changes no answer. The questions are frozen: the conformance
cases of a day, 20,000 seeded questions of every kind and game, spoilt ones and advice among them,
500 scorepads, and what tests of single rulings once asked; besides them all clauses and house rules
of the games. Kept of the answers is a hash for every 25, so that the file is small and one letter
that changes is seen.

Where some differ, `--beside CHECKOUT` asks another checkout the same, and shows what it answers;
`--record` keeps the answers of today. Advice goes by its figures: equally good melds are as good.
The exit status is 1 where anything differs.
"""

import argparse
import json
import lzma
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from referee import Variant, variants
from referee.protocol import answer_line
from webapp._bootstrap import ROOT

GOLDEN: Final = ROOT / "tests" / "golden"
QUESTIONS: Final = GOLDEN / "questions.jsonl.xz"
"""Pairs of a kind ("case", "fuzz", "made", "advice", "pad", "told") and a line to ask."""
ANSWERS: Final = GOLDEN / "answers.txt"
"""A line for each group: its name and the hash of its answers."""
TOGETHER: Final = 25
_FIGURES: Final = ("possible", "points", "played_count", "played_value", "kind", "multiplier")
"""What advice comes to, by whatever melds."""
_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Group:
    """Some questions that are hashed together."""

    name: str
    lines: tuple[str, ...]

    def hash(self) -> str:
        """The hash of what the referee answers to them."""
        return hash_of(map(answer_line, self.lines))


def hash_of(answers: Iterable[Mapping[str, Any]]) -> str:
    """The hash of answers, as it is kept."""
    told = "\n".join(json.dumps(compared(answer), sort_keys=True) for answer in answers)
    return sha256(told.encode()).hexdigest()[:12]


def compared(answer: Mapping[str, Any]) -> object:
    """What two answers must have in common: of advice its figures, of all else everything."""
    if "error" in answer:
        # It names all the games there are, and there will be more.
        code = answer["error"]["code"]
        return {"error": code} if code == "unknown-variant" else answer
    if "decided" not in answer:
        return answer
    return {name: answer[name] for name in _FIGURES if name in answer}


@cache
def groups() -> tuple[Group, ...]:
    """The questions, in their order."""
    lines = lzma.decompress(QUESTIONS.read_bytes()).decode().splitlines()
    asked = [json.loads(line) for line in lines]
    return tuple(
        Group(f"{kind}-{start // TOGETHER}", tuple(of_kind[start : start + TOGETHER]))
        for kind in dict.fromkeys(kind for kind, _ in asked)
        for of_kind in ([line for each, line in asked if each == kind],)
        for start in range(0, len(of_kind), TOGETHER)
    )


def book_of(game: Variant) -> Iterator[Mapping[str, object]]:
    """All clauses and house rules of a game, as its page has them."""
    for clause in (clause for _, clauses in game.rulebook.sections() for clause in clauses):
        yield {
            "id": clause.id,
            "says": clause.says,
            "place": clause.place,
            "basis": clause.basis.value,
            "section": clause.section,
        }
    for option in game.options:
        values = getattr(option.kind, "values", getattr(option.kind, "named", ()))
        yield {
            "id": option.name,
            "title": option.title,
            "clause": option.clause,
            "default": repr(option.default),
            "values": repr(sorted(values)) if isinstance(values, frozenset) else repr(values),
        }


def kept() -> dict[str, str]:
    """The hashes of before, by the name of the group."""
    lines = ANSWERS.read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines)


def today(every: int = 1, first: int = 0) -> dict[str, str]:
    """The hashes of now: of every so-many-th group from one on, and of the book of each game."""
    found = {group.name: group.hash() for group in groups()[first::every]}
    return found | {f"book-{game.slug}": hash_of(book_of(game)) for game in variants.all()}


def differing(now: Mapping[str, str], before: Mapping[str, str]) -> list[str]:
    """The names of the groups that are answered otherwise, of those there are now."""
    return [name for name, hashed in now.items() if before.get(name) != hashed]


def _beside(checkout: Path, names: Sequence[str]) -> Iterator[tuple[str, object, object]]:
    """Ask another checkout the questions of groups; answers each that differs, before and after."""
    asked = [line for group in groups() if group.name in set(names) for line in group.lines]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in asked))
        file.flush()
        command = [sys.executable, "-m", "referee", "judge", file.name]
        done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    told = done.stdout.splitlines()
    if len(told) != len(asked):
        raise SystemExit(f"{len(asked)} asked, {len(told)} answered: {done.stderr[-400:]}")
    for line, answered in zip(asked, told, strict=True):
        before, after = json.loads(answered), json.loads(json.dumps(answer_line(line)))
        if compared(before) != compared(after):
            yield line, before, after


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask everything and say what differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--every", type=int, default=1, help="only each so-many-th group")
    parser.add_argument("--record", action="store_true", help="keep the answers of today")
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT", help="show what it answers")
    asked = parser.parse_args(arguments)
    now = today(asked.every)
    if asked.record:
        text = "".join(f"{name} {hashed}\n" for name, hashed in now.items())
        ANSWERS.write_text(text, encoding="utf-8")
        return 0
    names = differing(now, kept())
    print(f"{len(now)} groups of {TOGETHER} answers, {len(names)} differ: {', '.join(names)}")
    if asked.beside:
        shown = list(_beside(asked.beside.resolve(), names))
        for line, before, after in shown[:_SHOWN]:
            print(f"\n{line[:400]}\n  before {json.dumps(before)[:900]}")
            print(f"  now    {json.dumps(after)[:900]}")
        print(f"{len(shown)} answers differ")
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
