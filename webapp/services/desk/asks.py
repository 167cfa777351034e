"""The asks: what can be put to the referee, each as one small value.

A game knows a play by having the rule for it, so that a new game is asked in its own terms without
a line here. An ask names its rows of cards and makes the play out of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from referee import (
    Call,
    Close,
    ContractRule,
    LayDown,
    LayOff,
    PickUp,
    Rearrange,
    ShowMeld,
    Swap,
    Taken,
)
from webapp.services.desk.rows import LATER, MOST_ROWS, CardRow, LaidCards, free_rows
from webapp.services.wording import capital

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee import Card, Cards, Play, Variant
    from webapp.services.desk.rows import DeskQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One thing that can be put to the referee."""

    name: str
    label: Callable[[Variant], str]
    question: str
    """What is asked about somebody, whose name stands for the braces: "May {} lay this down?"."""
    fits: Callable[[Variant], bool]
    """Whether the game knows such a play."""
    rows: Callable[[Variant, DeskQuestion], Iterator[CardRow]]
    play: Callable[[LaidCards], Play | None]
    """Makes the play; None while something is missing without which it is none."""
    together: Callable[[LaidCards], Counter[Card]] = lambda laid: laid.count("")
    """Counts the cards that are in play at once: never more than the packs hold."""
    switches: Callable[[Variant], tuple[tuple[str, str], ...]] = lambda _: ()
    """What may be ticked: the field and its label; all are off where nothing is said."""
    choices: Callable[[Variant], tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]] = (
        lambda _: ()
    )
    """What may be chosen: the field, its label, and the values with theirs."""
    whole_hand: bool = False
    """Whether a whole hand is put."""


def asks_of(variant: Variant) -> tuple[Ask, ...]:
    """What can be asked in a game; the first is what is asked most."""
    return tuple(ask for ask in _ASKS if ask.fits(variant))


def _cards(variant: Variant) -> str:
    """Say "Cards" as the label of a row, or "Tiles"."""
    return f"{capital(variant.pack.nouns.card)}s"


def _melds(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    """The rows of a lay-down: those of the contract, or as many as are wanted."""
    if not isinstance(variant.way, ContractRule):
        yield from free_rows(question, "meld-", "Meld")
        return
    contract = variant.contract_at(question.step)
    needs = contract.needs if contract else ()
    for count, need in enumerate(needs, 1):
        yield CardRow(name=f"meld-{count}", label=need.label)
    more = question.filled("meld-") if variant.way.extra_melds else 0
    for count in range(len(needs) + 1, more + 1):
        yield CardRow(name=f"meld-{count}", label=f"Meld {count}")
    if contract and contract.no_discard:
        yield CardRow(name="kept", label=f"{_cards(variant)} left over")


def _lay_down_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield from _taken_rows(variant, question)
    yield from _melds(variant, question)
    yield from _off_rows(variant, question)


def _taken_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    """The rows of the wilds that are taken out of melds in the same turn."""
    for count in range(1, question.filled("give-") + 1):
        group = f"Taking a {variant.wilds.name}"
        card, wild = capital(variant.pack.nouns.card), capital(variant.wilds.name)
        yield CardRow(name=f"give-{count}", label=f"{card} given", group=group)
        yield CardRow(name=f"take-{count}", label=f"{wild} taken", group=group)
        yield CardRow(name=f"out-{count}", label="Out of the meld", group=group)


def _taken(laid: LaidCards) -> Iterator[Taken]:
    """The swaps that are made in the turn of a lay-down."""
    for count in range(1, laid.question.filled("give-") + 1):
        give, take = laid.one(f"give-{count}"), laid.one(f"take-{count}")
        meld = laid.row(f"out-{count}")
        if give is not None and take is not None and meld:
            yield Taken(give, take, meld)


def _off_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    """The rows of what is laid off in the same turn, and onto which melds."""
    for count in range(1, question.filled("off-") + 1):
        group = "Laid off at once"
        yield CardRow(name=f"off-{count}", label=_cards(variant), group=group)
        if question.texts.get(f"mine-{count}"):
            yield CardRow(name=f"mine-{count}", label="Onto one’s own", group=group)
        else:
            yield CardRow(name=f"onto-{count}", label="Onto the meld", group=group)


def _lay_down_switches(variant: Variant) -> tuple[tuple[str, str], ...]:
    if isinstance(variant.way, ContractRule):
        return (("down", "Is down already"),)
    if variant.opening is not None:
        return (("down", "Has opened already"),)
    return (LATER,)


def _lay_down(laid: LaidCards) -> Play | None:
    melds, on = laid.rows("meld-"), laid.question.has
    layoffs, swaps = tuple(_laid_off(laid)), tuple(_taken(laid))
    if not melds and not (layoffs and swaps):
        return None
    return LayDown(
        melds=melds,
        kept=laid.row("kept") or None,
        layoffs=layoffs,
        swaps=swaps,
        down=on("down"),
        first=not on("later"),
    )


def _laid_off(laid: LaidCards) -> Iterator[LayOff]:
    """What is laid off in the turn of a lay-down."""
    for count in range(1, laid.question.filled("off-") + 1):
        cards, mine = laid.row(f"off-{count}"), laid.row(f"mine-{count}")
        onto = mine or laid.row(f"onto-{count}")
        if cards and onto:
            yield LayOff(cards, onto, own=bool(mine), same_turn=True)


def _in_a_lay_down(laid: LaidCards) -> Counter[Card]:
    return laid.count("meld-", "off-", "kept") + _laid_off_on(laid)


def _laid_off_on(laid: LaidCards) -> Counter[Card]:
    """Count the melds laid off on; one that cards join at both ends is written twice.

    A meld of one's own may be one that is laid in the same turn, and is counted there. One that a
    wild is taken out of is counted as it then lies.
    """
    there: dict[tuple[str, ...], Cards] = {}
    for swap in _taken(laid):
        there.pop(_sorted(swap.meld), None)
        after = Counter(swap.meld) - Counter((swap.take,)) + Counter((swap.give,))
        cards = tuple(after.elements())
        there[_sorted(cards)] = cards
    there |= {_sorted(cards): cards for cards in laid.rows(("onto", "mine-"))}
    new = {_sorted(cards) for cards in laid.rows("meld-")}
    return Counter(card for key, cards in there.items() if key not in new for card in cards)


def _sorted(cards: Cards) -> tuple[str, ...]:
    return tuple(sorted(map(str, cards)))


def _lay_off_rows(variant: Variant, _question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="cards", label=f"{_cards(variant)} to lay off")
    yield CardRow(name="onto", label="Onto the meld")


def _lay_off(laid: LaidCards) -> Play | None:
    cards, onto, on = laid.row("cards"), laid.row("onto"), laid.question.has
    if not cards or not onto:
        return None
    return LayOff(cards, onto, own=on("own"), down=not on("not-down"), same_turn=on("same-turn"))


def _swap_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="give", label=f"{capital(variant.pack.nouns.card)} given")
    yield CardRow(name="take", label=f"{capital(variant.wilds.name)} taken")
    yield CardRow(name="meld", label="Out of the meld")
    yield from _melds(variant, question)


def _swap(laid: LaidCards) -> Play | None:
    give, take, meld = laid.one("give"), laid.one("take"), laid.row("meld")
    if give is None or take is None or not meld:
        return None
    melds, down = laid.rows("meld-"), laid.question.has("down")
    taken = Taken(give, take, meld)
    return Swap(taken=taken, then=melds, down=down, kept=laid.row("kept") or None)


def _in_a_swap(laid: LaidCards) -> Counter[Card]:
    # The wild that is taken is written in the meld it leaves, in the one it joins, and alone.
    return laid.count("") - laid.count("take") - laid.count("take")


def _turn_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    meld = capital(variant.pack.nouns.meld)
    yield from free_rows(question, "before-", meld, "On the table before")
    if question.filled("after-"):
        yield from free_rows(question, "after-", meld, "On the table after")
    else:
        for number in range(1, min(question.filled("before-") + 1, MOST_ROWS) + 1):
            text = question.texts.get(f"before-{number}", "")
            label, group = f"{meld} {number}", "On the table after"
            yield CardRow(name=f"after-{number}", label=label, group=group, free=True, text=text)
    yield CardRow(name="rack", label=capital(variant.pack.nouns.hand), rare=True)


def _turn_switches(variant: Variant) -> tuple[tuple[str, str], ...]:
    opens = (("not-opened", "Has not opened yet"),) if variant.opening is not None else ()
    return (*opens, ("drew", "Drew in this turn"))


def _turn(laid: LaidCards) -> Play | None:
    before, after, on = laid.rows("before-"), laid.rows("after-"), laid.question.has
    if not after:
        return None
    return Rearrange(
        before=before,
        after=after,
        rack=laid.row("rack") or None,
        opened=not on("not-opened"),
        drew=on("drew"),
    )


def _in_a_turn(laid: LaidCards) -> Counter[Card]:
    # What lies on the table before and after are the same tiles.
    return (laid.count("before-") + laid.count("rack")) | laid.count("after-")


def _close_rows(variant: Variant, _question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="cards", label=capital(variant.pack.nouns.hand))
    yield CardRow(name="discard", label="Discard", rare=True)


def _ways_to_close(variant: Variant) -> tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]:
    if variant.close is None:
        return ()
    ways = [(way, capital(title)) for way, title in variant.close.titles.items()]
    return (("says", "What was said", (("", "Nothing"), *ways)),)


def _close(laid: LaidCards) -> Play | None:
    cards = laid.row("cards")
    says = laid.question.texts.get("says") or None
    rule = laid.variant.close
    if not cards or rule is None or (says is not None and says not in rule.titles):
        return None
    return Close(cards=cards, discard=laid.one("discard"), says=says)


def _pile_rows(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="pile", label="Pile, from the bottom", group="The discard pile")
    yield CardRow(name="take", label="Lowest taken", group="The discard pile")
    for row in _melds(variant, question):
        yield CardRow(name=row.name, label=row.label, group="Laid at once", free=row.free)
    yield CardRow(name="cards", label=f"{_cards(variant)} laid off", rare=True)
    yield CardRow(name="onto", label="Onto the meld", rare=True)
    yield from _off_rows(variant, question)


def _pick_up(laid: LaidCards) -> Play | None:
    pile, take, on = laid.row("pile"), laid.one("take"), laid.question.has
    if take is None or take not in pile:
        return None
    cards, onto = laid.row("cards"), laid.row("onto")
    layoffs = (LayOff(cards, onto, own=on("own")),) if cards and onto else ()
    return PickUp(
        pile=pile,
        take=take,
        melds=laid.rows("meld-"),
        layoffs=(*layoffs, *_laid_off(laid)),
        first=not on("later"),
    )


def _in_a_pick_up(laid: LaidCards) -> Counter[Card]:
    # What is laid may have come out of the pile.
    return (laid.count("pile") | laid.count("meld-", "cards", "off-")) + _laid_off_on(laid)


def _call_rows(_variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="discard", label="Discard")
    yield from free_rows(question, "table-", "Meld", "On the table")


def _call(laid: LaidCards) -> Play | None:
    discard, table, on = laid.one("discard"), laid.rows("table-"), laid.question.has
    if discard is None or not table:
        return None
    return Call(discard=discard, table=table, ended=on("ended"), drawn=on("drawn"))


def _show_rows(_variant: Variant, _question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="cards", label="The meld")


def _show(laid: LaidCards) -> Play | None:
    cards = laid.row("cards")
    return ShowMeld(cards) if cards else None


_OWN: Final = ("own", "Onto one’s own meld")

_ASKS: Final = (
    Ask(
        name="rearrange",
        label=lambda _: "A turn at the table",
        question="May {} play this turn?",
        fits=lambda variant: variant.rearrangement is not None,
        rows=_turn_rows,
        play=_turn,
        together=_in_a_turn,
        switches=_turn_switches,
    ),
    Ask(
        name="laydown",
        label=lambda variant: capital(variant.words.lay_down),
        question="May {} lay this down?",
        fits=lambda variant: variant.close is None,
        rows=_lay_down_rows,
        play=_lay_down,
        together=_in_a_lay_down,
        switches=_lay_down_switches,
    ),
    Ask(
        name="layoff",
        label=lambda variant: capital(variant.words.lay_off),
        question="May {} lay this off?",
        fits=lambda variant: variant.lay_offs is not None,
        rows=_lay_off_rows,
        play=_lay_off,
        switches=lambda _: (_OWN, ("not-down", "Is not down yet"), ("same-turn", "Went down now")),
    ),
    Ask(
        name="swap",
        label=lambda variant: f"Take a {variant.wilds.name}",
        question="May {} swap this?",
        fits=lambda variant: variant.swaps is not None,
        rows=_swap_rows,
        play=_swap,
        together=_in_a_swap,
        switches=lambda _: (("down", "Is down already"),),
    ),
    Ask(
        name="pickup",
        label=lambda _: "Take from the pile",
        question="May {} take the pile?",
        fits=lambda variant: variant.pile is not None,
        rows=_pile_rows,
        play=_pick_up,
        together=_in_a_pick_up,
        switches=lambda _: (_OWN, LATER),
    ),
    Ask(
        name="call",
        label=lambda _: "Claim a discard",
        question="May {} claim this discard?",
        fits=lambda variant: variant.calls,
        rows=_call_rows,
        play=_call,
        switches=lambda _: (("ended", "Play is over"), ("drawn", "The next has drawn")),
    ),
    Ask(
        name="close",
        label=lambda _: "Close",
        question="May {} close with this?",
        fits=lambda variant: variant.close is not None,
        rows=_close_rows,
        play=_close,
        choices=_ways_to_close,
        whole_hand=True,
    ),
    Ask(
        name="meld",
        label=lambda _: "Is it a meld?",
        question="Is it a meld?",
        fits=lambda _: True,
        rows=_show_rows,
        play=_show,
    ),
)
