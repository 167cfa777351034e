"""The best of every way to lay melds and lay off in Rummy 500, tried one by one."""

from collections import Counter
from functools import cache

from referee import variants
from referee.cards import parse_cards, write_cards
from referee.judging import rule_on
from referee.melds.grounds import legal_readings
from referee.plays import LayDown, LayOff

GAME = variants.get("rummy-500")


OPTIONS = [
    {},
    {"first-lay-naturals": "each-meld"},
    {"first-lay-naturals": "each-meld-except-all-wild"},
    {"set-max": None},
    {"natural-twos": True},
    {"wild-layoff": "all"},
    {"natural-twos": True, "set-max": None, "wild-layoff": "all"},
]


def chosen(hand, some):
    return tuple([card for at, card in enumerate(hand) if some >> at & 1])


def every_lay_off(game, hand, onto, own):
    """Try all cards of a hand on a meld: which, what they score, how many of them are natural.

    A natural card that shares neither suit nor rank with any of the meld is not tried.
    """
    strange = 0
    for at, card in enumerate(hand):
        akin = any(card.suit is other.suit or card.rank == other.rank for other in onto)
        strange |= (card not in game.wilds.cards and not akin) << at
    for some in range(1, 1 << len(hand)):
        if not some & strange:
            cards = chosen(hand, some)
            ruling = rule_on(LayOff(cards, onto, own=own), game)
            if ruling.is_legal:
                (r,) = ruling.readings
                naturals = 0 if r.rankless else r.wild[-len(cards) :].count(False)
                yield some, ruling.points, naturals


def best_of_all(game, hand, table, own, first, *, must=None):
    """Try every way to take melds and lay-offs out of a hand; None where nothing is allowed.

    With `must`, such a card must be among those that are laid.
    """
    full = (1 << len(hand)) - 1
    wild = game.wilds.cards
    rules = game.melds_at(None)
    melds = [
        (some, sum(game.worth(r)), r.naturals)
        for some in range(1, full + 1)
        for r in legal_readings(chosen(hand, some), rules, as_laid=False)
    ]
    joins = [list(every_lay_off(game, hand, onto, onto in own)) for onto in table]
    need = game.way.first_naturals if first else 0

    @cache
    def most(left, naturals, at, melded):
        """Give the most that what is left can gain, the tables from `at` on still to come.

        Naturals are needed where melds are laid; lay-offs alone ask for none.
        """
        found = []
        if at < len(table):
            found.append(most(left, naturals, at + 1, melded))
            options, after = joins[at], at + 1
        else:
            laid = chosen(hand, full & ~left)
            if laid and (naturals >= need or not melded) and (must is None or must in laid):
                found.append(-game.values.count(chosen(hand, left), wild))
            options, after = melds, at
        for some, points, more in options:
            if some & left == some:
                rest = most(
                    left & ~some, min(need, naturals + more), after, melded or options is melds
                )
                found.append(None if rest is None else points + rest)
        return max((one for one in found if one is not None), default=None)

    return most(full, 0, 0, False)


def dealt(random, game, size):
    """Deal a hand of near cards with a few wilds, and a table of what is left."""
    suits = random.sample(game.pack.suits, random.randint(1, 4))
    low = random.choice([2, 3, 5, 8, 9, 10])
    near = [
        c for c in game.pack.cards if c.suit in suits and low <= (c.rank - 2) % 13 + 2 < low + 6
    ]
    wilds = [*parse_cards("2S 2H 2D 2C JK JK")]
    random.shuffle(wilds)
    held = wilds[: random.choice([0, 0, 1, 1, 2, 3, 4])][:size]
    pack = [card for card in near if card.rank != 2]
    random.shuffle(pack)
    hand = (*held, *pack[: size - len(held)])
    rest = [card for card in game.pack.cards if card not in hand and card.rank != 2]
    rest += wilds[len(held) :]
    return hand, table_of(random, game, rest) if random.random() < 0.7 else ()


def table_of(random, game, rest):
    """Lay a few legal melds of the cards that are left."""
    rules, table = game.melds_at(None), []
    for _ in range(random.randint(1, 3)):
        for _ in range(40):
            first = random.choice(rest)
            near = [
                c for c in rest if c.rank == first.rank or c.suit is first.suit or c.rank in {0, 2}
            ]
            near.sort(
                key=lambda c: (
                    abs(c.rank - first.rank) if c.rank not in {0, 2} else random.randint(0, 4)
                )
            )
            near = near[:9]
            cards = tuple(random.sample(near, min(len(near), random.randint(3, 4))))
            readings = legal_readings(cards, rules, as_laid=False)
            if readings:
                table.append(random.choice(readings).arranged.cards)
                left = Counter(rest) - Counter(cards)
                rest = list(left.elements())
                break
    return tuple(meld for meld in table if legal_readings(meld, rules))


def put_to_the_referee(game, hand, found, *, own, first):
    """Check that what is advised is legal, uses the hand once, and gains what it says."""
    melds = tuple(meld.cards for meld in found.melds)
    play = LayDown(melds=melds, layoffs=found.layoffs, kept=found.kept, hand=hand, first=first)
    ruling = rule_on(play, game)
    assert ruling.is_legal, (write_cards(hand), play, ruling.findings)
    used = Counter(card for cards in melds for card in cards)
    used.update(card for layoff in found.layoffs for card in layoff.cards)
    assert used + Counter(found.kept) == Counter(hand)
    assert all(layoff.own is (layoff.onto in own) for layoff in found.layoffs)
    assert found.points == ruling.points - game.values.count(found.kept, game.wilds.cards)
