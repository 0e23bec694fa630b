"""The font of the window, shipped with it because a machine may have no fonts."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFontDatabase

from svmviz.base.resources import path
from svmviz.theme.metrics import REGULAR, STRONG

WEIGHTS = {REGULAR: "Inter-Regular.otf", STRONG: "Inter-SemiBold.otf"}
"""File of each weight that the window uses."""

FORMULA_FILES = ("Formulas-Regular.ttf", "Formulas-SemiBold.ttf")
"""Files with the letters of formulas (``svmviz/base/notation.py``), in the same weights."""


@cache
def load_fonts() -> tuple[str, str]:
    """Load the shipped fonts once, and return the families of text and of letters in formulas.

    Needs a ``QGuiApplication``.

    Returns
    -------
    (str, str)
        The first has Greek letters, mathematics and tabular figures. The second has what the first
        lacks.

    Raises
    ------
    RuntimeError
        If Qt cannot read a font file.
    """
    families = [_load(file) for file in (*WEIGHTS.values(), *FORMULA_FILES)]
    return families[0], families[-1]


def _load(file: str) -> str:
    font_id = QFontDatabase.addApplicationFont(str(path(f"fonts/{file}")))
    if font_id < 0:
        raise RuntimeError(f"cannot load the font {file}")
    return QFontDatabase.applicationFontFamilies(font_id)[0]
