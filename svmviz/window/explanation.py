"""The planes, and beside them the panels that together explain one step, shown by one key."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.registry import PANELS
from svmviz.plane.widget import PlaneView
from svmviz.stage.stage import Stage
from svmviz.widgets.column import Column
from svmviz.window.planes import Planes

# The panels of each column, from top to bottom, with their shares of its height; and the shares
# of the width of the planes and of the columns.
COLUMNS = ((("pseudo-code", 13), ("step", 7)), (("pair", 11), ("kkt", 9)))
# The same for methods that move no pairs.
WITHOUT_PAIR = ((("pseudo-code", 1),), (("step", 9), ("kkt", 11)))
PLANE_SHARE, COLUMN_SHARES = 29, (18, 17)


class Explanation(QWidget):
    """The planes; while a step is explained, with the panels beside them.

    Then the playback moves by beats: Right goes to the next part of a step.

    Parameters
    ----------
    stage : Stage
    planes : Planes

    Signals
    -------
    toggled : bool
        The panels are shown, or hidden again.
    """

    toggled = Signal(bool)

    def __init__(self, stage: Stage, planes: Planes) -> None:
        super().__init__()
        self._stage = stage
        self.planes = planes
        self.columns: list[Column] = []
        self.panels: dict[str, QWidget] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(planes, PLANE_SHARE)
        stage.session.document_changed.connect(self._show_fitting)

    @property
    def main(self) -> PlaneView:
        """The first of the planes."""
        return self.planes.main

    @property
    def is_on(self) -> bool:
        """Whether a step is explained."""
        return self._stage.playback.by_beats

    def toggle(self) -> None:
        """Show the panels and move by beats, or return to the planes and to steps."""
        on = not self.is_on
        if on and not self.columns:
            self._make_panels()
        self._stage.playback.set_by_beats(on)
        for column in self.columns:
            column.setVisible(on)
        self._show_fitting()
        self.toggled.emit(on)

    def _make_panels(self) -> None:
        for panels, share in zip(COLUMNS, COLUMN_SHARES, strict=True):
            column = Column(gap=0.0, parent=self)
            column.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
            for name, _ in panels:
                panel = PANELS[name].make(self._stage)
                if isinstance(panel, FramePanel):
                    panel.make_brief()
                panel.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
                self.panels[name] = panel
            self.columns.append(column)
            self._row.addWidget(column, share)

    def _show_fitting(self) -> None:
        """Lay out those panels that fit the document."""
        if not self.panels:
            return
        document = self._stage.session.document
        shown = COLUMNS if PANELS["pair"].fits(document) else WITHOUT_PAIR
        for column, panels in zip(self.columns, shown, strict=True):
            for name, height in panels:
                # A widget that is in another column moves to this one.
                column.box.removeWidget(self.panels[name])
                column.add(self.panels[name], height)
        for name, panel in self.panels.items():
            panel.setVisible(PANELS[name].fits(document))
