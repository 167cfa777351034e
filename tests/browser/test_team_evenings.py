"""Whole evenings of teams, tapped on two phones and held to the second scorer after every round."""

from random import Random

import pytest
from playwright.sync_api import expect

from referee import variants
from tests.browser.conftest import PhoneMaker
from tests.browser.phone import PATIENCE, Phone
from tests.browser.test_team_count import IN_PAIRS, Sheet
from tests.referee.test_team_evenings import RULES, teams_of
from tests.webapp.drafts import kept
from tests.webapp.table import Table
from tests.webapp.test_team_evenings import Round, a_round, points_of
from webapp.db import Database
from webapp.game.teams import brief_kinds
from webapp.text.formatting import joined, say_points

pytestmark = [pytest.mark.browser, pytest.mark.release]

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")


class Evening:
    """A game on two phones, and what the second scorer has."""

    def __init__(
        self,
        phones: tuple[Phone, Phone],
        slug: str,
        table: Table,
        names: tuple[str, ...],
        size: int,
    ) -> None:
        self.rules, self.kinds = RULES[slug], brief_kinds(variants.get(slug))
        self.phones, self.path, self.names = phones, f"/g/{table.pub}", names
        self.teams = teams_of(len(names), size)
        self.called = [joined(names[seat] for seat in team) for team in self.teams]
        self.rounds: list[Round] = []
        for phone in phones:
            phone.open(self.path)

    @property
    def totals(self) -> list[int]:
        """What each team has by the rules."""
        scored = (points_of(self.rules, self.teams, records) for records in self.rounds)
        return [sum(points) for points in zip(*scored, strict=True)]

    @property
    def is_over(self) -> bool:
        """Whether the rules want no other round."""
        target, last = self.rules.target or 10**9, self.rules.rounds
        return bool(self.rounds) and (len(self.rounds) == last or max(self.totals) >= target)

    def shows(self) -> None:
        """Wait until both pads show the totals, or both results once the game is over."""
        for phone in self.phones:
            for place, total in enumerate(self.totals):
                team = " + ".join(self.names[seat] for seat in self.teams[place])
                row = phone.page.locator("#outcome li", has_text=team)
                pad = phone.page.locator(".pad .total[id]").nth(place)
                shown = row.locator(".fig") if self.is_over else pad
                expect(shown).to_contain_text(say_points(total), timeout=8_000)

    def count(self, records: Round, *counting: Phone) -> None:
        """Count a round, a team on each phone in turn, and save it on the first of them."""
        self.rounds.append(records)
        for phone in counting:
            phone.press(f"Score round {len(self.rounds)}")
        sheets = [Sheet(phone) for phone in counting]
        for place, team in enumerate(self.teams):
            self._fill(sheets[place % len(sheets)], place, [records[seat] for seat in team])
        for sheet in sheets[1:]:
            sheet.phone.tap("#part")
            expect(sheet.page.locator("#board")).to_be_visible()
        for place, team in enumerate(self.teams):
            left = sum(records[seat].get("left", 0) for seat in team)
            field = sheets[0].field("In hand", self.called[place])
            expect(field).to_have_value(str(left), timeout=PATIENCE)
        sheets[0].phone.tap("#save")
        if not any(record.get("out") for record in records):
            sheets[0].phone.press("Save anyway")
        self.shows()

    def _fill(self, sheet: Sheet, place: int, own: Round) -> None:
        called, page, first = self.called[place], sheet.page, own[0]
        if len(self.teams) > 2:
            sheet.turn(called)
        for kind, number in first["bonus"].items():
            sheet.step(self.kinds[kind], called, number)
        sheet.step("Red 3s", called, first.get("aside", 0))
        if not first.get("reserve", True):
            sheet.phone.tap(page.locator(f"[name='untaken'][aria-label$='{called}']"))
        for seat, record in zip(self.teams[place], own, strict=True):
            if record.get("out"):
                sheet.phone.tap(page.locator(f"[name='out'][aria-label$=' {self.names[seat]}']"))
        left = sum(record.get("left", 0) for record in own)
        for kind, points in (("Melded", first["table"]), ("In hand", left)):
            sheet.phone.tap(sheet.field(kind, called))
            sheet.digits(str(points))
        sheet.next()

    def correct(self, phone: Phone) -> None:
        """Let the first team have 105 more on the table in the first round."""
        phone.tap(phone.page.locator("td [id^='c1-']").first)
        sheet = Sheet(phone)
        self.rounds[0][0]["table"] += 105
        phone.tap(sheet.field("Melded", self.called[0]))
        sheet.digits(str(self.rounds[0][0]["table"]))
        phone.press("Save change")
        self.shows()

    def undo(self, phone: Phone) -> None:
        """Undo the last round, and do it again."""
        last = self.rounds.pop()
        phone.tap("#undo-last")
        self.shows()
        self.rounds.append(last)
        phone.tap("#redo")
        self.shows()


@pytest.mark.parametrize(
    ("slug", "players", "size"),
    [("hand-and-foot", 6, 2), ("burraco", 4, 2), ("samba", 6, 3), ("samba", 4, 2)],
)
def test_an_evening_is_tapped_on_two_phones_to_its_end(
    new_phone: PhoneMaker, database: Database, slug: str, players: int, size: int
) -> None:
    one, two = new_phone("one"), new_phone("two")
    names = tuple(f"{name} {slug[0].upper()}{players}" for name in NAMES[:players])
    draft = {"draft": kept(database, slug, IN_PAIRS)} if (players, size) == (6, 2) else {}
    evening = Evening((one, two), slug, Table(database, names, slug, **draft), names, size)
    random = Random(f"{slug} {players}")

    while not evening.is_over:
        number = len(evening.rounds) + 1
        records = a_round(slug, random, evening.teams, dry=number == 2)
        evening.count(records, *((one, two) if number == 3 else (two, one)[number % 2 :][:1]))
        if number == 1:
            evening.correct(two)
        if number == 2:
            evening.undo(one)
    best = evening.called[evening.totals.index(max(evening.totals))]
    one.heading(f"{best} win")
