"""Taking from the discard pile, and what is laid with it at once."""

from referee.judging.laying import lay_freely, no_such_play
from referee.melds.rules import MeldRules
from referee.plays import LayDown, PickUp
from referee.rulings import Ruling
from referee.turns.discards import PileRule, kept_in_pile, lowest_taken, lowest_used
from referee.turns.opening import LayRule
from referee.variant import Variant


def pick_up(
    play: PickUp, variant: Variant, rules: MeldRules, rule: PileRule, lays: LayRule
) -> Ruling:
    """Rule on taking the discard pile down to a card, and on what is laid with it at once."""
    findings = [*lowest_used(play, rule), *kept_in_pile(play, variant.pack)]
    if rule.top_only and lowest_taken(play) is not play.pile[-1]:
        findings.append(no_such_play("pick-up"))
    laid = Ruling((), points=0)
    if play.melds or play.layoffs:
        before = variant.lay_offs is not None and variant.lay_offs.needs_down
        down = before and not play.first
        turn = LayDown(melds=play.melds, layoffs=play.layoffs, first=play.first, down=down)
        laid = lay_freely(turn, variant, rules, lays)
    findings += laid.findings
    against = tuple(finding for finding in findings if finding.against)
    return Ruling(against or tuple(findings), laid.readings, laid.hint, laid.points)
