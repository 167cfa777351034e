"""Advice on laying down whatever one likes: the melds and lay-offs with the greatest gain.

The gain is what all that is laid scores, less what the cards that are kept cost; so each card that
is laid gains both. What runs of one suit gain from their cards and some wilds is in a table
(`runs`), and so are the sets of one rank (`sets`), the melds of the table among them that can be
grown; `crossings` puts the two together. Wilds that are left may be a set of their own. `laying`
asks for the best lay from a hand, `pickups` for what to take off the discard pile.

It holds for games of one pack with sets of different suits, a high ace and whole ranks of wilds.
"""

from referee.advice.lays.crossings import MOST_WORK
from referee.advice.lays.laying import best_lay
from referee.advice.lays.pickups import best_pickup

__all__ = ["MOST_WORK", "best_lay", "best_pickup"]
