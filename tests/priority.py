"""Which test runs through which function; and no other tests than those that run through one.

A plugin of pytest, for `tests.mutants`. With `--record FILE` it writes down what each test takes
and the functions that it runs through; with `--chosen FILE` the tests that are named there are run,
in that order, and whichever takes many times as long as is noted of it ends the run.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

import pytest
from hypothesis import Phase, settings

TIMES: Final = 10
"""How many times as long as noted a test may take."""

LEAST: Final = 3.0
"""Seconds of processor time that any test may take."""

REMEMBERING: Final = "referee.melds"
"""Where answers are remembered from test to test: a test that is asked what another was runs
through less than it does alone."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", type=Path, help="write down which test runs through what")
    parser.addoption("--chosen", type=Path, help="run these tests, in this order")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    # That a test fails is all that is asked, not with which smallest example.
    tried = (Phase.explicit, Phase.generate)
    settings.register_profile("first failure", phases=tried, derandomize=True, database=None)
    settings.load_profile("first failure")
    if record := config.getoption("--record"):
        config.pluginmanager.register(_Recorder(record, config.rootpath))
    if chosen := config.getoption("--chosen"):
        config.pluginmanager.register(_Choice(json.loads(chosen.read_text(encoding="utf-8"))))


class _Recorder:
    """Notes what each test takes, and what it runs through within the root."""

    def __init__(self, file: Path, root: Path) -> None:
        self.file = file
        self.root = f"{root}{os.sep}"
        self.places: dict[tuple[str, int], int] = {}
        self.tests: dict[str, tuple[float, list[int]]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        ran: dict[int, CodeType] = {}

        def trace(frame: FrameType, _event: str, _arg: Any) -> None:
            ran[id(frame.f_code)] = frame.f_code

        forget()
        began = time.process_time()
        threading.settrace(trace)
        sys.settrace(trace)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            self.tests[item.nodeid] = (time.process_time() - began, self._through(ran.values()))

    def _through(self, ran: Iterable[CodeType]) -> list[int]:
        """Answer the numbers of functions, each new one with a number of its own."""
        places = {
            (code.co_filename.removeprefix(self.root), code.co_firstlineno)
            for code in ran
            if code.co_filename.startswith(self.root)
        }
        return sorted(self.places.setdefault(place, len(self.places)) for place in places)

    def pytest_sessionfinish(self) -> None:
        noted = {"functions": list(self.places), "tests": self.tests}
        self.file.write_text(json.dumps(noted), encoding="utf-8")


def forget() -> None:
    """Let every function forget what it remembers of melds."""
    for name, module in [*sys.modules.items()]:
        if name.startswith(REMEMBERING):
            for each in tuple(vars(module).values()):
                getattr(each, "cache_clear", lambda: None)()


class _Choice:
    """Runs some tests, and none for too long."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds
        self.ranks = {name: rank for rank, name in enumerate(seconds)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.ranks]
        items.sort(key=lambda item: self.ranks[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        def end(*_: object) -> None:
            # Nothing in the test may hear of it: Hypothesis would look for a shorter example.
            os.write(1, f"\nFAILED {item.nodeid} took too long\n".encode())
            os._exit(pytest.ExitCode.TESTS_FAILED)

        signal.signal(signal.SIGPROF, end)
        signal.setitimer(signal.ITIMER_PROF, LEAST + TIMES * self.seconds[item.nodeid])
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
