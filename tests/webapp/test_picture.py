"""The picture of a result: who won, drawn as PNG, whatever people are called."""

import re
import struct
from collections.abc import Iterator
from dataclasses import astuple
from xml.etree import ElementTree as ET

import pytest
from flask import Flask, render_template
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from tests.webapp.table import Table
from webapp._bootstrap import ROOT
from webapp.models import TOKENS
from webapp.services.history.picture import (
    BROAD,
    PAINTS,
    SQUARE,
    Finisher,
    Frame,
    Picture,
    Text,
    lay_out,
    measure,
)
from webapp.services.scorepad import taps
from webapp.services.tasks import DrawTask
from webapp.services.tokens import Token, initial_of

pytestmark = pytest.mark.slow

SIZES = {"result": (1080, 1080), "preview": (1200, 630)}
FRAMES = pytest.mark.parametrize("frame", [SQUARE, BROAD], ids=["result", "preview"])
NAMES = st.text(min_size=1, max_size=24).filter(str.strip)
WIDE = "W" * 24


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


@pytest.mark.parametrize("name", SIZES)
def test_a_result_is_a_picture_of_the_size_that_chats_show(
    client: FlaskClient, finished: Table, name: str
) -> None:
    answer = client.get(f"/g/{finished.pub}/{name}.png")

    assert answer.status_code == 200
    assert answer.mimetype == "image/png"
    assert answer.data.startswith(b"\x89PNG\r\n")
    assert struct.unpack(">II", answer.data[16:24]) == SIZES[name]


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
    page = client.get(f"/g/{finished.pub}/sheet").text
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
@given(names=st.lists(NAMES, min_size=1, max_size=10))
def test_every_word_stands_within_the_picture(frame: Frame, names: list[str]) -> None:
    picture = laid_out(frame, *names)

    for text, left, right in _extents(picture):
        assert left >= 0, text.says
        assert right <= frame.width, text.says
        assert text.size <= text.y <= frame.height


@FRAMES
@pytest.mark.parametrize("players", range(1, 11))
def test_no_word_is_printed_over_another(frame: Frame, players: int) -> None:
    picture = laid_out(frame, *[WIDE] * players)

    boxes = [
        (left, text.y - 0.75 * text.size, right, text.y) for text, left, right in _extents(picture)
    ]
    for place, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[place + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart, (boxes[place], other)


@FRAMES
@pytest.mark.parametrize("players", [2, 4, 10])
def test_the_winner_stands_highest(frame: Frame, players: int) -> None:
    picture = laid_out(frame, *"ABCDEFGHIJ"[:players])

    tops = {step.name.says: step.disc.y for step in picture.steps}
    assert min(tops, key=tops.__getitem__) == "A"
    assert [step.gold for step in picture.steps].count(True) == 1


def test_any_name_can_be_drawn(app: Flask) -> None:
    names = ("<b>&\"'", "Дмитрий", "小明", "🂡", "\u202eAna", "a" * 24)
    with app.test_request_context():
        pictures = {
            name: render_template("picture/result.svg", picture=laid_out(BROAD, name, "Ben"))
            for name in names
        }
        all_of_them = render_template("picture/result.svg", picture=laid_out(BROAD, *names))

    for name, svg in pictures.items():
        assert any(name in (text.text or "") for text in ET.fromstring(svg).iter()) or "…" in svg  # noqa: S314
    assert DrawTask(all_of_them).do().startswith(b"\x89PNG")


def _extents(picture: Picture) -> Iterator[tuple[Text, float, float]]:
    """Each text, and where it begins and ends."""
    middle = [picture.title, picture.says]
    for step in picture.steps:
        middle += [step.name, step.total, step.place]
    for text in middle:
        half = measure(text.says, text.size) / 2
        yield text, text.x - half, text.x + half
    for text in (picture.head, *(line.total for line in picture.lines)):
        yield text, text.x - measure(text.says, text.size), text.x
    for line in picture.lines:
        yield line.name, line.name.x, line.name.x + measure(line.name.says, line.name.size)
