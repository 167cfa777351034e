"""The rules as a leaflet: chapters in order, a game at a glance, and what a search finds."""

import gzip
import html
import re
from itertools import pairwise

import pytest

from referee import variants
from tests.described import slugs
from tests.webapp.drafts import kept
from tests.webapp.table import Table
from webapp.language import speak
from webapp.pages.rules.search import MOST_ASKED, find, lines_of, others_of
from webapp.pages.rules.view import prices, read_book

EVERY = pytest.mark.parametrize("slug", slugs())
DRAWN: dict[str, str] = {}
HEAVIEST = 6_500
"""Bytes of a page of rules, compressed."""

BEFORE = ("The goal", "You need", "The deal", "Your rack", "Your turn", "Sets", "Sets and runs")
LAYING_OFF = ("Laying off", "Moving cards", "Moving tiles")
AFTER = ("Time", "Going out", "Melds score", "Scoring", "Winning")
DOWN = ("Going down", "Laying melds", "Your first melds", "Knocking", "Showing your hand")
ORDER = (
    *BEFORE,
    *("Wild cards", "Jokers", "Okeys"),
    *(*DOWN, "Showing your rack"),
    *LAYING_OFF,
    *AFTER,
)
WAYS = {
    "mexican-rummy": ("Going down", "Going out"),
    "rummy": ("Laying melds", "Going out"),
    "rummy-500": ("Laying melds", "Melds score"),
    "gin-rummy": ("Knocking",),
    "remigio": ("Showing your hand",),
    "okey": ("Your rack", "Showing your rack"),
    "rummikub": ("Your rack", "Jokers", "Your first melds", "Moving tiles", "Time"),
}


def titles(slug):
    return [chapter.title for chapter in read_book(variants.get(slug)).chapters]


def found(slug, words):
    game = variants.get(slug)
    book = read_book(game)
    return find(game, words, lines_of(book), others_of(book))


@EVERY
def test_the_chapters_of_a_game_are_in_the_order_of_a_leaflet(slug):
    there = titles(slug)

    assert set(there) <= set(ORDER)
    assert [ORDER.index(title) for title in there] == sorted(map(ORDER.index, there))
    assert all(chapter.rules for chapter in read_book(variants.get(slug)).chapters)


@pytest.mark.parametrize("slug", WAYS)
def test_each_kind_of_game_has_chapters_of_its_own(slug):
    assert set(WAYS[slug]) <= set(titles(slug))


def test_a_game_in_which_a_hand_is_shown_has_no_chapter_for_going_out():
    assert "Going out" not in {title for slug in ("gin-rummy", "okey") for title in titles(slug)}


@pytest.fixture
def page(client, slug):
    """The page of a game's rules, drawn once for all tests of it."""
    if slug not in DRAWN:
        DRAWN[slug] = client.get(f"/rules/{slug}").text
    return DRAWN[slug]


@EVERY
def test_a_game_at_a_glance_links_to_its_rules(page, slug):
    at_a_glance = page.partition('id="glance"')[2].partition("</section>")[0]
    links = re.findall(r'href="#([^"]+)"', at_a_glance)

    assert 3 <= len(links) <= 8
    assert [link for link in links if f' id="{link}"' not in page] == []


@pytest.mark.parametrize(
    ("slug", "face", "says"),
    [
        ("contract-rummy", "2–10", "2 to 10 count face value"),
        ("indian-rummy", "2–9", "2–9: face value"),
    ],
)
def test_cards_that_count_what_they_show_are_the_same_at_a_glance_and_in_the_rule(slug, face, says):
    game = variants.get(slug)

    assert prices(game)[0] == (face, "face value")
    assert says in game.rulebook.cited("values").says


@EVERY
def test_a_page_of_rules_is_light(page, slug):
    assert len(gzip.compress(page.encode(), 9)) <= HEAVIEST


@EVERY
def test_every_heading_is_of_the_next_level_at_most(page, slug):
    levels = [int(level) for level in re.findall(r"<h(\d)", page)]

    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


WORDS = [
    ("mexican-rummy", "joker", "black-2"),
    ("mexican-rummy", "ace", "ace"),
    ("mexican-rummy", "last card", "going-out"),
    ("mexican-rummy", "sequence", "run"),
    ("mexican-rummy", "May I?", "may-i"),
    ("mexican-rummy", "JOKERS in runs", "only-in-runs"),
    ("gin-rummy", "groups", "set"),
    ("rummikub", "hand", "rack"),
    ("rummikub", "wild", "joker"),
]


@pytest.mark.parametrize(("slug", "words", "rule"), WORDS)
def test_a_rule_is_found_by_another_word_for_the_same(slug, words, rule):
    assert rule in {line.to for line in found(slug, words).rules}


def test_a_search_needs_each_of_its_words():
    both = {line.to for line in found("mexican-rummy", "ace run").rules}
    one = {line.to for line in found("mexican-rummy", "run").rules}

    assert "ace" in both < one
    assert found("mexican-rummy", "run zeppelin").rules[0].to == "run", "nearest, if none has all"


def test_a_search_finds_how_some_tables_play(client):
    page = client.get("/rules/mexican-rummy?find=corner").text

    assert "Some tables play" in page
    assert found("mexican-rummy", "corner").others


@pytest.mark.parametrize(
    ("slug", "words", "rule"),
    [
        ("rummikub", "must I play if I can", "draw"),
        ("rummikub", "use the table to get to 30", "opening-rack"),
        ("rummikub", "keep the joker for later", "joker-at-once"),
        ("rummikub", "can 1 go after 13", "one"),
        ("rummikub", "no tiles left to draw", "pool-empty"),
        ("phase-10", "can you skip anyone in phase 10", "special"),
        ("rummy-500", "what happens if two players go over 500", "win"),
        ("liverpool-rummy", "can you buy after you lay down", "buy-down"),
        ("five-crowns", "can you play on someone else's cards", "own-melds-only"),
        ("phase-10", "can a wild card be replaced once it's placed", "wilds-stay"),
        ("rummikub", "can you move the tiles around a joker", "step-by-step"),
        ("canasta", "how many points do you need to go down", "first-melds"),
        ("canasta", "what happens if you discard a joker", "frozen"),
        ("canasta", "what do black threes do", "black-threes"),
        ("hand-and-foot", "how many books do you need to go out", "books-to-go-out"),
        ("burraco", "when do I get the second hand", "pozzetti"),
        ("burraco", "can I swap a two for the real card", "wild-moves"),
    ],
)
def test_a_question_as_people_put_it_finds_what_answers_it(slug, words, rule):
    asked = found(slug, words).asked

    assert rule in [clause.id for line in asked for clause in line.clauses]
    assert len(asked) <= MOST_ASKED


@pytest.mark.parametrize(
    ("slug", "words"),
    [("phase-10", "skip in Phase 10"), ("indian-rummy", "skip in rummy"), ("phase-10", "skip")],
)
def test_a_search_leaves_out_the_game_that_is_named_in_it(slug, words):
    assert found(slug, words).asked == found(slug, "skip").asked


def test_rules_with_most_of_the_words_are_found_if_none_has_them_all():
    rules = [line.to for line in found("phase-10", "draw the discarded stock hastily").rules]

    assert rules[0] == "draw"
    assert len(rules) <= MOST_ASKED


def test_a_question_is_also_found_by_what_answers_it():
    asked = found("tonk", "what happens if you get caught").asked

    assert {clause.id for line in asked for clause in line.clauses} == {"settle"}


def test_a_question_with_the_word_that_was_typed_comes_before_one_with_another_for_it():
    first, *others = found("rummikub", "replace a joker").asked

    assert "replace" in first.asks
    assert any("take" in line.asks for line in others)


@EVERY
def test_how_many_cards_are_dealt_is_found_in_every_game(slug):
    game = variants.get(slug)
    rules = [line.to for line in found(slug, "how many cards are dealt").rules]

    assert game.rulebook.cited("deal").id in rules


@pytest.mark.parametrize(
    ("slug", "words", "rule"),
    [
        ("canasta", "cuántas cartas se reparten", "deal"),
        ("canasta", "puedo llevarme el pozo con un joker", "pile"),
        ("canasta", "cuánto vale un tres rojo", "red-three-points"),
        ("burraco", "cuándo se toma el pie", "pozzetti"),
        ("hand-and-foot", "cuántos libros necesito para terminar", "books-to-go-out"),
        ("samba", "cuántas cartas se roban", "turn"),
    ],
)
def test_a_rule_is_found_in_spanish_as_people_ask_for_it(slug, words, rule):
    speak("es")
    try:
        game = variants.get(slug, "es")
        rules = find(game, words, lines_of(read_book(game))).rules
    finally:
        speak("en")

    assert rule in [line.to for line in rules]


def test_a_question_is_found_in_spanish_without_its_accents():
    speak("es")
    try:
        asked = find(variants.get("rummikub", "es"), "cuanto vale un comodin", ()).asked
    finally:
        speak("en")

    assert asked[0].asks == "¿Cuánto cuenta un comodín que queda en mi atril?"


ANSWERED = [
    ("en", "rummy", "how many cards are dealt", "deal"),
    ("en", "rummy", "how many cards do you get", "deal"),
    ("en", "mexican-rummy", "How many cards are dealt?", "deal"),
    ("en", "rummikub", "How many tiles do you start off with in Rummikub?", "deal"),
    ("en", "rummikub", "What happens if you run out of tiles?", "pool-empty"),
    ("en", "rummikub", "Can you take a joker from an existing set?", "retrieval"),
    ("en", "rummikub", "Do you draw every round in the Rummikub?", "draw"),
    ("en", "rummikub", "How many points do you need to start in Rummikub?", "opening"),
    ("en", "rummy-500", "Who can call Rummy in the pile?", "rummy"),
    ("en", "canasta", "What happens in canasta when the deck runs out?", "stock-out"),
    ("en", "canasta", "Do black threes count against you in Canasta?", "values"),
    ("en", "canasta", "How much do you need to meld in Canasta?", "first-melds"),
    ("en", "hand-and-foot", "Can you add a wild card to a clean book?", "full-book"),
    ("en", "hand-and-foot", "Can you discard a wild card?", "blocked"),
    ("en", "burraco", "What happens when the cards run out?", "last-two-cards"),
    ("en", "burraco", "Can I discard a wild card to close?", "last-discard"),
    ("en", "rummikub", "Can you win Rummikub with a joker?", "what-fits"),
    ("en", "gin-rummy", "When can you layoff in gin rummy?", "layoff"),
    ("en", "rummy", "Can you split a meld in rummy?", "own-cards"),
    ("en", "five-crowns", "How do the wild cards work in this round?", "wild"),
    ("en", "phase-10", "Could you use a Skip to prevent a win?", "special"),
    ("es", "canasta", "¿Qué pasa si se acaban las cartas?", "stock-out"),
    ("es", "burraco", "¿Puedo cerrar descartando un comodín?", "last-discard"),
    ("es", "phase-10", "¿Puedo saltar a alguien que va a ganar?", "special"),
    ("es", "carioca", "¿Cuántas cartas se reparten?", "deal"),
    ("es", "chinchon", "cuantas cartas se reparten", "deal"),
    ("es", "continental", "¿Se pueden repetir cartas?", "same-card"),
    ("es", "continental", "¿Quién empieza a repartir?", "dealer"),
    ("es", "continental", "cuántas cartas se reparten en la primera mano", "steps"),
    ("es", "carioca", "¿Cuántas cartas tiene una escala?", "run"),
    ("es", "chinchon", "¿Cuántos comodines hay?", "wild"),
]
"""What people ask on pages about these games, each with the rule that answers it."""


@pytest.mark.parametrize(("spoken", "slug", "words", "rule"), ANSWERED)
def test_what_people_ask_is_answered_near_the_top(spoken, slug, words, rule):
    speak(spoken)
    try:
        game = variants.get(slug, spoken)
        book = read_book(game)
        seen = find(game, words, lines_of(book), others_of(book))
    finally:
        speak("en")
    asked = [clause.id for line in seen.asked[:2] for clause in line.clauses]

    assert rule in (*asked, *(line.to for line in seen.rules[:2]))


@pytest.mark.parametrize(
    ("spoken", "slug", "words", "asks"),
    [
        ("en", "rummikub", "may I take the joker", "Can I take the joker from a set on the table?"),
        (
            "en",
            "rummikub",
            "can I swap the joker from the table",
            "Can I take the joker from a set on the table?",
        ),
        ("en", "rummikub", "get the joker back", "Can I take the joker from a set on the table?"),
        (
            "es",
            "rummikub",
            "recuperar el comodín",
            "¿Puedo llevarme el comodín de una combinación de la mesa?",
        ),
        ("en", "burraco", "pinella", "What is a pinella?"),
        ("es", "burraco", "pinella", "¿Qué es una pinella?"),
        ("en", "chinchon", "menos diez", "When do I take off 10 points?"),
        ("es", "chinchon", "menos diez", "¿Cuándo se restan 10 puntos?"),
        ("en", "chinchon", "as de oros", "Is the ace of coins a wild card?"),
        ("es", "chinchon", "as de oros", "¿El as de oros es comodín?"),
    ],
)
def test_a_question_is_found_by_the_words_that_people_have(spoken, slug, words, asks):
    speak(spoken)
    try:
        found = find(variants.get(slug, spoken), words, ()).asked
    finally:
        speak("en")

    assert found[0].asks == asks


FIRST = [
    ("en", "gin-rummy", "whats undercut worth", "settle"),
    ("en", "gin-rummy", "only 2 cards left in deck what happens", "dry"),
    ("en", "rummikub", "can i take back a joker", "retrieval"),
    ("en", "rummikub", "what if everybody stuck", "pool-empty"),
    ("en", "rummikub", "i only have one tile that fits can i play that", "from-rack"),
    ("en", "canasta", "can i pick up a frozen pile", "frozen"),
    ("en", "canasta", "whats 2 worth", "table-values"),
    ("en", "burraco", "clean vs dirty burraco points", "burrachi"),
    ("en", "hand-and-foot", "what do 2s count", "table-values"),
    ("en", "rummy-500", "ace worth 15 or 1", "table-values"),
    ("en", "phase-10", "didnt make my phase do i stay on it", "pace"),
    ("en", "phase-10", "what r the phases", "contracts"),
    ("en", "phase-10", "can i use more than one wild in a set", "wilds-most"),
    ("en", "mexican-rummy", "what do we need in round 4", "contracts"),
    ("en", "contract-rummy", "dealt contract do i have to lay all at once", "exact"),
    ("en", "shanghai-rummy", "buy out of turn extra card?", "buy"),
    ("en", "indian-rummy", "can i pick joker from open deck", "discarded-joker"),
    ("en", "indian-rummy-pool", "im over 101 can i get back in", "rejoin"),
    ("en", "tonk", "got 50 in my first hand", "dealt"),
    ("en", "frustration", "is it same contract til u make it", "pace"),
    ("en", "three-thirteen", "is there jokers in this", "wild"),
    ("es", "chinchon", "cuanto vale el chinchon", "chinchon"),
    ("es", "chinchon", "cuando kedo eliminado", "ends"),
    ("es", "continental", "puedo comprar carta si no es mi turno", "buy"),
    ("es", "burraco", "se puede cerrar sin burraco", "closing"),
    ("es", "gin-rummy", "cuanto se necesita pa tocar", "knock"),
    ("es", "carioca", "k a 2 3 sirve de escala", "corner"),
    ("es", "phase-10", "puedo saltar al mismo 2 veces", "special"),
    ("es", "scala-40", "cuanto se paga el jolly en la mano", "values"),
    ("es", "okey", "para que sirve el comodin falso", "false-jokers"),
]
"""What people type on a phone, short and with slang, each with the rule that answers it."""


@pytest.mark.parametrize(("spoken", "slug", "words", "rule"), FIRST)
def test_what_is_typed_in_haste_is_answered_first(spoken, slug, words, rule):
    speak(spoken)
    try:
        game = variants.get(slug, spoken)
        seen = find(game, words, lines_of(read_book(game)))
    finally:
        speak("en")
    first = [] if seen.leads else [clause.id for clause in seen.asked[0].clauses]

    assert rule in (first or [seen.rules[0].to])


USUAL = [
    ("how many cards do we each get", {"deal", "steps"}),
    ("how many decks do we need", {"pack"}),
    ("which cards r wild", {"wild"}),
    ("how many cards in a set", {"set"}),
    ("no more cards in the deck", {"dry"}),
    ("when is the game finished", {"ends"}),
    ("what if its a tie", {"tied"}),
    ("points to go down", {"opening"}),
    ("how many points to open", {"opening"}),
    ("what are the contracts", {"contracts"}),
]


@EVERY
@pytest.mark.parametrize(("words", "rules"), USUAL, ids=[words for words, _ in USUAL])
def test_what_is_asked_of_any_game_is_answered_first(slug, words, rules):
    book = variants.get(slug).rulebook
    wanted = {book.by_cite[rule].id for rule in rules if rule in book.by_cite}
    seen = found(slug, words)
    first = [] if seen.leads else [clause.id for line in seen.asked[:1] for clause in line.clauses]

    assert not wanted or wanted & {*(first or [seen.rules[0].to])}


def test_a_rule_that_answers_better_than_every_question_is_shown_before_them(client):
    page = client.get("/rules/shanghai-rummy?find=buy+out+of+turn").text

    assert page.index("In this game") < page.index("People ask")


@pytest.mark.parametrize(
    ("address", "answer"),
    [
        ("/rules/gin-rummy?find=card+in+2+melds", "<b>No.</b> Each card counts in only 1 meld."),
        ("/rules/conquian?find=jack+after+the+7", "<b>Yes.</b> The jack follows the 7."),
        ("/rules/canasta?find=discard+a+3", "<b>It depends.</b> You can discard a black 3."),
    ],
)
def test_an_answer_begins_with_yes_no_or_it_depends(client, address, answer):
    assert answer in client.get(address).text


@pytest.mark.parametrize("address", ["/rules/canasta", "/desk/canasta", "/ask/canasta"])
def test_a_question_of_a_hundred_letters_can_be_typed(client, address):
    field = re.search(r'<input [^>]*name="(?:find|q)"[^>]*>', client.get(address).text)[0]

    assert 'maxlength="100"' in field


@pytest.mark.parametrize("words", ["zeppelin", "the", ""])
def test_words_that_no_question_has_find_none(words):
    assert found("rummikub", words).asked == ()


@pytest.mark.parametrize("words", ["zeppelin", "?", "%", "(", "a" * 5000, "\u202e☃", "<b>"])
def test_a_search_for_anything_gets_a_page(client, words):
    answer = client.get("/rules/rummikub", query_string={"find": words})

    assert answer.status_code == 200
    assert "<b>”" not in answer.text


def test_an_empty_search_shows_the_rules(client):
    assert client.get("/rules/rummikub?find=+").text == client.get("/rules/rummikub").text


def test_a_game_in_progress_shows_and_searches_the_rules_it_started_with(client, table):
    page = client.get(f"/g/{table.pub}/rules").text
    hits = client.get(f"/g/{table.pub}/rules?find=ace").text

    assert 'id="c-the-goal"' in page
    assert f'href="/g/{table.pub}/rules#ace"' in hits


def test_a_game_with_house_rules_isn_t_introduced_by_what_it_was(client, database):
    line = html.escape(variants.get("rummikub").tagline)
    key = kept(database, "rummikub", {"opening.points": 50})
    table = Table(database, variant="rummikub", draft=key)

    assert line in client.get("/rules/rummikub").text
    assert line not in client.get(f"/g/{table.pub}/rules").text


def test_an_example_is_ruled_on_again_with_a_house_rule():
    drawn = {
        rule: [each.is_legal for part in read_book(game).chapters for each in part.shown]
        for rule, game in (
            (wrap, variants.get("mexican-rummy").with_options({"wrap": wrap}))
            for wrap in (False, True)
        )
    }

    assert False in drawn[False]
    assert sum(drawn[True]) > 0


@EVERY
def test_a_link_to_a_chapter_works_in_each_language(slug):
    game = variants.get(slug)
    anchors = [
        [each.anchor for each in read_book(told).chapters] for told in in_each_language(game)
    ]

    assert len({tuple(each) for each in anchors}) == 1
    assert len({*anchors[0]}) == len(anchors[0])


def in_each_language(game):
    return [variants.in_language(game, each) for each in ("en", "es")]


def test_a_number_that_tables_choose_is_shown_as_any_number_and_not_by_its_ends():
    others = {
        clause.id: said
        for chapter in read_book(variants.get("500-rum")).chapters
        for clause, said in chapter.rules
    }

    assert others["ends"] == ("Any number from 100 to 5000.",)
