"""What players came to in finished games: a second projection, for statistics across games.

Written in the transaction that finishes, reopens or corrects a game. A game's own rows follow from
its entries; tallies and meetings are those rows added up, so that no page grows with the book. All
can be worked out once more at any time, and held against what is there.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    Delete,
    Insert,
    Select,
    Update,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from webapp.ledger.facts import Counted, Finished, Noted, Reopened, Started
from webapp.ledger.story import Story
from webapp.models import Appearance, Attempt, Meeting, Outcome, Tally, table_of

Rows = list[dict[str, Any]]

OUTCOME: Final = tuple(Outcome.model_fields)[1:]
APPEARANCE: Final = tuple(name for name in Appearance.model_fields if name != "game_id")
ATTEMPT: Final = tuple(name for name in Attempt.model_fields if name != "game_id")
ALL_TIME: Final = 0

# Made once and on tables, as in `webapp.ledger`: the save that ends a game asks them.
_APPEARANCES: Final = table_of(Appearance)
_APPEARED: Final = select(*(_APPEARANCES.c[name] for name in APPEARANCE)).where(
    _APPEARANCES.c.game_id == bindparam("game")
)
_WRITE: Final = {table: insert(table_of(table)) for table in (Outcome, Appearance, Attempt)}
_CLEAR: Final = [
    delete(table_of(table)).where(table_of(table).c.game_id == bindparam("game"))
    for table in _WRITE
]

_SUMS: Final = ("games", "wins", "total", "rounds", "outs")
_MEETS: Final = ("games", "ahead", "behind")


def keep_standings(session: Session, game_id: int, story: Story) -> None:
    """Write what follows from a game that is finished, and take back what followed before."""
    if not any(isinstance(entry.fact, Finished) for entry in story.entered):
        return
    rows = session.execute(_APPEARED, {"game": game_id}).mappings()
    before = [dict(row) for row in rows]
    for clear in _CLEAR:
        session.execute(clear, {"game": game_id})
    now = write_standings(session, game_id, story)
    if before == now:
        return
    _add(session, Tally, _difference(_tallies, before, now), _SUMS)
    _add(session, Meeting, _difference(_meetings, before, now), _MEETS)


def write_standings(session: Session, game_id: int, story: Story) -> Rows:
    """Write the rows of one game, where it has none, and add up nothing; answers who appeared."""
    outcome, appearances, attempts = outcome_of(story), appearances_of(story), attempts_of(story)
    own = ((Outcome, [outcome] if outcome else []), (Appearance, appearances), (Attempt, attempts))
    for table, rows in own:
        if rows:
            session.execute(_WRITE[table], [{"game_id": game_id, **row} for row in rows])
    return appearances


def outcome_of(story: Story) -> dict[str, Any] | None:
    """How a game ended, by the names of `Outcome`; None while it goes on, or nothing is written."""
    notes = [entry.fact.text for entry in story.asides if isinstance(entry.fact, Noted)]
    bare = all(isinstance(entry.fact, Started | Finished | Reopened) for entry in story.entered)
    if not story.finished or bare:
        return None
    begun = story.entered[0].at
    counts = [
        entry.at
        for entry in story.entered
        if entry.seq in story.standing and isinstance(entry.fact, Counted) and _is_first(entry.fact)
    ]
    ended = max(counts, default=begun)
    played = [
        (points[place], who)
        for points, hands in zip(story.score.points, story.rounds, strict=False)
        for place, who in enumerate(story.seats)
        if who in hands
    ]
    high = max(played, default=(None, None), key=lambda each: each[0] or 0)
    return {
        "variant": story.start.variant,
        "month": month_of(begun),
        "ended_at": ended,
        "minutes": int((ended - begun).total_seconds() // 60),
        "rounds": None if story.totalled else len(story.rounds),
        "margin": _margin(story),
        "high": high[0],
        "high_id": high[1],
        "notes": "\n".join(notes).casefold(),
    }


def appearances_of(story: Story) -> Rows:
    """What each player came to, by the names of `Appearance`; none before a round is complete.

    A game from paper counts though its rounds are not known.
    """
    if not story.finished:
        return []
    ranks = [_rank(story, place) for place in range(len(story.seats))]
    ranking = sorted(ranks)
    rows = []
    for place, who in enumerate(story.seats):
        hands = [hands[who] for hands in story.rounds if who in hands]
        if hands or story.totalled:
            rows.append(
                {
                    "player_id": who,
                    "variant": story.start.variant,
                    "month": month_of(story.entered[0].at),
                    "place": ranking.index(ranks[place]) + 1,
                    "won": place in story.winners,
                    "total": story.score.results[place],
                    "rounds": len(hands),
                    "outs": sum(hand.out for hand in hands),
                }
            )
    return sorted(rows, key=lambda row: row["player_id"])


def attempts_of(story: Story) -> Rows:
    """How often each player tried each step, by the names of `Attempt`.

    None where everybody is on the same step, or while the game goes on.
    """
    if not story.finished or not story.variant.climbs_alone:
        return []
    rows = []
    for place, who in enumerate(story.seats):
        step, tries = story.seating.seats[place].step, 0
        for hands in story.rounds:
            if who not in hands or step > story.variant.steps:
                continue
            tries += 1
            made = hands[who].record.is_down
            if made:
                rows.append(_attempt(story, who, step, tries, made=made))
                step, tries = step + 1, 0
        if tries:
            rows.append(_attempt(story, who, step, tries, made=False))
    return sorted(rows, key=lambda row: (row["player_id"], row["step"]))


def month_of(moment: datetime) -> int:
    """The month of a moment as a number, by universal time: 202611."""
    return 100 * moment.year + moment.month


def rebuild_standings(session: Session) -> None:
    """Add up all tallies and meetings once more, from the appearances."""
    for table, question, names in (
        (Tally, _tally_question, ("player_id", "variant", "span", *_SUMS)),
        (Meeting, _meeting_question, ("player_id", "other_id", "variant", *_MEETS)),
    ):
        session.execute(delete(table))
        for part in question():
            session.execute(insert(table).from_select(names, part))


def verify_standings(session: Session) -> tuple[str, ...]:
    """What is wrong with tallies and meetings, in sentences; none where they add up."""
    wrong = []
    for table, question, keys, names in (
        (Tally, _tally_question, ("player_id", "variant", "span"), _SUMS),
        (Meeting, _meeting_question, ("player_id", "other_id", "variant"), _MEETS),
    ):
        kept = select(*(getattr(table, name) for name in (*keys, *names)))
        found = {tuple(row) for row in session.execute(kept)}
        follows = {tuple(row) for part in question() for row in session.execute(part)}
        wrong += [
            f"What player {player} came to is not the sum of their games."
            for player in sorted({row[0] for row in found ^ follows})
        ]
    return tuple(dict.fromkeys(wrong))


def _attempt(story: Story, who: int, step: int, tries: int, *, made: bool) -> dict[str, Any]:
    of = {"player_id": who, "variant": story.start.variant}
    return {**of, "step": step, "tries": tries, "made": made}


def _rank(story: Story, place: int) -> tuple[bool, bool, int]:
    """What seats are put in order by: who has won first, then who can still win."""
    ranked = story.seating.seats[place].ranked
    return place not in story.winners, not ranked, story.score.places[place]


def _margin(story: Story) -> int | None:
    pad, seats = story.variant.pad, range(len(story.seats))
    others = sorted(
        (story.score.places[place], place)
        for place in seats
        if place not in story.winners and story.seating.seats[place].ranked
    )
    if not story.winners or not others or (pad and pad.counts_wins):
        return None
    first, (behind, second) = story.winners[0], others[0]
    if behind <= story.score.places[first]:
        return None
    return abs(story.score.results[first] - story.score.results[second]) or None


def _is_first(fact: Counted) -> bool:
    """Whether hands were counted that had not been before."""
    return not all(hand.base for hand in fact.hands.values())


def _tallies(rows: Rows) -> dict[tuple[Any, ...], tuple[int, ...]]:
    return {
        (row["player_id"], row["variant"], span): (
            *(1, int(row["won"])),
            *(row["total"], row["rounds"], row["outs"]),
        )
        for row in rows
        for span in (ALL_TIME, row["month"] // 100, row["month"])
    }


def _meetings(rows: Rows) -> dict[tuple[Any, ...], tuple[int, ...]]:
    return {
        (one["player_id"], other["player_id"], one["variant"]): (
            *(1, int(one["place"] < other["place"])),
            int(one["place"] > other["place"]),
        )
        for one in rows
        for other in rows
        if one is not other
    }


def _difference(
    add_up: Callable[[Rows], dict[tuple[Any, ...], tuple[int, ...]]], before: Rows, now: Rows
) -> dict[tuple[Any, ...], list[int]]:
    taken, given = add_up(before), add_up(now)
    nothing = (0,) * len(next(iter({**taken, **given}.values()), ()))
    found = {
        key: [
            new - old
            for new, old in zip(given.get(key, nothing), taken.get(key, nothing), strict=True)
        ]
        for key in sorted({*taken, *given})
    }
    return {key: sums for key, sums in found.items() if any(sums)}


def _add(
    session: Session,
    table: type[Tally | Meeting],
    sums: Mapping[tuple[Any, ...], Sequence[int]],
    names: Sequence[str],
) -> None:
    """Add to rows, the first to make them; what comes to no game is deleted."""
    if not sums:
        return
    keys = tuple(key.name for key in table_of(table).primary_key)
    adding = _adding(table, keys, tuple(names))
    whose = {
        f"its_{name}": tuple(set(each))
        for name, each in zip(keys, zip(*sums, strict=True), strict=True)
    }
    there = set(map(tuple, session.execute(adding.there, whose)))
    more = [
        {f"its_{name}": value for name, value in zip((*keys, *names), (*key, *each), strict=True)}
        for key, each in sums.items()
        if key in there
    ]
    new = [
        dict(zip((*keys, *names), (*key, *each), strict=True))
        for key, each in sums.items()
        if key not in there
    ]
    if more:
        session.execute(adding.add, more)
    if new:
        session.execute(adding.begin, new)
    if any(each[0] < 0 for each in sums.values()):
        session.execute(adding.clear, whose)


class _Adding(NamedTuple):
    """What adds to sums: which are there, more for these, new ones, and none of no game."""

    there: Select[*tuple[Any, ...]]
    add: Update
    begin: Insert
    clear: Delete


@cache
def _adding(record: type[Tally | Meeting], keys: Sequence[str], names: Sequence[str]) -> _Adding:
    """Made once, as in `webapp.ledger`."""
    table = table_of(record)
    its = [table.c[name] == bindparam(f"its_{name}") for name in keys]
    sums = {name: table.c[name] + bindparam(f"its_{name}") for name in names}
    whose = [table.c[name].in_(bindparam(f"its_{name}", expanding=True)) for name in keys]
    return _Adding(
        there=select(*(table.c[name] for name in keys)).where(*whose),
        add=update(table).where(*its).values(sums),
        begin=insert(table),
        clear=delete(table).where(*whose, table.c.games == 0),
    )


def _tally_question() -> Iterable[Select[*tuple[Any, ...]]]:
    month = col(Appearance.month)
    for span in (literal(ALL_TIME), month // 100, month):
        named = span.label("span")
        yield select(
            col(Appearance.player_id),
            col(Appearance.variant),
            named,
            func.count(),
            func.sum(case((col(Appearance.won), 1), else_=0)),
            func.sum(col(Appearance.total)),
            func.sum(col(Appearance.rounds)),
            func.sum(col(Appearance.outs)),
        ).group_by(col(Appearance.player_id), col(Appearance.variant), named)


def _meeting_question() -> Iterable[Select[*tuple[Any, ...]]]:
    one, other = aliased(Appearance), aliased(Appearance)
    ahead = case((col(one.place) < col(other.place), 1), else_=0)
    behind = case((col(one.place) > col(other.place), 1), else_=0)
    of = (col(one.player_id), col(other.player_id), col(one.variant))
    yield (
        select(*of, func.count(), func.sum(ahead), func.sum(behind))
        .join(other, col(other.game_id) == col(one.game_id))
        .where(col(other.player_id) != col(one.player_id))
        .group_by(*of)
    )
