"""Read cards as sets, runs, flushes and pairs by the rules of a game (`referee.melds.rules`).

The order of a run matters. If its naturals rise or fall as they were laid, each wild stands for the
card that belongs at its place; otherwise the referee arranges them. Sets and flushes have no order.

Limits on wilds and sizes are checked later (`referee.melds.limits`). The work is bounded: a run can
begin at no more places than there are ranks, and each is tried once for each suit.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, compress, cycle, pairwise

from referee.cards import ACE, JOKER_RANK, SPECIAL_RANK, Card, Cards, Suit
from referee.melds.rules import MeldRules, RunRule, WildRule, rank_at
from referee.rulings import MeldKind, Reading


def read_sets(cards: Cards, rules: MeldRules) -> Iterator[Reading]:
    """Yield every way to read cards as a set, of any size; none if the naturals have two ranks.

    If all cards can be wild, the ways are: a set of only wilds, if the game has those; a set of
    each rank that one of the cards has, if wilds can be natural in their own place; and a set of
    any rank, if sets need no naturals and the game has no sets of only wilds.
    """
    wilds = rules.wild_in_sets
    # A wild that is never natural, and can’t be used as a wild in a set, can’t be in a set at all.
    if not (wilds or rules.wilds.natural_in_place or rules.wilds.cards.isdisjoint(cards)):
        return
    ranks = {card.rank for card in cards if card not in wilds}
    if len(ranks) == 1:
        rank = ranks.pop()
        if rank not in {JOKER_RANK, SPECIAL_RANK}:
            yield _as_set(cards, rank, rules)
    elif cards and not ranks:
        if rules.sets.only_wilds:
            yield Reading(MeldKind.SET, cards, cards, rankless=True)
        own = {card.rank for card in cards if card.rank} if rules.wilds.natural_in_place else set()
        if own or not rules.sets.only_wilds:
            first = sorted(own) or [rules.pack.ranks[-1]]
            any_rank = not (rules.sets.only_wilds or rules.wilds.of(MeldKind.SET).min_naturals)
            others = [rank for rank in rules.pack.ranks if rank not in first] if any_rank else []
            for rank in (*first, *others):
                yield _as_set(cards, rank, rules)


def _as_set(cards: Cards, rank: int, rules: MeldRules) -> Reading:
    """Read cards as a set of one rank; wilds stand for the missing suits first."""
    wilds = rules.wild_in_sets
    own = rules.wilds.natural_in_place
    # A wild of a rank that can’t be melded as a set is never natural in one.
    wild = wilds if not own else wilds & rules.sets.without
    natural = [card.rank == rank and card not in wild for card in cards]
    if wilds and rules.sets.distinct_suits:
        _once_each(natural, cards, wilds)
    if all(natural):
        return Reading(MeldKind.SET, cards, cards)
    there = set(compress(cards, natural))
    bare = rules.pack.by_rank or Card(rank) in there
    suits = (None,) if bare else rules.pack.suits
    every = [Card(rank, suit) for suit in suits]
    # If every suit is there once, a further wild has no suit: it can’t repeat a card.
    most = rules.sets.max_size
    one_each = rules.sets.distinct_suits and (most is None or most > len(every))
    more = [Card(rank, rules.pack.unsuited)] if one_each else every
    missing = cycle([card for card in every if card not in there] or more)
    pairs = zip(cards, natural, strict=True)
    stands = [card if is_natural else next(missing) for card, is_natural in pairs]
    home = [at for at, own in enumerate(natural) if not own and stands[at] is cards[at]]
    return Reading(MeldKind.SET, cards, tuple(stands), at_home=tuple(home))


def _at_home(cards: Cards, stands: Sequence[Card], wilds: WildRule) -> tuple[int, ...]:
    """Return the positions of wilds that stand for themselves, if wilds are never natural."""
    if wilds.natural_in_place:
        return ()
    pairs = enumerate(zip(cards, stands, strict=True))
    return tuple(at for at, (card, stand) in pairs if card is stand and card in wilds.cards)


def _once_each(natural: list[bool], cards: Cards, wilds: frozenset[Card]) -> None:
    """Change `natural` so that a card that can be wild isn’t natural if it would repeat one.

    `natural` is whether each of the cards is natural in the set.
    """
    there = {card for card, is_natural in zip(cards, natural, strict=True) if is_natural} - wilds
    # The first copy is natural; a second would repeat it, so it is a wild for another suit.
    for at, card in enumerate(cards):
        if natural[at] and card in wilds:
            natural[at] = card not in there
            there.add(card)


def read_flushes(cards: Cards, rules: MeldRules) -> Iterator[Reading]:
    """Yield the way to read cards as a flush, of any size, if their naturals have one suit.

    Yield nothing if the game has no flushes. A wild stands for any card of the suit, unless it has
    that suit and wilds can be natural in their own place.
    """
    if rules.flush is None:
        return
    wild = rules.wilds.cards if rules.wilds.in_flushes else frozenset()
    if not (wild or rules.wilds.natural_in_place or rules.wilds.cards.isdisjoint(cards)):
        return
    naturals = [card for card in cards if card not in wild]
    suits = {card.suit for card in naturals}
    if len(suits) == 1 and all(card.rank not in {JOKER_RANK, SPECIAL_RANK} for card in naturals):
        (suit,) = suits
        any_card, own = Card(JOKER_RANK, suit), rules.wilds.natural_in_place
        stands = tuple(
            [
                any_card if card in wild and not (own and card.suit is suit) else card
                for card in cards
            ]
        )
        yield Reading(MeldKind.FLUSH, cards, stands)


def read_pairs(cards: Cards, rules: MeldRules) -> Iterator[Reading]:
    """Yield the way to read 2 cards as a pair: the same card twice, or a card and a wild for it.

    Two wilds are a pair if they are the same card. Yield nothing if the game has no pairs.
    """
    if not rules.pairs or len(cards) != 2:  # noqa: PLR2004 - a pair
        return
    first, second = cards
    wild = rules.wilds.cards
    if first is second and (first in wild or first.rank not in {JOKER_RANK, SPECIAL_RANK}):
        yield Reading(MeldKind.PAIR, cards, cards)
    elif (first in wild) != (second in wild):
        natural = second if first in wild else first
        if natural.rank not in {JOKER_RANK, SPECIAL_RANK}:
            yield Reading(MeldKind.PAIR, cards, (natural, natural))


def read_runs(cards: Cards, rules: MeldRules, *, as_laid: bool = True) -> Iterator[Reading]:
    """Yield every way to read cards as a run, of any size and with any number of wilds.

    If `as_laid` is true and the naturals rise or fall, each wild stays at its place. The order also
    decides where a run of every rank begins.
    """
    runs, wilds = rules.runs, rules.wilds
    naturals = [index for index, card in enumerate(cards) if card not in wilds.cards]
    suits = _suits_to_try(cards, naturals, rules)
    # A joker that isn’t wild has no place in a run.
    if not suits or not all(cards[index].rank for index in naturals):
        return
    # Without wilds, every card has one place, so there is nothing to try.
    if len(naturals) == len(cards) and not runs.wrap:
        found = list(_without_wilds(cards, runs))
        # With all 13 ranks, an ace fits at both ends: then it is at the end where it was laid.
        ordered = [run for run in found if run.places in {*_rows(run.places)}] if as_laid else []
        yield from ordered or found
        return
    size = len(cards)
    directions: tuple[int, ...] = ()
    # A run of every rank goes all the way around, so only its order shows where it begins.
    if as_laid and (len(naturals) < size or size >= runs.top):
        directions = _directions([cards[index].rank for index in naturals], size, runs)
    for suit in suits:
        if directions:
            yield from _as_they_lie(cards, naturals, suit, rules, directions)
        else:
            for start in _likely_starts(cards, naturals, runs):
                yield from _fill(cards, tuple(range(start, start + size)), suit, rules)


def _rows(places: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield these places in rising and in falling order."""
    yield tuple(sorted(places))
    yield tuple(sorted(places, reverse=True))


def _without_wilds(cards: Cards, runs: RunRule) -> Iterator[Reading]:
    """Read naturals, in any order, as a run that doesn’t go around the corner."""
    ranks = [card.rank for card in cards]
    # Only an ace can be at two places, so the other cards say where the run is.
    others = sorted(rank for rank in ranks if rank != ACE)
    if any(one + 1 != other for one, other in pairwise(others)):
        return
    if not others:
        return
    free = [place for place in (ACE, runs.above) if place in {others[0] - 1, others[-1] + 1}]
    for ends in combinations(free, ranks.count(ACE)):
        end = iter(ends)
        places = [next(end) if rank == ACE else rank for rank in ranks]
        if runs.low <= min(places) and max(places) <= runs.high:
            yield Reading(MeldKind.RUN, cards, cards, tuple(places))


def _suits_to_try(
    cards: Cards, naturals: Sequence[int], rules: MeldRules
) -> tuple[Suit | None, ...]:
    """Return the suits to try for a run of these cards.

    That is the suit of its naturals, or none if they have 2 suits. If all its cards are wild, it’s
    every suit, their own first. If a run can have several suits, the only item is None.
    """
    if not rules.runs.one_suit:
        return (None,)
    found = {cards[index].suit for index in naturals}
    if found:
        return tuple(found) if len(found) == 1 else ()
    # Wilds alone: their own suits first, in which they can be natural.
    own = dict.fromkeys(card.suit for card in cards if card.suit is not None)
    return (*own, *(suit for suit in rules.pack.suits if suit not in own))


def _likely_starts(cards: Cards, naturals: Sequence[int], runs: RunRule) -> range:
    """Return the places where a run can begin so that its naturals, except aces, are in it."""
    size = len(cards)
    starts = runs.starts(size)
    ranks = [cards[index].rank for index in naturals if cards[index].rank != ACE]
    # Around the corner, a run can begin anywhere; an ace fits at either end, so it excludes none.
    if runs.wrap or not ranks:
        return starts
    return range(
        max(starts.start, max(ranks) - size + 1),
        min(starts.stop, min(ranks) + 1),
    )


def _directions(ranks: list[int], size: int, runs: RunRule) -> tuple[int, ...]:
    """Return whether ranks rise (1) or fall (-1) as written; with fewer than two, neither."""
    if len(ranks) < 2:  # noqa: PLR2004 - one card alone is in no order
        return ()
    rising = (1,) if _rises(ranks, size, runs) else ()
    falling = (-1,) if _rises(ranks[::-1], size, runs) else ()
    return rising + falling


def _rises(ranks: list[int], size: int, runs: RunRule) -> bool:
    """Return whether ranks rise, with an ace low if it is first and high elsewhere, if allowed.

    If runs go around the corner, ranks can also rise around it, as far as `size` cards reach.
    """
    above = runs.above
    # Nobody lays an ace after another card to have it low, or before the others to have it high.
    first = ACE if runs.low == ACE else above
    later = above if runs.wrap or runs.high == above else ACE
    aces = [first] + [later] * (len(ranks) - 1)
    places = [ace if rank == ACE else rank for rank, ace in zip(ranks, aces, strict=True)]
    if places == sorted(set(places)):
        return True
    if not runs.wrap:
        return False
    return sum((other - one - 1) % runs.top + 1 for one, other in pairwise(ranks)) < size


def _as_they_lie(
    cards: Cards,
    naturals: Sequence[int],
    suit: Suit | None,
    rules: MeldRules,
    directions: tuple[int, ...],
) -> Iterator[Reading]:
    """Read the cards as they were laid, counting places up or down from the first natural."""
    runs, size = rules.runs, len(cards)
    first = naturals[0]
    rank = cards[first].rank
    starts = runs.starts(size)
    # One natural fixes the places of all cards, so only an ace has two places to try.
    for direction in directions:
        for place in (rank, runs.above) if rank == ACE else (rank,):
            begin = place - first * direction
            low = begin if direction == 1 else begin - size + 1
            if runs.wrap:
                shift = rank_at(low, runs.top) - low
                begin, low = begin + shift, low + shift
            if low in starts:
                places = range(begin, begin + size * direction, direction)
                stands = _stands(cards, places, suit, rules)
                if stands is not None:
                    home = _at_home(cards, stands, rules.wilds)
                    yield Reading(MeldKind.RUN, cards, stands, tuple(places), at_home=home)


def _stands(
    cards: Cards, places: Sequence[int], suit: Suit | None, rules: MeldRules
) -> Cards | None:
    """Return what each card stands for at its place in a run; None if one can’t be there."""
    wilds, top = rules.wilds, rules.runs.top
    stands: list[Card] = []
    for card, place in zip(cards, places, strict=True):
        rank = rank_at(place, top)
        may_be_wild = card in wilds.cards
        if (
            card.rank == rank
            and (suit is None or card.suit is suit)
            and (wilds.natural_in_place or not may_be_wild)
        ):
            stands.append(card)
        elif may_be_wild:
            stands.append(Card(rank, suit or rules.pack.unsuited))
        else:
            return None
    return tuple(stands)


def _fill(
    cards: Cards, places: tuple[int, ...], suit: Suit | None, rules: MeldRules
) -> Iterator[Reading]:
    """Read the cards, in any order, so that they fill the places.

    Yield at most one way, or two if both ends have the same rank: a card of that rank can then be
    at either end, and it can matter for wilds side by side at which end a wild is.
    """
    low = _filled(cards, places, suit, rules)
    if low is None:
        return
    yield low
    if len(places) > 1 and max(places) - min(places) >= rules.runs.top:
        high = _filled(cards, places, suit, rules, high_first=True)
        if high is not None and high.places != low.places:
            yield high


def _filled(
    cards: Cards,
    places: tuple[int, ...],
    suit: Suit | None,
    rules: MeldRules,
    *,
    high_first: bool = False,
) -> Reading | None:
    """Read the cards so that they fill the places; None if they don’t.

    Naturals are placed first, then wilds that can be natural in their own place, then other wilds.
    If a rank has two places, the lower one is taken first, or with `high_first` the higher one.
    """
    wilds, top, free = rules.wilds, rules.runs.top, dict.fromkeys(places)
    wild = wilds.cards
    taken = [0] * len(cards)
    movable: list[int] = []
    for index, card in enumerate(cards):
        if card in wild:
            movable.append(index)
            continue
        place = _place_for(card.rank, free, top, high_first=high_first)
        if place is None or (suit is not None and card.suit is not suit):
            return None
        taken[index] = place
        del free[place]
    if len(movable) != len(free):
        return None
    stands = list(cards)
    # A wild in its own place is natural, so limits on wilds don’t count it. Place it there before
    # another wild takes that place.
    if wilds.natural_in_place:
        for index in movable:
            card = cards[index]
            if not card.rank or (suit is not None and card.suit is not suit):
                continue
            home = _place_for(card.rank, free, top, high_first=high_first)
            if home is not None:
                taken[index] = home
                del free[home]
        movable = [index for index in movable if not taken[index]]
    for index, place in zip(movable, free, strict=True):
        taken[index] = place
        stands[index] = Card(rank_at(place, top), suit or rules.pack.unsuited)
    home_places = _at_home(cards, stands, wilds)
    return Reading(MeldKind.RUN, cards, tuple(stands), tuple(taken), at_home=home_places)


def _place_for(rank: int, free: dict[int, None], top: int, *, high_first: bool) -> int | None:
    """Return the first free place for a rank; None if there isn’t one."""
    ends = (rank + top, rank) if high_first else (rank, rank + top)
    for place in ends:
        if place in free:
            return place
    return None


def moved(meld: Reading, cards: Cards, rules: MeldRules) -> Iterator[Reading]:
    """Yield the ways in which cards can join a run if at least one of its wilds moves for them.

    The run keeps all its places and adds more. Yield nothing if wilds don’t move, or move freely
    (see `afresh`). Limits aren’t checked.
    """
    if meld.kind is not MeldKind.RUN or not rules.wilds.moves or rules.wilds.moves_freely:
        return
    top, size = rules.runs.top, len(meld.cards)
    there = {rank_at(place, top) for place in meld.places}
    for joined in read_runs(meld.cards + cards, rules, as_laid=False):
        covered = there <= {rank_at(place, top) for place in joined.places}
        same_suit = joined.suit is meld.suit or not rules.runs.one_suit
        if covered and same_suit and joined.stands[:size] != meld.stands:
            yield joined


def afresh(meld: Reading, cards: Cards, rules: MeldRules) -> Iterator[Reading]:
    """Yield the ways to rearrange a run with cards that join it, if its wilds move freely.

    At least one card of the run has a new place. Limits aren’t checked.
    """
    if meld.kind is not MeldKind.RUN or not rules.wilds.moves_freely:
        return
    size = len(meld.cards)
    for joined in read_runs(meld.cards + cards, rules, as_laid=False):
        if joined.places[:size] != meld.places:
            yield joined


def extend(meld: Reading, cards: Cards, rules: MeldRules) -> Iterator[Reading]:
    """Yield the ways in which cards can join a meld whose cards keep what they stand for.

    In a set, a wild keeps only its rank; its suit can be any that is missing. Limits aren’t
    checked.
    """
    runs = rules.runs
    if meld.kind is MeldKind.SET:
        rank = meld.rank
        for joined in read_sets(meld.cards + cards, rules):
            fits = meld.rankless or joined.rank == rank
            if fits and joined.rankless is meld.rankless:
                yield joined
        return
    if meld.kind is MeldKind.FLUSH:
        joined_flushes = read_flushes(meld.cards + cards, rules)
        yield from (joined for joined in joined_flushes if joined.suit is meld.suit)
        return
    if meld.kind is MeldKind.PAIR:
        return
    low, high = min(meld.places), max(meld.places)
    suit = meld.suit if runs.one_suit else None
    size = len(meld.cards) + len(cards)
    # The run keeps its places, so cards can only go below it, above it, or both.
    for below in range(len(cards) + 1):
        start = low - below
        # Places start from 1, so a run around the corner that grows below the low ace moves up.
        up = runs.top if runs.wrap and start < ACE else 0
        begins = rank_at(start, runs.top) if runs.wrap else start
        if begins not in runs.starts(size):
            continue
        ends = (*range(start + up, low + up), *range(high + 1 + up, start + size + up))
        for added in _fill(cards, ends, suit, rules):
            yield Reading(
                MeldKind.RUN,
                meld.cards + cards,
                meld.stands + added.stands,
                tuple(place + up for place in meld.places) + added.places,
                at_home=meld.at_home + tuple(len(meld.cards) + at for at in added.at_home),
            )
