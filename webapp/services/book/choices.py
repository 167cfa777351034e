"""The games and the years that can be asked for."""

from collections.abc import Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.models import Outcome
from webapp.services.book.lines import say_game


def read_choices(
    session: Session, names: Mapping[str, str]
) -> tuple[tuple[tuple[str, str], ...], tuple[int, ...]]:
    """The games that were finished here, and the years from the first to the last of them.

    Of games slug and name; `names` are those of `names_of_games`.
    """
    # One after the other, the next by its index: what is asked in one go reads all there is.
    slug, month = col(Outcome.variant), col(Outcome.month)
    found = select(func.min(slug).label("slug")).cte("found", recursive=True)
    following = select(func.min(slug)).where(slug > found.c.slug).scalar_subquery()
    found = found.union_all(select(following).where(found.c.slug.is_not(None)))
    slugs = session.execute(select(found.c.slug).where(found.c.slug.is_not(None))).scalars()
    games = {each: say_game(names, each) for each in slugs}
    ends = (select(end(month)).scalar_subquery() for end in (func.min, func.max))
    first, last = session.execute(select(*ends)).one()
    years = range((last or 0) // 100, (first or 100) // 100 - 1, -1)
    return tuple(sorted(games.items(), key=lambda game: game[1])), tuple(years)
