"""Advice on laying down whatever one likes: the melds and lay-offs with the greatest gain.

The gain is what all that is laid scores, less what the cards that are kept cost; so each card that
is laid gains both. What runs of one suit gain from their cards and some wilds is in a table
(`runs`), and so are the sets of one rank (`sets`), the melds of the table among them that can be
grown; `crossings` puts the two together, or where too much crosses, in hands of 30 cards and more,
`ascent`. Wilds that are left may be a set of their own. Where a 2 may also be a 2, each choice of
those that are is gone through, and where a meld of the table can be read in more than one way, each
reading. A first lay needs naturals where melds are laid; that lay-offs alone need none is looked at
by itself (`joining`).

It holds for games of one pack with sets of different suits, a high ace and whole ranks of wilds.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from referee.advice.advised import Advice
from referee.advice.lays.ascent import Ascent
from referee.advice.lays.book import book_of, place_of, single_run
from referee.advice.lays.crossings import BONUS, OVERDRAFT, Crossings, Rank
from referee.advice.lays.gains import NEVER
from referee.advice.lays.joining import best_joining
from referee.advice.lays.replay import Lay
from referee.advice.lays.runs import Continued, Runs
from referee.advice.lays.sets import fills, set_gains
from referee.advice.lays.shown import Shown
from referee.cards import Card
from referee.judging import rule_on
from referee.melds.rules import rank_at
from referee.plays import LayDown, LayOff

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.advice.budget import Budget
    from referee.advice.lays.crossings import Laid, SuitRuns
    from referee.advice.lays.gains import Gains
    from referee.advice.lays.shown import There
    from referee.cards import Cards, Suit
    from referee.turns.opening import LayRule
    from referee.variant import Variant

_FULL: Final = 30
"""Beyond how many cards so much crosses that but a fraction of the looks is spent on it."""
_LOOKS: Final = 0.5
"""Which part of the work is looks, where they do not do with less."""
_LOOKS_WHEN_FULL: Final = 0.1
_FEW: Final = 6
"""Of how many natural cards, beside two wilds, the best play often has only one."""


def best_lay(  # noqa: PLR0913 - what a player sees and has done
    variant: Variant,
    rule: LayRule,
    hand: Cards,
    *,
    table: Sequence[Cards],
    own: Sequence[Cards],
    first: bool,
    budget: Budget,
) -> Advice:
    """Find the melds and lay-offs that gain most."""
    shown = Shown(variant, table, own)
    found, decided = find_lay(variant, rule, hand, shown, first=first, budget=budget)
    if found is not None:
        play = LayDown(
            melds=found.melds, layoffs=found.layoffs, kept=found.kept, hand=hand, first=first
        )
        ruling = rule_on(play, variant)
        if ruling.is_legal and ruling.points is not None:
            melds = ruling.readings[: len(found.melds)]
            return Advice(
                possible=True,
                melds=tuple(reading.arranged for reading in melds),
                layoffs=found.layoffs,
                kept=found.kept,
                points=ruling.points - variant.values.count(found.kept, variant.wilds.cards),
                decided=decided,
            )
        decided = False
    cost = variant.values.count(hand, variant.wilds.cards)
    return Advice(possible=False, kept=hand, points=cost, decided=decided)


def find_lay(  # noqa: PLR0913 - what a player sees and has done
    variant: Variant,
    rule: LayRule,
    hand: Cards,
    shown: Shown,
    *,
    first: bool,
    budget: Budget,
    must: Card | None = None,
    floor: int | None = None,
) -> tuple[Lay | None, bool]:
    """Find what gains most, and say whether that is sure.

    With `must` that card is laid, with `floor` only a play that nets more is looked for; None
    where there is no such play.
    """
    looks = budget.share(_LOOKS_WHEN_FULL if len(hand) > _FULL else _LOOKS)
    need = rule.first_naturals if first and rule.first is not None else 0
    cost = variant.values.count(hand, variant.wilds.cards)
    least = 0 if floor is None else max(0, floor + cost)
    # Where there is a play already, none needs to be followed to its end.
    overdraft = OVERDRAFT if floor is None else 0
    best: Lay | None = None
    decided = not shown.cut
    for there in shown.readings:
        cut = False
        for natural in _natural_wilds(variant, hand):
            search = _Search(variant, hand, there, natural, must)
            # To ask for naturals takes longer; it is left for later where they may well be there.
            asked = need if search.may_lack_naturals else 0
            laid = search.best(asked, least, looks, overdraft)
            if laid is not None and search.naturals(laid) < need:
                laid = search.best(need, least, looks, overdraft)
            cut = cut or search.cut
            if laid is not None:
                least = laid.gain
                best = search.write(laid, shown, least - cost)
        if cut and budget.left > 0:
            ascent = Ascent(variant, hand, shown, there, need=need, must=must, budget=budget)
            found = ascent.best(least)
            cut = ascent.cut
            if found is not None:
                least, best = found.net + cost, found
        decided = decided and not cut
    budget.give_back(looks)
    if need:
        best = best_joining(variant, hand, shown, must=must, least=least) or best
    return best, decided


def _natural_wilds(variant: Variant, hand: Cards) -> Iterator[tuple[Card, ...]]:
    """Give the choices of wilds of a hand that are to be natural; one empty choice, mostly."""
    yield ()
    wilds = variant.wilds
    if wilds.natural_in_place:
        able = sorted({card for card in hand if card in wilds.cards and card.suit}, key=str)
        for number in range(1, len(able) + 1):
            yield from combinations(able, number)


class _Search:
    """One search: a hand, the melds of the table read in one way, and which wilds are natural."""

    def __init__(
        self,
        variant: Variant,
        hand: Cards,
        there: There,
        natural: Sequence[Card],
        must: Card | None,
    ) -> None:
        self.variant = variant
        self.book = book_of(variant)
        self.there = there
        wild = variant.wilds.cards
        self.hand = hand
        wilds = [card for card in hand if card in wild]
        for card in natural:
            wilds.remove(card)
        self.wilds = wilds[: self.book.prices.wilds]
        suits = variant.pack.suits
        at = {suit: index for index, suit in enumerate(suits)}
        naturals = dict.fromkeys((*natural, *(card for card in hand if card not in wild)))
        self.places = [(at[card.suit], place_of(card.rank)) for card in naturals if card.suit]
        """Where the natural cards belong, by suit and place."""
        masks = [0] * len(suits)
        for suit, place in self.places:
            masks[suit] |= 1 << place
        self.masks = tuple(masks)
        self.must = must
        self.must_at: tuple[int, int] | None = None
        if must is not None and must.suit is not None and must not in self.wilds:
            self.must_at = at[must.suit], place_of(must.rank)
        self.suits = [self._suit(index) for index in range(len(suits))]
        self.ranks = list(self._ranks())
        self.alone = self._alone()
        self.cut = False
        """Whether there may be a better play than the one found."""

    @property
    def may_lack_naturals(self) -> bool:
        """Whether the best play is likely to have next to no natural cards."""
        return len(self.wilds) > 1 and len(self.places) <= _FEW

    def _suit(self, index: int) -> SuitRuns:
        """Give the runs of a suit; a card that must be laid gains more there."""
        runs, prices = self.book.runs, self.book.prices
        if self.must_at is not None and self.must_at[0] == index:
            in_run = list(prices.in_run)
            in_run[self.must_at[1]] += BONUS
            runs = Runs(prices._replace(in_run=tuple(in_run)))
        targets = self.there.runs.get(self.variant.pack.suits[index])
        return Continued(runs, targets) if targets else runs

    def _ranks(self) -> Iterator[Rank]:
        """Give the ranks of which something may lie in sets."""
        prices, size = self.book.prices, len(self.wilds) + 1
        by_place: dict[int, list[int]] = {place_of(rank): [] for rank in self.there.sets}
        for suit, place in self.places:
            by_place.setdefault(place, []).append(suit)
        for place, suits in by_place.items():
            table = self.there.sets.get(rank_at(place), ())
            rows = self.book.sets[place]
            if table:
                single = single_run(self.book.runs, place)
                rows = set_gains(prices, place, table, len(suits), single)
            rows = tuple([row[:size] for row in rows[: len(suits) + 1]])
            if max(map(max, rows)) > 0:
                suits.sort(key=lambda suit: (suit, place) != self.must_at)
                yield Rank(place, tuple(suits), rows, self.book.most[place])

    def best(self, need: int, floor: int, budget: Budget, overdraft: int) -> Laid | None:
        """Find the best play with so many naturals that gains more than `floor`."""
        bonus = BONUS if self.must_at else 0
        wild_must = self.must is not None and not bonus
        if wild_must and not self.wilds:
            return None
        most = sum([self.book.most[place] for _, place in self.places])
        search = Crossings(
            self.suits,
            self.masks,
            self.ranks,
            self.alone,
            need=need,
            must=self.must_at,
            wild_must=wild_must,
            most=most + self.book.wild_most * len(self.wilds) + bonus,
        )
        laid = search.best(floor + bonus, budget, overdraft)
        self.cut = self.cut or search.cut
        return None if laid is None else laid._replace(gain=laid.gain - bonus)

    def _alone(self) -> Gains:
        """Give what wilds gain in a set of only wilds, new or on the table."""
        sets = self.variant.sets
        least = sets.min_size if sets.only_wilds is not None else len(self.wilds) + 1
        if self.there.only_wilds is not None:
            least = 1
        return tuple(
            [
                wilds * self.book.prices.alone if wilds >= least or not wilds else NEVER
                for wilds in range(len(self.wilds) + 1)
            ]
        )

    def naturals(self, laid: Laid) -> int:
        """Count the naturals of a play."""
        rows = [row for _, rows in laid.runs for row in rows]
        in_runs = sum(place is not None for row in rows for place in row.places)
        return in_runs + sum(len(some.suits) for some in laid.sets)

    def write(self, laid: Laid, shown: Shown, net: int) -> Lay:
        """Write a play with the cards of the hand."""
        suits, wild = self.variant.pack.suits, self.variant.wilds.cards
        # A wild that must be laid is the first to be.
        wilds = sorted(self.wilds, key=lambda card: card is not self.must)
        left = list(self.hand)
        melds: list[Cards] = []
        joined: dict[int, Cards] = {}
        for onto, named in self._named(laid, suits):
            cards = tuple([card or wilds.pop(0) for card in named])
            for card in cards:
                left.remove(card)
            if onto < 0:
                melds.append(cards)
            else:
                joined[onto] = joined.get(onto, ()) + cards
        layoffs = [
            LayOff(cards, shown.table[meld], own=shown.own[meld], same_turn=True)
            for meld, cards in joined.items()
        ]
        kept = sorted(left, key=wild.__contains__)
        return Lay(net, tuple(melds), tuple(layoffs), tuple(kept))

    def _named(self, laid: Laid, suits: Sequence[Suit]) -> Iterator[tuple[int, list[Card | None]]]:
        """Name the cards that lie together, None for any wild, and which meld they are laid to.

        Less than 0 stands for a new meld.
        """
        for index, rows in laid.runs:
            suit = suits[index]
            for row in rows:
                yield (
                    row.onto,
                    [None if at is None else Card(rank_at(at), suit) for at in row.places],
                )
        for some in laid.sets:
            rank = rank_at(some.rank.place)
            cards = [Card(rank, suits[suit]) for suit in some.suits]
            table = self.there.sets.get(rank, ())
            fill = fills(len(cards), some.wilds, self.book.prices, table)[some.wilds]
            for onto, naturals, wilds in (*((-1, *new) for new in fill.new), *fill.joined):
                yield onto, [*cards[:naturals], *(None,) * wilds]
                cards = cards[naturals:]
        if laid.alone:
            meld = self.there.only_wilds
            yield -1 if meld is None else meld, [None] * laid.alone
