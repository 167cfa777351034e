"""Turns: a table before and after a turn, set by set, with what moves in it."""

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
    """What it stands for, where it is wild."""
    mark: str
    """Where it comes from: "rack", "moved", or empty if it stays; before the turn, "moved" says
    that it leaves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSet:
    """A set on the table, before a turn or after it."""

    label: str
    """ "Set 3" as it was written; "New" for one that was not there. """
    tiles: tuple[ShownTile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMove:
    """Tiles that are put to a set."""

    tiles: Cards
    says: str
    """ "Rack → Set 2"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTurn:
    """A turn as it is shown: what changes, and what does not."""

    moves: tuple[ShownMove, ...]
    """What a person does, one after the other."""
    before: tuple[ShownSet, ...]
    """The sets that are changed."""
    after: tuple[ShownSet, ...]
    """What becomes of them, and what is new."""
    still: tuple[ShownSet, ...]
    """The sets that stay as they are."""

    @property
    def marks(self) -> dict[str, frozenset[str]]:
        """The marks that occur on tiles before the turn and after it, for a legend to each."""
        sides = {"before": self.before, "after": self.after}
        return {
            side: frozenset(tile.mark for each in sets for tile in each.tiles)
            for side, sets in sides.items()
        }


def show_turn(table: Sequence[Cards], turn: Turn, variant: Variant) -> ShownTurn:
    """Set a table before a turn and after it side by side.

    A set that lies there after the turn goes by the number of the one that most of it comes from.
    """
    rules, meld = variant.melds_at(None), capital(variant.speaker.nouns["table-meld"])
    origins, made = turn.origins, moves(turn)
    heirs = _heirs(turn, made)
    names = _names(heirs, len(turn.after), meld)
    still = {index for index, place in heirs.items() if _is_still(origins[place], table[index])}

    def lying(index: int | None) -> str:
        return hand_label(variant) if index is None else f"{meld} {index + 1}"

    def lie(label: str, cards: Cards, marks: Sequence[str]) -> ShownSet:
        """Put marks on tiles, and on the jokers what they stand for."""
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
    """Say which set before the turn goes on as which one after it: the one it is not put to."""
    moved = {(move.source, move.target) for move in made}
    return {
        index: place
        for place, own in enumerate(turn.origins)
        for index in own
        if index is not None and (index, place) not in moved
    }


def _names(heirs: Mapping[int, int], count: int, meld: str) -> tuple[str, ...]:
    """Name the sets after a turn."""
    names = {place: f"{meld} {index + 1}" for index, place in heirs.items()}
    new = [place for place in range(count) if place not in names]
    for number, place in enumerate(new, 1):
        names[place] = f"{say('advice.new')} {number}" if new[1:] else say("advice.new")
    return tuple(names[place] for place in range(count))


def _mark(origin: int | None, place: int, heirs: Mapping[int, int]) -> str:
    if origin is None:
        return "rack"
    return "" if heirs.get(origin) == place else "moved"


def _leaving(index: int, cards: Cards, turn: Turn, heir: int | None) -> list[str]:
    """Mark the tiles that leave a set; of two that are alike the later one."""
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
