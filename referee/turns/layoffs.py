"""Laying off: add cards to a meld on the table."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from referee.cards import Card, Cards
from referee.melds.bonuses import MeldBonus, bonus_of
from referee.melds.grounds import in_favour, plain_wilds
from referee.melds.limits import limits
from referee.melds.reading import afresh, extend, moved
from referee.melds.rules import MeldRules, rank_at
from referee.melds.standing import no_meld_there, standing
from referee.plays import LayOff
from referee.rulings import Code, Finding, MeldKind, Reading, TableWorth, found, ground


@dataclass(frozen=True, slots=True, kw_only=True)
class LayOffRule:
    """The rules for laying off cards on melds on the table."""

    in_same_turn: bool
    needs_down: bool
    """Whether a player needs to lay down first."""
    after_close: bool = False
    """Whether the others lay off on the melds of a player who closed; no turn is needed then."""
    counted: bool = False
    """Whether the scorepad lays off what it can if both hands were entered card by card."""
    own_only: bool = False
    """Whether players can only lay off on their own melds."""
    in_teams: bool = False
    """Whether a player’s own melds are those of a team."""
    wilds_on_own_only: bool


class JoinedMeld(NamedTuple):
    """The result of laying off cards on one meld: the meld with them, or why they don’t fit."""

    reading: Reading | None
    """The meld with the cards added; None if they don’t fit."""
    findings: tuple[Finding, ...]
    points: int = 0
    """What the added cards score, if melds score in this game."""


def lay_off(
    play: LayOff,
    rule: LayOffRule,
    rules: MeldRules,
    worth: TableWorth | None = None,
    bonuses: tuple[MeldBonus, ...] = (),
) -> JoinedMeld:
    """Rule on laying off cards on a meld, added in the best way (see `ways_on`).

    The findings are those against it; if there are none, those for it.
    """
    return with_reasons(ways_on(play, rule, rules, worth, bonuses)[0], play, rule, rules)


def with_reasons(
    joined: JoinedMeld, play: LayOff, rule: LayOffRule, rules: MeldRules
) -> JoinedMeld:
    """Return `joined` with the reasons for it, if it has no findings against it."""
    if joined.findings or joined.reading is None:
        return joined
    return joined._replace(findings=tuple(_joins(play, joined.reading, rule, rules)))


def ways_on(
    play: LayOff,
    rule: LayOffRule,
    rules: MeldRules,
    worth: TableWorth | None = None,
    bonuses: tuple[MeldBonus, ...] = (),
) -> tuple[JoinedMeld, ...]:
    """Return every way to lay off the cards of a play on a meld, the best first.

    The best way breaks the fewest limits. If melds score (`worth`), the next criteria are the most
    points, including a bonus, and the most naturals. If the cards don’t fit, the result is one item
    without a reading.

    The findings of an item are only those against it, including those against the moment of the
    play. `with_reasons` adds the reasons for one way: a search tries thousands of ways and needs
    the reasons of one.
    """
    findings = tuple(_against_moment(play, rule))
    melds = standing(play.onto, rules)
    if not melds:
        return (JoinedMeld(None, (*findings, *no_meld_there(play.onto, rules))),)
    if not play.cards:
        return (JoinedMeld(None, (*findings, found(Code.NO_CARDS, "fits", (), "lay-off"))),)
    grown = [reading for meld in melds for reading in extend(meld, play.cards, rules)]
    grown += [reading for meld in melds for reading in moved(meld, play.cards, rules)]
    grown += [reading for meld in melds[:1] for reading in afresh(meld, play.cards, rules)]
    if not grown:
        return (JoinedMeld(None, (*findings, *_misfits(play.cards, melds[0], rules))),)
    added = len(play.cards)
    ways = [
        (
            (*limits(reading, rules), *_against_wilds(play, reading, rule, rules)),
            sum(worth(reading)[-added:]) if worth else 0,
            (_earns(reading, bonuses), reading.naturals) if worth else (0, 0),
            reading,
        )
        for reading in grown
    ]
    # Fewest findings against it first; then most points, then most naturals.
    ways.sort(key=lambda way: (-len(way[0]), way[1] + way[2][0], way[2][1]), reverse=True)
    return tuple(
        JoinedMeld(reading, findings + broken, points) for broken, points, _, reading in ways
    )


def _earns(reading: Reading, bonuses: tuple[MeldBonus, ...]) -> int:
    """Return the points of the bonus that a meld earns; 0 if it earns none."""
    bonus = bonus_of(reading, bonuses)
    return 0 if bonus is None else bonus.points


def _against_wilds(
    play: LayOff, reading: Reading, rule: LayOffRule, rules: MeldRules
) -> Iterator[Finding]:
    """Yield a finding if wilds are laid off on another player’s meld and the rules forbid it."""
    if play.own or not rule.wilds_on_own_only:
        return
    # The added cards come last, so any wild after the cards of the old meld was added now.
    there = len(reading.cards) - len(play.cards)
    if reading.rankless or any(reading.wild[there:]):
        mixed = not reading.rankless and not all(reading.wild[there:])
        cites = "layoff-wild-pair" if mixed else "layoff-wilds"
        yield found(Code.WILD_ON_OTHERS_MELD, cites, play.cards, wild=rules.wilds)


def _against_moment(play: LayOff, rule: LayOffRule) -> Iterator[Finding]:
    # After a close nobody has a turn, because the others lay off one after another.
    if not play.my_turn and not rule.after_close:
        yield found(Code.NOT_MY_TURN, "own-turn", play.cards)
    how = "team" if rule.in_teams else ""
    if rule.own_only and not play.own:
        yield found(Code.NOT_OWN_MELD, "layoff", play.cards, how)
    if not play.down and rule.needs_down:
        yield found(Code.NOT_DOWN_YET, "down-first", play.cards, how)
    if play.same_turn and rule.needs_down and not rule.in_same_turn:
        yield found(Code.NOT_THIS_TURN, "layoff-turn", play.cards)


def _joins(play: LayOff, reading: Reading, rule: LayOffRule, rules: MeldRules) -> Iterator[Finding]:
    cards, kind = play.cards, reading.kind
    yield ground(Code.JOINS_MELD, "fits", cards, n=len(cards), this=cards[0], kind=kind)
    if play.same_turn and rule.needs_down:
        yield ground(Code.IN_THE_SAME_TURN, "layoff-turn", cards)
    there = len(play.onto)
    stood = {meld.stands for meld in standing(play.onto, rules)}
    if rules.wilds.moves and reading.stands[:there] not in stood:
        stands = tuple(reading.stands[at] for at in reading.stands_for if at < there)
        if stands:  # a wild that is natural now stands for nothing
            yield ground(Code.WILD_MOVED, "moves", stands, wild=rules.wilds, stands=stands)
    # Only report what the new cards add: the meld itself was ruled on when it was laid.
    named = {Code.WILD_STANDS_FOR, Code.SAME_CARD_TWICE, Code.NATURAL_IN_PLACE}
    named |= {Code.TWO_ACES, Code.AROUND_THE_CORNER}
    for finding in in_favour(reading, rules):
        if finding.code in named and set(finding.cards) & set(play.cards):
            yield finding


def _misfits(cards: Cards, meld: Reading, rules: MeldRules) -> Iterator[Finding]:
    """Yield findings that explain why cards don’t fit a meld, and which cards would."""
    # A set of wilds alone has no rank that a natural could share.
    if meld.rankless:
        yield found(Code.ONLY_WILDS_JOIN, "joins-wilds", cards, wild=rules.wilds)
        return
    if meld.kind is MeldKind.SET:
        rank = meld.rank
        odd = tuple(card for card in cards if card.rank != rank)
        wild = tuple(card for card in odd if card in rules.wilds.cards)
        barred = tuple(card for card in wild if card in rules.wilds.runs_only)
        if barred and rules.wilds.in_sets:
            yield found(Code.WILD_IN_SET, "wild-where", barred, "runs-only", this=barred[0])
        if wild and not rules.wilds.in_sets:
            yield found(Code.WILD_IN_SET, "wild-where", wild, wild=rules.wilds)
        if len(wild) < len(odd):
            these, of = tuple(card for card in odd if card not in wild), Card(rank)
            n, one = len(these), these[0]
            yield found(Code.DOES_NOT_FIT, "fits", odd, "set", n=n, this=one, these=these, of=of)
        return
    if meld.kind is MeldKind.FLUSH and meld.suit is not None:
        odd = tuple(card for card in cards if card.suit is not meld.suit)
        yield found(Code.DOES_NOT_FIT, "fits", odd, "flush", these=odd, of=meld.suit)
        return
    if meld.kind is MeldKind.PAIR:
        yield found(Code.DOES_NOT_FIT, "opening-pairs", cards, "pair")
        return
    yield from plain_wilds(cards, rules)
    ends, wilds = tuple(_open_ends(meld, rules)), rules.wilds
    taken = next((stand for stand in meld.stands_for.values() if _is_among(stand, cards)), None)
    full, joins = "full-taken" if taken else "full", "ends-taken" if taken else "ends"
    if ends:
        yield found(Code.DOES_NOT_FIT, "fits", cards, joins, ends=ends, wild=wilds, taken=taken)
    else:
        yield found(Code.DOES_NOT_FIT, "longest-run", cards, full, wild=wilds, taken=taken)


def _is_among(stand: Card, cards: Cards) -> bool:
    """Return whether one of the cards is what a wild stands for, which can be of any suit."""
    if stand.suit is None or not stand.suit.word:
        return stand.rank in {card.rank for card in cards}
    return stand in cards


def _open_ends(meld: Reading, rules: MeldRules) -> Iterator[Card]:
    """Yield the cards that could be added to a run below and above."""
    runs = rules.runs
    suit = meld.suit if runs.one_suit else None
    low, high = min(meld.places) - 1, max(meld.places) + 1
    if len(meld.cards) >= min(runs.longest, runs.max_size or runs.longest):
        return
    if runs.wrap:
        low, high = rank_at(low, runs.top), rank_at(high, runs.top)
    for place in (low, high):
        if runs.wrap or runs.low <= place <= runs.high:
            yield Card(rank_at(place, runs.top), suit or rules.pack.unsuited)
