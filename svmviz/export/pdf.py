"""PDF: lines and type as vectors, fonts embedded, images without loss."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QSizeF
from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

from svmviz import __version__
from svmviz.export.figure import Figure
from svmviz.export.page import MILLIMETRES_PER_INCH, POINTS_PER_INCH
from svmviz.io.atomic import write_atomically

# The entry of a PDF file that gives the size of its page.
_BOX = re.compile(rb"/MediaBox \[[^\]]*\]")


def save_pdf(path: str | Path, figure: Figure) -> None:
    """Write a figure as a PDF of one page; see :func:`svmviz.export.png.save_png`."""
    write_atomically(path, pdf_of(figure))


def pdf_of(figure: Figure) -> bytes:
    """Return a figure as a PDF file."""
    return pages_as_pdf([figure])


def pages_as_pdf(figures: Iterable[Figure]) -> bytes:
    """Return figures of one size as a PDF file, a page for each; there is at least one."""
    pages = iter(figures)
    figure = next(pages)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(figure.title)
    writer.setCreator(f"svmviz {__version__}")
    # The dpi are rounded, because Qt accepts only whole numbers.
    writer.setResolution(round(figure.page.dpi))
    # Qt makes only pages whose sides are whole points. `_crop_page` reduces the page to the figure.
    width, height = _points(figure)
    page_size = QSizeF(math.ceil(width), math.ceil(height))
    unit, exact = QPageSize.Unit.Point, QPageSize.SizeMatchPolicy.ExactMatch
    writer.setPageSize(QPageSize(page_size, unit, "", exact))
    writer.setPageMargins(QMarginsF(0.0, 0.0, 0.0, 0.0))
    with QPainter(writer) as painter:
        figure.paint(painter)
        for figure in pages:
            writer.newPage()
            figure.paint(painter)
    return _crop_pages(bytes(buffer.data().data()), width, height, math.ceil(height))


def _points(figure: Figure) -> tuple[float, float]:
    """Return the width and the height of a figure, pt."""
    width, height = figure.page.millimetres
    unit = POINTS_PER_INCH / MILLIMETRES_PER_INCH
    return width * unit, height * unit


def _crop_pages(content: bytes, width: float, height: float, page_height: int) -> bytes:
    """Reduce the pages in a PDF file to the size of the figures.

    A figure is at the top left of Qt's page, whose height is ``page_height`` pt. The file has a
    table of byte positions, so the new entry for a page's size must have as many bytes as the old
    entry. Its numbers have as many decimals as fit, at most 4, and spaces fill the rest.
    """

    def cropped(match: re.Match[bytes]) -> bytes:
        old = match.group()
        for digits in (4, 3, 2, 1, 0):
            excess = page_height - height
            bottom = f"{excess:.{digits}f}" if excess > 1e-6 else "0"
            box = f"/MediaBox [0 {bottom} {width:.{digits}f} {page_height}]".encode()
            if len(box) <= len(old):
                return box.ljust(len(old))
        return old

    return _BOX.sub(cropped, content)
