"""The font of figures, made of Bitter: `python -m tests.figures bitter-latin-wght-normal.woff2`.

It keeps the figures, card letters and the letters of "Laydown" of the variable Bitter (OFL, see
static/fonts/OFL.txt; npm has it as @fontsource-variable/bitter 5.3.0) at one weight, and adds four
suit signs and a star drawn here, so that no phone makes pictures of these. Wants fonttools, which
the dependency group `bench` brings.
"""

import math
import sys
from collections.abc import Callable
from typing import Any, Final

from fontTools import subset
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from webapp._bootstrap import ROOT

FONT: Final = ROOT / "static" / "fonts" / "figures.woff2"
WEIGHT: Final = 740
KEPT: Final = "0123456789\N{MINUS SIGN}+,.AJQKLaydown\N{EN DASH}"
WIDE: Final = 760
"""The advance of a sign, in units of which an em has a thousand."""

ROUND: Final = 0.5523
"""How far the handles of a quarter of a circle reach, as a share of its radius."""


def _heart(pen: Any) -> None:
    pen.moveTo((380, -20))
    pen.curveTo((330, 90), (50, 250), (50, 470))
    pen.curveTo((50, 610), (150, 690), (240, 690))
    pen.curveTo((310, 690), (360, 640), (380, 590))
    pen.curveTo((400, 640), (450, 690), (520, 690))
    pen.curveTo((610, 690), (710, 610), (710, 470))
    pen.curveTo((710, 250), (430, 90), (380, -20))
    pen.closePath()


def _diamond(pen: Any) -> None:
    pen.moveTo((380, -40))
    pen.curveTo((300, 110), (200, 240), (80, 335))
    pen.curveTo((200, 430), (300, 560), (380, 710))
    pen.curveTo((460, 560), (560, 430), (680, 335))
    pen.curveTo((560, 240), (460, 110), (380, -40))
    pen.closePath()


def _stem(pen: Any) -> None:
    pen.moveTo((380, 300))
    pen.curveTo((390, 150), (430, 30), (540, -20))
    pen.lineTo((220, -20))
    pen.curveTo((330, 30), (370, 150), (380, 300))
    pen.closePath()


def _spade(pen: Any) -> None:
    pen.moveTo((380, 710))
    pen.curveTo((330, 600), (50, 480), (50, 280))
    pen.curveTo((50, 170), (130, 110), (210, 110))
    pen.curveTo((290, 110), (350, 160), (380, 250))
    pen.curveTo((410, 160), (470, 110), (550, 110))
    pen.curveTo((630, 110), (710, 170), (710, 280))
    pen.curveTo((710, 480), (430, 600), (380, 710))
    pen.closePath()
    _stem(pen)


def _circle(pen: Any, x: int, y: int, radius: int) -> None:
    reach = radius * ROUND
    pen.moveTo((x, y + radius))
    pen.curveTo((x - reach, y + radius), (x - radius, y + reach), (x - radius, y))
    pen.curveTo((x - radius, y - reach), (x - reach, y - radius), (x, y - radius))
    pen.curveTo((x + reach, y - radius), (x + radius, y - reach), (x + radius, y))
    pen.curveTo((x + radius, y + reach), (x + reach, y + radius), (x, y + radius))
    pen.closePath()


def _club(pen: Any) -> None:
    for x, y in ((380, 540), (205, 275), (555, 275)):
        _circle(pen, x, y, 165)
    pen.moveTo((330, 420))
    for corner in ((250, 290), (380, 240), (510, 290), (430, 420)):
        pen.lineTo(corner)
    pen.closePath()
    _stem(pen)


def _star(pen: Any) -> None:
    radii = (390, 165) * 5
    turns = (-math.pi * corner / 5 for corner in range(10))
    corners = [
        (380 + radius * math.sin(turn), 330 + radius * math.cos(turn))
        for radius, turn in zip(radii, turns, strict=True)
    ]
    pen.moveTo(corners[0])
    for corner in corners[1:]:
        pen.lineTo(corner)
    pen.closePath()


SIGNS: Final[dict[str, Callable[[Any], None]]] = {
    "♠": _spade,
    "♥": _heart,
    "♦": _diamond,
    "♣": _club,
    "★": _star,
}


def _keep(font: Any, text: str, *, features: tuple[str, ...] = ()) -> None:
    options = subset.Options()
    options.layout_features = list(features)
    options.hinting = False
    options.name_IDs = []
    options.notdef_outline = True
    options.drop_tables += ["STAT", "gasp", "MVAR", "prep", "meta"]
    options.desubroutinize = True
    options.glyph_names = False
    options.legacy_kern = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=text)
    subsetter.subset(font)


def _add_signs(font: Any) -> None:
    order = font.getGlyphOrder()
    for sign, draw in SIGNS.items():
        name = f"u{ord(sign):x}"
        glyph = TTGlyphPen(None)
        draw(Cu2QuPen(glyph, 1.5, reverse_direction=True))
        order = [*order, name]
        font["glyf"].glyphs[name] = glyph.glyph()
        font["hmtx"].metrics[name] = (WIDE, 0)
        for table in font["cmap"].tables:
            if table.isUnicode():
                table.cmap[ord(sign)] = name
    font.setGlyphOrder(order)
    font["glyf"].glyphOrder = order
    font["maxp"].numGlyphs = len(order)


def _make_tabular(font: Any) -> None:
    """Let all figures be as wide as the tabular ones, so that no feature is needed."""
    substitutions = font["GSUB"].table
    wide: dict[str, str] = {}
    for record in substitutions.FeatureList.FeatureRecord:
        for place in record.Feature.LookupListIndex if record.FeatureTag == "tnum" else ():
            for rule in substitutions.LookupList.Lookup[place].SubTable:
                wide.update(getattr(getattr(rule, "ExtSubTable", rule), "mapping", {}))
    for table in font["cmap"].tables:
        table.cmap.update({code: wide[name] for code, name in table.cmap.items() if name in wide})
    for name in ("GSUB", "GPOS", "GDEF", "kern"):
        if name in font:
            del font[name]


def main() -> int:
    """Make the font out of the one that is named."""
    font = instantiateVariableFont(TTFont(sys.argv[1]), {"wght": WEIGHT})
    _keep(font, KEPT, features=("tnum", "lnum"))
    _add_signs(font)
    _make_tabular(font)
    font["post"].formatType = 3
    _keep(font, KEPT + "".join(SIGNS))
    font.flavor = "woff2"
    font.save(FONT)
    print(f"static/fonts/{FONT.name}: {FONT.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
