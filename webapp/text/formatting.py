"""Small texts that several pages share: names in a row, numbers, steps and options of a game."""

import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, Final

from referee import Contract, Variant
from referee.describing import CHANGE, STEPS
from referee.saying import Speaker
from webapp.language import region, say, spoken

MINUS: Final = "\N{MINUS SIGN}"
NOON: Final = 12
SENTENCE_END: Final = re.compile(r"(?<=[.?!]) (?=[A-ZÁÉÍÓÚÑ¿«“0-9])")
"""The end of a sentence, before the next."""

_APART: Final = 10_000
"""The number from which on thousands have a separator."""

_TEENS: Final = range(11, 14)


def title_of(variant: Variant, step: int | None) -> str:
    """Return the contract of a step, as a heading; for None it says that players’ steps differ.

    In a game without contracts it’s what is special in the step, or empty.
    """
    contract = variant.contract_at(step)
    if contract:
        return contract.title(variant.speaker)
    if step and not variant.contracts:
        return variant.step_says(step)
    return say("pad.own-steps", step=variant.words.step) if variant.contracts else ""


def short_title(contract: Contract, speaker: Speaker) -> str:
    """Return a contract as a heading that fits a phone.

    Sets and runs are without their lengths: "2 sets and 1 run".
    """
    if len(contract.melds) == 1:
        return contract.title(speaker)
    return joined(each.said(speaker) for each in contract.melds)


def brief_title(contract: Contract, speaker: Speaker) -> str:
    """Return a contract for a narrow column: "2 sets, run"."""
    return capital(", ".join(each.said(speaker).removeprefix("1 ") for each in contract.melds))


def step_says(variant: Variant, step: int) -> str:
    """Return the contract of a player’s own step: "1 run of 7"; "all done" past the last one."""
    if not variant.contracts:
        return ""
    contract = variant.contract_at(step)
    return contract.said(variant.speaker) if contract else say("pad.all-done")


def on_step(variant: Variant, step: int) -> str:
    """Return the step of a player on their own ladder: "Phase 3: 1 run of 7", or "all done ✓"."""
    says = step_says(variant, step)
    if variant.contract_at(step) is None:
        return f"{says} ✓"
    return f"{capital(variant.words.step)} {step}: {says}"


def name_step(variant: Variant, step: int) -> str:
    """Return the step of a player in brief: "phase 4"; "all done ✓" past the last one."""
    if variant.contract_at(step) is None:
        return f"{step_says(variant, step)} ✓"
    return f"{variant.words.step} {step}"


def say_ladder(variant: Variant) -> str:
    """Return the name of the list of contracts, if the game has more than one; else empty."""
    chosen = dict(variant.chosen)
    own = f"{CHANGE}{STEPS}" in chosen
    for option in variant.options:
        presets = getattr(option.kind, "presets", ())
        if presets:
            value = chosen.get(option.name, option.default)
            labels = (label for name, label, texts in presets if value in {name, texts})
            return next(iter(() if own else labels), say("pad.own-list", option=option.title))
    return ""


def joined(names: Iterable[str]) -> str:
    """Return names as a list in a sentence; empty if there are none.

    >>> joined(["Ana", "Ben", "Cleo"])
    'Ana, Ben and Cleo'
    """
    return spoken().joined(names)


def say_points(number: int) -> str:
    """Return points with a true minus, and with a separator of thousands from 10,000 on.

    >>> say_points(65), say_points(-25), say_points(5000)
    ('65', '−25', '5000')
    """
    minus, number = MINUS * (number < 0), abs(number)
    if number < _APART:
        return f"{minus}{number}"
    thousands, rest = divmod(number, 1000)
    return f"{minus}{thousands}{say('counts.apart')}{rest:03}"


def signed(number: int) -> str:
    """Return points with their sign, including a plus.

    >>> signed(65), signed(-25), signed(0)
    ('+65', '−25', '+0')
    """
    return f"{'+' * (number >= 0)}{say_points(number)}"


def decimal(number: float) -> str:
    """Return a number with one decimal: "3.2"."""
    return f"{number:.1f}".replace(".", say("dates.decimal"))


def capital(text: str) -> str:
    """Return a text for the start of a sentence: only the first letter changes, names stay."""
    return text[:1].upper() + text[1:]


def first_sentence(text: str) -> str:
    """Return the first sentence of a text.

    >>> first_sentence("Aces are high or low. K A 2 isn’t a run.")
    'Aces are high or low.'
    """
    return SENTENCE_END.split(text, maxsplit=1)[0]


def uncapital(text: str) -> str:
    """Return a text for the middle of a sentence: only the first letter changes."""
    return text[:1].lower() + text[1:]


def say_length(minutes: int) -> str:
    """Return a duration: "1 h 20 min"; empty for less than a minute.

    >>> say_length(80), say_length(40), say_length(0)
    ('1 h 20 min', '40 min', '')
    """
    hours, rest = divmod(minutes, 60)
    if not minutes:
        return ""
    how = "minutes" if not hours else "hours" if not rest else ""
    return say("dates.length", how, hours=hours, minutes=rest)


def say_day(day: date) -> str:
    """Return a day: "Saturday, November 21, 2026"; in the order of the reader’s region."""
    return say("dates.day", which_order(), **parts_of(day))


def say_short_day(day: date, *, year: bool = True) -> str:
    """Return a day without its weekday, and perhaps without its year: "November 21"."""
    return say("dates.short", "year" if year else "", which_order(), **parts_of(day))


def which_order() -> str:
    """Return which order the days of the reader’s region have, as `dates` in the words has them."""
    return "day-first" if region() in say("dates.day-first").split() else ""


def which_clock() -> str:
    """Return which clock the reader’s region has: the "usual" one of the language, or the "other".

    English usually has 12 hours and Spanish 24, but the United Kingdom has 24 and Mexico 12.
    """
    return "other" if region() in say("dates.other-clock").split() else "usual"


def say_time(moment: datetime) -> str:
    """Return a time of day: "8:15 PM", "20:15"."""
    return say(
        "dates.time",
        which_clock(),
        hour=f"{moment.hour:02}",
        hour12=moment.hour % 12 or 12,
        minute=f"{moment.minute:02}",
        half=say("dates.half", "am" if moment.hour < NOON else "pm"),
    )


def say_month(number: int) -> str:
    """Return the name of a month, from 1."""
    return say("dates.month", str(number))


def parts_of(day: date) -> dict[str, Any]:
    """Return the parts of a date: weekday and month by name, day and year."""
    return {
        "weekday": say("dates.weekday", str(day.weekday())),
        "month": say_month(day.month),
        "day": day.day,
        "year": day.year,
    }


def ordinal(number: int) -> str:
    """Return a place: "1st", "2nd", "11th".

    >>> ordinal(1), ordinal(12), ordinal(23)
    ('1st', '12th', '23rd')
    """
    ending = "" if number % 100 in _TEENS else str(number % 10)
    return say("counts.place", ending, n=number)
