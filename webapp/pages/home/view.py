"""The home page’s view: what is being played, what was, and what the last table may ask."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from referee.variants import UnknownVariantError, in_language
from webapp.history.latest import latest_game
from webapp.history.lines import GameLine
from webapp.language import language
from webapp.own_games.catalog import GameLeftOutError, find_game
from webapp.pages.asking.view import AskPage, Where, read_asking, read_decisions
from webapp.pages.evening.view import EveningLink, read_tonight
from webapp.pages.history.view import read_again, read_last, read_live
from webapp.pages.scorepad.view import read_pad
from webapp.pages.standings.view import StandingLine, read_house

MOST_RANKED: Final = 4
"""The most players of the standings on the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage:
    """The home page."""

    live: tuple[GameLine, ...]
    """The games in progress, the latest started first."""
    last: tuple[GameLine, ...]
    """The games finished last."""
    again: GameLine | None
    """The game finished last, if none is in progress: one tap starts it again."""
    evenings: tuple[EveningLink, ...]
    """Links to today’s evenings with more than one game."""
    ranked: tuple[StandingLine, ...]
    """The best players over all games; none while nobody has played enough for a percentage."""
    asking: AskPage | None
    """What may be asked at the latest game’s table; None before the first game, and if that game
    has no referee."""


def read_home(session: Session) -> HomePage:
    """Return the home page."""
    live = read_live(session)
    return HomePage(
        live=live,
        last=read_last(session),
        again=None if live else read_again(session),
        evenings=tuple(read_tonight(session)),
        ranked=read_house(session).lines[:MOST_RANKED],
        asking=_asking(session, live[0].pub if live else latest_game(session)),
    )


def _asking(session: Session, pub: str | None) -> AskPage | None:
    """Return what may be asked in a game, or once it’s over, about its rules as published."""
    pad = read_pad(session, pub) if pub else None
    if pad is None or pad.variant.points_only:
        return None
    if not pad.finished:
        step = None if pad.variant.climbs_alone else pad.round_number
        where = Where(pub=pad.pub, step=step, decisions=read_decisions(session, pad.pub))
        return read_asking(in_language(pad.variant, language()), "", where)
    try:
        game = find_game(session, pad.variant.slug)
    except (UnknownVariantError, GameLeftOutError):
        return None
    return read_asking(in_language(game, language()), "", Where())
