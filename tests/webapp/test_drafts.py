"""The draft of a round: hands that phones have entered and nobody has saved."""

import pytest
from sqlalchemy import select

from tests.webapp.table import OWN
from webapp.ledger import Sent, new_key
from webapp.models import Draft, table_of
from webapp.services.counting import judge_count
from webapp.services.counting.pages import CountConflictError
from webapp.services.drafts import join_draft, read_drafts
from webapp.services.refusals import RoundNotOpenError
from webapp.services.typed import TypedHand, TypedHands


def join(table, device, typing=None, **hands):
    lines = {
        table.ids[name]: TypedHand(
            left=text.replace("out", ""), out=text == "out", made=False, base=0
        )
        for name, text in hands.items()
    }
    typed = TypedHands(lines=lines, only=None, sure=False, sent=Sent(key="", device=device))
    who = table.ids[typing] if typing else None
    table.database.write(join_draft, table.pub, 1, typed, who)


def drafts(table, name):
    return table.database.read(read_drafts, table.pub, 1).get(table.ids[name], ())


def test_a_draft_does_not_score(table):
    seal = table.pad.undo
    join(table, "one", ana="out", ben="45")

    assert [each.hand.left for each in drafts(table, "ben")] == ["45"]
    assert table.totals() == [0, 0, 0]
    assert table.pad.undo == seal
    assert [cell.entered for cell in table.pad.rows[0].cells] == ["out", "45", ""]


def test_a_hand_that_is_being_typed_shows_no_number(table):
    join(table, "one", typing="ben")

    assert [cell.entered for cell in table.pad.rows[0].cells] == ["", "…", ""]


def test_a_save_takes_the_place_of_the_draft(table):
    join(table, "phone", ana="out", ben="45", cleo="60")
    table.count(1, ana="out", ben="45", cleo="60")

    assert table.totals() == [0, 45, 60]
    assert not drafts(table, "ben")
    with pytest.raises(RoundNotOpenError):
        join(table, "two", ben="50")


def test_saving_one_hand_leaves_the_draft_of_the_others(table):
    join(table, "one", ana="out", ben="45", cleo="60")
    table.count(1, ben="45")

    assert [bool(drafts(table, name)) for name in ("ana", "ben", "cleo")] == [True, False, True]


def test_a_save_that_has_not_seen_the_hand_of_another_phone_asks_which_is_right(table):
    join(table, "two", ben="70")
    with pytest.raises(CountConflictError) as error:
        table.count(1, ana="out", ben="75", cleo="60")

    page = error.value.page
    for phones, other in (({}, "other phone"), ({"two": table.ids["cleo"]}, "Cleo")):
        whose = {each.says: page.entered_by(each, phones, "") for each in page.lines[1].choices}
        assert whose == {"70": other, "75": "you"}
    assert table.scores()[0] == [None, None, None]


def test_two_phones_that_agree_are_not_asked(table):
    join(table, "two", ben="70")
    table.count(1, ana="out", ben="70", cleo="60")

    assert table.totals() == [0, 70, 60]


def test_the_number_of_a_hand_is_never_used_again(table):
    join(table, "one", ben="70")
    [first] = drafts(table, "ben")
    join(table, "one", ben="")
    assert not drafts(table, "ben")
    join(table, "two", ben="75")
    [second] = drafts(table, "ben")

    assert second.number > first.number


def test_a_hand_of_another_round_stays_out(table):
    with pytest.raises(RoundNotOpenError):
        table.database.write(
            join_draft,
            table.pub,
            2,
            TypedHands(lines={}, only=None, sure=False, sent=Sent(key="", device="one")),
            None,
        )
    assert not table.database.read(lambda session: session.execute(select(table_of(Draft))).all())


def test_an_answer_overtaken_by_a_save_does_not_pass_for_the_newest(
    client, table, database, monkeypatch
):
    """A phone asks again only if the version has changed since the last answer."""
    version_of = database.version_of
    saves = iter([lambda: table.count(1, ana="out", ben="45", cleo="60")])

    def save_first(pub):
        next(saves, lambda: None)()
        return version_of(pub)

    # Another phone saves the round just before the version is read.
    monkeypatch.setattr(database, "version_of", save_first)
    told = client.post(f"/g/{table.pub}/rounds/1/draft", data={"key": "1" * 26}, headers=OWN).json

    assert table.totals() == [0, 45, 60]
    assert told["closed"] or told["version"] != version_of(table.pub)


def test_a_correction_that_no_hand_makes_is_doubted(table):
    table.count(1, ana="out", ben="45", cleo="60")
    typed = table.typed(1, only="ben", ben="1")

    assert table.database.read(judge_count, table.pub, 1, typed).kind == "doubt"


@pytest.mark.parametrize("text", ["9" * 5000, "٣", "1_0", "-1", "", "²"])
def test_a_number_of_no_player_is_in_no_draft(client, table, text):
    ana = table.ids["ana"]
    form = {"key": new_key(), f"left-{ana}": "45", "in": [text, str(ana)]}
    answer = client.post(f"/g/{table.pub}/rounds/1/draft", data=form, headers=OWN)

    assert answer.status_code == 200
    assert [each.hand.left for each in drafts(table, "ana")] == ["45"]
