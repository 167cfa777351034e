"""Counting by team: a column for each, its bonuses and cards laid open, and who went out."""

from dataclasses import replace

import pytest

from referee import variants
from tests.webapp.table import OWN, Page, Phone, Table
from tests.webapp.teams import POTS, sit_in_pairs
from webapp.game.hand import Hand
from webapp.game.teams import brief_counts
from webapp.game.validation import CountForm, CountRefusedError
from webapp.ledger.ledger import new_key
from webapp.pages.counting import view as count_page
from webapp.pages.counting.form import read_choice, write_choice
from webapp.pages.counting.teams import kinds_of


@pytest.fixture
def pairs(database):
    return sit_in_pairs(database)


def hand(left, laid="", *, base=0):
    """A hand of a team: what is left, and "245 bonus.natural=1 aside=2 untaken=7"."""
    words = [word.partition("=") for word in laid.split()]
    bonus = {name[6:]: int(n) for name, _, n in words if name.startswith("bonus.")}
    counts = {name: n for name, _, n in words}
    return Hand(
        left=left,
        table=" ".join(name for name, is_told, _ in words if not is_told),
        base=base,
        bonus=bonus,
        aside=int(counts.get("aside", 0)),
        reserve="untaken" not in counts,
    )


def typed(table, *, sure=False, close="", key="", base=0, **hands):
    """A form: anna=("20", "245 bonus.natural=1"), and out as players' names."""
    out = hands.pop("out", "").split()
    told = {table.ids[name]: hand(*texts, base=base) for name, texts in hands.items()}
    for who in table.ids.values():
        told.setdefault(who, Hand(base=base))
    told |= {table.ids[name]: replace(told[table.ids[name]], out=True) for name in out}
    return CountForm(hands=told, sure=sure, key=key or new_key(), device="phone", close=close)


FULL = {
    "anna": ("20", "245 bonus.natural=1 bonus.mixed=2 aside=1"),
    "ben": ("95", "180 bonus.mixed=1 aside=3"),
}


def totals(table):
    return [column.total for column in table.pad.columns]


def refused(table, number=1, **hands):
    with pytest.raises(CountRefusedError) as error:
        table.save(number, typed(table, **hands))
    return error.value.page


def test_a_team_scores_melds_bonuses_cards_laid_open_and_going_out(pairs):
    pairs.save(1, typed(pairs, out="cleo", **FULL))

    assert totals(pairs) == [1525, 685]
    assert [column.name for column in pairs.pad.columns] == ["Anna and Cleo", "Ben and Dov"]


def test_the_count_page_runs_along_with_what_is_typed(pairs):
    judged = pairs.database.read(
        count_page.fill_count, pairs.pub, 1, typed(pairs, anna=("", "bonus.natural=1"))
    )

    sums = [tuple(each[:3]) for each in judged.team_sums.values()]
    assert sums == [("500", "500", "so far"), ("0", "0", "so far")]
    assert judged.kind == "wait"


def test_the_next_minimum_follows_from_the_total(pairs):
    judged = pairs.database.read(
        count_page.fill_count, pairs.pub, 1, typed(pairs, out="anna", **FULL)
    )

    assert [each.says for each in judged.team_sums.values()] == ["needs 90", "needs 50"]
    assert judged.kind == "in"


def test_red_3s_count_against_a_team_with_no_melds(pairs):
    hands = {"anna": ("20", "245 bonus.natural=1"), "ben": ("95", "0 aside=2")}
    pairs.save(1, typed(pairs, out="anna", **hands))

    assert totals(pairs)[1] == -295


def test_all_red_3s_count_as_much_as_the_rules_say(pairs):
    hands = FULL | {"anna": ("20", "245 bonus.natural=1 aside=4"), "ben": ("95", "180")}
    pairs.save(1, typed(pairs, out="anna", **hands))

    assert totals(pairs)[0] == 245 + 500 + 800 + 100 - 20


def odd(form):
    return [each.box.id for each in form.asked.boxes]


def test_more_red_3s_than_there_are_are_asked_about_at_their_row(pairs):
    form = refused(pairs, out="anna", **FULL | {"ben": ("95", "180 bonus.mixed=1 aside=4")})

    assert odd(form) == [f"aside-{pairs.ids[who]}" for who in ("anna", "ben")]


def test_going_out_without_a_bonus_meld_is_asked_about_at_its_row(pairs):
    form = refused(pairs, out="ben", **FULL | {"ben": ("95", "180")})

    assert odd(form) == [f"out-{pairs.ids['ben']}"]


@pytest.mark.parametrize(
    ("ben", "field"),
    [(("93", "180 bonus.mixed=1"), "left"), (("95", "182 bonus.mixed=1"), "table")],
)
def test_points_that_are_no_multiple_of_five_are_asked_about_at_their_field(pairs, ben, field):
    form = refused(pairs, out="anna", **FULL | {"ben": ben})

    assert odd(form) == [f"{field}-{pairs.ids['ben']}"]


def test_bonus_melds_need_the_points_of_their_cards(pairs):
    form = refused(pairs, out="anna", **FULL | {"ben": ("95", "20 bonus.mixed=1")})

    assert odd(form) == [f"table-{pairs.ids['ben']}"]


def test_two_players_out_are_asked_about(pairs):
    form = refused(pairs, out="anna dov", **FULL)

    assert odd(form) == [f"out-{pairs.ids[who]}" for who in ("anna", "dov")]


def test_a_blank_field_is_no_nought(pairs):
    form = refused(pairs, out="anna", **FULL | {"ben": ("", "180 bonus.mixed=1")})

    assert form.says == "Still need Ben and Dov’s cards in hand."


def test_a_hand_that_nobody_ends_is_asked_about_once(pairs):
    form = refused(pairs, **FULL)
    assert odd(form) == ["out-nobody"]

    pairs.save(1, typed(pairs, sure=True, **FULL))
    assert totals(pairs) == [1425, 685]


def test_less_melded_than_the_first_melds_needed_is_asked_about_once(pairs):
    pairs.save(1, typed(pairs, out="cleo", **FULL))
    low = {"anna": ("20", "60"), "ben": ("95", "180 bonus.mixed=1")}
    form = refused(pairs, 2, out="dov", **low)
    assert odd(form) == [f"table-{pairs.ids['anna']}"]
    assert form.asked.reasons == ("The first melds needed 90.",)

    pairs.save(2, typed(pairs, out="dov", sure=True, **low))
    assert totals(pairs) == [1525 + 40, 685 + 180 + 300 + 100 - 95]


def test_all_at_once_scores_the_bonus_twice(pairs):
    pairs.save(1, typed(pairs, out="anna", close="outright", **FULL))

    assert totals(pairs)[0] == 1625
    cell = pairs.pad.rows[0].cells[0]
    assert (cell.below, cell.times) == ("natural, 2 mixed, red 3s: 1, all at once", "")


def test_a_correction_of_a_team_shows_what_was_typed_and_takes_its_place(pairs):
    pairs.save(1, typed(pairs, out="cleo", **FULL))
    form = pairs.database.read(count_page.open_count, pairs.pub, 1, pairs.ids["dov"])
    team = form.teams[1]
    assert (team.line.hand.left, team.laid.table, team.laid.bonus) == (
        "95",
        "180",
        {"mixed": 1},
    )

    changed = FULL | {"ben": ("95", "180 bonus.mixed=2 aside=3")}
    pairs.save(1, typed(pairs, base=team.line.hand.base, out="cleo", **changed))
    assert totals(pairs) == [1525, 985]
    assert "Ben and Dov 685 → 985" in pairs.pad.changed

    pairs.undo()
    assert totals(pairs) == [1525, 685]
    pairs.redo()
    assert totals(pairs) == [1525, 985]


def test_going_out_is_taken_over_by_another_team_in_one_correction(pairs, client):
    mixed = {"ben": ("95", "180 bonus.mixed=1")}
    pairs.save(1, typed(pairs, out="cleo", **FULL | mixed))
    phone = Phone(client)
    phone.open(f"/g/{pairs.pub}/rounds/1/hands/{pairs.ids['ben']}")
    phone.press("save", out=str(pairs.ids["dov"]))

    assert totals(pairs) == [1425, 485]


def test_a_line_to_choose_is_read_as_it_is_written():
    line = {
        4: Hand(left="20", table="30 + 15", bonus={"mixed": 2, "natural": 1}, aside=3, made=False),
        7: Hand(out=True, reserve=False, made=False),
    }

    assert read_choice(write_choice(line)) == line


def test_a_line_that_is_too_long_to_choose_is_not_cut_to_another_score():
    line = {4: Hand(left="20", table="+".join(["12345"] * 400), made=False)}

    assert read_choice(write_choice(line)) == {}


def test_the_line_of_a_team_that_is_chosen_from_the_pad_keeps_all_that_it_laid(pairs, client):
    pairs.save(1, typed(pairs, out="cleo", **FULL))
    before = totals(pairs)
    changed = FULL | {"anna": ("30", FULL["anna"][1])}
    with pytest.raises(CountRefusedError) as conflict:
        pairs.save(1, typed(pairs, out="cleo", **changed))
    theirs, mine = conflict.value.page.teams[0].line.choices
    assert theirs.says == "Natural 1, Mixed 2, Red 3s 1, 245 down, 20"
    fields = {f"hand-{pairs.ids['anna']}": theirs.value, "key": new_key(), "sure": "1"}
    fields |= {f"base-{pairs.ids[name]}": "2" for name in ("anna", "cleo")}
    answer = client.post(f"/g/{pairs.pub}/rounds/1", data=fields, headers=OWN)

    assert answer.status_code == 303
    assert totals(pairs) == before
    fields |= {f"hand-{pairs.ids['anna']}": mine.value, "key": new_key()}
    client.post(f"/g/{pairs.pub}/rounds/1", data=fields, headers=OWN)
    assert totals(pairs) == [before[0] - 10, before[1]]


def test_a_form_without_scripts_saves_the_same(pairs, client):
    anna, cleo, ben = (pairs.ids[name] for name in ("anna", "cleo", "ben"))
    page = client.get(f"/g/{pairs.pub}/rounds/1").text
    assert f'name="bonus-{anna}-natural"' in page
    fields = {
        f"bonus-{anna}-natural": "1", f"bonus-{anna}-mixed": "2", f"aside-{anna}": "1",
        f"table-{anna}": "245", f"left-{anna}": "20", "out": str(cleo),
        f"bonus-{ben}-natural": "0", f"bonus-{ben}-mixed": "1", f"aside-{ben}": "3",
        f"table-{ben}": "180", f"left-{ben}": "95", "key": new_key(),
    }  # fmt: skip
    answer = client.post(f"/g/{pairs.pub}/rounds/1", data=fields, headers=OWN)
    assert answer.status_code == 303
    assert totals(pairs) == [1525, 685]


@pytest.mark.parametrize("slug", ["canasta", "hand-and-foot", "burraco", "samba"])
@pytest.mark.parametrize("named", [(), ("left", "table"), ("table",), ("base",)])
def test_a_form_without_fields_of_a_team_is_an_incomplete_one(client, database, slug, named):
    table = Table(database, ("Ann", "Ben", "Cleo", "Dov"), slug)
    ann, ben = table.ids["ann"], table.ids["ben"]
    for who in (ann, ben):
        form = {"key": new_key(), **{f"{name}-{who}": "0" for name in named}}
        for at, status in (("", 422), ("/fill", 200)):
            answer = client.post(f"/g/{table.pub}/rounds/1{at}", data=form, headers=OWN)
            assert answer.status_code == status
            fields = dict(Page(answer).forms[0].fields)
            assert fields["key"] == form["key"]
            assert {f"table-{ann}", f"left-{ben}"} <= fields.keys()
    assert len(table.state.entered) == 1


def test_a_form_without_fields_of_a_team_corrects_the_other_one_alone(pairs, client):
    pairs.save(1, typed(pairs, out="cleo", **FULL))
    anna, cleo = pairs.ids["anna"], pairs.ids["cleo"]
    form = {"key": new_key(), f"left-{anna}": "30", f"table-{anna}": "245"}
    form |= {f"bonus-{anna}-natural": "1", f"bonus-{anna}-mixed": "2", f"aside-{anna}": "1"}
    form |= {"out": str(cleo), f"base-{anna}": "2", f"base-{cleo}": "2"}
    answer = client.post(f"/g/{pairs.pub}/rounds/1", data=form, headers=OWN)

    assert answer.status_code == 303
    assert totals(pairs) == [1515, 685]


def test_a_number_of_melds_that_is_none_is_refused(pairs, client):
    fields = {f"bonus-{pairs.ids['anna']}-natural": "many", "key": new_key()}
    answer = client.post(f"/g/{pairs.pub}/rounds/1", data=fields, headers=OWN)
    assert answer.status_code == 400


def test_a_second_hand_that_a_team_never_took_counts_against_it(database):
    pairs = sit_in_pairs(database, more=POTS)
    hands = FULL | {"ben": ("95", f"180 bonus.mixed=1 aside=3 untaken={pairs.ids['ben']}")}
    pairs.save(1, typed(pairs, out="cleo", **hands))

    assert totals(pairs) == [1525, 585]
    assert pairs.pad.rows[0].cells[1].below == "mixed, red 3s: 3, no second hand"


def test_each_of_three_pairs_has_a_column(database):
    pairs = sit_in_pairs(database, ("Anna", "Ben", "Cleo", "Dov", "Eva", "Finn"))
    hands = FULL | {"cleo": ("60", "120")}
    pairs.save(1, typed(pairs, out="dov", **hands))

    assert [column.name for column in pairs.pad.columns] == [
        "Anna and Dov",
        "Ben and Eva",
        "Cleo and Finn",
    ]
    assert totals(pairs) == [1525, 685, 60]


def test_the_pad_says_what_each_team_needs_and_what_its_points_came_of(pairs):
    assert [column.opens_with for column in pairs.pad.columns] == [50, 50]
    pairs.save(1, typed(pairs, out="cleo", **FULL))

    assert [column.opens_with for column in pairs.pad.columns] == [90, 50]
    assert [cell.below for cell in pairs.pad.rows[0].cells] == [
        "natural, 2 mixed, red 3s: 1, out",
        "mixed, red 3s: 3",
    ]


def test_the_pad_says_that_a_team_has_no_melds(pairs):
    hands = {"anna": ("20", "245 bonus.natural=1"), "ben": ("95", "0 aside=2")}
    pairs.save(1, typed(pairs, out="anna", **hands))

    assert pairs.pad.rows[0].cells[1].below == "no melds, red 3s: 2"


MELDS = "KS KH KD KC KS KH KD, 8S 8H 8D 8C 8S 2S JK, 5S 5H 5D"


def test_melds_named_by_their_cards_are_worth_what_they_are_and_have_their_bonus(pairs):
    hands = {"anna": ("20", MELDS), "ben": ("95", "180 bonus.mixed=1")}
    judged = pairs.database.read(
        count_page.fill_count, pairs.pub, 1, typed(pairs, out="anna", **hands)
    )
    sums = judged.team_sums[pairs.ids["anna"]]
    assert (sums.table, sums.bonus) == ("205", {"mixed": 1, "natural": 1})

    pairs.save(1, typed(pairs, out="anna", **hands))
    assert totals(pairs)[0] == 205 + 500 + 300 + 100 - 20
    form = pairs.database.read(count_page.open_count, pairs.pub, 1, pairs.ids["anna"])
    assert form.teams[0].line.hand.table == "70+120+15"
    assert form.teams[0].laid.bonus == {"mixed": 1, "natural": 1}


def test_cards_that_are_no_meld_are_asked_about_and_count_as_cards(pairs):
    hands = FULL | {"ben": ("95", "KS QS JS 9S, 7S 7H 7D")}
    form = refused(pairs, out="anna", **hands)
    assert odd(form) == [f"table-{pairs.ids['ben']}"]

    pairs.save(1, typed(pairs, out="anna", sure=True, **hands))

    assert totals(pairs)[1] == 40 + 15 - 95


def test_cards_left_can_be_named(pairs):
    pairs.save(1, typed(pairs, out="anna", **FULL | {"ben": ("AS JK 5H", FULL["ben"][1])}))

    assert totals(pairs)[1] == 685 + 95 - 75


def test_what_a_game_does_not_ask_is_not_kept(pairs):
    strange = {"anna": ("20", f"245 bonus.natural=1 bonus.golden=9 untaken={pairs.ids['anna']}")}
    pairs.save(1, typed(pairs, out="anna", **FULL | strange))

    form = pairs.database.read(count_page.open_count, pairs.pub, 1, pairs.ids["anna"])
    assert form.teams[0].laid.bonus == {"natural": 1}
    assert not form.teams[0].untaken


def test_cards_laid_open_are_counted_as_there_are_where_no_rule_looks_at_suits():
    kinds = kinds_of(variants.get("canasta"))

    assert (kinds.aside, kinds.most_aside) == ("Red 3s", 6)


@pytest.mark.parametrize(
    ("slug", "n", "says"),
    [
        ("canasta", 1, ["natural", "mixta"]),
        ("canasta", 2, ["2 naturales", "2 mixtas"]),
        ("samba", 2, ["2 sambas", "2 naturales", "2 mixtas"]),
        ("burraco", 3, ["3 limpios", "3 semilimpios", "3 sucios"]),
        ("hand-and-foot", 2, ["2 limpios", "2 sucios"]),
    ],
)
def test_several_melds_have_the_plural_in_spanish(slug, n, says):
    game = variants.get(slug, "es")

    assert [*brief_counts(game, {kind.name: n for kind in game.bonuses})] == says


def test_special_canastas_have_a_row_of_their_own_and_their_points(database):
    table = Table(
        database, ("Anna", "Ben", "Cleo", "Dan"), "canasta", options={"special": "sevens"}
    )
    kinds = kinds_of(variants.get("canasta").with_options({"special": "sevens"})).bonuses

    table.save(1, typed(table, anna=("20", "245 bonus.sevens=1"), ben=("95", "180"), out="cleo"))

    assert (kinds[0].title, kinds[0].points) == ("7s", 1500)
    assert totals(table) == [245 + 1500 + 100 - 20, 180 - 95]
