"""The end of a game: who won by how much, all places, and remarkable facts."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Final

from referee import Lead
from webapp.language import say
from webapp.pages.scorepad.pad import Pad, SeatColumn
from webapp.text.formatting import joined, ordinal, say_points

ON_THE_PODIUM: Final = 3
_FEWEST: Final = frozenset({Lead.LOWEST, Lead.FURTHEST})


@dataclass(frozen=True, slots=True)
class FinishPlace:
    """A player’s or a team’s place in the standings; those who tie share one."""

    rank: int
    """From 1."""
    seat: SeatColumn
    is_lost: bool
    """Whether they reached the total at which a player loses."""

    @property
    def says(self) -> str:
        """The place in words: "2nd"; "★ won" for a winner, "4th, lost" for a loser."""
        if self.seat.wins:
            return say("sheet.place-won", n=len(self.seat.players))
        place = ordinal(self.rank)
        return say("sheet.place-lost", place=place) if self.is_lost else place


@dataclass(frozen=True, slots=True)
class Fact:
    """A remarkable fact about a game: a number and its label."""

    number: int
    says: str


def rank(pad: Pad) -> tuple[FinishPlace, ...]:
    """Return the columns by place, best first, without players who aren’t ranked."""
    rules = pad.variant.pad
    loses = rules.target if rules.lead is Lead.LOWEST and pad.finished else None
    placed = sorted(
        ((seat.place, seat) for seat in pad.columns if seat.place), key=lambda each: each[0]
    )
    return tuple(
        FinishPlace(
            place, seat, is_lost=loses is not None and not seat.wins and seat.total >= loses
        )
        for place, seat in placed
    )


def say_margin(pad: Pad, places: tuple[FinishPlace, ...]) -> str:
    """Return the margin and the length: "by 50 points, after 6 rounds".

    For a game from paper it’s "by 50 points, from paper".
    """
    rounds = say("sheet.after", n=sum(row.complete for row in pad.rows))
    rounds = say("games.from-paper") if pad.on_paper else rounds
    if pad.margin:
        return say("sheet.won-points", n=pad.margin, rounds=rounds)
    won = [each.seat.games_won for each in places if each.seat.wins]
    behind = [each.seat.games_won for each in places if not each.seat.wins]
    if won and behind and won[0] is not None and behind[0] is not None and won[0] > behind[0]:
        return say("sheet.won-games", n=won[0], others=behind[0], rounds=rounds)
    return rounds


def find_facts(pad: Pad) -> Iterator[Fact]:
    """Yield remarkable facts: how long the winner led, who went out most, the biggest swing.

    A player who isn’t ranked isn’t compared with others.
    """
    rule = pad.variant.pad
    columns = [column for column in enumerate(pad.columns) if column[1].place]
    rounds = [row for row in pad.rows if row.complete]
    if not rounds:
        return
    led = _rounds_led(pad, rule.lead)
    if led:
        yield Fact(led, say("sheet.led", n=led))
    outs = [sum(row.cells[place].out for row in rounds) for place, _ in columns]
    if max(outs) > 1:
        most = (seat for (_, seat), n in zip(columns, outs, strict=True) if n == max(outs))
        who = joined(each.name for seat in most for each in seat.players)
        yield Fact(max(outs), say("sheet.outs", names=who))
    played = [
        (points, seat.name, row.number)
        for row in rounds
        for place, seat in columns
        if (points := row.cells[place].points) is not None
    ]
    if not played:
        # All players of the rounds have left, and the others joined after the last round.
        return
    points, name, number = max(played)
    which = "worst" if rule.lead in _FEWEST else "best"
    yield Fact(points, say("sheet.round", which, name=name, number=number))
    swings = [(max(run) - min(run), number) for number, run in _by_round(played)]
    yield Fact(max(swings)[0], say("sheet.swing", number=max(swings)[1]))


def _by_round(played: list[tuple[int, str, int]]) -> Iterator[tuple[int, list[int]]]:
    for number, cells in groupby(played, lambda each: each[2]):
        yield number, [points for points, _, _ in cells]


def _rounds_led(pad: Pad, lead: Lead) -> int:
    """Return after how many rounds the winner had the best total; 0 if totals don’t count."""
    winner = next((place for place, seat in enumerate(pad.columns) if seat.wins), None)
    if winner is None or lead not in {Lead.LOWEST, Lead.HIGHEST}:
        return 0
    best = min if lead is Lead.LOWEST else max
    rounds = [row for row in pad.rows if row.complete]
    totals = [
        list(accumulate((row.cells[place].points or 0 for row in rounds), initial=seat.carried))[1:]
        for place, seat in enumerate(pad.columns)
    ]
    placed = [place for place, seat in enumerate(pad.columns) if seat.place]
    runs = zip(*totals, strict=True)
    return sum(run[winner] == best(run[place] for place in placed) for run in runs)


def say_result(pad: Pad, places: tuple[FinishPlace, ...]) -> str:
    """Return the result as a message to send, with a line for the winner and each player."""
    lines = [f"{pad.title} – {pad.variant.name}, {say_margin(pad, places)}"]
    for each in places:
        score = ", ".join(filter(None, (say_points(each.seat.total), each.seat.won_says)))
        lines.append(f"{each.rank}. {each.seat.name} {score}")
    return "\n".join(lines)
