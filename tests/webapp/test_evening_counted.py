"""This evening, held against a second computation as plain as can be."""

from collections import Counter
from datetime import timedelta
from fractions import Fraction
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.bench.games import pub_of, write_games
from tests.examples import examples
from tests.webapp.books import add_players
from tests.webapp.evenings import DAY, PAID, UNPAID, facts, pubs
from webapp.game.settlement import settle_all
from webapp.history.sessions import together
from webapp.ledger import ledger
from webapp.pages.evening.view import read_evening
from webapp.players.queries import read_players

pytestmark = pytest.mark.usefixtures("in_greenwich")

_NUMBERS = count(1)
_DAYS = count(0)
HOURS = st.integers(min_value=0, max_value=40)
GAMES = st.lists(
    st.tuples(
        HOURS,
        st.lists(st.integers(0, 13), min_size=2, max_size=4, unique=True),
        st.lists(st.integers(0, 3), max_size=3),
        st.sampled_from((*PAID, UNPAID)),
        st.sampled_from(("", "1", "0.05", "0.0025", "3.50")),
        st.sampled_from(("", "€", "pesos")),
        st.booleans(),
    ),
    min_size=1,
    max_size=9,
)


def plain_sitting(games, pub):
    """The games that hang together with one, found by asking again and again who has met whom."""
    counted = [game for game in games if game["rounds"] or game["pub"] == pub]
    [asked] = [game for game in counted if game["pub"] == pub]
    found = [asked]
    for game in found:
        found += [
            other
            for other in counted
            if other not in found
            and set(other["people"]) & set(game["people"])
            and (other["at"] - timedelta(hours=5)).date()
            == (game["at"] - timedelta(hours=5)).date()
        ]
    return sorted(found, key=lambda game: (game["at"], game["number"]))


def plain_money(database, games):
    """What each has won, as fractions of the currency."""
    money = {}
    for game in games:
        state = database.read(ledger.read_game, game["pub"])
        if not game["stake"] or not game["end"]:
            continue
        won = money.setdefault(game["currency"], Counter())
        for who, total in zip(state.seats, state.score.totals, strict=True):
            won[who] += total * Fraction(game["stake"])
    return money


@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=GAMES)
def test_an_evening_is_what_a_plain_count_finds(database, drawn):
    people = _people(database)
    begins = DAY + timedelta(days=4 * next(_DAYS))
    games = []
    for hour, seats, outs, slug, stake, currency, end in drawn:
        paid = {"stake": stake, "currency": currency} if stake and slug in PAID else {}
        number = next(_NUMBERS)
        games.append(
            {
                "number": number,
                "pub": pub_of(number),
                "at": begins + timedelta(hours=hour),
                "people": [people[seat] for seat in seats],
                "rounds": len(outs),
                "stake": paid.get("stake", ""),
                "currency": paid.get("currency", ""),
                "end": end,
                "facts": list(
                    facts(
                        [people[seat] for seat in seats],
                        outs,
                        slug=slug,
                        end=end,
                        **paid,
                    )
                ),
            }
        )
    database.write(write_games, [(game["number"], game["at"], game["facts"]) for game in games])

    for game in games:
        evening = database.read(read_evening, game["pub"])
        plain = plain_sitting(games, game["pub"])
        assert pubs(evening) == [each["pub"] for each in plain]
        states = {each["pub"]: database.read(ledger.read_game, each["pub"]) for each in plain}
        wins = Counter(state.seats[place] for state in states.values() for place in state.winners)
        names = {people[n]: f"Player {n + 1}" for n in range(14)}
        assert {player.name: player.wins for player in evening.players} == {
            names[who]: wins[who] for each in plain for who in each["people"]
        }
        money = plain_money(database, plain)
        assert len(evening.money) == len(money)
        for balance, won in zip(evening.money, money.values(), strict=True):
            assert {player.name: as_number(says) for player, says in balance.balances} == {
                names[who]: amount for who, amount in won.items()
            }
            owed = {player.name: as_number(says) for player, says in balance.balances}
            for debt in balance.debts:
                owed[debt.payer.name] += as_number(debt.amount)
                owed[debt.payee.name] -= as_number(debt.amount)
            assert not any(owed.values())
            assert len(balance.debts) <= max(sum(map(bool, won.values())) - 1, 0)


def _people(database):
    """Those of the book, or fourteen who are put there."""
    found = {line.name: line.id for line in database.read(read_players)}
    return [found[f"Player {n + 1}"] for n in range(14)] if found else add_players(database, 14)


def as_number(says):
    """An amount without its currency."""
    return Fraction(says.split(" ")[0].replace("−", "-").replace("+", ""))


@given(st.lists(st.frozensets(st.integers(0, 12), min_size=1, max_size=4), max_size=12))
def test_no_two_sittings_share_a_player_and_none_can_be_parted(tables):
    sittings = together(enumerate(tables))

    assert sorted(place for places in sittings for place in places) == list(range(len(tables)))
    everybody = [set().union(*(tables[place] for place in places)) for places in sittings]
    assert sum(map(len, everybody)) == len(set().union(*tables))
    for places in sittings:
        met, left = set(tables[places[0]]), set(places)
        while near := {place for place in left if tables[place] & met}:
            left -= near
            met.update(*(tables[place] for place in near))
        assert not left


@given(st.lists(st.integers(-50, 50), max_size=24))
def test_every_balance_is_settled_with_fewer_payments_than_people(won):
    units = {who: each for who, each in enumerate((*won, -sum(won)), 1) if each}

    paid = list(settle_all(units))

    assert len(paid) <= max(len(units) - 1, 0)
    assert all(amount > 0 for *_, amount in paid)
    for payer, payee, amount in paid:
        units[payer] += amount
        units[payee] -= amount
    assert not any(units.values())
