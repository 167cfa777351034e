"""The bench: one verb, `rule_on`, that answers every play.

A bad play is answered with the reasons against it, all of them, the most telling first. A question
that cannot be ruled on (a lay-down where the game needs to know the round) is raised.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from referee.cards import JOKER, write_cards
from referee.contracts import meet
from referee.grounds import in_favour, judge
from referee.plays import LayDown, LayOff, Moment, ShowMeld, Swap
from referee.rulings import Code, Finding, Ruling
from referee.table import check_taken, lay_off, unused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.cards import Card, Cards
    from referee.contracts import Contract, ContractRule
    from referee.grounds import Verdict
    from referee.melds import MeldRules
    from referee.plays import Play, Taken
    from referee.rulings import Reading
    from referee.table import Joined, SwapRule
    from referee.variant import Variant


class MomentError(ValueError):
    """This game needs to know the round or phase to rule on that."""


def rule_on(play: Play, variant: Variant, moment: Moment = Moment()) -> Ruling:  # noqa: B008
    """Rule on one play at a moment of a game.

    Raises MomentError where the play needs a step and the moment has none that the game knows.

    >>> from referee import parse_cards, variants
    >>> play = ShowMeld(parse_cards("KH AH 2H 3H"))
    >>> ruling = rule_on(play, variants.get("mexican-rummy"), Moment(2))
    >>> ruling.is_legal, ruling.findings[0].says
    (False, 'A run does not go round the corner past the ace.')
    """
    rules = variant.melds_at(moment.step)
    match play:
        case ShowMeld():
            return _rule_on_meld(play, variant, rules)
        case LayDown() if variant.contract_rule is not None:
            contract = _contract(variant, moment)
            return _LayDownCase(play, variant, rules, contract, variant.contract_rule).rule()
        case LayOff() if variant.lay_offs is not None:
            joined = lay_off(play, variant.lay_offs, rules)
            foreign = _not_in_pack((play.cards, play.onto), variant)
            readings = (joined.reading,) if joined.reading is not None else ()
            return Ruling((*foreign, *joined.findings), readings)
        case Swap() if variant.swaps is not None:
            return _rule_on_swap(play, variant, rules, moment)
        case _:
            says = f"There is no such play in {variant.name}."
            return Ruling((Finding(Code.NO_SUCH_PLAY, says, variant.turn),))


def _contract(variant: Variant, moment: Moment) -> Contract:
    contract = variant.contract_at(moment.step)
    if contract is None:
        step = variant.words.step
        message = f"Which {step}? It goes from 1 to {len(variant.contracts)}."
        raise MomentError(message)
    return contract


def _rule_on_meld(play: ShowMeld, variant: Variant, rules: MeldRules) -> Ruling:
    foreign = tuple(_not_in_pack((play.cards,), variant))
    if foreign:
        return Ruling(foreign)
    verdict = judge(play.cards, rules, as_laid=play.as_laid)
    if not verdict.readings:
        return Ruling(verdict.findings, hint=(verdict.hint,) if verdict.hint else ())
    best = verdict.readings[0]
    return Ruling(tuple(in_favour(best, rules)), (best,))


def _not_in_pack(melds: Sequence[Cards], variant: Variant) -> Iterator[Finding]:
    """Say that jokers are laid where the packs have none."""
    if not variant.pack.jokers and any(JOKER in cards for cards in melds):
        says = "There are no jokers in this game."
        yield Finding(Code.NOT_IN_PACK, says, variant.equipment, (JOKER,))


class _LayDownCase:
    """One lay-down under the rules of its moment: looks at it from every side."""

    def __init__(
        self,
        play: LayDown,
        variant: Variant,
        rules: MeldRules,
        contract: Contract,
        rule: ContractRule,
    ) -> None:
        self.play = play
        self.variant = variant
        self.rules = rules
        self.contract = contract
        self.rule_of_contract = rule

    def rule(self) -> Ruling:
        play, rules = self.play, self.rules
        verdicts = [judge(cards, rules, as_laid=play.as_laid) for cards in play.melds]
        joined = tuple(self._layoffs())
        findings = (
            *self._once(),
            *_not_in_pack(self._named(), self.variant),
            *self._swaps(verdicts),
        )
        hint = tuple(verdict.hint for verdict in verdicts if verdict.hint)
        readings: tuple[Reading, ...] = ()
        if all(verdict.readings for verdict in verdicts):
            readings, matched = self._against_contract(verdicts)
            findings += matched
        else:
            findings += tuple(finding for v in verdicts for finding in v.findings)
            findings += tuple(self._wrong_number())
        findings += tuple(finding for join in joined for finding in join.findings)
        findings += (*self._left_over(), *self._out_of_hand())
        against = tuple(finding for finding in findings if finding.against)
        if against:
            return Ruling(against, readings, hint)
        melds = tuple(finding for reading in readings for finding in in_favour(reading, rules))
        grown = tuple(join.reading for join in joined if join.reading is not None)
        return Ruling(findings + melds, readings + grown)

    def _named(self) -> tuple[Cards, ...]:
        """Give all cards that the play names."""
        play = self.play
        laid = [cards for layoff in play.layoffs for cards in (layoff.cards, layoff.onto)]
        return (*play.melds, *laid, play.kept or (), play.hand or ())

    def _once(self) -> Iterator[Finding]:
        play, rule = self.play, self.rule_of_contract
        if play.down and play.melds and not rule.extra_melds:
            says = "One contract is laid down in a round, and it is down already."
            yield Finding(Code.ALREADY_DOWN, says, rule.once)
        elif play.down and not play.melds and not play.layoffs:
            says = "Nothing is laid down."
            yield Finding(Code.NO_CARDS, says, rule.cite)

    def _against_contract(
        self, verdicts: Sequence[Verdict]
    ) -> tuple[tuple[Reading, ...], tuple[Finding, ...]]:
        if self.play.down:
            return tuple(verdict.readings[0] for verdict in verdicts), tuple(self._further())
        return meet(
            self.contract, [verdict.readings for verdict in verdicts], self.rule_of_contract
        )

    def _further(self) -> Iterator[Finding]:
        """Give the ground for melds laid by a player who is down."""
        if self.rule_of_contract.extra_melds and self.play.melds:
            says = "Further melds may be laid once the contract is down."
            yield Finding(Code.EXTRA_MELD, says, self.rule_of_contract.exact, against=False)

    def _wrong_number(self) -> Iterator[Finding]:
        """Say that the number of melds is wrong, where one of them is none."""
        rule, laid, asked = self.rule_of_contract, len(self.play.melds), len(self.contract.needs)
        if self.play.down:
            return
        if laid < asked:
            says = f"The contract is {self.contract.says}."
            yield Finding(Code.CONTRACT_NOT_MET, says, rule.cite)
        elif laid > asked and not rule.extra_melds:
            says = f"The contract is exactly {self.contract.says}."
            yield Finding(Code.TOO_MANY_MELDS, says, rule.exact)

    def _layoffs(self) -> Iterator[Joined]:
        """Rule on what is laid off in the same turn, each onto the meld as it has grown by then."""
        rule = self.variant.lay_offs
        if rule is None:
            return
        grown: dict[tuple[object, ...], Cards] = {}
        for layoff in self.play.layoffs:
            key = tuple(sorted(map(str, layoff.onto)))
            now = LayOff(
                layoff.cards,
                grown.get(key, layoff.onto),
                own=layoff.own,
                down=True,
                same_turn=not self.play.down,
            )
            joined = lay_off(now, rule, self.rules)
            if joined.reading is not None:
                grown[key] = joined.reading.arranged.cards
            yield joined

    def _left_over(self) -> Iterator[Finding]:
        if not self.contract.no_discard or self.play.down:
            return
        left = self._kept()
        if left:
            says = "The whole hand must go down at once: nothing may be left over to discard."
            yield Finding(Code.CARDS_LEFT_OVER, says, self.rule_of_contract.no_discard, left)
        else:
            says = "The whole hand goes down at once, without a discard."
            clause = self.rule_of_contract.no_discard
            yield Finding(Code.NOTHING_KEPT, says, clause, against=False)

    def _used(self) -> Counter[Card]:
        laid = Counter(card for cards in self.play.melds for card in cards)
        return laid + Counter(card for lay in self.play.layoffs for card in lay.cards)

    def _held(self) -> Counter[Card] | None:
        """Count the hand with the wilds that were swapped into it, None where it was not said."""
        if self.play.hand is None:
            return None
        held = Counter(self.play.hand) + Counter(swap.take for swap in self.play.swaps)
        return held - Counter(swap.give for swap in self.play.swaps)

    def _kept(self) -> Cards:
        if self.play.kept:
            return self.play.kept
        held = self._held()
        return () if held is None else tuple((held - self._used()).elements())

    def _out_of_hand(self) -> Iterator[Finding]:
        held = self._held()
        if held is None:
            return
        missing = self._used() + Counter(self.play.kept or ()) - held
        if missing:
            cards = tuple(missing.elements())
            says = f"The hand does not hold {write_cards(cards)}."
            yield Finding(Code.NOT_FROM_HAND, says, self.variant.turn, cards)

    def _swaps(self, verdicts: Sequence[Verdict]) -> Iterator[Finding]:
        play = self.play
        if not play.swaps:
            return
        rule = self.variant.swaps
        if rule is None:
            says = f"Wilds are not swapped in {self.variant.name}."
            yield Finding(Code.NO_SWAPS, says, self.variant.turn)
            return
        if not rule.allowed:
            says = "Wilds on the table stay where they are."
            yield Finding(Code.NO_SWAPS, says, rule.cite)
        elif play.down and not rule.when_down:
            says = "A player who is down may not take a wild: there is nothing to lay down with it."
            yield Finding(Code.SWAP_WHEN_DOWN, says, rule.down)
        yield from check_taken(play.swaps, rule, self.rules)
        used = (*play.melds, *(layoff.cards for layoff in play.layoffs))
        yield from unused(play.swaps, used, rule)
        if not play.down and all(verdict.readings for verdict in verdicts):
            yield from self._needless(play.swaps, rule)

    def _needless(self, swaps: Sequence[Taken], rule: SwapRule) -> Iterator[Finding]:
        """Say that the contract would be met without a wild that was taken."""
        for swap in swaps:
            if any(self._meets(melds) for melds in _without(swap, self.play.melds)):
                says = (
                    f"The contract is met without the {swap.take.name}; "
                    "a wild may be taken only where it makes laying down possible."
                )
                yield Finding(Code.SWAP_NOT_NEEDED, says, rule.completes, (swap.take,))

    def _meets(self, melds: Sequence[Cards]) -> bool:
        verdicts = [judge(cards, self.rules, as_laid=False) for cards in melds]
        if not all(verdict.readings for verdict in verdicts):
            return False
        choices = [verdict.readings for verdict in verdicts]
        _, findings = meet(self.contract, choices, self.rule_of_contract)
        return not any(finding.against for finding in findings)


def _without(swap: Taken, melds: Sequence[Cards]) -> Iterator[tuple[Cards, ...]]:
    """Give the melds without a wild that was taken, and with the card given for it in its place."""
    if not any(swap.take in cards for cards in melds):
        yield tuple(melds)
    for index, cards in enumerate(melds):
        if swap.take in cards:
            at = cards.index(swap.take)
            for instead in ((), (swap.give,)):
                fewer = (*cards[:at], *instead, *cards[at + 1 :])
                yield (*melds[:index], fewer, *melds[index + 1 :])


def _rule_on_swap(play: Swap, variant: Variant, rules: MeldRules, moment: Moment) -> Ruling:
    """Rule on a swap as the lay-down that it makes possible."""
    assert variant.contract_rule is not None, "a game with swaps has contracts"
    laying = LayDown(
        melds=play.then,
        kept=play.kept,
        layoffs=play.layoffs,
        swaps=(play.taken,),
        down=play.down,
    )
    contract = _contract(variant, moment)
    return _LayDownCase(laying, variant, rules, contract, variant.contract_rule).rule()
