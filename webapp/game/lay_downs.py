"""Recording lay-downs: the melds that a player puts on the table, as the referee read them.

If melds score on the table, a player can lay as often as they can, and a card that is laid off
scores for the player who laid it. In other games a lay-down is recorded once a round, because it
makes the contract.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from referee import (
    Call,
    Card,
    Cards,
    LayDown,
    LayOff,
    MeldRules,
    PickUp,
    Play,
    Ruling,
    Variant,
    after_swap,
    write_cards,
)
from webapp.game.facts import LaidDown, LaidOff
from webapp.game.replay import GameState
from webapp.game.state import find_void

LAY_DOWN: Final = "laydown"
_SCORES: Final = frozenset({LAY_DOWN, "layoff", "pickup", "call"})
"""The referee’s questions about plays that put cards on the table, which score in some games."""


def may_record(variant: Variant, ask: str, *, down: bool) -> bool:
    """Return whether a play can be recorded; `down` says whether its player is down already.

    `ask` is the desk’s question about the play, such as "laydown".
    """
    if variant.pad.asks_table:
        return ask in _SCORES
    return ask == LAY_DOWN and bool(variant.contracts) and not down


def laid_by(state: GameState, number: int, player: int) -> dict[str, str]:
    """Return the fields "down" and "later" of a question, each "1", if a player is down in a round.

    It’s empty if they haven’t laid a meld; laying off alone doesn’t count.
    """
    # This is what somebody would tick at the desk.

    down = any(fact.melds for fact in state.lay_downs.get((number, player), ()))
    return dict.fromkeys(("down", "later"), "1") if down else {}


def lays_cards(play: Play | None) -> bool:
    """Return whether a play puts cards on the table; taking the top discard alone doesn’t."""
    return bool(_melds(play) or _added(play))


def lay_down(  # noqa: PLR0913 - all parts of a play
    state: GameState, number: int, *, player: int, step: int | None, play: Play, ruling: Ruling
) -> LaidDown:
    """Return the fact that records a play that the referee found legal; `step` is its contract."""
    pad, kept = state.variant.pad, play.kept if isinstance(play, LayDown) else ()
    return LaidDown(
        player=player,
        round=number,
        step=step or 0,
        melds=tuple(map(write_cards, _melds(play))),
        layoffs=(*_swapped(play, state.variant.melds_at(step)), *_laid_off(play, ruling)),
        kept=write_cards(kept or ()),
        codes=tuple(dict.fromkeys(finding.code.value for finding in ruling.findings)),
        points=ruling.points if pad.asks_table else None,
    )


def laid_too_often(state: GameState, number: int, play: Play | None) -> Card | None:
    """Return a card of which a play and the table together have too many; None if there isn’t one.

    It’s also None if melds don’t score. If they do, two phones could record the same melds twice.
    """
    if not state.variant.pad.asks_table:
        return None
    pack = state.variant.pack
    laid = Counter(card for cards in (*_melds(play), *_added(play)) for card in cards)
    for (round_number, _), facts in state.lay_downs.items():
        for fact in facts if round_number == number else ():
            laid.update(card for card in pack.parse(_put_down(fact)) if card in laid)
    return pack.excess(laid)


def _put_down(fact: LaidDown) -> str:
    """Return the cards that a play put on the table, also if nobody recorded the melds there."""
    cards = Counter(" ".join(fact.melds).split())
    for layoff in fact.layoffs:
        cards += Counter(layoff.grown.split()) - Counter(layoff.onto.split())
    return " ".join(cards.elements())


def _melds(play: Play | None) -> tuple[Cards, ...]:
    return play.melds if isinstance(play, LayDown | PickUp) else ()


def _added(play: Play | None) -> tuple[Cards, ...]:
    """Return the cards that a play adds to melds on the table, meld by meld."""
    match play:
        case LayDown(layoffs=layoffs) | PickUp(layoffs=layoffs):
            return tuple(layoff.cards for layoff in layoffs)
        case LayOff(cards=cards):
            return (cards,)
        case Call(discard=card):
            return ((card,),)
        case _:
            return ()


def _swapped(play: Play, rules: MeldRules) -> Iterator[LaidOff]:
    """Yield each meld that a wild was taken from, before and after."""
    for swap in play.swaps if isinstance(play, LayDown) else ():
        yield LaidOff(onto=write_cards(swap.meld), grown=write_cards(after_swap(swap, rules)))


def _laid_off(play: Play, ruling: Ruling) -> list[LaidOff]:
    """Return how melds have grown, from the last readings of a legal play.

    In a reading the added cards come last, so the cards before them are the meld as it was then. A
    meld grows from lay-off to lay-off, in whatever order they were named.
    """
    added = _added(play)
    found = [
        LaidOff(
            onto=write_cards(reading.cards[: -len(cards)]),
            grown=write_cards(reading.arranged.cards),
        )
        for cards, reading in zip(added, ruling.readings[-len(added) or None :], strict=False)
    ]
    return sorted(found, key=lambda off: len(off.onto.split()))


def melds_of_round(state: GameState, number: int) -> Iterator[tuple[int, str]]:
    """Yield each meld on the table as its player and its cards, with those laid off on it."""
    lying: list[tuple[int, str]] = []
    void = find_void(state.entered)
    for entry in state.entered:
        fact = entry.fact
        if entry.seq in void or not isinstance(fact, LaidDown) or fact.round != number:
            continue
        lying += [(fact.player, text) for text in fact.melds]
        for layoff in fact.layoffs:
            _grow(lying, layoff)
    yield from sorted(lying, key=lambda meld: state.seats.index(meld[0]))


def _grow(lying: list[tuple[int, str]], layoff: LaidOff) -> None:
    """Add the cards of a lay-off to a meld on the table, whatever order the meld was written in."""
    onto = Counter(layoff.onto.split())
    for place, (who, text) in enumerate(lying):
        if Counter(text.split()) == onto:
            lying[place] = (who, layoff.grown)
            return
