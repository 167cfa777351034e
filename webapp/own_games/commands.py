"""Saving your own games: a first version, and another for each correction.

Games that were started keep their rules; nothing here changes them.
"""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from referee import variants
from referee.describing import rules_hash
from referee.variants import UnknownVariantError
from webapp.game.facts import canonical
from webapp.language import language, say
from webapp.ledger.ledger import FormKey, Submission, answer_for, remember_submission
from webapp.models import OwnGame, OwnVersion, utcnow
from webapp.own_games.catalog import id_of, slug_of
from webapp.own_games.patches import text_in, write_draft
from webapp.text.refusals import RefusedError

MOST_GAMES: Final = 200
MOST_VERSIONS: Final = 50
MOST_SAVES: Final = 20
"""The most saves from one phone within an hour."""


class OwnGameRefusedError(RefusedError):
    """Your own game isn’t saved; the form says why."""


class VersionMovedError(OwnGameRefusedError):
    """Another phone has saved this game in the meantime."""

    def __init__(self, number: int) -> None:
        """Store the number of the current version."""
        super().__init__(say("own.moved", number=number))
        self.number = number


def save_game(  # noqa: PLR0913 - all parts of one command
    session: Session,
    spec: Mapping[str, Any],
    form_key: FormKey,
    *,
    slug: str = "",
    seen: int = 0,
    base: str = "",
) -> str:
    """Save a description as a new game, or as the next version of the game `slug`; return the slug.

    The description comes from `ruled_today`, which checks that it’s a game before the database is
    locked. Sent twice, it’s saved once, and a description equal to the latest version makes no new
    one. `seen` is the version that was shown, `base` the hash of the rules that it was made from.
    Raises VersionMovedError if another phone was quicker, OwnGameRefusedError if it has no name or
    a limit is reached, and UnknownVariantError if `slug` isn’t one of your own games.
    """
    game_id = id_of(slug) if slug else None
    if slug and game_id is None:
        raise UnknownVariantError(slug)
    submission = Submission.by_content(form_key, f"own {slug} {canonical(dict(spec))}")
    before = answer_for(session, submission)
    if before is not None:
        return before
    title = text_in(spec, "name")
    if not title:
        raise OwnGameRefusedError(say("own.no-name"))
    _require_space(session, title, game_id, form_key.device)
    game = _open(session, title, game_id, slug)
    assert game.id is not None, "it was flushed"
    rules, prose = _as_kept(spec, slug_of(game.id))
    last = session.execute(
        select(col(OwnVersion.number), col(OwnVersion.spec), col(OwnVersion.prose))
        .where(col(OwnVersion.game_id) == game.id)
        .order_by(col(OwnVersion.number).desc())
    ).first()
    if last is not None and last.number != seen:
        raise VersionMovedError(last.number)
    if last is None or not _are_same((last.spec, last.prose), (rules, prose)):
        number = last.number + 1 if last else 1
        if number > MOST_VERSIONS:
            raise OwnGameRefusedError(say("own.most-versions", n=MOST_VERSIONS))
        version = OwnVersion(
            game_id=game.id,
            number=number,
            hash=rules_hash(json.loads(rules)),
            spec=rules,
            prose=prose,
            base_hash=base,
            device=form_key.device,
        )
        session.add(version)
    game.title, game.hidden = title, False
    remember_submission(session, submission, slug_of(game.id))
    return slug_of(game.id)


def hide_game(session: Session, slug: str, *, hidden: bool, form_key: FormKey) -> None:
    """Hide a game, or offer it again; raise UnknownVariantError or KeyConflictError."""
    game = session.get(OwnGame, id_of(slug) or 0)
    if game is None:
        raise UnknownVariantError(slug)
    if remember_submission(
        session, Submission.by_content(form_key, f"own {slug} {'hidden' if hidden else 'shown'}")
    ):
        game.hidden = hidden


def _as_kept(spec: Mapping[str, Any], slug: str) -> tuple[str, str]:
    """Return a description as it’s stored: its rules, and its prose."""
    rules = {key: part for key, part in spec.items() if key != "text"}
    return write_draft({**rules, "slug": slug}), write_draft(spec["text"])


def _are_same(kept: tuple[str, str], given: tuple[str, str]) -> bool:
    """Return whether two versions say the same, in whatever order."""
    return [canonical(json.loads(text)) for text in kept] == [
        canonical(json.loads(text)) for text in given
    ]


def _open(session: Session, title: str, game_id: int | None, slug: str) -> OwnGame:
    game = OwnGame(title=title) if game_id is None else session.get(OwnGame, game_id)
    if game is None:
        raise UnknownVariantError(slug)
    session.add(game)
    session.flush()
    return game


def _require_space(session: Session, title: str, game_id: int | None, device: str) -> None:
    names = [game.name for game in (*variants.all(), *variants.all(language()))]
    others = select(col(OwnGame.title)).where(col(OwnGame.id) != (game_id or 0))
    names += session.execute(others.where(~col(OwnGame.hidden))).scalars()
    if title.casefold() in {name.casefold() for name in names}:
        raise OwnGameRefusedError(say("own.same-name", name=title))
    kept = session.execute(select(func.count()).select_from(OwnGame)).scalar_one()
    if game_id is None and kept >= MOST_GAMES:
        raise OwnGameRefusedError(say("own.most-games", n=MOST_GAMES))
    lately = select(func.count()).where(
        col(OwnVersion.device) == device, col(OwnVersion.at) > utcnow() - timedelta(hours=1)
    )
    if session.execute(lately).scalar_one() >= MOST_SAVES:
        raise OwnGameRefusedError(say("own.most-saves"))
