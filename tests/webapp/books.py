"""Books of random games: played through the ledger, and read once more as plainly as can be."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from referee import Lead, Variant, variants
from tests.bench.games import FIRST, write_games
from webapp.db import Database
from webapp.game.facts import (
    Counted,
    Fact,
    Finished,
    Noted,
    Reopened,
    Started,
    Totalled,
)
from webapp.game.hand import Hand
from webapp.game.replay import GameState
from webapp.ledger import ledger
from webapp.models import Game, Player
from webapp.players.queries import add_player, find_player


def add_players(database: Database, number: int) -> list[int]:
    """Put people on the roster; answers their numbers."""

    def add(session: Session) -> list[int]:
        names = [f"Player {each}" for each in range(1, number + 1)]
        for name in names:
            add_player(session, name, ledger.FormKey(key=ledger.new_key()))
        return [find_player(session, name) or 0 for name in names]

    return database.write(add)


def play_at_random(
    database: Database,
    chance: random.Random,
    players: Sequence[int],
    games: int,
    *,
    teams: bool = False,
) -> list[str]:
    """Play games of all kinds at random, many in one transaction; answers their public ids.

    Most are finished, some never counted, some reopened, some corrected after their end, some from
    paper. With `teams`, all are played in teams.
    """
    pubs = []
    for first in range(0, games, 50):
        pubs += database.write(_play, chance, players, min(50, games - first), teams=teams)
    return pubs


def _play(
    session: Session, chance: random.Random, players: Sequence[int], games: int, *, teams: bool
) -> list[str]:
    return [_play_one(session, chance, players, teams=teams) for _ in range(games)]


def _play_one(
    session: Session, chance: random.Random, players: Sequence[int], *, teams: bool
) -> str:
    (start,), *commands = _commands(chance, players, teams=teams)
    form = ledger.Submission(key=ledger.new_key(), content="", device="phone")
    assert isinstance(start, Started)
    pub = ledger.begin(session, form, start)
    for facts in commands:
        key = ledger.new_key()
        sent = ledger.Submission(key=key, content=key, device="phone")
        ledger.enter(session, pub, sent, lambda _, facts=facts: facts)
    return pub


def write_at_random(
    database: Database, chance: random.Random, players: Sequence[int], games: int, days: int
) -> None:
    """Write the same at once into a book that has none, from a day on spread over many."""
    written = (
        (
            number,
            FIRST + timedelta(days=days * number // games),
            [fact for command in _commands(chance, players) for fact in command],
        )
        for number in range(1, games + 1)
    )
    database.write(write_games, written)


def _draw(
    chance: random.Random, players: Sequence[int], *, teams: bool
) -> tuple[Variant, tuple[int, ...]]:
    """A game of any kind, or one for teams, and who plays it."""
    kept = variants.all()
    if teams:
        tables = [
            (each, n)
            for each in kept
            for n in each.players
            if n <= len(players) and each.in_teams(n)
        ]
        variant, number = chance.choice(tables)
        return variant, tuple(chance.sample(players, number))
    variant = chance.choice(kept)
    least, most = variant.players[0], variant.players[-1]
    number = min(chance.randint(least, min(most, 5)), len(players))
    return variant, tuple(chance.sample(players, number))


def _commands(
    chance: random.Random, players: Sequence[int], *, teams: bool = False
) -> list[list[Fact]]:
    """A game of any kind: its start, and what is entered after it, form by form."""
    variant, seats = _draw(chance, players, teams=teams)
    begun: list[Fact] = [Started(variant=variant.slug, rules="1", seats=seats, dealer=0)]
    numbers = range(1, chance.choice([0, 1, 2, 2, 3]) + 1)
    if chance.random() < 0.1:
        together = [[seats[place] for place in team] for team in variant.teams(len(seats))]
        came = [(5 * chance.randint(-9, 60), team) for team in together]
        totals = {who: total for total, team in came for who in team}
        won = chance.sample(together, chance.choice([1, 1, 1, 2]))
        winners = tuple(who for team in won for who in team)
        return [begun, [Totalled(totals=totals, winners=winners), Finished(by="table")]]
    commands: list[list[Fact]] = [
        [Counted(round=n, hands=_hands(chance, seats, variant)) for n in numbers]
    ]
    if chance.random() < 0.2:
        commands[0].append(Noted(round=1, text=f"Note {chance.randint(1, 9)}"))
    if chance.random() < 0.9:
        commands[0].append(Finished(by="table"))
        if chance.random() < 0.2:
            commands.append([Reopened()])
            if numbers and chance.random() < 0.7:
                more = Counted(round=len(numbers) + 1, hands=_hands(chance, seats, variant))
                commands.append([more, Finished(by="table")])
    return [begun, *(command for command in commands if command)]


def _hands(chance: random.Random, seats: Sequence[int], variant: Variant) -> dict[int, Hand]:
    out = chance.choice(seats)
    hands = {
        who: Hand(out=True)
        if who == out
        else Hand(left=str(5 * chance.randint(1, 30)), made=chance.random() < 0.5)
        for who in seats
    }
    if variant.in_teams(len(seats)):
        # What a team has is with its first player.
        for first, *_ in variant.teams(len(seats)):
            hands[seats[first]] = replace(
                hands[seats[first]],
                table=str(5 * chance.randint(0, 200)),
                bonus={each.name: chance.randint(0, 2) for each in variant.bonuses},
                aside=chance.randint(0, 4) if variant.aside else 0,
                reserve=chance.random() < 0.8 if variant.reserve else True,
            )
    return hands


@dataclass
class Plain:
    """What the players of a book have come to, counted one game after the other."""

    games: Counter[Any] = field(default_factory=Counter)
    """By person, game and span: a month, a year, or 0."""
    wins: Counter[Any] = field(default_factory=Counter)
    totals: dict[Any, list[int]] = field(default_factory=lambda: defaultdict(list))
    """By person and game."""
    places: dict[Any, list[int]] = field(default_factory=lambda: defaultdict(list))
    """By person and game, in games with at least 2 places."""
    outs: Counter[int] = field(default_factory=Counter)
    rounds: Counter[int] = field(default_factory=Counter)
    results: dict[int, list[bool]] = field(default_factory=lambda: defaultdict(list))
    """Whether they have won, game by game."""
    ahead: Counter[tuple[int, int]] = field(default_factory=Counter)
    together: Counter[tuple[int, int]] = field(default_factory=Counter)
    tries: Counter[Any] = field(default_factory=Counter)
    """Rounds spent on a step, by person, game and step."""
    made: Counter[Any] = field(default_factory=Counter)

    def streak(self, person: int) -> int:
        """The most wins in a row."""
        text = "".join("w" if won else "-" for won in self.results[person])
        return max(map(len, text.split("-")))


def read_plainly(database: Database) -> Plain:
    """Read all finished games from their entries, without a projection."""
    return database.read(_read_plainly)


def _read_plainly(session: Session) -> Plain:
    plain = Plain()
    persons = {each.id: each.same_as or each.id for each in session.scalars(select(Player))}
    for pub in session.scalars(select(col(Game.pub)).order_by(col(Game.id))):
        state = ledger.read_game(session, pub)
        if state.finished and (state.rounds or state.totalled):
            _add(plain, state, persons)
    return plain


def _add(plain: Plain, state: GameState, persons: dict[Any, Any]) -> None:
    begun, game = state.entered[0].at, state.start.variant
    spans = (0, begun.year, int(f"{begun:%Y%m}"))
    paper = state.totalled
    played = [who for who in state.seats if any(who in hands for hands in state.rounds) or paper]
    climbed = [(99,) * len(state.seats)] * (len(state.rounds) + 1)
    if state.variant.climbs_alone:
        climbed = [state.score_before(n + 1).steps for n in range(len(climbed))]
    for who in played:
        place, person = state.seats.index(who), persons[who]
        for span in spans:
            plain.games[person, game, span] += 1
            plain.wins[person, game, span] += place in state.winners
        total = paper.totals[who] if paper else state.score.totals[place]
        plain.totals[person, game].append(total)
        if len({state.places[state.seats.index(each)] for each in played}) > 1:
            plain.places[person, game].append(state.places[place])
        plain.results[person].append(place in state.winners)
        for number, hands in enumerate(state.rounds, 1):
            if who in hands:
                plain.rounds[person] += 1
                plain.outs[person] += hands[who].hand.out
                # As the pad says it: the step before the round, and the one after it.
                step, after = (climbed[n][place] for n in (number - 1, number))
                if step <= state.variant.steps:
                    plain.tries[person, game, step] += 1
                    plain.made[person, game, step] += after > step
        for other in played:
            if persons[other] != person and not _are_partners(state, who, other):
                plain.together[person, persons[other]] += 1
                plain.ahead[person, persons[other]] += _is_ahead(state, who, other)


def _are_partners(state: GameState, who: int, other: int) -> bool:
    return any({who, other} <= {state.seats[place] for place in team} for team in state.teams)


def _is_ahead(state: GameState, who: int, other: int) -> bool:
    mine, theirs = state.seats.index(who), state.seats.index(other)
    won, lost = mine in state.winners, theirs in state.winners
    if won != lost:
        return won
    if state.totalled and state.variant.pad:
        # Of games that go by rounds won or by phases, too, paper has nothing but the totals.
        better, worse = state.totalled.totals[who], state.totalled.totals[other]
        fewest = state.variant.pad.lead in {Lead.LOWEST, Lead.FURTHEST}
        return better < worse if fewest else better > worse
    return state.score.places[mine] < state.score.places[theirs]
