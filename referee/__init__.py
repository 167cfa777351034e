"""The referee: the rules of rummy games as a library, with nothing but the standard library.

The front door: `rule_on` answers a play, `keep_score` reads a scorepad, `referee.variants` holds
the games. A bad play is answered with a `Ruling`; a bad question is raised.

>>> from referee import Moment, ShowMeld, parse_cards, rule_on, variants
>>> game = variants.get("mexican-rummy")
>>> rule_on(ShowMeld(parse_cards("4D 5D 2S 7D")), game, Moment(2)).is_legal
True
"""

from referee.cards import Card as Card
from referee.cards import NotationError as NotationError
from referee.cards import parse_cards as parse_cards
from referee.judging import rule_on as rule_on
from referee.plays import LayDown as LayDown
from referee.plays import LayOff as LayOff
from referee.plays import Moment as Moment
from referee.plays import ShowMeld as ShowMeld
from referee.plays import Swap as Swap
from referee.rulings import Finding as Finding
from referee.rulings import Ruling as Ruling
from referee.scorepad import keep_score as keep_score
from referee.scorepad.hands import HandRecord as HandRecord
from referee.scorepad.hands import Seat as Seat
