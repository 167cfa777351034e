"""Picking up: take cards from the discard pile, and lay melds with them on the same turn."""

from collections.abc import Iterator
from dataclasses import replace

from referee.cards import Cards
from referee.judging.laying import lay_freely, no_such_play
from referee.judging.turn_layoffs import first_named
from referee.melds.grounds import judge
from referee.melds.rules import MeldRules
from referee.melds.standing import standing
from referee.plays import LayDown, PickUp
from referee.rulings import Finding, Ruling
from referee.turns.discards import PileRule, all_laid, kept_in_pile, lowest_used
from referee.turns.opening import LayRule
from referee.turns.piles import TopCard, Use, as_deep_as_can_be, counting, from_hand, taken
from referee.variant import Variant


def pick_up(
    play: PickUp, variant: Variant, rules: MeldRules, rule: PileRule, lays: LayRule
) -> Ruling:
    """Rule on taking the pile down to the card `play.take`, and on what is laid with it.

    Raise AssertionError if the play doesn’t name that card.
    """
    findings = [*lowest_used(play, rule), *_left_there(play, variant)]
    if rule.top_only and play.take is not play.pile[-1]:
        findings.append(no_such_play("pick-up"))
    laid = Ruling((), points=0)
    if play.melds or play.layoffs:
        turn = LayDown(
            melds=play.melds,
            layoffs=play.layoffs,
            first=play.first,
            down=_is_down(play, variant),
            pairs=play.pairs,
        )
        laid = lay_freely(turn, variant, rules, lays)
    return _with(findings, laid)


def _left_there(play: PickUp, variant: Variant) -> Iterator[Finding]:
    assert play.take is not None, "where the pile isn’t taken whole, it’s said how far down"
    stays = play.pile[: play.pile.index(play.take)]
    return kept_in_pile(play, stays, variant.pack)


def _is_down(play: PickUp, variant: Variant) -> bool:
    """Return whether the team has melds; in some games only `first` shows that."""
    before = variant.lay_offs is not None and variant.lay_offs.needs_down
    return play.down or bool(play.own) or (before and not play.first)


def _with(findings: list[Finding], laid: Ruling) -> Ruling:
    """Return one ruling from the findings on the pile and the ruling on what is laid."""
    findings += laid.findings
    against = tuple(finding for finding in findings if finding.against)
    return Ruling(against or tuple(findings), laid.readings, laid.hint, laid.points)


def take_pile(
    play: PickUp, variant: Variant, rule: PileRule, lays: LayRule, step: int | None
) -> Ruling:
    """Rule on taking the whole pile at once, how its top card is used, and what is laid.

    `step` can decide the wilds and the points that an opening needs.
    """
    rules = variant.melds_at(step)
    play, got = replace(play, down=_is_down(play, variant)), taken(play, rule)
    hand = from_hand(play, all_laid(play), got)

    def is_open(meld: Cards) -> bool:
        return all(variant.bonus_of(way) is None for way in standing(meld, rules))

    aside = variant.aside.cards if variant.aside is not None else ()
    top = TopCard(
        play=play,
        rule=rule,
        rules=rules,
        uses=_uses(play),
        hand=hand,
        aside=(*aside, *variant.pack.without_suits(aside)),
        is_open=is_open,
    )
    findings = [
        *as_deep_as_can_be(play, got),
        *top.used(),
        *kept_in_pile(play, play.pile[: len(play.pile) - len(got)], variant.pack),
    ]
    laid = Ruling((), points=0)
    if play.melds or play.layoffs:
        turn = LayDown(
            melds=play.melds,
            layoffs=play.layoffs,
            first=play.first,
            down=play.down,
            hand=None if play.hand is None else play.hand + got,
            kept=play.kept,
            own=play.own,
            total=play.total,
            reserve=play.reserve,
            pairs=play.pairs,
        )
        opens = counting(play.melds, _worth(play, variant, rules), hand, play.pile[-1], top.given())
        laid = lay_freely(turn, variant, rules, lays, step=step, opens=opens)
    return _with(findings, laid)


def _worth(play: PickUp, variant: Variant, rules: MeldRules) -> list[int]:
    """Return the most points that each meld laid can be worth; 0 if it isn’t legal."""
    worth = variant.worth
    ways = [judge(cards, rules).readings for cards in play.melds]
    return [max((sum(worth(way)) for way in some), default=0) if worth else 0 for some in ways]


def _uses(play: PickUp) -> list[Use]:
    """Return the cards of the turn by the meld they go to, the new melds first."""
    onto = first_named(
        [*play.melds, *play.own], [(layoff.cards, layoff.onto) for layoff in play.layoffs]
    )
    uses = [Use(cards) for cards in play.melds]
    new = {id(cards): at for at, cards in enumerate(play.melds)}
    for layoff, meld in zip(play.layoffs, onto, strict=True):
        at = new.get(id(meld))
        if at is None:
            at = new[id(meld)] = len(uses)
            uses.append(Use((), meld if layoff.own else None))
        uses[at] = uses[at]._replace(cards=uses[at].cards + layoff.cards)
    return uses
