"""The end of a game: who won by how much, all places, and remarkable facts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from referee import Lead
from webapp.game.facts import Joined, Left
from webapp.game.replay import GameState
from webapp.language import say, write
from webapp.pages.scorepad.pad import Pad, PadRow, SeatColumn
from webapp.text.formatting import ordinal, say_points

ON_THE_PODIUM: Final = 3
_FEW: Final = 2
_FEWEST: Final = frozenset({Lead.LOWEST, Lead.FURTHEST})


@dataclass(frozen=True, slots=True)
class FinishPlace:
    """A player’s or a team’s place in the standings; those who tie share one."""

    rank: int
    """The place, from 1."""
    seat: SeatColumn
    is_lost: bool
    """Whether they reached the total at which a player loses."""
    left: int | None = None
    """The last round before they left for good; 0 before the first, None if they stayed."""

    @property
    def name(self) -> str:
        """The name, or the names of a team: "Ana + Cleo"."""
        return " + ".join(each.name for each in self.seat.players)

    @property
    def says(self) -> str:
        """The place in words: "2nd"; "★ 1st" for a winner, "4th, lost" for a loser.

        For a player who left, it says so: "★ 1st · left after round 1".
        """
        place = ordinal(self.rank)
        if self.seat.wins:
            place = f"★ {place}"
        elif self.is_lost:
            place = say("sheet.place-lost", place=place)
        if self.left is None:
            return place
        return say("sheet.place-left", "" if self.left else "before", place=place, number=self.left)


def rank(pad: Pad, left: Mapping[int, int]) -> tuple[FinishPlace, ...]:
    """Return the columns by place, best first, without players who aren’t ranked.

    `left` is the last round before each player left, as `read_left` returns it.
    """
    rules = pad.variant.pad
    loses = rules.target if rules.lead is Lead.LOWEST and pad.finished else None
    placed = sorted(
        ((seat.place, seat) for seat in pad.columns if seat.place), key=lambda each: each[0]
    )
    return tuple(
        FinishPlace(
            place,
            seat,
            is_lost=loses is not None and not seat.wins and seat.total >= loses,
            left=left.get(seat.player_id),
        )
        for place, seat in placed
    )


def say_margin(pad: Pad, places: tuple[FinishPlace, ...]) -> str:
    """Return the margin and the length: "by 50 points, after 6 rounds".

    Without a margin it’s only the length. For a game from paper, the length is "from paper".
    """
    rounds = say("sheet.after", n=sum(row.complete for row in pad.rows))
    rounds = say("games.from-paper") if pad.on_paper else rounds
    if pad.margin:
        points = say_points(pad.margin)
        return say("sheet.won-points", n=pad.margin, points=points, rounds=rounds)
    won = [each.seat.games_won for each in places if each.seat.wins]
    behind = [each.seat.games_won for each in places if not each.seat.wins]
    if won and behind and won[0] is not None and behind[0] is not None and won[0] > behind[0]:
        return say("sheet.won-games", n=won[0], others=behind[0], rounds=rounds)
    return rounds


def read_left(state: GameState) -> Mapping[int, int]:
    """Return the last round before each player left for good, by player; 0 before the first."""
    left: dict[int, int] = {}
    for entry in state.moves:
        match entry.fact:
            case Left(player=player, round=number):
                left[player] = number - 1
            case Joined(player=player):
                left.pop(player, None)
    return left


def find_facts(pad: Pad, state: GameState) -> Iterator[Markup]:
    """Yield what was remarkable, in sentences that are each true of one player or team only.

    They say who went out most, since when the winner led, and whose round was the worst, or the
    best if most points win. In a team, each player has their own outs. Players who aren’t ranked
    are left out.
    """
    columns = [column for column in enumerate(pad.columns) if column[1].place]
    rounds = [row for row in pad.rows if row.complete]
    if not rounds or not columns:
        return
    players = [each for _, column in columns for each in column.players]
    outs = [
        sum(cells[each.player_id].hand.out for cells in state.rounds if each.player_id in cells)
        for each in players
    ]
    most = max(outs)
    if most > 1 and outs.count(most) == 1:
        name = players[outs.index(most)].name
        yield write("sheet.outs", name=name, outs=most, n=len(rounds))
    since = _led_since(pad)
    if since:
        winner = next(seat for _, seat in columns if seat.wins)
        yield write("sheet.led", n=len(winner.players), name=winner.name, number=since)
    yield from _outstanding(pad, rounds, columns)


def _outstanding(
    pad: Pad, rounds: Sequence[PadRow], columns: Sequence[tuple[int, SeatColumn]]
) -> Iterator[Markup]:
    """Yield whose round was the worst, or the best if most points win; nothing if two tie."""
    played = [
        (points, row.number, seat)
        for row in rounds
        for place, seat in columns
        if row.cells[place].seq and (points := row.cells[place].points) is not None
    ]
    # Whoever played may have left, and the others joined after the last round.
    points = max((points for points, _, _ in played), default=0)
    found = [(number, seat) for each, number, seat in played if each == points]
    which = "worst" if pad.variant.pad.lead in _FEWEST else "best"
    # Of two rounds, the winner’s worst is no news.
    few = len(rounds) <= _FEW and which == "worst"
    if points and len(found) == 1 and not (few and found[0][1].wins):
        number, seat = found[0]
        says = say_points(points)
        yield write("sheet.round", which, name=seat.name, points=says, number=number)


def _led_since(pad: Pad) -> int:
    """Return the round since which the winner alone has led; 0 if they always did, or never.

    Also 0 in a game in which it isn’t totals that count.
    """
    lead = pad.variant.pad.lead
    winner = next((place for place, seat in enumerate(pad.columns) if seat.wins), None)
    if winner is None or lead not in {Lead.LOWEST, Lead.HIGHEST}:
        return 0
    sign = 1 if lead is Lead.LOWEST else -1
    rounds = [row for row in pad.rows if row.complete]
    totals = {
        place: [
            sign * total
            for total in seat.totals((row.cells[place] for row in rounds), rounds[0].number)
        ]
        for place, seat in enumerate(pad.columns)
        if seat.place
    }
    others = [each for place, each in totals.items() if place != winner]
    if not others:
        return 0
    leads = [mine < min(theirs) for mine, *theirs in zip(totals[winner], *others, strict=True)]
    if all(leads) or not leads[-1]:
        return 0
    return rounds[len(leads) - [*reversed(leads)].index(False)].number


def say_result(pad: Pad, places: tuple[FinishPlace, ...]) -> str:
    """Return the result as a message to send, in one line: the game, the totals, the winner."""
    totals = (
        " ".join(
            (each.name, ", ".join(filter(None, (say_points(each.seat.total), each.seat.won_says))))
        )
        for each in places
    )
    return " · ".join((pad.variant.name, *totals, f"{pad.title} ★"))
