"""What is written down of a hand when a round has ended, and what it comes to.

A hand is a number or the cards themselves. Where a game arranges them, what is left over is
counted; what lies on the table is worth what it was melded as; a closing hand says by itself how
often the others pay.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from referee.cards import Cards
from referee.judging import rule_on
from referee.melds.deadwood import MOST_ARRANGED, Arrangement
from referee.melds.grounds import legal_readings
from referee.pad import Counts
from referee.plays import Close, Moment, ShowMeld
from referee.rulings import Ruling
from referee.scoring import Ended
from referee.turns.closing import BIG_GIN, CLOSED, NO_WILD, SpecialHand, least_deadwood
from referee.variant import ForTheTableError, Variant
from referee.wording import say_points

_REMEMBERED: Final = 2_000
"""Hands that were put into melds, since a pad is read again whole with every entry."""


@dataclass(frozen=True, slots=True)
class HandRecord:
    """What is written down of one player’s hand when a round has ended.

    >>> from referee import parse_cards, variants
    >>> from referee.scorepad import HandRecord, points_of
    >>> record = HandRecord(left=parse_cards("KC 2S"))
    >>> points_of(variants.get("mexican-rummy"), record, 2), record.is_down
    (30, False)
    """

    out: bool = False
    """Whether the player went out."""
    made: bool | None = None
    """Whether the player laid down the contract in this round; None if that isn’t known."""
    left: int | Cards | None = None
    """The cards left in hand, or what they count together; None for nothing."""
    table: int | tuple[Cards, ...] | None = None
    """The melds that score for the player, or what they score; None for nothing."""
    shown: Cards = ()
    """The hand shown by the player who closed."""
    laid: tuple[Cards, ...] = ()
    """The melds of the hand shown, as the player laid them out; none if that isn’t known."""
    close: str | None = None
    """What a hand that wasn’t shown closed as; of one that was, what its player said it is."""
    joker: bool = False
    """Whether there was a wild in the hand that closed, if it wasn’t shown."""
    bonus: Mapping[str, int] = field(default_factory=dict, hash=False)
    """How many melds of each kind have a bonus, by its name, if `table` doesn’t name them."""
    aside: int | Cards = 0
    """The cards placed face up, or how many there are."""
    reserve: bool = True
    """Whether the second hand was taken."""
    written: bool = False
    """Whether it counts as the table wrote it down, even if the rules say it can’t be."""

    @property
    def is_down(self) -> bool:
        """Whether the contract counts as made: a player who goes out has laid it down.

        A table that wrote down something else decided so.
        """
        if self.written and self.made is not None:
            return self.made
        return self.out or bool(self.made)


@dataclass(frozen=True, slots=True)
class Attendance:
    """When a player is at the table, and what the player joined with.

    >>> from referee.scorepad import Attendance
    >>> late = Attendance(away=(range(1, 3),), carried=40)
    >>> late.plays(2), late.plays(3)
    (False, True)
    """

    away: tuple[range, ...] = ()
    """The rounds (from 1) that the player was away for."""
    carried: int = 0
    """The points the player was given on joining late."""
    step: int = 1
    """The step the player joined on, if each player has their own."""
    ranked: bool = True
    """Whether the player can still win and lead."""

    def plays(self, number: int) -> bool:
        """Whether the player is at the table in a round."""
        return not any(number in rounds for rounds in self.away)


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseChoice:
    """One way to close, as it is chosen by hand.

    >>> from referee import variants
    >>> from referee.scorepad import close_choices
    >>> choice = close_choices(variants.get("remigio"))[1]
    >>> choice.title, choice.counts
    ('Plain close without a joker', '×2')
    """

    word: str
    """The word for it in the question format."""
    joker: bool | None
    """Whether there is a wild in the hand; None if that does not tell."""
    title: str
    """What it is called."""
    times: int
    """How many times the others pay."""
    adds: int | None = None
    """What it adds to the closer’s points, if ways to close differ by that alone."""

    @property
    def counts(self) -> str:
        """What it comes to: "×3", or "+31" if something is added; empty if nothing is."""
        if self.adds is None:
            return f"×{self.times}"
        return f"{'+' * (self.adds > 0)}{say_points(self.adds)}" if self.adds else ""

    @property
    def key(self) -> str:
        """The name of the row in the table of multipliers."""
        return self.word if self.joker is not False else self.word + NO_WILD


@lru_cache(maxsize=_REMEMBERED)
def least_left(variant: Variant, cards: Cards, step: int | None = None) -> Arrangement:
    """Return the arrangement of a hand that pays least.

    It is for games that name the cards, and for hands of up to `deadwood.MOST_ARRANGED` (14) cards.

    >>> from referee import parse_cards, variants
    >>> from referee.scorepad import least_left
    >>> hand = parse_cards("4D 5D 6D 7C 7D 7H KS KC 2H 9S")
    >>> least_left(variants.get("gin-rummy"), hand).points
    31
    """
    assert variant.close is not None, "a game whose hands are arranged"
    hand = tuple(sorted(cards, key=str))
    rules, dealt = variant.melds_at(step), variant.hand_at(step)
    return least_deadwood(hand, variant.close, rules, variant.values, dealt)


def closed_as(
    variant: Variant, cards: Cards, says: str | None = None, step: int | None = None
) -> tuple[str, int] | None:
    """Return what a hand closes as and how many times the others pay; None if it does not close.

    >>> from referee import parse_cards, variants
    >>> from referee.scorepad import closed_as
    >>> hand = parse_cards("4D 5D 6D 7C 7D 7H KS KC KD 2H")
    >>> closed_as(variants.get("gin-rummy"), hand)
    ('closed', 1)
    """
    try:
        ruling = rule_on(Close(cards=cards, says=says), variant, Moment(step))
    except ForTheTableError:
        return None
    if not ruling.is_legal or ruling.closes_as is None or ruling.multiplier is None:
        return None
    return ruling.closes_as, ruling.multiplier


def close_choices(variant: Variant) -> tuple[CloseChoice, ...]:
    """Return the ways to close, the plain one first; none if it doesn’t matter how a hand closes.

    >>> from referee import variants
    >>> from referee.scorepad import close_choices
    >>> [choice.counts for choice in close_choices(variants.get("remigio"))]
    ['×1', '×2', '×3', '×4', '×5', '×6', '×10']
    """
    return tuple(_choices(variant))


def close_choice(variant: Variant, word: str | None, *, joker: bool) -> CloseChoice | None:
    """Return the way to close of a word, with a wild in the hand or without; None if none has it.

    >>> from referee import variants
    >>> from referee.scorepad import close_choice
    >>> close_choice(variants.get("remigio"), "closed", joker=False).times
    2
    """
    for choice in close_choices(variant):
        if choice.word == word and choice.joker in {None, joker}:
            return choice
    return None


def _choices(variant: Variant) -> Iterator[CloseChoice]:
    if variant.close is None:
        pad = variant.pad
        if pad.outright > 1 or pad.at_once is not None:
            dropped = variant.speaker.put("closes.out-or-dropped")
            title, adds = (dropped, None) if pad.must_say_how else (variant.words.out, 0)
            yield CloseChoice(word="out", joker=None, title=title, times=1, adds=adds)
            yield CloseChoice(
                word="outright",
                joker=None,
                title=pad.outright_title,
                times=pad.outright,
                adds=pad.at_once if pad.outright == 1 else None,
            )
        return
    if not variant.close.asks_how:
        return
    times, put, wild = variant.close.multipliers, variant.speaker.put, variant.wilds
    added: dict[str, int] = {}
    if not variant.close.pays_by_way:
        added = {CLOSED: 0, BIG_GIN: variant.close.big_gin}
        added |= {hand.word: hand.scores or 0 for hand in variant.close.special}
    titles = variant.close_titles
    for word in (CLOSED, *(word for word in reversed(list(titles)) if word != CLOSED)):
        title = titles[word][:1].upper() + titles[word][1:]
        without = times.get(word + NO_WILD)
        if without in {None, times[word]}:
            yield CloseChoice(
                word=word, joker=None, title=title, times=times[word], adds=added.get(word)
            )
        else:
            said = put("closes.with", title=title, wild=wild)
            yield CloseChoice(word=word, joker=True, title=said, times=times[word])
            said = put("closes.without", title=title, wild=wild)
            yield CloseChoice(word=word, joker=False, title=said, times=without)


def must_say_how(variant: Variant) -> bool:
    """Return whether you have to say how a hand closed; if not, it closed in the first way.

    >>> from referee import variants
    >>> from referee.scorepad import must_say_how
    >>> must_say_how(variants.get("remigio")), must_say_how(variants.get("gin-rummy"))
    (True, False)
    """
    if variant.close is not None:
        return variant.close.pays_by_way
    return variant.pad.must_say_how


def chosen_close(variant: Variant, record: HandRecord) -> CloseChoice | None:
    """Find the way to close that was chosen by hand; None if none was and one must be.

    A hand that counts more is named: without a name, it closed in the usual way.
    """
    choices = close_choices(variant)
    usual = None if must_say_how(variant) or not choices else choices[0].word
    return close_choice(variant, record.close or usual, joker=record.joker)


def points_of(variant: Variant, record: HandRecord, step: int | None) -> int:
    """Return what the cards left in a hand count, whoever went out.

    If hands are arranged, one of more cards than can be is counted whole. Cards that were named
    count no more than a hand can. Of a hand that was shown to knock, what is in no meld is left.

    >>> from referee import parse_cards, variants
    >>> from referee.scorepad import HandRecord, points_of
    >>> record = HandRecord(left=parse_cards("4D 5D 6D 7C 7D 7H KS KC 2H 9S"))
    >>> points_of(variants.get("gin-rummy"), record, None)
    31
    """
    if record.left is None:
        found = closed_as(variant, record.shown, record.close, step) if record.shown else None
        if found is None or found[0] != CLOSED or not knocks(variant):
            return 0
        if record.laid:
            return laid_out(variant, record, step).points
        return least_left(variant, record.shown, step).points
    if isinstance(record.left, int):
        return record.left
    points = _cost_of(variant, record, record.left, step)
    return points if variant.cap is None else min(points, variant.cap)


def laid_out(variant: Variant, record: HandRecord, step: int | None) -> Arrangement:
    """Return a hand in the melds that its player showed; anything that isn’t a meld is left over.

    >>> from referee import parse_cards, variants
    >>> from referee.scorepad import HandRecord, laid_out
    >>> hand, run = parse_cards("4D 5D 6D 7C 7D 7H KS KC 2H 9S"), parse_cards("4D 5D 6D")
    >>> found = laid_out(variants.get("gin-rummy"), HandRecord(left=hand, laid=(run,)), None)
    >>> len(found.melds), found.points
    (1, 52)
    """
    rules = variant.melds_at(step)
    left = Counter(record.left if isinstance(record.left, tuple) else record.shown)
    melds = []
    for cards in record.laid:
        readings = legal_readings(cards, rules, as_laid=False)
        if readings and Counter(cards) <= left:
            melds.append(readings[0])
            left.subtract(cards)
    rest = tuple(left.elements())
    return Arrangement(tuple(melds), rest, variant.values.count(rest, rules.wilds.cards))


def _cost_of(variant: Variant, record: HandRecord, left: Cards, step: int | None) -> int:
    if record.laid:
        return laid_out(variant, record, step).points
    if variant.names_cards and len(left) <= MOST_ARRANGED:
        return least_left(variant, left, step).points
    return variant.values.count(left, variant.wilds_at(step).cards)


def table_points(variant: Variant, record: HandRecord) -> int:
    """What the player's cards on the table score, in the order that makes most of each meld."""
    if record.table is None or not variant.pad.asks_table:
        return 0
    if isinstance(record.table, int):
        return record.table
    return sum(meld_ruling(variant, cards).points or 0 for cards in record.table)


def meld_ruling(variant: Variant, cards: Cards) -> Ruling:
    """Return the ruling on a meld on the table: as it was laid, else in any order.

    What only a player who goes out can meld is on the table when somebody did.

    >>> from referee import parse_cards, variants
    >>> from referee.scorepad import meld_ruling
    >>> ruling = meld_ruling(variants.get("rummy-500"), parse_cards("6D 4D 5D"))
    >>> ruling.is_legal, ruling.points
    (True, 15)
    """
    if cards and variant.sets.last.issuperset(cards):
        variant = _with_last(variant)
    as_laid = rule_on(ShowMeld(cards), variant, Moment())
    return as_laid if as_laid.is_legal else rule_on(ShowMeld(cards, as_laid=False), variant)


@lru_cache(maxsize=128)
def _with_last(variant: Variant) -> Variant:
    """The game in which anyone can meld what is for a player who goes out."""
    sets = variant.sets
    return replace(variant, sets=replace(sets, without=sets.without - sets.last))


def times_of(variant: Variant, record: HandRecord, step: int | None) -> int:
    """How often the others pay for a hand that closed; once where it is not known how."""
    upcard, rule = variant.upcard, variant.turning
    more = rule.times(upcard) if rule is not None and upcard is not None else 1
    if record.shown:
        found = closed_as(variant, record.shown, record.close, step)
        return more * (found[1] if found else 1)
    choice = chosen_close(variant, record)
    return more * (choice.times if choice else 1)


def is_big_gin(variant: Variant, record: HandRecord, step: int | None) -> bool:
    """Whether who went out showed a card more than dealt, all of them in melds."""
    if not record.out or variant.close is None or not variant.close.big_gin:
        return False
    if record.shown:
        found = closed_as(variant, record.shown, record.close, step)
        return found is not None and found[0] == BIG_GIN
    return record.close == BIG_GIN


def closed_special(variant: Variant, record: HandRecord, step: int | None) -> SpecialHand | None:
    """The special hand that a player closed with; None for any other, and for who did not."""
    if not record.out or variant.close is None or not variant.close.special:
        return None
    word = record.close
    if record.shown:
        found = closed_as(variant, record.shown, record.close, step)
        word = found[0] if found else None
    return variant.close.special_hand(word)


def knocks(variant: Variant) -> bool:
    """Return whether a player who goes out, or drops, can have something left over, which counts.

    >>> from referee import variants
    >>> from referee.scorepad import knocks
    >>> knocks(variants.get("gin-rummy")), knocks(variants.get("mexican-rummy"))
    (True, False)
    """
    if variant.close is None:
        return variant.pad.counts is Counts.WHERE_COMPARED
    return most_knocked(variant) > 0


def most_knocked(variant: Variant) -> int:
    """The most points left over for a player who goes out, in any deal if the deal is not known."""
    assert variant.close is not None, "a game whose hands are shown"
    rule = variant.turning
    by_rank = [] if rule is None or variant.upcard is not None else [*rule.knock.values()]
    most: int = max([variant.close.knock, *by_rank])
    return most


def ended(variant: Variant, record: HandRecord, step: int | None) -> Ended:
    """Count a record, as settling the round needs it."""
    special = closed_special(variant, record, step) if record.out else None
    scores = None if special is None else special.scores
    if record.out and record.close == "outright":
        scores = variant.pad.at_once
    return Ended(
        out=record.out,
        deadwood=0 if record.out and not knocks(variant) else points_of(variant, record, step),
        table=table_points(variant, record),
        times=times_of(variant, record, step) if record.out else 1,
        scores=scores,
        big_gin=is_big_gin(variant, record, step),
    )


def left_all_the_same(variant: Variant, record: HandRecord, step: int | None) -> int:
    """What a table wrote down as left with a player who went out, where by the rules nothing is.

    Settling a round does not see it: by the rules it is 0.
    """
    if not (record.written and record.out) or knocks(variant) or variant.pad.counts is Counts.NONE:
        return 0
    return points_of(variant, record, step)


def cards_named(record: HandRecord) -> Cards:
    """Return the cards of a record that were named, wherever they are.

    >>> from referee import parse_cards
    >>> from referee.scorepad import HandRecord, cards_named
    >>> cards_named(HandRecord(left=parse_cards("KC QD"), table=(parse_cards("7C 7D 7H"),)))
    (KC, QD, 7C, 7D, 7H)
    """
    left = record.left if isinstance(record.left, tuple) else ()
    table = record.table if isinstance(record.table, tuple) else ()
    aside = record.aside if isinstance(record.aside, tuple) else ()
    return (*left, *record.shown, *aside, *(card for meld in table for card in meld))
