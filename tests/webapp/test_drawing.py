"""Saves come before pages, and pages are drawn one after the other."""

import threading
import time
from contextlib import suppress

import jinja2
import pytest
from flask import request

from webapp.workers import turns
from webapp.workers.turns import PageTemplate, Turns

THREADS = 4


class Drawing:
    """Something on a page that notices who else is being drawn."""

    def __init__(self) -> None:
        self.most = 0
        self._now = 0
        self._together = threading.Barrier(THREADS, timeout=0.2)

    def __str__(self) -> str:
        self._now += 1
        self.most = max(self.most, self._now)
        # Passed at once by all if they are here together, and by none if one is alone.
        with suppress(threading.BrokenBarrierError):
            self._together.wait()
        self._now -= 1
        return "drawn"


@pytest.mark.parametrize(("template", "at_once"), [(PageTemplate, 1), (jinja2.Template, THREADS)])
def test_one_page_is_drawn_at_a_time(app, monkeypatch, template, at_once):
    assert app.jinja_env.template_class is PageTemplate
    monkeypatch.setattr(app.jinja_env, "template_class", template)
    page, drawing = app.jinja_env.from_string("{{ it }}"), Drawing()
    threads = [threading.Thread(target=page.render, kwargs={"it": drawing}) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert drawing.most == at_once


class AllAtOnce(Turns):
    """The fault: pages take no notice of saves."""

    def let_save(self) -> None:
        return


@pytest.mark.parametrize(
    ("kind", "order"), [(Turns, ["saved", "page"]), (AllAtOnce, ["page", "saved"])]
)
def test_a_page_waits_for_a_save_that_is_being_answered(monkeypatch, kind, order):
    monkeypatch.setattr(turns, "LONG", 10)
    monkeypatch.setattr(turns, "PATIENCE", 10)
    each, done, drawn = kind(), [], threading.Event()

    def draw() -> None:
        with each.page():
            done.append("page")
        drawn.set()

    page = threading.Thread(target=draw)
    with each.save():
        page.start()
        drawn.wait(0.1)
        done.append("saved")
    page.join()
    assert done == order


@pytest.mark.parametrize("limits", [{"LONG": 0.05, "PATIENCE": 60}, {"LONG": 60, "PATIENCE": 0.05}])
def test_a_page_waits_neither_for_a_long_save_nor_for_long(monkeypatch, limits):
    for name, seconds in limits.items():
        monkeypatch.setattr(turns, name, seconds)
    each, drawn = Turns(), threading.Event()

    def draw() -> None:
        with each.page():
            drawn.set()

    with each.save():
        threading.Thread(target=draw).start()
        assert drawn.wait(10)


def test_a_save_that_is_answered_with_a_page_draws_it_at_once(monkeypatch):
    monkeypatch.setattr(turns, "LONG", 10)
    monkeypatch.setattr(turns, "PATIENCE", 10)
    each = Turns()
    with each.save():
        before = time.monotonic()
        with each.page():
            pass
        assert time.monotonic() - before < turns.LONG / 2


def test_a_saved_form_is_a_save_and_a_page_is_none(app, monkeypatch):
    during = []

    def look() -> None:
        during.append((request.method, turns.TURNS.is_saving))

    before = {None: [*app.before_request_funcs.get(None, []), look]}
    monkeypatch.setattr(app, "before_request_funcs", {**app.before_request_funcs, **before})
    phone = app.test_client()
    phone.get("/")
    phone.post("/games", headers={"Origin": "http://localhost"})
    assert during == [("GET", False), ("POST", True)]
    assert not turns.TURNS.is_saving
