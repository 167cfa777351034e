"""A game as one value: packs, melds, contracts, scoring, options, words and examples.

A variant is built from a description (`referee.describing`), and one with house rules from the
description as these change it. No code asks which game it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from referee.cards import Card, Pack
from referee.melds.bonuses import MeldBonus, bonus_of
from referee.melds.contracts import Contract, ContractRule
from referee.melds.rules import MeldRules, RunRule, SetRule, WildRule
from referee.options import CHANGE, OptionKind
from referee.pad import AsideRule, ClockRule, Counts, PadRule, ReserveRule
from referee.plays import Play
from referee.rulebook import Rulebook
from referee.rulings import Code, Found, Reading, TableWorth
from referee.saying import ENGLISH, WORDS, Catalogue, Said, ShownError, Speaker, wrong
from referee.scoring import Ending, Settlement, never
from referee.teams import teams
from referee.turns.closing import BIG_GIN, CLOSED, CloseRule
from referee.turns.discards import PileRule
from referee.turns.going_out import OutRule
from referee.turns.layoffs import LayOffRule
from referee.turns.opening import LayRule, OpeningRule
from referee.turns.rearranging import RearrangeRule
from referee.turns.swaps import SwapRule
from referee.turns.upcard import UpcardRule
from referee.values import CardValues, ValueClass

_melds: Final = lru_cache(maxsize=256)(MeldRules)
"""Makes the rules for melds; equal rules are the same object, so cached readings are found
again."""

_REMEMBERED: Final = 512
"""How many games have their deals, tables and speakers cached."""

Way: TypeAlias = ContractRule | LayRule | CloseRule
"""How melds are laid: under a contract, freely, or as a whole hand. A game has one of these."""

RULES_VERSION: Final = "4"
"""The version of the rules. It goes up with every change that could rule or score a play
differently."""


class OptionError(ValueError):
    """Raised for a house rule that the game doesn’t have, or for a value it can’t have.

    `unknown` is true if the game has no such house rule.

    >>> from referee import variants
    >>> variants.get("mexican-rummy").with_options({"wrap": 3})
    Traceback (most recent call last):
        ...
    referee.variant.OptionError: Around the corner: It can be one of false, true.
    """

    def __init__(self, says: str, *, unknown: bool = False) -> None:
        super().__init__(says)
        self.unknown = unknown


class Option(NamedTuple):
    """A house rule that can be chosen when a game is started.

    >>> from referee import variants
    >>> option = variants.get("mexican-rummy").options[0]
    >>> option.name, option.title, option.default
    ('wrap', 'Around the corner', False)
    """

    name: str
    title: str
    clause: str
    """The id of the clause that the option is about, in a game where it has its default value."""
    kind: OptionKind
    default: object


class Edition(NamedTuple):
    """House rules that belong together, because one leaflet has them.

    >>> from referee import variants
    >>> [edition.title for edition in variants.get("gin-rummy").editions]
    ['Plain', 'Bicycle', 'Straight']
    """

    name: str
    """Its name in the description; empty for the game without house rules."""
    title: str
    patch: Mapping[str, object]
    """The values that it sets, by path."""
    players: range | None = None
    """The numbers of players it is for, if it changes them; else None."""


class Words(NamedTuple):
    """The game’s own words for what players do; nouns for cards are in the catalogues."""

    step: str = "round"
    """The word for what each contract belongs to: "round" or "phase"."""
    contract: str = "contract"
    lay_down: str = "lay down"
    lay_off: str = "lay off"
    close: str = "close"
    """The verb for ending a round by showing a hand."""
    out: str = "Out"


class Example(NamedTuple):
    """A play with its verdict; a page shows it, and a test checks the referee against it.

    >>> from referee import variants
    >>> example = variants.get("mexican-rummy").examples[1]
    >>> example.play.cards, example.is_legal, example.says
    ((7C, 7C, 7D), True, 'A set can have both 7♣s.')
    """

    play: Play
    step: int | None
    code: Code | None
    """The code found against it; None if it is legal."""
    says: str
    upcard: Card | None = None
    """The card turned up at the deal, if that decides something."""

    @property
    def is_legal(self) -> bool:
        """Whether the play is allowed."""
        return self.code is None


_WITH_STAND_INS: Final = frozenset({"ShowMeld", "Close", "LayDown", "LayOff", "Swap", "PickUp"})
"""The plays that are ruled on in a game with `Variant.stand_in`."""


class ForTheTableError(ValueError):
    """Raised for a play that the referee doesn’t check in this game; the message is its clause.

    >>> from referee import Call, ForTheTableError, rule_on, variants
    >>> game = variants.get("okey")
    >>> [false_joker] = game.pack.parse("FJ")
    >>> try:
    ...     rule_on(Call(discard=false_joker, table=()), game)
    ... except ForTheTableError as error:
    ...     print(str(error)[:52])
    A false joker is the tile that is the okey, and noth
    """


class LeftToTable(NamedTuple):
    """A rule of a game that the referee doesn’t check."""

    clause: str
    """The name that its clause is cited by."""
    plays: frozenset[str]
    """The plays that aren’t checked, by the name of their class."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class Variant:
    """A game with everything that the referee and the scorepad need to know about it.

    Each game is equal only to itself, so it can be the key for results that are cached. You get one
    from `referee.variants`, or from `referee.describing.build`.

    >>> from referee import variants
    >>> game = variants.get("mexican-rummy")
    >>> game.name, game.players, game.rounds, game.contract_at(2).says
    ('Mexican Rummy', range(2, 9), 6, '1 set of 3 + 1 run of 4')
    >>> game.with_options({"wrap": True}).chosen
    (('wrap', True),)
    """

    slug: str
    name: str
    tagline: str
    """The game in one line, for people choosing a game."""
    sign: str
    """1 or 2 characters that stand for the game: "♣", "10"."""
    rulebook: Rulebook
    words: Words = field(default_factory=Words)
    players: range
    pack: Pack
    packs: Callable[[int], int]
    """Returns the number of packs for a number of players."""
    jokers: Callable[[int], int]
    """Returns the number of jokers in all packs for a number of players."""
    deal: Callable[[int], int]
    """Returns the number of cards dealt to each player, for a number of players."""
    team_size: Callable[[int], int] = lambda _: 1
    """Returns the size of a team for a number of players; 1 if everyone plays alone."""
    hand_size: int
    """The number of cards dealt to each player; until `seated`, the highest that is possible."""
    hands: Mapping[int, int] = field(default_factory=dict)
    """The number of cards dealt to each player, by step (from 1), for the steps where it is
    different."""
    sets: SetRule
    runs: RunRule
    flush: int | None = None
    """The fewest cards of a flush; None if the game has no flushes."""
    wilds: WildRule
    wild_steps: frozenset[int] | None = None
    """The steps in which wilds are active; None for all."""
    wilds_in: Mapping[int, WildRule] = field(default_factory=dict)
    """The wilds of each step, if the rank that is the number of cards dealt is wild; else empty."""
    deals: int = 0
    """The number of steps, in a game that has steps but no contracts; else 0."""
    contracts: tuple[Contract, ...] = ()
    way: Way
    """How melds are laid: under a contract, freely, or as a whole hand."""
    own_phases: bool = False
    """Whether each player has their own contract, so players can be at different ones."""
    everyone_advances: bool = False
    """Whether every player moves on after a round, with or without the contract."""
    lay_offs: LayOffRule | None = None
    swaps: SwapRule | None = None
    opening: OpeningRule | None = None
    """What a player’s first melds must be worth; None if they don’t need points."""
    rearrangement: RearrangeRule | None = None
    """How melds on the table may be rearranged."""
    turning: UpcardRule | None = None
    """What the card turned up at the deal decides; None if nothing."""
    upcard: Card | None = None
    """The card turned up at the deal, in a game that `dealt` returned; else None."""
    seats: int | None = None
    """The number of players, in a game that `seated` changed; else None."""
    pile: PileRule | None = None
    """How much of the discard pile players can take; None for its top card."""
    bonuses: tuple[MeldBonus, ...] = ()
    """The kinds of meld that earn a bonus, the highest first."""
    aside: AsideRule | None = None
    """The cards that are placed face up and score; None if there are no such cards."""
    reserve: ReserveRule | None = None
    """The second hand; None if there isn’t one."""
    going_out: OutRule | None = None
    """What a team needs before one of its players can go out; None for nothing."""
    calls: bool = False
    """Whether players can claim a discard that fits a meld on the table."""
    worth: TableWorth | None = None
    """Returns the points of each card of a meld, on the table or towards the opening; None if melds
    have no points."""
    values: CardValues
    cap: int | None = None
    """The most that a hand counts in a round; None for no limit."""
    settle: Settlement
    """Turns the end of a round into points."""
    ending: Ending
    """Decides when the game is over, and who has won."""
    pad: PadRule
    """What the scorepad needs to know."""
    clock: ClockRule | None = None
    """How long a turn lasts; None if turns aren’t timed."""
    for_the_table: tuple[LeftToTable, ...] = ()
    """The rules that the referee doesn’t check."""
    stand_in: Card | None = None
    """A special card that stands for the card that is wild in the deal, like the false joker in
    Okey. Plays that rearrange the table or claim a discard aren’t ruled on with it."""
    must_discard: bool = False
    """Whether a player needs to discard to go out, so can’t lay all cards."""
    must_meld_last: bool = False
    """Whether a player has to lay their last card to go out, and can’t discard it."""
    options: tuple[Option, ...] = ()
    editions: tuple[Edition, ...] = ()
    """The leaflets with different rules, starting with the game itself; empty if there is only
    one."""
    examples: tuple[Example, ...] = ()
    notes: Callable[[Variant, int], str] = lambda _variant, _step: ""
    """Returns a note for the scorepad on the deal and the wilds of a step."""
    chosen: tuple[tuple[str, object], ...] = ()
    """The house rules in force that differ from the defaults, as (name, value)."""
    remake: Callable[[Mapping[str, object]], Variant] = field(repr=False, compare=False)
    """Makes this game with house rules by name; values are those that `Option.kind` returned."""
    form: str = ""
    """The rules with the house rules in force and every default, as JSON; stored with a game in
    progress."""
    names: Mapping[str, object] = field(default_factory=dict, repr=False, compare=False)
    """The prose of its description without the clauses: its name, and its words for things."""
    language: str = ENGLISH
    """The language of its rules, names and house rules."""
    version: str = RULES_VERSION
    _melds: tuple[MeldRules, MeldRules] = field(init=False, repr=False, compare=False)
    """The rules for melds, while wilds are active and while they aren’t."""
    _melds_in: Mapping[int, MeldRules] = field(init=False, repr=False, compare=False)
    """The rules for melds in the steps that have their own wilds."""

    def __post_init__(self) -> None:
        wilds = (self.wilds, self.wilds.inactive)
        pairs = self.opening is not None and self.opening.pairs is not None
        both = tuple(
            _melds(self.sets, self.runs, wild, self.pack, self.flush, pairs) for wild in wilds
        )
        object.__setattr__(self, "_melds", both)
        own = self.wilds_in.items()
        by_step = {
            step: _melds(self.sets, self.runs, wild, self.pack, self.flush, pairs)
            for step, wild in own
        }
        object.__setattr__(self, "_melds_in", by_step)

    def say(self, found: Found) -> str:
        """Return a finding in this game as a sentence to read out at the table."""
        return self.speaker.say(found.sentence.value, found.how, found.values)

    @property
    def speaker(self) -> Speaker:
        """Makes the sentences for findings in this game, in its language."""
        return _speaker(self)

    @property
    def close_titles(self) -> Mapping[str, str]:
        """The ways to close, by the word for each, with its title; empty if no hand is shown."""
        if self.close is None:
            return {}
        special = {hand.word: hand.title for hand in self.close.special}
        if not self.close.big_gin:
            return special | {CLOSED: self.speaker.put("closes.plain")}
        gin, knock = self.speaker.put("closes.big-gin"), self.speaker.put("closes.knock-or-gin")
        return special | {BIG_GIN: gin, CLOSED: knock}

    @property
    def for_how_many(self) -> str:
        """A sentence ("Rummikub is for 2 to 4 players.") on how many can play."""
        low, high = self.players[0], self.players[-1]
        return self.speaker.put("parts.for", "same" if low == high else "", low=low, high=high)

    @property
    def edition(self) -> Edition | None:
        """The leaflet whose house rules are all in force; None if it is the game itself."""
        chosen = {name.removeprefix(CHANGE): value for name, value in self.chosen}
        there = (one for one in self.editions if one.patch.items() <= chosen.items())
        found = max(there, key=lambda one: len(one.patch), default=None)
        return found if found and found.patch else None

    @property
    def points_only(self) -> bool:
        """Whether only scores are kept, and the referee knows no rules of the game."""
        return self.pad.counts is Counts.POINTS

    @property
    def endless(self) -> bool:
        """Whether the game continues until the players end it."""
        return self.ending is never

    @property
    def names_cards(self) -> bool:
        """Whether a hand is put into melds before the cards left over are counted."""
        counted = self.pad.counts is not Counts.NONE
        return self.close is not None and counted

    @property
    def shares_table(self) -> bool:
        """Whether a player can rearrange all melds on the table."""
        return self.rearrangement is not None and not self.rearrangement.own

    @property
    def close(self) -> CloseRule | None:
        """The rule for showing a whole hand; None if melds are laid."""
        return self.way if isinstance(self.way, CloseRule) else None

    @property
    def climbs_alone(self) -> bool:
        """Whether a player stays on a contract until they have made it."""
        return self.own_phases and not self.everyone_advances

    @property
    def rounds(self) -> int | None:
        """The number of rounds in a game; None if it isn’t fixed."""
        # A table may play on after the last contract of the list, for as many rounds as it likes.
        listed = self.deals if self.climbs_alone or not self.contracts else len(self.contracts)
        return self.pad.rounds or listed or None

    @property
    def steps(self) -> int:
        """The number of steps (rounds or phases with their own rules); 0 if there are none."""
        return len(self.contracts) or self.deals

    def has_step(self, step: int | None) -> bool:
        """Return whether the game has this step; steps count from 1, and None isn’t one."""
        return step is not None and 1 <= step <= self.steps

    def step_says(self, step: int) -> str:
        """Return what is special in a step: "1 run of 7", "5 cards, 5s wild".

        It’s empty if the game has no such step.
        """
        contract = self.contract_at(step)
        if contract is not None:
            return contract.said(self.speaker)
        if not self.has_step(step):
            return ""
        opens = self.opening.by_step.get(step) if self.opening is not None else None
        if opens is not None:
            return self.speaker.put("notes.opens", n=opens)
        speak, n = self.speaker, self.hand_at(step)
        wild = self.wilds_in[step].cards - self.wilds.cards if step in self.wilds_in else ()
        ranks = sorted({speak.card(card).ranks for card in wild})
        return speak.put("notes.dealt", "wild" if ranks else "", n=n, ranks=ranks)

    @property
    def most_dealt(self) -> int:
        """The most cards that a player is dealt in any step."""
        return max([self.hand_size, *self.hands.values()])

    def hand_at(self, step: int | None) -> int:
        """Return how many cards each player is dealt in a step (from 1).

        It’s the usual number for None, and for a step without a number of its own.
        """
        return self.hands.get(step or 0, self.hand_size)

    def contract_at(self, step: int | None) -> Contract | None:
        """Return the contract of a step (from 1); None if there is no such step or contract."""
        if step is None or not 1 <= step <= len(self.contracts):
            return None
        return self.contracts[step - 1]

    def leave_to_table(self, play: str, cards: Iterable[Card]) -> None:
        """Raise ForTheTableError if the referee doesn’t check a play with these cards in this game.

        `play` is the name of the play’s class; if it’s empty, only the cards are checked.
        """
        clauses = [left.clause for left in self.for_the_table if play in left.plays]
        if self.stand_in is not None and play not in _WITH_STAND_INS and self.stand_in in cards:
            clauses.append("special")
        for clause in clauses:
            raise ForTheTableError(self.rulebook.cited(clause).says)

    @property
    def lacks_upcard(self) -> bool:
        """Whether the card turned up at the deal decides something, but isn’t known yet."""
        return self.turning is not None and self.upcard is None

    def dealt(self, upcard: Card | None) -> Variant:
        """Return the game for a deal in which this card was turned up.

        It’s the same game if the card isn’t known (None) or decides nothing.
        """
        if upcard is None or self.turning is None or upcard is self.upcard:
            return self
        return _dealt(self, upcard)

    def with_suits(self) -> Variant:
        """Return the game with the notation for JSON: with suits, unless it ignores them."""
        written = self.pack.notation.with_suits
        return self if written is None else replace(self, pack=replace(self.pack, notation=written))

    def wilds_at(self, step: int | None) -> WildRule:
        """Return the rule for wilds in a step, from 1; without one, the game’s usual rule."""
        return self.melds_at(step).wilds

    def melds_at(self, step: int | None) -> MeldRules:
        """Return the rules for melds in a step, from 1.

        Without a step, the game’s usual wilds apply, but none that a step has of its own.
        """
        own = self._melds_in.get(step or 0)
        if own is not None:
            return own
        with_wilds, without = self._melds
        wild = step is None or self.wild_steps is None or step in self.wild_steps
        return with_wilds if wild else without

    def value_classes(self, step: int | None, seats: int | None = None) -> tuple[ValueClass, ...]:
        """Return the cards of a step in classes that count the same, as keys for counting a hand.

        `seats` is the number of players, which decides the number of packs; None for the most
        possible.
        """
        pack = self.pack if seats is None else self.pack_for(seats)
        wilds = self.wilds_at(step)
        classes = self.values.classes(pack, wilds.cards, wilds.name)
        if self.language == ENGLISH:
            return tuple(classes)
        called = self.speaker.called
        return tuple(each._replace(label=called(each.label)) for each in classes)

    def bonus_of(self, meld: Reading) -> str | None:
        """Return the name of the bonus that a meld earns; None if it earns none."""
        bonus = bonus_of(meld, self.bonuses)
        return None if bonus is None else bonus.name

    def worth_most(self, readings: Sequence[Reading]) -> Reading:
        """Return the reading that scores most, a bonus included, of several for the same cards."""
        return max(readings, key=self.worth_of)

    def worth_of(self, meld: Reading) -> int:
        """Return the points of a meld, a bonus included; 0 if melds have no points in this game."""
        if self.worth is None:
            return 0
        bonus = bonus_of(meld, self.bonuses) if self.bonuses else None
        return sum(self.worth(meld)) + (0 if bonus is None else bonus.points)

    def teams(self, players: int) -> tuple[tuple[int, ...], ...]:
        """Return the seats (from 0) of each team; without teams, each seat is a team."""
        return teams(players, self.team_size(players))

    def in_teams(self, players: int) -> bool:
        """Return whether this many players play in teams."""
        return self.team_size(players) > 1

    def melds_together(self, players: int) -> bool:
        """Return whether this many players form teams whose partners meld together."""
        return self.in_teams(players) and not self.pad.hand_by_hand

    def pack_for(self, players: int) -> Pack:
        """Return the pack for this many players."""
        return replace(self.pack, copies=self.packs(players), jokers=self.jokers(players))

    def seated(self, players: int) -> Variant:
        """Return the game for this many players, with their packs and deal.

        A game that isn’t seated has the most packs and the largest deal that are possible.
        """
        return _seated(self, players)

    def in_step(self, step: int | None) -> Variant:
        """Return the game with what a team needs to go out in a step."""
        rule = self.going_out
        if rule is None or not rule.by_step:
            return self
        return replace(self, going_out=rule.at(step))

    def round_note(self, step: int) -> str:
        """Return a note for the scorepad on the deal and wilds of a step; empty for none."""
        return self.notes(self, step)

    def called(self, name: str) -> Variant:
        """Return the same game under a name that its players gave it."""
        return replace(self, name=name, names={**self.names, "name": name})

    def with_options(self, chosen: Mapping[str, object]) -> Variant:
        """Return the game with these house rules, by name, and no others.

        A name like "/run.around" sets a path of the description instead of an option. Options that
        are left out have their defaults. The game is built from its description again, so it loses
        any change made with `dataclasses.replace`.

        Raise OptionError if there is no such house rule, if it can’t have that value, or if the
        rules don’t go together.
        """
        known = {option.name: option for option in self.options}
        for name in chosen:
            if name not in known and not name.startswith(CHANGE):
                told = wrong("no-house-rule", game=self.name, name=name[:40])
                raise OptionError(told.shown(self.language), unknown=True)
        differing: dict[str, object] = {}
        for option in self.options:
            if option.name not in chosen:
                continue
            try:
                value = option.kind.check(chosen[option.name])
            except ShownError as error:
                told = wrong("in-house-rule", title=option.title, why=error)
                raise OptionError(told.shown(self.language)) from None
            if value != option.default or type(value) is not type(option.default):
                differing[option.name] = value
        differing |= {name: value for name, value in chosen.items() if name.startswith(CHANGE)}
        if not differing:
            return self.remake({}) if self.chosen else self
        try:
            game = self.remake(differing)
        except ValueError as error:
            why = error if isinstance(error, ShownError) else str(error)
            told = wrong("rules-together", why=why)
            raise OptionError(told.shown(self.language)) from None
        return replace(game, chosen=tuple(differing.items()))


@lru_cache(maxsize=_REMEMBERED)
def _speaker(game: Variant) -> Speaker:
    """Return the speaker for findings in a game."""
    own = {name: Said(says, many=f"{says}s") for name, says in _own_words(game)}
    forms = game.names.get("nouns")
    if isinstance(forms, Mapping):
        own |= {name: Said(noun["one"], **noun) for name, noun in forms.items()}
    return Speaker(Catalogue.read(game.language, WORDS), game.pack, own)


def _own_words(game: Variant) -> Iterator[tuple[str, str]]:
    """Yield the nouns of a game for its own parts, each after the noun’s name."""
    words = game.words
    yield from (("game", game.name), ("step", words.step), ("contract", words.contract))
    if words.lay_down != Words().lay_down:
        yield "go-down", words.lay_down
    if not game.contracts:
        yield "round", words.step


@lru_cache(maxsize=_REMEMBERED)
def _dealt(game: Variant, upcard: Card) -> Variant:
    """Return a game for a deal in which this card was turned up."""
    rule = game.turning
    assert rule is not None, "the card turned up decides something"
    wild, knock = rule.wild(upcard, game.pack), rule.knock_limit(upcard)
    wilds = replace(game.wilds, cards=game.wilds.cards | wild) if wild else game.wilds
    way = game.way
    if isinstance(way, CloseRule) and knock is not None:
        way = replace(way, knock=knock)
    values = game.values.as_dealt(wild)
    return replace(game, wilds=wilds, way=way, values=values, upcard=upcard)


@lru_cache(maxsize=_REMEMBERED)
def _seated(game: Variant, players: int) -> Variant:
    """Return a game for this many players."""
    pack, dealt = game.pack_for(players), game.deal(players)
    if (pack, dealt) == (game.pack, game.hand_size):
        return game
    return replace(game, pack=pack, hand_size=dealt, seats=players)
