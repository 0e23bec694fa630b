"""Colours, sizes and style of the window, in light and dark, at any text size."""

from svmviz.base.marks import MARKS, Marks
from svmviz.colours.themes import DARK, LIGHT, THEMES, Theme, similar_theme, theme_of
from svmviz.theme.look import (
    DIALOGS_BY_HEIGHT,
    OWN_SIZES,
    SIZED_BY_HEIGHT,
    SIZED_BY_TYPE,
    Look,
    active,
    apply,
    apply_style,
    chosen,
    font,
    look_of,
    palette,
    prepare,
    resize_type,
    waits_for_sheet,
)
from svmviz.theme.metrics import (
    CONTROL_SIZES,
    GRID,
    LABEL,
    REGULAR,
    SENTENCE,
    STRONG,
    TEXT,
    TITLE,
    TYPE_SIZES,
    Metrics,
    room_of,
)
from svmviz.theme.qss import stylesheet
