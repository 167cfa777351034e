"""The questions: each kind of play that the referee can be asked about, as a value.

Callers fill in the fields of a question: the protocol from JSON, and the desk of the web
application from rows of cards. `Question.play` makes the play from these fields, and counts the
cards in play, so that nobody can lay more of a card than the packs have.

>>> from referee import variants
>>> game = variants.get("mexican-rummy")
>>> [question.name for question in QUESTIONS.values() if question.fits(game)]
['meld', 'laydown', 'layoff', 'swap']
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from referee.cards import Card, Cards
from referee.plays import (
    Call,
    Close,
    LayDown,
    LayOff,
    PickUp,
    Play,
    Rearrange,
    ShowMeld,
    Swap,
    Taken,
)
from referee.questions.fields import (
    GIVE,
    MELD,
    OWN,
    OWNER,
    SEATS,
    SWAPS,
    TAKE,
    UPCARD,
    cards,
    check_own,
    count_taken,
    layoffs,
    melds,
    number,
    one_card,
    optional,
    step,
    switch,
    text,
)
from referee.questions.intake import Holds as Holds
from referee.questions.intake import JsonObject as JsonObject
from referee.questions.intake import QuestionError as QuestionError
from referee.questions.intake import QuestionField, quoted
from referee.questions.intake import Reader as Reader
from referee.variant import Variant

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One kind of play that the referee can be asked about."""

    name: str
    fits: Callable[[Variant], bool]
    """Returns whether a game has this kind of play."""
    fields: tuple[QuestionField[Any], ...]
    """All fields that it can have, besides the game and the house rules. A field with `holds` can
    be shown as one or more rows of cards."""
    play: Callable[[Reader], Play]
    """Reads the fields and returns the play; raises QuestionError if they can’t be read."""
    bare: QuestionField[Any]
    """The field for cards that are written at a terminal without the name of a field."""
    step: QuestionField[int | None] | None = None
    """The field for the step; None if the ruling doesn’t depend on it."""
    whole_hand: bool = False
    """Whether the question is about a whole hand, so that it matters who can knock."""


def _all(laid: Iterable[Cards]) -> Counter[Card]:
    return Counter(card for some in laid for card in some)


_CARDS: Final = cards("cards")
_KEPT: Final = optional(cards("kept"))
_STEP: Final = step(needed=False)
_NEEDED_STEP: Final = step(needed=True)
_DEAL: Final = step(needed=False, of_a_deal=True)
_ARRANGED: Final = switch("arranged", default=True)
_FIRST: Final = switch("first", default=True)
_DOWN: Final = switch("down", default=False)
_LAY_OFFS: Final = layoffs()


def _goes_by_team(variant: Variant) -> bool:
    """Return whether what a team has decides what its players can do."""
    opening = variant.opening
    return (
        variant.going_out is not None
        or variant.reserve is not None
        or bool(variant.bonuses or (opening and opening.by_total))
        or variant.sets.once
        or (variant.pile is not None and variant.pile.whole)
    )


def _only(
    fits: Callable[[Variant], bool], field: QuestionField[T], otherwise: T
) -> QuestionField[T]:
    """Return a field that is read only for some games; in others, it has the value `otherwise`."""
    return QuestionField(
        field.name,
        lambda reader, entry: field.read(reader, entry) if fits(reader.variant) else otherwise,
        field.from_words,
        field.holds,
    )


_OWN: Final = _only(_goes_by_team, OWN, None)
_TOTAL: Final = _only(_goes_by_team, number("total", most=1_000_000), 0)
_RESERVE: Final = _only(_goes_by_team, switch("reserve", default=True), otherwise=True)


def _opens_in_pairs(variant: Variant) -> bool:
    return variant.opening is not None and variant.opening.pairs is not None


_PAIRS: Final = _only(_opens_in_pairs, switch("pairs", default=False), otherwise=False)
"""Whether the player, who is down, opened with pairs."""


def _show_meld(reader: Reader) -> Play:
    return ShowMeld(reader[_CARDS], as_laid=reader[_ARRANGED])


_MELDS: Final = melds("melds", laid=True)
_BEFORE: Final = optional(cards("hand", count=False))
"""The hand before a lay-down, including the melds and the cards that are kept."""


def _lay_down(reader: Reader) -> Play:
    laid, kept, own = reader[_MELDS], reader[_KEPT], reader[_OWN]
    swaps, off = reader[SWAPS], reader[_LAY_OFFS]
    check_own(reader, own, laid, off)
    hand = reader[_BEFORE]
    if hand is not None:
        # Only what was in hand beside the cards that are counted where they are played.
        played = _all((*laid, kept or (), *[one.cards for one in off]))
        played.update(swap.give for swap in swaps)
        reader.count((Counter(hand) - played).elements())
    return LayDown(
        melds=laid,
        kept=kept,
        layoffs=off,
        swaps=swaps,
        down=reader[_DOWN] or bool(own),
        hand=hand,
        first=reader[_FIRST],
        as_laid=reader[_ARRANGED],
        own=own or (),
        total=reader[_TOTAL],
        reserve=reader[_RESERVE],
        pairs=reader[_PAIRS],
    )


_ONTO: Final = cards("onto")
_IS_DOWN: Final = switch("down", default=True)
_SAME_TURN: Final = switch("same_turn", default=False)
_MY_TURN: Final = switch("my_turn", default=True)


def _lay_off(reader: Reader) -> Play:
    return LayOff(
        reader[_CARDS],
        reader[_ONTO],
        own=reader[OWNER],
        down=reader[_IS_DOWN],
        same_turn=reader[_SAME_TURN],
        my_turn=reader[_MY_TURN],
    )


_THEN: Final = melds("then", laid=True)


def _swap(reader: Reader) -> Play:
    # The melds come first: what is taken may be laid in them, and is counted there.
    then = reader[_THEN]
    taken = count_taken(reader, Taken(reader[GIVE], reader[TAKE], reader[MELD]))
    off, down, kept = reader[_LAY_OFFS], reader[_DOWN], reader[_KEPT]
    pairs = reader[_PAIRS]
    return Swap(taken=taken, then=then, layoffs=off, down=down, kept=kept, pairs=pairs)


_TABLE_BEFORE: Final = melds("before")
_TABLE_AFTER: Final = melds("after", count=False)
_RACK: Final = optional(cards("rack"))
_OPENED: Final = switch("opened", default=True)
_DREW: Final = switch("drew", default=False)


def _rearrange(reader: Reader) -> Play:
    before, after, rack = reader[_TABLE_BEFORE], reader[_TABLE_AFTER], reader[_RACK]
    # The tiles on the table before and after are the same, but for those from the rack.
    reader.count((_all(after) - reader.in_play).elements())
    return Rearrange(
        before=before,
        after=after,
        rack=rack,
        opened=reader[_OPENED],
        drew=reader[_DREW],
        as_laid=reader[_ARRANGED],
    )


_SAYS: Final = optional(text("says"))
_THROWN: Final = optional(one_card("discard"))


def _close(reader: Reader) -> Play:
    says, rule = reader[_SAYS], reader.variant.close
    if says is not None and rule is not None and says not in rule.words:
        raise QuestionError("bad-field", "says", words=quoted(rule.words))
    discard = reader[_THROWN]
    return Close(cards=reader[_CARDS], discard=discard, says=says)


_PILE: Final = cards("pile")
_LAID: Final = melds("melds", count=False, laid=True)
_LAID_OFF: Final = layoffs(count=False)


def _takes_whole(variant: Variant) -> bool:
    """Return whether the pile is taken as a whole, not down to a card."""
    return variant.pile is not None and variant.pile.whole


def _asks_down(variant: Variant) -> bool:
    """Return whether it matters for a pickup if the player has laid down before."""
    return _takes_whole(variant) or variant.opening is not None


def _lowest(reader: Reader, entry: JsonObject) -> Card | None:
    is_left_out = _takes_whole(reader.variant) and TAKE.name not in entry.values
    return None if is_left_out else TAKE.read(reader, entry)


_LOWEST: Final = QuestionField(TAKE.name, _lowest, TAKE.from_words, TAKE.holds)
"""The lowest card taken from the pile; can be left out if the pile is taken as a whole."""
_PILE_HAND: Final = _only(_takes_whole, optional(cards("hand", count=False)), None)
_PILE_KEPT: Final = _only(_takes_whole, optional(cards("kept", count=False)), None)
_PILE_DOWN: Final = _only(_asks_down, _DOWN, otherwise=False)
_PILE_STEP: Final = _only(_takes_whole, _NEEDED_STEP, None)


def _pick_up(reader: Reader) -> Play:
    pile, take = reader[_PILE], reader[_LOWEST]
    if take is not None and take not in pile:
        raise QuestionError("bad-field", "take", pack=reader.pack)
    if not pile:
        raise QuestionError("bad-field", "pile", pack=reader.pack)
    laid, own, off = reader[_LAID], reader[_OWN], reader[_LAID_OFF]
    check_own(reader, own, laid, off)
    hand, kept = reader[_PILE_HAND], reader[_PILE_KEPT]
    # What is laid or kept can come out of the pile, and is counted there.
    used = _all((*laid, *[one.cards for one in off], kept or ())) - Counter(pile)
    reader.count((used | Counter(hand or ())).elements())
    return PickUp(
        pile=pile,
        take=take,
        melds=laid,
        layoffs=off,
        first=reader[_FIRST],
        down=reader[_PILE_DOWN] or bool(own),
        hand=hand,
        kept=kept,
        own=own or (),
        total=reader[_TOTAL],
        reserve=reader[_RESERVE],
        pairs=reader[_PAIRS],
    )


_DISCARD: Final = one_card("discard")
_TABLE: Final = melds("table")
_ENDED: Final = switch("ended", default=False)
_DRAWN: Final = switch("drawn", default=False)


def _call(reader: Reader) -> Play:
    return Call(
        discard=reader[_DISCARD],
        table=reader[_TABLE],
        ended=reader[_ENDED],
        drawn=reader[_DRAWN],
    )


_QUESTIONS: Final = (
    Question(
        name="meld",
        fits=lambda _: True,
        fields=(_CARDS, _ARRANGED, _STEP, UPCARD, SEATS),
        play=_show_meld,
        bare=_CARDS,
        step=_STEP,
    ),
    Question(
        name="laydown",
        fits=lambda variant: variant.close is None,
        fields=(
            *(_MELDS, _KEPT, _OWN, SWAPS, _LAY_OFFS, _BEFORE, _DOWN, _FIRST, _ARRANGED),
            *(_TOTAL, _RESERVE, _PAIRS, _NEEDED_STEP, UPCARD, SEATS),
        ),
        play=_lay_down,
        bare=_MELDS,
        step=_NEEDED_STEP,
    ),
    Question(
        name="layoff",
        fits=lambda variant: variant.lay_offs is not None,
        fields=(_CARDS, _ONTO, OWNER, _IS_DOWN, _SAME_TURN, _MY_TURN, _STEP, UPCARD, SEATS),
        play=_lay_off,
        bare=_CARDS,
        step=_STEP,
    ),
    Question(
        name="swap",
        fits=lambda variant: variant.swaps is not None,
        fields=(
            *(_THEN, GIVE, TAKE, MELD, _LAY_OFFS, _DOWN, _KEPT, _PAIRS, _NEEDED_STEP),
            *(UPCARD, SEATS),
        ),
        play=_swap,
        bare=_THEN,
        step=_NEEDED_STEP,
    ),
    Question(
        name="rearrange",
        fits=lambda variant: variant.rearrangement is not None,
        fields=(_TABLE_BEFORE, _TABLE_AFTER, _RACK, _OPENED, _DREW, _ARRANGED, UPCARD, SEATS),
        play=_rearrange,
        bare=_TABLE_AFTER,
    ),
    Question(
        name="close",
        fits=lambda variant: variant.close is not None,
        fields=(_SAYS, _THROWN, _CARDS, _DEAL, UPCARD, SEATS),
        play=_close,
        bare=_CARDS,
        step=_DEAL,
        whole_hand=True,
    ),
    Question(
        name="pickup",
        fits=lambda variant: variant.pile is not None,
        fields=(
            *(_PILE, _LOWEST, _LAID, _OWN, _LAID_OFF, _PILE_HAND, _PILE_KEPT, _PILE_DOWN),
            *(_FIRST, _TOTAL, _RESERVE, _PAIRS, _PILE_STEP, UPCARD, SEATS),
        ),
        play=_pick_up,
        bare=_LAID,
        step=_PILE_STEP,
    ),
    Question(
        name="call",
        fits=lambda variant: variant.calls,
        fields=(_DISCARD, _TABLE, _ENDED, _DRAWN, UPCARD, SEATS),
        play=_call,
        bare=_DISCARD,
    ),
)

QUESTIONS: Final = {question.name: question for question in _QUESTIONS}
"""Every question about a play, by its name."""
