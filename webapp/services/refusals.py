"""Why a deed is refused: a sentence each, for the person at the table."""

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
    says = "That round has not been reached."


class NotInRoundError(Refusal, LookupError):
    """A player sits out the round."""

    status = 404
    says = "This player is not in that round. Look at the pad: who plays may have changed."


class RoundNotOpenError(Refusal, ValueError):
    """A form is about a round that was counted or undone meanwhile."""

    status = 409
    says = "The pad changed on another phone. Look again."


class GameFinishedError(Refusal, ValueError):
    """A score is changed in a finished game."""

    status = 409
    says = "This game is finished. Reopen it to change a score."


class KeptOnPaperError(Refusal, ValueError):
    """A round is corrected in a game that has none."""

    status = 409
    says = (
        "This game was kept on paper: there is no round to correct. Delete it and import it again."
    )


class NoRefereeError(Refusal, LookupError):
    """The referee is asked in a game of which it knows no rule."""

    status = 404
    says = "The referee doesn’t know the rules of this game. It only keeps the score."


class NoClockError(Refusal, LookupError):
    """The timer is asked for in a game without one."""

    status = 404
    says = "This game has no turn timer."


class UnknownTapError(Refusal, ValueError):
    """A tap on the timer has no such name."""

    status = 400
    says = "The timer has no such button."


class SheetRefusedError(Refusal, LookupError):
    """A paper sheet is asked for that no game has."""

    status = 404
    says = "There is no paper sheet like that."


class NameRefusedError(Refusal, ValueError):
    """What was typed is no name that can be kept."""

    says = "A name has 1 to 24 characters that can be seen."


class PlayerExistsError(Refusal, ValueError):
    """A name belongs to another player."""

    says = "That name is taken."


class RosterRefusedError(RefusedError):
    """A change of the players contradicts the changes before it."""

    says = "The players cannot be changed like that."


class PhoneNotFoundError(Refusal, LookupError):
    """A phone is named that has saved nothing."""

    status = 404
    says = "No such phone has saved anything in this game."


class ChangeNotFoundError(Refusal, LookupError):
    """A change is undone that is not in the log."""

    status = 404
    says = "There was no such change."


class PlayerNotFoundError(Refusal, LookupError):
    """A number belongs to no player, or two players are one person."""

    status = 404
    says = "There is no such player on the roster."


class NotLastError(Refusal, ValueError):
    """Undo is tapped on a pad that is no longer the latest."""

    status = 409
    says = "Somebody just saved. Check the pad, then undo."


class GameNotFinishedError(Refusal, ValueError):
    """A finished game is needed."""

    status = 409
    says = "This game is still being played. Finish it first."


class NothingToDecideError(Refusal, ValueError):
    """A decider is asked for where nobody is level."""

    status = 409
    says = "This game needs no decider."


class AdviceOffError(Refusal, ValueError):
    """Advice is asked for where the table switched it off."""

    status = 403
    says = "Advice is off in this game, on every phone."


class NoMayIError(Refusal, ValueError):
    """A card is claimed in a game without claims."""

    status = 409
    says = "This game has no May I."


class AsideNotFoundError(Refusal, LookupError):
    """A note is removed that is not there."""

    status = 404
    says = "There is no such note in this game."
