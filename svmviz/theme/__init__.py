"""Colours, sizes and style of the window, in light and dark, at any projector scale."""

from svmviz.theme.colours import DARK, LIGHT, THEMES, Theme
from svmviz.theme.look import Look, active, apply, dress, font, palette, prepare, undress
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
    "dress",
    "font",
    "palette",
    "prepare",
    "stylesheet",
    "undress",
]
