"""The rulebook as a leaflet: at a glance, by chapter, and what a search finds in it."""

from webapp.services.rules.finding import Found as Found
from webapp.services.rules.finding import find as find
from webapp.services.rules.reading import Book as Book
from webapp.services.rules.reading import read_book as read_book
