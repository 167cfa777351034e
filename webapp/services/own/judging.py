"""What a draft comes to: what is wrong with it, or the game, told and tried."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from referee import (
    Call,
    Card,
    Close,
    LayDown,
    LayOff,
    Moment,
    Pack,
    PickUp,
    Play,
    Rearrange,
    Ruling,
    ShowMeld,
    Swap,
    Variant,
    rule_on,
)
from referee.describing import Complaint, Refused, build
from webapp.services.own.drafts import read_draft, write_draft
from webapp.services.own.examples import rulings_of
from webapp.services.own.naming import say
from webapp.services.tasks import Solver, directly
from webapp.services.wording import say_card, say_cards, say_written

_REMEMBERED: Final = 64


@dataclass(frozen=True, slots=True)
class Tried:
    """A few cards, and what the referee says of them as a meld."""

    cards: str
    is_legal: bool
    says: str
    written: str = ""
    """The cards as they would be kept for an example."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An example that is kept with the game, as it is ruled on now."""

    number: int
    cards: str
    is_legal: bool
    says: str
    differs: bool
    """Whether it was ruled otherwise when it was kept."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a draft comes to."""

    game: Variant | None
    """None where it is none."""
    complaints: tuple[Complaint, ...]
    wrong: tuple[str, ...] = ()
    """The same in the words of the form, a line each."""
    told: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The rulebook, by heading."""
    examples: tuple[Tried, ...] = ()
    kept: tuple[Kept, ...] = ()


def judge(draft: Mapping[str, Any], solve: Solver = directly) -> Judged:
    """What a draft comes to."""
    judged = _judged(write_draft(draft))
    if judged.game is None or not judged.game.examples:
        return judged
    return replace(judged, kept=tuple(kept(judged.game, solve)))


@lru_cache(maxsize=_REMEMBERED)
def _judged(draft: str) -> Judged:
    spec = read_draft(draft)
    try:
        game = build(spec)
    except Refused as refused:
        wrong = tuple(say(spec, complaint) for complaint in refused.complaints)
        return Judged(None, refused.complaints, wrong)
    return Judged(
        game,
        (),
        (),
        tuple(
            (name, tuple(clause.says for clause in clauses))
            for name, clauses in game.rulebook.sections()
        ),
        tuple(tried(game)),
    )


def tried(game: Variant) -> Iterator[Tried]:
    """Melds that show where the rules of a game lie: what just is one, and what just is none."""
    moment = Moment(1 if game.steps else None)
    for cards in dict.fromkeys(_melds(game)):
        ruling = rule_on(ShowMeld(cards), game, moment)
        says = _why(game, ruling)
        if says:
            yield Tried(
                say_cards(cards, game.pack), ruling.is_legal, says, " ".join(map(str, cards))
            )


def kept(game: Variant, solve: Solver = directly) -> Iterator[Kept]:
    """The examples that are kept with a game, as they are ruled on today."""
    for number, (example, (ruling, differs)) in enumerate(
        zip(game.examples, rulings_of(game, solve), strict=True)
    ):
        says = _why(game, ruling) if ruling else "It belongs to a round that is there no more."
        legal = ruling is not None and ruling.is_legal
        yield Kept(number, _played(example.play, game.pack), legal, example.says or says, differs)


def _why(game: Variant, ruling: Ruling) -> str:
    grounds = [each for each in ruling.findings if each.against] or ruling.findings
    return say_written(game.say(grounds[0]), game.pack) if grounds else ""


def _played(play: Play, pack: Pack) -> str:
    """The cards of a play in a row, its melds apart."""
    match play:
        case ShowMeld(cards) | Close(cards=cards):
            return say_cards(cards, pack)
        case LayOff(cards, onto):
            return f"{say_cards(cards, pack)} onto {say_cards(onto, pack)}"
        case LayDown(melds=melds) | PickUp(melds=melds) | Rearrange(after=melds):
            return " + ".join(say_cards(meld, pack) for meld in melds)
        case Call(discard=card):
            return say_card(card, pack)
        case Swap(taken=taken):
            return f"{say_card(taken.give, pack)} for {say_card(taken.take, pack)}"


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
