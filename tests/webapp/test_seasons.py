"""Seasons: all time, a year, a month; and who has improved from one to the next."""

import random
import shutil
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from referee import variants
from tests.bench.games import FIRST
from tests.webapp.books import Plain, add_players, read_plainly, write_at_random
from webapp.db import Database
from webapp.pages.standings.view import read_house
from webapp.standings.seasons import season_before, seasons_of

YEAR = FIRST.year
GAMES = [variant.slug for variant in variants.all()]
EACH = 40
"""Times that a game is played, about."""


@pytest.fixture(scope="module")
def book(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Games of three years, ten or more a year of each game there is."""
    file = shutil.copy(migrated_sqlite, tmp_path_factory.mktemp("book"))
    database = Database(f"sqlite:///{file}")
    write_at_random(
        database, random.Random(4), add_players(database, 4), EACH * len(GAMES), 3 * 365
    )
    yield database
    database.close()


@pytest.fixture(scope="module")
def plain(book: Database) -> Plain:
    """The same, counted one game after the other."""
    return read_plainly(book)


def improved(plain: Plain, game: str, now: int, before: int) -> tuple[int, Fraction] | None:
    """Who has improved most and by how much, one after the other."""
    best = None
    for person in range(1, 5):
        if min(plain.games[person, game, now], plain.games[person, game, before]) < 10:
            continue
        rates = [
            Fraction(plain.wins[person, game, span], plain.games[person, game, span])
            for span in (now, before)
        ]
        if rates[0] > rates[1] and (best is None or rates[0] - rates[1] > best[1]):
            best = (person, rates[0] - rates[1])
    return best


@pytest.mark.slow
def test_the_most_improved_player_is_that_of_a_plain_count(book: Database, plain: Plain) -> None:
    found = defaultdict(set)
    for game in GAMES:
        for season in (0, YEAR, YEAR + 1, YEAR + 2):
            now = season or YEAR + 2
            who = improved(plain, game, now, now - 1)
            most = book.read(read_house, game, season).improved
            assert (most and most.line.person) == (who and who[0])
            found[bool(who)].add(game)
    assert found[True]
    assert found[False]


@pytest.mark.slow
def test_standings_of_a_month_are_those_of_a_plain_count(book: Database, plain: Plain) -> None:
    months = sorted({span for _, _, span in plain.games if span > 9999})
    assert len(months) > 30
    for place, game in enumerate(GAMES):
        # Every third month, another one for each game; and all of one.
        for month in months[place % 3 :: 3] if place else months:
            house = book.read(read_house, game, month)
            lines = (*house.lines, *house.few)
            assert {(line.person, line.rate.games, line.rate.wins) for line in lines} == {
                (person, count, plain.wins[person, of, when])
                for (person, of, when), count in plain.games.items()
                if (of, when) == (game, month)
            }


def test_below_the_year_that_is_shown_stand_its_months() -> None:
    months = [201802, 201711, 201703, 201612]

    def shown(season: int) -> list[int]:
        return [each for each, _ in seasons_of(months, season)]

    assert shown(0) == [0, 2018, 2017, 2016]
    assert shown(2017) == [0, 2018, 2017, 201711, 201703, 2016]
    assert shown(201703) == shown(2017)
    # What was asked for by its address alone is shown, too.
    assert shown(201705) == [0, 2018, 2017, 201711, 201703, 201705, 2016]
    assert [says for _, says in seasons_of(months, 2017)][3:5] == ["November", "March"]


def test_a_season_is_compared_with_the_last_one_in_which_something_was_played() -> None:
    months = [201802, 201711, 201703, 201512]

    assert season_before(months, 0) == (2018, 2017)
    assert season_before(months, 2017) == (2017, 2015)
    assert season_before(months, 201711) == (201711, 201703)
    assert season_before(months, 2015) is None
    assert season_before(months, 2016) is None
    assert season_before([], 0) is None
