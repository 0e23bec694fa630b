"""Text in SVG: as outlines, or as text with a font that is reduced to the letters used."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from html import escape

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from svmviz.base.resources import path as asset
from svmviz.export.decimals import as_decimal
from svmviz.export.shapes import Command, Words, font_for
from svmviz.theme.fonts import WEIGHTS, load_fonts

# Font features that the reduced font keeps: kerning, and the composition of accented letters.
FEATURES: tuple[str, ...] = ("kern", "ccmp", "mark", "mkmk")


def outline_of(words: Words) -> tuple[Command, ...]:
    """Return the outlines of a text's letters, px; the base line of the text starts at (0, 0)."""
    path = QPainterPath()
    path.addText(QPointF(0.0, 0.0), font_for(words), words.text)
    commands: list[Command] = []
    count, k = path.elementCount(), 0
    kinds = QPainterPath.ElementType
    while k < count:
        element = path.elementAt(k)
        start = (element.x, element.y)
        if element.type == kinds.MoveToElement:
            if commands:
                commands.append(("Z", ()))
            commands.append(("M", (start,)))
        elif element.type == kinds.LineToElement:
            commands.append(("L", (start,)))
        else:
            # A curve takes three elements: two control points and the end.
            following = [path.elementAt(k + step) for step in (1, 2)]
            commands.append(("C", (start, *((point.x, point.y) for point in following))))
            k += 2
        k += 1
    return (*commands, ("Z", ())) if commands else ()


def text_element(words: Words, fill: str) -> str:
    """Return a text as an element of SVG."""
    a, b, c, d, e, f = words.matrix
    position = f'x="{as_decimal(e, 4)}" y="{as_decimal(f, 4)}"'
    if (a, b, c, d) != (1.0, 0.0, 0.0, 1.0):
        position = f'transform="matrix({" ".join(as_decimal(x, 4) for x in words.matrix)})"'
    return (
        f'<text {position} {fill} font-family="{escape(words.family)}, sans-serif" '
        f'font-size="{as_decimal(words.size, 4)}" font-weight="{words.weight}" '
        f'xml:space="preserve">{escape(words.text)}</text>'
    )


def style_sheet(texts: Iterable[Words]) -> str:
    """Return a style element that embeds the shipped fonts, reduced to the letters of the texts.

    There is one font for each weight that the texts use.
    """
    family = load_fonts()
    letters_by_weight: dict[int, set[str]] = {}
    for words in texts:
        if words.family == family:
            letters_by_weight.setdefault(_nearest_weight(words.weight), set()).update(words.text)
    faces = [
        f"@font-face{{font-family:'{family}';font-weight:{weight};src:url(data:font/woff;base64,"
        f"{base64.b64encode(subset(weight, letters)).decode()}) format('woff');}}"
        for weight, letters in sorted(letters_by_weight.items())
    ]
    return f"<style>{''.join(faces)}</style>" if faces else ""


def _nearest_weight(weight: int) -> int:
    return min(WEIGHTS, key=lambda shipped: abs(shipped - weight))


def subset(weight: int, letters: Iterable[str]) -> bytes:
    """Return a WOFF file of the font of a weight, with these letters only."""
    # Imported here, because the import takes a third of a second, and only this function needs it.
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    options = Options()
    options.layout_features = list(FEATURES)
    options.notdef_outline = True
    file = io.BytesIO()
    # The font keeps its date, so that the same figure always gives the same bytes.
    with TTFont(str(asset(f"fonts/{WEIGHTS[weight]}")), lazy=True, recalcTimestamp=False) as font:
        subsetter = Subsetter(options)
        subsetter.populate(text="".join(sorted(letters)))
        subsetter.subset(font)
        font.flavor = "woff"
        font.save(file)
    return file.getvalue()
