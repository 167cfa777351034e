"""Whatever is sent: an answer, never a fault."""

import os
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee import variants
from tests.examples import examples
from tests.webapp.table import HTMX, OWN, Table
from webapp.ledger import new_key

NASTY = [
    "",
    "\0",
    "a\0b",
    "\ud800",
    "１２",
    "٣",
    "1_000",
    "-1",
    str(2**31),
    str(2**63),
    str(2**70),
    "9" * 5000,
    "1e9",
    "NaN",
    "../../etc/passwd",
    "%00",
    "%ff%fe",
    "'; DROP TABLE entry; --",
    "<script>alert(1)</script>",
    "\u202eabc",
    "👨‍👩‍👧‍👦" * 20,
    "é" * 300,
    "\r\nSet-Cookie: a=b",
    "{{7*7}}",
    "[" * 2000,
    "+",
    "+" * 100,
    "JK JK JK",
    "7C " * 60,
    "2S " * 60,
    "A♠ K♠ 2♠",
    "R7 B7 K7 JK",
    "rearrange",
    "laydown",
    "layoff",
    "pickup",
    "close",
    "call",
    "swap",
    "nobody",
    "own",
    "pass",
    "begin",
    "extend",
    "remigio",
    "rummikub",
    "rummy-500",
    "phases:reconstructed",
    "0.05",
]
FIELDS = [
    "key",
    "seq",
    "out",
    "only",
    "sure",
    "left-{who}",
    "table-{who}",
    "shown",
    "close",
    "text",
    "round",
    "after",
    "carry",
    "carried",
    "unranked",
    "deed",
    "seen",
    "stake",
    "currency",
    "clock",
    "preset",
    "option-multipliers",
    "base-{who}",
    "made-{who}",
    "left-0",
    "left-999999999999",
    "seat",
    "name",
    "variant",
    "dealer",
    "add",
    "drop",
    "up",
    "pick",
    "option-phases",
    "option-aces",
    "option-",
    "ask",
    "step",
    "player",
    "own",
    "cards",
    "onto",
    "give",
    "take",
    "meld",
    "meld-1",
    "meld-2",
    "kept",
    "down",
    "later",
    "not-opened",
    "before-1",
    "before-2",
    "after-1",
    "after-2",
    "rack",
    "hand",
    "put",
    "own-1",
    "discards",
    "aim",
    "for",
    "advice",
    "pile",
    "discard",
    "says",
    "table-1",
    "decided",
    "note",
]
PATHS = [
    "/",
    "/games",
    "/games/new",
    "/players",
    "/players/{who}/name",
    "/players/{nasty}/name",
    "/g/{pub}",
    "/g/{nasty}",
    "/g/{pub}/{nasty}",
    "/g/{pub}/board",
    "/g/{pub}/voids",
    "/g/{pub}/endings",
    "/g/{pub}/reopenings",
    "/g/{pub}/rematches",
    "/g/{pub}/deciders",
    "/g/{pub}/takes",
    "/g/{pub}/seats",
    "/g/{pub}/seats/{who}/leaving",
    "/g/{pub}/seats/{nasty}/leaving",
    "/g/{pub}/notes",
    "/g/{pub}/notes/2/voids",
    "/g/{pub}/notes/{nasty}/voids",
    "/g/{pub}/clock",
    "/g/{pub}/clock/face",
    "/g/{pub}/laydowns",
    "/g/{pub}/desk",
    "/g/{pub}/desk/ruling",
    "/g/{pub}/desk/advice",
    "/g/{pub}/rounds/1",
    "/g/{pub}/rounds/2",
    "/g/{pub}/rounds/2/review",
    "/g/{pub}/rounds/2/draft",
    "/g/{pub}/rounds/{nasty}",
    "/g/{pub}/rounds/1/hands/{who}",
    "/g/{pub}/rounds/1/hands/{nasty}",
    "/desk/{nasty}",
    "/desk/mexican-rummy",
    "/desk/mexican-rummy/ruling",
    "/desk/eleven-phases",
    "/desk/eleven-phases/advice",
    "/desk/rummikub/advice",
    "/desk/remigio/advice",
    "/desk/rummy-500/advice",
    "/desk/rummikub",
    "/desk/remigio/ruling",
    "/desk/rummy-500",
    "/g/{pub}/disputes",
    "/rules/{nasty}",
    "/static/{nasty}",
    "/{nasty}",
]
HEADERS = ["HX-PTag", "Cookie", "Accept-Encoding", "Host", "Origin", "Content-Type", "Range"]


def begin(database, slug: str) -> Table:
    """A game in which one round was counted."""
    table = Table(database, ("Ana", "Ben"), slug)
    table.count(1, ana="60/out", ben="0/made 60", close="remigio")
    return table


def send(client, table: Table, chance: random.Random) -> int:
    """Send something at random; answers the status."""

    def text() -> str:
        kind = chance.random()
        if kind < 0.6:
            return chance.choice(NASTY)
        if kind < 0.8:
            return str(chance.choice([0, 1, 2, 5, 45, table.ids["ana"]]))
        return "".join(chr(chance.randrange(0xD7FF)) for _ in range(chance.randrange(12)))

    def path() -> str:
        made = chance.choice(PATHS)
        return made.format(pub=table.pub, who=table.ids["ana"], nasty=text()).replace("\ud800", "")

    fields = [
        (chance.choice(FIELDS).format(who=chance.choice(list(table.ids.values()))), text())
        for _ in range(chance.randrange(12))
    ]
    if chance.random() < 0.8:
        fields.append(("key", new_key()))
    body = [(name, value.encode("utf-8", "surrogatepass")) for name, value in fields]
    headers = dict(OWN) if chance.random() < 0.95 else {}
    headers |= HTMX if chance.random() < 0.5 else {}
    if chance.random() < 0.1:
        value = chance.choice(NASTY).encode("utf-8", "replace").decode("latin-1")
        headers[chance.choice(HEADERS)] = (
            value.replace("\r", "").replace("\n", "").replace("\0", "")
        )
    if chance.random() < 0.5:
        query = [(name, value.encode("utf-8", "surrogatepass")) for name, value in fields]
        return client.get(path(), query_string=dict(query), headers=headers).status_code
    data: dict[str, object] = {}
    for name, value in body:
        data.setdefault(name, []).append(value)
    if chance.random() < 0.1:
        raw = bytes(chance.randrange(256) for _ in range(chance.randrange(200)))
        kind = chance.choice(
            ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
        )
        return client.post(path(), data=raw, content_type=kind, headers=headers).status_code
    from urllib.parse import urlencode

    return client.post(
        path(),
        data=urlencode(data, doseq=True),
        content_type="application/x-www-form-urlencoded",
        headers=headers,
    ).status_code


@pytest.mark.slow
@pytest.mark.parametrize("variant", variants.all(), ids=lambda variant: variant.slug)
def test_nothing_that_is_sent_makes_a_fault(client, database, variant):
    """LAYDOWN_FUZZ says how much is sent, for longer runs; the seed is fixed."""
    table = begin(database, variant.slug)
    chance = random.Random(20261121)
    seen = set()
    for turn in range(int(os.environ.get("LAYDOWN_FUZZ", "500"))):
        state = chance.getstate()
        status = send(client, table, chance)
        seen.add(status)
        if status >= 500:
            chance.setstate(state)
            pytest.fail(f"{status} at turn {turn}")
        if turn % 100 == 99 and table.pad.finished:
            table = begin(database, variant.slug)
    assert {200, 303, 400, 403, 404, 422} <= seen


@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(name=st.text(max_size=80))
def test_any_text_is_a_name_or_is_refused(client, name):
    fields = {"name": name.encode("utf-8", "surrogatepass"), "key": new_key()}
    answer = client.post("/players", data=fields, headers=OWN)

    assert answer.status_code in {303, 422}
    assert client.get("/players").status_code == 200
