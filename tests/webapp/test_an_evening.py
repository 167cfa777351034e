"""An evening of Mexican Rummy, through the pages alone, on phones without JavaScript."""

import pytest

from tests.webapp.table import Phone

pytestmark = pytest.mark.slow

ROUNDS = [
    # Ana, Ben, Cleo, Dov: as they are typed; "" for who went out.
    ["", "20+45", "35", "50"],
    ["40", "", "25", "70"],
    ["65", "10+10+5", "", "55"],
    ["", "80", "45", "15"],
    ["30", "", "60", "20"],
    ["", "50", "75", "110"],
]
TOTALS = {"Ana": 135, "Ben": 220, "Cleo": 240, "Dov": 320}
SEATS = ["Ana", "Ben", "Cleo", "Dov"]


def ids_of(phone: Phone) -> list[str]:
    """The players' ids, from the fields of the count page."""
    fields = [name for name, _ in phone.page.forms[0].fields]
    return [name.removeprefix("base-") for name in fields if name.startswith("base-")]


def sit_down(phone: Phone) -> str:
    """Open the app, seat four people, and start; answers the game's address."""
    phone.open("/")
    phone.tap("New game")
    for name in SEATS:
        phone.press("Add", name=name)
    phone.press("Start with 4 players")
    return phone.address


def count(phone: Phone, number: int, hands: list[str]) -> list[str]:
    """Count a round on one phone; answers the players' ids."""
    phone.tap(f"Score round {number}")
    ids = ids_of(phone)
    fields = {f"left_{who}": hand for who, hand in zip(ids, hands, strict=True)}
    phone.press("Save", out=ids[hands.index("")], **fields)
    return ids


def test_an_evening_of_mexican_rummy_without_javascript(phone, client):
    game = sit_down(phone)
    assert "D Dov deals A Ana starts" in phone.page.text

    # Round 1 is counted on one phone.
    ids = count(phone, 1, ROUNDS[0])
    assert "round 2 of 6" in phone.page.text.lower()
    assert "A Ana deals B Ben starts" in phone.page.text

    # In round 2 Ben asks whether he may lay down; his first try goes round the corner.
    phone.tap("Referee")
    phone.tap("Ben")
    phone.press("Ask", meld_1="7C 7D 7H", meld_2="QH KH AH 2H")
    assert "Not legal" in phone.page.text
    phone.press("Ask", meld_1="7C 7D 7H", meld_2="4D 5D 2S 7D")
    assert "✓ Legal" in phone.page.text
    phone.press("record")
    assert phone.address == game
    assert "Ben has laid down." in phone.page.text

    # Cleo lays off on it.
    phone.tap("Referee")
    phone.tap("Cleo")
    phone.tap("Lay off")
    onto = next(link for link in phone.page.links.values() if "onto=4D" in link)
    phone.open(onto)
    phone.press("Ask", cards="8D")
    assert "✓ Legal" in phone.page.text

    # Each phone counts its own hand in round 2.
    other = Phone(client)
    phone.open(game)
    other.open(game)
    for turn, (who, hand) in enumerate(zip(ids, ROUNDS[1], strict=True)):
        hands = phone if turn % 2 else other
        hands.open(f"{game}/rounds/2?player={who}")
        if hand:
            hands.press("Save", **{f"left_{who}": hand})
        else:
            hands.press("Save", out=who)
    phone.open(game)
    assert "Score round 3" in phone.page.links

    # Round 3: 23 is no sum of fives; what was typed stays.
    phone.tap("Score round 3")
    typed = dict(zip([f"left_{who}" for who in ids], ["65", "23", "", "55"], strict=True))
    phone.press("Save", 422, out=ids[2], **typed)
    assert "multiple of 5" in phone.page.text
    phone.press("change")
    assert (f"left-{ids[1]}", "23") in phone.page.forms[0].fields
    phone.press("Save", **{f"left_{ids[1]}": "10+10+5"})

    # Round 4 is saved wrong, taken back, put back, and corrected.
    count(phone, 4, ["", "80", "45", "20"])
    phone.press("voids")
    assert "Score round 4" in phone.page.links
    phone.press("Redo")
    phone.open(f"{game}/rounds/4/hands/{ids[3]}")
    phone.press("Save change", **{f"left_{ids[3]}": "15"})
    assert "Dov 20 → 15" in phone.page.text

    count(phone, 5, ROUNDS[4])
    count(phone, 6, ROUNDS[5])

    assert "Ana wins" in phone.page.text
    phone.tap("See the result")
    for name, total in TOTALS.items():
        assert f"{name} {total}" in phone.page.text
    phone.open("/history")
    assert "Ana won ★" in phone.page.text
    assert "Ana 135" in phone.page.text

    # And again: one tap, the same seats, the next deals first.
    phone.open(game)
    phone.press("Rematch")
    assert phone.address != game
    assert "A Ana deals B Ben starts" in phone.page.text
