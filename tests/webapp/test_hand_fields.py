"""Every field of a hand gets from the form into the ledger and back: a new one is not lost."""

from dataclasses import fields, replace

import pytest

from referee import variants
from tests.webapp.table import Table
from webapp.game.hand import Hand, _from_kept, _to_kept
from webapp.game.state import Cell, record_of
from webapp.game.teams import hands_on_pad, kept_of
from webapp.game.validation import CountForm
from webapp.ledger.ledger import new_key
from webapp.pages.counting.form import read_choice, write_choice

TYPED = {
    "left": "20+25",
    "table": "60",
    "out": True,
    "made": True,
    "base": 7,
    "bonus": {"natural": 2},
    "aside": 3,
    "reserve": False,
    "pairs": True,
    "penalties": 2,
}
"""What a form has for a player, field by field, each other than it is by default."""
READ = {"laid": ("4S 5S 6S",), "shown": "4S 5S 6S", "close": "closed", "joker": True}
"""What is read from the cards that were shown, and not from a field for a player."""
NOT_CONTENT = "base"
"""Two hands that were made from different entries can be the same."""
ONE, OTHER = 1, 2


def changed(name):
    return replace(Hand(), **{name: (TYPED | READ)[name]})


def test_each_field_of_a_hand_is_tried_here():
    tried = {*TYPED, *READ}

    assert {each.name for each in fields(Hand)} == tried, "Give the new field a value above."


@pytest.mark.parametrize("name", TYPED)
def test_a_field_that_was_sent_makes_a_form_another_one(name):
    blank, sent = (
        CountForm(key="k", hands={ONE: hand}).content for hand in (Hand(made=False), changed(name))
    )

    assert sent != blank


@pytest.mark.parametrize("name", [*TYPED, *READ])
def test_a_hand_with_a_field_set_is_another_hand(name):
    assert (changed(name).content != Hand().content) is (name != NOT_CONTENT)
    assert (changed(name) == Hand()) is False


@pytest.mark.parametrize("name", [*TYPED, *READ])
def test_a_field_is_stored_and_read_again(name):
    if name == "left":
        assert _from_kept(_to_kept(changed(name))).left == TYPED["left"]
    else:
        hand = replace(changed(name), left="0")
        assert getattr(_from_kept(_to_kept(hand)), name) == getattr(hand, name)


@pytest.mark.parametrize("name", [each for each in TYPED if each != "base"])
def test_a_line_that_can_be_chosen_says_each_field(name):
    hand = replace(Hand(made=False), **{name: TYPED[name]})

    assert read_choice(write_choice({ONE: hand}))[ONE] == hand


OF_A_TEAM = ("bonus", "aside", "reserve")
"""What only a team's line asks for."""
OF_A_HAND = ("pairs", "penalties")
"""What only a player’s own line asks for, if the game counts it."""
EACH = [name for name in TYPED if name not in ("base", "out", *OF_A_HAND)]


@pytest.mark.parametrize("name", OF_A_HAND)
def test_a_players_line_keeps_what_the_game_counts(database, name):
    table = Table(database, variant="101-okey")
    hand = replace(Hand(left="15", made=False), **{name: TYPED[name]})
    hands = {table.ids["ana"]: hand, table.ids["ben"]: Hand(out=True), table.ids["cleo"]: hand}
    table.save(1, CountForm(hands=hands, key=new_key(), sure=True))

    kept = table.state.rounds[0][table.ids["ana"]].hand
    assert getattr(kept, name) == getattr(hand, name)
    assert table.state.score.totals[0] == (30 if name == "pairs" else 217)


@pytest.mark.parametrize("name", OF_A_HAND)
def test_a_players_line_drops_what_the_game_does_not_count(database, name):
    table = Table(database, variant="mexican-rummy")
    hand = replace(Hand(left="15", made=False), **{name: TYPED[name]})
    hands = {table.ids["ana"]: hand, table.ids["ben"]: Hand(out=True), table.ids["cleo"]: hand}
    table.save(1, CountForm(hands=hands, key=new_key(), sure=True))

    kept = table.state.rounds[0][table.ids["ana"]].hand
    assert getattr(kept, name) == getattr(Hand(), name)


@pytest.mark.parametrize("name", [each for each in EACH if each not in (*OF_A_TEAM, "table")])
def test_a_players_line_keeps_each_field(database, name):
    table = Table(database, variant="eleven-phases")
    hand = replace(Hand(left="15", made=False), **{name: TYPED[name]})
    hands = {table.ids["ana"]: hand, table.ids["ben"]: Hand(out=True), table.ids["cleo"]: hand}
    table.save(1, CountForm(hands=hands, key=new_key(), sure=True))

    kept = table.state.rounds[0][table.ids["ana"]].hand
    assert getattr(kept, name) == getattr(hand, name)


@pytest.mark.parametrize("name", EACH)
def test_a_teams_line_keeps_each_field(name):
    game = next(each for each in variants.all() if each.aside and each.reserve)
    value = {game.bonuses[0].name: 2} if name == "bonus" else TYPED[name]
    sent = replace(Hand(left="15", table="20"), **{name: value})

    kept = kept_of(game, (ONE, OTHER), {ONE: sent, OTHER: Hand()})
    shown = hands_on_pad((ONE, OTHER), {who: on_pad(game, hand) for who, hand in kept.items()})

    assert getattr(shown[ONE], name) == value


def on_pad(game, hand):
    record = record_of(game, hand)
    return Cell(seq=1, hand=hand, record=record, left=hand.points, before=None, corrected=False)
