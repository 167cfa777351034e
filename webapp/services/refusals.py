"""Why a deed is refused: a sentence each, for the person at the table."""

from __future__ import annotations


class RefusedError(ValueError):
    """What was sent cannot be done like this; the page that comes with it says why."""


class RoundNotFoundError(LookupError):
    """That round has not been reached."""


class NotInRoundError(LookupError):
    """This player is not in that round. Look at the pad: who plays may have changed."""


class RoundNotOpenError(ValueError):
    """That round is not to be counted now: the pad has changed on another phone."""


class GameFinishedError(ValueError):
    """This game is finished. Reopen it to change a score."""


class NoClockError(LookupError):
    """Turns are not timed in this game."""


class UnknownTapError(ValueError):
    """The clock has no such button."""


class SheetRefusedError(LookupError):
    """There is no paper sheet like that."""


class NameRefusedError(ValueError):
    """A name has 1 to 24 characters that can be seen."""


class PlayerExistsError(ValueError):
    """Somebody of that name is on the roster already."""


class RosterRefusedError(RefusedError):
    """The players cannot be changed like that."""


class PhoneNotFoundError(LookupError):
    """No such phone has entered anything in this game."""


class ChangeNotFoundError(LookupError):
    """The players were never changed like that."""


class PlayerNotFoundError(LookupError):
    """There is no such player on the roster."""


class NotLastError(ValueError):
    """Something was entered meanwhile. Look at the pad before you take anything back."""


class GameNotFinishedError(ValueError):
    """This game is still being played. Finish it first."""


class NothingToDecideError(ValueError):
    """Nobody shares the win of this game, or no decider is played for it."""


class AdviceOffError(ValueError):
    """Advice is off in this game, on every phone: it was started like that."""


class NoMayIError(ValueError):
    """In this game nobody takes the discard out of turn."""


class AsideNotFoundError(LookupError):
    """There is no such note in this game."""
