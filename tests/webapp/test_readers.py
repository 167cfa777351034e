"""Whatever reads a visitor's text is known, has a bound, and takes no text long."""

import ast
import time
from collections.abc import Iterable, Iterator

import pytest

from tests.crash.readers import ACCENTS, OURS, READERS, Place
from tests.examples import in_turn
from tests.webapp.table import Table
from tests.yardstick import milliseconds
from webapp._bootstrap import ROOT

PARSE = {
    *("json.load", "json.loads", "tomllib.load", "tomllib.loads", "csv.reader", "csv.DictReader"),
    *("zlib.decompress", "zlib.decompressobj", "gzip.decompress", "gzip.open", "base64.b64decode"),
    *("base64.urlsafe_b64decode", "unicodedata.normalize", "parse_qs", "parse_qsl", "parse_cards"),
    *("model_validate", "model_validate_json", "fromisoformat", "strptime", "literal_eval"),
    *("request.cookies", "parse_cookie", "request.files", "request.data", "request.get_json"),
    "ElementTree.parse",
}
"""What parses a text, or hands on one that isn't a field of a form."""
LIMIT = 1000
"""Milliseconds of processor time that an answer may take; see `tests.yardstick`."""


def places(source: str, name: str) -> Iterator[str]:
    """Where a file parses something: its name and the function."""

    def look(node: ast.AST, within: tuple[str, ...]) -> Iterator[str]:
        for part in ast.iter_child_nodes(node):
            named = isinstance(part, ast.FunctionDef | ast.ClassDef)
            inside = (*within, part.name) if named else within
            if isinstance(part, ast.Attribute | ast.Name):
                said = ast.unparse(part)
                if {said, said.rpartition(".")[2]} & PARSE:
                    yield f"{name}:{'.'.join(within)}"
            yield from look(part, inside)

    yield from look(ast.parse(source), ())


LISTED = {place for reader in READERS for place in reader.places}
OF_OURS = {place for some in OURS.values() for place in some}


def test_every_place_that_parses_is_a_reader_with_a_bound_or_reads_what_is_ours() -> None:
    """A new one has to be in the list of `tests.crash.readers`, with what bounds it."""
    found = {
        place
        for folder in ("webapp", "referee")
        for file in (ROOT / folder).rglob("*.py")
        for place in places(file.read_text(encoding="utf-8"), str(file.relative_to(ROOT)))
    }

    assert [place for place in sorted(found) if not is_in(place, LISTED | OF_OURS)] == []
    assert [
        each for each in sorted(LISTED) if not any(is_in(place, {each}) for place in found)
    ] == []
    assert not LISTED & OF_OURS
    assert all(reader.bound for reader in READERS)


def is_in(place: str, some: Iterable[str]) -> bool:
    """Whether a place is listed, by its name or with all of its folder."""
    return any(place == each or (each.endswith("/") and place.startswith(each)) for each in some)


def test_a_new_place_would_be_found() -> None:
    new = "import json\n\ndef read_all(text):\n    return json.loads(text)\n"

    assert list(places(new, "webapp/new.py")) == ["webapp/new.py:read_all"]


@pytest.mark.parametrize(
    "reader", in_turn(READERS, quick=0, each=3), ids=lambda reader: reader.name.replace(" ", "-")
)
def test_no_text_takes_a_reader_long(client, database, reader) -> None:
    """`python -m tests.crash.worst 600` looks for others."""
    place = Place("aaaaaaaaaa", 1)
    if not reader.empty:
        table = Table(database, ("Ana", "Ben"))
        place = Place(table.pub, table.ids["ana"])
    long = [unit * (reader.most // len(unit)) for unit in (ACCENTS, "a.", "7C ")]
    for text in [*reader.seeds()[:2], *long]:
        sent = reader.send(place, text[: reader.most])
        headers = {"Origin": "http://localhost", **(sent.headers or {})}
        taken, status = [], 0
        # A machine that is busy with something else takes longer; it isn't so three times.
        while len(taken) < 3 and (not taken or min(taken) > milliseconds(LIMIT) / 3):
            before = time.process_time()
            answer = client.open(
                sent.path,
                method=sent.method,
                data=sent.body,
                content_type=sent.kind or None,
                headers=headers,
            )
            taken.append(time.process_time() - before)
            status = answer.status_code

        assert status < 500, text[:100]
        assert min(taken) < milliseconds(LIMIT), text[:100]
