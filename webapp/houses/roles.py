"""What each role may do: one table of all endpoints. Any other is closed to everybody."""

from collections.abc import Mapping
from typing import Final

from webapp.houses.door import Role

_NOBODY: Final = """
    static_file home.manifest door.worker door.arrive door.join
"""
"""The endpoints for phones that weren’t let in: the files of a page, and joining by a link."""

_WATCH: Final = """
    home.show home.settings home.keep_settings
    scorepad.show scorepad.board seats.who seats.claim_seat clock.show clock.look clock.strip
    history.index history.picture history.result history.sheet evening.show
    standings.index standings.pair standings.player roster.index notes.show house_rules.look
    rules.index rules.show rules.show_in_game rulebook.book rulebook.done
    asking.index asking.old_index asking.show asking.show_in_game
    asking.answer asking.answer_in_game
    desk.show desk.show_in_game desk.rule desk.rule_in_game advice.show
    own.index own.show printing.blank printing.game
"""
"""The endpoints for everybody who was let in: they only show something."""

_PLAY: Final = """
    games.new games.create games.undo share.show door.evening
    counting.show counting.fill counting.judge counting.save counting.show_hand counting.save_hand
    scorepad.void scorepad.finish scorepad.reopen scorepad.play_again scorepad.play_decider
    scorepad.take seats.show seats.add seats.new seats.order seats.change clock.tap
    notes.add notes.void
    desk.dispute desk.record desk.undecide asking.decide advice.show_in_game
    house_rules.show house_rules.tap house_rules.save house_rules.save_game
    rulebook.tap rulebook.save roster.add roster.choose roster.rename standings.ratings
    own.add own.read own.change own.download own.make own.new own.save own.save_text own.share
    own.text own.hide phones.index phones.show
"""
"""The endpoints for players: everything that a table does while it plays."""

_KEEP: Final = """
    door.show door.invite door.take_back door.change
    phones.undo phones.restore roster.merge roster.hide roster.changes roster.void
    deleting.game deleting.own deleting.player deleting.everything
    exchange.show exchange.download exchange.template exchange.imports exchange.upload exchange.keep
    keeping.show keeping.back_up keeping.check
"""
"""The endpoints for keepers: they concern everybody’s scores, or everybody’s phones."""

MAY: Final[Mapping[str, Role]] = {
    endpoint: role
    for role, endpoints in zip(Role, (_NOBODY, _WATCH, _PLAY, _KEEP), strict=True)
    for endpoint in endpoints.split()
}
"""The least role for each endpoint, whatever the method."""

OUTSIDE: Final = frozenset({"static_file", "home.up"})
"""The endpoints that also work at addresses outside of all houses."""


def may(role: Role, endpoint: str) -> bool:
    """Return whether a role may use an endpoint."""
    return endpoint in MAY and role >= MAY[endpoint]
