"""The planes and, beside them, panels that explain a step; F6 shows and hides the panels."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.registry import PANELS
from svmviz.plane.widget import PlaneView
from svmviz.stage.stage import Stage
from svmviz.window.planes import Planes

# The panels are in a grid of 20 rows and 2 columns. Cells of each panel: first row, first column,
# number of rows, number of columns.
CELLS = {
    "pseudo-code": (0, 0, 13, 1),
    "step": (13, 0, 7, 1),
    "pair": (0, 1, 11, 1),
    "kkt": (11, 1, 9, 1),
}
# The cells if the panel "pair" does not fit the document. The pseudo-code has more space than in
# CELLS, and thus larger text.
CELLS_WITHOUT_PAIR = {"pseudo-code": (0, 0, 10, 2), "step": (10, 0, 10, 1), "kkt": (10, 1, 10, 1)}
# Number of rows of the grid.
ROWS = 20
# Relative widths of the planes, and of the two columns of panels.
PLANE_SHARE, COLUMN_SHARES = 29, (18, 17)


class Explanation(QWidget):
    """The planes, with panels beside them while a step is explained.

    While a step is explained, playback moves by beats (the parts of a step): the Right key goes to
    the next part.

    Parameters
    ----------
    stage : Stage
    planes : Planes

    Signals
    -------
    toggled : bool
        Whether the panels are shown now.
    """

    toggled = Signal(bool)

    def __init__(self, stage: Stage, planes: Planes) -> None:
        super().__init__()
        self._stage = stage
        self.planes = planes
        self._side = QWidget()
        self._grid = QGridLayout(self._side)
        self.panels: dict[str, QWidget] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(planes, PLANE_SHARE)
        self._row.addWidget(self._side, sum(COLUMN_SHARES))
        self._side.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._side.setVisible(False)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        for row in range(ROWS):
            self._grid.setRowStretch(row, 1)
        for column, share in enumerate(COLUMN_SHARES):
            self._grid.setColumnStretch(column, share)
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
        if not self.panels:
            self._make_panels()
        self._stage.playback.set_by_beats(on)
        self._show_fitting()
        self._side.setVisible(on)
        self.toggled.emit(on)

    def _make_panels(self) -> None:
        for name in CELLS:
            panel = PANELS[name].make(self._stage)
            if isinstance(panel, FramePanel):
                panel.make_brief()
            panel.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
            panel.setParent(self._side)
            self.panels[name] = panel

    def _show_fitting(self) -> None:
        """Show the panels of the grid that fit the document, in their cells."""
        document = self._stage.session.document
        cells = CELLS if PANELS["pair"].fits(document) else CELLS_WITHOUT_PAIR
        for name, panel in self.panels.items():
            panel.setVisible(name in cells)
            if name in cells:
                self._grid.removeWidget(panel)
                self._grid.addWidget(panel, *cells[name])
