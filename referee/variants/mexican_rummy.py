"""Mexican Rummy: six rounds, six contracts, and black 2s that run wild.

The source is the rules page of the Caggiano family (rule text 000). Its wild 2s make the order of
the cards tell: king, ace, black 2 is no run, although black 2, king, ace and the queen's place is.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from referee.cards import ACE, KING, TEN, TWO, Card, Pack, Suit, parse_cards
from referee.melds.contracts import Contract, ContractRule
from referee.melds.rules import RunRule, SetRule, WildRule
from referee.options import SWITCH, Choice, number
from referee.plays import LayDown, LayOff, ShowMeld, Swap, Taken
from referee.rulebook import Rulebook, Section
from referee.rulings import Code
from referee.scoring import after_rounds, own_deadwood
from referee.turns.layoffs import LayOffRule
from referee.turns.swaps import SwapRule
from referee.values import CardValues
from referee.variant import Option, PadRule, Variant, Words, illegal, legal

_GAME = Section("The game")
_DEAL = Section("Cards and deal")
_MELDS = Section("Sets and runs")
_WILD = Section("Black 2s")
_DOWN = Section("Laying down")
_OFF = Section("Laying off")
_SWAP = Section("Taking a black 2")
_MAY_I = Section("May I?")
_OUT = Section("Going out")
_SCORE = Section("Scoring")

RULES = Rulebook(
    "Mexican Rummy",
    "Caggiano Family Games: Mexican Rummy",
    (
        _GAME.says(
            "aim",
            "Get rid of all your cards in every round; after six rounds the lowest total wins.",
            at="The Game, line 28",
        ),
        _GAME.says(
            "rounds",
            "There are six rounds with a contract each, the same for everybody. All move on to the "
            "next round, whether they made the contract or not.",
            at="The Game, line 31",
        ),
        _GAME.reading(
            "shared-win",
            "Players who are level on the lowest total after the last round share the win.",
            of="The text does not say what happens in a tie.",
        ),
        _DEAL.says(
            "pack",
            "Two ordinary packs of 52 are shuffled together, without jokers.",
            at="What you need to play, line 35",
        ),
        _DEAL.says(
            "players",
            "Two can play; three to six is best.",
            at="What you need to play, line 35",
        ),
        _DEAL.reading(
            "up-to-eight",
            "Two to eight may play; nine hands of ten would leave only fourteen cards to draw.",
            of="The text names the numbers that it prefers, and no limit (line 35).",
        ),
        _DEAL.says(
            "deal",
            "Ten cards each in every round; the rest is the stock.",
            at="Setup, line 39",
        ),
        _DEAL.reading(
            "no-upcard",
            "No card is turned up at the deal: the first player has only the stock to draw from.",
            of="The text turns no card.",
        ),
        _DEAL.says(
            "dealer",
            "The player on the dealer's left begins; the deal moves one place to the left each "
            "round.",
            at="Setup, line 39",
        ),
        _DEAL.reading(
            "stock-out",
            "When the stock is used up the discard pile, without its top card, is shuffled and "
            "becomes the stock.",
            of="The text does not say.",
        ),
        _GAME.says(
            "turn",
            "A turn is: draw the top card of the stock or of the discard pile, lay down the "
            "contract if you can and want to, lay off what fits once it is down, discard a card.",
            at="Draw and Discard, line 48",
        ),
        _MELDS.says(
            "set",
            "A set is three or more cards of one rank.",
            at="Round Objectives, line 64; Glossary, line 101",
        ),
        _MELDS.reading(
            "same-card",
            "The same card may stand in a set twice, once from each pack; suits do not matter.",
            of="The text does not ask for different suits (Glossary, line 101).",
        ),
        _MELDS.house("duplicates-in-set", "The same card may not stand in a set twice."),
        _MELDS.says(
            "run",
            "A run is four or more cards of one suit that follow one another.",
            at="Round Objectives, line 65; Glossary, line 105",
        ),
        _MELDS.says(
            "ace",
            "The ace stands below the 2 or above the king, never in the middle of a run: king, "
            "ace, 2 do not follow one another.",
            at="Round Objectives, line 65",
        ),
        _MELDS.house("wrap", "Runs may go round the corner, from the king over the ace to the 2."),
        _MELDS.reading(
            "long-run",
            "A run may have an ace at each end, fourteen cards at the most.",
            of="The text allows the ace low and high, and sets no limit.",
        ),
        _MELDS.reading(
            "as-laid",
            "Where the natural cards of a run lie in rising or falling order, each wild is what "
            "its place makes it; where they lie in no order, order was not meant.",
            of="The text shows runs laid in order and does not speak of it.",
        ),
        _WILD.says(
            "black-2",
            "In a round that asks for a run a black 2, spades or clubs, may stand for any card of "
            "a run, of whatever suit. Red 2s never may.",
            at="Round Objectives, line 65; Black 2, line 88; Glossary, line 109",
        ),
        _WILD.says(
            "only-in-runs",
            "Black 2s are wild only in runs, never in a set.",
            at="Black 2, line 88; Glossary, line 109",
        ),
        _WILD.reading(
            "natural-2",
            "A black 2 in its own place is a natural card: a 2 in a set of 2s, or the 2 of its own "
            "suit in a run. Nobody can take it for another card.",
            of="The text bars black 2s only as wilds in a set.",
        ),
        _WILD.reading(
            "plain-2",
            "In rounds without runs a black 2 is a plain 2 and costs what a 2 costs.",
            of="It follows from where black 2s are wild (Scoring, line 69).",
        ),
        _WILD.reading(
            "any-number",
            "A run may have any number of wilds, side by side too.",
            of="The text sets no limit.",
        ),
        _WILD.reading(
            "one-natural",
            "A run has at least one natural card: without one it has no suit.",
            of="The text does not say.",
        ),
        _WILD.house("adjacent-wilds", "Wilds may not lie side by side in a run."),
        _WILD.house("max-wilds", "A run may have only so many wilds as the table has agreed."),
        _WILD.house("min-naturals", "A run needs as many naturals as the table has agreed."),
        _DOWN.says(
            "contracts",
            "The contracts are: two sets; a set and a run; two runs; three sets; two sets and a "
            "run; two runs and a set, without a discard. Only the whole contract may be laid down.",
            at="Round Objectives, lines 54–59; Draw and Discard, line 48",
        ),
        _DOWN.reading(
            "exact",
            "Exactly the melds of the contract are laid down. Further cards may only make these "
            "melds longer.",
            of="The text speaks of the cards that meet the objective.",
        ),
        _DOWN.house("extra-melds", "Any further legal meld of the round may be laid down as well."),
        _DOWN.reading(
            "same-rank",
            "Two sets of one contract may be of the same rank.",
            of="The text does not ask for different ranks.",
        ),
        _DOWN.house("same-rank-sets", "Two sets of one contract must differ in rank."),
        _DOWN.says(
            "split-run",
            "A run of eight may be laid down as two runs of four, but it must be laid as two.",
            at="Glossary, line 105",
        ),
        _DOWN.house("split-runs", "Two runs of one suit may not follow on each other."),
        _DOWN.reading(
            "any-hand",
            "How many cards a hand holds is never a reason to refuse it.",
            of="The text's own example has a hand that its deal cannot give (line 96).",
        ),
        _DOWN.says(
            "no-discardo",
            "In the last round the whole hand goes down at once, eleven cards or more, and nothing "
            "may be left over to discard. Everybody else is caught with a whole hand.",
            at="No Discardo, lines 94 and 96",
        ),
        _DOWN.reading(
            "nobody-else-down",
            "In the last round nobody else can be down, so nothing is laid off on another’s meld "
            "and no black 2 is taken: the round is over when one player has laid down.",
            of="It follows from the hand that goes down whole (line 94).",
        ),
        _OFF.says(
            "lay-off",
            "Once your own contract is on the table you may lay off cards that fit on your own "
            "melds and on those of others.",
            at="The Game, line 31; Draw and Discard, line 48",
        ),
        _OFF.says(
            "what-fits",
            "A card joins a set of its rank, or a run that it continues at either end; in a round "
            "with runs a black 2 joins any run that has room.",
            at="Draw and Discard, line 48; Black 2, line 88",
        ),
        _OFF.says(
            "own-turn",
            "Cards are laid down and laid off in one's own turn, after drawing.",
            at="Draw and Discard, line 48",
        ),
        _OFF.reading(
            "same-turn",
            "Cards may be laid off in the very turn in which the contract was laid down.",
            of="The text lists both in one turn without a word on it (line 48).",
        ),
        _OFF.house(
            "layoff-same-turn",
            "Nothing is laid off in the turn of going down, not on one's own melds either.",
        ),
        _SWAP.says(
            "swap",
            "In your turn, after drawing, you may give another player the card that a black 2 "
            "stands for in their run and take the black 2. They must agree to it.",
            at="Black 2, line 90",
        ),
        _SWAP.says(
            "exact-card",
            "The card given is the very card that the black 2 stands for, suit and all.",
            at="Black 2, line 90",
        ),
        _SWAP.says(
            "completes",
            "A black 2 may be taken only where that is what lets you lay down the contract now.",
            at="Black 2, line 90",
        ),
        _SWAP.says(
            "at-once",
            "The black 2 that was taken is used at once; it may not be kept in hand.",
            at="Black 2, line 90",
        ),
        _SWAP.reading(
            "not-when-down",
            "A player who is down takes no black 2: there is nothing left to lay down with it.",
            of="It follows from what a swap is for (line 90).",
        ),
        _SWAP.house(
            "swap-when-down-too",
            "A player who is down may take a black 2 as well, and must use it at once.",
        ),
        _SWAP.house("swap-never", "Black 2s on the table stay where they are."),
        _MAY_I.says(
            "may-i",
            "Out of turn you may ask the player whose turn it is for the top card of the discard "
            "pile. If they allow it you take it, and the top card of the stock with it.",
            at="May I, line 84",
        ),
        _MAY_I.reading(
            "may-i-decides",
            "The player whose turn it is decides, and there is no limit to the asking.",
            of="The text does not say who comes first or how often.",
        ),
        _OUT.says(
            "going-out",
            "The round ends as soon as one player has no card left: the last one may be laid "
            "down, laid off or discarded.",
            at="The Game, line 31; Draw and Discard, line 48",
        ),
        _SCORE.says(
            "values",
            "Cards left in hand count against you: 2 to 9 cost 5, 10 to king 10, an ace 15. Who "
            "went out scores nothing.",
            at="Scoring, lines 69–75",
        ),
        _SCORE.says(
            "wild-value",
            "In a round with runs a black 2 left in hand costs 20.",
            at="Scoring, line 69",
        ),
        _SCORE.reading(
            "held",
            "Who never laid down in a round holds ten cards or more, two more for every May I, and "
            "so at least 50 points.",
            of="It follows from the deal and May I (lines 39 and 84).",
        ),
    ),
)

CONTRACTS = (
    Contract.parse("2 sets of 3"),
    Contract.parse("1 set of 3 + 1 run of 4"),
    Contract.parse("2 runs of 4"),
    Contract.parse("3 sets of 3"),
    Contract.parse("2 sets of 3 + 1 run of 4"),
    replace(Contract.parse("2 runs of 4 + 1 set of 3"), no_discard=True),
)

BLACK_TWOS = frozenset({Card(TWO, Suit.SPADES), Card(TWO, Suit.CLUBS)})

VALUES = CardValues(
    cite=RULES["values"],
    by_rank=MappingProxyType(
        dict.fromkeys(range(TWO, TEN), 5) | dict.fromkeys(range(TEN, KING + 1), 10) | {ACE: 15}
    ),
    wild=20,
    wild_cite=RULES["wild-value"],
)


def _note(variant: Variant, step: int) -> str:
    contract = variant.contract_at(step)
    if contract is None:
        return ""
    if contract.no_discard:
        return "Black 2s are wild and cost 20. The whole hand goes down at once, without a discard."
    if contract.has_runs:
        return "Black 2s are wild and cost 20."
    return "Black 2s are plain 2s in this round."


def _wrap(variant: Variant, wrap: bool) -> Variant:  # noqa: FBT001 - an option's value
    runs = replace(variant.runs, wrap=wrap, ends=RULES["house-wrap"])
    return replace(variant, runs=runs)


def _duplicates_in_set(variant: Variant, allowed: bool) -> Variant:  # noqa: FBT001 - as above
    repeats = RULES["house-duplicates-in-set"]
    return replace(variant, sets=replace(variant.sets, distinct_suits=not allowed, repeats=repeats))


def _adjacent_wilds(variant: Variant, allowed: bool) -> Variant:  # noqa: FBT001 - as above
    touching = RULES["house-adjacent-wilds"]
    return replace(variant, wilds=replace(variant.wilds, adjacent=allowed, touching=touching))


def _max_wilds(variant: Variant, most: int | None) -> Variant:
    rule = replace(variant.wilds, max_in_meld=most, most_clause=RULES["house-max-wilds"])
    return replace(variant, wilds=rule)


def _min_naturals(variant: Variant, least: int) -> Variant:
    rule = replace(variant.wilds, min_naturals=least, naturals=RULES["house-min-naturals"])
    return replace(variant, wilds=rule)


def _layoff_same_turn(variant: Variant, allowed: bool) -> Variant:  # noqa: FBT001 - as above
    house = RULES["house-layoff-same-turn"]
    return replace(variant, lay_offs=replace(LAY_OFFS, in_same_turn=allowed, same_turn=house))


def _swap(variant: Variant, when: str) -> Variant:
    if when == "never":
        return replace(variant, swaps=replace(SWAPS, allowed=False, cite=RULES["house-swap-never"]))
    house = RULES["house-swap-when-down-too"]
    return replace(variant, swaps=replace(SWAPS, when_down=True, down=house))


def _extra_melds(variant: Variant, allowed: bool) -> Variant:  # noqa: FBT001 - as above
    rule = _rule_of_contract(variant)
    house = RULES["house-extra-melds"]
    return replace(variant, contract_rule=replace(rule, extra_melds=allowed, exact=house))


def _same_rank_sets(variant: Variant, allowed: bool) -> Variant:  # noqa: FBT001 - as above
    rule = _rule_of_contract(variant)
    house = RULES["house-same-rank-sets"]
    return replace(variant, contract_rule=replace(rule, same_rank_sets=allowed, ranks=house))


def _split_runs(variant: Variant, allowed: bool) -> Variant:  # noqa: FBT001 - as above
    rule = _rule_of_contract(variant)
    house = RULES["house-split-runs"]
    return replace(variant, contract_rule=replace(rule, split_runs=allowed, split=house))


def _rule_of_contract(variant: Variant) -> ContractRule:
    assert variant.contract_rule is not None, "this game has contracts"
    return variant.contract_rule


LAY_OFFS = LayOffRule(
    cite=RULES["lay-off"],
    fits=RULES["what-fits"],
    turn=RULES["own-turn"],
    same_turn=RULES["same-turn"],
)

SWAPS = SwapRule(
    cite=RULES["swap"],
    exact=RULES["exact-card"],
    completes=RULES["completes"],
    at_once=RULES["at-once"],
    down=RULES["not-when-down"],
)

OPTIONS = (
    Option(
        name="wrap",
        title="Runs round the corner",
        says="May a run go from the king over the ace to the 2?",
        clause="ace",
        kind=SWITCH,
        default=False,
        apply=_wrap,
    ),
    Option(
        name="duplicates-in-set",
        title="Same card twice in a set",
        says="May the same card of both packs stand in one set?",
        clause="same-card",
        kind=SWITCH,
        default=True,
        apply=_duplicates_in_set,
    ),
    Option(
        name="adjacent-wilds",
        title="Wilds side by side",
        says="May two wilds lie next to each other in a run?",
        clause="any-number",
        kind=SWITCH,
        default=True,
        apply=_adjacent_wilds,
    ),
    Option(
        name="max-wilds",
        title="Wilds in a run",
        says="How many wilds may a run have?",
        clause="any-number",
        kind=number(0, 4, none="Any number"),
        default=None,
        apply=_max_wilds,
    ),
    Option(
        name="min-naturals",
        title="Naturals in a run",
        says="How many natural cards does a run need?",
        clause="one-natural",
        kind=number(0, 4),
        default=1,
        apply=_min_naturals,
    ),
    Option(
        name="layoff-same-turn",
        title="Laying off at once",
        says="May cards be laid off in the turn of going down?",
        clause="same-turn",
        kind=SWITCH,
        default=True,
        apply=_layoff_same_turn,
    ),
    Option(
        name="swap",
        title="Taking black 2s",
        says="Who may take a black 2 from another player's run?",
        clause="swap",
        kind=Choice(
            (
                ("to-lay-down", "To lay down with it"),
                ("when-down-too", "When down, too"),
                ("never", "Nobody"),
            )
        ),
        default="to-lay-down",
        apply=_swap,
    ),
    Option(
        name="extra-melds",
        title="More melds than asked",
        says="May further melds be laid down beyond the contract?",
        clause="exact",
        kind=SWITCH,
        default=False,
        apply=_extra_melds,
    ),
    Option(
        name="same-rank-sets",
        title="Two sets of one rank",
        says="May two sets of one contract be of the same rank?",
        clause="same-rank",
        kind=SWITCH,
        default=True,
        apply=_same_rank_sets,
    ),
    Option(
        name="split-runs",
        title="One long run as two",
        says="May two runs of one suit follow on each other?",
        clause="split-run",
        kind=SWITCH,
        default=True,
        apply=_split_runs,
    ),
)


def _lay(*melds: str, kept: str | None = None) -> LayDown:
    left = None if kept is None else parse_cards(kept)
    return LayDown(melds=tuple(map(parse_cards, melds)), kept=left)


def _show(cards: str) -> ShowMeld:
    return ShowMeld(parse_cards(cards))


_TAKEN = Taken(Card(6, Suit.DIAMONDS), Card(TWO, Suit.SPADES), parse_cards("4D 5D 2S 7D"))
_THEN = (parse_cards("KS KH KD"), parse_cards("9S 10S 2S QS"))

EXAMPLES = (
    legal(_show("3S 3H 3D"), "Three of a rank are a set."),
    legal(_show("7C 7C 7D"), "Both sevens of clubs may stand in one set."),
    legal(_show("AH 2H 3H 4H"), "The ace may be low."),
    legal(_show("JD QD KD AD"), "The ace may be high."),
    illegal(
        _show("KH AH 2H 3H 4H"),
        Code.RUN_AROUND_THE_CORNER,
        "The ace is never in the middle of a run.",
    ),
    legal(_show("4D 5D 2S 7D"), "The black 2 stands for the six.", step=2),
    illegal(
        _show("QD KD AD 2C"),
        Code.WILD_OUT_OF_PLACE,
        "Nothing lies above the ace; in front the 2 would be the jack.",
        step=2,
    ),
    illegal(_show("9S 9H 2C"), Code.WILD_IN_SET, "A black 2 is never wild in a set.", step=2),
    legal(_lay("10S 10H 10C", "5C 6C 7C 8C"), "A set and a run: round 2.", step=2),
    illegal(
        _lay("9S 10S JS QS", "3D 4D 5D 6D"),
        Code.CONTRACT_NOT_MET,
        "Round 2 asks for a set as well.",
        step=2,
    ),
    illegal(
        _lay("3S 3H 3D", "5S 5H 5D", "KS KH KD"),
        Code.TOO_MANY_MELDS,
        "Round 1 is exactly two sets.",
        step=1,
    ),
    legal(_lay("3H 4H 5H 6H", "7H 8H 9H 10H"), "A run of eight, laid as two.", step=3),
    illegal(
        _lay("4C 4D 4H", "2H 3H 4H 5H", "9S 10S JS QS", kept="7D"),
        Code.CARDS_LEFT_OVER,
        "In the last round nothing may be left over.",
        step=6,
    ),
    legal(
        LayOff(parse_cards("2S"), parse_cards("5C 6C 7C 8C")),
        "A black 2 joins any run that has room.",
        step=5,
    ),
    legal(Swap(taken=_TAKEN, then=_THEN), "The 2 completes the contract at once.", step=2),
    illegal(
        Swap(taken=_TAKEN, then=_THEN[1:]),
        Code.CONTRACT_NOT_MET,
        "The set is missing: no swap then.",
        step=2,
    ),
)

VARIANT = Variant(
    slug="mexican-rummy",
    name="Mexican Rummy",
    tagline="Six rounds, six contracts, black 2s are wild in runs",
    rulebook=RULES,
    words=Words(),
    players=range(2, 9),
    pack=Pack(copies=2),
    packs=lambda _players: 2,
    hand_size=10,
    sets=SetRule(cite=RULES["set"], repeats=RULES["same-card"]),
    runs=RunRule(
        cite=RULES["run"],
        ends=RULES["ace"],
        both_aces=RULES["long-run"],
        order=RULES["as-laid"],
        min_size=4,
    ),
    wilds=WildRule(
        cite=RULES["black-2"],
        name="black 2",
        cards=BLACK_TWOS,
        in_sets=RULES["only-in-runs"],
        natural=RULES["natural-2"],
        most_clause=RULES["any-number"],
        touching=RULES["any-number"],
        naturals=RULES["one-natural"],
        at_rest=RULES["plain-2"],
    ),
    wild_steps=frozenset(
        step for step, contract in enumerate(CONTRACTS, start=1) if contract.has_runs
    ),
    contracts=CONTRACTS,
    contract_rule=ContractRule(
        cite=RULES["contracts"],
        exact=RULES["exact"],
        ranks=RULES["same-rank"],
        split=RULES["split-run"],
        once=RULES["contracts"],
        no_discard=RULES["no-discardo"],
        nobody_else=RULES["nobody-else-down"],
    ),
    lay_offs=LAY_OFFS,
    swaps=SWAPS,
    values=VALUES,
    settle=own_deadwood,
    ending=after_rounds(len(CONTRACTS)),
    pad=PadRule(
        one_out=RULES["going-out"],
        held_clause=RULES["held"],
        values_clause=RULES["values"],
        end_clause=RULES["rounds"],
        tied_clause=RULES["shared-win"],
        may_grow=True,
        grows_by=2,
    ),
    turn=RULES["turn"],
    equipment=RULES["pack"],
    options=OPTIONS,
    examples=EXAMPLES,
    notes=_note,
)
