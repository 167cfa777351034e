"""Jinja filters for sentences, numbers, names, dates and cards, and the function `say`."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from flask import Flask
from jinja2.ext import Extension

from referee import Card, Variant
from referee.saying import WORDS, Catalogue, spoken_card
from webapp.language import language, say, write
from webapp.text.cards import signs
from webapp.text.formatting import (
    capital,
    first_sentence,
    joined,
    parts_of,
    say_day,
    say_points,
    say_short_day,
    say_time,
    uncapital,
)
from webapp.web import answers

DAYS_OF_A_WEEK: Final = 7
_INDENT: Final = re.compile("^[ \t]+", re.MULTILINE)


def day(moment: datetime) -> str:
    """Return a day in the server’s time zone: "Saturday, November 21, 2026"."""
    return say_day(moment.astimezone())


def clock(moment: datetime) -> str:
    """Return a time of day in the server’s time zone: "8:15 PM"."""
    return say_time(moment.astimezone())


def named(cards: Iterable[Card], variant: Variant) -> str:
    """Return the cards of a game in a row: "3♠ 4♠ 5♠", "red 3 4 5"."""
    return signs(variant.speaker.cards(cards))


def spoken(card: Card) -> str:
    """Return a card as it’s read aloud: "7 of hearts"."""
    return spoken_card(card, Catalogue.read(language(), WORDS))


def unbroken(text: str) -> str:
    """Return a text with spaces at which no line is broken."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def card_rank(card: Card) -> str:
    """Return what is in a card’s corner above the suit: "7", "K"; a star for a joker."""
    if not card.rank and card.suit is None:
        return "★"
    return card.shown


def suit_sign(card: Card) -> str:
    """Return what is drawn below a card’s rank: its suit; for a tile, a sign for its color."""
    if card.suit is None:
        return ""
    return signs(card.suit.sign)


def corner(card: Card) -> str:
    """Return a card as it’s drawn, in one line: "7♣", "10▲" for the orange 10."""
    return f"{card_rank(card)}{suit_sign(card)}"


def lately(moment: datetime) -> str:
    """Return a day in brief, in the server’s time zone: "today", "Friday", "May 7"."""
    here, now = moment.astimezone(), datetime.now(UTC).astimezone()
    days = (now.date() - here.date()).days
    if days == 0:
        return say("dates.today")
    if 0 < days < DAYS_OF_A_WEEK:
        return str(parts_of(here)["weekday"])
    return say_short_day(here, year=here.year != now.year)


def kind(value: object) -> str:
    """Return the name of a value’s class in lower case, such as "choice" for an option’s kind."""
    return type(value).__name__.lower()


class _Flush(Extension):
    """Removes the indentation of templates, which only people need."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002
        """Return a template without the blanks at the start of each line."""
        return _INDENT.sub("", source)


def register(app: Flask) -> None:
    """Add these filters to the templates, and drop the blank lines that tags leave."""
    env = app.jinja_env
    env.trim_blocks = True
    env.add_extension(_Flush)
    env.filters["points"] = say_points
    env.globals["say"] = write
    env.filters["tag"] = answers.tag
    for word in (
        joined,
        capital,
        uncapital,
        first_sentence,
        unbroken,
        named,
        day,
        clock,
        signs,
        spoken,
        card_rank,
        suit_sign,
        corner,
        lately,
        kind,
    ):
        env.filters[word.__name__] = word
