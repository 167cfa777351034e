"""Gin's melds and values, as data: what the least deadwood is held against other engines with.

One pack, no jokers, the ace low; sets of three or four, runs of three or more.
"""

from types import MappingProxyType

from referee.cards import ACE, KING, RANKS, TEN, Pack
from referee.melds.rules import MeldRules, RunRule, SetRule, WildRule
from referee.values import CardValues

RULES = MeldRules(
    sets=SetRule(min_size=3, max_size=4, distinct_suits=True),
    runs=RunRule(
        min_size=3,
        one_suit=True,
        low=ACE,
        high=KING,
        wrap=False,
    ),
    wilds=WildRule(
        name="wild",
        cards=frozenset(),
        in_sets=True,
        adjacent=True,
        min_naturals=1,
        natural_in_place=True,
    ),
    pack=Pack(),
)
VALUES = CardValues(
    by_rank=MappingProxyType({rank: min(rank, TEN) for rank in RANKS}),
)
