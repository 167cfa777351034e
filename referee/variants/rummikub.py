"""Rummikub: tiles of four colours, a table that belongs to everybody, and jokers that move on.

The source is a page of rules (rule text 002) that begins in the middle of a rulebook: it has no
setup, and does not say what a group and a run are. Those are read as the publisher has them.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from referee.cards import JOKER, JOKER_RANK, RANKS, TILE_COLOURS, Notation, Pack, parse_cards
from referee.melds.rules import ACE_HIGH, RunRule, SetRule, WildRule
from referee.options import SWITCH, Choice, Span
from referee.plays import LayDown, Rearrange, ShowMeld
from referee.rulebook import Rulebook, Section
from referee.rulings import Code
from referee.scoring import Lead, never, rack_to_winner
from referee.turns.jokers import JokerRule, Retrieval
from referee.turns.layoffs import LayOffRule
from referee.turns.opening import LayRule, OpeningRule
from referee.turns.rearranging import RearrangeRule
from referee.values import CardValues
from referee.variant import ClockRule, Option, PadRule, Variant, Words, illegal, legal

if TYPE_CHECKING:
    from referee.cards import Cards
    from referee.rulings import Reading

_GAME = Section("The game")
_TILES = Section("Tiles and deal")
_SETS = Section("Groups and runs")
_OPEN = Section("Opening")
_TURN = Section("A turn")
_TABLE = Section("The table")
_JOKER = Section("Jokers")
_TIME = Section("The clock")
_SCORE = Section("Scoring")

RULES = Rulebook(
    "Rummikub",
    "The Game, a page on Rummikub",
    (
        _GAME.says(
            "aim",
            "Be the first whose rack is empty, and say so: “Rummikub!” That ends the game, and the "
            "points are counted.",
            at="Rules, line 35",
        ),
        _GAME.says(
            "match",
            "Over several games the player who has won most of them wins; where that is level, "
            "the higher score decides.",
            at="Winning, line 72; Scoring, line 75",
        ),
        _GAME.reading(
            "game",
            "A game is one deal, played until somebody is out or nobody can go on; a match is "
            "several games.",
            of="The text says “round” for a game, for a turn of everybody and for a match.",
        ),
        _GAME.reading(
            "match-end",
            "A match goes on until the table ends it; until then whoever is ahead leads. Players "
            "with as many games won and the same score share the win.",
            of="The text does not say how many games there are (line 72).",
        ),
        _TILES.reading(
            "tiles",
            "There are 106 tiles: the numbers 1 to 13 in red, blue, black and orange, each twice, "
            "and two jokers.",
            of="The text has no setup; this is the publisher's.",
        ),
        _TILES.reading(
            "deal",
            "Two to four play. Everybody takes fourteen tiles; the rest, face down, is the pool. "
            "Who draws the highest tile begins.",
            of="The text has no setup; this is the publisher's.",
        ),
        _TILES.says("value", "A tile is worth the number on it.", at="Rules, line 35"),
        _SETS.reading(
            "group",
            "A group is three or four tiles of one number, each in another colour.",
            of="The text does not say what a set is; this is the publisher's rule.",
        ),
        _SETS.reading(
            "run",
            "A run is three or more numbers of one colour that follow one another.",
            of="The text does not say what a set is; this is the publisher's rule.",
        ),
        _SETS.reading(
            "one",
            "The 1 is the lowest tile and stands below the 2; it never follows the 13.",
            of="The text does not say; the publisher does.",
        ),
        _SETS.house("one-high-too", "The 1 may also follow the 13, as the end of a run."),
        _SETS.house("one-wrap", "Runs may go on from the 13 over the 1 to the 2."),
        _SETS.reading(
            "as-laid",
            "Where the numbered tiles of a run lie in rising or falling order, each joker is what "
            "its place makes it; where they lie in no order, order was not meant.",
            of="The text does not speak of how tiles lie.",
        ),
        _OPEN.says(
            "opening",
            "The first tiles a player puts down are sets that are worth 30 points or more.",
            at="Rules, line 35",
        ),
        _OPEN.house("opening-points", "The opening is worth what the table has agreed."),
        _OPEN.says(
            "opening-rack",
            "All tiles of the opening come from the player's own rack, none from the table.",
            at="Rules, line 35",
        ),
        _OPEN.reading(
            "opening-sets",
            "Several sets may make up the points of the opening together.",
            of="It follows from “one or more sets” (line 35).",
        ),
        _OPEN.says(
            "opening-joker",
            "In the opening a joker is worth the tile it stands for.",
            at="Rules, line 35",
        ),
        _OPEN.reading(
            "opening-best",
            "Where a joker of the opening may stand for several tiles, it is the one worth most.",
            of="The text does not ask which tile two jokers and one tile stand for.",
        ),
        _OPEN.house("opening-joker", "A joker is worth nothing in the opening."),
        _OPEN.reading(
            "opening-table",
            "In the turn of opening nothing on the table is added to or moved.",
            of="The text opens the table on the turns after the opening (line 35).",
        ),
        _OPEN.house(
            "opening-then-table",
            "Once the points of the opening are there, the table is open in the same turn.",
        ),
        _TURN.says(
            "turn",
            "In a turn you put tiles from your rack on the table, or draw one from the pool; then "
            "it is the turn of the player on your left.",
            at="Rules, line 35",
        ),
        _TURN.says(
            "draw",
            "Who cannot play, or would rather not, draws a tile, and the turn is over.",
            at="Rules, line 35",
        ),
        _TURN.says(
            "drawn",
            "A tile just drawn is not played before the next turn.",
            at="Rules, line 35",
        ),
        _TURN.says(
            "from-rack",
            "In every turn that is played, at least one tile comes from the rack.",
            at="The Joker, line 61",
        ),
        _TABLE.says(
            "manipulation",
            "Once you have opened, the sets on the table may be added to and rearranged at will, "
            "as long as there are only legal sets in the end, and no loose tiles.",
            at="Rules, line 35; Manipulation, line 43",
        ),
        _TABLE.reading(
            "what-fits",
            "A tile joins a group whose number it has and whose colours lack its own, or a run "
            "that it continues at either end; a joker joins any set that has room.",
            of="It follows from what groups and runs are.",
        ),
        _TABLE.says(
            "ways",
            "Tiles may be added to a set or make a new one; the fourth tile of a group may be "
            "taken for another set, or added while one of the three goes; runs may be split, once, "
            "together with other moves, or several at a time.",
            at="Manipulation, lines 46–51",
        ),
        _TABLE.reading(
            "table-stays",
            "A tile that lay on the table lies there after the turn; nobody takes one up.",
            of="The text plays tiles from the rack to the table only, and leaves none loose "
            "(lines 43 and 69).",
        ),
        _JOKER.says(
            "joker",
            "A joker stands for any tile that its set needs. There are two.",
            at="The Joker, line 61",
        ),
        _JOKER.reading(
            "two-jokers",
            "Both jokers may stand in one set.",
            of="The text does not say.",
        ),
        _JOKER.house("jokers-per-set", "A set has one joker at the most."),
        _JOKER.reading(
            "one-tile",
            "A set has at least one numbered tile.",
            of="It follows from there being two jokers and three tiles to a set.",
        ),
        _JOKER.says(
            "retrieval",
            "On a later turn a joker may be taken out of its set by a player who puts something "
            "in its place that leaves the set legal.",
            at="The Joker, line 61",
        ),
        _JOKER.reading(
            "same-tile",
            "A joker that still stands for the same tile when the turn is over was not retrieved; "
            "one that stands for another tile was.",
            of="The text does not say when a joker has been retrieved.",
        ),
        _JOKER.reading(
            "step-by-step",
            "A turn goes step by step: once a tile lies there that takes a joker's place, from the "
            "rack or out of another set, the joker may be taken, and its set rearranged like any "
            "other. One tile takes the place of one joker. A tile whose set lies as before has "
            "replaced nothing, and moving its neighbours away frees no joker.",
            of="The text replaces a joker “during” a turn, and leaves sets to be rearranged at "
            "will (lines 43 and 61).",
        ),
        _JOKER.house(
            "joker-retrieval-free",
            "Sets with a joker may be rearranged like all others: a joker may simply be taken. "
            "Where it goes is another rule.",
        ),
        _JOKER.house(
            "joker-retrieval-locked",
            "A joker stays where it is, and its set may only be added to.",
        ),
        _JOKER.reading(
            "replacement",
            "Any tiles may replace a joker that leave its set legal, not only the tile that it "
            "stood for.",
            of="The text says “any tiles”; older rules ask for the very tile (line 61).",
        ),
        _JOKER.house(
            "joker-replacement", "Only the very tile that a joker stands for may replace it."
        ),
        _JOKER.says(
            "replacement-from",
            "The tile that replaces a joker comes from the rack or from the table.",
            at="The Joker, line 61",
        ),
        _JOKER.house(
            "joker-replacement-from",
            "The tile that takes a joker's place comes from the rack.",
        ),
        _JOKER.says(
            "group-of-three",
            "In a group of three a tile of either missing colour replaces the joker.",
            at="The Joker, line 61",
        ),
        _JOKER.house(
            "joker-group-of-three",
            "A joker in a group of three is freed only by tiles of both missing colours.",
        ),
        _JOKER.says(
            "new-set",
            "A joker that was retrieved stands for any tile again, and makes a new set.",
            at="The Joker, line 61",
        ),
        _JOKER.reading(
            "what-is-new",
            "A set is new unless a set that lay on the table goes on in it: whole, or with a part "
            "that is a set by itself. A set that was split goes on in one of its parts.",
            of="The text does not say when a set is new (line 61).",
        ),
        _JOKER.house("joker-reuse", "A joker that was retrieved may go to any set."),
        _JOKER.says(
            "joker-at-once",
            "A joker that was retrieved is played in the same turn; it is never kept.",
            at="The Joker, line 61",
        ),
        _JOKER.says(
            "joker-after-opening",
            "Nobody retrieves a joker before the opening.",
            at="The Joker, line 61",
        ),
        _TIME.says(
            "time",
            "A turn lasts a minute. Who has played nothing by then draws a tile.",
            at="Time Limit, line 65",
        ),
        _TIME.says(
            "undone",
            "Who is in the middle of a move when the minute is over puts the table back as it was, "
            "takes back what was played, and draws three tiles.",
            at="Incomplete Runs, line 69",
        ),
        _TIME.reading(
            "one-or-three",
            "One tile is drawn where no move had begun, three where one was left unfinished.",
            of="The text gives both numbers for a turn that lasts too long (lines 65 and 69).",
        ),
        _SCORE.reading(
            "unopened-rack",
            "Who has not opened holds fourteen tiles or more, which are worth 20 at least.",
            of="It follows from the deal and the turn.",
        ),
        _SCORE.says(
            "rack",
            "Who is left with tiles loses what they are worth, and the winner gains all that the "
            "others lose.",
            at="Scoring, line 75",
        ),
        _SCORE.says("joker-cost", "A joker left on a rack costs 30.", at="Scoring, line 75"),
        _SCORE.says(
            "pool-empty",
            "Where the pool is empty play goes on until nobody can put down a tile. The lowest "
            "rack then wins: the others lose the difference to it, and the winner gains all these.",
            at="Rules, line 35; Scoring, line 75",
        ),
        _SCORE.reading(
            "tied-racks",
            "Where the lowest racks are level nobody has won the game; the others lose the "
            "difference, and those who tie share all of it equally. Where that does not come out "
            "in whole points, each of the others pays the most that does.",
            of="The text does not speak of a tie (line 75).",
        ),
    ),
)

VALUES = CardValues(
    cite=RULES["value"],
    by_rank=MappingProxyType({rank: rank for rank in RANKS} | {JOKER_RANK: 30}),
    wild=30,
    wild_cite=RULES["joker-cost"],
)


def worth(reading: Reading) -> tuple[int, ...]:
    """Count the numbers of a set, a joker at the tile it stands for."""
    return tuple(tile.rank for tile in reading.stands)


def worth_without_jokers(reading: Reading) -> tuple[int, ...]:
    """Count the numbers of a set, a joker at nothing."""
    return tuple(tile.rank for tile in reading.cards)


OPENING = OpeningRule(
    cite=RULES["opening"],
    wilds=RULES["opening-joker"],
    table=RULES["opening-table"],
    points=30,
)

LAY_OFFS = LayOffRule(
    cite=RULES["manipulation"],
    fits=RULES["what-fits"],
    turn=RULES["turn"],
    same_turn=RULES["opening-table"],
    in_same_turn=False,
    lay_down="open",
)

JOKERS = JokerRule(
    cite=RULES["retrieval"],
    steps=RULES["step-by-step"],
    same=RULES["same-tile"],
    replacement=RULES["replacement"],
    source=RULES["replacement-from"],
    colours=RULES["group-of-three"],
    reuse=RULES["new-set"],
)

REARRANGEMENT = RearrangeRule(
    cite=RULES["manipulation"],
    rack=RULES["from-rack"],
    stays=RULES["table-stays"],
    joker_stays=RULES["joker-at-once"],
    draw=RULES["draw"],
    drawn=RULES["drawn"],
    equipment=RULES["tiles"],
    jokers=JOKERS,
)


def _opening_points(variant: Variant, points: int) -> Variant:
    rule = replace(_opening(variant), points=points, cite=RULES["house-opening-points"])
    return replace(variant, opening=rule)


def _opening_joker(variant: Variant, _: str) -> Variant:
    rule = replace(_opening(variant), wilds=RULES["house-opening-joker"])
    return replace(variant, opening=rule, worth=worth_without_jokers)


def _opening_then_table(variant: Variant, allowed: bool) -> Variant:  # noqa: FBT001 - an option's value
    house = RULES["house-opening-then-table"]
    rule = replace(_opening(variant), then_table=allowed, table=house)
    at_once = replace(LAY_OFFS, in_same_turn=allowed, same_turn=house)
    return replace(variant, opening=rule, lay_offs=at_once)


def _opening(variant: Variant) -> OpeningRule:
    assert variant.opening is not None, "this game has an opening"
    return variant.opening


def _joker_retrieval(variant: Variant, when: str) -> Variant:
    cite = RULES[f"house-joker-retrieval-{when}"]
    rule = replace(_jokers(variant), retrieval=Retrieval(when), cite=cite)
    return _with_jokers(variant, rule)


def _joker_replacement(variant: Variant, _: str) -> Variant:
    house = RULES["house-joker-replacement"]
    return _with_jokers(variant, replace(_jokers(variant), exact=True, replacement=house))


def _joker_replacement_from(variant: Variant, _: str) -> Variant:
    house = RULES["house-joker-replacement-from"]
    return _with_jokers(variant, replace(_jokers(variant), from_rack=True, source=house))


def _joker_group_of_three(variant: Variant, _: str) -> Variant:
    house = RULES["house-joker-group-of-three"]
    return _with_jokers(variant, replace(_jokers(variant), both_colours=True, colours=house))


def _joker_reuse(variant: Variant, _: str) -> Variant:
    house = RULES["house-joker-reuse"]
    return _with_jokers(variant, replace(_jokers(variant), new_set=False, reuse=house))


def _jokers(variant: Variant) -> JokerRule:
    assert variant.rearrangement is not None, "this game is played on the table"
    return variant.rearrangement.jokers


def _with_jokers(variant: Variant, rule: JokerRule) -> Variant:
    assert variant.rearrangement is not None, "as above"
    return replace(variant, rearrangement=replace(variant.rearrangement, jokers=rule))


def _jokers_per_set(variant: Variant, most: int) -> Variant:
    rule = replace(variant.wilds, max_in_meld=most, most_clause=RULES["house-jokers-per-set"])
    return replace(variant, wilds=rule)


def _one(variant: Variant, where: str) -> Variant:
    house = RULES[f"house-one-{where}"]
    if where == "wrap":
        return replace(variant, runs=replace(RUNS, wrap=True, ends=house, both_aces=house))
    return replace(variant, runs=replace(RUNS, high=ACE_HIGH, ends=house, both_aces=house))


OPTIONS = (
    Option(
        name="opening-points",
        title="Points to open",
        says="How many points must the opening be worth?",
        clause="opening",
        kind=Span(0, 100),
        default=30,
        apply=_opening_points,
    ),
    Option(
        name="opening-joker",
        title="Jokers in the opening",
        says="What is a joker worth in the opening?",
        clause="opening-joker",
        kind=Choice((("represented", "The tile it stands for"), ("zero", "Nothing"))),
        default="represented",
        apply=_opening_joker,
    ),
    Option(
        name="opening-then-table",
        title="The table in the turn of opening",
        says="May the table be played on in the turn of opening?",
        clause="opening-table",
        kind=SWITCH,
        default=False,
        apply=_opening_then_table,
    ),
    Option(
        name="joker-retrieval",
        title="Taking a joker",
        says="When may a joker be taken out of its set?",
        clause="retrieval",
        kind=Choice(
            (
                ("replace", "When something replaces it"),
                ("free", "Whenever legal sets remain"),
                ("locked", "Never"),
            )
        ),
        default="replace",
        apply=_joker_retrieval,
    ),
    Option(
        name="joker-replacement",
        title="What replaces a joker",
        says="Which tile may replace a joker?",
        clause="replacement",
        kind=Choice((("any", "Any that keeps the set legal"), ("exact", "The very tile"))),
        default="any",
        apply=_joker_replacement,
    ),
    Option(
        name="joker-replacement-from",
        title="Where that tile comes from",
        says="Where may the tile come from that replaces a joker?",
        clause="replacement-from",
        kind=Choice((("anywhere", "Rack or table"), ("rack", "The rack"))),
        default="anywhere",
        apply=_joker_replacement_from,
    ),
    Option(
        name="joker-group-of-three",
        title="The joker of a group of three",
        says="Is one missing colour enough to free the joker of a group of three?",
        clause="group-of-three",
        kind=Choice((("either", "Either colour"), ("both", "Both are needed"))),
        default="either",
        apply=_joker_group_of_three,
    ),
    Option(
        name="joker-reuse",
        title="Where a joker goes",
        says="Where may a joker go that was retrieved?",
        clause="new-set",
        kind=Choice((("new-set", "To a new set"), ("anywhere", "To any set"))),
        default="new-set",
        apply=_joker_reuse,
    ),
    Option(
        name="jokers-per-set",
        title="Jokers in a set",
        says="How many jokers may one set have?",
        clause="two-jokers",
        kind=Choice(((2, "Two"), (1, "One"))),
        default=2,
        apply=_jokers_per_set,
    ),
    Option(
        name="one",
        title="The 1",
        says="May a 1 follow the 13?",
        clause="one",
        kind=Choice(
            (
                ("low", "Never"),
                ("high-too", "As the end of a run"),
                ("wrap", "Runs go on through it"),
            )
        ),
        default="low",
        apply=_one,
    ),
)

PACK = Pack(suits=TILE_COLOURS, copies=2, jokers=2, notation=Notation.TILES)

RUNS = RunRule(
    cite=RULES["run"],
    ends=RULES["one"],
    both_aces=RULES["one"],
    order=RULES["as-laid"],
    high=13,
)


def _sets(*melds: str) -> tuple[Cards, ...]:
    return tuple(parse_cards(cards, Notation.TILES) for cards in melds)


def _show(tiles: str) -> ShowMeld:
    return ShowMeld(parse_cards(tiles, Notation.TILES))


def _open(*melds: str) -> LayDown:
    return LayDown(melds=_sets(*melds))


def _turn(before: tuple[str, ...], after: tuple[str, ...], rack: str) -> Rearrange:
    return Rearrange(before=_sets(*before), after=_sets(*after), rack=_sets(rack)[0])


EXAMPLES = (
    legal(_show("R7 B7 K7"), "Three sevens in three colours are a group."),
    illegal(_show("R7 R7 B7"), Code.SET_REPEATS_CARD, "The colours of a group differ."),
    legal(_show("B4 B5 B6"), "Three in a row of one colour are a run."),
    legal(_show("B3 JK JK B6"), "The jokers stand for the 4 and the 5."),
    illegal(_show("R12 R13 R1"), Code.ACE_NOT_HIGH, "A 1 never follows the 13."),
    illegal(
        _show("R11 R12 R13 JK"),
        Code.WILD_OUT_OF_PLACE,
        "There is no 14; in front the joker would be the 10.",
    ),
    legal(_open("R9 R10 JK"), "The joker is the 11, and that makes 30."),
    legal(_open("R4 B4 K4", "O5 O6 O7"), "Two sets make 30 together."),
    illegal(_open("B5 B6 B7 B8"), Code.OPENING_TOO_LOW, "26 are not enough to open."),
    legal(
        _turn(("R5 B5 K5 O5",), ("R5 K5 O5", "B4 B5 B6 B7"), "B4 B6 B7"),
        "The fourth tile of the group begins a run.",
    ),
    legal(
        _turn(("R3 R4 R5 R6 R7",), ("R3 R4 R5", "R5 R6 R7"), "R5"),
        "A second 5 splits the run.",
    ),
    illegal(
        _turn(("R3 R4 R5 R6 R7",), ("R3 R4", "R4 R5 R6 R7"), "R4"),
        Code.TOO_FEW_CARDS,
        "Two tiles are no set.",
    ),
    illegal(
        _turn(("R1 B1 K1 O1", "B2 B3 B4"), ("R1 K1 O1", "B1 B2 B3 B4"), "B5 K9"),
        Code.NOTHING_PLAYED,
        "At least one tile comes from the rack.",
    ),
    legal(
        _turn(("R3 JK R5",), ("R3 R4 R5", "B9 K9 JK"), "R4 B9 K9"),
        "The 4 replaces the joker, which makes a new set.",
    ),
    legal(
        _turn(("R4 JK R6 R7",), ("R4 R5 R6", "R7 B7 K7", "JK B11 B12"), "R5 B7 K7 B11 B12"),
        "Once the 5 has replaced the joker, the 7 may go to another set.",
    ),
    illegal(
        _turn(("JK R5 R6 R7",), ("R5 R6 R7", "B9 K9 JK"), "B9 K9"),
        Code.JOKER_NOT_REPLACED,
        "Nothing took the place of the joker.",
    ),
    illegal(
        _turn(("R3 JK R5", "B6 B7 B8"), ("R3 R4 R5", "B6 B7 B8 JK"), "R4"),
        Code.JOKER_NOT_IN_NEW_SET,
        "The joker must make a new set.",
    ),
)

VARIANT = Variant(
    slug="rummikub",
    name="Rummikub",
    tagline="Tiles, an opening of thirty, and a table that all rearrange",
    rulebook=RULES,
    words=Words(
        step="game",
        contract="opening",
        lay_down="open",
        out="Rummikub!",
    ),
    players=range(2, 5),
    pack=PACK,
    packs=lambda _players: PACK.copies,
    hand_size=14,
    sets=SetRule(
        cite=RULES["group"],
        repeats=RULES["group"],
        most_clause=RULES["group"],
        max_size=4,
        distinct_suits=True,
    ),
    runs=RUNS,
    wilds=WildRule(
        cite=RULES["joker"],
        name="joker",
        cards=frozenset({JOKER}),
        in_sets=None,
        natural=RULES["joker"],
        most_clause=RULES["two-jokers"],
        touching=RULES["two-jokers"],
        naturals=RULES["one-tile"],
        max_in_meld=2,
    ),
    lays=LayRule(cite=RULES["turn"], several=RULES["opening-sets"]),
    lay_offs=LAY_OFFS,
    opening=OPENING,
    rearrangement=REARRANGEMENT,
    worth=worth,
    values=VALUES,
    settle=rack_to_winner,
    ending=never,
    pad=PadRule(
        one_out=RULES["aim"],
        held_clause=RULES["unopened-rack"],
        values_clause=RULES["rack"],
        end_clause=RULES["match-end"],
        tied_clause=RULES["match-end"],
        may_grow=True,
        dry="The pool is empty",
        zero_sum=True,
        negative=True,
        lead=Lead.GAMES,
    ),
    clock=ClockRule(
        cite=RULES["one-or-three"],
        seconds=60,
        penalties=(("Nothing was played", 1), ("A move was left unfinished", 3)),
    ),
    turn=RULES["turn"],
    equipment=RULES["tiles"],
    options=OPTIONS,
    examples=EXAMPLES,
)
