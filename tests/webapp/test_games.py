"""Starting a game: who sits where, who deals, and by which house rules."""

import html

import pytest

from referee import variants
from tests.webapp.drafts import kept
from tests.webapp.table import HTMX, OWN, Page, Table
from webapp.ledger.ledger import new_key, read_game
from webapp.ledger.roster import shown_names
from webapp.own_games.url_token import write_token
from webapp.pages.games.page import AT_ONCE, NewGameChoices
from webapp.pages.games.view import read_new_game
from webapp.players.queries import clean_name, fold_name
from webapp.text.refusals import NameRefusedError


def start(client, status=303, **fields):
    form = {"variant": "mexican-rummy", "key": new_key(), "seat": ["+Ana", "+Ben"]} | fields
    answer = client.post("/games", data=form, headers=OWN)
    assert answer.status_code == status, answer.text
    return answer


def story_of(database, answer):
    return database.read(read_game, answer.headers["Location"].removeprefix("/g/"))


POINTS_ONLY = [game.slug for game in variants.points_only()]


def seats(answer):
    return [value for name, value in Page(answer).forms[0].fields if name == "seat"]


def test_players_sit_in_the_order_they_came(client, database):
    state = story_of(database, start(client, seat=["+Zoe", "+Ana", "+Mia"]))

    names = database.read(shown_names, state.start.seats)
    assert [names[player] for player in state.start.seats] == ["Zoe", "Ana", "Mia"]


def test_the_last_seat_deals_first_unless_somebody_else_is_chosen(client, database):
    assert story_of(database, start(client)).start.dealer == 1
    assert story_of(database, start(client, dealer="+Ana")).start.dealer == 0


def test_a_player_added_by_another_phone_meanwhile_is_still_the_one_tapped(client, database):
    """Another phone has added Ana while this one had her on its form as somebody new."""
    client.post("/players", data={"name": "Ana"}, headers=OWN)

    state = story_of(database, start(client, dealer="+Ana"))
    up = client.get("/games/new?seat=%2BBen&seat=%2BAna&up=%2BAna")
    drop = client.get("/games/new?seat=%2BBen&seat=%2BAna&drop=%2BAna")

    ana = str(state.start.seats[0])
    assert state.start.dealer == 0
    assert seats(up)[0] == ana
    assert ana not in seats(drop)


def test_a_known_name_is_the_known_player(client, database):
    first = story_of(database, start(client))
    second = story_of(database, start(client, seat=["+ana", "+ BEN "]))

    assert first.start.seats == second.start.seats


def test_a_name_left_in_the_field_is_also_seated(client, database):
    assert len(story_of(database, start(client, name="Cleo")).start.seats) == 3


def test_the_form_sent_twice_starts_one_game(client):
    key = new_key()

    assert start(client, key=key).headers["Location"] == start(client, key=key).headers["Location"]


def test_the_form_sent_twice_with_other_players_is_refused(client):
    key = new_key()
    start(client, key=key)

    start(client, 422, key=key, seat=["+Ana", "+Cleo"])


PLAYERS = variants.get("mexican-rummy").players


@pytest.mark.parametrize("names", [[], ["+Ana"], [f"+P{n}" for n in range(PLAYERS[-1] + 1)]])
def test_too_few_and_too_many_players_show_an_error(client, names):
    answer = start(client, 422, seat=names)

    assert f"is for {PLAYERS[0]} to {PLAYERS[-1]} players" in answer.text
    assert seats(answer) == names


def test_nobody_sits_twice(client):
    assert "is for " in start(client, 422, seat=["+Ana", "+ANA", "+ana"]).text


def test_a_name_that_sits_already_is_not_dropped_in_silence(client):
    answer = client.get("/games/new?seat=%2BAna&name=ANA&add-name=1")

    assert seats(answer) == ["+Ana"]
    assert ("name", "ANA") in Page(answer).forms[0].fields
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize("count", [1, PLAYERS[-1] + 1])
def test_a_start_that_is_off_says_for_how_many_the_game_is(client, count):
    query = "&".join(f"seat=%2BP{number}" for number in range(count))

    assert f"is for {PLAYERS[0]} to {PLAYERS[-1]}" in client.get(f"/games/new?{query}").text


def test_a_game_for_two_is_not_for_two_to_two(client):
    assert "is for 2 players." in client.get("/games/new?variant=rummy-500").text


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_every_tap_on_the_form_is_an_address(client, headers):
    answer = client.get("/games/new?seat=%2BAna&seat=%2BBen&name=Cleo&add-name=1", headers=headers)
    assert seats(answer) == ["+Ana", "+Ben", "+Cleo"]

    answer = client.get("/games/new?seat=%2BAna&seat=%2BBen&up=%2BBen", headers=headers)
    assert seats(answer) == ["+Ben", "+Ana"]

    answer = client.get("/games/new?seat=%2BAna&seat=%2BBen&drop=%2BAna", headers=headers)
    assert seats(answer) == ["+Ben"]

    answer = client.get("/games/new?seat=%2BAna&seat=%2BBen&pick=seats", headers=headers)
    assert sorted(seats(answer)) == ["+Ana", "+Ben"]


def test_a_player_of_the_roster_is_added_by_a_tap(client, database):
    table = Table(database)
    ana = str(table.ids["ana"])

    answer = client.get(f"/games/new?key=shown&add={ana}")

    assert seats(answer) == [ana]


def test_a_name_that_is_refused_stays_in_the_field(client):
    long = "x" * 30
    answer = start(client, 422, name=long)

    assert dict(Page(answer).forms[0].fields)["name"] == long
    assert seats(answer) == ["+Ana", "+Ben"]


def test_a_house_rule_is_frozen_into_the_game(client, database):
    key = kept(database, "mexican-rummy", {"deal.cards": 12})
    state = story_of(database, start(client, d=key))

    assert state.start.options == {"/deal.cards": 12}
    assert state.variant.hand_size == 12


def test_an_option_in_an_address_is_played_by(client, database):
    state = story_of(database, start(client, **{"option-wrap": "true"}))

    assert state.start.options == {"wrap": True}


def test_an_unreadable_option_shows_an_error(client):
    answer = start(client, 422, **{"option-wrap": "nonsense"})

    assert answer.text.count('role="alert"') == 2


def test_house_rules_are_listed_and_undone_on_the_form(client, database):
    key = kept(database, "mexican-rummy", {"deal.cards": 12, "run.around": True})
    form = f"variant=mexican-rummy&d={key}&key=k1"
    page = client.get(f"/games/new?{form}").text
    assert page.count('name="undo"') == 2
    assert 'value="deal.cards"' in page

    sent = {"variant": "mexican-rummy", "d": key, "key": "k1", "undo": "deal.cards"}
    undone = client.post("/games/new", data=sent, headers=OWN).text
    assert undone.count('name="undo"') == 1
    assert 'name="undo"' not in client.get(f"/games/new?{form}&instead=rummy").text


def test_house_rules_that_make_no_game_say_so_and_nothing_starts(client, database):
    key = kept(database, "mexican-rummy", {"deal.cards": 30})
    page = start(client, 422, d=key)

    assert "too few to deal" in page.text
    assert 'name="undo"' in page.text


def test_an_address_with_packed_changes_is_played_by(client, database):
    token = write_token({"changes": [{"deal.cards": 12}]})
    went = client.get(f"/games/new?variant=mexican-rummy&c={token}").headers["Location"]

    assert "c=" not in went
    assert 'name="undo"' in client.get(went).text


def test_the_form_is_as_it_was_after_its_house_rules_were_changed(client):
    form = "variant=rummy&seat=%2BAna&seat=%2BBen&dealer=%2BAna&advice=off&key=k1"
    away = client.get(f"/games/new?{form}&rules=1")
    assert away.headers["Location"] == "/rules/rummy/change/new-game"
    back = client.get("/games/new?variant=rummy")

    assert seats(back) == ["+Ana", "+Ben"]
    assert 'value="+Ana" id="dealer-+Ana" aria-label="Ana deals first" checked' in back.text
    assert '<option value="off" selected>' in back.text


def test_changes_that_can_t_be_read_are_refused_in_a_sentence(client):
    answer = client.get("/games/new?variant=rummy&c=nonsense")

    assert answer.status_code == 400
    assert "Part of the link is missing" in answer.text


def test_an_unknown_game_is_not_found(client):
    start(client, 404, variant="whist")
    assert client.get("/games/new?variant=whist").status_code == 404


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (" Ana ", "Ana"),
        ("Ana\u200b\u202e", "Ana"),
        ("A\u0301na", "Ána"),
        ("Ana \t  Lu", "Ana Lu"),
        ("Ñandú 🂡", "Ñandú 🂡"),
        ("x" * 24, "x" * 24),
        ("é" * 24, "é" * 24),
        ("=1+1", "=1+1"),
    ],
)
def test_a_name_is_kept_clean(typed, kept):
    assert clean_name(typed) == kept


@pytest.mark.parametrize(
    "typed", ["", "   ", "\u200b", "x" * 25, "a\0b", "\ud800", "\u3164", "e" + "\u0301" * 99]
)
def test_a_name_that_cannot_be_shown_is_refused(typed):
    with pytest.raises(NameRefusedError):
        clean_name(typed)


def named(name):
    """The fields of the roster's forms, each with a key of its own."""
    return {"name": name, "key": new_key()}


def test_names_that_look_alike_are_one(client):
    assert fold_name("STRASSE") == fold_name("Straße")
    assert fold_name("Ａna") == fold_name("ana")
    assert client.post("/players", data=named("Ana"), headers=OWN).status_code == 303
    assert client.post("/players", data=named("ANA"), headers=OWN).status_code == 422


def test_a_renamed_player_is_renamed_in_every_game(client, table):
    table.play(6)
    ana = table.ids["ana"]

    client.post(f"/players/{ana}/name", data=named("Anna"), headers=OWN)

    assert table.pad.seats[0].name == "Anna"
    assert "Anna" in client.get("/history").text


def test_a_duplicate_name_shows_an_error_next_to_the_field(client, table):
    answer = client.post(f"/players/{table.ids['ana']}/name", data=named("Ben"), headers=OWN)

    assert answer.status_code == 422
    assert "Another player already has that name" in answer.text
    assert table.pad.seats[0].name == "Ana"


def test_an_unknown_player_cannot_be_renamed(client):
    answer = client.post("/players/999999/name", data=named("Eve"), headers=OWN)

    assert answer.status_code == 404


@pytest.mark.parametrize("slug", ["mexican-rummy", "rummy-500", "three-thirteen"])
def test_few_games_are_shown_at_once_and_the_chosen_one_among_them(database, slug):
    form = database.read(read_new_game, NewGameChoices(variant=slug))
    near, others = ([game.slug for game in games] for games in form.shelves)

    assert len([game for game in near if game not in POINTS_ONLY]) == AT_ONCE
    assert slug in near
    assert sorted(near + others) == sorted(game.slug for game in form.variants)


@pytest.mark.parametrize("fields", [("variant", "instead"), ("instead", "variant")])
def test_the_game_that_is_tapped_counts_wherever_its_button_stands(client, fields):
    # A browser sends the fields of a form in the order of the page, htmx its button first.
    said = {"variant": "mexican-rummy", "instead": "rummikub"}
    query = [(name, said[name]) for name in fields]

    page = client.get("/games/new", query_string=[*query, ("seat", "+Ana"), ("seat", "+Ben")])

    assert '<b aria-current="true"><span>Rummikub<' in page.text
    assert "Ana" in page.text


def test_the_game_played_last_is_offered_first(client, database):
    def offered():
        names = [variant.name for variant in variants.all()]
        page = html.unescape(client.get("/games/new").text)
        group = page.partition('id="games"')[2].partition("</div>")[0]
        return sorted(
            (name for name in names if f">{name}<" in group), key=lambda n: group.index(f">{n}<")
        )

    assert offered()[0] == "Mexican Rummy"
    Table(database, ("Ana", "Ben"), "carioca")
    Table(database, ("Ana", "Ben"), "remigio")

    assert offered()[:3] == ["Remigio", "Carioca", "Mexican Rummy"]
    assert len(offered()) == AT_ONCE
    assert client.get("/games/new").text.count('class="chip" data-pip') == len(
        [*variants.all(), *POINTS_ONLY]
    )


def test_a_game_is_found_by_a_word_of_its_name_or_its_line(client):
    page = client.get("/games/new?find=KNOCK").text
    folded = page[page.index('id="more-games"') :]

    assert 'id="more-games" open' in page
    assert 'value="gin-rummy"' in folded
    assert 'value="carioca"' not in folded
    assert "0 games found" in client.get("/games/new?find=xyzzy").text


def test_every_game_that_is_not_shown_at_once_is_in_one_family(database):
    form = database.read(read_new_game, NewGameChoices(variant=""))
    games = [game for _, games in form.families for game in games]

    assert sorted(game.slug for game in games) == sorted(game.slug for game in form.shelves[1])
    assert len(dict(form.families)) >= 4
    for family, games in form.families:
        assert family != "A contract each round" or all(game.contracts for game in games)
