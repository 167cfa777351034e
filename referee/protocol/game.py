"""The question about a scorepad: reads rounds from JSON and answers with the score."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from referee.cards import Card, Cards, write_cards
from referee.melds.grounds import legal_readings
from referee.pad import Counts, PadRule
from referee.questions.fields import cards, optional, text, the_card
from referee.questions.intake import (
    Json,
    JsonObject,
    QuestionError,
    QuestionField,
    Reader,
    quoted,
)
from referee.scorepad import HandRecord, Score, cards_named, close_choices, keep_score
from referee.variant import Variant

_MOST_ROUNDS: Final = 500
_MOST_POINTS: Final = 10**9
_MOST_MELDS: Final = 100
_MOST_ASIDE: Final = 100
_MOST_PENALTIES: Final = 99


def _players(reader: Reader, question: JsonObject) -> list[str]:
    named: list[object] = question.need("players", list)
    players = [name for name in named if isinstance(name, str) and name]
    if len(players) < len(named):
        raise QuestionError("bad-field", "names")
    if len(players) not in reader.variant.players:
        raise QuestionError("bad-field", "players", why=reader.variant.for_how_many)
    if len(set(players)) < len(players):
        raise QuestionError("bad-field", "same-names")
    return players


def _rounds(_: Reader, question: JsonObject) -> list[object]:
    rounds: list[object] = question.need("rounds", list)
    if len(rounds) > _MOST_ROUNDS:
        raise QuestionError("too-large", "rounds")
    return rounds


def _upcards(reader: Reader, question: JsonObject) -> tuple[Card | None, ...]:
    """Return the cards turned up, one per round in order; empty text means it isn’t known."""
    named: list[object] = question.may("turned", list, [])
    if len(named) > _MOST_ROUNDS or not all(isinstance(text, str) for text in named):
        raise QuestionError("bad-field", "turned")
    return tuple(
        the_card(reader, str(text), "turned", count=False) if text else None for text in named
    )


_UPCARDS: Final = QuestionField("turned", _upcards)
_PLAYERS: Final = QuestionField("players", _players)
_DEALER: Final = optional(text("dealer"))
_ROUNDS: Final = QuestionField("rounds", _rounds)
FIELDS: Final = (_PLAYERS, _DEALER, _ROUNDS, _UPCARDS)
"""The fields of a question about a scorepad."""

_LEFT: Final = cards("left")
_SHOWN: Final = cards("cards")
_ASIDE: Final = cards("aside")


def answer_game(reader: Reader) -> Json:
    """Answer a question about a scorepad; raise QuestionError if it can’t be understood."""
    players = reader[_PLAYERS]
    named = reader[_DEALER]
    dealer = players[-1] if named is None else named
    if dealer not in players:
        raise QuestionError("bad-field", "dealer")
    records = [_round(reader, entry, players) for entry in reader[_ROUNDS]]
    upcards = reader[_UPCARDS]
    _need_upcards(reader.variant, records, upcards)
    score = keep_score(
        reader.variant, len(players), records, players.index(dealer), upcards=upcards
    )
    _need_records(players, records, score)
    return _write_score(reader.variant, players, score)


def _need_upcards(
    variant: Variant,
    rounds: Sequence[Sequence[HandRecord | None]],
    upcards: Sequence[Card | None],
) -> None:
    """Raise QuestionError if a round needs the card turned up, and it is missing."""
    if variant.turning is None:
        return
    doubles = variant.turning.twice is not None
    for number, records in enumerate(rounds):
        known = number < len(upcards) and upcards[number] is not None
        if not known and any(r and (cards_named(r) or (doubles and r.out)) for r in records):
            raise QuestionError("missing-field", "turned", round=number + 1)


def _need_records(
    players: Sequence[str], rounds: Sequence[Sequence[HandRecord | None]], score: Score
) -> None:
    """Raise QuestionError if a player who plays a round has no record in it."""
    for records, played in zip(rounds, score.played, strict=True):
        for name, record, plays in zip(players, records, played, strict=True):
            if plays and record is None:
                raise QuestionError("missing-field", name=f"rounds: {name[:40]}")


def _round(reader: Reader, entry: object, players: Sequence[str]) -> list[HandRecord | None]:
    if not isinstance(entry, dict):
        raise QuestionError("bad-field", "round")
    if unknown := set(entry) - set(players):
        raise QuestionError("bad-field", "player", name=min(unknown)[:40])
    reader.in_play.clear()
    fields = JsonObject(entry, "rounds: ")
    records = [
        _record(reader, JsonObject(fields.need(name, dict), f"{name[:40]}: "))
        if name in entry
        else None
        for name in players
    ]
    reader.check_copies()
    return records


def _record(reader: Reader, entry: JsonObject) -> HandRecord:
    out = entry.may("out", bool, default=False)
    shown, close, joker = _close(reader, entry)
    pad = reader.variant.pad
    may_be_blank = out or pad.counts is not Counts.ALL
    return HandRecord(
        out=out,
        made=entry.may("made", bool, None),
        left=None if may_be_blank and "left" not in entry.values else _left(reader, entry),
        table=_table(reader, entry),
        shown=shown,
        laid=_laid(reader, entry, shown),
        close=close,
        joker=joker,
        bonus=_bonus(reader.variant, entry),
        aside=_aside(reader, entry),
        reserve=entry.may("reserve", bool, default=True),
        pairs=pad.pairs > 1 and entry.may("pairs", bool, default=False),
        penalties=_number(entry, "penalties", _MOST_PENALTIES) if _fines(pad, entry) else 0,
    )


def _fines(pad: PadRule, entry: JsonObject) -> bool:
    return pad.penalty is not None and "penalties" in entry.values


def _bonus(variant: Variant, entry: JsonObject) -> Mapping[str, int]:
    """Read how many melds have each bonus; empty if the melds themselves are named."""
    if not variant.bonuses or isinstance(entry.values.get("table"), list):
        return {}
    named: Mapping[str, object] = entry.may("bonus", dict, {})
    names = [kind.name for kind in variant.bonuses]
    if unknown := named.keys() - set(names):
        word, known = min(unknown)[:40], quoted(names)
        raise QuestionError("bad-field", "bonus", where=entry.where, name=word, names=known)
    return {name: _number(JsonObject(named, entry.where), name, _MOST_MELDS) for name in named}


def _aside(reader: Reader, entry: JsonObject) -> int | Cards:
    """Read the cards that were placed face up, or their number."""
    rule = reader.variant.aside
    if rule is None or "aside" not in entry.values:
        return 0
    if not isinstance(entry.values["aside"], str):
        return _number(entry, "aside", _MOST_ASIDE)
    laid = _ASIDE.read(reader, entry)
    if not rule.cards.issuperset(laid):
        there = write_cards(sorted(rule.cards, key=str))
        raise QuestionError("bad-field", "aside", pack=reader.pack, where=entry.where, cards=there)
    return laid


def _left(reader: Reader, entry: JsonObject) -> int | Cards:
    pad = reader.variant.pad
    if "fixed" in entry.values:
        word = entry.need("fixed", str)
        if word not in pad.fixed:
            how = "fixed" if pad.fixed else "no-fixed"
            raise QuestionError("bad-field", how, words=quoted(pad.fixed))
        return pad.fixed[word][1]
    if not isinstance(entry.values.get("left"), str):
        return _points(entry, "left")
    held = _LEFT.read(reader, entry)
    reader.refuse_jokers(held)
    if reader.variant.names_cards:
        reader.refuse_many(held)
    return held


def _table(reader: Reader, entry: JsonObject) -> int | tuple[Cards, ...] | None:
    pad = reader.variant.pad
    if not pad.asks_table or "table" not in entry.values:
        return None
    if isinstance(entry.values["table"], list):
        return reader.melds(entry.need("table", list), f"{entry.where}table")
    return _points(entry, "table")


def _close(reader: Reader, entry: JsonObject) -> tuple[Cards, str | None, bool]:
    """Read how a hand closed: the cards shown, the word for it, and whether there was a joker."""
    rule, variant = reader.variant.close, reader.variant
    words = rule.words if rule else [choice.word for choice in close_choices(variant)]
    if not words:
        return (), None, False
    word = entry.may("close", str, None)
    if word is not None and word not in words:
        raise QuestionError("bad-field", "close", words=quoted(words))
    if rule is None:
        return (), word, False
    shown = _SHOWN.read(reader, entry) if "cards" in entry.values else ()
    return shown, word, entry.may("joker", bool, default=False)


def _laid(reader: Reader, entry: JsonObject, shown: Cards) -> tuple[Cards, ...]:
    """Read how the player who closed laid out the melds; empty if that isn’t given."""
    if not shown or "melds" not in entry.values:
        return ()
    laid = reader.melds(entry.need("melds", list), f"{entry.where}melds", count=False)
    left, rules = Counter(shown), reader.variant.melds_at(1)
    for meld in laid:
        left.subtract(meld)
        if min(left.values()) < 0 or not legal_readings(meld, rules, as_laid=False):
            said = write_cards(meld)
            raise QuestionError("bad-field", "laid", where=entry.where, cards=said)
    return laid


def _points(entry: JsonObject, name: str) -> int:
    return _number(entry, name, _MOST_POINTS)


def _number(entry: JsonObject, name: str, most: int) -> int:
    number = entry.need(name, int)
    if not 0 <= number <= most:
        raise QuestionError("bad-field", "number", name=name)
    return number


def _write_score(variant: Variant, players: Sequence[str], score: Score) -> Json:
    def by_name(values: Iterable[object]) -> Json:
        return dict(zip(players, values, strict=True))

    over = score.over
    contract = variant.contract_at(score.step)
    written: Json = {
        "rounds": [by_name(points) for points in score.points],
        "totals": by_name(score.results),
        "over": over,
        "winners": [players[seat] for seat in _winners(variant, score)],
        "next": None
        if over
        else {
            "step": score.step,
            "dealer": players[score.dealers[-1]],
            "contract": contract.says if contract else None,
            **({"opening": by_name(score.opens_with)} if score.opens_with else {}),
        },
        "problems": [
            {
                "code": problem.code.value,
                "says": variant.say(problem),
                "clause": clause.id,
                "basis": clause.basis.value,
                "round": problem.round,
                "player": None if problem.seat is None else players[problem.seat],
            }
            for problem in score.problems
            for clause in (variant.rulebook.cited(problem.cites),)
        ],
    }
    if variant.in_teams(len(players)):
        written["teams"] = [[players[seat] for seat in team] for team in score.teams]
    if variant.pad.bonus:
        written["bonus"] = by_name(score.bonus)
    if any(score.laid_off):
        written["layoffs"] = [
            {
                players[seat]: {
                    "cards": write_cards(laid.cards),
                    "kept": write_cards(laid.kept.left),
                    "points": laid.kept.points,
                }
                for seat, laid in by_seat.items()
            }
            for by_seat in score.laid_off
        ]
    if variant.own_phases:
        written["phases"] = by_name(score.steps)
    if variant.pad.counts_wins:
        written["games_won"] = by_name(score.games_won)
    return written


def _winners(variant: Variant, score: Score) -> tuple[int, ...]:
    """Return the winners; in a game without an end, the leaders."""
    return score.leaders if variant.endless else score.winners
