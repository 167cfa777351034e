"""House rules of a game of one's own, made on the form without scripts."""

import html
import json
import re
from random import Random

import pytest

from referee import variants
from referee.describing import BY_PATH, Refused, build, canonical, try_house_rules
from tests import described
from tests.examples import examples
from tests.webapp.test_own_form import draft_of, fields_of, post, save, walk
from webapp.ledger import new_key
from webapp.services import own
from webapp.services.own.drafts import from_nothing
from webapp.services.own.naming import in_words, title_of


def add(client, kind, title="", **draft):
    """The page of a house rule that was just added to the plainest game."""
    text = json.dumps({**from_nothing(), **draft})
    sent = [("draft", text), ("page", "house"), ("kept", new_key())]
    return post(client, sent, offer=kind, **{"do": "add", "new-title": title})


def press(client, answer, do, **typed):
    return post(client, fields_of(answer), do=do, **typed)


def rule_in(answer, name):
    return draft_of(answer)["options"][name]


def labels_in(answer, name):
    return draft_of(answer)["text"]["options"][name].get("labels", {})


def test_a_house_rule_has_a_title_and_a_sentence_of_its_own(client):
    answer = add(client, "run.around", "Round the corner")
    answer = walk(client, answer, to="house", asks="May a run go K A 2?")

    draft = draft_of(answer)
    assert draft["options"] == {"round-the-corner": {"path": "run.around"}}
    (option,) = build(draft).options
    assert (option.title, option.says) == ("Round the corner", "May a run go K A 2?")


def test_a_choice_sets_several_fields_and_the_game_as_it_is_sets_none(client):
    answer = add(client, "choices", "Wilds")
    answer = press(client, answer, "more", **{"choice.0": "As ever", "choice.1": "Few"})
    assert 'name="choice.1.field"' in answer.text
    assert 'name="choice.0.field"' not in answer.text
    answer = press(client, answer, "set", **{"choice.1.field": "wild.most"})
    answer = press(client, answer, "set", **{"choice.1.field": "wild.adjacent"})
    assert "Wilds may not lie side by side." in answer.text
    answer = walk(client, answer, to="house", **{"choice.1:wild.most": "1"})

    assert rule_in(answer, "wilds") == {
        "choices": {"as-it-is": {}, "few": {"wild.most": 1, "wild.adjacent": False}}
    }
    assert labels_in(answer, "wilds") == {"as-it-is": "As ever", "few": "Few"}
    game = build(draft_of(answer))
    assert game.with_options({"wilds": "few"}).wilds.max_in_meld == 1
    assert [label for _, label in game.options[0].kind.values] == ["As ever", "Few"]


def test_no_or_yes_sets_what_yes_says(client):
    answer = add(client, "switch", "Low aces")
    answer = press(client, answer, "set", **{"choice.1.field": "run.ace"})
    answer = walk(client, answer, to="house", **{"choice.1:run.ace": "low"})

    assert rule_in(answer, "low-aces") == {"choices": {"false": {}, "true": {"run.ace": "low"}}}
    assert build(draft_of(answer)).options[0].default is False


def test_a_number_has_a_least_a_most_and_what_it_usually_is(client):
    answer = add(client, "end.total", end={"total": 500})
    assert rule_in(answer, "end-total") == {"path": "end.total", "range": [250, 1000]}

    answer = walk(client, answer, to="house", least="100", most="2000", usual="300")

    assert rule_in(answer, "end-total")["range"] == [100, 2000]
    assert draft_of(answer)["end"]["total"] == 300
    assert build(draft_of(answer)).options[0].default == 300


def test_a_number_is_one_of_a_few_or_without_limit(client):
    answer = add(client, "wild.most")
    answer = walk(client, answer, to="house.wild-most", only="1, 2, 4", none="1")

    assert rule_in(answer, "wild-most") == {"path": "wild.most", "values": [1, 2, 4], "none": True}
    answer = walk(client, answer, to="house", only="", least="1", most="4", none="1")
    assert rule_in(answer, "wild-most")["choices"] == {"no-limit": {}}
    assert build(draft_of(answer)).options[0].default == "no-limit"


def test_some_of_the_words_of_a_field_are_offered_by_names_of_ones_own(client):
    answer = add(client, "run.ace", "Aces")
    answer = walk(
        client,
        answer,
        to="house",
        value=["both", "low"],
        usual="low",
        **{"label:low": "Always one"},
    )

    assert rule_in(answer, "aces") == {"path": "run.ace", "values": ["both", "low"]}
    assert draft_of(answer)["run"] == {"ace": "low"}
    (option,) = build(draft_of(answer)).options
    assert (option.default, option.kind.label("low")) == ("low", "Always one")


def test_a_table_sets_a_number_by_row(client):
    answer = add(client, "table", "Costs")
    answer = press(
        client, answer, "more", **{"choice.0": "A joker", "choice.0.path": "score.hand.JK"}
    )
    answer = walk(
        client,
        answer,
        to="house",
        high="60",
        **{"choice.1": "An ace", "choice.1.path": "score.hand.A"},
    )

    rows = {"a-joker": "score.hand.JK", "an-ace": "score.hand.A"}
    assert rule_in(answer, "costs") == {"rows": rows, "high": 60}
    dear = build(draft_of(answer)).with_options({"costs": {"a-joker": 50}})
    assert json.loads(dear.form)["score"]["hand"]["JK"] == 50


def test_lists_of_rounds_are_offered(client):
    steps = ["2 sets of 3", "2 runs of 3"]
    draft = {"contract": {}, "steps": steps}
    plain = {key: part for key, part in from_nothing().items() if key not in {"free", "end"}}
    sent = [("draft", json.dumps(plain | draft)), ("page", "house"), ("kept", new_key())]
    answer = post(client, sent, offer="rounds", do="add", **{"new-title": "Rounds"})
    answer = walk(
        client,
        answer,
        to="house.rounds",
        **{"choice.1": "Short", "choice.1.lines": "1 set of 3\r\n1 run of 4"},
    )
    answer = walk(client, answer, to="house", usual="others")

    assert rule_in(answer, "rounds") == {
        "path": "steps",
        "named": "others",
        "presets": {"as-it-is": steps},
    }
    assert draft_of(answer)["steps"] == ["1 set of 3", "1 run of 4"]
    assert build(draft_of(answer)).options[0].default == "others"


def test_another_choice_becomes_the_usual_one_and_the_others_are_what_they_were(client):
    rules = {"aces": {"choices": {"both": {}, "low": {"run.ace": "low"},
                                  "round": {"run.around": True}}}}  # fmt: skip
    before = build({**from_nothing(), "options": rules})
    text = json.dumps({**from_nothing(), "options": rules})
    sent = [("draft", text), ("page", "house"), ("kept", new_key()), ("to", "house.aces")]
    answer = walk(client, post(client, sent), to="house.aces", usual="low")

    game = build(draft_of(answer))
    assert game.options[0].default == "low"
    for word in ("both", "low", "round"):
        assert game.with_options({"aces": word}).form == before.with_options({"aces": word}).form
    assert 'value="low" checked' in answer.text


def test_house_rules_are_put_in_order_and_taken_out(client):
    answer = walk(client, add(client, "run.ace", "Aces"), to="house", offer="")
    answer = walk(client, answer, to="house", offer="set.min")
    answer = press(client, answer, "up:set-min", offer="")
    assert [*draft_of(answer)["options"]] == ["set-min", "aces"]
    answer = press(client, answer, "remove:aces", offer="")

    assert [*draft_of(answer)["options"]] == ["set-min"]
    assert "options" not in draft_of(answer)["text"]


def test_a_choice_and_what_it_sets_are_taken_out(client):
    rules = {"aces": {"choices": {"both": {}, "low": {"run.ace": "low"}, "a": {"set.min": 4}}}}
    text = json.dumps({**from_nothing(), "options": rules})
    sent = [("draft", text), ("page", "house"), ("kept", new_key()), ("to", "house.aces")]
    answer = press(client, post(client, sent), "drop:a")
    answer = press(client, answer, "drop:low:run.ace")

    assert rule_in(answer, "aces") == {"choices": {"both": {}, "low": {}}}


@pytest.mark.parametrize(
    ("path", "typed", "says"),
    [
        ("deal.cards", {"least": "9", "most": "3"}, "two whole numbers"),
        ("deal.cards", {"least": "many"}, "two whole numbers"),
        ("deal.cards", {"only": "5, 6"}, "is not among its values"),
        ("run.ace", {"value": []}, "is not among its values"),
    ],
)
def test_what_is_wrong_stands_at_its_field_and_one_stays_there(client, path, typed, says):
    answer = add(client, path, "Mine")
    answer = post(client, fields_of(answer), 422, on="house", **typed)

    assert says in answer.text.partition("</h2>")[2].partition("</section>")[0]
    assert 'name="rule" value="mine"' in answer.text


def test_a_choice_that_makes_no_game_is_complained_of_beside_it(client):
    answer = press(client, add(client, "choices"), "more", **{"choice.1": "Lots"})
    answer = press(client, answer, "set", **{"choice.1.field": "deal.cards"})
    answer = post(client, fields_of(answer), 422, on="house", **{"choice.1:deal.cards": "30"})

    assert "With &#34;lots&#34; it is no game" in answer.text.partition('value="Lots"')[2]


def test_a_house_rule_that_makes_no_game_is_not_saved_and_leads_to_itself(client, database):
    options = {"deal": {"path": "deal.cards", "values": [10, 30]}}
    sent = [("draft", json.dumps({**from_nothing(), "options": options})), ("page", "look")]

    refused = save(client, post(client, [*sent, ("kept", new_key())]), 422)

    assert "With 30 it is no game" in refused.text
    assert 'name="rule" value="deal"' in refused.text
    assert database.read(own.read_shelf).own == {}


@pytest.mark.slow
@pytest.mark.parametrize("slug", [game.slug for game in variants.all()])
def test_every_house_rule_goes_through_its_page_unchanged(client, slug):
    answer = client.get(f"/games/own/new?from={slug}")
    before = draft_of(answer)
    for name in before["options"]:
        answer = walk(client, answer, to=f"house.{name}")
        assert f'name="rule" value="{name}"' in answer.text
        answer = walk(client, answer, to="house")

    assert build(draft_of(answer)).options == build(before).options
    for name, option in draft_of(answer)["options"].items():
        assert canonical(option) == canonical(before["options"][name])
    try_house_rules(draft_of(answer))


ODD = (
    None,
    7,
    "",
    [],
    {},
    {"a": 7},
    {"a": {"run.ace": []}},
    [3],
    [[], 2],
    "run.ace",
    "steps",
    True,
)


def test_a_bent_house_rule_is_shown_and_can_be_taken_out(client):
    random = Random(5)
    parts = ("path", "values", "range", "none", "choices", "rows", "named", "presets", "high")
    for _ in range(examples(150)):
        rule = {part: random.choice(ODD) for part in random.sample(parts, random.randint(0, 4))}
        prose = {"options": {"a": random.choice(({}, 7, {"title": 7, "labels": []}))}}
        draft = {**from_nothing(), "options": {"a": random.choice((rule, rule, 7))}}
        text = json.dumps({**draft, "text": {"name": "X", **prose}})
        sent = [("draft", text), ("page", "house"), ("kept", new_key()), ("to", "house.a")]
        answer = post(client, sent)
        for usual in ("a", "3", "true"):
            answer = post(client, fields_of(answer), to="house.a", usual=usual)
        listed = post(client, fields_of(answer), to="house")
        gone = post(client, fields_of(listed), do="remove:a")
        assert "options" not in draft_of(gone)


def test_a_number_that_goes_with_a_word_is_shown_and_made_usual(client):
    answer = walk(client, client.get("/games/own/new?from=gin-rummy"), to="house.big-gin")
    assert ("usual", "0") in fields_of(answer)

    answer = walk(client, answer, to="house", usual="31")
    assert draft_of(answer)["score"]["settle"]["knock"]["big-gin"] == 31
    assert rule_in(answer, "big-gin")["values"] == [0, 31, 50]
    assert build(draft_of(answer)).close.big_gin == 31


def test_what_is_wrong_is_said_in_the_words_of_the_form(client):
    answer = walk(client, client.get("/games/own/new?from=gin-rummy"), to="house")
    answer = press(client, answer, "add", offer="end.rounds", **{"new-title": "Hands"})
    answer = walk(client, answer, to="house", least="1", most="20", none="1")

    says = html.unescape(answer.text)
    assert "It sets “How many rounds there are”, and “Points to play to” sets “The total" in says
    assert "“target”" not in says


def complaints_of(spec):
    try:
        build(spec)
        try_house_rules(spec)
    except Refused as refused:
        return refused.complaints
    return ()


WRONG = [path for path in sorted(described.WRONG.glob("*.toml")) if path.stem != "not-toml"]


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_no_complaint_names_a_field_or_a_table_as_a_file_does(path):
    spec = described.rules_of(path)

    complaints = complaints_of(spec)

    assert complaints
    for complaint in complaints:
        says = in_words(spec, complaint)
        assert not [name for name in BY_PATH if name in says]
        assert "[" not in says


def test_each_field_has_a_title_of_its_own():
    titles = [title_of(path) for path in BY_PATH if path != "teams.size"]

    assert len({*titles}) == len(titles)
    assert not [title for title in titles if re.search(r"[.;:]", title)]
    assert title_of("score.settle.knock.big-gin") == "How a round is settled: knock big gin"
