"""Checks for entries of a team that can’t be true, in addition to those for each hand.

A team is checked when all of its hands are counted, because what it shares can be entered with any
of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from referee.cards import Card
from referee.melds.bonuses import MeldBonus
from referee.melds.rules import rank_at
from referee.rulings import Code, MeldKind, Reading
from referee.scorepad.hands import HandRecord, points_of, table_points
from referee.scorepad.problems import Problem, doubt, problem
from referee.scorepad.teams import bonus_melds, count_face_up, face_up_in_packs
from referee.turns.going_out import Wanted, lacking
from referee.values import ValueClass, fewest
from referee.variant import Variant


def check_face_up(variant: Variant, there: Mapping[int, HandRecord]) -> Iterator[Problem]:
    """Yield problems if there are more cards of the kind placed face up than in the packs."""
    rule = variant.aside
    if rule is None:
        return
    most = face_up_in_packs(variant, rule)
    number = {seat: count_face_up([hand]) for seat, hand in there.items()}
    for seat, record in there.items():
        if isinstance(record.left, tuple):
            number[seat] += sum(card in rule.cards for card in record.left)
    whose: list[int | None] = [seat for seat in number if number[seat] > most]
    if not whose and sum(number.values()) > most:
        whose = [None]
    for one in whose:
        yield problem(Code.TOO_MANY_COPIES, "aside", one, "aside", n=most, these=rule.called)


def look_at_team(
    variant: Variant, team: Mapping[int, HandRecord], classes: Sequence[ValueClass], opens: int
) -> Iterator[Problem]:
    """Yield problems with a team’s melds and second hands; `team` has the records by seat.

    `opens` is the number of points that its first melds needed; 0 if it isn’t known.
    """
    melds = bonus_melds(variant, team.values())
    out = [seat for seat, record in team.items() if record.out]
    yield from _look_at_bonuses(variant, team, melds)
    yield from _look_at_opening(variant, team, opens)
    rule = variant.going_out
    lacks = lacking(melds, rule, variant.bonuses) if rule and out else ()
    if lacks:
        yield problem(Code.NEEDS_MISSING, "out-needs", out[0], "scored", lacks=lacks)
    reserve = variant.reserve
    if reserve is None:
        return
    untaken = [seat for seat, record in team.items() if not record.reserve]
    early = untaken if reserve.per_team else [seat for seat in untaken if seat in out]
    if out and early:
        yield problem(Code.OUT_WITH_CARDS, "reserve", out[0], "reserve")
    elif untaken and not reserve.per_team:
        n = reserve.cards * len(untaken)
        points = sum(points_of(variant, record, None) for record in team.values())
        if points < (least := fewest(classes, n)):
            yield problem(Code.POINTS_TOO_FEW, "reserve", untaken[0], "reserve", n=n, least=least)


def _look_at_bonuses(
    variant: Variant, team: Mapping[int, HandRecord], melds: Mapping[str, int]
) -> Iterator[Problem]:
    """Compare the points of melds with the least that those with a bonus can score."""
    if variant.worth is None:
        return
    points = sum(table_points(variant, record) for record in team.values())
    least = sum(melds[kind.name] * least_points(variant, kind) for kind in variant.bonuses)
    if points < least:
        seat = next(seat for seat, record in team.items() if record.bonus or record.table)
        kinds = (kind for kind in variant.bonuses if melds[kind.name])
        these = [Wanted(melds[kind.name], kind.called) for kind in kinds]
        yield problem(
            Code.POINTS_TOO_FEW,
            "table-values",
            seat,
            "bonus",
            melds=these,
            least=least,
            points=points,
        )


def _look_at_opening(
    variant: Variant, team: Mapping[int, HandRecord], opens: int
) -> Iterator[Problem]:
    """Compare the points of all melds with those that the first ones needed."""
    points = sum(table_points(variant, record) for record in team.values())
    at_once = any(record.out and record.close == "outright" for record in team.values())
    if 0 < points < opens and not at_once:
        how = "opening"
        yield doubt(Code.POINTS_UNLIKELY, how, min(team), how, need=opens, points=points)


@lru_cache(maxsize=256)
def least_points(variant: Variant, kind: MeldBonus) -> int:
    """Return the least that the cards of a meld with this bonus can score on the table."""
    worth, pack, wilds = variant.worth, variant.pack, variant.wilds.cards
    assert worth is not None, "a game in which melds score"
    may_be_wild = () if kind.wilds == 0 else tuple(wilds)

    def cheapest(of: MeldKind, card: Card, *place: int) -> int:
        stands = (Reading(of, (one,), (card,), place) for one in (card, *may_be_wild))
        return min(worth(each)[0] for each in stands)

    if kind.only_wilds:
        alone = (Reading(MeldKind.SET, (card,), (card,), rankless=True) for card in wilds)
        return kind.cards * min((worth(each)[0] for each in alone), default=0)
    least: list[int] = []
    if kind.of is not MeldKind.RUN:
        there = kind.ranks.intersection(pack.cards) or pack.cards
        cards = (card for card in there if card not in variant.sets.without)
        least += [kind.cards * cheapest(MeldKind.SET, card) for card in cards]
    if kind.of is not MeldKind.SET and not kind.ranks:
        least += [
            sum(cheapest(MeldKind.RUN, card, place) for card, place in run)
            for run in _runs(variant, kind.cards)
        ]
    return min(least, default=0)


def _runs(variant: Variant, size: int) -> Iterator[Sequence[tuple[Card, int]]]:
    """Yield the runs of this many naturals in one suit, each card with its place."""
    rules, pack = variant.runs, variant.pack
    for start in rules.starts(size):
        for suit in pack.suits:
            places = range(start, start + size)
            run = [(Card(rank_at(place, rules.top), suit), place) for place in places]
            if rules.without.isdisjoint(card for card, _ in run):
                yield run
