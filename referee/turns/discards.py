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
from referee.rulings import Code, Finding, Reading, Ruling, TableWorth


@dataclass(frozen=True, slots=True, kw_only=True)
class PileRule:
    """How much of the discard pile may be taken, and what must be done with it."""

    top_is_free: bool


def _laid(play: PickUp) -> Counter[Card]:
    laid = Counter(card for cards in play.melds for card in cards)
    return laid + Counter(card for layoff in play.layoffs for card in layoff.cards)


def lowest_used(play: PickUp, rule: PileRule, rules: MeldRules) -> Iterator[Finding]:
    """Say whether the lowest card taken is used."""
    lowest, noun = play.take, rules.pack.nouns.card
    if lowest in _laid(play):
        says = f"The {lowest.name}, the lowest {noun} taken, is used at once."
        in_meld = any(lowest in cards for cards in play.melds)
        cites = "lowest" if in_meld else "by-layoff"
        yield Finding(Code.LOWEST_USED, says, cites, (lowest,), against=False)
    elif play.pile[-1] is lowest and rule.top_is_free:
        says = f"The top {noun} alone may be taken and kept."
        yield Finding(Code.TOP_CARD_FREE, says, "top-free", (lowest,), against=False)
    else:
        alone = play.pile[-1] is lowest
        says = f"The {lowest.name}, the lowest {noun} taken, must be used to score at once."
        cites = "top-free" if alone else "lowest"
        yield Finding(Code.LOWEST_NOT_USED, says, cites, (lowest,))


def kept_in_pile(play: PickUp, pack: Pack) -> Iterator[Finding]:
    """Say which cards are laid although they stay in the pile."""
    below = Counter(play.pile[: play.pile.index(play.take)])
    # Another copy can come from the hand, as long as the packs hold one beside those below.
    there = {card: _copies(card, pack) - count for card, count in below.items()}
    cards = tuple(card for card, count in _laid(play).items() if count > there.get(card, count))
    if cards:
        noun = pack.nouns.card
        says = f"The {cards[0].name} lies below the lowest {noun} taken and stays in the pile."
        yield Finding(Code.STAYS_IN_PILE, says, "stays-in-pile", cards)


def _copies(card: Card, pack: Pack) -> int:
    return pack.jokers if card is JOKER else pack.copies


def call(play: Call, rules: MeldRules, worth: TableWorth | None) -> Ruling:
    """Rule on a discard claimed because it fits a meld on the table."""
    findings = list(_too_late(play))
    card = play.discard
    grown = list(_fits(card, play.table, rules))
    if grown:
        best, points = _dearest(grown, worth)
        says = f"The {card.name} fits a {best.kind.value} on the table."
        findings.append(Finding(Code.CALL_GOOD, says, "claim", (card,), against=False))
        against = tuple(finding for finding in findings if finding.against)
        return Ruling(against or tuple(findings), (best,), points=points)
    if card in rules.wilds.cards:
        says = f"A {rules.wilds.name} cannot be called."
        findings.append(Finding(Code.WILD_NOT_CALLED, says, "claim-wilds", (card,)))
    else:
        says = f"The {card.name} fits no meld on the table."
        findings.append(Finding(Code.DOES_NOT_FIT, says, "claim", (card,)))
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
        says = "The play is over: it is too late to call."
        yield Finding(Code.HAND_IS_OVER, says, "claim-until")
    if play.drawn:
        says = "The next player has drawn: it is too late to call."
        yield Finding(Code.DRAWN_ALREADY, says, "claim-until")


def _fits(card: Card, table: tuple[Cards, ...], rules: MeldRules) -> Iterator[Reading]:
    """The melds on the table as the card would make them, as a natural card."""
    for cards in table:
        for meld in standing(cards, rules):
            for grown in extend(meld, (card,), rules):
                # A wild fits nearly anywhere, so a game in which it could be claimed would stop.
                natural = not grown.rankless and not grown.wild[-1]
                if natural and not limits(grown, rules):
                    yield grown
