"""SVG: lines as vectors; text as outlines of letters, or as text with its letters embedded."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from pathlib import Path

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from svmviz import __version__
from svmviz.base.resources import path as asset
from svmviz.export.figure import Figure
from svmviz.export.shapes import (
    Circle,
    Command,
    Matrix,
    Outline,
    Pixels,
    Shape,
    ShapeStyle,
    Words,
    as_decimal,
    font_for,
    shapes_of,
)
from svmviz.io.atomic import write_atomically
from svmviz.theme.fonts import WEIGHTS, load_fonts

# Font features that the reduced font keeps: kerning, and the composition of accented letters.
FEATURES: tuple[str, ...] = ("kern", "ccmp", "mark", "mkmk")
# Decimals of lengths in px, and of opacities.
LENGTH_DECIMALS, OPACITY_DECIMALS = 2, 3
# For each property of a :class:`ShapeStyle`, the attribute of SVG.
SVG_NAMES = {
    "fill": "fill",
    "fill_opacity": "fill-opacity",
    "even_odd": "fill-rule",
    "stroke": "stroke",
    "width": "stroke-width",
    "stroke_opacity": "stroke-opacity",
    "cap": "stroke-linecap",
    "join": "stroke-linejoin",
    "dashes": "stroke-dasharray",
}
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'version="1.1" width="{width}" height="{height}" viewBox="0 0 {view_width} {view_height}">'
)


def save_svg(path: str | Path, figure: Figure) -> None:
    """Write a figure as an SVG file; see :func:`svmviz.export.png.save_png`."""
    write_atomically(path, svg_of(figure))


def svg_of(figure: Figure) -> str:
    """Return the text of an SVG file of a figure."""
    shapes = shapes_of(figure)
    clips: dict[tuple[Command, ...], str] = {}
    for shape in shapes:
        if shape.clip is not None:
            clips.setdefault(shape.clip, f"clip{len(clips) + 1}")
    words = [shape for shape in shapes if isinstance(shape, Words)]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        _head(figure),
        f"<title>{escape(figure.title or 'svmviz')}</title>",
        f"<desc>Made with svmviz {__version__}. {escape(figure.caption)}</desc>",
        *([style_sheet(words)] if figure.embeds_fonts else []),
        "<defs>",
        *(f'<clipPath id="{name}"><path d="{path_data(clip)}"/></clipPath>'
          for clip, name in clips.items()),
        "</defs>",
        *_body(shapes, clips, figure.embeds_fonts),
        "</svg>",
    ]  # fmt: skip
    return "\n".join(line for line in lines if line) + "\n"


def _head(figure: Figure) -> str:
    view_width, view_height = figure.size
    width, height = str(view_width), str(view_height)
    if figure.page.paper is not None:
        width, height = (f"{side:g}mm" for side in figure.page.paper)
    return HEAD.format(width=width, height=height, view_width=view_width, view_height=view_height)


def _body(
    shapes: list[Shape], clips: dict[tuple[Command, ...], str], embedded: bool
) -> Iterator[str]:
    """Yield the elements; consecutive elements of the same style share a group.

    ``clips`` gives the name of each clip path.
    """
    for clip, clipped in groupby(shapes, key=lambda shape: shape.clip):
        if clip is not None:
            yield f'<g clip-path="url(#{clips[clip]})">'
        for look, same_style in groupby(clipped, key=_look_of):
            elements = [_element(shape, embedded) for shape in same_style]
            style = style_attributes(look)
            if not style:
                yield from elements
            elif len(elements) == 1:
                yield f"{elements[0].removesuffix('/>')} {style}/>"
            else:
                yield f"<g {style}>"
                yield from elements
                yield "</g>"
        if clip is not None:
            yield "</g>"


def _look_of(shape: Shape) -> ShapeStyle | None:
    """Return the style that a group may share; None for text and images, which are not grouped."""
    return None if isinstance(shape, Words | Pixels) else shape.look


def style_attributes(look: ShapeStyle | None) -> str:
    """Return a style as attributes of SVG; defaults of SVG are left out."""
    if look is None:
        return ""
    # The fill is written even if it is "none", because the default of SVG is a black fill.
    properties = {"fill": "none", **look.properties()}
    texts = ((SVG_NAMES[name], _text_of(name, value)) for name, value in properties.items())
    return " ".join(f'{name}="{text}"' for name, text in texts)


def _text_of(name: str, value: str | float | bool | tuple[float, ...]) -> str:
    # The only bool is "even_odd", which is written only if it is true.
    if isinstance(value, bool):
        return "evenodd"
    if isinstance(value, tuple):
        return " ".join(map(_length, value))
    if isinstance(value, str):
        return value
    return as_decimal(value, OPACITY_DECIMALS) if name.endswith("opacity") else _length(value)


def _length(value: float) -> str:
    """Return a length or coordinate in px."""
    return as_decimal(value, LENGTH_DECIMALS)


def _element(shape: Shape, embedded: bool) -> str:
    if isinstance(shape, Words):
        return _text_as_svg(shape, embedded)
    if isinstance(shape, Pixels):
        left, top, width, height = map(_length, shape.box)
        return (
            f'<image x="{left}" y="{top}" width="{width}" height="{height}" '
            f'preserveAspectRatio="none" xlink:href="{shape.data}"/>'
        )
    if isinstance(shape, Circle):
        x, y, radius = map(_length, (shape.x, shape.y, shape.radius))
        return f'<circle cx="{x}" cy="{y}" r="{radius}"/>'
    assert isinstance(shape, Outline)
    return f'<path d="{path_data(shape.commands)}"/>'


def _text_as_svg(words: Words, embedded: bool) -> str:
    fill = style_attributes(words.look)
    if embedded:
        return text_element(words, fill)
    data = path_data(_transformed(outline_of(words), words.matrix))
    # The label is for screen readers.
    return f'<path role="img" aria-label="{escape(words.text)}" {fill} d="{data}"/>'


def _transformed(commands: tuple[Command, ...], matrix: Matrix) -> tuple[Command, ...]:
    a, b, c, d, e, f = matrix
    return tuple(
        (letter, tuple((a * x + c * y + e, b * x + d * y + f) for x, y in points))
        for letter, points in commands
    )


def path_data(commands: tuple[Command, ...]) -> str:
    """Return commands as the value of the attribute ``d`` of a path."""
    pieces = []
    for letter, points in commands:
        pieces.append(letter + " ".join(f"{_length(x)},{_length(y)}" for x, y in points))
    return "".join(pieces)


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
    family, _ = load_fonts()
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
