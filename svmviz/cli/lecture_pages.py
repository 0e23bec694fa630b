"""A lecture as a PDF: a page for each stop, with the plane and the panels beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from solvers.cancelling import Report, no_report
from svmviz.base.notation import plain
from svmviz.export.figure import Figure
from svmviz.export.figure_settings import PLANE, FigureSettings
from svmviz.export.page import Length
from svmviz.export.pdf import pages_as_pdf
from svmviz.io.atomic import write_atomically
from svmviz.io.scene import Scene
from svmviz.lessons.lecture import as_lecture
from svmviz.lessons.lessons import Lesson
from svmviz.panels.registry import PANELS

# Size of a page: a slide of 16 : 9.
WIDTH, HEIGHT = Length(254.0, "mm"), Length(142.875, "mm")
# The panels beside the plane where a step is explained.
EXPLAINING = ("pseudo-code", "step")


def write_lecture(
    lesson: Lesson,
    path: Path,
    draw: Callable[[Scene, int | None, FigureSettings], Figure],
    report: Report = no_report,
) -> None:
    """Write a PDF with a page for each card of a talk, atomically.

    ``draw`` returns the figure of a step of a scene.

    Raises
    ------
    BadInput
        If the lesson has questions, a scene cannot be solved, or the file cannot be written.
    """
    write_atomically(path, pages_as_pdf(_figures(as_lecture(lesson), draw, report)))


def _figures(
    lecture: Lesson, draw: Callable[[Scene, int | None, FigureSettings], Figure], report: Report
) -> Iterator[Figure]:
    """Yield the pages; the panels of each exist until the next one is asked for."""
    from svmviz.panels.figure_panels import figure_with_panels

    for number, card in enumerate(lecture.cards):
        report(number / len(lecture.cards))
        show, scene = card.show, card.show.read_scene()
        names = EXPLAINING if show.explains else show.panels
        panels = [name for name in names if name in PANELS and PANELS[name].fits(scene.document)]
        settings = FigureSettings(
            views=(PLANE, *panels),
            width=WIDTH,
            height=HEIGHT,
            derivation=show.derivation,
            choices=show.choices,
            clock=show.clock or FigureSettings.clock,
            title=card.title,
            caption=True,
            text=" ".join(map(plain, card.paragraphs)),
            formulas=tuple(line for formula in card.formulas for line in formula.lines),
        )
        # An explained step is shown when all its parts are done.
        step = show.last if show.explains else show.step
        figure = draw(scene, step, settings)
        if panels:
            with figure_with_panels(settings, scene, step, figure.parts) as whole:
                yield whole
        else:
            yield figure
