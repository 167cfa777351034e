"""The discard pile: taking more than its top card, and calling a discard that was overlooked."""

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
    """How much of the discard pile may be taken, and what must be done with it."""

    top_is_free: bool
    """Whether the top card alone can be kept."""
    top_only: bool = False
    """Whether that is the only one there is to take."""
    whole: bool = False
    """Whether it is taken whole, and its top card is used as `top` says."""
    depth: int | None = None
    """How many cards of it are taken at most; None for all."""
    top: frozenset[str] = frozenset({"any"})
    """What the top card is used with: pair, wild, own, open, any; free if it need not be."""
    frozen: frozenset[str] = frozenset()
    """When only a pair takes it: wild, aside, not-down."""
    blocked: frozenset[Card] = frozenset()
    """The cards under which it is not taken."""


def all_laid(play: PickUp) -> Counter[Card]:
    """Count the cards that are laid, in melds of their own and onto others."""
    laid = Counter(card for cards in play.melds for card in cards)
    return laid + Counter(card for layoff in play.layoffs for card in layoff.cards)


def lowest_used(play: PickUp, rule: PileRule) -> Iterator[Finding]:
    """Say whether the lowest card taken is used."""
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
    elif play.pile[-1] is lowest and rule.top_is_free:
        yield ground(Code.TOP_CARD_FREE, "top-free", (lowest,))
    else:
        alone = play.pile[-1] is lowest
        cites = "top-free" if alone else "lowest"
        yield found(Code.LOWEST_NOT_USED, cites, (lowest,), this=lowest)


def kept_in_pile(play: PickUp, stays: Cards, pack: Pack) -> Iterator[Finding]:
    """Say which cards are laid although they stay in the pile."""
    below = Counter(stays)
    # Another copy can come from the hand, as long as the packs hold one beside those below.
    there = {card: _copies(card, pack) - count for card, count in below.items()}
    cards = tuple(card for card, count in all_laid(play).items() if count > there.get(card, count))
    if cards:
        yield found(Code.STAYS_IN_PILE, "stays-in-pile", cards, this=cards[0])


def _copies(card: Card, pack: Pack) -> int:
    return pack.jokers if card is JOKER else pack.copies


def call(play: Call, rules: MeldRules, worth: TableWorth | None) -> Ruling:
    """Rule on a discard claimed because it fits a meld on the table."""
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
    """The meld that the card put to it last is worth most in, and how much it is worth there."""
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
    """The melds on the table as the card would make them, as a natural card."""
    for cards in table:
        for meld in standing(cards, rules):
            for grown in extend(meld, (card,), rules):
                # A wild fits nearly anywhere, so a game in which it could be claimed would stop.
                natural = not grown.rankless and not grown.wild[-1]
                if natural and not limits(grown, rules):
                    yield grown
