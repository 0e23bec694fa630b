"""Programs other than Qt that turn exported files into pixels."""

import shutil
import subprocess

import numpy as np
import pypdfium2
import resvg_py
from PySide6.QtGui import QImage

from tests.time_limits import TIME_LIMIT


def by_resvg(text, width):
    """The pixels of an SVG, shape (rows, width, 3)."""
    # Lengths in mm need a number of px per inch.
    made = resvg_py.svg_to_bytes(svg_string=text, width=width, dpi=96, skip_system_fonts=True)
    return to_array(QImage.fromData(bytes(made)))


def by_pdfium(content, width):
    """The pixels of the one page of a PDF."""
    document = pypdfium2.PdfDocument(content)
    try:
        assert len(document) == 1
        page = document[0]
        pixels = page.render(scale=width / page.get_size()[0]).to_numpy()
        # From blue, green, red.
        return pixels[:, :, 2::-1].copy()
    finally:
        document.close()


def text_of_pdf(content):
    """All words of a PDF, in one line."""
    document = pypdfium2.PdfDocument(content)
    try:
        return " ".join(document[0].get_textpage().get_text_range().split())
    finally:
        document.close()


def points_of_pdf(content):
    """Width and height of the page, pt."""
    document = pypdfium2.PdfDocument(content)
    try:
        return document[0].get_size()
    finally:
        document.close()


def has_latex():
    """Whether pdflatex is installed with the packages that a TikZ file needs."""
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return False
    found = (
        subprocess.run(["kpsewhich", name], capture_output=True, check=False).returncode == 0
        for name in ("standalone.cls", "pgfplots.sty", "fix-cm.sty")
    )
    return all(found)


def by_latex(folder, name, width):
    """The pixels of a TikZ file, which pdflatex compiles."""
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", name],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        timeout=TIME_LIMIT,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    return by_pdfium((folder / name).with_suffix(".pdf").read_bytes(), width)


def to_array(image):
    """The pixels of an image on white, shape (rows, columns, 3)."""
    plain = QImage(image.size(), QImage.Format.Format_RGB888)
    plain.fill("white")
    from PySide6.QtGui import QPainter

    with QPainter(plain) as painter:
        painter.drawImage(0, 0, image)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), -1)
    return rows[:, : 3 * plain.width()].reshape(plain.height(), plain.width(), 3).copy()


def apart(pixels, others, dark=100, loose=160):
    """The share of dark pixels of each picture that have no dark one of the other within 1 px."""
    worst = 0.0
    for one, other in ((pixels, others), (others, pixels)):
        ink = one.max(axis=2) < dark
        near = grown(other.max(axis=2) < loose)
        assert ink.sum() > 500
        worst = max(worst, float((ink & ~near).sum() / ink.sum()))
    return worst


def grown(mask):
    """A mask with all neighbours of its pixels."""
    padded = np.pad(mask, 1)
    rows, columns = mask.shape
    found = np.zeros_like(mask)
    for down in range(3):
        for right in range(3):
            found |= padded[down : down + rows, right : right + columns]
    return found
