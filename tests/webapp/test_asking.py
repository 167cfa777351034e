"""The referee answers a question in words: with its answer in one word, and what proves it."""

import re

import pytest

from referee import variants
from referee.faq import questions_of
from tests.described import from_nothing
from tests.webapp.drafts import kept
from tests.webapp.table import HTMX, OWN, Table
from webapp.history.argued import read_argued
from webapp.language import say
from webapp.ledger.ledger import FormKey, new_key
from webapp.own_games.commands import save_game
from webapp.own_games.patches import named
from webapp.pages.asking.view import SUGGESTED, Where, read_asking
from webapp.pages.rulebook.draft import in_game
from webapp.pages.scorepad.commands import finish_game

GAMES = [game for game in variants.all() if not game.points_only]
ANSWERS = {"yes", "no", "if"}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_each_game_begins_with_questions_of_different_rules_and_their_answers(game):
    for step in (1, game.steps) if game.steps else (None,):
        suggested = read_asking(game, "", Where(step=step)).suggested

        assert len(suggested) == SUGGESTED
        assert {line.answer for line in suggested} <= ANSWERS
        assert len({line.clauses[0].id for line in suggested}) == SUGGESTED


def test_a_round_of_runs_begins_with_a_question_about_runs(client, table):
    table.play(2)
    page = client.get(f"/g/{table.pub}/ask").text

    first = page[page.index('id="answers"') :]
    assert first.index("Is king, ace, 2 a run?") < first.index("</li>")
    assert re.search(r'data-a="no">No<', first)


@pytest.mark.parametrize(
    ("step", "first", "about_wilds"),
    [(1, "same-card-twice", False), (2, "king-ace-two", True), (3, "king-ace-two", True)],
)
def test_the_questions_of_a_round_are_about_the_melds_it_has_and_each_about_something_else(
    step, first, about_wilds
):
    game = variants.get("mexican-rummy")
    found = [line.id for line in read_asking(game, "", Where(step=step)).suggested]

    assert found[0] == first
    assert ("two-in-a-set" in found) is about_wilds
    has_sets = any(need.kind.value == "set" for need in game.contract_at(step).needs)
    assert ("same-card-twice" in found) is has_sets


def test_what_a_house_argues_about_comes_first_at_its_next_table(client, database, table):
    usual = read_asking(variants.get("mexican-rummy"), "", Where(step=1)).suggested[-1].id
    decide(client, table, "must-lay", note="As soon as you can")
    decide(client, table, "off-before", note="Only when you’re down")
    argued = database.read(read_argued, "mexican-rummy")
    where = Where(step=1, argued={"off-before": 2, "off-while-going-down": 1})

    assert argued == {"must-lay": 1, "off-before": 1}
    assert database.read(read_argued, "rummikub") == {}
    found = read_asking(variants.get("mexican-rummy"), "", where).suggested
    assert [line.id for line in found][1:] == ["off-before", "off-while-going-down"]
    assert usual == "off-before"


def test_what_is_typed_is_answered_and_htmx_gets_the_answers_alone(client):
    whole = client.get("/ask/rummikub?q=may+i+take+the+joker").text
    part = client.get("/ask/rummikub?q=may+i+take+the+joker", headers=HTMX).text

    assert "<h2>" in whole
    assert part.lstrip().startswith('<div id="answers">')
    assert part.strip() in whole
    assert 'href="/ask/rummikub/' in part


def test_a_rummikub_opening_with_a_joker_is_answered_by_the_rules_of_the_table(client, database):
    usual = Table(database, ("Ana", "Ben"), "rummikub")
    more = Table(database, ("Ana", "Ben"), "rummikub", options={"opening-points": "40"})
    pages = [client.get(f"/g/{each.pub}/ask/joker-in-opening").text for each in (usual, more)]

    assert [re.search(r'data-a="(\w+)"', page)[1] for page in pages] == ["yes", "no"]


def test_nothing_found_says_what_to_try(client):
    assert "No answer yet." in client.get("/ask/rummikub?q=zeppelin").text


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es"])
def test_each_question_has_a_page_that_begins_with_its_answer(client, language):
    for game in variants.all(language):
        for asked in questions_of(game):
            page = client.get(f"/ask/{game.slug}/{asked.id}", headers={"Accept-Language": language})

            assert page.status_code == 200
            if asked.answer:
                assert re.search(rf'data-a="{asked.answer}".*?<h1[^>]*>\w', page.text, re.DOTALL)


def test_a_position_is_drawn_with_what_the_referee_says_of_it(client):
    page = client.get("/ask/mexican-rummy/king-ace-two").text

    assert page.count('class="card small"') == 4
    assert "✗" in page
    assert "A run can’t go around the corner past the ace." in page


def test_a_house_rule_turns_the_answer(client, database):
    usual = Table(database, ("Ana", "Ben"), "mexican-rummy")
    corner = Table(database, ("Ana", "Ben"), "mexican-rummy", options={"wrap": "true"})
    answers = [
        re.search(r'data-a="(\w+)"', client.get(f"/g/{each.pub}/ask/king-ace-two").text)
        for each in (usual, corner)
    ]

    assert [each and each[1] for each in answers] == ["no", "yes"]


def test_a_finished_game_answers_and_changes_no_rule(client, table):
    assert 'id="differently"' in client.get(f"/g/{table.pub}/ask/king-ace-two").text
    table.play(1)
    table.tap(finish_game)

    assert 'id="differently"' not in client.get(f"/g/{table.pub}/ask/king-ace-two").text


@pytest.mark.parametrize("path", ["/ask/rummikub/nothing", "/ask/nothing", "/ask/points/high"])
def test_what_isn_t_there_is_a_sentence(client, path):
    answer = client.get(path)

    assert answer.status_code == 404
    assert 'role="alert"' in answer.text


def test_the_address_of_before_leads_on(client):
    answer = client.get("/desk?find=gin")

    assert (answer.status_code, answer.headers["Location"]) == (301, "/ask?find=gin")


def test_the_word_of_an_answer_is_said_in_each_language():
    assert [say("ask.word", each) for each in ("yes", "no", "if")] == ["Yes", "No", "It depends"]


def test_a_game_of_your_own_has_no_suggestions_and_shows_no_empty_list(client, database):
    slug = database.write(save_game, named(from_nothing(), "Ours"), FormKey(key=new_key()))
    page = client.get(f"/ask/{slug}").text

    assert 'id="answers"' in page
    assert "list qa" not in page
    assert client.get(f"/ask/{slug}?q=how+many+cards").status_code == 200


def test_where_everybody_has_a_phase_of_their_own_the_round_is_nobodys(client, database):
    table = Table(database, ("Ana", "Ben"), "phase-10")
    first = client.get(f"/g/{table.pub}/ask").text
    table.play(1)

    def shown(page):
        return re.findall(r'<li><a href="[^"]*/ask/([a-z0-9-]+)"', page)

    assert len(shown(first)) == SUGGESTED
    assert shown(client.get(f"/g/{table.pub}/ask").text) == shown(first)


def decide(client, table, question, **fields):
    data = {"key": new_key(), "decided": "overruled", **fields}
    return client.post(f"/g/{table.pub}/ask/{question}", data=data, headers=OWN)


def test_what_the_table_decides_is_the_answer_from_then_on_and_can_be_undone(client, table):
    table.play(2)
    path = f"/g/{table.pub}/ask/king-ace-two"
    assert 'data-a="no"' in client.get(path).text

    assert decide(client, table, "king-ace-two", note="Grandma plays it so").status_code == 303

    page = client.get(path).text
    assert 'data-a="yes"' in page
    for says in ("Your table decided", "Grandma plays it so", "Decided today in round", "No"):
        assert says in page
    asked = client.get(f"/g/{table.pub}/ask").text
    first = asked[asked.index('id="answers"') :]
    assert first.index("Is king, ace, 2 a run?") < first.index("</li>")
    assert re.search(r'data-a="yes">Yes<', first)
    typed = client.get(f"/g/{table.pub}/ask?q=can+a+run+wrap+around", headers=HTMX).text
    assert re.search(r'data-a="yes">Yes<', typed[: typed.index("</li>")])

    seq = re.search(r'name="undo" value="(\d+)"', page)[1]
    client.post(path, data={"key": new_key(), "undo": seq}, headers=OWN)
    assert 'data-a="no"' in client.get(path).text
    again = client.post(path, data={"key": new_key(), "undo": seq}, headers=OWN)
    assert again.status_code == 404


def test_under_an_opposite_answer_the_sentence_of_the_book_is_not_said(client, table):
    path = f"/g/{table.pub}/ask/king-ace-two"
    book = client.get(path).text
    said = re.search(r'<p class="one">(.+?)</p>', book)[1]

    decide(client, table, "king-ace-two")

    head = client.get(path).text.partition("</header>")[0]
    assert "Yes" in head
    assert "We play it differently." in head
    assert said not in head


def test_a_question_the_rules_leave_to_the_table_keeps_what_it_decides(client, table):
    path = f"/g/{table.pub}/ask/forgot-discard"

    assert decide(client, table, "forgot-discard", decided="").status_code == 422
    assert decide(client, table, "forgot-discard", decided="", note="Draw 2").status_code == 303

    page = client.get(path).text
    assert "Draw 2" in page
    assert 'id="decide"' not in page
    sheet = client.get(f"/g/{table.pub}/sheet").text
    assert f'href="/g/{table.pub}/ask/forgot-discard"' in sheet
    assert "Draw 2" in sheet
    assert "forgets to discard" in sheet


def test_a_decision_on_cards_answers_the_same_question_in_words_and_other_cards(client, table):
    table.play(2)
    here, asked = f"/g/{table.pub}", {"ask": "meld", "player": str(table.ids["ana"])}
    form = {"key": new_key(), "decided": "overruled", "note": "We turn the corner", **asked}
    answer = client.post(f"{here}/disputes", data=form | {"cards": "KS AS 2S 3S"}, headers=OWN)

    assert answer.status_code == 303
    assert "We turn the corner" in client.get(answer.location).text
    assert "cards=KS+AS+2S+3S" in answer.location
    other = client.get(f"{here}/desk?ask=meld&cards=KD+AD+2D+3D&player={table.ids['ben']}").text
    assert "We turn the corner" in other
    unlike = client.get(f"{here}/desk?ask=meld&cards=KD+9D+2D+3D&player={table.ids['ben']}").text
    assert "We turn the corner" not in unlike


def test_a_decision_stays_as_it_was_if_the_house_rules_follow_it(client, table):
    decide(client, table, "king-ace-two")
    draft = kept(table.database, in_game(table.pub), {"run.around": True})
    form = {"key": new_key(), "d": draft, "seen": "0"}
    saved = client.post(f"/g/{table.pub}/house-rules", data=form, headers=OWN)
    assert saved.status_code == 303

    assert 'data-a="yes"' in client.get(f"/g/{table.pub}/ask/king-ace-two").text


def test_the_answer_of_a_house_rule_says_what_the_book_says(client, database):
    table = Table(database, options={"wrap": "true"})
    page = client.get(f"/g/{table.pub}/ask/king-ace-two").text

    assert 'data-a="yes"' in page
    assert "By the book: No" in page


def test_a_finished_game_decides_nothing(client, table):
    table.play(6)
    table.tap(finish_game)

    assert decide(client, table, "king-ace-two", note="Too late").status_code == 409
