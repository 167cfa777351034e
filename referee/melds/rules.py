"""The rules of a game for sets, runs and wilds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from referee.cards import ACE, KING, Card, Pack
from referee.rulings import MeldKind
from referee.saying import Said, Speaker, with_article


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRule:
    """The rules for sets: cards of one rank."""

    min_size: int
    max_size: int | None = None
    """The most cards in a set; None for no limit. A set of only wilds can have more."""
    distinct_suits: bool
    """Whether a set can’t have two copies of one natural card."""
    suits: int | None = None
    """How many suits a set needs to have; a wild can be of any suit. None for any number."""
    only_wilds: bool = False
    """Whether wilds alone can be a set, which has no rank."""
    outgrow_suits: bool = False
    """Whether the game has a clause that a set with wilds can have more cards than suits."""
    without: frozenset[Card] = frozenset()
    """The cards that can’t be naturals in a set."""
    last: frozenset[Card] = frozenset()
    """Those of `without` that a player who goes out can meld, in sets of up to 4 without wilds."""
    once: bool = False
    """Whether a team can’t start a second set of a rank while its first one can still grow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRule:
    """The rules for runs: cards in a row.

    A place is a position in a run. The lowest rank, the ace, is at place 1, and again above the
    highest rank: at 14 in a full pack, or at 11 in a pack with 10 ranks.
    """

    min_size: int
    one_suit: bool
    low: int
    """The lowest place in a run, if runs don’t go around the corner."""
    high: int
    """The highest place in a run, if runs don’t go around the corner."""
    wrap: bool
    """Whether runs go around the corner: king, ace, two."""
    top: int = KING
    """The highest rank, which is also the number of ranks."""
    max_size: int | None = None
    """The most cards in a run, if there are places for more; games with contracts have no such
    limit."""
    without: frozenset[Card] = frozenset()
    """The cards that can’t be in a run, and that no wild can stand for."""

    one_ace: bool = False
    """Whether a run can have only one natural ace, low or high."""

    @property
    def exists(self) -> bool:
        """Whether the game has runs; if it has none, `high` is below `low`."""
        return self.wrap or self.low <= self.high

    @property
    def above(self) -> int:
        """The place above the highest rank, for a high ace."""
        return ACE + self.top

    @property
    def longest(self) -> int:
        """The most cards that there are places for in a run; `max_size` can be lower."""
        return self.above if self.wrap else self.high - self.low + 1

    @property
    def both_ends(self) -> bool:
        """Whether a run can have an ace at each end."""
        return self.wrap or (self.low == ACE and self.high == self.above and not self.one_ace)

    def starts(self, size: int) -> range:
        """Return the places where a run of `size` cards can begin; empty if it is too long."""
        if self.wrap:
            return range(ACE, self.above if size <= self.longest else ACE)
        return range(self.low, self.high - size + 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class WildRule:
    """The rules for wilds: which cards they are, where they can be used, and how many."""

    name: str
    """The name of one wild: "black 2"."""
    cards: frozenset[Card]
    in_sets: bool
    """Whether wilds can be used in sets."""
    runs_only: frozenset[Card] = frozenset()
    """The cards that are wild in runs but not in sets."""
    in_flushes: bool = False
    """Whether wilds can be used in flushes."""
    plain: frozenset[Card] = frozenset()
    """The cards that aren’t wild now, but are at other times in the game."""
    max_in_meld: int | None = None
    adjacent: bool
    """Whether wilds can be side by side in a run."""
    min_naturals: int
    """The fewest naturals that a meld with wilds needs."""
    may_outnumber: bool = True
    """Whether a meld can have more wilds than naturals."""
    natural_in_place: bool
    """Whether a wild is a natural in its own place: in a set of its rank, or at its place in a
    run."""
    moves: bool = False
    """Whether a wild in a run moves to another place if the card it stands for is added."""
    moves_freely: bool = False
    """Whether a wild can move to any place in the run, even if no card takes its place."""
    counts_own: bool = False
    """Whether a wild on the table counts its own points, not those of the card it stands for."""
    apart: tuple[WildRule, WildRule] | None = None
    """These rules with the limits for sets, and with the limits for runs; None if sets and runs
    have the same limits."""

    def of(self, kind: MeldKind) -> WildRule:
        """Return the rules with the limits for one kind of meld; for a flush, the general ones."""
        if self.apart is None or kind is MeldKind.FLUSH:
            return self
        return self.apart[0] if kind is MeldKind.SET else self.apart[1]

    @property
    def names(self) -> str:
        """The name of several wilds: "black 2s"."""
        return f"{self.name}s"

    def said(self, speaker: Speaker) -> Said:
        """Return the translated name of one wild, with its plural and article, for a sentence."""
        known = speaker.nouns.get(self.name)
        name, names = speaker.called(self.name), speaker.called(self.names)
        return known or Said(name, many=names, a=with_article(name, speaker.catalogue.language))

    @property
    def inactive(self) -> WildRule:
        """These rules with no card wild; the cards that were wild are in `plain` instead."""
        return replace(self, cards=frozenset(), plain=self.cards)


@dataclass(frozen=True, slots=True, eq=False)
class MeldRules:
    """The rules for melds at one moment of a game, and its pack; compared by identity.

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
    """The fewest cards in a flush (cards of one suit, in any order); None if the game has none."""
    pairs: bool = False
    """Whether 2 copies of the same card are a meld."""
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
    """Return the rules for a player who goes out, who can also meld the cards in `sets.last`."""
    sets = rules.sets
    if not sets.last:
        return rules
    return replace(rules, sets=replace(sets, without=sets.without - sets.last))


def rank_at(place: int, top: int) -> int:
    """Return the rank at a place in a run, where the ace comes again after the rank `top`."""
    return (place - ACE) % top + ACE
