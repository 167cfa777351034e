"""Deleting a person, a game or everything: what would go, and doing it when it is asked again."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp import ledger
from webapp.ledger import Sent
from webapp.ledger.records import Deletion
from webapp.models import Game, Player, utcnow
from webapp.services.book.lists import name_of, persons_ids
from webapp.services.own.catalogue import latest_of, slug_of
from webapp.services.refusals import PlayerNotFoundError, RefusedError
from webapp.services.roster import fold_name
from webapp.services.scorepad import read_pad
from webapp.services.text import clean_text
from webapp.services.wording import plural, say_points

MOST_LINES: Final = 20
"""Deletions on the page, and notes of a person."""


class NotSureError(RefusedError):
    """The word that confirms a deletion was not typed."""

    says = "Nothing was deleted. Type the word exactly as shown."


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletionPage:
    """What would be deleted, and what is to be done for it."""

    title: str
    goes: tuple[str, ...]
    """What goes, in sentences."""
    stays: tuple[str, ...]
    word: str = ""
    """What must be typed; empty if a tap is enough."""
    notes: tuple[tuple[str, str], ...] = ()
    """The notes that name a person: the game’s public id, and what is written."""

    @property
    def expires(self) -> str:
        """The day ("November 1, 2027") from which no backup has it, if one is taken every month."""
        # A month's last backup is kept until there are backups of twelve months after it.
        now = utcnow().astimezone()
        last = now.date().replace(year=now.year + 1, day=1)
        return f"{last:%B} {last.day}, {last.year}"


def read_deletion(session: Session, kind: str, which: int | str) -> DeletionPage:
    """Say what deleting something means: a "player", a "game", an "own" game or "everything".

    Raises PlayerNotFoundError, GameNotFoundError and UnknownVariantError.
    """
    match kind:
        case "player":
            return _of_player(session, int(which))
        case "game":
            pad = read_pad(session, str(which))
            who = ", ".join(f"{each.name} {say_points(each.total)}" for each in pad.seats)
            rounds = f"{pad.round_says}, with every entry, note and dispute"
            return DeletionPage(
                title="Delete this game",
                goes=(f"{pad.variant.name}: {who}", rounds),
                stays=("The players, and all other games",),
            )
        case "own":
            title = latest_of(session, slug_of(int(which))).title
            played = plural(ledger.games_of_own(session, int(which)), "game")
            return DeletionPage(
                title=f"Delete {title}",
                goes=(f"The rules of {title}, in every version",),
                stays=("The game it was made from", f"{played} played by it, with their rules"),
            )
        case _:
            games, players = (
                session.execute(select(func.count()).select_from(table)).scalar_one()
                for table in (Game, Player)
            )
            return DeletionPage(
                title="Delete everything",
                goes=(
                    f"{plural(games, 'game')}, with every entry",
                    f"{plural(players, 'player')}, and all standings",
                    "Games of your own",
                ),
                stays=("The games that come with Laydown, and its settings",),
                word="everything",
            )


def delete(session: Session, kind: str, which: int | str, typed: str, sent: Sent) -> None:
    """Delete what `read_deletion` tells about, once for each form.

    Raises as that does, and NotSureError unless the word was typed.
    """
    form = ledger.Form.by_content(sent, f"delete {kind} {which}")
    if ledger.answer_to(session, form) is not None:
        return
    page = read_deletion(session, kind, which)
    if fold_name(clean_text(typed[:200])) != fold_name(page.word):
        raise NotSureError
    match kind:
        case "player":
            ledger.erase_player(session, int(which), sent.device)
        case "game":
            ledger.delete_game(session, str(which))
        case "own":
            ledger.delete_own_game(session, int(which))
        case _:
            ledger.delete_everything(session)
    # Afterwards: deleting everything forgets all forms.
    ledger.keep_form(session, form)


def _of_player(session: Session, player_id: int) -> DeletionPage:
    player = session.get(Player, player_id)
    if player is None or ledger.is_erased(player) or not persons_ids(session, player_id):
        raise PlayerNotFoundError
    name = name_of(session, player_id)
    names = ledger.names_of(session, player_id)
    notes = tuple(ledger.notes_naming(session, names))
    goes = [f"The name {name}, on every page, in the standings and in the list of changes"]
    if names - {name}:
        goes.append(f"Earlier names: {', '.join(sorted(names - {name}))}")
    return DeletionPage(
        title=f"Delete {name}",
        goes=tuple(goes),
        stays=("All games, with every score, under “Somebody”", "Notes, and what games are called"),
        word=name,
        notes=notes[:MOST_LINES],
    )


def read_deletions(session: Session) -> tuple[tuple[str, datetime], ...]:
    """What was deleted, without a name, and when; the latest first."""
    found = select(col(Deletion.kind), col(Deletion.games), col(Deletion.at))
    says = {
        "player": "A player was deleted, who had played in {}",
        "game": "A game was deleted",
        "own": "A game of your own was deleted; {} played by it stayed",
        "import": "An import was undone, with {}",
        "everything": "Everything was deleted, {} in all",
    }
    rows = session.execute(found.order_by(col(Deletion.id).desc()).limit(MOST_LINES))
    return tuple((says[row.kind].format(plural(row.games, "game")), row.at) for row in rows)
