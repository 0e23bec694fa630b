"""Text in SVG: as outlines, or as text with a font that is reduced to the letters used."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from html import escape

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from svmviz.base.resources import path as asset
from svmviz.export.shapes import Command, Words, font_for
from svmviz.theme.fonts import WEIGHTS, load_fonts

# Font features that the reduced font keeps: kerning, and the composition of accented letters.
FEATURES: tuple[str, ...] = ("kern", "ccmp", "mark", "mkmk")


def outline_of(words: Words) -> tuple[Command, ...]:
    """Return the outlines of the letters of a text, px, with its base line starting at (0, 0)."""
    path = QPainterPath()
    path.addText(QPointF(0.0, 0.0), font_for(words), words.text)
    found: list[Command] = []
    count, k = path.elementCount(), 0
    kinds = QPainterPath.ElementType
    while k < count:
        element = path.elementAt(k)
        place = (element.x, element.y)
        if element.type == kinds.MoveToElement:
            if found:
                found.append(("Z", ()))
            found.append(("M", (place,)))
        elif element.type == kinds.LineToElement:
            found.append(("L", (place,)))
        else:
            rest = [path.elementAt(k + more) for more in (1, 2)]
            found.append(("C", (place, *((one.x, one.y) for one in rest))))
            k += 2
        k += 1
    return (*found, ("Z", ())) if found else ()


def text_element(words: Words, fill: str) -> str:
    """Return a text as an element of SVG."""
    a, b, c, d, e, f = words.matrix
    place = f'x="{_short(e)}" y="{_short(f)}"'
    if (a, b, c, d) != (1.0, 0.0, 0.0, 1.0):
        place = f'transform="matrix({" ".join(map(_short, words.matrix))})"'
    return (
        f'<text {place} {fill} font-family="{escape(words.family)}, sans-serif" '
        f'font-size="{_short(words.size)}" font-weight="{words.weight}" '
        f'xml:space="preserve">{escape(words.text)}</text>'
    )


def style_sheet(texts: Iterable[Words]) -> str:
    """Return a style element that embeds the shipped fonts, reduced to the letters of the texts.

    There is one font for each weight that the texts use.
    """
    family = load_fonts()
    used: dict[int, set[str]] = {}
    for words in texts:
        if words.family == family:
            used.setdefault(_weight(words.weight), set()).update(words.text)
    faces = [
        f"@font-face{{font-family:'{family}';font-weight:{weight};src:url(data:font/woff;base64,"
        f"{base64.b64encode(subset(weight, letters)).decode()}) format('woff');}}"
        for weight, letters in sorted(used.items())
    ]
    return f"<style>{''.join(faces)}</style>" if faces else ""


def _weight(weight: int) -> int:
    """Return the weight of the shipped fonts that is nearest to a weight."""
    return min(WEIGHTS, key=lambda known: abs(known - weight))


def subset(weight: int, letters: Iterable[str]) -> bytes:
    """Return a WOFF file of the font of a weight, with these letters only."""
    # Imported here, because the import takes a third of a second, and only this function needs it.
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    options = Options()
    options.layout_features = list(FEATURES)
    options.notdef_outline = True
    made = io.BytesIO()
    # The font keeps its date, so that a figure is the same bytes each time.
    with TTFont(str(asset(f"fonts/{WEIGHTS[weight]}")), lazy=True, recalcTimestamp=False) as font:
        worker = Subsetter(options)
        worker.populate(text="".join(sorted(letters)))
        worker.subset(font)
        font.flavor = "woff"
        font.save(made)
    return made.getvalue()


def _short(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")
