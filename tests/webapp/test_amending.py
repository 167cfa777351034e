"""House rules that were set wrongly are put right in the middle of a game: it is counted again."""

from dataclasses import replace

import pytest

from tests.webapp.drafts import controls, kept, with_changes
from tests.webapp.table import HTMX, OWN, Table, sent
from webapp.game.facts import Amended
from webapp.ledger import ledger
from webapp.ledger.ledger import new_key, read_game
from webapp.pages.house_rules.commands import (
    AmendingRefusedError,
    amend,
    read_amending,
    read_drafted,
)
from webapp.pages.rulebook.draft import Draft, in_game
from webapp.pages.rulebook.view import show
from webapp.pages.scorepad import commands as taps
from webapp.text.refusals import GameFinishedError

pytestmark = pytest.mark.slow


def draft_of(table, patch):
    """The key of a draft with some changes, and what comes with each."""
    now = table.database.read(read_drafted, table.pub, new_key())
    draft = with_changes(now.base, *dict(patch).items())
    return kept(table.database, in_game(table.pub), draft.patch)


def page_of(table, patch=()):
    return table.database.read(read_amending, table.pub, draft_of(table, patch))


def change(table, patch, key="", seen=None):
    seen = page_of(table).seen if seen is None else seen
    return table.database.write(amend, table.pub, draft_of(table, patch), seen, sent(key))


def spec_of(table):
    return table.database.read(read_drafted, table.pub, new_key()).base.spec


def totals(table):
    return [seat.total for seat in table.pad.seats]


def options_of(table):
    return dict(table.state.variant.chosen)


@pytest.fixture
def rummy(database):
    """Two at Rummy 500: after a round it is 120 to 40."""
    table = Table(database, ("Ana", "Ben"), "rummy-500")
    table.count(1, ana="120/out", ben="60/20")
    return table


def test_every_round_counts_by_the_new_house_rules(database):
    table = Table(database, ("Ana", "Ben", "Cleo"), "remigio")
    table.count(1, ana="out", ben="10", cleo="20", close="colour")
    before = totals(table)
    special = spec_of(table)["hand"]["special"]
    patch = {"hand.special": special | {"colour": special["colour"] | {"times": 5}}}
    told = page_of(table, patch)
    change(table, patch)

    assert told.differs
    assert [(each.now, each.new) for each in told.totals] == [(90, 150), (-30, -50), (-60, -100)]
    assert before == [90, -30, -60]
    assert totals(table) == [150, -50, -100]
    assert table.pad.moves


def test_hands_that_were_entered_as_a_number_are_named_if_cards_count_otherwise(database):
    table = Table(database, ("Ana", "Ben"))
    table.count(1, ana="out", ben="45")
    hand = spec_of(table)["score"]["hand"]

    assert "Ben’s in round 1" in page_of(table, {"score.hand": hand | {"A": 20}}).stays
    assert not page_of(table, {"deal.cards": 12}).stays


def test_a_change_can_end_the_game_and_undo_opens_it_again(rummy):
    change(rummy, {"end.total": 100})
    assert rummy.pad.over

    rummy.undo()
    assert not rummy.pad.over
    rummy.redo()
    assert rummy.pad.over


def test_what_was_changed_last_counts_and_undo_brings_back_what_was_before(rummy):
    change(rummy, {"end.total": 100})
    change(rummy, {"end.total": 300})
    assert options_of(rummy) == {"/end.total": 300}

    rummy.undo()
    assert options_of(rummy) == {"/end.total": 100}
    rummy.undo()
    assert options_of(rummy) == {}


def test_what_is_not_chosen_stays_as_it_was_changed_before(database):
    table = Table(database, ("Ana", "Ben"), "rummy-500", options={"target": "300"})
    change(table, {"set.max": 3})

    assert options_of(table) == {"target": 300, "/set.max": 3}
    assert table.state.variant.pad.target == 300


def test_rules_that_are_so_already_enter_nothing(rummy):
    entered = len(rummy.state.entered)
    change(rummy, {"end.total": 500})

    assert len(rummy.state.entered) == entered


def test_the_same_form_sent_twice_changes_them_once(rummy):
    key, same = draft_of(rummy, {"end.total": 300}), sent()
    for _ in range(2):
        rummy.database.write(amend, rummy.pub, key, 0, same)

    assert sum(isinstance(entry.fact, Amended) for entry in rummy.state.entered) == 1


def test_rules_that_another_phone_changed_meanwhile_are_not_changed_back(rummy):
    change(rummy, {"end.total": 300}, seen=0)
    with pytest.raises(AmendingRefusedError):
        change(rummy, {"set.max": 3}, seen=0)

    assert options_of(rummy) == {"/end.total": 300}
    change(rummy, {"set.max": 3}, seen=page_of(rummy).seen)
    assert options_of(rummy) == {"/end.total": 300, "/set.max": 3}


def test_a_rematch_is_played_by_the_rules_as_they_were_changed(rummy):
    change(rummy, {"end.total": 100})
    rummy.tap(taps.finish_game)
    again = rummy.tap(taps.play_again)

    assert dict(rummy.database.read(read_game, again).start.options) == {"/end.total": 100}


def test_the_rules_of_a_finished_game_stay(rummy):
    rummy.tap(taps.finish_game)

    with pytest.raises(GameFinishedError):
        change(rummy, {"end.total": 100}, seen=0)


def test_a_game_that_is_no_longer_the_one_of_today_is_changed_from_the_rules_it_has(rummy):
    start = rummy.state.start
    older = replace(start, game={**start.game, "deal": {**start.game["deal"], "cards": 12}})
    form = ledger.Submission(key=new_key(), content="older", device="phone")
    rummy.pub = rummy.database.write(ledger.begin, form, older)
    change(rummy, {"end.total": 100})

    now = rummy.state.variant
    assert (now.hand_size, now.pad.target) == (12, 100)


def test_the_options_of_a_game_of_points_alone_are_changed_like_rules(database):
    table = Table(database, ("Ana", "Ben"), "just-points", called="Spades")
    table.count(1, ana="20", ben="30")
    change(table, {"end.leads": "lowest", "points.target": 50, "points.rounds": 9})

    now = table.state.variant
    assert now.name == "Spades"
    assert (now.pad.asks_at, now.pad.asks_after) == (50, 9)


def test_rules_for_another_number_of_players_are_refused(rummy):
    with pytest.raises(AmendingRefusedError):
        change(rummy, {"players": [3, 4]})
    assert "is for 3 to 4 players" in page_of(rummy, {"players": [3, 4]}).problem


def test_cards_that_would_be_gone_keep_the_rules_as_they_are(database):
    table = Table(database, ("Ana", "Ben"), "remigio")
    left = "5H 5S 5D 6D 7D KC QH 9S 2C AH"
    table.count(1, ana="out", ben=left, shown="4S 4H 4D 9C 10C JC QC AD 2D 3D")

    assert "aren’t in the deck" in page_of(table, {"pack.remove": ["K"]}).problem


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["mexican-rummy", "rummikub"])
def test_every_tap_in_a_game_that_is_played_comes_to_a_page(client, database, slug):
    table = Table(database, ("Ana", "Ben", "Cleo"), slug)
    table.play(2)
    of = database.read(read_drafted, table.pub, new_key()).base
    for row in [row.id for row in show(of, Draft(""), "").rows if row.paths]:
        page = show(of, Draft(""), row)
        for each in controls(next(one for one in page.rows if one.id == row)):
            for choice in each.choosable[:1]:
                key = new_key()
                tapped = client.post(
                    f"/g/{table.pub}/house-rules/taps?d={key}",
                    data={"set": choice.sets, "open": row},
                    headers=OWN | HTMX,
                )
                assert tapped.status_code == 200, choice.sets
                # A tap on what is already so leaves nothing to look at: that leads back to the pad.
                done = f"/g/{table.pub}/house-rules/done?d={key}"
                assert client.get(done, follow_redirects=True).status_code == 200


def test_a_draft_says_when_the_rules_of_its_game_changed_under_it(client, rummy):
    key, address = new_key(), f"/g/{rummy.pub}/house-rules"
    moved = "changed the house rules"
    client.post(f"{address}/taps?d={key}", data={"set": '["set.max",3]'}, headers=OWN | HTMX)
    assert moved not in client.get(f"{address}?d={key}").text

    change(rummy, {"end.total": 300})
    assert moved in client.get(f"{address}?d={key}").text
    client.post(f"{address}/taps?d={key}", data={"set": '["run.max",5]'}, headers=OWN | HTMX)
    assert moved not in client.get(f"{address}?d={key}").text
    assert page_of(rummy).seen


def test_the_page_is_whole_without_scripts(phone, rummy):
    phone.open(f"/g/{rummy.pub}")
    phone.tap("House rules")
    key = draft_of(rummy, {"end.total": 100})
    looked = phone.open(f"/g/{rummy.pub}/house-rules/done?d={key}")
    assert "The game is over now: Ana wins." in looked.text
    saved = phone.press("Rescore and continue")

    assert "House rules changed" in saved.text
