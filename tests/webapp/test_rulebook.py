"""The rulebook as a form: fields reached, changed, told and put back; clashes with ways out."""

import html
import random
import re
from dataclasses import replace
from urllib.parse import quote, unquote

import pytest

from referee import variants
from referee.describing import (
    BY_PATH,
    OF_SECTION,
    SECTIONS,
    UNCHECKED,
    Description,
    alternatives,
    kinds,
    matters,
    problems,
    value_at,
)
from referee.describing import changed as patched
from referee.saying import LANGUAGES, Catalogue
from tests.examples import examples, in_turn
from tests.webapp.table import HTMX, OWN, Table
from webapp import ledger
from webapp.ledger import new_key
from webapp.services import own
from webapp.services.own.naming import title_of
from webapp.services.rulebook.base import Base, by_path
from webapp.services.rulebook.changes import (
    Changes,
    ChangesRefusedError,
    clash_of,
    read_changes,
    with_change,
)
from webapp.services.rulebook.controls import control_of
from webapp.services.rulebook.keeping import described
from webapp.services.rulebook.page import Asked, answer, find_in, show_book
from webapp.services.rulebook.parts import strides
from webapp.services.rulebook.telling import Piece, marked, say_house_rules, sentence_at
from webapp.services.rules import at_a_glance
from webapp.services.rules.variants import variants_of
from webapp.speaking import WORDS, language, speak

GAMES = [game.slug for game in variants.all()]
NOWHERE = {"points"}
"""Tables that no rummy has."""


def base(slug):
    game = variants.get(slug)
    return Base(
        game, variants.description_of(slug), lambda patch: game.with_options(by_path(patch))
    )


def opened(of):
    """All that can be opened in a book: what is told, and what can be added."""
    book = show_book(of, Changes())
    told = [each.id for chapter in book.chapters for each in chapter.sentences if each.paths]
    return told, [each for chapter in book.chapters for each in chapter.more]


def taps_of(of):
    """Every tap that changes something that is told."""
    return [
        sets
        for name in opened(of)[0]
        for control in show_book(of, Changes(), [name]).opened.controls
        for sets in control.taps
    ]


def changed(page):
    return {"".join(piece.says for piece in each.pieces) for each in page.changes}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_field_table_and_number_is_called_something(language):
    called = Catalogue.read(language, WORDS).tables["changing"]
    known = [field.kind.known for field in BY_PATH.values() if isinstance(field.kind, kinds.Named)]
    of = {*BY_PATH, *SECTIONS} - {field.path for field in OF_SECTION[UNCHECKED]}

    assert {path.replace(".", "-") for path in of} <= set(called["of"])
    assert {word for each in known for some in each.values() for word in some} <= set(
        called["argument"]
    )


@pytest.mark.parametrize("slug", in_turn(GAMES, quick=0, each=33))
def test_every_field_can_be_reached_changed_read_and_restored(slug):
    of = base(slug)
    told, more = opened(of)
    written = [chapter.writes for chapter in show_book(of, Changes()).chapters]
    reached = {each.path for each in more}
    for name in (*told, *written, *(each.to for each in more if "&set=" not in each.to)):
        controls = show_book(of, Changes(), [name]).opened.controls
        reached |= {control.path for control in controls}
        for control in controls:
            assert control.taps or control.words or control.writes, control.path
            for sets in control.taps[:1]:
                page = answer(of, Asked(sets=sets, opens=name))
                same = control.path == "players" or not page.changes
                assert page.clash or same or changed(page), sets
                if not page.clash and page.changes:
                    assert answer(of, Asked(packed=page.changes[0].back)).changes == ()
    for each in more:
        opens, _, sets = each.to.partition("&set=")
        if sets:
            page = answer(of, Asked(sets=unquote(sets), opens=opens))
            assert page.clash or changed(page), each.path
    tables = {path.partition(".")[0] for path in reached} | {*of.spec}
    assert {*SECTIONS} - NOWHERE <= tables
    ways = {"contract", "free", "hand"}
    assert ways <= reached | {*of.spec}


@pytest.mark.parametrize("slug", in_turn(GAMES, quick=4, each=33))
def test_a_sentence_to_add_is_so_once_it_is_tapped(slug):
    of = base(slug)
    for each in opened(of)[1]:
        if each.path not in BY_PATH or each.number:
            continue
        if not each.sets:
            # It leaves open what is chosen, or isn’t a sentence at all.
            assert "…" in each.says or not each.says.endswith("."), each.says
            continue
        page = answer(of, Asked(sets=each.sets, opens=each.path))
        control = next(one for one in page.opened.controls if one.path == each.path)
        assert [tap.says for tap in control.sentences if tap.on] == [each.says], each.path
        if not page.clash:
            (change,) = page.changes
            assert change.opens == each.path
            assert answer(of, Asked(packed=change.back)).changes == ()


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("slug", in_turn(GAMES, quick=2, each=10))
def test_every_value_of_every_field_is_told_in_a_sentence(slug, spoken):
    before, spec = language(), variants.description_of(slug)
    speak(spoken)
    try:
        there = Description(spec)
        for path in (path for path in BY_PATH if there.has(path.partition(".")[0])):
            for value in [*alternatives(spec, path), *variants.usual(path)]:
                now = patched(spec, {path: value})
                game = Description(now)
                if (
                    game.has(path.partition(".")[0])
                    and value not in (None, [], {})
                    and matters(game, path)
                ):
                    says = sentence_at(now, path)
                    assert says.endswith("."), (path, value)
                    assert not says.startswith(f"{title_of(path, now)}:"), says
    finally:
        speak(before)


def test_melds_with_more_natural_cards_than_wilds_cannot_have_any_number_of_wilds():
    of = base("shanghai-rummy")
    page = answer(of, Asked(sets='["wild.cards",["JK","2"]]'))
    told = {"".join(p.says for p in each.pieces) for c in page.chapters for each in c.sentences}
    assert "A meld can’t have more wild cards than natural cards." in told
    assert "A meld can have any number of wild cards." not in told


def test_a_number_of_wilds_without_a_limit_is_told_beside_natural_cards_that_are_needed():
    of = base("contract-rummy")
    assert sentence_at(of.spec, "wild.naturals") == "A meld needs at least 1 natural card."
    said = "Besides its natural cards, a meld can have any number of jokers."
    assert sentence_at(of.spec, "wild.most") == said
    alone = patched(of.spec, {"wild.naturals": 0})
    assert sentence_at(alone, "wild.most") == "A meld can have any number of jokers."


@pytest.mark.parametrize("slug", in_turn(GAMES[::5], quick=0, each=7))
def test_every_clash_of_a_tap_has_a_way_out_that_works(slug):
    of = base(slug)
    taps = taps_of(of)
    for sets in random.Random(slug).sample(taps, min(len(taps), examples(800))):
        page = answer(of, Asked(sets=sets))
        for way in page.ways:
            assert not answer(of, Asked(packed=way.packed)).clash, (sets, way)
        assert bool(page.clash) is bool(page.ways)


@pytest.mark.release
@pytest.mark.parametrize("slug", GAMES)
def test_pairs_of_taps_come_to_a_game_or_to_ways_out(slug):
    of, chance = base(slug), random.Random(slug)
    taps = taps_of(of)
    for _ in range(60):
        page = answer(of, Asked(sets=chance.choice(taps)))
        try:
            page = answer(of, Asked(packed=page.packed, sets=chance.choice(taps)))
        except ChangesRefusedError:
            continue  # it was about a round of a list that is gone
        changes = read_changes(page.packed)
        assert bool(page.clash) is bool(problems(patched(of.spec, changes.patch)))
        assert not page.clash or not answer(of, Asked(packed=page.ways[-1].packed)).clash


def test_a_change_brings_what_it_needs_and_lists_it():
    of = base("mexican-rummy")
    changes = with_change(of.spec, Changes(), "wild.cards", ["black 2", "JK"])
    page = show_book(of, changes)

    assert changes.groups == ({"wild.cards": ["black 2", "JK"], "pack.jokers": 4},)
    assert [len(change.brought) for change in page.changes] == [1]
    assert answer(of, Asked(packed=page.changes[0].back)).packed == ""


@pytest.mark.parametrize("slug", in_turn(GAMES, quick=4, each=33))
def test_who_wins_is_found_where_the_game_ends_and_the_other_way_round(slug):
    book = show_book(base(slug), Changes())
    paths = {each.id: {*each.paths} for chapter in book.chapters for each in chapter.sentences}
    for chapter in book.chapters:
        here = [each.id for each in chapter.sentences] + [line.to for line in chapter.see]
        found = set().union(*(paths[each] for each in here)) & {"end.leads", "end.rounds"}
        assert len(found) != 1, (slug, chapter.title)


def test_changes_that_one_sentence_tells_are_listed_once():
    of = base("shanghai-rummy")
    decks = answer(of, Asked(sets='["pack.copies",2]'))
    both = answer(of, Asked(packed=decks.packed, sets='["pack.jokers",3]'))
    assert [*changed(both)] == ["2 decks of 52 cards, with 3 jokers."]
    (change,) = both.changes
    assert change.was
    assert answer(of, Asked(packed=change.back)).changes == ()


def test_a_change_back_is_not_a_change():
    of = base("rummy-500")
    changes = with_change(of.spec, Changes(), "end.rounds", 6)
    assert changes.patch == {"end.rounds": 6}
    assert with_change(of.spec, changes, "end.total", of.spec["end"]["total"]).groups == ()
    dropped = with_change(of.spec, Changes(), "swap", None) if "swap" in of.spec else changes
    again = with_change(of.spec, dropped, "swap", {}) if "swap" in of.spec else Changes()
    assert again.groups == ()


def test_the_number_of_players_is_shown_and_changed():
    page = answer(base("mexican-rummy"), Asked(sets='["players",1,6]', opens="players"))

    assert page.opened is not None
    assert "6 players" in "".join(piece.says for piece in page.opened.pieces)
    assert any(piece.mark == "now" for piece in page.opened.pieces)


def test_a_table_that_is_given_up_takes_its_changes_with_it():
    of = base("mexican-rummy")
    changes = with_change(of.spec, Changes(), "buy.extra", 2)

    assert with_change(of.spec, changes, "buy", None).patch == {"buy": None}


def test_a_clash_keeps_what_was_asked_for_and_has_two_ways_out():
    of = base("phase-10")
    changes = with_change(of.spec, Changes(), "deal.cards", 7)
    clash = clash_of(of.spec, changes)
    page = show_book(of, changes)

    assert clash is not None
    assert len(clash.ways) > 1
    assert clash.ways[-1] == Changes()
    assert page.opened is not None
    assert "deal.cards" in page.opened.paths
    assert page.opened.controls[0].steps[0].text == "7"


def test_a_clash_is_where_somebody_tapped_even_if_another_rule_changed():
    of = base("phase-10")
    page = answer(of, Asked(to='["steps",9,"deal"]', typed="4", opens="deal"))

    assert page.clash
    assert page.opened.id.removeprefix("house-") == "deal"
    assert answer(of, Asked(packed=page.packed)).opened.id.removeprefix("house-") == "contracts"


def test_rounds_that_take_too_many_cards_without_buying_can_be_left_out():
    of = base("shanghai-rummy")
    page = show_book(of, with_change(of.spec, Changes(), "buy", None))
    fewer = answer(of, Asked(packed=page.ways[1].packed, opens="buy"))

    assert page.clash.startswith("Round 8: A contract takes 13 cards")
    assert page.ways[1].says == "Leave out rounds 8, 9 and 10."
    assert not fewer.opened, "there’s nothing to choose about buying any more"
    assert not fewer.clash
    assert len(fewer.game.contracts) == 7


def test_a_target_score_offers_that_the_highest_total_wins():
    of = base("manipulation-rummy")
    page = answer(of, Asked(to='["end.total"]', typed="300"))
    ways = [read_changes(way.packed).patch for way in page.ways]

    assert ways == [{"end.total": 300, "end.leads": "highest"}, {}]


def test_another_rule_can_be_opened_and_put_right_while_changes_clash():
    of = base("manipulation-rummy")
    page = answer(of, Asked(to='["end.total"]', typed="300"))
    goal = answer(of, Asked(packed=page.packed, opens="end.leads"))
    righted = answer(of, Asked(packed=page.packed, sets='["end.leads","highest"]'))

    assert goal.clash
    assert "end.leads" in goal.opened.paths
    assert not righted.clash
    assert righted.changes


def test_what_two_rules_say_is_changed_in_the_one_that_is_about_it():
    pack = show_book(base("frustration"), Changes(), ["pack"]).opened
    wild = show_book(base("frustration"), Changes(), ["wild.cards"]).opened

    assert "jokers" in "".join(piece.says for piece in pack.pieces)
    assert "wild.cards" not in [control.path for control in pack.controls]
    assert wild.id == "wild"


def test_what_players_take_for_granted_is_in_the_fine_print_unless_it_can_be_changed():
    page = show_book(base("shanghai-rummy"), Changes())
    fine = [each.id for each in page.fine_print]

    assert {"own-cards", "own-turn", "longest-run"} <= {*fine}
    assert not [each.paths for each in page.fine_print if each.paths or each.adds]
    assert not {*fine} & {"swap", "wild", "layoff"}


def test_what_gets_a_sentence_of_its_own_is_open_there():
    of = base("frustration")
    page = answer(of, Asked(sets='["pack.ignore-suits",false]', opens="pack"))

    assert [control.path for control in page.opened.controls] == ["pack.ignore-suits"]
    assert [piece.says for piece in page.opened.pieces] == ["Suits count."]


def test_a_rule_that_is_no_longer_said_is_open_where_it_was_and_marked():
    of = base("shanghai-rummy")
    was = next(each for each in show_book(of, Changes()).chapters if each.title == "Wild cards")
    page = answer(of, Asked(sets='["wild.outnumber",true]', opens="wilds-share"))
    now = next(each for each in page.chapters if each.title == "Wild cards")

    assert [each.mark for each in page.opened.pieces] == ["now"]
    assert page.opened.says == "A meld can have more wilds than natural cards."
    place = [each.opened for each in now.sentences].index(True)
    after = [each.id for each in was.sentences][
        [e.id for e in was.sentences].index("wilds-share") :
    ]
    assert [each.id for each in now.sentences][place + 1 :] == after[1:]


def test_jokers_can_count_something_else_than_other_wilds():
    of = base("frustration")
    wild = answer(of, Asked(sets='["wild.cards",["2","JK"]]'))
    value = answer(of, Asked(packed=wild.packed, opens="score.wild"))
    (joker,) = (tap for tap in value.opened.controls[0].sentences if "Jokers" in tap.says)
    page = answer(of, Asked(packed=wild.packed, opens=value.opened.id, sets=joker.sets))

    assert "joker: 20" in "".join(piece.says for piece in page.opened.pieces)
    assert value_at(patched(of.spec, read_changes(page.packed).patch), "score.wild") == 20


def test_once_wilds_have_no_number_of_their_own_the_values_are_open():
    of = base("frustration")
    page = answer(of, Asked(sets='["score.wild",null]', opens="values"))
    alone = with_change(of.spec, Changes(), "wild.cards", ["2", "JK"])
    parted = answer(
        of, Asked(packed=alone.packed(), sets='["score.wild",null]', opens="wild-value")
    )

    assert "score.hand" in page.opened.paths
    assert "score.hand" in parted.opened.paths


def test_cards_dealt_that_clash_can_grow_by_1_from_there():
    of = base("phase-10")
    page = answer(of, Asked(to='["deal.cards"]', typed="7", opens="deal"))

    (rising,) = (tap for tap in page.opened.controls[0].chips if "1 more" in tap.says)
    assert rising.says == "1 more each round: 7, 8, 9…"


def test_usual_values_that_would_clash_are_not_offered():
    deal = show_book(base("phase-10"), Changes(), ["deal.cards"]).opened.controls[0]

    assert deal.steps[0].usual
    for tap in deal.steps[0].usual:
        assert not answer(base("phase-10"), Asked(sets=tap.sets)).clash


@pytest.mark.parametrize(
    ("to", "typed", "problem"),
    [
        ('["deal.cards"]', "12", ""),
        ('["deal.cards"]', "１２", ""),
        ('["deal.cards"]', "80", "Type a number from 1 to 30."),
        ('["deal.cards"]', "many", "Type a number from 1 to 30."),
        ('["score.hand","A"]', "20", ""),
        ('["score.hand","A"]', "99999", "Type a whole number. This one is too small or too large."),
        ('["score.fixed"]', "Dropped", ""),
        ('["score.fixed"]', "", "Type a name with two letters or more."),
        ('["steps",0,"contract",0]', "4", ""),
        ('["steps",0,"contract",0]', "many", "Type a number from 2 to 30."),
        ('["steps",0,"deal"]', "31", "Type a number from 1 to 30."),
        ('["steps","length"]', "0", "Type a number from 1 to 30."),
    ],
)
def test_what_is_typed_is_taken_or_gets_a_reason(to, typed, problem):
    page = answer(base("mexican-rummy"), Asked(to=to, typed=typed))

    assert page.problem == problem
    assert bool(page.packed) is not bool(problem)


@pytest.mark.parametrize(
    "asked",
    [
        Asked(packed="nonsense"),
        Asked(packed=Changes(({"run.aces": 1},)).packed()),
        Asked(packed=Changes(({"deal": 7},)).packed()),
        *(Asked(sets=sets) for sets in ("x", "[]", '["x"]', '["x",1]', '["deal",1]', "{}", "7")),
        *(Asked(sets=sets) for sets in ('["deal","cards",1]', '[["deal.cards"],1]', "[" * 900)),
        Asked(to="x", typed="1"),
    ],
)
def test_changes_that_can_t_be_read_are_refused(asked):
    with pytest.raises(ChangesRefusedError):
        answer(base("mexican-rummy"), asked)


def test_bent_values_come_to_a_clash_that_can_be_undone():
    of, chance = base("mexican-rummy"), random.Random(5)
    values = [
        '"x"',
        "null",
        "-1",
        "true",
        "[]",
        "{}",
        '{"a":{"b":[1]}}',
        "[[1]]",
        '["JK"]',
        "99999",
    ]
    for path in (*BY_PATH, "players", "steps"):
        try:
            page = answer(of, Asked(sets=f'["{path}",{chance.choice(values)}]'))
        except ChangesRefusedError:
            continue
        assert bool(page.clash) is bool(page.ways)
        for way in page.ways:
            assert not answer(of, Asked(packed=way.packed)).clash


def test_the_words_that_are_different_are_marked():
    pieces = marked("Deal 10 cards each.", "Deal 12 cards each.")

    assert pieces == (Piece("Deal "), Piece("12", "now"), Piece(" "), Piece("cards each."))
    assert marked("", "Jokers are wild.") == (Piece("Jokers are wild.", "now"),)
    assert marked("Lay off, but not now.", "Lay off.") == (Piece("Lay off.", "now"),)


def test_the_page_is_whole_without_scripts(phone, database):
    page = phone.open("/rules/mexican-rummy/change?open=deal")
    assert "Change a rule" in page.text
    packed = Changes(({"deal.cards": 12},)).packed()
    done = phone.open(f"/rules/mexican-rummy/change/done?c={packed}")
    assert "1 change" in done.text
    phone.press("Save", name="Our Mexican")

    (slug,) = database.read(own.read_shelf).own
    assert database.read(own.find_game, slug).hand_size == 12


@pytest.mark.parametrize(
    "slug", in_turn(["mexican-rummy", "three-thirteen", "remigio", "rummikub"], quick=0)
)
def test_every_rule_is_shown_open_on_a_page_of_its_own_and_in_the_book(client, slug):
    told, more = opened(base(slug))
    for name in (*told, *(each.path for each in more)):
        for at in ("", "2"):
            asked = {"open": name, "at": at}
            for headers in ({}, HTMX):
                page = client.get(f"/rules/{slug}/change", query_string=asked, headers=headers)
                assert page.status_code == 200, name
    assert client.get(f"/rules/{slug}/change?open=steps&at=1").status_code == 200


def test_a_search_finds_rules_as_they_are_changed_and_what_could_be_added(client):
    packed = Changes(({"deal.cards": 12},)).packed()
    address = "/rules/mexican-rummy/change"
    dealt = client.get(address, query_string={"c": packed, "find": "deal"}).text
    joker = client.get(address, query_string={"c": packed, "find": "bonus"}).text

    assert f'href="?c={packed}&amp;open=house-deal"' in dealt
    assert "You could add" in joker
    assert "<mark>bonus</mark>" in joker
    assert "You could add" in client.get("/rules/mexican-rummy?find=bonus").text
    for unknown in (f"{address}?find=push", "/rules/mexican-rummy?find=push"):
        assert "open=unchecked.turn#open" in client.get(unknown).text


def test_a_rule_that_is_changed_stays_in_its_chapter():
    of = base("liverpool-rummy")
    page = show_book(of, Changes(({"steps": of.spec["steps"][:-1]},)), ["steps"])
    down = next(chapter for chapter in page.chapters if chapter.title == "Going down")

    marks = {each.id for each in down.sentences for piece in each.pieces if piece.mark == "now"}
    assert marks == {"house-contracts"}


def test_a_chapter_that_is_added_is_where_a_leaflet_has_it():
    page = answer(base("rummy"), Asked(sets='["wild",{}]', opens="wild"))
    titles = [chapter.title for chapter in page.chapters]

    assert titles.index("Wild cards") == titles.index("Sets and runs") + 1
    assert page.opened is not None


def test_what_is_changed_is_marked_at_a_glance():
    page = show_book(base("mexican-rummy"), Changes(({"deal.cards": 12},)))
    deal = next(each.pieces for each in page.glance if each.line.name == "Deal")

    assert [piece.says for piece in deal if piece.mark] == ["12"]


def test_what_tells_games_apart_is_at_a_glance_while_they_are_changed():
    page = show_book(base("shanghai-rummy"), Changes())
    lines = {each.line.name: (each.line.says, each.opens) for each in page.glance}
    read = [line.name for line, _ in at_a_glance(page.game)]

    assert lines["Laying off"] == ("On any meld, not on the turn you go down", "layoff")
    assert lines["Wilds per meld"] == ("No more than natural cards", "wilds-share")
    assert lines["Buying"] == ("3 cards a round", "buy")
    assert set(read) < set(lines)
    assert len(read) == 8


@pytest.mark.parametrize("slug", in_turn(GAMES))
def test_every_line_at_a_glance_opens_its_rule_below_itself(slug):
    of = base(slug)
    for line, opens, *_ in show_book(of, Changes()).glance:
        to, _, sets = opens.partition("&set=")
        page = answer(of, Asked(opens=to, sets=unquote(sets), line=line.clause))

        assert page.line == line.clause
        assert page.opened is not None
        assert page.opened.controls or page.opened.drops or page.game.in_teams


@pytest.mark.parametrize("slug", in_turn(GAMES))
def test_a_rule_is_given_up_by_the_cross_on_its_line(slug):
    of = base(slug)
    before = show_book(of, Changes()).glance
    for each in before:
        if not each.drop:
            continue
        page = answer(of, Asked(sets=each.drop, line=each.line.clause))
        there = [other.line.clause for other in page.glance]
        struck = [other.line for other in page.glance if other.back is not None]

        assert page.changes
        assert bool(page.opened) == bool(page.clash) == bool(page.ways) == (not struck)
        assert there.index(each.line.clause) == [o.line.clause for o in before].index(
            each.line.clause
        )
        assert struck in ([], [each.line])
        assert {other.back for other in page.glance} <= {None, ""}


def test_a_wild_2_gets_its_points_in_hand_where_it_becomes_wild():
    of = base("continental")
    page = answer(of, Asked(opens="wild", line="wild", sets='["wild.cards",["JK","2"]]'))
    (wilds,) = (each for each in page.opened.controls if each.path == "score.hand")
    page = answer(of, Asked(packed=page.packed, line="wild", opens="wild", sets=wilds.taps[-1]))

    assert [(step.face, step.text) for step in wilds.steps] == [("2", "5")]
    assert [tap.says for tap in wilds.steps[0].usual] == ["20"]
    assert dict(page.prices) == {"2": 20, "3–7": 5, "8–K": 10, "A": 20, "joker": 50}
    assert page.line == "wild"


@pytest.mark.parametrize(
    ("slug", "cards"),
    [("continental", '["JK"]'), ("continental", '["2","3","4"]'), ("mexican-rummy", '["2"]')],
    ids=["jokers", "many", "all wilds alike"],
)
def test_points_in_hand_are_not_asked_for_among_wilds_if_they_are_asked_for_elsewhere(slug, cards):
    page = answer(base(slug), Asked(opens="wild", line="wild", sets=f'["wild.cards",{cards}]'))

    assert "score.hand" not in {control.path for control in page.opened.controls}


def test_nobody_waits_to_lay_off_where_nobody_has_to_go_down():
    page = answer(base("rummikub"), Asked(sets='["opening",null]'))
    now, usually = (
        next(one.line.says for one in each.glance if one.line.name == "Laying off")
        for each in (page, show_book(base("rummikub"), Changes()))
    )

    assert now == "On any meld"
    assert usually == "On any meld, not on the turn you go down"


def test_what_is_drawn_when_time_is_up_is_told_with_its_reasons():
    changed = answer(base("rummikub"), Asked(sets='["clock.penalties","Nothing was played",2]'))

    assert "2 for “Nothing was played”" in " ".join(
        clause.says for clause in changed.game.rulebook.clauses
    )


def test_a_line_asks_for_all_that_it_tells_of():
    of = base("continental")
    melds = answer(of, Asked(opens="set", line="set")).opened.controls
    deal = answer(of, Asked(opens="steps", line="deal")).opened.controls

    told = ["set.min", "set.max", "set.suits", "run.min", "run.around"]
    assert [each.path for each in melds] == told
    assert [each.path for each in deal] == ["deal.cards", "deal.upcard"]


def test_the_line_on_the_winner_asks_who_wins_also_where_it_tells_of_a_total():
    page = answer(base("rummy"), Asked(opens="ends", line="ends", sets='["end.leads","lowest"]'))
    says = {each.line.name: each.line.says for each in page.glance}

    assert says["Winner"] == "Lowest total; you lose at 100"
    assert page.opened.controls[0].path == "end.leads"
    assert page.opened.controls[0].sentences[0].on


def test_melds_come_down_another_way_by_a_tap_on_how_they_do():
    opened = answer(base("rummy"), Asked(opens="melds")).opened
    contracts, hands = (
        answer(base("rummy"), Asked(opens="melds", sets=sets)) for sets, _ in opened.drops
    )

    assert contracts.game.contracts
    assert not hands.game.contracts
    assert not contracts.clash + hands.clash


def test_a_rule_is_open_in_its_chapter_once_its_line_at_a_glance_is_gone():
    of = base("continental")

    assert answer(of, Asked(opens="buy", line="buy")).line == "buy"
    (sets, _), *_ = answer(of, Asked(opens="buy")).opened.drops
    given_up = answer(of, Asked(opens="buy", line="buy", sets=sets))
    assert given_up.changes
    assert (given_up.line, given_up.opened) == ("", None)
    assert answer(of, Asked(opens="buy", line="nothing")).line == ""


def test_a_card_with_another_value_is_marked_at_a_glance_and_the_rest_of_its_row_is_not():
    page = answer(base("shanghai-rummy"), Asked(sets='["score.hand","2",20]'))
    now = dict(page.prices)

    assert (now["2"], page.was["2"]) == (20, 5)
    assert now["3–9"] == page.was["3–9"] == 5


def test_a_tap_with_scripts_is_answered_with_the_book_and_its_address(client):
    sets = '["deal.cards",12]'
    piece = client.get(
        "/rules/mexican-rummy/change", query_string={"set": sets, "open": "deal"}, headers=HTMX
    )

    assert piece.text.lstrip().startswith("<div")
    assert Changes(({"deal.cards": 12},)).packed() in piece.headers["HX-Replace-Url"]


@pytest.mark.parametrize("start", ["new-game", "make", ""])
def test_a_game_that_was_made_to_be_played_is_chosen_at_new_game(client, database, start):
    packed = Changes(({"deal.cards": 12},)).packed()
    form = {"key": new_key(), "c": packed, "seen": "0", "name": "Ours"}
    way = "/".join(filter(None, ["/rules/rummy-500/change", start, "done"]))
    saved = client.post(way, data=form, headers=OWN)
    (slug,) = database.read(own.read_shelf).own

    to = f"/games/new?variant={slug}" if start else "/games/own/1"
    assert saved.headers["Location"] == to
    assert "Ours" in client.get(to).text


def test_a_game_of_your_own_is_corrected_or_saved_as_another(client, database):
    def send(slug, status=303, **fields):
        packed = Changes(({"deal.cards": 12},)).packed()
        form = {"key": new_key(), "c": packed, "seen": "0", **fields}
        answer = client.post(f"/rules/{slug}/change/done", data=form, headers=OWN)
        assert answer.status_code == status, answer.text

    send("rummy-500", name="Ours")
    (slug,) = database.read(own.read_shelf).own
    send("rummy-500", 422, name="Ours")
    send("rummy-500", 422, name="")
    packed = Changes(({"deal.cards": 9},)).packed()
    send(slug, name="Ours", c=packed, correct="1", seen="1")
    assert database.read(own.read_shelf).own == {slug: 2}
    assert database.read(own.find_game, slug).hand_size == 9
    send(slug, 422, name="Ours", c=packed, correct="1", seen="1")
    send(slug, name="Theirs")
    assert len(database.read(own.read_shelf).own) == 2


def test_a_game_that_is_saved_has_no_options_and_can_be_changed_again(client, database):
    form = {"key": new_key(), "c": Changes(({"deal.cards": 9},)).packed(), "seen": "0"}
    client.post("/rules/eleven-phases/change/done", data=form | {"name": "Ours"}, headers=OWN)
    (slug,) = database.read(own.read_shelf).own

    assert database.read(own.find_game, slug).options == ()
    assert client.get(f"/rules/{slug}/change?open=deal").status_code == 200


def test_a_game_of_points_alone_has_no_rules_to_change(client):
    refused = client.get("/rules/just-points/change")

    assert refused.status_code == 404
    assert "only counts points" in refused.text


def test_an_own_game_starts_from_another(client):
    made = "/rules/rummy/change/make"
    assert client.get("/games/own/new/rummy").headers["Location"] == made
    assert "<title>Make a game · From Rummy · Laydown</title>" in client.get(made).text
    assert f'href="{made}/done?c="' in client.get(made).text
    assert f'href="{made}?c="' in client.get(f"{made}/done").text
    assert "<title>House rules · Rummy · Laydown</title>" in client.get("/rules/rummy/change").text
    asked = client.get("/games/own/new").text
    assert "Which game do you start from?" in asked
    assert 'href="/games/own/new/gin-rummy"' in asked
    assert 'id="own-game" href="/games/own/new"' in client.get("/games/new").text


def test_changes_that_are_not_saved_are_in_the_text(client):
    page = client.get('/rules/rummy/change?set=["deal.cards",9]', headers=HTMX).text
    address = html.unescape(re.search(r'href="(/games/own/text[^"]+)"', page)[1])

    assert "cards = 9" in html.unescape(client.get(address).text)


def test_variants_say_only_what_is_different():
    others = variants_of(variants.get("gin-rummy"))["settle"]

    assert [says for says in others if says.startswith("If you knock")] == []
    assert "Gin 20 and undercut 25." in others


def test_a_game_of_1_round_goes_to_the_player_who_wins_it():
    page = answer(base("manipulation-rummy"), Asked(sets='["end.rounds",1]'))
    assert not page.clash

    assert "most rounds" not in " ".join(clause.says for clause in page.game.rulebook.clauses)


def test_where_nothing_counts_below_0_no_number_below_0_is_offered():
    for slug in GAMES:
        of = base(slug)
        if value_at(of.spec, "end.eliminated") is None:
            offered = control_of(of.spec, "end.eliminated", None).steps[0].usual
            assert len(offered) != 1 or "−" not in offered[0].says, slug


def underlined(page):
    return {
        each.id: [piece.says for piece in each.pieces if piece.mark == "can"]
        for chapter in page.chapters
        for each in chapter.sentences
    }


def test_the_words_that_a_field_decides_are_underlined_in_its_sentence():
    book = underlined(show_book(base("gin-rummy"), Changes()))

    assert book["set"] == ["A set is 3 or more cards of the same rank."]  # not the 3 alone
    assert book["leads"] == ["highest"]
    assert book["going-out"] == []  # no field decides it
    assert len(book["settle"]) == 1  # nowhere told by its fields: whole


def test_a_drawn_meld_is_ruled_on_again_while_rules_are_changed():
    of = base("mexican-rummy")
    around = with_change(of.spec, Changes(), "run.around", value=True)
    for changes, legal in ((Changes(), [True, False]), (around, [True, True])):
        book = show_book(of, changes)
        shown = next(each.shown for each in book.chapters if each.anchor == "c-sets-and-runs")
        assert [each.is_legal for each in shown] == legal


@pytest.mark.parametrize(
    ("slug", "leads", "settle"),
    [("rummy", "lowest", "own-hand"), ("mexican-rummy", "highest", "to-out")],
)
def test_who_wins_brings_how_points_count(slug, leads, settle):
    of = base(slug)
    changes = with_change(of.spec, Changes(), "end.leads", leads)

    assert changes.patch == {"end.leads": leads, "score.settle": settle}
    assert clash_of(of.spec, changes) is None


@pytest.mark.parametrize("slug", in_turn(GAMES))
def test_every_card_counts_1_in_one_tap(slug):
    of = base(slug)
    asked = Asked(opens="score.hand", line="values")
    opened = answer(of, asked).opened
    controls = [each for each in opened.controls if each.path == "score.hand"] if opened else []
    for control in controls:
        sets = next(tap.sets for tap in control.steps[0].usual if tap.says == "1 each")
        page = answer(of, replace(asked, sets=sets))

        assert not page.clash
        # What all wilds count is another rule.
        assert {*dict(page.prices).values()} - {value_at(of.spec, "score.wild")} == {1}


def test_a_game_without_contracts_says_at_a_glance_when_it_ends():
    of = base("manipulation-rummy")
    page = answer(of, Asked(opens="ends", line="ends.rounds", sets='["end.rounds",3]'))
    says = {each.line.name: each.line.says for each in page.glance}

    assert (says["Ends"], says["Drawing"]) == ("After 3 rounds", "Before you play")
    assert page.line == "ends.rounds"
    other = show_book(base("continental"), Changes())
    assert "Ends" not in [each.line.name for each in other.glance]


def test_a_table_is_given_up_only_where_it_is_said_what_it_is():
    of = base("manipulation-rummy")
    whose, draw = (
        show_book(of, Changes(), [path]).opened for path in ("rearrange.whose", "rearrange.draw")
    )

    assert whose.drops
    assert draw.controls
    assert not draw.drops


def test_what_came_with_a_table_goes_again_when_the_table_needs_it_no_longer():
    of = base("rummy")
    jokers = with_change(of.spec, Changes(), "wild", {})
    both = with_change(of.spec, jokers, "wild.cards", ["JK", "2"])
    twos = with_change(of.spec, both, "wild.cards", ["2"])

    assert jokers.patch["pack.jokers"] == both.patch["pack.jokers"] == 4
    assert [*twos.patch] == ["wild"]
    assert [len(each.brought) for each in show_book(of, twos).changes] == [0]


def test_a_rule_that_is_given_up_stays_struck_in_its_place():
    of = base("mexican-rummy")
    page = answer(of, Asked(sets='["swap",null]', opens="swap"))
    rules = [each for chapter in page.chapters for each in chapter.sentences]
    (gone,) = (each for each in rules if each.id == "swap")

    assert page.opened is None
    assert [piece.mark for piece in gone.pieces] == ["was"]
    back = answer(of, Asked(packed=page.packed, sets='["swap",{}]', opens="swap"))
    assert back.changes == ()
    assert back.opened
    assert back.opened.id == "swap"


def test_no_card_is_wild_until_one_is_tapped():
    of = base("rummy")
    plain = show_book(of, Changes())
    (adds,) = (each.adds for chapter in plain.chapters for each in chapter.sentences if each.adds)
    page = answer(of, Asked(opens=adds))

    assert adds == "wild.cards"
    assert page.changes == ()
    assert page.opened
    assert [tap.on for tap in page.opened.controls[0].keys] == [False] * 14
    changes = with_change(of.spec, Changes(), "wild.cards", ["2"])
    assert changes.patch == {"wild.cards": ["2"]}
    assert with_change(of.spec, changes, "wild.cards", []) == Changes()


def test_a_comma_after_a_word_does_not_make_it_another():
    pieces = marked("Deal 4 each.", "Deal 4, and turn one up.")

    assert [piece.says for piece in pieces if piece.mark] == ["and turn one up."]


def test_the_deal_of_each_round_is_changed_where_the_deal_is_told():
    of = base("mexican-rummy")
    control = show_book(of, Changes(), ("deal",)).opened.controls[0]
    (each, *_) = (tap for tap in control.chips if "each" in tap.says.lower())
    page = answer(of, Asked(sets=each.sets, opens="deal"))
    page = answer(of, Asked(packed=page.packed, to='["steps",0,"deal"]', typed="6", opens="deal"))

    assert page.opened.id == "house-deal"
    rows = page.opened.controls[0].steps
    assert rows[0].usual[0].says == "1 more each round: 6, 7, 8…"
    assert [row.text for row in rows] == ["6", "10", "10", "10", "10", "10"]
    assert page.game.contract_at(1) == of.game.contract_at(1)
    rising = answer(of, Asked(packed=page.packed, sets=rows[0].usual[0].sets, opens="deal"))
    assert [rising.game.hand_at(step) for step in range(1, 7)] == [6, 7, 8, 9, 10, 11]
    same = answer(of, Asked(packed=page.packed, sets=rows[0].usual[1].sets, opens="deal"))
    assert [same.game.hand_at(step) for step in range(1, 7)] == [6] * 6
    alike = same.opened.controls[0].steps[0].usual
    assert [(tap.says, tap.on) for tap in alike] == [
        ("1 more each round: 6, 7, 8…", False),
        ("The same in every round", True),
    ]


def test_fields_are_called_by_the_words_of_the_game():
    spoken = language()
    speak("es")
    try:
        conquian = variants.description_of("conquian", "es")
        assert title_of("set.min", conquian) == "Mínimo de cartas en una tercia"
        assert title_of("run", conquian) == "Corridas"
        assert title_of("run.ace") == "El as en una escalera"
        game = variants.get("remigio", "es").with_options(
            {"/hand.special": {"colour": {"is": "one-suit", "times": 4}}}
        )
        assert ("Manos especiales", "“Color” 4 veces (de un solo palo)") in [
            (title, says.replace("«", "“").replace("»", "”"))
            for title, says in say_house_rules(game)
        ]
    finally:
        speak(spoken)


def test_the_first_step_from_no_number_is_to_nothing_and_not_to_the_lowest_there_is():
    control = show_book(base("contract-rummy"), Changes(), ("values",)).opened.controls[0]

    assert control.steps[0].text == ""
    assert control.steps[0].less == ""
    assert control.steps[0].more == '["score.hand","2-10",0]'


def values_after(of, at, *ranks):
    """What cards count after ranks are tapped in the row that has the one at a place."""
    packed = ""
    for rank in ranks:
        page = answer(of, Asked(packed=packed, opens="values", at=at))
        row = next(row for row in page.opened.controls[0].steps if row.keys)
        packed = answer(
            of, Asked(packed=packed, sets=next(tap.sets for tap in row.keys if tap.says == rank))
        ).packed
    return value_at(patched(of.spec, read_changes(packed).patch), "score.hand")


@pytest.mark.parametrize(
    ("at", "ranks", "rows"),
    [
        (2, ["10"], ["2-9", "10", "J-K", "A"]),
        (2, ["5"], ["2-4", "5", "6-10", "J-K", "A"]),
        (11, ["10"], ["2-9", "10-K", "A"]),
        (11, ["10", "10"], ["2-9", "10", "J-K", "A"]),
        (2, ["K"], ["2-K", "A"]),
        (2, ["A"], ["A-10", "J-K"]),
        (1, ["5"], ["A-5", "6-10", "J-K"]),
    ],
)
def test_a_row_of_cards_loses_the_rank_that_is_tapped_or_goes_up_to_it(at, ranks, rows):
    of = base("contract-rummy")
    told = values_after(of, at, *ranks)

    assert [*told] == [*rows, "JK"]
    assert told["JK"] == 15
    assert not problems(patched(of.spec, {"score.hand": told}))


@pytest.mark.parametrize(
    ("now", "down", "up"),
    [
        *((1, 1, 1), (10, 1, 5), (11, 1, 1), (15, 5, 5), (30, 5, 10), (100, 10, 25)),
        *((125, 25, 25), (500, 50, 50), (501, 1, 1), (1000, 50, 100), (5000, 100, 500)),
        *((0, 1, 1), (-30, 10, 5)),
    ],
)
def test_points_go_up_and_down_by_round_numbers_as_large_as_they_are(now, down, up):
    assert strides(now) == (down, up)


def test_cards_and_rounds_go_up_and_down_by_1():
    of = base("rummy-500")
    for path, value in (("deal.cards", 15), ("end.rounds", 15)):
        (step,) = control_of(of.spec, path, value).steps
        assert step.by == (1, 1), path
    (target,) = control_of(of.spec, "end.total", 500).steps
    assert [target.less, target.more] == ['["end.total",450]', '["end.total",550]']


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_no_choice_leaves_its_number_out(spoken):
    before = language()
    speak(spoken)
    try:
        for path, field in BY_PATH.items():
            if not (isinstance(field.kind, kinds.Whole) and field.kind.none):
                continue
            for choice in control_of(base("rummy-500").spec, path, None).sentences:
                assert "…" not in choice.says, path
    finally:
        speak(before)


def test_without_a_number_of_rounds_a_list_of_rounds_says_when_the_game_ends():
    ends = {
        "contract-rummy": "The game ends after 7 rounds.",
        "phase-10": "The game ends when a player makes the last of 10 phases.",
        "three-thirteen": "The game ends after 11 rounds.",
        "rummy": "The number of rounds isn’t fixed.",
    }
    for slug, says in ends.items():
        (choice,) = control_of(variants.description_of(slug), "end.rounds", None).sentences
        assert choice.says == says


def test_a_number_for_some_players_is_parted_in_one_tap():
    of = base("mexican-rummy")
    control = control_of(of.spec, "pack.copies", 2)
    (five,) = (tap for tap in control.more if "5" in tap.says)
    page = answer(of, Asked(sets=five.sets))
    parts = {"2-4": 2, "5-8": 2}
    assert read_changes(page.packed).patch["pack.copies"] == parts


def test_a_number_by_players_can_be_any_usual_one_for_all():
    of = base("shanghai-rummy")
    control = control_of(of.spec, "pack.copies", value_at(of.spec, "pack.copies"))
    says = {tap.says: tap.sets for tap in control.chips}
    # 1 deck is not enough for 8 players.
    assert says == {"2 for all": '["pack.copies",2]', "3 for all": '["pack.copies",3]'}


def test_a_round_can_take_the_contract_of_any_other_of_about_as_many_cards():
    of = base("contract-rummy")
    page = answer(of, Asked(opens="contracts", at=7))
    round_ = page.opened.controls[0].rounds[6]
    (tap,) = (tap for tap in round_.melds if tap.says == "1 set of 3 + 1 run of 7")

    changed_to = answer(of, Asked(sets=tap.sets)).game.contract_at(7)
    assert changed_to.says == "1 set of 3 + 1 run of 7"


def test_another_round_is_like_the_last_but_with_a_discard():
    of = base("contract-rummy")
    page = answer(of, Asked(opens="contracts"))
    page = answer(of, Asked(sets=page.opened.controls[0].another))
    *_, before, last = read_changes(page.packed).patch["steps"]

    assert before == {**last, "discard": "never"}


def test_the_cards_of_a_meld_in_a_contract_are_a_number():
    of = base("contract-rummy")
    page = answer(of, Asked(to='["steps",1,"contract",1]', typed="7", opens="contracts", at=2))

    assert page.game.contract_at(2).says == "1 set of 3 + 1 run of 7"
    assert [step.text for step in page.opened.controls[0].rounds[1].steps] == ["3", "7"]


@pytest.mark.parametrize(("length", "last"), [("5", "2 sets of 3 + 1 run of 4"), ("9", None)])
def test_a_list_keeps_its_first_rounds_or_gets_more_like_the_last(length, last):
    of = base("contract-rummy")
    page = answer(of, Asked(to='["steps","length"]', typed=length))

    assert page.opened.controls[0].steps[0].text == length
    assert len(page.game.contracts) == int(length)
    assert page.game.contract_at(int(length)).says == (last or of.game.contract_at(7).says)


PUSH = "Push the top discard to the player on your left."


def test_every_chapter_takes_a_rule_in_your_own_words():
    of = base("contract-rummy")
    for chapter in show_book(of, Changes()).chapters:
        own = chapter.writes
        page = answer(of, Asked(opens=own))
        page = answer(of, Asked(to=page.opened.controls[0].writes, typed=f" {PUSH}\n Draw. "))
        there = next(each for each in page.chapters if each.title == chapter.title)
        rule = next(each for each in there.sentences if each.pieces[0].mark == "now")
        assert "".join(piece.says for piece in rule.pieces) == f"{PUSH} Draw."
        assert not rule.is_checked
        assert page.opened is None
        assert changed(page) == {f"{PUSH} Draw."}
        page = answer(of, Asked(packed=page.packed, opens=own))
        rule = page.opened
        ((gone, _),) = page.opened.drops
        for left in ({"sets": gone}, {"to": rule.controls[0].writes, "typed": " "}):
            assert answer(of, Asked(packed=page.packed, opens=rule.id, **left)).changes == ()


def test_a_rule_that_tables_often_write_is_one_tap():
    of = base("contract-rummy")
    book = show_book(of, Changes(), ["unchecked.turn"])
    push, other = book.opened.controls[0].sentences[:2]
    (found,) = find_in(book, "push").more
    assert (found.says, found.to) == (push.says, f"unchecked.turn&set={quote(push.sets)}")

    page = answer(of, Asked(sets=other.sets))
    (found,) = find_in(page, "push").more
    page = answer(of, Asked(packed=page.packed, sets=unquote(found.to.partition("&set=")[2])))
    assert changed(page) == {f"{other.says} {push.says}"}
    assert not find_in(page, "push").more


def test_rules_that_tables_often_write_are_for_chapters_there_are():
    written = Catalogue.read("en", WORDS).tables["changing"]["written"]
    chapters = {each.writes for each in show_book(base("contract-rummy"), Changes()).chapters}
    assert {
        f"unchecked.{name.rpartition('-')[0]}" for name in written if name != "other"
    } <= chapters


def test_games_without_a_discard_pile_have_no_push():
    for slug in ("rummikub", "manipulation-rummy"):
        assert not find_in(show_book(base(slug), Changes()), "push").more


def test_packs_go_by_the_players_there_can_be():
    of = base("shanghai-rummy")
    page = answer(of, Asked(to='["players",1]', typed="5"))
    made = described(of, read_changes(page.packed), "Ours")
    assert made["pack"]["copies"] == {"3-4": 2, "5": 3}
    assert "5 to 8" not in " ".join(clause.says for clause in page.game.rulebook.clauses)
    page = answer(of, Asked(to='["players",1]', typed="4"))
    assert described(of, read_changes(page.packed), "Ours")["pack"]["jokers"] == 4


@pytest.mark.parametrize("slug", ["shanghai-rummy", "contract-rummy", "mexican-rummy"])
def test_a_round_without_a_discard_goes_with_all_its_words(slug):
    of = base(slug)
    page = answer(of, Asked(to='["steps","length"]', typed="5"))
    told = " ".join(clause.says for clause in page.game.rulebook.clauses)
    glance = " ".join(each.line.says for each in page.glance)
    words = re.compile("last round:|whole hand|(?<!with or )without a discard", re.IGNORECASE)
    assert not words.search(f"{told} {glance}")


def test_what_is_said_about_buying_goes_with_buying():
    of = base("shanghai-rummy")
    page = answer(of, Asked(to='["steps","length"]', typed="5"))
    page = answer(of, Asked(packed=page.packed, sets='["buy",null]'))
    assert not page.clash
    assert not any("bought" in clause.says for clause in page.game.rulebook.clauses)


def test_a_rule_given_up_that_the_game_needs_is_struck_in_the_list_of_changes():
    page = answer(base("shanghai-rummy"), Asked(sets='["buy",null]'))
    assert page.clash
    assert [piece.mark for piece in page.changes[0].pieces] == ["was"]


def test_a_house_rule_is_told_in_words_beside_its_title():
    game = base("shanghai-rummy").remake({"wild.outnumber": True})
    told = ("More wilds than natural cards", "a meld can have more wilds than natural cards")
    assert told in say_house_rules(game)


def test_what_no_one_may_do_is_given_up_and_not_also_offered_as_a_choice():
    of = base("shanghai-rummy")
    swap = show_book(of, Changes(), ["swap"]).opened
    (drop, _), *more = swap.drops
    page = answer(of, Asked(sets=drop))

    assert not more
    assert not [sets for control in swap.controls for sets in control.taps if "nobody" in sets]
    assert not page.game.swaps
    assert changed(page) == {
        "From the turn after you go down, you can take a joker for the exact card it stands for."
    }


def test_a_change_is_told_as_all_of_them_make_it():
    of = base("shanghai-rummy")
    page = answer(of, Asked(sets='["swap.who","nobody"]', opens="swap"))
    page = answer(of, Asked(packed=page.packed, sets='["wild.cards",["JK","2"]]'))
    assert "Wild cards on the table stay where they are." in changed(page)


def test_rules_in_your_own_words_go_where_the_changed_rules_go(client, database):
    packed = Changes(({"unchecked.turn": f"<b>{PUSH}"},)).packed()
    form = {"key": new_key(), "c": packed, "name": "Push Rummy"}
    saved = client.post("/rules/contract-rummy/change/done", data=form, headers=OWN)
    slug = f"own-{saved.headers['Location'].rpartition('/')[2]}"
    table = Table(database, ("Ana", "Ben", "Cleo"), "contract-rummy")
    form = {"key": new_key(), "c": packed, "seen": "0"}
    client.post(f"/g/{table.pub}/house-rules", data=form, headers=OWN)

    for page in (f"/rules/{slug}", f"/g/{table.pub}/rules", f"/desk/{slug}"):
        told = client.get(page).text
        assert "&lt;b&gt;Push" in told
        assert "<b>Push" not in told
    game = database.read(ledger.read_story, table.pub).variant
    assert [clause.section for clause in game.rulebook.unruled] == ["Your turn"]
    assert variants.told_in(game, "es").rulebook.unruled[0].says == f"<b>{PUSH}"


def test_a_special_hand_that_is_added_is_called_in_the_language_of_the_page():
    spoken = language()
    speak("es")
    try:
        game = variants.get("remigio", "es")
        spec = variants.description_of("remigio", "es")
        of = Base(game, spec, lambda patch: game.with_options(by_path(patch)))
        control = control_of(spec, "hand.special", value_at(spec, "hand.special"))
        (pairs,) = (tap for tap in control.more if "parejas" in tap.says.lower())
        page = answer(of, Asked(sets=pairs.sets))
    finally:
        speak(spoken)

    told = [clause.says for clause in page.game.rulebook.clauses if "Parejas" in clause.says]
    assert told
    assert "Pairs" not in told[0]
