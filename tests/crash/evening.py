"""An evening of many tables: two phones each, playing game after game as fast as they can.

What the phones are told is saved goes into a diary, which is held against the database later.
"""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, Queue
from urllib.parse import urlsplit

from tests.crash.phone import Answer, Phone, RefusedError, ServerAwayError, Submission
from tests.crash.together import Together

GAME = "mexican-rummy"
ROUNDS = 6
POINTS = range(60, 125, 5)
"""What a hand may cost in any round: the last ones catch a whole hand."""

PATIENCE = 30
"""For how many seconds a phone waits for the other one at its table."""


class AbandonedError(Exception):
    """The game is not as it was said to be, or the other phone is gone; start another one."""


class OverError(Exception):
    """The evening is over, and the other phone at the table has gone."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A phone was told that a game has begun."""

    key: str
    pub: str


@dataclass(frozen=True, slots=True)
class Saved:
    """A phone was told that a hand is saved."""

    key: str
    pub: str
    player: int
    round: int
    points: int


@dataclass(slots=True)
class Evening(Together):
    """All tables together, until `over` is set.

    `diary` holds what the phones were told, `stuck` why a game was given up.
    """

    url: str
    tables: int
    seed: int = 0
    pace: float = 0
    """About how many seconds a phone lets pass before each save."""
    below: str = ""
    """The path of the house that they play in."""
    cookie: str = ""
    """What that house knows their phones by."""
    diary: list[Begun | Saved] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    replays: int = 0
    took: list[float] = field(default_factory=list)
    """How many seconds each save of a hand took to be answered, with all that was tried."""

    def each(self) -> Iterator[Callable[[], None]]:
        """Sit at a table with a phone, two at each."""
        for table in range(self.tables):
            seats: Queue[tuple[str, tuple[int, ...]]] = Queue()
            yield from (partial(self._sit, table, seat, seats) for seat in (0, 1))

    def wait_for(self, told: int) -> None:
        """Wait until the diary holds so much; in vain, no longer than a phone waits."""
        until = time.monotonic() + PATIENCE
        while len(self.diary) < told and time.monotonic() < until:
            time.sleep(0.01)

    def _sit(self, table: int, seat: int, seats: Queue[tuple[str, tuple[int, ...]]]) -> None:
        chance = random.Random(f"{self.seed}/{table}/{seat}")
        phone = Phone(self.url, chance, below=self.below, cookie=self.cookie)
        self.over.wait(self.pace * chance.random())
        while not self.over.is_set():
            try:
                if seat == 0:
                    game = self._begin(phone, table)
                    seats.put(game)
                else:
                    game = seats.get(timeout=0.2)
                self._play(phone, seat, *game)
            except (Empty, OverError):
                continue
            except AbandonedError as error:
                self.stuck.append(str(error))
            except (RefusedError, ServerAwayError) as error:
                self.stuck.append(f"table {table}, seat {seat}: {error!r}")
        self.replays += phone.replays
        phone.hang_up()

    def _begin(self, phone: Phone, table: int) -> tuple[str, tuple[int, ...]]:
        """Start a game of two; answers its public id and the players'."""
        form = phone.get(f"/games/new?variant={GAME}").form("key")
        if form is None:
            message = "The page for a new game has no form on it."
            raise AbandonedError(message)
        fields = [(name, value) for name, value in form.fields.items() if name != "seat"]
        fields += [("seat", f"+Ana {table}"), ("seat", f"+Ben {table}")]
        answer = phone.save("/games", fields)
        pub = urlsplit(answer.location).path.split("/")[2]
        self.diary.append(Begun(form.fields["key"], pub))
        count = self._open(phone, f"/g/{pub}/rounds/1")
        players = [int(name[5:]) for name in count.fields if name.startswith("base-")]
        return pub, tuple(players)

    def _play(self, phone: Phone, seat: int, pub: str, players: tuple[int, ...]) -> None:
        me = players[seat]
        for round_ in range(1, ROUNDS + 1):
            if self.over.is_set():
                return
            is_out = round_ % 2 == seat
            points = 0 if is_out else phone.chance.choice(POINTS)
            path = f"/g/{pub}/rounds/{round_}"
            self.over.wait(self.pace * phone.chance.uniform(0.5, 1.5))
            form = self._open(phone, f"{path}?player={me}")
            self._save(phone, path, form, Saved(form.fields["key"], pub, me, round_, points))
            if not is_out and phone.chance.random() < 0.5 and round_ < ROUNDS:
                # Another value than before: equal ones are no correction, and make no entry.
                points += 5
                path = f"{path}/hands/{me}"
                form = self._open(phone, path)
                self._save(phone, path, form, Saved(form.fields["key"], pub, me, round_, points))

    def _open(self, phone: Phone, path: str) -> Submission:
        """Open a count page, which may have to wait for the other phone's hand."""
        until = time.monotonic() + PATIENCE
        answer: Answer | None = None
        while time.monotonic() < until and not (answer and self.over.is_set()):
            answer = phone.get(path)
            form = answer.form("key") if answer.status == 200 else None
            if form:
                return form
            time.sleep(0.04 + self.pace / 10)
        if self.over.is_set():
            raise OverError
        message = f"{path} does not open: {answer.status if answer else 'no answer'}."
        raise AbandonedError(message)

    def _save(self, phone: Phone, path: str, form: Submission, saved: Saved) -> None:
        fields = {
            name: value
            for name, value in form.fields.items()
            if not name.startswith(("left-", "out"))
        }
        fields["sure"] = "1"
        if saved.points:
            fields[f"left-{saved.player}"] = str(saved.points)
        else:
            fields["out"] = str(saved.player)
        asked = time.monotonic()
        phone.save(path, fields)
        self.took.append(time.monotonic() - asked)
        self.diary.append(saved)
