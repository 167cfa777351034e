"""Mexican Rummy in eleven phases: suits do not count, and everybody climbs at their own pace.

The source is a rules page (rule text 001) whose list of phases is on a card that was not to be had;
the list here is reconstructed, says so, and can be changed when a game is started.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from referee.cards import ACE, KING, TEN, TWO, Notation, Pack, parse_cards
from referee.melds.contracts import Contract, ContractRule
from referee.melds.rules import RunRule, SetRule, WildRule
from referee.options import SWITCH, Choice, Ladder
from referee.plays import LayDown, LayOff, ShowMeld
from referee.rulebook import Rulebook, Section
from referee.rulings import Code, MeldKind
from referee.scoring import Lead, own_deadwood, past_step
from referee.turns.layoffs import LayOffRule
from referee.values import CardValues
from referee.variant import Option, PadRule, Variant, Words, illegal, legal

if TYPE_CHECKING:
    from collections.abc import Mapping

_GAME = Section("The game")
_DEAL = Section("Cards and deal")
_MELDS = Section("Sets and runs")
_PHASES = Section("Phases")
_HITS = Section("Hitting")
_OUT = Section("Going out")
_SCORE = Section("Scoring")

RULES = Rulebook(
    "Mexican Rummy, eleven phases",
    "The rules page of the eleven-phase game; its list of phases is on a card we have not seen",
    (
        _GAME.says(
            "aim",
            "The first player to make all eleven phases wins; of several who do so in one round, "
            "the one with the lowest total.",
            at="Object, line 1",
        ),
        _GAME.reading(
            "shared-win",
            "Players who make the last phase in one round with equal totals share the win.",
            of="The text does not say what happens then.",
        ),
        _GAME.reading(
            "ended-early",
            "While nobody has made all phases, whoever is on the furthest one leads, and of these "
            "the one with the lowest total; so too when the table ends the game early.",
            of="The text plays on to the last phase (line 1); who is nearest to it is ahead.",
        ),
        _GAME.reading(
            "decider",
            "Players who share the win may play a decider: a game of the last phase alone, which "
            "the first to make it wins.",
            of="The text does not say; its parent game has the last phase played again.",
        ),
        _GAME.reading(
            "end-of-round",
            "The game is decided when the round has been played to its end.",
            of="Credit is given at once, but a tie presupposes the whole round (line 23).",
        ),
        _DEAL.says(
            "pack",
            "Ordinary packs: three for two to four players, four for five or six, five for seven "
            "or eight.",
            at="Equipment, line 3",
        ),
        _DEAL.reading(
            "no-wilds",
            "There are no wild cards and no jokers.",
            of="The text names none (line 3).",
        ),
        _DEAL.says(
            "deal",
            "Eleven cards each, and one card is turned up to begin the discard pile.",
            at="Play, line 5",
        ),
        _DEAL.says(
            "dealer",
            "The player on the dealer's left begins; after each round the deal moves one place to "
            "the left.",
            at="Play, line 5; Scoring, line 36",
        ),
        _DEAL.reading(
            "stock-out",
            "When the stock is used up the discard pile, without its top card, is shuffled and "
            "becomes the stock.",
            of="The text does not say.",
        ),
        _GAME.says(
            "turn",
            "A turn is: draw the top card of the stock or of the discard pile, lay down the phase "
            "if you can and want to, hit what fits once it is down, discard a card.",
            at="Play, line 5; Making a phase, line 11",
        ),
        _MELDS.says("suits", "Suits are ignored.", at="Object, line 1"),
        _MELDS.says(
            "set",
            "A set is two or more cards of one number; the phase says how many. Any cards will do, "
            "identical ones too.",
            at="Sets, line 7",
        ),
        _MELDS.says(
            "run",
            "A run is four or more cards in order, up or down.",
            at="Runs, line 9",
        ),
        _MELDS.reading(
            "ace",
            "The ace stands above the king or below the 2.",
            of="The text shows it only above the king (line 9).",
        ),
        _MELDS.house("ace", "The ace stands only at the end that the table has agreed on."),
        _MELDS.reading(
            "corner",
            "A run does not go round the corner: queen, king, ace, 2 do not follow one another.",
            of="The text does not say.",
        ),
        _MELDS.house("wrap", "Runs may go round the corner, from the king over the ace to the 2."),
        _MELDS.reading(
            "growing",
            "A hit only has to fit: a run may grow at either end up to an ace at each, a set "
            "without limit.",
            of="The text sets no limit.",
        ),
        _MELDS.reading(
            "as-laid",
            "The cards of a run may be shown in any order.",
            of="Without wild cards the order says nothing.",
        ),
        _PHASES.says(
            "phases",
            "Each player makes the phases in order, one in a round at most, and lays down the "
            "whole of it or nothing. Who fails tries the same phase again in the next round.",
            at="Play, line 5; Notes, lines 13 and 19–21",
        ),
        _PHASES.reading(
            "phase-list",
            "The list of the eleven phases is reconstructed: the first, the third and part of the "
            "second stand in the text, the seventh and the ninth follow from it, the rest is taken "
            "from the games it descends from. A table may use a list of its own.",
            of="The list is on a separate card that was not to be found.",
        ),
        _PHASES.house("phases", "The table plays a list of phases of its own."),
        _PHASES.says(
            "exact",
            "Exactly the melds of the phase are laid down. Further cards may go down with it only "
            "where they join these melds.",
            at="Note 2 and its examples, lines 15–17",
        ),
        _PHASES.reading(
            "same-number",
            "Two sets of one phase may be of the same number.",
            of="The text does not say; its parent game does.",
        ),
        _PHASES.house("same-rank-sets", "Two sets of one phase must differ in number."),
        _PHASES.reading(
            "runs-follow",
            "Two runs of one phase may follow on each other.",
            of="The text does not say.",
        ),
        _PHASES.says(
            "credit",
            "A phase counts as soon as it is down, whoever wins the round.",
            at="Credit, line 23",
        ),
        _PHASES.house("advance", "Everybody moves on to the next phase after each round."),
        _HITS.says(
            "hit",
            "Cards may be laid off on any meld of the table, one's own or another's, once one's "
            "own phase is down.",
            at="Hitting and Note 3, lines 25–27",
        ),
        _HITS.says(
            "what-fits",
            "A card joins a set of its number, or a run that it continues at either end.",
            at="Hitting, line 25",
        ),
        _HITS.says("own-turn", "Hits are made only in one's own turn.", at="Note 3, line 27"),
        _HITS.reading(
            "same-turn",
            "Hits may be made in the very turn in which the phase was laid down.",
            of="The text only asks that the phase be down (line 27).",
        ),
        _HITS.house("layoff-same-turn", "Hits are made only from the next turn on."),
        _OUT.says(
            "going-out",
            "The round ends when a player gets rid of the last card, by discarding or hitting.",
            at="Going out, line 29",
        ),
        _SCORE.says(
            "values",
            "Cards left in hand count against you: 2 to 9 cost 5, 10 to king 10, an ace 20. Who "
            "went out scores nothing; cards that are down do not count.",
            at="Scoring, lines 31–36",
        ),
        _SCORE.reading(
            "held",
            "Who has not made the phase holds eleven cards, and so 55 to 220 points.",
            of="It follows from the deal and the turn (line 5).",
        ),
    ),
)

PHASES = (
    "2 sets of 3",
    "1 set of 3 + 1 run of 4",
    "1 run of 7",
    "1 set of 4 + 1 run of 4",
    "2 runs of 4",
    "2 sets of 4",
    "1 run of 8",
    "3 sets of 3",
    "1 run of 9",
    "1 set of 5 + 1 set of 2",
    "1 set of 5 + 1 set of 3",
)
"""The reconstructed list: docs/readings/eleven-phases.md says how."""

_TEN_HANDS = (
    "2 sets of 3",
    "1 set of 3 + 1 run of 4",
    "2 runs of 4",
    "3 sets of 3",
    "2 sets of 4",
    "1 run of 7",
    "2 runs of 5",
    "1 set of 5 + 1 run of 5",
    "2 sets of 5",
    "1 run of 10",
)

DEAL = 11


def _decider(contracts: tuple[Contract, ...]) -> Mapping[str, object]:
    """The house rules of a game of the last phase alone."""
    return MappingProxyType({"phases": (contracts[-1].says,)})


def _phases(variant: Variant, chosen: str | tuple[str, ...]) -> Variant:
    contracts = tuple(map(Contract.parse, LADDER.texts(chosen)))
    runs = [need.size for c in contracts for need in c.needs if need.kind is MeldKind.RUN]
    assert variant.contract_rule is not None
    assert variant.pad is not None
    return replace(
        variant,
        contracts=contracts,
        pad=replace(variant.pad, decider=_decider(contracts)),
        contract_rule=replace(variant.contract_rule, cite=RULES["house-phases"]),
        runs=replace(variant.runs, min_size=min([variant.runs.min_size, *runs])),
        ending=past_step(len(contracts)),
    )


def _ace(variant: Variant, end: str) -> Variant:
    runs = replace(variant.runs, ends=RULES["house-ace"])
    ends = replace(runs, low=TWO) if end == "high" else replace(runs, high=KING)
    return replace(variant, runs=ends)


def _wrap(variant: Variant, wrap: bool) -> Variant:  # noqa: FBT001 - an option's value
    return replace(variant, runs=replace(variant.runs, wrap=wrap, ends=RULES["house-wrap"]))


def _layoff_same_turn(variant: Variant, allowed: bool) -> Variant:  # noqa: FBT001 - as above
    house = RULES["house-layoff-same-turn"]
    return replace(variant, lay_offs=replace(HITS, in_same_turn=allowed, same_turn=house))


def _same_rank_sets(variant: Variant, allowed: bool) -> Variant:  # noqa: FBT001 - as above
    assert variant.contract_rule is not None
    house = RULES["house-same-rank-sets"]
    rule = replace(variant.contract_rule, same_rank_sets=allowed, ranks=house)
    return replace(variant, contract_rule=rule)


def _advance(variant: Variant, who: str) -> Variant:
    return replace(variant, everyone_advances=who == "everyone")


LADDER = Ladder(
    presets=(
        ("reconstructed", "Eleven phases, reconstructed", PHASES),
        ("ten-hands", "Ten hands", _TEN_HANDS),
    ),
    named=frozenset({"reconstructed"}),
    most_cards=DEAL + 1,
)

HITS = LayOffRule(
    cite=RULES["hit"],
    fits=RULES["what-fits"],
    turn=RULES["own-turn"],
    same_turn=RULES["same-turn"],
    lay_down="lay the phase",
)

OPTIONS = (
    Option(
        name="phases",
        title="The phases",
        says="Which phases are played? The list is reconstructed; a table may write its own.",
        clause="phase-list",
        kind=LADDER,
        default="reconstructed",
        apply=_phases,
    ),
    Option(
        name="ace",
        title="The ace in a run",
        says="Where may an ace stand in a run?",
        clause="ace",
        kind=Choice((("both", "High or low"), ("high", "High only"), ("low", "Low only"))),
        default="both",
        apply=_ace,
    ),
    Option(
        name="wrap",
        title="Runs round the corner",
        says="May a run go from the king over the ace to the 2?",
        clause="corner",
        kind=SWITCH,
        default=False,
        apply=_wrap,
    ),
    Option(
        name="layoff-same-turn",
        title="Hitting at once",
        says="May hits be made in the turn in which the phase was laid down?",
        clause="same-turn",
        kind=SWITCH,
        default=True,
        apply=_layoff_same_turn,
    ),
    Option(
        name="same-rank-sets",
        title="Two sets of one number",
        says="May two sets of one phase be of the same number?",
        clause="same-number",
        kind=SWITCH,
        default=True,
        apply=_same_rank_sets,
    ),
    Option(
        name="advance",
        title="Who moves on",
        says="Who moves on to the next phase after a round?",
        clause="phases",
        kind=Choice((("own", "Who made the phase"), ("everyone", "Everybody"))),
        default="own",
        apply=_advance,
    ),
)


def _lay(*melds: str) -> LayDown:
    return LayDown(melds=tuple(parse_cards(meld, Notation.RANKS) for meld in melds))


def _show(cards: str) -> ShowMeld:
    return ShowMeld(parse_cards(cards, Notation.RANKS))


def _hit(cards: str, onto: str) -> LayOff:
    return LayOff(parse_cards(cards, Notation.RANKS), parse_cards(onto, Notation.RANKS))


EXAMPLES = (
    legal(_show("3 4 5 6"), "Suits are ignored."),
    legal(_show("A K Q J"), "A run may be named from high to low."),
    illegal(_show("Q K A 2"), Code.RUN_AROUND_THE_CORNER, "A run ends at the ace."),
    illegal(_show("5 5 2"), Code.SET_OF_TWO_RANKS, "A 2 is a plain card here."),
    legal(_lay("5 5 5 5 5", "7 7 7"), "More fives go with the fives.", step=1),
    illegal(
        _lay("6 6 6", "8 8 8", "10 10 10"),
        Code.TOO_MANY_MELDS,
        "Phase 1 is exactly two sets.",
        step=1,
    ),
    illegal(_lay("5 5 5"), Code.CONTRACT_NOT_MET, "Never part of a phase.", step=1),
    legal(_lay("2 3 4 5 6 7 8 9 10"), "A run of nine is a run of seven, too.", step=3),
    legal(_hit("2 7 8", "3 4 5 6"), "A run grows at both ends."),
    illegal(_hit("K", "A 2 3 4"), Code.DOES_NOT_FIT, "The king does not come before the ace."),
)

VARIANT = Variant(
    slug="eleven-phases",
    name="Mexican Rummy, eleven phases",
    tagline="Eleven phases, each at your own pace; suits do not count",
    rulebook=RULES,
    words=Words(step="phase", contract="phase", lay_down="lay the phase", lay_off="hit"),
    players=range(2, 9),
    pack=Pack(copies=5, notation=Notation.RANKS),
    packs=lambda players: 3 if players < 5 else 4 if players < 7 else 5,  # noqa: PLR2004 - line 3
    hand_size=DEAL,
    sets=SetRule(cite=RULES["set"], repeats=RULES["set"], min_size=2),
    runs=RunRule(
        cite=RULES["run"],
        ends=RULES["corner"],
        both_aces=RULES["growing"],
        order=RULES["as-laid"],
        min_size=4,
        one_suit=False,
    ),
    wilds=WildRule(
        cite=RULES["no-wilds"],
        name="wild",
        cards=frozenset(),
        in_sets=RULES["no-wilds"],
        natural=RULES["no-wilds"],
        most_clause=RULES["no-wilds"],
        touching=RULES["no-wilds"],
        naturals=RULES["no-wilds"],
    ),
    contracts=tuple(map(Contract.parse, PHASES)),
    contract_rule=ContractRule(
        cite=RULES["phase-list"],
        exact=RULES["exact"],
        ranks=RULES["same-number"],
        split=RULES["runs-follow"],
        once=RULES["phases"],
        no_discard=RULES["going-out"],
        nobody_else=RULES["going-out"],
        name="phase",
    ),
    own_ladder=True,
    lay_offs=HITS,
    values=CardValues(
        cite=RULES["values"],
        by_rank=MappingProxyType(
            dict.fromkeys(range(TWO, TEN), 5) | dict.fromkeys(range(TEN, KING + 1), 10) | {ACE: 20}
        ),
    ),
    settle=own_deadwood,
    ending=past_step(len(PHASES)),
    pad=PadRule(
        one_out=RULES["going-out"],
        held_clause=RULES["held"],
        values_clause=RULES["values"],
        end_clause=RULES["aim"],
        tied_clause=RULES["decider"],
        lead=Lead.FURTHEST,
        decider=_decider(tuple(map(Contract.parse, PHASES))),
    ),
    turn=RULES["turn"],
    equipment=RULES["no-wilds"],
    options=OPTIONS,
    examples=EXAMPLES,
)
