"""What is wrong with a round as it was written down, or unlikely."""

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
    seat: int | None = None
    """The seat (from 0) it is about; None if it is about the whole round."""
    certain: bool = True
    """Whether it cannot be; False if it is only to be asked once."""
    round: int | None = None
    """The round (from 1) it is about, where the whole pad was looked at."""
    how: str = ""
    """Which sentence of its code says it."""
    values: Mapping[str, object] = NOTHING
    """What fills the sentence."""
    because: Finding | None = None
    """What is found against a play, where that alone is the problem."""

    @property
    def sentence(self) -> Code:
        """The code whose sentence says it."""
        return self.because.code if self.because else self.code


def problem(
    code: Code, cites: str, seat: int | None = None, how: str = "", /, **values: object
) -> Problem:
    """Return a problem that can’t be true on a scorepad.

    >>> from referee import Code, variants
    >>> from referee.scorepad import problem
    >>> variants.get("mexican-rummy").say(problem(Code.NOT_PLAYING, "ends", 1))
    'This player is sitting out this round.'
    """
    return Problem(code, cites, seat, how=how, values=values)


def doubt(code: Code, cites: str, seat: int | None, how: str = "", /, **values: object) -> Problem:
    """Return a problem that is only unlikely.

    >>> from referee import Code
    >>> from referee.scorepad import doubt
    >>> doubt(Code.POINTS_UNLIKELY, "counts", 1).certain
    False
    """
    return Problem(code, cites, seat, certain=False, how=how, values=values)
