"""The game whose rules are changed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

from sqlalchemy.orm import Session

from referee import Variant
from referee.describing import CHANGE
from webapp.own_games.catalog import find_game, spec_of
from webapp.text.refusals import RefusedError

_MADE: WeakKeyDictionary[Variant, dict[str, Variant]] = WeakKeyDictionary()
"""Games with changes that were shown just now, so that they are made once."""
_MOST: Final = 16


class NoRulesError(RefusedError):
    """A game of points alone has no rules that could be changed."""

    status = 404


@dataclass(frozen=True)
class Base:
    """The game that is changed."""

    game: Variant
    spec: Mapping[str, Any]
    """Its description."""
    remake: Callable[[Mapping[str, object]], Variant]
    """The game with a patch of its description; raises OptionError and Refused."""

    def played(self, patch: Mapping[str, object]) -> Variant:
        """The game with changes by path; raises OptionError and Refused if they make none."""
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
    """A patch as a game takes it beside its options: "/run.around"."""
    return {f"{CHANGE}{path}": value for path, value in patch.items()}


def base_of(session: Session, slug: str) -> Base:
    """A game by its slug; raises NoRulesError and as `find_game`."""
    game = find_game(session, slug)
    if game.points_only:
        raise NoRulesError
    spec = spec_of(session, slug)
    return Base(game, spec, lambda patch: game.with_options(by_path(patch)))
