"""The same pages as a phone on a home network has them: plain http, and a name not localhost."""

from playwright.sync_api import expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import Counting, Pad, lay, start_by_hand


def test_a_short_game_over_plain_http(new_phone: PhoneMaker, lan_url: str) -> None:
    one, two = new_phone("lan-one", lan_url), new_phone("lan-two", lan_url)
    game = start_by_hand(one, ("Ana", "Ben"))
    two.open(game)
    assert two.page.evaluate("window.isSecureContext") is False

    two.press("Referee")
    lay(two, ("7C 7D 7H", "KC KD KH"))
    two.tap("#record")
    one.sees("Ana has laid down")
    Pad(one).count(1)
    Counting(one).fill("Ana", {"Ben": "65"})
    Counting(one).save()
    Pad(two).shows({"Ana": 0, "Ben": 65})
    two.tap("#voids")
    expect(Pad(one).cell(1, "Ben")).to_contain_text("not counted")

    one.tap("#more-button")
    one.tap("#share")
    one.sees(f"{lan_url}{game}")
    one.shoot("share")
