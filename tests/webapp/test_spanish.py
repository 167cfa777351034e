"""Each page in Spanish, without an English word."""

import re
from html.parser import HTMLParser
from io import BytesIO

import pytest

from referee import variants
from tests.english import left_in
from tests.webapp.advice import FIVE, HANDS, STEPS
from tests.webapp.table import OWN, Table, count_form
from tests.webapp.test_pages import CHANGED, READ, TIMED, at, change_rules
from webapp.language import speak
from webapp.ledger.deleting import erase_player
from webapp.ledger.ledger import new_key
from webapp.ledger.verification import verify_roster
from webapp.web import headers, preferences

SPANISH = {"Accept-Language": "es-MX,es;q=0.9"}

ASKED = [
    f"/desk/{slug}/advice?put=1&step={STEPS.get(slug, '1')}&hand={hand.replace(' ', '+')}"
    for slug, hand in HANDS.items()
]
PAGES = [each for each in (*READ, *ASKED) if each not in {"/up", "/games/own/text?from=rummikub"}]
"""All but what is no sentence: the form of a game as text."""


class Seen(HTMLParser):
    """Everything on a page that is read: text, and what attributes say."""

    SAYS = ("aria-label", "title", "placeholder", "alt", "content", "aria-description")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.silent = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag in {"script", "style"} or known.get("lang") not in {None, "es"}:
            self.silent = self.silent or tag
        for name, value in attrs:
            says = name in self.SAYS and (tag != "meta" or known.get("name") == "description")
            if value and (says or (name.startswith("data-") and " " in value)):
                self.found.append(value)

    def handle_endtag(self, tag: str) -> None:
        if tag == self.silent:
            self.silent = ""

    def handle_data(self, data: str) -> None:
        if data.strip() and not self.silent:
            self.found.append(" ".join(data.split()))


def english(page: str) -> list[str]:
    """What is left on a page in English, each with the words that are."""
    found = {says: left_in(says) for says in Seen(page).found}
    return [f"{says}: {', '.join(some)}" for says, some in found.items() if some]


@pytest.fixture
def in_spanish(monkeypatch, client):
    """A function that reads a page in Spanish."""
    for module in (preferences, headers):
        monkeypatch.setattr(module, "offered", lambda: ("en", "es"))
    yield lambda address: client.get(address, headers=SPANISH).text
    speak("en")


@pytest.mark.parametrize("address", PAGES)
def test_a_page_has_no_english_word(played, in_spanish, address):
    found = english(in_spanish(at(address, played)))

    assert "\n".join(found) == ""


@pytest.mark.parametrize("variant", [*FIVE, variants.get("phase-10")], ids=lambda game: game.slug)
def test_a_game_has_no_english_word(database, in_spanish, variant):
    table = Table(database, ("Ana", "Ben", "Cleo")[: variant.players[0]], variant.slug)
    found = [
        f"{address} {each}"
        for address in (
            "/g/{pub}",
            "/g/{pub}/sheet",
            "/g/{pub}/rounds/1",
            "/g/{pub}/desk",
            "/g/{pub}/rules",
        )
        for each in english(in_spanish(at(address, table)))
    ]

    assert "\n".join(found) == ""


def test_the_pages_of_changed_rules_have_no_english_word(played, in_spanish):
    change_rules(played)

    assert [each for page in CHANGED for each in english(in_spanish(at(page, played)))] == []


def test_a_finished_game_has_no_english_word(played, in_spanish):
    played.play(6)
    pages = """
    / /g/{pub}/result /g/{pub}/sheet /g/{pub}/evening /g/{pub}/print /history /standings
    /players/{ana} /players/{ana}/against/{ben} /g/{pub}/notes /g/{pub}/phones/1
    """.split()

    assert [each for page in pages for each in english(in_spanish(at(page, played)))] == []


def test_cards_that_cannot_be_read_are_told_without_an_english_word(client, database, in_spanish):
    table = Table(database, ("Ana", "Ben"), "remigio")
    form = count_form(table, ana="out", ben="KH ZZ") | {"shown": "QQ", "close": "x"}
    answer = client.post(f"/g/{table.pub}/rounds/1", data=form, headers=SPANISH | OWN)

    assert answer.status_code == 422
    assert "“ZZ”" in answer.text
    assert english(answer.text) == []


def test_a_deleted_person_is_called_somebody_in_the_language_of_the_page(
    client, database, played, in_spanish
):
    database.write(erase_player, played.ids["ben"], "phone")

    for page in ("/g/{pub}", "/players/{ana}/against/{ben}", "/history"):
        assert "Alguien" in in_spanish(at(page, played))
        assert "Somebody" in client.get(at(page, played)).text
    assert database.read(verify_roster) == ()


@pytest.mark.parametrize(
    "address",
    [
        "/nowhere",
        "/g/aaaaaaaaaa",
        "/g/{pub}/rounds/3",
        "/g/{pub}/rounds/1/hands/999999",
        "/g/{pub}/phones/9",
        "/g/{pub}/clock",
        "/players/999999",
        "/rules/whist",
        "/desk/rummikub/advice?put=1&hand=R5+ZZ",
        "/desk/mexican-rummy?ask=laydown&step=2&meld-1=7C+7D+8H&meld-2=ZZ",
    ],
)
def test_what_is_refused_is_told_without_an_english_word(played, in_spanish, address):
    assert english(in_spanish(at(address, played))) == []


def test_a_table_that_cannot_be_imported_has_no_english_word(client, in_spanish):
    table = "date,game,winner,Ana,Ben\n2099-01-01,Whist,Zoe,1,x\n2025-12-27,Rummikub,,1,2,3\n"
    data = {"held": new_key(), "file": (BytesIO(table.encode()), "x.csv")}
    answer = client.post("/imports", data=data, headers=SPANISH | OWN, follow_redirects=True)

    assert "Whist" in answer.text
    assert english(answer.text) == []


def test_a_log_stays_english(app, client, in_spanish, caplog):
    app.extensions.pop("said", None)  # What was logged a moment ago isn’t logged again.
    headers = SPANISH | {"Origin": "http://elsewhere.example"}
    answer = client.post("/games", data={"key": new_key()}, headers=headers)

    assert "Esta página está en elsewhere.example" in answer.text
    assert "This page is at elsewhere.example" in caplog.text


def test_a_clock_has_no_english_word(database, in_spanish):
    table = Table(database, ("Ana", "Ben"), "rummikub", clock="60")

    assert [each for page in TIMED for each in english(in_spanish(at(page, table)))] == []


@pytest.mark.parametrize(
    "hands",
    [
        {"ana": "out", "ben": "45"},
        {"ana": "out", "ben": "3", "cleo": "x"},
        {"ana": "5", "ben": "45", "cleo": "60"},
        {"ana": "out", "ben": "45", "cleo": "999"},
        {},
    ],
)
def test_a_count_that_is_refused_has_no_english_word(client, played, in_spanish, hands):
    address = f"/g/{played.pub}/rounds/2"
    answer = client.post(address, data=count_form(played, **hands), headers=SPANISH | OWN)

    assert answer.status_code == 422
    assert english(answer.text) == []


@pytest.mark.parametrize(
    ("slug", "elsewhere"), [("carioca", "escaleras?"), ("conquian", "tríos?|escaleras?")]
)
def test_what_can_be_changed_is_called_as_the_game_s_country_calls_it(
    database, in_spanish, slug, elsewhere
):
    at_table = f"/g/{Table(database, ('Ana', 'Ben'), slug).pub}/house-rules"
    change = f"/rules/{slug}/change"
    rules = set(re.findall(r'href="[^"]*&amp;(open=[^"&#]+)', in_spanish(change)))
    pages = [at_table, *(f"{change}?{each}" for each in rules)]
    word = re.compile(rf"\b({elsewhere})\b", re.IGNORECASE)

    assert rules
    assert [
        (page, says) for page in pages for says in Seen(in_spanish(page)).found if word.search(says)
    ] == []
