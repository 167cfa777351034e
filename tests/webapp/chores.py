"""Tasks that go wrong in a worker."""

import os
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Chore:
    """What all of them are."""

    @property
    def is_costly(self) -> bool:
        return True


@dataclass(frozen=True)
class Hang(Chore):
    """Never done."""

    def do(self) -> None:
        while True:
            time.sleep(60)


@dataclass(frozen=True)
class Spin(Chore):
    """Never done, and busy with it."""

    def do(self) -> None:
        while True:
            pass


@dataclass(frozen=True)
class Crash(Chore):
    """Takes its process along."""

    def do(self) -> None:
        os._exit(3)


@dataclass(frozen=True)
class Print(Chore):
    """Says what nobody waits for."""

    def do(self) -> str:
        print("something")
        return "done"


@dataclass(frozen=True)
class Where(Chore):
    """The process that it is done in."""

    def do(self) -> int:
        return os.getpid()


@dataclass(frozen=True)
class Pause(Chore):
    """The process that it is done in, a moment later."""

    seconds: float = 0.3

    def do(self) -> int:
        time.sleep(self.seconds)
        return os.getpid()
