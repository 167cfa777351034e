"""What is costly is worked out in a process of its own, and comes to the same there."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest

from referee import LayDown, MomentError, variants
from referee.describing import Refused
from tests import positions
from tests.described import from_nothing
from tests.examples import in_turn
from tests.servers import Laydown
from tests.webapp.advice import FIVE
from tests.webapp.chores import Crash, Hang, Pause, Print, Spin, Where
from webapp._bootstrap import ROOT
from webapp.backups.scheduler import NICENESS as OF_JOBS
from webapp.language import speak
from webapp.own_games.examples import ruled_today
from webapp.pages.rules.search import lines_of
from webapp.pages.rules.task import finding
from webapp.pages.rules.view import read_book
from webapp.workers import NICENESS, UndecidedError, Workers
from webapp.workers.jobs import KeepTask, RuleTask, SearchTask, find_game, name_game
from webapp.workers.queue import AT_ONCE

OPTIONS = {"deal": {"path": "deal.cards", "values": [10, 30]}}
"""A house rule of which a value makes no game: nobody deals 30 cards of two packs to six."""

FATAL = in_turn([Hang(), Spin(), Crash()], quick=0, each=2)
PATIENT = 60.0
"""Seconds for a worker to start and to answer: it stands back for all else, however busy it is."""


@pytest.fixture(scope="module")
def workers():
    with closing(Workers(PATIENT)) as some:
        yield some


@pytest.mark.parametrize(
    "variant", in_turn(variants.all(), quick=0), ids=lambda variant: variant.slug
)
def test_a_ruling_is_the_same_in_a_worker(workers, variant):
    for example in variant.examples:
        task = RuleTask(game=name_game(variant), play=example.play, step=example.step)

        assert workers(task) == task.do()


def test_a_game_of_your_own_is_tried_by_a_worker_and_refused_in_the_same_words(workers):
    """Before the database is held: to try every value of its house rules can take a second."""
    good, bad = from_nothing(), from_nothing() | {"options": OPTIONS}

    assert KeepTask("").is_costly
    assert ruled_today(good, workers) == ruled_today(good) == good
    with pytest.raises(Refused, match=r"options\.deal") as here:
        ruled_today(bad)
    with pytest.raises(Refused) as there:
        ruled_today(bad, workers)
    assert there.value.complaints == here.value.complaints
    assert there.value.shown("es") == here.value.shown("es")


@pytest.mark.slow
@pytest.mark.parametrize("variant", FIVE, ids=lambda variant: variant.slug)
def test_advice_is_the_same_in_a_worker(workers, variant):
    for held in positions.deal(variant, variant.hand_size, 3, seed=5):
        task = SearchTask(game=name_game(variant), step=held.moment.step, hand=held.hand)

        assert workers(task) == task.do()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoken", "words"), [("en", "take the joker"), ("es", "coger el comodín")]
)
def test_a_search_finds_the_same_in_a_worker_in_the_language_of_whoever_typed(
    workers, spoken, words
):
    speak(spoken)
    game = variants.get("rummikub", spoken).with_options({"opening-points": 0})
    task = finding(game, words, lines_of(read_book(game)))
    here = task.do()

    speak("en")

    assert task.is_costly
    assert here.asked
    assert workers(task) == here


def test_a_worker_also_reports_what_is_missing(workers):
    variant = variants.get("mexican-rummy")
    hand = variant.pack.parse("8S 8H 8D 4C 5C 7C KH")
    task = SearchTask(game=name_game(variant), step=2, hand=hand)

    assert {str(miss.card) for miss in workers(task).misses} == {"2S", "2C", "6C"}


@pytest.mark.parametrize("variant", in_turn(variants.all()), ids=lambda variant: variant.slug)
def test_a_game_is_found_again_with_its_house_rules(variant):
    for option in variant.options:
        values = [value for value, _ in getattr(option.kind, "values", ())] or [option.default]
        for value in values:
            changed = variant.with_options({option.name: value})

            assert find_game(name_game(changed)).chosen == changed.chosen


@pytest.mark.slow
def test_what_a_task_raises_is_raised_where_it_was_put(workers):
    play = LayDown(melds=(variants.get("mexican-rummy").pack.parse("7C 7D 7H"),))

    with pytest.raises(MomentError):
        workers(RuleTask(game=name_game(variants.get("mexican-rummy")), play=play, step=None))


@pytest.mark.slow
def test_what_prints_does_not_come_between_two_answers(workers):
    assert workers(Print()) == "done"
    assert workers(Print()) == "done"


@pytest.mark.slow
def test_a_worker_stays_and_is_used_again(workers):
    pid = workers(Where())

    assert workers(Where()) == pid != os.getpid()


@pytest.mark.slow
def test_tasks_that_are_solved_at_once_have_a_worker_each(workers):
    with ThreadPoolExecutor(2) as phones:
        pids = {told.result() for told in [phones.submit(workers, Pause(3.0)) for _ in "12"]}

    assert len(pids) == AT_ONCE


@pytest.mark.slow
def test_a_worker_that_does_not_stay_ends_with_its_task():
    with closing(Workers(PATIENT, stay=False)) as workers:
        pid = workers(Where())

        assert ends(pid)
        assert workers(Where()) != pid


@pytest.mark.slow
def test_a_task_beside_one_that_hangs_is_solved_all_the_same():
    with closing(Workers(PATIENT)) as workers, ThreadPoolExecutor(2) as phones:
        list(phones.map(workers, [Pause(2.0), Pause(2.0)]))
        workers._limit = 3.0
        hangs = phones.submit(workers, Hang())
        time.sleep(1.0)
        beside = phones.submit(workers, Pause(2.5))

        assert beside.result()
        with pytest.raises(UndecidedError):
            hangs.result()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="it looks for processes in /proc")
def test_a_worker_stands_back_for_the_saves(workers):
    """Niceness counts within one session: in one of its own it would have a whole share."""
    pid = workers(Where())

    assert os.getsid(pid) == os.getsid(0)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(own + NICENESS, 19)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="it looks for processes in /proc")
def test_a_job_that_nobody_waits_for_stands_back_for_the_workers():
    with closing(Workers(PATIENT, niceness=OF_JOBS)) as workers:
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, workers(Where())) == min(own + OF_JOBS, 19)
    assert OF_JOBS > NICENESS


@pytest.mark.parametrize("task", FATAL, ids=lambda task: type(task).__name__)
def test_a_worker_that_hangs_or_breaks_is_replaced(task):
    with closing(Workers(PATIENT)) as workers:
        before = workers(Where())
        workers._limit = 1.0
        with pytest.raises(UndecidedError):
            workers(task)
        workers._limit = PATIENT

        assert workers(Where()) != before
        assert ends(before)


@pytest.mark.slow
def test_what_a_worker_loads_first_is_no_part_of_a_question():
    """Else a busy machine would end each new worker before its first answer."""
    with closing(Workers(1.0, Pause(2.0))) as workers:
        before = workers(Where())
        with pytest.raises(UndecidedError):
            workers(Pause(2.0))

        assert workers(Where()) != before


@pytest.mark.slow
def test_a_worker_that_was_ended_while_it_had_nothing_to_do_is_replaced():
    with closing(Workers(PATIENT)) as workers:
        before = workers(Where())
        os.kill(before, 9)
        assert ends(before)

        assert workers(Where()) != before


SOLVES = """
import os
import multiprocessing.synchronize
from contextlib import closing
from tests.webapp.chores import Where
from webapp.workers import Workers
try:
    multiprocessing.Lock()
except OSError:
    with closing(Workers(60)) as workers:
        workers.warm()
        print(workers(Where()) != os.getpid())
"""


@pytest.mark.slow
def test_a_machine_without_shared_memory_has_workers_all_the_same():
    """As in many a container: semaphores have no place, so a pool of processes can't be made."""
    fence = ["unshare", "--mount", "--map-root-user", "sh", "-ec"]
    unshared = "mount -t tmpfs -o ro none /dev/shm; exec "
    if (
        not shutil.which("unshare")
        or subprocess.run([*fence, f"{unshared} true"], check=False).returncode
    ):
        pytest.skip("Nobody may make a system without /dev/shm here.")
    command = f"{unshared}{shlex.join([sys.executable, '-c', SOLVES])}"

    done = subprocess.run([*fence, command], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.stdout, done.stderr) == ("True\n", "")


@pytest.mark.slow
def test_nothing_is_left_when_they_are_closed():
    workers = Workers(PATIENT)
    pid = workers(Where())
    workers.close()

    assert ends(pid)
    with pytest.raises(UndecidedError):
        workers(Where())


@pytest.mark.skipif(not Path("/proc").exists(), reason="it looks for processes in /proc")
@pytest.mark.parametrize(
    "end", in_turn(["SIGKILL", "SIGINT", "SIGTERM", "SIGHUP"], quick=0, each=2)
)
def test_no_worker_outlives_its_server_whatever_it_is_at(tmp_path, end):
    server = Laydown(tmp_path, program=("tests.crash.broken", "hanging"))
    until = time.monotonic() + 20
    while not (found := children(server.process.pid)) and time.monotonic() < until:
        time.sleep(0.05)
    server.process.send_signal(getattr(signal, end))
    server.process.wait(timeout=20)
    until = time.monotonic() + 10
    while any(map(is_running, found)) and time.monotonic() < until:
        time.sleep(0.05)

    assert found
    assert not any(map(is_running, found))


def children(pid: int) -> list[int]:
    return [
        int(child)
        for thread in Path(f"/proc/{pid}/task").iterdir()
        for child in (thread / "children").read_text().split()
    ]


def ends(pid: int) -> bool:
    """Whether a process ends within a few seconds."""
    until = time.monotonic() + 5
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not is_running(pid)


def is_running(pid: int) -> bool:
    """Whether a process runs; it can be waited for once the last of its threads is gone."""
    with suppress(FileNotFoundError, ProcessLookupError):
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return len(threads) > 1 or state != "Z"
    return False
