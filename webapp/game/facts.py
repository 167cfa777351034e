"""Facts: what an entry of a game can say, and how it is written down.

A fact names players by id, never by name, and holds what was entered, never what follows from it.
It is written as canonical JSON (keys sorted, defaults left out, no spaces), so that equal facts are
equal text. Old entries are read by the same classes: a field that is added later has a default.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from pydantic import TypeAdapter

from webapp.game.hand import KeptHand
from webapp.language import say

REASONS: Final = {
    "penalty": "Penalty",
    "bonus": "Bonus",
    "house": "House rule",
    "agreed": "We agreed",
}
"""Why a table saves what seems unlikely, by the value of ``why``, as it's kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A game was started: everything that its score depends on."""

    variant: str
    rules: str
    """The version of the rules that it was started under."""
    seats: tuple[int, ...]
    """The players, in seat order."""
    dealer: int
    """The seat that deals first, from 0."""
    options: Mapping[str, object] = field(default_factory=dict)
    """The house rules that differ from the source, by name."""
    advice: bool = True
    """Whether the phones of this game may ask what can be laid down."""
    after: str = ""
    """The game that this is a rematch of."""
    stake: str = ""
    """What a point is worth in money, as a decimal number: "0.05"; empty if nothing is."""
    currency: str = ""
    """What the money is called."""
    clock: int = 0
    """Seconds for a turn; 0 if turns are not timed."""
    game: Mapping[str, object] = field(default_factory=dict)
    """The rules that it was started under, whole, with the house rules in force; empty for a game
    from before rules were kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Hands of one round were counted, all of them or some."""

    round: int
    hands: Mapping[int, KeptHand]
    """By player."""
    override: tuple[str, ...] = ()
    """The codes of what seemed unlikely and was said to be right."""
    turned: str = ""
    """The card turned up at the deal, where that decides something and was said."""
    reason: str = ""
    """Why the table wanted what seemed unlikely, if it said so."""
    doubted: tuple[int, ...] = ()
    """The players whose hands seemed unlikely; none if it was the round as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected(Counted):
    """Hands of a closed round were corrected; each names the entry it corrects as its base."""

    closed: int = 0
    """The last round that was closed then: it stays so, though the correction may bring somebody
    back into the game who did not play it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totalled:
    """A game that was kept on paper: what it came to. Its rounds are not known.

    It stands after the start of its game, and nothing but the end comes after it.
    """

    totals: Mapping[int, int]
    """Points, by player; everybody who sat there."""
    winners: tuple[int, ...]
    """The players who won, as the paper says or as follows from the totals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOff:
    """Cards were put to a meld on the table, or one into it for a wild that was taken out."""

    onto: str
    """The meld before the cards were added."""
    grown: str
    """The meld with them, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidDown:
    """A player laid down or laid off, and the referee found it legal."""

    player: int
    round: int
    step: int
    melds: tuple[str, ...]
    """As laid, in the notation of the game."""
    kept: str = ""
    """The cards kept in hand, where they were said."""
    codes: tuple[str, ...] = ()
    """What the referee found, none of it against the play."""
    points: int | None = None
    """What it scores for the player on the table; None if melds score nothing there."""
    layoffs: tuple[LaidOff, ...] = ()
    """What was put to melds on the table in the same turn, one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A player sat down after the game had started, or came back."""

    player: int
    round: int
    """The first round they play."""
    after: int = 0
    """The player they sit behind in the order of play; 0 for the first seat."""
    carried: int = 0
    """The points they begin with, for the rounds that they missed."""
    step: int = 1
    """The step they begin on, where everybody has a ladder of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A player got up before the game was over."""

    player: int
    round: int
    """The first round they do not play."""
    ranked: bool = True
    """Whether they can still lead and win."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amended:
    """The house rules were put right in the middle of a game: every round counts by these."""

    options: Mapping[str, object]
    """Those that differ from the source, by name."""
    game: Mapping[str, object]
    """The rules with these in force, whole, as `Started` keeps them."""
    rounds: int | None = None
    """After how many rounds: these can't have ended the game by the new rules. None in games of
    Laydowns that did not note it."""
    over: bool = False
    """Whether these rounds had ended the game by the rules of then."""
    caps: bool = False
    """Whether a hand that was entered as a number by rules with another limit counts no more than
    these let it; in games of Laydowns that did not note it, it counts what it did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Somebody wrote a note about a round."""

    round: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """A player took the top discard out of turn, with a card of the stock: a May I."""

    player: int
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Disputed:
    """The table argued about a play, asked the referee, and decided; what was said stays said."""

    player: int
    round: int
    question: str
    """What was asked, as a query string for the desk."""
    legal: bool
    codes: tuple[str, ...]
    """What the referee found."""
    rules: str
    """The version of the rules that ruled."""
    decided: str
    """ "upheld" or "overruled": the table has the last word. """
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voided:
    """An entry was undone; where that was itself a taking back, this brings it back."""

    seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """Several entries were undone at once.

    They are all that one phone had entered from some moment on, or the hands of a round.
    """

    phone: str
    """As it is named in its entries; empty if it was a round."""
    seqs: tuple[int, ...]
    """Its entries, those among them that took something back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The pad was closed."""

    by: str
    """ "rules" when they say that the game has ended, "table" when the players did. """


@dataclass(frozen=True, slots=True, kw_only=True)
class Reopened:
    """A finished game was opened again for corrections."""


Fact: TypeAlias = (
    Started
    | Counted
    | Corrected
    | Totalled
    | LaidDown
    | Took
    | Joined
    | Left
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
    "laid-down": LaidDown,
    "took": Took,
    "joined": Joined,
    "left": Left,
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
    """A fact's kind: "counted", "voided"."""
    return _NAMES[type(fact)]


def write_fact(fact: Fact) -> str:
    """Write a fact as canonical JSON."""
    adapter = _ADAPTERS[kind_of(fact)]
    return canonical(adapter.dump_python(fact, mode="json", exclude_defaults=True))


def read_fact(kind: str, payload: str) -> Fact:
    """Read a fact as it was written; raises ValueError where it is none."""
    adapter = _ADAPTERS.get(kind)
    if adapter is None:
        raise ValueError(say("intake.newer", kind=kind))
    return adapter.validate_json(payload)


def seated_by(kind: str, payload: str) -> tuple[int, ...]:
    """Whom an entry seats: all that any other entry of its game can name."""
    if kind not in {"started", "joined"}:
        return ()
    said = json.loads(payload)
    return tuple(said["seats"]) if kind == "started" else (said["player"],)


def canonical(value: object) -> str:
    """Write anything that JSON can hold so that equal values are equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
