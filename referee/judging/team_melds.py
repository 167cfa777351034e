"""The melds of a team before and after a play: which ones it has, and their ranks and bonuses."""

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
    """Yield findings for cards laid off on melds that the team doesn’t have.

    If the play doesn’t name the team’s melds, this is only checked for a team that can’t have any
    because it hasn’t made its opening.
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
    """Yield a finding with the bonus that a meld earns, if it earns one."""
    bonus = bonus_of(meld, variant.bonuses)
    if bonus is not None:
        called, points = bonus.called, bonus.points
        yield ground(Code.EARNS_BONUS, "bonus-melds", meld.cards, called=called, points=points)


class TeamMelds:
    """The melds of a team after a play: those it had and those laid down now, with lay-offs."""

    def __init__(
        self,
        play: LayDown,
        laid: Sequence[Reading],
        joined: Sequence[JoinedMeld],
        variant: Variant,
        rules: MeldRules,
    ) -> None:
        """Add the lay-offs in `joined` to the melds; cards that aren’t a meld are left out."""
        readings = [standing(cards, rules) for cards in play.own or _laid_off_on(play)]
        self.before = [variant.worth_most(ways) for ways in readings if ways]
        """The melds that the team had before, with the cards laid off on them."""
        self.new = list(laid)
        """The melds laid down now, with the cards laid off on them."""
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
        """All melds of the team after the play."""
        return (*self.before, *self.new)

    def check_one_set_a_rank(self, sets: SetRule) -> Iterator[Finding]:
        """Yield a finding for each new set while the team has one of its rank that can grow."""
        there = {meld.rank for meld in self.before if _grows(meld, sets)}
        # A set that is already full can be laid first, before one of its rank that can grow.
        for meld in sorted(self.new, key=lambda meld: _grows(meld, sets)):
            if not _is_of_a_rank(meld):
                continue
            if meld.rank in there:
                yield found(Code.RANK_LIES_THERE, "set-once", meld.cards, of=Card(meld.rank))
            elif _grows(meld, sets):
                there.add(meld.rank)


def _laid_off_on(play: LayDown) -> Iterator[Cards]:
    """Yield the team’s melds on which cards are laid off, each once, without those laid now."""
    own = [(layoff.cards, layoff.onto) for layoff in play.layoffs if layoff.own]
    known = list(play.melds)
    for onto in first_named(known, own):
        if not any(onto is meld for meld in known):
            known.append(onto)
            yield onto


def _is_of_a_rank(meld: Reading) -> bool:
    return meld.kind is MeldKind.SET and not meld.rankless


def _grows(meld: Reading, rule: SetRule) -> bool:
    """Return whether a meld is a set that can take more cards."""
    return _is_of_a_rank(meld) and (rule.max_size is None or len(meld.cards) < rule.max_size)
