"""What can be asked of the referee: each ask one value, with its name, its fields and its answer.

A new ask is a value more in `ASKS`, and what answers it. The terminal, the tests that ask anything
at all and the list of what there is to ask read it from there.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.advice import Turn, advise, no_advice
from referee.cards import Card, Cards
from referee.judging import MomentError, rule_on
from referee.melds.deadwood import MOST_TRIED
from referee.pad import Counts
from referee.plays import (
    Call,
    Close,
    LayDown,
    LayOff,
    Moment,
    PickUp,
    Play,
    Rearrange,
    ShowMeld,
    Swap,
    Taken,
)
from referee.protocol import answers, game
from referee.protocol.fields import (
    GIVE,
    MELD,
    OWNER,
    SEATS,
    SWAPS,
    TAKE,
    cards,
    count_taken,
    layoffs,
    melds,
    one_card,
    optional,
    step,
    switch,
    text,
    upcard,
)
from referee.protocol.intake import Field, Json, QuestionError, Reader
from referee.rulings import Ruling
from referee.turns.closing import least_deadwood
from referee.variant import ForTheTableError

_MOST_IN_HAND: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One kind of question."""

    name: str
    fields: tuple[Field[Any], ...]
    """All that it may say beside its id, its game and the house rules."""
    answer: Callable[[Reader], Json]
    """Reads the fields and answers; raises QuestionError."""
    bare: Field[Any] | None = None
    """The field of cards that are named without one at a terminal."""

    def put(self, reader: Reader) -> Json:
        """Answer a question, in the game as so many players play it; raises QuestionError."""
        if SEATS in self.fields:
            reader[SEATS]
        return self.answer(reader)

    def field(self, name: str) -> Field[Any] | None:
        """The field of a name, None where there is none."""
        return next((field for field in self.fields if field.name == name), None)


_STEP: Final = step(needed=False)
_NEEDED_STEP: Final = step(needed=True)
_DEAL: Final = step(needed=False, of_a_deal=True)
_ARRANGED: Final = switch("arranged", default=True)
_CARDS: Final = cards("cards")
_MELDS: Final = melds("melds", laid=True)
_LAY_OFFS: Final = layoffs()
_KEPT: Final = optional(cards("kept"))
_HAND: Final = cards("hand")
_FIRST: Final = switch("first", default=True)
_DOWN: Final = switch("down", default=False)
_OPENED: Final = switch("opened", default=True)
_DISCARD: Final = one_card("discard")
_UPCARD: Final = upcard()


def _ruling(reader: Reader, play: Play, at: int | None = None) -> Ruling:
    """Rule on a play, when all of the question has been read."""
    reader.check_copies()
    try:
        return rule_on(play, reader.variant, Moment(at))
    except MomentError as error:
        raise QuestionError("missing-field", str(error)) from None
    except ForTheTableError as error:
        raise QuestionError("for-the-table", str(error)) from None


def _leave_to_table(reader: Reader, cards: Iterable[Card]) -> None:
    """Raise where nothing is ruled on with these cards."""
    try:
        reader.variant.leave_to_table("", cards)
    except ForTheTableError as error:
        raise QuestionError("for-the-table", str(error)) from None


def _read_upcard(reader: Reader, *, of_hands: bool = True) -> None:
    """Read the card turned up; raises where that is wanted and was not said.

    Who may knock is asked of whole hands only (`of_hands`), what is wild of everything.
    """
    reader[_UPCARD]
    rule = reader.variant.turning
    if reader.variant.lacks_upcard and rule is not None and (rule.rank_wild or of_hands):
        raise QuestionError("missing-field", "“turned” is missing.")
    _leave_to_table(reader, filter(None, [reader.variant.upcard]))


def _meld(reader: Reader) -> Json:
    _read_upcard(reader, of_hands=False)
    play = ShowMeld(reader[_CARDS], as_laid=reader[_ARRANGED])
    return answers.write_meld(_ruling(reader, play, reader[_STEP]), reader.variant.rulebook)


_BEFORE: Final = optional(cards("hand", count=False))
"""The hand before a lay-down, which holds the melds and what is kept."""


def _lay_down(reader: Reader) -> Json:
    laid, kept = reader[_MELDS], reader[_KEPT]
    swaps, off = reader[SWAPS], reader[_LAY_OFFS]
    hand = reader[_BEFORE]
    if hand is not None:
        played = Counter(card for some in (*laid, kept or ()) for card in some)
        played.update(card for one in off for card in one.cards)
        played.update(swap.give for swap in swaps)
        reader.count((Counter(hand) - played).elements())
    play = LayDown(
        melds=laid,
        kept=kept,
        layoffs=off,
        swaps=swaps,
        down=reader[_DOWN],
        hand=hand,
        first=reader[_FIRST],
        as_laid=reader[_ARRANGED],
    )
    return answers.write_ruling(
        _ruling(reader, play, reader[_NEEDED_STEP]), reader.variant.rulebook
    )


_ONTO: Final = cards("onto")
_IS_DOWN: Final = switch("down", default=True)
_SAME_TURN: Final = switch("same_turn", default=False)
_MY_TURN: Final = switch("my_turn", default=True)


def _lay_off(reader: Reader) -> Json:
    play = LayOff(
        reader[_CARDS],
        reader[_ONTO],
        own=reader[OWNER],
        down=reader[_IS_DOWN],
        same_turn=reader[_SAME_TURN],
        my_turn=reader[_MY_TURN],
    )
    return answers.write_ruling(_ruling(reader, play, reader[_STEP]), reader.variant.rulebook)


_THEN: Final = melds("then", laid=True)


def _swap(reader: Reader) -> Json:
    then = reader[_THEN]
    taken = count_taken(reader, Taken(reader[GIVE], reader[TAKE], reader[MELD]))
    off, down, kept = reader[_LAY_OFFS], reader[_DOWN], reader[_KEPT]
    play = Swap(
        taken=taken,
        then=then,
        layoffs=off,
        down=down,
        kept=kept,
    )
    return answers.write_ruling(
        _ruling(reader, play, reader[_NEEDED_STEP]), reader.variant.rulebook
    )


_TABLE_BEFORE: Final = melds("before")
_TABLE_AFTER: Final = melds("after", count=False)
_RACK: Final = optional(cards("rack"))
_DREW: Final = switch("drew", default=False)


def _rearrange(reader: Reader) -> Json:
    before, after = reader[_TABLE_BEFORE], reader[_TABLE_AFTER]
    rack = reader[_RACK]
    tiles = Counter(card for some in after for card in some)
    reader.count((tiles - reader.in_play).elements())
    play = Rearrange(
        before=before,
        after=after,
        rack=rack,
        opened=reader[_OPENED],
        drew=reader[_DREW],
        as_laid=reader[_ARRANGED],
    )
    return answers.write_ruling(_ruling(reader, play), reader.variant.rulebook)


_SAYS: Final = optional(text("says"))
_THROWN: Final = optional(one_card("discard"))


def _close(reader: Reader) -> Json:
    _read_upcard(reader)
    says, rule = reader[_SAYS], reader.variant.close
    if says is not None and rule is not None and says not in rule.titles:
        raise QuestionError("bad-field", f"“says” must be one of {', '.join(rule.titles)}.")
    discard = reader[_THROWN]
    play = Close(cards=reader[_CARDS], discard=discard, says=says)
    return answers.write_ruling(_ruling(reader, play, reader[_DEAL]), reader.variant.rulebook)


_PILE: Final = cards("pile")
# What is laid may come out of the pile, and is counted there.
_LAID: Final = melds("melds", count=False, laid=True)
_LAID_OFF: Final = layoffs(count=False)


def _pick_up(reader: Reader) -> Json:
    pile, take = reader[_PILE], reader[TAKE]
    if take not in pile:
        noun = reader.variant.pack.nouns.card
        raise QuestionError("bad-field", f"“take” must be a {noun} of the pile.")
    laid, off = reader[_LAID], reader[_LAID_OFF]
    used = Counter(card for some in laid for card in some)
    used.update(card for one in off for card in one.cards)
    reader.count((used - Counter(pile)).elements())
    play = PickUp(pile=pile, take=take, melds=laid, layoffs=off, first=reader[_FIRST])
    return answers.write_ruling(_ruling(reader, play), reader.variant.rulebook)


_TABLE: Final = melds("table")
_ENDED: Final = switch("ended", default=False)
_DRAWN: Final = switch("drawn", default=False)


def _call(reader: Reader) -> Json:
    play = Call(
        discard=reader[_DISCARD],
        table=reader[_TABLE],
        ended=reader[_ENDED],
        drawn=reader[_DRAWN],
    )
    return answers.write_ruling(_ruling(reader, play), reader.variant.rulebook)


def _count(reader: Reader) -> Json:
    _read_upcard(reader, of_hands=False)
    held, at = reader[_CARDS], reader[_STEP]
    variant = reader.variant
    reader.refuse_jokers(held)
    reader.check_copies()
    _leave_to_table(reader, held)
    # Where a fixed number is paid for losing, what is left in hand costs nothing.
    costs = variant.pad is None or variant.pad.counts is not Counts.NONE
    cap = variant.cap if costs else 0
    if variant.close is None:
        points = variant.values.count(held, variant.wilds_at(at).cards)
        return {"points": points if costs else 0}
    reader.refuse_many(held)
    found = least_deadwood(
        held, variant.close, variant.melds_at(at), variant.values, variant.hand_at(at)
    )
    return answers.write_arrangement(found, cap)


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
        raise QuestionError("bad-field", "“aim” must be tiles or value.")
    down, first, opened = reader[_DOWN], reader[_FIRST], reader[_OPENED]
    pile, at = reader[_SEEN_PILE], reader[_NEEDED_STEP]
    reader.check_copies()
    reader.refuse_jokers(hand)
    _leave_to_table(reader, hand)
    most = _MOST_IN_HAND if variant.close is None else MOST_TRIED
    if len(hand) > most:
        nouns = variant.pack.nouns
        says = f"Advice is for {nouns.hand}s of up to {most} {nouns.card}s."
        raise QuestionError("too-large", says)
    why = no_advice(variant)
    if why:
        raise QuestionError("unknown-ask", why)
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
    if variant.rearrangement is not None:
        written |= answers.write_turn(found.turn or Turn(after=table, played=(), value=0))
    if variant.pile is not None and pile is not None:
        written["pickup"] = None if found.pickup is None else answers.write_pickup(found.pickup)
    return written


def _among(table: Sequence[Cards], own: Sequence[Cards]) -> tuple[Cards, ...]:
    """Find melds among those of the table; the order of their cards says nothing."""
    there = {tuple(sorted(map(str, meld))): meld for meld in table}
    found = [there.get(tuple(sorted(map(str, meld)))) for meld in own]
    if None in found:
        raise QuestionError("bad-field", "“own” must be melds of the table.")
    return tuple(meld for meld in found if meld is not None)


_ASKS: Final = (
    Ask(
        name="meld",
        fields=(_CARDS, _ARRANGED, _STEP, _UPCARD, SEATS),
        answer=_meld,
        bare=_CARDS,
    ),
    Ask(
        name="laydown",
        fields=(
            *(_MELDS, _KEPT, SWAPS, _LAY_OFFS, _BEFORE, _DOWN, _FIRST, _ARRANGED, _NEEDED_STEP),
            SEATS,
        ),
        answer=_lay_down,
        bare=_MELDS,
    ),
    Ask(
        name="layoff",
        fields=(_CARDS, _ONTO, OWNER, _IS_DOWN, _SAME_TURN, _MY_TURN, _STEP, SEATS),
        answer=_lay_off,
        bare=_CARDS,
    ),
    Ask(
        name="swap",
        fields=(_THEN, GIVE, TAKE, MELD, _LAY_OFFS, _DOWN, _KEPT, _NEEDED_STEP, SEATS),
        answer=_swap,
        bare=_THEN,
    ),
    Ask(
        name="rearrange",
        fields=(_TABLE_BEFORE, _TABLE_AFTER, _RACK, _OPENED, _DREW, _ARRANGED, SEATS),
        answer=_rearrange,
        bare=_TABLE_AFTER,
    ),
    Ask(
        name="close",
        fields=(_SAYS, _THROWN, _CARDS, _DEAL, _UPCARD, SEATS),
        answer=_close,
        bare=_CARDS,
    ),
    Ask(
        name="pickup",
        fields=(_PILE, TAKE, _LAID, _LAID_OFF, _FIRST, SEATS),
        answer=_pick_up,
        bare=_LAID,
    ),
    Ask(
        name="call",
        fields=(_DISCARD, _TABLE, _ENDED, _DRAWN, SEATS),
        answer=_call,
        bare=_DISCARD,
    ),
    Ask(name="count", fields=(_CARDS, _STEP, _UPCARD, SEATS), answer=_count, bare=_CARDS),
    Ask(name="game", fields=game.FIELDS, answer=game.answer_game),
    Ask(
        name="advise",
        fields=(
            *(_HAND, _LYING, _OWN, _AIM, _DOWN, _FIRST, _OPENED, _SEEN_PILE, _NEEDED_STEP),
            *(_UPCARD, SEATS),
        ),
        answer=_advise,
        bare=_HAND,
    ),
)

ASKS: Final = {ask.name: ask for ask in _ASKS}
"""Every ask by its name."""
