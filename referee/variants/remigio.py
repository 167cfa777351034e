"""Remigio: nothing is shown before a whole hand of ten closes, and the losers pay by multiples.

The source is the Fournier rules (rule text 003). A hand closes melded, or as ten of one suit
(Colour), ten in a row (Straight Colour) or ten of one rank (Remigio); the others pay what they
cannot meld, in the arrangement that costs them least.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from referee.cards import ACE, JOKER, KING, TEN, TWO, Pack, parse_cards
from referee.melds.rules import RunRule, SetRule, WildRule
from referee.options import SWITCH, Choice, NumberTable, Span, number
from referee.plays import Close, ShowMeld
from referee.rulebook import Rulebook, Section
from referee.rulings import Code
from referee.scoring import Lead, after_rounds, last_standing, never, others_pay
from referee.turns.closing import (
    CLOSED,
    NO_WILD,
    CloseRule,
    SpecialHand,
    in_one_row,
    of_one_rank,
    of_one_suit,
)
from referee.values import CardValues
from referee.variant import Option, PadRule, Variant, Words, illegal, legal

if TYPE_CHECKING:
    from collections.abc import Mapping

_GAME = Section("The game")
_DEAL = Section("Cards and deal")
_MELDS = Section("Groups and sequences")
_JOKERS = Section("Jokers")
_CLOSE = Section("Closing")
_SPECIAL = Section("Special hands")
_SCORE = Section("Scoring")

RULES = Rulebook(
    "Remigio",
    "Naipes Heraclio Fournier: Remigio",
    (
        _GAME.says(
            "aim",
            "Meld the whole hand of ten before the others and show it at once. Nothing is laid on "
            "the table before.",
            at="Object of the game, line 11",
        ),
        _GAME.says(
            "turn",
            "A turn is a draw, from the stock or the discard pile, and a discard.",
            at="The play, line 51",
        ),
        _GAME.reading(
            "no-lay-off",
            "Nothing is laid off on the melds of the player who closed.",
            of="The text does not mention it (line 63).",
        ),
        _GAME.reading(
            "open-end",
            "There is no last round: points are carried on, what one wins the others lose.",
            of="The text sets no end, only a value for the point (line 61).",
        ),
        _GAME.reading(
            "shared-lead",
            "Players who are level share the lead, and the win.",
            of="The text sets no end (line 61).",
        ),
        _GAME.house(
            "end",
            "The game ends as the table has agreed: after a number of rounds, or when all but one "
            "player are out at a hundred below.",
        ),
        _DEAL.says(
            "pack",
            "Ordinary packs of 52 with two jokers each: two packs for up to six players, three for "
            "up to ten.",
            at="The pack, line 15; Number of players, line 19",
        ),
        _DEAL.says(
            "deal",
            "Ten cards each, and one card is turned up to begin the discard pile. Where somebody "
            "was dealt too many or too few, the cards are dealt again.",
            at="The deal, lines 29 and 31",
        ),
        _DEAL.says(
            "dealer",
            "Play goes to the right. The highest card drawn leads, and the player on the leader's "
            "left deals.",
            at="The deal, line 29",
        ),
        _DEAL.reading(
            "deal-moves",
            "After each round the deal moves one seat to the right, as play does.",
            of="The text names only the first dealer (line 29).",
        ),
        _DEAL.says(
            "stock-out",
            "When the stock is used up the dealer shuffles all the discards.",
            at="The play, line 55",
        ),
        _MELDS.says(
            "group",
            "A group is three or more cards of one rank.",
            at="Melds, line 35",
        ),
        _MELDS.reading(
            "same-card",
            "The same card may stand in a group more than once, from different packs.",
            of="Ten of one rank would be impossible otherwise (lines 35 and 39).",
        ),
        _MELDS.says(
            "sequence",
            "A sequence is three or more cards of one suit that follow one another.",
            at="Melds, line 35",
        ),
        _MELDS.says(
            "ace",
            "The ace links with king and queen, or with 2 and 3.",
            at="Melds, line 35",
        ),
        _MELDS.reading(
            "corner",
            "King, ace, 2 is no sequence unless the table agrees on it before the game.",
            of="The text leaves it to the players (line 35).",
        ),
        _MELDS.house("wrap", "Sequences may go on from the king over the ace to the 2."),
        _MELDS.reading(
            "long-run",
            "A sequence may have an ace at each end.",
            of="The text sets no limit (line 35).",
        ),
        _MELDS.reading(
            "as-laid",
            "Where the natural cards of a sequence lie in rising or falling order, each joker is "
            "what its place makes it; where they lie in no order, order was not meant.",
            of="The text does not speak of the order of cards (line 35).",
        ),
        _JOKERS.says(
            "joker",
            "A joker stands for any card, in any meld.",
            at="Rank and value of cards, line 25",
        ),
        _JOKERS.reading(
            "any-number",
            "A meld may have any number of jokers, side by side too.",
            of="The text sets no limit (line 25).",
        ),
        _JOKERS.reading(
            "one-natural",
            "A meld has at least one natural card.",
            of="The text does not say (line 25).",
        ),
        _JOKERS.house("min-naturals", "A meld needs as many naturals as the table has agreed."),
        _CLOSE.says(
            "close",
            "After discarding, a player closes by showing all the cards of the hand in melds.",
            at="The play, line 57",
        ),
        _CLOSE.says(
            "ten-cards",
            "A hand that holds one card too many or too few cannot close; its player goes on, to "
            "pay little or nothing.",
            at="The play, line 53",
        ),
        _CLOSE.reading(
            "wrong-hand",
            "A hand with a wrong number of cards cannot close whatever it is; the table may mend "
            "it.",
            of="The text does not say how it is mended (line 53).",
        ),
        _CLOSE.says(
            "announce",
            "Who closes says so: closed, Colour, Straight Colour or Remigio.",
            at="The play, line 57",
        ),
        _CLOSE.reading(
            "detected",
            "A hand counts as the best that it is, whatever was said.",
            of="The text asks for the word and not what becomes of a wrong one (line 57).",
        ),
        _CLOSE.house(
            "announce",
            "A hand counts only as what it was said to be; where nothing was said it was closed.",
        ),
        _SPECIAL.says(
            "colour",
            "Ten cards of one suit are a Colour; they need no melds.",
            at="Melds, line 37",
        ),
        _SPECIAL.says(
            "straight-colour",
            "Ten cards of one suit in a row are a Straight Colour.",
            at="Melds, line 39",
        ),
        _SPECIAL.says(
            "remigio",
            "Ten cards of one rank are a Remigio, the highest hand.",
            at="Melds, line 39",
        ),
        _SPECIAL.says(
            "jokers-too",
            "Jokers may be in every special hand.",
            at="Melds, line 41",
        ),
        _SCORE.says(
            "values",
            "2 to 10 cost what they show, king, queen and jack 10, an ace 1.",
            at="Rank and value of cards, line 25",
        ),
        _SCORE.says(
            "joker-value",
            "A joker that is not melded costs 20.",
            at="Rank and value of cards, line 25",
        ),
        _SCORE.says(
            "pay",
            "Every other player pays the winner the value of the cards that are not melded, times "
            "what the winner's hand multiplies by.",
            at="The scoring, lines 63 and 67",
        ),
        _SCORE.reading(
            "least",
            "What a player pays is the least over all arrangements of the hand, jokers where they "
            "save most, over eleven cards too.",
            of="The text speaks of the remaining cards (lines 53 and 63).",
        ),
        _SCORE.reading(
            "colour-protects",
            "A player who holds ten of one suit when another closes pays nothing for them.",
            of="A Colour need not meld (line 37).",
        ),
        _SCORE.reading(
            "eleventh-counts",
            "Of eleven cards ten of one suit protect themselves and the eleventh counts; where all "
            "are of one suit it is the cheapest of them.",
            of="A Colour is ten cards, and a hand may hold one too many (lines 37 and 53).",
        ),
        _SCORE.house(
            "colour-protects-losers",
            "A Colour protects only the player who closes with it.",
        ),
        _SCORE.says(
            "multipliers",
            "Twice for closing without a joker; three times for a Colour and four without a joker; "
            "five times for a Straight Colour and six without a joker; ten times for a Remigio.",
            at="The scoring, lines 69–74",
        ),
        _SCORE.reading(
            "highest",
            "Multipliers do not stack: of all that a hand is, the highest counts.",
            of="The text does not say what a hand that is two things counts (line 67).",
        ),
        _SCORE.reading(
            "cards-shown",
            "Whether there is a joker is asked of the ten cards shown, not of the discard.",
            of="The text speaks of closing without a joker (line 69).",
        ),
        _SCORE.house("multipliers", "The multipliers are those of the table's own list."),
    ),
)

COLOUR = "colour"
STRAIGHT_COLOUR = "straight-colour"
REMIGIO = "remigio"

MULTIPLIERS: Mapping[str, int] = MappingProxyType(
    {
        CLOSED: 1,
        CLOSED + NO_WILD: 2,
        COLOUR: 3,
        COLOUR + NO_WILD: 4,
        STRAIGHT_COLOUR: 5,
        STRAIGHT_COLOUR + NO_WILD: 6,
        REMIGIO: 10,
    }
)
_OUT_AT = -100
"""The total at which a player is out, where the table plays so."""
_LABELS = (
    "Closed",
    "Closed without a joker",
    "Colour",
    "Colour without a joker",
    "Straight Colour",
    "Straight Colour without a joker",
    "Remigio",
)

VALUES = CardValues(
    cite=RULES["values"],
    by_rank=MappingProxyType(
        {rank: rank for rank in range(TWO, TEN)}
        | dict.fromkeys(range(TEN, KING + 1), 10)
        | {ACE: 1}
    ),
    wild=20,
    wild_cite=RULES["joker-value"],
)

CLOSE = CloseRule(
    cite=RULES["close"],
    number=RULES["ten-cards"],
    special=(
        SpecialHand(word=REMIGIO, title="Remigio", cite=RULES["remigio"], reads=of_one_rank),
        SpecialHand(
            word=STRAIGHT_COLOUR,
            title="Straight Colour",
            cite=RULES["straight-colour"],
            reads=in_one_row,
        ),
        SpecialHand(word=COLOUR, title="Colour", cite=RULES["colour"], reads=of_one_suit),
    ),
    no_wild=RULES["cards-shown"],
    pay=RULES["pay"],
    times=RULES["multipliers"],
    highest=RULES["highest"],
    announced=RULES["detected"],
    multipliers=MULTIPLIERS,
    size=10,
)


def _wrap(variant: Variant, wrap: bool) -> Variant:  # noqa: FBT001 - an option's value
    return replace(variant, runs=replace(variant.runs, wrap=wrap, ends=RULES["house-wrap"]))


def _rule(variant: Variant) -> CloseRule:
    assert variant.close is not None, "hands are closed in this game"
    return variant.close


def _colour_protects(variant: Variant, protected: bool) -> Variant:  # noqa: FBT001 - as above
    return replace(variant, close=replace(_rule(variant), protected=protected))


def _announce(variant: Variant, how: str) -> Variant:
    house = RULES["house-announce"]
    rule = replace(_rule(variant), strict=how == "strict", announced=house)
    return replace(variant, close=rule)


def _min_naturals(variant: Variant, least: int) -> Variant:
    rule = replace(variant.wilds, min_naturals=least, naturals=RULES["house-min-naturals"])
    return replace(variant, wilds=rule)


def _multipliers(variant: Variant, table: Mapping[str, int]) -> Variant:
    house = RULES["house-multipliers"]
    rule = replace(_rule(variant), multipliers=MappingProxyType(dict(table)), times=house)
    return replace(variant, close=rule)


def _end(variant: Variant, end: str | int) -> Variant:
    assert variant.pad is not None
    pad = replace(variant.pad, end_clause=RULES["house-end"])
    if isinstance(end, int):
        ending = after_rounds(end, Lead.HIGHEST)
        return replace(variant, ending=ending, pad=replace(pad, rounds=end))
    return replace(variant, ending=last_standing, pad=replace(pad, out_at=_OUT_AT))


OPTIONS = (
    Option(
        name="wrap",
        title="King, ace, two",
        says="May a sequence go from the king over the ace to the 2?",
        clause="corner",
        kind=SWITCH,
        default=False,
        apply=_wrap,
    ),
    Option(
        name="colour-protects-losers",
        title="Colour in a loser’s hand",
        says="Does a Colour save its holder from paying when another closes?",
        clause="colour-protects",
        kind=SWITCH,
        default=True,
        apply=_colour_protects,
    ),
    Option(
        name="announce",
        title="Saying what the hand is",
        says="What does a hand count as when it was said to be something else?",
        clause="detected",
        kind=Choice((("detect", "What it is"), ("strict", "What was said"))),
        default="detect",
        apply=_announce,
    ),
    Option(
        name="min-naturals",
        title="Naturals in a meld",
        says="How many natural cards does a meld need?",
        clause="one-natural",
        kind=number(0, 2),
        default=1,
        apply=_min_naturals,
    ),
    Option(
        name="multipliers",
        title="Multipliers",
        says="How many times do the others pay?",
        clause="multipliers",
        kind=NumberTable(
            tuple(
                (name, label, times)
                for label, (name, times) in zip(_LABELS, MULTIPLIERS.items(), strict=True)
            ),
            high=1000,
        ),
        default=dict(MULTIPLIERS),
        apply=_multipliers,
    ),
    Option(
        name="end",
        title="End of the game",
        says="When is the game over? A number is that of the rounds.",
        clause="open-end",
        kind=Span(
            1,
            500,
            (("open", "When you like"), ("eliminate-100", "When one is left above −100")),
        ),
        default="open",
        apply=_end,
    ),
)


def _show(cards: str) -> ShowMeld:
    return ShowMeld(parse_cards(cards))


def _close(cards: str, says: str | None = None) -> Close:
    return Close(cards=parse_cards(cards), says=says)


EXAMPLES = (
    legal(_show("7S 7S 7D"), "The same card of both packs may stand in one group."),
    legal(_show("QH KH AH"), "The ace links with king and queen."),
    legal(_show("AH 2H 3H"), "The ace links with 2 and 3."),
    illegal(
        _show("KH AH 2H"), Code.RUN_AROUND_THE_CORNER, "King, ace, 2 only where it was agreed."
    ),
    legal(_show("JK JK 5D"), "One natural card is enough."),
    illegal(_show("JK JK JK"), Code.TOO_FEW_NATURALS, "Jokers alone are no meld."),
    legal(_close("4S 4H 4D 9C 10C JC QC AD 2D 3D"), "Closed without a joker: twice."),
    legal(_close("2H 2H 5H 6H 8H 9H JH QH KH JK"), "A Colour with a joker: three times."),
    legal(_close("4S 5S 6S 7S JK 9S 10S JS QS KS"), "A Straight Colour with a joker: five times."),
    legal(_close("9S 9S 9H 9H 9D 9D 9C 9C JK JK"), "Remigio: ten times."),
    illegal(
        _close("4S 5S 6S 6H 6D 7S 8S 9S QD QC"), Code.CARDS_NOT_MELDED, "The queens are left over."
    ),
    illegal(
        _close("7S 7H 7D 8C 9C 10C JC QC 3D 3H 3S"),
        Code.WRONG_NUMBER_OF_CARDS,
        "A hand of eleven cannot close.",
    ),
)

VARIANT = Variant(
    slug="remigio",
    name="Remigio",
    tagline="Ten cards close at once, melded, of one suit or of one rank",
    rulebook=RULES,
    words=Words(out="Closed"),
    players=range(2, 11),
    pack=Pack(copies=3, jokers=6),
    packs=lambda players: 2 if players <= 6 else 3,  # noqa: PLR2004 - said in the clause "pack"
    hand_size=10,
    sets=SetRule(cite=RULES["group"], repeats=RULES["same-card"]),
    runs=RunRule(
        cite=RULES["sequence"],
        ends=RULES["ace"],
        both_aces=RULES["long-run"],
        order=RULES["as-laid"],
    ),
    wilds=WildRule(
        cite=RULES["joker"],
        name="joker",
        cards=frozenset({JOKER}),
        in_sets=None,
        natural=RULES["joker"],
        most_clause=RULES["any-number"],
        touching=RULES["any-number"],
        naturals=RULES["one-natural"],
    ),
    close=CLOSE,
    values=VALUES,
    settle=others_pay,
    ending=never,
    pad=PadRule(
        one_out=RULES["close"],
        held_clause=RULES["ten-cards"],
        values_clause=RULES["values"],
        end_clause=RULES["open-end"],
        tied_clause=RULES["shared-lead"],
        zero_sum=True,
        negative=True,
        lead=Lead.HIGHEST,
        turns="to the right",
    ),
    turn=RULES["aim"],
    equipment=RULES["pack"],
    options=OPTIONS,
    examples=EXAMPLES,
)
