"""Both commands of the README on bare Debian systems: `python3 -m tests.machines trixie sid`.

Each system is made with debootstrap, as root: Python, pip and the certificates, nothing else. In it
the first command starts the app, and the second runs the tests, once as root and once as nobody
special, each in an unpacked copy of what is committed, with an empty home. `--first` leaves the
tests out; what follows `--` goes to them. A table says what came of it.

The systems come from where this machine’s apt gets them, and pip in them asks where this machine’s
pip asks: no such place is written down here.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from webapp._bootstrap import ROOT

USER = 1000
"""The number of the user who isn’t root."""
PACKAGES = "python3,python3-pip,ca-certificates"
MOUNTED = ("proc", "dev", "dev/shm")
"""What a system has of the machine that it runs on."""
UP = 300
"""Seconds in which the app has to be up."""
CONFIGURED = (
    *("/etc/pip.conf", "/etc/npmrc", "/usr/etc/npmrc", "/etc/resolv.conf", "/etc/hosts"),
    "/etc/ssl/certs/ca-certificates.crt",
)
"""What says how package registries are reached from here."""
SETTINGS = re.compile(r"(?i)PIP_(?!FIND)\w+|UV_\w+|NPM_CONFIG_\w+|\w*_proxy|\w*(CERT|CA_)\w*")
"""The environment variables that say so."""


@dataclass(frozen=True)
class Row:
    """What came of both commands on one system."""

    system: str
    user: str
    first: float
    """Seconds until the app was up; infinitely many if it never was."""
    second: float
    megabytes: int
    """What the checkout and the home take afterwards."""
    said: str
    """The closing line of the tests."""

    def __str__(self) -> str:
        """Write it as a line of the table."""
        return (
            f"{self.system:10} {self.user:6} {self.first:6.1f} s  {self.second:6.0f} s  "
            f"{self.megabytes:5} MB  {self.said}"
        )


def apt_mirror() -> str:
    """The place that this machine’s apt gets Debian from."""
    lists = [*Path("/etc/apt").glob("sources.list"), *Path("/etc/apt").glob("sources.list.d/*")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in lists)
    found = re.search(r"^(?:URIs:|deb(?: \[[^]]*\])?)\s+(\S+/debian)/?(?:\s|$)", text, re.MULTILINE)
    if found is None:
        sys.exit("apt names no mirror of Debian here.")
    return found[1]


@contextmanager
def bare(system: str) -> Iterator[Path]:
    """A new Debian with nothing but Python, pip and certificates; gone afterwards."""
    kept = Path("/var/tmp") / f"laydown-{system}.tar"  # noqa: S108 - only root runs this
    folder = Path(tempfile.mkdtemp(prefix=f"laydown-{system}-", dir="/var/tmp"))
    folder.chmod(0o755)
    root = folder / "system"
    if not kept.exists():
        _debootstrap(system, folder / "made", f"--make-tarball={kept}")
    try:
        _debootstrap(system, root, f"--unpack-tarball={kept}")
        for path in map(Path, CONFIGURED):
            if path.exists():
                (root / path.relative_to("/")).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, root / path.relative_to("/"))
        for name in MOUNTED:
            subprocess.run(["mount", "--bind", f"/{name}", str(root / name)], check=True)
        yield root
    finally:
        for name in reversed(MOUNTED):
            unmount = ["umount", "--lazy", str(root / name)]
            subprocess.run(unmount, check=False, stderr=subprocess.DEVNULL)
        # Whatever is still mounted would be deleted with the folder, and it is this machine's own.
        if str(folder) not in Path("/proc/self/mounts").read_text(encoding="utf-8"):
            shutil.rmtree(folder)


def _debootstrap(system: str, folder: Path, tarball: str) -> None:
    options = ["--variant=minbase", f"--include={PACKAGES}", tarball]
    command = ["debootstrap", *options, system, str(folder), apt_mirror()]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def visit(system: str, user: int, wanted: Sequence[str], *, tests: bool) -> Row:
    """Run both commands on a new system, as one user."""
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True)
    with bare(system) as root:
        home = root / "home" / "somebody"
        checkout = home / "laydown"
        checkout.mkdir(parents=True)
        with tarfile.open(fileobj=BytesIO(packed.stdout)) as tar:
            tar.extraction_filter = getattr(tarfile, "data_filter", None)
            tar.extractall(checkout)  # noqa: S202 - our own
        if user:
            # PostgreSQL starts for nobody whom the system doesn’t know by name.
            with (root / "etc" / "passwd").open("a") as known:
                known.write(f"somebody:x:{user}:{user}::/home/somebody:/bin/sh\n")
        for path in (home, *home.rglob("*")):
            os.chown(path, user, user, follow_symlinks=False)
        kept = {name: value for name, value in os.environ.items() if SETTINGS.fullmatch(name)}
        settings = {"HOME": "/home/somebody", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **kept}
        enter = [
            shutil.which("chroot") or "/usr/sbin/chroot",
            f"--userspec={user}:{user}",
            str(root),
            "env",
            "-C",
            "/home/somebody/laydown",
        ]
        log = root / "log"
        with log.open("wb") as said:
            began = time.monotonic()
            app = subprocess.Popen(
                [*enter, "python3", "-m", "webapp", "--port", "0"],
                env=settings,
                stdout=said,
                stderr=said,
            )
            while app.poll() is None and time.monotonic() - began < UP:
                if b"Laydown is running at" in log.read_bytes():
                    break
                time.sleep(0.1)
            first = time.monotonic() - began if app.poll() is None else float("inf")
            app.terminate()
            app.wait()
        line, second = "", 0.0
        if first == float("inf"):
            line = log.read_text(errors="replace").strip().splitlines()[-1]
        elif tests:
            began = time.monotonic()
            # Each line as it comes, so that whoever waits sees how far it is.
            command = [*enter, "python3", "-m", "tests", *wanted]
            running = subprocess.Popen(
                command, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
            assert running.stdout
            with (Path("/var/tmp") / f"laydown-{system}-{user}.log").open("w") as kept_log:  # noqa: S108
                for text in running.stdout:
                    kept_log.write(text)
                    kept_log.flush()
                    line = text.strip(" =\n") or line
            running.wait()
            second = time.monotonic() - began
        # uv links the files of its cache into the environment: each takes its room once.
        files = {(of.st_dev, of.st_ino): of.st_size for of in map(Path.lstat, home.rglob("*"))}
        size = sum(files.values())
        return Row(system, "root" if user == 0 else "user", first, second, size // 2**20, line)


def main() -> int:
    """Print the table; the exit status is 1 if something failed."""
    parser = argparse.ArgumentParser(prog="python3 -m tests.machines", description=__doc__)
    parser.add_argument("systems", nargs="*", default=["bookworm", "trixie", "sid"])
    parser.add_argument("--first", action="store_true", help="only the first command")
    parser.add_argument("--user", choices=["root", "user"], help="only as root, or as a user")
    asked, wanted = parser.parse_known_args()
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        sys.exit("This needs root and debootstrap (Debian: apt install debootstrap).")
    users = [
        number for number in (0, USER) if asked.user in {None, "root" if number == 0 else "user"}
    ]
    print("system     as      first    second     disk  the tests say", flush=True)
    well = True
    for system in asked.systems:
        for user in users:
            row = visit(
                system, user, [word for word in wanted if word != "--"], tests=not asked.first
            )
            print(row, flush=True)
            well &= row.first != float("inf") and not re.search(r"failed|error", row.said)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
