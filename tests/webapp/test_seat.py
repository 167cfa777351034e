"""Whose phone this is: a phone remembers it, and shows which seats other phones have claimed."""

import re

from tests.webapp.table import OWN
from webapp.houses.claims import Claims
from webapp.web.device import SHARED


def seats(client, table):
    """The seats to choose from, each with whether it shows as taken."""
    page = client.get(f"/g/{table.pub}/who?change=1").text
    buttons = re.findall(r'name="player" value="([1-9]\d*)"', page)
    shown = re.findall(r'value="([1-9]\d*)"(?:(?!</button>).)*?<small>taken</small>', page)
    return {int(each): each in shown for each in buttons}


def take(client, table, player):
    answer = client.post(f"/g/{table.pub}/who", data={"player": player}, headers=OWN)
    assert answer.status_code == 303
    client.get(answer.location)


def test_a_seat_that_another_phone_has_claimed_shows_as_taken(app, table):
    one, other = app.test_client(), app.test_client()
    ana, ben, cleo = table.ids.values()
    for phone in (one, other):
        assert seats(phone, table) == {ana: False, ben: False, cleo: False}

    take(one, table, ben)
    assert seats(other, table) == {ana: False, ben: True, cleo: False}
    # A phone’s own seat isn't taken from it.
    assert seats(one, table) == {ana: False, ben: False, cleo: False}


def test_a_taken_seat_can_still_be_chosen(app, table):
    one, other = app.test_client(), app.test_client()
    ben = table.ids["ben"]
    for phone in (one, other):
        phone.get("/")
        take(phone, table, ben)
    assert 'aria-current="true"' in other.get(f"/g/{table.pub}/who?change=1").text
    assert seats(one, table)[ben]
    assert seats(other, table)[ben]


def test_a_seat_is_free_again_once_its_phone_changes_to_another_or_is_shared(app, table):
    one, other = app.test_client(), app.test_client()
    ana, ben, _ = table.ids.values()
    one.get("/")
    for mine, taken in ((ben, {ben}), (ana, {ana}), (SHARED, set())):
        take(one, table, mine)
        assert {who for who, is_taken in seats(other, table).items() if is_taken} == taken


def test_only_so_many_claims_are_remembered_and_the_latest_stay():
    claims = Claims()
    for phone in range(40):
        claims.hear("game", f"phone {phone}", phone + 1)
    assert claims.taken("game", "") == frozenset(range(25, 41))
    for game in range(600):
        claims.hear(f"game {game}", "phone", 1)
    assert claims.taken("game 99", "") == frozenset()
    assert claims.taken("game 100", "") == claims.taken("game 599", "") == frozenset({1})


def test_the_count_that_a_pad_carries_begins_with_whose_phone_it_is(app, table):
    """The page of a pad is made once for each version: not with the order of another phone."""
    one, other, shared = (app.test_client() for _ in range(3))
    ana, ben, cleo = table.ids.values()

    def order(phone):
        page = phone.get(f"/g/{table.pub}").text
        return [int(each) for each in re.findall(r'name="left-(\d+)"', page)]

    assert order(shared) == [ana, ben, cleo]
    take(one, table, ben)
    take(other, table, cleo)

    assert [order(each)[0] for each in (one, other, shared)] == [ben, cleo, ana]
