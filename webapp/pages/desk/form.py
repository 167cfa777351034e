"""Reads questions for the referee from a form or an address."""

from flask import request

from webapp.pages.desk.card_fields import DeskQuestion
from webapp.pages.desk.commands import TableAnswer, TableDecision
from webapp.web.device import player_of_device
from webapp.web.fields import read_number


def read_question(pub: str = "") -> DeskQuestion:
    """Return the question for the referee in the query or the form.

    In a game it’s asked by the player whose phone it is, unless it names another one.
    """
    fields = request.form if request.method == "POST" else request.args
    return DeskQuestion(
        ask=fields.get("ask", ""),
        step=read_number(fields, "step"),
        player=read_number(fields, "player") or player_of_device(pub) or None,
        # A save sends all fields, as nobody is typing any more.
        texts={
            name: text
            for name, text in fields.items()
            if text and (name != "typing" or request.method == "GET")
        },
    )


def read_argument() -> TableDecision:
    """Return the table’s decision about a play."""
    form = request.form
    decided, note, ruled = (form.get(name, "") for name in ("decided", "note", "ruled"))
    return TableDecision(question=read_question(), decided=decided, note=note, ruled=ruled)


def read_table_answer(pub: str) -> TableAnswer:
    """Return the table’s answer to a frequent question, asked by the owner of the phone."""
    form = request.form
    return TableAnswer(
        player=player_of_device(pub) or 0,
        decided=form.get("decided", ""),
        note=form.get("note", ""),
    )
