"""Every row of every game opened, and every tap in it made, as somebody with time might."""

import json
from collections.abc import Iterator

import pytest

from referee import variants
from referee.describing import brought, canonical, changed, rules_hash, value_at
from referee.saying import ENGLISH, LANGUAGES
from tests.examples import in_turn
from tests.webapp.drafts import base, controls, form_of
from webapp.language import speak
from webapp.pages.rulebook.base import Base
from webapp.pages.rulebook.draft import Draft
from webapp.pages.rulebook.form import TypedError, fits, read_typed
from webapp.pages.rulebook.view import FormPage, Row, show
from webapp.pages.rulebook.widgets import Control

GAMES = [game.slug for game in variants.all() if not game.points_only]
SPOKEN = [(slug, spoken) for slug in GAMES for spoken in LANGUAGES if spoken in {"en", "es"}]


@pytest.fixture(autouse=True)
def _in_english_afterwards():
    yield
    speak(ENGLISH)


def open_rows(of: Base) -> Iterator[tuple[FormPage, Row]]:
    """Each row of a game open, a list of rounds at its first and second round, too."""
    page = show(of, Draft(""))
    for name in [row.id for row in page.rows if row.paths]:
        for at in (0, 1, 2):
            here = show(of, Draft(""), name, at)
            row = next(each for each in here.rows if each.id == name)
            if at and not any(each.rounds or each.numbers for each in row.controls):
                break
            yield here, row


def taps(of: Base, each: Control) -> Iterator[tuple[str, object]]:
    """What every button of a control sets, and each of its numbers 1 higher."""
    for choice in each.choosable:
        path, value = json.loads(choice.sets)
        yield path, value
    form = form_of(each)
    for name, text in [*form.items()][1:4]:
        if name.startswith("n.") and text:
            try:
                yield each.path, read_typed(of.spec, each.path, {**form, name: str(int(text) + 1)})
            except TypedError:
                continue


@pytest.mark.parametrize("game", in_turn(SPOKEN, quick=2, each=21), ids=" ".join)
def test_every_tap_on_every_row_leaves_a_game_or_a_problem_in_its_place(game):
    slug, spoken = game
    of = base(slug)
    speak(spoken)
    seen = set()
    for here, row in open_rows(of):
        assert row.controls, row.id
        for each in controls(row):
            for path, value in taps(of, each):
                if (tapped := canonical([path, value])) in seen:
                    continue
                seen.add(tapped)
                assert fits(path, value) or value == [], (path, value)
                if not fits(path, value):
                    continue
                now = changed(of.spec, {path: value})
                draft = Draft("").changed({path: value}, brought(of.spec, now), ())
                page = show(of, draft, here.opens, here.at)
                rows = {one.id for one in page.rows}
                assert {problem.row for problem in page.problems} <= rows, (path, value)
                assert {p.fix for p in page.problems} <= {*rows, ""}, (path, value)
                assert page.changes or rules_hash(now) == rules_hash(of.spec), (path, value)


@pytest.mark.parametrize("slug", in_turn(GAMES, quick=2, each=6))
def test_a_form_that_comes_back_unchanged_changes_nothing(slug):
    of = base(slug)
    for _, row in open_rows(of):
        for each in controls(row):
            if each.numbers or each.ticks:
                typed = read_typed(of.spec, each.path, form_of(each))
                now = changed(of.spec, {each.path: typed})
                was = canonical([value_at(of.spec, each.path)])
                assert canonical([value_at(now, each.path)]) == was, each.path
