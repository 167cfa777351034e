"""The door of a house: every route for each role and for nobody; who comes in, and who goes."""

import re
import sqlite3
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.hosting import BASE, HTMX, Hosted, HousePhone
from tests.webapp.table import Table
from webapp.houses import door as doors
from webapp.houses.door import Door, InvitationOverError, LastKeeperError, Role
from webapp.houses.roles import MAY, OUTSIDE

FILLED = {"pub": "aaaaaaaaaa", "slug": "tonk", "name": "result", "start": "make", "question": "x"}
"""What is put into addresses; numbers are 1."""

ENDS_ITSELF = {"door.change"}
"""Routes that would send the asking phone away; they have tests of their own."""


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path) -> Iterator[Hosted]:
    made = Hosted(tmp_path_factory.mktemp("hosted"), migrated_sqlite, "One", "Two")
    yield made
    made.houses.close()


@pytest.fixture
def club(tmp_path: Path, migrated_sqlite: Path) -> Iterator[Hosted]:
    """A server with a house that nobody is in yet."""
    made = Hosted(tmp_path, migrated_sqlite, "Club")
    yield made
    made.houses.close()


def routes(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Every endpoint and method, with an address of it."""
    for rule in app.url_map.iter_rules():
        filled = {each: FILLED.get(each, "1") for each in rule.arguments}
        if rule.endpoint == "deleting.game":
            filled["which"] = FILLED["pub"]
        if rule.endpoint == "static_file":
            filled["path"] = "nothing.js"
        path = re.sub(
            r"<(?:[^<>]*[:)])?([a-z]+)>", lambda found, of=filled: of[found[1]], rule.rule
        )
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield rule.endpoint, method, path


def test_every_route_has_a_role_and_every_role_a_route(hosted: Hosted) -> None:
    """If yours is missing, add it to `webapp/houses/roles.py`: until then it’s shut."""
    there = {endpoint for endpoint, _, _ in routes(hosted.app)}

    assert there - MAY.keys() - OUTSIDE == set()
    assert MAY.keys() - there == set()
    assert there >= OUTSIDE


@pytest.mark.parametrize("role", Role)
def test_each_role_gets_as_far_as_the_table_says(hosted: Hosted, role: Role) -> None:
    phone = hosted.phone("One", role)
    refused = 403 if role else 401
    for endpoint, method, path in routes(hosted.app):
        if endpoint in ENDS_ITSELF and role is Role.KEEP:
            continue
        status = phone.ask(method, path).status_code
        is_in = endpoint in MAY and role >= MAY[endpoint]
        assert (status == refused) == (not is_in), (endpoint, method, status)
        assert status not in {401, 403} or not is_in, (endpoint, method, status)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "X"])
def test_other_methods_get_nobody_in(hosted: Hosted, method: str) -> None:
    phone = hosted.phone("One")
    for path in ("/", "/keeping", "/players", "/nothing"):
        assert phone.ask(method, path).status_code == 401


def test_what_is_not_in_the_table_is_shut_for_everybody(
    hosted: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = hosted.phone("One", Role.KEEP)
    assert keeper.get("/players").status_code == 200
    monkeypatch.delitem(MAY, "roster.index")  # type: ignore[arg-type]

    assert keeper.get("/players").status_code == 403


def test_nothing_is_outside_of_the_houses(hosted: Hosted) -> None:
    client = hosted.phone("One", Role.KEEP).client
    for endpoint, method, path in routes(hosted.app):
        answer = client.open(path, method=method, base_url=BASE, headers={"Origin": BASE})
        if endpoint not in OUTSIDE:
            assert answer.status_code == 401, (endpoint, method)
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("path", ["/", "/join", "/up", "/nothing", "/g/aaaaaaaaaa", "/sw.js"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_house_that_is_not_there_answers_as_one_that_is_shut(
    hosted: Hosted, path: str, method: str
) -> None:
    there = hosted.phone("One")
    nowhere = HousePhone(hosted.app.test_client(), "one-ffffff")
    sent = {"code": "x" * 24} if method == "POST" else None
    answers = [phone.ask(method, path, sent) for phone in (there, nowhere)]
    [first, second] = [
        (answer.status_code, answer.text.replace(phone.name, ""), sorted(answer.headers.keys()))
        for answer, phone in zip(answers, (there, nowhere), strict=True)
    ]

    assert first == second


def test_a_keeper_of_one_house_is_nobody_in_another(hosted: Hosted) -> None:
    keeper = hosted.phone("One", Role.KEEP)
    other = hosted.names["Two"]
    for path in (
        *(f"/h/{other}/", f"/h/{keeper.name}/../{other}/", f"/h/{keeper.name}/h/{other}/"),
        *(f"/h//{other}/", f"/h/{other.upper()}/", f"//h/{other}/", f"/h/{other}%2f", "/h/..//"),
        *("/h/.removed/", f"/h/./{other}/", f"/h/{keeper.name}%2f..%2f{other}/keeping"),
    ):
        answer = keeper.client.get(path, base_url=BASE, headers={"Origin": BASE})
        assert answer.status_code in {401, 404}, path
        assert "Two" not in answer.text


def test_the_cookie_of_one_house_is_worth_nothing_in_another(hosted: Hosted) -> None:
    keeper, stranger = hosted.phone("One", Role.KEEP), hosted.phone("Two")
    stranger.client.set_cookie(
        f"__Host-{stranger.name}", keeper.token, domain="score.example", secure=True
    )

    assert stranger.get("/").status_code == 401


def test_only_a_phone_that_joins_gets_a_cookie_and_no_other_path_can_set_it(club: Hosted) -> None:
    phone = club.phone("Club")
    for path in ("/", "/join", "/rules"):
        assert "Set-Cookie" not in phone.get(path).headers
    with club.house("Club") as house:
        joined = phone.join(house.door.evening_secret())
    cookie = joined.headers["Set-Cookie"]

    assert cookie.startswith(f"__Host-{phone.name}=")
    assert all(part in cookie for part in ("Secure", "HttpOnly", "Path=/;", "SameSite=Lax"))
    assert "Domain" not in cookie
    assert "Set-Cookie" not in phone.get("/").headers


def test_a_token_that_somebody_put_on_a_phone_is_not_kept(club: Hosted) -> None:
    """Fixation: a token is drawn when a phone joins, whatever it brings along."""
    phone = club.phone("Club")
    planted = "A" * 43
    phone.client.set_cookie(f"__Host-{phone.name}", planted, domain="score.example", secure=True)
    with club.house("Club") as house:
        phone.join(house.door.evening_secret())

    assert phone.token != planted
    assert phone.get("/").status_code == 200


def test_a_cookie_that_a_sibling_tossed_is_not_the_house_s(club: Hosted) -> None:
    """Over https only `__Host-` counts; a page of another name can’t set such a cookie."""
    keeper, stranger = club.phone("Club", Role.KEEP), club.phone("Club")
    for name in ("laydown", f"laydown-{keeper.name}", keeper.name, f"__host-{keeper.name}"):
        stranger.client.set_cookie(name, keeper.token, domain="score.example")

    assert stranger.get("/").status_code == 401


def test_looking_at_a_link_uses_nothing_up_and_a_link_for_one_phone_works_once(
    club: Hosted,
) -> None:
    with club.house("Club") as house:
        secret = house.door.invite(Role.PLAY)
    first, second = club.phone("Club"), club.phone("Club")
    for phone in (first, second, second):
        assert phone.get("/join").status_code == 200
        assert phone.get(f"/join?code={secret}").status_code == 200

    assert first.join(secret).status_code == 303
    assert second.join(secret).status_code == 410
    assert second.get("/").status_code == 401
    assert first.get("/").status_code == 200


def test_a_phone_that_is_in_uses_no_link_up(club: Hosted) -> None:
    phone = club.phone("Club", Role.KEEP)
    token = phone.token
    with club.house("Club") as house:
        secret = house.door.invite(Role.PLAY)
        assert phone.join(secret).status_code == 303
        assert len(house.door.invitations()) == 1

    assert phone.token == token
    assert "You’re in" in phone.get("/join").text


def test_a_link_can_let_a_phone_do_more(club: Hosted) -> None:
    phone = club.phone("Club", Role.WATCH)
    token = phone.token
    with club.house("Club") as house:
        phone.join(house.door.evening_secret())

    assert phone.token == token
    assert phone.get("/games/new").status_code == 200


def test_the_link_of_the_evening_lasts_until_the_next_half_day_is_over(
    club: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    with club.house("Club") as house:
        now = doors.time.time()
        secret = house.door.evening_secret()
        assert house.door.evening_secret() == secret
        monkeypatch.setattr(doors.time, "time", lambda: now + doors.HALF_A_DAY)
        assert house.door.evening_secret() != secret
        assert house.door.join(secret, "", "")
        monkeypatch.setattr(doors.time, "time", lambda: now + 2 * doors.HALF_A_DAY)
        with pytest.raises(InvitationOverError):
            house.door.join(secret, "", "")


def test_a_link_that_nobody_used_ends_after_a_week(
    club: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    with club.house("Club") as house:
        secret, now = house.door.invite(Role.KEEP), doors.time.time()
        monkeypatch.setattr(doors.time, "time", lambda: now + doors.WEEK + 1)
        with pytest.raises(InvitationOverError):
            house.door.join(secret, "", "")
        assert house.door.invitations() == []


def number_of(club: Hosted, role: Role) -> int:
    with club.house("Club") as house:
        [found] = [each.id for each in house.door.devices() if each.role is role]
        return found


def test_a_phone_that_is_sent_away_is_out_at_once_with_every_link_it_could_have(
    club: Hosted,
) -> None:
    keeper, player = club.phone("Club", Role.KEEP), club.phone("Club", Role.PLAY)
    table = club.table("Club")
    with club.house("Club") as house:
        evening, once = house.door.evening_secret(), house.door.invite(Role.PLAY)
    pad = f"/g/{table.pub}"
    assert player.get(f"{pad}/board", **HTMX).status_code == 200
    sent = keeper.post(f"/door/devices/{number_of(club, Role.PLAY)}", {"role": "nobody"})

    assert sent.status_code == 303
    for path in ("/", pad, f"{pad}/board"):
        assert player.get(path, **HTMX).status_code == 401
    assert player.post(f"{pad}/voids", {"seq": "1", "key": "k"}).status_code == 401
    assert [player.join(secret).status_code for secret in (evening, once)] == [410, 410]
    # Whoever sent it away sees the new link.
    shown = keeper.get(sent.headers["Location"].removeprefix(f"/h/{keeper.name}")).text
    fresh = re.search(r"/join#([0-9a-f]+)", shown)
    assert fresh
    assert club.phone("Club").join(fresh[1]).status_code == 303


def test_a_phone_that_may_do_less_cannot_do_more_by_an_old_link(club: Hosted) -> None:
    keeper, player = club.phone("Club", Role.KEEP), club.phone("Club", Role.PLAY)
    with club.house("Club") as house:
        evening = house.door.evening_secret()
    keeper.post(f"/door/devices/{number_of(club, Role.PLAY)}", {"role": "watch"})

    assert player.get("/").status_code == 200
    assert player.get("/games/new").status_code == 403
    assert player.join(evening).status_code == 410


def test_the_last_keeper_stays_and_two_who_send_each_other_away_leave_one(club: Hosted) -> None:
    one, two = club.phone("Club", Role.KEEP), club.phone("Club", Role.KEEP)
    statuses = [
        phone.post(f"/door/devices/{number}", {"role": role}).status_code
        for phone, number, role in (
            *((one, 2, "nobody"), (two, 1, "nobody")),
            *((one, 1, "watch"), (one, 1, "nobody")),
        )
    ]

    assert statuses == [303, 401, 409, 409]
    assert one.get("/door").status_code == 200


def test_two_processes_that_send_the_keepers_away_leave_one(club: Hosted) -> None:
    folder = club.folder / club.names["Club"]
    with closing(Door(folder / doors.FILE)) as here, closing(Door(folder / doors.FILE)) as there:
        for door in (here, there):
            door.join(door.invite(Role.KEEP), "", "")
        here.change(1, Role.NOBODY)
        with pytest.raises(LastKeeperError):
            there.change(2, Role.NOBODY)


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/door/invitations", {"role": "keep"}),
        ("/door/devices/1", {"role": "keep"}),
        ("/door/devices/2", {"role": "keep"}),
    ],
)
def test_a_player_makes_no_keeper(club: Hosted, path: str, sent: dict[str, str]) -> None:
    club.phone("Club", Role.KEEP)
    player = club.phone("Club", Role.PLAY)

    assert player.post(path, sent).status_code == 403
    assert player.get("/keeping").status_code == 403


@pytest.mark.parametrize("sent", [{}, {"role": "king"}, {"role": "nobody"}, {"role": "KEEP "}])
def test_an_invitation_to_nothing_is_refused(club: Hosted, sent: dict[str, str]) -> None:
    assert club.phone("Club", Role.KEEP).post("/door/invitations", sent).status_code == 400


def test_a_link_can_be_ended(club: Hosted) -> None:
    keeper = club.phone("Club", Role.KEEP)
    page = keeper.post("/door/invitations", {"role": "watch"}).text
    secret = re.search(r"/join#([\w-]+)", page)
    assert secret
    assert secret[1] not in keeper.get("/door").text
    with club.house("Club") as house:
        [left] = house.door.invitations()
    assert keeper.post(f"/door/invitations/{left.id}").status_code == 303

    assert club.phone("Club").join(secret[1]).status_code == 410


def test_too_many_phones_and_links_are_a_sentence(
    club: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = club.phone("Club", Role.KEEP)
    monkeypatch.setattr(doors, "MOST_INVITATIONS", 0)
    assert keeper.post("/door/invitations", {"role": "play"}).status_code == 409
    monkeypatch.setattr(doors, "MOST_DEVICES", 1)
    with club.house("Club") as house:
        answer = club.phone("Club").join(house.door.evening_secret())

    assert answer.status_code == 409
    assert "Too many phones" in answer.text


def test_a_page_of_another_house_or_site_changes_nothing(club: Hosted) -> None:
    keeper = club.phone("Club", Role.KEEP)
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "same-site"}):
        answer = keeper.post("/door/invitations", {"role": "keep"}, **headers)
        assert answer.status_code == 403
        joined = keeper.post("/join", {"code": "x" * 24}, **headers)
        assert joined.status_code == 403


def test_pages_of_a_house_send_nothing_to_another(club: Hosted) -> None:
    phone = club.phone("Club", Role.PLAY)
    own = f"{BASE}/h/{phone.name}/"
    for answer in (phone.get("/"), phone.get("/nothing"), club.phone("Club").get("/join")):
        policy = answer.headers["Content-Security-Policy"]
        assert f"connect-src {own};" in policy
        assert f"form-action {own};" in policy
        assert answer.headers["Cross-Origin-Opener-Policy"] == "noopener-allow-popups"


def test_an_address_cannot_write_into_the_headers(club: Hosted) -> None:
    client = club.app.test_client()
    for name in ("a;script-src *", "a\r\nX-Evil: 1", "a%0d%0aX-Evil: 1", "<b>"):
        answer = client.get(f"/h/{name}/", base_url=BASE)
        assert answer.status_code == 401
        assert "X-Evil" not in answer.headers
        assert "script-src *" not in answer.headers["Content-Security-Policy"]


def test_the_file_of_the_door_holds_no_token_and_no_link(club: Hosted) -> None:
    phone = club.phone("Club", Role.KEEP)
    with club.house("Club") as house:
        secret = house.door.invite(Role.PLAY)
        evening = house.door.evening_secret()
    club.houses.close()
    file = club.folder / phone.name / doors.FILE
    with closing(sqlite3.connect(file)) as connection:
        held = "\n".join(connection.iterdump()).encode() + file.read_bytes()

    assert not [each for each in (phone.token, secret, evening) if each.encode() in held]
    assert file.stat().st_mode & 0o077 == 0


def test_a_house_shares_its_game_by_the_link_of_the_evening(club: Hosted) -> None:
    table = club.table("Club")
    player, watcher = club.phone("Club", Role.PLAY), club.phone("Club", Role.WATCH)
    page = player.get(f"/g/{table.pub}/share").text
    link = re.search(rf"{BASE}/h/{player.name}/join\?game={table.pub}#([0-9a-f]+)", page)
    assert link
    new = club.phone("Club")
    joined = new.join(link[1], game=table.pub)

    assert joined.headers["Location"] == f"/h/{player.name}/g/{table.pub}/who"
    assert watcher.get(f"/g/{table.pub}/share").status_code == 403


@pytest.mark.parametrize("pub", ["../../two", "aaaaaaaaaa/x", "//evil.example", "AAAAAAAAAA"])
def test_a_link_leads_on_to_a_game_and_nowhere_else(club: Hosted, pub: str) -> None:
    with club.house("Club") as house:
        joined = club.phone("Club").join(house.door.evening_secret(), game=pub)

    assert joined.headers["Location"] == f"/h/{club.names['Club']}/"


def test_the_settings_show_what_a_phone_may_do(club: Hosted) -> None:
    keeper, player = club.phone("Club", Role.KEEP), club.phone("Club", Role.PLAY)

    assert all(f'id="{each}"' in keeper.get("/settings").text for each in ("door", "keeping"))
    assert not any(f'id="{each}"' in player.get("/settings").text for each in ("door", "keeping"))
    assert "Club" in player.get("/settings").text
    assert 'id="invite"' in player.get("/settings").text


def test_what_a_phone_has_not_sent_waits_under_401_and_is_refused_under_403(club: Hosted) -> None:
    """The outbox tries again after a 401 (static/js/outbox.js), and shows why after a 403."""
    table = club.table("Club")
    path = f"/g/{table.pub}/rounds/1"
    sent = {"key": "k"}

    assert club.phone("Club").post(path, sent, **HTMX).status_code == 401
    assert club.phone("Club", Role.WATCH).post(path, sent, **HTMX).status_code == 403


def test_at_home_there_is_no_door(client: FlaskClient, played: Table) -> None:
    """Nothing of it: no page, no cookie of another name, no mark on a page, no other policy."""
    for path in ("/", "/settings", f"/g/{played.pub}", f"/g/{played.pub}/share", "/players"):
        answer = client.get(path)
        text = answer.text
        assert answer.status_code == 200
        assert not [each for each in ("data-role", "data-house", "house.css") if each in text]
        assert not [each for each in ("install.js", "/door", "/join") if each in text]
        assert "connect-src 'self'" in answer.headers["Content-Security-Policy"]
    for path in ("/join", "/door", "/door/evening", "/sw.js", "/h/one/"):
        assert client.get(path).status_code == 404
    assert client.get_cookie("laydown")


def test_phones_that_come_at_once_to_a_house_that_was_closed_are_all_in(club: Hosted) -> None:
    """A kill -9 under phones showed it: all but the first were told that they aren’t in."""
    phone = club.phone("Club", Role.PLAY)
    club.houses.close()
    file = club.folder / phone.name / doors.FILE
    was = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(20):
            with closing(Door(file)) as door, ThreadPoolExecutor(8) as phones:
                found = [*phones.map(lambda _, of=door: of.device(phone.token), range(16))]
            assert None not in found
    finally:
        sys.setswitchinterval(was)
