"""The page of an evening: the games of one sitting, who won how many, and who pays whom."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Final

from sqlalchemy.orm import Session

from webapp.game.money import Winnings
from webapp.game.settlement import Balance, add_up
from webapp.history.lines import GameLine
from webapp.history.search import lines_of
from webapp.history.sessions import (
    Played,
    Sitting,
    day_of,
    last_counted,
    played_for_money,
    read_sitting,
    read_sittings,
)
from webapp.language import say
from webapp.own_games.catalog import names_of_games
from webapp.pages.scorepad.view import read_pad
from webapp.players.tokens import Token, deal_to
from webapp.text.formatting import joined, parts_of, say_day, say_length, say_time

MOST_WINNERS: Final = 3
"""The most winners in a heading."""


@dataclass(frozen=True, slots=True)
class EveningPlayer:
    """A player of an evening."""

    name: str
    token: Token
    wins: int
    games: int
    """The number of finished games in which they are ranked."""


@dataclass(frozen=True, slots=True)
class Debt:
    """One payment when the evening is settled."""

    payer: EveningPlayer
    payee: EveningPlayer
    amount: str

    @property
    def says(self) -> str:
        """The payment in words: "Ana pays Ben 3.40 €"."""
        return say(
            "evening.pays-amount", payer=self.payer.name, payee=self.payee.name, amount=self.amount
        )


@dataclass(frozen=True, slots=True)
class Money:
    """The winnings of an evening in one currency."""

    games: int
    balances: tuple[tuple[EveningPlayer, str], ...]
    """Everybody’s winnings with their sign: "+3.40 €"; the biggest winner first."""
    debts: tuple[Debt, ...]
    """The fewest payments that settle the winnings; none if nobody owes anything."""


@dataclass(frozen=True, slots=True)
class EveningLink:
    """A link to the page of an evening."""

    pub: str
    """The public id of one of its games."""
    day: date
    games: int
    wins_say: str
    """How many games each player won: "Ana 2, Ben 1"; empty until a game is finished."""

    @property
    def title(self) -> str:
        """The name of the evening: "This evening", or the day."""
        return say("evening.this") if self.day == _today() else say("evening.whole")

    @property
    def says(self) -> str:
        """A summary: "3 games · won: Ana 2, Ben 1"."""
        won = say("evening.won-by", wins=self.wins_say) if self.wins_say else ""
        return " · ".join(filter(None, (say("counts.games", n=self.games), won)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """The games that people played together on one evening, and who won what."""

    day: date
    lines: tuple[GameLine, ...]
    """The games in the order in which they were started."""
    players: tuple[EveningPlayer, ...]
    """Everybody who is ranked in a game, or could still be, with the most wins first."""
    finished: int
    """The number of finished games."""
    begins: datetime
    ends: datetime
    """When the last hand was counted."""
    money: tuple[Money, ...]
    """The winnings by currency; none if nobody played for money."""
    left_out: tuple[str, ...]
    """The games that aren’t in the winnings, and why, in sentences."""

    @property
    def title(self) -> str:
        """The winners: "Ana wins 2 of 3", "Ana and Ben win 1 each"."""
        most = max(player.wins for player in self.players)
        best = [player.name for player in self.players if player.wins == most]
        if not most:
            return say("evening.nobody")
        if len(best) > MOST_WINNERS:
            return say("evening.tied", n=most)
        if len(best) > 1:
            return say("evening.shared", names=joined(best), n=most)
        return say(
            "evening.wins",
            "some" if self.finished > 1 else "",
            name=best[0],
            n=most,
            of=self.finished,
        )

    @property
    def day_says(self) -> str:
        """The day: "Saturday, November 21, 2026"."""
        return say_day(self.day)

    @property
    def called(self) -> str:
        """The name of the page: "This evening" for today."""
        return say("evening.this") if self.day == _today() else say("evening.an")

    @property
    def length_says(self) -> str:
        """The length: "3 games · 2 h 40 min · 8 PM to 10:40 PM".

        If the evening ended on another day, the time when it ended has a weekday. If all games are
        from paper, only the number of games is known.
        """
        if all(line.on_paper for line in self.lines):
            return say("counts.games", n=len(self.lines))
        begins, ends = self.begins.astimezone(), self.ends.astimezone()
        until = say_time(ends)
        if day_of(ends) != self.day:
            until = say("dates.weekday-time", time=until, **parts_of(ends))
        minutes = int((ends - begins).total_seconds() // 60)
        span = say("evening.span", begins=say_time(begins), ends=until) if minutes else ""
        games = say("counts.games", n=len(self.lines))
        return " · ".join(filter(None, (games, say_length(minutes), span)))

    @property
    def share_says(self) -> str:
        """The evening as a message to send, with a line for each game and each payment."""
        return "\n".join(
            (
                f"{self.day_says}: {self.length_says}",
                self.title,
                *([say("evening.games-won", wins=say_wins(self.players))] if self.finished else []),
                *(f"{line.variant_name}: {_say_end(line)}" for line in self.lines),
                *(
                    f"{player.name} {amount}"
                    for balance in self.money
                    for player, amount in balance.balances
                ),
                *(debt.says for balance in self.money for debt in balance.debts),
                *(self.left_out if self.money else ()),
            )
        )


def read_evening(session: Session, pub: str) -> Evening:
    """Return the evening on which a game was played; raise GameNotFoundError."""
    sitting = read_sitting(session, pub)
    players = _players(sitting)
    there = {who for each in sitting.games for who in each.persons - each.unplaced} or {*players}
    games = [each.game for each in sitting.games]
    live = [each.game.id for each in sitting.games if not each.finished]
    timed = [each for each in games if not each.on_paper] or games
    ends = [each.ended_at for each in timed if each.ended_at]
    if live:
        ends += filter(None, [last_counted(session, live)])
    money, left_out = _read_money(session, sitting.games, players)
    return Evening(
        day=sitting.day,
        lines=tuple(lines_of(session, games, names_of_games(session))),
        players=tuple(
            sorted(
                (players[who] for who in players if who in there), key=lambda player: -player.wins
            )
        ),
        finished=sum(each.finished for each in sitting.games),
        begins=timed[0].started_at,
        ends=max(ends, default=timed[0].started_at),
        money=money,
        left_out=left_out,
    )


def link_to(session: Session, pub: str) -> EveningLink | None:
    """Return a link to the evening of a game; None if it was the only game on it.

    Raises GameNotFoundError.
    """
    return _link(read_sitting(session, pub))


def read_tonight(session: Session) -> tuple[EveningLink, ...]:
    """Return links to today’s evenings with more than one game, the latest first."""
    links = map(_link, read_sittings(session, _today()))
    return tuple(link for link in links if link)[::-1]


def say_wins(players: Iterable[EveningPlayer]) -> str:
    """Return wins by player: "Ana 2, Ben 1"; only those with a win."""
    return ", ".join(f"{player.name} {player.wins}" for player in players if player.wins)


def _today() -> date:
    return day_of(datetime.now(UTC))


def _link(sitting: Sitting) -> EveningLink | None:
    if len(sitting.games) < 2:  # noqa: PLR2004 - more than one
        return None
    players = sorted(_players(sitting).values(), key=lambda player: -player.wins)
    return EveningLink(
        sitting.games[0].game.pub, sitting.day, len(sitting.games), say_wins(players)
    )


def _players(sitting: Sitting) -> dict[int, EveningPlayer]:
    """Return everybody who played, by person, in the order in which they sat down."""
    people = {row.person: row for each in sitting.games for row in each.people}
    wins: Counter[int] = Counter()
    games: Counter[int] = Counter()
    for each in sitting.games:
        if each.finished:
            games.update(each.persons - each.unplaced)
            wins.update({row.person for row in each.people if row.won})
    tokens = deal_to((who, row.name, row.token) for who, row in people.items())
    return {
        who: EveningPlayer(row.name, tokens[who], wins[who], games[who])
        for who, row in people.items()
    }


def _read_money(
    session: Session, games: Sequence[Played], players: Mapping[int, EveningPlayer]
) -> tuple[tuple[Money, ...], tuple[str, ...]]:
    """Return the winnings in the finished games, and which games are left out."""
    staked = played_for_money(session, [each.game.id for each in games])
    paid: list[Winnings] = []
    going = bent = 0
    for each in games:
        if each.game.id not in staked:
            continue
        winnings = read_pad(session, each.game.pub).winnings
        persons = {row.player_id: row.person for row in each.people}
        going += not each.finished
        if each.finished and winnings and winnings.units:
            units: Counter[int] = Counter()
            for who, won in winnings.units.items():
                units[persons[who]] += won
            paid.append(replace(winnings, units=units))
        elif each.finished:
            bent += 1
    left_out = (
        (len(games) - len(staked), "no-stake"),
        (going, "live"),
        (bent, "bent"),
    )
    says = tuple(say("evening.left", why, n=count) for count, why in left_out if count)
    return tuple(_money(balance, players) for balance in add_up(paid)), says if staked else ()


def _money(balance: Balance, players: Mapping[int, EveningPlayer]) -> Money:
    def signed(units: int) -> str:
        return f"{'+' if units > 0 else ''}{balance.stake.says(units)}"

    balances = sorted(balance.units.items(), key=lambda each: -each[1])
    return Money(
        balance.games,
        tuple((players[who], signed(units)) for who, units in balances),
        tuple(
            Debt(players[payer], players[payee], balance.stake.says(units))
            for payer, payee, units in balance.payments
        ),
    )


def _say_end(line: GameLine) -> str:
    """Return how a game ended, in brief: "Ana won, by 50 · 6 rounds"."""
    return f"{line.won_by}, {line.round_says}" if line.won_by else line.round_says
