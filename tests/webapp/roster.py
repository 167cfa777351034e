"""The roster as one phone changes it."""

from webapp.ledger.ledger import FormKey, new_key
from webapp.models import Player
from webapp.pages.games.page import NewGameChoices
from webapp.pages.games.view import read_new_game
from webapp.players import commands as changes
from webapp.players.queries import read_players


class Roster:
    """The roster as one phone changes it, by names."""

    def __init__(self, database):
        self.database = database

    def number(self, name):
        rows = {row.name: row.id for row in self.database.read(self._all)}
        return rows[name]

    @staticmethod
    def _all(session):
        return session.query(Player).all()

    def do(self, command, *given, key="", device="phone"):
        sent = FormKey(key=key or new_key(), device=device)
        return self.database.write(command, *given, sent)

    def rename(self, name, new):
        self.do(changes.rename_player, self.number(name), new)

    def hide(self, name):
        self.do(changes.hide_player, self.number(name))

    def merge(self, name, same):
        self.do(changes.merge_players, self.number(name), same)

    def void(self, seq):
        self.do(changes.take_back_change, seq)

    @property
    def lines(self):
        return {line.name: line for line in self.database.read(read_players)}

    @property
    def offered(self):
        # With a key nobody is seated yet, as last time's players are on a page that opens.
        choices = NewGameChoices(variant="", key=new_key())
        return {line.name for line in self.database.read(read_new_game, choices).players}

    @property
    def changes(self):
        return [(line.says, line.undone) for line in self.database.read(changes.read_changes).lines]
