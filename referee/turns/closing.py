"""Closing: a whole hand shown at once, melded or as one of the special hands."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from referee.cards import Card, Cards, Nouns, write_cards
from referee.melds.deadwood import Arrangement, arrange, arrange_needing
from referee.melds.grounds import in_favour
from referee.melds.needs import HandNeeds
from referee.melds.reading import read_runs, read_sets
from referee.melds.rules import MeldRules
from referee.plays import Close
from referee.rulings import Code, Finding, Reading, Ruling
from referee.values import CardValues
from referee.wording import number_word, say_points

CLOSED: Final = "closed"
"""What is said of a hand that is melded and nothing more."""
BIG_GIN: Final = "big-gin"
"""What is said of a hand with the card drawn still in it, all in melds."""
NO_WILD: Final = "-no-joker"
"""What follows the word of a way to close where a hand without a wild pays more often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialHand:
    """A hand that closes by being all of a kind, melded or not."""

    word: str
    """What is said of it, as a word of the question format."""
    title: str
    """What it is called at the table."""
    reads: Callable[[Cards, MeldRules], tuple[Reading, ...] | None] | None
    """How cards are read as this hand; None where they are none, empty where it has no order.

    None in place of it for a hand that is all in melds.
    """
    thrown: bool = False
    """Whether it is this hand only where a wild is thrown away as it closes."""
    scores: int | None = None
    """What the player who closes with it scores; None if it scores like any other hand."""
    wins: bool = False
    """Whether it wins the game at once."""

    @property
    def cites(self) -> str:
        """The clause that says what it is."""
        return f"special-hands.{self.word}"


def of_one_rank(cards: Cards, rules: MeldRules) -> tuple[Reading, ...] | None:
    """Read a hand as cards of one rank."""
    if len({card.rank for card in _naturals(cards, rules)}) != 1:
        return None
    return tuple(read_sets(cards, rules))


def of_one_suit(cards: Cards, rules: MeldRules) -> tuple[Reading, ...] | None:
    """Read a hand as cards of one suit, in no order."""
    return () if len({card.suit for card in _naturals(cards, rules)}) == 1 else None


def in_one_row(cards: Cards, rules: MeldRules) -> tuple[Reading, ...] | None:
    """Read a hand as one run."""
    run = next(iter(read_runs(cards, rules, as_laid=False)), None)
    return None if run is None else (run.arranged,)


def in_pairs(cards: Cards, rules: MeldRules) -> tuple[Reading, ...] | None:
    """Read a hand as pairs of the same card twice; a wild makes a pair of any."""
    single = sum(count % 2 for count in Counter(_naturals(cards, rules)).values())
    wilds = len(cards) - len(_naturals(cards, rules))
    return () if len(cards) % 2 == 0 and single <= wilds else None


def _naturals(cards: Cards, rules: MeldRules) -> Cards:
    return tuple(card for card in cards if card not in rules.wilds.cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseRule:
    """How a whole hand is shown at once, and how often the others pay for it."""

    special: tuple[SpecialHand, ...]
    """The special hands, the rarest first."""
    multipliers: Mapping[str, int]
    """How often the others pay, by the way to close, with `NO_WILD` where that tells."""
    knock: int
    """The most points that may be left over by who shows."""
    knock_cards: int | None
    """The most cards that may be left over by who shows; None where their points alone decide."""
    needs: HandNeeds | None
    """What a hand needs among its melds; None where any melds will do."""
    strict: bool
    big_gin: int = 0
    """What big gin adds to the points of who shows it; 0 where it is not played."""
    priced: bool = False
    """Whether a fixed number counts against the others, whatever they hold."""
    protected: bool
    """Whether ten cards of one suit protect their holder when another closes."""

    def said(self, word: str | None) -> str:
        """What was said of a hand: a plain close, where that is no word for a hand here."""
        return word if word is not None and word in self.titles else CLOSED

    def may_show(self, points: int, cards: int = 0) -> bool:
        """Whether who has so many points left over, in so many cards, may show them: knock."""
        few = self.knock_cards is None or cards <= self.knock_cards
        return self.knock > 0 and points <= self.knock and few

    @property
    def pays_by_way(self) -> bool:
        """Whether the others do not always pay once, but by how a hand closed."""
        return set(self.multipliers.values()) != {1} or any(
            hand.scores is None and not hand.wins for hand in self.special
        )

    @property
    def asks_how(self) -> bool:
        """Whether it matters how a hand closed, for what the others pay or for what is added."""
        return self.pays_by_way or self.big_gin > 0 or bool(self.special)

    def special_hand(self, word: str | None) -> SpecialHand | None:
        """The special hand of a word; None where that is none."""
        return next((hand for hand in self.special if hand.word == word), None)

    @property
    def titles(self) -> Mapping[str, str]:
        """What may be said of a hand, by its word, with what it is called."""
        special = {hand.word: hand.title for hand in self.special}
        if self.big_gin:
            return special | {BIG_GIN: "big gin", CLOSED: "knock or gin"}
        return special | {CLOSED: "plain close"}


def close(play: Close, rule: CloseRule, rules: MeldRules, values: CardValues, dealt: int) -> Ruling:
    """Rule on a whole hand that is shown to close the round; so many cards were `dealt`."""
    cards, nouns = play.cards, rules.pack.nouns
    # The card drawn has been thrown by then; with big gin it is still there.
    if len(cards) == dealt:
        return _close(play, rule, rules, values)
    if rule.big_gin and len(cards) == dealt + 1:
        return _big_gin(play, rule, rules, values)
    are = "is" if len(cards) == 1 else "are"
    size = f"{number_word(dealt)} {nouns.card}s"
    says = f"A {nouns.hand} closes with {size}; here {are} {len(cards)}."
    return Ruling((Finding(Code.WRONG_NUMBER_OF_CARDS, says, "hand-size", cards),))


def _close(play: Close, rule: CloseRule, rules: MeldRules, values: CardValues) -> Ruling:
    cards, nouns = play.cards, rules.pack.nouns
    arrangement = arranged(cards, rule, rules, values)
    ways, times = ways_to_close(cards, arrangement, rule, rules, play.discard)
    said = rule.said(play.says)
    if rule.strict:
        way = said if said in ways else None
    else:
        # Players often don't see all that a hand is: it counts as what pays most.
        way = max(ways, key=times.__getitem__, default=None)
    if way is None:
        lacking = tuple(_lacking(cards, arrangement, rule, nouns))
        against = lacking or tuple(_against(said, arrangement, ways, rule, nouns))
        return Ruling(_as_decided(against, arrangement, nouns), arrangement.melds)
    findings = [_ground(way, cards, rule, nouns)]
    if way == CLOSED and arrangement.left:
        findings = [_knocked(arrangement, rule)]
        if not arrangement.decided:
            findings.append(_not_decided(arrangement, nouns, against=False))
    if way == CLOSED:
        findings += [finding for meld in ways[way] for finding in in_favour(meld, rules)]
    if rule.pays_by_way:
        findings.append(_paid(times[way], cards, rule))
    if rule.pays_by_way and not _has_wilds(cards, rules):
        says = f"There is no {rules.wilds.name} among the {nouns.card}s shown."
        findings.append(Finding(Code.NO_WILDS_SHOWN, says, "no-wild", cards, against=False))
    if len(ways) > 1 and rule.pays_by_way and not rule.strict:
        says = f"The {nouns.hand} is more than one thing; the one that pays most counts."
        findings.append(Finding(Code.HIGHEST_COUNTS, says, "highest", cards, against=False))
    if play.says is not None and way != said and not rule.strict:
        findings.append(_said_otherwise(cards, nouns))
    return Ruling(tuple(findings), ways[way], closes_as=way, multiplier=times[way])


def _big_gin(play: Close, rule: CloseRule, rules: MeldRules, values: CardValues) -> Ruling:
    """Rule on a hand shown with the card that was drawn: all of it is in melds, none thrown."""
    cards, nouns = play.cards, rules.pack.nouns
    all_cards = f"{number_word(len(cards))} {nouns.card}s"
    arrangement = arranged(cards, rule, rules, values)
    against = []
    if rule.strict and play.says not in {None, BIG_GIN}:
        says = f"A {nouns.hand} of {all_cards} is shown as big gin, and something else was said."
        against.append(Finding(Code.NOT_WHAT_WAS_SAID, says, "announce", cards))
    if play.discard is not None:
        says = f"Big gin is shown without a discard, and here is one beside {all_cards}."
        against.append(Finding(Code.WRONG_NUMBER_OF_CARDS, says, BIG_GIN, (play.discard,)))
    if arrangement.left:
        rest = f"{write_cards(arrangement.left)} at least would be left over"
        says = f"Who shows {all_cards} has all of them in melds: {rest}. One may be discarded."
        against.append(Finding(Code.CARDS_NOT_MELDED, says, BIG_GIN, arrangement.left))
    if against:
        return Ruling(_as_decided(against, arrangement, nouns), arrangement.melds)
    says = f"All {all_cards} are in melds, without a discard: big gin. It adds {rule.big_gin}."
    findings = [Finding(Code.BIG_GIN, says, BIG_GIN, cards, against=False)]
    findings += [finding for meld in arrangement.melds for finding in in_favour(meld, rules)]
    if play.says not in {None, BIG_GIN}:
        findings.append(_said_otherwise(cards, nouns))
    return Ruling(tuple(findings), arrangement.melds, closes_as=BIG_GIN, multiplier=1)


_ON_MELDS: Final = frozenset({Code.CARDS_NOT_MELDED, Code.NEEDS_MISSING})
"""What is only said of a hand because no melds were found for it."""


def _as_decided(found: Iterable[Finding], hand: Arrangement, nouns: Nouns) -> tuple[Finding, ...]:
    """What is found against a hand: where not all ways were tried, no more than that is said."""
    unsure = frozenset() if hand.decided else _ON_MELDS
    return tuple(
        _not_decided(hand, nouns, cites=each.cites) if each.code in unsure else each
        for each in found
    )


def _not_decided(
    arrangement: Arrangement, nouns: Nouns, *, cites: str = "close", against: bool = True
) -> Finding:
    """Say that a better way to put a hand into melds was not found, nor ruled out."""
    left = arrangement.left
    says = (
        f"Nothing better was found than to leave over {write_cards(left)}, and it is not proven: "
        f"there are too many ways to put these {nouns.card}s into melds."
    )
    return Finding(Code.NOT_DECIDED, says, cites, left, against)


def _said_otherwise(cards: Cards, nouns: Nouns) -> Finding:
    says = f"The {nouns.hand} counts as what it is, not as what was said."
    return Finding(Code.SAID_OTHERWISE, says, "announce", cards, against=False)


def arranged(cards: Cards, rule: CloseRule, rules: MeldRules, values: CardValues) -> Arrangement:
    """Put a hand into melds as who closes must: where what it needs is missing nothing is one."""
    if rule.needs is None:
        return arrange(cards, rules, values)
    found = arrange_needing(cards, rules, values, rule.needs)
    return found or Arrangement((), cards, _cost(cards, rules, values))


def _lacking(
    cards: Cards,
    arrangement: Arrangement,
    rule: CloseRule,
    nouns: Nouns,
) -> Iterator[Finding]:
    """Say that a hand has not what it needs, whatever else it has."""
    if rule.needs is None or rule.needs.are_met(arrangement.melds):
        return
    says = f"A {nouns.hand} closes with {rule.needs.says}."
    yield Finding(Code.NEEDS_MISSING, says, "needs", cards)


def ways_to_close(
    cards: Cards,
    arrangement: Arrangement,
    rule: CloseRule,
    rules: MeldRules,
    discard: Card | None = None,
) -> tuple[dict[str, tuple[Reading, ...]], dict[str, int]]:
    """All that a hand of the right size can close as, with its melds and what each pays."""
    ways = special_hands(cards, arrangement, rule, rules, discard)
    if not arrangement.left or rule.may_show(arrangement.points, len(arrangement.left)):
        ways[CLOSED] = arrangement.melds
    return ways, {way: _multiplier(way, cards, rule, rules) for way in ways}


def least_deadwood(
    cards: Cards, rule: CloseRule, rules: MeldRules, values: CardValues, dealt: int
) -> Arrangement:
    """Arrange the hand of a player who pays, with what a special hand of one suit protects.

    So many cards were `dealt`: that many of one suit are such a hand.
    """
    if rule.needs is not None and rule.needs.or_all_counts:
        found = arranged(cards, rule, rules, values)
    else:
        found = arrange(cards, rules, values)
    if not rule.protected:
        return found
    wilds = [card for card in cards if card in rules.wilds.cards]
    for suit in dict.fromkeys(card.suit for card in cards if card not in rules.wilds.cards):
        own = [card for card in cards if card.suit is suit and card not in rules.wilds.cards]
        if len(own) + len(wilds) >= dealt:
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
    """The special hands that cards are, by their words, with how they are read."""
    found: dict[str, tuple[Reading, ...]] = {}
    melded = None if arrangement.left else arrangement.melds
    for hand in rule.special:
        readings = hand.reads(cards, rules) if hand.reads else melded
        if readings is not None and (not hand.thrown or discard in rules.wilds.cards):
            found[hand.word] = readings
    return found


def _has_wilds(cards: Cards, rules: MeldRules) -> bool:
    return not rules.wilds.cards.isdisjoint(cards)


def _multiplier(way: str, cards: Cards, rule: CloseRule, rules: MeldRules) -> int:
    without = way + NO_WILD
    if not _has_wilds(cards, rules) and without in rule.multipliers:
        return rule.multipliers[without]
    return rule.multipliers[way]


def _ground(way: str, cards: Cards, rule: CloseRule, nouns: Nouns) -> Finding:
    if way == CLOSED:
        gin = ": gin" if rule.big_gin else ""
        says = f"All the {nouns.card}s are in melds{gin}."
        return Finding(Code.HAND_MELDED, says, "close", cards, against=False)
    hand = rule.special_hand(way)
    assert hand is not None, "a way to close"
    says = f"The {nouns.hand} is a {hand.title}."
    if hand.wins:
        says += " It wins the game."
    elif hand.scores is not None:
        says += f" It scores {say_points(hand.scores)}."
    return Finding(Code.SPECIAL_HAND, says, hand.cites, cards, against=False)


def _knocked(arrangement: Arrangement, rule: CloseRule) -> Finding:
    left, points = arrangement.left, arrangement.points
    knock = "A knock: " if rule.big_gin else ""
    says = f"{knock}{write_cards(left)} left over: {points}, and {rule.knock} may be."
    return Finding(Code.KNOCKED, says, "close", left, against=False)


def say_paid(times: int, *, priced: bool = False) -> str:
    """What the others pay for a hand that closes, in a sentence.

    >>> say_paid(2)
    'The others pay twice what they cannot meld.'
    >>> say_paid(2, priced=True)
    'It counts twice against the others.'
    """
    often = {1: "", 2: "twice "}.get(times, f"{number_word(times)} times ")
    if priced:
        return f"It counts {often or 'once '}against the others."
    return f"The others pay {often}what they cannot meld."


def _paid(times: int, cards: Cards, rule: CloseRule) -> Finding:
    """Say how often the others pay what they cannot meld."""
    cites, says = "settle" if times == 1 else "times", say_paid(times, priced=rule.priced)
    return Finding(Code.PAID_SO_MANY_TIMES, says, cites, cards, against=False)


def _against(
    said: str,
    arrangement: Arrangement,
    ways: Mapping[str, object],
    rule: CloseRule,
    nouns: Nouns,
) -> Iterator[Finding]:
    """Say why a hand does not close: it is not what was said, or not all of it is melded."""
    left = arrangement.left
    if said == BIG_GIN:
        says = f"Big gin is the whole {nouns.hand} and the {nouns.card} drawn, with no discard."
        yield Finding(Code.NOT_WHAT_WAS_SAID, says, BIG_GIN, left)
        if rule.strict:
            return
    elif said != CLOSED:
        hand = rule.special_hand(said)
        assert hand is not None, "a way to close"
        says = f"The {nouns.hand} was said to be a {hand.title}, and it is none."
        cites = "announce" if rule.strict else hand.cites
        yield Finding(Code.NOT_WHAT_WAS_SAID, says, cites, left)
        if rule.strict:
            return
    elif ways:
        title = rule.titles[next(iter(ways))]
        says = f"The {nouns.hand} is a {title}, but that was not said, and it is not all in melds."
        yield Finding(Code.NOT_WHAT_WAS_SAID, says, "announce", left)
        return
    rest = f"{write_cards(left)} at least would be left over"
    says = f"Not all the {nouns.card}s are in melds: {rest}."
    if rule.knock:
        few = rule.knock_cards
        if few is not None and len(left) > few and arrangement.points <= rule.knock:
            allowed = f"{number_word(few)} {nouns.card}{'s' * (few != 1)}"
            says = f"You can have only {allowed} left over to close, not {write_cards(left)}."
        else:
            says = (
                f"{rest[0].upper()}{rest[1:]}: {arrangement.points}, and only {rule.knock} may be."
            )
    yield Finding(Code.CARDS_NOT_MELDED, says, "close", left)
