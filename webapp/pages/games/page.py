"""What the new game page shows, and what comes back from it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from referee import Edition, PadRule, Variant
from webapp.language import say
from webapp.pages.games.options import OptionField
from webapp.pages.picking.families import by_family, matching
from webapp.pages.rulebook.draft import leaflet
from webapp.pages.rulebook.view import Row
from webapp.players.queries import PlayerLine
from webapp.players.tokens import Token
from webapp.text.formatting import joined

RANDOM: Final = "random"
"""The dealer field of a form that leaves it to chance."""
OFF: Final = "off"
"""The advice field of a form that wants none."""
AT_ONCE: Final = 3
"""Games that are shown before *All games* is tapped, those of points alone aside."""
LONGEST_NAME: Final = 24
"""Letters of what a table calls a game of points alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatChoice:
    """One seat taken on the form: the hidden field ``seat``, repeated in seat order."""

    value: str
    """ "12" for a player of the roster, "+Zoe" for a name that is not on it yet. """
    name: str
    token: Token


@dataclass(frozen=True, slots=True)
class RoundSeat:
    """One seat round the table of a game in teams."""

    team: int
    """Its team, from 1."""
    taken: SeatChoice | None
    """Who sits there; None while nobody does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGameForm:
    """The new game page, with what was chosen so far."""

    variant: Variant
    choice: str
    """The value of the field ``variant``: its slug."""
    variants: tuple[Variant, ...]
    own: frozenset[str]
    """The slugs of those that this house made."""
    find: str
    """What was looked for among them (the field ``find``)."""
    players: tuple[PlayerLine, ...]
    """The roster without those seated: a chip each, who played last first."""
    for_how_many: str
    """ "Rummikub is for 2 to 4 players." """
    seated: tuple[SeatChoice, ...]
    """The players, in seat order."""
    played: Mapping[str, datetime]
    """When each game was last started, by slug; games never played are left out."""
    name: str
    """A name that was refused, back in the field ``name``; else empty."""
    round: tuple[RoundSeat, ...]
    """The seats round the table of a game in teams; none where everybody plays alone."""
    held: str
    """The seat value that was tapped to change places with the next one (the field ``held``)."""
    dealer: str
    """The first dealer: "" (the last seat, as the rules say), "random", or a seat's value."""
    options: tuple[OptionField, ...]
    """What is chosen of a game of points alone, and options that an address names."""
    opened: bool
    """Whether these are open: something in them is wrong."""
    changes: tuple[Row, ...]
    """The house rules: what is different from the game."""
    draft: str
    """The key of their draft, as the field ``d`` of the form; or empty."""
    patch: Mapping[str, object]
    """They as values by path."""
    called: str
    """What the table calls a game of points alone (the field ``called``), or empty."""
    points: PadRule | None
    """What was chosen of a game of points alone: target, dealer, who wins; else None."""
    asks_stake: bool
    """Whether a stake may be set: what one wins the others lose, or they play in teams."""
    stake: str
    """What a point is worth, as typed (the field ``stake``)."""
    currency: str
    """The word for the money (the field ``currency``)."""
    stake_problem: str
    asks_clock: bool
    """Whether turns can be timed in this game."""
    clock: str
    """Seconds for a turn, as typed (the field ``clock``); "0" is off."""
    clock_problem: str
    asks_advice: bool
    """Whether there is advice for this game."""
    advice: bool
    """Whether the phones of the game may ask what can be laid down: the field ``advice``."""
    naming: bool
    """Whether a name was just added, so that the next one can be typed."""
    arranging: bool
    """Whether seats were just moved, so that they can be moved again."""
    problem: str
    """Why the game cannot start like this; or empty."""
    key: str

    @property
    def leaflets(self) -> Iterator[tuple[Edition, str, bool]]:
        """The editions of the game, each as the field ``leaflet``, and whether it is chosen.

        One that is printed for so many players is offered to no others. The one that is chosen
        stays so while rules are changed: it is no question then, and no tap throws them away.
        """
        now = self.variant.edition
        for number, one in enumerate(self.variant.editions, 1):
            if one != now and one.players and len(self.seated) not in one.players:
                continue
            key = leaflet(number) if one.patch else ""
            yield one, key, one == now if now else not one.patch

    @property
    def teams(self) -> tuple[str, ...]:
        """The teams as far as they sit: "Ann and Cleo"."""
        names: dict[int, list[str]] = {}
        for seat in self.round:
            names.setdefault(seat.team, []).extend([seat.taken.name] if seat.taken else [])
        return tuple(joined(each) for each in names.values() if each)

    @property
    def extras(self) -> tuple[str, ...]:
        """What else is chosen of a game of cards: "No stake", "Advice for everyone"."""
        if self.points:
            return ()
        off = self.clock in {"", "0"}
        clock = say("new.clock", "none" if off else "", seconds=self.clock)
        stake = say("new.stake", "" if self.stake else "none", stake=self.stake)
        advice = say("new.advice", "on" if self.advice else "off")
        asked = {clock: self.asks_clock, stake: self.asks_stake, advice: self.asks_advice}
        return tuple(says for says, is_asked in asked.items() if is_asked)

    @property
    def held_name(self) -> str:
        """Who was tapped to change places with the next one; or empty."""
        return next((seat.name for seat in self.seated if seat.value == self.held), "")

    @property
    def starts(self) -> str:
        """What the button that starts the game says: "Start with 2 teams"."""
        if self.round and self.can_start:
            return say("new.start", "teams", n=len(self.teams))
        return say("new.start", "" if self.seated else "nobody", n=len(self.seated))

    @property
    def after_first(self) -> tuple[SeatChoice, ...]:
        """Everybody who can move up a seat."""
        return self.seated[1:]

    @property
    def shelves(self) -> tuple[tuple[Variant, ...], tuple[Variant, ...]]:
        """The games that are shown at once, the one chosen among them; and all the others."""
        points = tuple(game for game in self.variants if game.points_only)
        ruled = tuple(game for game in self.variants if not game.points_only)
        first = ruled[:AT_ONCE]
        shown = {game.slug: game for game in (*first, *points)}
        if self.variant.slug not in shown:
            first = (*first[:-1], next(g for g in ruled if g.slug == self.variant.slug))
        return (*first, *points), tuple(game for game in ruled if game not in first)

    @property
    def found(self) -> tuple[Variant, ...]:
        """The games that were looked for; none where nothing was."""
        return matching(self.variants, self.find) if self.find else ()

    @property
    def families(self) -> tuple[tuple[str, tuple[Variant, ...]], ...]:
        """The games that are not shown at once, by family."""
        return tuple(by_family(self.shelves[1], self.own))

    @property
    def deals(self) -> str:
        """The value of the seat that deals first; empty if that is left to chance."""
        if self.dealer or not self.seated:
            return "" if self.dealer == RANDOM else self.dealer
        return self.seated[-1].value

    @property
    def dealer_name(self) -> str:
        """The first dealer; empty if that is left to chance."""
        return next((seat.name for seat in self.seated if seat.value == self.deals), "")

    @property
    def asks_dealer(self) -> bool:
        """Whether it matters who deals first."""
        return self.points is None or self.points.deals

    @property
    def points_say(self) -> str:
        """How a game of points alone goes: "Highest score wins, no target"."""
        assert self.points is not None, "a game of points alone"
        lead, target = self.points.lead.value.split()[0], self.points.asks_at
        return say("new.points", lead, "target" if target else "", target=target)

    @property
    def can_start(self) -> bool:
        """Whether there are as many players as the game is for."""
        return len(self.seated) in self.variant.players


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGameChoices:
    """The new game form as it came in; nothing in it is checked yet."""

    variant: str
    find: str = ""
    """What is looked for among the games."""
    seats: tuple[str, ...] = ()
    """Seat values in order: "12" or "+Zoe"."""
    name: str = ""
    add: str = ""
    """The id of a player who sits down last."""
    drop: str = ""
    """The seat value that is taken off."""
    up: str = ""
    """The seat value that moves up one."""
    pick: str = ""
    """ "seats" to leave them to chance, "partners" to sit with the next partner. """
    tap: str = ""
    """The seat value that was tapped at the round table."""
    held: str = ""
    """The one that was tapped before it, and changes places."""
    dealer: str = ""
    draft: str = ""
    """The house rules, by the key of their draft."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Form text by option name; a missing one has its default."""
    called: str = ""
    """What the table calls a game of points alone."""
    stake: str = ""
    currency: str = ""
    clock: str | None = None
    """Seconds for a turn; None if the form had no such field."""
    advice: str = ""
    """ "off" where nobody may ask what can be laid down. """
    key: str = ""
