"""What speaks against a count, box by box: whose it is, which field, and what is in it.

The heading of the sheet, its buttons and the marks on the page are all made of the same boxes, so
that what a button names is what it acts on.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
"""The field that a problem is about, where that is not what is left in hand."""
_ON_TABLE: Final = frozenset({"table", "table-minus", "laid", "recorded", "opening", "bonus"})
"""What is said of points on the table, by how it is said."""
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
"""What is said otherwise where it can be saved all the same than where it is ruled on."""
_MOST_VALUES: Final = 5
"""Values of cards that are named one by one."""
_PAIR: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A box on the count page that something speaks against."""

    player: int
    """Whose it is; of a team, the player whom its fields are named for. 0 for nobody's Out."""
    field: str
    """Which of theirs: "left", "table", "aside", "out", "made" or "close"."""
    name: str
    """The player or the team."""
    token: Token | None
    value: str
    """The figure in it, as it counts ("650"); empty if it is a tick."""
    is_set: bool = True
    """Whether it is ticked, if it is."""
    is_blank: bool = False
    """Whether nobody has typed anything into it yet, and nothing counts as 0."""
    of_team: bool = False
    """Whether it is of several players together."""

    @property
    def id(self) -> str:
        """The element of the page that it is."""
        if self.field == "close":
            return "close-how"
        return f"{self.field}-{self.player or 'nobody'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OddBox:
    """A box with its words: a row of the sheet."""

    box: Box
    field_says: str
    """What its field is called: "in hand"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the page asks before it saves a doubtful count."""

    heading: str
    line: str
    """The same, as the message of the page begins: "650 for Lucy?"."""
    reasons: tuple[str, ...]
    boxes: tuple[OddBox, ...]
    save: str
    change: str
    target: str
    """The element that changing it selects; empty if it isn't on the page."""
    rule: str
    """The house rule that is behind the doubt, as its chapter names it; or empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubts:
    """A count as it was typed, beside what speaks against it."""

    variant: Variant
    number: int
    seats: Sequence[int]
    firsts: Mapping[int, int]
    """The player whom the fields of each player are named for: themselves, or of their team."""
    partners: Collection[int]
    """The players who aren't alone in their team."""
    called: Callable[[int], str]
    """What a line is called: a player, or a team."""
    tokens: Mapping[int, Token]
    hands: Hands
    """By player, as typed or on the pad."""
    changed: Collection[int]
    """The players whose hands a save would write."""
    shown: Collection[int]
    """The players whose lines are on the page."""
    counts: Callable[[Hand, str], int | None]
    """What is in a field of a hand, added up: "left" or "table"; None if it can't be."""

    def ask(self, doubts: Sequence[Problem]) -> Asked | None:
        """What to ask of these doubts; None without any."""
        if not doubts:
            return None
        # That all hands together are too much is no news if one of them is by itself.
        if any(one.code in _MUCH and one.seat is not None for one in doubts):
            doubts = [one for one in doubts if one.code not in _MUCH or one.seat is not None]
        boxes = self.boxes(doubts)
        first = boxes[0] if boxes else None
        return Asked(
            heading=self._heading(boxes),
            line=self._line(boxes),
            reasons=tuple(self._reasons(doubts, boxes)),
            boxes=tuple(OddBox(box=box, field_says=self._field(box)) for box in boxes),
            save=self._save(boxes),
            change=self._change(first),
            target=first.id if first else "",
            rule=next(filter(None, map(_rule_behind, doubts)), ""),
        )

    def boxes(self, doubts: Sequence[Problem]) -> tuple[Box, ...]:
        """The boxes of some doubts that are on the page, each once, down the page."""
        found = {box.id: box for doubt in doubts for box in self._boxes_of(doubt)}
        order = {player: place for place, player in enumerate(self.shown)}
        there = [box for box in found.values() if not box.player or self._first(box) in order]
        return tuple(sorted(there, key=lambda box: order.get(self._first(box), -1)))

    def _first(self, box: Box) -> int:
        return self.firsts.get(box.player, 0)

    def _boxes_of(self, doubt: Problem) -> Iterator[Box]:
        field = field_of(doubt)
        if doubt.round not in {None, self.number}:
            # A later round has become impossible by what is changed here.
            changed = dict.fromkeys(self.firsts[player] for player in self.changed)
            yield from (self._box(player, self._typed_field(player)) for player in changed)
        elif doubt.code is Code.NOBODY_OUT:
            yield Box(player=0, field="out", name="", token=None, value="", is_set=False)
        elif doubt.seat is not None:
            yield self._box(self.seats[doubt.seat], field)
        elif doubt.code is Code.TWO_OUT:
            yield from (self._box(who, field) for who, hand in self.hands.items() if hand.out)
        else:
            # All hands together come to too much, or name a card too often.
            fields = ("left", "table") if doubt.how == "laid-and-held" else (field,)
            for player in self.hands:
                boxes = (self._box(player, each) for each in fields)
                yield from (box for box in boxes if box.value not in {"", "0"})

    def _typed_field(self, player: int) -> str:
        """The field of a hand that says most of it."""
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
        """The player who went out, of a player alone or a team; 0 for nobody."""
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
            how = "" if box.value else "blank"
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
        """Say why, each reason once; with a name if there are several boxes and it is about one."""
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


def field_of(problem: Problem) -> str:
    """The field that a problem is about, as its name on the page begins."""
    if problem.how == "aside":
        return "aside"
    if problem.code is Code.OUT_WITH_CARDS and problem.how == "reserve":
        return "out"
    told = "table" if problem.how in _ON_TABLE else "left"
    return _FIELDS.get(problem.code, told)


def _rule_behind(problem: Problem) -> str:
    """The house rule that a table may play differently, where one is behind a doubt."""
    if problem.cites == "no-discard":
        return "steps"
    if problem.how == "opening":
        return "opening.points"
    return "out.needs" if problem.code is Code.NEEDS_MISSING else ""
