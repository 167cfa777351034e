"""The kinds of advice, one for each kind of game.

The kind follows from the rules that a game has, as with `webapp.pages.desk.questions`. It has the
rows and switches that the search needs, and turns what was found into the question that the referee
is asked about it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee import (
    BIG_GIN,
    CLOSED,
    Card,
    Cards,
    Contract,
    ContractRule,
    LayOff,
    LayRule,
    Reading,
    Taken,
    Variant,
    paid,
    write_cards,
)
from referee.advice import Advice, PickUpAdvice
from webapp.language import say
from webapp.pages.desk.card_fields import (
    LATER,
    CardRow,
    Choices,
    DeskQuestion,
    LaidCards,
    free_rows,
    hand_label,
)
from webapp.text.formatting import say_points


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceKind:
    """A kind of advice: its rows, and the play that it leads to."""

    fits: Callable[[Variant], bool]
    rows: Callable[[Variant, DeskQuestion], Iterator[CardRow]]
    """A function that returns the rows: first the hand, as the row `hand`, then the cards
    elsewhere."""
    title: Callable[[LaidCards, Advice, str], str]
    """A function that returns the heading for what was found. Its last argument is the name of the
    player whose hand it is; if that is empty, the heading says “you”."""
    play: Callable[[LaidCards, Advice], Mapping[str, str]]
    """A function that returns the play as fields of the desk; empty if there isn’t one."""
    points: Callable[[LaidCards, Advice], str] = lambda _laid, _advice: ""
    """A function that returns a sentence about the points of the play, or an empty text."""
    together: Callable[[LaidCards], Counter[Card]] = lambda laid: laid.count("")
    switches: Callable[[Variant], tuple[str, ...]] = lambda _: ()
    choices: Callable[[], Choices] = dict
    whole_hand: bool = False
    """Whether the whole hand is shown to close the round."""


def advice_kind_of(variant: Variant) -> AdviceKind:
    """Return the kind of advice that a game has."""
    return next(kind for kind in _KINDS if kind.fits(variant))


def in_hand(card: Card) -> tuple[int, int]:
    """Return the sort key of a card in a hand: by suit, then by rank."""
    return card.suit.at if card.suit else -1, card.rank


def in_order(melds: Sequence[Reading], contract: Contract | None) -> tuple[Reading, ...]:
    """Return melds in the order in which a contract lists them; additional ones come last."""
    left = sorted(melds, key=lambda meld: -len(meld.cards))
    needs = list(contract.needs) if contract else []
    found: dict[int, Reading] = {}
    for place in sorted(range(len(needs)), key=lambda place: -needs[place].size):
        meld = next((meld for meld in left if meld.kind is needs[place].kind), None)
        if meld is not None:
            left.remove(meld)
            found[place] = meld
    return (*(found[place] for place in sorted(found)), *(meld for meld in melds if meld in left))


def own_swaps(swaps: Sequence[Taken], owners: Mapping[str, str]) -> tuple[tuple[Taken, str], ...]:
    """Return swaps, each with the owner of its meld; empty if that isn’t known."""
    return tuple((swap, owners.get(write_cards(swap.meld), "")) for swap in swaps)


def lay_off_fields(layoff: LayOff, *, same_turn: bool) -> dict[str, str]:
    """Return the question whether cards can be laid off, as fields of the desk.

    `same_turn` is whether the player lays down melds in the same turn.
    """
    fields = {"ask": "layoff", "cards": write_cards(layoff.cards), "onto": write_cards(layoff.onto)}
    fields |= {"own": "1"} if layoff.own else {}
    return fields | ({"same-turn": "1"} if same_turn else {})


def pick_up_fields(laid: LaidCards, pickup: PickUpAdvice) -> dict[str, str]:
    """Return the question whether the discard pile can be taken as advised, as desk fields."""
    fields = {"ask": "pickup", "pile": write_cards(laid.row("discards")), "take": str(pickup.take)}
    fields |= _numbered("meld-", [meld.cards for meld in pickup.melds])
    fields |= _laid_off(pickup.layoffs)
    return fields | ({"later": "1"} if laid.question.has("later") else {})


def _laid_off(layoffs: Sequence[LayOff]) -> dict[str, str]:
    fields = {}
    for count, layoff in enumerate(layoffs, 1):
        fields[f"off-{count}"] = write_cards(layoff.cards)
        fields[f"{'mine' if layoff.own else 'onto'}-{count}"] = write_cards(layoff.onto)
    return fields


def _swapped(swaps: Sequence[Taken]) -> dict[str, str]:
    fields = {}
    for count, swap in enumerate(swaps, 1):
        fields[f"give-{count}"] = str(swap.give)
        fields[f"take-{count}"] = str(swap.take)
        fields[f"out-{count}"] = write_cards(swap.meld)
    return fields


def _numbered(prefix: str, melds: Sequence[Cards]) -> dict[str, str]:
    return {f"{prefix}{count}": write_cards(cards) for count, cards in enumerate(melds, 1)}


def _laid_down(laid: LaidCards, advice: Advice) -> dict[str, str]:
    contract = laid.variant.contract_at(laid.question.step)
    if not advice.melds and not advice.swaps:
        return lay_off_fields(advice.layoffs[0], same_turn=False) if advice.layoffs else {}
    fields = {"ask": "laydown", **_swapped(advice.swaps)}
    fields |= _numbered("meld-", [meld.cards for meld in in_order(advice.melds, contract)])
    fields |= _laid_off(advice.layoffs)
    if contract and contract.no_discard and advice.kept:
        fields["kept"] = write_cards(advice.kept)
    return fields | {name: "1" for name in ("down", "later") if laid.question.has(name)}


def _turned(laid: LaidCards, advice: Advice) -> dict[str, str]:
    if advice.turn is None:
        return {}
    fields = {"ask": "rearrange", "rack": write_cards(laid.row("hand"))}
    fields |= _numbered("before-", laid.rows("table-")) | _numbered("after-", advice.turn.after)
    return fields | ({"not-opened": "1"} if laid.question.has("not-opened") else {})


def _closed(laid: LaidCards, advice: Advice) -> dict[str, str]:
    if not advice.possible or advice.closes_as is None:
        return {}
    shown = Counter(laid.row("hand")) - Counter(advice.kept)
    ordered = [card for meld in advice.melds for card in meld.cards]
    ordered += (shown - Counter(ordered)).elements()
    fields = {"ask": "close", "cards": write_cards(ordered), "says": advice.closes_as}
    return fields | ({"discard": str(advice.discard)} if advice.discard else {})


def _can_lay(laid: LaidCards, advice: Advice, who: str) -> str:
    you = "" if who else "you"
    if advice.melds:
        return say("advice.can-lay-down", you, who=who, variant=laid.variant)
    return say("advice.can-lay-off", you, who=who, variant=laid.variant)


def _contract_title(laid: LaidCards, advice: Advice, who: str) -> str:
    if advice.possible:
        return _can_lay(laid, advice, who)
    if laid.question.has("down"):
        return say("advice.no-lay-off", variant=laid.variant)
    return say("advice.not-yet")


def _lays_title(laid: LaidCards, advice: Advice, who: str) -> str:
    if advice.pickup is not None and advice.pickup.gain > 0:
        return say("advice.take-pile", card=laid.variant.speaker.card(advice.pickup.take))
    return _can_lay(laid, advice, who) if advice.possible else say("advice.no-lay-down")


def _turn_title(laid: LaidCards, advice: Advice, who: str) -> str:
    opens, you, turn = laid.question.has("not-opened"), "" if who else "you", advice.turn
    if turn is None:
        return say("advice.no-open", you, who=who) if opens else say("advice.no-play")
    n = len(turn.played)
    if opens:
        return say("advice.can-open", you, n=n, who=who, variant=laid.variant)
    return say("advice.can-play", you, n=n, who=who, variant=laid.variant)


def _close_title(laid: LaidCards, advice: Advice, who: str) -> str:
    way = advice.closes_as
    if way is None:
        return say("advice.not-yet")
    says = say("advice.can-close", "" if who else "you", who=who)
    return says if way == CLOSED else f"{says}: {laid.variant.close_titles[way]}"


def _close_points(laid: LaidCards, advice: Advice) -> str:
    rule = laid.variant.close
    if rule is None or advice.multiplier is None:
        return ""
    if advice.closes_as == BIG_GIN:
        return say("advice.adds", points=rule.big_gin)
    return laid.variant.say(paid(advice.multiplier, (), rule))


def _lays_points(laid: LaidCards, advice: Advice) -> str:
    pickup, pad = advice.pickup, laid.variant.pad
    if pickup is not None and pickup.gain > 0:
        n, gain = len(pickup.cards), pickup.gain
        return say("advice.gain", n=n, gain=gain, variant=laid.variant)
    if not advice.possible or not pad.asks_table:
        return ""
    return say("advice.scores", points=say_points(advice.points))


def _turn_points(laid: LaidCards, advice: Advice) -> str:
    if advice.turn is None:
        return ""
    return say("advice.off-hand", points=advice.turn.value, variant=laid.variant)


def _hand(variant: Variant, _question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="hand", label=hand_label(variant))


def _hand_and_table(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="hand", label=hand_label(variant))
    yield from free_rows(question, "table-", say("desk.meld"), say("desk.on-table"))


def _hand_and_melds(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    """Yield the rows of a hand and of the table, with own melds apart if wilds can be taken."""
    apart = variant.swaps is not None and variant.swaps.allowed and variant.swaps.when_down
    rows = _hand_and_all_else if apart else _hand_and_table
    yield from rows(variant, question)


def _hand_and_all_else(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="hand", label=hand_label(variant))
    yield from free_rows(question, "own-", say("desk.meld"), say("advice.own"))
    yield from free_rows(question, "table-", say("desk.meld"), say("advice.others"))
    if variant.pile is not None:
        yield CardRow(name="discards", label=say("desk.pile"), group=say("desk.discards"))


def _rack_and_table(variant: Variant, question: DeskQuestion) -> Iterator[CardRow]:
    yield CardRow(name="hand", label=hand_label(variant))
    label = say("desk.meld", variant.pack.kind)
    yield from free_rows(question, "table-", label, say("desk.on-table"))


_KINDS: Final = (
    AdviceKind(
        fits=lambda variant: variant.shares_table,
        rows=_rack_and_table,
        title=_turn_title,
        play=_turned,
        points=_turn_points,
        switches=lambda _: ("not-opened",),
        choices=lambda: {"aim": {"": say("advice.aim"), "value": say("advice.aim", "value")}},
    ),
    AdviceKind(
        fits=lambda variant: variant.close is not None,
        rows=_hand,
        title=_close_title,
        play=_closed,
        points=_close_points,
        whole_hand=True,
    ),
    AdviceKind(
        fits=lambda variant: isinstance(variant.way, LayRule),
        rows=_hand_and_all_else,
        title=_lays_title,
        play=_laid_down,
        points=_lays_points,
        switches=lambda _: (LATER,),
    ),
    AdviceKind(
        fits=lambda variant: isinstance(variant.way, ContractRule),
        rows=_hand_and_melds,
        title=_contract_title,
        play=_laid_down,
        switches=lambda _: ("down",),
    ),
)
