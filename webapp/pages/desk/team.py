"""What a team has before a play: its melds, its total, and whether its second hand was taken.

Also asked of players who play alone, where that decides what they can lay.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from referee import Variant
from webapp.language import say
from webapp.pages.desk.card_fields import CardRow, DeskQuestion, LaidCards, free_rows
from webapp.text.formatting import say_points

OWN: Final = "own-"
"""How the rows begin that hold the melds of a team before a play."""
TOTAL: Final = "total"
"""The choice of what a team had before the deal."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,6}", re.ASCII)


def asks_own(variant: Variant) -> bool:
    """Whether it matters what melds there are of a team before a play."""
    earned = bool(variant.bonuses) or variant.going_out is not None
    return any(map(variant.in_teams, variant.players)) or earned


def whose(variant: Variant, question: DeskQuestion) -> str:
    """Whose melds they are, as a branch of a sentence: a team's, or a player's own."""
    together = question.in_team
    if together is None:
        together = any(map(variant.in_teams, variant.players))
    return "team" if together else ""


def lays_on_own(variant: Variant) -> bool:
    """Whether cards are laid off on the melds of the team, unless a page says otherwise."""
    rule = variant.lay_offs
    return rule is not None and rule.own_only and asks_own(variant)


def own_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    """A row for each meld of the team, and what is added to it in this turn."""
    if not asks_own(variant):
        return
    group = say("desk.own", whose(variant, question))
    for row in free_rows(question, OWN, say("desk.meld"), group):
        yield row
        if variant.lay_offs is not None:
            yield CardRow(name=_added(row.name), label=say("desk.add"), group=group)


def _added(own: str) -> str:
    return f"add-{own.removeprefix(OWN)}"


def added(laid: LaidCards) -> Iterator[dict[str, object]]:
    """What is laid off on the melds of the team."""
    for name, onto in laid.cards.items():
        cards = laid.row(_added(name)) if name.startswith(OWN) else ()
        if cards and onto:
            yield {"cards": cards, "onto": onto, "owner": "self"}


def hand_rows(variant: Variant) -> Iterator[CardRow]:
    """What is left in hand after the play, if that decides whether a player can go out."""
    if leaves_hand(variant) and not variant.contracts:
        yield CardRow(name="kept", label=say("desk.left-in-hand"), rare=True)


def leaves_hand(variant: Variant) -> bool:
    """Whether a player can go out only under some condition, or picks up a second hand instead."""
    return variant.going_out is not None or variant.reserve is not None


def team_switches(variant: Variant) -> tuple[str, ...]:
    """What may be ticked of a team."""
    untaken = () if variant.reserve is None else ("untaken",)
    return (*untaken, "goes-out") if leaves_hand(variant) else untaken


def fill_own(question: DeskQuestion, rows: Iterable[CardRow], own: Iterable[str]) -> DeskQuestion:
    """Put the melds that a team has into a question that asks for them, unless some are there."""
    if question.filled(OWN) or not any(row.name.startswith(OWN) for row in rows):
        return question
    there = {f"{OWN}{count}": text for count, text in enumerate(own, 1)}
    return replace(question, texts={**there, **question.texts})


def totals(variant: Variant) -> Mapping[str, Mapping[str, str]]:
    """The totals between which it changes what the first melds must be worth."""
    rule = variant.opening
    if rule is None or not rule.by_total:
        return {}
    first = rule.by_total[0][0]
    below = say("desk.total-below", total=say_points(first), points=rule.points)
    options = {str(first - 1): below}
    for total, points in rule.by_total:
        options[str(total)] = say("desk.total-from", total=say_points(total), points=points)
    usual = str(_lowest(variant, 0))
    return {TOTAL: {"0": options.pop(usual), **options}}


def total_text(variant: Variant, total: int) -> str:
    """The value of the choice for a team that has so many points; empty if it's the first."""
    lowest = _lowest(variant, total)
    return "" if lowest == _lowest(variant, 0) else str(lowest)


def _lowest(variant: Variant, total: int) -> int:
    """The lowest total from which it is as from this one."""
    steps = [low for low, _ in variant.opening.by_total] if variant.opening is not None else []
    reached = [low for low in steps if low <= total]
    return reached[-1] if reached else min(steps, default=1) - 1


def total_of(question: DeskQuestion) -> int:
    """The total that was chosen; 0 while none was."""
    text = question.texts.get(TOTAL, "")
    return int(text) if _NUMBER.fullmatch(text) else 0
