"""The question for a scorepad: rounds out of JSON, and the score as an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from referee.protocol.intake import Fields, Question, QuestionError
from referee.scorepad import HandRecord, keep_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.cards import Cards
    from referee.protocol.intake import Json
    from referee.scorepad import Score
    from referee.variant import Variant

_MOST_ROUNDS: Final = 500
_MOST_POINTS: Final = 10**9


def answer_game(question: Question) -> Json:
    """Answer a question for a scorepad; raises QuestionError."""
    if not question.variant.keeps_score:
        says = f"The scorepad of {question.variant.name} is not kept yet."
        raise QuestionError("unknown-ask", says)
    players = _players(question)
    dealer = question.fields.may("dealer", str, players[-1])
    if dealer not in players:
        raise QuestionError("bad-field", "“dealer” must be one of the players.")
    rounds: list[object] = question.fields.need("rounds", list)
    if len(rounds) > _MOST_ROUNDS:
        raise QuestionError("too-large", "There are too many rounds.")
    records = [_round(question, entry, players) for entry in rounds]
    score = keep_score(question.variant, len(players), records, players.index(dealer))
    _need_records(players, records, score)
    return _write_score(question.variant, players, score)


def _need_records(
    players: Sequence[str], rounds: Sequence[Sequence[HandRecord | None]], score: Score
) -> None:
    """Raise where a player who plays a round has no record in it."""
    for records, played in zip(rounds, score.played, strict=True):
        for name, record, plays in zip(players, records, played, strict=True):
            if plays and record is None:
                raise QuestionError("missing-field", f"“rounds: {name[:40]}” is missing.")


def _players(question: Question) -> list[str]:
    named: list[object] = question.fields.need("players", list)
    players = [name for name in named if isinstance(name, str) and name]
    if len(players) < len(named):
        raise QuestionError("bad-field", "“players” must be a list of names.")
    if len(players) not in question.variant.players:
        raise QuestionError("bad-field", question.variant.for_how_many)
    if len(set(players)) < len(players):
        raise QuestionError("bad-field", "“players” must be different names.")
    return players


def _round(question: Question, entry: object, players: Sequence[str]) -> list[HandRecord | None]:
    if not isinstance(entry, dict):
        raise QuestionError("bad-field", "A round must be an object of players.")
    if unknown := set(entry) - set(players):
        raise QuestionError("bad-field", f"“{min(unknown)[:40]}” is not among the players.")
    question.in_play.clear()
    fields = Fields(entry, "rounds: ")
    records = [
        _record(question, Fields(fields.need(name, dict), f"{name[:40]}: "))
        if name in entry
        else None
        for name in players
    ]
    question.check_copies()
    return records


def _record(question: Question, fields: Fields) -> HandRecord:
    out = fields.may("out", bool, default=False)
    shown, close, joker = _close(question, fields)
    return HandRecord(
        out=out,
        made=fields.may("made", bool, None),
        left=None if out and "left" not in fields.values else _left(question, fields),
        table=_table(question, fields),
        shown=shown,
        close=close,
        joker=joker,
    )


def _left(question: Question, fields: Fields) -> int | Cards:
    if not isinstance(fields.values.get("left"), str):
        return _points(fields, "left")
    cards = question.cards("left", fields)
    question.refuse_jokers(cards)
    if question.variant.names_cards:
        question.refuse_many(cards)
    return cards


def _table(question: Question, fields: Fields) -> int | tuple[Cards, ...] | None:
    pad = question.variant.pad
    if pad is None or not pad.asks_table or "table" not in fields.values:
        return None
    if isinstance(fields.values["table"], list):
        return question.meld_list(fields.need("table", list), f"{fields.where}table")
    return _points(fields, "table")


def _close(question: Question, fields: Fields) -> tuple[Cards, str | None, bool]:
    """Read how a hand closed: the cards shown, what was said, whether there was a joker."""
    rule = question.variant.close
    if rule is None:
        return (), None, False
    word = fields.may("close", str, None)
    if word is not None and word not in rule.titles:
        raise QuestionError("bad-field", f"“close” must be one of {', '.join(rule.titles)}.")
    shown = question.cards("cards", fields) if "cards" in fields.values else ()
    return shown, word, fields.may("joker", bool, default=False)


def _points(fields: Fields, name: str) -> int:
    points = fields.need(name, int)
    if not 0 <= points <= _MOST_POINTS:
        raise QuestionError("bad-field", f"“{name}” cannot be that number.")
    return points


def _write_score(variant: Variant, players: Sequence[str], score: Score) -> Json:
    def by_name(values: Iterable[object]) -> Json:
        return dict(zip(players, values, strict=True))

    over = score.over
    contract = variant.contract_at(score.step)
    written: Json = {
        "rounds": [by_name(points) for points in score.points],
        "totals": by_name(score.totals),
        "over": over,
        "winners": [players[seat] for seat in _winners(variant, score)],
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
    if variant.pad is not None and variant.pad.counts_wins:
        written["games_won"] = by_name(score.games_won)
    return written


def _winners(variant: Variant, score: Score) -> tuple[int, ...]:
    """Give who has won; in a match without an end, who leads."""
    return score.leaders if variant.endless else score.winners
