"""Deadwood: the arrangement of a hand that leaves the least unmelded.

First a look at the whole hand. Without wilds a card that stands in no row, and not among enough
cards of its rank, is left over whatever is done with the others; of most hands that is every card.
Where no card that remains is wanted twice, every row is a run and every rank a set. That takes as
many steps as there are cards. One or two cards that are wanted twice are given to their row and to
their rank in turn. Only the others are searched (`referee.melds.partition`), and whole hands that
are larger than a run (`referee.melds.covering`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from referee.cards import ACE, RANKS, Card, Cards, Suit
from referee.melds.covering import Cover, are_tied, cover
from referee.melds.grounds import legal_readings
from referee.melds.partition import Candidate, Partition
from referee.melds.reading import read_sets
from referee.melds.rules import MeldRules, rank_at
from referee.rulings import MeldKind, Reading
from referee.values import CardValues

MOST_ARRANGED: Final = 14
"""Of so many cards, as many as a run can hold, the least is always found."""
_FEW: Final = 2
"""How many cards may be wanted twice where both ways of each are tried."""
MOST_TRIED: Final = 60
"""The most cards that a hand may have to be arranged at all."""


class Arrangement(NamedTuple):
    """A hand put into melds as well as it can be."""

    melds: tuple[Reading, ...]
    left: Cards
    points: int
    """What the cards that are left cost."""
    decided: bool = True
    """Whether no arrangement can cost less; False where the work ran out."""


def arrange(hand: Cards, rules: MeldRules, values: CardValues) -> Arrangement:
    """Put a hand of up to `MOST_TRIED` cards into melds so that the rest costs least.

    >>> from referee import parse_cards, variants
    >>> game = variants.get("remigio")
    >>> cards = parse_cards("5H 5S 5D 6D 7D KC QH 9S 2C AH")
    >>> arrange(cards, game.melds_at(None), game.values).points
    42
    """
    assert len(hand) <= MOST_TRIED, "more cards than are searched"
    if len(hand) > MOST_ARRANGED or are_tied(hand, rules, values):
        found = cover(hand, rules, values)
        assert found is not None, "nothing is asked of the melds"
        return covered(found, rules, values)
    wild = rules.wilds.cards
    if not wild.isdisjoint(hand):
        naturals = [card for card in hand if card not in wild]
        wilds = [card for card in hand if card in wild]
        return _search(hand, naturals, wilds, rules, values)
    marks = _marks(rules.pack.suits, rules.runs.top)
    rows, ranks = _look(hand, marks, rules)
    if not (rows or ranks):
        return Arrangement((), hand, _cost(hand, values))
    in_rows = [card for card in hand if marks[card][0] & rows]
    of_ranks = [card for card in hand if marks[card][1] & ranks]
    wanted = {*in_rows, *of_ranks}
    twice = wanted.intersection(in_rows, of_ranks)
    melds = None
    # Of a card that is there twice both may be wanted.
    if len(twice) <= _FEW and len(wanted) + len(twice) == len(in_rows) + len(of_ranks):
        if twice:
            # In the order of the hand: where both ways save the same, the answer stays the same.
            asked = [card for card in in_rows if card in twice]
            rows, ranks = _settle(wanted, asked, rules, values)
            in_rows = [card for card in in_rows if marks[card][0] & rows]
            of_ranks = [card for card in of_ranks if marks[card][1] & ranks]
            of_ranks = [card for card in of_ranks if card not in in_rows]
        melds = _uncontested({marks[card][0] & rows: card for card in in_rows}, of_ranks, rules)
    if melds is None:
        return _search(hand, [card for card in hand if card in wanted], [], rules, values)
    melded = {*in_rows, *of_ranks}
    left = tuple([card for card in hand if card not in melded])
    return Arrangement(melds, left, _cost(left, values))


def every_best(hand: Cards, rules: MeldRules, values: CardValues) -> Iterator[tuple[Reading, ...]]:
    """The melds of every arrangement that costs least; of a hand with wilds those of `arrange`."""
    if not rules.wilds.cards.isdisjoint(hand) or are_tied(hand, rules, values):
        yield arrange(hand, rules, values).melds
        return
    partition = Partition(hand, 0, rules, values.by_rank)
    for melds in partition.ways():
        yield tuple([_read(meld, partition.cards(meld.used), (), rules) for meld in melds])


def covered(found: Cover, rules: MeldRules, values: CardValues) -> Arrangement:
    """A hand as it was covered, with what the rest costs."""
    points = values.count(found.left, rules.wilds.cards)
    decided = found.decided or not found.left
    return Arrangement(found.melds, found.left, points, decided)


# The look at a whole hand. A suit has a lane of bits, one for each place of a row, which goes twice
# through the ranks as a row may go round; a rank has a field of bits that its cards are counted in.
_LANE: Final = 32
_MOST_SUITS: Final = 8
_LANES: Final = sum(1 << _LANE * lane for lane in range(_MOST_SUITS))
_FIELD: Final = 7
_FIELDS: Final = sum(1 << _FIELD * rank for rank in RANKS)
_FULL: Final = 64
"""Half of what a field holds, which no rank of a hand comes to."""
Marks: TypeAlias = dict[Card, tuple[int, int]]


@cache
def _marks(suits: tuple[Suit, ...], top: int) -> Marks:
    """The bits of each card in the lane of its suit, and its one in the field of its rank."""
    return {
        Card(rank, suit): ((1 << rank | 1 << rank + top) << _LANE * lane, 1 << _FIELD * rank)
        for lane, suit in enumerate(suits)
        for rank in range(ACE, top + 1)
    }


def _look(hand: Cards, marks: Marks, rules: MeldRules) -> tuple[int, int]:
    """Look at natural cards: the places of lanes that are in rows, the ranks of enough cards."""
    rows = ranks = 0
    for card in hand:
        places, one = marks[card]
        rows |= places
        ranks += one
    return _fitting(rows, ranks, rules)


def _fitting(rows: int, ranks: int, rules: MeldRules) -> tuple[int, int]:
    """Of places taken in lanes those in rows, and of ranks counted those of enough cards."""
    runs = rules.runs
    if not runs.wrap:
        rows &= _LANES * ((2 << runs.high) - (1 << runs.low))
    # A place begins a row where it is taken and so is the next, and the one after that.
    for _ in range(1, runs.min_size):
        rows &= rows >> 1
    for _ in range(1, runs.min_size):
        rows |= rows << 1
    enough = (ranks + _FIELDS * (_FULL - rules.sets.min_size)) & (_FIELDS * _FULL)
    return rows, enough // _FULL


def _settle(
    wanted: Iterable[Card], twice: Iterable[Card], rules: MeldRules, values: CardValues
) -> tuple[int, int]:
    """The rows and the ranks that save most, with each card wanted twice in one of them.

    An ace may count in two rows at once here, which is then for the search.
    """
    points = values.by_rank
    marks = _marks(rules.pack.suits, rules.runs.top)
    marked = [(*marks[card], points[card.rank]) for card in wanted]
    ways = [(0, 0)]
    for places, one in [marks[card] for card in twice]:
        ways = [
            way for rows, ranks in ways for way in ((rows | places, ranks), (rows, ranks + one))
        ]
    all_rows, all_ranks = 0, 0
    for places, one, _ in marked:
        all_rows |= places
        all_ranks += one
    best, found = -1, (0, 0)
    for no_rows, no_ranks in ways:
        rows, ranks = _fitting(all_rows & ~no_rows, all_ranks - no_ranks, rules)
        saved = sum([cost for places, one, cost in marked if places & rows or one & ranks])
        if saved > best:
            best, found = saved, (rows, ranks)
    return found


def _uncontested(
    row: Mapping[int, Card], of_ranks: Sequence[Card], rules: MeldRules
) -> tuple[Reading, ...] | None:
    """Meld each row and each rank as it is, cards of rows given by their bits.

    None where there is something to choose: an ace in two rows, rows that go round, a set that is
    too large.
    """
    rows: list[list[Card]] = []
    lows: list[int] = []
    before = 0
    for bit in sorted(row):
        if bit & (bit - 1):
            return None
        if bit != before << 1:
            rows.append([])
            lows.append(bit.bit_length() % _LANE - 1)
        rows[-1].append(row[bit])
        before = bit
    sets: dict[int, list[Card]] = {}
    for card in of_ranks:
        sets.setdefault(card.rank, []).append(card)
    melds: list[Reading] = []
    for low, run in zip(lows, map(tuple, rows), strict=True):
        melds.append(Reading(MeldKind.RUN, run, run, tuple(range(low, low + len(run)))))
    for same in map(tuple, sets.values()):
        if len(same) > (rules.sets.max_size or len(same)):
            return None
        melds.append(Reading(MeldKind.SET, same, same))
    return tuple(melds)


def _cost(cards: Iterable[Card], values: CardValues) -> int:
    """What natural cards cost."""
    points = values.by_rank
    return sum([points[card.rank] for card in cards])


def _search(
    hand: Cards, naturals: list[Card], wilds: list[Card], rules: MeldRules, values: CardValues
) -> Arrangement:
    """Search the natural cards that melds may hold; all others of the hand are left over."""
    partition = Partition(naturals, len(wilds), rules, values.by_rank)
    found = [*partition.find().melds]
    spare = len(wilds) - sum([meld.needed for meld in found])
    laid: list[Reading] = []
    left = list(hand)
    for meld in found:
        cards = partition.cards(meld.used)
        # No meld here is ever full: all wilds to spare join the first.
        taken = tuple(wilds[: meld.needed + spare])
        spare = 0
        del wilds[: len(taken)]
        laid.append(_read(meld, cards, taken, rules))
        for card in cards + taken:
            left.remove(card)
    if alone := legal_readings(tuple(wilds), rules):
        laid.append(alone[0])
        left = [card for card in left if card not in wilds]
    points = values.count(left, rules.wilds.cards) if wilds else _cost(left, values)
    return Arrangement(tuple(laid), tuple(left), points, partition.work >= 0 or not points)


def _read(meld: Candidate, cards: Cards, wilds: Cards, rules: MeldRules) -> Reading:
    """Read a meld that was found; wilds of a run go where a natural is missing, then above, below.

    Where a run goes round, all places are above.
    """
    if not meld.place:
        whole = cards + wilds
        return next(read_sets(whole, rules)) if wilds else Reading(MeldKind.SET, cards, cards)
    size = len(cards) + len(wilds)
    low = meld.place if rules.runs.wrap else min(meld.place, rules.runs.high - size + 1)
    places = tuple(range(low, low + size))
    (suit,) = {card.suit for card in cards}
    stands = tuple([Card(rank_at(place, rules.runs.top), suit) for place in places])
    if not wilds:
        return Reading(MeldKind.RUN, stands, stands, places)
    there, missing = list(cards), iter(wilds)
    laid = list(stands)
    for at, place in enumerate(places):
        if place >= meld.place and stands[at] in there:
            there.remove(stands[at])
        else:
            laid[at] = next(missing)
    return Reading(MeldKind.RUN, tuple(laid), stands, places)
