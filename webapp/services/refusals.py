"""Why a deed is refused: a sentence each, for the person at the table."""


class RefusedError(ValueError):
    """What was sent cannot be done like this; the page that comes with it says why."""


class RoundNotFoundError(LookupError):
    """That round has not been reached."""


class NotInRoundError(LookupError):
    """This player is not in that round. Look at the pad: who plays may have changed."""


class RoundNotOpenError(ValueError):
    """The pad changed on another phone. Look again."""


class GameFinishedError(ValueError):
    """This game is finished. Reopen it to change a score."""


class KeptOnPaperError(ValueError):
    """This game was kept on paper: there is no round to correct. Delete it and import it again."""


class RulesKeptError(ValueError):
    """This game keeps the house rules it began with: its rules are no longer those of today."""


class NoClockError(LookupError):
    """This game has no turn timer."""


class UnknownTapError(ValueError):
    """The timer has no such button."""


class SheetRefusedError(LookupError):
    """There is no paper sheet like that."""


class NameRefusedError(ValueError):
    """A name has 1 to 24 characters that can be seen."""


class PlayerExistsError(ValueError):
    """That name is taken."""


class RosterRefusedError(RefusedError):
    """The players cannot be changed like that."""


class PhoneNotFoundError(LookupError):
    """No such phone has saved anything in this game."""


class ChangeNotFoundError(LookupError):
    """There was no such change."""


class PlayerNotFoundError(LookupError):
    """There is no such player on the roster."""


class NotLastError(ValueError):
    """Somebody just saved. Check the pad, then undo."""


class GameNotFinishedError(ValueError):
    """This game is still being played. Finish it first."""


class NothingToDecideError(ValueError):
    """This game needs no decider."""


class AdviceOffError(ValueError):
    """Advice is off in this game, on every phone."""


class NoMayIError(ValueError):
    """This game has no May I."""


class AsideNotFoundError(LookupError):
    """There is no such note in this game."""
