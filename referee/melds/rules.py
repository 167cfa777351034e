"""What a set, a run and a wild card are in a game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from referee.cards import ACE, KING, Card, Pack
from referee.rulings import MeldKind
from referee.saying import Said, Speaker, with_article


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRule:
    """What a set is: cards of one rank."""

    min_size: int
    max_size: int | None = None
    """How many cards it may have, where there is a limit."""
    distinct_suits: bool
    """Whether the same card may not stand in it twice."""
    suits: int | None = None
    """How many suits its cards are of, where that is a number."""
    only_wilds: bool = False
    """Whether there are sets of only wilds, of whatever size."""
    outgrow_suits: bool = False
    """Whether the game says that wilds make sets larger than there are suits."""
    without: frozenset[Card] = frozenset()
    """The cards of which there is no set."""
    last: frozenset[Card] = frozenset()
    """Those of them that a player who goes out can meld, without a wild."""
    once: bool = False
    """Whether a second set of a rank can't be started while the first can grow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRule:
    """What a run is: cards in a row, and how the ranks of the pack follow one another.

    Places go up from 1, where the lowest rank stands. Above the highest it stands again, high: an
    ace at 14 in a whole pack, at 11 in one of ten ranks. What each rank is called is for the pack.
    """

    min_size: int
    one_suit: bool
    low: int
    """The lowest place of a run that does not go round."""
    high: int
    """The highest place of a run that does not go round."""
    wrap: bool
    """Whether runs go round the corner, king to ace to two."""
    top: int = KING
    """The highest rank, and so how many there are before one comes again."""
    max_size: int | None = None
    """How many cards it may have where that is fewer than there are; known of freely laid runs."""
    without: frozenset[Card] = frozenset()
    """The cards that are in no run."""

    one_ace: bool = False
    """Whether a run has one natural ace at most, low or high."""

    @property
    def exists(self) -> bool:
        """Whether there are runs: without any, the highest place is below the lowest."""
        return self.wrap or self.low <= self.high

    @property
    def above(self) -> int:
        """The place above the highest rank, where an ace is high."""
        return ACE + self.top

    @property
    def longest(self) -> int:
        """How many cards a run may have."""
        return self.above if self.wrap else self.high - self.low + 1

    @property
    def both_ends(self) -> bool:
        """Whether one run may have an ace at each end."""
        return self.wrap or (self.low == ACE and self.high == self.above and not self.one_ace)

    def starts(self, size: int) -> range:
        """The places at which a run of so many cards can begin."""
        if self.wrap:
            return range(ACE, self.above if size <= self.longest else ACE)
        return range(self.low, self.high - size + 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class WildRule:
    """Which cards may stand for others, where, and how many."""

    name: str
    """What one is called: "black 2"."""
    cards: frozenset[Card]
    in_sets: bool
    """Whether a wild may be used as one in a set."""
    runs_only: frozenset[Card] = frozenset()
    """The cards that are wild in runs and not in sets."""
    in_flushes: bool = False
    """Whether a wild may be used as one in a flush."""
    plain: frozenset[Card] = frozenset()
    """The cards that are not wild at this moment, though they are at others."""
    max_in_meld: int | None = None
    adjacent: bool
    """Whether wilds may be side by side."""
    min_naturals: int
    """How many naturals a meld with wilds needs."""
    may_outnumber: bool = True
    """Whether wilds may be more than naturals in a meld."""
    natural_in_place: bool
    """Whether a wild in its own place is a natural card."""
    moves: bool = False
    """Whether a wild of a run moves over when the card it stands for is added."""
    moves_freely: bool = False
    """Whether it moves to any place of the run then, even if nothing takes its own."""
    counts_own: bool = False
    """Whether it counts its own points on the table, whatever it stands for."""
    apart: tuple[WildRule, WildRule] | None = None
    """The same with the limits of sets, and with those of runs, where they differ."""

    def of(self, kind: MeldKind) -> WildRule:
        """The same with the limits of one kind of meld; a flush has those that all melds have."""
        if self.apart is None or kind is MeldKind.FLUSH:
            return self
        return self.apart[0] if kind is MeldKind.SET else self.apart[1]

    @property
    def names(self) -> str:
        """What several are called: "black 2s"."""
        return f"{self.name}s"

    def said(self, speaker: Speaker) -> Said:
        """What one is called, in a sentence: by the language’s own forms of the word, if any."""
        known = speaker.nouns.get(self.name)
        name, names = speaker.called(self.name), speaker.called(self.names)
        return known or Said(name, many=names, a=with_article(name, speaker.catalogue.language))

    @property
    def inactive(self) -> WildRule:
        """The same rule where no card is wild."""
        return replace(self, cards=frozenset(), plain=self.cards)


@dataclass(frozen=True, slots=True, eq=False)
class MeldRules:
    """What a meld is at one moment of a game, and from which packs; compared as one object.

    You get it from `Variant.melds_at`.

    >>> from referee import variants
    >>> rules = variants.get("mexican-rummy").melds_at(2)
    >>> rules.sets.min_size, rules.runs.min_size, rules.wilds.name
    (3, 4, 'black 2')
    """

    sets: SetRule
    runs: RunRule
    wilds: WildRule
    pack: Pack
    flush: int | None = None
    """The fewest cards of a flush: cards of one suit, in no order; None if there is none."""
    wild_in_sets: frozenset[Card] = field(init=False)
    """The cards that can stand for others in a set."""

    @property
    def by_rank(self) -> bool:
        """Whether suits don’t matter for sets and runs."""
        return not (self.runs.one_suit or self.sets.distinct_suits or self.sets.suits)

    def __post_init__(self) -> None:
        wild = self.wilds.cards - self.wilds.runs_only if self.wilds.in_sets else frozenset()
        object.__setattr__(self, "wild_in_sets", wild)


@lru_cache(maxsize=64)
def while_going_out(rules: MeldRules) -> MeldRules:
    """What a meld is for a player who goes out, who can meld what nobody else can."""
    sets = rules.sets
    if not sets.last:
        return rules
    return replace(rules, sets=replace(sets, without=sets.without - sets.last))


def rank_at(place: int, top: int) -> int:
    """The rank that is at a place of a run where `top` is the highest: above it the lowest."""
    return (place - ACE) % top + ACE
