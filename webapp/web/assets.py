"""The files that pages load: read and compressed once at the start, and cached forever.

Their addresses include a hash of the content, so a browser can keep a file as long as it likes, and
a new version has a new address. Small files that every page needs are served as one, and scripts
and styles contain the language of the page.
"""

import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from flask import Flask, Response, abort, request
from rjsmin import jsmin

from referee.saying import ENGLISH, Catalogue
from webapp.language import WORDS, language, offered
from webapp.web.house import root

ROOT: Final = Path(__file__).resolve().parents[2] / "static"

_SHARED_SCRIPTS: Final = (
    "vendor/htmx.org@4.0.1/htmx.min.js",
    "vendor/htmx.org@4.0.1/hx-ptag.min.js",
    "js/wire.js",
    "js/outbox.js",
)
"""The first scripts of every page that changes in place."""

BUNDLES: Final[Mapping[str, tuple[str, ...]]] = {
    "css/laydown.css": ("css/tokens.css", "css/base.css", "css/parts.css", "css/wide.css"),
    "css/count.css": ("css/pad.css", "css/keys.css", "css/hands.css", "css/typed.css"),
    "css/count-cards.css": (
        *("css/pad.css", "css/keys.css", "css/cards.css", "css/hands.css", "css/typed.css"),
    ),
    "css/count-columns.css": (
        *("css/pad.css", "css/keys.css", "css/hands.css", "css/fields.css", "css/typed.css"),
    ),
    "css/count-cards-columns.css": (
        *("css/pad.css", "css/keys.css", "css/cards.css", "css/hands.css", "css/fields.css"),
        "css/typed.css",
    ),
    "css/teams.css": ("css/pad.css", "css/keys.css", "css/typed.css", "css/columns.css"),
    "css/rulebook.css": ("css/cards.css", "css/rulebook.css"),
    "css/changing.css": ("css/cards.css", "css/rulebook.css", "css/changing.css"),
    "css/sheet.css": ("css/pad.css",),
    "css/places.css": ("css/places.css",),
    "css/home.css": ("css/places.css", "css/asking.css", "css/home.css"),
    "css/new-game.css": ("css/places.css", "css/circle.css"),
    "css/asking.css": ("css/cards.css", "css/answers.css", "css/asking.css"),
    "css/desk.css": (
        *("css/keys.css", "css/cards.css", "css/rows.css", "css/answers.css", "css/bench.css"),
    ),
    "laydown.js": _SHARED_SCRIPTS,
    # In one file: a pad is what a phone opens first, and each request more is felt on a weak Wi-Fi.
    "js/pad.js": (
        *(*_SHARED_SCRIPTS, "js/fit.js", "js/beside.js"),
        *("js/keys.js", "js/count.js", "js/keypad.js", "js/live.js"),
    ),
    "js/book.js": ("js/beside.js", "js/chapters.js"),
    "js/sheet.js": ("js/fit.js",),
    "js/asking.js": ("js/again.js",),
    "js/result.js": ("js/fit.js", "js/share.js"),
    "js/desk.js": ("js/fit.js", "js/keys.js", "js/picker.js", "js/again.js"),
}
"""The files that are served as one, in order."""

THEMES: Final[Mapping[str, Mapping[bytes, bytes]]] = {
    "light": {
        b"(prefers-color-scheme:dark)": b"not all",
        b"color-scheme:light dark": b"color-scheme:light",
    },
    "dark": {
        b"(prefers-color-scheme:dark)": b"all",
        b"color-scheme:light dark": b"color-scheme:dark",
    },
    "contrast": {b"(prefers-contrast:more)": b"all"},
}
"""The changes to the shared style for phones that chose other colors: which media conditions become
which. The result is named css/laydown-dark.css, and so on."""

_SHARED: Final = "css/laydown.css"
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".woff2": "font/woff2",
}
_OWN_SCRIPTS: Final = "js/"
_NOTES: Final = re.compile(rb"/\*.*?\*/", re.DOTALL)
_BLANKS: Final = re.compile(rb" ?([{};>]) ?|([:,]) ")
_FONT: Final = re.compile(rb'url\("\.\./(fonts/[^"]+)"\)')
_KEYS: Final = re.compile("«([a-z.-]+)»".encode())
_QUOTES: Final = re.compile(r"[\\'\"`]")
_FOR_EVER: Final = "max-age=31536000, immutable"


class UnknownAssetError(LookupError):
    """A template names a file that doesn’t exist."""


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it’s served: its type, and its bytes, plain and compressed."""

    mimetype: str
    plain: bytes
    gzip: bytes


@cache
def pack(suffix: str, plain: bytes) -> Asset:
    """Return a file, compressed as far as possible; a process does that once for all its apps."""
    return Asset(_TYPES[suffix], plain, gzip.compress(plain, mtime=0))


class Assets:
    """All files, by the path in their address. Use `address` to get that path."""

    def __init__(self, root: Path = ROOT) -> None:
        """Read every file below `root` that has a known type."""
        self._by_path: dict[str, Asset] = {}
        self._paths: dict[tuple[str, str], str] = {}
        for name, content in _files(root):
            for each in offered():
                said = _said(content, each) if name.endswith((".css", ".js")) else content
                path = f"{_digest(said)}/{name}"
                self._by_path[path] = pack(Path(name).suffix, said)
                self._paths[name, each] = path

    def address(self, name: str, language: str = ENGLISH) -> str:
        """Return the path of a file with its hash, in a language; raise UnknownAssetError."""
        try:
            return self._paths.get((name, language)) or self._paths[name, ENGLISH]
        except KeyError:
            raise UnknownAssetError(f"There is no static/{name}") from None

    def find(self, path: str) -> Asset | None:
        """Return the file at a path with a hash; None if the name or the hash isn’t right."""
        return self._by_path.get(path)


def _files(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield each file to serve, with its name: bundles, themes, and files that are in no bundle."""
    bundled = {part for parts in BUNDLES.values() for part in parts}
    for name, parts in BUNDLES.items():
        content = b"\n".join(served(root, part) for part in parts)
        yield name, content
        for theme, changes in THEMES.items() if name == _SHARED else ():
            themed = content
            for one, other in changes.items():
                themed = themed.replace(one, other)
            yield f"css/laydown-{theme}.css", themed
    for file in sorted(root.rglob("*")):
        name = file.relative_to(root).as_posix()
        if file.is_file() and file.suffix in _TYPES and name not in bundled:
            yield name, served(root, name)


def served(root: Path, name: str) -> bytes:
    """Return a file below `root` as it’s served, except that its sentences aren’t filled in yet.

    Our own scripts and styles are without comments and indentation. Fonts in styles get the address
    that includes their hash.
    """
    content = (root / name).read_bytes()
    if name.endswith(".css"):
        return _FONT.sub(lambda found: _beside(root, found[1]), _without_blanks(content))
    if name.startswith(_OWN_SCRIPTS):
        script: bytes = jsmin(content)
        return script
    return content


def _said(content: bytes, language: str) -> bytes:
    """Return a file with each catalog key between « and » replaced by its sentence in a language.

    Keys are within quotes of the script or style, so quotes in a sentence are escaped.
    """
    catalogue = Catalogue.read(language, WORDS)

    def sentence(found: re.Match[bytes]) -> bytes:
        return _QUOTES.sub(r"\\\g<0>", catalogue.template(found[1].decode())).encode()

    return _KEYS.sub(sentence, content)


def _beside(root: Path, name: bytes) -> bytes:
    """Return a font as CSS has it: url() with an address relative to that of a style."""
    digest = _digest((root / name.decode()).read_bytes())
    return b'url("../../' + digest.encode() + b"/" + name + b'")'


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=6).hexdigest()


def _without_blanks(style: bytes) -> bytes:
    """Return one of our own styles without comments, indentation and unneeded blanks."""
    # By hand, as rcssmin takes the blank out of “.tray :is(.key)”, which then is another selector.
    lines = (line.strip() for line in _NOTES.sub(b"", style).splitlines())
    return _BLANKS.sub(rb"\1\2", b"".join(lines))


def register(app: Flask) -> None:
    """Serve the files below /static/, and give templates `asset_url("css/laydown.css")`."""
    assets = Assets()
    prefix = "/static/"

    def asset_url(name: str) -> str:
        # All houses share them, so a phone that is in several loads them once.
        return f"{root()}{prefix}{assets.address(name, language())}"

    def static_file(path: str) -> Response:
        asset = assets.find(path)
        if asset is None:
            abort(404)
        # Pictures are compressed already.
        is_smaller = len(asset.gzip) < len(asset.plain)
        is_packed = is_smaller and bool(request.accept_encodings["gzip"])
        answer = Response(asset.gzip if is_packed else asset.plain, content_type=asset.mimetype)
        answer.headers["Cache-Control"] = _FOR_EVER
        answer.headers["Vary"] = "Accept-Encoding"
        if is_packed:
            answer.headers["Content-Encoding"] = "gzip"
        return answer

    app.add_url_rule(f"{prefix}<path:path>", "static_file", static_file)
    app.jinja_env.globals["asset_url"] = asset_url
