"""What cannot be true of a round as it was written down, or is unlikely.

Every bound comes out of the variant's data: what cards cost, how many the packs hold, how many
are dealt, what may be laid. What cannot be is certain; what is only odd is asked once.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.cards import JOKER, JOKER_RANK, Nouns
from referee.judging import rule_on
from referee.melds.deadwood import MOST_ARRANGED
from referee.pad import Counts, PadRule
from referee.plays import Close, Moment, ShowMeld
from referee.rulings import Code
from referee.scorepad.hands import (
    HandRecord,
    cards_named,
    chosen_close,
    closed_special,
    is_big_gin,
    knocks,
    most_knocked,
    points_of,
    table_points,
)
from referee.values import ValueClass, fewest, most
from referee.variant import ForTheTableError, Variant
from referee.wording import number_word


@dataclass(frozen=True, slots=True)
class Problem:
    """Something on a scorepad that cannot be true, or is unlikely."""

    code: Code
    says: str
    cites: str
    seat: int | None = None
    """The seat (from 0) it is about; None where it is about the whole round."""
    certain: bool = True
    """Whether it cannot be; False where it is only to be asked once."""
    round: int | None = None
    """The round (from 1) it is about, where the whole pad was looked at."""
    how: str = ""
    """Which sentence of its code says it."""
    values: Mapping[str, object] = field(default_factory=dict, hash=False)
    """What fills the sentence."""


def check_round(
    variant: Variant,
    steps: Sequence[int],
    records: Sequence[HandRecord | None],
    *,
    grown: Sequence[int] = (),
    playing: Sequence[bool] = (),
) -> tuple[Problem, ...]:
    """Say what cannot be true of one round, or is unlikely.

    `steps` gives the step of each seat. A record may be None where a hand is not counted yet;
    then only what can be known already is said. `grown` gives how many cards each seat is known
    to have taken beyond the deal, `playing` who plays this round; left out: none, and all.
    """
    seats = tuple(seat for seat in range(len(records)) if not playing or playing[seat])
    variant = variant.seated(len(seats))
    assert variant.pad is not None, "a game that the scorepad keeps"
    looked = _Round(
        variant=variant,
        pad=variant.pad,
        steps=steps,
        records={seat: records[seat] for seat in seats},
        grown=grown or (0,) * len(records),
        classes=variant.value_classes(steps[seats[0]] if seats else None, len(seats)),
    )
    strangers = (
        Problem(Code.NOT_PLAYING, _NOT_PLAYING, "ends", seat)
        for seat, record in enumerate(records)
        if record is not None and seat not in seats
    )
    return (*looked.look(), *strangers)


_NOT_PLAYING = "Who does not play this round has nothing to count."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """One round being looked at: the hands of those who play it, None where not counted yet."""

    variant: Variant
    pad: PadRule
    steps: Sequence[int]
    records: dict[int, HandRecord | None]
    grown: Sequence[int]
    classes: tuple[ValueClass, ...]

    @property
    def nouns(self) -> Nouns:
        return self.variant.pack.nouns

    @property
    def round(self) -> str:
        """What a round is called; phases are made in rounds."""
        return "round" if self.variant.contracts else self.variant.words.step

    def look(self) -> Iterator[Problem]:
        if self.pad.counts is Counts.POINTS:
            return
        there = {seat: record for seat, record in self.records.items() if record is not None}
        out = [seat for seat, record in there.items() if record.out]
        if len(out) > 1:
            says = f"Only one player can go out in a {self.round}."
            yield Problem(Code.TWO_OUT, says, "going-out")
        elif not out and len(there) == len(self.records) and self.pad.must_out:
            says = f"A {self.round} ends when somebody goes out: who was it?"
            yield Problem(Code.NOBODY_OUT, says, "going-out")
        for seat, record in there.items():
            yield from self._look_at_table(seat, record)
            if record.out:
                yield from self._look_at_who_is_out(seat, record)
            elif self._counts(out) and not self.pad.is_fixed(record.left):
                yield from self._look_at_hand(seat, record)
        yield from self._look_at_sum(there)
        yield from self._look_at_cards(there)

    def _counts(self, out: Sequence[int]) -> bool:
        """Whether what is left in hands counts, with these players out."""
        match self.pad.counts:
            case Counts.ALL:
                return True
            case Counts.NONE | Counts.POINTS:
                return False
            case Counts.WHERE_COMPARED:
                dropped = any(points_of(self.variant, self._record(seat), None) for seat in out)
                return dropped or (not out and None not in self.records.values())

    def _record(self, seat: int) -> HandRecord:
        record = self.records[seat]
        assert record is not None, "a hand that was counted"
        return record

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
        highest = most(self.classes)
        if sum(left) + sum(table) > highest >= max([*left, *table], default=0):
            hands = f"{self.nouns.hand}s"
            says = f"All {hands} together cannot cost more than there is: {highest}."
            if sum(table):
                says = f"All that is laid and held comes to {highest} at the most."
            yield Problem(Code.POINTS_TOO_MANY, says, "counts")

    def _look_at_cards(self, there: dict[int, HandRecord]) -> Iterator[Problem]:
        """Count the cards that were named against the packs of so many players."""
        pack = self.variant.pack
        named = Counter(card for record in there.values() for card in cards_named(record))
        card = pack.excess(named)
        if not pack.jokers and named[JOKER]:
            card = JOKER
        if card is not None:
            says = f"There are more copies of the {pack.name_of(card)} here than the game has."
            yield Problem(Code.TOO_MANY_COPIES, says, "jokers")
        jokers = sum(count for card, count in named.items() if card.rank == JOKER_RANK)
        for seat, record in there.items():
            claims = record.out and record.joker and not record.shown
            if self.variant.close is not None and claims and jokers >= pack.jokers > 0:
                says = f"All the jokers are in other {self.nouns.hand}s."
                yield Problem(Code.CLOSE_IMPOSSIBLE, says, "jokers", seat)

    def _look_at_table(self, seat: int, record: HandRecord) -> Iterator[Problem]:
        """Look at what a player has laid on the table, where that scores."""
        if not self.pad.asks_table:
            return
        unit, cites = self._unit(seat), "table-values"
        points = table_points(self.variant, record)
        for cards in record.table if isinstance(record.table, tuple) else ():
            ruling = rule_on(ShowMeld(cards), self.variant, Moment())
            against = [finding for finding in ruling.findings if finding.against]
            if against:
                says, cites = self.variant.say(against[0]), against[0].cites
                yield Problem(Code.MELD_NOT_LEGAL, says, cites, seat)
        if points % unit:
            every = f"every {self.nouns.card} scores a multiple of {unit}"
            says = f"Nothing on the table scores {points}: {every}."
            yield Problem(Code.POINTS_IMPOSSIBLE, says, cites, seat)
        elif points > most(self.classes):
            says = f"Nobody lays {points}: all the {self.nouns.card}s come to {most(self.classes)}."
            yield Problem(Code.POINTS_TOO_MANY, says, cites, seat)
        elif record.out and points < fewest(self.classes, self._dealt(seat)):
            laid = f"{number_word(self._dealt(seat))} {self.nouns.card}s"
            says = (
                f"Who goes out has laid {laid} or more, "
                f"so {fewest(self.classes, self._dealt(seat))} points at least. Is that right?"
            )
            yield Problem(Code.POINTS_UNLIKELY, says, "hand-size", seat, certain=False)

    def _look_at_who_is_out(self, seat: int, record: HandRecord) -> Iterator[Problem]:
        if knocks(self.variant):
            yield from self._look_at_knock(seat, record)
        elif record.left:
            says = f"Who is out has no {self.nouns.card}s left to count."
            yield Problem(Code.OUT_WITH_CARDS, says, "going-out", seat)
        if record.made is False:
            says = f"Nobody goes out without having laid down the {self.variant.words.contract}."
            yield Problem(Code.OUT_NOT_DOWN, says, "held", seat)
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
                says, cites = self.variant.say(against[0]), against[0].cites
                # The table may know better where the referee did not try every way.
                sure = any(finding.code is not Code.NOT_DECIDED for finding in against)
                yield Problem(Code.HAND_DOES_NOT_CLOSE, says, cites, seat, certain=sure)
        elif rule.asks_how and chosen_close(self.variant, record) is None:
            says = f"How did the {self.nouns.hand} close? The others pay by that."
            yield Problem(Code.HOW_NOT_SAID, says, "times", seat)

    def _look_at_knock(self, seat: int, record: HandRecord) -> Iterator[Problem]:
        """Look at what who showed has left over."""
        if self.variant.close is None:
            return
        points, highest = self._points(seat, record), most_knocked(self.variant)
        special = closed_special(self.variant, record, self.steps[seat])
        if points and is_big_gin(self.variant, record, self.steps[seat]):
            says = f"Big gin leaves nothing over, and here is {points}."
            yield Problem(Code.OUT_WITH_CARDS, says, "big-gin", seat)
        elif points and special is not None:
            says = f"A {special.title} leaves nothing over, and here is {points}."
            yield Problem(Code.OUT_WITH_CARDS, says, special.cites, seat)
        elif points > highest:
            says = f"Who shows has {highest} points left over at the most, not {points}."
            yield Problem(Code.OUT_WITH_CARDS, says, "close", seat)

    def _unit(self, seat: int) -> int:
        variant = self.variant
        return variant.values.unit(variant.pack, variant.wilds_at(self.steps[seat]).cards)

    def _look_at_hand(self, seat: int, record: HandRecord) -> Iterator[Problem]:
        points, unit, cites = self._points(seat, record), self._unit(seat), "counts"
        card, hand, cap = self.nouns.card, self.nouns.hand, self.variant.cap
        least = fewest(self.classes, 1)
        if not points and not self.variant.names_cards and least > 0:
            says = f"Who is not out holds at least one {card}, which costs at least {least}."
            yield Problem(Code.NOTHING_LEFT, says, cites, seat)
        elif points % unit:
            says = f"No {hand} costs {points}: every {card} costs a multiple of {unit}."
            yield Problem(Code.POINTS_IMPOSSIBLE, says, cites, seat)
        elif points > most(self.classes):
            says = f"No {hand} costs {points}: all the {card}s together cost {most(self.classes)}."
            yield Problem(Code.POINTS_TOO_MANY, says, cites, seat)
        elif cap is not None and points > cap:
            says = f"No {hand} costs more than {cap}, so not {points}."
            yield Problem(Code.POINTS_TOO_MANY, says, cites, seat)
        elif self.variant.names_cards:
            yield from self._look_at_arranged(seat, record)
        else:
            yield from self._look_at_held(seat, record)

    def _look_at_arranged(self, seat: int, record: HandRecord) -> Iterator[Problem]:
        """Look at a hand of which only what is not melded counts."""
        points, deal, nouns = self._points(seat, record), self._dealt(seat), self.nouns
        highest = most(self.classes, deal)
        if points > highest:
            says = f"No {nouns.hand} of {deal} {nouns.card}s costs {points}: {highest} at the most."
            yield Problem(Code.POINTS_TOO_MANY, says, "hand-size", seat)
        elif points > (unmelded := self._most_unmelded(seat)):
            says = (
                f"{deal} {nouns.card}s without a meld cost {unmelded} at the most. "
                f"Is {points} the least?"
            )
            yield Problem(Code.POINTS_UNLIKELY, says, "counts", seat, certain=False)
        cards = record.left
        if isinstance(cards, tuple) and len(cards) != deal:
            are = "is" if len(cards) == 1 else "are"
            whole = f"{number_word(deal)} {nouns.card}s"
            says = f"A {nouns.hand} has {whole}; here {are} {len(cards)}. Is that all?"
            code, sure = Code.WRONG_NUMBER_OF_CARDS, len(cards) > MOST_ARRANGED
            yield Problem(code, says, "hand-size", seat, certain=sure)

    def _most_unmelded(self, seat: int) -> int:
        """The most that a hand without wilds and without a set can cost."""
        copies = self.variant.sets.min_size - 1
        wild = self.variant.wilds_at(self.steps[seat]).cards
        plain = (value for value in self.classes if value.cards.isdisjoint(wild))
        few = (
            value._replace(copies=copies * len({card.rank for card in value.cards}))
            for value in plain
        )
        return most(few, self._dealt(seat))

    def _look_at_held(self, seat: int, record: HandRecord) -> Iterator[Problem]:
        """Compare a hand with the number of cards it must or can hold."""
        points, nouns = self._points(seat, record), self.nouns
        held = self._dealt(seat) + self.grown[seat]
        least = fewest(self.classes, held)
        few = points < least or (isinstance(record.left, tuple) and len(record.left) < held)
        contract = self.variant.contract_at(self.steps[seat])
        alone = contract is not None and contract.no_discard
        if alone:
            cites, step = "no-discard", self.variant.words.step
            if record.made:
                says = f"In this {step} only the player who goes out can have laid down."
                yield Problem(Code.ONLY_ONE_DOWN, says, cites, seat)
            elif few:
                says = (
                    f"In this {step} everybody else is caught with a whole {nouns.hand}, at least "
                    f"{held} {nouns.card}s and {least} points."
                )
                yield Problem(Code.POINTS_TOO_FEW, says, cites, seat)
        elif record.made is False and few:
            says = (
                f"Who has not laid down holds at least {held} {nouns.card}s, "
                f"so {least} points or more."
            )
            yield Problem(Code.POINTS_TOO_FEW, says, "held", seat)
        highest = most(self.classes, held)
        if record.made and contract is not None and not self.pad.may_grow:
            yield from self._look_at_rest(seat, points, held - contract.cards)
        if points > highest and self.pad.may_grow:
            cards = f"{held} {nouns.card}s"
            says = f"{points} is more than any {cards} can cost. Was the {nouns.hand} larger?"
            yield Problem(Code.POINTS_UNLIKELY, says, "hand-size", seat, certain=False)
        elif points > highest:
            says = f"No {nouns.hand} of {held} {nouns.card}s costs {points}: {highest} at the most."
            yield Problem(Code.POINTS_TOO_MANY, says, "hand-size", seat)

    def _look_at_rest(self, seat: int, points: int, rest: int) -> Iterator[Problem]:
        """Compare a hand with the cards that a contract leaves in it."""
        words, highest = self.variant.words, most(self.classes, rest)
        if highest < points <= most(self.classes, self._dealt(seat)):
            says = (
                f"Who has laid down this {words.contract} holds {number_word(rest)} "
                f"{self.nouns.card}s at the most, so {highest} points. Is {points} right?"
            )
            yield Problem(Code.POINTS_UNLIKELY, says, "held", seat, certain=False)
