"""What a question says: its fields read with their kinds, its cards counted against the packs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from referee.cards import JOKER, NotationError
from referee.judging.turn_layoffs import named_once
from referee.melds.deadwood import MOST_ARRANGED
from referee.plays import LayOff, Taken

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from referee.cards import Card, Cards
    from referee.variant import Variant

Json: TypeAlias = "dict[str, object]"
"""A question, or an answer, as it is written."""

_MOST_CARDS: Final = 400
_MOST_MELDS: Final = 120


class QuestionError(ValueError):
    """A question that cannot be understood, with the code that says why."""

    def __init__(self, code: str, says: str) -> None:
        """Keep the code and the sentence."""
        super().__init__(says)
        self.code = code


T = TypeVar("T")
D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one JSON object, each read with its kind; raises QuestionError."""

    values: Mapping[str, object]
    where: str = ""
    """What an error names before the field: where in the question the object stands."""

    def need(self, name: str, kind: type[T]) -> T:
        """Read a field that must be there."""
        if name not in self.values:
            raise QuestionError("missing-field", f"“{self.where}{name}” is missing.")
        value = self.values[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            says = f"“{self.where}{name}” must be {_KIND_WORDS[kind]}."
            raise QuestionError("bad-field", says)
        return value

    def may(self, name: str, kind: type[T], default: D) -> T | D:
        """Read a field that may be left out."""
        return self.need(name, kind) if name in self.values else default


_KIND_WORDS: Final = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


@dataclass(slots=True)
class Question:
    """One question about one game: reads cards and keeps count of those in play.

    What cannot be read raises QuestionError, with the code that the question format has for it.
    """

    fields: Fields
    variant: Variant
    in_play: Counter[Card] = field(default_factory=Counter)
    counted: list[Counter[Card]] = field(default_factory=list)
    """The melds of this turn that are counted already, as they were named and as they become."""

    def cards(self, name: str, fields: Fields | None = None, *, count: bool = True) -> Cards:
        """Read a list of cards and count them as in play."""
        return self._parse((fields or self.fields).need(name, str), name, count=count)

    def cards_or_none(self, name: str, *, count: bool = True) -> Cards | None:
        """Read a list of cards that may be left out."""
        return self.cards(name, count=count) if name in self.fields.values else None

    def one_card(self, name: str, fields: Fields, *, count: bool = True) -> Card:
        """Read a field that holds exactly one card."""
        cards = self.cards(name, fields, count=count)
        if len(cards) != 1:
            raise QuestionError(
                "bad-field", f"“{name}” must be one {self.variant.pack.nouns.card}."
            )
        return cards[0]

    def melds(self, name: str, *, count: bool = True) -> tuple[Cards, ...]:
        """Read a list of melds and count their cards as in play."""
        return self.meld_list(self.fields.need(name, list), name, count=count)

    def meld_list(
        self, texts: Sequence[object], name: str, *, count: bool = True
    ) -> tuple[Cards, ...]:
        """Read melds out of a JSON array."""
        if len(texts) > _MOST_MELDS:
            raise QuestionError("too-large", f"“{name}” holds too many melds.")
        melds: list[Cards] = []
        for text in texts:
            if not isinstance(text, str):
                raise QuestionError("bad-field", f"“{name}” must be a list of texts.")
            melds.append(self._parse(text, name, count=count))
        return tuple(melds)

    def _parse(self, text: str, name: str, *, count: bool) -> Cards:
        if len(text) > _MOST_CARDS * 8:
            says = f"“{name}” holds too many {self.variant.pack.nouns.card}s."
            raise QuestionError("too-large", says)
        try:
            cards = self.variant.pack.parse(text)
        except NotationError as error:
            raise QuestionError("bad-card", str(error)) from None
        if count:
            self.count(cards)
        return cards

    def count(self, cards: Iterable[Card]) -> None:
        """Count cards as in play."""
        self.in_play.update(cards)

    def refuse_jokers(self, cards: Cards) -> None:
        """Raise where jokers are to be counted in a game that has none."""
        if JOKER in cards and not self.variant.pack.jokers:
            raise QuestionError("bad-card", "There are no jokers in this game.")

    def refuse_many(self, cards: Cards) -> None:
        """Raise where more cards are to be put into melds than can be."""
        if len(cards) > MOST_ARRANGED:
            nouns = self.variant.pack.nouns
            says = f"A {nouns.hand} of up to {MOST_ARRANGED} {nouns.card}s can be counted."
            raise QuestionError("too-large", says)

    def check_copies(self) -> None:
        """Raise where there are more cards in play than the packs hold."""
        card = self.variant.pack.excess(self.in_play)
        if card is not None:
            says = f"There are more copies of the {card.name} here than the game has."
            raise QuestionError("too-many-cards", says)
        if self.in_play.total() > _MOST_CARDS:
            says = f"There are too many {self.variant.pack.nouns.card}s here."
            raise QuestionError("too-large", says)

    def step(self, *, needed: bool) -> int | None:
        """Read the step, within those that the game has."""
        if needed and self.variant.contracts:
            self.fields.need("step", int)
        step = self.fields.may("step", int, None)
        if step is not None and (
            step < 1 or (self.variant.contracts and step > len(self.variant.contracts))
        ):
            last = len(self.variant.contracts)
            says = f"“step” goes from 1 to {last}." if last else "“step” counts from 1."
            raise QuestionError("bad-field", says)
        return step

    def switch(self, name: str, *, default: bool) -> bool:
        """Read a field that is true or false."""
        return self.fields.may(name, bool, default)

    def layoffs(self, laid: Sequence[Cards] = (), *, count: bool = True) -> tuple[LayOff, ...]:
        """Read what is laid off in the same turn.

        A meld that is named again, as it was or as it has grown, is counted once; `laid` are the
        melds put down in this turn, which may be grown too. `count` says whether the cards that
        are laid off are counted here.
        """
        layoffs: list[LayOff] = []
        for entry in self._objects("layoffs"):
            cards = self.cards("cards", entry, count=count)
            onto = self.cards("onto", entry, count=False)
            layoffs.append(LayOff(cards, onto, own=self.is_own(entry), same_turn=True))
        known = [*(tuple(cards.elements()) for cards in self.counted), *laid]
        for onto in named_once(known, [(layoff.cards, layoff.onto) for layoff in layoffs]):
            self.count(onto)
        return tuple(layoffs)

    def is_own(self, fields: Fields) -> bool:
        """Read whose meld it is."""
        owner = fields.need("owner", str)
        if owner not in {"self", "other"}:
            raise QuestionError("bad-field", "“owner” must be self or other.")
        return owner == "self"

    def own_melds(self, table: Sequence[Cards]) -> tuple[Cards, ...]:
        """Read which melds of the table are the player's own; their order says nothing."""
        there = {tuple(sorted(map(str, cards))): cards for cards in table}
        own: list[Cards] = []
        for cards in self.meld_list(self.fields.may("own", list, []), "own", count=False):
            meld = there.get(tuple(sorted(map(str, cards))))
            if meld is None:
                raise QuestionError("bad-field", "“own” must be melds of the table.")
            own.append(meld)
        return tuple(own)

    def taken(self, fields: Fields, before: Sequence[Taken] = ()) -> Taken:
        """Read a wild that is taken; it is counted in the meld it stood in.

        A meld out of which another wild was taken `before` is counted once.
        """
        swap = Taken(
            self.one_card("give", fields),
            self.one_card("take", fields, count=False),
            self.cards("meld", fields, count=False),
        )
        there = Counter(swap.meld)
        gone = sum(one.take == swap.take and Counter(one.meld) == there for one in before)
        if there not in self.counted or gone >= there[swap.take]:
            self.count(swap.meld)
        self.counted += [there, there - Counter([swap.take]) + Counter([swap.give])]
        self.in_play[swap.take] -= 1
        return swap

    def swaps(self) -> tuple[Taken, ...]:
        """Read the swaps of a lay-down."""
        swaps: list[Taken] = []
        for entry in self._objects("swaps"):
            swaps.append(self.taken(entry, swaps))
        return tuple(swaps)

    def _objects(self, name: str) -> list[Fields]:
        entries: list[object] = self.fields.may(name, list, [])
        if len(entries) > _MOST_MELDS:
            raise QuestionError("too-large", f"“{name}” is too long.")
        objects = [entry for entry in entries if isinstance(entry, dict)]
        if len(objects) < len(entries):
            raise QuestionError("bad-field", f"“{name}” must be a list of objects.")
        return [Fields(entry, f"{name}: ") for entry in objects]
