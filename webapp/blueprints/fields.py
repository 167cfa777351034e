"""Fields: what a request brings, read strictly and judged elsewhere."""

import re
from dataclasses import replace
from typing import Final

from flask import request
from werkzeug.datastructures import MultiDict

from webapp.errors import BadFormError
from webapp.ledger import Sent
from webapp.ledger.facts import REASONS
from webapp.origin import phone
from webapp.seat import claimed
from webapp.services.desk.rows import DeskQuestion
from webapp.services.disputes import TableDecision
from webapp.services.games import NewGameChoices
from webapp.services.seats import Joining
from webapp.services.typed import NOTHING, Tally, TypedHand, TypedHands, read_laid

_KEY: Final = re.compile(r"[a-z0-9-]{1,40}", re.ASCII)
_NUMBER: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
_LINE: Final = re.compile(
    r"(?:left|base|made|table|hand|aside)-([1-9][0-9]{0,8})|bonus-([1-9][0-9]{0,8})-([a-z-]{1,40})",
    re.ASCII,
)
_SMALL: Final = re.compile(r"[0-9]{1,2}", re.ASCII)
_OPTION: Final = "option-"
_PARTS: Final = 3
"""Bars in a hand that was chosen among two: "70||out|"."""
_NOBODY: Final = "nobody"
"""The value of ``out`` where nobody went out."""


def read_number(fields: MultiDict[str, str], name: str) -> int | None:
    """Read a whole number from 1; None if the field is missing or is none."""
    text = fields.get(name, "")
    return int(text) or None if _NUMBER.fullmatch(text) else None


def read_seen(fields: MultiDict[str, str]) -> int:
    """Read what the phone showed, as a whole number from 0; raises BadFormError without one."""
    text = fields.get("seen", "")
    if not _NUMBER.fullmatch(text):
        raise BadFormError
    return int(text)


def is_key(text: str) -> bool:
    """Whether this is a form key."""
    return _KEY.fullmatch(text) is not None


def read_sent() -> Sent:
    """Read the form key, with the phone that it came from; raises BadFormError."""
    key = request.form.get("key", "")
    if not is_key(key):
        raise BadFormError
    return Sent(key=key, device=phone())


def read_hands(only: int | None = None) -> TypedHands:
    """Read a count form; `only` is the one player that the address speaks of.

    Raises BadFormError.
    """
    form = request.form
    told = (value.partition("-") for value in form.getlist("out"))
    out = {int(who): said for who, _, said in told if _NUMBER.fullmatch(who) and int(who)}
    chosen = {
        int(name[5:]): form[name].split("|")
        for name in form
        if _LINE.fullmatch(name) and name.startswith("hand-") and form[name].count("|") == _PARTS
    }
    found = (match for match in map(_LINE.fullmatch, form) if match)
    players = dict.fromkeys([*(int(match[1] or match[2]) for match in found), *out])
    tallies = _read_tallies(form)
    lines = {
        player: TypedHand(
            left="0" if out.get(player) else form.get(f"left-{player}", "").strip(),
            out=player in out,
            # Out ticks Made it, on a page whose script does so; on any other it means it.
            made=f"made-{player}" in form or (player in out and form.get("ticks") != "1"),
            base=read_number(form, f"base-{player}") or 0,
            table=form.get(f"table-{player}", "").strip(),
            tally=tallies.get(player, NOTHING),
        )
        for player in players
    }
    for player, (left, laid, went, made) in chosen.items():
        table, tally = read_laid(laid)
        lines[player] = replace(
            lines[player],
            left=left,
            table=table,
            tally=tally,
            out=went == "out",
            made=made == "made",
        )
    return TypedHands(
        lines=lines,
        only=only or read_number(form, "only"),
        sure="sure" in form,
        sent=read_sent(),
        nobody=_NOBODY in form.getlist("out"),
        shown=form.get("shown", "").strip(),
        close=form.get("close", ""),
        turned=form.get("turned", "").strip(),
        reason=REASONS.get(form.get("why", ""), ""),
        part="part" in form,
    )


def _read_tallies(form: MultiDict[str, str]) -> dict[int, Tally]:
    """Read what is counted of each team and not added up; raises BadFormError."""
    tallies: dict[int, Tally] = {}
    for name, text in form.items():
        found = _LINE.fullmatch(name)
        if not found or not name.startswith(("aside", "bonus")):
            continue
        if text.strip() and not _SMALL.fullmatch(text.strip()):
            raise BadFormError
        player, number = int(found[1] or found[2]), int(text.strip() or 0)
        tally = tallies.get(player, NOTHING)
        if found[1]:
            tallies[player] = replace(tally, aside=number)
        elif number:
            tallies[player] = replace(tally, bonus={**tally.bonus, found[3]: number})
    for text in form.getlist("untaken"):
        if _NUMBER.fullmatch(text):
            player = int(text)
            tallies[player] = replace(tallies.get(player, NOTHING), untaken=frozenset({player}))
    return tallies


def read_joining() -> Joining:
    """Read the form of somebody who joins late."""
    form = request.form
    return Joining(
        player=form.get("player", ""),
        name=form.get("name", ""),
        after=0 if form.get("after") == "0" else read_number(form, "after"),
        carry=form.get("carry", ""),
        carried=form.get("carried", ""),
        step=read_number(form, "step"),
    )


def read_question(pub: str = "") -> DeskQuestion:
    """Read what is put to the referee, from the query or from a form.

    In a game whoever's phone it is asks, unless it says who does.
    """
    fields = request.form if request.method == "POST" else request.args
    return DeskQuestion(
        ask=fields.get("ask", ""),
        step=read_number(fields, "step"),
        player=read_number(fields, "player") or claimed(pub) or None,
        # A save sends everything: nobody is typing any more.
        texts={
            name: text
            for name, text in fields.items()
            if text and (name != "typing" or request.method == "GET")
        },
    )


def read_argument() -> TableDecision:
    """Read what the table decided about a play."""
    form = request.form
    decided, note = form.get("decided", ""), form.get("note", "")
    return TableDecision(question=read_question(), decided=decided, note=note)


def read_choices() -> NewGameChoices:
    """Read the new game form, from the query or from a form. Raises BadFormError."""
    posted = request.method == "POST"
    fields = request.form if posted else request.args
    key = read_sent().key if posted else fields.get("key", "")
    draft = fields.get("leaflet", fields.get("d", ""))
    # Choices for one game mean nothing for another.
    switched = fields.get("instead") not in {None, fields.get("variant")}
    return NewGameChoices(
        variant=fields.get("instead") or fields.get("variant", ""),
        find=fields.get("find", ""),
        seats=tuple(fields.getlist("seat")),
        name=fields.get("name", ""),
        add=fields.get("add", ""),
        drop=fields.get("drop", ""),
        up=fields.get("up", ""),
        pick=fields.get("pick", ""),
        tap=fields.get("tap", ""),
        held=fields.get("held", ""),
        dealer=fields.get("dealer", ""),
        options={} if switched else _read_options(fields),
        draft=draft if not switched and is_key(draft) else "",
        called="" if switched else fields.get("called", ""),
        stake=fields.get("stake", ""),
        currency=fields.get("currency", ""),
        clock=fields.get("clock"),
        advice=fields.get("advice", ""),
        key=key if _KEY.fullmatch(key) else "",
    )


def _read_options(fields: MultiDict[str, str]) -> dict[str, str]:
    return {
        name.removeprefix(_OPTION): text
        for name, text in fields.items()
        if name.startswith(_OPTION)
    }
