"""A game goes by the rules that it was begun under, whatever becomes of its description."""

import json
from datetime import UTC, datetime

import pytest

from referee import variants
from referee.describing import Refused, build
from referee.rulebook import Basis
from tests import described
from webapp.game.facts import Counted, Started, read_fact, write_fact
from webapp.game.hand import Hand
from webapp.game.replay import replay
from webapp.game.state import LoggedFact
from webapp.own_games.sentences import say_house_rules
from webapp.workers.jobs import find_game, name_game

AT = datetime(2026, 11, 22, tzinfo=UTC)
SLUGS = pytest.mark.parametrize("slug", described.slugs())
BEFORE = sorted(file.stem for file in described.GAMES.glob("before/*.json"))


def state(*facts):
    return replay(
        [LoggedFact(seq=seq, at=AT, device="", fact=fact) for seq, fact in enumerate(facts, 1)]
    )


def started(slug, form, **more):
    return Started(variant=slug, rules="3", seats=(1, 2), dealer=1, game=form, **more)


def form_of(slug, **options):
    return json.loads(variants.get(slug).with_options(options).form)


def laid(number, table):
    hands = {1: Hand(out=True, table=str(table)), 2: Hand(left="10", table="0")}
    return Counted(round=number, hands=hands)


@SLUGS
def test_a_game_whose_rules_are_those_of_today_is_the_game_of_today(slug):
    game = variants.get(slug)

    assert variants.kept_with(slug, {}, game.form) is game
    for option in game.options:
        assert variants.kept_with(slug, {option.name: option.default}, game.form) is game


@SLUGS
def test_rules_that_were_kept_before_a_field_came_are_those_of_today(slug):
    form = form_of(slug)
    draw = {name: value for name, value in form.get("draw", {}).items() if name != "cards"}
    older = form | ({"draw": draw} if form.get("draw", {}).get("cards") == 1 else {})

    assert variants.kept_with(slug, {}, json.dumps(older)) is variants.get(slug)


def test_the_rules_kept_decide_and_not_those_of_today():
    form = form_of("rummy-500")
    form["end"]["total"] = 100
    entries = [started("rummy-500", form), laid(1, 90), laid(2, 90)]

    assert state(*entries).score.over
    assert not state(started("rummy-500", form_of("rummy-500")), *entries[1:]).score.over


def test_a_game_that_is_gone_is_played_on():
    form = form_of("rummy-500")
    now = state(started("no-such-game", {**form, "slug": "no-such-game"}), laid(1, 90))

    assert now.score.totals == (90, -10)
    assert now.variant.name == "No such game"
    assert {clause.basis for clause in now.variant.rulebook.clauses} == {Basis.TOLD}


def test_other_rules_have_sentences_in_the_words_of_the_game():
    form = form_of("eleven-phases")
    form["score"]["hand"]["A"] = 30
    game = variants.kept_with("eleven-phases", {}, json.dumps(form))

    assert game.name == variants.get("eleven-phases").name
    assert game.words == variants.get("eleven-phases").words
    assert game.values.by_rank[1] == 30
    assert {clause.basis for clause in game.rulebook.clauses} == {Basis.TOLD}


def test_a_house_rule_that_is_no_longer_offered_stays_in_force_and_is_listed():
    form = form_of("mexican-rummy", wrap=True)
    game = variants.kept_with("mexican-rummy", {"no-such-rule": True}, json.dumps(form))

    assert game.runs.wrap
    assert [*say_house_rules(game)] == [("No such rule", "True")]


@pytest.mark.parametrize("slug", BEFORE)
def test_a_game_from_before_rules_were_kept_goes_by_those_of_then(slug):
    game = variants.get(slug)
    old = Started(variant=slug, rules="2", seats=(1, 2), dealer=1)

    assert state(old).variant.form == game.form
    for option in game.options:
        others = [value for value in getattr(option.kind, "values", ()) if value != option.default]
        for value, *_ in others[:1]:
            chosen = game.with_options({option.name: value}).chosen
            assert (
                variants.kept_with(slug, dict(chosen), "").form
                == game.with_options(dict(chosen)).form
            )


def test_the_games_from_before_are_those_that_were_there_then():
    assert BEFORE == ["eleven-phases", "mexican-rummy", "remigio", "rummikub", "rummy-500"]


def test_an_entry_holds_the_rules_and_one_of_before_is_written_as_it_was():
    fact = started("rummy-500", form_of("rummy-500"))
    text = write_fact(fact)

    assert read_fact("started", text) == fact
    assert len(text) < 3_000
    assert "game" not in write_fact(Started(variant="remigio", rules="2", seats=(1,), dealer=0))


def test_another_process_gets_the_rules_that_were_kept():
    form = form_of("rummy-500")
    form["end"]["total"] = 100
    game = variants.kept_with("rummy-500", {}, json.dumps(form, sort_keys=True))

    assert find_game(name_game(game)).form == game.form
    assert find_game(name_game(variants.get("rummikub"))) is variants.get("rummikub")


def test_what_is_refused_of_new_games_since_does_not_stop_one_that_was_begun():
    form = form_of("gin-rummy")
    form["score"]["hand"] = {"A-10": "face", "J-Q": 10, "K": -5}
    with pytest.raises(Refused):
        build(form)

    game = variants.kept_with("our-game", {}, json.dumps(form))

    assert game.values.by_rank[13] == -5
    assert state(started("our-game", form)).variant.form == game.form


def test_rules_that_are_none_are_refused():
    with pytest.raises(Refused):
        variants.kept_with("rummy-500", {}, '{"schema":1}')
