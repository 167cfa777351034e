"""The record of a hand when a round has ended, and the points that follow from it.

A hand is entered as a number or as cards. If the game puts hands into melds, only the cards left
over count. Cards on the table count as in their melds. A hand that closed shows by itself how many
times the others pay.
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
"""How many hands in melds are cached, because the whole pad is read again with every entry."""


@dataclass(frozen=True, slots=True)
class HandRecord:
    """What was entered for one player’s hand when a round had ended.

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
    """The cards left in hand, or their points; None if none are left."""
    table: int | tuple[Cards, ...] | None = None
    """The melds that score for the player, or their points; None if none do."""
    shown: Cards = ()
    """The hand shown by the player who closed; empty if it wasn’t entered."""
    laid: tuple[Cards, ...] = ()
    """The melds of the hand shown, as the player laid them out; empty if that isn’t known."""
    close: str | None = None
    """The word for the way to close or go out; None if it wasn’t entered. If the hand was shown,
    this is what the player said it is."""
    joker: bool = False
    """Whether there was a wild in the hand that closed; used only if it wasn’t shown."""
    bonus: Mapping[str, int] = field(default_factory=dict, hash=False)
    """The number of melds with each bonus, by its name, if `table` doesn’t have the melds."""
    aside: int | Cards = 0
    """The cards placed face up, or their number."""
    reserve: bool = True
    """Whether the second hand was taken."""
    pairs: bool = False
    """Whether the player opened with pairs."""
    penalties: int = 0
    """How many penalties the player got in this round."""
    written: bool = False
    """Whether the record counts as it was entered, even if the rules say it can’t be true."""

    @property
    def is_down(self) -> bool:
        """Whether the contract counts as made: a player who goes out has laid it down.

        If the players entered something else and `written` is true, that counts.
        """
        if self.written and self.made is not None:
            return self.made
        return self.out or bool(self.made)


@dataclass(frozen=True, slots=True)
class Attendance:
    """When a player is at the table, and the points and the step that they joined with.

    >>> from referee.scorepad import Attendance
    >>> late = Attendance(away=(range(1, 3),), carried=40)
    >>> late.plays(2), late.plays(3)
    (False, True)
    """

    away: tuple[range, ...] = ()
    """The rounds (from 1) that the player was away for."""
    carried: int = 0
    """The points that the player got for joining late."""
    step: int = 1
    """The step that the player joined on, if each player has their own."""
    won: int = 0
    """How many rounds the player had won by then."""
    ranked: bool = True
    """Whether the player can still win and lead."""
    averaged: frozenset[int] = frozenset()
    """The rounds (from 1) that the player was away for and that count the average of the others."""

    def plays(self, number: int) -> bool:
        """Return whether the player is at the table in a round (from 1)."""
        return not any(number in rounds for rounds in self.away)


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseChoice:
    """One way to close, to choose from a list.

    >>> from referee import variants
    >>> from referee.scorepad import close_choices
    >>> choice = close_choices(variants.get("remigio"))[1]
    >>> choice.title, choice.counts
    ('Plain close without a joker', '×2')
    """

    word: str
    """The word for this way to close in questions in JSON."""
    joker: bool | None
    """Whether there is a wild in the hand; None if that makes no difference."""
    title: str
    """The name for this way to close, as pages show it."""
    times: int
    """How many times the other players pay the one who closes like this."""
    adds: int | None = None
    """The points it adds for the player who closed, if ways to close differ only in that; else
    None."""

    @property
    def counts(self) -> str:
        """What it’s worth: "×3", or "+31" if it adds points; empty if it adds 0."""
        if self.adds is None:
            return f"×{self.times}"
        return f"{'+' * (self.adds > 0)}{say_points(self.adds)}" if self.adds else ""

    @property
    def key(self) -> str:
        """The key for it in the table of multipliers."""
        return self.word if self.joker is not False else self.word + NO_WILD


@lru_cache(maxsize=_REMEMBERED)
def least_left(variant: Variant, cards: Cards, step: int | None = None) -> Arrangement:
    """Return the hand in melds so that the points left over are as few as possible.

    This is for games in which hands are shown, and for hands of up to `deadwood.MOST_ARRANGED` (14)
    cards.

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
    """Return how a hand closes and how many times the others pay; None if it can’t close.

    `says` is what the player says the hand is.

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
    """Return the ways to close or go out, the plain one first; empty if all score the same.

    >>> from referee import variants
    >>> from referee.scorepad import close_choices
    >>> [choice.counts for choice in close_choices(variants.get("remigio"))]
    ['×1', '×2', '×3', '×4', '×5', '×6', '×10']
    """
    return tuple(_choices(variant))


def close_choice(variant: Variant, word: str | None, *, joker: bool) -> CloseChoice | None:
    """Return the way to close with this word, with or without a wild; None if there isn’t one.

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
        if pad.ways:
            title = variant.words.out
            yield CloseChoice(word="out", joker=None, title=title, times=1)
        for word, (title, often) in pad.ways.items():
            yield CloseChoice(word=word, joker=None, title=title, times=often)
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
    """Return whether you have to enter how a hand closed; if not, the first way is assumed.

    >>> from referee import variants
    >>> from referee.scorepad import must_say_how
    >>> must_say_how(variants.get("remigio")), must_say_how(variants.get("gin-rummy"))
    (True, False)
    """
    if variant.close is not None:
        return variant.close.pays_by_way
    return variant.pad.must_say_how


def chosen_close(variant: Variant, record: HandRecord) -> CloseChoice | None:
    """Return the way to close that was entered; None if none was and there is no usual way.

    Hands that count more are entered by name, so without a name, a hand closed in the usual way.
    """
    choices = close_choices(variant)
    usual = None if must_say_how(variant) or not choices else choices[0].word
    return close_choice(variant, record.close or usual, joker=record.joker)


def points_of(variant: Variant, record: HandRecord, step: int | None) -> int:
    """Return the points of the cards left in a hand, even if its player went out.

    If the game puts hands into melds, only cards in no meld count, but a hand with too many cards
    to try counts as a whole. Points of cards in `left` are limited by the game’s cap; points
    entered as a number aren’t. For a hand that was shown to knock, the cards in no meld are left.

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
    """Return a hand in the melds that its player showed; all other cards are left over.

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
    """Return the points of a player’s melds on the table; 0 if the pad doesn’t ask for them.

    Points entered as a number count as entered. Melds entered as cards count as `meld_ruling` reads
    them; cards that aren’t a meld count 0.
    """
    if record.table is None or not variant.pad.asks_table:
        return 0
    if isinstance(record.table, int):
        return record.table
    return sum(meld_ruling(variant, cards).points or 0 for cards in record.table)


def meld_ruling(variant: Variant, cards: Cards) -> Ruling:
    """Return the ruling on a meld on the table: in the order it was laid, or else in any order.

    Melds that only a player who goes out can lay are allowed, because somebody may have gone out
    with them.

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
    """Return the game in which anyone can lay melds that are for a player who goes out."""
    sets = variant.sets
    return replace(variant, sets=replace(sets, without=sets.without - sets.last))


def times_of(variant: Variant, record: HandRecord, step: int | None) -> int:
    """Return how many times the others pay for a hand that closed.

    If it isn’t known how the hand closed, this is 1. An upcard that doubles the score doubles it.
    """
    upcard, rule = variant.upcard, variant.turning
    more = rule.times(upcard) if rule is not None and upcard is not None else 1
    if record.shown:
        found = closed_as(variant, record.shown, record.close, step)
        return more * (found[1] if found else 1)
    choice = chosen_close(variant, record)
    return more * (choice.times if choice else 1)


def is_big_gin(variant: Variant, record: HandRecord, step: int | None) -> bool:
    """Return whether a player went out with 1 card more than dealt, all of them in melds."""
    if not record.out or variant.close is None or not variant.close.big_gin:
        return False
    if record.shown:
        found = closed_as(variant, record.shown, record.close, step)
        return found is not None and found[0] == BIG_GIN
    return record.close == BIG_GIN


def closed_special(variant: Variant, record: HandRecord, step: int | None) -> SpecialHand | None:
    """Return the special hand that a player closed with; None for any other hand."""
    if not record.out or variant.close is None or not variant.close.special:
        return None
    word = record.close
    if record.shown:
        found = closed_as(variant, record.shown, record.close, step)
        word = found[0] if found else None
    return variant.close.special_hand(word)


def knocks(variant: Variant) -> bool:
    """Return whether a player who goes out or drops can have cards left over that count.

    >>> from referee import variants
    >>> from referee.scorepad import knocks
    >>> knocks(variants.get("gin-rummy")), knocks(variants.get("mexican-rummy"))
    (True, False)
    """
    if variant.close is None:
        return variant.pad.counts is Counts.WHERE_COMPARED
    return most_knocked(variant) > 0


def most_knocked(variant: Variant) -> int:
    """Return the most points that a player can knock with, in a game in which hands are shown.

    It’s 0 if nobody can knock. If the upcard decides it but isn’t known, it’s the most with any.
    """
    assert variant.close is not None, "a game whose hands are shown"
    rule = variant.turning
    by_rank = [] if rule is None or variant.upcard is not None else [*rule.knock.values()]
    most: int = max([variant.close.knock, *by_rank])
    return most


def ended(variant: Variant, record: HandRecord, step: int | None) -> Ended:
    """Return what a settlement needs to know about a player’s hand."""
    special = closed_special(variant, record, step) if record.out else None
    scores = None if special is None else special.scores
    if record.out and record.close == "outright":
        scores = variant.pad.at_once
    deadwood = 0 if record.out and not knocks(variant) else points_of(variant, record, step)
    return Ended(
        out=record.out,
        deadwood=deadwood * pairs_of(variant, record),
        table=table_points(variant, record),
        times=times_of(variant, record, step) if record.out else 1,
        scores=scores,
        big_gin=is_big_gin(variant, record, step),
    )


def pairs_of(variant: Variant, record: HandRecord) -> int:
    """Return how often the cards left count: more if the player opened with pairs.

    A fixed score that replaces the count stays as it is.
    """
    return variant.pad.pairs if record.pairs and not variant.pad.is_fixed(record.left) else 1


def left_all_the_same(variant: Variant, record: HandRecord, step: int | None) -> int:
    """Return the points that players say were left with someone who went out.

    The rules say that nothing is left, so the settlement doesn’t count these points. It’s 0 unless
    the record is `written`.
    """
    if not (record.written and record.out) or knocks(variant) or variant.pad.counts is Counts.NONE:
        return 0
    return points_of(variant, record, step)


def cards_named(record: HandRecord) -> Cards:
    """Return all cards that a record names, in hand, shown, face up and in melds.

    >>> from referee import parse_cards
    >>> from referee.scorepad import HandRecord, cards_named
    >>> cards_named(HandRecord(left=parse_cards("KC QD"), table=(parse_cards("7C 7D 7H"),)))
    (KC, QD, 7C, 7D, 7H)
    """
    left = record.left if isinstance(record.left, tuple) else ()
    table = record.table if isinstance(record.table, tuple) else ()
    aside = record.aside if isinstance(record.aside, tuple) else ()
    return (*left, *record.shown, *aside, *(card for meld in table for card in meld))
