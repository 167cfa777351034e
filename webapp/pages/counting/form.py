"""The form of a count: reads fields that are named for a player into hands."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from werkzeug.datastructures import MultiDict

from webapp.game.facts import REASONS
from webapp.game.hand import Hand, Hands
from webapp.game.validation import CountForm
from webapp.ledger.ledger import FormKey
from webapp.web.errors import BadFormError
from webapp.web.fields import NUMBER, read_number

_FIELD: Final = re.compile(
    r"(left|table|made|base|aside|hand|pairs|penalties)-([1-9][0-9]{0,8})|(bonus)-([1-9][0-9]{0,8})-([a-z-]{1,40})",
    re.ASCII,
)
_OUT: Final = re.compile(r"0*([1-9][0-9]{0,8})(-.+)?", re.ASCII | re.DOTALL)
"""A pattern for the value of Out: the player who went out, and whether with gin."""
_SMALL: Final = re.compile(r"[0-9]{0,2}", re.ASCII)
_LONGEST: Final = 2_000
"""The most characters of a line that can be chosen."""


def read_count_form(
    fields: MultiDict[str, str], form_key: FormKey, only: int | None = None
) -> CountForm:
    """Return the count form that was sent; `only` is the player in the address, if there is one.

    Raises BadFormError if a number of melds or of open cards isn’t one of up to 2 digits.
    """
    hands = _read_hands(fields)
    for name, text in fields.items():
        if name.startswith("hand-") and _FIELD.fullmatch(name):
            hands |= dict(_choose(hands, read_choice(text)))
    return CountForm(
        hands=hands,
        key=form_key.key,
        device=form_key.device,
        only=only or read_number(fields, "only"),
        sure="sure" in fields,
        nobody="nobody" in fields.getlist("out"),
        shown=fields.get("shown", "").strip(),
        close=fields.get("close", ""),
        turned=fields.get("turned", "").strip(),
        reason=REASONS.get(fields.get("why", ""), ""),
        part="part" in fields,
        zeros="zeros" in fields,
    )


def write_choice(hands: Hands) -> str:
    """Return the hands of a line as text: the fields that somebody would fill in, URL-encoded."""
    pairs = (pair for who, hand in hands.items() for pair in _fields(who, hand))
    return urlencode([("ticks", "1"), *pairs])


def read_choice(text: str) -> Hands:
    """Return the hands in a text from `write_choice`; none if it has none or is too long.

    Raises BadFormError as `read_count_form` does.
    """
    if len(text) > _LONGEST:
        # Cut short, it might still be a score, but another one.
        return {}
    return _read_hands(MultiDict(parse_qsl(text, keep_blank_values=True)))


def _fields(player: int, hand: Hand) -> Iterator[tuple[str, str]]:
    yield f"left-{player}", hand.left
    if hand.table:
        yield f"table-{player}", hand.table
    if hand.out:
        yield "out", str(player)
    if hand.made:
        yield f"made-{player}", "1"
    for kind, number in hand.bonus.items():
        yield f"bonus-{player}-{kind}", str(number)
    if hand.aside:
        yield f"aside-{player}", str(hand.aside)
    if not hand.reserve:
        yield "untaken", str(player)
    if hand.pairs:
        yield f"pairs-{player}", "1"
    if hand.penalties:
        yield f"penalties-{player}", str(hand.penalties)


def _choose(typed: Hands, chosen: Hands) -> Iterator[tuple[int, Hand]]:
    """Yield the hands of lines that were chosen where two phones disagree, by player.

    They replace what was typed into the fields of these lines. Ticks for players who went out, or
    who didn’t take their second hand, are on the page as well, and still count.
    """
    # The chosen version says who went out, if it’s anybody: then the page’s tick is outdated.
    told = any(hand.out for hand in chosen.values())
    for who, hand in chosen.items():
        mine = typed.get(who, Hand())
        out = hand.out or (mine.out and not told)
        yield who, replace(hand, base=mine.base, out=out, reserve=hand.reserve and mine.reserve)


def _read_hands(fields: MultiDict[str, str]) -> dict[int, Hand]:
    """Return the hands that fields are about, by player id; raise as `_read_field`."""
    hands: dict[int, dict[str, Any]] = defaultdict(dict)
    for name, text in fields.items():
        found = _FIELD.fullmatch(name)
        if found:
            player, kind = int(found[2] or found[4]), found[1] or found[3]
            _read_field(hands[player], kind, text.strip(), found[5])
    for told in filter(None, map(_OUT.fullmatch, fields.getlist("out"))):
        hand = hands[int(told[1])]
        # The page’s script ticks "Made it" together with "Out". Without the script, Out means both.
        hand |= {"out": True, "made": hand.get("made", False) or fields.get("ticks") != "1"}
        if told[2]:
            hand["left"] = "0"
    for text in filter(NUMBER.fullmatch, fields.getlist("untaken")):
        if int(text):
            hands[int(text)]["reserve"] = False
    return {player: Hand(**{"made": False} | hand) for player, hand in hands.items()}


def _read_field(hand: dict[str, Any], kind: str, text: str, of: str | None) -> None:
    """Read one field into a hand; raise BadFormError if a count isn’t blank or 1 or 2 digits.

    `of` is the kind of meld that the field counts, if it does.
    """
    if kind in {"left", "table"}:
        hand[kind] = text
    elif kind in {"made", "pairs"}:
        hand[kind] = True
    elif kind == "base":
        hand["base"] = int(text) if NUMBER.fullmatch(text) else 0
    elif kind == "hand":
        # A chosen line is read after all the fields.
        return
    elif not _SMALL.fullmatch(text):
        raise BadFormError
    elif kind in {"aside", "penalties"}:
        hand[kind] = int(text or 0)
    elif int(text or 0):
        hand.setdefault("bonus", {})[of] = int(text)
