"""The roster: the people who play at this table."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import func, select
from sqlmodel import col

from webapp import ledger
from webapp.models import NAME_LENGTH, Player, Seat
from webapp.services.refusals import NameRefusedError, PlayerExistsError, PlayerNotFoundError
from webapp.services.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlalchemy.orm import Session

    from webapp.ledger import Sent

MOST_CHARACTERS: Final = 24
"""Characters of a name as a reader counts them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """One person on the roster."""

    id: int
    name: str
    games: int
    """How many games they have sat at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Everybody, by name; with what was typed when a name was refused."""

    players: tuple[PlayerLine, ...]
    typed: str
    """The name that was refused when adding; or empty."""
    problem: str
    """Why; or empty."""
    renaming: int | None
    """The player whose new name was refused; None if it was an added one."""
    key: str


def clean_name(text: str) -> str:
    """Make a typed name fit to be kept: composed, trimmed, without what cannot be seen.

    Control characters, zero-width ones and those that turn the direction of writing are dropped.
    Raises NameRefusedError where nothing is left, or too much.
    """
    if any(letter == "\0" or unicodedata.category(letter) == "Cs" for letter in text):
        raise NameRefusedError(NameRefusedError.__doc__)
    name = clean_text(text[: 8 * NAME_LENGTH])
    marks = sum(unicodedata.category(letter)[0] == "M" for letter in name)
    if not 0 < len(name) - marks <= MOST_CHARACTERS or len(name) > NAME_LENGTH:
        raise NameRefusedError(NameRefusedError.__doc__)
    return name


def fold_name(name: str) -> str:
    """Make names equal that look alike but for case and width."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def read_names(session: Session, player_ids: Iterable[int]) -> Mapping[int, str]:
    """The names of players by id."""
    wanted = select(col(Player.id), col(Player.name)).where(col(Player.id).in_(tuple(player_ids)))
    return {row.id: row.name for row in session.execute(wanted)}


def read_roster(
    session: Session, *, typed: str = "", problem: str = "", renaming: int | None = None
) -> Roster:
    """Show everybody by name, with a name that was refused and why."""
    players = sorted(read_players(session), key=lambda player: fold_name(player.name))
    return Roster(
        players=tuple(players),
        typed=typed,
        problem=problem,
        renaming=renaming,
        key=ledger.new_key(),
    )


def read_players(session: Session) -> tuple[PlayerLine, ...]:
    """Everybody on the roster, who plays most first."""
    games = func.count(col(Seat.game_id)).label("games")
    lines = (
        select(col(Player.id), col(Player.name), games)
        .outerjoin(Seat, col(Seat.player_id) == col(Player.id))
        .group_by(col(Player.id), col(Player.name))
        .order_by(games.desc(), col(Player.name))
    )
    return tuple(
        PlayerLine(id=row.id, name=row.name, games=row.games) for row in session.execute(lines)
    )


def add_player(session: Session, text: str, sent: Sent) -> None:
    """Put somebody on the roster, once for each form.

    Raises NameRefusedError, PlayerExistsError and KeyReusedError.
    """
    name = clean_name(text)
    if not ledger.keep_form(session, _form("add", sent, name)):
        return
    if find_player(session, name) is not None:
        raise PlayerExistsError(PlayerExistsError.__doc__)
    _add(session, name)


def find_or_add(session: Session, text: str) -> int:
    """The id of whoever has that name; who is new is added.

    Raises NameRefusedError.
    """
    name = clean_name(text)
    found = find_player(session, name)
    return _add(session, name) if found is None else found


def find_player(session: Session, name: str) -> int | None:
    """The id of whoever has that name, or one that looks the same."""
    found = select(col(Player.id)).where(col(Player.folded) == fold_name(name))
    return session.execute(found).scalar_one_or_none()


def rename_player(session: Session, player_id: int, text: str, sent: Sent) -> None:
    """Rename a player, on every pad at once; once for each form.

    A form that comes late a second time must not undo what the player was called since. Raises
    PlayerNotFoundError, NameRefusedError, PlayerExistsError and KeyReusedError.
    """
    player = session.get(Player, player_id)
    if player is None:
        raise PlayerNotFoundError
    name = clean_name(text)
    if not ledger.keep_form(session, _form(f"name-{player_id}", sent, name)):
        return
    if find_player(session, name) not in {None, player_id}:
        raise PlayerExistsError(PlayerExistsError.__doc__)
    if name != player.name:
        player.name, player.folded = name, fold_name(name)
        ledger.revise(session, player_id)


def _form(deed: str, sent: Sent, name: str) -> ledger.Form:
    return ledger.Form(key=f"{deed}-{sent.key}", content=f"{deed} {name}", device=sent.device)


def _add(session: Session, name: str) -> int:
    player = Player(name=name, folded=fold_name(name))
    session.add(player)
    session.flush()
    return player.id or 0
