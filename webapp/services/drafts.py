"""The draft of a round: its hands as the phones at the table entered them, before they are saved.

It is no score: nothing of it is in the ledger, in exports or under a seal. It is kept at once, so
that every phone shows the same hands, and none is lost with the phone that it was typed on.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Final

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.ledger import GameNotFoundError, game_id_of, read_story
from webapp.models import Draft, Game, table_of
from webapp.services.refusals import RoundNotOpenError
from webapp.services.tallying import gathered
from webapp.services.typed import TypedHand, TypedHands, read_laid

MOST_PHONES: Final = 4
"""Phones whose hands are kept for one player; more do not count the same cards."""

_DRAFT: Final = table_of(Draft)
_GAME: Final = select(col(Game.id)).where(col(Game.pub) == bindparam("pub")).scalar_subquery()
_OF_ROUND: Final = (
    select(_DRAFT)
    .where(_DRAFT.c.game_id == _GAME, _DRAFT.c.round == bindparam("round"))
    .order_by(_DRAFT.c.id)
)
_CLEAR: Final = delete(_DRAFT).where(
    _DRAFT.c.game_id == _GAME,
    (_DRAFT.c.round < bindparam("round"))
    | (
        (_DRAFT.c.round == bindparam("round"))
        & _DRAFT.c.player_id.in_(bindparam("players", expanding=True))
    ),
)
"""Made once: every save asks them while it holds the lock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftHand:
    """One player's hand as one phone entered it."""

    number: int
    """Goes up with every hand that is entered."""
    device: str
    typing: bool
    """Whether somebody is still at it; then the hand is not known."""
    hand: TypedHand


def read_drafts(session: Session, pub: str, number: int) -> dict[int, tuple[DraftHand, ...]]:
    """The hands that were entered for a round and are not saved, by player, oldest first."""
    rows = session.execute(_OF_ROUND, {"pub": pub, "round": number}).all()
    drafts: dict[int, tuple[DraftHand, ...]] = {}
    for row in rows:
        table, tally = read_laid(row.laid)
        hand = TypedHand(
            left=row.held, table=table, out=row.out, made=row.made, base=0, tally=tally
        )
        entered = DraftHand(number=row.id, device=row.device, typing=row.typing, hand=hand)
        drafts[row.player_id] = (*drafts.get(row.player_id, ()), entered)
    return drafts


def entered_in(hands: Iterable[DraftHand]) -> tuple[DraftHand, ...]:
    """Of hands of one player those that differ, the latest last; without those being typed."""
    differing = {each.hand.says: each for each in hands if not each.typing}
    return tuple(sorted(differing.values(), key=lambda each: each.number))


def join_draft(
    session: Session, pub: str, number: int, typed: TypedHands, typing: int | None = None
) -> None:
    """Put the hands of a form into the draft of a round, and whose hand is being typed.

    A hand takes the place of those that its phone saw. What another phone entered meanwhile stays
    beside it, if it says something else: the table decides. An empty hand takes its own back.
    Raises GameNotFoundError, and RoundNotOpenError once the round is saved.
    """
    seen = update(Game).where(col(Game.pub) == pub).values(revision=Game.revision + 1)
    if not session.execute(seen.returning(col(Game.id))).first():
        raise GameNotFoundError
    story = read_story(session, pub)
    if story.finished or story.open_round != number:
        raise RoundNotOpenError
    typed = gathered(story, typed)
    drafts, device = read_drafts(session, pub, number), typed.sent.device
    players = story.players_of(number)
    rows: list[dict[str, object]] = []
    gone: list[int] = []
    for player in players:
        line, there = typed.lines.get(player), drafts.get(player, ())
        if player == typing:
            gone += [each.number for each in there if each.typing and each.device == device]
            rows.append(_row(player, device, None))
        elif line is not None:
            # What this phone has not seen isn't its own to replace.
            clashing = [each for each in there if each.number > line.seen and each.device != device]
            if not line.is_blank:
                differing = (e for e in clashing if e.typing or e.hand.says != line.says)
                clashing = [*islice(differing, MOST_PHONES - 1)]
            gone += [each.number for each in there if each not in clashing]
            rows += [] if line.is_blank else [_row(player, device, line)]
    session.execute(delete(Draft).where(col(Draft.id).in_(gone)))
    if rows:
        here = {"game_id": game_id_of(session, pub), "round": number}
        session.execute(insert(Draft), [here | row for row in rows])


def clear_drafts(session: Session, pub: str, number: int, players: Iterable[int]) -> None:
    """Forget the hands of these players that were saved in a round, and all of rounds before it."""
    session.execute(_CLEAR, {"pub": pub, "round": number, "players": tuple(players)})


def _row(player: int, device: str, line: TypedHand | None) -> dict[str, object]:
    return {
        "player_id": player,
        "device": device,
        "held": line.left[:200] if line else "",
        "laid": line.laid[:200] if line else "",
        "out": bool(line and line.out),
        "made": bool(line and line.made),
        "typing": line is None,
    }
