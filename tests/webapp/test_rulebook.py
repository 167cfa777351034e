"""The rules as a form: read, tapped, told, undone; problems in their places; kept and used."""

import html
import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from referee import variants
from referee.describing import (
    BY_PATH,
    OF_SECTION,
    SECTIONS,
    UNCHECKED,
    brought,
    changed,
    kinds,
    problems,
    value_at,
)
from referee.saying import LANGUAGES, Catalogue
from tests.examples import examples, in_turn
from tests.webapp.drafts import (
    base,
    control,
    controls,
    form_of,
    kept,
    opened,
    sets,
    shown,
    with_changes,
)
from tests.webapp.table import HTMX, OWN, Table
from tests.webapp.tapper import Tapper
from webapp.language import WORDS, language, speak
from webapp.ledger import ledger
from webapp.ledger.ledger import new_key
from webapp.models import RulesDraft, utcnow
from webapp.own_games import catalog
from webapp.own_games.names import title_of
from webapp.own_games.sentences import say_house_rules, usual_rules
from webapp.own_games.url_token import write_token
from webapp.pages.rulebook import draft as drafts
from webapp.pages.rulebook.base import Base, by_path
from webapp.pages.rulebook.commands import described
from webapp.pages.rulebook.draft import Draft, read_draft
from webapp.pages.rulebook.form import TypedError, read_typed
from webapp.pages.rulebook.view import finding_in, show
from webapp.pages.rules.variants import variants_of

GAMES = [game.slug for game in variants.all() if not game.points_only]
PUSH = "Push the top discard to the player on your left."


def tap(client, slug, key, **form):
    """Tap something in the draft of a game; answers the fragment."""
    return client.post(f"/rules/{slug}/change?d={key}", data=form, headers=OWN | HTMX)


def patch_of(database, slug, key):
    return database.read(read_draft, key, slug).patch


def says(page):
    return [row.says or f"- {row.was}" for row in page.changes]


def chapter(page, title):
    return next(each for each in page.chapters if each.title == title)


def line(page, name):
    return next(row for row in page.glance if row.label == name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_field_table_and_number_is_called_something(language):
    called = Catalogue.read(language, WORDS).tables["changing"]
    known = [field.kind.known for field in BY_PATH.values() if isinstance(field.kind, kinds.Named)]
    of = {*BY_PATH, *SECTIONS} - {field.path for field in OF_SECTION[UNCHECKED]}

    assert {path.replace(".", "-") for path in of} <= set(called["of"])
    assert {word for each in known for some in each.values() for word in some} <= set(
        called["argument"]
    )


@pytest.mark.parametrize("slug", in_turn(GAMES, quick=2, each=11))
def test_every_field_is_asked_for_somewhere(slug):
    page = shown(slug)
    asked = {path for row in page.rows for path in row.paths}
    there = {path.partition(".")[0] for path in asked}

    assert {*SECTIONS} - {"points"} <= there | {*base(slug).spec}


@pytest.mark.parametrize("slug", in_turn(GAMES, quick=2, each=11))
def test_every_line_and_sentence_opens_where_it_is(slug):
    of = base(slug)
    for row in show(of, Draft("")).rows:
        if row.paths:
            assert opened(show(of, Draft(""), row.id)).id == row.id


@pytest.mark.parametrize("slug", in_turn(GAMES, quick=2, each=11))
def test_the_cross_on_a_line_drops_its_rule_and_the_line_stays_struck_in_its_place(slug):
    before = shown(slug).glance
    for number, row in enumerate(before):
        if row.drop:
            page = shown(slug, tuple(json.loads(row.drop)))
            assert says(page), row.id
            if row.id not in {each.id for each in page.glance if not each.is_gone}:
                assert page.glance[number].id == row.id
                assert page.glance[number].was == row.says


def test_jokers_that_become_wild_come_into_the_deck_and_each_part_can_be_undone():
    page = shown("rummy", ("wild", {"cards": ["JK"]}), opens="g-wild")

    assert page.problems == ()
    assert [row.changes for row in page.brought] == [("pack.jokers",), ("score.hand",)]
    assert all(row.came == page.changes[0].says for row in page.brought)
    without = page.draft.changed({}, {}, ["pack.jokers"])
    assert [each.says for each in show(page.base, without).problems] == [
        "Jokers are wild, but there are none in the deck."
    ]
    assert page.draft.changed({}, {}, ["wild"]).patch == {}


def test_what_was_undone_does_not_come_back_with_the_next_change():
    of = base("rummy")
    draft = with_changes(of, ("wild", {"cards": ["JK"]})).changed({}, {}, ["pack.jokers"])

    now = changed(of.spec, draft.patch)
    assert "pack.jokers" not in brought(now, changed(now, {"deal.cards": 8}))


def test_a_problem_is_in_its_place_and_done_waits(client):
    key = new_key()
    page = tap(client, "rummy", key, **{"path": "deal.cards", "n.": "13", "open": "g-deal"}).text

    assert "There are 52 cards, too few to deal 13 each to 6 players." in page
    assert 'id="done"' not in page
    assert f'id="fix" href="/rules/rummy/change?d={key}&amp;open=g-pack#open"' in page
    assert 'id="undo-last"' in page
    assert "Fix the conflict" in client.get(f"/rules/rummy/change/done?d={key}").text


@pytest.mark.parametrize(
    ("slug", "tapped", "row"),
    [
        ("rummy", ("deal.cards", 13), "g-pack"),
        ("rummy", ("players", [2, 10]), "g-pack"),
        ("manipulation-rummy", ("end.total", 300), "g-leads"),
        ("rummy-500", ("set.min", 5), "g-set"),
    ],
)
def test_fix_opens_the_row_that_can_solve_a_problem(slug, tapped, row):
    page = shown(slug, tapped, opens="g-deal")
    (first, *_) = page.problems

    assert first.fix == row
    rest = {each.path for each in controls(opened(shown(slug, tapped, opens=first.fix)))}
    assert rest


def test_a_problem_that_the_open_row_solves_needs_no_link():
    page = shown("manipulation-rummy", ("end.total", 300), opens="g-ends")

    assert page.problems[0].fix == ""
    assert "end.leads" in {each.path for each in opened(page).controls}
    righted = shown("manipulation-rummy", ("end.total", 300), ("end.leads", "highest"))
    assert righted.problems == ()


def test_a_problem_of_a_round_says_which():
    page = shown("shanghai-rummy", ("buy", None))

    assert page.problems[0].says.startswith("Round 8: A contract takes 13 cards")
    assert page.changes[0].is_gone


@pytest.mark.parametrize("first", ["players", "teams"])
def test_a_game_for_two_can_be_one_for_two_teams(first):
    tapped = [("players", [2, 4]), ("teams", {"size": {"2-3": 1, "4": 2}})]
    page = shown("rummy-500", *(tapped if first == "players" else reversed(tapped)))

    assert page.problems == ()
    assert page.base.played(page.draft.patch).teams(4)


def test_changes_that_one_sentence_tells_are_one_change():
    page = shown("shanghai-rummy", ("pack.copies", 2), ("pack.jokers", 3))

    assert says(page) == ["2 decks of 52 cards, with 3 jokers."]
    assert page.changes[0].was
    assert page.draft.changed({}, {}, page.changes[0].changes).patch == {}


def test_a_change_back_is_not_a_change(client, database):
    key, usual = new_key(), value_at(base("mexican-rummy").spec, "deal.cards")
    tap(client, "mexican-rummy", key, set='["deal.cards",9]')
    assert patch_of(database, "mexican-rummy", key) == {"deal.cards": 9}
    tap(client, "mexican-rummy", key, set=json.dumps(["deal.cards", usual]))
    assert patch_of(database, "mexican-rummy", key) == {}


@pytest.mark.parametrize(
    ("path", "typed", "value"),
    [
        ("deal.cards", {"n.": "12"}, 12),
        ("deal.cards", {"n.": "１２"}, 12),
        ("deal.cards", {"n.": "", "n.2": "9", "n.3": "9", "n.4": "8"}, {"2-3": 9, "4": 8}),
        ("end.eliminated", {"n.": "−50"}, -50),
        ("score.cap", {"n.": ""}, None),
        ("players", {"n.0": "2", "n.1": "6"}, [2, 6]),
        ("steps", {"n.length": "2"}, ["2 sets of 3", "1 set of 3 + 1 run of 4"]),
        (
            "score.fixed",
            {"text": "Left early"},
            {"left-early": {"points": 20, "title": "Left early"}},
        ),
        ("unchecked.turn", {"text": f" {PUSH}\n Draw. "}, f"{PUSH} Draw."),
        ("unchecked.turn", {"text": " "}, None),
    ],
)
def test_what_is_typed_is_the_value_of_its_field(path, typed, value):
    spec = base("contract-rummy").spec
    assert read_typed(spec, path, typed) == value or path == "score.fixed"
    if path == "score.fixed":
        assert value.items() <= read_typed(spec, path, typed).items()


@pytest.mark.parametrize(
    ("path", "typed", "says"),
    [
        ("deal.cards", {"n.": "80"}, "Type a number from 1 to 30."),
        ("deal.cards", {"n.": "many"}, "Type a whole number."),
        ("deal.cards", {"n.": ""}, "Type a number from 1 to 30."),
        ("score.hand", {"n.A": "99999"}, "Type a number from −1000 to 1000."),
        ("players", {"n.0": "6", "n.1": "2"}, "Type a number from 2 to 12."),
        ("players", {"n.0": "", "n.1": ""}, "Type a number from 2 to 12."),
        ("steps", {"n.length": "0"}, "Type a number from 1 to 30."),
        ("steps", {"n.r1.deal": "31"}, "Type a whole number."),
        ("score.fixed", {"text": ""}, "Type a name with two letters or more."),
    ],
)
def test_a_number_that_cannot_be_gets_a_sentence_and_what_is_there_stays(path, typed, says, client):
    with pytest.raises(TypedError, match=re.escape(says)):
        read_typed(base("contract-rummy").spec, path, typed)
    answer = tap(client, "contract-rummy", new_key(), path=path, open="deal", **typed)
    assert answer.status_code == 200
    plain = client.post(
        "/rules/contract-rummy/change?d=k", data={"path": path, **typed}, headers=OWN
    )
    assert plain.status_code == 422


@pytest.mark.parametrize("slug", in_turn(GAMES, quick=2, each=11))
def test_a_number_that_is_sent_empty_comes_to_a_page(slug, client):
    for row in [row.id for row in shown(slug).rows if row.paths]:
        for each in controls(opened(shown(slug, opens=row))):
            if each.numbers:
                form = {name: "" for name in form_of(each) if name.startswith("n.")}
                answer = tap(client, slug, "empty", path=each.path, open=row, **form)
                assert answer.status_code == 200, each.path


@pytest.mark.parametrize(
    "sent",
    [
        *("x", "[]", '["x"]', '["x",1]', '["deal",1]', "{}", "7", '["deal","cards",1]'),
        *('[["deal.cards"],1]', "[" * 900, '["steps",0,"contract",3,4,5]', '["steps",[["a"]]]'),
        *('["pack.kind","2 sets of 3"]', '["pack",{"kind":"x"}]', '["players",[9,2]]'),
        *(
            '["players",null]',
            '["score.hand",{"A":[1]}]',
            '["wild",{"cards":null}]',
        ),
        *('["steps",[{"contract":[1,2]}]]', '["opening.points",true]', '["pack.kind",null]'),
    ],
)
def test_a_choice_that_no_page_offers_is_refused_and_nothing_is_kept(sent, client, database):
    key = new_key()
    assert tap(client, "mexican-rummy", key, set=sent).status_code == 400
    assert patch_of(database, "mexican-rummy", key) == {}


def test_a_deck_that_is_no_deck_in_an_address_of_before_is_refused(client):
    kept_then = write_token({"changes": [{"pack.kind": "2 sets of 3"}]})
    for way in ("", "/done"):
        answer = client.get(f"/rules/mexican-rummy/change{way}?c={kept_then}")
        assert answer.status_code == 400


@pytest.mark.parametrize("slug", ["rummikub", "okey", "phase-10", "chinchon"])
def test_play_without_suits_comes_to_a_page_where_no_game_comes_of_it(slug, client):
    key = new_key()
    answer = tap(client, slug, key, set='["pack.ignore-suits",true]', open="f-pack.ignore-suits")

    assert answer.status_code == 200
    assert 'id="clash"' in answer.text
    assert client.get(f"/rules/{slug}/change?d={key}&open=pack.ignore-suits").status_code == 200


def test_a_contract_of_more_cards_than_there_are_is_not_drawn(client):
    answer = tap(
        client, "mexican-rummy", "k", set='["steps",["99 sets of 99"]]', open="g-contracts"
    )

    assert answer.status_code == 200
    assert answer.text.count("<i></i>") <= 900


@pytest.mark.slow
def test_random_taps_with_junk_come_to_a_page(app):
    tapper = Tapper(app, 7)
    tapper.tap(examples(15_000, least=60))

    assert not tapper.tally.wrong
    assert tapper.tally.answered


def test_the_page_is_whole_without_scripts(phone, database):
    phone.open("/rules/mexican-rummy/change?d=mine&open=g-deal")
    tapped = phone.client.post(
        "/rules/mexican-rummy/change?d=mine",
        data={"path": "deal.cards", "n.": "12", "open": "g-deal"},
        headers=OWN,
    )
    assert tapped.status_code == 303
    assert "12 cards each" in phone.open(tapped.headers["Location"].partition("#")[0]).text
    done = phone.open("/rules/mexican-rummy/change/done?d=mine")
    assert "1 change" in done.text
    phone.press("Save", name="Our Mexican")

    (slug,) = database.read(catalog.read_catalog).own
    assert database.read(catalog.find_game, slug).hand_size == 12


@pytest.mark.parametrize(
    ("start", "before"),
    [
        ("/new-game", "/games/new?variant=rummikub"),
        ("/make", "/games/own/new"),
        ("", "/rules/rummikub"),
    ],
)
def test_done_without_a_change_goes_back_to_the_page_before(start, before, client):
    page = f"/rules/rummikub/change{start}"
    assert f'href="{before}"' in client.get(page).text

    done = client.get(f"{page}/done?d={new_key()}")

    assert (done.status_code, done.headers["Location"]) == (302, before)


def test_undoing_the_last_change_goes_back_to_the_rules(client):
    key, page = new_key(), "/rules/rummikub/change/new-game"
    tap(client, "rummikub", key, set='["deal.cards",13]')

    sent = {"d": key, "undo": "deal.cards"}
    undone = client.post(f"{page}?then=done&d={key}", data=sent, headers=OWN)

    assert undone.headers["Location"].startswith(f"{page}?d=")


def test_a_tap_with_scripts_is_answered_with_the_book_and_its_address(client):
    fragment = tap(client, "mexican-rummy", "mine", set='["deal.cards",12]', open="g-deal")

    assert fragment.text.lstrip().startswith("<div")
    assert fragment.headers["HX-Replace-Url"] == "/rules/mexican-rummy/change?d=mine"


def test_nothing_is_written_before_the_first_change(client, database):
    client.get("/rules/rummy/change")
    client.get("/rules/rummy/change?d=mine&open=g-deal")
    tap(client, "rummy", "mine", undo="deal.cards", open="g-deal")

    assert database.read(lambda session: session.query(RulesDraft).count()) == 0


def test_drafts_go_after_30_days_and_the_oldest_untouched_make_room(database, monkeypatch):
    monkeypatch.setattr(drafts, "_MOST", 3)
    old = kept(database, "rummy", {"deal.cards": 9})

    def age(session):
        session.get(RulesDraft, old).at = utcnow() - drafts._KEPT * 2

    database.write(age)
    table = Table(database, ("Ana", "Ben", "Cleo"))
    ours = kept(database, drafts.in_game(table.pub), {"deal.cards": 9})
    first, *others = (kept(database, "rummy", {"deal.cards": n}) for n in range(8, 12))

    assert patch_of(database, "rummy", old) == {}
    assert patch_of(database, "rummy", first) == {}
    assert all(patch_of(database, "rummy", key) for key in others)
    assert patch_of(database, drafts.in_game(table.pub), ours) == {"deal.cards": 9}


def test_the_draft_of_one_game_is_none_of_another(database):
    key = kept(database, "rummy", {"deal.cards": 9})

    assert patch_of(database, "gin-rummy", key) == {}


def test_an_address_of_before_becomes_a_draft_once(client, database):
    token = write_token({"changes": [{"deal.cards": 12}, {"run.around": True}]})
    went = client.get(f"/rules/mexican-rummy/change/new-game?c={token}&open=deal")
    (key,) = re.findall(r"d=([a-z0-9-]+)", went.headers["Location"])

    assert went.status_code == 303
    assert "c=" not in went.headers["Location"]
    assert patch_of(database, "mexican-rummy", key) == {"deal.cards": 12, "run.around": True}
    page = client.get(went.headers["Location"])
    assert "12 cards each" in page.text
    assert not re.search(r"[?&]c=", html.unescape(page.text))


@pytest.mark.parametrize("token", ["nonsense", write_token({"changes": [{"run.aces": 1}]})])
def test_an_address_of_before_that_is_broken_is_refused(token, client):
    assert client.get(f"/rules/rummy/change?c={token}").status_code == 400


def test_a_search_finds_rules_as_they_are_changed_and_what_could_be_added(client, database):
    key = kept(database, "mexican-rummy", {"deal.cards": 12})
    address = f"/rules/mexican-rummy/change?d={key}"
    dealt = client.get(f"{address}&find=deal").text
    bonus = client.get(f"{address}&find=bonus").text

    assert f'href="{html.escape(address)}&amp;open=deal"' in dealt
    assert "12" in dealt
    assert "You could add" in bonus
    assert "<mark>bonus</mark>" in bonus
    assert "You could add" in client.get("/rules/mexican-rummy?find=bonus").text


def test_every_row_that_a_search_finds_can_be_opened():
    for words in ("bonus", "joker", "teams", "push"):
        page = shown("contract-rummy")
        for one in finding_in(page, words).do().more:
            assert opened(shown("contract-rummy", opens=one.to))


def test_a_rule_that_is_changed_stays_in_its_chapter():
    of = base("liverpool-rummy")
    page = shown("liverpool-rummy", ("steps", of.spec["steps"][:-1]))

    assert "contracts" in [row.id for row in chapter(page, "Going down").rows if row.changes]


def test_a_chapter_that_is_added_is_where_a_leaflet_has_it():
    titles = [each.title for each in shown("rummy", ("wild", {"cards": ["JK"]})).chapters]

    assert titles.index("Wild cards") == titles.index("Sets and runs") + 1


def test_a_rule_that_is_given_up_stays_struck_in_its_chapter():
    page = shown("continental", ("buy", None))
    gone = [row for each in page.chapters for row in each.rows if row.is_gone]

    assert gone
    assert all(row.changes == ("buy",) for row in gone)
    assert says(page) == [f"- {gone[0].was}"]


def test_melds_come_down_another_way_by_a_tap_on_how_they_do():
    page = shown("rummy", opens="g-melds")
    ways = next(each for each in opened(page).controls if each.path == "free")
    to_contracts = shown("rummy", sets("Each round has a contract", ways.choices))

    assert to_contracts.problems
    ladder = shown("rummy", sets("Each round has", ways.choices), ("steps", ["2 sets of 3"]))
    assert ladder.base.played(ladder.draft.patch).contracts


def test_a_line_asks_for_all_that_it_tells_of():
    melds = {each.path for each in opened(shown("continental", opens="g-set")).controls}
    deal = [each.path for each in opened(shown("continental", opens="g-deal")).controls]

    assert {"set.min", "set.max", "set.suits", "run.min", "run.around"} <= melds
    assert deal[:2] == ["deal.cards", "steps"]


def test_who_wins_and_when_the_game_ends_are_asked_for_together():
    for opens in ("g-ends", "leads"):
        asked = {each.path for each in opened(shown("rummy", opens=opens)).controls}
        assert {"end.leads", "end.total", "end.rounds", "end.open"} <= asked


def test_wild_ranks_are_tapped_and_their_suits_are_folded():
    cards = control(
        shown("contract-rummy", ("wild.cards", ["JK", "2"]), opens="g-wild"), "wild.cards"
    )
    ((which, tints),) = cards.suits

    assert [key.says for key in cards.keys if key.on] == ["2", "Joker"]
    assert which == "Which 2s?"
    assert sets("Black", tints) == ("wild.cards", ["JK", "black 2"])


def test_only_ranks_that_fit_are_offered():
    page = shown("canasta", opens="set.last")
    last = control(page, "set.last")

    assert {key.says for key in last.keys} == set(page.base.spec["set"]["without"])


def test_numbers_that_tables_play_with_are_chips():
    deal = control(shown("contract-rummy", opens="g-deal"), "deal.cards")

    assert deal.usual
    assert all(path == "deal.cards" for path, _ in (json.loads(one.sets) for one in deal.usual))


def test_no_number_below_0_is_offered_where_there_is_none():
    for slug in GAMES:
        spec = base(slug).spec
        if value_at(spec, "end.eliminated") is None:
            offered = control(shown(slug, opens="end.eliminated"), "end.eliminated").usual
            assert not [one for one in offered if one.says.startswith("−")], slug


def test_an_ace_counts_something_else_than_its_neighbors_in_one_field():
    spec = base("rummy").spec
    form = form_of(control(shown("rummy", opens="values"), "score.hand"))
    typed = read_typed(spec, "score.hand", {**form, "n.A": "15"})

    assert typed["A"] == 15
    assert not problems(changed(spec, {"score.hand": typed}))


def test_cards_can_be_dealt_by_the_round():
    deals = control(shown("contract-rummy", opens="g-deal", at=1), "steps")

    assert [one.key for one in deals.numbers] == [f"d{n}" for n in range(1, 8)]
    typed = read_typed(base("contract-rummy").spec, "steps", {"path": "steps", "n.d1": "12"})
    assert typed[0]["deal"] == 12


def test_a_round_is_changed_melds_added_and_taken_out():
    spec = base("contract-rummy").spec
    more = read_typed(spec, "steps", {"n.r1.0": "3", "n.r1.1": "4", "n.r1.run": "4"})
    less = read_typed(spec, "steps", {"n.r1.0": "3", "n.r1.1": ""})

    assert more[0] == "1 set of 3 + 1 set of 4 + 1 run of 4"
    assert less[0] == "1 set of 3"


def test_another_round_is_like_the_last_but_with_a_discard():
    page = shown("mexican-rummy", opens="g-contracts")
    more = control(page, "steps").numbers[0].more
    path, lines = json.loads(more)

    assert len(lines) == len(page.base.spec["steps"]) + 1
    assert not isinstance(lines[-1], dict) or lines[-1].get("discard") != "never"
    assert path == "steps"


def test_what_players_take_for_granted_is_in_the_fine_print():
    fine = [row.id for row in shown("shanghai-rummy").fine_print]

    assert {"own-cards", "own-turn", "longest-run"} <= {*fine}
    assert not {*fine} & {"swap", "wild", "layoff"}


def test_a_drawn_meld_is_ruled_on_again_while_rules_are_changed():
    for taps, legal in (((), [True, False]), ((("run.around", True),), [True, True])):
        page = shown("mexican-rummy", *taps)
        melds = next(each.shown for each in page.chapters if each.anchor == "c-sets-and-runs")
        assert [each.is_legal for each in melds] == legal


def test_every_chapter_takes_a_rule_in_your_own_words():
    for each in shown("contract-rummy").chapters:
        row = next(row for row in each.more if row.paths[0].startswith(UNCHECKED))
        page = shown("contract-rummy", (row.paths[0], PUSH))
        rule = next(one for one in chapter(page, each.title).rows if one.changes)
        assert rule.says == PUSH
        assert not rule.is_checked
        assert says(page) == [PUSH]


def test_a_rule_that_tables_often_write_is_one_tap_also_at_a_glance():
    page = shown("contract-rummy", opens="g-draw")
    written = control(page, "unchecked.turn")

    assert written.folded
    ((path, rule),) = [json.loads(one.sets) for one in written.adds if "push" in one.says.lower()]
    assert says(shown("contract-rummy", (path, rule))) == [rule]


def test_games_without_a_discard_pile_have_no_push():
    for slug in ("rummikub", "manipulation-rummy"):
        assert not control(shown(slug, opens="unchecked.turn"), "unchecked.turn").adds


def test_fields_are_called_by_the_words_of_the_game():
    before = language()
    speak("es")
    try:
        game = variants.get("conquian", "es")
        spec = variants.description_of("conquian", "es")
        of = Base(game, spec, lambda patch: game.with_options(by_path(patch)))
        titles = [each.title for each in opened(show(of, Draft(""), "g-set")).controls]
    finally:
        speak(before)

    assert any("tercia" in title for title in titles)


def test_packs_go_by_the_players_there_can_be():
    page = shown("shanghai-rummy", ("players", [3, 5]))
    made = described(page.base, page.draft.patch, "Ours")

    assert made["pack"]["copies"] == {"3-4": 2, "5": 3}
    assert "5 to 8" not in " ".join(row.says for row in page.rows)


@pytest.mark.parametrize("slug", ["shanghai-rummy", "contract-rummy", "mexican-rummy"])
def test_a_round_without_a_discard_goes_with_all_its_words(slug):
    page = shown(slug, ("steps", base(slug).spec["steps"][:5]))
    told = " ".join(row.says for row in page.rows)
    words = re.compile("last round:|whole hand|(?<!with or )without a discard", re.IGNORECASE)

    assert not words.search(told)


def test_a_house_rule_is_told_in_words_beside_its_title():
    game = base("shanghai-rummy").remake({"wild.outnumber": True})
    told = ("More wilds than natural cards", "a meld can have more wilds than natural cards")

    assert told in say_house_rules(game)


def test_a_change_is_told_as_all_of_them_make_it():
    page = shown("shanghai-rummy", ("swap.who", "nobody"), ("wild.cards", ["JK", "2"]))

    assert "Wild cards on the table stay where they are." in says(page)


@pytest.mark.parametrize("slug", in_turn(GAMES))
def test_a_rule_that_was_given_up_is_struck_and_never_said_as_a_new_one(slug):
    dropped = [name for name in base(slug).spec if OF_SECTION.get(name, [None])[0] is not None]
    dropped = [name for name in dropped if any(field.drops for field in OF_SECTION[name])]
    for section in dropped:
        page = shown(slug, (section, None))
        ours = [row for row in page.changes if section in row.changes]
        assert [
            row.says for row in ours if row.says == f"{title_of(section, page.base.spec)}."
        ] == []
        assert ours, section


def test_what_cannot_be_read_is_said_at_its_box(client):
    typed = {"path": "pack.jokers", "n.": "99", "open": "g-pack"}

    page = tap(client, "kaluki", new_key(), **typed).text

    (box,) = re.findall(
        r'<fieldset class="control" data-path="pack.jokers">.*?</fieldset>', page, re.DOTALL
    )
    assert "from 0 to 16" in box
    assert page.count('role="alert"') == 1


def test_variants_say_only_what_is_different():
    others = variants_of(variants.get("gin-rummy"))["settle"]

    assert [says for says in others if says.startswith("If you knock")] == []
    assert "Gin 20 and undercut 25." in others


@pytest.mark.parametrize("start", ["new-game", "make", ""])
def test_a_game_that_was_made_to_be_played_is_chosen_at_new_game(client, database, start):
    key = kept(database, "rummy-500", {"deal.cards": 12})
    form = {"key": new_key(), "d": key, "seen": "0", "name": "Ours"}
    way = "/".join(filter(None, ["/rules/rummy-500/change", start, "done"]))
    saved = client.post(way, data=form, headers=OWN)
    (slug,) = database.read(catalog.read_catalog).own

    to = f"/games/new?variant={slug}" if start else "/games/own/1"
    assert saved.headers["Location"] == to
    assert "Ours" in client.get(to).text


def test_a_game_of_your_own_is_corrected_or_saved_as_another(client, database):
    def send(slug, patch, status=303, **fields):
        key = kept(database, slug, patch)
        form = {"key": new_key(), "d": key, "seen": "0", **fields}
        answer = client.post(f"/rules/{slug}/change/done", data=form, headers=OWN)
        assert answer.status_code == status, answer.text

    twelve, nine = {"deal.cards": 12}, {"deal.cards": 9}
    send("rummy-500", twelve, name="Ours")
    (slug,) = database.read(catalog.read_catalog).own
    send("rummy-500", twelve, 422, name="Ours")
    send("rummy-500", twelve, 422, name="")
    send(slug, nine, name="Ours", correct="1", seen="1")
    assert database.read(catalog.read_catalog).own == {slug: 2}
    assert database.read(catalog.find_game, slug).hand_size == 9
    send(slug, twelve, 422, name="Ours", correct="1", seen="1")
    send(slug, twelve, name="Theirs")
    assert len(database.read(catalog.read_catalog).own) == 2


def test_a_game_that_is_saved_has_no_options_and_can_be_changed_again(client, database):
    key = kept(database, "eleven-phases", {"deal.cards": 9})
    form = {"key": new_key(), "d": key, "seen": "0", "name": "Ours"}
    client.post("/rules/eleven-phases/change/done", data=form, headers=OWN)
    (slug,) = database.read(catalog.read_catalog).own

    assert database.read(catalog.find_game, slug).options == ()
    assert client.get(f"/rules/{slug}/change?open=deal").status_code == 200


def test_a_draft_that_is_no_game_is_not_saved(client, database):
    key = kept(database, "rummy", {"deal.cards": 13})
    form = {"key": new_key(), "d": key, "seen": "0", "name": "Ours"}
    answer = client.post("/rules/rummy/change/done", data=form, headers=OWN)

    assert answer.status_code == 422
    assert "too few to deal" in answer.text
    assert not database.read(catalog.read_catalog).own


def test_a_game_of_points_alone_has_no_rules_to_change(client):
    refused = client.get("/rules/just-points/change")

    assert refused.status_code == 404
    assert "only keeps the score" in refused.text


def test_an_own_game_starts_from_another(client):
    made = "/rules/rummy/change/make"
    assert client.get("/games/own/new/rummy").headers["Location"] == made
    assert "<title>Make a game · From Rummy · Laydown</title>" in client.get(made).text
    assert f'href="{made}/done?d=' in client.get(made).text
    key = new_key()
    tap(client, "rummy", key, set='["deal.cards",9]')
    assert f'href="{made}?d={key}' in client.get(f"{made}/done?d={key}").text
    assert "<title>House rules · Rummy · Laydown</title>" in client.get("/rules/rummy/change").text
    asked = client.get("/games/own/new").text
    assert "Which game do you start from?" in asked
    assert 'href="/games/own/new/gin-rummy"' in asked
    assert 'id="own-game" href="/games/own/new"' in client.get("/games/new").text


def test_changes_that_are_not_saved_are_in_the_text(client):
    page = tap(client, "rummy", "mine", set='["deal.cards",9]').text
    address = html.unescape(re.search(r'href="(/games/own/text[^"]+)"', page)[1])

    assert "cards = 9" in html.unescape(client.get(address).text)


def test_rules_in_your_own_words_go_where_the_changed_rules_go(client, database):
    patch = {"unchecked.turn": f"<b>{PUSH}"}
    form = {"key": new_key(), "d": kept(database, "contract-rummy", patch), "name": "Push Rummy"}
    saved = client.post("/rules/contract-rummy/change/done", data=form, headers=OWN)
    slug = f"own-{saved.headers['Location'].rpartition('/')[2]}"
    table = Table(database, ("Ana", "Ben", "Cleo"), "contract-rummy")
    key = kept(database, drafts.in_game(table.pub), patch)
    form = {"key": new_key(), "d": key, "seen": "0"}
    client.post(f"/g/{table.pub}/house-rules", data=form, headers=OWN)

    for page in (f"/rules/{slug}", f"/g/{table.pub}/rules", f"/desk/{slug}"):
        told = client.get(page).text
        assert "&lt;b&gt;Push" in told
        assert "<b>Push" not in told
    game = database.read(ledger.read_game, table.pub).variant
    assert [clause.section for clause in game.rulebook.unruled] == ["Your turn"]
    assert variants.in_language(game, "es").rulebook.unruled[0].says == f"<b>{PUSH}"


def by_tap(phone, number, n):
    return tap(phone, "rummy", f"k{number}", set=f'["deal.cards",{5 + n % 4}]')


def by_address(phone, number, n):
    """An address of before, which is written into a draft as it's opened."""
    token = write_token({"changes": [{"deal.cards": 5 + n % 4}]})
    return phone.get(f"/rules/rummy/change?c={token}")


@pytest.mark.parametrize("send", [by_tap, by_address])
def test_a_flood_of_changes_holds_up_no_save(send, one_app, client, database):
    table = Table(database, ("Ana", "Ben", "Cleo"))

    def flood(number):
        with one_app.test_client() as phone:
            return [send(phone, number, n).status_code for n in range(6)]

    with ThreadPoolExecutor(4) as phones:
        flooded = [phones.submit(flood, number) for number in range(4)]
        table.count(1, ana="out", ben="45", cleo="60")
        assert {code for each in flooded for code in each.result()} <= {200, 303, 429}
    assert [seat.total for seat in table.pad.seats] == [0, 45, 60]


def test_an_address_of_before_waits_in_the_queue_of_changes(one_app, client, database):
    token = write_token({"changes": [{"deal.cards": 9}]})
    queue = one_app.extensions["changes"]
    with queue.slot("another"):
        refused = client.get(f"/rules/rummy/change?c={token}")
        assert refused.status_code == 429
        assert client.get("/rules/rummy/change").status_code == 200

    assert client.get(f"/rules/rummy/change?c={token}").status_code == 303


@pytest.mark.parametrize(
    ("path", "rule", "offered", "others"),
    [
        ("unchecked.deal", "cut exactly", "liverpool-rummy", "canasta"),
        ("unchecked.turn", "freeze the pile", "canasta", "liverpool-rummy"),
    ],
)
def test_rules_that_no_field_says_are_offered_to_write_where_they_can_be_played(
    path, rule, offered, others
):
    assert any(rule in says for says, _ in usual_rules(variants.description_of(offered), path))
    assert not any(rule in says for says, _ in usual_rules(variants.description_of(others), path))
