"""Teams: who plays together, the names of teams, and their lines in a form.

None of this is stored: it follows from the seats. In a game without teams each player is a team of
one, with their own name. A form has one line for each team, named for its first player. That line
has what the team laid and has left. Who went out, and who didn’t take a second hand, is entered
player by player.
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
    """A team of a game: its seats, players and name; in games without teams, a single player."""

    index: int
    """The number of the team, from 0, in the order in which their first players sit."""
    seats: tuple[int, ...]
    """The seats of its players, from 0."""
    players: tuple[int, ...]
    """The players’ ids, in the order of `seats`."""
    name: str
    """The players’ names together: "Ann and Ben"."""


def read_teams(state: GameState, names: Mapping[int, str]) -> tuple[Team, ...]:
    """Return the teams of a game, in seat order."""
    return tuple(
        Team(index, places, players, joined(names[who] for who in players))
        for index, (places, players) in enumerate(zip(state.teams, teams_in(state), strict=True))
    )


def teams_in(state: GameState) -> tuple[tuple[int, ...], ...]:
    """Return the player ids of each team; the fields of a team’s line are named for the first."""
    return tuple(tuple(state.seats[seat] for seat in team) for team in state.teams)


def is_by_team(state: GameState) -> bool:
    """Return whether a game is counted by team.

    It is if partners meld together, or if each hand has more to enter than cards.
    """
    variant = state.variant
    if variant.pad.hand_by_hand:
        return False
    more = variant.bonuses or variant.aside or variant.reserve
    return bool(more) or variant.in_teams(len(state.seats))


def lines_of(state: GameState, number: int) -> tuple[tuple[int, ...], ...]:
    """Return the lines of the count form of round `number`, each as the ids of its players."""
    if is_by_team(state):
        return teams_in(state)
    return tuple((player,) for player in state.players_of(number))


def line_in(hands: Hands, players: Sequence[int]) -> dict[int, Hand]:
    """Return those of `hands` that belong to a line’s players, by player."""
    return {who: hands[who] for who in players if who in hands}


def went_out(hands: Hands) -> int:
    """Return the player who went out, the first if there are several; 0 for nobody."""
    return next((who for who, hand in hands.items() if hand.out), 0)


def hands_on_pad(players: Sequence[int], cells: Mapping[int, Cell]) -> dict[int, Hand]:
    """Return a team’s counted hands as a form has them: what is left is with the first player.

    It’s the opposite of `kept_of`. `cells` has the hands by player, one for each of `players`.
    """
    first = players[0]
    plain = [cell for cell in cells.values() if not cell.hand.cards]
    # The partners’ hands become one sum or one list of cards, as a form has one field for all.
    sums = [cell.typed or str(cell.left) for cell in plain if cell.typed or cell.left]
    named = " ".join(filter(None, (cell.hand.cards for cell in cells.values())))
    told = {who: replace(_own_part(cell.hand), base=cell.seq) for who, cell in cells.items()}
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
    """Return a team’s hands as entries store them, from `told`, the hands of a form after reading.

    A form has everything that a team shares with its first player. In entries, what it laid is with
    the first player, and what it has left is with the first player who isn’t out, because a player
    who went out has nothing left. At most one of them went out. Anything that the game doesn’t ask
    for isn’t stored.
    """
    first, out = players[0], went_out(line_in(told, players))
    one = told.get(first, Hand())
    kinds = {kind.name for kind in variant.bonuses}
    kept = {
        who: replace(
            _own_part(told.get(who, Hand())),
            left="" if who == out else "0",
            out=who == out,
            made=one.made or None,
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
    # Cards left need a player who isn’t out. A team of one that went out has nobody else.
    one_in = next((who for who in players if who != out), first)
    if one.left:
        kept[one_in] = replace(kept[one_in], left=one.left)
    return kept


def _own_part(hand: Hand) -> Hand:
    """Return a copy of a hand without what a team shares: only `out`, `base` and `reserve` stay."""
    return replace(
        hand,
        left="",
        table="",
        made=None,
        laid=(),
        shown="",
        close="",
        joker=False,
        bonus={},
        aside=0,
        pairs=False,
        penalties=0,
    )


def brief_kinds(variant: Variant) -> dict[str, str]:
    """Return the short names of the kinds of bonus melds, by kind: "Natural", "Mixed"."""
    return {
        kind.name: capital(kind.called.forms.get("short", kind.name.replace("-", " ")))
        for kind in variant.bonuses
    }


def brief_counts(variant: Variant, counts: Mapping[str, int]) -> Iterator[str]:
    """Yield the number of bonus melds of each kind, in brief: "natural", "2 sambas"."""
    for kind in variant.bonuses:
        forms, n = kind.called.forms, counts.get(kind.name, 0)
        one = forms.get("short", kind.name.replace("-", " "))
        if n:
            yield one if n == 1 else f"{n} {forms.get('shorts', one)}"


def say_aside(variant: Variant) -> str:
    """Return the name of the cards placed face up, as "Red 3s"; empty if the game has none."""
    cards = sorted(variant.aside.cards, key=str) if variant.aside else []
    ranks = {card.rank for card in cards}
    for how, some in (("red", _RED), ("black", _BLACK), ("all", _RED | _BLACK)):
        if len(ranks) == 1 and {str(card)[-1:] for card in cards} == some:
            rank = str(cards[0])[:-1]
            return say("tally.cards", how, rank, rank=rank)
    return variant.speaker.cards(tuple(cards))
