"""Hands and tables to ask advice on, from the packs of the games: the same for the same seed.

One place for the tests, which ask whether advice is right, and for the measurements, which ask how
long it takes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from referee import variants
from referee.advice import Advice, advise
from referee.cards import JOKER, Card, Cards
from referee.plays import Moment
from referee.variant import Variant

RUMMIKUB = variants.get("rummikub")
FEWEST = 2
"""Players: the packs of a game are those that so many play with."""


RACK = 14
TABLES = (0, 20, 40, 60, 80)
"""How many tiles lie on the table, at most."""

LETTERS = "KBOR"
TILES = [f"{letter}{number}" for letter in LETTERS for number in range(1, 14)]
TILE_JOKER = "JK"


@dataclass(frozen=True, slots=True)
class Held:
    """A hand, when in the game it is held, and what lies on the table and on the pile."""

    moment: Moment
    hand: Cards
    table: tuple[Cards, ...] = ()
    pile: Cards = ()

    def ask(self, variant: Variant) -> Advice:
        """Ask for the best play."""
        return advise(variant, self.moment, self.hand, table=self.table, pile=self.pile)


def packs(variant: Variant, players: int = FEWEST) -> list[Card]:
    """Give all cards that so many players play with, jokers and special ones too."""
    pack = variant.pack_for(players)
    special = [card for card, count in pack.specials for _ in range(count)]
    return [*pack.cards * pack.copies, *(JOKER,) * pack.jokers, *special]


def _advised_on(variant: Variant) -> list[Card]:
    """Give all cards but one with which there is no advice."""
    return [card for card in packs(variant) if card is not variant.stand_in]


def deal(
    variant: Variant,
    size: int | None,
    count: int,
    *,
    wilds: Sequence[int] | None = None,
    seed: int = 0,
) -> list[Held]:
    """Deal hands of a size, or of as many cards as are dealt, one for each round or phase in turn.

    As they come from the packs; or, with `wilds`, with so many wild cards in turn, which are far
    more than a deal gives. A game of two packs has four black 2s: `wilds=range(5)`.
    """
    chance = Random(f"{variant.slug}/{size or variant.hand_size}/{wilds}/{seed}")
    steps = range(1, variant.steps + 1) or (None,)
    cards = _advised_on(variant)
    wild = [card for card in cards if card in variant.wilds.cards]
    plain = [card for card in cards if card not in variant.wilds.cards]
    held = []
    for turn in range(count):
        number = variant.hand_at(steps[turn % len(steps)]) if size is None else size
        if wilds is None:
            hand = chance.sample(cards, number)
        else:
            # Each round with each number of wilds, not only where the two happen to meet.
            many = wilds[turn // len(steps) % len(wilds)]
            hand = chance.sample(wild, many) + chance.sample(plain, number - many)
            chance.shuffle(hand)
        held.append(Held(Moment(steps[turn % len(steps)]), tuple(hand)))
    return held


def beside(variant: Variant, size: int, melds: int, count: int, *, seed: int = 0) -> list[Held]:
    """Deal hands beside a table that has up to so many sets and runs on it, without wilds."""
    chance = Random(f"{variant.slug}/{size}/{melds} melds/{seed}")
    steps = range(1, len(variant.contracts) + 1) or (None,)
    held = []
    for turn in range(count):
        left = Counter(_advised_on(variant))
        table: list[Cards] = []
        for _ in range(melds):
            meld = _meld(variant, chance)
            if not Counter(meld) - left:
                left -= Counter(meld)
                table.append(meld)
        hand = chance.sample(sorted(left.elements(), key=str), size)
        held.append(Held(Moment(steps[turn % len(steps)]), tuple(hand), tuple(table)))
    return held


def _meld(variant: Variant, chance: Random) -> Cards:
    plain = [card for card in variant.pack.cards if card not in variant.wilds.cards]
    if chance.random() < 0.5:
        rank = chance.randint(3, variant.pack.ranks[-1])
        return tuple(chance.sample([card for card in plain if card.rank == rank], 3))
    length = chance.choice((4, 4, 5))
    last = variant.pack.ranks[-1] + 1 - length
    suit, low = chance.choice(variant.pack.suits), chance.randint(3, last)
    return tuple(Card(rank, suit) for rank in range(low, low + length))


def plain(variant: Variant, size: int, count: int, *, seed: int = 0) -> list[Held]:
    """Deal hands from one pack without a wild card, as gin rummy does."""
    chance = Random(f"plain/{size}/{seed}")
    return [Held(Moment(), tuple(chance.sample(variant.pack.cards, size))) for _ in range(count)]


def adversarial(variant: Variant, size: int, count: int, *, seed: int = 0) -> list[Held]:
    """Give hands that ask for the most work, one for each round or phase in turn.

    Every wild card of all packs that the game can have, and beside them first the cards that stand
    closest together, so that every card goes with every other one, then any.
    """
    chance = Random(f"{variant.slug}/{size}/all wilds/{seed}")
    steps = range(1, variant.steps + 1) or (None,)
    cards = [*variant.pack.cards * variant.pack.copies, *(JOKER,) * variant.pack.jokers]
    cards.sort(key=lambda card: (abs(card.rank - 7), str(card)))
    held = []
    for turn in range(count):
        step = steps[turn % len(steps)]
        wild = [card for card in cards if card in variant.wilds_at(step).cards]
        others = [card for card in cards if card not in variant.wilds_at(step).cards]
        most = min(size, len(cards)) if variant.close is None else variant.hand_at(step) + 1
        if turn >= len(steps):
            chance.shuffle(others)
        held.append(Held(Moment(step), tuple((wild + others)[:most])))
    return held


def usual(variant: Variant, count: int, *, seed: int = 0) -> list[Held]:
    """Give positions as they come up in a game: the hand that is dealt, or a table half full."""
    if variant.rearrangement is None or variant.pack.kind != "tiles":
        return deal(variant, None, count, seed=seed)
    return [laid.held for laid in lay(40, 1, count, seed=seed)]


@dataclass(frozen=True, slots=True)
class Laid:
    """The sets on a table of tiles and the tiles on a rack, as they are written."""

    table: tuple[tuple[str, ...], ...]
    rack: tuple[str, ...]

    @property
    def held(self) -> Held:
        """The same as cards."""
        rack, *sets = (RUMMIKUB.pack.parse(" ".join(tiles)) for tiles in (self.rack, *self.table))
        return Held(Moment(), rack, tuple(sets))


def lay(most: int, jokers: int, count: int, *, seed: int = 0) -> list[Laid]:
    """Lay tables of up to so many tiles, each with a rack; so many jokers are on one of the two."""
    chance = Random(f"{most}/{jokers}/{seed}")
    return [lay_one(chance, most, jokers) for _ in range(count)]


def lay_one(chance: Random, most: int, jokers: int) -> Laid:
    """Lay one table: sets at random until no more fit, then jokers, then a rack from the rest."""
    left = Counter(TILES * 2)
    table: list[list[str]] = []
    for _ in range(200):
        tiles = _set(chance)
        if sum(map(len, table)) + len(tiles) <= most and not Counter(tiles) - left:
            left -= Counter(tiles)
            table.append(tiles)
    on_rack = []
    for _ in range(jokers):
        tiles = chance.choice(table) if table else []
        places = [at for at, tile in enumerate(tiles) if tile != TILE_JOKER]
        # At most one joker a set.
        if len(places) == len(tiles) > 0 and chance.random() < 0.7:
            at = chance.choice(places)
            left[tiles[at]] += 1
            tiles[at] = TILE_JOKER
        else:
            on_rack.append(TILE_JOKER)
    pool = sorted(left.elements())
    rack = on_rack + chance.sample(pool, RACK - len(on_rack))
    return Laid(tuple(map(tuple, table)), tuple(rack))


def _set(chance: Random) -> list[str]:
    if chance.random() < 0.5:
        number = chance.randint(1, 13)
        return [f"{letter}{number}" for letter in chance.sample(LETTERS, chance.choice((3, 3, 4)))]
    length = chance.choice((3, 3, 4, 5, 6))
    start, letter = chance.randint(1, 14 - length), chance.choice(LETTERS)
    return [f"{letter}{number}" for number in range(start, start + length)]
