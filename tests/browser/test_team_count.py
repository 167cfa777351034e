"""Games of teams through the pages: a column each, steppers, keys, phones, and a whole evening."""

import re
from dataclasses import dataclass, field

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect

from tests.browser.conftest import SMALL, PhoneMaker
from tests.browser.phone import PATIENCE, Phone, start_count, start_game
from tests.browser.test_look import in_each_look, small_letters
from tests.browser.test_reach import LARGE as WIDE
from tests.browser.test_reach import TOO_WIDE
from tests.webapp.drafts import kept
from tests.webapp.table import Table
from webapp.db import Database

NAMES = ("Anna", "Ben", "Cleo", "Dov")
ONE, TWO = "Anna and Cleo", "Ben and Dov"
SIX = ("Anna", "Ben", "Cleo", "Dov", "Eva", "Finn")
PAIRS = ("Anna and Dov", "Ben and Eva", "Cleo and Finn")
IN_PAIRS = {"teams.size": {"2-3": 1, "4": 2, "5": 1, "6": 2}}
"""The house rule that six play in three pairs."""

WORTH = {"Natural": 500, "Mixed": 300, "Red 3s": 100}


@dataclass(frozen=True)
class Side:
    """What a team has when a hand is over, as people say it at the table."""

    table: int
    left: int
    some: dict[str, int] = field(default_factory=dict)
    """Melds with a bonus, and red 3s."""

    def scores(self, out: int = 0) -> int:
        """What it comes to, worked out by hand: red 3s count against a team with no melds."""
        threes = self.some.get("Red 3s", 0)
        red = 800 if threes == 4 else 100 * threes
        melds = sum(WORTH[kind] * n for kind, n in self.some.items() if kind != "Red 3s")
        return self.table + melds + (red if self.table else -red) + out - self.left


class Sheet:
    """The count page by team, on a phone."""

    def __init__(self, phone: Phone) -> None:
        self.phone, self.page = phone, phone.page

    def step(self, kind: str, team: str, number: int) -> None:
        for _ in range(number):
            self.phone.tap(self.page.get_by_label(f"One more: {kind}, {team}", exact=True))

    def field(self, kind: str, team: str) -> Locator:
        return self.page.get_by_label(f"{kind}, {team}", exact=True)

    def out(self, name: str) -> None:
        self.phone.tap(self.page.get_by_label(re.compile(f"^(Out|Went out) {name}$")))

    def turn(self, team: str) -> None:
        """Turn to a team, where each has a tab."""
        self.phone.tap(self.page.get_by_role("radio", name=team, exact=True))

    def digits(self, text: str) -> None:
        for digit in text:
            self.phone.tap(f"#digits [data-key='{digit}']")

    def next(self) -> None:
        self.phone.tap("[data-key='next'] >> visible=true")

    def fill(self, sides: dict[str, Side], out: str = "") -> None:
        """Fill in a whole hand as a thumb does, side by side."""
        for team, side in sides.items():
            for kind, number in side.some.items():
                self.step(kind, team, number)
        if out:
            self.out(out)
        fields = [("Melded", team, side.table) for team, side in sides.items()]
        fields += [("In hand", team, side.left) for team, side in sides.items()]
        self.phone.tap(self.field(*fields[0][:2]))
        for place, (kind, team, points) in enumerate(fields):
            if place:
                self.next()
            expect(self.field(kind, team)).to_be_focused()
            self.digits(str(points))

    def tell(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator("#tell")).to_contain_text(text)

    def runs(self, totals: dict[str, tuple[int, str]]) -> None:
        """Wait until the totals of the teams, in their order, run along like this."""
        shown = self.page.locator(".end td >> visible=true")
        for place, (total, says) in enumerate(totals.values()):
            expect(shown.nth(place)).to_have_text(f"{minus(total)}{says}")

    def save(self) -> None:
        self.phone.tap("#save")
        expect(self.page.locator("#board")).to_be_visible()


def minus(number: int) -> str:
    return f"\N{MINUS SIGN}{-number}" if number < 0 else str(number)


def pad_shows(phone: Phone, totals: tuple[int, ...], needs: tuple[int, ...] = ()) -> None:
    """Wait until the pad shows these totals, and what each team needs to go down."""
    for place, total in enumerate(totals):
        expect(phone.page.locator(".pad .total[id]").nth(place)).to_contain_text(minus(total))
    for place, points in enumerate(needs):
        expect(phone.page.locator(".pad .min b").nth(place)).to_have_text(str(points))


FULL = {
    ONE: Side(245, 20, {"Natural": 1, "Mixed": 2, "Red 3s": 1}),
    TWO: Side(180, 95, {"Mixed": 1, "Red 3s": 3}),
}


def test_a_full_hand_of_two_teams_takes_25_taps(phone: Phone) -> None:
    start_game(phone, NAMES, "Canasta")
    phone.taps = 0
    phone.press("Score round 1")
    sheet = Sheet(phone)
    sheet.fill(FULL, out="Anna")
    sheet.save()

    pad_shows(phone, (1525, 685), (90, 50))
    assert phone.taps == 25


@pytest.mark.release
def test_an_evening_of_canasta_to_5000(new_phone: PhoneMaker) -> None:
    one, two = new_phone("one"), new_phone("two")
    game = start_game(one, NAMES, "Canasta")
    two.open(game)
    sheet, totals = Sheet(one), [0, 0]
    pad_shows(one, (0, 0), (50, 50))

    def play(number: int, first: Side, second: Side, out: str, bonus: int = 100) -> None:
        one.press(f"Score round {number}")
        sheet.fill({ONE: first, TWO: second}, out)
        if bonus > 100:
            one.tap(one.page.get_by_label("All at once", exact=True))
        for place, (side, names) in enumerate(
            ((first, ("Anna", "Cleo")), (second, ("Ben", "Dov")))
        ):
            totals[place] += side.scores(bonus if out in names else 0)

    play(
        1,
        Side(395, 20, {"Natural": 1, "Mixed": 1, "Red 3s": 1}),
        Side(205, 105, {"Mixed": 1}),
        "Anna",
    )
    sheet.runs({ONE: (1375, "needs 50"), TWO: (400, "needs 50")})
    sheet.save()
    pad_shows(two, (1375, 400))

    # Red 3s count against a team with no melds.
    play(2, Side(425, 15, {"Mixed": 2, "Red 3s": 2}), Side(0, 145, {"Red 3s": 2}), "Cleo")
    sheet.runs({ONE: (2685, "needs 90"), TWO: (55, "needs 50")})
    sheet.save()
    pad_shows(one, (2685, 55), (90, 50))
    expect(one.page.locator("#c2-1, [id^='c2-']").nth(1)).to_contain_text("no melds")

    # Nobody ends the third hand: that is asked about once.
    play(3, Side(240, 35), Side(300, 60, {"Mixed": 1}), "")
    one.tap("#save")
    expect(one.page.locator("#asks")).to_be_visible()
    one.press("Save anyway")
    pad_shows(one, (2890, 595), (90, 50))
    one.tap("#undo-last")
    pad_shows(two, (2685, 55), (90, 50))
    one.tap("#redo")
    pad_shows(two, (2890, 595), (90, 50))

    play(4, Side(285, 40, {"Mixed": 1, "Red 3s": 4}), Side(500, 30, {"Natural": 2}), "Dov")
    sheet.runs({ONE: (4235, "needs 120"), TWO: (2165, "needs 90")})
    sheet.save()
    pad_shows(two, (4235, 2165), (120, 90))

    # Ben finds that he had 45 more in his hand in the first.
    two.tap(two.page.locator("td [id^='c1-']").nth(1))
    corrected = Sheet(two)
    two.tap(corrected.field("In hand", TWO))
    corrected.digits("150")
    corrected.runs({ONE: (1375, ""), TWO: (355, "")})
    two.press("Save change")
    pad_shows(one, (4235, 2120), (120, 90))
    totals[1] -= 45

    play(5, Side(200, 25, {"Mixed": 1}), Side(90, 125), "Anna", bonus=200)
    sheet.runs({ONE: (4910, "needs 120"), TWO: (2085, "needs 90")})
    sheet.save()
    play(6, Side(150, 10, {"Natural": 1}), Side(180, 20, {"Mixed": 1}), "Cleo")
    sheet.save()
    one.heading("Anna and Cleo win")
    pad_shows(two, (5650, 2545))
    assert totals == [5650, 2545]


def test_three_pairs_by_house_rule_have_a_tab_each(phone: Phone, database: Database) -> None:
    table = Table(
        database,
        tuple(f"{name} P" for name in SIX),
        "canasta",
        draft=kept(database, "canasta", IN_PAIRS),
    )
    phone.open(f"/g/{table.pub}/rounds/1")
    sheet, pairs = Sheet(phone), [pair.replace(" and", " P and") + " P" for pair in PAIRS]
    counted = ("Natural", 1, "310", "15"), ("Mixed", 1, "205", "60"), ("Red 3s", 2, "75", "85")
    for pair, (kind, number, table_points, left) in zip(pairs, counted, strict=True):
        sheet.turn(pair)
        sheet.step(kind, pair, number)
        phone.tap(sheet.field("Melded", pair))
        sheet.digits(table_points)
        sheet.next()
        expect(sheet.field("In hand", pair)).to_be_focused()
        sheet.digits(left)
    sheet.turn(pairs[0])
    sheet.out("Dov P")
    sheet.runs({pairs[0]: (895, "needs 50")})
    sheet.save()

    pad_shows(phone, (895, 445, 190), (50, 50, 50))


def test_next_goes_from_tab_to_tab(phone: Phone, database: Database) -> None:
    table = Table(
        database,
        tuple(f"{name} Q" for name in SIX),
        "canasta",
        draft=kept(database, "canasta", IN_PAIRS),
    )
    phone.open(f"/g/{table.pub}/rounds/1")
    sheet, pairs = Sheet(phone), [pair.replace(" and", " Q and") + " Q" for pair in PAIRS]
    phone.tap(sheet.field("Melded", pairs[0]))
    for place, pair in enumerate(pairs):
        for kind in ("Melded", "In hand"):
            expect(sheet.field(kind, pair)).to_be_focused()
            sheet.digits("50")
            if (place, kind) != (2, "In hand"):
                sheet.next()


def test_the_tray_and_the_rows_keep_their_place(phone: Phone) -> None:
    start_count(phone, NAMES, "Canasta")
    sheet = Sheet(phone)

    def places() -> list[object]:
        script = (
            "all => all.map(e => [e.getBoundingClientRect().y, e.getBoundingClientRect().height])"
        )
        found: list[object] = phone.page.locator("#save, .tell, .bar.tray, .step").evaluate_all(
            script
        )
        return found

    before = places()
    for kind, team in (("Natural", ONE), ("Red 3s", TWO)):
        sheet.step(kind, team, 1)
    sheet.out("Anna")
    phone.page.wait_for_timeout(400)
    assert places() == before
    phone.tap(sheet.field("In hand", TWO))
    opened = phone.page.locator("#save, .tell, .bar.tray").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().y)"
    )
    sheet.digits("95")
    sheet.next()
    sheet.digits("200")
    phone.page.wait_for_timeout(500)
    assert opened == phone.page.locator("#save, .tell, .bar.tray").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().y)"
    )


def test_an_odd_number_shows_at_its_box_and_can_be_saved(phone: Phone) -> None:
    start_count(phone, NAMES, "Canasta")
    sheet = Sheet(phone)
    sheet.fill({ONE: Side(245, 20, {"Natural": 1}), TWO: Side(182, 95)}, out="Anna")
    sheet.tell("182")
    box = phone.page.locator("[data-row='table'] td").nth(1).locator(".num")
    expect(box).to_have_attribute("data-odd", "")
    expect(phone.page.locator("#count [data-odd]")).to_have_count(1)
    expect(phone.page.locator("#save")).to_have_attribute("aria-disabled", "false")


def test_melds_are_tapped_card_by_card(phone: Phone) -> None:
    start_count(phone, NAMES, "Canasta")
    sheet = Sheet(phone)
    phone.tap(sheet.field("Melded", ONE))
    phone.tap("#digits [data-key='mode']")
    for rank in ("K",) * 7:
        phone.tap(f"#melds [data-rank='{rank}']")
    phone.tap("#melds [data-key='meld']")
    for rank in ("8", "8", "2"):
        phone.tap(f"#melds [data-rank='{rank}']")
    expect(phone.page.locator("#laid")).to_contain_text("8♠ 8♥ 2♠")
    expect(sheet.field("Natural", ONE)).to_have_value("1")
    expect(phone.page.locator(".end td").first).to_contain_text("610")
    sheet.next()
    sheet.page.locator("#melds [data-key='mode']").tap()
    sheet.digits("0")
    sheet.next()
    sheet.digits("40")
    sheet.next()
    sheet.digits("85")
    sheet.out("Anna")
    sheet.save()
    pad_shows(phone, (670, -85))


LOST = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch", "Failed to load resource")


def test_rounds_of_teams_are_counted_added_up_and_kept_offline(new_phone: PhoneMaker) -> None:
    phone, other = new_phone("offline"), new_phone("other")
    game = start_game(phone, NAMES, "Canasta")
    other.open(game)
    phone.tolerated = LOST
    phone.go_offline()
    phone.press("Score round 1")
    sheet = Sheet(phone)
    sheet.fill(FULL, out="Cleo")
    sheet.tell("Ready. It stays on this phone")
    sheet.runs({ONE: (1525, ""), TWO: (685, "")})
    sheet.save()
    expect(phone.page.locator("td[data-unsent]").first).to_contain_text("✓")

    # Red 3s count against a team with no melds, and all cards at once score twice.
    phone.press("Score round 2")
    phone.heading("Round 2")
    sheet.fill({ONE: Side(90, 15, {"Mixed": 1}), TWO: Side(0, 145, {"Red 3s": 2})}, out="Anna")
    phone.tap(phone.page.get_by_label("All at once", exact=True))
    sheet.runs({ONE: (2100, ""), TWO: (340, "")})
    sheet.save()
    phone.come_back()

    for each in (phone, other):
        total = each.page.locator(".pad .total[id]").first
        expect(total).to_contain_text("2100", timeout=2 * PATIENCE)
        pad_shows(each, (2100, 340), (90, 50))


def test_what_was_typed_outlives_a_reload(phone: Phone) -> None:
    start_count(phone, NAMES, "Canasta")
    sheet = Sheet(phone)
    sheet.step("Natural", ONE, 2)
    sheet.out("Dov")
    phone.tap(sheet.field("Melded", TWO))
    sheet.digits("240")
    phone.page.reload()

    expect(sheet.field("Natural", ONE)).to_have_value("2")
    expect(sheet.field("Melded", TWO)).to_have_value("240")
    expect(phone.page.get_by_label(re.compile("^(Out|Went out) Dov$"))).to_be_checked()


def test_a_tick_for_a_team_outlives_a_reload(phone: Phone) -> None:
    start_count(phone, NAMES, "Burraco")
    tick = phone.page.locator("[name=untaken]").last
    phone.tap(tick)
    expect(tick).to_be_checked()
    phone.page.reload()

    expect(phone.page.locator("[name=untaken]").last).to_be_checked()


def test_two_phones_that_count_one_team_differently_are_asked(new_phone: PhoneMaker) -> None:
    one, two = new_phone("one"), new_phone("two")
    game = start_count(one, NAMES, "Canasta")
    two.open(f"{game}/rounds/1")
    mine, theirs = Sheet(one), Sheet(two)
    for sheet, points in ((mine, "300"), (theirs, "310")):
        for kind, text in (("Melded", points), ("In hand", "20")):
            sheet.phone.tap(sheet.field(kind, ONE))
            sheet.digits(text)
    one.tap("#part")
    expect(one.page.locator("#board")).to_be_visible()
    two.tap("#part")
    expect(two.page.locator("#tell")).to_contain_text("Two phones disagree")
    for choice in two.page.locator(".which .chip").all():
        expect(choice).to_be_in_viewport(ratio=0.9)
    two.tap(two.page.locator(".which input").last)
    expect(two.page.locator(".which .chip")).to_have_count(0)
    expect(theirs.field("Melded", ONE)).to_have_value("310")
    for kind, text in (("Melded", "90"), ("In hand", "45")):
        two.tap(theirs.field(kind, TWO))
        theirs.digits(text)
    expect(two.page.locator("#tell")).not_to_contain_text("disagree")
    theirs.out("Cleo")
    theirs.step("Natural", ONE, 1)
    theirs.save()
    pad_shows(two, (310 + 580, 45))


def test_pages_of_teams_can_be_read_in_each_look(phone: Phone, database: Database) -> None:
    table = Table(database, tuple(f"{name} L" for name in SIX[:4]), "canasta")
    pots = Table(database, tuple(f"{name} M" for name in SIX[:4]), "burraco")
    three = Table(
        database,
        tuple(f"{name} N" for name in SIX),
        "hand-and-foot",
        draft=kept(database, "hand-and-foot", IN_PAIRS),
    )
    phone.page.add_init_script(Axe().axe_script)
    faults: list[str] = []
    for game in (table, pots, three):
        for path in (f"/g/{game.pub}", f"/g/{game.pub}/rounds/1"):
            phone.open(path)
            faults += [f"{path}: {each}" for each in small_letters(phone)]
            for size in (SMALL, WIDE):
                phone.page.set_viewport_size(size)
                faults += [f"{path}: too wide"] * phone.page.evaluate(TOO_WIDE)
            faults += [f"{path}, {each}" for each in in_each_look(phone)]
    assert not faults, "\n".join(faults)
