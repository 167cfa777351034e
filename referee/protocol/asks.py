"""What can be asked in JSON: the questions about a play (`referee.questions`), and a few more.

`ASKS` has all of them, for the terminal, the tests with random questions, and the list of
questions. Plays get a ruling; each of the others has its own kind of answer.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from referee.advice import Turn, advise, no_advice
from referee.cards import Card, Cards
from referee.judging import MomentError, rule_on
from referee.melds.deadwood import MOST_TRIED
from referee.pad import Counts
from referee.plays import LayOff, Moment, Play, ShowMeld
from referee.protocol import answers, game
from referee.questions import QUESTIONS, Question
from referee.questions.fields import SEATS, UPCARD, cards, melds, optional, step, switch, text
from referee.questions.intake import Json, QuestionError, QuestionField, Reader
from referee.rulings import Ruling
from referee.turns.closing import least_deadwood
from referee.variant import ForTheTableError

_MOST_IN_HAND: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One kind of question."""

    name: str
    fields: tuple[QuestionField[Any], ...]
    """All fields that it can have, besides its id, its game and the house rules."""
    answer: Callable[[Reader], Json]
    """Reads the fields and returns the answer; raises QuestionError if it can’t."""
    bare: QuestionField[Any] | None = None
    """The field for cards that are written at a terminal without the name of a field; None if there
    is none."""

    def put(self, reader: Reader) -> Json:
        """Answer a question in the game for its number of players.

        Raise QuestionError if a field can’t be read.
        """
        if SEATS in self.fields:
            reader[SEATS]
        return self.answer(reader)

    def field(self, name: str) -> QuestionField[Any] | None:
        """Return the field with this name; None if there isn’t one."""
        return next((field for field in self.fields if field.name == name), None)


_STEP: Final = step(needed=False)
_NEEDED_STEP: Final = step(needed=True)
_CARDS: Final = cards("cards")


def _ruling(reader: Reader, play: Play, at: int | None = None) -> Ruling:
    """Rule on a play, after all of the question has been read."""
    reader.check_copies()
    try:
        return rule_on(play, reader.variant, Moment(at))
    except MomentError as error:
        raise QuestionError("missing-field", "step", why=str(error)) from None
    except ForTheTableError as error:
        raise QuestionError("for-the-table", why=str(error)) from None


def _leave_to_table(reader: Reader, cards: Iterable[Card]) -> None:
    try:
        reader.variant.leave_to_table("", cards)
    except ForTheTableError as error:
        raise QuestionError("for-the-table", why=str(error)) from None


def _read_upcard(reader: Reader, *, of_hands: bool = True) -> None:
    """Read the card turned up; raise QuestionError if it is missing but needed.

    It can decide who can knock, which matters only for whole hands (`of_hands`), and which cards
    are wild, which matters for every question.
    """
    reader[UPCARD]
    rule = reader.variant.turning
    if reader.variant.lacks_upcard and rule is not None and (rule.rank_wild or of_hands):
        raise QuestionError("missing-field", name=UPCARD.name)
    _leave_to_table(reader, filter(None, [reader.variant.upcard]))


def _rule(question: Question, reader: Reader) -> Json:
    if UPCARD in question.fields and question.fits(reader.variant):
        _read_upcard(reader, of_hands=question.whole_hand)
    play = question.play(reader)
    ruling = _ruling(reader, play, reader[question.step] if question.step else None)
    write = answers.write_meld if isinstance(play, ShowMeld) else answers.write_ruling
    written = write(ruling, reader.variant)
    if reader.variant.bonuses and isinstance(play, ShowMeld | LayOff):
        written["bonus"] = ruling.bonus if ruling.is_legal else None
    return written


def _count(reader: Reader) -> Json:
    _read_upcard(reader, of_hands=False)
    held, at = reader[_CARDS], reader[_STEP]
    variant = reader.variant
    reader.refuse_jokers(held)
    reader.check_copies()
    counted = variant.values.by_card
    _leave_to_table(reader, [card for card in held if card not in counted])
    # Where a fixed number is paid for losing, what is left in hand costs nothing.
    costs = variant.pad.counts is not Counts.NONE
    cap = variant.cap if costs else 0
    if variant.close is None:
        points = variant.values.count(held, variant.wilds_at(at).cards)
        return {"points": points if costs else 0}
    reader.refuse_many(held)
    found = least_deadwood(
        held, variant.close, variant.melds_at(at), variant.values, variant.hand_at(at)
    )
    return answers.write_arrangement(found, cap)


_HAND: Final = cards("hand")
_FIRST: Final = switch("first", default=True)
_DOWN: Final = switch("down", default=False)
_OPENED: Final = switch("opened", default=True)
_LYING: Final = optional(melds("table"))
_OWN: Final = optional(melds("own", count=False))
_AIM: Final = optional(text("aim"))
_SEEN_PILE: Final = optional(cards("pile"))


def _advise(reader: Reader) -> Json:
    _read_upcard(reader)
    variant = reader.variant
    hand, lying, own = reader[_HAND], reader[_LYING], reader[_OWN]
    table = lying or ()
    of_the_player = _among(table, own or ())
    aim = reader[_AIM]
    if aim not in {None, "tiles", "value"}:
        raise QuestionError("bad-field", "aim")
    down, first, opened = reader[_DOWN], reader[_FIRST], reader[_OPENED]
    pile, at = reader[_SEEN_PILE], reader[_NEEDED_STEP]
    reader.check_copies()
    reader.refuse_jokers(hand)
    _leave_to_table(reader, hand)
    most = _MOST_IN_HAND if variant.close is None else MOST_TRIED
    if len(hand) > most:
        raise QuestionError("too-large", "advice", pack=reader.pack, most=most)
    why = no_advice(variant)
    if why:
        raise QuestionError("unknown-ask", "advice", why=why)
    found = advise(
        variant,
        Moment(at),
        hand,
        table=table,
        own=of_the_player,
        down=down,
        first=first,
        opened=opened,
        by_value=aim == "value",
        pile=pile or (),
    )
    written = answers.write_advice(found)
    if variant.shares_table:
        written |= answers.write_turn(found.turn or Turn(after=table, played=(), value=0))
    if variant.pile is not None and pile is not None:
        written["pickup"] = None if found.pickup is None else answers.write_pickup(found.pickup)
    return written


def _among(table: Sequence[Cards], own: Sequence[Cards]) -> tuple[Cards, ...]:
    """Return melds as they are on the table; the order of their cards doesn’t matter."""
    there = {tuple(sorted(map(str, meld))): meld for meld in table}
    found = [there.get(tuple(sorted(map(str, meld)))) for meld in own]
    if None in found:
        raise QuestionError("bad-field", "own")
    return tuple(meld for meld in found if meld is not None)


_ASKS: Final = (
    *[
        Ask(
            name=question.name,
            fields=question.fields,
            answer=partial(_rule, question),
            bare=question.bare,
        )
        for question in QUESTIONS.values()
    ],
    Ask(name="count", fields=(_CARDS, _STEP, UPCARD, SEATS), answer=_count, bare=_CARDS),
    Ask(name="game", fields=game.FIELDS, answer=game.answer_game),
    Ask(
        name="advise",
        fields=(
            *(_HAND, _LYING, _OWN, _AIM, _DOWN, _FIRST, _OPENED, _SEEN_PILE, _NEEDED_STEP),
            *(UPCARD, SEATS),
        ),
        answer=_advise,
        bare=_HAND,
    ),
)

ASKS: Final = {ask.name: ask for ask in _ASKS}
"""Every kind of question, by its name."""
