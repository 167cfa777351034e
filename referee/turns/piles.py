"""Taking the pile at once: what its top card is used with, and which melds count for the opening.

Only the top card and the hand meet what is asked: the cards below come once the pile is taken.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

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
_MOST_TRIED: Final = 500
"""After so many choices of melds for the opening the best of them counts."""


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
        ways = frozenset({_ONLY_IF_FROZEN}) if ice else rule.top
        done = self._ways_used(top)
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

    def _ways_used(self, top: Card) -> frozenset[str]:
        """The ways in which the top card is used."""
        ways: set[str] = set()
        wild = self.rules.wilds.cards
        for use in self.uses:
            if top not in use.cards:
                continue
            ways.add("any")
            if use.onto is not None:
                ways |= {"own", "open"} if self.is_open(use.onto) else {"own"}
            others = Counter(use.cards)
            others[top] -= 1
            held = {card: min(count, self.hand.get(card, 0)) for card, count in others.items()}
            wilds = sum(count for card, count in held.items() if card in wild)
            alike = sum(n for c, n in held.items() if c.rank == top.rank and c not in wild)
            if alike >= _PAIR:
                ways.add("pair")
            if alike and wilds:
                ways.add("wild")
        return frozenset(ways)


def counting(
    melds: Sequence[Cards], worth: Sequence[int], hand: Mapping[Card, int], top: Card
) -> frozenset[int]:
    """The melds that count for the opening, by their numbers: those of the hand and the top card.

    Where the hand has too few of a card for all melds, those count that are worth most together.
    """
    there = Counter(hand)
    there[top] += 1
    short = Counter(card for cards in melds for card in cards) - there
    if not short:
        return frozenset(range(len(melds)))
    unsure = [at for at, cards in enumerate(melds) if any(card in short for card in cards)]
    unsure.sort(key=lambda at: -worth[at])
    sure = frozenset(range(len(melds))).difference(unsure)
    wanted = [Counter(card for card in melds[at] if card in short) for at in unsure]
    chosen = _worthiest(wanted, [worth[at] for at in unsure], there)
    return sure | {unsure[at] for at in chosen}


def _worthiest(
    wanted: Sequence[Counter[Card]], worth: Sequence[int], there: Counter[Card]
) -> frozenset[int]:
    """Choose melds that are worth most together, of those for which there are cards enough."""
    rest = [*accumulate(reversed(worth), initial=0)][::-1]
    best, most, tried = frozenset[int](), -1, 0
    ways: list[tuple[int, int, frozenset[int], Counter[Card]]] = [(0, 0, frozenset(), there)]
    while ways and tried < _MOST_TRIED:
        at, points, chosen, left = ways.pop()
        tried += 1
        if points > most:
            best, most = chosen, points
        if points + rest[at] <= most or at == len(wanted):
            continue
        ways.append((at + 1, points, chosen, left))
        if wanted[at] <= left:
            ways.append((at + 1, points + worth[at], chosen | {at}, left - wanted[at]))
    return best
