"""Answers as JSON: a ruling, an arrangement of a hand, advice."""

from referee.advice import Advice, PickUpAdvice, Turn
from referee.cards import write_cards
from referee.melds.deadwood import Arrangement
from referee.questions.intake import Json
from referee.rulings import Reading, Ruling
from referee.variant import Variant


def write_ruling(ruling: Ruling, variant: Variant) -> Json:
    """A ruling as an answer, with the clauses and in the words of its game."""
    written: Json = {
        "legal": ruling.is_legal,
        "findings": [
            {
                "code": finding.code.value,
                "against": finding.against,
                "says": variant.say(finding),
                "clause": clause.id,
                "basis": clause.basis.value,
                "cards": write_cards(finding.cards),
            }
            for finding in ruling.findings
            for clause in (variant.rulebook.cited(finding.cites),)
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


def write_meld(ruling: Ruling, variant: Variant) -> Json:
    """A ruling on one meld as an answer: where it is legal, with its kind at the top."""
    written = write_ruling(ruling, variant)
    if ruling.is_legal:
        first = _write_reading(ruling.readings[0])
        written |= {"kind": first["kind"], "stands_for": first["stands_for"]}
    return written


def write_arrangement(found: Arrangement, cap: int | None = None) -> Json:
    """A hand put into melds as an answer: what is left over, and what that costs, `cap` at most."""
    written: Json = {
        "points": found.points if cap is None else min(found.points, cap),
        "melds": [_write_reading(meld) for meld in found.melds],
        "kept": write_cards(found.left),
    }
    if not found.decided:
        written["decided"] = False
    return written


def _write_reading(reading: Reading) -> Json:
    return {
        "kind": reading.kind.value,
        "cards": write_cards(reading.cards),
        "stands_for": {str(index): str(card) for index, card in reading.stands_for.items()},
    }


def write_advice(found: Advice) -> Json:
    """Advice as an answer, but for what becomes of a table and of a pile."""
    written: Json = {"possible": found.possible, **_write_play(found)}
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
    return written


def write_turn(turn: Turn) -> Json:
    """What a turn makes of a table of tiles, as a part of advice."""
    return {
        "after": [write_cards(cards) for cards in turn.after],
        "played": write_cards(turn.played),
        "played_count": len(turn.played),
        "played_value": turn.value,
    }


def write_pickup(found: PickUpAdvice) -> Json:
    """What to take off the discard pile, as a part of advice."""
    return {
        "take": str(found.take),
        "cards": write_cards(found.cards),
        "gain": found.gain,
        **_write_play(found),
    }


def _write_play(found: Advice | PickUpAdvice) -> Json:
    return {
        "melds": [_write_reading(meld) for meld in found.melds],
        "layoffs": [
            {"cards": write_cards(layoff.cards), "onto": write_cards(layoff.onto)}
            for layoff in found.layoffs
        ],
        "kept": write_cards(found.kept),
        "points": found.points,
        "decided": found.decided,
    }
