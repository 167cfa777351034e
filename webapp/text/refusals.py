"""The reasons to refuse a command; each is said to the person at the table in a sentence."""

from typing import Generic, TypeVar

from webapp.refusal import Refusal

Page = TypeVar("Page")


class RefusedError(Refusal, ValueError):
    """A command can’t be carried out; the page that it came from shows the reason."""


class PageRefusedError(RefusedError, Generic[Page]):
    """A page is shown again with what was entered, and why that isn’t possible."""

    def __init__(self, page: Page, sentence: str = "") -> None:
        """Store the page."""
        super().__init__(sentence)
        self.page = page


class RoundNotFoundError(Refusal, LookupError):
    """There is no such round yet."""

    status = 404


class NotInRoundError(Refusal, LookupError):
    """The player sits out the round."""

    status = 404


class RoundNotOpenError(Refusal, ValueError):
    """The form’s round was counted or undone in the meantime."""

    status = 409


class GameFinishedError(Refusal, ValueError):
    """A score of a finished game can’t be changed."""

    status = 409


class KeptOnPaperError(Refusal, ValueError):
    """A game from paper has no rounds to correct."""

    status = 409


class NoRefereeError(Refusal, LookupError):
    """A game of points alone has no referee, no advice and no rules."""

    status = 404


class NoClockError(Refusal, LookupError):
    """The game has no turn timer."""

    status = 404


class UnknownTapError(Refusal, ValueError):
    """The turn timer has no such command."""

    status = 400


class SheetRefusedError(Refusal, LookupError):
    """No game has such a paper sheet."""

    status = 404


class NameRefusedError(Refusal, ValueError):
    """The typed name can’t be stored."""


class PlayerExistsError(Refusal, ValueError):
    """The name belongs to another player."""


class RosterRefusedError(RefusedError):
    """The change of the roster contradicts earlier ones."""


class PhoneNotFoundError(Refusal, LookupError):
    """No such phone has saved anything."""

    status = 404


class ChangeNotFoundError(Refusal, LookupError):
    """The log has no such change to undo."""

    status = 404


class PlayerNotFoundError(Refusal, LookupError):
    """There is no such player, or two players are the same person."""

    status = 404


class NotLastError(Refusal, ValueError):
    """Undo was tapped on a pad that is out of date."""

    status = 409


class GameNotFinishedError(Refusal, ValueError):
    """The game isn’t finished yet."""

    status = 409


class NothingToDecideError(Refusal, ValueError):
    """There’s no tie to play a decider for."""

    status = 409


class AdviceOffError(Refusal, ValueError):
    """The table has switched advice off."""

    status = 403


class NoMayIError(Refusal, ValueError):
    """The game has no May I’s."""

    status = 409


class AsideNotFoundError(Refusal, LookupError):
    """There is no such note to remove."""

    status = 404
