"""Changing a description field by field: reached, changed, told, restored, and completed."""

from itertools import islice

import pytest

from referee import variants
from referee.describing import (
    BY_PATH,
    PLAYERS,
    SECTIONS,
    WAYS,
    Description,
    book_with,
    brought,
    changed,
    check_rules,
    glance,
    matters,
    problems,
    rules_hash,
    sentences_of,
    silent,
    start_of,
    value_at,
)
from tests.described import alternatives
from tests.examples import in_turn

_GAMES = [game.slug for game in variants.all()]
_TOLD_BY_STEPS = {"deal.cards", "set.min", "run.min", "end.rounds"}
"""What says nothing where each round says it for itself."""


def _reached(slug: str) -> tuple[dict[str, object], frozenset[str], tuple[str, ...]]:
    spec = variants.description_of(slug)
    told = frozenset(path for paths in variants.get(slug).rulebook.bears.values() for path in paths)
    return spec, told, silent(spec, told)


def _completed(spec: dict[str, object], path: str, value: object) -> dict[str, object]:
    now = changed(spec, {path: value})
    return changed(now, brought(spec, now))


@pytest.mark.parametrize("slug", in_turn(_GAMES))
def test_what_comes_along_with_a_change_never_replaces_it(slug):
    spec = variants.description_of(slug)
    for path in ("pack.copies", "pack.jokers", "deal.cards"):
        for number in (0, 1, 30):
            assert path not in brought(spec, changed(spec, {path: number})), (path, number)


def test_jokers_taken_out_of_the_deck_are_a_problem_while_they_are_wild():
    spec = _completed(variants.description_of("kaluki"), "pack.jokers", 0)

    assert value_at(spec, "pack.jokers") == 0
    assert [complaint.path for complaint in problems(spec)] == ["wild.cards"]
    assert problems(_completed(spec, "wild.cards", ["2"])) == ()


def _values(spec: dict[str, object], path: str) -> list[object]:
    if path == PLAYERS:
        # Every game says how many play: this can be another number, but not taken away.
        return [[low, high] for low, high in ((2, 4), (3, 6), (4, 4)) if [low, high] != spec[path]]
    if path not in BY_PATH:
        return [None] if path in spec else [start_of(path, spec)]
    now, kind = value_at(spec, path), BY_PATH[path].kind
    usual = (value for value in variants.usual(path) if not kind.problem(value))
    return [v for v in (*alternatives(spec, path), *usual) if v != now]


@pytest.mark.parametrize("slug", in_turn(_GAMES, quick=0, each=33))
def test_every_field_can_be_reached_changed_read_and_restored(slug: str) -> None:
    spec, told, rest = _reached(slug)
    paths = {*told, *rest}
    assert {*SECTIONS} <= {path.partition(".")[0] for path in paths} | {*spec}
    before = sentences_of(check_rules(spec))
    for path in sorted(paths):
        changes = (_completed(spec, path, value) for value in _values(spec, path))
        games = [now for now in changes if not problems(now)][:4]
        silent_here = path in _TOLD_BY_STEPS and "steps" in spec
        assert (
            silent_here
            or not games
            or any(sentences_of(check_rules(now)) != before for now in games)
        ), path
    assert rules_hash(changed(spec, {})) == rules_hash(spec)


def test_a_game_takes_changes_by_path_beside_its_options() -> None:
    game = variants.get("mexican-rummy").with_options({"wrap": True, "/deal.cards": 12})
    assert game.hand_size == 12
    assert game.chosen == (("wrap", True), ("/deal.cards", 12))
    assert variants.kept_with(game.slug, dict(game.chosen), game.form).form == game.form


def test_words_of_the_source_give_way_if_another_rule_makes_them_wrong() -> None:
    game = variants.get("shanghai-rummy")
    with_twos = game.with_options({"/wild.cards": ["JK", "2"]})
    untouched = game.with_options({"/swap.who": "nobody"})

    assert game.rulebook["wilds-share"].says == (
        "A meld can’t have more jokers than natural cards."
    )
    assert with_twos.rulebook["wilds-share"].says == (
        "A meld can’t have more wild cards than natural cards."
    )
    assert untouched.rulebook["wilds-share"] == game.rulebook["wilds-share"]
    assert not {"swap-use", "exact-card"} & {each.id for each in untouched.rulebook.clauses}


def test_changing_another_rule_leaves_the_words_of_the_source_alone() -> None:
    plain = variants.get("mexican-rummy").rulebook
    now = variants.get("mexican-rummy").with_options({"/score.wild": 30}).rulebook
    assert now.cited("set").says == plain.cited("set").says
    assert now.cited("wild-value").says != plain.cited("wild-value").says


def test_a_change_of_an_unknown_path_is_rejected() -> None:
    with pytest.raises(ValueError, match=r"no field “run\.aces”"):
        variants.get("rummy").with_options({"/run.aces": "low"})


def test_jokers_that_become_wild_bring_their_cards_and_points() -> None:
    spec = variants.description_of("rummy")
    wild = changed(spec, {"wild": start_of("wild", spec)})
    came = brought(spec, wild)

    assert came["pack.jokers"] == 4
    assert {"JK": 25}.items() <= came["score.hand"].items()  # type: ignore[attr-defined]
    assert not problems(changed(wild, came))


def test_what_a_change_did_not_open_is_not_completed_by_it() -> None:
    spec = changed(variants.description_of("rummy"), {"wild": {"cards": ["JK"]}})

    assert problems(spec)
    assert brought(spec, changed(spec, {"deal.cards": 8})) == {}


def test_players_who_have_no_number_get_that_of_the_nearest() -> None:
    spec = variants.description_of("shanghai-rummy")
    more = changed(spec, {"players": [2, 10]})

    assert brought(spec, more) == {
        "pack.copies": {"2-4": 2, "5-10": 3},
        "pack.jokers": {"2-4": 4, "5-10": 6},
    }


@pytest.mark.parametrize("first", ["players", "teams"])
def test_partners_can_be_set_before_or_after_how_many_play(first: str) -> None:
    spec = variants.description_of("rummy-500")
    for path in (first, "teams" if first == "players" else "players"):
        value = [2, 4] if path == "players" else start_of("teams", spec)
        now = changed(spec, {path: value})
        spec = changed(now, brought(spec, now))

    assert not problems(spec)


def test_one_way_to_bring_melds_down_replaces_the_other() -> None:
    spec = variants.description_of("contract-rummy")

    assert {*WAYS} & {*changed(spec, {"free": {}})} == {"free"}
    assert {*WAYS} & {*changed(spec, {"free": None})} == {"contract"}


@pytest.mark.parametrize("slug", in_turn(_GAMES, quick=0, each=33))
def test_rules_that_make_no_game_are_told_as_a_whole_book(slug: str) -> None:
    spec = variants.description_of(slug)
    game = Description(spec)
    whole = {each.section for each in book_with(spec, {}).clauses}
    for path in (path for path in BY_PATH if matters(game, path)):
        refused = (v for v in _values(spec, path) if problems(changed(spec, {path: v})))
        for value in islice(refused, 1):
            book = book_with(spec, {path: value})
            assert len({each.section for each in book.clauses}) > len(whole) // 2, (path, value)
            assert glance(Description(changed(spec, {path: value})), most=40)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("pack.special", {"SK": {"name": "skip", "count": 17}}),
        ("wild.set", {"naturals": None}),
        ("hand.special", {"colour": {"times": 2}}),
        ("out.needs", {"pure": 0}),
        ("score.hand", {"A": True}),
        ("set.without", "JK"),
        ("score.fixed", {"drop": {"points": 20, "title": ""}}),
    ],
)
def test_a_value_of_another_shape_is_told_with_an_example(path: str, value: object) -> None:
    assert BY_PATH[path].kind.problem(value)
