"""Deleting a person, a game or everything: what would go, and doing it when it is asked again."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp import ledger
from webapp.ledger import Sent
from webapp.ledger.records import Deletion
from webapp.models import Game, Outcome, Player
from webapp.services.book.lines import is_from_paper, say_game
from webapp.services.book.lists import lines_of, name_of, persons_ids
from webapp.services.own import names_of_games
from webapp.services.own.catalogue import latest_of, slug_of
from webapp.services.refusals import PlayerNotFoundError, RefusedError
from webapp.services.roster import fold_name
from webapp.services.text import clean_text
from webapp.services.wording import plural, say_points

ALL: Final = "everything"
"""What is typed to delete it."""

MOST_LINES: Final = 20
"""Deletions on the page."""


class NotSureError(RefusedError):
    """The word that confirms a deletion was not typed."""

    says = "Nothing was deleted: type the word as it is shown."


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletionPage:
    """What would be deleted, and what is to be done for it."""

    title: str
    goes: tuple[str, ...]
    """What goes, in sentences."""
    stays: tuple[str, ...]
    word: str
    """What must be typed; empty where a tap does."""
    expires: str
    """The day ("1 November 2027") by which no backup holds it, where one is taken every month."""
    key: str
    problem: str = ""


def ask_player(session: Session, player_id: int, problem: str = "") -> DeletionPage:
    """What deleting a person means; raises PlayerNotFoundError."""
    _require_player(session, player_id)
    held = ledger.held_of(session, player_id)
    goes = [f"The name {held.name}, on every page, in the standings and in the list of changes"]
    if held.others:
        goes.append(f"The names from before: {', '.join(held.others)}")
    if held.notes:
        goes.append(f"The name in {plural(held.notes, 'note')}")
    goes += [f"The name in the title of {title}" for title in held.own]
    if held.games:
        why = "with such a note or title, or joined late"
        goes.append(f"The checksum of {plural(held.games, 'game')}, {why}: it has another then")
    return _page(
        f"Delete {held.name}",
        goes,
        ["All games, with every score, under “Somebody”"],
        held.name,
        problem,
    )


def delete_player(session: Session, player_id: int, typed: str, sent: Sent) -> None:
    """Delete a person's name everywhere, once for each form.

    Raises PlayerNotFoundError, and NotSureError unless the name was typed.
    """
    form = ledger.Form.by_content(sent, f"delete player {player_id}")
    if ledger.answer_to(session, form) is not None:
        return
    _require_player(session, player_id)
    if fold_name(clean_text(typed[:200])) != fold_name(name_of(session, player_id)):
        raise NotSureError
    ledger.erase_player(session, player_id, sent.device)
    # Afterwards, as forms from before are forgotten.
    ledger.keep_form(session, form)


def ask_game(session: Session, pub: str) -> DeletionPage:
    """What deleting a game means; raises GameNotFoundError."""
    game_id = ledger.game_id_of(session, pub)
    row = session.execute(
        select(
            *(col(Game.id), col(Game.pub), col(Game.variant), col(Game.status)),
            *(col(Game.started_at), col(Outcome.margin), col(Outcome.minutes), is_from_paper()),
        )
        .outerjoin(Outcome, col(Outcome.game_id) == col(Game.id))
        .where(col(Game.id) == game_id)
    ).one()
    [line] = lines_of(session, [row], names_of_games(session))
    who = ", ".join(f"{each.name} {say_points(each.total)}" for each in line.players)
    called = say_game(names_of_games(session), row.variant)
    goes = [f"{called}: {who}", f"{line.round_says}, with every entry, note and dispute"]
    return _page("Delete this game", goes, ["The players, and all other games"], "")


def delete_game(session: Session, pub: str, sent: Sent) -> None:
    """Delete a game, once for each form; raises GameNotFoundError."""
    if ledger.keep_form(session, ledger.Form.by_content(sent, f"delete game {pub}")):
        ledger.delete_games(session, [ledger.game_id_of(session, pub)])


def ask_own(session: Session, number: int) -> DeletionPage:
    """What deleting a game of one's own means; raises UnknownVariantError."""
    title = latest_of(session, slug_of(number)).title
    played = ledger.games_of_own(session, number)
    stays = ["The game that it was made from, and all other games"]
    if played:
        stays.append(f"{plural(played, 'game')} played by it, each with its rules, under its name")
    goes = [f"The rules of {title}, in every version"]
    return _page(f"Delete {title}", goes, stays, "")


def delete_own(session: Session, number: int, sent: Sent) -> None:
    """Delete a game of one's own, once for each form; raises UnknownVariantError."""
    form = ledger.Form.by_content(sent, f"delete own {number}")
    if ledger.answer_to(session, form) is None:
        latest_of(session, slug_of(number))
        ledger.delete_own_game(session, number)
        ledger.keep_form(session, form)


def ask_everything(session: Session, problem: str = "") -> DeletionPage:
    """What deleting everything means."""
    games = session.execute(select(func.count()).select_from(Game)).scalar_one()
    players = session.execute(select(func.count()).select_from(Player)).scalar_one()
    goes = [
        f"{plural(games, 'game')}, with every entry",
        f"{plural(players, 'player')}, and all standings",
        "Games of your own",
    ]
    stays = ["The games that come with Laydown, and its settings"]
    return _page("Delete everything", goes, stays, ALL, problem)


def delete_all(session: Session, typed: str, sent: Sent) -> None:
    """Delete everything, once for each form; raises NotSureError unless the word was typed."""
    form = ledger.Form.by_content(sent, "delete everything")
    if ledger.answer_to(session, form) is not None:
        return
    if fold_name(clean_text(typed[:200])) != ALL:
        raise NotSureError
    ledger.delete_everything(session)
    ledger.keep_form(session, form)


def read_deletions(session: Session) -> tuple[tuple[str, datetime], ...]:
    """What was deleted, without a name, and when; the latest first."""
    found = select(col(Deletion.kind), col(Deletion.games), col(Deletion.at))
    says = {
        "player": "A player was deleted, who had played in {}",
        "game": "A game was deleted",
        "own": "A game of one’s own was deleted; {} played by it stayed",
        "import": "An import was taken back, with {}",
        "everything": "Everything was deleted, {} in all",
    }
    rows = session.execute(found.order_by(col(Deletion.id).desc()).limit(MOST_LINES))
    return tuple((says[row.kind].format(plural(row.games, "game")), row.at) for row in rows)


def _require_player(session: Session, player_id: int) -> None:
    player = session.get(Player, player_id)
    if player is None or ledger.is_erased(player) or not persons_ids(session, player_id):
        raise PlayerNotFoundError


def _page(
    title: str, goes: list[str], stays: list[str], word: str, problem: str = ""
) -> DeletionPage:
    # A month's last copy is kept until there are copies of twelve months after it.
    now = datetime.now(UTC).astimezone()
    last = now.date().replace(year=now.year + 1, day=1)
    return DeletionPage(
        title=title,
        goes=tuple(goes),
        stays=tuple(stays),
        word=word,
        expires=f"{last.day} {last:%B %Y}",
        key=ledger.new_key(),
        problem=problem,
    )
