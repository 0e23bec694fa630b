"""Shapes as TikZ commands with named styles; many marks of one kind are written as a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from svmviz.export.shapes import Circle, Outline, Pixels, Shape, ShapeStyle, Words
from svmviz.export.tex_words import tex
from svmviz.theme import Theme

# Minimum number of marks of one kind that are written as a table.
MIN_TABLE = 3
# Maximum distance of a simplified line from the original, px of the page.
TOLERANCE = 0.1
# A function that converts a position in px of the page to a coordinate in TeX.
Place = Callable[[float, float], str]


@dataclass
class Styles:
    """The styles and colours that a file uses, in the order of their first use.

    Parameters
    ----------
    theme : Theme
    unit : float
        Big points (1/72 inch) per px of the page.
    styles, axes : dict of str to str
        Options of TikZ and of pgfplots by the name of the style.
    colours : dict of str to str
        Names in TeX by colour, "#rrggbb".
    """

    theme: Theme
    unit: float
    styles: dict[str, str] = field(default_factory=dict)
    axes: dict[str, str] = field(default_factory=dict)
    colours: dict[str, str] = field(default_factory=dict)
    _known: dict[tuple[str, str], str] = field(default_factory=dict)

    def named(self, role: str, options: str) -> str:
        """Return the name of the style with these options; it begins with the role.

        The same options in the same role have the same name.
        """
        key = (role, options)
        if key not in self._known:
            name, number = role, 2
            while name in self.styles:
                name, number = f"{role} {number}", number + 1
            self._known[key] = name
            self.styles[name] = options
        return self._known[key]

    def colour(self, colour: str) -> str:
        """Return the name of a colour in TeX, which is its name in the theme if it has one."""
        if colour not in self.colours:
            names = (name for name, value in vars(self.theme).items() if value == colour)
            name = next(names, f"colour{len(self.colours) + 1}").replace("_", "")
            self.colours[colour] = f"svm{name}"
        return self.colours[colour]

    def length(self, px: float) -> str:
        """Return a length in px of the page as a length in TeX."""
        return f"{_digits(px * self.unit, 3)}bp"

    def definitions(self) -> list[str]:
        """Return the lines that define all colours and styles."""
        colours = [
            rf"\definecolor{{{name}}}{{HTML}}{{{colour[1:].upper()}}}"
            for colour, name in self.colours.items()
        ]
        styles = [f"  {name}/.style={{{options}}}," for name, options in self.styles.items()]
        axes = [f"  {name}/.style={{{options}}}," for name, options in self.axes.items()]
        return [*colours, r"\tikzset{", *styles, "}", r"\pgfplotsset{", *axes, "}"]


def look_options(look: ShapeStyle, styles: Styles) -> str:
    """Return the fill and the line of a shape as options of TikZ."""

    def dash_pattern(dashes: tuple[float, ...]) -> str:
        pairs = zip(dashes[::2], dashes[1::2], strict=False)
        return " ".join(f"on {styles.length(on)} off {styles.length(off)}" for on, off in pairs)

    options: dict[str, Callable[[Any], str]] = {
        "fill": lambda colour: f"fill={styles.colour(colour)}",
        "fill_opacity": lambda opacity: f"fill opacity={_digits(opacity, 3)}",
        "even_odd": lambda _: "even odd rule",
        "stroke": lambda colour: f"draw={styles.colour(colour)}",
        "width": lambda width: f"line width={styles.length(width)}",
        "stroke_opacity": lambda opacity: f"draw opacity={_digits(opacity, 3)}",
        "cap": lambda cap: f"line cap={'rect' if cap == 'square' else cap}",
        "join": lambda join: f"line join={join}",
        "dashes": lambda dashes: f"dash pattern={dash_pattern(dashes)}",
    }
    return ", ".join(options[name](value) for name, value in look.properties().items())


def write_shapes(
    shapes: Iterable[Shape], role: str, styles: Styles, place: Place, *, tables: bool = False
) -> list[str]:
    """Return the commands for shapes.

    Parameters
    ----------
    shapes : iterable of Shape
        Images among them are ignored.
    role : str
        What the shapes show, such as "contour"; the names of their styles begin with it.
    styles : Styles
    place : callable(x, y) -> str
        Converts px of the page to a coordinate in TeX.
    tables : bool
        Whether marks of one kind are written as one table. This changes the order in which marks of
        different kinds are painted.
    """
    shapes = [shape for shape in shapes if not isinstance(shape, Pixels)]
    lines = []
    if tables:
        marks: dict[tuple[ShapeStyle, str, float], list[Shape]] = {}
        for shape in shapes:
            marks.setdefault(_kind_of_mark(shape), []).append(shape)
        for (look, mark, size), alike in marks.items():
            if mark and len(alike) >= MIN_TABLE:
                lines += _table(alike, look, mark, size, role, styles, place)
            else:
                lines += [_command(shape, role, styles, place) for shape in alike]
        return lines
    for clip, cut in groupby(shapes, key=lambda shape: shape.clip):
        inside = [_command(shape, role, styles, place) for shape in cut]
        if clip is not None:
            edge = _path(Outline(ShapeStyle(), None, clip), place)
            inside = [r"\begin{scope}", rf"\clip {edge};", *inside, r"\end{scope}"]
        lines += inside
    return lines


def _kind_of_mark(shape: Shape) -> tuple[ShapeStyle, str, float]:
    """Return the style, the name of the mark in pgfplots and its size, px.

    The name is empty if the shape is not a mark.
    """
    if isinstance(shape, Circle):
        return shape.look, "*" if shape.look.fill != "none" else "o", round(shape.radius, 2)
    square = _square(shape)
    if square is not None:
        kind = "square*" if shape.look.fill != "none" else "square"
        return shape.look, kind, round(square[2], 2)
    return shape.look, "", 0.0


def _square(shape: Shape) -> tuple[float, float, float] | None:
    """Return x, y of the centre and half the side of a square that is not turned, or None."""
    if not isinstance(shape, Outline) or [c for c, _ in shape.commands] != list("MLLLZ"):
        return None
    corners = np.array([places[0] for _, places in shape.commands[:4]])
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    level = {(x, y) for x, y in corners.tolist()} == {
        (x, y) for x in (left, right) for y in (top, bottom)
    }
    if not level or abs((right - left) - (bottom - top)) > 0.02:
        return None
    return 0.5 * (left + right), 0.5 * (top + bottom), 0.5 * (right - left)


def _table(
    shapes: list[Shape],
    look: ShapeStyle,
    mark: str,
    size: float,
    role: str,
    styles: Styles,
    place: Place,
) -> list[str]:
    """Return a plot that draws one mark at the position of each shape."""
    options = look_options(look, styles)
    whole = f"only marks, mark={mark}, mark size={styles.length(size)}, mark options={{{options}}}"
    name = styles.named(_role(role, look, styles.theme), whole)
    rows = []
    for shape in shapes:
        square = _square(shape)
        x, y = (shape.x, shape.y) if isinstance(shape, Circle) else (square or (0.0, 0.0))[:2]
        rows.append("  " + place(x, y).strip("()").replace(",", " "))
    return [rf"\addplot[{name}] table {{", "  x y", *rows, "};"]


def _role(role: str, look: ShapeStyle, theme: Theme) -> str:
    """Return the role with the name of its colour, if the theme has one."""
    colour = look.fill if look.fill != "none" else look.stroke
    names = ("boundary", "margin") if role == "contour" else ("ring", "highlight")
    for name in ("positive", "negative", *names):
        if getattr(theme, name) == colour:
            return f"{role} {name}"
    return role


def _command(shape: Shape, role: str, styles: Styles, place: Place) -> str:
    if isinstance(shape, Words):
        return _words(shape, role, styles, place)
    name = styles.named(_role(role, shape.look, styles.theme), look_options(shape.look, styles))
    if isinstance(shape, Circle):
        radius = styles.length(shape.radius)
        return rf"\path[{name}] {place(shape.x, shape.y)} circle[radius={radius}];"
    assert isinstance(shape, Outline)
    return rf"\path[{name}] {_path(shape, place)};"


def _words(words: Words, role: str, styles: Styles, place: Place) -> str:
    a, b, _, _, x, y = words.matrix
    size = words.size * math.hypot(a, b) * styles.unit
    weight = r"\bfseries" if words.weight >= 600 else r"\mdseries"
    options = (
        f"anchor=base west, inner sep=0, text={styles.colour(words.look.fill)}, "
        rf"font=\sffamily{weight}\fontsize{{{_digits(size, 2)}bp}}{{{_digits(1.2 * size, 2)}bp}}"
        r"\selectfont"
    )
    if abs(b) > 1e-9:
        options += f", rotate={_digits(-math.degrees(math.atan2(b, a)), 2)}"
    name = styles.named(f"{role} text", options)
    return rf"\node[{name}] at {place(x, y)} {{{tex(words.text.strip())}}};"


def _path(shape: Outline, place: Place) -> str:
    """Return the path of an outline in TikZ."""
    parts: list[str] = []
    for straight, run in groupby(_simplified(shape), key=lambda command: command[0] == "L"):
        for letter, places in run:
            written = [place(x, y) for x, y in places]
            if letter == "M":
                parts.append(written[0])
            elif straight:
                parts.append("-- " + written[0])
            elif letter == "C":
                parts.append(f".. controls {written[0]} and {written[1]} .. {written[2]}")
            elif letter == "Z":
                parts.append("-- cycle")
    return " ".join(parts)


def _simplified(shape: Outline) -> list[tuple[str, tuple[tuple[float, float], ...]]]:
    """Return the commands of an outline, with its polylines simplified up to ``TOLERANCE``."""
    found: list[tuple[str, tuple[tuple[float, float], ...]]] = []
    line: list[tuple[float, float]] = []

    def end_line() -> None:
        kept = simplified(np.array(line), TOLERANCE)[1:] if len(line) > 2 else line[1:]
        found.extend(("L", ((float(x), float(y)),)) for x, y in kept)
        line.clear()

    for letter, places in shape.commands:
        if letter == "L":
            line.append(places[0])
            continue
        end_line()
        found.append((letter, places))
        if places:
            line.append(places[-1])
    end_line()
    return found


def simplified(points: np.ndarray, tolerance: float) -> np.ndarray:
    """Return some of the points of a polyline, which follow it within a tolerance.

    Douglas and Peucker 1973.

    Parameters
    ----------
    points : array, shape (m, 2)
    tolerance : float
        Maximum distance of a point that is left out, in the unit of the points.
    """
    keep = np.zeros(len(points), dtype=bool)
    keep[[0, -1]] = True
    parts = [(0, len(points) - 1)]
    while parts:
        first, last = parts.pop()
        if last - first < 2:
            continue
        start, way = points[first], points[last] - points[first]
        rest = points[first + 1 : last] - start
        length = math.hypot(*way)
        if length > 0.0:
            along = np.clip(rest @ way / length**2, 0.0, 1.0)
            rest = rest - along[:, None] * way
        away = np.hypot(rest[:, 0], rest[:, 1])
        worst = int(away.argmax())
        if away[worst] > tolerance:
            middle = first + 1 + worst
            keep[middle] = True
            parts += [(first, middle), (middle, last)]
    return points[keep]


def page_place(x: float, y: float) -> str:
    """Return a position in px of the page, whose y points down, as a coordinate in TeX."""
    return f"({_digits(x, 2)},{_digits(y, 2)})"


def _digits(value: float, count: int) -> str:
    text = f"{value:.{count}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
