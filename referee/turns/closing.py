"""Closing: show a whole hand at once, in melds or as a special hand."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from referee.cards import Card, Cards
from referee.melds.deadwood import Arrangement, arrange, arrange_needing
from referee.melds.grounds import in_favour
from referee.melds.needs import HandNeeds
from referee.melds.reading import read_runs, read_sets
from referee.melds.rules import MeldRules
from referee.plays import Close
from referee.rulings import Code, Finding, Reading, Ruling, found, ground
from referee.values import CardValues

CLOSED: Final = "closed"
"""The word for a hand that closes with melds, or knocks, and isn’t a special hand."""
BIG_GIN: Final = "big-gin"
"""The word for a hand that is all in melds, including the card just drawn."""
_TWICE: Final = 2
NO_WILD: Final = "-no-joker"
"""The end of a key in `CloseRule.multipliers` that is for a hand without wilds."""


class SpecialHand(NamedTuple):
    """A special hand that a player can close with, for example all cards in one suit."""

    word: str
    """The word for it in the question format."""
    title: str
    """Its name, as players say it."""
    reads: Callable[[Cards, MeldRules], tuple[Reading, ...] | None] | None
    """Returns the readings of cards as this hand, maybe none, or None if they aren’t this hand.

    A special hand without this function is any hand that is all in melds.
    """
    thrown: bool = False
    """Whether the player also needs to discard a wild on closing."""
    scores: int | None = None
    """What the player who closes with it scores; None if it scores like any other hand."""
    wins: bool = False
    """Whether it wins the game at once."""

    @property
    def cites(self) -> str:
        """The name of the clause that defines it."""
        return f"special-hands.{self.word}"


def of_one_rank(cards: Cards, rules: MeldRules) -> tuple[Reading, ...] | None:
    """Return the readings of a hand as a set; None if its naturals don’t have one rank."""
    if len({card.rank for card in _naturals(cards, rules)}) != 1:
        return None
    return tuple(read_sets(cards, rules))


def of_one_suit(cards: Cards, rules: MeldRules) -> tuple[Reading, ...] | None:
    """Return an empty tuple if the naturals of a hand have one suit; otherwise None."""
    return () if len({card.suit for card in _naturals(cards, rules)}) == 1 else None


def in_one_row(cards: Cards, rules: MeldRules) -> tuple[Reading, ...] | None:
    """Return one reading of a hand as a run, in rising order; None if it can’t be a run."""
    run = next(iter(read_runs(cards, rules, as_laid=False)), None)
    return None if run is None else (run.arranged,)


def in_pairs(cards: Cards, rules: MeldRules) -> tuple[Reading, ...] | None:
    """Return an empty tuple if a hand is pairs of equal cards; otherwise None.

    A wild can make a pair with any card.
    """
    single = sum(count % 2 for count in Counter(_naturals(cards, rules)).values())
    wilds = len(cards) - len(_naturals(cards, rules))
    return () if len(cards) % 2 == 0 and single <= wilds else None


def _naturals(cards: Cards, rules: MeldRules) -> Cards:
    return tuple(card for card in cards if card not in rules.wilds.cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseRule:
    """The rules for showing a whole hand at once, and how many times the others pay for it.

    >>> from referee import variants
    >>> rule = variants.get("gin-rummy").close
    >>> rule.knock, rule.may_show(10), rule.may_show(11)
    (10, True, False)
    """

    special: tuple[SpecialHand, ...]
    """The special hands, the rarest first."""
    multipliers: Mapping[str, int]
    """How many times the others pay, by the word for the hand.

    A word with `NO_WILD` at the end is for the same hand without wilds.
    """
    knock: int
    """The most points of deadwood that a player can knock with; 0 if nobody can knock."""
    knock_cards: int | None
    """The most cards of deadwood that a player can knock with; None if only points matter."""
    needs: HandNeeds | None
    """The runs that a hand needs among its melds; None if any melds will do."""
    strict: bool
    """Whether a hand counts only as what the player said it is."""
    big_gin: int = 0
    """The points that big gin adds for the player who shows it; 0 if the game has no big gin."""
    priced: bool = False
    """Whether the others lose a fixed number, whatever cards they have left."""
    protected: bool
    """Whether a losing hand can leave out as many cards of one suit as were dealt, instead of its
    melds."""

    def said(self, word: str | None) -> str:
        """Return what a player said the hand is: `CLOSED` if `word` isn’t one of `words`."""
        return word if word is not None and word in self.words else CLOSED

    def may_show(self, points: int, cards: int = 0) -> bool:
        """Return whether a player can knock with deadwood of this many points and cards."""
        few = self.knock_cards is None or cards <= self.knock_cards
        return self.knock > 0 and points <= self.knock and few

    @property
    def pays_by_way(self) -> bool:
        """Whether the number of times the others pay depends on how a hand closed."""
        return set(self.multipliers.values()) != {1} or any(
            hand.scores is None and not hand.wins for hand in self.special
        )

    @property
    def asks_how(self) -> bool:
        """Whether the score depends on how a hand closed."""
        return self.pays_by_way or self.big_gin > 0 or bool(self.special)

    def special_hand(self, word: str | None) -> SpecialHand | None:
        """Return the special hand with this word; None if there isn’t one."""
        return next((hand for hand in self.special if hand.word == word), None)

    @property
    def words(self) -> tuple[str, ...]:
        """The words for everything a player can close with, as in the question format."""
        special = (hand.word for hand in self.special)
        return (*special, BIG_GIN, CLOSED) if self.big_gin else (*special, CLOSED)


def close(play: Close, rule: CloseRule, rules: MeldRules, values: CardValues, dealt: int) -> Ruling:
    """Rule on a whole hand that is shown to close the round.

    It needs as many cards as were `dealt` to each player, or 1 more for big gin.
    """
    cards = play.cards
    # A card has been discarded by then, except with big gin.
    if len(cards) == dealt:
        return _close(play, rule, rules, values)
    if rule.big_gin and len(cards) == dealt + 1:
        return _big_gin(play, rule, rules, values)
    n = len(cards)
    odd = found(Code.WRONG_NUMBER_OF_CARDS, "hand-size", cards, "close", dealt=dealt, n=n)
    return Ruling((odd,))


def _close(play: Close, rule: CloseRule, rules: MeldRules, values: CardValues) -> Ruling:
    cards = play.cards
    arrangement = arranged(cards, rule, rules, values)
    ways, times = ways_to_close(cards, arrangement, rule, rules, play.discard)
    said = rule.said(play.says)
    if rule.strict:
        way = said if said in ways else None
    else:
        # Players often don’t notice everything that a hand is, so it counts as what pays most.
        way = max(ways, key=times.__getitem__, default=None)
    if way is None:
        lacking = tuple(_lacking(cards, arrangement, rule))
        against = lacking or tuple(_against(said, arrangement, ways, rule))
        return Ruling(_as_decided(against, arrangement), arrangement.melds)
    findings = [_ground(way, cards, rule)]
    if way == CLOSED and arrangement.left:
        findings = [_knocked(arrangement, rule)]
        if not arrangement.decided:
            findings.append(_not_decided(arrangement, "close", against=False))
    if way == CLOSED:
        findings += [finding for meld in ways[way] for finding in in_favour(meld, rules)]
    if rule.pays_by_way:
        findings.append(paid(times[way], cards, rule))
    if rule.pays_by_way and not _has_wilds(cards, rules):
        findings.append(ground(Code.NO_WILDS_SHOWN, "no-wild", cards, wild=rules.wilds))
    if len(ways) > 1 and rule.pays_by_way and not rule.strict:
        findings.append(ground(Code.HIGHEST_COUNTS, "highest", cards))
    if play.says is not None and way != said and not rule.strict:
        findings.append(ground(Code.SAID_OTHERWISE, "announce", cards))
    return Ruling(tuple(findings), ways[way], closes_as=way, multiplier=times[way])


def _big_gin(play: Close, rule: CloseRule, rules: MeldRules, values: CardValues) -> Ruling:
    """Rule on a hand shown with the card just drawn: it needs to be all in melds, no discard."""
    cards, n = play.cards, len(play.cards)
    arrangement = arranged(cards, rule, rules, values)
    against = []
    if rule.strict and play.says not in {None, BIG_GIN}:
        against.append(found(Code.NOT_WHAT_WAS_SAID, "announce", cards, "is-big-gin", n=n))
    if play.discard is not None:
        odd = (play.discard,)
        against.append(found(Code.WRONG_NUMBER_OF_CARDS, "big-gin", odd, "big-gin", n=n))
    if arrangement.left:
        left = arrangement.left
        against.append(found(Code.CARDS_NOT_MELDED, "big-gin", left, "big-gin", n=n, left=left))
    if against:
        return Ruling(_as_decided(against, arrangement), arrangement.melds)
    findings = [ground(Code.BIG_GIN, "big-gin", cards, n=n, points=rule.big_gin)]
    findings += [finding for meld in arrangement.melds for finding in in_favour(meld, rules)]
    if play.says not in {None, BIG_GIN}:
        findings.append(ground(Code.SAID_OTHERWISE, "announce", cards))
    return Ruling(tuple(findings), arrangement.melds, closes_as=BIG_GIN, multiplier=1)


_ON_MELDS: Final = frozenset({Code.CARDS_NOT_MELDED, Code.NEEDS_MISSING})
"""The findings that can be wrong if the search for melds wasn’t complete."""


def _as_decided(against: Iterable[Finding], hand: Arrangement) -> tuple[Finding, ...]:
    """Return the findings, with those that are unsure replaced if the search wasn’t complete."""
    unsure = frozenset() if hand.decided else _ON_MELDS
    return tuple(
        _not_decided(hand, each.cites) if each.code in unsure else each for each in against
    )


def _not_decided(arrangement: Arrangement, cites: str, *, against: bool = True) -> Finding:
    """Return the finding that there may be a better way to meld a hand than was found."""
    left = arrangement.left
    return found(Code.NOT_DECIDED, cites, left, left=left)._replace(against=against)


def arranged(cards: Cards, rule: CloseRule, rules: MeldRules, values: CardValues) -> Arrangement:
    """Return the melds of a hand that closes with the fewest points left over.

    If the hand doesn’t have the runs it needs, the result has no melds and all cards left over.
    """
    if rule.needs is None:
        return arrange(cards, rules, values)
    found = arrange_needing(cards, rules, values, rule.needs)
    return found or Arrangement((), cards, _cost(cards, rules, values))


def _lacking(cards: Cards, arrangement: Arrangement, rule: CloseRule) -> Iterator[Finding]:
    """Yield a finding if the melds of a hand don’t include the runs it needs."""
    if rule.needs is None or rule.needs.are_met(arrangement.melds):
        return
    n, pure = rule.needs.runs, rule.needs.pure
    how = "pure" if pure == n else "some" if pure else ""
    yield found(Code.NEEDS_MISSING, "needs", cards, how, n=n, pure=pure)


def ways_to_close(
    cards: Cards,
    arrangement: Arrangement,
    rule: CloseRule,
    rules: MeldRules,
    discard: Card | None = None,
) -> tuple[dict[str, tuple[Reading, ...]], dict[str, int]]:
    """Return every way in which a hand of the right size can close.

    The first mapping has the melds of the hand, and the second how many times the others pay, both
    by the word for the way. Both are empty if the hand can’t close. The `arrangement` is that of
    the same cards; special hands can depend on the `discard`.
    """
    ways = special_hands(cards, arrangement, rule, rules, discard)
    if not arrangement.left or rule.may_show(arrangement.points, len(arrangement.left)):
        ways[CLOSED] = arrangement.melds
    return ways, {way: _multiplier(way, cards, rule, rules) for way in ways}


def least_deadwood(
    cards: Cards, rule: CloseRule, rules: MeldRules, values: CardValues, dealt: int
) -> Arrangement:
    """Return the arrangement of a losing hand that leaves the fewest points.

    If `rule.protected`, as many cards of one suit as were `dealt` can be left out instead, wilds
    included. The result then has no melds.
    """
    if rule.needs is not None and rule.needs.all_counts_without:
        found = arranged(cards, rule, rules, values)
    else:
        found = arrange(cards, rules, values)
    if not rule.protected:
        return found
    wilds = [card for card in cards if card in rules.wilds.cards]
    for suit in dict.fromkeys(card.suit for card in cards if card not in rules.wilds.cards):
        own = [card for card in cards if card.suit is suit and card not in rules.wilds.cards]
        if len(own) + len(wilds) >= dealt:
            # If there are more cards than were dealt, leave out those that count the most.
            dear = sorted(own + wilds, key=lambda card: -_cost((card,), rules, values))
            left = Counter(cards) - Counter(dear[:dealt])
            points = _cost(tuple(left.elements()), rules, values)
            if points < found.points:
                found = Arrangement((), tuple(left.elements()), points, found.decided)
    return found


def _cost(cards: Cards, rules: MeldRules, values: CardValues) -> int:
    return values.count(cards, rules.wilds.cards)


def special_hands(
    cards: Cards,
    arrangement: Arrangement,
    rule: CloseRule,
    rules: MeldRules,
    discard: Card | None,
) -> dict[str, tuple[Reading, ...]]:
    """Return the special hands that these cards are, by word, each with its readings."""
    ways: dict[str, tuple[Reading, ...]] = {}
    melded = None if arrangement.left else arrangement.melds
    for hand in rule.special:
        readings = hand.reads(cards, rules) if hand.reads else melded
        if readings is not None and (not hand.thrown or discard in rules.wilds.cards):
            ways[hand.word] = readings
    return ways


def _has_wilds(cards: Cards, rules: MeldRules) -> bool:
    return not rules.wilds.cards.isdisjoint(cards)


def _multiplier(way: str, cards: Cards, rule: CloseRule, rules: MeldRules) -> int:
    without = way + NO_WILD
    if not _has_wilds(cards, rules) and without in rule.multipliers:
        return rule.multipliers[without]
    return rule.multipliers[way]


def _ground(way: str, cards: Cards, rule: CloseRule) -> Finding:
    if way == CLOSED:
        return ground(Code.HAND_MELDED, "close", cards, "gin" if rule.big_gin else "")
    hand = rule.special_hand(way)
    assert hand is not None, "a way to close"
    title, scores = hand.title, hand.scores
    how = "wins" if hand.wins else "" if scores is None else "scores"
    return ground(Code.SPECIAL_HAND, hand.cites, cards, how, title=title, points=scores)


def _knocked(arrangement: Arrangement, rule: CloseRule) -> Finding:
    left, points, how = arrangement.left, arrangement.points, "knock" if rule.big_gin else ""
    return ground(Code.KNOCKED, "close", left, how, left=left, points=points, most=rule.knock)


def paid(times: int, cards: Cards, rule: CloseRule) -> Finding:
    """Return the finding that tells how many times the others pay for a hand that closes.

    >>> from referee import paid, parse_cards, variants
    >>> game = variants.get("remigio")
    >>> finding = paid(2, parse_cards("7C 7D 7H"), game.close)
    >>> finding.code.value, finding.values["n"], finding.against
    ('paid-so-many-times', 2, False)
    """
    cites, twice = "settle" if times == 1 else "times", times == _TWICE
    how = ("priced-twice" if twice else "priced") if rule.priced else "twice" if twice else ""
    return ground(Code.PAID_SO_MANY_TIMES, cites, cards, how, n=times)


def _against(
    said: str,
    arrangement: Arrangement,
    ways: Mapping[str, object],
    rule: CloseRule,
) -> Iterator[Finding]:
    """Yield the findings against a close: it isn’t what was said, or has too much deadwood."""
    left = arrangement.left
    if said == BIG_GIN:
        yield found(Code.NOT_WHAT_WAS_SAID, "big-gin", left, "big-gin")
        if rule.strict:
            return
    elif said != CLOSED:
        hand = rule.special_hand(said)
        assert hand is not None, "a way to close"
        cites = "announce" if rule.strict else hand.cites
        yield found(Code.NOT_WHAT_WAS_SAID, cites, left, title=hand.title)
        if rule.strict:
            return
    elif ways:
        hand = rule.special_hand(next(iter(ways)))
        title = hand.title if hand else ""
        yield found(Code.NOT_WHAT_WAS_SAID, "announce", left, "unsaid", title=title)
        return
    few, points, most = rule.knock_cards, arrangement.points, rule.knock
    if not most:
        yield found(Code.CARDS_NOT_MELDED, "close", left, left=left)
    elif few is not None and len(left) > few and points <= most:
        yield found(Code.CARDS_NOT_MELDED, "close", left, "few", n=few, left=left)
    else:
        how = "knock"
        yield found(Code.CARDS_NOT_MELDED, "close", left, how, left=left, points=points, most=most)
