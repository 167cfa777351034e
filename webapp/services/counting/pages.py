"""The count page: a round's hands as they were typed, and what speaks against them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from referee import Counts
from webapp.services.refusals import RefusedError

if TYPE_CHECKING:
    from referee import Arrangement, ValueClass, Variant
    from referee.scorepad import CloseChoice
    from webapp.services.tokens import Token


LONG_WORD: Final = 8
"""Letters of a word in a name that stand beside the keys of a hand on a small phone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLine:
    """One player's line on the count page, with what was typed so far."""

    player_id: int
    name: str
    token: Token
    total: int
    """The total before this round."""
    out: bool
    made: bool | None
    """Whether the contract was made; None where nobody has said."""
    typed: str
    """Digits, a sum ("20+10+5") or cards by name ("5H KC"); empty is blank, not 0."""
    points: int | None
    """What was typed, added up; None while blank or unreadable."""
    arrangement: Arrangement | None
    """Where cards were named: how they cost least, with what is left of them."""
    table: str
    """What was scored on the table, as typed or recorded ("15+30"); empty is nothing."""
    table_points: int | None
    """The same, added up; None while it is unreadable."""
    problem: str
    """Why this line is refused, to stand beside the field; or empty."""
    doubts: tuple[str, ...]
    """What is unlikely about it, to stand there too."""
    base: int
    """The entry this cell stood on when the form was made; 0 for a blank cell."""
    grown: int
    """The cards taken beyond the deal by May I's in this round."""
    told: tuple[str, ...]
    """What to know of the hand, a few words each: what this player alone had to lay down, whether
    it was recorded at the desk, the cards taken beyond the deal by May I's."""

    @property
    def points_sum(self) -> int | None:
        """What is left in hand, where it was typed as a sum or named card by card; else None."""
        return self.points if "+" in self.typed or self.arrangement else None

    @property
    def table_sum(self) -> int | None:
        """What was scored on the table, where it was typed as a sum; else None."""
        return self.table_points if "+" in self.table else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountForm:
    """The count page of one round, for all players or for one."""

    pub: str
    variant: Variant
    """Its `pad` says what the page asks: table points, who closed and how, cards by name."""
    round_number: int
    title: str
    """What all had to lay down ("2 runs"); empty where each has a step of their own."""
    note: str
    classes: tuple[ValueClass, ...]
    """The keys for tapping the cards left; of the round, or of all rounds alike."""
    lines: tuple[HandLine, ...]
    asks_made: bool
    """Whether the page asks who made their phase."""
    key: str
    """The form key: posted back unchanged, it makes a second tap harmless."""
    problems: tuple[str, ...]
    """What speaks against the round as a whole; refused."""
    doubts: tuple[str, ...]
    """What is unlikely; asked once, overridden by ``sure``."""
    above: tuple[str, ...]
    """What of it is about no line, but about the round as a whole."""
    sure: bool
    """Whether the doubts were overridden."""
    only: int | None
    """The player whose hand alone is counted here (hidden field ``only``); None for all."""
    correcting: bool
    """Whether the round is closed already, so that a save is a correction."""
    dry: str
    """How a round ends in which nobody goes out (the field ``out`` with ``nobody``); or empty."""
    nobody: bool
    """Whether it was said that nobody went out."""
    knocks: bool
    """Whether who goes out may have something left over, which counts."""
    asks_upcard: bool
    """Whether the page asks for the card turned up at the deal (the field ``turned``)."""
    turned: str
    """That card, as written or as it stands on the pad."""
    turned_problem: str
    """Why it is none, or that it is missing; or empty."""
    dealt: int
    """How many cards a hand has in this round."""
    closes: tuple[CloseChoice, ...]
    """The ways to close (the field ``close``); none where the game does not ask."""
    close: str
    """The way that was chosen or that the cards shown come to, by its key."""
    shown: str
    """The hand that closed the round, as written (the field ``shown``)."""
    shown_says: str
    """What that hand is ("Colour, ×3"); empty while it is none."""
    shown_problem: str
    """Why it does not close, or what is missing; or empty."""

    @property
    def has_long_names(self) -> bool:
        """Whether a name has a word that needs a line of its own."""
        words = (word for line in self.lines for word in line.name.replace("-", "- ").split())
        return any(len(word) > LONG_WORD for word in words)

    @property
    def asks_at(self) -> int | None:
        """The player in whose line it is asked whether all is right; None where it is above."""
        return next((line.player_id for line in self.lines if line.doubts), None)

    @property
    def offers_one(self) -> bool:
        """Whether one hand alone may be saved here: that of whoever counts first."""
        return self.only is None and not self.correcting and len(self.lines) > 1

    @property
    def corrects_one(self) -> bool:
        """Whether one hand of a closed round is corrected: saved at once, without a review."""
        return self.correcting and self.only is not None

    @property
    def overline(self) -> str:
        """The line over the heading: the round, and what all had to lay down in it."""
        says = f" · {self.title}" if self.title and not self.asks_made else ""
        return f"Round {self.round_number}{says}"

    @property
    def heading(self) -> str:
        """What the page asks for: "What is left in hand?"."""
        nouns = self.variant.pack.nouns
        if self.corrects_one:
            return f"Correct {self.lines[0].name}’s {nouns.hand}"
        if self.correcting:
            return f"Correct round {self.round_number}"
        if self.variant.pad is not None and self.variant.pad.asks_table:
            return "What was laid, what is left?"
        if self.variant.pad and self.variant.pad.counts is Counts.NONE:
            return "Who went out?"
        return f"What is left {nouns.held}?"

    @property
    def sample(self) -> str:
        """A card as it is written: "7C", "R7" for a tile."""
        return self.variant.pack.notation.sample.split()[0]

    @property
    def copies(self) -> int:
        """How many there are of one card: the same for all but the jokers."""
        return self.classes[0].copies // len(self.classes[0].cards)

    @property
    def jokers(self) -> int:
        """How many there are of the cards that the last key stands for: the jokers."""
        return self.classes[-1].copies

    @property
    def asks_shown(self) -> bool:
        """Whether the hand that closed may be written in place of the way it closed."""
        return self.variant.close is not None and self.variant.close.pays_by_way

    @property
    def asks_times(self) -> bool:
        """Whether each way to close says how often the others pay."""
        return all(choice.adds is None for choice in self.closes)

    @property
    def asks_wild(self) -> bool:
        """Whether a way to close counts otherwise where there is no wild."""
        return any(choice.joker is not None for choice in self.closes)

    @property
    def ways(self) -> tuple[tuple[str, tuple[CloseChoice, ...]], ...]:
        """The ways to close, those together that differ by a joker: "Colour" with and without."""
        rows = groupby(self.closes, lambda choice: choice.title.partition(" with")[0])
        return tuple((title, tuple(choices)) for title, choices in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewLine:
    """What a round makes of one player's total."""

    name: str
    token: Token
    before: int
    adds: str
    """What the round adds, with its sign ("+45"); "out" of who went out and scores nothing."""
    total: int
    out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What a save would write, in words."""

    form: CountForm
    lines: tuple[ReviewLine, ...]
    """The totals, where the save completes a round; else none."""
    sentences: tuple[str, ...]
    """ "Ana goes out.", "Ben +65, now 140." """
    next_says: str
    """ "Then round 4, three sets. Cleo deals.", or that the game ends. """


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """One cell that another phone has written meanwhile."""

    name: str
    token: Token
    theirs: str
    """What stands on the pad ("45", "out")."""
    yours: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two phones, two values: shown with 409 and two buttons."""

    clashes: tuple[Clash, ...]
    keep: CountForm
    """The form that keeps what is on the pad, and saves the rest."""
    replace: CountForm
    """The form that writes what was typed here over it."""


class CountRefusedError(RefusedError):
    """Something on the form cannot be, or is to be asked; the form says what."""

    def __init__(self, form: CountForm) -> None:
        """Keep the form with what was typed and what speaks against it."""
        super().__init__(self.__doc__)
        self.form = form


class CountConflictError(ValueError):
    """Another phone has written something else there meanwhile."""

    def __init__(self, conflict: Conflict) -> None:
        """Keep both values."""
        super().__init__(self.__doc__)
        self.conflict = conflict
