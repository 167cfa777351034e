"""Advice on laying freely in any game: the best choice among all that a hand can lay.

`lays` is quick with any hand, and knows few games. Here every meld of the hand and all that may be
put to a meld of the table are listed as the referee reads them, and the choice is searched that
gains most, cards that are laid costing nothing any more: the lowest card goes into one of its melds
or is kept, and what is best of a rest of the hand is remembered (a set packing). An opening is a
number that the melds must still come to; a meld of the table is a card that one lay-off uses up.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.advised import Advice
from referee.judging import rule_on
from referee.melds.grounds import legal_readings
from referee.melds.rules import rank_at
from referee.melds.standing import standing
from referee.plays import LayDown, LayOff, Taken
from referee.turns.layoffs import ways_on
from referee.turns.swaps import check_taken

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.cards import Card, Cards
    from referee.melds.rules import MeldRules
    from referee.plays import Moment
    from referee.turns.opening import LayRule
    from referee.variant import Variant

MOST_READ: Final = 20_000
"""How many choices of cards are looked at before the list of what may be laid ends."""
_READING: Final = 10
"""To read cards as a meld is as much work as to look at so many."""
MOST_TRIED: Final = 40_000
"""How many of those are tried before the search ends with the best that it has."""
_FIELD: Final = 8
"""The bits that the cards of one kind are counted in; the highest is never set by a count."""
_CARD: Final = 64
"""More than there are cards in a hand: a point goes before any number of cards."""


def cannot(variant: Variant, rule: LayRule) -> str:
    """Why this search cannot advise on a game, as the end of a sentence; empty where it can."""
    if variant.pile is not None:
        return "it does not know what to take off the discard pile"
    if rule.first_naturals:
        return f"it does not know which {variant.pack.nouns.natural}s a first lay needs"
    return ""


class _Choice(NamedTuple):
    """A meld, or what is put to one on the table."""

    uses: int
    """How many of each kind of card it takes, and which meld of the table, in fields of bits."""
    gains: int
    opens: int
    """What it brings to the opening."""
    meld: Cards = ()
    layoff: LayOff | None = None


class _Packed(NamedTuple):
    """The best that is done with what remains of a hand."""

    gains: int = 0
    choice: _Choice | None = None
    rest: _Packed | None = None

    @property
    def choices(self) -> Iterator[_Choice]:
        """What is laid."""
        found: _Packed | None = self
        while found is not None and found.choice is not None:
            yield found.choice
            found = found.rest


def advise(  # noqa: PLR0913 - what a player sees and has done
    variant: Variant,
    moment: Moment,
    hand: Cards,
    table: Sequence[Cards],
    own: Sequence[Cards],
    *,
    down: bool,
) -> Advice:
    """The lay that gains most; `down` says that the player has laid a meld in this round."""
    rules = variant.melds_at(moment.step)
    search = _Packing(variant, rules, hand, table, own, down=down)
    laid = search.best()
    count, wild = variant.values.count, rules.wilds.cards
    decided = search.read >= 0 and search.work >= 0 and not search.may_swap
    if laid:
        melds = tuple(choice.meld for choice in laid if choice.meld)
        layoffs = tuple(choice.layoff for choice in laid if choice.layoff is not None)
        kept = search.kept(laid)
        play = LayDown(
            melds=melds, layoffs=layoffs, kept=kept, hand=hand, down=down, first=not down
        )
        ruling = rule_on(play, variant, moment)
        if ruling.is_legal:
            scored = ruling.points or 0
            cost = count(kept, wild)
            return Advice(
                possible=True,
                melds=tuple(reading.arranged for reading in ruling.readings[: len(melds)]),
                layoffs=layoffs,
                kept=kept,
                points=scored - cost if search.scores else cost,
                decided=decided,
            )
        decided = False
    return Advice(possible=False, kept=hand, points=count(hand, wild), decided=decided)


class _Packing:
    """One hand, one table, and all that may be laid there."""

    def __init__(  # noqa: PLR0913 - as above
        self,
        variant: Variant,
        rules: MeldRules,
        hand: Cards,
        table: Sequence[Cards],
        own: Sequence[Cards],
        *,
        down: bool,
    ) -> None:
        self.variant, self.rules, self.hand, self.down = variant, rules, hand, down
        self.scores = variant.pad is not None and variant.pad.asks_table
        self.read, self.work = MOST_READ, MOST_TRIED
        self._least = min(self.rules.sets.min_size, self.rules.runs.min_size)
        wild = self.rules.wilds.cards
        self.kinds = sorted(dict.fromkeys(hand), key=lambda card: (card in wild, str(card)))
        held = Counter(hand)
        self.counts = [held[card] for card in self.kinds]
        self.costs = [variant.values.points(card, wild) * _CARD + 1 for card in self.kinds]
        self.fields = len(self.kinds) + len(table)
        self.guards = sum(1 << (_FIELD * at + _FIELD - 1) for at in range(self.fields))
        self.choices: list[list[_Choice]] = [[] for _ in self.kinds]
        for choice in (*self._melds(), *self._layoffs(table, own)):
            self.choices[self._lowest(choice.uses)].append(choice)
        self.may_swap = self._swaps(table)
        self.known: dict[tuple[int, int], _Packed | None] = {}

    @property
    def _need(self) -> int:
        """What the melds of this turn must come to: an opening, or any meld before a lay-off."""
        if self.down:
            return 0
        if self.variant.opening is not None:
            return self.variant.opening.points
        return int(self.variant.lay_offs is not None and self.variant.lay_offs.needs_down)

    def best(self) -> list[_Choice]:
        """What is laid, all in all; nothing where nothing may be, or brings anything."""
        whole = self._in_fields((*self.counts, *[1] * (self.fields - len(self.kinds))))
        found = self._weigh(whole, self._need)
        if found is None:
            return []
        if self.variant.must_discard and not self.kept([*found.choices]):
            # One card is held back for the discard, each in turn.
            held = (
                self._weigh(whole - (1 << _FIELD * at), self._need) for at in range(len(self.kinds))
            )
            found = max(filter(None, held), key=lambda one: one.gains, default=None)
        return [] if found is None else [*found.choices]

    def kept(self, laid: Sequence[_Choice]) -> Cards:
        """What stays in hand."""
        left = Counter(self.hand)
        for choice in laid:
            left.subtract(choice.meld or (choice.layoff.cards if choice.layoff else ()))
        return tuple(left.elements())

    def _weigh(self, left: int, need: int) -> _Packed | None:
        """The best that is done with the cards that remain; None where it opens nothing."""
        at = self._lowest(left)
        while at < len(self.kinds) and not self.choices[at]:
            left &= ~(((1 << _FIELD) - 1) << _FIELD * at)
            at = self._lowest(left)
        if at >= len(self.kinds):
            return None if need > 0 else _Packed()
        if (left, need) in self.known:
            return self.known[left, need]
        best = self._weigh(left - (1 << _FIELD * at), need)
        for choice in self.choices[at]:
            rest_left = (left | self.guards) - choice.uses
            if self.work < 0 or rest_left & self.guards != self.guards:
                continue
            self.work -= 1
            rest = self._weigh(rest_left ^ self.guards, max(need - choice.opens, 0))
            if rest is not None and (best is None or rest.gains + choice.gains > best.gains):
                best = _Packed(rest.gains + choice.gains, choice, rest)
        self.known[left, need] = best
        return best

    def _lowest(self, fields: int) -> int:
        """The first kind of card of which there is one; beyond all fields where there is none."""
        return ((fields & -fields).bit_length() - 1) // _FIELD if fields else self.fields

    def _in_fields(self, counts: Sequence[int]) -> int:
        return sum(count << _FIELD * at for at, count in enumerate(counts))

    def _gains(self, cards: Cards, scored: int) -> int:
        saved = sum(self.costs[self.kinds.index(card)] for card in cards)
        return saved + scored * _CARD * self.scores

    def _uses(self, cards: Cards) -> int:
        return sum(1 << _FIELD * self.kinds.index(card) for card in cards)

    def _melds(self) -> Iterator[_Choice]:
        """Every meld of the hand, read so that it is worth most."""
        worth, seen = self.variant.worth, set[int]()
        opening = self.variant.opening is not None
        for cards in self._candidates():
            uses = self._uses(cards)
            self.read -= 1
            if self.read < 0:
                return
            if len(cards) < self._least or uses in seen:
                continue
            seen.add(uses)
            self.read -= _READING
            readings = legal_readings(cards, self.rules, as_laid=False)
            if not readings:
                continue
            worths = [sum(worth(reading)) if worth else 0 for reading in readings]
            most = max(worths)
            meld = readings[worths.index(most)].arranged.cards
            yield _Choice(uses, self._gains(cards, most), most if opening else 1, meld)

    def _candidates(self) -> Iterator[Cards]:
        """Cards that may be melds: those of one rank, those of a row, and wilds for what lacks."""
        wild = self.rules.wilds.cards
        counts = dict(zip(self.kinds, self.counts, strict=True))
        wilds = self._wilds({card: n for card, n in counts.items() if card in wild})
        naturals = [card for card in self.kinds if card not in wild and card.rank]
        for rank in dict.fromkeys([0, *(card.rank for card in naturals)]):
            of_rank = [card for card in naturals if card.rank == rank]
            for taken in product(*(range(counts[card] + 1) for card in of_rank)):
                some = tuple(c for c, n in zip(of_rank, taken, strict=True) for _ in range(n))
                for more in wilds:
                    yield from ((*some, *each) for each in more)
        one_suit = self.rules.runs.one_suit
        for suit in dict.fromkeys(card.suit if one_suit else None for card in naturals):
            row: dict[int, list[Card]] = {}
            for card in naturals:
                if not one_suit or card.suit is suit:
                    row.setdefault(card.rank, []).append(card)
            yield from self._in_a_row(row, wilds)

    def _in_a_row(
        self, row: dict[int, list[Card]], wilds: Sequence[Sequence[Cards]]
    ) -> Iterator[Cards]:
        """Cards of a row, by rank, that follow one another, with a wild for each that lacks."""
        runs = self.rules.runs
        for size in range(runs.min_size, min(runs.longest, len(self.hand)) + 1):
            for start in runs.starts(size):
                places = [row.get(rank_at(at, runs.top), []) for at in range(start, start + size)]
                for some in _filled(places, len(wilds) - 1):
                    yield from ((*some, *each) for each in wilds[size - len(some)])

    @staticmethod
    def _wilds(held: dict[Card, int]) -> list[list[Cards]]:
        """The choices of so many wilds, by their number from 0."""
        most = sum(held.values())
        return [
            [
                some
                for some in combinations_with_replacement(held, size)
                if all(some.count(card) <= held[card] for card in some)
            ]
            for size in range(most + 1)
        ]

    def _layoffs(self, table: Sequence[Cards], own: Sequence[Cards]) -> Iterator[_Choice]:
        """Everything that may be put to the melds of the table."""
        rule, worth = self.variant.lay_offs, self.variant.worth if self.scores else None
        if rule is None or (not self.down and rule.needs_down and not rule.in_same_turn):
            return
        left = Counter(own)
        for number, onto in enumerate(table):
            mine = left[onto] > 0
            left[onto] -= mine
            growing: list[Cards] = [()]
            seen = set[int]()
            while growing:
                laid = growing.pop()
                for card in self.kinds:
                    cards = (*laid, card)
                    uses = self._uses(cards)
                    if uses in seen or cards.count(card) > self.hand.count(card) or self.read < 0:
                        continue
                    seen.add(uses)
                    self.read -= _READING
                    play = LayOff(cards, onto, own=mine, same_turn=not self.down)
                    joined = ways_on(play, rule, self.rules, worth)[0]
                    if joined.reading is None:
                        continue
                    growing.append(cards)
                    if not any(finding.against for finding in joined.findings):
                        used = uses + (1 << _FIELD * (len(self.kinds) + number))
                        yield _Choice(used, self._gains(cards, joined.points), 0, (), play)

    def _swaps(self, table: Sequence[Cards]) -> bool:
        """Whether a wild could be taken out of a meld, which is not looked into."""
        rule, wild = self.variant.swaps, self.rules.wilds.cards
        if rule is None or not rule.allowed:
            return False
        if not (rule.when_down if self.down else rule.before_down):
            return False
        return any(
            not finding.against
            for meld in table
            if standing(meld, self.rules)
            for taken in wild.intersection(meld)
            for card in self.kinds
            for finding in check_taken([Taken(give=card, take=taken, meld=meld)], self.rules)
        )


def _filled(places: Sequence[Sequence[Card]], gaps: int) -> Iterator[Cards]:
    """The cards in the places of a row, no more than so many of which stay empty."""
    if not places:
        yield ()
        return
    first, *others = places
    for card in first:
        yield from ((card, *rest) for rest in _filled(others, gaps))
    if gaps:
        yield from _filled(others, gaps - 1)
