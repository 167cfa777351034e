"""House rules of a game of one's own, as they are made on the form."""

from webapp.services.own.house.page import HousePage as HousePage
from webapp.services.own.house.page import show_house as show_house
from webapp.services.own.house.typed import with_house_rules as with_house_rules
