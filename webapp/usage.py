"""The words of the `laydown` command line: its commands, their options, and what `--help` says.

An option belongs to the commands that have it, and may come before or after the command's name, as
it always could: `laydown --data X backup`. Without a command's name the app is served.
"""

import difflib
import sys
from argparse import (
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, NoReturn

from webapp.backups.commands import CommandError
from webapp.config import this_version
from webapp.exchange.choice import LAST_YEAR
from webapp.exchange.formats import KINDS

HIGHEST_PORT: Final = 65535

STATUS: Final = """
Exit status: 0 if it's done. 1 if it couldn't be done, and a sentence says why. 2 if
the command line or a setting makes no sense, and nothing was changed."""


class Command(NamedTuple):
    """A command: what it’s good for, and its options."""

    summary: str
    """One line in the list of commands."""
    about: str
    """What it does, as the start of its `--help`."""
    examples: str
    add: Callable[[ArgumentParser], None]
    """A function that gives a parser the command’s options in addition to `--data`."""


def read(words: Sequence[str]) -> Namespace:
    """Read a command line; `command` names the command, and is "serve" if it names none.

    Prints the help or the version and raises SystemExit if that is asked for. Raises CommandError
    with status 2 if the words make no sense.
    """
    parsers = {name: _parser(name) for name in COMMANDS}
    command, options = _split(words, [_overview(), *parsers.values()])
    if command == "help":
        return read([*options, "--help"])
    if command == "house":
        action, options = _split(options, [*parsers.values()])
        command = f"{command} {action}".strip()
    if command and command not in parsers:
        near = "".join(difflib.get_close_matches(command, COMMANDS, 1))
        hint = f"Did you mean {near}?" if near else "See laydown --help."
        raise CommandError(f"“{command}” isn't a command. {hint}", status=2)
    parser = parsers[command] if command else _overview()
    asked, others = parser.parse_known_intermixed_args(options)
    if others:
        message = f"{parser.prog} doesn't take “{others[0]}”. See {parser.prog} --help."
        raise CommandError(message, status=2)
    if not command and asked.version:
        print(f"laydown {this_version()}")
        sys.exit()
    asked.command = command or "serve"
    asked.houses = getattr(asked, "houses", None)
    return asked


class _Parser(ArgumentParser):
    """A parser that raises an error with a sentence, instead of ending the program."""

    def error(self, message: str) -> NoReturn:
        """Raise CommandError with a message of argparse, made into a sentence."""
        sentence = message.removeprefix("argument ").replace(": expected one", " needs an")
        missing = sentence.removeprefix("the following arguments are required: ")
        if missing != sentence:
            sentence = f"{self.prog} needs {missing}"
        raise CommandError(f"{sentence}. See {self.prog} --help.", status=2)


def _split(words: Sequence[str], parsers: Sequence[ArgumentParser]) -> tuple[str, list[str]]:
    """Return the command and the other words, wherever it is among the options.

    "" if there isn’t one.
    """
    with_value = {
        option
        for parser in parsers
        for action in parser._actions  # noqa: SLF001 - argparse has no other way to ask
        if action.option_strings and action.nargs is None
        for option in action.option_strings
    }
    is_value = False
    for place, word in enumerate(words):
        if is_value:
            is_value = False
        elif word == "--":
            break
        elif word == "-" or not word.startswith("-"):
            return word, [*words[:place], *words[place + 1 :]]
        else:
            # argparse lets people shorten an option.
            is_value = any(option.startswith(word) for option in with_value)
    return "", [*words]


def _overview() -> ArgumentParser:
    """Return the parser of a line without a command, whose help lists all commands."""
    listed = "\n".join(f"  {name:13}  {each.summary}" for name, each in COMMANDS.items())
    parser = _Parser(
        prog="laydown",
        usage="laydown [COMMAND] [OPTION]...",
        formatter_class=RawDescriptionHelpFormatter,
        description="Keep the score and settle the argument while people play rummy.\n\n"
        f"commands:\n{listed}\n\n"
        "“laydown COMMAND --help” has the options of a command. Without a command, Laydown\n"
        "serves the scorepad, with the options below.",
        epilog="Settings that stay are environment variables: docs/settings.md lists them.\n"
        f"In a checkout, run “python3 -m webapp” instead of “laydown”.\n{STATUS}",
    )
    COMMANDS["serve"].add(parser)
    _add_data(parser)
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    return parser


def _parser(name: str) -> ArgumentParser:
    command = COMMANDS[name]
    parser = _Parser(
        prog=f"laydown {name}",
        formatter_class=RawDescriptionHelpFormatter,
        description=command.about,
        epilog=f"examples:\n{command.examples}\n{STATUS}",
    )
    command.add(parser)
    _add_data(parser)
    return parser


def _add_data(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        type=_named,
        help="the folder of the database and its backups (default: instance/ in a checkout, your "
        "user data folder if Laydown is installed)",
    )


def _add_serving(parser: ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--lan", action="store_true", help="let phones on this network connect, and show a QR code"
    )
    where.add_argument(
        "--host",
        metavar="ADDRESS",
        type=_text,
        default="",
        help="the address to listen on, for a proxy or a container (0.0.0.0 means all)",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=8000,
        help="the port to listen on (default: 8000); 0 picks a free one",
    )
    _add_houses(parser)
    parser.add_argument(
        "--open", action="store_true", help="open Laydown in this computer's browser"
    )
    parser.add_argument(
        "--copied",
        action="store_true",
        help="update a PostgreSQL database that you have already backed up yourself",
    )
    parser.add_argument(
        "--debug", action="store_true", help="for developers: reload on change, show tracebacks"
    )


def _add_houses(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--houses",
        metavar="FOLDER",
        type=_named,
        help="the folder of many groups, each with scores and a door of its own (docs/houses.md)",
    )


def _add_house(parser: ArgumentParser) -> None:
    parser.add_argument(
        "house", metavar="HOUSE", type=_named, help="its name, as “laydown house list” has it"
    )
    _add_houses(parser)


def _add_house_new(parser: ArgumentParser) -> None:
    parser.add_argument("title", metavar="TITLE", type=_text, help="what people call it")
    _add_houses(parser)


def _add_house_invite(parser: ArgumentParser) -> None:
    _add_house(parser)
    parser.add_argument(
        "--to",
        dest="role",
        choices=["watch", "play", "keep"],
        default="keep",
        help="watch, play (enter scores), or keep (everything; the default)",
    )


def _add_house_import(parser: ArgumentParser) -> None:
    _add_house(parser)
    parser.add_argument(
        "file", metavar="FILE", type=_named, help="another Laydown's folder, a backup or an export"
    )
    parser.add_argument("--yes", action="store_true", help="import without asking first")


def _add_house_backup(parser: ArgumentParser) -> None:
    _add_house(parser)
    _add_backup(parser)


def _add_house_restore(parser: ArgumentParser) -> None:
    _add_house(parser)
    _add_restore(parser)


def _add_nothing(parser: ArgumentParser) -> None:
    del parser


def _add_backup(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--to", metavar="FOLDER", type=_named, help="put the backup there; the folder has to exist"
    )


def _add_restore(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=_named, help="the backup")


def _add_move(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--to",
        metavar="ADDRESS",
        type=_named,
        required=True,
        help="an empty database: postgresql://USER@HOST/NAME or sqlite:////FOLDER/FILE",
    )


def _add_export(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default="-",
        type=_named,
        help="the file to write; “-” or no file prints to standard output",
    )
    parser.add_argument(
        "--as",
        dest="kind",
        choices=[*KINDS],
        default="book",
        help="book: everything, as JSON Lines (the default). totals, rounds: a table (CSV)",
    )
    parser.add_argument(
        "--game", metavar="ID", type=_text, default="", help="one game, by the ID in its address"
    )
    parser.add_argument(
        "--player", metavar="NAME", type=_text, default="", help="one player's games"
    )
    parser.add_argument("--year", type=_year, default=0, help="one year's games")


def _add_import(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", type=_named, help="the file to read; “-” reads standard input"
    )
    parser.add_argument("--yes", action="store_true", help="import without asking first")


def _named(text: str) -> str:
    if not text:
        raise ArgumentTypeError("there's nothing in the quotes")
    return text


def _text(text: str) -> str:
    if text.encode(errors="ignore").decode() != text:
        raise ArgumentTypeError(f"{text} isn't written in UTF-8")
    return text


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text[:9]) <= HIGHEST_PORT):
        raise ArgumentTypeError(f"{text} isn't a port; use 0 to {HIGHEST_PORT}")
    return int(text)


def _year(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:9]) <= LAST_YEAR):
        raise ArgumentTypeError(f"{text} isn't a year")
    return int(text)


COMMANDS: Final = {
    "serve": Command(
        "serve the scorepad (what happens without a command)",
        "Serve the scorepad until Ctrl+C. Without --lan or --host, only this computer\n"
        "can open it. The address, and where the scores are, is printed at the start.\n"
        "The database is created if there's none, and brought up to date if it's older.",
        "  laydown serve --lan                  phones on the same Wi-Fi can join\n"
        "  laydown serve --port 8001            if port 8000 is taken",
        _add_serving,
    ),
    "check": Command(
        "check every game and change nothing",
        "Replay every game from its entries and compare it with what the pages show.\n"
        "Prints a line for each game that isn't right; then the exit status is 1. Phones\n"
        "can save meanwhile.",
        "  laydown check && laydown backup      back up only if everything is in order",
        _add_nothing,
    ),
    "rebuild": Command(
        "make the history and standings again",
        "Make the history and standings again from the entries, game by game. This fixes\n"
        "what “laydown check” finds in them. No entry is changed.",
        "  laydown backup && laydown rebuild",
        _add_nothing,
    ),
    "backup": Command(
        "copy all scores and check the copy",
        "Copy all scores to a new file and check every game in the copy. Phones can save\n"
        "meanwhile. Without --to, the copy is in the folder “backups” beside the database,\n"
        "and in the folder LAYDOWN_BACKUPS if you've set it. Old copies are thinned out.",
        "  laydown backup                       print where the new backup is\n"
        "  laydown backup --to /media/stick     onto a USB stick",
        _add_backup,
    ),
    "restore": Command(
        "replace the scores with a backup",
        "Replace all scores with those in a backup. Stop Laydown first. The scores that\n"
        "were there are kept in “backups”. Only a whole Laydown backup is taken: anything\n"
        "else changes nothing.",
        "  laydown restore instance/backups/backup-0012-20261128T201500Z.db",
        _add_restore,
    ),
    "move": Command(
        "move all scores to another database",
        "Copy all scores into an empty database, SQLite or PostgreSQL, and check them\n"
        "there. The old database doesn't change. Set DATABASE_URL to the new address\n"
        "afterwards.",
        "  laydown move --to postgresql://ana@localhost/laydown",
        _add_move,
    ),
    "export": Command(
        "write games to a file",
        "Write all games, or those you choose, to a file or to standard output. Phones\n"
        "can save meanwhile. The file includes player names.",
        "  laydown export laydown.jsonl                     everything\n"
        "  laydown export --as rounds --player Ana ana.csv  Ana's rounds, as a table\n"
        "  laydown export - | gzip > laydown.jsonl.gz       to another program",
        _add_export,
    ),
    "import": Command(
        "read an export, or games from paper",
        "Read an export, or a table of games from paper (docs/paper.md), show what's in it\n"
        "and import it if you agree. Games that are here already aren't added twice.",
        "  laydown import laydown.jsonl\n  gunzip < laydown.jsonl.gz | laydown import --yes -",
        _add_import,
    ),
    "house new": Command(
        "make a house, for a server of many groups",
        "Make a house: a group with scores and a door of its own. Prints a link and a QR\n"
        "code for the phone of whoever keeps it. “laydown --houses FOLDER” serves them all.",
        '  laydown house new "Sunday table"',
        _add_house_new,
    ),
    "house list": Command(
        "list the houses",
        "List the houses: name, title, games, phones that are in, and the last backup.",
        "  laydown house list",
        _add_houses,
    ),
    "house invite": Command(
        "let a phone into a house",
        "Print a link for one phone, good for a week. With it, somebody who has lost every\n"
        "phone gets back in. Works while Laydown runs.",
        "  laydown house invite sunday-table-419de6\n"
        "  laydown house invite sunday-table-419de6 --to watch",
        _add_house_invite,
    ),
    "house remove": Command(
        "take a house away",
        "Move a house to the folder “.removed”, where nobody can reach it. Nothing is\n"
        "deleted: move its folder back, or delete it.",
        "  laydown house remove sunday-table-419de6",
        _add_house,
    ),
    "house import": Command(
        "bring scores into a house",
        "Bring the scores of another Laydown into a house without games: its folder, a\n"
        "backup, or an export. An export or games from paper can be added at any time.",
        "  laydown house import sunday-table-419de6 ~/laydown/instance\n"
        "  laydown house import sunday-table-419de6 laydown.jsonl",
        _add_house_import,
    ),
    "house backup": Command(
        "copy the scores of a house and check the copy",
        "Copy all scores of a house to a new file and check every game in the copy.\n"
        "Works while Laydown runs, which also does it by itself.",
        "  laydown house backup sunday-table-419de6",
        _add_house_backup,
    ),
    "house restore": Command(
        "replace the scores of a house with a backup",
        "Replace all scores of a house with those in a backup. Works while Laydown runs:\n"
        "for a moment, phones that save try again. Who’s in doesn’t change.",
        "  laydown house restore sunday-table-419de6 backup-0012-20261128T201500Z.db",
        _add_house_restore,
    ),
}
"""All commands, by name."""
