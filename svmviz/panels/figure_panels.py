"""Panels in exported figures: made for one picture, with a stage of their own, never on a screen.

Panels are widgets, so this code must run in the GUI thread. The window must not wait for it; it
starts another process, ``svmviz render``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter, QPicture, QRegion
from PySide6.QtWidgets import QApplication, QWidget

from solvers import BadInput
from svmviz.export.figure import Drawing, Figure, Part
from svmviz.export.order import Order
from svmviz.frames.studies import is_unfinished
from svmviz.io.scene import Scene
from svmviz.panels.figure_fit import (
    PanelSizes,
    cut_to_rows,
    fitted,
    hide_controls,
    lay_out_again,
    prepare,
)
from svmviz.panels.registry import PANELS
from svmviz.panels.transport.narrator import caption
from svmviz.stage.stage import Stage
from svmviz.theme import THEMES, active, apply
from svmviz.widgets.formula import FormulaView

# Scales at which widgets are made; beyond them the painted widgets are enlarged.
MIN_SCALE, MAX_SCALE = 0.5, 4.0
# Time after which a panel that still changes has failed, s.
MAX_WAIT = 600.0


@dataclass(frozen=True)
class PanelPart:
    """A panel as a part of a figure.

    Attributes
    ----------
    title : str
    panel : QWidget
        It no longer changes.
    """

    title: str
    panel: QWidget

    def paint(self, painter: QPainter, width: int, height: int, drawing: Drawing) -> None:
        """Paint the panel, whose size was set before."""
        factor = min(width / self.panel.width(), height / self.panel.height())
        painter.scale(factor, factor)
        # It paints into a recording first: a widget that paints directly on another device clips
        # wrongly in some formats.
        recording = QPicture()
        flags = QWidget.RenderFlag.DrawChildren
        with QPainter(recording) as recorder:
            self.panel.render(recorder, QPoint(), QRegion(), flags)
        # Undo the factor by which Qt enlarges a recording on a device of higher resolution.
        device = painter.device()
        painter.scale(
            recording.logicalDpiX() / device.logicalDpiX(),
            recording.logicalDpiY() / device.logicalDpiY(),
        )
        painter.drawPicture(0, 0, recording)


def check_views(order: Order, scene: Scene) -> None:
    """Raise BadInput if a requested panel has nothing to show for this scene."""
    document = scene.document
    for name in order.panels:
        spec = PANELS[name]
        if name == "race" and len(document.methods) < 2:
            raise BadInput("The chart of a race needs two or more solvers, and this scene has one.")
        if not spec.fits(document):
            needs = spec.needs or f"a {' or '.join(spec.tasks)}"
            raise BadInput(f"The panel {name} needs {needs}.")


@contextmanager
def figure_with_panels(
    order: Order, scene: Scene, step: int | None, planes: tuple[Part, ...] = ()
) -> Iterator[Figure]:
    """Make the figure of a scene; its panels live until the end of the block.

    Parameters
    ----------
    order : Order
    scene : Scene
    step : int or None
        None for the last.
    planes : tuple of Part
        What comes before the panels.

    Raises
    ------
    BadInput
        If nothing can be solved, or a panel has nothing to show.
    """
    check_views(order, scene)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    before = active()
    apply(app, THEMES[order.theme], _scale(order), printing=True)
    stage = Stage.of(scene.document)
    panels: list[QWidget] = []
    try:
        _go_to(stage, scene, step)
        yield _figure(order, stage, panels, planes)
    finally:
        for panel in panels:
            panel.close()
            panel.deleteLater()
        stage.close()
        apply(
            app,
            before.theme,
            before.metrics.scale,
            before.metrics.base,
            printing=before.printing,
        )


def _scale(order: Order) -> float:
    return min(max(order.scales[0], MIN_SCALE), MAX_SCALE)


def _go_to(stage: Stage, scene: Scene, step: int | None) -> None:
    """Show a step of a scene."""
    stage.view.show(scene.options)
    _wait(lambda: bool(stage.session.trouble) or _is_solved(stage))
    if stage.session.trouble:
        raise BadInput(stage.session.trouble)
    if step is None:
        stage.playback.go_to_end()
    else:
        stage.playback.seek_step(step)


def _figure(order: Order, stage: Stage, panels: list[QWidget], planes: tuple[Part, ...]) -> Figure:
    task = stage.session.document.task
    parts = []
    for name in order.panels:
        panel = PANELS[name].make(stage)
        panels.append(panel)
        parts.append(PanelPart(PANELS[name].title_for(task), panel))
    figure = order.figure((*planes, *parts), " ")
    _resize(figure, 1.0)
    for panel in panels:
        prepare(panel)
    _wait(lambda: _shows_step(stage) and all(map(_is_at_rest, panels)))
    # Now that the step is known, so is the room that its sentence leaves, and that panels need.
    figure = order.figure(figure.parts, caption(stage.feed.frame))

    def settle() -> None:
        lay_out_again(panels)
        if any(map(_has_formulas, panels)):
            _wait(lambda: all(map(_is_at_rest, panels)))

    figure, factor = fitted(figure, order, PanelSizes(panels, settle))
    _resize(figure, factor)
    for panel in panels:
        panel.setUpdatesEnabled(True)
    _wait(lambda: _shows_step(stage) and all(map(_is_at_rest, panels)))
    return replace(figure, parts=(*planes, *map(_with_whole_rows, parts)))


def _with_whole_rows(part: PanelPart) -> PanelPart:
    rows = cut_to_rows(part.panel)
    return replace(part, title=f"{part.title} {rows}") if rows else part


def _resize(figure: Figure, factor: float) -> None:
    """Give the panels of a figure the sizes of their boxes."""
    unit = factor * figure.drawing.scale / active().metrics.scale
    for part, (_, _, width, height) in figure.places():
        if isinstance(part, PanelPart):
            part.panel.resize(max(1, round(width / unit)), max(1, round(height / unit)))


def _is_solved(stage: Stage) -> bool:
    session, playback = stage.session, stage.playback
    return session.solved is session.document and bool(session.runs) and playback.finished


def _shows_step(stage: Stage) -> bool:
    """Return whether the frame shows the step, with finished studies."""
    frame, lanes = stage.feed.frame, stage.playback.lane_steps
    steps = tuple(lane.step for lane in frame.lanes)
    wanted = lanes or tuple(run.steps for run in stage.session.runs)
    complete = stage.feed.studies <= frame.studies.keys() and not is_unfinished(frame.studies)
    curves = stage.feed.curves
    known = len(curves) == len(stage.session.runs) and all(curve.complete for curve in curves)
    return steps == wanted and complete and known and stage.feed.panel_frame is frame


def _is_at_rest(panel: QWidget) -> bool:
    hide_controls(panel)
    return all(one.is_ready for one in panel.findChildren(FormulaView) if one.isVisible())


def _has_formulas(panel: QWidget) -> bool:
    return panel.findChild(FormulaView) is not None


def _wait(condition: Callable[[], bool]) -> None:
    """Process events until a condition holds, and a moment longer."""
    end = time.monotonic() + MAX_WAIT
    held = 0
    while held < 10:
        QApplication.processEvents()
        held = held + 1 if condition() else 0
        if time.monotonic() > end:
            raise RuntimeError("a panel did not come to rest")
        time.sleep(0.002)
