"""Each phone saves its own hand of a round, and the round counts once all hands are in."""

from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import inspect, text

from tests.webapp.older import make_older
from tests.webapp.table import HTMX, OWN, Table, count_form, entries
from webapp.db import Database
from webapp.game import validation
from webapp.game.facts import Undone, canonical
from webapp.game.hand import Hand
from webapp.game.validation import CountConflictError, CountForm, CountRefusedError
from webapp.ledger.ledger import new_key
from webapp.migrations import migrate
from webapp.pages.counting.view import fill_count
from webapp.pages.phones.view import read_phones
from webapp.text.refusals import NotLastError

NAMES = ("ana", "ben", "cleo")


def part(table: Table, number: int, device: str = "phone", **more) -> None:
    """Save some hands of a round from one phone; the others are blank on its form."""
    blank = dict.fromkeys((name for name in table.ids if name not in more), "")
    typed = table.typed(number, **{**blank, **more})
    table.save(number, replace(typed, part=True, key=new_key(), device=device))


def by_three(table: Table, number: int = 1) -> None:
    """Save a round from three phones."""
    for name, hand in zip(NAMES, ("out", "45", "60"), strict=True):
        part(table, number, name, **{name: hand})


def test_a_round_counts_once_every_phone_has_saved_its_hand(table):
    assert table.pad.missing == "", "nobody has saved a hand yet, so none is missing"
    part(table, 1, "one", ben="45")
    assert table.scores()[0] == [None, 45, None]
    assert table.totals() == [0, 0, 0]
    assert table.pad.in_says == "Ben is in. 2 players to go."
    assert table.pad.missing == "Ana and Cleo"
    part(table, 1, "two", ana="out")
    assert table.pad.in_says == "Ana and Ben are in. 1 player to go."
    part(table, 1, "three", cleo="60")

    assert table.totals() == [0, 45, 60]
    assert (table.pad.in_says, table.pad.missing) == ("", "")
    assert entries(table) == ["started", "counted", "counted", "counted"]


def test_a_blank_of_a_part_is_nothing_that_anybody_has_left(table):
    def others_stay_blank() -> None:
        part(table, 1, ana="out")
        assert table.scores()[0] == [0, None, None]

    others_stay_blank()


def test_what_may_stay_blank_in_a_whole_round_is_no_nothing_in_a_part(database, monkeypatch):
    def stays_blank() -> None:
        table = Table(database, ("Ana", "Ben"), "just-points")
        part(table, 1, ana="7")
        assert [*table.state.counting] == [table.ids["ana"]]

    stays_blank()
    # The check would notice a part that is read like a whole round.
    empty = validation._Check.empty.func
    whole = property(lambda check: empty(replace(check, form=replace(check.form, part=False))))
    monkeypatch.setattr(validation._Check, "empty", whole)
    with pytest.raises(validation.CountRefusedError):
        stays_blank()


def test_a_form_that_was_made_before_another_hand_was_saved_leaves_that_alone(table):
    stale = table.typed(1, ana="out", ben="", cleo="60")
    part(table, 1, "other", ben="45")
    table.save(1, stale)

    assert table.totals() == [0, 45, 60]


def test_a_hand_that_was_corrected_since_the_form_was_made_is_not_asked_about(table):
    part(table, 1, ana="out", ben="45")
    stale = replace(table.typed(1, ana="out", ben="45", cleo="60"), part=True)
    part(table, 1, "other", ana="out", ben="55")
    table.save(1, stale)

    assert table.totals() == [0, 55, 60]


def test_a_hand_that_was_undone_since_the_form_was_made_is_not_saved_again_with_another(table):
    part(table, 1, ben="45")
    whole = table.typed(1, ana="out", ben="45", cleo="60")
    stale = replace(table.typed(1, ana="out", ben="45", cleo=""), part=True)
    table.undo()
    with pytest.raises(CountConflictError):
        table.save(1, whole)
    table.save(1, stale)

    assert table.scores()[0] == [0, None, None]


def test_of_two_numbers_for_one_hand_both_are_shown(table):
    stale = replace(table.typed(1, ana="", ben="55", cleo=""), part=True)
    part(table, 1, "other", ben="45")
    assert table.database.read(fill_count, table.pub, 1, stale).kind == "doubt"
    with pytest.raises(CountConflictError) as error:
        table.save(1, stale)

    line = error.value.page.lines[1]
    assert [(each.says, each.whose) for each in line.choices] == [("45", "pad"), ("55", "you")]
    assert table.scores()[0] == [None, 45, None]
    same = replace(table.typed(1, ana="", ben="45", cleo="", seen={"ben": 0}), part=True)
    table.save(1, same)
    assert len(entries(table)) == 2


def test_a_round_of_several_phones_is_undone_as_one_and_redone(table, client):
    table.play(1)
    by_three(table, 2)
    assert table.pad.undo.round == 2
    assert table.pad.undo.says == "round 2"
    table.undo()

    assert table.scores()[1] == [None, None, None]
    assert table.totals() == [0, 60, 60]
    assert table.pad.redo.round == 2
    assert table.pad.redo.says == "round 2"
    assert "Redo round 2" in client.get(f"/g/{table.pub}/board").text
    # No phone is named for it: it isn’t listed as all of a phone.
    assert table.database.read(read_phones, table.pub, "one").undone == ()
    fact = table.state.entered[-1].fact
    assert isinstance(fact, Undone)
    table.redo()
    assert table.totals() == [0, 105, 120]


def test_a_round_that_was_undone_is_counted_anew(table):
    by_three(table)
    seq = table.pad.undo.seq
    table.undo()
    part(table, 1, ben="50")
    with pytest.raises(NotLastError):
        table.void(seq)
    table.undo()
    assert table.scores()[0] == [None, None, None]
    by_three(table)
    assert table.totals() == [0, 45, 60]


def test_undo_takes_back_one_hand_while_others_are_missing(table):
    part(table, 1, ana="out")
    part(table, 1, ben="45")
    assert table.pad.undo.round is None
    table.undo()

    assert table.scores()[0] == [0, None, None]


def test_a_doubt_about_a_hand_is_asked_of_the_phone_that_saves_it_alone(table, monkeypatch):
    def asks_once() -> None:
        with pytest.raises(CountRefusedError) as asked:
            part(table, 1, ben="650")
        assert [box.box.id for box in asked.value.page.asked.boxes] == [f"left-{table.ids['ben']}"]
        part(table, 1, ben="650", sure=True)
        part(table, 1, ana="out")
        part(table, 1, cleo="60")
        assert table.pad.problems == ()

    with monkeypatch.context() as broken:
        broken.setattr(validation._Check, "was_saved_over", lambda *_: False)
        with pytest.raises(CountRefusedError):
            asks_once()
    while table.pad.undo:
        table.undo()
    asks_once()
    assert table.totals() == [0, 650, 60]


def test_a_doubt_about_the_round_is_asked_of_the_phone_that_completes_it(table):
    part(table, 1, ana="out")
    part(table, 1, ben="out")
    with pytest.raises(CountRefusedError) as refused:
        part(table, 1, cleo="60")
    asked = refused.value.page.asked
    assert [box.box.id for box in asked.boxes] == [f"out-{table.ids[who]}" for who in NAMES[:2]]

    part(table, 1, cleo="60", sure=True)
    assert table.totals() == [0, 0, 60]
    assert table.pad.problems == ()


def test_two_players_out_are_read_from_one_form(client, table):
    part(table, 1, ana="out")
    part(table, 1, ben="out")
    form = count_form(table, cleo="60")
    outs = [str(table.ids[name]) for name in NAMES[:2]]
    # Their boxes are not of those of which one alone can be ticked.
    page = client.get(f"/g/{table.pub}/rounds/1", headers=HTMX).text
    assert page.count('type="checkbox" name="out"') == 2
    bases = {name: value for name, value in form.items() if name.startswith("base-")}
    sent = {"key": new_key(), "sure": "1", "out": outs, f"left-{table.ids['cleo']}": "60"} | bases
    client.post(f"/g/{table.pub}/rounds/1", data=sent, headers=OWN)

    assert table.totals() == [0, 0, 60]


def test_a_team_without_its_canastas_is_asked_about_when_the_round_is_complete(database):
    table = Table(database, ("Ana", "Ben", "Cleo", "Dov"), "canasta")
    first, second = (players[0] for players in (table.state.seats[:1], table.state.seats[1:2]))

    def save(player: int, **more) -> None:
        hands = {
            who: Hand(left="20", table="300", out=who == first) if who == player else Hand()
            for who in table.state.seats
        }
        typed = table.typed(1)
        table.save(1, replace(typed, hands=hands, part=True, **more))

    save(first)
    assert table.pad.in_says.endswith("are in. 1 team to go.")
    with pytest.raises(CountRefusedError) as refused:
        save(second)
    assert f"out-{first}" in [box.box.id for box in refused.value.page.asked.boxes]
    save(second, sure=True, key=new_key(), device="other")
    assert table.pad.problems == ()
    assert table.state.open_round == 2


def test_the_partner_of_a_team_whose_line_was_chosen_keeps_their_out(database):
    table = Table(database, ("Ana", "Ben", "Cleo", "Dov"), "canasta")
    ana, _, cleo, _ = table.state.seats

    def form(bases: dict[int, int], melded: str, out: int) -> CountForm:
        hands = {who: Hand(base=base, out=who == out) for who, base in bases.items()}
        hands[ana] = replace(hands[ana], left="20", table=melded)
        return replace(table.typed(1), hands=hands, part=True, sure=True)

    blank = dict.fromkeys(table.state.seats, 0)
    table.save(1, form(blank, "300", 0))
    with pytest.raises(CountConflictError) as refused:
        table.save(1, form(blank, "310", cleo))
    bases = {who: hand.base for who, hand in refused.value.page.hands.items()}
    table.save(1, form(bases, "310", cleo))
    hands = table.state.counting
    assert hands[ana].hand.table == "310"
    assert hands[cleo].hand.out
    # A form that missed a partner's hand alone is asked, too: nothing of it is dropped.
    with pytest.raises(CountConflictError):
        table.save(1, form(blank | {ana: hands[ana].seq}, "310", 0))


def test_a_phone_that_counts_is_told_what_is_new_and_no_more(client, table, database):
    here = f"/g/{table.pub}/rounds/1"
    answer = client.get(here, headers=HTMX)
    tag = {"HX-PTag": answer.headers["HX-PTag"]}
    assert client.get(here, headers=HTMX | tag).status_code == 304
    part(table, 1, ben="45")
    answer = client.get(here, headers=HTMX | tag)
    assert answer.status_code == 200
    assert 'value="45"' in answer.text
    assert answer.headers["HX-PTag"] != tag["HX-PTag"]
    # Without scripts it is the page, whatever a browser has.
    assert "<html" in client.get(here, headers=tag).text


def test_an_answer_overtaken_by_a_save_does_not_pass_for_the_newest(
    client, table, database, monkeypatch
):
    """A phone asks again only if the version has changed since the last answer."""
    version_of = database.version_of

    def read_first(pub):
        version = version_of(pub)
        monkeypatch.setattr(database, "version_of", version_of)
        part(table, 1, ben="45")
        return version

    monkeypatch.setattr(database, "version_of", read_first)
    answer = client.get(f"/g/{table.pub}/rounds/1", headers=HTMX)

    assert answer.headers["HX-PTag"] != version_of(table.pub)


def test_a_judged_count_is_kept_nowhere(client, table):
    form = count_form(table, ana="out", ben="650", cleo="60")
    judged = client.post(f"/g/{table.pub}/rounds/1/judge", data=form, headers=OWN).json

    assert (judged["kind"], judged["odd"]) == ("doubt", [f"left-{table.ids['ben']}"])
    assert entries(table) == ["started"]


BEFORE = {"typing": "7", "in": ["7", "8"]}
"""What a page of the last release sent along with what it typed."""


def test_what_waits_in_a_page_of_the_last_release_is_saved(client, table):
    form = count_form(table, ana="out", ben="45", cleo="60") | BEFORE
    form |= {f"seen-{who}": "3" for who in table.ids.values()}
    here = f"/g/{table.pub}/rounds/1"
    for _ in range(2):
        answer = client.post(here, data=form, headers=OWN | HTMX)
        assert answer.headers["HX-Redirect"].endswith("#saved")

    assert table.totals() == [0, 45, 60]
    assert entries(table) == ["started", "counted"]
    # One that is too late says so.
    late = form | {"key": new_key(), f"left-{table.ids['ben']}": "55"}
    answer = client.post(here, data=late, headers=OWN | HTMX)
    assert answer.status_code == 409
    assert "Two phones disagree" in answer.text
    # Its drafts are refused in a sentence; nothing waits for their answer.
    answer = client.post(f"{here}/draft", data=form, headers=OWN | HTMX)
    assert answer.status_code == 404
    assert answer.headers["HX-Retarget"] == "#said"


def test_a_form_that_the_last_release_has_saved_is_known_by_its_content(table):
    typed = table.typed(1, ana="out", ben="45", cleo="60")
    ana, ben, cleo = map(str, table.ids.values())
    lines = {
        ana: ["", True, True, 0, ""],
        ben: ["45", False, False, 0, ""],
        cleo: ["60", False, False, 0, ""],
    }

    assert typed.content == canonical([lines, None, False, False, "", "", "", ""])
    assert replace(typed, part=True).content != typed.content
    laid = Hand(left="5", table="45", bonus={"mixed": 2}, aside=1, reserve=False)
    team = replace(typed, hands={7: laid})
    lines = {"7": ["5", False, False, 0, "45 bonus.mixed=2 aside=1 untaken=7"]}
    assert team.content == canonical([lines, None, False, False, "", "", "", ""])


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_upgrade_removes_the_drafts(kind, new_postgres_database, tmp_path):
    url = f"sqlite:///{tmp_path / 'older.db'}" if kind == "sqlite" else new_postgres_database()
    make_older(url, "0017")
    with closing(Database(url)) as older:
        assert inspect(older.engine).has_table("draft")
        older.read(lambda session: session.execute(text("SELECT count(*) FROM draft")))
    migrate(url)

    with closing(Database(url)) as upgraded:
        assert not inspect(upgraded.engine).has_table("draft")


def test_the_count_on_a_pad_begins_with_the_hand_of_whoever_s_phone_it_is(app, table):
    for name in ("cleo", "ben"):
        phone = app.test_client()
        data = {"player": str(table.ids[name])}
        phone.post(f"/g/{table.pub}/who", data=data, headers=OWN)
        page = phone.get(f"/g/{table.pub}").text
        carried = page[page.index('id="carried"') :]
        fields = [carried.index(f'id="left-{who}"') for who in table.ids.values()]
        assert min(fields) == carried.index(f'id="left-{table.ids[name]}"')
