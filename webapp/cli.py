"""The `laydown` command: serve the scorepad to this machine, or to the phones at the table.

What can go wrong on somebody's machine is answered with one sentence and an exit status, never
with a traceback: 1 if it fails on this machine, 2 if the command line itself is wrong.
"""

import io
import os
import shlex
import sys
import webbrowser
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final

from sqlalchemy import make_url

from webapp import app as factory
from webapp import checkouts, serving
from webapp._bootstrap import report
from webapp.backups import commands
from webapp.backups.commands import CommandError, read_config
from webapp.backups.scheduler import NICENESS, Scheduler
from webapp.config import Config
from webapp.db import DatabaseError, only_server, sqlite_file
from webapp.exchange import commands as exchange
from webapp.houses import commands as houses
from webapp.houses.commands import only_host
from webapp.houses.houses import FILES, OPEN, Houses
from webapp.language import say
from webapp.migrations import migrate
from webapp.network import lan
from webapp.network.names import is_loopback
from webapp.pages.scorepad.view import read_pad
from webapp.usage import read
from webapp.workers import Workers
from webapp.workers.jobs import PrepareTask

PATIENCE: Final = 1800.0
"""The seconds that a backup or a check of every game can take, in a process with low priority."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out the command line, and return the exit status."""
    # A stream that was closed for this program (`>&-`) is one that nobody reads or types into.
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: PTH123, SIM115 - for as long as it runs
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: PTH123, SIM115 - as above
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: PTH123, SIM115 - as above
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that can’t show a letter of a path is no reason not to start.
            stream.reconfigure(errors="backslashreplace")
    try:
        return _carry_out(read(sys.argv[1:] if arguments is None else arguments))
    except CommandError as error:
        print(f"laydown: {error}", file=sys.stderr)
        return error.status
    except (DatabaseError, serving.ListenError) as error:
        print(f"laydown: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        raise
    except OSError as error:
        print(f"laydown: {error.filename or 'This computer'}: {error.strerror}.", file=sys.stderr)
        return 1


def _carry_out(asked: Namespace) -> int:
    """Run the command of a command line, and return the exit status.

    Raises CommandError if it can’t be carried out.
    """
    if asked.data:
        os.environ["LAYDOWN_INSTANCE"] = asked.data
    if asked.houses:
        os.environ["LAYDOWN_HOUSES"] = asked.houses
    kept = _look_after(asked)
    if kept is not None:
        return kept
    if "LAYDOWN_HOUSES" in os.environ:
        serve_houses(asked.host, asked.port, without_door=asked.lan or asked.debug)
        return 0
    _point_to_checkout()
    serve(
        host=asked.host,
        port=asked.port,
        for_phones=asked.lan,
        debug=asked.debug,
        copied=asked.copied,
        show=asked.open,
    )
    return 0


def _look_after(asked: Namespace) -> int | None:
    """Run a command other than `serve`, and return the exit status; None if there isn’t one."""
    by_name: Mapping[str, Callable[[], int]] = {
        "check": commands.check,
        "rebuild": commands.rebuild,
        "backup": lambda: commands.backup(asked.to, read_config()),
        "restore": lambda: commands.restore(asked.file, read_config(makes_folder=True)),
        "move": lambda: commands.move(asked.to),
        "import": lambda: exchange.take_in(
            asked.file, read_pad, read_config(makes_folder=True), sure=asked.yes
        ),
        "export": lambda: exchange.export(
            asked.file, exchange.Wanted(asked.game, asked.player, asked.year, asked.kind)
        ),
        "house new": lambda: houses.new(asked.title),
        "house list": houses.show,
        "house invite": lambda: houses.invite(asked.house, asked.role),
        "house remove": lambda: houses.remove(asked.house),
        "house import": lambda: houses.bring(asked.house, asked.file, read_pad, sure=asked.yes),
        "house backup": lambda: houses.backup(asked.house, asked.to),
        "house restore": lambda: houses.restore(asked.house, asked.file),
    }
    command = by_name.get(asked.command)
    return command() if command else None


def serve(  # noqa: PLR0913 - an option of the command line each
    *,
    host: str = "",
    port: int,
    for_phones: bool,
    debug: bool,
    copied: bool = False,
    show: bool = False,
) -> None:
    """Serve until the process is stopped; create the database or bring it up to date first.

    It listens for this machine only, on all networks if `for_phones`, or on the address of `host`.
    Port 0 is any free one. `copied` means that a PostgreSQL was copied by hand, `show` that this
    machine’s browser opens the first page. Raises CommandError if the options or settings can’t be
    used, ListenError if the port can’t be opened, and DatabaseError if the database can’t be used.
    """
    debug = debug or os.environ.get("FLASK_DEBUG", "0") not in {"", "0"}
    if debug and (for_phones or (host and not is_loopback(host))):
        message = (
            "Anyone who can open a debug page can run code on this computer, so --debug doesn't "
            "work with --lan or another --host."
        )
        raise CommandError(message, status=2)
    config = read_config(makes_folder=True)
    copies = None if copied else config.backups
    if debug:
        _serve_for_developers(config, port, copies)
        return
    hosts = serving.EVERYWHERE if for_phones else (host,) if host else serving.LOOPBACK
    with ExitStack() as open_until_the_end:
        # Before the port: if another Laydown is running on the database, a free port is no help.
        locked = open_until_the_end.enter_context(only_server(sqlite_file(config.database_url)))
        listeners = serving.listen(hosts, port)
        for listener in listeners:
            open_until_the_end.enter_context(listener)
        migrate(config.database_url, copies=copies)
        port = listeners[0].getsockname()[1]
        here = f"http://{_reached_at(host)}:{port}/"
        greeting = [f"Laydown is running at {here}"]
        if for_phones:
            config, invitation = _invite(config, port)
            greeting.append(invitation)
        greeting.append(f"Your scores are in {_whereabouts(config.database_url)}")
        app = factory.create_app(config)
        database = open_until_the_end.enter_context(closing(app.extensions["database"]))
        broken = database.broken_promises()
        if broken:
            greeting.append(say("keeping.promise", what=", ".join(broken)))
        greeting.append("Press Ctrl+C to stop.")
        database.take_charge(here)
        if database.file and database.file.lacks_room:
            greeting.insert(-1, say("faults.full"))
        if not locked:
            greeting.insert(-1, say("faults.no-locks"))
        apart = Workers(PATIENCE, niceness=NICENESS, stay=False)
        scheduler = Scheduler(app.extensions["database"], config, apart)
        # Running jobs are ended before waiting for the scheduler.
        with closing(Workers(first=PrepareTask())) as workers, closing(scheduler), closing(apart):
            app.extensions |= {"solver": workers, "scheduler": scheduler}
            workers.warm()
            scheduler.start()

            def greet() -> None:
                report("\n".join(greeting))
                if show:
                    webbrowser.open(here)

            serving.serve(app, listeners, greet)


def serve_houses(host: str, port: int, *, without_door: bool) -> None:
    """Serve every house in the folder that the settings name.

    Raises CommandError if `without_door`, because houses have a door, and otherwise as `serve`.
    """
    if without_door:
        message = "Houses have a door, so --lan and --debug don't work with them. Use --host."
        raise CommandError(message, status=2)
    hosts = (host,) if host else serving.LOOPBACK
    config = read_config(makes_folder=True)
    with ExitStack() as open_until_the_end:
        open_until_the_end.enter_context(only_host(config))
        listeners = serving.listen(hosts, port)
        for listener in listeners:
            open_until_the_end.enter_context(listener)
        workers = Workers(first=PrepareTask())
        apart = Workers(PATIENCE, niceness=NICENESS, stay=False)
        hosted = Houses(config, apart)
        app = factory.create_app(config, hosted)
        app.extensions["solver"] = workers
        # Running jobs are ended before waiting for the houses.
        for each in (hosted, apart, workers):
            open_until_the_end.enter_context(closing(each))
        workers.warm()
        hosted.start()
        here = f"http://{_reached_at(host)}:{listeners[0].getsockname()[1]}/"
        greeting = [
            f"Laydown is running at {here}",
            f"Its houses ({len(hosted.names())}) are in {config.houses}",
            "Press Ctrl+C to stop.",
        ]
        files = serving.RESERVE + FILES * OPEN
        serving.serve(app, listeners, lambda: report("\n".join(greeting)), reserve=files)


def _reached_at(host: str) -> str:
    """Return the address at which this machine itself reaches a server listening on `host`."""
    if host in {"", *serving.EVERYWHERE}:
        return serving.LOOPBACK[0]
    return f"[{host}]" if ":" in host else host


def _invite(config: Config, port: int) -> tuple[Config, str]:
    """Find the address for phones; return the settings with it, and what to print."""
    places = lan.places()
    found = [f"http://{place.host}:{port}/" for place in places]
    link = f"{config.address}/" if config.address else next(iter(found), "")
    if not link:
        return config, "This computer isn't on a network that phones can use."
    who = "Phones" if config.address else "Phones on the same Wi-Fi"
    said = [f"{who}: {link}", lan.draw_here(link)]
    others = [
        f"  {other} ({place.interface})"
        for place, other in zip(places, found, strict=True)
        if other != link
    ]
    name = lan.local_hostname()
    if name:
        others.insert(0, f"  http://{name}:{port}/ (by name, on networks that know it)")
    if others:
        said.append("\n".join(["If that doesn't work:", *others]))
    return replace(config, found=found[0].rstrip("/") if found else ""), "\n".join(
        filter(None, said)
    )


def _point_to_checkout() -> None:
    """Name the command that brings the scores of a checkout, if there are none here yet."""
    file = sqlite_file(read_config().database_url)
    found = checkouts.find_scores(file) if file else None
    if found:
        report(
            f"There are scores in {found}, and none here yet. To bring them, stop Laydown and run\n"
            f"  laydown restore {shlex.quote(str(found))}"
        )


def _whereabouts(database_url: str) -> str:
    """Return where a database is, without its password."""
    file = sqlite_file(database_url)
    if file:
        return str(file.resolve())
    return make_url(database_url).render_as_string(hide_password=True)


def _serve_for_developers(config: Config, port: int, copies: Path | None) -> None:
    """Serve with Flask's own server: reloads on change and shows tracebacks on the page."""
    from werkzeug.serving import run_simple  # noqa: PLC0415 - a developer's server, for developers

    # The server starts this program again, and once more after each change, on the same port. Only
    # those processes serve, and have the lock while they do.
    serves = "WERKZEUG_RUN_MAIN" in os.environ
    if not serves:
        with only_server(sqlite_file(config.database_url)):
            [listener] = serving.listen(serving.LOOPBACK[:1], port)
            with closing(listener):
                port = listener.getsockname()[1]
            migrate(config.database_url, copies=copies)
        print(
            f"Laydown is running at http://{_reached_at('')}:{port}/, for developers.", flush=True
        )
    file = sqlite_file(config.database_url)
    with only_server(file) if serves else nullcontext():
        run_simple(
            serving.LOOPBACK[0],
            port,
            factory.create_app(config),
            use_reloader=True,
            use_debugger=True,
            threaded=True,
        )
