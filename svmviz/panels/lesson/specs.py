"""The description of the lesson's panel, which only a window shows: no figure contains it."""

from __future__ import annotations

from svmviz.base.lazy import later
from svmviz.panels.panel_spec import PanelSpec, suits_every_document

LESSON = PanelSpec(
    "lesson",
    "Lesson",
    "A lesson in cards: each shows a scene and asks questions about it, or sets a goal whose parts "
    "are ticked as they come true. A number is right within 1 %. The card takes the place of the "
    "settings. Closing it ends the lesson: the document that was open before comes back, with its "
    "undo entries. File > Share as page writes the lesson that is open for a browser.",
    "right",
    later("panels.lesson.lesson_panel:LessonPanel"),
    suits_every_document,
    scrolls=True,
)
