"""Ratings: those of a plain computation, whatever happens to the games, and off until asked for."""

import ast
import random
from datetime import timedelta
from pathlib import Path

import pytest
from openskill.models import PlackettLuce
from sqlalchemy import literal, null, select

from tests.bench.games import pub_of
from tests.webapp.books import add_players
from tests.webapp.evenings import DAY, UNPAID, at, facts, write
from tests.webapp.table import OWN, Page, Table, sent
from webapp.ledger import ledger
from webapp.ledger.deleting import delete_game
from webapp.models import utcnow
from webapp.pages.deleting.commands import delete
from webapp.pages.scorepad import commands as taps
from webapp.pages.standings.view import read_house
from webapp.players.commands import merge_players
from webapp.standings import ratings
from webapp.standings.ratings import are_shown, read_ratings, show_ratings

pytestmark = pytest.mark.slow


def plain(database, numbers, same):
    """Ratings from the entries of games alone, all of them read and rated once more."""
    model = PlackettLuce(mu=1500, sigma=500, beta=250, tau=5)
    states = {n: database.read(ledger.read_game, pub_of(n)) for n in numbers}
    over = [(n, state) for n, state in states.items() if state.finished and state.rounds]
    ratings = {}
    for _, state in sorted(over, key=lambda each: (last_hand(each[1]), each[0])):
        place = dict(zip(state.seats, state.score.places, strict=True))
        won = {state.seats[place] for place in state.winners}
        ranks = {same.get(who, who): 0.0 if who in won else float(place[who]) for who in place}
        people = sorted(ranks)
        teams = [[ratings.get(who) or model.rating()] for who in people]
        rated = model.rate(teams, ranks=[ranks[who] for who in people])
        ratings.update({who: team[0] for who, team in zip(people, rated, strict=True)})
    return {who: (round(each.mu), round(1.6449 * each.sigma)) for who, each in ratings.items()}


def last_hand(state):
    return [entry.at for entry in state.entered if hasattr(entry.fact, "hands")][-1]


def shown(database):
    found = database.read(read_ratings, UNPAID)[UNPAID]
    return {who: (each.middle, each.spread) for who, each in found.items()}


def games(people, chance, count):
    """Games in the order in which they were begun; some last longer than the next."""
    for number in range(count):
        seats = chance.sample(people, chance.randint(2, 4))
        rounds = [chance.randrange(4) for _ in range(chance.randint(1, 4))]
        yield DAY + timedelta(minutes=15 * number), facts(seats, rounds)


@pytest.mark.databases
def test_ratings_are_those_of_a_plain_computation_whatever_happens_to_the_games(database):
    chance = random.Random(5)
    people = add_players(database, 6)
    write(database, *games(people, chance, 12))
    numbers = list(range(1, 13))
    assert shown(database) == plain(database, numbers, {})

    # Games that end afterwards are added, and so is one that ended long before.
    later = [(begun + timedelta(days=3), each) for begun, each in games(people, chance, 4)]
    write(database, *later, first=13)
    numbers += range(13, 17)
    assert shown(database) == plain(database, numbers, {})
    write(database, (DAY - timedelta(days=9), facts(people[:3], [1, 0])), first=17)
    numbers.append(17)
    assert shown(database) == plain(database, numbers, {})

    database.write(taps.reopen_game, pub_of(4), sent())
    assert shown(database) == plain(database, numbers, {})
    database.write(delete_game, pub_of(6))
    numbers.remove(6)
    assert shown(database) == plain(database, numbers, {})
    database.write(taps.finish_game, pub_of(4), sent())
    assert shown(database) == plain(database, numbers, {})


def test_ratings_that_are_remembered_for_too_long_are_noticed(database, monkeypatch):
    people = add_players(database, 3)
    monkeypatch.setattr(ratings, "_VERSION", select(literal(1), literal(1), null(), null()))
    write(database, (at(20), facts(people, [0])))
    assert shown(database) == plain(database, [1], {})
    write(database, (at(21), facts(people, [1])), first=2)

    assert shown(database) != plain(database, [1, 2], {})


def test_openskill_is_imported_only_if_ratings_are_asked_for():
    tree = ast.parse(Path(ratings.__file__).read_text(encoding="utf-8"))
    first = [node.module for node in tree.body if isinstance(node, ast.ImportFrom)]

    assert "webapp.models" in first
    assert "openskill.models" not in first


def test_two_who_are_one_person_have_one_rating(database):
    ana, ben, anna = add_players(database, 3)
    write(database, (at(20), facts([ana, ben], [0])), (at(21), facts([ben, anna], [1, 1])))
    assert set(shown(database)) == {ana, ben, anna}

    database.write(merge_players, anna, "Player 1", sent())

    assert shown(database) == plain(database, [1, 2], {anna: ana})
    assert set(shown(database)) == {ana, ben}


def test_a_player_who_wins_again_and_again_is_rated_higher_and_more_surely(database):
    ana, ben = add_players(database, 2)
    write(database, (at(20), facts([ana, ben], [0])))
    once = database.read(read_ratings, UNPAID)[UNPAID]
    write(database, *((at(21 + n), facts([ana, ben], [0])) for n in range(9)), first=2)

    often = database.read(read_ratings, UNPAID)[UNPAID]

    assert often[ana].middle > once[ana].middle > 1500 > once[ben].middle > often[ben].middle
    assert often[ana].spread < once[ana].spread < 822
    assert often[ana].says == f"{often[ana].middle} ± {often[ana].spread}"


def test_a_game_of_another_kind_moves_no_rating(database):
    ana, ben = add_players(database, 2)
    write(database, (at(20), facts([ana, ben], [0])))
    before = shown(database)
    write(database, (at(21), facts([ana, ben], [1], slug="rummikub")), first=2)

    assert shown(database) == before


def test_ratings_are_off_until_they_are_switched_on_and_are_switched_off_alike(phone, database):
    table = Table(database)
    table.play(6)
    table.tap(taps.finish_game)
    ana = f"/players/{table.ids['ana']}"

    standings = "/standings?game=mexican-rummy"
    assert "rating 1" not in phone.open(standings).text
    page = phone.press("Show ratings")
    says = f"rating {database.read(read_ratings, UNPAID)[UNPAID][table.ids['ana']].says}"
    assert says in page.text
    assert "Nine times out of ten" in page.text
    assert says.capitalize() in phone.open(ana).text

    phone.open(standings)
    assert "Show ratings" in phone.press("Turn ratings off").text
    assert "Rating 1" not in phone.open(ana).text


def test_the_page_stays_at_the_game_and_the_season_it_showed(phone, database):
    table = Table(database)
    table.play(6)
    table.tap(taps.finish_game)

    year = utcnow().year
    phone.open(f"/standings?game=mexican-rummy&season={year}")
    page = phone.press("Show ratings")

    assert f"Mexican Rummy, {year}" in page.text


def test_a_form_that_comes_late_does_not_switch_them_on_again(client, database):
    form = {"key": ledger.new_key(), "shown": "1"}
    client.post("/standings/ratings", data=form, headers=OWN)
    database.write(show_ratings, shown=False, form_key=sent())

    client.post("/standings/ratings", data=form, headers=OWN)

    assert not database.read(are_shown)


def test_what_the_house_has_switched_on_outlasts_deleting_everything(database):
    database.write(show_ratings, shown=True, form_key=sent())
    database.write(delete, "everything", 0, "everything", sent())

    assert database.read(are_shown)


def test_without_a_game_there_is_nothing_to_switch(client, database):
    database.write(show_ratings, shown=True, form_key=sent())

    assert "ratings" not in Page(client.get("/standings")).text
    assert database.read(read_house).lines == ()
