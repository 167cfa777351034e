"""What partners have together when a round has ended; a player who plays alone is a team of one.

Melds and their bonuses, cards placed face up and the second hand belong to the team, and can be
entered with any of its players; they add up. The points left in each player’s hand add up also.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from referee.melds.bonuses import bonus_of
from referee.pad import AsideRule
from referee.scorepad.hands import HandRecord, ended, meld_ruling
from referee.scoring import Ended
from referee.turns.going_out import lacking
from referee.variant import Variant


def ended_together(variant: Variant, hands: Sequence[tuple[HandRecord, int]]) -> Ended:
    """Return what a settlement needs to know about a team, from its players’ records and steps."""
    counted = [ended(variant, record, step) for record, step in hands]
    shown = next((hand for hand in counted if hand.out), counted[0])
    spared = variant.pad.spares_partners and shown.out
    deadwood = shown.deadwood if spared else sum(hand.deadwood for hand in counted)
    records = [record for record, _ in hands]
    return shown._replace(
        deadwood=deadwood,
        of_partners=deadwood - shown.deadwood if shown.out else 0,
        table=sum(hand.table for hand in counted) + _besides(variant, records),
    )


def _besides(variant: Variant, records: Sequence[HandRecord]) -> int:
    """Return a team’s points for bonuses and cards face up, minus second hands not taken."""
    melds = bonus_melds(variant, records)
    bonuses = sum(kind.points * melds[kind.name] for kind in variant.bonuses)
    aside = 0 if variant.aside is None else _aside_points(variant, variant.aside, records, melds)
    return bonuses + aside - _untaken(variant, records)


def bonus_melds(variant: Variant, records: Iterable[HandRecord]) -> Counter[str]:
    """Return the number of a team’s melds with each bonus, by its name."""
    melds: Counter[str] = Counter()
    for record in records:
        if isinstance(record.table, tuple):
            rulings = (meld_ruling(variant, cards) for cards in record.table)
            kinds = (bonus_of(one.readings[0], variant.bonuses) for one in rulings if one.is_legal)
            melds.update(kind.name for kind in kinds if kind is not None)
        else:
            melds.update(record.bonus)
    return melds


def has_melded(records: Iterable[HandRecord], melds: Mapping[str, int]) -> bool:
    """Return whether a team has melded anything; `melds` is from `bonus_melds`."""
    return any(melds.values()) or any(record.is_down or record.table for record in records)


def count_face_up(records: Iterable[HandRecord]) -> int:
    """Return how many cards players have placed face up."""
    laid = (record.aside for record in records)
    return sum(len(cards) if isinstance(cards, tuple) else cards for cards in laid)


def face_up_in_packs(variant: Variant, rule: AsideRule) -> int:
    """Return how many cards of the kind that is placed face up are in the packs."""
    pack = variant.pack
    return sum(pack.copies if card.rank else pack.jokers for card in rule.cards)


def _aside_points(
    variant: Variant, rule: AsideRule, records: Sequence[HandRecord], melds: Mapping[str, int]
) -> int:
    points = rule.points(count_face_up(records), face_up_in_packs(variant, rule))
    match rule.minus:
        case "not-down":
            earned = has_melded(records, melds)
        case "needs":
            needs = variant.going_out
            earned = needs is None or not lacking(melds, needs, variant.bonuses)
        case "never":
            earned = True
    return points if earned else -points


def _untaken(variant: Variant, records: Sequence[HandRecord]) -> int:
    """Return the points that second hands cost a team or its players if they weren’t taken."""
    rule = variant.reserve
    if rule is None:
        return 0
    untaken = sum(not record.reserve for record in records)
    return rule.untaken * (min(untaken, 1) if rule.per_team else untaken)
