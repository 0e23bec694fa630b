"""Colours, sizes and style of the window, in light and dark, at any text size."""

from svmviz.theme.colours import DARK, LIGHT, THEMES, Theme
from svmviz.theme.look import (
    OWN_SIZES,
    SIZED_BY_HEIGHT,
    SIZED_BY_TYPE,
    Look,
    active,
    apply,
    apply_style,
    font,
    look_of,
    palette,
    prepare,
    resize_type,
    waits_for_sheet,
)
from svmviz.theme.marks import MARKS, Marks
from svmviz.theme.metrics import (
    BODY,
    CAPTION,
    CONTROL_SIZES,
    DISPLAY,
    GRID,
    LEAD,
    TITLE,
    TYPE_SIZES,
    Metrics,
)
from svmviz.theme.qss import stylesheet

__all__ = [
    "BODY",
    "CAPTION",
    "CONTROL_SIZES",
    "DARK",
    "DISPLAY",
    "GRID",
    "LEAD",
    "LIGHT",
    "MARKS",
    "OWN_SIZES",
    "SIZED_BY_HEIGHT",
    "SIZED_BY_TYPE",
    "THEMES",
    "TITLE",
    "TYPE_SIZES",
    "Look",
    "Marks",
    "Metrics",
    "Theme",
    "active",
    "apply",
    "apply_style",
    "font",
    "look_of",
    "palette",
    "prepare",
    "resize_type",
    "stylesheet",
    "waits_for_sheet",
]
