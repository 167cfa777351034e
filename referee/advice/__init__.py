"""Advice: find the best legal play from a hand.

There is a solver for each kind of play, chosen by the rules of the game: a table to rearrange
(`referee.advice.tables`), a whole hand to show (`referee.advice.hands`), and melds to lay down,
with or without a contract (`referee.advice.laying`), or with cards from the discard pile
(`referee.advice.pickups`). Every play that is advised is legal for `referee.judging.rule_on`.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial

from referee.advice import hands, tables
from referee.advice.advised import Advice as Advice
from referee.advice.advised import Closest as Closest
from referee.advice.advised import Gapped as Gapped
from referee.advice.advised import LetGo as LetGo
from referee.advice.advised import Miss as Miss
from referee.advice.advised import PickUpAdvice as PickUpAdvice
from referee.advice.advised import Turn as Turn
from referee.advice.closest import closest_of
from referee.advice.laying import BestPlay, best_with_swaps
from referee.advice.pickups import best_pickup
from referee.advice.position import Position
from referee.advice.tables.moves import Move as Move
from referee.advice.tables.moves import moves as moves
from referee.cards import Cards
from referee.judging import MomentError
from referee.melds.contracts import ContractRule
from referee.plays import Moment
from referee.turns.closing import CloseRule
from referee.variant import Variant


class NoAdviceError(ValueError):
    """Raised if there is no advice for a game; the message tells you why.

    >>> from referee import Moment, parse_cards, variants
    >>> from referee.advice import NoAdviceError, advise
    >>> try:
    ...     advise(variants.get("canasta"), Moment(), parse_cards("7C 7D 7H"))
    ... except NoAdviceError as error:
    ...     print(error)
    There’s no advice for this game yet. The referee can tell you whether a play is legal.
    """


def no_advice(variant: Variant) -> str:
    """Return a translated sentence that explains why a game has no advice; empty if it has.

    >>> from referee import variants
    >>> from referee.advice import no_advice
    >>> no_advice(variants.get("gin-rummy"))
    ''
    """
    why = "points" if variant.points_only else "team" if _needs_a_team(variant) else ""
    if variant.shares_table:
        why = tables.cannot(variant)
    return variant.speaker.put("no-advice", why) if why else ""


def _needs_a_team(variant: Variant) -> bool:
    """Return whether the best play depends on what a team has, which the search can’t consider."""
    earns = variant.bonuses or variant.going_out or variant.reserve or variant.aside
    rises = variant.opening is not None and (variant.opening.by_total or variant.opening.by_step)
    at_once = variant.pile is not None and variant.pile.whole
    # Whether to open with pairs or with points is a question of its own.
    in_pairs = variant.opening is not None and variant.opening.pairs is not None
    return bool(earns or rises or at_once or in_pairs)


def advise(  # noqa: PLR0913 - what a player sees and has done
    variant: Variant,
    moment: Moment,
    hand: Cards,
    *,
    table: Sequence[Cards] = (),
    own: Sequence[Cards] = (),
    down: bool = False,
    first: bool = True,
    opened: bool = True,
    by_value: bool = False,
    pile: Cards = (),
) -> Advice:
    """Return the best legal play from a hand.

    - `table` has the melds on the table, and `own` those of them that are the player’s.
    - `down`: whether the player has laid down in this round, with a contract if the game has one.
    - `first`: whether the player has laid no meld in this round yet, in a game without contracts.
    - `opened`: whether the player opened on an earlier turn, in a game with a table to rearrange.
    - `by_value`: whether to play the most value instead of the most tiles, in a game with a table
      to rearrange.
    - `pile` is the discard pile, bottom to top, if the player can take from it. The advice is still
      for the hand alone, and its `pickup` says what to take.

    Raise NoAdviceError if there is no advice for the game (see `no_advice`), MomentError if the
    contract depends on a step that the moment doesn’t name, and ForTheTableError if the hand has a
    card that the referee doesn’t rule on.

    >>> from referee import Moment, parse_cards, variants
    >>> from referee.advice import advise
    >>> hand = parse_cards("4D 5D 6D 7C 7D 7H KS KC KD 2H 9S")
    >>> advice = advise(variants.get("gin-rummy"), Moment(), hand)
    >>> advice.discard, len(advice.melds), advice.closes_as
    (9S, 3, 'closed')
    """
    why = no_advice(variant)
    if why:
        raise NoAdviceError(why)
    variant.leave_to_table("", hand)
    variant = variant.dealt(moment.upcard)
    if variant.shares_table:
        turn = tables.best_turn(variant, table, hand, opened=opened, by_value=by_value)
        # The search doesn’t move jokers within their runs, which could make room for a tile.
        wild = any(card in variant.wilds.cards for meld in table for card in meld)
        may_move = variant.wilds.moves and wild and bool(turn.kept)
        turn = replace(turn, decided=turn.decided and not may_move)
        # How near tiles are to a table that can be rearranged isn’t looked for.
        if turn.possible or (opened and table):
            return turn
        down = opened and variant.opening is not None
        rack = Position(variant, moment, variant.melds_at(None), hand, tuple(table), down=down)
        return _with_closest(turn, rack, sure=turn.decided)
    if isinstance(variant.way, CloseRule):
        return hands.best_close(variant, variant.way, hand, moment.step)
    contract = variant.contract_at(moment.step)
    if isinstance(variant.way, ContractRule) and contract is None:
        message = f"Which {variant.words.step}?"
        raise MomentError(message)
    position = Position(
        variant=variant,
        moment=moment,
        rules=variant.melds_at(moment.step),
        hand=hand,
        table=tuple(table),
        own=tuple(own),
        down=down or (contract is None and not first),
        contract=contract,
    )
    advice = _of(position, best_with_swaps(position))
    # The search doesn’t rearrange the player’s own melds, which could make room for more cards.
    advice = replace(advice, decided=advice.decided and not (own and variant.rearrangement))
    if not advice.possible:
        advice = _with_closest(advice, position, pile, sure=advice.decided)
    if variant.pile is None or not pile:
        return advice
    pile = pile[-1:] if variant.pile.top_only else pile
    return replace(advice, pickup=best_pickup(position, variant.pile, pile, advice))


def _of(position: Position, found: BestPlay) -> Advice:
    """Return the best play in the form of advice."""
    play = found.play
    if play is not None:
        return Advice(
            possible=True,
            melds=play.melds,
            layoffs=play.layoffs,
            swaps=play.swaps,
            kept=play.kept,
            points=play.net if position.scores else -play.net,
            decided=found.decided,
        )
    points = position.count(position.hand)
    return Advice(possible=False, kept=position.hand, points=points, decided=found.decided)


def _with_closest(advice: Advice, position: Position, pile: Cards = (), *, sure: bool) -> Advice:
    """Return the same advice with `look_for_closest` set, which does its work when it is called.

    `sure` is whether it’s certain that nothing can be laid down.
    """
    look = cache(partial(closest_of, position, pile, sure=sure))
    return replace(advice, look_for_closest=look)
