"""The page of a player: wins, how certain their rate is, streaks, and opponents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy.orm import Session

from referee import Lead, Variant
from webapp.game.own_names import split_kind
from webapp.history.lines import say_game
from webapp.history.search import persons_ids
from webapp.language import say
from webapp.own_games.catalog import names_of_games, read_catalog
from webapp.standings.rate import Rate
from webapp.standings.ratings import Rating, are_shown, read_ratings
from webapp.standings.results import (
    first_started,
    read_recent,
    read_steps,
    read_wins,
    sums_by_game,
)
from webapp.standings.rivals import (
    Against,
    Somebody,
    Together,
    find_somebody,
    read_against,
    read_partners,
)
from webapp.text.formatting import capital, decimal, ordinal, say_points

LAST: Final = 10
HARDEST: Final = 3

_FEWEST: Final = frozenset({Lead.LOWEST, Lead.FURTHEST})


@dataclass(frozen=True, slots=True)
class RecentGame:
    """The result of one game for a player."""

    pub: str
    won: bool
    place: int

    @property
    def says(self) -> str:
        """The place in words: "won", "3rd"."""
        return say("player.won") if self.won else ordinal(self.place)


@dataclass(frozen=True, slots=True)
class Hard:
    """A step of a game’s ladder that took a player many tries."""

    step: int
    says: str
    """The step with its contract: "Phase 4: 1 run of 7"."""
    tries: int
    made: int
    """How often they made the step."""

    @property
    def cost(self) -> str:
        """The tries in words: "3.2 rounds each time", "4 rounds, never made"."""
        if not self.made:
            return say("player.never-made", n=self.tries)
        return say("player.tries", rounds=decimal(self.tries / self.made))


@dataclass(frozen=True, slots=True)
class InGame:
    """A player’s results in one game."""

    name: str
    rate: Rate
    average: str
    """The points per game, rounded, as text."""
    best: str
    worst: str
    outs_says: str
    """How often they went out: "out in 12 of 60 rounds"; empty if no round was played."""
    hardest: tuple[Hard, ...]
    """The steps that took them most tries, in games with a ladder for each player."""
    rating: Rating | None
    """The rating; None if ratings are off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage:
    """Everything that is known about a player."""

    who: Somebody
    rate: Rate | None
    """The rate over all games; None if none was finished."""
    since: datetime | None
    """When the first finished game was started; None if none was finished."""
    streak: int
    """The longest streak of wins."""
    running: int
    """The current streak of wins."""
    last: tuple[RecentGame, ...]
    """The last 10 games, the latest last."""
    games: tuple[InGame, ...]
    """The results by game, the one played most first."""
    outs_says: str
    """How often they went out: "out in 120 of 600 rounds"; empty if no round was played."""
    against: tuple[Against, ...]
    """The opponents whom they meet most."""
    partners: tuple[Together, ...]
    """The partners whom they play with most; none if they always played alone."""

    @property
    def rated(self) -> bool:
        """Whether any game has a rating."""
        return any(game.rating for game in self.games)

    @property
    def favourite(self) -> int:
        """The id of the opponent they meet most; 0 if several tie, or if there is only one."""
        first, *others = self.against or (None,)
        if first is None or not others or others[0].games == first.games:
            return 0
        return first.other.person


def read_player(session: Session, number: int) -> PlayerPage:
    """Return a player’s page; raise PlayerNotFoundError."""
    who = find_somebody(session, number)
    ids = persons_ids(session, who.person)
    won = read_wins(session, ids)
    runs = [len(run) for run in bytes(won).split(b"\0")]
    sums = sums_by_game(session, ids)
    return PlayerPage(
        who=who,
        rate=Rate(sum(won), len(won)) if won else None,
        since=first_started(session, ids),
        streak=max(runs),
        running=runs[-1],
        last=tuple(RecentGame(*row) for row in reversed(read_recent(session, ids, LAST))),
        games=tuple(_in_games(session, who.person, ids, sums)),
        outs_says=_say_outs(sum(row.outs for row in sums), sum(row.rounds for row in sums)),
        against=tuple(read_against(session, ids)),
        partners=tuple(read_partners(session, ids)),
    )


def _in_games(
    session: Session, person: int, ids: Sequence[int], sums: Sequence[Any]
) -> Iterable[InGame]:
    known = {variant.slug: variant for variant in read_catalog(session).scored}
    names = names_of_games(session)
    hardest = _hardest(session, ids, known)
    slugs = [row.variant for row in sums]
    ratings = read_ratings(session, *slugs) if are_shown(session) else {}
    for row in sums:
        game = known.get(split_kind(row.variant)[0])
        best, worst = row.low, row.high
        if game is None or game.pad.lead not in _FEWEST:
            best, worst = worst, best
        rate = Rate(int(row.wins), int(row.games))
        yield InGame(
            name=say_game(names, row.variant),
            rate=rate,
            average=say_points(round(int(row.total) / rate.games)),
            best=say_points(best),
            worst=say_points(worst),
            outs_says=_say_outs(int(row.outs), int(row.rounds)),
            hardest=hardest.get(row.variant, ()),
            rating=ratings.get(row.variant, {}).get(person),
        )


def _hardest(
    session: Session, ids: Sequence[int], known: Mapping[str, Variant]
) -> dict[str, tuple[Hard, ...]]:
    """Return the steps with the most tries for each time they were made, by game; the most first.

    A step that was never made counts as made once; one that took a single try each time is left
    out.
    """
    found: dict[str, list[Hard]] = {}
    for slug, step, tries, made in read_steps(session, ids):
        game = known.get(slug)
        asks = game.step_says(step) if game else ""
        named = capital(game.words.step) if game else say("player.step")
        says = say("player.hard", "asks" if asks else "", step=named, number=step, asks=asks)
        hard = Hard(step, says, tries, made)
        if hard.tries > hard.made:
            found.setdefault(slug, []).append(hard)
    return {
        slug: tuple(
            sorted(each, key=lambda hard: (-hard.tries / max(hard.made, 1), hard.step))[:HARDEST]
        )
        for slug, each in found.items()
    }


def _say_outs(outs: int, rounds: int) -> str:
    return say("player.outs", n=rounds, outs=outs) if rounds else ""
