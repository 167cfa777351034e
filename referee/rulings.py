"""The referee’s answer: findings with code and clause, and the readings of the cards as melds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, unique
from operator import is_, is_not
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol, TypeAlias

from referee.cards import Card, Cards, Suit


@unique
class Code(Enum):
    """What was found, as a word that never changes its meaning."""

    # Grounds of a legal play.
    SET = "set"
    SET_OF_WILDS = "set-of-wilds"
    MORE_THAN_SUITS = "more-than-suits"
    RUN = "run"
    FLUSH = "flush"
    PAIR = "pair"
    SAME_CARD_TWICE = "same-card-twice"
    TWO_ACES = "two-aces"
    AROUND_THE_CORNER = "around-the-corner"
    WILD_STANDS_FOR = "wild-stands-for"
    NATURAL_IN_PLACE = "natural-in-place"
    ORDER_NOT_MEANT = "order-not-meant"
    CONTRACT_MET = "contract-met"
    SAME_RANK = "same-rank"
    RUNS_FOLLOW_ON = "runs-follow-on"
    EXTRA_MELD = "extra-meld"
    NOTHING_KEPT = "nothing-kept"
    JOINS_MELD = "joins-meld"
    WILD_MOVED = "wild-moved"
    IN_THE_SAME_TURN = "in-the-same-turn"
    SWAP_GOOD = "swap-good"
    MELDS_LAID = "melds-laid"
    FIRST_LAY = "first-lay"
    LOWEST_USED = "lowest-used"
    TOP_CARD_FREE = "top-card-free"
    TOP_USED = "top-used"
    EARNS_BONUS = "earns-bonus"
    SECOND_HAND = "second-hand"
    GOES_OUT = "goes-out"
    CALL_GOOD = "call-good"
    HAND_MELDED = "hand-melded"
    KNOCKED = "knocked"
    BIG_GIN = "big-gin"
    SPECIAL_HAND = "special-hand"
    PAID_SO_MANY_TIMES = "paid-so-many-times"
    NO_WILDS_SHOWN = "no-wilds-shown"
    HIGHEST_COUNTS = "highest-counts"
    SAID_OTHERWISE = "said-otherwise"
    # Against a meld.
    NO_CARDS = "no-cards"
    NOT_IN_PACK = "not-in-pack"
    TOO_FEW_CARDS = "too-few-cards"
    TOO_MANY_IN_MELD = "too-many-in-meld"
    SET_OF_TWO_RANKS = "set-of-two-ranks"
    SET_REPEATS_CARD = "set-repeats-card"
    SET_OF_OTHER_SUITS = "set-of-other-suits"
    WILD_IN_SET = "wild-in-set"
    WILD_IN_FLUSH = "wild-in-flush"
    WILD_AT_REST = "wild-at-rest"
    FLUSH_OF_TWO_SUITS = "flush-of-two-suits"
    NOT_A_PAIR = "not-a-pair"
    SPECIAL_CARD = "special-card"
    RUN_OF_TWO_SUITS = "run-of-two-suits"
    RUN_REPEATS_RANK = "run-repeats-rank"
    RUN_GAP = "run-gap"
    RUN_AROUND_THE_CORNER = "run-around-the-corner"
    ACE_NOT_LOW = "ace-not-low"
    ACE_NOT_HIGH = "ace-not-high"
    ONLY_GOING_OUT = "only-going-out"
    WILD_OUT_OF_PLACE = "wild-out-of-place"
    WILDS_ADJACENT = "wilds-adjacent"
    TOO_MANY_WILDS = "too-many-wilds"
    TOO_FEW_NATURALS = "too-few-naturals"
    # Against laying down.
    CONTRACT_NOT_MET = "contract-not-met"
    TOO_MANY_MELDS = "too-many-melds"
    SETS_OF_ONE_RANK = "sets-of-one-rank"
    RUN_SPLIT = "run-split"
    RUNS_OF_ONE_SUIT = "runs-of-one-suit"
    RANK_LIES_THERE = "rank-lies-there"
    ALREADY_DOWN = "already-down"
    CARDS_LEFT_OVER = "cards-left-over"
    NOT_FROM_HAND = "not-from-hand"
    NOTHING_TO_DISCARD = "nothing-to-discard"
    WILD_THROWN_LAST = "wild-thrown-last"
    # Against laying off.
    NOT_DOWN_YET = "not-down-yet"
    NOT_MY_TURN = "not-my-turn"
    NOT_THIS_TURN = "not-this-turn"
    DOES_NOT_FIT = "does-not-fit"
    NO_MELD_THERE = "no-meld-there"
    NOBODY_ELSE_DOWN = "nobody-else-down"
    WILD_ON_OTHERS_MELD = "wild-on-others-meld"
    NOT_OWN_MELD = "not-own-meld"
    NOT_MELDED = "not-melded"
    ONLY_WILDS_JOIN = "only-wilds-join"
    # Against laying down where there is no contract.
    TOO_FEW_NATURALS_FIRST = "too-few-naturals-first"
    # Against taking from the discard pile, and against a call.
    LOWEST_NOT_USED = "lowest-not-used"
    STAYS_IN_PILE = "stays-in-pile"
    PILE_BLOCKED = "pile-blocked"
    PILE_FROZEN = "pile-frozen"
    TOP_NOT_USED = "top-not-used"
    HAND_IS_OVER = "hand-is-over"
    DRAWN_ALREADY = "drawn-already"
    WILD_NOT_CALLED = "wild-not-called"
    # Against closing.
    WRONG_NUMBER_OF_CARDS = "wrong-number-of-cards"
    CARDS_NOT_MELDED = "cards-not-melded"
    NEEDS_MISSING = "needs-missing"
    NOT_DECIDED = "not-decided"
    NOT_WHAT_WAS_SAID = "not-what-was-said"
    # Against swapping.
    NO_SWAPS = "no-swaps"
    SWAP_WHEN_DOWN = "swap-when-down"
    NOT_A_WILD = "not-a-wild"
    WRONG_CARD_GIVEN = "wrong-card-given"
    WILD_NOT_USED = "wild-not-used"
    SWAP_NOT_NEEDED = "swap-not-needed"
    # A turn at a table of tiles: grounds, then what is against it.
    PLAYED_FROM_RACK = "played-from-rack"
    TABLE_AS_IT_WAS = "table-as-it-was"
    TABLE_AFTER_OPENING = "table-after-opening"
    OPENING_MET = "opening-met"
    WILD_COUNTS = "wild-counts"
    JOKER_STAYS = "joker-stays"
    JOKER_REPLACED = "joker-replaced"
    JOKER_REUSED = "joker-reused"
    NOTHING_PLAYED = "nothing-played"
    DREW_THIS_TURN = "drew-this-turn"
    TABLE_TILE_TAKEN = "table-tile-taken"
    TABLE_BEFORE_OPENING = "table-before-opening"
    OPENING_TOO_LOW = "opening-too-low"
    PAIRS_MIXED = "pairs-mixed"
    JOKER_KEPT = "joker-kept"
    JOKER_LOCKED = "joker-locked"
    JOKER_NOT_REPLACED = "joker-not-replaced"
    JOKER_WRONG_TILE = "joker-wrong-tile"
    JOKER_NOT_FROM_RACK = "joker-not-from-rack"
    JOKER_BOTH_COLOURS = "joker-both-colours"
    JOKER_NOT_IN_NEW_SET = "joker-not-in-new-set"
    # Against anything.
    NO_SUCH_PLAY = "no-such-play"
    # What cannot be true on a scorepad.
    NOBODY_OUT = "nobody-out"
    TWO_OUT = "two-out"
    OUT_WITH_CARDS = "out-with-cards"
    OUT_NOT_DOWN = "out-not-down"
    NOTHING_LEFT = "nothing-left"
    POINTS_IMPOSSIBLE = "points-impossible"
    POINTS_TOO_MANY = "points-too-many"
    POINTS_TOO_FEW = "points-too-few"
    POINTS_UNLIKELY = "points-unlikely"
    ONLY_ONE_DOWN = "only-one-down"
    AFTER_THE_END = "after-the-end"
    NOT_PLAYING = "not-playing"
    MELD_NOT_LEGAL = "meld-not-legal"
    HOW_NOT_SAID = "how-not-said"
    CLOSE_IMPOSSIBLE = "close-impossible"
    HAND_DOES_NOT_CLOSE = "hand-does-not-close"
    TOO_MANY_COPIES = "too-many-copies"


NOTHING: Final[Mapping[str, object]] = MappingProxyType({})
"""The values of a sentence that has no placeholders."""


class MeldKind(Enum):
    """The kinds of meld, for cards and tiles."""

    SET = "set"
    RUN = "run"
    FLUSH = "flush"
    PAIR = "pair"

    @property
    def plural(self) -> str:
        """The English plural: "sets"."""
        return "flushes" if self is MeldKind.FLUSH else f"{self.value}s"

    # Members are compared by identity; an Enum's own hash is a call into Python, each time.
    __hash__ = object.__hash__


class Found(Protocol):
    """What `Variant.say` makes a sentence of: a `Finding`, or a `Problem` on a scorepad."""

    @property
    def sentence(self) -> Code:
        """The code that its sentence is under in the catalogues."""

    @property
    def how(self) -> str:
        """The message variant to use; empty for the default one."""

    @property
    def values(self) -> Mapping[str, object]:
        """The values for the placeholders of the sentence."""


class Finding(NamedTuple):
    """One reason for or against a play; `Variant.say` makes a sentence of it.

    >>> from referee import Moment, ShowMeld, parse_cards, rule_on, variants
    >>> game = variants.get("mexican-rummy")
    >>> first, *_ = rule_on(ShowMeld(parse_cards("4D 5D 7D")), game, Moment(2)).findings
    >>> first.code.value, first.cites, first.against
    ('run-gap', 'run', True)
    >>> game.say(first)
    'This run has a gap: 6♦ is missing.'
    """

    code: Code
    cites: str
    """The name of the clause that it is based on, for `Rulebook.cited`."""
    cards: Cards = ()
    """The cards that it is about."""
    against: bool = True
    """Whether it is against the play, rather than for it."""
    how: str = ""
    """The message variant to use; empty for the default one."""
    values: Mapping[str, object] = NOTHING
    """The values for the placeholders of the sentence: cards, numbers and named things, never
    text."""

    @property
    def sentence(self) -> Code:
        """The code that its sentence is under in the catalogues."""
        return self.code


def found(code: Code, cites: str, cards: Cards = (), how: str = "", /, **values: object) -> Finding:
    """Return a finding against a play; `cites` names the clause, and `how` the message variant."""
    return Finding(code, cites, cards, against=True, how=how, values=values)


def ground(
    code: Code, cites: str, cards: Cards = (), how: str = "", /, **values: object
) -> Finding:
    """Return a finding for a play; `cites` names the clause, and `how` the message variant."""
    return Finding(code, cites, cards, against=False, how=how, values=values)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read cards as a meld, card by card in the order they were laid.

    `stands` has the card that each one stands for, which is the card itself if it is natural.
    `places` has the place of each card in a run, from 1 (the low ace) to one above the highest rank
    (the high ace), and higher if runs can go around the corner. A set has no places.

    >>> from referee import legal_readings, parse_cards, variants
    >>> rules = variants.get("mexican-rummy").melds_at(2)
    >>> [run] = legal_readings(parse_cards("4D 5D 2S 7D"), rules)
    >>> run.stands, run.places, run.wild
    ((4D, 5D, 6D, 7D), (4, 5, 6, 7), (False, False, True, False))
    """

    kind: MeldKind
    cards: Cards
    stands: Cards
    places: tuple[int, ...] = ()
    rankless: bool = False
    """Whether it is a set of wilds only, which don’t stand for a card."""
    at_home: tuple[int, ...] = ()
    """The positions (from 0) of wilds that stand for the very card they are, in games where a wild
    is never natural."""

    @property
    def rank(self) -> int:
        """The rank that the first card stands for: the rank of a set, unless it is `rankless`."""
        return self.stands[0].rank

    @property
    def suit(self) -> Suit | None:
        """The suit of a run or flush; None if suits don’t matter."""
        return self.stands[0].suit

    @property
    def naturals(self) -> int:
        """The number of cards that are natural."""
        if self.rankless:
            return 0
        if self.stands is self.cards:
            return len(self.cards)
        return sum(map(is_, self.cards, self.stands)) - len(self.at_home)

    @property
    def wild(self) -> tuple[bool, ...]:
        """Whether each card is a wild in this meld, in the order of `cards`."""
        if self.stands is self.cards:
            return (False,) * len(self.cards)
        wild = tuple(map(is_not, self.cards, self.stands))
        if not self.at_home:
            return wild
        return tuple(one or at in self.at_home for at, one in enumerate(wild))

    @property
    def stands_for(self) -> Mapping[int, Card]:
        """The card that each wild stands for, by the wild’s position (from 0) in `cards`."""
        if self.stands is self.cards:
            return {}
        return {index: self.stands[index] for index, wild in enumerate(self.wild) if wild}

    @property
    def arranged(self) -> Reading:
        """The same meld, with the cards of a run in rising order."""
        if not self.places:
            return self
        order = sorted(range(len(self.cards)), key=self.places.__getitem__)
        return Reading(
            self.kind,
            tuple(self.cards[index] for index in order),
            tuple(self.stands[index] for index in order),
            tuple(self.places[index] for index in order),
            at_home=tuple(at for at, index in enumerate(order) if index in self.at_home),
        )


TableWorth: TypeAlias = Callable[[Reading], tuple[int, ...]]
"""Returns the points of each card of a meld on the table, in the order of its cards."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The referee’s answer to one play.

    Whether the play is legal isn’t stored. A play is legal if something is found for it and nothing
    against it, so the verdict always agrees with its reasons, and a reason that somebody forgot to
    write makes a play illegal rather than legal.

    >>> from referee import Moment, ShowMeld, parse_cards, rule_on, variants
    >>> game = variants.get("mexican-rummy")
    >>> ruling = rule_on(ShowMeld(parse_cards("4D 5D 7D")), game, Moment(2))
    >>> ruling.is_legal, sorted(code.value for code in ruling.broken)
    (False, ['run-gap', 'too-few-cards'])
    """

    findings: tuple[Finding, ...]
    """The reasons against the play, or for it, the most important first."""
    readings: tuple[Reading, ...] = ()
    """How each meld is read, as far as possible."""
    hint: tuple[str, ...] = ()
    """For each meld that needs another order, its cards written in one that would do; empty if no
    meld does."""
    points: int | None = None
    """The points of the play on the table; None if the game has none."""
    played: Cards | None = None
    """The tiles played from the rack, if the table was rearranged; else None."""
    closes_as: str | None = None
    """The word for what a hand closes as (one of `CloseRule.words`); None if none closes."""
    bonus: str | None = None
    """The name of the bonus that a meld earns, or earns with the cards laid off; None if none."""
    multiplier: int | None = None
    """How many times the others pay for a hand that closes; None if none does."""

    @property
    def is_legal(self) -> bool:
        """Whether the play is allowed."""
        return bool(self.findings) and not any(finding.against for finding in self.findings)

    @property
    def broken(self) -> frozenset[Code]:
        """The codes of the findings against the play."""
        return frozenset(finding.code for finding in self.findings if finding.against)
