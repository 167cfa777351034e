"""Results of finished games: a second projection, for statistics across games.

It’s written in the transaction that finishes, reopens or corrects a game. The rows follow from the
game’s entries, can be made again at any time, and are compared with the stored ones. Pages add them
up on request: that takes milliseconds, and no stored sum can go wrong unnoticed.
"""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    bindparam,
    delete,
    insert,
)
from sqlalchemy.orm import Session

from webapp.game.facts import Counted, Finished, Noted, Reopened, Started
from webapp.game.replay import GameState
from webapp.models import Appearance, Attempt, Outcome, table_of

Rows = list[dict[str, Any]]

OUTCOME: Final = tuple(Outcome.model_fields)[1:]
APPEARANCE: Final = tuple(name for name in Appearance.model_fields if name != "game_id")
ATTEMPT: Final = tuple(name for name in Attempt.model_fields if name != "game_id")

# Built once and on tables, as in `webapp.ledger`: the save that ends a game executes them.
_WRITE: Final = {table: insert(table_of(table)) for table in (Outcome, Appearance, Attempt)}
_CLEAR: Final = [
    delete(table_of(table)).where(table_of(table).c.game_id == bindparam("game"))
    for table in _WRITE
]


def keep_standings(session: Session, game_id: int, state: GameState) -> None:
    """Write the rows of a game if it’s finished, and remove those that were there before."""
    # A game that was never finished has no rows to remove; one that was reopened may have some.
    if not any(isinstance(entry.fact, Finished) for entry in state.entered):
        return
    for clear in _CLEAR:
        session.execute(clear, {"game": game_id})
    write_standings(session, game_id, state)


def write_standings(session: Session, game_id: int, state: GameState) -> None:
    """Write the rows of a game that has none."""
    outcome, appearances, attempts = outcome_of(state), appearances_of(state), attempts_of(state)
    own = ((Outcome, [outcome] if outcome else []), (Appearance, appearances), (Attempt, attempts))
    for table, rows in own:
        if rows:
            session.execute(_WRITE[table], [{"game_id": game_id, **row} for row in rows])


def outcome_of(state: GameState) -> dict[str, Any] | None:
    """Return a game’s row of `Outcome` by column.

    None if it isn’t finished or nothing was entered.
    """
    notes = [entry.fact.text for entry in state.asides if isinstance(entry.fact, Noted)]
    bare = all(isinstance(entry.fact, Started | Finished | Reopened) for entry in state.entered)
    if not state.finished or bare:
        return None
    begun = state.entered[0].at
    counts = [
        entry.at
        for entry in state.entered
        if entry.seq in state.standing and isinstance(entry.fact, Counted) and _is_first(entry.fact)
    ]
    ended = max(counts, default=begun)
    places = state.places
    played = [
        (points[seat], who)
        for points, hands in zip(state.score.points, state.rounds, strict=False)
        for seat, who in enumerate(state.seats)
        if who in hands and places[seat] is not None
    ]
    high = max(played, default=(None, None), key=lambda each: each[0] or 0)
    return {
        "variant": state.kind,
        "month": month_of(begun),
        "ended_at": ended,
        "minutes": int((ended - begun).total_seconds() // 60),
        "rounds": None if state.totalled else sum(map(bool, state.rounds)),
        "margin": state.margin,
        "high": high[0],
        "high_id": high[1],
        "notes": "\n".join(notes).casefold(),
    }


def appearances_of(state: GameState) -> Rows:
    """Return a game’s rows of `Appearance`; none before it’s finished or if no round is complete.

    A game from paper counts although its rounds aren’t known. A player who left and isn’t ranked
    has no place, and so isn’t part of anything that goes by places.
    """
    if not state.finished:
        return []
    rows = []
    for seat, (who, place) in enumerate(zip(state.seats, state.places, strict=True)):
        hands = [hands[who] for hands in state.rounds if who in hands]
        if place is not None and (hands or state.totalled):
            rows.append(
                {
                    "player_id": who,
                    "variant": state.kind,
                    "month": month_of(state.entered[0].at),
                    "place": place,
                    "won": seat in state.winners,
                    "total": state.score.results[seat],
                    "rounds": len(hands),
                    "outs": sum(cell.hand.out for cell in hands),
                    "team": state.team_of(seat),
                }
            )
    return sorted(rows, key=lambda row: row["player_id"])


def attempts_of(state: GameState) -> Rows:
    """Return a game’s rows of `Attempt`: how often each player tried each step.

    There are none if everybody is on the same step, or until the game is finished.
    """
    if not state.finished or not state.variant.climbs_alone:
        return []
    rows = []
    for place, who in enumerate(state.seats):
        step, tries = state.seating.seats[place].step, 0
        for hands in state.rounds:
            if who not in hands or step > state.variant.steps:
                continue
            tries += 1
            made = hands[who].record.is_down
            if made:
                rows.append(_attempt(state, who, step, tries, made=made))
                step, tries = step + 1, 0
        if tries:
            rows.append(_attempt(state, who, step, tries, made=False))
    return sorted(rows, key=lambda row: (row["player_id"], row["step"]))


def month_of(moment: datetime) -> int:
    """Return the month of a moment in UTC as a number: 202611."""
    return 100 * moment.year + moment.month


def _attempt(state: GameState, who: int, step: int, tries: int, *, made: bool) -> dict[str, Any]:
    of = {"player_id": who, "variant": state.kind}
    return {**of, "step": step, "tries": tries, "made": made}


def _is_first(fact: Counted) -> bool:
    """Return whether a count adds hands that nobody had counted before."""
    return not all(hand.base for hand in fact.hands.values())
