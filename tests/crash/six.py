"""Six phones at one count, each with one hand, one of them offline half of the time.

    python -m tests.crash.six --rounds 100 [--seed 1]

They share one Laydown on a database of its own. What they send comes in a random order. After each
round the ledger has every hand once, and the pad shows no other totals than its own.
"""

import argparse
import random
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from flask.testing import FlaskClient

from tests.webapp.table import OWN, Page, Table
from webapp import create_app
from webapp.config import Config
from webapp.ledger import new_key, read_story
from webapp.migrations import migrate

NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eva", "Fritz")


GAME = "romme"


class Phone:
    """One phone, with the hand of one player."""

    def __init__(self, client: FlaskClient, table: Table, name: str) -> None:
        """Open the pad, as a phone that joins does."""
        self.client, self.table, self.who = client, table, table.ids[name.lower()]
        client.get(f"/g/{table.pub}", headers=OWN)

    def fields(self, number: int) -> dict[str, str]:
        """The count page as it is now."""
        page = Page(self.client.get(f"/g/{self.table.pub}/rounds/{number}", headers=OWN))
        return {**dict(page.forms[0].fields), "key": new_key()}

    def enter(self, number: int, left: str) -> int:
        """Put this phone's hand into the draft; answers the status."""
        fields = self.fields(number)
        fields |= {f"left-{self.who}": left, "in": str(self.who)}
        if not left:
            fields["out"] = str(self.who)
        answer = self.client.post(
            f"/g/{self.table.pub}/rounds/{number}/draft", data=fields, headers=OWN
        )
        return answer.status_code

    def save(self, number: int, left: str) -> int:
        """Save what the page shows, with this phone's own hand in it; answers the status."""
        fields = self.fields(number) | ({f"left-{self.who}": left} if left else {})
        answer = self.client.post(f"/g/{self.table.pub}/rounds/{number}", data=fields, headers=OWN)
        return answer.status_code


def play(make: Callable[[], FlaskClient], table: Table, rounds: int, seed: int) -> None:
    """Play some rounds; raises AssertionError for a hand that is lost or a total that is wrong."""
    chance = random.Random(seed)
    phones = [Phone(make(), table, name) for name in NAMES]
    expected = dict.fromkeys(table.ids.values(), 0)
    for number in range(1, rounds + 1):
        hands = [str(5 * chance.randint(1, 20)) for _ in NAMES]
        hands[chance.randrange(5)] = ""
        order = [*zip(phones, hands, strict=True)]
        late = order.pop() if number % 2 else None
        chance.shuffle(order)
        for phone, left in order:
            assert phone.enter(number, left) == 200
            _check(phone.client, table, expected)
        phone, left = chance.choice(order)
        if late:
            assert phone.save(number, left) == 422, "a hand is missing"
            # It is back: the hand that waited on it joins the others.
            phone, left = late
            assert phone.enter(number, left) == 200
        assert phone.save(number, left) == 303
        other, theirs = order[0]
        assert other.enter(number, theirs) == 409, "the round is saved already"
        for each, points in zip(phones, hands, strict=True):
            expected[each.who] += int(points or 0)
        _check(phone.client, table, expected)
        story = table.database.read(read_story, table.pub)
        saved = [hand.entered.left for hand in story.hands_of(number).values()]
        assert sorted(saved) == sorted(int(points or 0) for points in hands)
        assert len(story.rounds) == number


def _check(client: FlaskClient, table: Table, expected: dict[int, int]) -> None:
    totals = dict(zip(table.ids.values(), table.totals(), strict=True))
    assert totals == expected
    pad = client.get(f"/g/{table.pub}", headers=OWN).text
    for player, total in expected.items():
        found = re.search(rf'id="t{player}">\s*(?:<[^>]*>)?\s*([−\d]+)', pad)
        assert found, player
        assert int(found[1].replace("−", "-")) == total


def main() -> None:
    """Play on a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'laydown.db'}"
        migrate(url)
        app = create_app(Config(database_url=url, instance=Path(folder)))
        database = app.extensions["database"]
        play(app.test_client, Table(database, NAMES, GAME), asked.rounds, asked.seed)
        database.close()
    print(f"{asked.rounds} rounds: every hand once, every total the ledger's.")


if __name__ == "__main__":
    main()
