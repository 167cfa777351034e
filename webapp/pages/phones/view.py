"""The phones of a game: what each has entered, and what undoing it would change.

If somebody has entered nonsense, this page fixes it: each entry of that phone is undone, what other
phones saved in between stays, and all of it can be redone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from webapp.game.facts import Counted, Noted, Undone, Voided
from webapp.game.replay import GameState
from webapp.game.state import OF_PHONE, LoggedFact
from webapp.language import say
from webapp.ledger import ledger
from webapp.ledger.roster import shown_names
from webapp.pages.scorepad.events import say_entry
from webapp.pages.scorepad.sentences import describe_changes
from webapp.text.formatting import capital, joined
from webapp.text.refusals import PhoneNotFoundError


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneLine:
    """A phone that has entered something."""

    number: int
    """The phone’s number in this game, from 1, in the order of the phones’ first entries."""
    says: str
    """What the page calls the phone: "Phone 2, this one"."""
    count: int
    """The number of its entries that can be undone."""
    last: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoneLine:
    """An `Undone`: several entries of a phone that were undone at once."""

    seq: int
    """The number of the entry that redoing voids."""
    says: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PhonesPage:
    """The phones of a game."""

    pub: str
    phones: tuple[PhoneLine, ...]
    undone: tuple[UndoneLine, ...]
    finished: bool
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """One entry of a phone."""

    seq: int
    says: str
    at: datetime
    stands: bool
    """Whether it’s still in force; False if it was undone already."""
    chosen: bool
    """Whether it would be undone: undoing begins at this entry or an earlier one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhonePage:
    """The entries of a phone, and what undoing them from some entry on would change."""

    pub: str
    number: int
    says: str
    entries: tuple[EntryLine, ...]
    """The entries, the latest first."""
    since: int
    """The entry from which on everything is undone (the field `since`)."""
    follows: tuple[str, ...]
    """Other consequences, in sentences."""
    can_undo: bool
    key: str


def read_phones(session: Session, pub: str, device: str) -> PhonesPage:
    """Return the phones that have entered something; `device` is the current one.

    Raises GameNotFoundError.
    """
    state = ledger.read_game(session, pub)
    names = shown_names(session, state.known)
    phones = (
        (number, each, [entry for entry in state.entered if entry.device == each])
        for number, each in enumerate(_devices(state), 1)
    )
    return PhonesPage(
        pub=pub,
        phones=tuple(
            PhoneLine(
                number=number,
                says=_name(number, each, device),
                count=len(_entries(state, each)),
                last=entries[-1].at,
            )
            for number, each, entries in phones
        ),
        undone=tuple(
            UndoneLine(seq=entry.seq, says=say_entry(entry, state, names), at=entry.at)
            for entry in state.entered
            if isinstance(entry.fact, Undone) and entry.fact.phone and entry.seq not in state.void
        ),
        finished=state.finished,
        key=ledger.new_key(),
    )


def read_phone(
    session: Session, pub: str, number: int, since: int | None, device: str
) -> PhonePage:
    """Return what one phone has entered, and what undoing it would change.

    Raises PhoneNotFoundError or GameNotFoundError.
    """
    state = ledger.read_game(session, pub)
    asked = device_of(state, number)
    entries = _entries(state, asked)
    names = shown_names(session, state.known)
    start = since or 1
    facts = () if state.finished else undoing(state, asked, start)
    return PhonePage(
        pub=pub,
        number=number,
        says=_name(number, asked, device),
        entries=tuple(
            EntryLine(
                seq=entry.seq,
                says=_say(entry, state, names),
                at=entry.at,
                stands=entry.seq not in state.void,
                chosen=entry.seq >= start,
            )
            for entry in reversed(entries)
        ),
        since=start,
        follows=tuple(_describe(state, state.with_facts(facts), names, asked)) if facts else (),
        can_undo=bool(facts),
        key=ledger.new_key(),
    )


def _devices(state: GameState) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.device for entry in state.entered))


def device_of(state: GameState, number: int) -> str:
    """Return the device that the page calls phone `number`, from 1; raise PhoneNotFoundError."""
    devices = _devices(state)
    if not 1 <= number <= len(devices):
        raise PhoneNotFoundError
    return devices[number - 1]


def _name(number: int, device: str, asking: str) -> str:
    return say("phones.phone", "this" if device and device == asking else "", number=number)


def _entries(state: GameState, device: str) -> tuple[LoggedFact, ...]:
    """Return what a phone has entered and can be undone, in order, including its own undos."""
    return tuple(
        entry
        for entry in state.entered
        if entry.device == device and isinstance(entry.fact, OF_PHONE | Voided | Undone)
    )


def _say(entry: LoggedFact, state: GameState, names: Mapping[int, str]) -> str:
    if isinstance(entry.fact, Noted):
        return say("phones.note", number=entry.fact.round, text=entry.fact.text)
    return capital(say_entry(entry, state, names))


def undoing(state: GameState, device: str, since: int) -> tuple[Undone, ...]:
    """Return the fact that undoes a phone’s entries from `since` on; none if all are undone."""
    seqs = tuple(entry.seq for entry in _entries(state, device) if entry.seq >= since)
    return (Undone(phone=device, seqs=seqs),) if set(seqs) - state.void else ()


def _describe(
    before: GameState, after: GameState, names: Mapping[int, str], device: str
) -> Iterator[str]:
    for seq in sorted(before.standing - after.standing):
        entry = before.entry(seq)
        if entry.device != device:
            yield say("phones.too", what=say_entry(entry, before, names))
    if after.open_round and after.open_round <= len(before.rounds):
        missing = [who for who in after.players_of(after.open_round) if who not in after.counting]
        told = joined(names[who] for who in missing)
        yield say("phones.again", number=after.open_round, names=told)
    later = sorted(
        {
            entry.fact.round
            for entry in after.entered
            if entry.seq in after.standing
            and isinstance(entry.fact, Counted)
            and entry.fact.round > after.reached
        }
    )
    for number in later:
        yield say("phones.later", number=number)
    for who in before.seats:
        if who not in after.seats:
            yield say("phones.gone", name=names[who])
    yield from describe_changes(before, after, names)
