"""Take the whole pile at once: how its top card is used, and which melds count for the opening.

Only the hand and the top card count for what is needed. The other cards of the pile come to the
hand after that.
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
"""The ways to use a top card (see `PileRule.top`), the one to report first."""
_ON_TABLE: Final = frozenset({"own", "open"})
_MOST_GIVEN: Final = 20
"""The most ways to use a top card that are tried."""
_MOST_TRIED: Final = 500
"""The most choices of melds for the opening to try, shared by all ways to use the top card."""


Given: TypeAlias = tuple[int | None, Counter[Card]]
"""One way in which the top card is used: the index of the new meld that it is in, or None if it
isn’t in a new meld, and the cards from the hand that need to be there with it."""


class Use(NamedTuple):
    """The cards that one meld, new or on the table, gets in a turn."""

    cards: Cards
    onto: Cards | None = None
    """The meld of the team that the cards join; None if the meld is new or isn’t the team’s."""


@dataclass(frozen=True, slots=True)
class With:
    """A way to use a top card, as a value for a sentence: "with two kings from your hand"."""

    word: str
    """One of the words in `PileRule.top`."""
    top: Card

    def said(self, speaker: Speaker) -> Said:
        """Return the translated words."""
        return Said(speaker.put(f"values.top-with.{self.word}", this=self.top))


def taken(play: PickUp, rule: PileRule) -> Cards:
    """Return the cards taken from a pile: all of it, or the top `rule.depth` cards."""
    return play.pile if rule.depth is None else play.pile[-rule.depth :]


def from_hand(play: PickUp, laid: Counter[Card], got: Cards) -> Counter[Card]:
    """Return the number of each card in the hand before the pile was taken.

    If the play doesn’t name the hand, return the cards `laid` that aren’t among those `got`.
    """
    return laid - Counter(got) if play.hand is None else Counter(play.hand)


def as_deep_as_can_be(play: PickUp, got: Cards) -> Iterator[Finding]:
    """Yield a finding if the play names a lowest card that isn’t the lowest of the cards `got`."""
    if play.take is not None and play.take is not got[0]:
        yield found(Code.NO_SUCH_PLAY, "draw", (play.take,), "part-of-pile")


class TopCard(NamedTuple):
    """The top card of a pile that is taken at once, with everything that decides how it is used."""

    play: PickUp
    rule: PileRule
    rules: MeldRules
    uses: Sequence[Use]
    """The cards of the turn by the meld they go to; the new melds come first, in the order of the
    play."""
    hand: Mapping[Card, int]
    """The number of each card in the hand before the pile was taken."""
    aside: Collection[Card]
    """The cards that are placed face up as soon as a player gets them."""
    is_open: Callable[[Cards], bool]
    """Returns whether a meld of the team has no bonus yet."""

    def used(self) -> Iterator[Finding]:
        """Yield one finding: the pile can be taken, is blocked or frozen, or its top isn’t used."""
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
            # Name the ways on the table first, as the sentence reads better if the hand comes last.
            said = sorted(_WAYS, key=lambda way: way not in _ON_TABLE)
            wanted = tuple(With(way, top) for way in said if way in ways)
            yield found(Code.TOP_NOT_USED, "draw-top", (top,), this=top, ways=wanted)

    def _frozen(self, top: Card) -> Finding | None:
        """Return the finding that explains why the pile is frozen; None if it isn’t."""
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
        """Return the allowed ways in which the turn uses the top card.

        If there are none, return one way without a meld or cards.
        """
        ways = self._ways()
        found = dict.fromkeys(
            (at, frozenset(cards.items())) for way, (at, cards) in self._done() if way in ways
        )
        return tuple((at, Counter(dict(cards))) for at, cards in found) or ((None, Counter()),)

    def _ways(self) -> frozenset[str]:
        """Return the words (as in `PileRule.top`) for the ways to use the top card now."""
        return frozenset({_ONLY_IF_FROZEN}) if self._frozen(self.play.pile[-1]) else self.rule.top

    def _done(self) -> Iterator[tuple[str, Given]]:
        """Yield every way in which the turn uses the top card, each with its word."""
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
    """Return the indexes of the melds that count for the opening, when the pile is taken.

    Only melds from the hand and the top card count. If these don’t have enough cards for all of
    `melds`, the melds count that are worth most together. The cards `given` to the meld of the top
    card can’t be in another meld. `worth` has the points of each meld.
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
    """Melds for an opening for which the hand has too few cards to lay all of them.

    `wanted` has the cards of each meld, and `worth` its points.
    """

    wanted: Sequence[Counter[Card]]
    worth: Sequence[int]
    most: int
    """The most choices of melds to try."""

    def points(self, chosen: Iterable[int]) -> int:
        """Return what the melds with these indexes are worth together."""
        return sum(self.worth[at] for at in chosen)

    def opened(self, there: Counter[Card], top: Card, given: Given) -> frozenset[int]:
        """Return the indexes of the melds that count if the top card is used in this way."""
        at, cards = given
        others = [number for number in range(len(self.wanted)) if number != at]
        spent = cards if at is None else cards + Counter((top,))
        without = self._worthiest(others, there - spent)
        if at is None or not self.wanted[at] <= there:
            return without
        together = self._worthiest(others, there - (self.wanted[at] | spent)) | {at}
        return max(together, without, key=self.points)

    def _worthiest(self, numbers: Sequence[int], there: Counter[Card]) -> frozenset[int]:
        """Return those of the melds `numbers` that are worth most and for which cards are `there`.

        The first choice takes every meld that it can, those worth most first. It is always
        completed, however few choices can be tried.
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
