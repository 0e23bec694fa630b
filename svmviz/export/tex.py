"""TikZ and pgfplots: a file to be compiled, or edited, with a plain installation of LaTeX."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from svmviz import __version__
from svmviz.export.figure import Box, Figure, Part, PlanePart, set_hints
from svmviz.export.page import POINTS_PER_INCH
from svmviz.export.png import encoded
from svmviz.export.shapes import Pixels, Shape, painted_shapes
from svmviz.export.tex_plane import write_plane
from svmviz.export.tex_shapes import Styles, page_place, write_shapes
from svmviz.io.atomic import write_atomically
from svmviz.plane.paint.style import Style
from svmviz.plane.paint.title import Title, draw_title, titles_of

HEAD = r"""% Made with svmviz {version}. Compile with pdflatex; needs standalone and pgfplots.
\RequirePackage{{fix-cm}}
\documentclass[border=0pt]{{standalone}}
\usepackage{{pgfplots}}
\pgfplotsset{{compat=1.16}}
% Colours and styles: one for each role."""
Images = dict[str, bytes]


def save_tex(
    path: str | Path, figure: Figure, cancelled: Callable[[], bool] = lambda: False
) -> None:
    """Write a figure as TikZ; see :func:`svmviz.export.png.save_png`.

    Images of fields are files of their own beside it, named like it. They are written first, so
    that the TikZ file never names one that is missing; those that are new go again if it fails.
    """
    target = Path(path)
    text, images = tex_of(figure, target.stem)
    if cancelled():
        return
    beside = {target.with_name(name): content for name, content in images.items()}
    new = [image for image in beside if not image.exists()]
    stopped = True

    def is_stopped() -> bool:
        nonlocal stopped
        stopped = cancelled()
        return stopped

    try:
        for image, content in beside.items():
            write_atomically(image, content, cancelled)
        write_atomically(os.fspath(path), text, is_stopped)
    except BaseException:
        stopped = True
        raise
    finally:
        for image in new if stopped else ():
            image.unlink(missing_ok=True)


def tex_of(figure: Figure, stem: str) -> tuple[str, Images]:
    """Return the figure as TikZ, and its images by file name.

    Parameters
    ----------
    figure : Figure
    stem : str
        Beginning of the names of images.
    """
    styles = Styles(figure.drawing.theme, POINTS_PER_INCH / figure.page.dpi)
    images: Images = {}
    body = _words(figure, styles)
    for part, box in figure.places():
        if isinstance(part, PlanePart):
            body += _planes(part, box, figure, styles, _safe(stem), images)
        else:
            body += _panel(part, box, figure, styles, _safe(stem), images)
    unit = styles.length(1.0) if styles.unit >= 0.01 else "0.01bp"
    width, height = figure.size
    lines = [
        HEAD.format(version=__version__),
        *styles.definitions(),
        r"\begin{document}%",
        "% x and y are px of the page; y points down.",
        rf"\begin{{tikzpicture}}[x={{({unit},0)}}, y={{(0,-{unit})}}]",
        rf"\useasboundingbox (0,0) rectangle ({width},{height});",
        *_ground(figure, styles),
        *body,
        r"\end{tikzpicture}%",
        r"\end{document}",
    ]
    return "\n".join(lines) + "\n", images


def _ground(figure: Figure, styles: Styles) -> list[str]:
    if figure.drawing.transparent:
        return []
    name = styles.colour(figure.drawing.theme.plane)
    return [rf"\fill[{name}] (0,0) rectangle ({figure.size[0]},{figure.size[1]});"]


def _words(figure: Figure, styles: Styles) -> list[str]:
    """Return title, caption and titles of parts."""

    def paint(painter: QPainter) -> None:
        set_hints(painter)
        figure.paint_words(painter)

    return write_shapes(painted_shapes(paint, figure.size), "words", styles, page_place)


def _planes(
    part: PlanePart, box: Box, figure: Figure, styles: Styles, stem: str, images: Images
) -> list[str]:
    """Return all planes of a part, each with its title."""
    left, top, width, height = box
    picture = part.picture_of(width, height, figure.drawing)
    titles = titles_of(picture.frame)
    found = []
    for tile in picture.tiles():
        if tile.title is not None:
            found += _title(titles[tile.lane], tile.title, picture.style, box, styles)
        name = f"{stem}-field{f'-{tile.lane + 1}' if tile.title else ''}.png"
        x, y = left + tile.plane[0], top + tile.plane[1]
        lines, image = write_plane(picture.plane(tile), x, y, styles, name)
        found += lines
        if image is not None:
            images[name] = encoded(image)
    return found


def _title(title: Title, place: Box, style: Style, box: Box, styles: Styles) -> list[str]:
    def paint(painter: QPainter) -> None:
        set_hints(painter)
        painter.translate(box[0], box[1])
        draw_title(painter, title, QRectF(*place), style)

    shapes = painted_shapes(paint, (box[0] + box[2], box[1] + box[3]))
    return ["", f"% {title.name}", *write_shapes(shapes, "title", styles, page_place)]


def _panel(
    part: Part, box: Box, figure: Figure, styles: Styles, stem: str, images: Images
) -> list[str]:
    """Return a panel as it is painted; images that it holds become files."""
    left, top, width, height = box

    def paint(painter: QPainter) -> None:
        set_hints(painter)
        painter.translate(left, top)
        part.paint(painter, width, height, figure.drawing)

    role = "panel"
    found = ["", f"% {part.title}"]
    for pixels, shapes in groupby(painted_shapes(paint, figure.size), _is_image):
        if not pixels:
            found += write_shapes(shapes, role, styles, page_place)
            continue
        for shape in shapes:
            assert isinstance(shape, Pixels)
            name = f"{stem}-image-{len(images) + 1}.png"
            images[name] = base64.b64decode(shape.data.partition(",")[2])
            x, y, across, down = shape.box
            sides = f"width={styles.length(across)}, height={styles.length(down)}"
            found.append(
                rf"\node[anchor=north west, inner sep=0] at {page_place(x, y)} "
                rf"{{\includegraphics[{sides}]{{{name}}}}};"
            )
    return found


def _is_image(shape: Shape) -> bool:
    return isinstance(shape, Pixels)


def _safe(stem: str) -> str:
    """Return a name that TeX can read, whatever the file is called."""
    return re.sub(r"[^A-Za-z0-9-]+", "-", stem).strip("-") or "figure"
