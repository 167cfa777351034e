"""What a draft comes to: what is wrong with it, or the game, told and tried."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from referee import Moment, ShowMeld, rule_on
from referee.describing import Complaint, Description, Refused, build, tell
from webapp.ledger.facts import canonical
from webapp.services.own.drafts import read_draft, write_draft
from webapp.services.wording import say_cards, say_written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from referee import Card, Variant

_REMEMBERED: Final = 64


@dataclass(frozen=True, slots=True)
class Tried:
    """A few cards, and what the referee says of them as a meld."""

    cards: str
    is_legal: bool
    says: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What a draft comes to."""

    game: Variant | None
    """None where it is none."""
    complaints: tuple[Complaint, ...]
    told: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The rulebook, by heading."""
    examples: tuple[Tried, ...] = ()
    differs: tuple[str, ...] = ()
    """What is told of it and not of the game that it was made from."""
    lacks: tuple[str, ...] = ()
    """What is told of that game and not of it."""

    @property
    def differences(self) -> int:
        """In how many sentences they differ."""
        return len(self.differs) + len(self.lacks)


def judge(draft: Mapping[str, Any], base: Mapping[str, Any] | None = None) -> Judged:
    """What a draft comes to, beside the game that it was made from."""
    return _judged(write_draft(draft), "" if base is None else write_draft(base))


@lru_cache(maxsize=_REMEMBERED)
def _judged(draft: str, base: str) -> Judged:
    spec = read_draft(draft)
    try:
        game = build(spec)
    except Refused as refused:
        return Judged(None, refused.complaints)
    # In one order, which the same rules need not have been written in.
    told = tell(Description(_ordered(spec)))
    before = tell(Description(_ordered(read_draft(base)))) if base else told
    return Judged(
        game,
        (),
        tuple(
            (name, tuple(clause.says for clause in clauses))
            for name, clauses in game.rulebook.sections()
        ),
        tuple(tried(game)),
        tuple(says for clause, says in told.items() if before.get(clause) != says),
        tuple(says for clause, says in before.items() if clause not in told),
    )


def _ordered(spec: Mapping[str, Any]) -> dict[str, Any]:
    ordered: dict[str, Any] = json.loads(canonical(dict(spec)))
    return ordered


def tried(game: Variant) -> Iterator[Tried]:
    """Melds that show where the rules of a game lie: what just is one, and what just is none."""
    moment = Moment(1 if game.steps else None)
    for cards in dict.fromkeys(_melds(game)):
        ruling = rule_on(ShowMeld(cards), game, moment)
        grounds = [each for each in ruling.findings if each.against] or ruling.findings
        if grounds:
            says = say_written(grounds[0].says, game.pack)
            yield Tried(say_cards(cards), ruling.is_legal, says)


def _melds(game: Variant) -> Iterator[tuple[Card, ...]]:
    naturals = [card for card in dict.fromkeys(game.pack.cards) if card.rank]
    jokers = [card for card in dict.fromkeys(game.pack.cards) if not card.rank]
    suits = [*dict.fromkeys(card.suit for card in naturals)]
    ranks = [*dict.fromkeys(sorted(card.rank for card in naturals))]
    by_name = {(card.rank, card.suit): card for card in naturals}

    def run(places: Sequence[int], suit: int = 0) -> tuple[Card, ...]:
        return tuple(by_name[ranks[place], suits[suit % len(suits)]] for place in places)

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
