"""Fitting panels into the boxes of a figure, at the requested size of type if there is room."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLayout,
    QLineEdit,
    QTableView,
    QWidget,
)

from solvers import BadInput
from svmviz.export.arrangement import Arrangement, Box, NeededSize, best_boxes
from svmviz.export.figure import Figure, PlanePart
from svmviz.export.figure_settings import FigureSettings
from svmviz.export.page import AXIS_TYPE, POINTS_PER_INCH, Length, Page, page_of
from svmviz.theme import active
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.still_label import StillLabel
from svmviz.widgets.still_text import StillText

# Widgets to click or to type into, which are left out of figures.
CONTROLS = (
    QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, Segmented,
    SettingsForm,
)  # fmt: skip
# Minimum number of rows of a table that must be visible, if it has as many.
MIN_ROWS = 6
# Panels are measured at sizes that are multiples of this, px.
GRAIN = 6
# Minimum factor on the type of panels, and number of bisections in the search for the factor.
MIN_FACTOR, SEARCHES = 0.2, 5
# Number of arrangements that are tried on pages of other sizes.
KEPT = 3
# Range of factors on the height, and factors on the width, of a page that is proposed.
MIN_HEIGHT, MAX_HEIGHT, WIDER = 0.3, 4.0, (1.0, 1.4, 2.0, 2.8)


class PanelSizes:
    """The sizes that panels need, measured on the panels themselves.

    Parameters
    ----------
    panels : list of QWidget
    settle : callable()
        Waits until the panels have their final contents in their new sizes.
    """

    def __init__(self, panels: list[QWidget], settle: Callable[[], None]) -> None:
        self._panels, self._settle = panels, settle
        self._known: dict[tuple[int, int, int], tuple[float, float]] = {}

    def needed_size(self, number: int, width: float, height: float) -> tuple[float, float]:
        """Return the width and the height that a panel needs in a box, px of the panel."""
        # Sizes are rounded down, so that fewer of them are measured, and none is too large.
        width, height = (max(GRAIN, GRAIN * int(side / GRAIN)) for side in (width, height))
        key = (number, width, height)
        if key not in self._known:
            panel = self._panels[number]
            panel.resize(width, height)
            self._settle()
            self._known[key] = needed_by(panel)
        return self._known[key]


def needed_by(panel: QWidget) -> tuple[float, float]:
    """Return the width and the height that a panel needs at its width."""
    least = panel.minimumSizeHint()
    width, height = least.width(), least.height()
    for label in panel.findChildren(StillLabel):
        # A label must not be cut off on paper, where no tooltip shows the rest.
        if label.isVisible() and not isinstance(label, StillText):
            width = max(width, label.sizeHint().width() + panel.width() - label.width())
    for table in panel.findChildren(QTableView):
        head = table.horizontalHeader()
        rows = min(MIN_ROWS, table.model().rowCount())
        taken = head.height() + rows * table.verticalHeader().defaultSectionSize()
        # The table has a frame of one px.
        width = max(width, head.length() + 2 + panel.width() - table.width())
        height = max(height, taken + 2 + panel.height() - table.height())
    return width, height


def prepare(panel: QWidget) -> None:
    """Show a panel, but not on a screen, without controls and scroll bars."""
    panel.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    layout = panel.layout()
    if layout is not None:
        # Without this the panel could not become smaller than the minimum of its earlier layout.
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
    # The panel must not be painted before everything is laid out.
    panel.setUpdatesEnabled(False)
    panel.show()
    hide_controls(panel)


def hide_controls(panel: QWidget) -> None:
    """Hide the controls of a panel; called again after each frame, which may show some."""
    for child in panel.findChildren(QWidget):
        if isinstance(child, CONTROLS) and not child.isHidden():
            child.hide()
        elif isinstance(child, QAbstractScrollArea):
            never = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            child.setHorizontalScrollBarPolicy(never)
            child.setVerticalScrollBarPolicy(never)


def lay_out_again(panels: list[QWidget]) -> None:
    """Lay panels out now, without waiting for events."""
    for panel in panels:
        hide_controls(panel)
    # A layout may change what another one needs.
    for _ in range(3):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)


def fitted(figure: Figure, settings: FigureSettings, sizes: PanelSizes) -> tuple[Figure, float]:
    """Return the figure with boxes in which its panels have the room they need.

    Returns
    -------
    figure : Figure
        If the panels have too little room, ``note`` says so.
    factor : float
        Factor on the type of the panels.
    """
    wanted = _Wanted(figure, sizes)
    boxes, share = wanted.boxes_on(figure.page, 1.0)
    if share >= 1.0:
        return replace(figure, boxes=boxes), 1.0
    low, high = MIN_FACTOR, 1.0
    boxes, _ = wanted.boxes_on(figure.page, low)
    for _ in range(SEARCHES):
        middle = math.sqrt(low * high)
        found, share = wanted.boxes_on(figure.page, middle)
        if share >= 1.0:
            low, boxes = middle, found
        else:
            high = middle
    wanted.narrow_down()
    note = _note(figure, low, wanted.sides_for(settings))
    return replace(figure, boxes=boxes, note=note), low


class _Wanted:
    """The sizes that the parts of a figure need, and the boxes that they get."""

    def __init__(self, figure: Figure, sizes: PanelSizes) -> None:
        self._figure, self._sizes = figure, sizes
        self._unit = figure.drawing.scale / active().metrics.scale
        self._planes = sum(isinstance(part, PlanePart) for part in figure.parts)
        self._choices = figure.choices()

    def boxes_on(self, page: Page, factor: float) -> tuple[tuple[Box, ...], float]:
        """Return the boxes on a page, and the smallest share of its needs that a part gets."""
        figure = replace(self._figure, page=page)
        needed_size = self._needed_size(figure, factor)
        found, share = best_boxes(self._choices, figure.parts_box(), figure.gap, needed_size)
        return tuple(found[number] for number in range(len(figure.parts))), share

    def narrow_down(self) -> None:
        """Keep the arrangements that give the parts most of what they need."""
        figure = self._figure
        needed_size = self._needed_size(figure, 1.0)

        def lacking(choice: Arrangement) -> float:
            return -best_boxes([choice], figure.parts_box(), figure.gap, needed_size)[1]

        self._choices = sorted(self._choices, key=lacking)[:KEPT]

    def _needed_size(self, figure: Figure, factor: float) -> NeededSize:
        unit = self._unit * factor

        def needed_size(number: int, width: float, height: float) -> tuple[float, float]:
            part = figure.parts[number]
            head = figure.part_title_height(part)
            room = max(1.0, height - head)
            if isinstance(part, PlanePart):
                across, up = part.needed_size(width, room, figure.page, figure.drawing.scale)
                return across, up + head
            across, up = self._sizes.needed_size(number - self._planes, width / unit, room / unit)
            return unit * across, unit * up + head

        return needed_size

    def sides_for(self, settings: FigureSettings) -> tuple[Length, Length] | None:
        """Return the sides of a page on which all parts have the room they need, or None."""
        for across in WIDER:
            low, high = MIN_HEIGHT, MAX_HEIGHT
            if not self._fits(_longer(settings, across, high)):
                continue
            while high - low > 0.1:
                middle = 0.5 * (low + high)
                if self._fits(_longer(settings, across, middle)):
                    high = middle
                else:
                    low = middle
            return _longer(settings, across, high)
        return None

    def _fits(self, sides: tuple[Length, Length]) -> bool:
        try:
            return self.boxes_on(page_of(*sides), 1.0)[1] >= 1.0
        except BadInput:
            return False


def _longer(settings: FigureSettings, across: float, up: float) -> tuple[Length, Length]:
    """Return the sides of a figure, multiplied by factors and rounded up to whole units."""
    width, height = settings.width, settings.height
    if across != 1.0:
        width = Length(math.ceil(across * width.value), width.unit)
    return width, Length(math.ceil(up * height.value), height.unit)


def _note(figure: Figure, factor: float, sides: tuple[Length, Length] | None) -> str:
    """Return the sentence on panels that are too small."""
    points = figure.drawing.scale * AXIS_TYPE / figure.page.dpi * POINTS_PER_INCH
    smaller = f"the type of the panels has {factor * points:.2g} pt instead of {points:.2g} pt"
    if sides is None:
        return f"There is too little room: {smaller}."
    size = " × ".join(f"{side.value:g} {side.unit}" for side in sides)
    return f"There is too little room: {smaller}; with {size} all would fit."


def cut_to_rows(panel: QWidget) -> str:
    """Make the table of a panel end with a whole row; return which of its rows are shown."""
    for table in panel.findChildren(QTableView):
        row, total = table.verticalHeader().defaultSectionSize(), table.model().rowCount()
        head = table.horizontalHeader().height() + 2
        shown = min(total, max(1, (table.height() - head) // row))
        table.setMaximumHeight(head + shown * row)
        QApplication.sendPostedEvents()
        if shown < total:
            return f"1 to {shown:,} of {total:,}"
    return ""
