"""The game whose rules are being changed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

from sqlalchemy.orm import Session

from referee import Variant
from referee.describing import CHANGE
from webapp.own_games.catalog import find_game, spec_of
from webapp.text.refusals import NoRefereeError

_MADE: WeakKeyDictionary[Variant, dict[str, Variant]] = WeakKeyDictionary()
"""The changed games that are cached, by their changes, so that each is made once."""
_MOST: Final = 16


@dataclass(frozen=True)
class Base:
    """A game whose rules can be changed."""

    game: Variant
    spec: Mapping[str, Any]
    """The game’s description: its rules by section and field, and its prose under "text"."""
    remake: Callable[[Mapping[str, object]], Variant]
    """A function that returns the game with a patch; raises OptionError and Refused."""

    def played(self, patch: Mapping[str, object]) -> Variant:
        """Return the game with changes by path.

        Raise OptionError and Refused if that isn’t a game.
        """
        if not patch:
            return self.game
        made, written = _MADE.setdefault(self.game, {}), json.dumps([*patch.items()])
        if written not in made:
            game = self.remake(patch)
            if len(made) >= _MOST:
                made.clear()
            made[written] = game
        return made[written]


def by_path(patch: Mapping[str, object]) -> dict[str, object]:
    """Return a patch in the form in which a game takes it among its options: "/run.around"."""
    return {f"{CHANGE}{path}": value for path, value in patch.items()}


def base_of(session: Session, slug: str) -> Base:
    """Return a game to change, by its slug.

    Raises NoRefereeError for a game of points alone, and otherwise as `find_game`.
    """
    game = find_game(session, slug)
    if game.points_only:
        raise NoRefereeError
    spec = spec_of(session, slug)
    return Base(game, spec, lambda patch: game.with_options(by_path(patch)))
