"""The kinds of questions at the desk: how each of the referee’s questions looks on a page.

`referee.questions` knows which games have a play, which fields a question about it has, and makes
the play. A `DeskAsk` adds the words and the rows of cards, and fills the question’s fields from
them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from referee import Card, Cards, ContractRule, Play, Variant
from referee.questions import QUESTIONS, Holds, JsonObject, Question, QuestionError, Reader
from webapp.language import say
from webapp.pages.desk.card_fields import (
    LATER,
    MOST_ROWS,
    CardRow,
    Choices,
    DeskQuestion,
    LaidCards,
    free_rows,
    hand_label,
)
from webapp.pages.desk.team import (
    OWN,
    TOTAL,
    added,
    asks_own,
    hand_rows,
    lays_on_own,
    team_meld_rows,
    team_switches,
    total_of,
    totals,
)
from webapp.text.formatting import capital

_MELD_ROWS: Final = {"melds": "meld-", "then": "meld-"}
"""What the names of rows start with that fill a field of melds, if it isn’t the field’s name."""
_SAYS: Final = "says"
"""The field with the choice of how a hand closes the round."""
_SWITCHED: Final[Mapping[str, tuple[str, object]]] = {
    "down": ("down", True),
    "drawn": ("drawn", True),
    "drew": ("drew", True),
    "ended": ("ended", True),
    "later": ("first", False),
    "not-down": ("down", False),
    "not-opened": ("opened", False),
    "goes-out": ("kept", ""),
    "own": ("owner", "self"),
    "pairs": ("pairs", True),
    "same-turn": ("same_turn", True),
    "untaken": ("reserve", False),
}
"""What each switch sets in the referee’s question when it’s on: a field and its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskAsk:
    """A kind of question that can be put to the referee."""

    name: str
    rows: Callable[[Variant, DeskQuestion], Iterator[CardRow]]
    is_enough: Callable[[LaidCards], bool] = lambda _: True
    """A function that returns whether enough is filled in, for kinds that would make a play even if
    cards are missing."""
    switches: Callable[[Variant], tuple[str, ...]] = lambda _: ()
    """The fields that can be ticked; all are off by default."""
    choices: Callable[[Variant], Choices] = lambda _: {}

    @property
    def question(self) -> Question:
        """The referee’s question that this kind asks."""
        return QUESTIONS[self.name]

    def label(self, variant: Variant) -> str:
        """Return the label of this kind of question in a game: "Lay down"."""
        return capital(say("desk.ask", self.name, _at_once(variant), variant=variant))

    @property
    def whole_hand(self) -> bool:
        """Whether the question needs a whole hand."""
        return self.question.whole_hand

    def play(self, laid: LaidCards) -> Play | None:
        """Return the play; None while something that it needs is missing."""
        return self._read(laid)[0] if self.is_enough(laid) else None

    def together(self, laid: LaidCards) -> Counter[Card]:
        """Count the cards that are in play at the same time, to find any that are too many."""
        return self._read(laid)[1]

    def _read(self, laid: LaidCards) -> tuple[Play | None, Counter[Card]]:
        values = JsonObject(dict(_values(self.question, laid)))
        reader = Reader(values, laid.variant, self.question.fields)
        try:
            return self.question.play(reader), reader.in_play
        except QuestionError:
            return None, reader.in_play


def _values(question: Question, laid: LaidCards) -> Iterator[tuple[str, object]]:
    """Yield what is filled in, as fields of the question with their values."""
    on = laid.question.has
    switched = {name: value for switch, (name, value) in _SWITCHED.items() if on(switch)}
    if laid.rows(OWN):  # A player with melds on the table is down.
        switched |= {"down": True, "first": False}
    for field in question.fields:
        match field.holds:
            case Holds.CARDS | Holds.CARD if laid.row(field.name):
                yield field.name, laid.row(field.name)
            case Holds.MELDS:
                yield field.name, [*laid.rows(_MELD_ROWS.get(field.name, f"{field.name}-"))]
            case Holds.LAY_OFFS:
                yield field.name, [*_laid_off(laid)]
            case Holds.SWAPS:
                yield field.name, [*_taken(laid)]
            case None | Holds.CARDS if field.name in switched:
                yield field.name, switched[field.name]
            case None if field.name == _SAYS and laid.question.texts.get(_SAYS):
                yield field.name, laid.question.texts[_SAYS]
            case None if field.name == TOTAL:
                yield field.name, total_of(laid.question)
    yield "owner", "self" if _is_own(laid) else "other"


def _is_own(laid: LaidCards) -> bool:
    """Return whether cards are laid off on a meld of the player or their team, by the switches."""
    if lays_on_own(laid.variant):
        return not laid.question.has("theirs")
    return laid.question.has("own")


def asks_of(variant: Variant) -> tuple[DeskAsk, ...]:
    """Return the kinds of questions that a game has; the first is the one asked most."""
    return tuple(ask for ask in _ASKS if ask.question.fits(variant))


def _melds(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    """Yield the rows of a lay-down: those of the contract, or as many as are needed."""
    if not isinstance(variant.way, ContractRule):
        for row in free_rows(question, "meld-", say("desk.meld")):
            yield replace(row, making=True)
        return
    contract = variant.contract_at(question.step)
    needs = contract.needs if contract else ()
    for count, need in enumerate(needs, 1):
        yield CardRow(
            name=f"meld-{count}",
            label=capital(need.said(variant.speaker)),
            making=True,
            needed=True,
        )
    more = question.filled("meld-") if variant.way.extra_melds else 0
    for count in range(len(needs) + 1, more + 1):
        yield CardRow(name=f"meld-{count}", label=f"{say('desk.meld')} {count}", making=True)
    if contract and contract.no_discard:
        yield CardRow(name="kept", label=say("desk.kept"))


def _lay_down_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield from _taken_rows(variant, question)
    yield from _melds(variant, question)
    yield from _off_rows(variant, question)
    yield from team_meld_rows(variant, question)
    yield from hand_rows(variant)


def _taken_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    for count in range(1, question.filled("give-") + 1):
        group = say("desk.ask", "swap", variant=variant)
        yield CardRow(name=f"give-{count}", label=say("desk.give"), group=group)
        yield CardRow(name=f"take-{count}", label=say("desk.take"), group=group)
        yield CardRow(name=f"out-{count}", label=say("desk.out-of"), group=group)


def _taken(laid: LaidCards) -> Iterator[dict[str, Cards]]:
    for count in range(1, laid.question.filled("give-") + 1):
        give, take, meld = (laid.row(f"{kind}-{count}") for kind in ("give", "take", "out"))
        if give and take and meld:
            yield {"give": give, "take": take, "meld": meld}


def _off_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    for count in range(1, question.filled("off-") + 1):
        group = say("desk.off-now")
        yield CardRow(name=f"off-{count}", label=say("desk.off"), group=group)
        if question.texts.get(f"mine-{count}"):
            yield CardRow(
                name=f"mine-{count}", label=say("desk.switch", "own", variant=variant), group=group
            )
        else:
            yield CardRow(name=f"onto-{count}", label=say("desk.onto"), group=group)


def _lay_down_switches(variant: Variant) -> tuple[str, ...]:
    return (*_is_down(variant, LATER), *_in_pairs(variant), *team_switches(variant))


def _in_pairs(variant: Variant) -> tuple[str, ...]:
    """Return the switch that says that a player opened with pairs, if that is possible."""
    rule = variant.opening
    return ("pairs",) if rule is not None and rule.pairs is not None else ()


def _is_down(variant: Variant, *otherwise: str) -> tuple[str, ...]:
    """Return the switches by which a player says that they’re down; `otherwise` in other games.

    There are none if the question has the team’s melds, which show it.
    """
    if isinstance(variant.way, ContractRule) or variant.opening is not None:
        return ("down",)
    return () if asks_own(variant) else otherwise


def _lays_something(laid: LaidCards) -> bool:
    # A wild can be taken and laid off at once, without a new meld.
    # If a team’s melds are on the table, laying off alone is asked as a lay-down.
    off = any(_taken(laid)) and any(_laid_off(laid))
    return bool(laid.rows("meld-")) or off or any(added(laid))


def _laid_off(laid: LaidCards) -> Iterator[dict[str, object]]:
    """Yield the lay-offs of the same turn, each on a meld of the player or of somebody else."""
    named = [(laid.row("cards"), laid.row("onto"), _is_own(laid))]
    for count in range(1, laid.question.filled("off-") + 1):
        mine = laid.row(f"mine-{count}")
        named.append((laid.row(f"off-{count}"), mine or laid.row(f"onto-{count}"), bool(mine)))
    for cards, onto, own in named:
        if cards and onto:
            yield {"cards": cards, "onto": onto, "owner": "self" if own else "other"}
    yield from added(laid)


def _lay_off_rows(_variant: Variant, _question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="cards", label=say("desk.off"))
    yield CardRow(name="onto", label=say("desk.onto"))


def _lay_off_switches(variant: Variant) -> tuple[str, ...]:
    return ("theirs" if lays_on_own(variant) else "own", "not-down", "same-turn")


def _swap_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="give", label=say("desk.give"))
    yield CardRow(name="take", label=say("desk.take"))
    yield CardRow(name="meld", label=say("desk.out-of"))
    yield from _melds(variant, question)


def _turn_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    if question.filled("after-"):
        for row in free_rows(question, "after-", say("desk.row")):
            yield replace(row, making=True)
    else:
        for number in range(1, min(question.filled("before-") + 1, MOST_ROWS) + 1):
            text = question.texts.get(f"before-{number}", "")
            label = f"{say('desk.row')} {number}"
            yield CardRow(name=f"after-{number}", label=label, free=True, making=True, text=text)
    yield CardRow(name="rack", label=hand_label(variant), rare=True)
    for row in free_rows(question, "before-", say("desk.before")):
        yield replace(row, rare=True)


def _turn_switches(variant: Variant) -> tuple[str, ...]:
    return ("drew",) if variant.opening is None else ("not-opened", "drew")


def _close_rows(variant: Variant, _question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="cards", label=hand_label(variant))
    yield CardRow(name="discard", label=say("desk.discard"), rare=True)


def _ways_to_close(variant: Variant) -> Choices:
    ways = {way: capital(title) for way, title in variant.close_titles.items()}
    return {_SAYS: {"": say("desk.said-nothing"), **ways}} if ways else {}


def _at_once(variant: Variant) -> str:
    """Return whether the pile is taken at once, as a branch of a sentence."""
    return "whole" if variant.pile is not None and variant.pile.whole else ""


def _pile_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    at_once = _at_once(variant)
    group = say("desk.discards", at_once)
    yield CardRow(name="pile", label=say("desk.pile", at_once), group=group)
    if not at_once:
        yield CardRow(name="take", label=say("desk.lowest"), group=group)
    for row in _melds(variant, question):
        yield replace(row, group=say("desk.down-now"))
    if not asks_own(variant):
        yield CardRow(name="cards", label=say("desk.off"), rare=True)
        yield CardRow(name="onto", label=say("desk.onto"), rare=True)
    yield from _off_rows(variant, question)
    yield from team_meld_rows(variant, question)
    if at_once:
        yield CardRow(name="hand", label=hand_label(variant), rare=True)
        yield from hand_rows(variant)


def _pile_switches(variant: Variant) -> tuple[str, ...]:
    if asks_own(variant):
        return (*_is_down(variant), *team_switches(variant))
    return ("own", LATER, *_in_pairs(variant))


def _call_rows(_variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="discard", label=say("desk.discard"))
    yield from free_rows(question, "table-", say("desk.meld"), say("desk.on-table"))


def _show_rows(_variant: Variant, _question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="cards", label=say("desk.meld"), making=True)


_ASKS: Final = (
    DeskAsk(
        name="rearrange",
        rows=_turn_rows,
        is_enough=lambda laid: bool(laid.rows("after-")),
        switches=_turn_switches,
    ),
    DeskAsk(
        name="laydown",
        rows=_lay_down_rows,
        is_enough=_lays_something,
        switches=_lay_down_switches,
        choices=totals,
    ),
    DeskAsk(name="layoff", rows=_lay_off_rows, switches=_lay_off_switches),
    DeskAsk(name="swap", rows=_swap_rows, switches=lambda game: ("down", *_in_pairs(game))),
    DeskAsk(name="pickup", rows=_pile_rows, switches=_pile_switches, choices=totals),
    DeskAsk(
        name="call",
        rows=_call_rows,
        is_enough=lambda laid: bool(laid.rows("table-")),
        switches=lambda _: ("ended", "drawn"),
    ),
    DeskAsk(name="close", rows=_close_rows, choices=_ways_to_close),
    DeskAsk(name="meld", rows=_show_rows),
)
