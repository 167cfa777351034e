"""Rummy 500 for two: melds score on the table, 2s and jokers are wild, the discard pile is open.

The source is a set of rules for two players (rule text 004). What is laid scores at once, an ace 15
in a set and 10 in a run, a wild what it stands for; what is left in hand counts against.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from referee.cards import ACE, JOKER, KING, TEN, TWO, Card, Pack, parse_cards
from referee.melds.rules import ACE_HIGH, RunRule, SetRule, WildRule
from referee.options import SWITCH, Choice, Span
from referee.plays import Call, LayDown, LayOff, PickUp, ShowMeld
from referee.rulebook import Rulebook, Section
from referee.rulings import Code, MeldKind
from referee.scoring import Lead, first_to, table_less_hand
from referee.turns.discards import CallRule, PileRule
from referee.turns.layoffs import LayOffRule
from referee.turns.opening import LayRule
from referee.values import CardValues
from referee.variant import Option, PadRule, Variant, Words, illegal, legal

if TYPE_CHECKING:
    from referee.rulings import Reading

_GAME = Section("The game")
_DEAL = Section("Cards and deal")
_PILE = Section("The discard pile")
_MELDS = Section("Sets and runs")
_WILD = Section("2s and jokers")
_LAY = Section("Laying down")
_OFF = Section("Laying off")
_CALL = Section("Rummy!")
_SCORE = Section("Scoring")

RULES = Rulebook(
    "Rummy 500 for two",
    "Rules of Rummy 500 for two players with 2s and jokers wild",
    (
        _GAME.says(
            "aim",
            "Lay sets and runs to score. The game is over when a player has 500 points or more.",
            at="Scoring, line 18; Game End, line 91",
        ),
        _GAME.says("players", "Two play.", at="Players, line 2"),
        _GAME.says(
            "turn",
            "A turn is: draw from the stock or take from the discard pile, lay down and lay off as "
            "much as you can and want to, discard a card if one is left.",
            at="Draw, line 14; Rummy, line 61",
        ),
        _DEAL.says(
            "pack",
            "One ordinary pack with its jokers.",
            at="Setup, line 6",
        ),
        _DEAL.reading(
            "two-jokers",
            "There are two jokers.",
            of="The text says jokers without a number (line 6).",
        ),
        _DEAL.says(
            "deal",
            "Seven cards each, and one card is turned up to begin the discard pile.",
            at="Setup, line 8",
        ),
        _DEAL.says(
            "dealer",
            "The other player begins; the deal goes back and forth.",
            at="Setup, lines 6 and 10",
        ),
        _PILE.says(
            "lowest-card",
            "You may take any number of cards off the top of the discard pile. The lowest of them "
            "must be used to score in this very turn; the rest may stay in your hand.",
            at="Draw, line 14",
        ),
        _PILE.reading(
            "laid-off-too",
            "The lowest card is used when it is laid off, just as when it is laid in a meld.",
            of="The text says only that it must score (line 14).",
        ),
        _PILE.reading(
            "top-card",
            "The top card alone must be used at once, like any other lowest card.",
            of="The text makes no exception for it (line 14).",
        ),
        _PILE.house("top-discard-free", "The top discard alone may be taken and kept."),
        _PILE.says(
            "rest-of-the-pile",
            "What lies below the lowest card taken stays in the pile.",
            at="Draw, line 14",
        ),
        _MELDS.says(
            "set",
            "A set is three or more cards of one rank in different suits.",
            at="Scoring, line 18; Melds, line 22",
        ),
        _MELDS.reading(
            "set-of-four",
            "A set has four cards at the most, wilds among them: then no suit is left.",
            of="It follows from the different suits (line 22).",
        ),
        _MELDS.house("set-max", "Wilds may make a set larger than the four suits."),
        _MELDS.says(
            "run",
            "A run is three or more cards of one suit that follow one another.",
            at="Scoring, line 18; Melds, line 23",
        ),
        _MELDS.says(
            "ace",
            "The ace is high only and a run ends there: neither ace, 2, 3 nor king, ace, 2.",
            at="Melds, line 25",
        ),
        _MELDS.reading(
            "long-run",
            "The longest run goes from the 3 to the ace.",
            of="It follows from the high ace and the wild 2s (lines 18 and 25).",
        ),
        _MELDS.reading(
            "as-laid",
            "Where the natural cards of a run lie in rising or falling order, each wild is what "
            "its place makes it, and nothing lies above the ace or below the 3. Where they lie in "
            "no order, order was not meant.",
            of="The text calls king, ace, 2 no run although 2s are wild (lines 18 and 25).",
        ),
        _WILD.says(
            "wild",
            "2s and jokers are wild: they stand for any card of a set or a run.",
            at="Scoring, line 18",
        ),
        _WILD.reading(
            "any-number",
            "A meld may have any number of wilds, side by side too.",
            of="The text sets no limit (line 25).",
        ),
        _WILD.reading(
            "one-natural",
            "A run has at least one natural card, and so has a set that is not of wilds only.",
            of="Only sets are named where wilds are alone (line 78).",
        ),
        _WILD.says(
            "only-wilds",
            "Wilds alone may be a set, and count 25 each there.",
            at="On The Table, line 78",
        ),
        _WILD.reading(
            "wilds-stay-alone",
            "A set of only wilds has no rank; only wilds join it, as many as there are.",
            of="The text speaks of only other wild cards (line 78).",
        ),
        _WILD.reading(
            "twos-are-wild",
            "A 2 is always wild and never a 2: the 3 is the lowest card of a run.",
            of="No value is given for a 2 of its own (lines 18 and 73).",
        ),
        _WILD.house("natural-twos", "A 2 may also be a 2: it stands below the 3 and counts 5."),
        _WILD.reading(
            "no-swaps",
            "A wild on the table stays where it is.",
            of="The text knows no taking of wilds.",
        ),
        _LAY.says(
            "melds",
            "Any number of sets and runs may be laid in a turn.",
            at="Melds, line 25",
        ),
        _LAY.says(
            "two-naturals",
            "A player’s first lay needs two natural cards or more.",
            at="Melds, line 25",
        ),
        _LAY.reading(
            "first-lay",
            "The first lay is a player’s first melds in a hand and what is laid off with them; the "
            "two natural cards may be anywhere in it.",
            of="Otherwise no set could be of wilds alone (lines 25 and 78).",
        ),
        _LAY.reading(
            "lay-offs-ask-nothing",
            "Cards may be laid off alone without two natural cards among them; the player’s first "
            "melds still need them afterwards.",
            of="The text says it of the sets and runs that are laid (lines 25 and 51).",
        ),
        _LAY.house("each-meld", "Every meld has two natural cards or more; none is of only wilds."),
        _LAY.house(
            "each-meld-except-all-wild",
            "Every meld has at least two natural cards, but for a set of only wilds.",
        ),
        _OFF.says(
            "lay-off",
            "Cards may be laid off on any meld on the table, one's own or the other player's. They "
            "lie on one's own side and score for who lays them.",
            at="Own Melds, line 47; Opponent’s Melds, line 51",
        ),
        _OFF.says(
            "what-fits",
            "A card joins a set of its rank, or a run that it continues at either end.",
            at="Own Melds, line 47; Opponent’s Melds, line 51",
        ),
        _OFF.says(
            "own-turn",
            "Cards are laid off in one's own turn, after drawing.",
            at="Scoring, line 18; Opponent’s Melds, line 51",
        ),
        _OFF.says(
            "wilds-on-own",
            "A wild may be put only to one's own melds.",
            at="Wild Cards, line 55",
        ),
        _OFF.reading(
            "not-with-a-natural",
            "Nor may a wild be put to the other player's meld together with a natural card.",
            of="The text speaks of the 2 on its own (line 55).",
        ),
        _OFF.reading(
            "still-theirs",
            "A card laid next to the other player's run does not make the run one's own.",
            of="The text does not say whose meld it is then (line 51).",
        ),
        _OFF.house("wild-layoff", "A wild may be put to any meld on the table."),
        _CALL.says(
            "rummy",
            "A discard that fits a meld on the table may be called with Rummy!, taken and laid "
            "there for its points; the turn that follows is not used up.",
            at="Rummy, line 59",
        ),
        _CALL.reading(
            "until-the-draw",
            "Only the last discard can be called, until the next player has drawn, and not when "
            "the hand is over.",
            of="The text does not say how long (line 59).",
        ),
        _CALL.reading(
            "wilds-not-called",
            "A wild is not called: only a natural card fits a meld by itself.",
            of="The text speaks of a card that matches a meld (line 59).",
        ),
        _SCORE.says(
            "hand-end",
            "The hand ends when a player has no card left.",
            at="Hand End, line 65",
        ),
        _SCORE.reading(
            "stock-out",
            "When the stock is used up the hand ends, and counts as it stands.",
            of="The text does not say.",
        ),
        _SCORE.says(
            "table-values",
            "On the table 3 to 9 score 5 and 10 to king 10; an ace scores 15 in a set and 10 in a "
            "run.",
            at="On The Table, lines 73–76",
        ),
        _SCORE.says(
            "wild-table-value",
            "A wild scores what the card it stands for would score there.",
            at="On The Table, line 77",
        ),
        _SCORE.reading(
            "wild-ace",
            "So a wild scores 15 as an ace in a set, and 10 as an ace in a run.",
            of="It follows from the two values of the ace (lines 75–77).",
        ),
        _SCORE.says(
            "hand-values",
            "Left in hand 3 to 9 cost 5, 10 to king 10, an ace 15, a 2 or a joker 25.",
            at="In The Hand, lines 84–87",
        ),
        _SCORE.reading(
            "ace-in-hand",
            "An ace left in hand costs 15, whatever it might have been.",
            of="The text knows one value for it there (line 86).",
        ),
        _SCORE.says(
            "win",
            "Where both players come to 500 in one hand, who went out wins.",
            at="Game End, line 91",
        ),
        _SCORE.reading(
            "win-when-nobody-is-out",
            "Where both come to 500 and nobody went out, the higher total wins.",
            of="The text speaks only of the player who went out (line 91).",
        ),
        _SCORE.reading(
            "level",
            "Where nobody went out and both have the same total of 500 or more, they share the "
            "win.",
            of="The text speaks only of the player who went out (line 91).",
        ),
        _SCORE.reading(
            "seven-laid",
            "Who goes out has laid seven cards or more, for 35 points at least: each turn draws as "
            "many cards as it discards, or more.",
            of="It follows from the deal and the turn (lines 8, 14 and 61).",
        ),
        _SCORE.house("target", "The game is over at another total that the table has agreed on."),
    ),
)

WILDS = frozenset({JOKER, *(Card(TWO, suit) for suit in Pack().suits)})
_ONLY_WILDS = 25
_ACE_IN_SET = 15

VALUES = CardValues(
    cite=RULES["hand-values"],
    by_rank=MappingProxyType(
        dict.fromkeys(range(TWO, TEN), 5) | dict.fromkeys(range(TEN, KING + 1), 10) | {ACE: 15}
    ),
    wild=25,
    wild_cite=RULES["hand-values"],
)


def worth(meld: Reading) -> tuple[int, ...]:
    """Score a meld card by card: a wild as what it stands for, an ace by the kind of meld."""
    if meld.rankless:
        return (_ONLY_WILDS,) * len(meld.cards)
    ace = _ACE_IN_SET if meld.kind is MeldKind.SET else 10
    scores = [ace if card.rank == ACE else 5 if card.rank < TEN else 10 for card in meld.stands]
    return tuple(scores)


def _first_lay_naturals(variant: Variant, scope: str) -> Variant:
    house = RULES[f"house-{scope}"]
    wilds = replace(variant.wilds, min_naturals=2, naturals=house)
    sets = variant.sets
    if scope == "each-meld":
        sets = replace(sets, only_wilds=None)
    return replace(variant, wilds=wilds, sets=sets, lays=LayRule(cite=RULES["melds"]))


def _set_max(variant: Variant, most: int | None) -> Variant:
    house = RULES["house-set-max"]
    return replace(variant, sets=replace(variant.sets, max_size=most, most_clause=house))


def _natural_twos(variant: Variant, allowed: bool) -> Variant:  # noqa: FBT001 - an option's value
    house = RULES["house-natural-twos"]
    return replace(
        variant,
        wilds=replace(variant.wilds, natural_in_place=allowed, natural=house),
        runs=replace(variant.runs, low=TWO, both_aces=house),
    )


def _top_discard_free(variant: Variant, allowed: bool) -> Variant:  # noqa: FBT001 - as above
    house = RULES["house-top-discard-free"]
    return replace(variant, pile=replace(PILE, top_is_free=allowed, top=house))


def _wild_layoff(variant: Variant, whose: str) -> Variant:
    own_only = whose == "own"
    rule = replace(LAY_OFFS, wilds_on_own_only=own_only, wilds=RULES["house-wild-layoff"])
    return replace(variant, lay_offs=rule)


def _target(variant: Variant, target: int) -> Variant:
    assert variant.pad is not None
    pad = replace(variant.pad, end_clause=RULES["house-target"])
    return replace(variant, ending=first_to(target), pad=pad)


LAY_OFFS = LayOffRule(
    cite=RULES["lay-off"],
    fits=RULES["what-fits"],
    turn=RULES["own-turn"],
    wilds=RULES["wilds-on-own"],
    wilds_with_naturals=RULES["not-with-a-natural"],
    needs_down=False,
    wilds_on_own_only=True,
)

PILE = PileRule(
    cite=RULES["lowest-card"],
    off=RULES["laid-off-too"],
    top=RULES["top-card"],
    stays=RULES["rest-of-the-pile"],
)

OPTIONS = (
    Option(
        name="first-lay-naturals",
        title="Two natural cards",
        says="Where must there be two natural cards?",
        clause="first-lay",
        kind=Choice(
            (
                ("first-lay", "In a player’s first lay of the hand"),
                ("each-meld", "In every meld"),
                ("each-meld-except-all-wild", "In every meld that is not of wilds only"),
            )
        ),
        default="first-lay",
        apply=_first_lay_naturals,
    ),
    Option(
        name="set-max",
        title="Cards in a set",
        says="How many cards may a set have?",
        clause="set-of-four",
        kind=Choice(((4, "4"), (None, "Any number, with wilds"))),
        default=4,
        apply=_set_max,
    ),
    Option(
        name="natural-twos",
        title="2s as 2s",
        says="May a 2 also be a 2, below the 3?",
        clause="twos-are-wild",
        kind=SWITCH,
        default=False,
        apply=_natural_twos,
    ),
    Option(
        name="top-discard-free",
        title="Top discard",
        says="May the top discard alone be taken and kept?",
        clause="top-card",
        kind=SWITCH,
        default=False,
        apply=_top_discard_free,
    ),
    Option(
        name="wild-layoff",
        title="Wilds laid off",
        says="To whose melds may a wild be put?",
        clause="wilds-on-own",
        kind=Choice((("own", "One’s own"), ("all", "Anybody’s"))),
        default="own",
        apply=_wild_layoff,
    ),
    Option(
        name="target",
        title="Game to",
        says="How many points end the game?",
        clause="aim",
        kind=Span(100, 5000),
        default=500,
        apply=_target,
    ),
)


def _show(cards: str) -> ShowMeld:
    return ShowMeld(parse_cards(cards))


def _lay(*melds: str, first: bool = True) -> LayDown:
    return LayDown(melds=tuple(map(parse_cards, melds)), first=first)


def _off(cards: str, onto: str, *, own: bool) -> LayOff:
    return LayOff(parse_cards(cards), parse_cards(onto), own=own)


def _pick(take: str, *melds: str) -> PickUp:
    (lowest,) = parse_cards(take)
    return PickUp(pile=parse_cards("4D 9H 7D"), take=lowest, melds=tuple(map(parse_cards, melds)))


def _call(discard: str, *table: str, drawn: bool = False) -> Call:
    (card,) = parse_cards(discard)
    return Call(discard=card, table=tuple(map(parse_cards, table)), drawn=drawn)


EXAMPLES = (
    legal(_show("7C 7H 7D"), "Three of a rank in different suits are a set."),
    legal(_show("QS KS AS"), "The ace is high."),
    illegal(_show("AD 2C 3D 4D"), Code.ACE_NOT_LOW, "The ace is never low."),
    illegal(
        _show("KS AS 2S"),
        Code.WILD_OUT_OF_PLACE,
        "Nothing lies above the ace; in front the 2 would be the queen.",
    ),
    illegal(_show("2S 3S 4S"), Code.WILD_OUT_OF_PLACE, "A 2 is wild, and nothing is below the 3."),
    legal(_show("AH AD 2C"), "A wild as an ace in a set: 45 points."),
    illegal(_show("7C 7H 7D 7S JK"), Code.TOO_MANY_IN_MELD, "No suit is left for the joker."),
    legal(_lay("3C 4C 5C 6C 7C 8C 9C"), "Seven cards at once: 35 points."),
    illegal(
        _lay("7C 2D JK"), Code.TOO_FEW_NATURALS_FIRST, "The first lay needs two natural cards."
    ),
    legal(_lay("2C 2D JK", first=False), "A set of only wilds: 25 each."),
    legal(_off("6S", "3S 4S 5S", own=False), "Laid off on the other player's run: 5 points."),
    illegal(
        _off("2S", "AC AH AD", own=False),
        Code.WILD_ON_OTHERS_MELD,
        "A wild may be put only to one's own melds.",
    ),
    illegal(
        _off("7S", "2C 2D JK", own=True),
        Code.ONLY_WILDS_JOIN,
        "It would no longer be a set of only wilds.",
    ),
    legal(_pick("7D", "7C 7H 7D"), "The one card taken is used."),
    illegal(_pick("9H", "7C 7H 7D"), Code.LOWEST_NOT_USED, "The nine, the lowest, is not used."),
    legal(_call("6S", "3S 4S 5S"), "Rummy! The six was overlooked."),
    illegal(_call("6S", "3S 4S 5S", drawn=True), Code.DRAWN_ALREADY, "It is too late."),
)

VARIANT = Variant(
    slug="rummy-500",
    name="Rummy 500",
    tagline="Two players, melds score on the table, 2s and jokers are wild",
    rulebook=RULES,
    words=Words(step="hand"),
    players=range(2, 3),
    pack=Pack(jokers=2),
    packs=lambda _players: 1,
    hand_size=7,
    sets=SetRule(
        cite=RULES["set"],
        repeats=RULES["set"],
        most_clause=RULES["set-of-four"],
        max_size=len(Pack().suits),
        distinct_suits=True,
        only_wilds=RULES["only-wilds"],
        wilds_join=RULES["wilds-stay-alone"],
    ),
    runs=RunRule(
        cite=RULES["run"],
        ends=RULES["ace"],
        both_aces=RULES["long-run"],
        order=RULES["as-laid"],
        low=TWO + 1,
        high=ACE_HIGH,
    ),
    wilds=WildRule(
        cite=RULES["wild"],
        name="wild card",
        cards=WILDS,
        in_sets=None,
        natural=RULES["twos-are-wild"],
        most_clause=RULES["any-number"],
        touching=RULES["any-number"],
        naturals=RULES["one-natural"],
        natural_in_place=False,
    ),
    lays=LayRule(
        cite=RULES["melds"],
        first=RULES["two-naturals"],
        together=RULES["first-lay"],
        first_naturals=2,
    ),
    lay_offs=LAY_OFFS,
    pile=PILE,
    calls=CallRule(
        cite=RULES["rummy"], until=RULES["until-the-draw"], wilds=RULES["wilds-not-called"]
    ),
    worth=worth,
    values=VALUES,
    settle=table_less_hand,
    ending=first_to(500),
    pad=PadRule(
        one_out=RULES["hand-end"],
        held_clause=RULES["seven-laid"],
        values_clause=RULES["hand-values"],
        end_clause=RULES["aim"],
        tied_clause=RULES["level"],
        overtaken=RULES["win"],
        may_grow=True,
        dry="The stock is used up",
        asks_table=True,
        table_values_clause=RULES["table-values"],
        table_note="On the table an ace in a run is 10, and a wild what it stands for: "
        "25 only in a set of wilds.",
        negative=True,
        lead=Lead.HIGHEST,
        turns="back and forth",
    ),
    turn=RULES["turn"],
    equipment=RULES["pack"],
    options=OPTIONS,
    examples=EXAMPLES,
)
