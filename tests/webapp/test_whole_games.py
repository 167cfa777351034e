"""A whole game of each, through the pages, on a phone without JavaScript."""

import re

from tests.webapp.drafts import kept
from tests.webapp.table import Page, Phone
from webapp.ledger.ledger import read_game


class Evening:
    """One game on one phone, from the new game page to the end."""

    def __init__(
        self, phone: Phone, variant: str, *names: str, draft: str = "", **fields: str
    ) -> None:
        self.phone, self.names = phone, names
        phone.open(f"/games/new?variant={variant}&d={draft}")
        for name in names:
            phone.press("add-name-1", name=name)
        phone.press("start", **fields)
        self.pad = phone.address
        self.number = 0
        shown = phone.open(f"{self.pad}/rounds/1").response.text
        found = re.findall(r'<label for="left-(\d+)"><em[^>]*>(.*?)<', shown)
        self.ids = {name: player for player, name in found}

    @property
    def state(self):
        database = self.phone.client.application.extensions["database"]
        return database.read(read_game, self.pad.rpartition("/")[2])

    def fields(self, hands: dict[str, str], **more: str) -> dict[str, str]:
        """Fill in a count: "out", "45", "made 20", "60/15" for table and hand, "60/out"."""
        fields = dict(more)
        for name, text in hands.items():
            player = self.ids[name]
            table, slash, left = text.rpartition("/")
            if slash:
                fields[f"table-{player}"] = table
            if "out" in left:
                fields["out"] = player
            if "made" in left:
                fields[f"made-{player}"] = "1"
            fields[f"left-{player}"] = left.replace("out", "").replace("made", "").strip()
        return fields

    def count(self, status: int = 200, **hands: str) -> Page:
        """Count a round and save it; answers the pad."""
        more = {
            name: hands.pop(name) for name in ("out", "shown", "close", "sure") if name in hands
        }
        self.phone.open(f"{self.pad}/rounds/{len(self.state.rounds) + 1}")
        return self.phone.press("save", status, **self.fields(hands, **more))

    def totals(self) -> dict[str, int]:
        state = self.state
        shown = {
            str(player): total
            for player, total in zip(state.seats, state.score.totals, strict=True)
        }
        return {name: shown[player] for name, player in self.ids.items()}

    def winners(self) -> list[str]:
        state = self.state
        names = {player: name for name, player in self.ids.items()}
        return [names[str(state.seats[place])] for place in state.winners]


def test_six_rounds_of_mexican_rummy(phone):
    game = Evening(phone, "mexican-rummy", "Ana", "Ben", "Cleo")
    for _ in range(5):
        game.count(Ana="out", Ben="5+10+15", Cleo="60")
    game.count(Ana="60", Ben="out", Cleo="65")

    assert game.totals() == {"Ana": 60, "Ben": 150, "Cleo": 365}
    assert game.winners() == ["Ana"]
    assert game.state.finished


def test_three_phases_of_a_list_of_the_table(phone, database):
    steps = {"steps": ["2 sets of 3", "1 run of 4", "1 set of 4"]}
    draft = kept(database, "eleven-phases", steps)
    game = Evening(phone, "eleven-phases", "Ana", "Ben", draft=draft)
    game.count(Ana="out", Ben="made 60")
    game.count(Ana="60", Ben="out")
    assert game.state.score.steps == (2, 3)
    game.count(Ana="out", Ben="55")
    assert game.state.score.steps == (3, 3)
    game.count(Ana="made 5", Ben="out")

    assert game.state.finished
    assert game.totals() == {"Ana": 65, "Ben": 115}
    assert game.winners() == ["Ana"]


def test_three_games_of_rummikub(phone):
    game = Evening(phone, "rummikub", "Ana", "Ben", "Cleo")
    game.count(Ana="out", Ben="25", Cleo="40")
    assert game.totals() == {"Ana": 65, "Ben": -25, "Cleo": -40}
    game.count(Ana="30", Ben="10", Cleo="12", out="nobody")
    assert game.totals() == {"Ana": 45, "Ben": -3, "Cleo": -42}
    game.count(Ana="30", Ben="out", Cleo="12")
    assert sum(game.totals().values()) == 0
    phone.press("endings")

    assert game.winners() == ["Ben"]


def test_an_evening_of_remigio(phone):
    game = Evening(phone, "remigio", "Ana", "Ben", "Cleo", stake="0.05", currency="€")
    game.count(Ana="out", Ben="10", Cleo="7", close="colour-no-joker")
    assert game.totals() == {"Ana": 68, "Ben": -40, "Cleo": -28}
    game.count(
        Ana="5H 6H 7H 2S 2D 2C 3C KC QH 9S",
        Ben="out",
        Cleo="5H 5S 5D 6D 7D KC QH 9S 2C AH",
        shown="4S 4H 4D 9C 10C JC QC AD 2D 3D",
    )
    assert game.totals() == {"Ana": 68 - 64, "Ben": -40 + 64 + 84, "Cleo": -28 - 84}
    phone.press("endings")

    assert game.winners() == ["Ben"]
    assert "Cleo pays Ben 5.40 €" in phone.page.text
    assert "Cleo pays Ana 0.20 €" in phone.page.text


def test_rummy_500_to_five_hundred(phone):
    game = Evening(phone, "rummy-500", "Ana", "Ben")
    game.count(Ana="100/out", Ben="45+30/20")
    assert game.totals() == {"Ana": 100, "Ben": 55}
    game.count(Ana="0/60", Ben="200/out")
    assert game.totals() == {"Ana": 40, "Ben": 255}
    game.count(Ana="230/10", Ben="200/out")
    game.count(Ana="250/10", Ben="95/out")

    assert game.totals() == {"Ana": 500, "Ben": 550}
    assert game.winners() == ["Ben"]
