"""The examples of a description as plays."""

from collections.abc import Iterator, Mapping
from typing import Any

from referee.cards import Card, Cards, NotationError, Pack
from referee.describing.schema import Spec
from referee.plays import (
    Call,
    Close,
    LayDown,
    LayOff,
    PickUp,
    Play,
    Rearrange,
    ShowMeld,
    Swap,
    Taken,
)
from referee.rulings import Code
from referee.variant import Example


def examples_of(spec: Spec, pack: Pack) -> Iterator[Example]:
    """Yield the examples, each with the sentence that the prose has for it.

    They are plays in the game without house rules. Examples with cards that aren’t in `pack` are
    left out.
    """
    says = spec.get("text", {}).get("examples", ())
    for number, line in enumerate(spec.get("examples", ())):
        try:
            play = _ExampleRow(line, pack).play()
        except NotationError:
            continue
        yield Example(
            play=play,
            step=line.get("step"),
            code=None if line.get("legal") else Code(line["code"]),
            says=says[number] if number < len(says) else "",
            upcard=_ExampleRow(line, pack).card("turned") if "turned" in line else None,
        )


class _ExampleRow:
    """One example, read with the pack of its game."""

    def __init__(self, line: Mapping[str, Any], pack: Pack) -> None:
        self.line, self.pack = line, pack

    def play(self) -> Play:
        """Return the play in this row, whose kind depends on the row’s fields."""
        line = self.line
        if "pile" in line or "discard" in line:
            return self.taken()
        if "meld" in line:
            return ShowMeld(self.cards("meld"))
        if "close" in line:
            return Close(cards=self.cards("close"), says=line.get("says"))
        if "after" in line:
            rack = self.cards("rack") if "rack" in line else None
            return Rearrange(
                before=self.rows("before"),
                after=self.rows("after"),
                rack=rack,
                opened=line.get("opened", True),
                drew=line.get("drew", False),
            )
        if "give" in line:
            taken = Taken(self.card("give"), self.card("take"), self.cards("out-of"))
            return Swap(taken=taken, then=self.rows("melds"), down=line.get("down", False))
        return self.laid()

    def taken(self) -> Play:
        if "pile" in self.line:
            return PickUp(pile=self.cards("pile"), take=self.card("take"), melds=self.rows("melds"))
        return Call(
            discard=self.card("discard"),
            table=self.rows("table"),
            ended=self.line.get("ended", False),
            drawn=self.line.get("drawn", False),
        )

    def laid(self) -> Play:
        line = self.line
        if "onto" in line:
            return LayOff(
                self.cards("cards"),
                self.cards("onto"),
                own=line.get("own", False),
                down=line.get("down", True),
                same_turn=line.get("same-turn", False),
            )
        return LayDown(
            melds=self.rows("melds"),
            kept=self.cards("kept") if "kept" in line else None,
            first=line.get("first", True),
            down=line.get("down", False),
        )

    def cards(self, name: str) -> Cards:
        return self.pack.parse(self.line.get(name, ""))

    def card(self, name: str) -> Card:
        (card,) = self.cards(name)
        return card

    def rows(self, name: str) -> tuple[Cards, ...]:
        return tuple(map(self.pack.parse, self.line.get(name, ())))
