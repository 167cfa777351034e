"""Gin's melds and values, as data: what the least deadwood is held against other engines with.

One pack, no jokers, the ace low; sets of three or four, runs of three or more.
"""

from types import MappingProxyType

from referee.cards import ACE, JACK, KING, RANKS, Pack
from referee.melds.rules import MeldRules, RunRule, SetRule, WildRule
from referee.rulebook import Basis, Clause
from referee.values import CardValues

_MELDED = Clause(
    "melds",
    "Sets of three or four of a rank, runs of three or more of a suit.",
    "Common knowledge",
    Basis.HOUSE,
    "Melds",
)

RULES = MeldRules(
    sets=SetRule(cite=_MELDED, repeats=_MELDED, min_size=3, max_size=4, distinct_suits=True),
    runs=RunRule(
        cite=_MELDED,
        ends=_MELDED,
        both_aces=_MELDED,
        order=_MELDED,
        min_size=3,
        one_suit=True,
        low=ACE,
        high=KING,
        wrap=False,
    ),
    wilds=WildRule(
        cite=_MELDED,
        name="wild",
        cards=frozenset(),
        in_sets=None,
        natural=_MELDED,
        most_clause=_MELDED,
        touching=_MELDED,
        naturals=_MELDED,
        adjacent=True,
        min_naturals=1,
        natural_in_place=True,
    ),
    pack=Pack(),
)
VALUES = CardValues(
    cite=_MELDED,
    by_rank=MappingProxyType({rank: min(rank, JACK - 1) for rank in RANKS}),
)
