"""Taking from the discard pile, and what is laid with it at once."""

from referee.judging.laying import lay_freely
from referee.melds.rules import MeldRules
from referee.plays import LayDown, PickUp
from referee.rulings import Ruling
from referee.turns.discards import PileRule, kept_in_pile, lowest_used
from referee.turns.opening import LayRule
from referee.variant import Variant


def pick_up(
    play: PickUp, variant: Variant, rules: MeldRules, rule: PileRule, lays: LayRule
) -> Ruling:
    """Rule on taking the discard pile down to a card, and on what is laid with it at once."""
    findings = [*lowest_used(play, rule), *kept_in_pile(play, variant.pack)]
    laid = Ruling((), points=0)
    if play.melds or play.layoffs:
        turn = LayDown(melds=play.melds, layoffs=play.layoffs, first=play.first)
        laid = lay_freely(turn, variant, rules, lays)
    findings += laid.findings
    against = tuple(finding for finding in findings if finding.against)
    return Ruling(against or tuple(findings), laid.readings, laid.hint, laid.points)
