"""TikZ and pgfplots: a text file that a plain installation of LaTeX compiles."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from itertools import chain, count, groupby
from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from svmviz import __version__
from svmviz.export.arrangement import Box
from svmviz.export.figure import Figure, FigurePart, PlanePart, set_hints
from svmviz.export.page import POINTS_PER_INCH
from svmviz.export.png import encoded
from svmviz.export.shapes import Pixels, Shape, painted_shapes
from svmviz.export.tex_plane import write_plane
from svmviz.export.tex_shapes import Styles, page_place, write_shapes
from svmviz.export.tex_words import unknown_letters
from svmviz.io.atomic import write_together
from svmviz.plane.paint.style import Style
from svmviz.plane.paint.title import Title, draw_title, titles_of

MADE = "% Made with svmviz "
HEAD = (
    MADE
    + r"""{version}. Compile with pdflatex; needs standalone and pgfplots.
\RequirePackage{{fix-cm}}
\documentclass[border=0pt]{{standalone}}
\usepackage{{pgfplots}}
\pgfplotsset{{compat=1.16}}
% Colours and styles: one for each role."""
)
# Maximum number of letters named in the note on letters that LaTeX cannot set.
MAX_NAMED = 5
# The name of an image as it is written below, without a folder.
_INCLUDED = re.compile(r"\{([A-Za-z0-9-]+\.png)\}")


class Images(dict[str, bytes]):
    """Images by file name.

    Parameters
    ----------
    taken : callable(str) -> bool
        Returns whether a file of this name exists that must not be replaced.
    """

    def __init__(self, taken: Callable[[str], bool]) -> None:
        super().__init__()
        self._taken = taken

    def named(self, stem: str) -> str:
        """Return a free name: the stem, with a number if the stem is taken."""
        numbers = chain([""], (f"-{k}" for k in count(2)))
        names = (f"{stem}{number}.png" for number in numbers)
        return next(name for name in names if name not in self and not self._taken(name))


def save_tex(
    path: str | Path, figure: Figure, cancelled: Callable[[], bool] = lambda: False
) -> str:
    """Write a figure as TikZ; see :func:`svmviz.export.png.save_png`.

    Return a sentence on letters that a plain LaTeX cannot set; empty if there are none.

    Images of fields are separate files in the same folder, whose names begin with that of the TeX
    file. If svmviz made an earlier TeX file of this name, the images that the earlier file includes
    are replaced. No other file is replaced: if a name is in use, a number is added to it.
    """
    target = Path(path)
    own = _images_of(target)
    text, images = tex_of(
        figure, target.stem, lambda name: name not in own and target.with_name(name).exists()
    )
    beside = [(target.with_name(name), content) for name, content in images.items()]
    if not cancelled():
        write_together([*beside, (path, text)], cancelled)
    return _note(unknown_letters(text))


def _note(letters: list[str]) -> str:
    if not letters:
        return ""
    first, more = letters[:MAX_NAMED], len(letters) - MAX_NAMED
    named = ", ".join(f"{letter} as U+{ord(letter):04X}" for letter in first)
    rest = f", and {more} more likewise" if more > 0 else ""
    return f"A plain LaTeX cannot set some letters, so the file has {named}{rest}."


def _images_of(target: Path) -> set[str]:
    """Return the names of the images that a file includes; none if svmviz did not make it."""
    try:
        text = target.read_text(errors="replace") if target.is_file() else ""
    except OSError:
        return set()
    return set(_INCLUDED.findall(text)) if text.startswith(MADE) else set()


def tex_of(
    figure: Figure, stem: str, taken: Callable[[str], bool] = lambda _: False
) -> tuple[str, Images]:
    """Return the figure as TikZ, and its images by file name.

    Parameters
    ----------
    figure : Figure
    stem : str
        Beginning of the names of images.
    taken : callable(str) -> bool, optional
        As in ``Images``.
    """
    styles = Styles(figure.drawing.theme, POINTS_PER_INCH / figure.page.dpi)
    images = Images(taken)
    body = _words(figure, styles)
    for part, box in figure.placed_parts():
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
        name = images.named(f"{stem}-field{f'-{tile.lane + 1}' if tile.title else ''}")
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
    part: FigurePart, box: Box, figure: Figure, styles: Styles, stem: str, images: Images
) -> list[str]:
    """Return the commands for a panel, and add the images that it contains to ``images``."""
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
            name = images.named(f"{stem}-image-{len(images) + 1}")
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
    """Return a file name without the characters that TeX cannot read in names."""
    return re.sub(r"[^A-Za-z0-9-]+", "-", stem).strip("-") or "figure"
