"""The roster: the people who play here, each under one name or several."""

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
"""Characters of a name as a reader counts them."""


MOST_OPEN: Final = 40
"""Players on one page with all that can be changed of each."""

PERSON: Final = func.coalesce(col(Player.same_as), col(Player.id))
"""A player, for a question: themselves, or the one they were merged into."""

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
    """One person on the roster."""

    id: int
    name: str
    token: Token
    games: int
    """How many games they have sat at, under any of their names."""
    hidden: bool
    """Whether they are no longer offered for a new game."""
    also: tuple[tuple[int, str], ...]
    """The players who were found to be the same person: number and name."""

    @property
    def choices(self) -> tuple[Token, ...]:
        """The tokens that they may have."""
        return tuple(Token(number, self.token.initial) for number in range(1, TOKENS + 1))

    @property
    def says(self) -> str:
        """What is known of them: "3 games, also Bne"."""
        also = ", ".join(name for _, name in self.also)
        return say("roster.line", "also" if also else "", n=self.games, names=also)


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenLine:
    """Somebody who is no longer offered for a new game."""

    name: str
    seq: int
    """The change of the roster that hid them, which a tap takes back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Everybody, by name."""

    players: tuple[PlayerLine, ...]
    """Players offered for a new game."""
    hidden: tuple[HiddenLine, ...]
    """Players not offered."""
    key: str

    @property
    def is_long(self) -> bool:
        """Whether what can be changed is shown of one player at a time."""
        return len(self.players) > MOST_OPEN


def clean_name(text: str) -> str:
    """Make a typed name fit to be kept: composed, trimmed, without what cannot be seen.

    Control characters, zero-width ones and those that turn the direction of writing are dropped.
    Raises NameRefusedError where nothing is left, or too much.
    """
    if any(letter == "\0" or unicodedata.category(letter) == "Cs" for letter in text):
        raise NameRefusedError
    typed = text[: 8 * NAME_LENGTH]
    name = clean_text(typed)
    marks = sum(unicodedata.category(letter)[0] == "M" for letter in name)
    # A heap of accents is cut before it is put in order, and is no name even so.
    if sum(map(bool, map(unicodedata.combining, typed))) > NAME_LENGTH:
        raise NameRefusedError
    if not 0 < len(name) - marks <= MOST_CHARACTERS or len(name) > NAME_LENGTH:
        raise NameRefusedError
    return name


def fold_name(name: str) -> str:
    """Make names equal that look alike but for case and width."""
    return compose(compose(name, "NFKC").casefold(), "NFKC")


def read_roster(session: Session) -> Roster:
    """Show everybody by name."""
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
    """Everybody on the roster, the hidden ones too, who played last first."""
    counted = session.connection().execute(_COUNTED)
    return _lines(session, {row[0]: row[1] for row in counted})


def read_faces(session: Session) -> tuple[PlayerLine, ...]:
    """The same, of whom nobody asks how many games they have sat at: that takes long to count."""
    return _lines(session, {})


def _lines(session: Session, games: dict[int, int]) -> tuple[PlayerLine, ...]:
    """Everybody, who played last first; of those who did together who has more games."""
    # Without the session it takes half the time.
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
    """Let a player have another token, at every table where nobody else has it.

    Nothing depends on it but what is shown, so it is not in the log. Raises PlayerNotFoundError
    and KeyReusedError.
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
    """Put somebody on the roster, once for each form.

    Raises NameRefusedError and PlayerExistsError.
    """
    name = clean_name(text)
    if not ledger.remember_submission(session, make_submission("add", form_key, name)):
        return
    if find_holder(session, name) is not None:
        raise PlayerExistsError
    _add(session, name)


def find_or_add(session: Session, text: str) -> int:
    """The id of the player with that name; a new one is added.

    Raises NameRefusedError.
    """
    name = clean_name(text)
    found = find_player(session, name)
    return _add(session, name) if found is None else found


def find_player(session: Session, name: str) -> int | None:
    """The id of whoever has that name, or one that looks the same."""
    return session.execute(_PERSON_CALLED, {"folded": fold_name(name)}).scalar_one_or_none()


def find_holder(session: Session, name: str) -> int | None:
    """The id under which that name stands, also where it is of somebody with another by now."""
    return session.execute(_HOLDER, {"folded": fold_name(name)}).scalar_one_or_none()


def make_submission(command: str, form_key: FormKey, content: str) -> ledger.Submission:
    """The form of a change of the roster, by which it is known when it is sent again."""
    return ledger.Submission.by_content(form_key, f"{command} {content}")


def _add(session: Session, name: str) -> int:
    player = Player(name=name, folded=fold_name(name), token=next_token(session))
    session.add(player)
    session.flush()
    return player.id or 0
