"""A game as one value: packs, melds, contracts, scoring, options, words and examples.

A variant is built from a description (`referee.describing`), and with an option (a house rule) from
that description as the option changes it; nothing anywhere asks which game it is.
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
"""What a meld is, the same object for the same rules, so that what was read is found again."""

_REMEMBERED: Final = 512
"""Games whose deals, tables and speakers are remembered: all of ours, at every table."""

Way: TypeAlias = ContractRule | LayRule | CloseRule
"""The ways that melds come down; a game has one of them."""

RULES_VERSION: Final = "4"
"""Goes up with every change that could rule or score a play differently."""


class OptionError(ValueError):
    """Raised for a house rule that the game doesn’t have, or that can’t have this value.

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
    """The id of the clause it bears on when it is not changed."""
    kind: OptionKind
    default: object


class Edition(NamedTuple):
    """House rules that are printed together: those of one leaflet.

    >>> from referee import variants
    >>> [edition.title for edition in variants.get("gin-rummy").editions]
    ['Plain', 'Bicycle', 'Straight']
    """

    name: str
    """Its name in the description; empty for the game as it is."""
    title: str
    patch: Mapping[str, object]
    """What it changes, by path."""
    players: range | None = None
    """How many play by it, if the leaflet is for so many alone."""


class Words(NamedTuple):
    """What this game calls what is done; what is played with is in `Pack.nouns`."""

    step: str = "round"
    """What the contracts go by: "round" or "phase"."""
    contract: str = "contract"
    lay_down: str = "lay down"
    lay_off: str = "lay off"
    out: str = "Out"


class Example(NamedTuple):
    """A play with its verdict: a page shows it, a test checks the referee against it.

    >>> from referee import variants
    >>> example = variants.get("mexican-rummy").examples[1]
    >>> example.play.cards, example.is_legal, example.says
    ((7C, 7C, 7D), True, 'A set can have both 7♣s.')
    """

    play: Play
    step: int | None
    code: Code | None
    """What is found against it; None if it is legal."""
    says: str
    upcard: Card | None = None
    """The card turned up at the deal, if that decides something."""

    @property
    def is_legal(self) -> bool:
        """Whether the play is allowed."""
        return self.code is None


_WITH_STAND_INS: Final = frozenset({"ShowMeld", "Close"})
"""The plays that are ruled on with a card that stands in for the wild of the deal."""


class ForTheTableError(ValueError):
    """Raised for a play that a game leaves to the table; the sentence is that of its clause.

    >>> from referee import ForTheTableError, LayOff, rule_on, variants
    >>> game = variants.get("okey")
    >>> false_joker = game.pack.parse("FJ")
    >>> try:
    ...     rule_on(LayOff(false_joker, onto=game.pack.parse("B5 R5 K5")), game)
    ... except ForTheTableError as error:
    ...     print(str(error)[:52])
    A false joker is the tile that is the okey, and noth
    """


class LeftToTable(NamedTuple):
    """What a game leaves to the table."""

    clause: str
    """The clause of this rule, as it is cited."""
    plays: frozenset[str]
    """Plays, by the name of their type."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class Variant:
    """A game, whole: everything the referee and the scorepad need to know of it.

    Two are the same if they are one object, so that what is worked out for a game can be found by
    the game itself. You get one from `referee.variants`, or from `referee.describing.build`.

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
    """The game in one line, for people who choose one."""
    sign: str
    """One or two signs by which the game is known at a glance: "♣", "10"."""
    rulebook: Rulebook
    words: Words = field(default_factory=Words)
    players: range
    pack: Pack
    packs: Callable[[int], int]
    """How many packs so many players need."""
    jokers: Callable[[int], int]
    """How many jokers there are in these."""
    deal: Callable[[int], int]
    """How many cards each of so many players is dealt."""
    team_size: Callable[[int], int] = lambda _: 1
    """How many of so many players play together."""
    hand_size: int
    """How many cards each is dealt; the most there can be while nobody says how many play."""
    hands: Mapping[int, int] = field(default_factory=dict)
    """How many it is in the steps that deal another number."""
    sets: SetRule
    runs: RunRule
    flush: int | None = None
    """The fewest cards of a flush; None if the game has no flushes."""
    wilds: WildRule
    wild_steps: frozenset[int] | None = None
    """The steps in which wilds are active; None for all."""
    wilds_in: Mapping[int, WildRule] = field(default_factory=dict)
    """The wilds of the steps that have their own: the rank that is the number dealt."""
    deals: int = 0
    """How many steps the game has, if they ask for no contracts and differ by their deal."""
    contracts: tuple[Contract, ...] = ()
    way: Way
    """How melds come down: under a contract, freely, or as a whole hand that is shown."""
    own_ladder: bool = False
    """Whether each player goes through the contracts at a pace of their own."""
    everyone_advances: bool = False
    """On an own ladder: whether a round moves everybody on, made or not."""
    lay_offs: LayOffRule | None = None
    swaps: SwapRule | None = None
    opening: OpeningRule | None = None
    """What a player's first lay must come to."""
    rearrangement: RearrangeRule | None = None
    """How melds on the table may be rearranged."""
    turning: UpcardRule | None = None
    """What the card turned up at the deal decides; None if it decides nothing."""
    upcard: Card | None = None
    """That card, in a game of which one deal is looked at (`dealt`)."""
    seats: int | None = None
    """How many play, in a game of which one table is looked at (`seated`)."""
    pile: PileRule | None = None
    """How much of the discard pile may be taken."""
    bonuses: tuple[MeldBonus, ...] = ()
    """The kinds of meld that earn a bonus, the dearest first."""
    aside: AsideRule | None = None
    """The cards that are placed face up and score; None if there are no such cards."""
    reserve: ReserveRule | None = None
    """The second hand; None if there isn’t one."""
    going_out: OutRule | None = None
    """What a team needs before one of its players goes out; None for nothing."""
    calls: bool = False
    """Whether a discard that fits may be claimed."""
    worth: TableWorth | None = None
    """What each card of a meld scores on the table, or counts towards the opening."""
    values: CardValues
    cap: int | None = None
    """The most that a hand counts in a round; None if there is no limit."""
    settle: Settlement
    """How a round is turned into points."""
    ending: Ending
    pad: PadRule
    clock: ClockRule | None = None
    """How long a turn lasts; None if nobody is timed."""
    for_the_table: tuple[LeftToTable, ...] = ()
    """The plays that the game leaves to the table: the referee doesn’t rule on them."""
    stand_in: Card | None = None
    """A special card that is the wild of the deal. Only what is asked of a meld or a hand that is
    shown is ruled on with it."""
    must_discard: bool = False
    """Whether a player who goes out keeps a card to discard; else the last can be laid."""
    lays_last: bool = False
    """Whether the last card can’t be discarded."""
    options: tuple[Option, ...] = ()
    editions: tuple[Edition, ...] = ()
    """The leaflets that differ, the game as it is first; none if there is only one."""
    examples: tuple[Example, ...] = ()
    notes: Callable[[Variant, int], str] = lambda _variant, _step: ""
    """A line for the scorepad about the cards of a step."""
    chosen: tuple[tuple[str, object], ...] = ()
    """The house rules in force that differ from the defaults, by name."""
    remake: Callable[[Mapping[str, object]], Variant] = field(repr=False, compare=False)
    """Makes this game with house rules in force, by name, from values that `Option.kind` took."""
    form: str = ""
    """The rules with the house rules in force and nothing left out, as JSON: what is stored with a
    game in progress."""
    names: Mapping[str, object] = field(default_factory=dict, repr=False, compare=False)
    """What its description calls it, and what it calls things: its prose without a clause."""
    language: str = ENGLISH
    """The language of its rules, names and house rules."""
    version: str = RULES_VERSION
    _melds: tuple[MeldRules, MeldRules] = field(init=False, repr=False, compare=False)
    """What a meld is where wilds are active, and where they are not."""
    _melds_in: Mapping[int, MeldRules] = field(init=False, repr=False, compare=False)
    """What it is in the steps that have wilds of their own."""

    def __post_init__(self) -> None:
        wilds = (self.wilds, self.wilds.inactive)
        both = tuple(_melds(self.sets, self.runs, wild, self.pack, self.flush) for wild in wilds)
        object.__setattr__(self, "_melds", both)
        own = self.wilds_in.items()
        by_step = {
            step: _melds(self.sets, self.runs, wild, self.pack, self.flush) for step, wild in own
        }
        object.__setattr__(self, "_melds_in", by_step)

    def say(self, found: Found) -> str:
        """Say what was found in this game, in a sentence fit to read out at the table."""
        return self.speaker.say(found.sentence.value, found.how, found.values)

    @property
    def speaker(self) -> Speaker:
        """The speaker for findings in this game, in its language."""
        return _speaker(self)

    @property
    def close_titles(self) -> Mapping[str, str]:
        """What you can say of a hand that is shown, by its word, with what it is called."""
        if self.close is None:
            return {}
        special = {hand.word: hand.title for hand in self.close.special}
        if not self.close.big_gin:
            return special | {CLOSED: self.speaker.put("closes.plain")}
        gin, knock = self.speaker.put("closes.big-gin"), self.speaker.put("closes.knock-or-gin")
        return special | {BIG_GIN: gin, CLOSED: knock}

    @property
    def for_how_many(self) -> str:
        """How many can play: "Rummikub is for 2 to 4 players."."""
        low, high = self.players[0], self.players[-1]
        return self.speaker.put("parts.for", "same" if low == high else "", low=low, high=high)

    @property
    def edition(self) -> Edition | None:
        """The leaflet whose house rules are all in force; None for the game as it is."""
        chosen = {name.removeprefix(CHANGE): value for name, value in self.chosen}
        there = (one for one in self.editions if one.patch.items() <= chosen.items())
        found = max(there, key=lambda one: len(one.patch), default=None)
        return found if found and found.patch else None

    @property
    def points_only(self) -> bool:
        """Whether only the scores of this game are known: there is nothing to rule on."""
        return self.pad.counts is Counts.POINTS

    @property
    def endless(self) -> bool:
        """Whether the game goes on until the table ends it."""
        return self.ending is never

    @property
    def names_cards(self) -> bool:
        """Whether cards left in hand are counted after they were put into melds."""
        counted = self.pad.counts is not Counts.NONE
        return self.close is not None and counted

    @property
    def shares_table(self) -> bool:
        """Whether a turn may rearrange all melds on the table."""
        return self.rearrangement is not None and not self.rearrangement.own

    @property
    def close(self) -> CloseRule | None:
        """How a whole hand is shown at once; None if melds are laid."""
        return self.way if isinstance(self.way, CloseRule) else None

    @property
    def climbs_alone(self) -> bool:
        """Whether each player goes up the contracts alone, so that it matters who made one."""
        return self.own_ladder and not self.everyone_advances

    @property
    def rounds(self) -> int | None:
        """How many rounds a game has; None if that isn’t fixed."""
        if self.contracts and not self.climbs_alone:
            return len(self.contracts)
        return self.deals or self.pad.rounds

    @property
    def steps(self) -> int:
        """How many steps the game has that differ, by their contract or their deal; 0 for none."""
        return len(self.contracts) or self.deals

    def has_step(self, step: int | None) -> bool:
        """Whether there is such a step (from 1)."""
        return step is not None and 1 <= step <= self.steps

    def step_says(self, step: int) -> str:
        """What a step has of its own: "1 run of 7", "5 cards, 5s wild"; empty if no step has."""
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
        """How many cards each player is dealt in a step (from 1)."""
        return self.hands.get(step or 0, self.hand_size)

    def contract_at(self, step: int | None) -> Contract | None:
        """The contract of a step (from 1), None if there is no such step."""
        if step is None or not 1 <= step <= len(self.contracts):
            return None
        return self.contracts[step - 1]

    def leave_to_table(self, play: str, cards: Iterable[Card]) -> None:
        """Raise ForTheTableError if a play with these cards is not ruled on in this game."""
        clauses = [left.clause for left in self.for_the_table if play in left.plays]
        if self.stand_in is not None and play not in _WITH_STAND_INS and self.stand_in in cards:
            clauses.append("special")
        for clause in clauses:
            raise ForTheTableError(self.rulebook.cited(clause).says)

    @property
    def lacks_upcard(self) -> bool:
        """Whether you have to say which card was turned up before a hand can be ruled on."""
        return self.turning is not None and self.upcard is None

    def dealt(self, upcard: Card | None) -> Variant:
        """The game in a deal in which this card was turned up."""
        if upcard is None or self.turning is None or upcard is self.upcard:
            return self
        return _dealt(self, upcard)

    def with_suits(self) -> Variant:
        """The game as questions in JSON are asked of it: with suits, unless it ignores them."""
        written = self.pack.notation.with_suits
        return self if written is None else replace(self, pack=replace(self.pack, notation=written))

    def wilds_at(self, step: int | None) -> WildRule:
        """The wilds of a step; if it’s None, wilds are active."""
        return self.melds_at(step).wilds

    def melds_at(self, step: int | None) -> MeldRules:
        """What a meld is in a step; if it’s None, wilds are active."""
        own = self._melds_in.get(step or 0)
        if own is not None:
            return own
        with_wilds, without = self._melds
        wild = step is None or self.wild_steps is None or step in self.wild_steps
        return with_wilds if wild else without

    def value_classes(self, step: int | None, seats: int | None = None) -> tuple[ValueClass, ...]:
        """The classes of cards that count the same in a step, for the keys of the count.

        `seats` says how many play, and so how many packs are in; None for the most there can be.
        """
        pack = self.pack if seats is None else self.pack_for(seats)
        wilds = self.wilds_at(step)
        classes = self.values.classes(pack, wilds.cards, wilds.name)
        if self.language == ENGLISH:
            return tuple(classes)
        called = self.speaker.called
        return tuple(each._replace(label=called(each.label)) for each in classes)

    def bonus_of(self, meld: Reading) -> str | None:
        """The kind of meld that earns a bonus and that a meld is, by its name; None if it isn’t."""
        bonus = bonus_of(meld, self.bonuses)
        return None if bonus is None else bonus.name

    def worth_most(self, readings: Sequence[Reading]) -> Reading:
        """Of the ways to read some cards the one that scores most, a bonus included."""
        return max(readings, key=self.worth_of)

    def worth_of(self, meld: Reading) -> int:
        """What a meld scores, a bonus included; 0 if the game has no points on the table."""
        if self.worth is None:
            return 0
        bonus = bonus_of(meld, self.bonuses) if self.bonuses else None
        return sum(self.worth(meld)) + (0 if bonus is None else bonus.points)

    def teams(self, players: int) -> tuple[tuple[int, ...], ...]:
        """The seats of each team at a table of so many players."""
        return teams(players, self.team_size(players))

    def in_teams(self, players: int) -> bool:
        """Whether some of so many players play together."""
        return self.team_size(players) > 1

    def pack_for(self, players: int) -> Pack:
        """What so many players shuffle together."""
        return replace(self.pack, copies=self.packs(players), jokers=self.jokers(players))

    def seated(self, players: int) -> Variant:
        """The game at a table of so many players: their packs, and as many cards as they are dealt.

        While nobody says how many play, it's a game of the most packs and cards there can be.
        """
        return _seated(self, players)

    def round_note(self, step: int) -> str:
        """A line for the scorepad about the cards of a step, empty if there is none."""
        return self.notes(self, step)

    def called(self, name: str) -> Variant:
        """The same game under a name that a table gave it."""
        return replace(self, name=name, names={**self.names, "name": name})

    def with_options(self, chosen: Mapping[str, object]) -> Variant:
        """The game with these house rules and no others; raises OptionError.

        A name like "/run.around" sets a path of the description, and not an option.

        It is built from the description again: what `dataclasses.replace` changed since is gone.
        Options that are left out have their defaults.
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
    """The speaker for findings in a game."""
    own = {name: Said(says, many=f"{says}s") for name, says in _own_words(game)}
    forms = game.names.get("nouns")
    if isinstance(forms, Mapping):
        own |= {name: Said(noun["one"], **noun) for name, noun in forms.items()}
    return Speaker(Catalogue.read(game.language, WORDS), game.pack, own)


def _own_words(game: Variant) -> Iterator[tuple[str, str]]:
    """What a game calls things, by the name of each."""
    words = game.words
    yield from (("game", game.name), ("step", words.step), ("contract", words.contract))
    if words.lay_down != Words().lay_down:
        yield "go-down", words.lay_down
    if not game.contracts:
        yield "round", words.step


@lru_cache(maxsize=_REMEMBERED)
def _dealt(game: Variant, upcard: Card) -> Variant:
    """A game in a deal in which this card was turned up."""
    rule = game.turning
    assert rule is not None, "the card turned up decides something"
    wild, knock = rule.wild(upcard, game.pack), rule.may_knock(upcard)
    wilds = replace(game.wilds, cards=game.wilds.cards | wild) if wild else game.wilds
    way = game.way
    if isinstance(way, CloseRule) and knock is not None:
        way = replace(way, knock=knock)
    return replace(game, wilds=wilds, way=way, upcard=upcard)


@lru_cache(maxsize=_REMEMBERED)
def _seated(game: Variant, players: int) -> Variant:
    """A game at a table of so many players."""
    pack, dealt = game.pack_for(players), game.deal(players)
    if (pack, dealt) == (game.pack, game.hand_size):
        return game
    return replace(game, pack=pack, hand_size=dealt, seats=players)
