"""What was found before of rounds and hands: a pad is read again whole with every entry."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from referee.variant import Variant

T = TypeVar("T")


class Remembered(Generic[T]):
    """What was worked out for each game, forgotten with the game or when there is too much of it.

    Games are told apart as objects: one that `replace` made has other rules under the same name.
    """

    def __init__(self, most: int) -> None:
        """Say how many findings are kept for one game."""
        self.most = most
        self._by_game: WeakKeyDictionary[Variant, dict[Hashable, T]] = WeakKeyDictionary()

    def find(self, variant: Variant, key: Hashable, work: Callable[[], T]) -> T:
        """What was found for a key, or is found now by `work`."""
        known = self._by_game.setdefault(variant, {})
        found = known.get(key)
        if found is None:
            found = work()
            # Another thread can clear what is known at any time, so it isn't read again.
            if len(known) >= self.most:
                known.clear()
            known[key] = found
        return found
