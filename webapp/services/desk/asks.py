"""The asks: how each question of the referee's table is put on a page.

`referee.questions` says which games know a play, what a question about it can say, and makes the
play. An ask gives the question its words and its rows of cards; what is filled in there goes into
the fields of the question.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from referee import Card, ContractRule, Play, Variant, write_cards
from referee.questions import QUESTIONS, Holds, JsonObject, Question, QuestionError, Reader
from webapp.services.desk.rows import (
    LATER,
    MOST_ROWS,
    CardRow,
    DeskQuestion,
    LaidCards,
    free_rows,
)
from webapp.services.wording import capital

_MELD_ROWS: Final = {"melds": "meld-", "then": "meld-"}
"""How the rows of a field of melds begin, if not with its name."""
_SAYS: Final = "says"
"""The choice of how a hand closes."""
_SWITCHED: Final[Mapping[str, tuple[str, object]]] = {
    "down": ("down", True),
    "drawn": ("drawn", True),
    "drew": ("drew", True),
    "ended": ("ended", True),
    "later": ("first", False),
    "not-down": ("down", False),
    "not-opened": ("opened", False),
    "own": ("owner", "self"),
    "same-turn": ("same_turn", True),
}
"""What each switch of a page says when it is on: a field of the question, and its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskAsk:
    """One thing that can be put to the referee."""

    name: str
    label: Callable[[Variant], str]
    asks: str = "Is this legal?"
    """The heading of the page."""
    rows: Callable[[Variant, DeskQuestion], Iterator[CardRow]]
    is_enough: Callable[[LaidCards], bool] = lambda _: True
    """Whether enough is filled in for a play, if a question without some cards would be one."""
    switches: Callable[[Variant], tuple[tuple[str, str], ...]] = lambda _: ()
    """What may be ticked: the field and its label; all are off where nothing is said."""
    choices: Callable[[Variant], tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]] = (
        lambda _: ()
    )
    """What may be chosen: the field, its label, and the values with theirs."""

    @property
    def question(self) -> Question:
        """The question of the referee's table."""
        return QUESTIONS[self.name]

    @property
    def whole_hand(self) -> bool:
        """Whether a whole hand is put."""
        return self.question.whole_hand

    def play(self, laid: LaidCards) -> Play | None:
        """Make the play; None while something that it needs is missing."""
        return self._read(laid)[0] if self.is_enough(laid) else None

    def together(self, laid: LaidCards) -> Counter[Card]:
        """Count the cards that are in play at once: never more than the packs hold."""
        return self._read(laid)[1]

    def _read(self, laid: LaidCards) -> tuple[Play | None, Counter[Card]]:
        values = JsonObject(dict(_values(self.question, laid)))
        reader = Reader(values, laid.variant, self.question.fields)
        try:
            return self.question.play(reader), reader.in_play
        except QuestionError:
            return None, reader.in_play


def _values(question: Question, laid: LaidCards) -> Iterator[tuple[str, object]]:
    """What is filled in, as the fields of a question."""
    on = laid.question.has
    switched = {name: value for switch, (name, value) in _SWITCHED.items() if on(switch)}
    for field in question.fields:
        match field.holds:
            case Holds.CARDS | Holds.CARD if laid.row(field.name):
                yield field.name, write_cards(laid.row(field.name))
            case Holds.MELDS:
                melds = laid.rows(_MELD_ROWS.get(field.name, f"{field.name}-"))
                yield field.name, [write_cards(cards) for cards in melds]
            case Holds.LAY_OFFS:
                yield field.name, [*_laid_off(laid)]
            case Holds.SWAPS:
                yield field.name, [*_taken(laid)]
            case None if field.name in switched:
                yield field.name, switched[field.name]
            case None if field.name == _SAYS and laid.question.texts.get(_SAYS):
                yield field.name, laid.question.texts[_SAYS]
    if not on("own"):
        yield "owner", "other"


def asks_of(variant: Variant) -> tuple[DeskAsk, ...]:
    """What can be asked in a game; the first is what is asked most."""
    return tuple(ask for ask in _ASKS if ask.question.fits(variant))


def _cards(variant: Variant) -> str:
    return f"{capital(variant.pack.nouns.card)}s"


def _melds(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    """The rows of a lay-down: those of the contract, or as many as are wanted."""
    if not isinstance(variant.way, ContractRule):
        for row in free_rows(question, "meld-", "Meld"):
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
        yield CardRow(name=f"meld-{count}", label=f"Meld {count}", making=True)
    if contract and contract.no_discard:
        yield CardRow(name="kept", label=f"{_cards(variant)} left over")


def _lay_down_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield from _taken_rows(variant, question)
    yield from _melds(variant, question)
    yield from _off_rows(variant, question)


def _taken_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    for count in range(1, question.filled("give-") + 1):
        group = f"Taking a {variant.wilds.name}"
        card, wild = capital(variant.pack.nouns.card), capital(variant.wilds.name)
        yield CardRow(name=f"give-{count}", label=f"{card} given", group=group)
        yield CardRow(name=f"take-{count}", label=f"{wild} taken", group=group)
        yield CardRow(name=f"out-{count}", label="Out of the meld", group=group)


def _taken(laid: LaidCards) -> Iterator[dict[str, str]]:
    for count in range(1, laid.question.filled("give-") + 1):
        give, take, meld = (laid.row(f"{kind}-{count}") for kind in ("give", "take", "out"))
        if give and take and meld:
            yield {"give": write_cards(give), "take": write_cards(take), "meld": write_cards(meld)}


def _off_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    for count in range(1, question.filled("off-") + 1):
        group = "Laid off at once"
        yield CardRow(name=f"off-{count}", label=_cards(variant), group=group)
        if question.texts.get(f"mine-{count}"):
            yield CardRow(name=f"mine-{count}", label="Onto your own", group=group)
        else:
            yield CardRow(name=f"onto-{count}", label="Onto the meld", group=group)


def _lay_down_switches(variant: Variant) -> tuple[tuple[str, str], ...]:
    if isinstance(variant.way, ContractRule):
        return (("down", "Already laid down"),)
    if variant.opening is not None:
        return (("down", "Already opened"),)
    return (LATER,)


def _lays_something(laid: LaidCards) -> bool:
    # A wild can be taken and laid off at once, without a new meld.
    return bool(laid.rows("meld-")) or (any(_taken(laid)) and any(_laid_off(laid)))


def _laid_off(laid: LaidCards) -> Iterator[dict[str, str]]:
    """What is laid off in the same turn, each on a meld of the player's own or of another's."""
    named = [(laid.row("cards"), laid.row("onto"), laid.question.has("own"))]
    for count in range(1, laid.question.filled("off-") + 1):
        mine = laid.row(f"mine-{count}")
        named.append((laid.row(f"off-{count}"), mine or laid.row(f"onto-{count}"), bool(mine)))
    for cards, onto, own in named:
        if cards and onto:
            owner = "self" if own else "other"
            yield {"cards": write_cards(cards), "onto": write_cards(onto), "owner": owner}


def _lay_off_rows(variant: Variant, _question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="cards", label=f"{_cards(variant)} to lay off")
    yield CardRow(name="onto", label="Onto the meld")


def _swap_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="give", label=f"{capital(variant.pack.nouns.card)} given")
    yield CardRow(name="take", label=f"{capital(variant.wilds.name)} taken")
    yield CardRow(name="meld", label="Out of the meld")
    yield from _melds(variant, question)


def _turn_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    if question.filled("after-"):
        for row in free_rows(question, "after-", "Row"):
            yield replace(row, making=True)
    else:
        for number in range(1, min(question.filled("before-") + 1, MOST_ROWS) + 1):
            text = question.texts.get(f"before-{number}", "")
            label = f"Row {number}"
            yield CardRow(name=f"after-{number}", label=label, free=True, making=True, text=text)
    yield CardRow(name="rack", label=capital(variant.pack.nouns.hand), rare=True)
    for row in free_rows(question, "before-", "Table before"):
        yield replace(row, rare=True)


def _turn_switches(variant: Variant) -> tuple[tuple[str, str], ...]:
    opens = (("not-opened", "Has not opened yet"),) if variant.opening is not None else ()
    return (*opens, ("drew", "Drew in this turn"))


def _close_rows(variant: Variant, _question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="cards", label=capital(variant.pack.nouns.hand))
    yield CardRow(name="discard", label="Discard", rare=True)


def _ways_to_close(variant: Variant) -> tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]:
    if variant.close is None:
        return ()
    ways = [(way, capital(title)) for way, title in variant.close_titles.items()]
    return ((_SAYS, "What was said", (("", "Nothing"), *ways)),)


def _pile_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="pile", label="Pile, from the bottom", group="The discard pile")
    yield CardRow(name="take", label="Lowest taken", group="The discard pile")
    for row in _melds(variant, question):
        yield replace(row, group="Laid at once")
    yield CardRow(name="cards", label=f"{_cards(variant)} laid off", rare=True)
    yield CardRow(name="onto", label="Onto the meld", rare=True)
    yield from _off_rows(variant, question)


def _call_rows(_variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="discard", label="Discard")
    yield from free_rows(question, "table-", "Meld", "On the table")


def _show_rows(_variant: Variant, _question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="cards", label="Meld", making=True)


_OWN: Final = ("own", "Onto your own meld")

_ASKS: Final = (
    DeskAsk(
        name="rearrange",
        label=lambda _: "Play a turn",
        asks="Is the table legal?",
        rows=_turn_rows,
        is_enough=lambda laid: bool(laid.rows("after-")),
        switches=_turn_switches,
    ),
    DeskAsk(
        name="laydown",
        label=lambda variant: capital(variant.words.lay_down),
        rows=_lay_down_rows,
        is_enough=_lays_something,
        switches=_lay_down_switches,
    ),
    DeskAsk(
        name="layoff",
        label=lambda variant: capital(variant.words.lay_off),
        rows=_lay_off_rows,
        switches=lambda _: (_OWN, ("not-down", "Is not down yet"), ("same-turn", "Went down now")),
    ),
    DeskAsk(
        name="swap",
        label=lambda variant: f"Take a {variant.wilds.name}",
        rows=_swap_rows,
        switches=lambda _: (("down", "Already laid down"),),
    ),
    DeskAsk(
        name="pickup",
        label=lambda _: "Take from the pile",
        rows=_pile_rows,
        switches=lambda _: (_OWN, LATER),
    ),
    DeskAsk(
        name="call",
        label=lambda _: "Claim a discard",
        rows=_call_rows,
        is_enough=lambda laid: bool(laid.rows("table-")),
        switches=lambda _: (("ended", "Play is over"), ("drawn", "The next has drawn")),
    ),
    DeskAsk(
        name="close",
        label=lambda _: "Close",
        rows=_close_rows,
        choices=_ways_to_close,
    ),
    DeskAsk(
        name="meld",
        label=lambda _: "Is it a meld?",
        asks="Is it a meld?",
        rows=_show_rows,
    ),
)
