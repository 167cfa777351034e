"""What is wrong with a round as it was entered, or unlikely."""

from collections.abc import Mapping
from typing import NamedTuple

from referee.rulings import NOTHING, Code, Finding


class Problem(NamedTuple):
    """Something on a scorepad that can’t be true, or is unlikely.

    `Variant.say` makes a sentence of it.

    >>> from referee import Code
    >>> from referee.scorepad import Problem
    >>> Problem(Code.NOT_PLAYING, "ends", seat=1).certain
    True
    """

    code: Code
    cites: str
    """The name of the clause that it is based on, for `Rulebook.cited`."""
    seat: int | None = None
    """The seat (from 0) it is about; None if it is about the whole round."""
    certain: bool = True
    """Whether it can’t be true; False if it is only unlikely and should be asked about once."""
    round: int | None = None
    """The round (from 1) it is about, if a whole pad was checked; else None."""
    how: str = ""
    """The message variant to use; empty for the default one."""
    values: Mapping[str, object] = NOTHING
    """The values for the placeholders of the sentence."""
    because: Finding | None = None
    """The finding against a play (a meld, a close) that is the reason; None if it isn’t about a
    play."""

    @property
    def sentence(self) -> Code:
        """The code that its sentence is under in the catalogues."""
        return self.because.code if self.because else self.code


def problem(
    code: Code, cites: str, seat: int | None = None, how: str = "", /, **values: object
) -> Problem:
    """Return a problem that is certain; `cites` names the clause, and `how` the message variant.

    >>> from referee import Code, variants
    >>> from referee.scorepad import problem
    >>> variants.get("mexican-rummy").say(problem(Code.NOT_PLAYING, "ends", 1))
    'This player is sitting out this round.'
    """
    return Problem(code, cites, seat, how=how, values=values)


def doubt(code: Code, cites: str, seat: int | None, how: str = "", /, **values: object) -> Problem:
    """Return a problem that is only unlikely; the arguments are those of `problem`.

    >>> from referee import Code
    >>> from referee.scorepad import doubt
    >>> doubt(Code.POINTS_UNLIKELY, "counts", 1).certain
    False
    """
    return Problem(code, cites, seat, certain=False, how=how, values=values)
