"""Just points: a scorepad for any game, of which nothing is known but its scores."""

import html
import re

import pytest
from sqlalchemy import text

from referee import variants
from referee.scorepad import HandRecord, keep_score
from tests.webapp.table import OWN, Page
from webapp.exchange.choice import Selection
from webapp.exchange.paper import read_table
from webapp.exchange.tables import write_totals
from webapp.game import own_names
from webapp.game.hand import Hand
from webapp.game.validation import CountForm
from webapp.history.search import Sought, read_history
from webapp.ledger.ledger import new_key, read_game, rebuild_older
from webapp.pages.counting import view
from webapp.pages.scorepad.pad import EndAsk
from webapp.pages.scorepad.view import read_pad
from webapp.pages.standings.view import read_house

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
    def counted(pub, number, *scores, status=303, **more):
        seats = database.read(read_game, pub).seats
        bases = {f"base-{who}": "0" for who in seats}
        typed = {f"left-{who}": left for who, left in zip(seats, scores, strict=True)}
        form = {"key": new_key(), **bases, **typed, **more}
        answer = client.post(f"/g/{pub}/rounds/{number}", data=form, headers=OWN)
        assert answer.status_code == status, answer.text
        return answer

    return counted


def totals(database, pub):
    return [seat.total for seat in database.read(read_pad, pub).seats]


@pytest.mark.parametrize(
    ("typed", "scored"),
    [("-40", -40), ("\N{MINUS SIGN}40", -40), ("20-5", 15), ("0", 0), ("99999", 99999)],
)
def test_any_whole_number_is_a_score(start, count, database, typed, scored):
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


def asked_of(answer):
    """What the sheet says: its heading, its reason and its buttons."""
    page = answer.text[answer.text.index('id="asks"') :]
    texts = re.findall(r"<(?:h2|p|button)[^>]*>([^<]+)</(?:h2|p|button)>", page)
    return [html.unescape(each) for each in texts[:4]]


@pytest.mark.parametrize(
    ("typed", "asks"),
    [
        (
            ("7", "8", ""),
            ("Cleo: 0?", "Cleo’s box is empty.", "Save with 0 for Cleo", "Enter Cleo’s points"),
        ),
        (
            ("7", "", ""),
            (
                *("Ben and Cleo: 0?", "Their boxes are empty."),
                *("Save with 0 for Ben and Cleo", "Enter Ben’s points"),
            ),
        ),
    ],
)
def test_an_empty_box_is_asked_about_and_can_be_0(start, count, database, typed, asks):
    pub = start(seat=["+Ana", "+Ben", "+Cleo"])

    asked = count(pub, 1, *typed, status=422)

    assert asked_of(asked) == [*asks]
    assert "Ready" not in asked.text
    assert totals(database, pub) == [0, 0, 0]

    count(pub, 1, *typed, sure="1")
    assert totals(database, pub) == [int(each or 0) for each in typed]


def test_once_empty_is_0_in_a_game_nobody_is_asked_until_that_is_undone(
    client, start, count, database
):
    pub = start()
    count(pub, 1, "7", "", sure="1", zeros="1")
    count(pub, 2, "", "9")
    assert totals(database, pub) == [7, 9]
    page = database.read(view.fill_count, pub, 3, form_of(database, pub, "1", ""))
    assert page.says.startswith("Ben’s empty box counts as 0.")

    for _ in range(2):
        pad = database.read(read_pad, pub)
        form = {"key": pad.key, "seq": str(pad.undo.seq)}
        client.post(f"/g/{pub}/voids", data=form, headers=OWN)
    count(pub, 1, "7", "", status=422)


def test_a_tick_without_saving_asks_again(start, count, database):
    pub = start()
    count(pub, 1, "7", "", zeros="1", status=422)
    count(pub, 1, "7", "", status=422)
    assert not database.read(read_game, pub).zeros


def form_of(database, pub, *lefts):
    seats = database.read(read_game, pub).seats
    return CountForm(hands={who: Hand(left=left) for who, left in zip(seats, lefts, strict=True)})


def test_the_message_is_never_ready_while_a_box_is_empty_and_marks_none(start, database):
    pub = start(seat=["+Ana", "+Ben", "+Cleo"])

    def judge(*lefts):
        page = database.read(view.fill_count, pub, 1, form_of(database, pub, *lefts))
        return page.kind, page.asks + page.says, page.odd

    assert judge("7", "", "") == ("wait", "Still need Ben, Cleo", ())
    assert judge("7", "8", "") == ("wait", "Cleo’s box is empty.", ())
    assert judge("7", "8", "9")[1].startswith("Ready.")


def test_a_correction_that_empties_a_box_asks_before_it_is_0(start, count, database):
    pub = start()
    count(pub, 1, "7", "8")
    seats = database.read(read_game, pub).seats
    bases = {f"base-{who}": "2" for who in seats}

    assert asked_of(count(pub, 1, "", "8", status=422, **bases))[0] == "Ana: 0?"
    count(pub, 1, "", "8", sure="1", **bases)
    assert totals(database, pub) == [0, 8]


def test_a_box_that_another_phone_has_filled_since_is_no_empty_box(start, count, database):
    pub = start()
    count(pub, 1, "7", "", part="1")

    count(pub, 1, "", "9")

    assert totals(database, pub) == [7, 9]


@pytest.mark.parametrize("chosen", [("highest", [False, True]), ("lowest", [True, False])])
def test_at_the_target_the_pad_asks_and_the_best_total_wins(client, start, count, database, chosen):
    leads, wins = chosen
    ends = {"ends": "target", "option-target": "50", "option-rounds": "7"}
    pub = start(called="Skyjo", **ends, **{"option-leads": leads, "option-dealer": "false"})
    count(pub, 1, "-5", "49")
    assert not database.read(read_pad, pub).asks_end

    count(pub, 2, "0", "1")
    pad = database.read(read_pad, pub)
    wins_with = "Ben wins with 50" if wins[1] else "Ana wins with −5"
    assert pad.asks_end == EndAsk(
        reasons=("Ben has reached 50.",),
        result=f"{wins_with} if you finish now.",
        finish=f"Finish: {wins_with.split(' with', maxsplit=1)[0]}",
        play_on="Play round 3",
    )
    assert (pad.overline, pad.heading) == (f"2 rounds · {leads} wins", "Skyjo")
    assert [row.number for row in pad.played] == [1, 2]
    assert not pad.over
    assert not any(seat.deals or seat.starts for seat in pad.seats)
    client.post(f"/g/{pub}/endings", data={"key": pad.key}, headers=OWN)

    assert [seat.wins for seat in database.read(read_pad, pub).seats] == wins


def test_a_button_that_names_the_winner_ends_nothing_once_the_scores_have_changed(
    start, count, database, client
):
    pub = start(**{"ends": "rounds", "option-rounds": "1"})
    count(pub, 1, "10", "20")
    pad = database.read(read_pad, pub)
    assert pad.asks_end.finish == "Finish: Ben wins"
    count(pub, 2, "50", "0")
    stale = {"key": pad.key, "seq": str(pad.seq)}

    assert client.post(f"/g/{pub}/endings", data=stale, headers=OWN).status_code == 409
    now = database.read(read_pad, pub)
    assert not now.finished
    fresh = {"key": now.key, "seq": str(now.seq)}
    assert client.post(f"/g/{pub}/endings", data=fresh, headers=OWN).status_code in {302, 303}
    assert [seat.wins for seat in database.read(read_pad, pub).seats] == [True, False]


def test_after_its_rounds_the_pad_asks_and_the_table_can_play_on(start, count, database):
    pub = start(**{"ends": "rounds", "option-rounds": "2", "option-target": "5"})
    assert database.read(read_pad, pub).heading == "Round 1 of 2"
    count(pub, 1, "10", "20")
    assert database.read(view.open_count, pub, 2).overline == "Round 2 of 2 · Just points"
    count(pub, 2, "30", "20")

    asks = database.read(read_pad, pub).asks_end
    assert asks.reasons == ("You’ve played 2 rounds.",)
    assert asks.result == "Ana and Ben tie with 40 if you finish now."
    assert asks.finish == "Finish: Ana and Ben tie"

    # One hand of the next round is enough to play on.
    count(pub, 3, "1", "", part="1")
    pad = database.read(read_pad, pub)
    assert pad.asks_end is None
    assert pad.heading == "Round 3"
    count(pub, 3, "", "2", part="1")
    assert database.read(read_pad, pub).asks_end.finish == "Finish: Ben wins"


@pytest.mark.parametrize("number", ["", "0", "501", "x"])
def test_an_end_that_was_chosen_needs_its_number(client, number):
    form = {"variant": GAME.slug, "key": new_key(), "seat": ["+Ana", "+Ben"]}
    more = {"ends": "rounds", "option-rounds": number, "option-target": ""}

    answer = client.post("/games", data=form | more, headers=OWN)

    assert answer.status_code == 422
    assert "number from 1 to 500" in answer.text
    assert 'id="ends-rounds" aria-label="After rounds" checked' in answer.text


def test_a_rematch_keeps_the_name_and_what_was_chosen(client, start, database):
    pub = start(called="Spades", **{"option-leads": "lowest"})
    client.post(f"/g/{pub}/endings", data={"key": "end"}, headers=OWN)
    key = database.read(read_pad, pub).key

    again = client.post(f"/g/{pub}/rematches", data={"key": key}, headers=OWN)

    state = database.read(read_game, again.headers["Location"].removeprefix("/g/"))
    assert state.variant.name == "Spades"
    assert state.start.game["text"]["name"] == f"{GAME.name} · Spades"
    assert dict(state.start.options) == {"leads": "lowest"}


def test_a_new_game_begins_with_what_was_chosen_last_time(client, start):
    start(called="Spades", **{"option-target": "200"})

    fields = dict(Page(client.get(f"/games/new?variant={GAME.slug}")).forms[0].fields)

    assert (fields["called"], fields["option-target"]) == ("Spades", "200")


def test_those_who_played_last_are_seated_until_somebody_changes_that(client, start):
    start(seat=["+Zoe", "+Ana"])

    assert 'id="drop-' in client.get("/games/new").text
    assert 'id="drop-' not in client.get("/games/new?key=shown").text


def test_there_is_no_referee_no_advice_and_no_rules(client, start):
    pub = start()

    paths = [f"/g/{pub}/{each}" for each in ("ask", "desk", "desk/advice", "rules")]
    paths += [f"/{each}/{GAME.slug}" for each in ("ask", "desk", "rules")]
    paths += [f"/desk/{GAME.slug}/advice", f"/rules/{GAME.slug}/change", f"/ask/{GAME.slug}/any"]
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert "<h1>Only the score</h1>" in answer.text, path
        back = f'href="/g/{pub}"' if pub in path else 'href="/"'
        assert back in answer.text, path
    pad = client.get(f"/g/{pub}").text
    assert not {"desk", "advice"} & {*re.findall(r'id="([a-z]+)"', pad)}
    whose = client.get(f"/g/{pub}/who?change=1").text.lower()
    assert not any(word in whose for word in ("referee", "advice"))
    for path in ("/ask", "/rules", "/games/own/new"):
        page = client.get(path).text
        assert pub not in page, path
        assert GAME.slug not in page, path


def test_an_own_game_of_points_alone_is_a_game_like_any_and_has_no_rules(client, database, start):
    game = 'players = [2, 4]\n[points]\n[end]\nopen = true\n[text]\nname = "Qwirkle"\n'
    form = {"key": new_key(), "text": game}
    saved = client.post("/games/own/text", data=form, headers=OWN)
    assert saved.status_code == 303, saved.text

    own = saved.headers["Location"]
    pub = start(variant="own-1", called="Ignored")
    client.post(f"/g/{pub}/endings", data={"key": "end"}, headers=OWN)

    pad = database.read(read_pad, pub)
    assert (pad.variant.name, pad.small) == ("Qwirkle", "")
    assert 'id="called"' not in client.get("/games/new?variant=own-1").text
    assert client.get("/rules/own-1").status_code == 404
    assert "Qwirkle" not in client.get("/ask").text
    assert "/rules/" not in client.get(own).text
    assert client.get(f"{own}/change").headers["Location"].endswith("/games/own/text?from=own-1")
    assert client.get("/games/own/text?from=own-1").status_code == 200


def play_whole(client, start, count, called, *scores, **more):
    pub = start(called=called, **{"option-leads": "highest"} | more)
    count(pub, 1, *scores)
    client.post(f"/g/{pub}/endings", data={"key": "end"}, headers=OWN)
    return pub


def test_lists_the_result_and_the_share_say_the_name_of_the_table(client, start, count):
    lowest = {"option-leads": "lowest"}
    pub = play_whole(client, start, count, "Skyjo", "7", "9", **lowest)
    live = start(called="Golf")
    count(live, 1, "7", "", part="1")

    for path in ("/", "/history", f"/g/{pub}/result", f"/g/{pub}/sheet"):
        page = client.get(path).text
        assert "Skyjo" in page, path
        assert "just points" in page, path
        assert "Just points · Skyjo" not in page, path
    assert "Golf" in client.get("/").text
    assert "Golf" in client.get("/history").text
    result = client.get(f"/g/{pub}/result").text
    assert "Skyjo · Ana 7 · Ben 9 · Ana wins ★" in result
    sheet = client.get(f"/g/{pub}/sheet").text
    assert re.search("Who wins.*?Lowest total", sheet, re.DOTALL)
    assert "<p>Skyjo, by 2 points" in client.get(f"/g/{pub}/print").text


def test_standings_and_the_list_count_each_name_as_a_game(client, start, count, database):
    play_whole(client, start, count, "Skyjo", "7", "9")
    play_whole(client, start, count, "SKYJO", "7", "9")
    play_whole(client, start, count, "Golf", "7", "9")
    play_whole(client, start, count, "", "7", "9")
    live = start(called="Golf")
    count(live, 1, "7", "", part="1")

    house = database.read(read_house)
    assert [(each.name, each.says) for each in house.by_game] == [
        ("Skyjo", "2 games · Ben won 2"),
        ("Golf", "1 game · Ben won 1"),
        ("Just points", "1 game · Ben won 1"),
    ]
    skyjo = house.by_game[0].query
    assert "<title>Standings" in client.get(f"/standings?{skyjo}").text
    assert database.read(read_house, "just-points · Skyjo").game_name == "Skyjo"

    def named(variant):
        lines = database.read(read_history, Sought(variant=variant)).lines
        return [line.variant_name for line in lines]

    assert named("just-points · Skyjo") == ["Skyjo", "Skyjo"]
    assert named("just-points · Golf") == ["Golf", "Golf"]
    assert named("just-points") == ["Just points"]


def test_finished_games_of_earlier_releases_get_their_names(client, start, count, database):
    play_whole(client, start, count, "Skyjo", "7", "9")

    def make_older(session):
        for table in ("outcome", "appearance"):
            session.execute(text(f"UPDATE {table} SET variant = 'just-points'"))

    database.write(make_older)
    assert [each.name for each in database.read(read_house).by_game] == ["Just points"]

    database.write(rebuild_older)
    assert [each.name for each in database.read(read_house).by_game] == ["Skyjo"]


@pytest.mark.parametrize("stored", ["Just points · Skyjo", "Solo puntos · Skyjo", "Skyjo"])
def test_a_name_is_the_same_however_it_was_stored(stored):
    game = own_names.shown_by_name(GAME.called(stored))

    assert game.name == "Skyjo"
    assert own_names.own_name(game) == "Skyjo"
    assert not own_names.own_name(GAME)
    assert not own_names.own_name(variants.get(GAME.slug, "es"))


def test_a_table_of_totals_and_one_from_paper_have_both_names(client, start, count, database):
    pub = play_whole(client, start, count, "Skyjo", "7", "9")
    assert "Just points · Skyjo" in "".join(write_totals(database, Selection(pub=pub)))

    paper = b"date,game,winner,Ana,Ben\n2024-11-28,Just points \xc2\xb7 Golf,,10,20\n"
    [game] = database.read(read_table, paper).games
    assert own_names.own_name(game.variant) == "Golf"


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
