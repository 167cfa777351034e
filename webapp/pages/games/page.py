"""The contents of the new game page, and the form that it sends."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from referee import Edition, PadRule, Variant
from webapp.language import say
from webapp.pages.games.options import OptionField
from webapp.pages.games.so_far import PaperSeat, SoFar
from webapp.pages.picking.families import by_family, matching
from webapp.pages.rulebook.draft import edition_key
from webapp.pages.rulebook.view import Row
from webapp.players.queries import PlayerLine
from webapp.players.tokens import Token
from webapp.text.formatting import joined

RANDOM: Final = "random"
"""The value of the dealer field for a random dealer."""
OFF: Final = "off"
"""The value of the advice field for no advice."""
AT_ONCE: Final = 3
"""The most games shown before *All games* is tapped, in addition to those of points alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatChoice:
    """A taken seat on the form: the hidden field `seat`, repeated in seat order."""

    value: str
    """The seat value: "12" is the id of a player, "+Zoe" a name that isn’t on the roster yet."""
    name: str
    token: Token


@dataclass(frozen=True, slots=True)
class RoundSeat:
    """A seat at the round table of a game with teams."""

    team: int
    """The number of its team, from 1."""
    taken: SeatChoice | None
    """The player in it; None if it’s free."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGameForm:
    """The new game page, with what was chosen so far."""

    variant: Variant
    choice: str
    """The slug of the game, as the value of the field `variant`."""
    variants: tuple[Variant, ...]
    own: frozenset[str]
    """The slugs of your own games."""
    find: str
    """The search among the games (the field `find`)."""
    players: tuple[PlayerLine, ...]
    """The players of the roster without a seat, a chip each; those who played last come first."""
    for_how_many: str
    """The numbers of players that the game is for: "Rummikub is for 2 to 4 players."."""
    seated: tuple[SeatChoice, ...]
    """The players, in seat order."""
    played: Mapping[str, datetime]
    """When each game was last started, by slug; games never played are left out."""
    name: str
    """A name that can’t be used, back in the field `name`; else empty."""
    round: tuple[RoundSeat, ...]
    """The seats at the round table of a game with teams; none in other games."""
    held: str
    """The seat tapped first, to swap with the one tapped next (the field `held`); or empty."""
    dealer: str
    """The first dealer: "" (the last seat, as the rules say), "random", or a seat's value."""
    options: tuple[OptionField, ...]
    """The options of a game of points alone, and those that an address names."""
    ends: str
    """The name of the option that ends a game of points alone, or STOP (the field `ends`)."""
    opened: bool
    """Whether the options are unfolded, because one of them can’t be read."""
    changes: tuple[Row, ...]
    """The house rules that differ from the game."""
    draft: str
    """The key of their draft, as the field `d` of the form; or empty."""
    patch: Mapping[str, object]
    """The house rules as values by path."""
    called: str
    """The table’s name for a game of points alone (the field `called`), or empty."""
    points: PadRule | None
    """The choices of a game of points alone: target, dealer, who wins; None in other games."""
    asks_stake: bool
    """Whether the game can be for money: the points add up to 0, or there are teams."""
    stake: str
    """The value of a point, as typed (the field `stake`)."""
    currency: str
    """The name of the money (the field `currency`)."""
    stake_problem: str
    asks_clock: bool
    """Whether turns can be timed in this game."""
    clock: str
    """The seconds of a turn, as typed (the field `clock`); "0" is off."""
    clock_problem: str
    asks_advice: bool
    """Whether there is advice for this game."""
    advice: bool
    """Whether phones can ask for advice in this game (the field `advice`)."""
    so_far: SoFar
    """The totals of a game that was started on paper."""
    naming: bool
    """Whether a name was just added, so that the next one can be typed."""
    arranging: bool
    """Whether seats were just moved, so that they can be moved again."""
    problem: str
    """Why the game can’t start like this; or empty."""
    key: str

    @property
    def leaflets(self) -> Iterator[tuple[Edition, str, bool]]:
        """Yield each edition of the game, its value of the field `leaflet`, and if it’s chosen.

        An edition for certain numbers of players isn’t offered to others. While rules are changed,
        the chosen one stays and is no longer a choice, so that no tap discards the changes.
        """
        now = self.variant.edition
        for number, one in enumerate(self.variant.editions, 1):
            if one != now and one.players and len(self.seated) not in one.players:
                continue
            key = edition_key(number) if one.patch else ""
            yield one, key, one == now if now else not one.patch

    @property
    def teams(self) -> tuple[str, ...]:
        """The teams with the players seated so far: "Ann and Cleo"."""
        names: dict[int, list[str]] = {}
        for seat in self.round:
            names.setdefault(seat.team, []).extend([seat.taken.name] if seat.taken else [])
        return tuple(joined(each) for each in names.values() if each)

    @property
    def extras(self) -> tuple[str, ...]:
        """The other choices for a card game: "No stake", "Advice for everyone"."""
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
        """The name on the seat in `held`; or empty."""
        return next((seat.name for seat in self.seated if seat.value == self.held), "")

    @property
    def starts(self) -> str:
        """The label of the button that starts the game: "Start with 2 teams"."""
        if self.round and self.can_start:
            return say("new.start", "teams", n=len(self.teams))
        return say("new.start", "" if self.seated else "nobody", n=len(self.seated))

    @property
    def after_first(self) -> tuple[SeatChoice, ...]:
        """The seats that can move up."""
        return self.seated[1:]

    @property
    def shelves(self) -> tuple[tuple[Variant, ...], tuple[Variant, ...]]:
        """The games shown at first, including the chosen one, and those that *All games* adds."""
        points = tuple(game for game in self.variants if game.points_only)
        ruled = tuple(game for game in self.variants if not game.points_only)
        first = ruled[:AT_ONCE]
        shown = {game.slug: game for game in (*first, *points)}
        if self.variant.slug not in shown:
            first = (*first[:-1], next(g for g in ruled if g.slug == self.variant.slug))
        return (*first, *points), tuple(game for game in ruled if game not in first)

    @property
    def found(self) -> tuple[Variant, ...]:
        """The games that match the search; none without a search."""
        return matching(self.variants, self.find) if self.find else ()

    @property
    def families(self) -> tuple[tuple[str, tuple[Variant, ...]], ...]:
        """The games that are not shown at once, by family."""
        return tuple(by_family(self.shelves[1], self.own))

    @property
    def deals(self) -> str:
        """The value of the seat that deals first; empty for a random one."""
        if self.dealer or not self.seated:
            return "" if self.dealer == RANDOM else self.dealer
        return self.seated[-1].value

    @property
    def dealer_name(self) -> str:
        """The name of the first dealer; empty for a random one."""
        return next((seat.name for seat in self.seated if seat.value == self.deals), "")

    @property
    def asks_dealer(self) -> bool:
        """Whether it matters who deals first."""
        return self.points is None or self.points.deals

    @property
    def asks_name(self) -> bool:
        """Whether the table can give the game a name; a game of your own has one."""
        return self.points is not None and self.variant.slug not in self.own

    @property
    def points_say(self) -> str:
        """The rules of a game of points alone: "Highest total wins · 15 rounds"."""
        assert self.points is not None, "a game of points alone"
        lead, target, rounds = self.points.lead, self.points.asks_at, self.points.asks_after
        ends = (
            say("new.to", points=target) if target else "",
            say("counts.rounds", n=rounds) if rounds else "",
        )
        until = [each for each in ends if each] or [say("new.until")]
        return " · ".join([say("new.points", lead.value.split()[0]), *until])

    @property
    def can_start(self) -> bool:
        """Whether the number of players fits the game."""
        return len(self.seated) in self.variant.players


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGameChoices:
    """The new game form as it was sent; nothing in it is checked yet."""

    variant: str
    find: str = ""
    """The search among the games."""
    seats: tuple[str, ...] = ()
    """Seat values in order: "12" or "+Zoe"."""
    name: str = ""
    add: str = ""
    """The id of a player to seat last."""
    drop: str = ""
    """The seat value to remove."""
    up: str = ""
    """The seat value to move up by one seat."""
    pick: str = ""
    """What to do with the seats: "seats" shuffles them, "partners" changes partners; or empty."""
    tap: str = ""
    """The seat that was tapped at the round table."""
    held: str = ""
    """The seat that was tapped before the one in `tap`, to swap the two."""
    dealer: str = ""
    draft: str = ""
    """The key of the draft of house rules."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The typed values by option name; a missing one has its default."""
    ends: str = ""
    """The option that ends a game of points alone, STOP for none; empty if the form didn’t ask."""
    called: str = ""
    """The table’s name for a game of points alone."""
    stake: str = ""
    currency: str = ""
    clock: str | None = None
    """The seconds of a turn; None if the form had no such field."""
    advice: str = ""
    """The value of the field `advice`: `OFF` if nobody can ask for advice."""
    so_far: tuple[PaperSeat, ...] = ()
    """What was typed of a game that was started on paper, for each of `seats`."""
    next_round: str = ""
    key: str = ""
