"""The picture of a result: who won, drawn as PNG, whatever people are called."""

import re
import struct
from collections.abc import Iterator
from dataclasses import astuple
from xml.etree import ElementTree as ET

import pytest
from flask import Flask, render_template
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.webapp.table import Table
from webapp._bootstrap import ROOT
from webapp.models import TOKENS
from webapp.pages.history.picture import (
    BROAD,
    PAINTS,
    ROUND,
    ROUND_HEAD,
    SQUARE,
    Finisher,
    Frame,
    Picture,
    fit,
    lay_out,
    measure,
    read_picture,
)
from webapp.pages.scorepad import commands as taps
from webapp.players.tokens import Token, initial_of
from webapp.workers.jobs import DrawTask

pytestmark = pytest.mark.slow

SIZES = {"result": (1080, 1080 + ROUND_HEAD + 6 * ROUND), "preview": (1200, 630)}
FRAMES = pytest.mark.parametrize("frame", [SQUARE, BROAD], ids=["result", "preview"])
NAMES = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=24).filter(str.strip)
WIDE = "W" * 24
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}


@pytest.fixture
def finished(table: Table) -> Table:
    """A game that Ana has won."""
    for number in range(1, 7):
        table.count(number, ana="out", ben="100", cleo="120")
    table.tap(taps.finish_game)
    return table


def finishers(*names: str) -> list[Finisher]:
    """People who finished in this order."""
    return [
        Finisher(name, f"−{1000 + 10 * rank}", Token(rank % TOKENS + 1, initial_of(name)), rank + 1)
        for rank, name in enumerate(names)
    ]


def laid_out(frame: Frame, *names: str) -> Picture:
    """The picture of a game that they finished in this order."""
    return lay_out(
        frame,
        finishers(*names),
        title=f"{names[0]} wins",
        says="by 50 points, after 6 rounds",
        head="Eleven-phase Mexican Rummy · 21 September 2026",
    )


def drawn(app: Flask, picture: Picture) -> ET.Element:
    """The picture as it is drawn."""
    with app.test_request_context():
        svg = render_template("picture/result.svg", picture=picture, fit=fit)
    return ET.fromstring(svg)  # noqa: S314 - our own


@pytest.mark.parametrize("name", SIZES)
def test_a_result_is_a_picture_of_the_size_that_chats_show(
    client: FlaskClient, finished: Table, name: str
) -> None:
    answer = client.get(f"/g/{finished.pub}/{name}.png")

    assert answer.status_code == 200
    assert answer.mimetype == "image/png"
    assert answer.data.startswith(b"\x89PNG\r\n")
    assert struct.unpack(">II", answer.data[16:24]) == SIZES[name]


def test_every_round_is_in_the_picture(app: Flask, finished: Table) -> None:
    picture = finished.database.read(read_picture, finished.pub, SQUARE)
    words = [text.text for text in drawn(app, picture).iter("{http://www.w3.org/2000/svg}text")]

    assert words[-4 * 6 :] == [
        each for number in range(1, 7) for each in (str(number), "0", "100", "120")
    ]
    for says, left, top, right, bottom in _boxes(drawn(app, picture)):
        assert 0 <= left <= right <= SQUARE.width, says
        assert 0 <= top <= bottom <= picture.height, says


def test_a_phone_that_has_the_picture_is_not_drawn_it_again(
    client: FlaskClient, finished: Table
) -> None:
    address = f"/g/{finished.pub}/result.png"
    tag = client.get(address).headers["ETag"]

    again = client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")

    other = client.get(f"/g/{finished.pub}/preview.png", headers={"If-None-Match": tag})
    assert other.status_code == 200


def test_there_is_no_picture_of_a_game_that_is_being_played(
    client: FlaskClient, table: Table
) -> None:
    assert client.get(f"/g/{table.pub}/result.png").status_code == 409
    assert client.get("/g/aaaaaaaaaa/result.png").status_code == 404


def test_a_link_to_a_result_is_shown_as_its_picture(client: FlaskClient, finished: Table) -> None:
    page = client.get(f"/g/{finished.pub}/result").text
    shown = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page))

    assert shown["title"] == "Ana wins"
    assert shown["image"] == f"http://localhost/g/{finished.pub}/preview.png"
    assert f'href="/g/{finished.pub}/result.png" download' in page


def test_tokens_are_painted_as_on_the_pages() -> None:
    style = (ROOT / "static/css/tokens.css").read_text(encoding="utf-8")
    found = re.findall(r'data-p="\d+"\] \{.*--bright: (#\w+); --shape: ([^;]+);', style)
    corners = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 4: (0, 1, 2, 3)}

    painted = []
    for colour, shape in found:
        parts = [int(part.rstrip("%")) for part in shape.split()]
        painted.append((colour, tuple(parts[place] for place in corners[len(parts)])))

    assert painted == [astuple(paint) for paint in PAINTS]
    assert len(painted) == TOKENS


@FRAMES
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # drawing changes nothing
@given(names=st.lists(NAMES, min_size=1, max_size=10))
def test_every_word_is_within_the_picture(app: Flask, frame: Frame, names: list[str]) -> None:
    for says, left, top, right, bottom in _boxes(drawn(app, laid_out(frame, *names))):
        assert left >= 0, says
        assert right <= frame.width, says
        assert 0 <= top <= bottom <= frame.height, says


@FRAMES
@pytest.mark.parametrize("players", range(1, 11))
def test_no_word_is_printed_over_another(app: Flask, frame: Frame, players: int) -> None:
    boxes = list(_boxes(drawn(app, laid_out(frame, *[WIDE] * players))))

    for place, (_, left, top, right, bottom) in enumerate(boxes):
        for _, *other in boxes[place + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart, (boxes[place], other)


@FRAMES
@pytest.mark.parametrize("players", [2, 4, 10])
def test_the_winner_is_on_top(frame: Frame, players: int) -> None:
    picture = laid_out(frame, *"ABCDEFGHIJ"[:players])

    assert min(picture.steps, key=lambda step: step.y).who.name == "A"
    assert [step.who.rank for step in picture.steps].count(1) == 1


def test_any_name_can_be_drawn(app: Flask) -> None:
    names = ("<b>&\"'", "Дмитрий", "小明", "🂡", "\u202eAna", "a" * 24)

    for name in names:
        svg = drawn(app, laid_out(BROAD, name, "Ben"))
        assert any(name in (text.text or "") or "…" in (text.text or "") for text in svg.iter())
    everybody = ET.tostring(drawn(app, laid_out(BROAD, *names)), encoding="unicode")
    assert DrawTask(everybody).do().startswith(b"\x89PNG")


def _boxes(svg: ET.Element) -> Iterator[tuple[str, float, float, float, float]]:
    """Each text but the initials on tokens, and its left, top, right and bottom."""
    for text in svg.iter("{http://www.w3.org/2000/svg}text"):
        says, size = text.text or "", float(text.get("font-size", ""))
        if text.get("fill") is None:
            wide = measure(says, size)
            left = float(text.get("x", "")) - wide * ANCHORS[text.get("text-anchor", "start")]
            base = float(text.get("y", "")) + (0.35 * size if text.get("dy") == ".35em" else 0)
            yield says, left, base - 0.75 * size, left + wide, base
