"""The tables: what was entered, and what follows from it."""

from webapp.models.columns import MOST_SEATS as MOST_SEATS
from webapp.models.columns import MOST_TOTAL as MOST_TOTAL
from webapp.models.columns import NAME_LENGTH as NAME_LENGTH
from webapp.models.columns import PUB_LENGTH as PUB_LENGTH
from webapp.models.columns import SOMEBODY as SOMEBODY
from webapp.models.columns import TOKENS as TOKENS
from webapp.models.columns import row_of as row_of
from webapp.models.columns import table_of as table_of
from webapp.models.columns import utcnow as utcnow
from webapp.models.records import Clock as Clock
from webapp.models.records import Entry as Entry
from webapp.models.records import Game as Game
from webapp.models.records import KeptForm as KeptForm
from webapp.models.records import OwnGame as OwnGame
from webapp.models.records import OwnVersion as OwnVersion
from webapp.models.records import Player as Player
from webapp.models.records import PlayerName as PlayerName
from webapp.models.records import Result as Result
from webapp.models.records import RosterEntry as RosterEntry
from webapp.models.records import RulesDraft as RulesDraft
from webapp.models.records import Seat as Seat
from webapp.models.records import Setting as Setting
from webapp.models.standings import Appearance as Appearance
from webapp.models.standings import Attempt as Attempt
from webapp.models.standings import Outcome as Outcome
