"""The icons of a phone's home screen, drawn from our own two: `python -m tests.icons`.

`icons/rounded.svg` has corners; `icons/full.svg` fills its square, for phones that cut a shape
out of it.
"""

import sys
from collections.abc import Iterator
from typing import Final

import resvg_py

from webapp._bootstrap import ROOT

STATIC: Final = ROOT / "static"

ICONS: Final = (
    ("icons/192.png", "icons/rounded.svg", 192),
    ("icons/512.png", "icons/rounded.svg", 512),
    ("icons/full-512.png", "icons/full.svg", 512),
    ("icons/apple-180.png", "icons/full.svg", 180),
)
"""Each picture, what it is drawn from, and how many pixels wide and high it is."""


def drawn() -> Iterator[tuple[str, bytes]]:
    """Each picture's name below static/, and its bytes as PNG."""
    for name, source, size in ICONS:
        svg = (STATIC / source).read_text()
        yield name, bytes(resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size))


def main() -> int:
    """Draw them all."""
    for name, content in drawn():
        (STATIC / name).write_bytes(content)
        print(f"static/{name}: {len(content):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
