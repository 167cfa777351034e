"""Checks for entries in a round that can’t be true, or are unlikely.

Every limit is worked out from the game: what cards count, how many are in the packs and in the
deal, and what can be melded. What can’t be true is certain; what is only unlikely is a doubt, to
ask about once.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.cards import JOKER, JOKER_RANK, Cards
from referee.judging import rule_on
from referee.melds.deadwood import MOST_ARRANGED
from referee.pad import Counts, PadRule
from referee.plays import Close, Moment, ShowMeld
from referee.rulings import Code, Finding
from referee.scorepad.hands import (
    HandRecord,
    cards_named,
    chosen_close,
    closed_special,
    is_big_gin,
    knocks,
    meld_ruling,
    most_knocked,
    points_of,
    table_points,
)
from referee.scorepad.problems import Problem, doubt, problem
from referee.scorepad.team_checks import check_face_up, look_at_team
from referee.values import ValueClass, fewest, most
from referee.variant import ForTheTableError, Variant


def _because(code: Code, seat: int, against: Finding, *, certain: bool = True) -> Problem:
    return Problem(
        *(code, against.cites, seat, certain),
        how=against.how,
        values=against.values,
        because=against,
    )


def check_round(  # noqa: PLR0913 - a round, told whole
    variant: Variant,
    steps: Sequence[int],
    records: Sequence[HandRecord | None],
    *,
    grown: Sequence[int] = (),
    playing: Sequence[bool] = (),
    opens: Sequence[int] = (),
) -> tuple[Problem, ...]:
    """Return everything in a round that can’t be true or is unlikely.

    `steps` has the step of each seat. A record is None if that hand isn’t counted yet; then only
    problems that are certain without it are returned. `grown` has the number of cards that each
    seat took in addition to the deal, `playing` whether each seat plays the round, and `opens` the
    points that each seat’s first melds needed. The defaults are no cards, all seats, and not known.

    >>> from referee import variants
    >>> from referee.scorepad import HandRecord, check_round
    >>> game = variants.get("mexican-rummy")
    >>> [problem] = check_round(game, (1, 1), (HandRecord(out=True), HandRecord(left=3)))
    >>> problem.seat, problem.certain, game.say(problem)
    (1, True, '3 can’t be right: every card counts a multiple of 5.')
    """
    seats = tuple(seat for seat in range(len(records)) if not playing or playing[seat])
    variant = variant.seated(len(seats)).in_step(steps[seats[0]] if seats else None)
    looked = _Round(
        variant=variant,
        pad=variant.pad,
        steps=steps,
        records={seat: records[seat] for seat in seats},
        teams=tuple(
            tuple(seat for seat in team if seat in seats) for team in variant.teams(len(records))
        ),
        grown=grown or (0,) * len(records),
        opens=opens or (0,) * len(records),
        classes=variant.value_classes(steps[seats[0]] if seats else None, len(seats)),
    )
    strangers = (
        problem(Code.NOT_PLAYING, "ends", seat)
        for seat, record in enumerate(records)
        if record is not None and seat not in seats
    )
    return (*looked.look(), *strangers)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """One round to check, with the arguments of `check_round`.

    `records` has the hands of the seats that play it; None if a hand isn’t counted yet.
    """

    variant: Variant
    pad: PadRule
    steps: Sequence[int]
    records: dict[int, HandRecord | None]
    teams: tuple[tuple[int, ...], ...]
    """The seats of each team that play the round."""
    grown: Sequence[int]
    opens: Sequence[int]
    classes: tuple[ValueClass, ...]

    def look(self) -> Iterator[Problem]:
        """Yield all problems of the round."""
        if self.pad.counts is Counts.POINTS:
            return
        there = {seat: record for seat, record in self.records.items() if record is not None}
        out = [seat for seat, record in there.items() if record.out]
        if len(out) > 1:
            yield problem(Code.TWO_OUT, "going-out")
        elif not out and len(there) == len(self.records) and self.pad.must_out:
            yield problem(Code.NOBODY_OUT, "going-out")
        for seat, record in there.items():
            yield from self._look_at_table(seat, record)
            if record.out:
                yield from self._look_at_who_is_out(seat, record)
            elif not self._counts(out) or self._never_counts(seat, record, out):
                continue
            elif not self._is_shared(seat, record):
                yield from self._look_at_hand(seat, record)
        yield from self._look_at_sum(there)
        yield from self._look_at_cards(there)
        yield from check_face_up(self.variant, there)
        yield from self._look_at_teams(there, out)

    def _look_at_teams(
        self, there: Mapping[int, HandRecord], out: Sequence[int]
    ) -> Iterator[Problem]:
        """Check what partners have together, once all their hands are counted."""
        for team in self.teams:
            hands = {seat: there[seat] for seat in team if seat in there}
            if not hands or len(hands) < len(team):
                continue
            yield from look_at_team(self.variant, hands, self.classes, self.opens[team[0]])
            held = [seat for seat, hand in hands.items() if self._is_shared(seat, hand)]
            if held and self._counts(out):
                yield from self._look_at_partners(held)

    def _is_shared(self, seat: int, record: HandRecord) -> bool:
        """Return whether what a player has left may be entered with what partners have left."""
        alone = self.variant.names_cards or self.pad.is_fixed(record.left) or self.pad.hand_by_hand
        return not record.out and not alone and len(self._team(seat)) > 1

    def _counts(self, out: Sequence[int]) -> bool:
        """Return whether cards left in hand count if the players `out` went out (or dropped)."""
        match self.pad.counts:
            case Counts.ALL:
                return True
            case Counts.NONE | Counts.POINTS:
                return False
            case Counts.WHERE_COMPARED:
                dropped = any(points_of(self.variant, self._record(seat), None) for seat in out)
                return dropped or (not out and None not in self.records.values())

    def _never_counts(self, seat: int, record: HandRecord, out: Sequence[int]) -> bool:
        """Return whether what a player has left doesn’t matter, or is a score instead of it."""
        spared = self.pad.spares_partners and not {*self._team(seat)}.isdisjoint(out)
        return spared or self.pad.is_fixed(record.left)

    def _record(self, seat: int) -> HandRecord:
        record = self.records[seat]
        assert record is not None, "a hand that was counted"
        return record

    def _team(self, seat: int) -> tuple[int, ...]:
        return next(team for team in self.teams if seat in team)

    @property
    def _most_on_table(self) -> int:
        """The most that all cards can score on the table, without those that are placed face up."""
        aside = self.variant.aside
        never = frozenset() if aside is None else aside.cards
        return most(value for value in self.classes if not value.cards <= never)

    @property
    def _reserve(self) -> int:
        """The number of cards of a second hand; 0 if there isn’t one."""
        return 0 if self.variant.reserve is None else self.variant.reserve.cards

    def _dealt(self, seat: int) -> int:
        return self.variant.hand_at(self.steps[seat])

    def _points(self, seat: int, record: HandRecord) -> int:
        return points_of(self.variant, record, self.steps[seat])

    def _look_at_sum(self, there: dict[int, HandRecord]) -> Iterator[Problem]:
        left = [
            0 if hand.out or self.pad.is_fixed(hand.left) else self._points(seat, hand)
            for seat, hand in there.items()
        ]
        table = [table_points(self.variant, hand) for hand in there.values()]
        highest, on_table = most(self.classes), self._most_on_table
        if sum(left) + sum(table) > highest >= max([*left, *table], default=0):
            how = "laid-and-held" if sum(table) else "hands"
            yield problem(Code.POINTS_TOO_MANY, "counts", None, how, most=highest)
        elif sum(table) > on_table >= max(table, default=0):
            yield problem(
                Code.POINTS_TOO_MANY,
                "table-values",
                None,
                "table",
                points=sum(table),
                most=on_table,
            )

    def _look_at_cards(self, there: dict[int, HandRecord]) -> Iterator[Problem]:
        """Compare the cards that were named with the packs for this many players."""
        pack = self.variant.pack
        named = Counter(card for record in there.values() for card in cards_named(record))
        card = pack.excess(named)
        if not pack.jokers and named[JOKER]:
            card = JOKER
        if card is not None:
            yield problem(Code.TOO_MANY_COPIES, "jokers", this=card)
        jokers = sum(count for card, count in named.items() if card.rank == JOKER_RANK)
        for seat, record in there.items():
            claims = record.out and record.joker and not record.shown
            if self.variant.close is not None and claims and jokers >= pack.jokers > 0:
                yield problem(Code.CLOSE_IMPOSSIBLE, "jokers", seat)

    def _look_at_table(self, seat: int, record: HandRecord) -> Iterator[Problem]:
        """Check what a player has laid on the table, if that scores."""
        if not self.pad.asks_table:
            return
        unit, cites = self._unit(seat), "table-values"
        points = table_points(self.variant, record)
        for cards in record.table if isinstance(record.table, tuple) else ():
            if self._goes_out_with(seat, cards):
                ruling = meld_ruling(self.variant, cards)
            else:
                ruling = rule_on(ShowMeld(cards), self.variant, Moment())
            against = [finding for finding in ruling.findings if finding.against]
            if against:
                cites = against[0].cites
                yield _because(Code.MELD_NOT_LEGAL, seat, against[0])
        if points < 0:
            yield problem(Code.POINTS_IMPOSSIBLE, cites, seat, "table-minus")
        elif points % unit:
            yield problem(Code.POINTS_IMPOSSIBLE, cites, seat, "table", points=points, unit=unit)
        elif points > (highest := self._most_on_table):
            yield problem(Code.POINTS_TOO_MANY, cites, seat, "table", points=points, most=highest)
        elif record.out:
            yield from self._look_at_laid(seat)

    def _look_at_laid(self, seat: int) -> Iterator[Problem]:
        """Compare what the team of a player who is out has laid with the cards of that hand."""
        team = self._team(seat)
        hands = [record for one in team if (record := self.records[one]) is not None]
        points = sum(table_points(self.variant, record) for record in hands)
        n = self._dealt(seat) + self._reserve
        least = fewest(self.classes, n)
        if len(hands) == len(team) and points < least:
            yield doubt(Code.POINTS_UNLIKELY, "hand-size", seat, "laid", n=n, least=least)

    def _goes_out_with(self, seat: int, cards: Cards) -> bool:
        """Return whether these cards are a meld that only a player who goes out can lay."""
        out = any(record and record.out for record in map(self.records.get, self._team(seat)))
        return out and bool(cards) and self.variant.sets.last.issuperset(cards)

    def _look_at_who_is_out(self, seat: int, record: HandRecord) -> Iterator[Problem]:
        if knocks(self.variant):
            yield from self._look_at_knock(seat, record)
        elif record.left:
            yield problem(Code.OUT_WITH_CARDS, "going-out", seat)
        if record.made is False:
            yield problem(Code.OUT_NOT_DOWN, "held", seat)
        rule = self.variant.close
        if rule is None:
            return
        if record.shown:
            play = Close(cards=record.shown, says=record.close)
            try:
                ruling = rule_on(play, self.variant, Moment(self.steps[seat]))
            except ForTheTableError:
                return
            against = [finding for finding in ruling.findings if finding.against]
            if against:
                # The table may know better where the referee did not try every way.
                sure = any(finding.code is not Code.NOT_DECIDED for finding in against)
                yield _because(Code.HAND_DOES_NOT_CLOSE, seat, against[0], certain=sure)
        elif rule.asks_how and chosen_close(self.variant, record) is None:
            yield problem(Code.HOW_NOT_SAID, "times", seat)

    def _look_at_knock(self, seat: int, record: HandRecord) -> Iterator[Problem]:
        """Check the cards left over by the player who knocked."""
        if self.variant.close is None:
            return
        points, highest = self._points(seat, record), most_knocked(self.variant)
        special = closed_special(self.variant, record, self.steps[seat])
        if points and is_big_gin(self.variant, record, self.steps[seat]):
            yield problem(Code.OUT_WITH_CARDS, "big-gin", seat, "big-gin", points=points)
        elif points and special is not None:
            title, cites = special.title, special.cites
            yield problem(Code.OUT_WITH_CARDS, cites, seat, "special", title=title, points=points)
        elif points > highest:
            yield problem(Code.OUT_WITH_CARDS, "close", seat, "knock", most=highest, points=points)

    def _unit(self, seat: int) -> int:
        variant = self.variant
        return variant.values.unit(variant.pack, variant.wilds_at(self.steps[seat]).cards)

    def _look_at_hand(self, seat: int, record: HandRecord) -> Iterator[Problem]:
        points, unit, cites = self._points(seat, record), self._unit(seat), "counts"
        cap, least, highest = self.variant.cap, fewest(self.classes, 1), most(self.classes)
        if points < 0:
            yield problem(Code.POINTS_IMPOSSIBLE, cites, seat, "minus")
        elif not points and not self.variant.names_cards and least > 0:
            yield problem(Code.NOTHING_LEFT, cites, seat, n=least)
        elif points % unit:
            yield problem(Code.POINTS_IMPOSSIBLE, cites, seat, points=points, unit=unit)
        elif points > highest:
            yield problem(Code.POINTS_TOO_MANY, cites, seat, "all", points=points, most=highest)
        elif cap is not None and points > cap:
            yield problem(Code.POINTS_TOO_MANY, cites, seat, "cap", most=cap, points=points)
        elif self.variant.names_cards:
            yield from self._look_at_arranged(seat, record)
        else:
            yield from self._look_at_held(seat, record)

    def _look_at_partners(self, seats: Sequence[int]) -> Iterator[Problem]:
        """Check what partners have left, which may be entered as one hand."""
        points = sum(self._points(seat, self._record(seat)) for seat in seats)
        seat, unit, cites = seats[0], self._unit(seats[0]), "counts"
        least, highest = fewest(self.classes, len(seats)), most(self.classes)
        held = sum(self._dealt(seat) + self.grown[seat] + self._reserve for seat in seats)
        if points < 0:
            yield problem(Code.POINTS_IMPOSSIBLE, cites, seat, "minus")
        elif points < least:
            yield problem(Code.NOTHING_LEFT, cites, seat, n=least)
        elif points % unit:
            yield problem(Code.POINTS_IMPOSSIBLE, cites, seat, points=points, unit=unit)
        elif points > highest:
            yield problem(Code.POINTS_TOO_MANY, cites, seat, "all", points=points, most=highest)
        else:
            yield from self._look_at_size(seat, held, points)

    def _look_at_arranged(self, seat: int, record: HandRecord) -> Iterator[Problem]:
        """Check a hand in a game in which only the cards in no meld count."""
        points, deal = self._points(seat, record), self._dealt(seat)
        highest = most(self.classes, deal)
        if points > highest:
            yield self._too_many(seat, deal, points, highest)
        elif points > (unmelded := self._most_unmelded(seat)):
            yield doubt(
                Code.POINTS_UNLIKELY,
                "counts",
                seat,
                "unmelded",
                n=deal,
                most=unmelded,
                points=points,
            )
        cards = record.left
        if isinstance(cards, tuple) and len(cards) != deal:
            n = len(cards)
            odd = doubt(Code.WRONG_NUMBER_OF_CARDS, "hand-size", seat, "hand", dealt=deal, n=n)
            yield odd._replace(certain=n > MOST_ARRANGED)

    def _most_unmelded(self, seat: int) -> int:
        """Return the most that a hand without wilds and without a set can count."""
        copies = self.variant.sets.min_size - 1
        wild = self.variant.wilds_at(self.steps[seat]).cards
        plain = (value for value in self.classes if value.cards.isdisjoint(wild))
        few = (
            value._replace(copies=copies * len({card.rank for card in value.cards}))
            for value in plain
        )
        return most(few, self._dealt(seat))

    def _look_at_held(self, seat: int, record: HandRecord) -> Iterator[Problem]:
        """Compare a hand with the number of cards that it needs to have or can have."""
        points = self._points(seat, record)
        held = self._dealt(seat) + self.grown[seat]
        least = fewest(self.classes, held)
        few = points < least or (isinstance(record.left, tuple) and len(record.left) < held)
        contract = self.variant.contract_at(self.steps[seat])
        alone = contract is not None and contract.no_discard
        if alone:
            if record.made:
                yield problem(Code.ONLY_ONE_DOWN, "no-discard", seat)
            elif few:
                yield problem(
                    Code.POINTS_TOO_FEW, "no-discard", seat, "caught", n=held, least=least
                )
        elif record.made is False and few:
            yield problem(Code.POINTS_TOO_FEW, "held", seat, n=held, least=least)
        if record.made and contract is not None and not self.pad.may_grow:
            yield from self._look_at_rest(seat, points, held - contract.cards)
        yield from self._look_at_size(seat, held + self._reserve, points)

    def _look_at_size(self, seat: int, n: int, points: int) -> Iterator[Problem]:
        """Compare points with the most that this many cards can count."""
        highest = most(self.classes, n)
        if points > highest and self.pad.may_grow:
            yield doubt(Code.POINTS_UNLIKELY, "hand-size", seat, "grown", points=points, n=n)
        elif points > highest:
            yield self._too_many(seat, n, points, highest)

    def _look_at_rest(self, seat: int, points: int, rest: int) -> Iterator[Problem]:
        """Compare a hand with the cards that a contract leaves in it."""
        highest = most(self.classes, rest)
        if highest < points <= most(self.classes, self._dealt(seat)):
            yield doubt(
                Code.POINTS_UNLIKELY,
                "held",
                seat,
                "rest",
                n=rest,
                most=highest,
                points=points,
            )

    @staticmethod
    def _too_many(seat: int, n: int, points: int, highest: int) -> Problem:
        how = "hand"
        return problem(
            Code.POINTS_TOO_MANY, "hand-size", seat, how, n=n, points=points, most=highest
        )
