"""Panels in exported figures. They are made anew for each figure, on a stage that has no window.

Panels are widgets, so this code must run in a GUI thread. In the process of the window it would
block the window, so the window runs it in another process, :mod:`svmviz.cli.drawing`. The command
``svmviz render`` runs it in its own process.
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
from svmviz.export.figure import Drawing, Figure, FigurePart
from svmviz.export.figure_settings import FigureSettings
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
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.registry import PANELS
from svmviz.plane.sentences import caption
from svmviz.stage.stage import Stage
from svmviz.theme import active, apply, chosen, theme_of
from svmviz.widgets.formula import FormulaView

# Range of the scale at which widgets are laid out. If the scale of the figure is outside the range,
# the widgets are laid out at the nearest end of it, and are enlarged or reduced when painted.
MIN_SCALE, MAX_SCALE = 0.5, 4.0
# Maximum time to wait for the panels to stop changing, s; after it an error is raised.
MAX_WAIT = 600.0


@dataclass(frozen=True)
class PanelPart:
    """A panel as a part of a figure.

    Attributes
    ----------
    title : str
    panel : QWidget
        A panel with its final contents.
    """

    title: str
    panel: QWidget

    def paint(self, painter: QPainter, width: int, height: int, drawing: Drawing) -> None:
        """Paint the panel into a box of this size, in units of the painter."""
        factor = min(width / self.panel.width(), height / self.panel.height())
        painter.scale(factor, factor)
        # The panel paints into a recording first. If it painted directly on the device of
        # ``painter``, it would be clipped wrongly in some formats.
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


def check_views(settings: FigureSettings, scene: Scene) -> None:
    """Raise BadInput if a requested panel has nothing to show for this scene."""
    document = scene.document
    for name in settings.panels:
        spec = PANELS[name]
        if name == "race" and len(document.methods) < 2:
            raise BadInput("The chart of a race needs two or more methods, and this scene has one.")
        if not spec.fits(document):
            raise BadInput(f"The panel {name} needs {spec.needs_for(document)}.")


@contextmanager
def figure_with_panels(
    settings: FigureSettings, scene: Scene, step: int | None, planes: tuple[FigurePart, ...] = ()
) -> Iterator[Figure]:
    """Make the figure of a scene; its panels exist until the end of the ``with`` block.

    Parameters
    ----------
    settings : FigureSettings
    scene : Scene
    step : int or None
        The step shown, None for the last.
    planes : tuple of FigurePart
        Parts of the figure that come before the panels.

    Raises
    ------
    BadInput
        If the problem cannot be solved, or a panel has nothing to show for it.
    """
    check_views(settings, scene)
    stage = PanelStage(scene)
    try:
        with stage.figure(settings, step, planes) as figure:
            yield figure
    finally:
        stage.close()


class PanelStage:
    """A stage for one scene, on which panels for several figures are made one after the other.

    Parameters
    ----------
    scene : Scene
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._stage = Stage.of(scene.document)
        self._stage.view.show(scene.options)

    def solve(self) -> None:
        """Wait until the scene is solved; raise BadInput if it cannot be."""
        session = self._stage.session
        _wait(lambda: bool(session.trouble) or _is_solved(self._stage))
        if session.trouble:
            raise BadInput(session.trouble)

    def close(self) -> None:
        """End the threads."""
        self._stage.close()

    @contextmanager
    def figure(
        self,
        settings: FigureSettings,
        step: int | None,
        planes: tuple[FigurePart, ...] = (),
        report: Callable[[float], None] = lambda _: None,
    ) -> Iterator[Figure]:
        """Make a figure; see :func:`figure_with_panels`.

        ``report`` is called with the completed fraction of the work, between 0 and 1.
        """
        check_views(settings, self._scene)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        old_look, old_sizes = active(), chosen()
        colours = theme_of(settings.theme, settings.palette)
        apply(app, colours, _scale(settings), printing=True)
        panels: list[QWidget] = []
        try:
            self.solve()
            report(0.4)
            self._go_to(settings, step)
            self._stage.view.choices.clear()
            self._stage.view.choose(dict(settings.choices))
            yield _figure(settings, self._stage, panels, planes, report)
        finally:
            for panel in panels:
                panel.close()
                panel.deleteLater()
            sizes, room = (old_sizes.scale, old_sizes.base), old_look.metrics.room
            apply(app, old_look.theme, *sizes, room=room, printing=old_look.printing)

    def _go_to(self, settings: FigureSettings, step: int | None) -> None:
        """Put the lane ``settings.lane`` in focus and show a step of it, or the last if None.

        The derivation is read to its last line.
        """
        self._stage.reading.read_all(settings.derivation, self._stage.feed.frame)
        playback, runs = self._stage.playback, self._stage.session.runs
        playback.set_clock(settings.clock)
        playback.set_focus(min(settings.lane, len(runs) - 1))
        if step is None:
            playback.go_to_end()
        else:
            playback.seek(playback.clock.reading_at(runs, playback.focus, step))


def _scale(settings: FigureSettings) -> float:
    return min(max(settings.scaling, MIN_SCALE), MAX_SCALE)


def _figure(
    settings: FigureSettings,
    stage: Stage,
    panels: list[QWidget],
    planes: tuple[FigurePart, ...],
    report: Callable[[float], None],
) -> Figure:
    """Make the panels, lay them out, and wait until they are drawn; return the figure.

    The panels are appended to ``panels``. The caller closes them.
    """
    document, parts = stage.session.document, []
    for name in settings.panels:
        panel = PANELS[name].make(stage)
        panels.append(panel)
        parts.append(PanelPart(PANELS[name].title_for(document), panel))
    # The caption is not known yet, so a space stands for it.
    figure = settings.figure((*planes, *parts), " ")
    _resize(figure, 1.0)
    for panel in panels:
        prepare(panel)
    _wait(lambda: _shows_step(stage) and all(map(_is_at_rest, panels)))
    # The caption depends on the step, which is shown only now. The panels get the room that the
    # caption leaves.
    figure = settings.figure(figure.parts, caption(stage.feed.frame))

    def settle() -> None:
        lay_out_again(panels)
        if any(panel.findChild(FormulaView) for panel in panels):
            _wait(lambda: all(map(_is_at_rest, panels)))

    report(0.6)
    figure, factor = fitted(figure, settings, PanelSizes(panels, settle))
    report(0.8)
    _resize(figure, factor)
    for panel in panels:
        panel.setUpdatesEnabled(True)
    _wait(lambda: _shows_step(stage) and all(map(_is_at_rest, panels)))
    return replace(figure, parts=(*planes, *map(_with_whole_rows, parts)))


def _with_whole_rows(part: PanelPart) -> PanelPart:
    """Cut the table of a part, if it has one, after a whole row.

    Return the part. If rows are cut off, its title names the rows shown.
    """
    rows = cut_to_rows(part.panel)
    return replace(part, title=f"{part.title} {rows}") if rows else part


def _resize(figure: Figure, factor: float) -> None:
    """Give the panels of a figure the sizes of their boxes.

    ``factor`` is the factor on the type size of the panels.
    """
    unit = factor * figure.drawing.scale / active().metrics.scale
    for part, (_, _, width, height) in figure.placed_parts():
        if isinstance(part, PanelPart):
            part.panel.resize(max(1, round(width / unit)), max(1, round(height / unit)))


def _is_solved(stage: Stage) -> bool:
    session, playback = stage.session, stage.playback
    return session.solved is session.document and bool(session.runs) and playback.finished


def _shows_step(stage: Stage) -> bool:
    """Return whether panels have the frame of the requested steps, all studies and all curves."""
    frame, requested = stage.feed.frame, stage.playback.lane_steps
    steps = tuple(lane.step for lane in frame.lanes)
    expected = requested or tuple(run.steps for run in stage.session.runs)
    studies_complete = stage.feed.studies <= frame.studies.keys() and not is_unfinished(
        frame.studies
    )
    curves = stage.feed.curves
    curves_complete = len(curves) == len(stage.session.runs) and all(
        curve.complete for curve in curves
    )
    return (
        steps == expected
        and studies_complete
        and curves_complete
        and stage.feed.panel_frame is frame
    )


def _is_at_rest(panel: QWidget) -> bool:
    """Hide the controls of a panel; return whether the panel has its final contents."""
    hide_controls(panel)
    if isinstance(panel, FramePanel) and panel.is_busy:
        return False
    return all(
        formula.is_ready for formula in panel.findChildren(FormulaView) if formula.isVisible()
    )


def _wait(condition: Callable[[], bool]) -> None:
    """Process events until a condition has held for 10 rounds of events.

    One round is not enough, since its events may cause others that change a panel.
    """
    deadline = time.monotonic() + MAX_WAIT
    rounds = 0
    while rounds < 10:
        QApplication.processEvents()
        rounds = rounds + 1 if condition() else 0
        if time.monotonic() > deadline:
            raise RuntimeError(f"a panel was still changing after {MAX_WAIT:g} s")
        time.sleep(0.002)
