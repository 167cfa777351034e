"""Just points: a scorepad for any game, of which nothing is known but its scores."""

import pytest

from referee import variants
from referee.scorepad import HandRecord, keep_score
from tests.webapp.table import OWN, Page
from webapp.ledger.ledger import new_key, read_game
from webapp.pages.scorepad.view import read_pad

pytestmark = pytest.mark.slow

[GAME] = variants.points_only()


@pytest.fixture
def start(client):
    def started(**fields):
        form = {"variant": GAME.slug, "key": new_key(), "seat": ["+Ana", "+Ben"]} | fields
        answer = client.post("/games", data=form, headers=OWN)
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"].removeprefix("/g/")

    return started


@pytest.fixture
def count(client, database):
    def counted(pub, number, *scores, status=303):
        seats = database.read(read_game, pub).seats
        bases = {f"base-{who}": "0" for who in seats}
        typed = {f"left-{who}": left for who, left in zip(seats, scores, strict=True)}
        form = {"key": new_key(), **bases, **typed}
        answer = client.post(f"/g/{pub}/rounds/{number}", data=form, headers=OWN)
        assert answer.status_code == status, answer.text
        return answer

    return counted


def totals(database, pub):
    return [seat.total for seat in database.read(read_pad, pub).seats]


@pytest.mark.parametrize(
    ("typed", "scored"),
    [("-40", -40), ("\N{MINUS SIGN}40", -40), ("20-5", 15), ("0", 0), ("99999", 99999), ("", 0)],
)
def test_any_whole_number_is_a_score_and_a_blank_is_nothing(start, count, database, typed, scored):
    pub = start()

    count(pub, 1, typed, "7")

    assert totals(database, pub) == [scored, 7]


@pytest.mark.parametrize("typed", ["1.5", "KH", "--4", "-", "100000", "1_000"])
def test_what_is_no_whole_number_is_shown_beside_the_row_and_kept(start, count, database, typed):
    pub = start()

    answer = count(pub, 1, typed, "7", status=422)

    assert 'role="alert"' in answer.text
    assert typed in dict(Page(answer).forms[0].fields).values()
    assert totals(database, pub) == [0, 0]


def test_a_round_in_which_nothing_was_entered_is_not_saved(start, count):
    count(start(), 1, "", "", status=422)


def test_a_phone_that_saves_only_its_own_score_saves_no_nothing_for_the_others(
    client, start, database
):
    pub = start()
    ana, ben = database.read(read_game, pub).seats

    def save(**fields):
        form = {"key": new_key(), f"base-{ana}": "0", f"base-{ben}": "0"} | fields
        return client.post(f"/g/{pub}/rounds/1", data=form, headers=OWN)

    save(**{f"left-{ana}": "7", f"left-{ben}": "", "part": "1"})
    state = database.read(read_game, pub)
    assert [*state.counting] == [ana]
    assert totals(database, pub) == [0, 0]

    save(**{f"left-{ana}": "", f"left-{ben}": "9", "part": "1"})
    assert totals(database, pub) == [7, 9]


@pytest.mark.parametrize("chosen", [("highest", [False, True]), ("lowest", [True, False])])
def test_the_table_ends_the_game_and_the_best_total_wins(client, start, count, database, chosen):
    leads, wins = chosen
    pub = start(**{"option-leads": leads, "option-target": "50", "option-dealer": "false"})
    count(pub, 1, "-5", "49")
    assert not database.read(read_pad, pub).asks_end

    count(pub, 2, "", "1")
    pad = database.read(read_pad, pub)
    assert pad.asks_end == "Ben has 50. End here?"
    assert not pad.over
    assert not any(seat.deals or seat.starts for seat in pad.seats)
    client.post(f"/g/{pub}/endings", data={"key": pad.key}, headers=OWN)

    assert [seat.wins for seat in database.read(read_pad, pub).seats] == wins


def test_a_rematch_keeps_the_name_and_what_was_chosen(client, start, database):
    pub = start(called="Spades", **{"option-leads": "lowest"})
    client.post(f"/g/{pub}/endings", data={"key": "end"}, headers=OWN)
    key = database.read(read_pad, pub).key

    again = client.post(f"/g/{pub}/rematches", data={"key": key}, headers=OWN)

    state = database.read(read_game, again.headers["Location"].removeprefix("/g/"))
    assert state.variant.name == f"{GAME.name} · Spades"
    assert dict(state.start.options) == {"leads": "lowest"}


def test_a_new_game_begins_with_what_was_chosen_last_time(client, start):
    start(called="Spades", **{"option-target": "200"})

    fields = dict(Page(client.get(f"/games/new?variant={GAME.slug}")).forms[0].fields)

    assert (fields["called"], fields["option-target"]) == ("Spades", "200")


def test_those_who_played_last_are_seated_until_somebody_changes_that(client, start):
    start(seat=["+Zoe", "+Ana"])

    assert 'id="drop-' in client.get("/games/new").text
    assert 'id="drop-' not in client.get("/games/new?key=shown").text


def test_there_is_nothing_to_ask_the_referee(client, start):
    pub = start()

    for path in (f"/g/{pub}/desk", f"/g/{pub}/desk/advice", f"/desk/{GAME.slug}"):
        assert client.get(path).status_code == 404
    pad = client.get(f"/g/{pub}").text
    assert 'id="desk"' not in pad
    assert 'id="advice"' not in pad
    assert client.get(f"/g/{pub}/rules").status_code == 200


def test_no_score_of_it_can_be_wrong():
    score = keep_score(GAME, 3, [[HandRecord(left=number) for number in (-700, 0, 3)]], 0)

    assert score.problems == ()
    assert score.leaders == (2,)


def test_typed_names_are_still_there_after_leaving_the_page(client, start):
    start(seat=["+Zoe", "+Ana"])
    client.get("/games/new?key=shown&seat=%2BMia%20Öz&name=Ivo&add-name=1")
    client.get("/")

    fields = Page(client.get("/games/new")).forms[0].fields
    assert [value for name, value in fields if name == "seat"] == ["+Mia Öz", "+Ivo"]

    start(seat=["+Mia Öz", "+Ivo"])
    fields = Page(client.get("/games/new")).forms[0].fields
    assert all(value.isdecimal() for name, value in fields if name == "seat")


@pytest.mark.parametrize("kept", ["seat=%2B%00", "seat=9999", "&&=", '"x', "seat=" + 3000 * "a"])
def test_a_bent_cookie_does_no_harm(client, kept):
    client.set_cookie("new-game", kept)

    assert client.get("/games/new").status_code == 200
