"""The discard pile: take more than its top card, or claim a discard that fits on the table."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.cards import JOKER, Card, Cards, Pack
from referee.melds.limits import limits
from referee.melds.reading import extend
from referee.melds.rules import MeldRules
from referee.melds.standing import standing
from referee.plays import Call, PickUp
from referee.rulings import Code, Finding, Reading, Ruling, TableWorth, found, ground


@dataclass(frozen=True, slots=True, kw_only=True)
class PileRule:
    """How much of the discard pile can be taken, and how its cards need to be used."""

    top_can_be_kept: bool
    """Whether a player can take the top card alone without using it."""
    top_only: bool = False
    """Whether only the top card can be taken, and needs to be used."""
    whole: bool = False
    """Whether the pile is taken all at once, and its top card needs to be used as in `top`."""
    depth: int | None = None
    """If the pile is taken at once, how many cards from the top; None for all."""
    top: frozenset[str] = frozenset({"any"})
    """Which of these ways to use the top card are allowed: in a meld ("any"), with two naturals of
    its rank from the hand ("pair"), with one such natural and a wild from the hand ("wild"), on a
    meld of the team ("own"), on one that has no bonus yet ("open"), or not at all ("free")."""
    frozen: frozenset[str] = frozenset()
    """Which of these freeze the pile, so that only a "pair" takes it: a wild in it ("wild"), a card
    in it that players place face up ("aside"), or that the team has no melds yet ("not-down")."""
    blocked: frozenset[Card] = frozenset()
    """The cards that block the pile if they are on top of it."""


def all_laid(play: PickUp) -> Counter[Card]:
    """Return how many of each card the play lays, in new melds and lay-offs together."""
    laid = Counter(card for cards in play.melds for card in cards)
    return laid + Counter(card for layoff in play.layoffs for card in layoff.cards)


def lowest_used(play: PickUp, rule: PileRule) -> Iterator[Finding]:
    """Yield a finding on whether the lowest card taken is used, if it needs to be.

    Raise AssertionError if the play doesn’t name that card.
    """
    lowest = play.take
    assert lowest is not None, "where the pile isn’t taken whole, it’s said how far down"
    if rule.top_only and lowest in all_laid(play):
        yield ground(Code.LOWEST_USED, "draw", (lowest,), "top", this=lowest)
    elif rule.top_only:
        yield found(Code.LOWEST_NOT_USED, "draw", (lowest,), "top", this=lowest)
    elif lowest in all_laid(play):
        in_meld = any(lowest in cards for cards in play.melds)
        cites = "lowest" if in_meld else "by-layoff"
        yield ground(Code.LOWEST_USED, cites, (lowest,), this=lowest)
    elif play.pile[-1] is lowest and rule.top_can_be_kept:
        yield ground(Code.TOP_CARD_FREE, "top-free", (lowest,))
    else:
        alone = play.pile[-1] is lowest
        cites = "top-free" if alone else "lowest"
        yield found(Code.LOWEST_NOT_USED, cites, (lowest,), this=lowest)


def kept_in_pile(play: PickUp, stays: Cards, pack: Pack) -> Iterator[Finding]:
    """Yield a finding if cards are laid that can only be the ones that stay in the pile."""
    below = Counter(stays)
    # Another copy can come from the hand, as long as the packs have more than those in the pile.
    there = {card: _copies(card, pack) - count for card, count in below.items()}
    cards = tuple(card for card, count in all_laid(play).items() if count > there.get(card, count))
    if cards:
        yield found(Code.STAYS_IN_PILE, "stays-in-pile", cards, this=cards[0])


def _copies(card: Card, pack: Pack) -> int:
    return pack.jokers if card is JOKER else pack.copies


def call(play: Call, rules: MeldRules, worth: TableWorth | None) -> Ruling:
    """Rule on a discard that a player claims because it fits a meld on the table.

    The ruling has the meld with the card in it. If there are several, `worth` decides.
    """
    findings = list(_too_late(play))
    card = play.discard
    grown = list(_fits(card, play.table, rules))
    if grown:
        best, points = _dearest(grown, worth)
        findings.append(ground(Code.CALL_GOOD, "claim", (card,), this=card, kind=best.kind))
        against = tuple(finding for finding in findings if finding.against)
        return Ruling(against or tuple(findings), (best,), points=points)
    if card in rules.wilds.cards:
        findings.append(found(Code.WILD_NOT_CALLED, "claim-wilds", (card,), wild=rules.wilds))
    else:
        findings.append(found(Code.DOES_NOT_FIT, "claim", (card,), "table", this=card))
    return Ruling(tuple(findings))


def _dearest(melds: Sequence[Reading], worth: TableWorth | None) -> tuple[Reading, int | None]:
    """Return the meld in which its last card is worth the most, and how much that is.

    Without `worth`, return the first meld and None.
    """
    if worth is None:
        return melds[0], None
    points = [worth(meld)[-1] for meld in melds]
    most = max(points)
    return melds[points.index(most)], most


def _too_late(play: Call) -> Iterator[Finding]:
    if play.ended:
        yield found(Code.HAND_IS_OVER, "claim-until")
    if play.drawn:
        yield found(Code.DRAWN_ALREADY, "claim-until")


def _fits(card: Card, table: tuple[Cards, ...], rules: MeldRules) -> Iterator[Reading]:
    """Yield the melds on the table with the card added as a natural, if it fits."""
    for cards in table:
        for meld in standing(cards, rules):
            for grown in extend(meld, (card,), rules):
                # A wild fits nearly anywhere, so if it could be claimed, play would stop each time.
                natural = not grown.rankless and not grown.wild[-1]
                if natural and not limits(grown, rules):
                    yield grown
