"""The font of the window, shipped with it because a machine may have no fonts."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFontDatabase

from svmviz.base.resources import path
from svmviz.theme.metrics import REGULAR, STRONG

WEIGHTS = {REGULAR: "Inter-Regular.otf", STRONG: "Inter-SemiBold.otf"}
"""File of each weight that the window uses."""


@cache
def load_fonts() -> str:
    """Load the shipped fonts once and return their family.

    Needs a ``QGuiApplication``.

    Returns
    -------
    str
        Name of the family, which has Greek letters, mathematics and tabular figures.

    Raises
    ------
    RuntimeError
        If Qt cannot read a font file.
    """
    families: list[str] = []
    for file in WEIGHTS.values():
        font_id = QFontDatabase.addApplicationFont(str(path(f"fonts/{file}")))
        if font_id < 0:
            raise RuntimeError(f"cannot load the font {file}")
        families = families or QFontDatabase.applicationFontFamilies(font_id)
    return families[0]
