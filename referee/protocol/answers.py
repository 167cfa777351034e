"""Answers as JSON: rulings, hands in melds, and advice."""

from referee.advice import Advice, PickUpAdvice, Turn
from referee.cards import write_cards
from referee.melds.deadwood import Arrangement
from referee.questions.intake import Json
from referee.rulings import Reading, Ruling
from referee.variant import Variant


def write_ruling(ruling: Ruling, variant: Variant) -> Json:
    """Return a ruling as JSON, with the clauses of its game and sentences in its language."""
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
    """Return a ruling on one meld as JSON; if it is legal, its kind is at the top."""
    written = write_ruling(ruling, variant)
    if ruling.is_legal:
        first = _write_reading(ruling.readings[0])
        written |= {"kind": first["kind"], "stands_for": first["stands_for"]}
    return written


def write_arrangement(found: Arrangement, cap: int | None = None) -> Json:
    """Return a hand in melds as JSON, with the cards left over and their points, up to `cap`."""
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
    """Return advice as JSON, without the parts on a table of tiles and on the discard pile."""
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
    """Return the table of tiles after a turn, as a part of advice in JSON."""
    return {
        "after": [write_cards(cards) for cards in turn.after],
        "played": write_cards(turn.played),
        "played_count": len(turn.played),
        "played_value": turn.value,
    }


def write_pickup(found: PickUpAdvice) -> Json:
    """Return what to take from the discard pile, as a part of advice in JSON."""
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
