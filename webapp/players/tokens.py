"""Tokens: the color, shape and initials by which players are recognized on every page."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.game.replay import GameState
from webapp.ledger.roster import read_shown
from webapp.models import TOKENS, Player

Who = TypeVar("Who")

_LETTERS: Final = 2
"""The most letters on a token."""
_FITS: Final = 7
"""The most letters of a name that isn’t cut: "Grandad" fits, and “Gran.” could be somebody else."""
_BEGINNING: Final = 4
"""The letters that a longer name is cut to."""
_VOWELS: Final = frozenset("aeiouyáéíóú")


@dataclass(frozen=True, slots=True)
class Token:
    """How one player is shown at one table."""

    number: int
    """The color and the shape, from 1 to `TOKENS`."""
    initial: str
    """The text on it: a letter of the name, or whatever the name starts with; 2 letters if another
    name at the table starts with the same one."""
    forms: tuple[str, ...] = ()
    """Shorter forms of the name, longest first; nobody else at the table can have one of them."""
    team: int = 0
    """The team, from 1, whose color it has; 0 for a player who plays alone."""


@dataclass(frozen=True, slots=True)
class People:
    """The players of a game by number: their names and tokens."""

    names: Mapping[int, str]
    tokens: Mapping[int, Token]


def initial_of(name: str) -> str:
    """Return the letter on somebody's token.

    >>> initial_of("ana"), initial_of("  'Öz"), initial_of("★")
    ('A', 'Ö', '★')
    """
    letter = next((each for each in name if each.isalnum()), name.strip()[:1])
    return letter.upper()[:1]


def initials_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return the letters on the tokens of people at one table.

    If two share the first letter, each also has the first letter in which it differs.

    >>> initials_of(["Anna", "Annika", "Ben"])
    ('Aa', 'Ai', 'B')
    """

    def write(place: int) -> str:
        first = initial_of(names[place])
        same = [name for name in names if initial_of(name) == first]
        for letters in zip(*(name.casefold() for name in same), strict=False) if same[1:] else ():
            if len(set(letters)) == len(same) and all(map(str.isalnum, letters)):
                return f"{first}{letters[same.index(names[place])]}"
        return first

    return tuple(map(write, range(len(names))))


def short_forms(names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return shorter forms of the names of people at one table, longest first.

    They are the first word, its own short form if it’s long, the last word with an initial, and the
    initials. A form that could be somebody else’s is left out.

    >>> short_forms(["Grandma Edith", "Grandma Rosa", "Ben"])
    (('G. Edith', 'GE'), ('G. Rosa', 'GR'), ('B.',))
    >>> short_forms(["Maximiliane Wolke", "Anne-Sophie", "Grandad"])
    (('Maximiliane', 'M. Wolke', 'Maxi', 'MW'), ('Anne-S.', 'A.'), ('G.',))
    """
    forms = [tuple(_shorten(name)) for name in names]
    used = Counter(
        form.casefold() for name, more in zip(names, forms, strict=True) for form in {name, *more}
    )
    return tuple(tuple(form for form in more if used[form.casefold()] == 1) for more in forms)


def _shorten(name: str) -> Iterator[str]:
    first, *others = name.split()
    own = list(_own_short_form(first))
    if not others:
        yield from own
        if len(first) > _BEGINNING - 2:
            yield f"{first[0]}."
        return
    initials = "".join(word[0] for word in (first, *others)).upper()
    forms = (first, f"{first[0]}. {others[-1]}", *own, initials)
    yield from sorted(forms, key=len, reverse=True)


def _own_short_form(first: str) -> Iterator[str]:
    """Yield the short form of a first name: "Anne-S.", "Maxi", "Alex."; none if it’s short."""
    if len(first) <= _FITS:
        return
    head, hyphen, tail = first.partition("-")
    if hyphen and tail and len(head) <= _FITS:
        yield f"{head}-{tail[0]}."
        return
    begins = first[:_BEGINNING]
    yield begins if begins[-1].casefold() in _VOWELS else f"{begins}."


def deal_tokens(*wanted: Mapping[Who, int]) -> dict[Who, int]:
    """Return a token of their own for everybody at a table, by player.

    Each mapping has the tokens of people who sat down together: a player whose token is free keeps
    it, and the others get the next free one. Players who sit down later take no token from those
    who are there. If there are more people than tokens, some share one.

    >>> deal_tokens({7: 1, 8: 1, 9: 2}, {10: 1})
    {7: 1, 9: 2, 8: 3, 10: 4}
    """
    dealt: dict[Who, int] = {}
    taken: set[int] = set()
    for together in wanted:
        for player, token in together.items():
            if token not in taken and player not in dealt:
                dealt[player] = token
                taken.add(token)
        for player, token in together.items():
            if player not in dealt:
                around = ((token - 1 + step) % TOKENS + 1 for step in range(TOKENS))
                dealt[player] = next((other for other in around if other not in taken), token)
                taken.add(dealt[player])
    return dealt


def deal_to(people: Iterable[tuple[int, str, int]]) -> dict[int, Token]:
    """Return the token of each person at a table, by their id, so that no two have the same.

    `people` are each an id, a name, and the token that they have elsewhere; if it’s taken, they get
    the next free one.
    """
    known = {who: (name, token) for who, name, token in people}
    dealt = deal_tokens({who: token for who, (_, token) in known.items()})
    return {who: Token(dealt[who], initial_of(name)) for who, (name, _) in known.items()}


def read_people(session: Session, state: GameState) -> People:
    """Return everybody who ever played in a game, as they are shown in it."""
    shown = read_shown(session, state.known)
    first = {who: shown[who].token for who in state.start.seats}
    late = ({who: shown[who].token} for who in state.known if who not in first)
    dealt = deal_tokens(first, *late)
    names = {who: each.name for who, each in shown.items()}
    every = tuple(names.values())
    written = zip(names, initials_of(every), short_forms(every), strict=True)
    team_of = dict(_teams(state))
    tokens = {
        who: Token(dealt[who], initial, forms, team_of.get(who, 0))
        for who, initial, forms in written
    }
    return People(names=names, tokens=tokens)


def team_token(partners: Sequence[Token], names: Sequence[str]) -> Token:
    """Return the token of a team: that of its first player, with the letters of all if they fit.

    Its names can be shortened, down to those letters: "A + C".
    """
    letters = [token.initial for token in partners]
    initial = "".join(letters) if len("".join(letters)) <= _LETTERS else letters[0]
    short = [
        token.forms[0] if token.forms and " " in name else name
        for token, name in zip(partners, names, strict=True)
    ]
    forms = dict.fromkeys(" + ".join(each) for each in (names, short, letters))
    return replace(partners[0], initial=initial, forms=tuple(forms))


def _teams(state: GameState) -> Iterator[tuple[int, int]]:
    """Yield everybody who plays in a team, with its number from 1."""
    seats = state.start.seats
    if state.variant.in_teams(len(seats)):
        for number, team in enumerate(state.variant.teams(len(seats)), 1):
            yield from ((seats[place], number) for place in team)


def next_token(session: Session) -> int:
    """Return the token for a new player: the first of those that the fewest others have."""
    have = func.count().label("players")
    counted = session.execute(select(col(Player.token), have).group_by(col(Player.token)))
    counts = {row.token: row.players for row in counted}
    return min(range(1, TOKENS + 1), key=lambda token: counts.get(token, 0))
