"""PDF: lines and type as vectors, fonts embedded, images without loss."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QSizeF
from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

from svmviz import __version__
from svmviz.export.figure import Figure
from svmviz.export.page import MILLIMETRES_PER_INCH, POINTS_PER_INCH
from svmviz.io.atomic import write_atomically

_BOX = re.compile(rb"/MediaBox \[[^\]]*\]")


def save_pdf(
    path: str | Path, figure: Figure, cancelled: Callable[[], bool] = lambda: False
) -> None:
    """Write a figure as a PDF of one page; see :func:`svmviz.export.png.save_png`."""
    content = pdf_of(figure)
    if not cancelled():
        write_atomically(path, content, cancelled)


def pdf_of(figure: Figure) -> bytes:
    """Return the figure as a PDF file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(figure.title)
    writer.setCreator(f"svmviz {__version__}")
    # Rounded, because Qt accepts only whole numbers.
    writer.setResolution(round(figure.page.dpi))
    # Qt makes only pages whose sides are whole points. `_cut` reduces the page to the figure.
    width, height = _points(figure)
    whole = QSizeF(math.ceil(width), math.ceil(height))
    unit, exact = QPageSize.Unit.Point, QPageSize.SizeMatchPolicy.ExactMatch
    writer.setPageSize(QPageSize(whole, unit, "", exact))
    writer.setPageMargins(QMarginsF(0.0, 0.0, 0.0, 0.0))
    with QPainter(writer) as painter:
        figure.paint(painter)
    return _cut(bytes(buffer.data().data()), width, height, math.ceil(height))


def _points(figure: Figure) -> tuple[float, float]:
    """Return the width and the height of a figure, pt."""
    width, height = figure.page.millimetres
    unit = POINTS_PER_INCH / MILLIMETRES_PER_INCH
    return width * unit, height * unit


def _cut(content: bytes, width: float, height: float, whole: int) -> bytes:
    """Reduce the page in a PDF file to the size of the figure.

    The figure is at the top left of Qt's page, whose height is ``whole`` pt. The new page box is
    padded to the length of the old one, because the file contains a table of byte positions.
    """
    found = _BOX.search(content)
    if found is None:
        return content
    old = found.group()
    for digits in (4, 3, 2, 1, 0):
        low = f"{whole - height:.{digits}f}" if whole - height > 1e-6 else "0"
        box = f"/MediaBox [0 {low} {width:.{digits}f} {whole}]".encode()
        if len(box) <= len(old):
            return content.replace(old, box.ljust(len(old)), 1)
    return content
