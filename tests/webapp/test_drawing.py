"""Pages are drawn one after the other: a save must not wait for many at once."""

import threading
from contextlib import suppress

import jinja2
import pytest

from webapp.factory import PageTemplate

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
