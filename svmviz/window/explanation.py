"""The planes and, beside them, panels that explain a step; F6 shows and hides the panels."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.registry import PANELS
from svmviz.plane.widget import PlaneView
from svmviz.stage.stage import Stage
from svmviz.theme import SIZED_BY_TYPE, look_of
from svmviz.widgets.styling import OwnSizes
from svmviz.window.planes import Planes

# Cells of each panel in a grid of 20 rows and 2 columns: first row, first column, number of rows,
# number of columns.
Cells = dict[str, tuple[int, int, int, int]]
ROWS = 20
# The four panels; in LOW_CELLS, without "kkt" because there is less height.
CELLS: Cells = {
    "pseudo-code": (0, 0, 13, 1),
    "step": (13, 0, 7, 1),
    "pair": (0, 1, 11, 1),
    "kkt": (11, 1, 9, 1),
}
LOW_CELLS: Cells = {"pseudo-code": (0, 0, 20, 1), "pair": (0, 1, 11, 1), "step": (11, 1, 9, 1)}
# The panels that remain without width for two columns: the line of the beat, and its result.
NARROW_CELLS: Cells = {"pseudo-code": (0, 0, 12, 2), "step": (12, 0, 8, 2)}
# One column, if the panel "pair" does not fit the document. The planes get the width of the other
# column. INSIDE_CELLS is for methods that keep every α strictly between 0 and C. Then every point
# violates the KKT conditions, so the panel "alpha" shows more than "kkt".
COLUMN_CELLS: Cells = {"pseudo-code": (0, 0, 8, 2), "step": (8, 0, 6, 2), "kkt": (14, 0, 6, 2)}
INSIDE_CELLS: Cells = {"pseudo-code": (0, 0, 8, 2), "step": (8, 0, 6, 2), "alpha": (14, 0, 6, 2)}
# Minimum width for two columns of panels, and minimum height for all panels, px at scale 1.
MIN_WIDTH, MIN_HEIGHT = 340, 410
# Relative widths of the planes and of the two columns of panels; SHARES_OF_COLUMN has those of the
# planes and of a single column.
PLANE_SHARE, COLUMN_SHARES = 29, (18, 17)
SHARES, SHARES_OF_COLUMN = (PLANE_SHARE, sum(COLUMN_SHARES)), (40, 24)


class Side(OwnSizes, QWidget):
    """The panels that explain a step; all their text grows with the text size (`look_of`).

    If the text is large for the area, panels are hidden: first "kkt", then "pair".

    Parameters
    ----------
    stage : Stage

    Attributes
    ----------
    panels : dict of str to QWidget
        The panels that were shown so far, by name.

    Signals
    -------
    arranged()
        Panels may have been shown or hidden.
    """

    arranged = Signal()

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self._stage = stage
        self.panels: dict[str, QWidget] = {}
        self.setProperty(SIZED_BY_TYPE, True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        for row in range(ROWS):
            self._grid.setRowStretch(row, 1)
        for column, share in enumerate(COLUMN_SHARES):
            self._grid.setColumnStretch(column, share)
        stage.session.document_changed.connect(self.show_fitting)
        self.follow_style(Side.show_fitting)

    @property
    def has_pair(self) -> bool:
        """Whether the panel "pair" fits the document."""
        return PANELS["pair"].fits(self._stage.session.document)

    def show_fitting(self) -> None:
        """Show the panels that fit the document and the area, in their cells."""
        if not self._stage.playback.by_beats:
            return
        cells = self._cells
        for name in cells.keys() - self.panels.keys():
            self.panels[name] = self._make(name)
        for name, panel in self.panels.items():
            panel.setVisible(name in cells)
            if name in cells:
                self._grid.removeWidget(panel)
                self._grid.addWidget(panel, *cells[name])
        self.arranged.emit()

    def _make(self, name: str) -> QWidget:
        panel = PANELS[name].make(self._stage)
        if isinstance(panel, FramePanel):
            panel.make_brief()
        panel.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        panel.setParent(self)
        return panel

    @property
    def _cells(self) -> Cells:
        px = look_of(self).metrics.px
        is_low = self.height() < px(MIN_HEIGHT)
        if self.has_pair:
            if self.width() < px(MIN_WIDTH):
                return NARROW_CELLS
            return LOW_CELLS if is_low else CELLS
        if is_low:
            return NARROW_CELLS
        guarantees = self._stage.session.document.method.guarantees
        return INSIDE_CELLS if "strictly-inside" in guarantees else COLUMN_CELLS

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.show_fitting()


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
        self._side = Side(stage)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(planes)
        self._row.addWidget(self._side)
        self._side.arranged.connect(self._share_width)
        self._side.setVisible(False)

    @property
    def main(self) -> PlaneView:
        """The first of the planes."""
        return self.planes.main

    @property
    def panels(self) -> dict[str, QWidget]:
        """The panels that were shown so far, by name."""
        return self._side.panels

    @property
    def is_on(self) -> bool:
        """Whether a step is explained."""
        return self._stage.playback.by_beats

    def toggle(self) -> None:
        """Show the panels and move by beats, or return to the planes and to steps."""
        on = not self.is_on
        self._stage.playback.set_by_beats(on)
        self._side.show_fitting()
        self._side.setVisible(on)
        self.toggled.emit(on)

    def _share_width(self) -> None:
        for index, share in enumerate(SHARES if self._side.has_pair else SHARES_OF_COLUMN):
            self._row.setStretch(index, share)
