"""Two players: all their games against each other."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from webapp.history.lines import GameLine, say_game
from webapp.history.search import MOST_LINES, lines_of, persons_ids, read_rows
from webapp.own_games.catalog import names_of_games
from webapp.standings.rivals import Against, Somebody, find_somebody, games_of_both, read_scores
from webapp.text.refusals import PlayerNotFoundError


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPage:
    """Two players, and all their games against each other."""

    one: Somebody
    other: Somebody
    score: Against
    by_game: tuple[tuple[str, Against], ...]
    """The results by game, the one played most first."""
    lines: tuple[GameLine, ...]
    older: int | None
    """The id of the last game on this page, if there are more before it; else None."""


def read_pair(session: Session, one: int, other: int, before: int | None = None) -> PairPage:
    """Return the page of two players: their latest games, or those before game number `before`.

    Raises PlayerNotFoundError, even if both are the same person.
    """
    first, second = find_somebody(session, one), find_somebody(session, other)
    if first.person == second.person:
        raise PlayerNotFoundError
    ours, theirs = persons_ids(session, first.person), persons_ids(session, second.person)
    names = names_of_games(session)
    by_game = sorted(
        (
            (say_game(names, variant), score)
            for variant, score in read_scores(session, ours, second, theirs)
        ),
        key=lambda each: (-each[1].games, each[0]),
    )
    found = games_of_both(session, ours, theirs, MOST_LINES + 1, before)
    games = sorted(read_rows(session, found), key=lambda row: found.index(row.id))
    shown = games[:MOST_LINES]
    counts = [each for _, each in by_game]
    return PairPage(
        one=first,
        other=second,
        score=Against(
            second,
            sum(each.games for each in counts),
            sum(each.ahead for each in counts),
            sum(each.behind for each in counts),
        ),
        by_game=tuple(by_game),
        lines=tuple(lines_of(session, shown, names)),
        older=shown[-1].id if len(games) > MOST_LINES else None,
    )
