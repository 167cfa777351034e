"""Taking the pile at once: what its top card is used with, and which melds count for the opening.

Only the top card and the hand meet what is asked: the cards below come once the pile is taken.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import Final, NamedTuple, TypeAlias

from referee.cards import JOKER, Card, Cards
from referee.melds.rules import MeldRules
from referee.plays import PickUp
from referee.rulings import Code, Finding, found, ground
from referee.saying import Said, Speaker
from referee.turns.discards import PileRule

_PAIR: Final = 2
_FREE: Final = "free"
_ONLY_IF_FROZEN: Final = "pair"
_WAYS: Final = ("pair", "wild", "own", "open", "any")
"""What a top card is used with, in the order in which it is said."""
_ON_TABLE: Final = frozenset({"own", "open"})
_MOST_GIVEN: Final = 20
"""In more ways than this a top card isn't tried."""
_MOST_TRIED: Final = 500
"""After so many choices of melds for the opening the best counts; all ways to use the top card
share them."""


Given: TypeAlias = tuple[int | None, Counter[Card]]
"""The meld that the top card ends up in, by its number, and the cards of the hand it takes there;
None where that is no new meld."""


class Use(NamedTuple):
    """The cards of a turn that end up in one meld."""

    cards: Cards
    onto: Cards | None = None
    """The meld of the team that they join; None if it is new."""


@dataclass(frozen=True, slots=True)
class With:
    """What a top card can be used with, as a sentence says it."""

    word: str
    top: Card

    def said(self, speaker: Speaker) -> Said:
        """In a sentence: "with two kings from your hand"."""
        return Said(speaker.put(f"values.top-with.{self.word}", this=self.top))


def taken(play: PickUp, rule: PileRule) -> Cards:
    """The cards that are taken at once: all of the pile, or as many of it as the rule says."""
    return play.pile if rule.depth is None else play.pile[-rule.depth :]


def from_hand(play: PickUp, laid: Counter[Card], got: Cards) -> Counter[Card]:
    """Count the cards that the hand had; if it was not said, those that were not taken."""
    return laid - Counter(got) if play.hand is None else Counter(play.hand)


def as_deep_as_can_be(play: PickUp, got: Cards) -> Iterator[Finding]:
    """Say that more or less of the pile is taken than can be."""
    if play.take is not None and play.take is not got[0]:
        yield found(Code.NO_SUCH_PLAY, "draw", (play.take,), "part-of-pile")


class TopCard(NamedTuple):
    """The top card of a pile that is taken at once, with what can be done with it."""

    play: PickUp
    rule: PileRule
    rules: MeldRules
    uses: Sequence[Use]
    hand: Mapping[Card, int]
    aside: Collection[Card]
    """The cards that are laid open as soon as they come."""
    is_open: Callable[[Cards], bool]
    """Whether a meld of the team has no bonus yet."""

    def used(self) -> Iterator[Finding]:
        """Say whether the pile can be taken: by what is on it, in it, and done with its top."""
        top, rule = self.play.pile[-1], self.rule
        if top in rule.blocked:
            how = "joker" if top is JOKER else ""
            yield found(Code.PILE_BLOCKED, "blocked", (top,), how, this=top)
            return
        ice = self._frozen(top)
        ways = self._ways()
        done = frozenset(way for way, _ in self._done())
        used = next((way for way in _WAYS if way in ways and way in done), None)
        if used is not None:
            yield ground(Code.TOP_USED, "draw-top", (top,), used, this=top)
        elif _FREE in ways:
            yield ground(Code.TOP_CARD_FREE, "draw-top", (top,), "pile")
        elif ice is not None and (_FREE in rule.top or done & rule.top):
            yield ice
        else:
            # What is on the table comes first: the other ways end with the hand.
            said = sorted(_WAYS, key=lambda way: way not in _ON_TABLE)
            wanted = tuple(With(way, top) for way in said if way in ways)
            yield found(Code.TOP_NOT_USED, "draw-top", (top,), this=top, ways=wanted)

    def _frozen(self, top: Card) -> Finding | None:
        """Why only a pair of its rank takes the pile; None if it isn't frozen."""
        freezing = {"wild": self.rules.wilds.cards, "aside": self.aside}
        for word, cards in freezing.items():
            cold = tuple(card for card in self.play.pile if card in cards)
            if word in self.rule.frozen and cold:
                how = "joker" if cold[0] is JOKER else ""
                return found(Code.PILE_FROZEN, "frozen", cold, how, this=top, inside=cold[0])
        if "not-down" in self.rule.frozen and not self.play.down:
            return found(Code.PILE_FROZEN, "frozen", (), "not-down", this=top)
        return None

    def given(self) -> tuple[Given, ...]:
        """What the hand gives to the meld of the top card, in each way in which that is used."""
        ways = self._ways()
        found = dict.fromkeys(
            (at, frozenset(cards.items())) for way, (at, cards) in self._done() if way in ways
        )
        return tuple((at, Counter(dict(cards))) for at, cards in found) or ((None, Counter()),)

    def _ways(self) -> frozenset[str]:
        """With what the top card can be used."""
        return frozenset({_ONLY_IF_FROZEN}) if self._frozen(self.play.pile[-1]) else self.rule.top

    def _done(self) -> Iterator[tuple[str, Given]]:
        """The ways in which the top card is used."""
        top, wild = self.play.pile[-1], self.rules.wilds.cards
        for number, use in enumerate(self.uses):
            if top not in use.cards:
                continue
            at = number if number < len(self.play.melds) else None
            yield "any", (at, Counter())
            if use.onto is not None:
                yield "own", (at, Counter())
                if self.is_open(use.onto):
                    yield "open", (at, Counter())
            others = Counter(use.cards)
            others[top] -= 1
            held = Counter(
                {card: min(n, self.hand.get(card, 0), _PAIR) for card, n in others.items()}
            )
            wilds = [card for card in held if card in wild and held[card]]
            alike = [c for c in held.elements() if c.rank == top.rank and c not in wild]
            for pair in combinations(alike, _PAIR):
                yield "pair", (at, Counter(pair))
            for card in dict.fromkeys(alike):
                for other in wilds:
                    yield "wild", (at, Counter((card, other)))


def counting(
    melds: Sequence[Cards],
    worth: Sequence[int],
    hand: Mapping[Card, int],
    top: Card,
    given: Sequence[Given],
) -> frozenset[int]:
    """The melds that count for the opening, by their numbers: those of the hand and the top card.

    Where the hand has too few of a card for all melds, those count that are worth most together;
    what is `given` to the meld of the top card is in no other.
    """
    there = Counter(hand)
    there[top] += 1
    wanted = [Counter(cards) for cards in melds]
    if sum(wanted, Counter[Card]()) <= there:
        return frozenset(range(len(melds)))
    given = given[:_MOST_GIVEN]
    laid = _Laid(wanted, worth, _MOST_TRIED // len(given))
    ways = (laid.opened(there, top, one) for one in given)
    return max(ways, key=laid.points)


class _Laid(NamedTuple):
    """Melds that are laid with cards of which the hand has too few for all of them."""

    wanted: Sequence[Counter[Card]]
    worth: Sequence[int]
    most: int
    """After so many choices the best of them counts."""

    def points(self, chosen: Iterable[int]) -> int:
        """What some of them are worth together, by their numbers."""
        return sum(self.worth[at] for at in chosen)

    def opened(self, there: Counter[Card], top: Card, given: Given) -> frozenset[int]:
        """The melds that count if the top card is used in one way."""
        at, cards = given
        others = [number for number in range(len(self.wanted)) if number != at]
        spent = cards if at is None else cards + Counter((top,))
        without = self._worthiest(others, there - spent)
        if at is None or not self.wanted[at] <= there:
            return without
        together = self._worthiest(others, there - (self.wanted[at] | spent)) | {at}
        return max(together, without, key=self.points)

    def _worthiest(self, numbers: Sequence[int], there: Counter[Card]) -> frozenset[int]:
        """Choose melds that are worth most together, of those for which there are cards enough.

        The first choice takes each meld that it can, those worth most first; that one is made
        whatever may be tried.
        """
        wanted, worth = self.wanted, self.worth
        short = sum((wanted[at] for at in numbers), Counter[Card]()) - there
        unsure = [at for at in numbers if not short.keys().isdisjoint(wanted[at])]
        unsure.sort(key=lambda at: -worth[at])
        sure = frozenset(numbers).difference(unsure)
        asked = [Counter({c: n for c, n in wanted[at].items() if c in short}) for at in unsure]
        rest = [*accumulate((worth[at] for at in reversed(unsure)), initial=0)][::-1]
        best, most, left_to_try = frozenset[int](), -1, max(self.most, len(unsure) + 1)
        ways: list[tuple[int, int, frozenset[int], Counter[Card]]] = [(0, 0, frozenset(), there)]
        while ways and left_to_try:
            at, points, chosen, left = ways.pop()
            left_to_try -= 1
            if points > most:
                best, most = chosen, points
            if points + rest[at] <= most or at == len(unsure):
                continue
            ways.append((at + 1, points, chosen, left))
            if asked[at] <= left:
                more = points + worth[unsure[at]]
                ways.append((at + 1, more, chosen | {unsure[at]}, left - asked[at]))
        return sure | best
