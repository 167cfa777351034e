"""The scorepad: one game as it stands, folded from its entries and ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from sqlalchemy import text

from webapp.facts import Corrected, Counted, Disputed, LaidDown, Voided
from webapp.ledger import GameNotFoundError, read_story
from webapp.services.roster import read_names

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

    from referee.variant import Variant
    from webapp.db import Memo
    from webapp.story import Entered, Hand, Story

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
    """The count as it was typed ("20+10+5"), empty if it was only a number."""
    out: bool
    made: bool | None
    corrected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One round across the pad, in seat order."""

    number: int
    label: str
    """The round's contract in brief ("2 runs"); empty where everybody has a ladder of their own."""
    cells: tuple[Cell, ...]
    complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatColumn:
    """One player down the pad: who it is, and how they stand after the complete rounds."""

    player_id: int
    name: str
    total: int
    leads: bool
    deals: bool
    starts: bool
    wins: bool
    step: int | None
    """The phase this player is on; None where the step is the round's."""
    step_says: str
    """What that phase asks for ("1 run of 7"); empty where the step is the round's."""
    laid_down: bool
    """Whether a lay-down was recorded for this player in the round being played."""


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
    """What this round asks for ("Two runs of four"); the game's result once it is over."""
    note: str
    """What to mind in this round ("Black 2s are wild and cost 20."), or empty."""
    dealer: str
    starter: str
    leaders: tuple[str, ...]
    over: bool
    """Whether the rules say that the game has ended."""
    finished: bool
    """Whether the pad is closed: read-only until it is reopened."""
    winners: tuple[str, ...]
    undo: Undo | None
    redo: Undo | None
    changed: str
    """The latest correction of a past round, in words; empty if there was none."""
    problems: tuple[str, ...]
    """What cannot be true of the scores as they stand, in sentences."""
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
    pad = _show(pub, version, story, read_names(session, story.start.seats))
    memo.keep(pad, "pad", pub, version)
    return pad


def title_of(variant: Variant, step: int | None) -> str:
    """Say what a step asks for, as a heading; where steps differ, that they do."""
    contract = variant.contract_at(step)
    if contract:
        return contract.title
    return f"Everybody on a {variant.words.step} of their own"


def step_says(variant: Variant, step: int) -> str:
    """Say what a player's own step asks for: "1 run of 7"; "all done" past the last one."""
    contract = variant.contract_at(step)
    return contract.says if contract else "all done"


def join_names(names: tuple[str, ...]) -> str:
    """Name some people in a sentence: "Ana", "Ana and Ben", "Ana, Ben and Cleo"."""
    *most, last = names or ("nobody",)
    return f"{', '.join(most)} and {last}" if most else last


def _show(pub: str, version: str, story: Story, names: Mapping[int, str]) -> Pad:
    score, variant, seats = story.score, story.variant, story.start.seats
    shown = {place: names[who] for place, who in enumerate(seats)}
    number = None if story.finished else story.open_round
    dealer = score.dealers[-1]
    winners = tuple(shown[place] for place in story.winners)
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
        note=variant.round_note(score.step) if number and score.step else "",
        dealer=shown[dealer],
        starter=shown[(dealer + 1) % len(seats)],
        leaders=tuple(shown[place] for place in score.leaders),
        over=score.over,
        finished=story.finished,
        winners=winners or tuple(shown[place] for place in score.winners),
        undo=_undo(story.last, story, names),
        redo=_redo(story, names),
        changed=_changed(story, names),
        problems=tuple(problem.says for problem in score.problems if problem.certain),
        started_at=story.entered[0].at,
        counting=tuple(names[who] for who in story.counting),
        advice=story.start.advice,
    )


def _result(winners: tuple[str, ...]) -> str:
    if not winners:
        return "Over"
    if len(winners) == 1:
        return f"{winners[0]} wins"
    return f"{join_names(winners)} share the win"


def _rows(story: Story, number: int | None) -> tuple[Row, ...]:
    """Lay out the rounds that were played, the one to be counted, and those still to come."""
    last = len(story.rounds) + bool(story.counting)
    if number is not None:
        last = max(number, story.variant.rounds or number)
    return tuple(_row(story, row) for row in range(1, last + 1))


def _row(story: Story, number: int) -> Row:
    hands = story.hands_of(number)
    complete = number <= len(story.rounds)
    contract = None if story.variant.climbs_alone else story.variant.contract_at(number)
    return Row(
        number=number,
        label=contract.brief if contract else "",
        cells=tuple(
            _cell(who, hands.get(who), story.score.points[number - 1][place] if complete else None)
            for place, who in enumerate(story.start.seats)
        ),
        complete=complete,
    )


def _cell(player_id: int, hand: Hand | None, points: int | None) -> Cell:
    if hand is None:
        return Cell(
            player_id=player_id,
            seq=0,
            points=None,
            typed="",
            out=False,
            made=None,
            corrected=False,
        )
    return Cell(
        player_id=player_id,
        seq=hand.seq,
        points=hand.left if points is None else points,
        typed=hand.typed,
        out=hand.out,
        made=hand.made,
        corrected=hand.corrected,
    )


def _columns(story: Story, shown: Mapping[int, str], number: int | None) -> tuple[SeatColumn, ...]:
    score, seats = story.score, story.start.seats
    alone = story.variant.climbs_alone
    return tuple(
        SeatColumn(
            player_id=who,
            name=shown[place],
            total=score.totals[place],
            leads=place in score.leaders,
            deals=number is not None and place == score.dealers[-1],
            starts=number is not None and place == (score.dealers[-1] + 1) % len(seats),
            wins=place in story.winners,
            step=score.steps[place] if alone else None,
            step_says=step_says(story.variant, score.steps[place]) if alone else "",
            laid_down=number is not None and (number, who) in story.lay_downs,
        )
        for place, who in enumerate(seats)
    )


def _undo(entry: Entered | None, story: Story, names: Mapping[int, str]) -> Undo | None:
    if entry is None or story.finished:
        return None
    return Undo(seq=entry.seq, says=_say(entry, names))


def _redo(story: Story, names: Mapping[int, str]) -> Undo | None:
    void = story.taken_back
    if void is None or story.finished or not isinstance(void.fact, Voided):
        return None
    return Undo(seq=void.seq, says=_say(story.entry(void.fact.seq), names))


def _say(entry: Entered, names: Mapping[int, str]) -> str:
    """Say what an entry was, for the button that takes it back."""
    match entry.fact:
        case LaidDown() as laid:
            return f"{names[laid.player]}’s lay-down in round {laid.round}"
        case Disputed() as argued:
            return f"{names[argued.player]}’s dispute in round {argued.round}"
        case Corrected() as counted:
            who = join_names(tuple(names[player] for player in counted.hands))
            return f"the correction of {who} in round {counted.round}"
        case Counted(hands=hands) as counted if len(hands) == 1:
            ((player, hand),) = hands.items()
            told = "out" if hand.out else hand.left
            return f"{names[player]} {told} in round {counted.round}"
        case Counted() as counted:
            return f"round {counted.round}"
        case _:
            return "the last entry"


def _changed(story: Story, names: Mapping[int, str]) -> str:
    """Tell of a past round that was corrected, until the next hand is counted."""
    entry = story.last
    if entry is None or not isinstance(entry.fact, Corrected):
        return ""
    told = []
    for player in entry.fact.hands:
        hand = story.hands_of(entry.fact.round)[player]
        before = hand.before.says if hand.before else "blank"
        made = hand.before is not None and hand.before.says == hand.says
        change = "made it" if hand.made else "did not make it"
        told.append(f"{names[player]} {change if made else f'{before} → {hand.says}'}")
    at = entry.at.astimezone()
    return f"Round {entry.fact.round} was corrected at {at:%H:%M}: {', '.join(told)}."
