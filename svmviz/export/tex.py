"""Figures as TikZ and pgfplots: a text file that a plain installation of LaTeX compiles.

The figure is painted into shapes (:mod:`svmviz.export.shapes`), which
:mod:`~svmviz.export.tex_shapes` writes as commands, and :mod:`~svmviz.export.tex_words` their
texts. A plane becomes an axis of pgfplots (:mod:`~svmviz.export.tex_plane`). The rest of the file
is made here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from solvers import BadInput
from solvers.cancelling import check_cancelled
from svmviz import __version__
from svmviz.export import FORMATS
from svmviz.export.arrangement import Box
from svmviz.export.figure import Figure, PlanePart, set_hints
from svmviz.export.page import POINTS_PER_INCH
from svmviz.export.png import encoded
from svmviz.export.shapes import painted_shapes
from svmviz.export.tex_plane import write_legend, write_plane
from svmviz.export.tex_shapes import Styles, page_coordinate, write_shapes
from svmviz.export.tex_words import unknown_letters
from svmviz.io.atomic import write_together
from svmviz.plane.paint.style import Style
from svmviz.plane.paint.title import Title, draw_title

# The beginning of a TeX file, by which svmviz recognises the files that it made.
SIGNATURE = "% Made with svmviz "
HEAD = (
    SIGNATURE
    + r"""{version}. Compile with pdflatex; needs standalone and pgfplots.
\RequirePackage{{fix-cm}}
\documentclass[border=0pt]{{standalone}}
\usepackage{{pgfplots}}
\pgfplotsset{{compat=1.16}}
% Colours and styles: one for each role."""
)
# Maximum number of letters in the note on letters that a plain LaTeX cannot set.
MAX_NAMED = 5
# The name of an image that a TeX file of svmviz includes.
_INCLUDED = re.compile(r"\{([A-Za-z0-9-]+\.png)\}")


class Images(dict[str, bytes]):
    """Images by file name.

    Parameters
    ----------
    is_taken : callable(str) -> bool
        Returns whether a file of this name exists that must not be replaced.
    """

    def __init__(self, is_taken: Callable[[str], bool]) -> None:
        super().__init__()
        self._is_taken = is_taken

    def free_name(self, stem: str) -> str:
        """Return a file name that is not taken: STEM.png, or else STEM-2.png, STEM-3.png, ..."""
        numbers = chain([""], (f"-{k}" for k in count(2)))
        names = (f"{stem}{number}.png" for number in numbers)
        return next(name for name in names if name not in self and not self._is_taken(name))


def save_tex(path: str | Path, figure: Figure) -> str:
    """Write a figure as TikZ; see :func:`svmviz.export.png.save_png`.

    Return a sentence on letters that a plain LaTeX cannot set; empty if there are none.

    Images of fields are separate files in the same folder. Their names begin with the name of the
    TeX file. If svmviz made an earlier TeX file of this name, the images that the earlier file
    includes are replaced. No other file is replaced: if a name is in use, a number is added to it.
    """
    target = Path(path)
    earlier_images = _images_of(target)
    text, images = tex_of(
        figure,
        target.stem,
        lambda name: name not in earlier_images and os.path.lexists(target.with_name(name)),
    )
    image_files = [(target.with_name(name), content) for name, content in images.items()]
    check_cancelled()
    write_together([*image_files, (path, text)])
    return _note(unknown_letters(text))


def _note(letters: list[str]) -> str:
    """Return the sentence on letters that a plain LaTeX cannot set; empty if there are none."""
    if not letters:
        return ""
    first, more = letters[:MAX_NAMED], len(letters) - MAX_NAMED
    listed = ", ".join(f"{letter} as U+{ord(letter):04X}" for letter in first)
    others = f", and {more} more likewise" if more > 0 else ""
    return f"A plain LaTeX cannot set some letters, so the file has {listed}{others}."


def _images_of(target: Path) -> set[str]:
    """Return the names of the images that a file includes; none if svmviz did not make it."""
    try:
        text = target.read_text("utf-8", errors="replace") if os.path.isfile(target) else ""
    except OSError:
        return set()
    return set(_INCLUDED.findall(text)) if text.startswith(SIGNATURE) else set()


def tex_of(
    figure: Figure, stem: str, is_taken: Callable[[str], bool] = lambda _: False
) -> tuple[str, Images]:
    """Return the figure as TikZ, and its images by file name.

    Parameters
    ----------
    figure : Figure
    stem : str
        Beginning of the names of images.
    is_taken : callable(str) -> bool, optional
        As in ``Images``.

    Raises
    ------
    BadInput
        If the figure has a panel.
    """
    styles = Styles(figure.drawing.theme, POINTS_PER_INCH / figure.page.dpi)
    images = Images(is_taken)
    # The commands are made first, because they determine the colours and styles to be defined.
    body = [*_background(figure, styles), *_words(figure, styles)]
    for part, box in figure.placed_parts():
        if not isinstance(part, PlanePart):
            raise BadInput(FORMATS[".tex"].why_not(part.title))
        body += _planes(part, box, figure, styles, _safe_stem(stem), images)
    unit = styles.length(1.0) if styles.unit >= 0.01 else "0.01bp"
    width, height = figure.size
    lines = [
        HEAD.format(version=__version__),
        *styles.definitions(),
        r"\begin{document}%",
        "% x and y are px of the page; y points down.",
        rf"\begin{{tikzpicture}}[x={{({unit},0)}}, y={{(0,-{unit})}}]",
        rf"\useasboundingbox (0,0) rectangle ({width},{height});",
        *body,
        r"\end{tikzpicture}%",
        r"\end{document}",
    ]
    return "\n".join(lines) + "\n", images


def _background(figure: Figure, styles: Styles) -> list[str]:
    if figure.drawing.transparent:
        return []
    name = styles.name_colour(figure.drawing.theme.plane)
    return [rf"\fill[{name}] (0,0) rectangle ({figure.size[0]},{figure.size[1]});"]


def _words(figure: Figure, styles: Styles) -> list[str]:
    """Return the commands for the title, the caption and the titles of parts."""

    def paint(painter: QPainter) -> None:
        set_hints(painter)
        figure.paint_words(painter)

    return write_shapes(painted_shapes(paint, figure.size), "words", styles, page_coordinate)


def _planes(
    part: PlanePart, box: Box, figure: Figure, styles: Styles, stem: str, images: Images
) -> list[str]:
    """Return the commands for all planes of a part with their titles.

    Add the images of the planes' fields to ``images``.
    """
    left, top, width, height = box
    picture = part.picture_of(width, height, figure.drawing)
    titles = picture.titles()
    strip = picture.strip()
    commands = [] if strip is None else write_legend(strip, left, top, styles)
    for tile in picture.tiles():
        if tile.title is not None:
            commands += _title(titles[tile.lane], tile.title, picture.style, box, styles)
        name = images.free_name(f"{stem}-field{f'-{tile.lane + 1}' if tile.title else ''}")
        x, y = left + tile.plane[0], top + tile.plane[1]
        lines, image = write_plane(picture.canvas(tile), x, y, styles, name)
        commands += lines
        if image is not None:
            images[name] = encoded(image)
    return commands


def _title(title: Title, title_box: Box, style: Style, box: Box, styles: Styles) -> list[str]:
    """Return the commands for the title of a plane.

    ``box`` is the box of the part, and ``title_box`` is relative to its upper left corner.
    """

    def paint(painter: QPainter) -> None:
        set_hints(painter)
        painter.translate(box[0], box[1])
        draw_title(painter, title, QRectF(*title_box), style)

    shapes = painted_shapes(paint, (box[0] + box[2], box[1] + box[3]))
    return ["", f"% {title.name}", *write_shapes(shapes, "title", styles, page_coordinate)]


def _safe_stem(stem: str) -> str:
    """Return a file name with "-" in place of characters that TeX cannot read in file names."""
    return re.sub(r"[^A-Za-z0-9-]+", "-", stem).strip("-") or "figure"
