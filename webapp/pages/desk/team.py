"""A team before a play: its melds, its total, and whether it took its second hand.

Players who play alone have the same questions, if the answers decide what they can lay down.
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
"""The start of the names of the rows with a team’s melds before a play."""
TOTAL: Final = "total"
"""The field with the choice of a team’s total before the deal."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,6}", re.ASCII)


def asks_own(variant: Variant) -> bool:
    """Return whether a game needs to know a team’s melds before a play."""
    earned = bool(variant.bonuses) or variant.going_out is not None
    return any(map(variant.melds_together, variant.players)) or earned


def whose(variant: Variant, question: DeskQuestion) -> str:
    """Return the variant of a sentence to say: "team" if melds are a team’s, "" if a player’s."""
    together = question.in_team
    if together is None:
        together = any(map(variant.melds_together, variant.players))
    return "team" if together else ""


def lays_on_own(variant: Variant) -> bool:
    """Return whether cards are laid off on the team’s own melds, unless a page says otherwise."""
    rule = variant.lay_offs
    return rule is not None and rule.own_only and asks_own(variant)


def team_meld_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    """Yield a row for each meld of the team, and one for the cards added to it in this turn."""
    if not asks_own(variant):
        return
    group = say("desk.own", whose(variant, question))
    for row in free_rows(question, OWN, say("desk.meld"), group):
        yield row
        if variant.lay_offs is not None:
            yield CardRow(name=_added(row.name), label=say("desk.add"), group=group)


def _added(own: str) -> str:
    """Return the name of the row for cards added to the team’s meld in the row `own`."""
    return f"add-{own.removeprefix(OWN)}"


def added(laid: LaidCards) -> Iterator[dict[str, object]]:
    """Yield the lay-offs on the team’s melds, each as its "cards", "onto" and "owner"."""
    for name, onto in laid.cards.items():
        cards = laid.row(_added(name)) if name.startswith(OWN) else ()
        if cards and onto:
            yield {"cards": cards, "onto": onto, "owner": "self"}


def hand_rows(variant: Variant) -> Iterator[CardRow]:
    """Yield the row of the cards left after a play, if they decide whether a player can go out."""
    if leaves_hand(variant) and not variant.contracts:
        yield CardRow(name="kept", label=say("desk.left-in-hand"), rare=True)


def leaves_hand(variant: Variant) -> bool:
    """Return whether the cards left after a play matter for going out or for a second hand."""
    return variant.going_out is not None or variant.reserve is not None


def team_switches(variant: Variant) -> tuple[str, ...]:
    """Return the switches about a team."""
    untaken = () if variant.reserve is None else ("untaken",)
    return (*untaken, "goes-out") if leaves_hand(variant) else untaken


def fill_own(question: DeskQuestion, rows: Iterable[CardRow], own: Iterable[str]) -> DeskQuestion:
    """Return a question with the team’s melds filled in, if it asks for them and has none."""
    if question.filled(OWN) or not any(row.name.startswith(OWN) for row in rows):
        return question
    there = {f"{OWN}{count}": text for count, text in enumerate(own, 1)}
    return replace(question, texts={**there, **question.texts})


def totals(variant: Variant) -> Mapping[str, Mapping[str, str]]:
    """Return the choices of totals at which the points needed by the first melds change."""
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
    """Return the value of the choice for a team with this total; empty for the first one."""
    lowest = _lowest(variant, total)
    return "" if lowest == _lowest(variant, 0) else str(lowest)


def _lowest(variant: Variant, total: int) -> int:
    """Return the lowest total that needs the same points as this one."""
    steps = [low for low, _ in variant.opening.by_total] if variant.opening is not None else []
    reached = [low for low in steps if low <= total]
    return reached[-1] if reached else min(steps, default=1) - 1


def total_of(question: DeskQuestion) -> int:
    """Return the total that was chosen; 0 if none was."""
    text = question.texts.get(TOTAL, "")
    return int(text) if _NUMBER.fullmatch(text) else 0
