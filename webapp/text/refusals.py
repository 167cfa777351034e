"""Why a command is refused: a sentence each, for the person at the table."""

from typing import Generic, TypeVar

from webapp.refusal import Refusal

Page = TypeVar("Page")


class RefusedError(Refusal, ValueError):
    """What was sent cannot be done like this; the page that comes with it says why."""


class PageRefusedError(RefusedError, Generic[Page]):
    """A page is shown again with what was entered, and says why it can’t be done like this."""

    def __init__(self, page: Page, sentence: str = "") -> None:
        """Keep the page."""
        super().__init__(sentence)
        self.page = page


class RoundNotFoundError(Refusal, LookupError):
    """A round has no number yet."""

    status = 404


class NotInRoundError(Refusal, LookupError):
    """A player sits out the round."""

    status = 404


class RoundNotOpenError(Refusal, ValueError):
    """A form is about a round that was counted or undone meanwhile."""

    status = 409


class GameFinishedError(Refusal, ValueError):
    """A score is changed in a finished game."""

    status = 409


class KeptOnPaperError(Refusal, ValueError):
    """A round is corrected in a game that has none."""

    status = 409


class NoRefereeError(Refusal, LookupError):
    """The referee is asked in a game of which it knows no rule."""

    status = 404


class NoClockError(Refusal, LookupError):
    """The timer is asked for in a game without one."""

    status = 404


class UnknownTapError(Refusal, ValueError):
    """A tap on the timer has no such name."""

    status = 400


class SheetRefusedError(Refusal, LookupError):
    """A paper sheet is asked for that no game has."""

    status = 404


class NameRefusedError(Refusal, ValueError):
    """What was typed is no name that can be kept."""


class PlayerExistsError(Refusal, ValueError):
    """A name belongs to another player."""


class RosterRefusedError(RefusedError):
    """A change of the players contradicts the changes before it."""


class PhoneNotFoundError(Refusal, LookupError):
    """A phone is named that has saved nothing."""

    status = 404


class ChangeNotFoundError(Refusal, LookupError):
    """A change is undone that is not in the log."""

    status = 404


class PlayerNotFoundError(Refusal, LookupError):
    """A number belongs to no player, or two players are one person."""

    status = 404


class NotLastError(Refusal, ValueError):
    """Undo is tapped on a pad that is no longer the latest."""

    status = 409


class GameNotFinishedError(Refusal, ValueError):
    """A finished game is needed."""

    status = 409


class NothingToDecideError(Refusal, ValueError):
    """A decider is asked for where nobody is level."""

    status = 409


class AdviceOffError(Refusal, ValueError):
    """Advice is asked for where the table switched it off."""

    status = 403


class NoMayIError(Refusal, ValueError):
    """A card is claimed in a game without claims."""

    status = 409


class AsideNotFoundError(Refusal, LookupError):
    """A note is removed that is not there."""

    status = 404
