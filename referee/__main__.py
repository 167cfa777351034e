"""The referee at the command line: `python -m referee judge`, `ask`, `games` and `words`."""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from referee import variants
from referee.protocol import answer_line
from referee.protocol.cases import check_case
from referee.protocol.terminal import NotUnderstoodError, put_into_words
from referee.saying import WORDS
from referee.translating import compare


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with `arguments`, by default those of the process; return the exit status.

    The status is 0 if all went well, 1 if there is something to fix, and 2 if the words of `ask`
    aren’t understood or a file can’t be read.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    judge = commands.add_parser("judge", help="answer JSON questions, one a line")
    judge.add_argument("--check", action="store_true", help="compare with what is expected")
    judge.add_argument("files", nargs="+", metavar="FILE", help="a file, or - for standard input")
    ask = commands.add_parser("ask", help="ask for a ruling in words")
    ask.add_argument("variant", metavar="VARIANT", help=", ".join(v.slug for v in variants.all()))
    ask.add_argument("words", nargs="*", metavar="WORDS", help="e.g. laydown step=1 7C 7D 7H / …")
    commands.add_parser("games", help="list the games, and the files that aren't games")
    words = commands.add_parser("words", help="list what a language lacks, and what is stale")
    words.add_argument("language", metavar="LANGUAGE", help="e.g. de")
    words.add_argument("folder", nargs="?", type=Path, default=WORDS, help="e.g. webapp/words")
    chosen = parser.parse_args(arguments)
    try:
        status = _do(chosen)
        sys.stdout.flush()
    except NotUnderstoodError as error:
        print(error, file=sys.stderr)
    except BrokenPipeError:
        # The reader of the pipe has closed it. Without this, Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"{error.filename or 'The file'} cannot be read: {error.strerror}", file=sys.stderr)
    else:
        return status
    return 2


def _do(chosen: argparse.Namespace) -> int:
    match chosen.command:
        case "games":
            return _games()
        case "ask":
            print(put_into_words(chosen.variant, chosen.words))
            return 0
        case "words":
            return _words(chosen.folder, chosen.language)
        case _:
            return _check(chosen.files) if chosen.check else _judge(chosen.files)


def _games() -> int:
    for game in variants.all():
        print(f"{game.slug}: {game.name}")
    for left in variants.left_out():
        print(f"Left out: {left.shown()}", file=sys.stderr)
    return 1 if variants.left_out() else 0


def _words(folder: Path, language: str) -> int:
    lacks = [*compare(folder, language)]
    print("\n".join([*lacks, f"{len(lacks)} to translate"]))
    return 1 if lacks else 0


def _lines(name: str) -> Iterator[str]:
    """Yield the lines of a file that aren’t empty, with “�” for bytes that aren’t text."""
    if name == "-":
        yield from _texts(sys.stdin.buffer)
        return
    with open(name, "rb") as file:  # noqa: PTH123 - a file name of the command line
        yield from _texts(file)


def _texts(lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        text = line.decode(errors="replace").strip()
        if text:
            yield text


def _judge(names: Sequence[str]) -> int:
    status = 0
    for name in names:
        for line in _lines(name):
            answer = answer_line(line)
            status |= "error" in answer
            print(json.dumps(answer))
    return status


def _check(names: Sequence[str]) -> int:
    passed = failed = 0
    for name in names:
        for number, line in enumerate(_lines(name), start=1):
            try:
                differences = check_case(line)
            except (ValueError, RecursionError) as error:
                differences = [f"no case: {error}"]
            failed += bool(differences)
            passed += not differences
            for difference in differences:
                print(f"{name}:{number}: {_name(line)}{difference}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def _name(line: str) -> str:
    try:
        return f"{json.loads(line)['id']}: "
    except (ValueError, RecursionError, KeyError, TypeError):
        return ""


if __name__ == "__main__":
    sys.exit(main())
