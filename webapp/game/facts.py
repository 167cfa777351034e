"""Facts: what an entry of a game can say, and how it is stored.

A fact names players by id, never by name. It has what was entered, never what follows from it. It’s
stored as canonical JSON (keys sorted, defaults left out, no spaces), so that equal facts are equal
text. The same classes read old entries: a field that is added later has a default.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias
from urllib.parse import parse_qs

from pydantic import TypeAdapter

from webapp.game.hand import KeptHand
from webapp.language import say

ABOUT: Final = "asks"
"""The field of a stored question with the id of a frequently asked one, if no cards were shown."""

REASONS: Final = {
    "penalty": "Penalty",
    "bonus": "Bonus",
    "house": "House rule",
    "agreed": "We agreed",
}
"""The reasons a table can give for saving something unlikely, by the value of `why` as stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A game was started, with everything that its score depends on."""

    variant: str
    rules: str
    """The version of the rules that it was started with."""
    seats: tuple[int, ...]
    """The players’ ids, in seat order."""
    dealer: int
    """The seat that deals first, from 0."""
    options: Mapping[str, object] = field(default_factory=dict)
    """The house rules that differ from the source, by name."""
    advice: bool = True
    """Whether phones can ask for advice in this game: what can be laid down."""
    after: str = ""
    """The public id of the game that this is a rematch of; empty if it isn’t one."""
    stake: str = ""
    """The value of a point in money, as a decimal number: "0.05"; empty if nobody plays for
    money."""
    currency: str = ""
    """The name of the money."""
    clock: int = 0
    """Seconds for a turn; 0 if turns are not timed."""
    game: Mapping[str, object] = field(default_factory=dict)
    """The complete rules that it was started with, house rules included; empty for a game from
    before rules were stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Hands of one round were counted, some or all of them."""

    round: int
    hands: Mapping[int, KeptHand]
    """The hands that were counted, by player id."""
    override: tuple[str, ...] = ()
    """The codes of the doubts that the table confirmed."""
    turned: str = ""
    """The card turned up at the deal, if the game needs it and it was entered; else empty."""
    reason: str = ""
    """The reason that the table gave for saving something unlikely; empty if none."""
    doubted: tuple[int, ...] = ()
    """The ids of the players whose hands seemed unlikely; none if the doubt was about the whole
    round."""
    zeros: bool = False
    """Whether the table said that an empty box is 0 in this game, so that nobody is asked again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected(Counted):
    """Hands of a closed round were corrected; each names the entry it corrects as its base."""

    closed: int = 0
    """The last round that was closed at that time. It stays closed, even if the correction brings a
    player back into the game who didn’t play it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totalled:
    """A game was kept on paper; these are its totals. Its rounds aren’t known.

    It’s the second entry of its game, and only the end comes after it.
    """

    totals: Mapping[int, int]
    """The total points of everybody who played, by player id."""
    winners: tuple[int, ...]
    """The ids of the players who won, as written on the paper or as the totals say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedOn:
    """A game was started on paper, and is carried on here; its rounds until then aren’t known.

    It’s the second entry of its game. The dealer of the start deals the round that comes next.
    """

    round: int
    """The round that comes next, the first one that is counted here."""
    totals: Mapping[int, int]
    """The points so far of everybody who plays, by player id."""
    steps: Mapping[int, int] = field(default_factory=dict)
    """The step that each player is on, by player id, if every player has their own ladder."""
    won: Mapping[int, int] = field(default_factory=dict)
    """How many rounds each player has won, by player id, if that counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOff:
    """Cards were laid off on a meld on the table, or a card replaced a wild taken from it."""

    onto: str
    """The meld before the cards were added."""
    grown: str
    """The meld after the cards were added, in the order of its cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidDown:
    """A player laid down or laid off, and the referee found it legal."""

    player: int
    round: int
    step: int
    melds: tuple[str, ...]
    """The melds that were laid down, each as cards in the notation of the game."""
    kept: str = ""
    """The cards kept in hand, if they were entered."""
    codes: tuple[str, ...] = ()
    """The codes of the referee’s findings, none of them against the play."""
    points: int | None = None
    """The points that it scores for the player on the table; None if melds score nothing there."""
    layoffs: tuple[LaidOff, ...] = ()
    """The lay-offs of the same turn, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A player sat down after the game had started, or came back."""

    player: int
    round: int
    """The first round that they play."""
    after: int = 0
    """The id of the player they sit after in the order of play; 0 for the first seat."""
    carried: int = 0
    """The points they start with, for the rounds that they missed."""
    step: int = 1
    """The step they start on, if every player has their own ladder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A player left before the game was over."""

    player: int
    round: int
    """The first round that they don’t play."""
    ranked: bool = True
    """Whether they still have a place in the standings, and so can win."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SatOut:
    """A player sits out a round, and is back for the next one."""

    player: int
    round: int
    average: bool = False
    """Whether the round counts the average of those who play it; if not, it counts nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reseated:
    """Players changed seats; everybody deals and starts in the new order from a round on."""

    round: int
    """The first round in the new order."""
    seats: tuple[int, ...]
    """The ids of all players who had a seat then, in the new order of play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amended:
    """The house rules were corrected in the middle of a game; they apply to every round."""

    options: Mapping[str, object]
    """The house rules that differ from the source, by name."""
    game: Mapping[str, object]
    """The complete rules with these house rules, as in `Started`."""
    rounds: int | None = None
    """The number of rounds complete by then: the new rules can’t have ended the game in them. None
    in games of older Laydowns."""
    over: bool = False
    """Whether the old rules had ended the game with these rounds."""
    caps: bool = False
    """Whether a hand entered as a number, under rules with another limit, is cut to the limit of
    these rules. False in games of older Laydowns: such a hand keeps its number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Somebody wrote a note about a round."""

    round: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """A player took the top discard out of turn, with a card from the stock: a May I."""

    player: int
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Disputed:
    """The table disagreed about a play, asked the referee, and decided; both stay on record."""

    player: int
    round: int
    question: str
    """The question, as a query string: cards as the desk has them, or a question of the book."""
    legal: bool
    codes: tuple[str, ...]
    """The codes of the referee’s findings."""
    rules: str
    """The version of the rules that the ruling used."""
    decided: str
    """ "upheld" or "overruled": the table has the last word."""
    note: str = ""

    @property
    def about(self) -> str:
        """The id of the question of the book that was asked; empty if cards were shown."""
        return parse_qs(self.question).get(ABOUT, [""])[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Voided:
    """An entry was undone; if that entry undid another, the other one is restored."""

    seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """Several entries were undone at once.

    They are everything that one phone had entered since some moment, or the hands of a round.
    """

    phone: str
    """The phone’s name in its entries; empty for a round."""
    seqs: tuple[int, ...]
    """The numbers of the entries, including those that undid something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The scorepad was closed."""

    by: str
    """ "rules" if they say that the game is over, "table" if the players ended it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reopened:
    """A finished game was opened again for corrections."""


Fact: TypeAlias = (
    Started
    | Counted
    | Corrected
    | Totalled
    | CarriedOn
    | LaidDown
    | Took
    | Joined
    | Left
    | SatOut
    | Reseated
    | Amended
    | Noted
    | Disputed
    | Voided
    | Undone
    | Finished
    | Reopened
)

_KINDS: Final[dict[str, type[Fact]]] = {
    "started": Started,
    "counted": Counted,
    "corrected": Corrected,
    "totalled": Totalled,
    "carried-on": CarriedOn,
    "laid-down": LaidDown,
    "took": Took,
    "joined": Joined,
    "left": Left,
    "sat-out": SatOut,
    "reseated": Reseated,
    "amended": Amended,
    "noted": Noted,
    "disputed": Disputed,
    "voided": Voided,
    "undone": Undone,
    "finished": Finished,
    "reopened": Reopened,
}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}
_ADAPTERS: Final[dict[str, TypeAdapter[Fact]]] = {
    name: TypeAdapter(kind) for name, kind in _KINDS.items()
}


def kind_of(fact: Fact) -> str:
    """Return the kind of a fact, as entries store it, such as "counted"."""
    return _NAMES[type(fact)]


def write_fact(fact: Fact) -> str:
    """Return a fact as canonical JSON."""
    adapter = _ADAPTERS[kind_of(fact)]
    return canonical(adapter.dump_python(fact, mode="json", exclude_defaults=True))


def read_fact(kind: str, payload: str) -> Fact:
    """Return the fact in the columns of an entry; raise ValueError if it isn’t one."""
    adapter = _ADAPTERS.get(kind)
    if adapter is None:
        raise ValueError(say("intake.newer", kind=kind))
    return adapter.validate_json(payload)


def seated_by(kind: str, payload: str) -> tuple[int, ...]:
    """Return the ids of the players whom an entry seats: all of a start, or one who joins."""
    if kind not in {"started", "joined"}:
        return ()
    said = json.loads(payload)
    return tuple(said["seats"]) if kind == "started" else (said["player"],)


def canonical(value: object) -> str:
    """Return a JSON value as text, so that equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
