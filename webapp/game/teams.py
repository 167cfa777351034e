"""Teams: who plays together, what a team is called, and how a form tells of it.

Nothing of it is kept: it follows from the seats. Where everybody plays alone, each player is a team
of one, called by their own name. A form has one line for each team, named for its first player.
That line has what the team laid and has left. Who went out, and who didn’t take a second hand, is
said player by player.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee import Variant
from webapp.game.hand import Hand, Hands
from webapp.game.replay import GameState
from webapp.game.state import Cell
from webapp.language import say
from webapp.text.formatting import capital, joined

_RED: Final = frozenset("HD")
_BLACK: Final = frozenset("SC")


@dataclass(frozen=True, slots=True)
class Team:
    """The players of a team."""

    index: int
    """From 0, in the order in which their first players sit."""
    seats: tuple[int, ...]
    """Their places at the table, from 0."""
    players: tuple[int, ...]
    """The same by their numbers on the roster."""
    name: str
    """Their names together: "Ann and Ben"."""


def read_teams(state: GameState, names: Mapping[int, str]) -> tuple[Team, ...]:
    """The teams of a game, in seat order."""
    return tuple(
        Team(index, places, players, joined(names[who] for who in players))
        for index, (places, players) in enumerate(zip(state.teams, teams_in(state), strict=True))
    )


def teams_in(state: GameState) -> tuple[tuple[int, ...], ...]:
    """The players of each team, by their numbers; the first of each stands for it on a form."""
    return tuple(tuple(state.seats[seat] for seat in team) for team in state.teams)


def is_by_team(state: GameState) -> bool:
    """Whether a game is counted by team: partners score together, or there's more than cards."""
    variant = state.variant
    more = variant.bonuses or variant.aside or variant.reserve
    return bool(more) or variant.in_teams(len(state.seats))


def lines_of(state: GameState, number: int) -> tuple[tuple[int, ...], ...]:
    """The lines of a count form, each with the players that it’s about."""
    if is_by_team(state):
        return teams_in(state)
    return tuple((player,) for player in state.players_of(number))


def line_in(hands: Hands, players: Sequence[int]) -> dict[int, Hand]:
    """The hands of a line’s players; empty if none of them is there."""
    return {who: hands[who] for who in players if who in hands}


def went_out(hands: Hands) -> int:
    """The player who went out, the first if there are several; 0 for nobody."""
    return next((who for who, hand in hands.items() if hand.out), 0)


def hands_on_pad(players: Sequence[int], cells: Mapping[int, Cell]) -> dict[int, Hand]:
    """What is on the pad for a team, as a form tells it: what is left with the first player."""
    first = players[0]
    plain = [cell for cell in cells.values() if not cell.hand.cards]
    sums = [cell.typed or str(cell.left) for cell in plain if cell.typed or cell.left]
    named = " ".join(filter(None, (cell.hand.cards for cell in cells.values())))
    told = {
        who: Hand(out=cell.hand.out, reserve=cell.hand.reserve, base=cell.seq)
        for who, cell in cells.items()
    }
    one = cells[first].hand
    told[first] = replace(
        told[first],
        left=named or "+".join(sums) or "0",
        table=one.table,
        made=any(cell.hand.made for cell in cells.values()),
        bonus={name: number for name, number in one.bonus.items() if number},
        aside=one.aside,
    )
    return told


def kept_of(variant: Variant, players: Sequence[int], told: Hands) -> dict[int, Hand]:
    """Turn what a form says of a team, once it’s read, into the hands that entries have.

    What it laid is with its first player, what it has left with the first who isn’t out. At most
    one of them went out. What the game doesn’t ask isn’t kept.
    """
    first, out = players[0], went_out(line_in(told, players))
    one = told.get(first, Hand())
    kinds = {kind.name for kind in variant.bonuses}
    kept = {
        who: Hand(
            left="" if who == out else "0",
            out=who == out,
            made=one.made or None,
            base=told[who].base if who in told else 0,
            reserve=who not in told or told[who].reserve or not variant.reserve,
        )
        for who in players
    }
    kept[first] = replace(
        kept[first],
        table=one.table,
        bonus={name: number for name, number in one.bonus.items() if name in kinds},
        aside=one.aside if variant.aside else 0,
    )
    one_in = next((who for who in players if who != out), first)
    if one.left:
        kept[one_in] = replace(kept[one_in], left=one.left)
    return kept


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
