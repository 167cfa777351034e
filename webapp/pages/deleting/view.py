"""The page for deleting a person, a game or everything: what would be deleted, and what stays."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy.orm import Session

from webapp.history.search import name_of, persons_ids
from webapp.language import say
from webapp.ledger import deleting
from webapp.ledger.deleting import (
    games_of_own,
    is_erased,
    names_of,
    notes_naming,
)
from webapp.models import Player, utcnow
from webapp.own_games.catalog import latest_of, slug_of
from webapp.pages.scorepad.view import read_pad
from webapp.text.formatting import say_points, say_short_day
from webapp.text.refusals import PlayerNotFoundError

MOST_LINES: Final = 20
"""The most deletions that a page lists, and the most notes that name a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletionPage:
    """What would be deleted, and how to confirm it."""

    title: str
    goes: tuple[str, ...]
    """What would be deleted, in sentences."""
    stays: tuple[str, ...]
    word: str = ""
    """The word to type; empty if a tap is enough."""
    notes: tuple[tuple[str, str], ...] = ()
    """The notes that name a person: the game’s public id, and the text."""

    @property
    def expires(self) -> str:
        """The day from which no backup has what was deleted: "November 1, 2027".

        This assumes that there is a backup every month.
        """
        # A month’s last backup is kept until there are backups of 12 later months.
        now = utcnow().astimezone()
        last = now.date().replace(year=now.year + 1, day=1)
        return say_short_day(last)


def read_deletion(session: Session, kind: str, which: int | str) -> DeletionPage:
    """Return what deleting something means: a "player", a "game", an "own" game or "everything".

    `which` is the player’s id, the game’s public id or the own game’s number; else it’s ignored.
    Raises PlayerNotFoundError, GameNotFoundError or UnknownVariantError.
    """
    match kind:
        case "player":
            return _of_player(session, int(which))
        case "game":
            pad = read_pad(session, str(which))
            who = ", ".join(f"{each.name} {say_points(each.total)}" for each in pad.columns)
            after = pad.round_says if pad.on_paper else pad.ended_says
            rounds = say("deleting.rounds", rounds=after)
            return DeletionPage(
                title=say("deleting.game"),
                goes=(f"{pad.variant.name}: {who}", rounds),
                stays=(say("deleting.other-games"),),
            )
        case "own":
            title = latest_of(session, slug_of(int(which))).title
            played = games_of_own(session, int(which))
            return DeletionPage(
                title=say("deleting.one", what=title),
                goes=(say("deleting.own-rules", game=title),),
                stays=(say("deleting.own-origin"), say("deleting.own-played", n=played)),
            )
        case _:
            games, players = deleting.count_everything(session)
            return DeletionPage(
                title=say("deleting.everything"),
                goes=(
                    say("deleting.all-games", n=games),
                    say("deleting.all-players", n=players),
                    say("deleting.own-games"),
                ),
                stays=(say("deleting.settings"),),
                word=say("deleting.word"),
            )


def _of_player(session: Session, player_id: int) -> DeletionPage:
    player = session.get(Player, player_id)
    if player is None or is_erased(player) or not persons_ids(session, player_id):
        raise PlayerNotFoundError
    name = name_of(session, player_id)
    names = names_of(session, player_id)
    notes = tuple(notes_naming(session, names))
    goes = [say("deleting.name", name=name)]
    if names - {name}:
        goes.append(say("deleting.names", names=", ".join(sorted(names - {name}))))
    return DeletionPage(
        title=say("deleting.one", what=name),
        goes=tuple(goes),
        stays=(say("deleting.scores"), say("deleting.game-names")),
        word=name,
        notes=notes[:MOST_LINES],
    )


def read_deletions(session: Session) -> tuple[tuple[str, datetime], ...]:
    """Return what was deleted, without names, and when; the latest first."""
    rows = deleting.read_deletions(session, MOST_LINES)
    return tuple((say("deleting.deleted", row.kind, n=row.games), row.at) for row in rows)
