"""The count page: a round's hands as they were typed, and what speaks against them."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from referee import Counts, ValueClass, Variant
from referee.scorepad import CloseChoice
from webapp.language import say
from webapp.pages.counting.doubts import Asked
from webapp.pages.counting.lines import HandLine, Kinds, TeamColumn, TeamRun
from webapp.text.formatting import capital, grouped
from webapp.text.refusals import PageRefusedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What there is to say about a count as it was typed, in one line."""

    kind: str
    """ "wait" while a hand is missing, "in" once it can be saved, "doubt" or "no"."""
    says: str
    sums: Mapping[int, str]
    """What the round makes of each total ("65 + 45 = 110"), once it is complete; by player."""
    sentences: tuple[str, ...]
    """What a save would write: "Ana goes out.", "Ben +65, now 140." """
    asks: str
    """What is doubtful ("650 for Lucy?"), said before that; or empty."""
    odd: tuple[str, ...]
    """The boxes that something speaks against, by the ids of their elements."""
    wrong: tuple[str, ...]
    """Those that can’t be read."""
    teams: Mapping[int, TeamRun]
    """What each team’s hand comes to, by its first player; empty where nothing is by team."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountForm:
    """The count page of one round, for all players or for one."""

    pub: str
    variant: Variant
    """Its `pad` says what the page asks: table points, who closed and how, cards by name."""
    round_number: int
    title: str
    """What all had to lay down ("2 runs"); empty if each has a step of their own."""
    note: str
    classes: tuple[ValueClass, ...]
    """The keys for tapping the cards left; of the round, or of all rounds alike."""
    lines: tuple[HandLine, ...]
    rest: tuple[HandLine, ...]
    """The other hands of a round of which one is corrected."""
    asks_made: bool
    """Whether the page asks who made their phase."""
    key: str
    """The form key: posted back unchanged, it makes a second tap harmless."""
    judged: Judged
    asked: Asked | None
    """What the page asks before it saves what is unlikely, overridden by ``sure``; else None."""
    sure: bool
    """Whether the doubts were overridden."""
    part: bool
    """Whether only the hands that were filled in are being saved."""
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
    """Why it isn’t a card, or that it is missing; or empty."""
    dealt: int
    """How many cards a hand has in this round."""
    closes: tuple[CloseChoice, ...]
    """The ways to close (the field ``close``); none where the game does not ask."""
    close: str
    """The way that was chosen or that the cards shown come to, by its key."""
    shown: str
    """The hand that closed the round, as written (the field ``shown``)."""
    shown_says: str
    """What that hand is ("Colour, ×3"); empty while it isn’t a special hand."""
    shown_problem: str
    """Why it does not close, or what is missing; or empty."""
    teams: tuple[TeamColumn, ...]
    """The teams, a column each; none in a game that isn’t counted by team."""
    kinds: Kinds | None
    """What is asked of each; None there."""
    dealt_says: str
    """Who dealt, in a game that is counted by team: "Dov dealt"; else empty."""
    at: str = ""
    """The box that was to be changed, by its element; empty if none was."""

    @property
    def is_new(self) -> bool:
        """Whether a whole round is counted for the first time: it hears what others save."""
        return not (self.correcting or self.only)

    @property
    def adds(self) -> bool:
        """Whether what is left in hand is simply added, so that a phone can do the sum."""
        pad = self.variant.pad
        if self.kinds:
            return self.kinds.adds
        more = pad.asks_table or pad.zero_sum or self.knocks or self.closes
        return not (more or self.correcting) and pad.counts in {Counts.ALL, Counts.POINTS}

    @property
    def says_gin(self) -> bool:
        """Whether each player can say Gin as well as that they knocked."""
        return self.variant.pad.says_gin and not self.only

    @property
    def overline(self) -> str:
        """The line over the heading: the round, and what all had to lay down in it."""
        pad, title = self.variant.pad, "" if self.asks_made else self.title
        if self.variant.points_only:
            return say("count.wins", pad.lead.value.split()[0], game=self.variant.name)
        target = say("count.to", points=pad.target) if pad.says_gin else ""
        if self.teams:
            to = say("count.to", points=grouped(pad.target)) if pad.target else ""
            return " · ".join(filter(None, (self.variant.name, to, self.dealt_says)))
        return " · ".join(
            filter(None, (say("count.round", number=self.round_number), title, target))
        )

    @property
    def heading(self) -> str:
        """What the page asks for: "What is left in hand?"."""
        pad = self.variant.pad
        if self.teams:
            return say("count.round", number=self.round_number)
        asks = {
            "change": self.correcting and self.only is not None,
            "changes": self.correcting,
            "deadwood": self.says_gin,
            "table": pad.asks_table,
            "out": pad.counts is Counts.NONE,
            "points": self.variant.points_only,
        }
        how = next((how for how, is_so in asks.items() if is_so), self.variant.pack.kind)
        return say("count.heading", how, name=self.lines[0].name, number=self.round_number)

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
        titles = self.variant.close_titles
        rows = [(word, tuple(some)) for word, some in groupby(self.closes, lambda each: each.word)]
        return tuple((capital(titles.get(word, some[0].title)), some) for word, some in rows)


class CountRefusedError(PageRefusedError[CountForm]):
    """A round is not saved yet; the form says what is wrong or unlikely."""


class CountConflictError(CountRefusedError):
    """Two phones counted one hand differently; the form shows both."""
