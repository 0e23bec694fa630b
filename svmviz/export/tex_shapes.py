"""Shapes as TikZ commands with named styles; many marks of one kind are written as a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from svmviz.export.shapes import Circle, Outline, Pixels, Shape, ShapeStyle, Words, as_decimal
from svmviz.export.tex_words import tex
from svmviz.theme import Theme

# Minimum number of marks of one kind that are written as a table.
MIN_TABLE = 3
# Maximum number of shapes above lines that are written one by one.
MAX_ORDERED = 200
# Maximum distance of a simplified line from the original, px of the page.
TOLERANCE = 0.1
# A function that converts a position from px of the page, or of a plane, to a coordinate in TeX.
ToTex = Callable[[float, float], str]


@dataclass
class Styles:
    """The styles and colours that a file uses, in the order of their first use.

    Attributes
    ----------
    theme : Theme
    unit : float
        Big points (1/72 inch) per px of the page.
    styles, axes : dict of str to str
        Options by the name of the style: those of TikZ in ``styles``, of pgfplots in ``axes``.
    colours : dict of str to str
        Names in TeX by colour, "#rrggbb".
    """

    theme: Theme
    unit: float
    styles: dict[str, str] = field(default_factory=dict)
    axes: dict[str, str] = field(default_factory=dict)
    colours: dict[str, str] = field(default_factory=dict)
    _names: dict[tuple[str, str], str] = field(default_factory=dict)

    def name_style(self, role: str, options: str) -> str:
        """Return the name of the style with these options, and add the style if it is new.

        The name begins with the role. The same options in the same role have the same name.
        """
        key = (role, options)
        if key not in self._names:
            name, number = role, 2
            while name in self.styles:
                name, number = f"{role} {number}", number + 1
            self._names[key] = name
            self.styles[name] = options
        return self._names[key]

    def name_colour(self, colour: str) -> str:
        """Return the name of a colour in TeX, and add the colour if it is new.

        The name contains the colour's name in the theme if it has one.
        """
        if colour not in self.colours:
            names = (name for name, value in vars(self.theme).items() if value == colour)
            name = next(names, f"colour{len(self.colours) + 1}").replace("_", "")
            self.colours[colour] = f"svm{name}"
        return self.colours[colour]

    def length(self, px: float) -> str:
        """Return a length in px of the page as a length in TeX."""
        return f"{as_decimal(px * self.unit, 3)}bp"

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
        "fill": lambda colour: f"fill={styles.name_colour(colour)}",
        "fill_opacity": lambda opacity: f"fill opacity={as_decimal(opacity, 3)}",
        "even_odd": lambda _: "even odd rule",
        "stroke": lambda colour: f"draw={styles.name_colour(colour)}",
        "width": lambda width: f"line width={styles.length(width)}",
        "stroke_opacity": lambda opacity: f"draw opacity={as_decimal(opacity, 3)}",
        "cap": lambda cap: f"line cap={'rect' if cap == 'square' else cap}",
        "join": lambda join: f"line join={join}",
        "dashes": lambda dashes: f"dash pattern={dash_pattern(dashes)}",
    }
    return ", ".join(options[name](value) for name, value in look.properties().items())


def write_shapes(
    shapes: Iterable[Shape], role: str, styles: Styles, to_tex: ToTex, *, tables: bool = False
) -> list[str]:
    """Return the commands for shapes.

    Parameters
    ----------
    shapes : iterable of Shape
        Images among them are ignored.
    role : str
        A word for the shapes, such as "contour", with which the names of their styles begin.
    styles : Styles
    to_tex : ToTex
        Converts the positions of the shapes to coordinates in TeX.
    tables : bool
        Whether marks of one kind are written as one table. This changes the order in which marks of
        different kinds are painted, but no mark goes below lines that it covers.
    """
    shapes = [shape for shape in shapes if not isinstance(shape, Pixels)]
    if tables:
        return _write_tables(shapes, role, styles, to_tex)
    lines = []
    for clip, clipped in groupby(shapes, key=lambda shape: shape.clip):
        commands = [_command(shape, role, styles, to_tex) for shape in clipped]
        if clip is not None:
            edge = _path(Outline(ShapeStyle(), None, clip), to_tex)
            commands = [r"\begin{scope}", rf"\clip {edge};", *commands, r"\end{scope}"]
        lines += commands
    return lines


class Mark(NamedTuple):
    """A kind of mark: its style, its name in pgfplots and its size, px.

    The name is empty for shapes that are not marks.
    """

    look: ShapeStyle
    name: str
    size: float


def _write_tables(shapes: list[Shape], role: str, styles: Styles, to_tex: ToTex) -> list[str]:
    """Return the commands for shapes, with a table for each kind of which there are many marks."""
    lines: list[str] = []
    for _, found in groupby(shapes, key=_is_line):
        group, kinds = list(found), dict[Mark, list[Shape]]()
        if lines and len(group) <= MAX_ORDERED:
            # The marks of errors above their crosses are few, so they keep their order.
            lines += [_command(shape, role, styles, to_tex) for shape in group]
            continue
        for shape in group:
            kinds.setdefault(_mark_of(shape), []).append(shape)
        for mark, same in kinds.items():
            if mark.name and len(same) >= MIN_TABLE:
                lines += _table(mark, [_centre(shape) for shape in same], role, styles, to_tex)
            else:
                lines += [_command(shape, role, styles, to_tex) for shape in same]
    return lines


def _is_line(shape: Shape) -> bool:
    """Return whether a shape is an unfilled line, as in the cross of an error."""
    return shape.look.fill == "none" and not _mark_of(shape).name


def _mark_of(shape: Shape) -> Mark:
    filled = "*" if shape.look.fill != "none" else ""
    if isinstance(shape, Circle):
        return Mark(shape.look, filled or "o", round(shape.radius, 2))
    square = _square(shape)
    if square is not None:
        return Mark(shape.look, f"square{filled}", round(square[2], 2))
    return Mark(shape.look, "", 0.0)


def _centre(mark: Shape) -> tuple[float, float]:
    if isinstance(mark, Circle):
        return mark.x, mark.y
    square = _square(mark)
    assert square is not None
    return square[:2]


def _square(shape: Shape) -> tuple[float, float, float] | None:
    """Return x, y of the centre and half the side of a square that is not turned, or None."""
    if not isinstance(shape, Outline) or [c for c, _ in shape.commands] != list("MLLLZ"):
        return None
    corners = np.array([points[0] for _, points in shape.commands[:4]])
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    is_upright = {(x, y) for x, y in corners.tolist()} == {
        (x, y) for x in (left, right) for y in (top, bottom)
    }
    if not is_upright or abs((right - left) - (bottom - top)) > 0.02:
        return None
    return 0.5 * (left + right), 0.5 * (top + bottom), 0.5 * (right - left)


def _table(
    mark: Mark,
    centres: list[tuple[float, float]],
    role: str,
    styles: Styles,
    to_tex: ToTex,
) -> list[str]:
    """Return a plot that draws one mark at each of these positions."""
    options = (
        f"only marks, mark={mark.name}, mark size={styles.length(mark.size)}, "
        f"mark options={{{look_options(mark.look, styles)}}}"
    )
    name = styles.name_style(_role_with_colour(role, mark.look, styles.theme), options)
    rows = ["  " + to_tex(x, y).strip("()").replace(",", " ") for x, y in centres]
    return [rf"\addplot[{name}] table {{", "  x y", *rows, "};"]


def _role_with_colour(role: str, look: ShapeStyle, theme: Theme) -> str:
    """Return the role, followed by the name of the look's colour if it is a colour of the theme.

    A mark that has only its edge in the colour of its class is called pale.
    """
    colour = look.fill if look.fill != "none" else look.stroke
    # A theme may use one colour for several of its names; contours have other names than marks.
    names = ("boundary", "margin") if role == "contour" else ("ring", "highlight")
    for name in ("positive", "negative", *names):
        if getattr(theme, name) == colour:
            return f"{role} {name}"
    for name in ("positive", "negative"):
        if getattr(theme, f"{name}_edge") == look.stroke:
            return f"{role} {name} pale"
    return role


def _command(shape: Shape, role: str, styles: Styles, to_tex: ToTex) -> str:
    if isinstance(shape, Words):
        return _text_node(shape, role, styles, to_tex)
    name = styles.name_style(
        _role_with_colour(role, shape.look, styles.theme), look_options(shape.look, styles)
    )
    if isinstance(shape, Circle):
        radius = styles.length(shape.radius)
        return rf"\path[{name}] {to_tex(shape.x, shape.y)} circle[radius={radius}];"
    assert isinstance(shape, Outline)
    return rf"\path[{name}] {_path(shape, to_tex)};"


def _text_node(words: Words, role: str, styles: Styles, to_tex: ToTex) -> str:
    a, b, _, _, x, y = words.matrix
    size = words.size * math.hypot(a, b) * styles.unit
    weight = r"\bfseries" if words.weight >= 600 else r"\mdseries"
    options = (
        f"anchor=base west, inner sep=0, text={styles.name_colour(words.look.fill)}, "
        rf"font=\sffamily{weight}\fontsize{{{as_decimal(size, 2)}bp}}"
        rf"{{{as_decimal(1.2 * size, 2)}bp}}\selectfont"
    )
    if abs(b) > 1e-9:
        options += f", rotate={as_decimal(-math.degrees(math.atan2(b, a)), 2)}"
    name = styles.name_style(f"{role} text", options)
    return rf"\node[{name}] at {to_tex(x, y)} {{{tex(words.text.strip())}}};"


def _path(shape: Outline, to_tex: ToTex) -> str:
    parts: list[str] = []
    for is_line, run in groupby(_simplified(shape), key=lambda command: command[0] == "L"):
        for letter, points in run:
            coordinates = [to_tex(x, y) for x, y in points]
            if letter == "M":
                parts.append(coordinates[0])
            elif is_line:
                parts.append("-- " + coordinates[0])
            elif letter == "C":
                parts.append(
                    f".. controls {coordinates[0]} and {coordinates[1]} .. {coordinates[2]}"
                )
            elif letter == "Z":
                parts.append("-- cycle")
    return " ".join(parts)


def _simplified(shape: Outline) -> list[tuple[str, tuple[tuple[float, float], ...]]]:
    """Return the commands of an outline, with its polylines simplified up to ``TOLERANCE``."""
    commands: list[tuple[str, tuple[tuple[float, float], ...]]] = []
    line: list[tuple[float, float]] = []

    def end_line() -> None:
        fewer = simplify(np.array(line), TOLERANCE)[1:] if len(line) > 2 else line[1:]
        commands.extend(("L", ((float(x), float(y)),)) for x, y in fewer)
        line.clear()

    for letter, points in shape.commands:
        if letter == "L":
            line.append(points[0])
            continue
        end_line()
        commands.append((letter, points))
        if points:
            line.append(points[-1])
    end_line()
    return commands


def simplify(points: np.ndarray, tolerance: float) -> np.ndarray:
    """Return a polyline through some of the points of a given polyline.

    Method: Douglas and Peucker 1973.

    Parameters
    ----------
    points : array, shape (m, 2)
    tolerance : float
        Maximum distance from the new polyline to a point that is left out, in the unit of the
        points.
    """
    keep = np.zeros(len(points), dtype=bool)
    keep[[0, -1]] = True
    spans = [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        start, direction = points[first], points[last] - points[first]
        offsets = points[first + 1 : last] - start
        length = math.hypot(*direction)
        if length > 0.0:
            fractions = np.clip(offsets @ direction / length**2, 0.0, 1.0)
            offsets = offsets - fractions[:, None] * direction
        distances = np.hypot(offsets[:, 0], offsets[:, 1])
        worst = int(distances.argmax())
        if distances[worst] > tolerance:
            middle = first + 1 + worst
            keep[middle] = True
            spans += [(first, middle), (middle, last)]
    return points[keep]


def page_coordinate(x: float, y: float) -> str:
    """Return a position in px of the page, whose y points down, as a coordinate in TeX."""
    return f"({as_decimal(x, 2)},{as_decimal(y, 2)})"
