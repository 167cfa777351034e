"""The scorepad: one game as it stands, folded from its entries and ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from sqlalchemy import text

from webapp.ledger import GameNotFoundError, read_story
from webapp.ledger.facts import Noted, Voided
from webapp.services.roster import read_names
from webapp.services.scorepad.banners import (
    say_changed,
    say_entry,
    say_moves,
    say_problems,
)
from webapp.services.scorepad.money import Payment, settle, stake_of
from webapp.services.sentences import say_close
from webapp.services.wording import joined, say_ladder, signed, step_says, title_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

    from referee import Variant
    from webapp.db import Memo
    from webapp.ledger.cells import Entered, Hand
    from webapp.ledger.story import Story

_VERSION: Final = text("SELECT seq, revision FROM game WHERE pub = :pub")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What one player scored in one round; blank until somebody has counted it."""

    player_id: int
    seq: int
    """The entry this stands on; 0 while the cell is blank."""
    points: int | None
    """None while the cell is blank, which is never shown as 0."""
    typed: str
    """The count as it was typed ("20+10+5", "5H KC"), empty if it was only a number."""
    left: int | None
    """What was left in hand, where that is not what the round scored; else None."""
    table: int | None
    """What was scored on the table, where the game asks; else None."""
    how: str
    """How the round was closed ("Colour, ×3"), for the closer; else empty."""
    out: bool
    made: bool | None
    corrected: bool
    away: bool
    """Whether the player was not in this round: joined later, left before, or out of the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One round across the pad, in seat order."""

    number: int
    label: str
    """The round's contract in brief ("2 runs"); empty where everybody has a ladder of their own."""
    cells: tuple[Cell, ...]
    complete: bool
    notes: tuple[str, ...]
    """What the table wrote about this round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatColumn:
    """One player down the pad: who it is, and how they stand after the complete rounds."""

    player_id: int
    name: str
    total: int
    leads: bool
    place: int
    """The place in the standings, from 1; who is level shares one."""
    deals: bool
    starts: bool
    wins: bool
    step: int | None
    """The phase this player is on; None where the step is the round's."""
    step_says: str
    """What that phase asks for ("1 run of 7"); empty where the step is the round's."""
    laid_down: bool
    """Whether a lay-down was recorded for this player in the round being played."""
    games_won: int | None
    """Rounds won, where the standings go by them; else None."""
    plays: bool
    """Whether the player is in the round being played: not left, and not out of the game."""
    left: bool
    """Whether the player has left the table."""
    ranked: bool
    """Whether they can still lead and win."""
    carried: int
    """The points they were given on joining late."""
    takes: int
    """May I's in the round being played."""
    on_table: int | None
    """The points recorded on the table in the round being played, where these score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """One entry that a tap takes back, or brings back."""

    seq: int
    """The entry that the tap voids; the form posts it as ``seq``."""
    says: str
    """What it was: "Ben 65 in round 2"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pad:
    """A game as it stands."""

    pub: str
    variant: Variant
    version: str
    """Changes whenever anything shown changes: "seq.revision"."""
    key: str
    """The form key of every one-tap form on the pad: undo, redo, finish, reopen, rematch."""
    rows: tuple[Row, ...]
    seats: tuple[SeatColumn, ...]
    round_number: int | None
    """The round to be counted next; None once the game is finished or over by the rules."""
    rounds: int | None
    """How many rounds the game has, where that is fixed."""
    title: str
    """What this round asks for ("Two runs of four"), empty where the game asks for nothing; the
    game's result once it is over."""
    note: str
    """What to mind in this round ("Black 2s are wild and cost 20."), or empty.

    Of a game that is over, why somebody with the better total does not win it.
    """
    ladder: str
    """Which list of contracts is played ("Eleven phases, reconstructed"), or empty."""
    dealer: str
    starter: str
    leaders: tuple[str, ...]
    over: bool
    """Whether the rules say that the game has ended."""
    finished: bool
    """Whether the pad is closed: read-only until it is reopened."""
    winners: tuple[str, ...]
    decider: tuple[str, ...]
    """Who may play a decider, once the game is finished and they share the win; else nobody."""
    undo: Undo | None
    redo: Undo | None
    changed: str
    """The latest correction of a past round and what follows from it; empty if there was none."""
    problems: tuple[str, ...]
    """What cannot be true of the scores as they stand, with the round and whom it is about."""
    moves: tuple[str, ...]
    """Who joined late and who left, in sentences."""
    sum_says: str
    """The check sum of a game in which all totals together are nothing ("+65 −25 −40 = 0")."""
    stake_says: str
    """What a point is worth ("0.05 € a point"), or empty."""
    payments: tuple[Payment, ...]
    """Who pays whom, as the game stands."""
    clock: int
    """Seconds for a turn; 0 where turns are not timed."""
    started_at: datetime
    counting: tuple[str, ...]
    """The names that have already counted their hand in this round."""
    advice: bool
    """Whether the phones of this game may ask what can be laid down."""


def read_pad(session: Session, pub: str) -> Pad:
    """Show a game as it stands; raises GameNotFoundError.

    A pad is folded once for each version of its game and remembered: it cannot grow old, because
    everything that changes it changes the version.
    """
    row = session.execute(_VERSION, {"pub": pub}).first()
    if row is None:
        raise GameNotFoundError
    version = f"{row.seq}.{row.revision}"
    memo = cast("Memo", session.info["memo"])
    known = memo.get("pad", pub, version)
    if isinstance(known, Pad):
        return known
    story = read_story(session, pub)
    pad = _show(pub, version, story, read_names(session, story.known))
    memo.keep(pad, "pad", pub, version)
    return pad


def _show(pub: str, version: str, story: Story, names: Mapping[int, str]) -> Pad:
    score, variant = story.score, story.variant
    shown = tuple(names[who] for who in story.seats)
    number = None if story.finished else story.open_round
    winners = tuple(shown[place] for place in story.winners)
    stake = stake_of(story.start.stake, story.start.currency)
    return Pad(
        pub=pub,
        variant=variant,
        version=version,
        key=f"at-{story.entered[-1].seq}",
        rows=_rows(story, number),
        seats=_columns(story, shown, number),
        round_number=number,
        rounds=variant.rounds,
        title=_result(winners) if number is None else title_of(variant, score.step),
        note=variant.round_note(score.step) if number and score.step else story.overtaken,
        ladder=say_ladder(variant),
        dealer=shown[score.dealers[-1]],
        starter=shown[story.starter],
        leaders=tuple(shown[place] for place in score.leaders),
        over=score.over,
        finished=story.finished,
        winners=winners or tuple(shown[place] for place in score.winners),
        decider=tuple(shown[place] for place in score.decider) if story.finished else (),
        undo=_undo(story.last, story, names),
        redo=_redo(story, names),
        changed=say_changed(story, names),
        problems=tuple(say_problems(story, names)),
        moves=tuple(say_moves(story, names)),
        sum_says=_sum(story),
        stake_says=f"{stake.says(stake.units)} a point" if stake else "",
        payments=settle(story, names),
        clock=story.start.clock,
        started_at=story.entered[0].at,
        counting=tuple(names[who] for who in story.counting),
        advice=story.start.advice,
    )


def _sum(story: Story) -> str:
    """Write out that all totals together are nothing, where the game is so."""
    pad = story.variant.pad
    if pad is None or not pad.zero_sum or not story.rounds:
        return ""
    totals = story.score.totals
    return f"{' '.join(map(signed, totals))} = {sum(totals)}"


def _result(winners: tuple[str, ...]) -> str:
    """Say how a game ended."""
    if not winners:
        return "The game is over"
    if len(winners) == 1:
        return f"{winners[0]} wins"
    return f"{joined(winners)} share the win"


def _rows(story: Story, number: int | None) -> tuple[Row, ...]:
    """Lay out the rounds that were played, the one to be counted, and those still to come.

    There is a first round always, also of a game that was ended before anything was counted.
    """
    last = len(story.rounds) + bool(story.counting) or 1
    if number is not None:
        last = max(number, story.variant.rounds or number)
    return tuple(_row(story, row) for row in range(1, last + 1))


def _row(story: Story, number: int) -> Row:
    hands = story.hands_of(number)
    complete = number <= len(story.rounds)
    contract = None if story.variant.climbs_alone else story.variant.contract_at(number)
    points = story.score.points[number - 1] if complete else None
    return Row(
        number=number,
        label=contract.brief if contract else "",
        cells=tuple(
            _cell(story, number, place, hands.get(who), points[place] if points else None)
            for place, who in enumerate(story.seats)
        ),
        complete=complete,
        notes=tuple(
            entry.fact.text
            for entry in story.asides
            if isinstance(entry.fact, Noted) and entry.fact.round == number
        ),
    )


def _cell(story: Story, number: int, place: int, hand: Hand | None, points: int | None) -> Cell:
    who = story.seats[place]
    if hand is None:
        reached = number <= len(story.rounds) + 1
        away = who not in story.players_of(number) if reached else False
        return Cell(
            player_id=who,
            seq=0,
            points=None,
            typed="",
            left=None,
            table=None,
            how="",
            out=False,
            made=None,
            corrected=False,
            away=away or not story.table.plays(who, number),
        )
    table = hand.entered.table
    if points is None:
        points = hand.left if table is None else table - hand.left
    return Cell(
        player_id=who,
        seq=hand.seq,
        points=points,
        typed=hand.typed,
        left=hand.left if hand.left != points and not hand.out else None,
        table=table,
        how=say_close(story, hand.entered) if hand.out else "",
        out=hand.out,
        made=hand.made,
        corrected=hand.corrected,
        away=False,
    )


def _columns(story: Story, shown: tuple[str, ...], number: int | None) -> tuple[SeatColumn, ...]:
    score, variant = story.score, story.variant
    alone, pad, now = variant.climbs_alone, variant.pad, number or 0
    starter = story.starter
    columns = []
    for place, who in enumerate(story.seats):
        laid = story.lay_downs.get((now, who), ())
        columns.append(
            SeatColumn(
                player_id=who,
                name=shown[place],
                total=score.totals[place],
                leads=place in score.leaders,
                place=score.places[place],
                deals=number is not None and place == score.dealers[-1],
                starts=number is not None and place == starter,
                wins=place in story.winners,
                step=score.steps[place] if alone else None,
                step_says=step_says(variant, score.steps[place]) if alone else "",
                laid_down=bool(laid),
                games_won=score.games_won[place] if pad and pad.counts_wins else None,
                plays=score.playing[place],
                left=not story.table.plays(who, now),
                ranked=story.table.seats[place].ranked,
                carried=story.table.seats[place].carried,
                takes=len(story.takes.get((now, who), ())),
                on_table=sum(each.points or 0 for each in laid)
                if pad and pad.asks_table and number
                else None,
            )
        )
    return tuple(columns)


def _undo(entry: Entered | None, story: Story, names: Mapping[int, str]) -> Undo | None:
    if entry is None or story.finished:
        return None
    return Undo(seq=entry.seq, says=say_entry(entry, story, names))


def _redo(story: Story, names: Mapping[int, str]) -> Undo | None:
    void = story.taken_back
    if void is None or story.finished or not isinstance(void.fact, Voided):
        return None
    return Undo(seq=void.seq, says=say_entry(story.entry(void.fact.seq), story, names))
