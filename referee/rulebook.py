"""What a game's source says and where, and what we read into its silence.

Every rule is told in our own words; a clause names the place in the source where it stands, so
that a ruling can be looked up at the table.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final

HEADINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ace": "The ace in a run",
        "points": "Scores",
        "target": "The target",
        "aim": "The aim of the game",
        "announce": "Saying what you have",
        "any-hand": "Melds from your hand",
        "as-laid": "The order of a run",
        "at-once": "Going out all at once",
        "big-gin": "Big gin",
        "buy": "Buying the discard",
        "buy-down": "Buying once you’re down",
        "buy-limit": "How often you can buy",
        "by-layoff": "Using the lowest card",
        "cap": "The most you can pay",
        "claim": "Claiming a discard",
        "claim-until": "How long you can claim a discard",
        "claim-wilds": "Claiming a wild",
        "close": "Closing",
        "completes": "When you can take a wild",
        "contracts": "The contracts",
        "corner": "Round the corner",
        "counts": "What counts",
        "deal": "The deal",
        "dealer": "Who deals",
        "dealt": "A hand dealt out",
        "decider": "Playing it off",
        "detected": "The best reading of a hand",
        "discard": "The last card",
        "discarded-joker": "Jokers in the discard pile",
        "down-first": "Before you lay off",
        "draw": "Drawing",
        "draw-ends": "Drawing and playing",
        "drawn": "What you just drew",
        "dropping": "Dropping",
        "dry": "When the stock runs out",
        "end-bonus": "Bonuses at the end",
        "ends": "The end of the game",
        "exact": "Melds beyond the contract",
        "exact-card": "The card you give for a wild",
        "first-lay": "Your first melds",
        "first-naturals": "Natural cards in your first melds",
        "fits": "What you can lay off",
        "fixed": "Fixed penalties",
        "flush": "Cards of one suit",
        "forcing": "Forcing a card",
        "from-hand": "At least one card from your hand",
        "from-rack": "At least one tile from your rack",
        "goes": "Where a wild goes",
        "going-out": "Going out",
        "group-of-three": "A group of three",
        "growing": "Making melds longer",
        "hand-size": "The size of a hand",
        "held": "Cards left if you aren’t down",
        "highest": "The hand that counts",
        "joins-wilds": "Adding to a set of wilds",
        "joker-discard": "Discarding a joker",
        "joker-steps": "One step after another",
        "jokers": "How many of each card",
        "knock": "Knocking",
        "laid-off-too": "Laying off what you pick up",
        "last-turn": "The last turn",
        "layoff": "Laying off",
        "layoff-turn": "Laying off on the turn you go down",
        "layoff-wild-pair": "A wild with a natural card",
        "layoff-wilds": "Laying off wilds",
        "leads": "Who wins",
        "level": "A level score",
        "longest-run": "The longest run",
        "lowest": "The lowest card you pick up",
        "may-i": "May I",
        "may-i-decides": "Who gets the card",
        "melds": "Laying down",
        "melds-count": "When melds save points",
        "natural": "A wild in its own place",
        "naturals": "Natural cards in a meld",
        "needs": "Melds you need",
        "new-set": "Where a joker goes",
        "no-discard": "A round without a discard",
        "no-swap": "Wilds on the table",
        "no-swaps": "Wilds on the table",
        "no-wild": "Hands without a wild",
        "nobody-else": "Nobody else is down",
        "once": "One contract a round",
        "only-wilds": "Wilds alone",
        "opening": "Opening",
        "opening-table": "The table while you open",
        "opening-wilds": "Wilds while you open",
        "out-bonus": "A bonus for going out",
        "overtaken": "Several at the end",
        "own-cards": "Only your own cards",
        "own-turn": "Only on your turn",
        "pace": "Moving on to the next contract",
        "pack": "The pack",
        "phase-list": "The phases",
        "players": "How many can play",
        "protects": "Hands that save their holder",
        "re-entry": "Out of the game",
        "rearrange": "Rearranging the table",
        "rejoin": "Coming back into the game",
        "replacement": "What takes its place",
        "replacement-from": "Where the replacement comes from",
        "retrieval": "What can leave the table",
        "run": "Runs",
        "run-ends": "The ends of a run",
        "run-most": "Most cards in a run",
        "run-suits": "Suits of the runs",
        "same-card": "The same card twice",
        "same-rank": "Sets of the same rank",
        "same-stands": "A wild that stays",
        "same-turn": "Laying off on the same turn",
        "set": "Sets",
        "set-most": "Most cards in a set",
        "settle": "Scoring a round",
        "several": "Opening with several melds",
        "special": "Special cards",
        "special-hands": "Special hands",
        "split-run": "Runs that follow on",
        "stays-in-pile": "What stays in the pile",
        "steps": "Cards in each round",
        "suits": "Suits",
        "swap": "Taking a wild",
        "swap-down": "Taking a wild once you’re down",
        "swap-use": "Using a wild you took",
        "table-stays": "What stays on the table",
        "table-values": "Points on the table",
        "tied": "A tie",
        "time": "Time for a turn",
        "time-over": "When time is up",
        "times": "How often it counts",
        "top-free": "The top card alone",
        "touching": "Wilds side by side",
        "turn": "A turn",
        "turned-false-joker": "A false joker turned up",
        "turned-not-counted": "The card turned up",
        "upcard": "The first card turned up",
        "values": "What cards cost",
        "whole-suit": "A whole suit",
        "wild": "Wild cards",
        "wild-stays": "Wilds on the table",
        "wild-value": "A wild left in hand",
        "wild-when": "When cards are wild",
        "wild-where": "Where wilds can go",
        "wilds-most": "Most wilds in a meld",
        "wilds-share": "Wilds and natural cards",
        "wilds-stay": "Wilds on the table",
    }
)
"""What clauses are headed, by their ids; an id that is not here is a heading as it is."""


class Basis(Enum):
    """What a clause rests on."""

    SOURCE = "source"
    """The rule text says so."""
    READING = "reading"
    """Our reading, where the text is silent or says two things."""
    HOUSE = "house"
    """A house rule chosen for this game."""
    TOLD = "told"
    """As the game is set up: told from its description, where nobody wrote a sentence of it."""
    TABLE = "table"
    """For the table: the game has this rule, and the referee does not rule on it."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule of a game: its id, what it says in our words, and where it stands."""

    id: str
    says: str
    place: str
    """Where in the source: a heading and a line; for a reading, what the source leaves open."""
    basis: Basis
    section: str
    """The chapter it is in."""
    fine_print: bool = False
    """Whether players take it for granted, or hardly ever ask."""

    @property
    def title(self) -> str:
        """What it is headed, in words that a player would look for: "Round the corner"."""
        name = self.id.removeprefix("house-").removesuffix("-too")
        words = self.id.replace("-", " ")
        return HEADINGS.get(name, words[:1].upper() + words[1:])


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The clauses of one game, by id and in the order of the rules page."""

    title: str
    source: str
    """What the rules were read from, in a line."""
    clauses: tuple[Clause, ...]
    by_cite: Mapping[str, Clause] = field(default_factory=dict, repr=False, compare=False)
    """The clauses by what the referee cites, which is the same in every game."""
    bears: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    """The paths of the description that each clause speaks for, by its id."""
    is_of_one_text: bool = field(init=False, repr=False, compare=False)
    """Whether the rules were read from one text, whose lines clauses name."""
    _by_id: dict[str, Clause] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the clauses; an id that stands twice is a mistake in the game's file."""
        by_id = {clause.id: clause for clause in self.clauses}
        if len(by_id) < len(self.clauses):
            message = f"{self.title}: two clauses share an id"
            raise ValueError(message)
        object.__setattr__(self, "_by_id", by_id)
        of_one_text = any(clause.basis is Basis.SOURCE for clause in self.clauses)
        object.__setattr__(self, "is_of_one_text", of_one_text)

    def __getitem__(self, name: str) -> Clause:
        """Find a clause by its id; raises KeyError."""
        return self._by_id[name]

    def cited(self, name: str) -> Clause:
        """The clause that the referee cites by this name; raises KeyError.

        Where "special-hands.colour" has none of its own it is that of "special-hands".
        """
        return self.by_cite.get(name) or self.by_cite[name.partition(".")[0]]

    @property
    def unruled(self) -> tuple[Clause, ...]:
        """The clauses that the referee does not rule on: they are for the table."""
        return tuple(clause for clause in self.clauses if clause.basis is Basis.TABLE)

    def __contains__(self, name: str) -> bool:
        """Whether there is a clause of this id."""
        return name in self._by_id

    def sections(self) -> Iterator[tuple[str, tuple[Clause, ...]]]:
        """Each heading with its clauses, in the order of the book."""
        names = dict.fromkeys(clause.section for clause in self.clauses)
        for name in names:
            yield name, tuple(clause for clause in self.clauses if clause.section == name)
