"""Advice on laying down: find the melds and lay-offs that gain the most.

`choices` lists the melds and lay-offs that can be laid, and `search` finds the combination that
gains the most. Here it is turned into cards and checked by the referee. If the referee rejects it,
because of a rule across several melds that the search doesn’t know, it isn’t advised and the result
isn’t `decided`.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from referee.advice.budget import Budget
from referee.advice.choices import Choices, Item
from referee.advice.position import Position
from referee.advice.search import Search
from referee.advice.swaps import Exchange, exchanges
from referee.cards import Card, Cards
from referee.judging import rule_on
from referee.melds.contracts import ContractRule
from referee.plays import LayDown, LayOff, Taken
from referee.rulings import Reading
from referee.turns.opening import LayRule

MOST_WORK: Final = 1_500_000
"""The most choices to look at for one piece of advice; after that, the best so far is advised."""


class Play(NamedTuple):
    """A play that the referee allows."""

    net: int
    """What it scores, minus what the cards kept count."""
    melds: tuple[Reading, ...]
    layoffs: tuple[LayOff, ...]
    kept: Cards
    swaps: tuple[Taken, ...] = ()

    @property
    def laid(self) -> Iterator[Card]:
        """All cards that are laid down or laid off; cards given for wilds aren’t."""
        for meld in self.melds:
            yield from meld.cards
        for layoff in self.layoffs:
            yield from layoff.cards


class BestPlay(NamedTuple):
    """The best play that was found, and whether it is sure that nothing is better."""

    play: Play | None
    """The play; None if none was found."""
    decided: bool


def best_with_swaps(position: Position) -> BestPlay:
    """Return the best play, in which wilds are taken from melds on the table if that is better.

    A player who isn’t down can only take the wilds that are needed to lay down. A player who is
    down can take any that can be used on the same turn.
    """
    budget = Budget(MOST_WORK)
    best, decided = best_play(position, budget)
    if best is not None and not (position.down and position.count(best.kept)):
        return BestPlay(best, decided)
    possible, complete = exchanges(position)
    rule = position.variant.swaps
    # A wild taken on the turn of going down isn’t looked for.
    later = rule is not None and rule.same_turn and not position.down and position.table
    if not complete or (later and best) or (not decided and not position.down):
        decided = False
    needed: list[Exchange] = []
    for exchange in possible if decided or position.down else ():
        # A player who isn’t down can only take wilds that are needed, so if some swaps are enough,
        # those with others added aren’t legal.
        if any(one.names < exchange.names for one in needed):
            continue
        after = position._replace(hand=exchange.hand, table=exchange.table)
        # Most exchanges don’t make the contract possible. Finding that out takes less time than
        # finding the best play.
        if position.needs and can_meet_contract(after, budget) == (False, True):
            continue
        found = best_play(after, budget, swaps=exchange.swaps)
        decided &= found.decided
        if found.play is not None:
            if best is None or found.play.net > best.net:
                best = found.play
            if not position.down:
                needed.append(exchange)
    # If melds don’t score, nothing is better than laying the whole hand, even if not all was tried.
    nothing_left = best is not None and not best.kept and not position.scores
    return BestPlay(best, decided or nothing_left)


def best_play(
    position: Position, budget: Budget, *, swaps: tuple[Taken, ...] = (), must: Card | None = None
) -> BestPlay:
    """Return the best play from a hand and a table, without taking wilds.

    `swaps` are those that led to this hand and table. The wilds taken need to be laid, and so does
    the card `must`.
    """
    way = position.variant.way
    naturals = way.first_naturals if isinstance(way, LayRule) and not position.down else 0
    taken = [swap.take for swap in swaps] + ([] if must is None else [must])
    best, decided = None, True
    ways = [(True, _needed(position, naturals))]
    if naturals:
        # Laying off alone needs no naturals.
        ways.append((False, 0))
    for melds, need in ways:
        choices = Choices(position, budget, melds=melds, naturals=bool(naturals))
        search = Search(
            choices,
            budget,
            need=need,
            must=_must_use(choices, taken),
            lays_all=position.lays_all,
        )
        laid = _with_a_discard(search)
        decided &= search.is_decided
        if not laid and _opens_at_once(position):
            # A player who lays the whole hand needs no points, so search for that separately.
            search = Search(choices, budget, must=_must_use(choices, taken), lays_all=True)
            laid = _whole_hand(search)
            decided &= search.is_decided
        if laid:
            play = _ruled(choices, laid, swaps, must)
            # If the referee rejects the best play, it breaks a rule that the search doesn’t know.
            # Another play may be legal, but isn’t searched for.
            decided &= play is not None and not _could_meet(search, laid)
            if play is not None and (best is None or play.net > best.net):
                best = play
    return BestPlay(best, decided)


def can_meet_contract(position: Position, budget: Budget) -> tuple[bool, bool]:
    """Return whether a way to meet the contract was found, and whether the answer is sure."""
    # Lay-offs don’t count for a contract, so the table doesn’t matter.
    position = position._replace(table=())
    choices = Choices(position, budget, gains=False)
    search = Search(choices, budget, lays_all=position.lays_all)
    laid = _with_a_discard(search)
    return laid is not None, search.is_decided


def _needed(position: Position, naturals: int) -> int:
    """Return what the melds of this turn need in total: points, naturals, or 1 for any meld."""
    variant = position.variant
    if position.down or position.contract is not None:
        return 0
    if naturals:
        return naturals
    if variant.opening is not None:
        return variant.opening.points
    return int(variant.lay_offs is not None and variant.lay_offs.needs_down)


def _opens_at_once(position: Position) -> bool:
    """Return whether a player who lays the whole hand at once needs no opening."""
    opening = position.variant.opening
    return opening is not None and opening.at_once and not position.down


def _must_use(choices: Choices, cards: Sequence[Card]) -> Mapping[int, int]:
    """Return how many cards of each field (by index) need to be laid so that `cards` are laid."""
    fields = choices.hand.kind_of | choices.hand.pool_of
    return Counter(fields[card] for card in cards if card in fields)


def _with_a_discard(search: Search) -> list[Item] | None:
    """Return the best choices that keep a card to discard if the player needs one.

    In games in which the last card can’t be discarded, return the best ones that don’t leave a
    single card.
    """
    position, laid = search.choices.position, search.best()
    variant = position.variant
    if laid is None or position.lays_all or not (variant.must_discard or variant.must_meld_last):
        return laid

    def ends(items: list[Item]) -> bool:
        left = len(position.hand) - _cards(items)
        return left == (0 if variant.must_discard else 1)

    if not ends(laid):
        return laid
    hand = search.choices.hand
    kept = filter(None, [search.best(keep=at) for at in range(hand.end) if not hand.is_own(at)])
    return max((items for items in kept if not ends(items)), key=_gain, default=None)


def _whole_hand(search: Search) -> list[Item] | None:
    """Return the best way to lay the whole hand except a discard; None if there isn’t one."""
    variant, hand = search.choices.position.variant, search.choices.hand
    fields = [at for at in range(hand.end) if not hand.is_own(at)]
    kept = [] if variant.must_meld_last else [search.best(keep=at) for at in fields]
    whole = [*kept] if variant.must_discard else [*kept, search.best()]
    return max(filter(None, whole), key=_gain, default=None)


def _could_meet(search: Search, laid: Sequence[Item]) -> bool:
    """Return whether more could be laid if two runs of one suit could meet.

    A contract can forbid laying such runs, but a card laid off on the same turn can make them meet.
    The search doesn’t look for that, so then it can’t be sure that nothing is better.
    """
    position, rule = search.choices.position, search.choices.position.variant.lay_offs
    contract = position.variant.way
    if not isinstance(contract, ContractRule) or contract.split_runs or not position.needs:
        return False
    if rule is None or not rule.in_same_turn or _cards(laid) == len(position.hand):
        return False
    choices = search.choices.with_runs_that_meet()
    best = _with_a_discard(Search(choices, search.budget))
    return best is None or _gain(best) > _gain(laid)


def _gain(laid: Sequence[Item]) -> int:
    return sum(choice.gain for choice in laid)


def _cards(laid: Sequence[Item]) -> int:
    return sum(len(choice.cards) for choice in laid)


def _ruled(
    choices: Choices, laid: Sequence[Item], swaps: tuple[Taken, ...], must: Card | None
) -> Play | None:
    """Return the play of these choices, as the referee reads it; None if it isn’t legal."""
    position = choices.position
    melds, layoffs, kept = _in_cards(choices, laid, {swap.take for swap in swaps} | {must})
    before = Counter(position.hand)
    before.subtract(swap.take for swap in swaps)
    before.update(swap.give for swap in swaps)
    play = LayDown(
        melds=melds,
        layoffs=layoffs,
        kept=kept,
        swaps=swaps,
        hand=tuple(before.elements()),
        down=position.down,
        first=not position.down,
    )
    ruling = rule_on(play, position.variant, position.moment)
    if not ruling.is_legal:
        return None
    readings = tuple([reading.arranged for reading in ruling.readings[: len(melds)]])
    scored = (ruling.points or 0) if position.scores else 0
    return Play(scored - position.count(kept), readings, layoffs, kept, swaps)


def _in_cards(
    choices: Choices, laid: Sequence[Item], first: Collection[Card | None]
) -> tuple[tuple[Cards, ...], tuple[LayOff, ...], Cards]:
    """Return the melds, the lay-offs and the cards kept, with a card from the hand at each place.

    Naturals are placed first, then wilds, and of these the cards in `first`, which need to be laid.
    """
    position, hand = choices.position, choices.hand
    left = Counter(position.hand)
    placed: dict[tuple[int, int], Card] = {}
    places = [(number, at) for number, choice in enumerate(laid) for at in range(len(choice.slots))]
    places.sort(key=lambda place: laid[place[0]].slots[place[1]] >= hand.pool_at)
    for number, at in places:
        field = laid[number].slots[at]
        # Prefer a wild of a new suit: in a suit of the meld, it could be read as a natural.
        suits = {card.suit for (meld, _), card in placed.items() if meld == number}
        card = min(
            [card for card in hand.fields[field] if left[card]],
            key=lambda card: (card not in first, field >= hand.pool_at and card.suit in suits),
        )
        placed[number, at] = card
        left[card] -= 1
    melds: list[Cards] = []
    layoffs: list[LayOff] = []
    own = Counter(position.own)
    for number, choice in enumerate(laid):
        cards = tuple([placed[number, at] for at in range(len(choice.slots))])
        if choice.onto < 0:
            melds.append(cards)
        else:
            onto = position.table[choice.onto]
            layoffs.append(LayOff(cards, onto, own=own[onto] > 0, same_turn=not position.down))
    return tuple(melds), tuple(layoffs), tuple((+left).elements())
