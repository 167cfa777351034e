"""Queries about the roster: the people who play here, each with one name or several."""

import unicodedata
from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from webapp.language import say
from webapp.ledger import ledger
from webapp.ledger.ledger import FormKey
from webapp.ledger.roster import read_log, revise
from webapp.models import NAME_LENGTH, TOKENS, Player, Seat
from webapp.players.tokens import Token, initial_of, next_token
from webapp.text.cleaning import clean_text, compose
from webapp.text.refusals import NameRefusedError, PlayerExistsError, PlayerNotFoundError

MOST_CHARACTERS: Final = 24
"""The most characters of a name, as a reader counts them."""


MOST_OPEN: Final = 40
"""The most players on one page with all their controls."""

PERSON: Final = func.coalesce(col(Player.same_as), col(Player.id))
"""The person that a player is, as SQL: themselves, or the one they were merged into."""

# Made once, as in `webapp.ledger`.
_SEAT: Final = aliased(Seat)
_LAST: Final = (
    select(func.max(col(_SEAT.game_id)))
    .where(col(_SEAT.player_id) == col(Player.id))
    .scalar_subquery()
)
_PLAYERS: Final = select(
    *(col(Player.id), col(Player.name), col(Player.token), col(Player.hidden), PERSON, _LAST)
).order_by(col(Player.name))
_SO_CALLED: Final = col(Player.folded) == bindparam("folded")
_PERSON_CALLED: Final = select(PERSON).where(_SO_CALLED)
_HOLDER: Final = select(col(Player.id)).where(_SO_CALLED)
_COUNTED: Final = select(col(Seat.player_id), func.count()).group_by(col(Seat.player_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """A person on the roster, as pages list them."""

    id: int
    name: str
    token: Token
    games: int
    """The number of games they played, under any of their names; 0 if the page doesn’t count
    them."""
    hidden: bool
    """Whether they are no longer offered for new games."""
    also: tuple[tuple[int, str], ...]
    """The other players who are the same person: number and name."""

    @property
    def choices(self) -> tuple[Token, ...]:
        """The tokens that they can choose."""
        return tuple(Token(number, self.token.initial) for number in range(1, TOKENS + 1))

    @property
    def says(self) -> str:
        """Facts about them: "3 games, also Bne"."""
        also = ", ".join(name for _, name in self.also)
        return say("roster.line", "also" if also else "", n=self.games, names=also)


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenLine:
    """A player who is no longer offered for new games."""

    name: str
    seq: int
    """The number of the change that hid them, which a tap undoes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """The page of the roster: everybody who plays here, by name."""

    players: tuple[PlayerLine, ...]
    """The players offered for new games."""
    hidden: tuple[HiddenLine, ...]
    """The players who are no longer offered."""
    key: str

    @property
    def is_long(self) -> bool:
        """Whether the page is so long that only one player at a time shows their controls."""
        return len(self.players) > MOST_OPEN


def clean_name(text: str) -> str:
    """Return a typed name as it’s stored: composed, trimmed, without invisible characters.

    Control characters, zero-width ones and those that turn the direction of writing are dropped.
    Raises NameRefusedError if nothing is left, or too much.
    """
    if any(letter == "\0" or unicodedata.category(letter) == "Cs" for letter in text):
        raise NameRefusedError
    typed = text[: 8 * NAME_LENGTH]
    name = clean_text(typed)
    marks = sum(unicodedata.category(letter)[0] == "M" for letter in name)
    # A pile of accents is cut before it’s sorted, and isn’t a name anyway.
    if sum(map(bool, map(unicodedata.combining, typed))) > NAME_LENGTH:
        raise NameRefusedError
    if not 0 < len(name) - marks <= MOST_CHARACTERS or len(name) > NAME_LENGTH:
        raise NameRefusedError
    return name


def fold_name(name: str) -> str:
    """Return a name in a form that is equal for names that look alike except for case and width."""
    return compose(compose(name, "NFKC").casefold(), "NFKC")


def read_roster(session: Session) -> Roster:
    """Return the roster, by name."""
    players = sorted(read_players(session), key=lambda player: fold_name(player.name))
    log = read_log(session)
    return Roster(
        players=tuple(player for player in players if not player.hidden),
        hidden=tuple(
            HiddenLine(name=player.name, seq=log.hidden[player.id])
            for player in players
            if player.id in log.hidden and player.id not in log.erased
        ),
        key=ledger.new_key(),
    )


def read_players(session: Session) -> tuple[PlayerLine, ...]:
    """Return everybody on the roster, including hidden players, those who played last first."""
    counted = session.connection().execute(_COUNTED)
    return _lines(session, {row[0]: row[1] for row in counted})


def read_faces(session: Session) -> tuple[PlayerLine, ...]:
    """Return everybody as `read_players` does, but with 0 games each: counting them takes long."""
    return _lines(session, {})


def _lines(session: Session, games: dict[int, int]) -> tuple[PlayerLine, ...]:
    """Return a line for each person, those who played last first; in a tie, by number of games.

    `games` has the number of games by player id. The games of merged players are added to it.
    """
    # Without a Session this takes half the time.
    rows = session.connection().execute(_PLAYERS).all()
    lately: dict[int, int] = {}
    also: dict[int, list[tuple[int, str]]] = {}
    for number, name, _, _, person, last in rows:
        lately[person] = max(lately.get(person, 0), last or 0)
        if person != number:
            also.setdefault(person, []).append((number, name))
            games[person] = games.get(person, 0) + games.get(number, 0)
    lines = [
        PlayerLine(
            id=number,
            name=name,
            token=Token(token, initial_of(name)),
            games=games.get(number, 0),
            hidden=hidden,
            also=tuple(also.get(number, ())),
        )
        for number, name, token, hidden, person, _ in rows
        if person == number
    ]
    return tuple(sorted(lines, key=lambda line: (-lately[line.id], -line.games)))


def choose_token(session: Session, player_id: int, token: int, form_key: FormKey) -> None:
    """Give a player another token, at every table where nobody else has it.

    Only the display depends on it, so it isn’t in the log. Raises PlayerNotFoundError and
    KeyConflictError.
    """
    player = session.get(Player, player_id)
    if player is None or token not in range(1, TOKENS + 1):
        raise PlayerNotFoundError
    if ledger.remember_submission(
        session, make_submission(f"token-{player_id}", form_key, str(token))
    ):
        player.token = token
        revise(session, (player_id,))


def add_player(session: Session, text: str, form_key: FormKey) -> None:
    """Add somebody to the roster, once for each form.

    Raises NameRefusedError or PlayerExistsError.
    """
    name = clean_name(text)
    if not ledger.remember_submission(session, make_submission("add", form_key, name)):
        return
    if find_holder(session, name) is not None:
        raise PlayerExistsError
    _add(session, name)


def find_or_add(session: Session, text: str) -> int:
    """Return the id of the player with a name, who is added if they are new.

    Raises NameRefusedError.
    """
    name = clean_name(text)
    found = find_player(session, name)
    return _add(session, name) if found is None else found


def find_player(session: Session, name: str) -> int | None:
    """Return the id of the player with this name, or one that looks the same.

    None if there isn’t one.
    """
    return session.execute(_PERSON_CALLED, {"folded": fold_name(name)}).scalar_one_or_none()


def find_holder(session: Session, name: str) -> int | None:
    """Return the id of the player with this name, even if they were merged into another player.

    `find_player` returns the other player then. None if nobody has the name.
    """
    return session.execute(_HOLDER, {"folded": fold_name(name)}).scalar_one_or_none()


def make_submission(command: str, form_key: FormKey, content: str) -> ledger.Submission:
    """Return the submission of a roster change, by which it’s recognized when sent again."""
    return ledger.Submission.by_content(form_key, f"{command} {content}")


def _add(session: Session, name: str) -> int:
    player = Player(name=name, folded=fold_name(name), token=next_token(session))
    session.add(player)
    session.flush()
    return player.id or 0
