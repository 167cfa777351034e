"""The doubts about a count, box by box: the player, the field, and its value.

The heading of the sheet that asks, its buttons and the marks on the page are all made from the same
boxes, so a button always changes the box that it names.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from referee import Code, Variant
from referee.scorepad import Problem
from webapp.game.hand import Hand, Hands
from webapp.game.teams import say_aside
from webapp.language import say
from webapp.players.tokens import Token
from webapp.text.formatting import joined

_FIELDS: Final = {
    Code.TWO_OUT: "out",
    Code.NOBODY_OUT: "out",
    Code.NEEDS_MISSING: "out",
    Code.OUT_NOT_DOWN: "made",
    Code.ONLY_ONE_DOWN: "made",
    Code.CLOSE_IMPOSSIBLE: "close",
    Code.HAND_DOES_NOT_CLOSE: "close",
    Code.MELD_NOT_LEGAL: "table",
}
"""The field that a problem is about, by its code; all others are about the cards left in hand."""
_ON_TABLE: Final = frozenset({"table", "table-minus", "laid", "recorded", "opening", "bonus"})
"""The problems about points on the table, by the way they are worded."""
_MUCH: Final = frozenset({Code.POINTS_TOO_MANY, Code.POINTS_UNLIKELY})
_NUMBERS: Final = frozenset({"left", "table", "aside"})
_REASONS: Final = {
    (Code.POINTS_IMPOSSIBLE, ""): "unit",
    (Code.POINTS_IMPOSSIBLE, "table"): "melds",
    (Code.POINTS_TOO_MANY, "hand"): "much",
    (Code.POINTS_TOO_MANY, "all"): "much",
    (Code.POINTS_UNLIKELY, "grown"): "much",
    (Code.POINTS_TOO_MANY, "table"): "melded",
    (Code.POINTS_TOO_FEW, "caught"): "caught",
    (Code.POINTS_UNLIKELY, "opening"): "opening",
    (Code.NOBODY_OUT, ""): "nobody",
    (Code.NOBODY_OUT, "dry"): "nobody",
}
"""The variants of `count.because` in the catalogue, by the code and the variant (`how`) of a
problem. Before a save, such a problem has this sentence instead of the referee’s, because the table
can override it."""
_MOST_VALUES: Final = 5
"""The most card values that a sentence names one by one."""
_PAIR: Final = 2
MOST_NAMES: Final = 3
"""The most names that a line lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A box on the count page whose value is doubtful."""

    player: int
    """The id of the player, or of the first of a team; 0 for the box "Nobody went out"."""
    field: str
    """The field: "left", "table", "aside", "out", "made" or "close"."""
    name: str
    """The name of the player or the team."""
    token: Token | None
    value: str
    """The number in it, as it counts ("650"); empty for a tick."""
    is_set: bool = True
    """Whether it’s ticked, if it can be."""
    is_blank: bool = False
    """Whether nobody has typed anything into it yet, and a blank doesn’t count as 0."""
    of_team: bool = False
    """Whether it belongs to several players together."""

    @property
    def id(self) -> str:
        """The id of its element on the page."""
        if self.field == "close":
            return "close-how"
        return f"{self.field}-{self.player or 'nobody'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OddBox:
    """A box and its words: one row of the sheet that asks."""

    box: Box
    field_says: str
    """The name of its field: "in hand"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The question that the page asks before it saves a doubtful count."""

    heading: str
    line: str
    """The question as the start of the page’s message: "650 for Lucy?"."""
    reasons: tuple[str, ...]
    boxes: tuple[OddBox, ...]
    save: str
    change: str
    target: str
    """The id of the box that Change selects: the first in `boxes`; empty if there isn’t one."""
    empty: bool
    """Whether it’s only about empty boxes: then the table can say that in this game they are 0."""
    rule: str
    """The house rule behind the doubt, by the name of its chapter; or empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubts:
    """A typed count, together with what its doubts need."""

    variant: Variant
    number: int
    seats: Sequence[int]
    firsts: Mapping[int, int]
    """For each player, by id, the id of the player that their fields are named for: themselves, or
    the first of their team."""
    partners: Collection[int]
    """The players who have a partner."""
    called: Callable[[int], str]
    """A function that returns the name of a player’s line: the player’s, or their team’s."""
    tokens: Mapping[int, Token]
    hands: Hands
    """The hands by player, as typed or as on the pad."""
    changed: Collection[int]
    """The players whose hands a save would write."""
    shown: Collection[int]
    """The players whose lines are on the page."""
    counts: Callable[[Hand, str], int | None]
    """A function that returns the sum in a hand’s field, "left" or "table"; None if it can’t be
    added up."""

    def ask(self, doubts: Sequence[Problem]) -> Asked | None:
        """Return the question for these doubts; None if there isn’t one."""
        if not doubts:
            return None
        # If one hand alone is too much, that all hands together are isn’t worth saying.
        if any(one.code in _MUCH and one.seat is not None for one in doubts):
            doubts = [one for one in doubts if one.code not in _MUCH or one.seat is not None]
        boxes = self.boxes(doubts)
        first = boxes[0] if boxes else None
        n, names = len(boxes), few_of([box.name for box in boxes])
        empty = are_empty(doubts)
        reasons = [say("count.empty", n=n, names=names)] if empty else self._reasons(doubts, boxes)
        return Asked(
            heading=say("count.asks-empty", names=names) if empty else self._heading(boxes),
            line=self._line(boxes),
            reasons=tuple(reasons),
            boxes=tuple(OddBox(box=box, field_says=self._field(box)) for box in boxes),
            save=say("count.anyway-empty", names=names) if empty else self._save(boxes),
            change=self._change(first),
            target=first.id if first else "",
            empty=empty,
            rule=next(filter(None, map(_rule_behind, doubts)), ""),
        )

    def boxes(self, doubts: Sequence[Problem]) -> tuple[Box, ...]:
        """Return the boxes of some doubts that are on the page, each once, from top to bottom."""
        found = {box.id: box for doubt in doubts for box in self._boxes_of(doubt)}
        order = {player: place for place, player in enumerate(self.shown)}
        there = [box for box in found.values() if not box.player or self._first(box) in order]
        return tuple(sorted(there, key=lambda box: order.get(self._first(box), -1)))

    def _first(self, box: Box) -> int:
        return self.firsts.get(box.player, 0)

    def _boxes_of(self, doubt: Problem) -> Iterator[Box]:
        field = field_of(doubt)
        if doubt.round not in {None, self.number}:
            # The change makes a later round impossible.
            changed = dict.fromkeys(self.firsts[player] for player in self.changed)
            yield from (self._box(player, self._typed_field(player)) for player in changed)
        elif doubt.code is Code.NOBODY_OUT:
            yield Box(player=0, field="out", name="", token=None, value="", is_set=False)
        elif doubt.seat is not None:
            box = self._box(self.seats[doubt.seat], field)
            yield replace(box, is_blank=True) if doubt.how == "empty" else box
        elif doubt.code is Code.TWO_OUT:
            yield from (self._box(who, field) for who, hand in self.hands.items() if hand.out)
        else:
            # All hands together add up to too much, or name a card too often.
            fields = ("left", "table") if doubt.how == "laid-and-held" else (field,)
            for player in self.hands:
                boxes = (self._box(player, each) for each in fields)
                yield from (box for box in boxes if box.value not in {"", "0"})

    def _typed_field(self, player: int) -> str:
        """Return the field of a hand that says most about it."""
        hand = self.hands.get(player)
        return "out" if hand and hand.out and not hand.left else "left"

    def _box(self, player: int, field: str) -> Box:
        first = self.firsts[player]
        hand = self.hands.get(first)
        whose, out = player if field == "out" else first, self._out_of(first)
        if field in {"out", "close"}:
            whose = out or whose
        typed = {"left": hand.left, "table": hand.table}.get(field, field) if hand else field
        return Box(
            player=whose,
            field=field,
            name=self.called(whose),
            token=self.tokens.get(whose),
            value=self._value(hand, field) if hand else "",
            is_blank=not typed,
            is_set=bool(hand and hand.made) if field == "made" else bool(out),
            of_team=whose in self.partners,
        )

    def _out_of(self, first: int) -> int:
        """Return the id of the player in a line who went out; 0 for nobody."""
        there = ((who, hand) for who, hand in self.hands.items() if self.firsts.get(who) == first)
        return next((who for who, hand in there if hand.out), 0)

    def _value(self, hand: Hand, field: str) -> str:
        if field == "aside":
            return str(hand.aside)
        if field == "table" and not hand.table:
            return "0"
        points = self.counts(hand, field) if field in _NUMBERS else None
        return "" if points is None else str(points).replace("-", "−")

    def _heading(self, boxes: Sequence[Box]) -> str:
        if len(boxes) == 1:
            return self._question(boxes[0])
        if len(boxes) == _PAIR and all(box.value for box in boxes):
            one, two = boxes
            return say(
                "count.asks-two", name=one.name, points=one.value, other=two.name, more=two.value
            )
        return say("count.asks-more", n=len(boxes)) if boxes else say("count.asks-all")

    def _line(self, boxes: Sequence[Box]) -> str:
        if len(boxes) == 1 and boxes[0].field == "left" and boxes[0].value:
            return say("count.asks-for", name=boxes[0].name, points=boxes[0].value)
        return self._heading(boxes)

    def _question(self, box: Box) -> str:
        how = box.field
        if how == "made" and not box.is_set:
            how = "unmade"
        elif how == "out" and not box.player:
            how = "nobody"
        team, title = "team" if box.of_team else "", say_aside(self.variant)
        values: dict[str, Any] = {"name": box.name, "points": box.value, "title": title}
        return say("count.asks", how, team, self.variant.pack.kind, **values)

    def _save(self, boxes: Sequence[Box]) -> str:
        figures = [box.value for box in boxes]
        if figures and all(figures) and len(figures) <= _PAIR:
            return say("count.anyway-with", points=joined(figures))
        return say("count.anyway")

    def _change(self, box: Box | None) -> str:
        if box is None:
            return say("count.change")
        how = "nobody" if box.field == "out" and not box.player else box.field
        if how in _NUMBERS:
            how = "" if box.value else "empty" if self.variant.points_only else "blank"
        return say("count.change-to", how, name=box.name, points=box.value)

    def _field(self, box: Box) -> str:
        match box.field:
            case "table":
                return say("tally.table") if box.of_team else say("count.table")
            case "aside":
                return say_aside(self.variant)
            case "out":
                return say("tally.out")
            case "made":
                return say("count.made")
            case "close":
                return say("count.close")
        return say("count.hand")

    def _reasons(self, doubts: Sequence[Problem], boxes: Sequence[Box]) -> Iterator[str]:
        """Yield each reason once.

        With a name if there are several boxes and it’s about one of them.
        """
        seen: dict[str, list[Problem]] = {}
        for doubt in doubts:
            seen.setdefault(self._reason(doubt), []).append(doubt)
        for says, about in seen.items():
            seat, number = about[0].seat, about[0].round
            alone = len(about) == 1 and len(boxes) != 1 and seat is not None
            name = self.called(self.seats[seat]) if alone and seat is not None else ""
            elsewhere = number if number not in {None, self.number} else None
            how = ("round-name" if name else "round") if elsewhere else "name" if name else ""
            yield say("saving.problem", how, says=says, number=elsewhere, name=name)

    def _reason(self, doubt: Problem) -> str:
        how = _REASONS.get((doubt.code, doubt.how), "")
        values: dict[str, Any] = {**doubt.values, "number": self.number}
        costs = sorted({each.points for each in self.variant.value_classes(None)})
        if how == "unit" and 1 < len(costs) <= _MOST_VALUES:
            how, values["costs"] = "sum", self.variant.speaker.joined(costs, "or")
        return (
            say("count.because", how, variant=self.variant, **values)
            if how
            else self.variant.say(doubt)
        )


def are_empty(doubts: Sequence[Problem]) -> bool:
    """Return whether there are doubts, and all of them are about empty boxes."""
    return bool(doubts) and all(one.how == "empty" for one in doubts)


def few_of(names: Sequence[str]) -> str:
    """Return some names for a sentence: if there are 4 or more, 2 of them and how many more."""
    if len(names) <= MOST_NAMES:
        return joined(names)
    return say("count.few", first=names[0], second=names[1], n=len(names) - 2)


def field_of(problem: Problem) -> str:
    """Return the start of the name of the field that a problem is about: "left", "aside"."""
    if problem.how == "aside":
        return "aside"
    if problem.code is Code.OUT_WITH_CARDS and problem.how == "reserve":
        return "out"
    told = "table" if problem.how in _ON_TABLE else "left"
    return _FIELDS.get(problem.code, told)


def _rule_behind(problem: Problem) -> str:
    """Return the house rule behind a doubt, which a table might play differently; or empty."""
    if problem.cites == "no-discard":
        return "steps"
    if problem.how == "opening":
        return "opening.points"
    return "out.needs" if problem.code is Code.NEEDS_MISSING else ""
