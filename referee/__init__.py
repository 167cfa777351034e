"""The referee: the rules of rummy games as a library, with nothing but the standard library.

`rule_on` rules on a play, and `keep_score` reads a scorepad. The plays and the parts of a ruling
are here too. There are four more modules to import from: `referee.variants` has the games,
`referee.describing` makes one from a description, `referee.scorepad` has the parts of a scorepad,
and `referee.advice` finds the best play. A play that isn’t legal gets a `Ruling` that says why; a
question that can’t be answered raises an error.

>>> from referee import Moment, ShowMeld, parse_cards, rule_on, variants
>>> game = variants.get("mexican-rummy")
>>> rule_on(ShowMeld(parse_cards("4D 5D 2S 7D")), game, Moment(2)).is_legal
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from referee.cards import JOKER as JOKER
from referee.cards import Card as Card
from referee.cards import Cards as Cards
from referee.cards import NotationError as NotationError
from referee.cards import Pack as Pack
from referee.cards import parse_cards as parse_cards
from referee.cards import write_cards as write_cards
from referee.judging import MomentError as MomentError
from referee.judging import rule_on as rule_on
from referee.melds.contracts import Contract as Contract
from referee.melds.contracts import ContractRule as ContractRule
from referee.melds.contracts import Need as Need
from referee.melds.deadwood import MOST_ARRANGED as MOST_ARRANGED
from referee.melds.deadwood import Arrangement as Arrangement
from referee.melds.grounds import legal_readings as legal_readings
from referee.melds.rules import MeldRules as MeldRules
from referee.melds.standing import standing as standing
from referee.melds.unfinished import find_missing as find_missing
from referee.melds.unfinished import takes as takes
from referee.options import Choice as Choice
from referee.options import Span as Span
from referee.pad import Counts as Counts
from referee.pad import PadRule as PadRule
from referee.plays import Call as Call
from referee.plays import Close as Close
from referee.plays import LayDown as LayDown
from referee.plays import LayOff as LayOff
from referee.plays import Moment as Moment
from referee.plays import PickUp as PickUp
from referee.plays import Play as Play
from referee.plays import Rearrange as Rearrange
from referee.plays import ShowMeld as ShowMeld
from referee.plays import Swap as Swap
from referee.plays import Taken as Taken
from referee.rulebook import Basis as Basis
from referee.rulebook import Clause as Clause
from referee.rulebook import Rulebook as Rulebook
from referee.rulings import Code as Code
from referee.rulings import Finding as Finding
from referee.rulings import Reading as Reading
from referee.rulings import Ruling as Ruling
from referee.scoring import Lead as Lead
from referee.turns.closing import BIG_GIN as BIG_GIN
from referee.turns.closing import CLOSED as CLOSED
from referee.turns.closing import CloseRule as CloseRule
from referee.turns.closing import paid as paid
from referee.turns.opening import LayRule as LayRule
from referee.turns.swaps import after_swap as after_swap
from referee.values import ValueClass as ValueClass
from referee.variant import Edition as Edition
from referee.variant import Example as Example
from referee.variant import ForTheTableError as ForTheTableError
from referee.variant import Option as Option
from referee.variant import OptionError as OptionError
from referee.variant import Variant as Variant

if TYPE_CHECKING:
    from referee.scorepad import Score as Score
    from referee.scorepad import keep_score as keep_score
    from referee.stakes import differences as differences
    from referee.stakes import settle_up as settle_up

_LATER: Final = {
    **dict.fromkeys(("Score", "keep_score"), ".scorepad"),
    "differences": ".stakes",
    "settle_up": ".stakes",
}
"""Names that are imported on first use, because no ruling needs them, each with its module."""


def __getattr__(name: str) -> object:
    """Import the scorepad or settling up on first use; raise AttributeError for other names."""
    if name not in _LATER:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(_LATER[name], __name__), name)
