"""The form of a count: the hands of a round, as somebody wrote them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from flask import request
from werkzeug.datastructures import MultiDict

from webapp.game.facts import REASONS, canonical
from webapp.game.hand import NOTHING, Tally, TypedHand, read_laid
from webapp.game.replay import GameState
from webapp.game.tallying import BLANK, is_by_team, teams_in
from webapp.ledger.ledger import Sent
from webapp.web.errors import BadFormError
from webapp.web.fields import NUMBER, read_number, read_sent

_LINE: Final = re.compile(
    r"(?:left|base|made|table|hand|aside)-([1-9][0-9]{0,8})|bonus-([1-9][0-9]{0,8})-([a-z-]{1,40})",
    re.ASCII,
)
_SMALL: Final = re.compile(r"[0-9]{1,2}", re.ASCII)
_PARTS: Final = 3
"""Bars in a hand that was chosen among two: "70||out|"."""
_NOBODY: Final = "nobody"
"""The value of ``out`` where nobody went out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedHands:
    """A count form as it came in; nothing in it is checked yet."""

    lines: Mapping[int, TypedHand]
    """By player; a missing one wasn’t on the form."""
    only: int | None
    sure: bool
    sent: Sent
    nobody: bool = False
    """Whether it was said that nobody went out."""
    shown: str = ""
    """The hand that closed the round, as written."""
    close: str = ""
    """How the round was closed, as chosen."""
    turned: str = ""
    """The card turned up at the deal, as written."""
    reason: str = ""
    """Why the table wants what seems unlikely."""
    part: bool = False
    """Whether only the hands that are filled in are saved: the others are on other phones."""

    @property
    def content(self) -> str:
        """Everything that a save would go by, as text."""
        lines = {
            str(player): [line.left, line.out, line.made, line.base, line.laid]
            for player, line in self.lines.items()
        }
        said = [self.nobody, self.shown, self.close, self.turned, self.reason]
        # Without a part it is what earlier releases remembered of the same form.
        return canonical([lines, self.only, self.sure, *said, *(["part"] if self.part else [])])


def read_hands(only: int | None = None) -> TypedHands:
    """Read a count form; `only` is the one player that the address speaks of.

    Raises BadFormError.
    """
    form = request.form
    told = (value.partition("-") for value in form.getlist("out"))
    out = {int(who): said for who, _, said in told if NUMBER.fullmatch(who) and int(who)}
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
        if NUMBER.fullmatch(text):
            player = int(text)
            tallies[player] = replace(tallies.get(player, NOTHING), untaken=frozenset({player}))
    return tallies


def gathered(state: GameState, typed: TypedHands) -> TypedHands:
    """A form with the lines of each team put together in that of its first player.

    It is about all teams: a player who went out may have been noted on another one.
    """
    if not is_by_team(state):
        return typed
    lines = dict(typed.lines)
    for players in teams_in(state):
        there = [player for player in players if player in lines]
        if there:
            lines |= {player: replace(BLANK, base=lines[player].base) for player in there}
            lines[players[0]] = _together(players, typed.lines)
    return replace(typed, lines=lines, only=None)


def _together(players: Sequence[int], lines: Mapping[int, TypedHand]) -> TypedHand:
    """What the lines of a team come to, as that of its first player."""
    first, there = lines.get(players[0], BLANK), [lines[who] for who in players if who in lines]
    went = next((who for who in players if who in lines and lines[who].out), 0)
    tally = replace(
        first.tally,
        out=first.tally.out or went,
        untaken=frozenset().union(*(line.tally.untaken for line in there)),
    )
    return replace(first, out=bool(tally.out), tally=tally)
