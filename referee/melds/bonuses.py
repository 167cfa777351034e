"""What long melds earn beside the points of their cards."""

from dataclasses import dataclass

from referee.rulings import MeldKind


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldBonus:
    """A kind of meld that earns a bonus: a canasta without wilds, a run of seven."""

    name: str
    """Its word in the description, and in questions: "natural"."""
    title: str
    points: int
    cards: int
    """The fewest cards of one."""
    of: MeldKind | None = None
    """Whether it is a set or a run; None if it is any meld."""
    only_wilds: bool = False
    """Whether it is a set of only wilds."""
    wilds: int | None = None
    """How many wilds it has at most."""
    unbroken: int = 0
    """How many of its naturals are in a row; in a set, how many naturals it has."""
