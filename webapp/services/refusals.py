"""Why a deed is refused: a sentence each, for the person at the table."""

from __future__ import annotations


class RoundNotFoundError(LookupError):
    """That round has not been reached."""


class NotInRoundError(LookupError):
    """This player is not in that round. Look at the pad: who plays may have changed."""


class RoundNotOpenError(ValueError):
    """That round is not to be counted now: the pad has changed on another phone."""


class GameFinishedError(ValueError):
    """This game is finished. Reopen it to change a score."""
