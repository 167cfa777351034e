"""The question format: JSON in, JSON out, so that other programs can ask and cases can be written.

A line that cannot be understood is answered in its place with an error; nothing that is put in
ever makes this raise anything but `QuestionError`.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import TYPE_CHECKING, Final, NoReturn

from referee import variants
from referee.advice import Turn, advise
from referee.cards import write_cards
from referee.judging import MomentError, rule_on
from referee.melds.deadwood import MOST_TRIED
from referee.plays import (
    Call,
    Close,
    LayDown,
    LayOff,
    Moment,
    PickUp,
    Rearrange,
    ShowMeld,
    Swap,
)
from referee.protocol.game import answer_game
from referee.protocol.intake import Fields, Question, QuestionError
from referee.turns.closing import least_deadwood
from referee.variant import OptionError
from referee.variants import UnknownVariantError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from referee.advice import Advice, PickUpAdvice
    from referee.cards import Cards
    from referee.plays import Play
    from referee.protocol.intake import Json
    from referee.rulings import Reading, Ruling

_MOST_IN_HAND: Final = 60
_LONGEST_LINE: Final = 1_000_000


def answer_line(line: str) -> Json:
    """Answer one line of JSON; an error is an answer too, under "error"."""
    name: object = None
    try:
        question = _load(line)
        name = question.get("id")
        return {"id": name, **answer(question)}
    except QuestionError as error:
        if not isinstance(name, (str, int, float)):
            name = None
        return {"id": name, "error": {"code": error.code, "says": str(error)}}


def _load(line: str) -> Json:
    if len(line) > _LONGEST_LINE:
        raise QuestionError("too-large", "The line is too long.")
    try:
        question = json.loads(line, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError):
        raise QuestionError("bad-json", "This is no JSON.") from None
    if not isinstance(question, dict):
        raise QuestionError("bad-json", "A question is a JSON object.")
    return question


def _no_constant(_: str) -> NoReturn:
    message = "JSON has no such number"
    raise ValueError(message)


def _finite(digits: str) -> float:
    """Read a number with a point or an exponent; one beyond all measure could not be answered."""
    number = float(digits)
    return number if math.isfinite(number) else _no_constant(digits)


def answer(question: Mapping[str, object]) -> Json:
    """Answer a question that has been read; raises QuestionError."""
    fields = Fields(question)
    if "id" not in question:
        raise QuestionError("missing-field", "“id” is missing.")
    slug = fields.need("variant", str)
    ask = fields.need("ask", str)
    try:
        variant = variants.get(slug)
    except UnknownVariantError as error:
        raise QuestionError("unknown-variant", str(error)) from None
    if ask not in ASKS:
        says = f"There is no question “{ask[:40]}”. There are: {', '.join(ASKS)}."
        raise QuestionError("unknown-ask", says)
    options: dict[str, object] = fields.may("options", dict, {})
    try:
        variant = variant.with_options(options)
    except OptionError as error:
        raise QuestionError(
            "unknown-option" if error.unknown else "bad-option", str(error)
        ) from None
    return ASKS[ask](Question(fields, variant))


def _rule(question: Question, play: Play, step: int | None) -> tuple[Ruling, Json]:
    question.check_copies()
    try:
        ruling = rule_on(play, question.variant, Moment(step))
    except MomentError as error:
        raise QuestionError("missing-field", str(error)) from None
    return ruling, write_ruling(ruling)


def write_ruling(ruling: Ruling) -> Json:
    """Write a ruling as an answer."""
    written: Json = {
        "legal": ruling.is_legal,
        "findings": [
            {
                "code": finding.code.value,
                "against": finding.against,
                "says": finding.says,
                "clause": finding.clause.id,
                "basis": finding.clause.basis.value,
                "cards": write_cards(finding.cards),
            }
            for finding in ruling.findings
        ],
        "melds": [_write_reading(reading) for reading in ruling.readings],
    }
    if ruling.points is not None:
        written["points"] = ruling.points
    if ruling.hint:
        written["hint"] = list(ruling.hint)
    if ruling.played is not None:
        written["played"] = write_cards(ruling.played)
    if ruling.closes_as is not None:
        written |= {"kind": ruling.closes_as, "multiplier": ruling.multiplier}
    return written


def _write_reading(reading: Reading) -> Json:
    return {
        "kind": reading.kind.value,
        "cards": write_cards(reading.cards),
        "stands_for": {str(index): str(card) for index, card in reading.stands_for.items()},
    }


def _meld(question: Question) -> Json:
    play = ShowMeld(question.cards("cards"), as_laid=question.switch("arranged", default=True))
    ruling, written = _rule(question, play, question.step(needed=False))
    if ruling.is_legal:
        first = _write_reading(ruling.readings[0])
        written |= {"kind": first["kind"], "stands_for": first["stands_for"]}
    return written


def _lay_down(question: Question) -> Json:
    melds = question.melds("melds")
    kept = question.cards_or_none("kept")
    swaps = question.swaps()
    layoffs = question.layoffs(melds)
    hand = question.cards_or_none("hand", count=False)
    if hand is not None:
        played = Counter(card for cards in (*melds, kept or ()) for card in cards)
        played.update(card for layoff in layoffs for card in layoff.cards)
        played.update(swap.give for swap in swaps)
        question.count((Counter(hand) - played).elements())
    play = LayDown(
        melds=melds,
        kept=kept,
        layoffs=layoffs,
        swaps=swaps,
        down=question.switch("down", default=False),
        hand=hand,
        first=question.switch("first", default=True),
        as_laid=question.switch("arranged", default=True),
    )
    return _rule(question, play, question.step(needed=True))[1]


def _lay_off(question: Question) -> Json:
    play = LayOff(
        question.cards("cards"),
        question.cards("onto"),
        own=question.is_own(question.fields),
        down=question.switch("down", default=True),
        same_turn=question.switch("same_turn", default=False),
        my_turn=question.switch("my_turn", default=True),
    )
    return _rule(question, play, question.step(needed=False))[1]


def _swap(question: Question) -> Json:
    then = question.melds("then")
    play = Swap(
        taken=question.taken(question.fields),
        then=then,
        layoffs=question.layoffs(then),
        down=question.switch("down", default=False),
        kept=question.cards_or_none("kept"),
    )
    return _rule(question, play, question.step(needed=True))[1]


def _rearrange(question: Question) -> Json:
    before = question.melds("before")
    after = question.melds("after", count=False)
    rack = question.cards_or_none("rack")
    after_cards = Counter(card for cards in after for card in cards)
    question.count((after_cards - question.in_play).elements())
    play = Rearrange(
        before=before,
        after=after,
        rack=rack,
        opened=question.switch("opened", default=True),
        drew=question.switch("drew", default=False),
        as_laid=question.switch("arranged", default=True),
    )
    return _rule(question, play, None)[1]


def _close(question: Question) -> Json:
    says = question.fields.may("says", str, None)
    rule = question.variant.close
    if says is not None and rule is not None and says not in rule.titles:
        raise QuestionError("bad-field", f"“says” must be one of {', '.join(rule.titles)}.")
    discard = None
    if "discard" in question.fields.values:
        discard = question.one_card("discard", question.fields)
    play = Close(cards=question.cards("cards"), discard=discard, says=says)
    return _rule(question, play, None)[1]


def _pick_up(question: Question) -> Json:
    pile = question.cards("pile")
    take = question.one_card("take", question.fields, count=False)
    if take not in pile:
        noun = question.variant.pack.nouns.card
        raise QuestionError("bad-field", f"“take” must be a {noun} of the pile.")
    melds = question.melds("melds", count=False)
    layoffs = question.layoffs(melds, count=False)
    laid = Counter(card for cards in melds for card in cards)
    laid.update(card for layoff in layoffs for card in layoff.cards)
    question.count((laid - Counter(pile)).elements())
    play = PickUp(
        pile=pile,
        take=take,
        melds=melds,
        layoffs=layoffs,
        first=question.switch("first", default=True),
    )
    return _rule(question, play, None)[1]


def _call(question: Question) -> Json:
    play = Call(
        discard=question.one_card("discard", question.fields),
        table=question.melds("table"),
        ended=question.switch("ended", default=False),
        drawn=question.switch("drawn", default=False),
    )
    return _rule(question, play, None)[1]


def _count(question: Question) -> Json:
    cards = question.cards("cards")
    step = question.step(needed=False)
    variant = question.variant
    question.refuse_jokers(cards)
    question.check_copies()
    if variant.close is None:
        return {"points": variant.values.count(cards, variant.wilds_at(step).cards)}
    question.refuse_many(cards)
    found = least_deadwood(cards, variant.close, variant.melds_at(step), variant.values)
    return {
        "points": found.points,
        "melds": [_write_reading(meld) for meld in found.melds],
        "kept": write_cards(found.left),
    }


def _advise(question: Question) -> Json:
    variant = question.variant
    hand = question.cards("hand")
    table = question.melds("table") if "table" in question.fields.values else ()
    own = question.own_melds(table)
    aim = question.fields.may("aim", str, "tiles")
    if aim not in {"tiles", "value"}:
        raise QuestionError("bad-field", "“aim” must be tiles or value.")
    down = question.switch("down", default=False)
    first = question.switch("first", default=True)
    opened = question.switch("opened", default=True)
    pile = question.cards_or_none("pile")
    step = question.step(needed=True)
    question.check_copies()
    question.refuse_jokers(hand)
    most = _MOST_IN_HAND if variant.close is None else MOST_TRIED
    if len(hand) > most:
        nouns = variant.pack.nouns
        says = f"Advice is for {nouns.hand}s of up to {most} {nouns.card}s."
        raise QuestionError("too-large", says)
    found = advise(
        variant,
        Moment(step),
        hand,
        table=table,
        own=own,
        down=down,
        first=first,
        opened=opened,
        by_value=aim == "value",
        pile=pile or (),
    )
    written = _write_advice(found, table if variant.rearrangement is not None else None)
    if variant.pile is not None and pile is not None:
        written["pickup"] = None if found.pickup is None else _write_pickup(found.pickup)
    return written


def _write_advice(found: Advice, table: Sequence[Cards] | None) -> Json:
    """Write advice; `table` is there where it may be rearranged."""
    written: Json = {
        "possible": found.possible,
        "melds": [_write_reading(meld) for meld in found.melds],
        "layoffs": [_write_layoff(layoff) for layoff in found.layoffs],
        "kept": write_cards(found.kept),
        "points": found.points,
        "decided": found.decided,
    }
    if found.discard is not None:
        written["discard"] = str(found.discard)
    if found.swaps:
        written["swaps"] = [
            {"give": str(swap.give), "take": str(swap.take), "meld": write_cards(swap.meld)}
            for swap in found.swaps
        ]
    if found.closes_as is not None:
        written |= {"kind": found.closes_as, "multiplier": found.multiplier}
    if found.misses:
        written["misses"] = [
            {"card": str(miss.card), "unseen": miss.unseen} for miss in found.misses
        ]
    if not found.misses_decided:
        written["misses_decided"] = False
    if table is not None:
        turn = found.turn or Turn(after=tuple(table), played=(), value=0)
        written["after"] = [write_cards(cards) for cards in turn.after]
        written["played"] = write_cards(turn.played)
        written |= {"played_count": len(turn.played), "played_value": turn.value}
    return written


def _write_layoff(layoff: LayOff) -> Json:
    return {"cards": write_cards(layoff.cards), "onto": write_cards(layoff.onto)}


def _write_pickup(found: PickUpAdvice) -> Json:
    """Write what to take off the discard pile."""
    return {
        "take": str(found.take),
        "cards": write_cards(found.cards),
        "melds": [_write_reading(meld) for meld in found.melds],
        "layoffs": [_write_layoff(layoff) for layoff in found.layoffs],
        "kept": write_cards(found.kept),
        "points": found.points,
        "gain": found.gain,
        "decided": found.decided,
    }


ASKS: Final[dict[str, Callable[[Question], Json]]] = {
    "meld": _meld,
    "laydown": _lay_down,
    "layoff": _lay_off,
    "swap": _swap,
    "rearrange": _rearrange,
    "close": _close,
    "pickup": _pick_up,
    "call": _call,
    "count": _count,
    "game": answer_game,
    "advise": _advise,
}
