"""Every reader of a visitor's text: where it parses, and what it is bound by before it does.

`tests/webapp/test_readers.py` finds the places where the code parses anything, and knows each from
here; `tests.crash.worst` searches for the text that takes each reader longest.
"""

import base64
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from secrets import token_hex
from typing import Final
from urllib.parse import quote_from_bytes, urlencode

from tests.crash.attacks import FORM, QUESTION
from tests.described import FAR_HOUSE, costly_game
from tests.fuzz import bent
from webapp.own_games.url_token import write_token

ACCENTS: Final = "\u0315\u0300"
"""Two that are always written the other way round; to put many in order takes long."""
UNITS: Final = (
    *("a", " ", "\n", ".", ",", ";", ":", "=", "-", "+", "0", "9", '"', "'", "\\", "_", "&", "%"),
    *(
        "[",
        "]",
        "{",
        "}",
        "{a=",
        '{"a":',
        "[[",
        '"""',
        "a.",
        "a=1\n",
        "[a]\n",
        "[[a]]\n",
        "a.b=1\n",
    ),
    *('"a",', "[],", "{},", '{"a":1},', "1,", "#", "\\n", "\\u0315", ACCENTS, "e\u0301", "\ufdfa"),
    *("\u1100\u1161", "\U0001f468\u200d", "ﬃ", "İ", "ß", "\u202e", "\ufeff", "٣", "²", "\0"),
    *("7C ", "JK ", "R1 ", "QH 7D ", "12+", "ace ", "joker ", "lay off ", "a,b\n", ",,,\n", "x\r"),
    *("a=b; ", "a-1.", "q=0.1,", "éèê", "K♠ ", "1 set of 3 + ", "1e9", "0x", "2026-01-01,"),
)
"""What a text may be made of again and again."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where texts are sent: a house with a running game, or one without any."""

    pub: str
    player: int


@dataclass(frozen=True, slots=True)
class FormKey:
    """What is sent."""

    method: str
    path: str
    body: bytes = b""
    kind: str = ""
    headers: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A reader of a visitor's text."""

    name: str
    bound: str
    """What is checked before it parses."""
    places: tuple[str, ...]
    """Where it parses: file and function, or a whole folder."""
    send: Callable[[Place, str], FormKey]
    """A text, as it is sent to it."""
    seeds: Callable[[], Sequence[str]] = lambda: [""]
    """Whole texts that it can read, to begin with."""
    most: int = 60_000
    """Letters that are sent to it at most."""
    empty: bool = False
    """Whether it only reads in a house that holds nothing yet."""


def _form(path: str, /, **fields: str) -> FormKey:
    body = urlencode({"key": token_hex(10), **fields}, errors="replace").encode()
    return FormKey("POST", path, body, FORM)


def _parts(path: str, name: str, content: str, /, **fields: str) -> FormKey:
    """A file, or a field in which no letter takes more room than in the text itself."""
    lines = [
        f'--x\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n'
        for n, v in fields.items()
    ]
    named = f'name="{name}"' + ('; filename="a"' if name == "file" else "")
    lines.append(f"--x\r\nContent-Disposition: form-data; {named}\r\n\r\n{content}\r\n--x--\r\n")
    return FormKey(
        "POST", path, "".join(lines).encode(errors="replace"), "multipart/form-data; boundary=x"
    )


def _query(path: str, /, **fields: str) -> FormKey:
    return FormKey("GET", f"{path}?{urlencode(fields, errors='replace')}")


def _pack(text: str) -> str:
    """A text as a link has it; 400 letters can be 60,000."""
    packed = zlib.compress(text.encode(errors="replace"), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def _cookie(path: str, name: str, value: str) -> FormKey:
    said = quote_from_bytes(value.encode(errors="replace"), safe=";=.,-_&%+~!*() ")
    return FormKey("GET", path, headers={"Cookie": f"{name}={said}"})


def _games() -> Sequence[str]:
    """Descriptions of games, sound and bent, as JSON."""
    return [json.dumps(spec) for spec in (costly_game(), *islice(bent(7), 30))]


def _changes() -> Sequence[str]:
    return [
        json.dumps({"changes": [{"opening.points": n} for n in range(40, 80)]}),
        json.dumps({"changes": [{"steps": [f"{n} sets of 3" for n in range(1, 4)] * 10}] * 30}),
        json.dumps(
            {"changes": [{"score.hand": {"2-10": n, "J-K": 10, "A": 11}} for n in range(60)]}
        ),
        json.dumps({"changes": [{"wild.cards": ["2", "3", "4", "5", "6", "7", "8", "9"]}] * 80}),
    ]


def _table() -> Sequence[str]:
    head = "date,game,winner," + ",".join(f"P{n}" for n in range(60)) + "\n"
    few = "date,game,winner,Ana,Ben\n"
    return [
        head + ("2025-01-01,Rummy,," + ",".join(["1"] * 6) + "\n") * 2000,
        few + ("2025-01-01,Rummy," + "a&" * 60_000 + ",1,2\n") * 7,
        few + "2025-01-01,Rummy,,1,2\n" * 250,
        few + ("2025-01-01," + ACCENTS * 30_000 + ",,1,2\n") * 5,
    ]


def _book() -> Sequence[str]:
    head = '{"laydown":{"format":"book","schema":1}}\n'
    player = '{"player":{"id":%d,"name":"P%d","token":1,"at":"2026-01-01T00:00:00.000000+00:00"}}\n'
    return [
        head + "".join(player % (n, n) for n in range(1, 9_000)),
        head + '{"player":' + "[" * 150_000 + "\n",
        head + '{"name":{"id":1,"player":1,"name":"' + ACCENTS * 90_000 + '"}}\n',
    ]


READERS: Final = (
    Reader(
        name="a game as TOML",
        bound="60,000 letters, 60 brackets deep, 100 dots in a line; 12 deep once it is parsed",
        places=("webapp/own_games/plain.py:read_text",),
        send=lambda _, text: _parts("/games/own/text", "text", text, key=token_hex(10)),
        seeds=lambda: [FAR_HOUSE.read_text(encoding="utf-8"), ".".join("a" * 25_000) + "=1"],
    ),
    Reader(
        name="a game as JSON",
        bound="60,000 letters, 60 brackets deep; 12 deep once it is parsed",
        places=(
            "webapp/own_games/plain.py:read_text",
            "webapp/own_games/patches.py:read_object",
        ),
        send=lambda _, text: _parts("/games/own/text", "text", "{" + text[1:], key=token_hex(10)),
        seeds=_games,
    ),
    Reader(
        name="a game that was shown, to be kept",
        bound="as a game as JSON; tried by a worker within 5 s",
        places=(
            "webapp/own_games/patches.py:read_object",
            "webapp/own_games/commands.py:save_game",
        ),
        send=lambda _, text: _parts(
            "/games/own", "draft", text, key=token_hex(10), name=token_hex(4)
        ),
        seeds=_games,
    ),
    Reader(
        name="a game as a file",
        bound="a form's 64 kB; as a game as JSON",
        places=("webapp/pages/own/routes.py:read",),
        send=lambda _, text: _parts("/games/own/add", "file", text, kept=token_hex(10)),
        seeds=lambda: [f'{{"laydown":"game","spec":{spec},"text":{{}}}}' for spec in _games()],
    ),
    Reader(
        name="a game in a link",
        bound="12,000 letters, which inflate to 128,000 bytes at most; as a game as JSON",
        places=("webapp/own_games/url_token.py:read_token",),
        send=lambda _, text: _query("/games/own/add", g=_pack(text)),
        seeds=_games,
    ),
    Reader(
        name="letters of a link that nobody packed",
        bound="12,000 letters of ASCII",
        places=("webapp/own_games/url_token.py:read_token",),
        send=lambda _, text: _query("/games/own/add", g=text),
        seeds=lambda: [write_token(costly_game())],
        most=14_000,
    ),
    Reader(
        name="changed rules in an address",
        bound="as a link; 80 changes, each of a path that there is, with a value that fits it",
        places=("webapp/own_games/url_token.py:read_token",),
        send=lambda _, text: _query("/rules/canasta/change", c=_pack(text)),
        seeds=_changes,
    ),
    Reader(
        name="changed rules for a new game",
        bound="as changed rules in an address",
        places=("webapp/own_games/url_token.py:read_token",),
        send=lambda _, text: _query("/games/new", variant="rummy", c=_pack(text)),
        seeds=_changes,
    ),
    Reader(
        name="what is typed into a rule",
        bound="6,000 letters of a tap, 20 of a number, 40 of a name",
        places=("webapp/pages/rulebook/",),
        send=lambda _, text: _query("/rules/rummy/change", to='["deal.cards"]', typed=text),
        most=14_000,
    ),
    Reader(
        name="a search in rules",
        bound="400 letters, of which 100 are looked for",
        places=("webapp/text/cleaning.py:compose",),
        send=lambda _, text: _query("/rules/mexican-rummy", find=text),
        seeds=lambda: ["do i have to play if i can", "joker wild ace meld set run " * 4],
        most=14_000,
    ),
    Reader(
        name="a search for a game",
        bound="60 letters",
        places=(),
        send=lambda _, text: _query("/ask", find=text),
        most=14_000,
    ),
    Reader(
        name="cards at the desk",
        bound="the head of a request, 16 kB; as many cards as the pack has",
        places=("referee/cards.py:Pack.parse",),
        send=lambda _, text: _query("/desk/rummikub/ruling", ask="meld", cards=text),
        seeds=lambda: ["R1 R2 R3 " * 30, "JK " * 100],
        most=14_000,
    ),
    Reader(
        name="cards to be saved with an argument",
        bound="a form's 64 kB; as many cards as the pack has",
        places=("referee/cards.py:Pack.parse",),
        send=lambda at, text: _form(
            f"/g/{at.pub}/disputes",
            **QUESTION | {"off-1": text},
            player=str(at.player),
            decided="upheld",
        ),
        seeds=lambda: ["7C QC 8H JH " * 20],
        most=10_000,
    ),
    Reader(
        name="a hand to be advised on",
        bound="the head of a request, 16 kB; as many cards as a hand has, work that is counted",
        places=("referee/cards.py:Pack.parse",),
        send=lambda _, text: _query("/desk/remigio/advice", put="1", hand=text),
        seeds=lambda: ["AC 2C 3C 4C 5C 6C 7C 8C 9C 10C", "JK JK AC AD 2C 2D 3C 3D 4C 4D"],
        most=14_000,
    ),
    Reader(
        name="a sum in a count",
        bound="200 letters, 60 numbers of 5 digits",
        places=(
            "webapp/game/hand.py:read_count",
            "webapp/game/hand.py:read_points",
            "webapp/game/hand.py:read_signed",
        ),
        send=lambda at, text: _parts(
            f"/g/{at.pub}/rounds/1/fill", f"left-{at.player}", text, key=token_hex(10)
        ),
        seeds=lambda: ["+".join(["12345"] * 60), "7C 8C JK"],
    ),
    Reader(
        name="a hand chosen among two",
        bound="2,000 letters; the fields of a count",
        places=("webapp/pages/counting/form.py:read_choice",),
        send=lambda at, text: _parts(
            f"/g/{at.pub}/rounds/1/fill", f"hand-{at.player}", text, key=token_hex(10)
        ),
        seeds=lambda: ["left-1=20%2B25&table-1=45&out=1&made-1=1&bonus-1-mixed=2&aside-1=3"],
    ),
    Reader(
        name="a name",
        bound="8 times what a name may have, 24 letters once it is composed",
        places=("webapp/text/cleaning.py:compose",),
        send=lambda _, text: _parts("/players", "name", text, key=token_hex(10)),
        seeds=lambda: ["Ana" + ACCENTS * 10],
    ),
    Reader(
        name="a note",
        bound="1,120 letters, of which 280 are kept",
        places=("webapp/text/cleaning.py:compose",),
        send=lambda at, text: _parts(
            f"/g/{at.pub}/notes", "text", text, key=token_hex(10), round="1"
        ),
    ),
    Reader(
        name="money and seconds",
        bound="40 letters of a stake, 20 of seconds",
        places=(
            "webapp/game/money.py:clean_stake",
            "webapp/pages/games/view.py:read_seconds",
        ),
        send=lambda _, text: _query("/games/new", variant="rummy", stake=text, clock=text),
        most=7_000,
    ),
    Reader(
        name="a table of games from paper",
        bound="1 MB, 2,000 lines, 60 players; one at a time, with rests",
        places=(
            "webapp/pages/exchange/routes.py:upload",
            "webapp/exchange/paper.py:_rows",
            "webapp/exchange/paper.py:_PaperRow._begun",
        ),
        send=lambda _, text: _parts("/imports", "file", text, held=token_hex(10)),
        seeds=_table,
        most=900_000,
    ),
    Reader(
        name="an export to import",
        bound="1 MB, 400,000 letters a line, as deep as Python goes; only into an empty house",
        places=(
            "webapp/exchange/reading.py:_Reader._read_line",
            "webapp/exchange/lines.py:TimedLine.moment",
            "webapp/game/facts.py:seated_by",
        ),
        send=lambda _, text: _parts("/imports", "file", text, held=token_hex(10)),
        seeds=_book,
        most=900_000,
        empty=True,
    ),
    Reader(
        name="seats that a form remembers",
        bound="2,000 letters of a cookie",
        places=("webapp/pages/games/routes.py:new",),
        send=lambda _, text: _cookie("/games/new", "new-game", text),
        seeds=lambda: ["seat=1&seat=2&dealer=1", "seat=%2BAna&" * 150],
        most=12_000,
    ),
    Reader(
        name="a phone’s own cookies",
        bound="43 letters of its name, 80 of its preferences, 400 of its seats",
        places=("webapp/web/cookies.py:read_cookies",),
        send=lambda _, text: _cookie("/", "look=dark; seats", text),
        seeds=lambda: ["aaaaaaaaaa-1." * 500],
        most=12_000,
    ),
)


OURS: Final[Mapping[str, Sequence[str]]] = {
    "files that come with Laydown, or that it wrote": (
        "webapp/db/",
        "webapp/backups/",
        "webapp/game/facts.py:Disputed.about",
        "webapp/history/argued.py:read_argued",
        "webapp/migrations/",
        "referee/describing/packs.py:kinds_of_packs",
        "referee/faq.py:_asked_of",
        "referee/faq.py:_answer",
        "referee/faq.py:_prose",
        "referee/faq.py:_unchanged",
        "referee/variants.py:_before",
        "referee/variants.py:_prose_of",
        "referee/variants.py:_read",
        "webapp/_bootstrap.py:_made",
        "webapp/own_games/sentences.py:_label",
        "webapp/pages/rules/search.py:_every_way",
        "webapp/checkouts.py:_checkouts",
        "webapp/config.py:this_version",
    ),
    "a question or a file at a terminal of this computer": (
        "referee/__main__.py:_name",
        "webapp/houses/houses.py:_new_name",
        "referee/protocol/__init__.py:_load",
        "referee/protocol/cases.py:check_case",
        "referee/translating.py:compare",
    ),
    "a game that was built before, as the referee writes it": (
        "referee/describing/building/__init__.py:build.remembered",
        "webapp/own_games/sentences.py:_say_change",
        "referee/variants.py:_in_language",
        "referee/variants.py:description_of",
        "referee/variants.py:kept",
        "referee/variants.py:kept_with",
        "referee/variants.py:usual",
        "webapp/exchange/import_.py:_facts",
        "webapp/pages/counting/teams.py:kinds_of",
        "webapp/pages/games/commands.py:start_game",
        "webapp/pages/house_rules/commands.py:_base",
        "webapp/pages/house_rules/commands.py:facts_of",
        "webapp/own_games/commands.py:_are_same",
        "webapp/pages/rules/view.py:_described",
        "webapp/pages/rules/view.py:anchors_of",
        "webapp/pages/scorepad/commands.py:_begin",
        "webapp/workers/jobs.py:KeepTask.do",
        "webapp/workers/jobs.py:_comes_with_laydown",
        "webapp/workers/jobs.py:find_game",
    ),
    "what is in the database, which was bounded when it came there": (
        "webapp/game/player_ids.py:_renumbered",
        "webapp/game/replay.py:variant_of",
        "webapp/history/sessions.py:played_for_money",
        "webapp/own_games/catalog.py:_built",
        "webapp/own_games/catalog.py:spec_of",
        "webapp/own_games/opening.py:write_game_text",
    ),
}
"""Places that parse what no visitor wrote just now, by what they parse."""
