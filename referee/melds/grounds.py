"""Reasons for and against reading cards as a meld.

If cards aren’t a meld, the referee guesses the kind that was meant and gives the reasons against
that kind, most useful first. Each reason cites a rule of the game.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from referee.cards import ACE, JOKER, KING, SPECIAL_RANK, Card, Cards, write_cards
from referee.melds.limits import limits, repeated_cards, too_few, too_many, wild_limits
from referee.melds.reading import read_flushes, read_pairs, read_runs, read_sets
from referee.melds.rules import MeldRules, RunRule, rank_at
from referee.rulings import Code, Finding, MeldKind, Reading, found, ground

_READ: Final = 4_000
"""How many melds are remembered with their readings, because the same ones come up often."""


class Verdict(NamedTuple):
    """All legal ways to read some cards as a meld, or the reasons there are none."""

    readings: tuple[Reading, ...]
    """Every legal way: sets, runs, pairs, then flushes."""
    findings: tuple[Finding, ...] = ()
    """The reasons why there is no legal way; empty if there is one."""
    otherwise: tuple[Reading, ...] = ()
    """If only their order is wrong, every legal way to read the cards in another order."""
    meant: tuple[MeldKind, ...] = tuple(MeldKind)
    """If the cards aren’t a meld, the kind they were probably meant as; all kinds if unclear."""

    @property
    def hint(self) -> str:
        """The cards, written in an order that would be legal; empty if there isn’t one."""
        return write_cards(self.otherwise[0].arranged.cards) if self.otherwise else ""


@lru_cache(maxsize=_READ)
def judge(cards: Cards, rules: MeldRules, *, as_laid: bool = True) -> Verdict:
    """Return every legal way to read cards as a meld, or the reasons why there is none.

    `as_laid` has the same meaning as in `legal_readings`.
    """
    if not cards:
        return Verdict((), (found(Code.NO_CARDS, "set", (), "meld"),))
    readings = legal_readings(cards, rules, as_laid=as_laid)
    if readings:
        return Verdict(readings)
    otherwise: tuple[Reading, ...] = ()
    # The order says where a wild is, so the same cards can be legal in another order.
    if as_laid:
        otherwise = legal_readings(cards, rules, as_laid=False)
    special = tuple(card for card in cards if card.rank == SPECIAL_RANK)
    if special:
        return Verdict((), (found(Code.SPECIAL_CARD, "special", special, this=special[0]),))
    return _judge_as_meant(cards, rules, otherwise, as_laid=as_laid)


def _judge_as_meant(
    cards: Cards, rules: MeldRules, otherwise: tuple[Reading, ...], *, as_laid: bool
) -> Verdict:
    """Return the reasons against the kind of meld that some cards were probably meant as."""
    if rules.pairs and len(cards) == 2:  # noqa: PLR2004 - a pair
        odd = found(Code.NOT_A_PAIR, "opening-pairs", cards)
        return Verdict((), (odd,), (), (MeldKind.PAIR,))
    if _was_meant_as_flush(cards, rules):
        return Verdict((), tuple(_against_flush(cards, rules)), otherwise, (MeldKind.FLUSH,))
    if _was_meant_as_set(cards, rules):
        return Verdict((), tuple(_against_set(cards, rules)), otherwise, (MeldKind.SET,))
    against = tuple(_against_run(cards, rules, as_laid=as_laid, misplaced=bool(otherwise)))
    return Verdict((), against, otherwise, (MeldKind.RUN,))


@lru_cache(maxsize=_READ)
def legal_readings(cards: Cards, rules: MeldRules, *, as_laid: bool = True) -> tuple[Reading, ...]:
    """Return every legal way to read cards as a meld: sets, runs, pairs, then flushes.

    If `as_laid` is true and the naturals of a run are in order, each wild stands for the card at
    its position; otherwise the cards can be rearranged. The result is empty if the cards aren’t a
    meld.

    >>> from referee import legal_readings, parse_cards, variants
    >>> rules = variants.get("mexican-rummy").melds_at(2)
    >>> [run] = legal_readings(parse_cards("4D 5D 2S 7D"), rules)
    >>> run.kind.value, run.stands_for
    ('run', {2: 6D})
    >>> legal_readings(parse_cards("4D 5D 7D"), rules)
    ()
    """
    found = [meld for meld in read_sets(cards, rules) if not limits(meld, rules)]
    wilds = rules.wilds
    # If a meld needs naturals and wilds are never natural, a run of only wilds can’t be legal.
    needs = wilds.of(MeldKind.RUN).min_naturals
    alone = needs and not wilds.natural_in_place and wilds.cards.issuperset(cards)
    if rules.runs.exists and len(cards) >= rules.runs.min_size and not alone:
        runs = read_runs(cards, rules, as_laid=as_laid)
        found += [run for run in runs if not limits(run, rules)]
    found += read_pairs(cards, rules)
    if rules.flush is not None and len(cards) >= rules.flush:
        found += [flush for flush in read_flushes(cards, rules) if not limits(flush, rules)]
    return tuple(found)


def in_favour(reading: Reading, rules: MeldRules) -> Iterator[Finding]:
    """Yield the reasons for a legal reading: its kind, and what each wild stands for in it."""
    if reading.kind is MeldKind.SET:
        yield from _set_in_favour(reading, rules)
    elif reading.kind is MeldKind.FLUSH:
        yield _flush_in_favour(reading)
    elif reading.kind is MeldKind.PAIR:
        yield ground(Code.PAIR, "opening-pairs", reading.cards, this=reading.stands[0])
    else:
        yield from _run_in_favour(reading, rules)
    wilds = rules.wilds
    if reading.rankless or wilds.cards.isdisjoint(reading.cards):
        return
    for card, stand, wild in zip(reading.cards, reading.stands, reading.wild, strict=True):
        if wild:
            yield ground(Code.WILD_STANDS_FOR, "wild", (card,), wild=wilds, stand=stand)
        elif card in wilds.cards:
            yield ground(Code.NATURAL_IN_PLACE, "natural", (card,), this=card)


def _set_in_favour(reading: Reading, rules: MeldRules) -> Iterator[Finding]:
    sets, n = rules.sets, len(reading.cards)
    if reading.rankless:
        yield ground(Code.SET_OF_WILDS, "only-wilds", reading.cards, n=n, wild=rules.wilds)
        return
    yield ground(Code.SET, "set", reading.cards, n=n, of=reading.stands[0])
    if not sets.distinct_suits and len(set(reading.cards)) < len(reading.cards):
        twice = tuple(card for card in repeated_cards(reading.cards) if card.suit is not None)
        if twice:
            yield ground(Code.SAME_CARD_TWICE, "same-card", twice)
    if sets.outgrow_suits and n > len(rules.pack.suits):
        yield ground(Code.MORE_THAN_SUITS, "set-most", reading.cards, wild=rules.wilds)


def _flush_in_favour(reading: Reading) -> Finding:
    n = len(reading.cards)
    return ground(Code.FLUSH, "flush", reading.cards, n=n, of=reading.suit or "")


def _run_in_favour(reading: Reading, rules: MeldRules) -> Iterator[Finding]:
    runs, places, n = rules.runs, reading.places, len(reading.cards)
    low, high = min(places), max(places)
    first, last = reading.stands[places.index(low)], reading.stands[places.index(high)]
    yield ground(Code.RUN, "run", reading.cards, n=n, first=first, last=last)
    if high > runs.above:
        yield ground(Code.AROUND_THE_CORNER, "corner", reading.cards)
    if low == ACE and high == runs.above and not runs.one_ace:
        yield ground(Code.TWO_ACES, "longest-run", (first, last))
    step = 1 if places[0] == low else -1
    if places != tuple(range(places[0], places[0] + step * len(places), step)):
        yield ground(Code.ORDER_NOT_MEANT, "as-laid", reading.cards)


_MEANT_AS_FLUSH: Final = 5
"""From this many cards on, nearly all in one suit, a flush was probably meant."""


def _was_meant_as_flush(cards: Cards, rules: MeldRules) -> bool:
    """Guess whether cards that aren’t a meld were meant as a flush."""
    naturals = [card for card in cards if card not in rules.wilds.cards]
    if rules.flush is None or len(cards) < _MEANT_AS_FLUSH or not naturals:
        return False
    ranks = {card.rank for card in naturals}
    of_a_suit = max(Counter(card.suit for card in naturals).values())
    in_a_row = max(ranks) - min(ranks) < len(cards) and len(ranks) == len(naturals)
    return of_a_suit >= len(naturals) - 1 and len(ranks) > 1 and not in_a_row


def _against_flush(cards: Cards, rules: MeldRules) -> Iterator[Finding]:
    suits = Counter(card.suit for card in cards if card not in rules.wilds.cards)
    most = max(suits, key=suits.__getitem__)
    others = tuple(c for c in cards if c.suit is not most and c not in rules.wilds.cards)
    if others:
        yield found(Code.FLUSH_OF_TWO_SUITS, "flush", others)
    wilds = rules.wilds
    own = [card for card in cards if card.suit is most and wilds.natural_in_place]
    barred = tuple(card for card in cards if card in wilds.cards and card not in own)
    if barred and not wilds.in_flushes:
        yield found(Code.WILD_IN_FLUSH, "wild-where", barred, wild=wilds)
    if rules.flush is not None and len(cards) < rules.flush:
        yield too_few(cards, MeldKind.FLUSH, rules)
    if not others:
        for reading in read_flushes(cards, rules):
            yield from wild_limits(reading, len(cards) - reading.naturals, rules)


def _was_meant_as_set(cards: Cards, rules: MeldRules) -> bool:
    """Guess whether cards that aren’t a meld were meant as a set rather than a run."""
    if not rules.runs.exists:
        return True
    if rules.sets.min_size <= len(cards) < rules.runs.min_size and any(read_sets(cards, rules)):
        return True
    naturals = [card for card in cards if card not in rules.wilds.cards]
    if not naturals:
        return rules.sets.only_wilds or len({card.rank for card in cards}) == 1 < len(cards)
    suits: dict[object, set[int]] = {}
    for card in naturals:
        suits.setdefault(card.suit if rules.runs.one_suit else None, set()).add(card.rank)
    in_a_suit = max(map(len, suits.values()))
    alike = max(Counter(card.rank for card in naturals).values())
    of_a_rank = max(Counter(card.rank for card in cards).values())
    wilds = len(cards) - len(naturals)
    if wilds and alike == len(naturals) and _bars_wilds(rules):
        return True
    return alike > max(1, in_a_suit) or 1 < of_a_rank >= in_a_suit + wilds


def _against_set(cards: Cards, rules: MeldRules) -> Iterator[Finding]:
    readings = [limits(reading, rules) for reading in read_sets(cards, rules)]
    if readings:
        yield from min(readings, key=len)
        return
    plain = [card for card in cards if card not in rules.wild_in_sets]
    ranks = Counter(card.rank for card in plain if card is not JOKER)
    rank = max(ranks, key=ranks.__getitem__, default=None)
    # A joker has no rank, so if it isn’t wild, it can’t be part of any set.
    others = tuple(card for card in plain if card.rank != rank)
    wild = tuple(card for card in others if card in rules.wilds.cards)
    resting = tuple(card for card in others if card is JOKER and card in rules.wilds.plain)
    at_home = tuple(card for card in cards if card in rules.wilds.cards and card not in others)
    yield from plain_wilds(resting, rules)
    if wild and rules.wilds.in_sets:
        yield found(Code.WILD_IN_SET, "wild-where", wild, "runs-only", this=wild[0])
    elif wild:
        yield found(Code.WILD_IN_SET, "wild-where", wild, wild=rules.wilds)
    elif at_home and not rules.wilds.in_sets and not rules.wilds.natural_in_place:
        yield found(Code.WILD_IN_SET, "wild-where", at_home, "never-natural", wild=rules.wilds)
    if len(wild) + len(resting) < len(others):
        yield found(Code.SET_OF_TWO_RANKS, "set", others)
    barred = tuple(card for card in plain if card in rules.sets.without)
    if barred:
        yield found(Code.SPECIAL_CARD, "set-without", barred, "set", this=barred[0])
    if len(cards) < rules.sets.min_size:
        yield too_few(cards, MeldKind.SET, rules)


def _against_run(
    cards: Cards, rules: MeldRules, *, as_laid: bool, misplaced: bool
) -> Iterator[Finding]:
    """Yield the reasons why cards aren’t a run; `misplaced` if another order would be legal."""
    runs, wilds = rules.runs, rules.wilds
    readings = list(read_runs(cards, rules, as_laid=as_laid))
    if readings:
        yield from min([limits(reading, rules) for reading in readings], key=len)
        return
    yield from plain_wilds(cards, rules)
    naturals = tuple(card for card in cards if card not in wilds.cards)
    barred = tuple(card for card in cards if card in wilds.cards) if _bars_wilds(rules) else ()
    if barred:
        yield found(
            Code.TOO_MANY_WILDS, "wilds-most", barred, "none", kind=MeldKind.RUN, wild=wilds
        )
    suits = Counter(card.suit for card in naturals)
    if runs.one_suit and len(suits) > 1:
        common = max(suits, key=suits.__getitem__)
        odd = tuple(card for card in naturals if card.suit is not common)
        yield found(Code.RUN_OF_TWO_SUITS, "run", odd)
    twice = _ranks_too_often(naturals, runs)
    if twice:
        odd = tuple(card for card in naturals if card.rank in twice)
        yield found(Code.RUN_REPEATS_RANK, "run", odd, twice=Card(twice[0]))
    elif barred:
        return
    elif misplaced or (as_laid and next(read_runs(cards, rules, as_laid=False), None) is not None):
        odd = tuple(card for card in cards if card in wilds.cards)
        yield found(Code.WILD_OUT_OF_PLACE, "as-laid", odd, wild=wilds)
    else:
        yield from _against_ranks(naturals, len(cards), rules)
    if len(cards) < runs.min_size:
        yield too_few(cards, MeldKind.RUN, rules)


def _bars_wilds(rules: MeldRules) -> bool:
    """Return whether a wild can’t be in a run at all, neither as a wild nor as a natural."""
    wilds = rules.wilds
    return not wilds.natural_in_place and wilds.of(MeldKind.RUN).max_in_meld == 0


def plain_wilds(cards: Cards, rules: MeldRules) -> Iterator[Finding]:
    """Yield a finding if any of the cards are wild at other times in the game, but not now."""
    wilds = rules.wilds
    plain = tuple(card for card in cards if card in wilds.plain)
    if plain:
        how = "jokers" if {*plain} == {JOKER} else ""
        yield found(Code.WILD_AT_REST, "wild-when", plain, how, wild=wilds)


def _ranks_too_often(naturals: Cards, runs: RunRule) -> list[int]:
    """Return the ranks that these cards have more often than a run has places for."""
    often = Counter(card.rank for card in naturals)
    return [rank for rank, count in often.items() if count > 1 + (rank == ACE and runs.both_ends)]


def _against_ranks(naturals: Cards, size: int, rules: MeldRules) -> Iterator[Finding]:
    """Yield the reason why cards aren’t in a row: an ace, the corner, the length, or a gap."""
    runs = rules.runs
    ranks = {card.rank for card in naturals}
    aces = tuple(card for card in naturals if card.rank == ACE)
    # With a king in the pack, players may think that an ace is high though it isn’t; without, not.
    may_be_high = aces and (runs.top == KING or runs.high == runs.above)
    if len(naturals) > len(ranks):
        yield found(Code.RUN_REPEATS_RANK, "longest-run", aces, "aces")
    elif _in_a_row(ranks, size, runs.starts(size), runs.top):
        return
    elif not runs.starts(size):
        yield too_many(naturals, "longest-run", MeldKind.RUN, runs.longest)
    elif aces and _in_a_row(ranks, size, (ACE,), runs.top):
        yield found(Code.ACE_NOT_LOW, "run-ends", aces, after=Card(ACE + 1))
    elif may_be_high and _in_a_row(ranks, size, (runs.above - size + 1,), runs.top):
        yield found(Code.ACE_NOT_HIGH, "run-ends", aces, before=Card(runs.top))
    elif may_be_high and _is_past_the_ace(ranks, size, runs):
        yield found(Code.RUN_AROUND_THE_CORNER, "corner", aces)
    else:
        lacks = _one_gap(naturals, size, runs)
        if lacks:
            missing = Card(lacks, naturals[0].suit if runs.one_suit else rules.pack.unsuited)
            yield found(Code.RUN_GAP, "run", naturals, "one-gap", missing=missing)
        else:
            yield found(Code.RUN_GAP, "run", naturals)


def _is_past_the_ace(ranks: set[int], size: int, runs: RunRule) -> bool:
    """Return whether ranks would be in a row if a run could continue past the ace.

    If a run has only one ace, one rank may be missing.
    """
    if _in_a_row(ranks, size, range(ACE, runs.above), runs.top):
        return True
    starts = range(runs.above - size + 1, runs.above)
    return runs.one_ace and _in_a_row(ranks, size + 1, starts, runs.top)


def _one_gap(naturals: Cards, size: int, runs: RunRule) -> int | None:
    """Return the one rank that is missing for a run; None if that isn’t the only fault."""
    suits, ranks = {card.suit for card in naturals}, {card.rank for card in naturals}
    if len(naturals) < size or ACE in ranks or (runs.one_suit and len(suits) > 1):
        return None
    missing = set(range(min(ranks), max(ranks))) - ranks
    return missing.pop() if len(missing) == 1 else None


def _in_a_row(ranks: set[int], size: int, starts: Sequence[int], top: int) -> bool:
    """Return whether all ranks fit into `size` places in a row that begin at one of `starts`."""
    return len(ranks) <= size and any(ranks <= _window(start, size, top) for start in starts)


@cache
def _window(start: int, size: int, top: int) -> frozenset[int]:
    """Return the ranks at `size` places in a row, if `top` is the highest rank."""
    return frozenset(rank_at(at, top) for at in range(start, start + min(size, top)))
