"""Checking a draft: the game that it makes with examples, or what is wrong with it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from referee import (
    Call,
    Card,
    Cards,
    Close,
    LayDown,
    LayOff,
    Moment,
    PickUp,
    Play,
    Rearrange,
    Ruling,
    ShowMeld,
    Swap,
    Variant,
    rule_on,
)
from referee.describing import Refused, build
from webapp.language import language, say
from webapp.own_games.examples import rulings_of
from webapp.own_games.names import say_complaint
from webapp.workers.jobs import Solver, directly


@dataclass(frozen=True, slots=True)
class ShownExample:
    """Cards of a play, and today’s ruling on them."""

    cards: str
    is_legal: bool
    says: str
    written: str = ""
    """The cards of a meld as the referee reads them."""


@dataclass(frozen=True, slots=True)
class JudgedDraft:
    """The result of checking a draft."""

    game: Variant | None
    """The game that the draft makes; None if it makes none."""
    wrong: tuple[str, ...] = ()
    """Why the draft makes no game, a line for each reason, in the words of the form."""
    examples: tuple[ShownExample, ...] = ()
    """The examples stored with it; else melds that show the limits of its rules."""


def judge(draft: Mapping[str, Any], solve: Solver = directly) -> JudgedDraft:
    """Return the game that a draft makes with its examples, or what is wrong with it."""
    try:
        game = build(draft, language())
    except Refused as refused:
        return JudgedDraft(None, tuple(say_complaint(draft, each) for each in refused.complaints))
    examples = _kept(game, solve) if game.examples else tried(game)
    return JudgedDraft(game, examples=tuple(examples))


def tried(game: Variant) -> Iterator[ShownExample]:
    """Yield melds at the limits of a game’s rules, some just legal and some just not."""
    moment = Moment(1 if game.steps else None)
    for cards in dict.fromkeys(_melds(game)):
        ruling = rule_on(ShowMeld(cards), game, moment)
        says = _why(game, ruling)
        if says:
            yield ShownExample(
                game.speaker.cards(cards),
                ruling.is_legal,
                says,
                " ".join(map(str, cards)),
            )


def _kept(game: Variant, solve: Solver) -> Iterator[ShownExample]:
    """Yield the examples stored with a game, with today’s rulings."""
    for example, (ruling, _) in zip(game.examples, rulings_of(game, solve), strict=True):
        says = _why(game, ruling) if ruling else say("own.round-gone")
        is_legal = ruling is not None and ruling.is_legal
        yield ShownExample(_played(example.play, game), is_legal, example.says or says)


def _why(game: Variant, ruling: Ruling) -> str:
    grounds = [each for each in ruling.findings if each.against] or ruling.findings
    return game.say(grounds[0]) if grounds else ""


def _played(play: Play, game: Variant) -> str:
    """Return the cards of a play as text: "3♠ 4♠ 5♠ + 7♣ 7♦ 7♥"."""

    def row(cards: Cards) -> str:
        return game.speaker.cards(cards)

    match play:
        case ShowMeld(cards) | Close(cards=cards):
            return row(cards)
        case LayOff(cards, onto):
            return say("own.onto", cards=row(cards), meld=row(onto))
        case LayDown(melds=melds) | PickUp(melds=melds) | Rearrange(after=melds):
            return " + ".join(map(row, melds))
        case Call(discard=card):
            return row((card,))
        case Swap(taken=taken):
            return say("own.swapped", give=row((taken.give,)), take=row((taken.take,)))


def _melds(game: Variant) -> Iterator[tuple[Card, ...]]:
    naturals = [card for card in dict.fromkeys(game.pack.cards) if card.rank]
    jokers = [card for card in dict.fromkeys(game.pack.cards) if not card.rank]
    suits = [*dict.fromkeys(card.suit for card in naturals)]
    ranks = [*dict.fromkeys(sorted(card.rank for card in naturals))]
    by_name = {(card.rank, card.suit): card for card in naturals}

    def run(places: Sequence[int], suit: int = 0) -> tuple[Card, ...]:
        there = [ranks[place] for place in places if place < len(ranks)]
        return tuple(by_name[rank, suits[suit % len(suits)]] for rank in there)

    middle = len(ranks) // 2
    same = tuple(card for suit in range(3) for card in run((middle,), suit))
    yield same
    yield same[:2]
    yield (*same[:2], same[1])
    yield run(range(middle - 1, middle + 2))
    yield run(range(middle - 1, middle + 3))
    yield (*run((middle - 1, middle)), *run((middle + 1,), 1))
    yield run((0, 1, 2))
    yield run((-2, -1, 0))
    yield run((-1, 0, 1))
    for joker in islice(jokers, 1):
        yield (*same[:2], joker)
        yield (same[0], joker, joker)
        yield (*run((middle - 1,)), joker, *run((middle + 1,)))
        yield (*run((middle - 1,)), joker, joker, *run((middle + 2,)))
        yield (joker, joker, joker)
