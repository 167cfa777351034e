"""Laying down: melds for a contract, or any melds in a game without contracts."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice, product
from typing import Final, NamedTuple

from referee.cards import JOKER, Card, Cards
from referee.judging.going_out import going_out, is_going_out
from referee.judging.team_melds import TeamMelds, earned, not_of_the_team
from referee.judging.turn_layoffs import laid_off, naturals_laid_off
from referee.melds.contracts import (
    Contract,
    ContractRule,
    against_others_melds,
    compare_kinds,
    meet,
)
from referee.melds.grounds import Verdict, in_favour, judge
from referee.melds.rules import MeldRules, while_going_out
from referee.plays import LayDown
from referee.rulings import Code, Finding, Reading, Ruling, found, ground
from referee.turns.layoffs import JoinedMeld
from referee.turns.needless import cards_leaving_hand, needless_swaps
from referee.turns.opening import LayRule, check_kinds, open_with
from referee.turns.swaps import SwapRule, check_taken, unused
from referee.variant import Variant


def not_in_pack(melds: Sequence[Cards], variant: Variant) -> Iterator[Finding]:
    """Yield a finding if there are jokers in the melds, but none in the pack."""
    if not variant.pack.jokers and any(JOKER in cards for cards in melds):
        yield found(Code.NOT_IN_PACK, "jokers", (JOKER,))


def _named(play: LayDown) -> tuple[Cards, ...]:
    laid = [cards for layoff in play.layoffs for cards in (layoff.cards, layoff.onto)]
    return (*play.melds, *play.own, *laid, play.kept or (), play.hand or ())


def _held(play: LayDown) -> Counter[Card] | None:
    """Return the hand with the wilds swapped into it; None if the play doesn’t name the hand."""
    if play.hand is None:
        return None
    return Counter((*play.hand, *(swap.take for swap in play.swaps)))


def _kept(play: LayDown) -> Cards:
    if play.kept:
        return play.kept
    held = _held(play)
    return () if held is None else tuple((held - cards_leaving_hand(play)).elements())


def _says_kept(play: LayDown) -> bool:
    """Return whether it is known which cards are kept."""
    return play.kept is not None or play.hand is not None


def not_in_hand(play: LayDown) -> Iterator[Finding]:
    """Yield a finding if the play uses cards that aren’t in the hand, if the hand is known."""
    held = _held(play)
    if held is None:
        return
    named = cards_leaving_hand(play)
    named.update(play.kept or ())
    missing = named - held
    if missing:
        cards = tuple(missing.elements())
        yield found(Code.NOT_FROM_HAND, "own-cards", cards, these=cards)


def without_a_discard(play: LayDown, variant: Variant) -> Iterator[Finding]:
    """Yield a finding if the last card was melded but needs to be discarded, or the reverse.

    Yield nothing if it isn’t known which cards are kept.
    """
    if not _says_kept(play):
        return
    kept = _kept(play)
    if variant.must_discard and not kept:
        yield found(Code.NOTHING_TO_DISCARD, "discard")
    if variant.must_meld_last and len(kept) == 1:
        yield found(Code.NOTHING_TO_DISCARD, "discard", kept, "laid", this=kept[0])


def no_such_play(how: str) -> Finding:
    """Return the finding that the game has no such play; `how` names it, for example "lay-off"."""
    return found(Code.NO_SUCH_PLAY, "turn", (), how)


class ContractCase(NamedTuple):
    """One lay-down in a game with contracts, and everything needed to rule on it."""

    play: LayDown
    variant: Variant
    rules: MeldRules
    contract: Contract
    rule_of_contract: ContractRule

    def rule(self) -> Ruling:
        """Return the ruling on the lay-down."""
        play, rules = self.play, self.rules
        verdicts = [judge(cards, rules, as_laid=play.as_laid) for cards in play.melds]
        joined = laid_off(play, self.variant, rules)
        findings = (
            *self._once(),
            *self._elsewhere(),
            *not_in_pack(_named(play), self.variant),
            *self._swaps(verdicts),
        )
        hint = tuple(verdict.hint for verdict in verdicts if verdict.hint)
        readings: tuple[Reading, ...] = ()
        if all(verdict.readings for verdict in verdicts):
            readings, matched = self._read(verdicts)
            findings += matched
        else:
            findings += tuple(finding for v in verdicts for finding in v.findings)
            findings += tuple(self._wrong_kinds(verdicts))
        findings += tuple(finding for join in joined for finding in join.findings)
        findings += (*self._left_over(), *not_in_hand(play))
        against = tuple(finding for finding in findings if finding.against)
        if against:
            return Ruling(against, readings, hint)
        melds = tuple(finding for reading in readings for finding in in_favour(reading, rules))
        grown = tuple(join.reading for join in joined if join.reading is not None)
        return Ruling(findings + melds, readings + grown)

    def _once(self) -> Iterator[Finding]:
        play, rule = self.play, self.rule_of_contract
        if play.down and play.melds and not rule.extra_melds:
            yield found(Code.ALREADY_DOWN, "once")
        elif play.down and not play.melds and not play.layoffs and not _keeps(play, self.variant):
            yield found(Code.NO_CARDS, "contracts")

    def _elsewhere(self) -> Iterator[Finding]:
        """Yield a finding if the play uses melds of others when nobody else can have any."""
        play = self.play
        touched = [layoff.cards for layoff in play.layoffs if not layoff.own]
        touched += [(swap.take,) for swap in play.swaps]
        if touched:
            cards = tuple(chain.from_iterable(touched))
            yield from against_others_melds(self.contract, cards)

    def _read(self, verdicts: Sequence[Verdict]) -> tuple[tuple[Reading, ...], tuple[Finding, ...]]:
        # The contract is only needed once: a player who is down can lay any further melds.
        if self.play.down:
            return tuple(verdict.readings[0] for verdict in verdicts), tuple(self._further())
        choices = [verdict.readings for verdict in verdicts]
        return meet(self.contract, choices, self.rule_of_contract, self.rules)

    def _further(self) -> Iterator[Finding]:
        """Yield the reason why a player who is down can lay further melds."""
        if self.rule_of_contract.extra_melds and self.play.melds:
            yield ground(Code.EXTRA_MELD, "exact", (), "further")

    def _wrong_kinds(self, verdicts: Sequence[Verdict]) -> Iterator[Finding]:
        """Yield findings on what the contract lacks even if melds were what they were meant as."""
        if not self.play.down:
            laid = [{r.kind for r in verdict.readings} or verdict.meant for verdict in verdicts]
            yield from compare_kinds(self.contract, laid, self.rule_of_contract)

    def _left_over(self) -> Iterator[Finding]:
        if not self.contract.no_discard:
            yield from without_a_discard(self.play, self.variant)
        if not self.contract.no_discard or self.play.down:
            return
        left = _kept(self.play)
        if left:
            yield found(Code.CARDS_LEFT_OVER, "no-discard", left)
        else:
            yield ground(Code.NOTHING_KEPT, "no-discard")

    def _swaps(self, verdicts: Sequence[Verdict]) -> Iterator[Finding]:
        play = self.play
        if not play.swaps:
            return
        rule = self.variant.swaps
        if rule is None:
            yield found(Code.NO_SWAPS, "no-swap", (), "game", wild=self.rules.wilds)
            return
        yield from _swapped(play, rule, self.rules, self._goes_down)
        lays_down_with_it = rule.allowed and rule.before_down and not play.down
        if lays_down_with_it and all(verdict.readings for verdict in verdicts):
            yield from needless_swaps(play, self.contract, self.rule_of_contract, self.rules)

    def _goes_down(self, melds: tuple[Cards, ...]) -> bool:
        """Return whether these melds alone would be a legal lay-down."""
        play = LayDown(melds=melds, as_laid=self.play.as_laid)
        return self._replace(play=play).rule().is_legal


def _keeps(play: LayDown, variant: Variant) -> bool:
    """Return whether the player takes a wild and can keep it in the hand."""
    return bool(play.swaps) and variant.swaps is not None and variant.swaps.may_keep


def _swapped(
    play: LayDown,
    rule: SwapRule,
    rules: MeldRules,
    goes_down: Callable[[tuple[Cards, ...]], bool],
) -> Iterator[Finding]:
    """Yield findings on whether wilds can be taken: now, for these cards, and for this use.

    `goes_down` returns whether some melds alone would be enough to go down.
    """
    wild = rules.wilds
    if not rule.allowed:
        yield found(Code.NO_SWAPS, "swap", wild=wild)
        return
    if play.down and not rule.when_down:
        yield found(Code.SWAP_WHEN_DOWN, "swap-down", wild=wild)
    used = (*play.melds, *(layoff.cards for layoff in play.layoffs))
    if not play.down and not rule.before_down:
        if not rule.same_turn:
            yield found(Code.NOT_DOWN_YET, "swap", (), "swap", wild=wild)
        elif not any(map(goes_down, _without_taken(play, used))):
            yield found(Code.NOT_DOWN_YET, "swap-turn", (), "swap-turn", wild=wild)
    yield from check_taken(play.swaps, rule, rules)
    if not rule.may_keep:
        yield from unused(play.swaps, used, rules)


def _without_taken(play: LayDown, used: Sequence[Cards]) -> Iterator[tuple[Cards, ...]]:
    """Yield choices of the melds that can be laid without the wilds taken, the largest first.

    Melds without a card like those taken are in every choice, because leaving one out never helps.
    Of the others, up to 64 choices are tried; with up to 6 such melds, that is all of them.
    """
    taken = Counter(swap.take for swap in play.swaps)
    own = Counter(chain.from_iterable(used)) - taken
    wild = [at for at, meld in enumerate(play.melds) if any(card in taken for card in meld)]
    left_out = (set(some) for size in range(len(wild) + 1) for some in combinations(wild, size))
    for out in islice(left_out, _MOST_OPENINGS):
        some = tuple(meld for at, meld in enumerate(play.melds) if at not in out)
        there = Counter(chain.from_iterable(some))
        if some and all(there[card] <= own[card] for card in taken):
            yield some


_MOST_OPENINGS: Final = 64
_MOST_COMBINATIONS: Final = 256


def lay_freely(  # noqa: PLR0913 - a play, its game, and what a pile or a step says besides
    play: LayDown,
    variant: Variant,
    rules: MeldRules,
    rule: LayRule,
    *,
    step: int | None = None,
    opens: frozenset[int] | None = None,
) -> Ruling:
    """Rule on melds laid down in a game without contracts.

    `step` can decide the points that an opening needs. `opens` has the numbers of the melds that
    count for an opening; None for all.
    """
    play, rules = _of_team(play, variant, rules)

    def goes_down(melds: tuple[Cards, ...]) -> bool:
        alone = LayDown(melds=melds, first=play.first, as_laid=play.as_laid)
        return lay_freely(alone, variant, rules, rule).is_legal

    verdicts = [judge(cards, rules, as_laid=play.as_laid) for cards in play.melds]
    joined = laid_off(play, variant, rules, naturals=_wanted(verdicts, play, rule))
    findings = [*not_in_pack(_named(play), variant), *_never_here(play, variant)]
    if play.swaps and variant.swaps is not None:
        findings += _swapped(play, variant.swaps, rules, goes_down)
    findings += [finding for verdict in verdicts for finding in verdict.findings]
    hint = tuple(verdict.hint for verdict in verdicts if verdict.hint)
    readings: tuple[Reading, ...] = ()
    points: int | None = None
    if all(verdict.readings for verdict in verdicts):
        readings = _best(verdicts, joined, play, variant, rule)
        findings += _first_lay(readings, joined, play, rule)
        if variant.worth is not None:
            points = sum(sum(variant.worth(reading)) for reading in readings)
            points += sum(join.points for join in joined)
    if variant.opening is not None and variant.worth is not None and not play.down:
        counted = [v for at, v in enumerate(verdicts) if opens is None or at in opens]
        opening = variant.opening.at(play.total, step)
        if opening.at_once and _lays_whole_hand(play, variant):
            least = None if opening.pairs is None else 1
            opening = replace(opening, points=0, needs=Contract(()), pairs=least)
        opened = open_with(counted, opening, variant.worth, rules)
        findings += opened.findings
        readings = opened.readings if opens is None else readings
        points, hint = opened.points, opened.hint or hint
    findings += _after_opening(play, readings, rules)
    findings += [finding for join in joined for finding in join.findings]
    findings += not_of_the_team(play, variant)
    findings += _on_the_table(play, readings, joined, variant, rules)
    findings += not_in_hand(play)
    against = tuple(finding for finding in findings if finding.against)
    if against:
        return Ruling(against, readings, hint, points)
    if readings:
        first, n = variant.opening is not None and not play.down, len(readings)
        cites = "several" if first and n > 1 else "melds"
        findings.append(ground(Code.MELDS_LAID, cites, n=n))
    for reading in readings:
        findings += (*in_favour(reading, rules), *earned(reading, variant))
    grown = tuple(join.reading for join in joined if join.reading is not None)
    return Ruling(tuple(findings), readings + grown, points=points)


def _after_opening(
    play: LayDown, readings: Sequence[Reading], rules: MeldRules
) -> Iterator[Finding]:
    """Yield a finding on pairs, or on other melds, that a player who has opened can’t lay."""
    if play.down and rules.pairs:
        yield from check_kinds(readings, opened_in_pairs=play.pairs)


def _of_team(play: LayDown, variant: Variant, rules: MeldRules) -> tuple[LayDown, MeldRules]:
    """Return the play, marked as down if the team has melds, and the rules for its melds."""
    if play.own and not play.down:
        play = replace(play, down=True)
    return play, while_going_out(rules) if _goes_out(play, variant) else rules


def _goes_out(play: LayDown, variant: Variant) -> bool:
    """Return whether the player goes out: no cards left after the discard, and no second hand."""
    return _says_kept(play) and is_going_out(play, _kept(play), variant)


def _lays_whole_hand(play: LayDown, variant: Variant) -> bool:
    """Return whether a player goes out in this play without laying off on melds of others.

    Laying off on them would need an opening first.
    """
    return _goes_out(play, variant) and all(layoff.own for layoff in play.layoffs)


def _on_the_table(
    play: LayDown,
    laid: Sequence[Reading],
    joined: Sequence[JoinedMeld],
    variant: Variant,
    rules: MeldRules,
) -> Iterator[Finding]:
    """Yield findings on whether the team can have these melds, and the player so few cards."""
    alone = variant.going_out is None and variant.reserve is None
    if alone:
        yield from without_a_discard(play, variant)
    if alone and not rules.sets.once:
        return
    team = TeamMelds(play, laid, joined, variant, rules)
    if rules.sets.once:
        yield from team.check_one_set_a_rank(rules.sets)
    if not alone and _says_kept(play):
        yield from going_out(play, team.all, _kept(play), variant)


def _never_here(play: LayDown, variant: Variant) -> Iterator[Finding]:
    """Yield a finding for everything in the play that can’t be part of a lay-down in this game."""
    if not play.melds and not play.layoffs and not _keeps(play, variant):
        yield found(Code.NO_CARDS, "melds")
    first = play.first and not play.down and variant.opening is None
    if first and not play.melds and variant.lay_offs is not None and variant.lay_offs.needs_down:
        cards = tuple(chain.from_iterable(layoff.cards for layoff in play.layoffs))
        yield found(Code.NOT_DOWN_YET, "down-first", cards)
    if play.swaps and variant.swaps is None:
        yield found(Code.NO_SWAPS, "no-swap", (), "game", wild=variant.wilds)
    if play.layoffs and variant.lay_offs is None:
        yield no_such_play("lay-off")


def _best(
    verdicts: Sequence[Verdict],
    joined: Sequence[JoinedMeld],
    play: LayDown,
    variant: Variant,
    rule: LayRule,
) -> tuple[Reading, ...]:
    """Return how to read the melds: with enough naturals for a first lay, then for most points."""
    need = rule.first_naturals if _is_first(play) else 0
    laid = _naturals_laid_off(joined, play)
    choices = [
        [(reading.naturals, variant.worth_of(reading), reading) for reading in v.readings]
        for v in verdicts
    ]

    def value(melds: Sequence[tuple[int, int, Reading]]) -> tuple[bool, int]:
        naturals, points = laid, 0
        for more, scores, _ in melds:
            naturals += more
            points += scores
        return naturals >= need, points

    best = max(islice(product(*choices), _MOST_COMBINATIONS), key=value)
    return tuple([reading for *_, reading in best])


def _is_first(play: LayDown) -> bool:
    """Return whether these are the player’s first melds of the round."""
    return play.first and not play.down


def _wanted(verdicts: Sequence[Verdict], play: LayDown, rule: LayRule) -> int:
    """Return how many naturals a first lay needs from its lay-offs; 0 if it isn’t a first lay."""
    if not _is_first(play) or not play.melds:
        return 0
    there = [max([meld.naturals for meld in v.readings]) for v in verdicts if v.readings]
    return max(0, rule.first_naturals - sum(there))


def _naturals_laid_off(joined: Sequence[JoinedMeld], play: LayDown) -> int:
    return sum(map(naturals_laid_off, joined, play.layoffs))


def _first_lay(
    readings: Sequence[Reading],
    joined: Sequence[JoinedMeld],
    play: LayDown,
    rule: LayRule,
) -> Iterator[Finding]:
    """Yield a finding on whether a player’s first lay has enough naturals in all its cards.

    Only a play with a new meld counts as a first lay: laying off alone needs no naturals.
    """
    if not _is_first(play) or not rule.first_naturals or not readings:
        return
    cards = tuple(card for reading in readings for card in reading.cards)
    naturals = sum(reading.naturals for reading in readings) + _naturals_laid_off(joined, play)
    n = rule.first_naturals
    if naturals < n:
        yield found(Code.TOO_FEW_NATURALS_FIRST, "first-naturals", cards, n=n)
    else:
        yield ground(Code.FIRST_LAY, "first-lay", cards, n=n)
