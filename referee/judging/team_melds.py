"""The melds of a team before and after what one of it lays down: whose they are, of which ranks."""

from collections import Counter
from collections.abc import Iterator, Sequence

from referee.cards import Card, Cards
from referee.judging.turn_layoffs import first_named, in_any_order
from referee.melds.bonuses import bonus_of
from referee.melds.rules import MeldRules, SetRule
from referee.melds.standing import standing
from referee.plays import LayDown
from referee.rulings import Code, Finding, MeldKind, Reading, found, ground
from referee.turns.layoffs import JoinedMeld
from referee.variant import Variant


def not_of_the_team(play: LayDown, variant: Variant) -> Iterator[Finding]:
    """Say what is laid off on melds that the team doesn’t have.

    Where the melds of the team weren’t said, those that are laid off on are among them, if it can
    have any before its first melds.
    """
    rule = variant.lay_offs
    if rule is None or not rule.own_only:
        return
    if not play.own and (play.down or variant.opening is None):
        return
    own = [layoff for layoff in play.layoffs if layoff.own]
    known = (*play.own, *play.melds)
    named = first_named(known, [(layoff.cards, layoff.onto) for layoff in own])
    for layoff, onto in zip(own, named, strict=True):
        if any(onto is meld for meld in known):
            continue
        if play.own:
            how = "team" if rule.in_teams else ""
            yield found(Code.NOT_OWN_MELD, "layoff", layoff.cards, how)
        else:
            yield found(Code.NOT_MELDED, "layoff", layoff.cards)


def earned(meld: Reading, variant: Variant) -> Iterator[Finding]:
    """Say which bonus a meld earns."""
    bonus = bonus_of(meld, variant.bonuses)
    if bonus is not None:
        called, points = bonus.called, bonus.points
        yield ground(Code.EARNS_BONUS, "bonus-melds", meld.cards, called=called, points=points)


class TeamMelds:
    """The melds of a team, those that it had and those laid down now, with what joined them."""

    def __init__(
        self,
        play: LayDown,
        laid: Sequence[Reading],
        joined: Sequence[JoinedMeld],
        variant: Variant,
        rules: MeldRules,
    ) -> None:
        """Put what was laid off onto the melds; what isn’t a meld is left out."""
        readings = [standing(cards, rules) for cards in play.own or _laid_off_on(play)]
        self.before = [variant.worth_most(ways) for ways in readings if ways]
        """Those that the team had, as they have grown."""
        self.new = list(laid)
        """Those laid down now, as they have grown."""
        pairs = zip(joined, play.layoffs, strict=True)
        grown = [(join.reading, off.cards) for join, off in pairs if join.reading and off.own]
        for reading, cards in sorted(grown, key=lambda pair: len(pair[0].cards)):
            self._grow(reading, tuple((Counter(reading.cards) - Counter(cards)).elements()))

    def _grow(self, reading: Reading, onto: Cards) -> None:
        for melds in (self.before, self.new):
            for at, meld in enumerate(melds):
                if len(meld.cards) == len(onto) and in_any_order(meld.cards) == in_any_order(onto):
                    melds[at] = reading
                    return

    @property
    def all(self) -> tuple[Reading, ...]:
        """All of them."""
        return (*self.before, *self.new)

    def begun_twice(self, sets: SetRule) -> Iterator[Finding]:
        """Say which sets are started while the team has one of their rank that can grow."""
        there = {meld.rank for meld in self.before if _grows(meld, sets)}
        # One that is full at once can be laid before one that can grow.
        for meld in sorted(self.new, key=lambda meld: _grows(meld, sets)):
            if not _is_of_a_rank(meld):
                continue
            if meld.rank in there:
                yield found(Code.RANK_LIES_THERE, "set-once", meld.cards, of=Card(meld.rank))
            elif _grows(meld, sets):
                there.add(meld.rank)


def _laid_off_on(play: LayDown) -> Iterator[Cards]:
    """The melds that the player names as the team’s own, each once, without those laid now."""
    own = [(layoff.cards, layoff.onto) for layoff in play.layoffs if layoff.own]
    known = list(play.melds)
    for onto in first_named(known, own):
        if not any(onto is meld for meld in known):
            known.append(onto)
            yield onto


def _is_of_a_rank(meld: Reading) -> bool:
    return meld.kind is MeldKind.SET and not meld.rankless


def _grows(meld: Reading, rule: SetRule) -> bool:
    """Whether cards can join a set."""
    return _is_of_a_rank(meld) and (rule.max_size is None or len(meld.cards) < rule.max_size)
