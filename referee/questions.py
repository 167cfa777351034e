"""The question format: JSON in, JSON out, so that other programs can ask and cases can be written.

A line that cannot be understood is answered in its place with an error; nothing that is put in
ever makes this raise anything but `QuestionError`.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias

from referee import variants
from referee.advice import advise
from referee.bench import MomentError, rule_on
from referee.cards import JOKER, write_cards
from referee.intake import Fields, Question, QuestionError
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
from referee.scorepad import HandRecord, keep_score
from referee.variant import OptionError
from referee.variants import UnknownVariantError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from referee.cards import Cards
    from referee.plays import Play
    from referee.rulings import Reading, Ruling
    from referee.scorepad import Score
    from referee.variant import Variant

Json: TypeAlias = "dict[str, object]"

_MOST_SEATS: Final = 12
_MOST_IN_HAND: Final = 60
_MOST_ROUNDS: Final = 500
_MOST_POINTS: Final = 10**9
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
        question = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise QuestionError("bad-json", "This is no JSON.") from None
    if not isinstance(question, dict):
        raise QuestionError("bad-json", "A question is a JSON object.")
    return question


def _no_constant(_: str) -> NoReturn:
    message = "JSON has no such number"
    raise ValueError(message)


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
    layoffs = question.layoffs(melds)
    hand = question.cards_or_none("hand", count=False)
    if hand is not None:
        played = Counter(card for cards in (*melds, kept or ()) for card in cards)
        played.update(card for layoff in layoffs for card in layoff.cards)
        question.count((Counter(hand) - played).elements())
    play = LayDown(
        melds=melds,
        kept=kept,
        layoffs=layoffs,
        swaps=question.swaps(),
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
        kept=question.cards_or_none("kept") or (),
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
    )
    return _rule(question, play, None)[1]


def _close(question: Question) -> Json:
    says = question.fields.may("says", str, None)
    if says not in {None, "closed", "colour", "straight-colour", "remigio"}:
        raise QuestionError("bad-field", "“says” must be one of the four announcements.")
    discard = None
    if "discard" in question.fields.values:
        discard = question.one_card("discard", question.fields)
    play = Close(cards=question.cards("cards"), discard=discard, says=says)
    return _rule(question, play, None)[1]


def _pick_up(question: Question) -> Json:
    pile = question.cards("pile")
    take = question.one_card("take", question.fields, count=False)
    if take not in pile:
        raise QuestionError("bad-field", "“take” must be a card of the pile.")
    melds = question.melds("melds", count=False)
    layoffs = question.layoffs(melds)
    laid = Counter(card for cards in melds for card in cards)
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
    _refuse_jokers(question, cards)
    question.check_copies()
    return {"points": variant.values.count(cards, variant.wilds_at(step).cards)}


def _refuse_jokers(question: Question, cards: Cards) -> None:
    """Raise where jokers are to be counted in a game that has none."""
    if JOKER in cards and not question.variant.pack.jokers:
        raise QuestionError("bad-card", "There are no jokers in this game.")


def _advise(question: Question) -> Json:
    hand = question.cards("hand")
    table = question.melds("table") if "table" in question.fields.values else ()
    down = question.switch("down", default=False)
    step = question.step(needed=True)
    question.check_copies()
    _refuse_jokers(question, hand)
    if len(hand) > _MOST_IN_HAND:
        raise QuestionError("too-large", f"Advice is for hands of up to {_MOST_IN_HAND} cards.")
    found = advise(question.variant, Moment(step), hand, table=table, down=down)
    return {
        "possible": found.possible,
        "melds": [_write_reading(meld) for meld in found.melds],
        "layoffs": [
            {"cards": write_cards(layoff.cards), "onto": write_cards(layoff.onto)}
            for layoff in found.layoffs
        ],
        "kept": write_cards(found.kept),
        "points": found.points,
        "decided": found.decided,
    }


def _game(question: Question) -> Json:
    players = _players(question)
    dealer = question.fields.may("dealer", str, players[-1])
    if dealer not in players:
        raise QuestionError("bad-field", "“dealer” must be one of the players.")
    rounds: list[object] = question.fields.need("rounds", list)
    if len(rounds) > _MOST_ROUNDS:
        raise QuestionError("too-large", "There are too many rounds.")
    records = [_round(question, entry, players) for entry in rounds]
    score = keep_score(question.variant, len(players), records, players.index(dealer))
    return _write_score(question.variant, players, score)


def _players(question: Question) -> list[str]:
    named: list[object] = question.fields.need("players", list)
    players = [name for name in named if isinstance(name, str) and name]
    if len(players) < len(named):
        raise QuestionError("bad-field", "“players” must be a list of names.")
    if not 1 < len(players) <= _MOST_SEATS or len(set(players)) < len(players):
        says = f"“players” must be two to {_MOST_SEATS} different names."
        raise QuestionError("bad-field", says)
    return players


def _round(question: Question, entry: object, players: Sequence[str]) -> list[HandRecord]:
    if not isinstance(entry, dict):
        raise QuestionError("bad-field", "A round must be an object of players.")
    if unknown := set(entry) - set(players):
        raise QuestionError("bad-field", f"“{min(unknown)[:40]}” is not among the players.")
    question.in_play.clear()
    fields = Fields(entry, "rounds: ")
    records = [
        _record(question, Fields(fields.need(name, dict), f"{name[:40]}: ")) for name in players
    ]
    question.check_copies()
    return records


def _record(question: Question, fields: Fields) -> HandRecord:
    out = fields.may("out", bool, default=False)
    made = fields.may("made", bool, None)
    if out and "left" not in fields.values:
        return HandRecord(out=out, made=made)
    if isinstance(fields.values.get("left"), str):
        cards = question.cards("left", fields)
        _refuse_jokers(question, cards)
        return HandRecord(out=out, made=made, left=cards)
    left = fields.need("left", int)
    if not 0 <= left <= _MOST_POINTS:
        raise QuestionError("bad-field", "“left” cannot be that number.")
    return HandRecord(out=out, made=made, left=left)


def _write_score(variant: Variant, players: Sequence[str], score: Score) -> Json:
    def by_name(values: Iterable[object]) -> Json:
        return dict(zip(players, values, strict=True))

    over = score.over
    contract = variant.contract_at(score.step)
    written: Json = {
        "rounds": [by_name(points) for points in score.points],
        "totals": by_name(score.totals),
        "over": over,
        "winners": [players[seat] for seat in score.winners],
        "next": None
        if over
        else {
            "step": score.step,
            "dealer": players[score.dealers[-1]],
            "contract": contract.says if contract else None,
        },
        "problems": [
            {
                "code": problem.code.value,
                "says": problem.says,
                "clause": problem.clause.id,
                "basis": problem.clause.basis.value,
                "round": problem.round,
                "player": None if problem.seat is None else players[problem.seat],
            }
            for problem in score.problems
        ],
    }
    if variant.own_ladder:
        written["phases"] = by_name(score.steps)
    return written


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
    "game": _game,
    "advise": _advise,
}
