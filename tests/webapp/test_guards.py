"""Who may ask, and what goes around every answer."""

import gzip
import hashlib
import re

import pytest
from flask import Response

from tests.webapp.table import OWN
from webapp.web.headers import POLICY, compress
from webapp.web.origin import is_of_the_house, is_own_page

# There is nothing in an address in numbers that could be rebound.
GOOD_HOSTS = [
    *"""
    localhost localhost:5000 127.0.0.1:5000 192.168.1.20:5000 10.0.0.7 172.16.4.4:80
    169.254.1.1 [::1]:5000 [fe80::1] [fd12:3456::1]:5000 laptop laptop:5000 laptop.local
    laptop.local.:5000 8.8.8.8 93.184.216.34:5000 [2001:4860:4860::8888] nas.lan:8000
    nas.home.arpa nas.internal laptop.fritz.box laptop.tail1234.ts.net
    """.split(),
]
BAD_HOSTS = [
    *"""
    evil.example evil.example:5000 192.168.1.20.evil.example nas.lan.example fritz.box
    home.arpa localhost.evil.example 2130706433 127.1 laptop:5000:80 laptop:abc évil
    127.0.0.1@evil.example [::1 .local laptop..local -laptop.local
    """.split(),
    *("", "a b", "laptop\x00", f"{'a' * 64}.local", f"{'a.' * 200}local"),
]


@pytest.mark.parametrize("host", GOOD_HOSTS)
def test_names_of_the_house_are_answered(host):
    assert is_of_the_house(host)


@pytest.mark.parametrize("host", BAD_HOSTS)
def test_names_that_a_stranger_can_have_are_not(host):
    assert not is_of_the_house(host)


def test_a_page_that_rebinds_its_name_gets_nothing(client):
    answer = client.get("/", base_url="http://evil.example:5000")

    assert answer.status_code == 421
    assert "LAYDOWN_HOSTS=evil.example" in answer.text


@pytest.mark.parametrize("host", [".local", "laptop..local", f"{'a' * 64}.local", "a" * 64])
def test_a_name_that_no_network_can_have_is_refused_and_breaks_nothing(client, host):
    answer = client.get("/", headers={"Host": host})

    assert answer.status_code == 421


@pytest.mark.parametrize(
    ("site", "origin", "host", "own"),
    [
        ("same-origin", None, "a", True),
        ("none", None, "a", True),
        ("same-site", "http://a", "a", False),
        ("cross-site", "http://a", "a", False),
        ("", "http://a", "a", False),
        (None, "http://a", "a", True),
        (None, "http://192.168.1.20:5000", "192.168.1.20:5000", True),
        (None, "https://a", "a", True),
        (None, "http://A", "a", True),
        (None, "http://a:81", "a", False),
        (None, "http://b", "a", False),
        (None, "http://a.b", "a", False),
        (None, "null", "a", False),
        (None, "", "a", False),
        (None, "http://a@b", "a", False),
        (None, "http://[", "a", False),
        (None, "ftp://a", "a", False),
        (None, None, "a", False),
    ],
)
def test_a_change_comes_from_our_own_page(site, origin, host, own):
    assert is_own_page(site, origin, host) is own


def test_every_page_is_fenced_in(client, table):
    answer = client.get(f"/g/{table.pub}")

    assert answer.headers["Content-Security-Policy"] == POLICY
    assert "unsafe" not in POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Strict-Transport-Security" not in answer.headers


def test_over_https_a_phone_is_known_only_there(client):
    answer = client.get("/", base_url="https://localhost")

    assert "Secure" in answer.headers["Set-Cookie"]
    # Other services of that name may not have https at all.
    assert "Strict-Transport-Security" not in answer.headers


def test_an_error_page_is_also_fenced_in(client):
    assert client.get("/nowhere").headers["Content-Security-Policy"] == POLICY


def test_a_file_that_is_not_there_is_an_error_page_like_any_other(client):
    assert client.get("/static/nothing.js").headers["Content-Security-Policy"] == POLICY


def test_no_browser_guesses_at_any_answer(client, table):
    page = client.get(f"/g/{table.pub}")
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
    board = client.get(f"/g/{table.pub}/board")
    tag = {"HX-PTag": board.headers["HX-PTag"]}
    answers = [
        *(client.get(path) for path in (*files, "/up", "/nowhere", "/static/nothing.js")),
        client.get("/", base_url="http://evil.example"),
        client.get(f"/g/{table.pub}/board", headers=tag),
        client.post("/players", data={"key": "k", "name": "Eva"}, headers=OWN),
        client.post("/players"),
        client.put("/", headers=OWN),
        client.get("/export/all.jsonl"),
    ]

    assert len(files) > 3
    assert {200, 303, 304, 403, 404, 405, 421} <= {answer.status_code for answer in answers}
    for answer in answers:
        assert answer.headers.getlist("X-Content-Type-Options") == ["nosniff"]


def test_a_phone_gets_a_cookie_once(client):
    first = client.get("/")
    second = client.get("/")

    cookie = first.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Path=/" in cookie
    assert "Set-Cookie" not in second.headers


def test_the_ledger_names_a_phone_without_letting_it_be_imitated(client, database, table):
    client.set_cookie("laydown", "x" * 43)
    client.post(f"/g/{table.pub}/endings", data={"key": table.pad.key}, headers=OWN)

    from webapp.ledger.ledger import read_game

    device = database.read(read_game, table.pub).entered[-1].device
    assert device == hashlib.sha256(b"x" * 43).hexdigest()[:16]


@pytest.mark.parametrize("kind", ["page", "script"])
@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [
        ("gzip", True),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", True),
        ("*", True),
        ("br", False),
        ("identity", False),
        ("gzip;q=0, br", False),
        ("", False),
    ],
)
def test_a_browser_that_takes_gzip_gets_it(client, table, kind, accepted, is_packed):
    page = client.get(f"/g/{table.pub}").text
    address = f"/g/{table.pub}" if kind == "page" else re.search(r'src="(/static/[^"]+)"', page)[1]
    plain = client.get(address)
    answer = client.get(address, headers={"Accept-Encoding": accepted})

    assert answer.headers.get("Content-Encoding") == ("gzip" if is_packed else None)
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Accept-Encoding" in answer.headers["Vary"]
    assert int(answer.headers["Content-Length"]) == len(answer.data)
    if is_packed:
        assert len(answer.data) < len(plain.data) / 2
        assert gzip.decompress(answer.data) == plain.data


def test_a_tag_says_whether_the_page_is_compressed(app):
    """A strong tag promises the very same bytes."""
    page = Response("<p>" * 1000, content_type="text/html")
    page.set_etag("a")
    with app.test_request_context(headers={"Accept-Encoding": "gzip"}):
        compress(page)

    assert page.headers["ETag"] == 'W/"a"'


def test_what_fits_in_a_packet_is_left_as_it_is(client, table):
    tap = client.post(
        f"/g/{table.pub}/endings",
        data={"key": table.pad.key},
        headers={**OWN, "Accept-Encoding": "gzip"},
    )

    assert len(tap.data) < 500
    assert "Content-Encoding" not in tap.headers
