"""Turns with tiles: the table before and after a turn, and the moves between."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee import Card, Cards, Variant, standing
from referee.advice import Move, Turn, moves
from webapp.language import say
from webapp.pages.desk.card_fields import hand_label
from webapp.text.formatting import capital


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTile:
    """A tile of a set on the table."""

    card: Card
    stands: Card | None
    """The tile that it stands for, if it’s wild."""
    mark: str
    """The mark to draw: "rack" or "moved" for where it came from; empty if it stays. On the table
    before the turn, "moved" means that it leaves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSet:
    """A set on the table, before a turn or after it."""

    label: str
    """The name of the set: "Set 3", as numbered before the turn, or "New"."""
    tiles: tuple[ShownTile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMove:
    """A move of tiles from the rack or a set to another set."""

    tiles: Cards
    says: str
    """The way that the tiles go: "Rack → Set 2"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTurn:
    """A turn as it’s shown: what changes, and what doesn’t."""

    moves: tuple[ShownMove, ...]
    """The moves, one after the other."""
    before: tuple[ShownSet, ...]
    """The sets that change, before the turn."""
    after: tuple[ShownSet, ...]
    """The sets that change, after the turn, and the new ones."""
    still: tuple[ShownSet, ...]
    """The sets that stay as they are."""

    @property
    def marks(self) -> dict[str, frozenset[str]]:
        """The marks on tiles before the turn and after it, for the 2 legends."""
        sides = {"before": self.before, "after": self.after}
        return {
            side: frozenset(tile.mark for each in sets for tile in each.tiles)
            for side, sets in sides.items()
        }


def show_turn(table: Sequence[Cards], turn: Turn, variant: Variant) -> ShownTurn:
    """Return a table before and after a turn, side by side.

    A set after the turn has the number of the set that most of its tiles come from.
    """
    rules, meld = variant.melds_at(None), capital(variant.speaker.nouns["table-meld"])
    origins, made = turn.origins, moves(turn)
    heirs = _heirs(turn, made)
    names = _names(heirs, len(turn.after), meld)
    still = {index for index, place in heirs.items() if _is_still(origins[place], table[index])}

    def lying(index: int | None) -> str:
        return hand_label(variant) if index is None else f"{meld} {index + 1}"

    def lie(label: str, cards: Cards, marks: Sequence[str]) -> ShownSet:
        """Return a set with the marks of its tiles, and with what its jokers stand for."""
        readings = standing(cards, rules)
        stands = readings[0].stands_for if readings else {}
        tiles = enumerate(zip(cards, marks, strict=True))
        return ShownSet(
            label=label,
            tiles=tuple(
                ShownTile(card=card, stands=stands.get(place), mark=mark)
                for place, (card, mark) in tiles
            ),
        )

    return ShownTurn(
        moves=tuple(
            ShownMove(
                tiles=move.tiles,
                says=f"{lying(move.source)} → {names[move.target]}",
            )
            for move in made
        ),
        before=tuple(
            lie(lying(index), cards, _leaving(index, cards, turn, heirs.get(index)))
            for index, cards in enumerate(table)
            if index not in still
        ),
        after=tuple(
            lie(names[place], cards, [_mark(origin, place, heirs) for origin in origins[place]])
            for place, cards in enumerate(turn.after)
            if place not in {heirs[index] for index in still}
        ),
        still=tuple(
            lie(lying(index), table[index], [""] * len(table[index])) for index in sorted(still)
        ),
    )


def _is_still(own: Sequence[int | None], before: Cards) -> bool:
    return len(own) == len(before) and len(set(own)) == 1


def _heirs(turn: Turn, made: Sequence[Move]) -> dict[int, int]:
    """Return, for sets before the turn, the set after it that counts as the same one, by index.

    It’s the one in which some of their tiles stay; `made` are the moves into all other sets.
    """
    moved = {(move.source, move.target) for move in made}
    return {
        index: place
        for place, own in enumerate(turn.origins)
        for index in own
        if index is not None and (index, place) not in moved
    }


def _names(heirs: Mapping[int, int], count: int, meld: str) -> tuple[str, ...]:
    """Return the names of the `count` sets after a turn: "Set 3" as before it, or "New"."""
    names = {place: f"{meld} {index + 1}" for index, place in heirs.items()}
    new = [place for place in range(count) if place not in names]
    for number, place in enumerate(new, 1):
        names[place] = f"{say('advice.new')} {number}" if new[1:] else say("advice.new")
    return tuple(names[place] for place in range(count))


def _mark(origin: int | None, place: int, heirs: Mapping[int, int]) -> str:
    """Return the mark of a tile in the set `place` after a turn, as in `ShownTile`."""
    if origin is None:
        return "rack"
    return "" if heirs.get(origin) == place else "moved"


def _leaving(index: int, cards: Cards, turn: Turn, heir: int | None) -> list[str]:
    """Return the marks of a set’s tiles that leave it; of two equal tiles the later one leaves."""
    leaving = Counter(
        card
        for place, own in enumerate(turn.origins)
        for card, origin in zip(turn.after[place], own, strict=True)
        if origin == index and place != heir
    )
    marks = []
    for card in reversed(cards):
        leaves = leaving[card] > 0
        leaving[card] -= leaves
        marks.append("moved" if leaves else "")
    return marks[::-1]
