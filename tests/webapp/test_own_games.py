"""Games that a table has made its own: kept in versions, offered, played, left out when bent."""

import json

import pytest
from sqlalchemy import event, text

from referee.describing import Refused
from tests.webapp.table import OWN, Table
from webapp.db import Database
from webapp.language import speak
from webapp.ledger.ledger import FormKey, new_key, read_game
from webapp.own_games import catalog
from webapp.own_games import commands as keeping
from webapp.own_games.commands import OwnGameRefusedError, hide_game, save_game
from webapp.own_games.examples import ruled_today

pytestmark = pytest.mark.slow


def house_of_ours(**more):
    """A whole game without a word of prose but its name."""
    return {
        "schema": 1,
        "slug": "our-rummy",
        "players": [3, 6],
        "steps": ["2 sets of 3", "2 runs of 3", {"contract": "3 sets of 3", "deal": 12}],
        "pack": {"copies": 2, "jokers": 4},
        "deal": {"cards": 10},
        "set": {},
        "run": {},
        "wild": {"cards": ["JK"], "most": 2},
        "contract": {},
        "layoff": {},
        "score": {"hand": {"2-9": 5, "10-K": 10, "A": 15, "JK": 25}},
        "text": {"name": "Our rummy"},
    } | more


def save(database, spec=None, phone="phone", **more):
    sent = FormKey(key=new_key(), device=phone)
    return database.write(save_game, ruled_today(spec or house_of_ours()), sent, **more)


def start(database, slug):
    return Table(database, variant=slug)


def test_a_game_that_is_saved_is_offered_ruled_on_and_printed(client, database):
    slug = save(database)

    assert "Our rummy" in client.get("/games/new").text
    assert "Our rummy" in client.get("/games/own").text
    assert "A meld has at most 2 jokers." in client.get(f"/rules/{slug}").text
    assert client.get(f"/desk/{slug}?ask=meld&cards=7C+7D+7H").status_code == 200
    assert client.get(f"/desk/{slug}/advice").status_code == 200
    assert client.get(f"/print/{slug}").status_code == 200


def test_its_rules_are_in_the_language_of_the_page(database):
    slug = save(database)
    table = start(database, slug)
    speak("es")
    try:
        game, played = database.read(catalog.find_game, slug), table.pad.variant
    finally:
        speak("en")

    for told in (game, played):
        assert (told.name, told.language) == ("Our rummy", "es")
        assert "Cada jugador suma las cartas" in " ".join(
            clause.says for clause in told.rulebook.clauses
        )
    assert played.form == table.pad.variant.form
    assert database.read(catalog.find_game, slug).language == "en"


def test_it_is_played_and_called_by_its_name(client, database):
    table = start(database, save(database))
    table.play(2)

    assert table.pad.variant.name == "Our rummy"
    assert table.pad.seats[0].total == 0
    for page in ("", "/desk", "/desk/advice", "/print", "/sheet"):
        answer = client.get(f"/g/{table.pub}{page}")
        assert answer.status_code == 200, page
        assert "Own " not in answer.text
    assert "Our rummy" in client.get("/history").text


@pytest.mark.databases
def test_a_correction_is_a_new_version_and_leaves_games_in_progress_alone(database):
    slug = save(database)
    before = start(database, slug)
    costly = house_of_ours()
    costly["score"] = {"hand": {"2-9": 5, "10-K": 10, "A": 15, "JK": 50}}

    assert save(database, costly, slug=slug, seen=1) == slug
    after = start(database, slug)

    assert before.pad.variant.values.by_rank != after.pad.variant.values.by_rank or (
        before.pad.variant.form != after.pad.variant.form
    )
    assert json.loads(before.pad.variant.form)["score"]["hand"]["JK"] == 25
    assert json.loads(after.pad.variant.form)["score"]["hand"]["JK"] == 50
    assert database.read(catalog.read_catalog).own == {slug: 2}


def test_a_game_goes_on_by_its_name_if_it_has_been_renamed(database):
    slug = save(database)
    before = start(database, slug)

    save(database, house_of_ours(text={"name": "Their rummy"}), slug=slug, seen=1)

    assert before.pad.variant.name == "Our rummy"
    assert database.read(catalog.names_of_games)[slug] == "Their rummy"


def test_another_process_that_saved_a_version_is_seen(client, database):
    slug = save(database)
    assert "at most 2 jokers" in client.get(f"/rules/{slug}").text
    other = Database(database.engine.url.render_as_string(hide_password=False))
    changed = house_of_ours(wild={"cards": ["JK"], "most": 1})

    save(other, changed, slug=slug, seen=1)
    other.close()

    assert "at most 1 joker" in client.get(f"/rules/{slug}").text


def test_a_phone_that_saves_after_another_one_asks_before_it_saves(database):
    slug = save(database)
    save(database, house_of_ours(players=[2, 6]), slug=slug, seen=1)

    with pytest.raises(OwnGameRefusedError, match="version 2"):
        save(database, house_of_ours(players=[2, 5]), slug=slug, seen=1)

    save(database, house_of_ours(players=[2, 5]), slug=slug, seen=2)
    assert database.read(catalog.find_game, slug).players == range(2, 6)


def test_a_version_that_changes_nothing_is_not_kept_and_a_form_sent_twice_is_kept_once(database):
    sent = FormKey(key=new_key(), device="phone")
    slug = database.write(save_game, house_of_ours(), sent)

    assert database.write(save_game, house_of_ours(), sent) == slug
    assert save(database, slug=slug, seen=1) == slug
    assert database.read(catalog.read_catalog).own == {slug: 1}


def test_two_games_of_one_name_are_refused(database):
    save(database)

    for name in ("our RUMMY", "Gin Rummy"):
        with pytest.raises(OwnGameRefusedError):
            save(database, house_of_ours(text={"name": name}))


def test_only_a_game_is_kept(database):
    with pytest.raises(Refused):
        save(database, house_of_ours(deal={"cards": 40}))

    assert database.read(catalog.read_catalog).own == {}


def test_a_house_rule_of_which_a_value_makes_no_game_is_refused(database):
    options = {"deal": {"path": "deal.cards", "values": [10, 30]}}

    with pytest.raises(Refused, match=r"options\.deal"):
        save(database, house_of_ours(options=options))


def test_a_phone_saves_so_often_an_hour_and_others_still_may(database, monkeypatch):
    monkeypatch.setattr(keeping, "MOST_SAVES", 2)
    for count in range(2):
        save(database, house_of_ours(text={"name": f"Game {count}"}))

    with pytest.raises(OwnGameRefusedError):
        save(database, house_of_ours(text={"name": "Game 3"}))
    save(database, house_of_ours(text={"name": "Game 3"}), phone="another")


@pytest.mark.parametrize(("limit", "more"), [("MOST_GAMES", False), ("MOST_VERSIONS", True)])
def test_there_is_room_for_so_many(limit, more, database, monkeypatch):
    monkeypatch.setattr(keeping, limit, 1)
    slug = save(database)

    again = {"slug": slug, "seen": 1} if more else {}
    with pytest.raises(OwnGameRefusedError):
        save(database, house_of_ours(text={"name": "Another"}), **again)


def bend(database, slug):
    """A version that a later Laydown would have kept, or an earlier one."""
    spec = json.dumps({**house_of_ours(slug=slug), "schema": 99})

    def put(session):
        session.execute(
            text(
                "INSERT INTO own_version"
                " (game_id, number, hash, spec, prose, base_hash, device, at)"
                " SELECT game_id, number + 1, hash, :spec, prose, '', '', at FROM own_version"
            ),
            {"spec": spec},
        )

    database.write(put)


@pytest.mark.databases
def test_a_version_that_is_not_a_game_is_listed_with_its_sentence_and_its_games_continue(
    client, database
):
    slug = save(database)
    table = start(database, slug)
    bend(database, slug)

    assert "This game can’t be played" in client.get("/games/own").text
    assert client.get(f"/rules/{slug}").status_code == 404
    assert client.get("/games/new").status_code == 200
    form = {"variant": slug, "key": new_key(), "seat": ["+Ana", "+Ben", "+Cleo"]}
    assert client.post("/games", data=form, headers=OWN).status_code == 404
    table.play(3)
    assert table.pad.variant.name == "Our rummy"
    assert client.get(f"/g/{table.pub}/desk").status_code == 200


def test_a_game_that_is_hidden_is_offered_no_longer_and_can_be_shown_again(client, database):
    slug = save(database)
    table = start(database, slug)
    database.write(hide_game, slug, hidden=True, form_key=FormKey(key=new_key()))

    assert f'value="{slug}"' not in client.get("/games/new").text
    table.play(1)
    database.write(hide_game, slug, hidden=False, form_key=FormKey(key=new_key()))
    assert f'value="{slug}"' in client.get("/games/new").text


def test_a_rematch_goes_by_the_version_of_today(database):
    slug = save(database)
    state = database.read(read_game, start(database, slug).pub)

    assert state.start.variant == slug
    assert state.start.game["text"] == {"name": "Our rummy"}


def test_no_game_is_found_by_an_invalid_number(client):
    for slug in ("own-1", "own-0", "own-x", f"own-{'9' * 30}"):
        assert client.get(f"/rules/{slug}").status_code == 404


@pytest.mark.databases
def test_the_page_of_all_games_asks_the_database_as_often_for_six_as_for_two(client, database):
    asked = []
    event.listen(database.engine, "before_cursor_execute", lambda *sent: asked.append(sent[2]))
    counts = []
    for number in range(6):
        slug = save(database, house_of_ours(text={"name": f"Game {number}"}))
        if number in {1, 5}:
            database.write(hide_game, slug, hidden=True, form_key=FormKey(key=new_key()))
            asked.clear()
            page = client.get("/games/own").text
            counts.append(len(asked))

    assert counts[0] == counts[1]
    names = [f"Game {number}" for number in (4, 3, 2, 0, 5, 1)]
    assert sorted(names, key=page.index) == names
