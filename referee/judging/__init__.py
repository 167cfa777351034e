"""Judging: `rule_on` rules on any play in any game.

A bad play gets a ruling with the reasons against it, most important first. A question that can’t be
ruled on raises an error, for example a lay-down if the game needs to know the round.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, assert_never

from referee.judging.laying import ContractCase, lay_freely, no_such_play, not_in_pack
from referee.judging.pickups import pick_up, take_pile
from referee.judging.stand_ins import stands_in, with_stand_ins
from referee.judging.team_melds import earned
from referee.melds.contracts import Contract, ContractRule, against_others_melds
from referee.melds.grounds import in_favour, judge
from referee.melds.rules import MeldRules
from referee.plays import (
    Call,
    Close,
    LayDown,
    LayOff,
    Moment,
    PickUp,
    Play,
    Rearrange,
    ShowMeld,
    Swap,
    cards_of,
)
from referee.rulings import Ruling
from referee.turns.closing import CloseRule, close
from referee.turns.discards import call
from referee.turns.layoffs import LayOffRule, lay_off
from referee.turns.opening import LayRule
from referee.turns.rearranging import Opening, RearrangeRule, is_allowed, rearrange
from referee.variant import Variant

_NAMES: Final[Mapping[type[Play], str]] = MappingProxyType(
    {
        LayDown: "lay-down",
        LayOff: "lay-off",
        Swap: "swap",
        Rearrange: "rearrange",
        Close: "close",
        PickUp: "pick-up",
        Call: "call",
    }
)
"""The name of each kind of play, for the finding that a game doesn’t have it."""


class MomentError(ValueError):
    """Raised if a play can’t be ruled on because the moment doesn’t name its round or phase.

    >>> from referee import LayDown, MomentError, parse_cards, rule_on, variants
    >>> play = LayDown(melds=(parse_cards("7C 7D 7H"),))
    >>> try:
    ...     rule_on(play, variants.get("mexican-rummy"))
    ... except MomentError as error:
    ...     print(error)
    Which round? It goes from 1 to 6.
    """


def rule_on(
    play: Play,
    variant: Variant,
    moment: Moment = Moment(),  # noqa: B008 - it cannot change
) -> Ruling:
    """Return the referee’s ruling on one play at a moment of a game.

    A bad play doesn’t raise an error: its ruling has the reasons against it, most important first.
    If the card turned up at the deal decides something, but the moment doesn’t name it, the ruling
    ignores it (see `Variant.lacks_upcard`).

    Raise MomentError if the play needs a step and the moment doesn’t name one that the game has.
    Raise ForTheTableError if the referee doesn’t check such plays, or one of the cards, in this
    game.

    >>> from referee import Moment, ShowMeld, parse_cards, rule_on, variants
    >>> play = ShowMeld(parse_cards("KH AH 2H 3H"))
    >>> ruling = rule_on(play, variants.get("mexican-rummy"), Moment(2))
    >>> ruling.is_legal, ruling.findings[0].code
    (False, <Code.RUN_AROUND_THE_CORNER: 'run-around-the-corner'>)
    """
    if variant.for_the_table or variant.stand_in is not None:
        variant.leave_to_table("", () if moment.upcard is None else (moment.upcard,))
        variant.leave_to_table(type(play).__name__, tuple(cards_of(play)))
        if stands_in(play, variant, moment):
            return with_stand_ins(play, variant, moment, _rule)
    return _rule(play, variant.dealt(moment.upcard), moment)


def _rule(play: Play, variant: Variant, moment: Moment) -> Ruling:  # noqa: PLR0911 - as many as plays
    """Rule on a play after the upcard has been applied to the game."""
    variant = variant.in_step(moment.step)
    rules = variant.melds_at(moment.step)
    match play:
        case ShowMeld():
            return _rule_on_meld(play, variant, rules)
        case LayDown():
            return _rule_on_lay_down(play, variant, rules, moment)
        case LayOff() if variant.lay_offs is not None:
            return _rule_on_lay_off(play, variant, moment, variant.lay_offs)
        case Swap() if variant.swaps is not None:
            return _rule_on_swap(play, variant, rules, moment)
        case Rearrange() if variant.rearrangement is not None:
            return _rule_on_turn(play, variant, rules, variant.rearrangement)
        case Close() if variant.close is not None:
            return _rule_on_hand(play, variant, variant.close, moment)
        case PickUp() if variant.pile is not None and isinstance(variant.way, LayRule):
            if variant.pile.whole:
                return take_pile(play, variant, variant.pile, variant.way, moment.step)
            return pick_up(play, variant, rules, variant.pile, variant.way)
        case Call() if variant.calls:
            return call(play, rules, variant.worth)
        case _:
            return Ruling((no_such_play(_NAMES[type(play)]),))


def _rule_on_lay_down(play: LayDown, variant: Variant, rules: MeldRules, moment: Moment) -> Ruling:
    match variant.way:
        case ContractRule():
            contract = _contract(variant, moment)
            return ContractCase(play, variant, rules, contract, variant.way).rule()
        case LayRule():
            return lay_freely(play, variant, rules, variant.way, step=moment.step)
        case CloseRule():
            return Ruling((no_such_play("lay-down"),))
        case _:
            assert_never(variant.way)


def allows(play: Rearrange, variant: Variant) -> bool:
    """Return whether a turn that rearranges melds is legal: faster than `rule_on`, without reasons.

    Unlike `rule_on`, it doesn’t check whether the pack has jokers, or the plays and cards that the
    referee doesn’t rule on.
    """
    rule = variant.rearrangement
    rules = variant.melds_at(None)
    return rule is not None and is_allowed(play, rule, rules, _opening(variant))


def _contract(variant: Variant, moment: Moment) -> Contract:
    contract = variant.contract_at(moment.step)
    if contract is None:
        last, step = len(variant.contracts), variant.words.step
        raise MomentError(variant.speaker.put("values.which-step", step=step, last=last))
    return contract


def _rule_on_meld(play: ShowMeld, variant: Variant, rules: MeldRules) -> Ruling:
    foreign = tuple(not_in_pack((play.cards,), variant))
    if foreign:
        return Ruling(foreign)
    verdict = judge(play.cards, rules, as_laid=play.as_laid)
    if not verdict.readings:
        hint = verdict.hint
        return Ruling(verdict.findings, hint=(hint,) if hint else ())
    best = variant.worth_most(verdict.readings)
    points = None if variant.worth is None else sum(variant.worth(best))
    grounds = (*in_favour(best, rules), *earned(best, variant))
    return Ruling(grounds, (best,), points=points, bonus=variant.bonus_of(best))


def _rule_on_lay_off(play: LayOff, variant: Variant, moment: Moment, rule: LayOffRule) -> Ruling:
    rules = variant.melds_at(moment.step)
    joined = lay_off(play, rule, rules, variant.worth, variant.bonuses)
    findings = [*not_in_pack((play.cards, play.onto), variant), *joined.findings]
    if not play.own:
        others = tuple(against_others_melds(variant.contract_at(moment.step), play.cards))
        if others:
            findings = [*others, *(finding for finding in findings if finding.against)]
    points = None if variant.worth is None else joined.points
    if joined.reading is None:
        return Ruling(tuple(findings), points=points)
    if not any(finding.against for finding in findings):
        findings += earned(joined.reading, variant)
    bonus = variant.bonus_of(joined.reading)
    return Ruling(tuple(findings), (joined.reading,), points=points, bonus=bonus)


def _rule_on_turn(
    play: Rearrange, variant: Variant, rules: MeldRules, rule: RearrangeRule
) -> Ruling:
    foreign = tuple(not_in_pack((*play.before, *play.after, play.rack or ()), variant))
    if foreign:
        return Ruling(foreign)
    return rearrange(play, rule, rules, _opening(variant), variant.values)


def _rule_on_hand(play: Close, variant: Variant, rule: CloseRule, moment: Moment) -> Ruling:
    foreign = tuple(not_in_pack((play.cards,), variant))
    if foreign:
        return Ruling(foreign)
    rules, size = variant.melds_at(moment.step), variant.hand_at(moment.step)
    return close(play, rule, rules, variant.values, size)


def _opening(variant: Variant) -> Opening | None:
    if variant.opening is None:
        return None
    assert variant.worth is not None, "an opening is counted"
    return Opening(variant.opening, variant.worth)


def _rule_on_swap(play: Swap, variant: Variant, rules: MeldRules, moment: Moment) -> Ruling:
    """Rule on a swap together with the melds laid down with it."""
    laying = LayDown(
        melds=play.then,
        kept=play.kept,
        layoffs=play.layoffs,
        swaps=(play.taken,),
        down=play.down,
        first=not play.down,
        pairs=play.pairs,
    )
    return _rule_on_lay_down(laying, variant, rules, moment)
