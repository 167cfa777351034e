"""A turn that rearranges melds on the table, judged by the melds before it and after it.

The tiles played are those that are only there afterwards. A set (a group or a run) that is the same
before and after was left alone, so it and its jokers aren’t looked at. Every changed set needs to
be legal, every tile of the old table needs to be still there, and the jokers need to follow the
rules in `referee.turns.jokers`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from referee.cards import Card, Cards
from referee.melds.grounds import Verdict, in_favour, judge
from referee.melds.rules import MeldRules
from referee.plays import Rearrange
from referee.rulings import Code, Finding, Reading, Ruling, TableWorth, found, ground
from referee.turns.joker_readings import TableSet
from referee.turns.jokers import JokerRule, follow
from referee.turns.opening import OpeningRule, enough, open_with, opening_within, too_low
from referee.values import CardValues


@dataclass(frozen=True, slots=True, kw_only=True)
class RearrangeRule:
    """The rules for rearranging melds on the table in a turn."""

    jokers: JokerRule
    draws_first: bool = False
    """Whether a turn begins with a card from the stock, which can be played at once."""
    own: bool = False
    """Whether players rearrange only their own melds; if false, all melds on the table."""


class Opening(NamedTuple):
    """The rules for a player’s first melds, and what melds are worth."""

    rule: OpeningRule
    worth: TableWorth


def rearrange(
    play: Rearrange,
    rule: RearrangeRule,
    rules: MeldRules,
    opening: Opening | None,
    values: CardValues,
) -> Ruling:
    """Rule on a whole turn that rearranges melds.

    `opening` is None if the game has no opening. The ruling’s points are those of the opening, or
    if there isn’t one on this turn, what the played cards would count in hand by `values`.
    """
    turn = _Turn(play, rule, rules, opening)
    findings, readings, hint = turn.look()
    points = turn.opening_points
    if play.opened or opening is None:
        points = values.count(turn.played.elements(), rules.wilds.cards)
    if any(finding.against for finding in findings):
        findings = tuple(finding for finding in findings if finding.against)
    return Ruling(findings, readings, hint, points=points, played=tuple(turn.played.elements()))


def is_allowed(
    play: Rearrange,
    rule: RearrangeRule,
    rules: MeldRules,
    opening: Opening | None,
) -> bool:
    """Return whether `rearrange` would find a turn legal; faster, for trying many turns."""
    turn = _Turn(play, rule, rules, opening)
    return not any(finding.against for finding in turn.weigh(turn.readings(), told=False))


class _Turn:
    """A turn and what it changed: sets are named by their index on the old or the new table.

    `kept` maps the old sets that were left alone to their new indexes; `touched` are the other old
    sets, and `changed` the other new ones. `played` are the tiles from the rack, and `missing`
    those that are no longer on the table.
    """

    def __init__(
        self,
        play: Rearrange,
        rule: RearrangeRule,
        rules: MeldRules,
        opening: Opening | None,
    ) -> None:
        self.play = play
        self.rule = rule
        self.rules = rules
        self.opening = opening
        self.new = [judge(cards, rules, as_laid=play.as_laid) for cards in play.after]
        self.kept = self._pair_off()
        stay = set(self.kept.values())
        self.changed = [at for at in range(len(play.after)) if at not in stay]
        self.touched = [at for at in range(len(play.before)) if at not in self.kept]
        before = _count(play.before[at] for at in self.touched)
        after = _count(play.after[at] for at in self.changed)
        self.played = after - before
        self.missing = before - after
        self.opening_points = 0
        self.better: tuple[str, ...] = ()
        """The hint of the opening: sets written in an order in which they are worth enough."""

    def _old(self, at: int) -> Verdict:
        """Read a set of the old table; if it is only legal in another order, read it in that."""
        cards = self.play.before[at]
        verdict = judge(cards, self.rules, as_laid=self.play.as_laid)
        if verdict.hint:
            verdict = judge(cards, self.rules, as_laid=False)
        return verdict

    def _pair_off(self) -> dict[int, int]:
        """Return the new index of each old set that was left alone."""
        kept: dict[int, int] = {}
        # Most of them are written in exactly the same order.
        written = defaultdict(list)
        for at, cards in enumerate(self.play.after):
            written[cards].append(at)
        for at, cards in enumerate(self.play.before):
            if written.get(cards):
                kept[at] = written[cards].pop(0)
        new_places = defaultdict(list)
        for to in sorted(to for left in written.values() for to in left):
            new_places[_key(self.play.after[to])].append(to)
        for at, cards in enumerate(self.play.before):
            if at in kept:
                continue
            places = new_places[_key(cards)]
            same = next((to for to in places if self._is_same(at, to)), None)
            if same is not None:
                places.remove(same)
                kept[at] = same
        return kept

    def _is_same(self, old: int, new: int) -> bool:
        """Return whether an old set and a new one with the same tiles can be the same set.

        They aren’t if their jokers can’t stand for the same tiles.
        """
        before, after = self._old(old).readings, self.new[new].readings
        if self.rules.wilds.cards.isdisjoint(self.play.before[old]) or not before or not after:
            return True
        ways = {_key(reading.stands) for reading in before}
        return not ways.isdisjoint(_key(reading.stands) for reading in after)

    def look(self) -> tuple[tuple[Finding, ...], tuple[Reading, ...], tuple[str, ...]]:
        """Return all findings, the readings of the new sets, and the hint of the ruling."""
        readings = self.readings()
        findings = [*self.weigh(readings)]
        for at in self.changed:
            if at in readings:
                findings += in_favour(readings[at], self.rules)
        orders = [(at, verdict.hint) for at, verdict in enumerate(self.new) if verdict.hint]
        opened = set(self._from_rack()) if self.better else set()
        hint = tuple(order for at, order in orders if at not in opened) + self.better
        return tuple(findings), tuple(readings[at] for at in sorted(readings)), hint

    def readings(self) -> dict[int, Reading]:
        """Return the first reading of each legal set of the new table, by index."""
        return {at: verdict.readings[0] for at, verdict in enumerate(self.new) if verdict.readings}

    def weigh(self, readings: dict[int, Reading], *, told: bool = True) -> Iterator[Finding]:
        """Yield all findings but those that say what the changed sets are.

        `readings` is changed to how these findings read the new sets. If `told` is false, only
        findings against the turn matter, so jokers that can go anywhere aren’t followed.
        """
        yield from self._played()
        yield from self._conserved()
        yield from self._sets()
        if not self.play.opened and self.opening is not None:
            opened, self.better = self._opened(readings, self.opening)
            yield from opened
        if not any(finding.against for finding in self._conserved()) and self._all_read():
            yield from self._follow(readings, told=told)

    def _all_read(self) -> bool:
        """Return whether every changed set is legal, before and after."""
        return all(self._old(at).readings for at in self.touched) and all(
            self.new[at].readings for at in self.changed
        )

    def _played(self) -> Iterator[Finding]:
        play = self.play
        tiles = tuple(self.played.elements())
        if tiles and play.drew and not self.rule.draws_first:
            yield found(Code.DREW_THIS_TURN, "drawn", tiles)
        elif tiles:
            how = "own" if self.rule.own else ""
            yield ground(Code.PLAYED_FROM_RACK, "from-hand", tiles, how, these=tiles)
        elif not play.drew:
            yield found(Code.NOTHING_PLAYED, "from-hand", (), "own" if self.rule.own else "")
        elif self.changed or self.touched:
            yield found(Code.NOTHING_PLAYED, "draw-ends", (), "changed")
        else:
            yield ground(Code.TABLE_AS_IT_WAS, "draw-ends")
        held = None if play.rack is None else Counter(play.rack)
        if held is not None and not self.played <= held:
            odd = tuple((self.played - held).elements())
            yield found(Code.NOT_FROM_HAND, "own-cards", odd, these=odd)

    def _conserved(self) -> Iterator[Finding]:
        wilds = self.rules.wilds.cards
        tiles = tuple(card for card in self.missing.elements() if card not in wilds)
        jokers = tuple(card for card in self.missing.elements() if card in wilds)
        if tiles:
            n = len(tiles)
            yield found(Code.TABLE_TILE_TAKEN, "table-stays", tiles, n=n, these=tiles)
        if jokers:
            yield found(Code.JOKER_KEPT, "wild-stays", jokers)

    def _sets(self) -> Iterator[Finding]:
        """Yield findings for sets that aren’t legal, of the new table and then of the old one."""
        for at, verdict in enumerate(self.new):
            if not verdict.readings:
                cards = self.play.after[at]
                how = "left" if cards else "left-nothing"
                yield found(Code.NO_MELD_THERE, "rearrange", cards, how, these=cards)
                yield from verdict.findings
        for at in self.touched:
            if not self._old(at).readings:
                cards = self.play.before[at]
                how = "before" if cards else "before-nothing"
                yield found(Code.NO_MELD_THERE, "rearrange", cards, how, these=cards)

    def _opened(
        self, readings: dict[int, Reading], opening: Opening
    ) -> tuple[list[Finding], tuple[str, ...]]:
        """Return the findings on the opening and a hint.

        `readings` is changed to how the sets of the opening count for it.
        """
        rule, play, worth = opening.rule, self.play, opening.worth
        findings: list[Finding] = []
        if self.touched and not rule.then_table:
            melds = [play.before[at] for at in self.touched]
            cards = tuple(chain.from_iterable(melds))
            findings.append(found(Code.TABLE_BEFORE_OPENING, "opening-table", cards, melds=melds))
        if not self.played:
            return findings, ()
        own = list(self._from_rack())
        opened = open_with([self.new[at] for at in own], rule, worth, self.rules)
        read = iter(opened.readings)
        readings.update({at: next(read) for at in own if self.new[at].readings})
        points = opened.points
        if points < rule.points and self.touched and rule.then_table:
            tiles = tuple(self.played.elements())
            points = max(points, opening_within(tiles, rule, worth, self.rules))
        self.opening_points = points
        if points == opened.points:
            findings += opened.findings
        else:
            met = enough(points, rule) if points >= rule.points else None
            findings.append(met or too_low(points, rule, self.rules, points))
        if points < rule.points:
            return findings, opened.hint
        if self.touched and rule.then_table:
            findings.append(ground(Code.TABLE_AFTER_OPENING, "opening-table"))
        return findings, ()

    def _from_rack(self) -> Iterator[int]:
        """Yield the indexes of the changed sets that can be made from tiles of the rack alone."""
        left = self.played.copy()
        for at in self.changed:
            tiles = Counter(self.play.after[at])
            if tiles and tiles <= left:
                left -= tiles
                yield at

    def _follow(self, readings: dict[int, Reading], *, told: bool) -> tuple[Finding, ...]:
        """Return the findings on the jokers; `readings` is changed to how they read the sets."""
        wilds = self.rules.wilds.cards
        if wilds.isdisjoint(chain.from_iterable([self.play.before[at] for at in self.touched])):
            return ()
        there = sum(card in wilds for at in self.changed for card in self.play.after[at])
        if there > self.rules.pack.jokers:
            return (found(Code.NOT_IN_PACK, "jokers", (), "too-many"),)
        if not told and self.rule.jokers.asks_nothing:
            return ()
        old, new = self.play.before, self.play.after
        history = follow(
            [TableSet(old[at], self._old(at).readings) for at in self.touched],
            [TableSet(new[at], self.new[at].readings) for at in self.changed],
            self.played,
            self.rule.jokers,
            self.rules,
        )
        readings.update(zip(self.changed, history.readings, strict=bool(history.readings)))
        return history.findings


def _count(melds: Iterable[Cards]) -> Counter[Card]:
    return Counter(chain.from_iterable(melds))


def _key(cards: Cards) -> tuple[int, ...]:
    """Return a key that is equal for the same cards in any order; each card is one object."""
    return tuple(sorted(map(id, cards)))
