"""Colours, sizes and style of the window, in light and dark, at any projector scale."""

from svmviz.theme.colours import DARK, LIGHT, THEMES, Theme
from svmviz.theme.look import Look, active, apply, apply_style, clear_style, font, palette, prepare
from svmviz.theme.marks import MARKS, Marks
from svmviz.theme.metrics import BODY, CAPTION, DISPLAY, GRID, LEAD, SCALES, TITLE, Metrics
from svmviz.theme.qss import stylesheet

__all__ = [
    "BODY",
    "CAPTION",
    "DARK",
    "DISPLAY",
    "GRID",
    "LEAD",
    "LIGHT",
    "MARKS",
    "SCALES",
    "THEMES",
    "TITLE",
    "Look",
    "Marks",
    "Metrics",
    "Theme",
    "active",
    "apply",
    "apply_style",
    "clear_style",
    "font",
    "palette",
    "prepare",
    "stylesheet",
]
