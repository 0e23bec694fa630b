"""A figure as a list of shapes, from which SVG and TikZ are written.

Qt's writer of SVG records everything that is painted. Its files have three faults: they repeat
every attribute, they need fonts that other machines lack, and they do not fix the widths of
cosmetic pens. So this module reads Qt's file as a list of shapes, and the formats write these
shapes in their own form. Lengths are px of the page.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as Tree
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtSvg import QSvgGenerator

from svmviz.export.figure import Figure
from svmviz.theme.fonts import load_fonts
from svmviz.theme.look import font_of

# The namespace of SVG tags, and the attribute that holds an image, as ElementTree names them.
SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
# a, b, c, d, e, f of SVG: x' = a x + c y + e, y' = b x + d y + f.
Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
# A command of a path in SVG: its letter (M, L, C, Q or Z) with its points.
Command = tuple[str, tuple[tuple[float, float], ...]]
_COMMAND = re.compile(r"([MLCQZ])([^MLCQZ]*)")
_NUMBER = re.compile(r"-?\d*\.?\d+(?:[eE][-+]?\d+)?")
# Number of points of a command, by its letter.
POINTS_PER_COMMAND = {"M": 1, "L": 1, "C": 3, "Q": 2, "Z": 0}
# Two lines are joined if one begins at most this far from the end of the other, px. An ellipse is
# written as a circle if its two radii differ by less than this.
JOIN_DISTANCE = 1e-3


@dataclass(frozen=True)
class ShapeStyle:
    """The fill and the line of a shape, as in SVG.

    Colours are "#rrggbb" or "none". ``even_odd`` selects the fill rule "evenodd". ``width``,
    ``cap``, ``join`` and ``dashes`` describe the stroke; lengths are px of the page.
    """

    fill: str = "none"
    fill_opacity: float = 1.0
    even_odd: bool = False
    stroke: str = "none"
    stroke_opacity: float = 1.0
    width: float = 0.0
    cap: str = "butt"
    join: str = "miter"
    dashes: tuple[float, ...] = ()

    def properties(self) -> dict[str, Any]:
        """Return the attributes that are not defaults; if there is a line, also its width."""
        names = ["fill"]
        if self.fill != "none":
            names += ["fill_opacity", "even_odd"]
        if self.stroke != "none":
            names += ["stroke", "width", "stroke_opacity", "cap", "join", "dashes"]
        defaults = ShapeStyle()
        values = {name: getattr(self, name) for name in names}
        return {
            name: value
            for name, value in values.items()
            if name == "width" or value != getattr(defaults, name)
        }


@dataclass(frozen=True)
class Shape:
    """One shape of a figure.

    Attributes
    ----------
    look : ShapeStyle
    clip : tuple of Command, optional
        The path outside which the shape is not painted.
    """

    look: ShapeStyle
    clip: tuple[Command, ...] | None


@dataclass(frozen=True)
class Outline(Shape):
    """A path of straight lines and curves."""

    commands: tuple[Command, ...]


@dataclass(frozen=True)
class Circle(Shape):
    """A circle with the centre (x, y)."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Words(Shape):
    """A text in one font.

    Attributes
    ----------
    text : str
    matrix : Matrix
        Transforms coordinates in which the base line begins at (0, 0) to px of the page.
    family : str
    size : float
        Size of the font, px.
    weight : int
        Weight of the font, as in CSS: 400 is regular, 700 bold.
    """

    text: str
    matrix: Matrix
    family: str
    size: float
    weight: int


@dataclass(frozen=True)
class Pixels(Shape):
    """An image.

    Attributes
    ----------
    box : (float, float, float, float)
        Left, top, width and height, px.
    data : str
        A PNG as a ``data:`` link.
    """

    box: tuple[float, float, float, float]
    data: str


def shapes_of(figure: Figure) -> list[Shape]:
    """Return the shapes of a figure, from bottom to top."""
    return painted_shapes(figure.paint, figure.size)


def painted_shapes(paint: Callable[[QPainter], None], size: tuple[int, int]) -> list[Shape]:
    """Return the shapes that a function paints on a page of ``size`` px."""
    return join_pieces(read_shapes(record_svg(paint, size)))


def record_svg(paint: Callable[[QPainter], None], size: tuple[int, int]) -> bytes:
    """Return the SVG file in which Qt records what a function paints."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    # Version 1.1, because the default one does not clip.
    writer = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    writer.setOutputDevice(buffer)
    writer.setSize(QSize(*size))
    writer.setViewBox(QRectF(0.0, 0.0, *size))
    # With this resolution a font size of 1 pt is 1 px.
    writer.setResolution(72)
    with QPainter(writer) as painter:
        paint(painter)
    return bytes(buffer.data().data())


def read_shapes(text: bytes) -> list[Shape]:
    """Return the shapes in a file of Qt's writer of SVG.

    Raises
    ------
    ValueError
        If the file contains an element of an unknown kind.
    """
    root = Tree.fromstring(text)
    clips = {
        clip.get("id", ""): _commands(path.get("d", ""), IDENTITY)
        for clip in root.iter(f"{SVG}clipPath")
        for path in clip.iter(f"{SVG}path")
    }
    return list(_shapes(root, _State({}, IDENTITY, None), clips))


@dataclass(frozen=True)
class _State:
    """The attributes, the matrix and the clip that apply inside a group."""

    attributes: dict[str, str]
    matrix: Matrix
    clip: tuple[Command, ...] | None

    def of_child(self, node: Tree.Element, clips: dict[str, tuple[Command, ...]]) -> _State:
        matrix = _times(self.matrix, _matrix(node.get("transform", "")))
        link = re.search(r"url\(#(.*?)\)", node.get("clip-path", ""))
        clip = clips[link[1]] if link else self.clip
        return _State({**self.attributes, **node.attrib}, matrix, clip)


def _shapes(
    node: Tree.Element, state: _State, clips: dict[str, tuple[Command, ...]]
) -> Iterator[Shape]:
    for child in node:
        name = child.tag.removeprefix(SVG)
        if name in ("title", "desc", "defs"):
            continue
        inner = state.of_child(child, clips)
        if name == "g":
            yield from _shapes(child, inner, clips)
        else:
            shape = _shape(name, child, inner)
            if shape is not None:
                yield _without_needless_rule(shape)


def _shape(name: str, node: Tree.Element, state: _State) -> Shape | None:
    """Return the shape of an element; None if the element paints nothing."""
    look = _look(state)
    get = state.attributes.get
    if name == "text":
        return _words(node, state, look)
    if name == "image":
        x, y, width, height = (float(get(key, "0")) for key in ("x", "y", "width", "height"))
        (left, top), (right, bottom) = (
            _transformed(state.matrix, corner) for corner in ((x, y), (x + width, y + height))
        )
        box = (left, top, right - left, bottom - top)
        return Pixels(look, state.clip, box, get(LINK, ""))
    if look.fill == "none" and look.stroke == "none":
        return None
    if name in ("circle", "ellipse"):
        return _round(name, state, look)
    if name == "rect":
        x, y, width, height = (float(get(key, "0")) for key in ("x", "y", "width", "height"))
        d = f"M{x},{y} L{x + width},{y} L{x + width},{y + height} L{x},{y + height} Z"
        return Outline(look, state.clip, _commands(d, state.matrix))
    if name in ("polyline", "polygon"):
        numbers = _NUMBER.findall(get("points", ""))
        d = "M" + "L".join(",".join(pair) for pair in zip(numbers[::2], numbers[1::2], strict=True))
        close = "Z" if name == "polygon" else ""
        return Outline(look, state.clip, _commands(d + close, state.matrix))
    if name == "path":
        return Outline(look, state.clip, _commands(get("d", ""), state.matrix))
    raise ValueError(f"Qt wrote an element that is unknown here: {name}")


def _words(node: Tree.Element, state: _State, look: ShapeStyle) -> Words | None:
    get = state.attributes.get
    text = node.text or ""
    if not text:
        return None
    start = (1.0, 0.0, 0.0, 1.0, float(get("x", "0")), float(get("y", "0")))
    size = float(get("font-size", "12").removesuffix("px").removesuffix("pt"))
    return Words(
        replace(look, stroke="none"),
        state.clip,
        text,
        _times(state.matrix, start),
        get("font-family", ""),
        size,
        int(get("font-weight", "400")),
    )


def _round(name: str, state: _State, look: ShapeStyle) -> Shape:
    """Return a circle, or an ellipse as four curves."""
    get, matrix = state.attributes.get, state.matrix
    x, y = float(get("cx", "0")), float(get("cy", "0"))
    rx = float(get("r" if name == "circle" else "rx", "0"))
    ry = float(get("r" if name == "circle" else "ry", "0"))
    a, b, c, d = matrix[:4]
    if abs(rx - ry) < JOIN_DISTANCE and abs(a - d) < 1e-9 and abs(b + c) < 1e-9:
        return Circle(look, state.clip, *_transformed(matrix, (x, y)), rx * math.hypot(a, b))
    # Each quarter has control points at 4/3 (sqrt(2) - 1) times the radius from its ends.
    k = 0.5522847498
    text = (
        f"M{x + rx},{y} C{x + rx},{y + k * ry} {x + k * rx},{y + ry} {x},{y + ry} "
        f"C{x - k * rx},{y + ry} {x - rx},{y + k * ry} {x - rx},{y} "
        f"C{x - rx},{y - k * ry} {x - k * rx},{y - ry} {x},{y - ry} "
        f"C{x + k * rx},{y - ry} {x + rx},{y - k * ry} {x + rx},{y} Z"
    )
    return Outline(look, state.clip, _commands(text, matrix))


def _look(state: _State) -> ShapeStyle:
    """Return the style of an element, with its lengths in px of the page."""
    get = state.attributes.get
    stroke, width = get("stroke", "none"), float(get("stroke-width", "1"))
    if get("vector-effect", "none") != "non-scaling-stroke":
        a, b, c, d = state.matrix[:4]
        width *= math.sqrt(abs(a * d - b * c))
    dashes = get("stroke-dasharray", "none")
    has_line = stroke != "none"
    # Qt writes the dashes of a pen multiplied by the pen's width, or by 1 if the width is below 1.
    unit = width / max(1.0, float(get("stroke-width", "1")))
    return ShapeStyle(
        fill=get("fill", "none"),
        fill_opacity=float(get("fill-opacity", "1")),
        even_odd=get("fill-rule") == "evenodd" and get("fill") != "none",
        stroke=stroke,
        stroke_opacity=float(get("stroke-opacity", "1")) if has_line else 1.0,
        width=width if has_line else 0.0,
        cap=get("stroke-linecap", "butt") if has_line else "butt",
        join=get("stroke-linejoin", "miter") if has_line else "miter",
        dashes=tuple(unit * float(n) for n in _NUMBER.findall(dashes)) if has_line else (),
    )


def _matrix(text: str) -> Matrix:
    """Return the matrix in an attribute ``transform``; the identity if there is none."""
    numbers = tuple(map(float, _NUMBER.findall(text))) if text.startswith("matrix") else ()
    return numbers if len(numbers) == 6 else IDENTITY


def _times(outer: Matrix, inner: Matrix) -> Matrix:
    """Return the transformation that applies ``inner`` first and then ``outer``."""
    a, b, c, d, _, _ = outer
    k, m, n, p, q, r = inner
    origin = _transformed(outer, (q, r))
    return (a * k + c * m, b * k + d * m, a * n + c * p, b * n + d * p, *origin)


def _transformed(matrix: Matrix, point: tuple[float, float]) -> tuple[float, float]:
    (a, b, c, d, e, f), (x, y) = matrix, point
    return a * x + c * y + e, b * x + d * y + f


def _commands(text: str, matrix: Matrix) -> tuple[Command, ...]:
    """Return the commands of an attribute ``d`` of a path, with the matrix applied."""
    commands: list[Command] = []
    for letter, numbers in _COMMAND.findall(text):
        values = list(map(float, _NUMBER.findall(numbers)))
        pairs = zip(values[::2], values[1::2], strict=True)
        points = [_transformed(matrix, pair) for pair in pairs]
        step = POINTS_PER_COMMAND[letter]
        if not step:
            commands.append((letter, ()))
        # Qt leaves out a letter that repeats, so several commands can follow one letter.
        for start in range(0, len(points), step or 1):
            commands.append((letter, tuple(points[start : start + step])))
    return tuple(commands)


def _without_needless_rule(shape: Shape) -> Shape:
    """Return a shape, without the even-odd rule if it has only one subpath, and so no holes."""
    pieces = sum(letter == "M" for letter, _ in shape.commands) if isinstance(shape, Outline) else 1
    return replace(shape, look=replace(shape.look, even_odd=False)) if pieces == 1 else shape


def font_for(words: Words) -> QFont:
    """Return the font of a text."""
    if words.family == load_fonts()[0]:
        return font_of(max(1, round(words.size)), words.weight, True)
    font = QFont(words.family)
    font.setPixelSize(max(1, round(words.size)))
    font.setWeight(QFont.Weight(words.weight))
    return font


def join_pieces(shapes: list[Shape]) -> list[Shape]:
    """Join consecutive open lines, or texts, if the second begins where the first ends.

    Long lines are painted in pieces, and Qt divides a text between Latin and Greek letters.
    """
    result: list[Shape] = []
    for shape in shapes:
        last = result[-1] if result else None
        if isinstance(shape, Outline) and isinstance(last, Outline) and _continues(last, shape):
            result[-1] = replace(last, commands=last.commands + shape.commands[1:])
        elif isinstance(shape, Words) and isinstance(last, Words) and _follows(last, shape):
            result[-1] = replace(last, text=last.text + shape.text)
        else:
            result.append(shape)
    return result


def _follows(last: Words, shape: Words) -> bool:
    """Return whether a text begins within 0.06 em of the end of the text before, in its style."""
    if replace(last, text="", matrix=IDENTITY) != replace(shape, text="", matrix=IDENTITY):
        return False
    advance = QFontMetricsF(font_for(last)).horizontalAdvance(last.text)
    x, y = _transformed(last.matrix, (advance, 0.0))
    (*turn, u, v), (*last_turn, _, _) = shape.matrix, last.matrix
    return turn == last_turn and math.hypot(x - u, y - v) < 0.06 * shape.size


def _continues(last: Outline, shape: Outline) -> bool:
    """Return whether an open line begins at the end of the line before it, in the same style."""
    if last.look != shape.look or last.clip != shape.clip or shape.look.fill != "none":
        return False
    if not (last.commands and shape.commands) or shape.look.dashes:
        return False
    if last.commands[-1][0] == "Z" or len(shape.commands) < 2 or shape.look.cap != "round":
        return False
    (x, y), (u, v) = last.commands[-1][1][-1], shape.commands[0][1][0]
    return math.hypot(x - u, y - v) < JOIN_DISTANCE


def as_decimal(value: float, decimals: int) -> str:
    """Return a number with at most this number of decimals, at least 1: ``1.5`` or ``2``."""
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".")
