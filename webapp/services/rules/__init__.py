"""The rulebook as a leaflet: at a glance, by chapter, and what a search finds in it."""

from webapp.services.rules.asking import Answer as Answer
from webapp.services.rules.asking import answers_to as answers_to
from webapp.services.rules.finding import MOST_ASKED as MOST_ASKED
from webapp.services.rules.finding import FoundRules as FoundRules
from webapp.services.rules.finding import RuleLine as RuleLine
from webapp.services.rules.finding import find as find
from webapp.services.rules.finding import lines_of as lines_of
from webapp.services.rules.finding import others_of as others_of
from webapp.services.rules.reading import DrawnMeld as DrawnMeld
from webapp.services.rules.reading import anchors_in as anchors_in
from webapp.services.rules.reading import at_a_glance as at_a_glance
from webapp.services.rules.reading import drawn_in as drawn_in
from webapp.services.rules.reading import prices as prices
from webapp.services.rules.reading import read_book as read_book
from webapp.services.rules.reading import what_it_has as what_it_has
