"""Counting by team: which games do, and a form's lines put together, one for each team."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from referee import Variant
from webapp.game.facts import CountedHand
from webapp.game.hand import Count, Tally, TypedHand
from webapp.game.replay import GameState
from webapp.game.state import Hand
from webapp.language import say
from webapp.text.formatting import capital

_RED: Final = frozenset("HD")
_BLACK: Final = frozenset("SC")
BLANK: Final = TypedHand(left="", out=False, made=False, base=0)


def is_by_team(state: GameState) -> bool:
    """Whether a game is counted by team: partners score together, or there's more than cards."""
    variant = state.variant
    more = variant.bonuses or variant.aside or variant.reserve
    return bool(more) or variant.in_teams(len(state.seats))


def brief_kinds(variant: Variant) -> dict[str, str]:
    """What the kinds of bonus melds are called for short, by name: "Natural", "Mixed"."""
    return {
        kind.name: capital(kind.called.forms.get("short", kind.name.replace("-", " ")))
        for kind in variant.bonuses
    }


def brief_counts(variant: Variant, counts: Mapping[str, int]) -> Iterator[str]:
    """Say how many bonus melds there are of each kind, in brief: "natural", "2 sambas"."""
    for kind in variant.bonuses:
        forms, n = kind.called.forms, counts.get(kind.name, 0)
        one = forms.get("short", kind.name.replace("-", " "))
        if n:
            yield one if n == 1 else f"{n} {forms.get('shorts', one)}"


def say_aside(variant: Variant) -> str:
    """Name the cards that are laid open: "Red 3s"; empty if none are."""
    cards = sorted(variant.aside.cards, key=str) if variant.aside else []
    ranks = {card.rank for card in cards}
    for how, some in (("red", _RED), ("black", _BLACK), ("all", _RED | _BLACK)):
        if len(ranks) == 1 and {str(card)[-1:] for card in cards} == some:
            rank = str(cards[0])[:-1]
            return say("tally.cards", how, rank, rank=rank)
    return variant.speaker.cards(tuple(cards))


def known_in(variant: Variant, tally: Tally) -> Tally:
    """A tally without what its game doesn’t ask."""
    kinds = {kind.name for kind in variant.bonuses}
    return replace(
        tally,
        bonus={name: number for name, number in tally.bonus.items() if name in kinds},
        aside=tally.aside if variant.aside else 0,
        untaken=tally.untaken if variant.reserve else frozenset(),
    )


def teams_in(state: GameState) -> tuple[tuple[int, ...], ...]:
    """The players of each team, by their numbers; the first of each stands for it on a form."""
    return tuple(tuple(state.seats[seat] for seat in team) for team in state.teams)


def typed_of(players: Sequence[int], hands: Mapping[int, Hand]) -> TypedHand:
    """What is on the pad for a team, as it would be typed."""
    first, counted = hands[players[0]], [hands[who] for who in players if who in hands]
    one = first.entered
    plain = [each for each in counted if not each.entered.cards]
    sums = [each.typed or str(each.left) for each in plain if each.typed or each.left]
    named = " ".join(filter(None, (each.entered.cards for each in counted)))
    tally = Tally(
        bonus={name: number for name, number in one.bonus.items() if number},
        aside=one.aside,
        out=next((who for who in players if who in hands and hands[who].out), 0),
        untaken=frozenset(
            who for who in players if who in hands and not hands[who].entered.reserve
        ),
    )
    return TypedHand(
        left=named or "+".join(sums) or "0",
        table=one.table_typed or ("" if one.table is None else str(one.table)),
        out=bool(tally.out),
        made=any(each.made for each in counted),
        base=first.seq,
        tally=tally,
    )


def counted_of(
    players: Sequence[int], line: TypedHand, left: Count | None, table: Count | None
) -> dict[int, CountedHand]:
    """The hands of a team, of what was typed for it.

    What it laid is kept with its first player, what it has left with the first who isn't out.
    """
    tally = line.tally
    hands = {
        who: CountedHand(
            out=who == tally.out, reserve=who not in tally.untaken, made=line.made or None
        )
        for who in players
    }
    first = players[0]
    hands[first] = replace(
        hands[first],
        table=table.points if table else None,
        table_typed=table.typed if table else "",
        bonus=tally.bonus,
        aside=tally.aside,
    )
    keeper = next((who for who in players if who != tally.out), first)
    if left:
        hands[keeper] = replace(hands[keeper], left=left.points, typed=left.typed, cards=left.cards)
    return hands
