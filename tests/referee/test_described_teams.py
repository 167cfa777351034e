"""What a description says of teams, bonuses, second hands and the pile: checked, told, built."""

import json

import pytest

from referee.describing import Refused, brought, build, changed, sentences_of
from referee.describing.changing import start_of
from referee.describing.checking import check_rules
from referee.describing.checking.unruled import unruled
from referee.melds.grounds import legal_readings
from referee.protocol import answer_line
from referee.saying import LANGUAGES
from tests import described


def canasta(**patch):
    """Canasta with some paths set."""
    return changed(described.rules_of(described.GAMES / "canasta.toml"), patch)


def against(**patch):
    """The paths that are complained of in Canasta with some paths set."""
    try:
        return {complaint.path for complaint in unruled(check_rules(canasta(**patch)))}
    except Refused as refused:
        return {complaint.path for complaint in refused.complaints}


@pytest.mark.parametrize(
    ("patch", "path"),
    [
        ({"teams.size": 2}, "teams.size"),
        ({"teams.size": {"2-3": 1, "4": 4, "5": 1, "6": 3}}, "teams.size"),
        ({"teams.size": {"2-4": 1}}, "teams.size"),
        ({"set.without": ["14"]}, "set.without"),
        ({"set.last": ["red 5"]}, "set.last"),
        ({"draw.blocked": ["0"]}, "draw.blocked"),
        ({"draw.top": ["any", "pair"]}, "draw.top"),
        ({"draw.top": []}, "draw.top"),
        ({"draw.top": ["triple"]}, "draw.top"),
        ({"aside": None}, "draw.frozen"),
        ({"aside.minus": "needs", "out.needs": {}}, "aside.minus"),
        ({"out.needs": {"samba": 1}}, "out.needs"),
        ({"bonus": None}, "out.needs"),
        ({"bonus.melds": {"wild": {"of": "wilds", "cards": 7, "points": 9}}}, "bonus.melds"),
        ({"bonus.melds": {"long": {"of": "run", "cards": 7, "points": 9}}}, "bonus.melds"),
        ({"bonus.melds": {"long": {"points": 9}}}, "bonus.melds"),
        ({"opening.by-total": {"many": 50}}, "opening.by-total"),
        ({"opening": None, "steps": [{"opening": 50}]}, "steps, line 1"),
        ({"reserve": {"cards": 30}}, "deal.cards"),
        ({"free": None, "hand": {}, "opening": None, "layoff": None}, "run"),
    ],
    ids=str,
)
def test_what_can_not_go_together_is_said_of_its_field(patch, path):
    assert path in against(**patch)


@pytest.mark.parametrize("size", [1, {"2-3": 1, "4": 2, "5": 1, "6": 2}])
def test_teams_of_one_and_three_teams_of_two_are_teams(size):
    assert not against(**{"teams.size": size})


def test_a_team_is_worked_out_of_its_size():
    game = build(canasta())

    assert game.teams(4) == ((0, 2), (1, 3))
    assert game.teams(6) == ((0, 2, 4), (1, 3, 5))
    assert [game.in_teams(players) for players in game.players] == [False, False, True, False, True]


def test_the_dearest_bonus_comes_first_in_whatever_order_they_are_written():
    written = canasta()
    turned = canasta(**{"bonus.melds": dict(reversed(written["bonus"]["melds"].items()))})

    assert [bonus.name for bonus in build(written).bonuses] == ["natural", "mixed"]
    assert build(turned).bonuses == build(written).bonuses
    assert build(json.loads(build(written).form)).bonuses[0].points == 500


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("path", "value", "clause"),
    [
        ("teams.size", {"2-5": 1, "6": 2}, "teams"),
        ("set.without", ["3", "4"], "set-without"),
        ("set.last", [], "set-last"),
        ("set.once", False, "set-once"),
        ("wild.counts", "stands-for", "wild-counts"),
        ("opening.by-total", {"0": 60}, "opening"),
        ("opening.points", 40, "opening"),
        ("steps", [{"opening": 50}, {"opening": 90}], "opening"),
        ("draw.cards", 2, "draw"),
        ("draw.depth", 7, "draw"),
        ("draw.top", ["free"], "draw-top"),
        ("draw.top", ["any"], "draw-top"),
        ("draw.top", ["open"], "draw-top"),
        ("draw.frozen", ["not-down"], "frozen"),
        ("draw.frozen", ["aside"], "frozen"),
        ("draw.frozen", [], "frozen"),
        ("draw.blocked", [], "blocked"),
        ("aside.cards", ["3"], "aside"),
        ("aside.each", 50, "aside-points"),
        ("aside.all", None, "aside-points"),
        ("aside.minus", "needs", "aside-minus"),
        ("bonus.melds", {"long": {"cards": 8, "unbroken": 7, "points": 150}}, "bonus-melds"),
        ("out.needs", {"any": 2}, "out-needs"),
        ("out.wild", False, "out-wild"),
        ("reserve", {"cards": 11, "of": "team", "untaken": 100}, "reserve"),
        ("run", {"without": ["3"]}, "run-without"),
        ("run", {"ace": "either"}, "ace"),
    ],
    ids=str,
)
def test_every_value_is_told(language, path, value, clause):
    before = sentences_of(check_rules(canasta()), language=language)
    now = sentences_of(check_rules(canasta(**{path: value})), language=language)

    assert before.get(clause) != now.get(clause)
    assert "{" not in now.get(clause, "")


def test_a_table_of_teams_begins_with_two_teams_at_each_table_that_can_have_them():
    started = start_of("teams", {"players": [2, 8]})

    assert started == {"size": {"2-3": 1, "4": 2, "5": 1, "6": 3, "7": 1, "8": 4}}
    rummy = described.rules_of(described.GAMES / "500-rum.toml")
    now = changed(rummy, {"teams": start_of("teams", rummy)})
    assert build(changed(now, brought(rummy, now))).in_teams(4)


def test_cards_of_a_rank_can_score_apart_by_their_suit():
    hearts = {"3-7": 5, "8-K": 10, "A": 20, "2": 20, "JK": 50, "hearts K": 40}
    game = build(canasta(**{"score.table": hearts}))
    kings = game.pack.parse("KS KH KD")

    (reading, *_) = legal_readings(kings, game.melds_at(None))
    assert game.worth(reading) == (10, 40, 10)


@pytest.mark.parametrize(
    ("patch", "bare"),
    [
        ({}, "A 2 B3 R3 4 5 6 7 8 9 10 J Q K"),
        ({"set.without": [], "set.last": [], "draw.blocked": ["2", "JK"]}, "A 2 B3 R3 4"),
        ({"score.hand": {"3-K": 5, "red A": 50, "black A": 10, "2": 20, "JK": 50}}, "BA RA 2 B3"),
        ({"score.hand": {"3-K": 5, "A": 20, "2": 20, "JK": 50, "QS": 40}}, ""),
        ({"set.without": ["3", "7H"]}, ""),
        ({"set.suits": "different"}, ""),
        ({"run": {}}, ""),
    ],
)
def test_a_card_needs_no_suit_if_no_rule_looks_at_it(patch, bare):
    kinds = [str(card) for card in build(canasta(**patch)).pack.notation.bare]

    assert kinds[: len(bare.split())] == bare.split()
    assert bool(kinds) is bool(bare)


def test_a_question_in_json_has_suits_also_where_no_rule_looks_at_them():
    question = {"id": "1", "variant": "canasta", "ask": "meld", "cards": "7 7 7"}

    assert answer_line(json.dumps(question))["error"]["code"] == "bad-card"
