"""The style sheet: ``assets/qss/window.qss`` with the colours and lengths of a look."""

from __future__ import annotations

import re
from functools import cache

from svmviz.base.resources import path
from svmviz.colours.themes import Theme
from svmviz.theme.metrics import STRONG, TEXT, TITLE, Metrics

# Placeholders in the file: lengths such as ``4dp``, in px at scale 1, and names such as ``@panel``,
# most of them of colours.
_PLACEHOLDER = re.compile(r"(?P<length>-?\d+(?:\.\d+)?)dp|@(?P<name>[a-z_]+)")


@cache
def stylesheet(theme: Theme, controls: float = 1.0, *, in_hall: bool = False) -> str:
    """Return the Qt style sheet of the whole application.

    Parameters
    ----------
    theme : Theme
        Colours.
    controls : float
        Factor on every length: ``controls`` of `Metrics`.
    in_hall : bool
        Whether it is for a presentation.

    Raises
    ------
    AttributeError
        If the template names a colour that the theme does not have.
    """
    metrics = Metrics(controls, even=True, in_hall=in_hall)
    words = {
        "tone": "dark" if theme.is_dark else "light",
        "assets": path("qss").as_posix(),
        "type_label": f"{metrics.px(metrics.label)}px",
        "type_text": f"{metrics.px(TEXT)}px",
        "type_title": f"{metrics.px(TITLE)}px",
        "strong": str(STRONG),
    }

    def fill(match: re.Match[str]) -> str:
        if match["length"] is not None:
            length = float(match["length"])
            return f"{metrics.px(abs(length)) * (-1 if length < 0 else 1)}px"
        name = match["name"]
        return words[name] if name in words else getattr(theme, name)

    return _PLACEHOLDER.sub(fill, path("qss/window.qss").read_text(encoding="utf-8"))
