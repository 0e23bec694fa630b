"""Fitting panels into the boxes of a figure, with the requested type size if there is room."""

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
from svmviz.export.page import AXIS_TYPE, POINTS_PER_INCH, FigureSize, Length, page_of
from svmviz.theme import active
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.still_text import StillLabel, StillText

# Widgets that the user clicks or types into. They are hidden in figures.
CONTROLS = (
    ChoiceBox, QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit,
    Segmented, SettingsForm,
)  # fmt: skip
# A table must be high enough for this number of rows, or for all its rows if they are fewer.
MIN_ROWS = 6
# Panels are measured only at widths and heights that are multiples of this, px, so that one
# measurement serves for several boxes.
SIZE_STEP = 6
# If the panels do not fit, their type size is multiplied by the largest factor at which they fit,
# but at least by MIN_FACTOR. The factor is found by this number of bisections.
MIN_FACTOR, BISECTIONS = 0.2, 5
# If the panels do not fit, a page is proposed on which they do. Maximum number of arrangements of
# the parts that are tried on each size of the page.
MAX_ARRANGEMENTS = 3
# The size of the proposed page: range of the factor on the height, which may be below 1 if the page
# is wider, and factors on the width in the order in which they are tried.
MIN_HEIGHT_FACTOR, MAX_HEIGHT_FACTOR, WIDTH_FACTORS = 0.3, 4.0, (1.0, 1.4, 2.0, 2.8)


class PanelSizes:
    """The sizes that panels need, measured by resizing the panels.

    Parameters
    ----------
    panels : list of QWidget
    settle : callable()
        Waits until the panels have their final contents in their new sizes.
    """

    def __init__(self, panels: list[QWidget], settle: Callable[[], None]) -> None:
        self._panels, self._settle = panels, settle
        self._measured: dict[tuple[int, int, int], tuple[float, float]] = {}

    def needed_size(self, number: int, width: float, height: float) -> tuple[float, float]:
        """Return the width and the height that a panel needs in a box.

        All sizes are in px of the panel, which are not px of the page.

        Parameters
        ----------
        number : int
            Index of the panel.
        width, height : float
            Size of the box. Since text wraps, a panel needs more height in a narrower box.
        """
        # The size is rounded down, so that the panel is never measured in a larger box.
        width, height = (
            max(SIZE_STEP, SIZE_STEP * int(side / SIZE_STEP)) for side in (width, height)
        )
        key = (number, width, height)
        if key not in self._measured:
            panel = self._panels[number]
            panel.resize(width, height)
            self._settle()
            self._measured[key] = needed_by(panel)
        return self._measured[key]


def needed_by(panel: QWidget) -> tuple[float, float]:
    """Return the width and the height that a panel needs at its present size, px."""
    minimum = panel.minimumSizeHint()
    width, height = minimum.width(), minimum.height()
    layout = panel.layout()
    if layout is not None and layout.hasHeightForWidth():
        # Sentences wrap into more lines than the minimum size counts.
        height = max(height, layout.minimumHeightForWidth(panel.width()))
    for label in panel.findChildren(StillLabel):
        # A label must not be cut off on paper, where no tooltip shows the rest.
        if label.isVisible() and not isinstance(label, StillText):
            width = max(width, label.sizeHint().width() + panel.width() - label.width())
    for table in panel.findChildren(QTableView):
        head = table.horizontalHeader()
        row_count = min(MIN_ROWS, table.model().rowCount())
        table_height = head.height() + row_count * table.verticalHeader().defaultSectionSize()
        # The frame of the table is 1 px wide on each side.
        width = max(width, head.length() + 2 + panel.width() - table.width())
        height = max(height, table_height + 2 + panel.height() - table.height())
    return width, height


def prepare(panel: QWidget) -> None:
    """Show a panel off screen, without controls and scroll bars."""
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
    """Hide the controls and scroll bars of a panel; call it again after each frame.

    A frame may show controls, such as those for another method.
    """
    for child in panel.findChildren(QWidget):
        if isinstance(child, CONTROLS) and not child.isHidden():
            child.hide()
        elif isinstance(child, QAbstractScrollArea):
            always_off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            child.setHorizontalScrollBarPolicy(always_off)
            child.setVerticalScrollBarPolicy(always_off)


def lay_out_again(panels: list[QWidget]) -> None:
    """Lay panels out now, without waiting for events."""
    for panel in panels:
        hide_controls(panel)
    # The new layout of a widget may change the size that another widget needs, so repeat this.
    for _ in range(3):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)


def fitted(figure: Figure, settings: FigureSettings, sizes: PanelSizes) -> tuple[Figure, float]:
    """Return the figure with a box for each part, and the factor on the type size of the panels.

    The factor is 1 if all parts fit into their boxes. Otherwise it is about the largest factor at
    which all parts fit, but at least ``MIN_FACTOR``.

    Returns
    -------
    figure : Figure
        If the factor is below 1, the ``note`` of the figure says so.
    factor : float
    """
    layout = _Layout(figure, sizes)
    boxes, share = layout.boxes_on(figure.page, 1.0)
    if share >= 1.0:
        return replace(figure, boxes=boxes), 1.0
    low, high = MIN_FACTOR, 1.0
    boxes, _ = layout.boxes_on(figure.page, low)
    for _ in range(BISECTIONS):
        middle = math.sqrt(low * high)
        larger_boxes, share = layout.boxes_on(figure.page, middle)
        if share >= 1.0:
            low, boxes = middle, larger_boxes
        else:
            high = middle
    layout.drop_poor_arrangements()
    note = _note(figure, low, layout.sides_for(settings))
    return replace(figure, boxes=boxes, note=note), low


class _Layout:
    """The layout of a figure: the sizes that its parts need, and the boxes that they get."""

    def __init__(self, figure: Figure, sizes: PanelSizes) -> None:
        self._figure, self._sizes = figure, sizes
        # Number of px of the page per px of a panel whose type has the requested size.
        self._unit = figure.drawing.scale / active().metrics.scale
        # Number of planes; they are the first parts of the figure.
        self._planes = sum(isinstance(part, PlanePart) for part in figure.parts)
        self._arrangements = figure.choices()

    def boxes_on(self, page: FigureSize, factor: float) -> tuple[tuple[Box, ...], float]:
        """Return the boxes on a page, and their :func:`share_of_needs`, 1 if all parts fit.

        ``factor`` is the factor on the type size of the panels.
        """
        figure = replace(self._figure, page=page)
        needed_size = self._needed_size(figure, factor)
        box_of, share = best_boxes(self._arrangements, figure.parts_box(), figure.gap, needed_size)
        return tuple(box_of[number] for number in range(len(figure.parts))), share

    def drop_poor_arrangements(self) -> None:
        """Keep only the ``MAX_ARRANGEMENTS`` arrangements in which the parts fit best.

        Every arrangement is tried on each page size of :meth:`sides_for`, which takes time.
        """
        figure = self._figure
        needed_size = self._needed_size(figure, 1.0)

        def negative_share(arrangement: Arrangement) -> float:
            return -best_boxes([arrangement], figure.parts_box(), figure.gap, needed_size)[1]

        self._arrangements = sorted(self._arrangements, key=negative_share)[:MAX_ARRANGEMENTS]

    def _needed_size(self, figure: Figure, factor: float) -> NeededSize:
        # The function returned is in px of the page, `PanelSizes.needed_size` in px of a panel.
        # One px of a panel is `unit` px of the page.
        unit = self._unit * factor

        def needed_size(number: int, width: float, height: float) -> tuple[float, float]:
            part = figure.parts[number]
            title_height = figure.part_title_height(part)
            body_height = max(1.0, height - title_height)
            if isinstance(part, PlanePart):
                needed_width, needed_height = part.needed_size(
                    width, body_height, figure.page, figure.drawing.scale
                )
                return needed_width, needed_height + title_height
            needed_width, needed_height = self._sizes.needed_size(
                number - self._planes, width / unit, body_height / unit
            )
            return unit * needed_width, unit * needed_height + title_height

        return needed_size

    def sides_for(self, settings: FigureSettings) -> tuple[Length, Length] | None:
        """Return width and height of a page on which all parts fit, or None if none is found."""
        for width_factor in WIDTH_FACTORS:
            low, high = MIN_HEIGHT_FACTOR, MAX_HEIGHT_FACTOR
            if not self._fits(_enlarged_sides(settings, width_factor, high)):
                continue
            while high - low > 0.1:
                height_factor = 0.5 * (low + high)
                if self._fits(_enlarged_sides(settings, width_factor, height_factor)):
                    high = height_factor
                else:
                    low = height_factor
            return _enlarged_sides(settings, width_factor, high)
        return None

    def _fits(self, sides: tuple[Length, Length]) -> bool:
        try:
            return self.boxes_on(page_of(*sides), 1.0)[1] >= 1.0
        except BadInput:
            return False


def _enlarged_sides(
    settings: FigureSettings, width_factor: float, height_factor: float
) -> tuple[Length, Length]:
    """Return the width and the height of a figure, multiplied by factors.

    The results are rounded up to whole units. A width whose factor is 1 is not rounded.
    """
    width, height = settings.width, settings.height
    if width_factor != 1.0:
        width = Length(math.ceil(width_factor * width.value), width.unit)
    return width, Length(math.ceil(height_factor * height.value), height.unit)


def _note(figure: Figure, factor: float, sides: tuple[Length, Length] | None) -> str:
    """Return a sentence: by how much the type size is reduced, and which page is large enough."""
    points = figure.drawing.scale * AXIS_TYPE / figure.page.dpi * POINTS_PER_INCH
    small_text = f"the text of the panels has {factor * points:.2g} pt instead of {points:.2g} pt"
    if sides is None:
        return f"There is too little room: {small_text}."
    size = " × ".join(f"{side.value:g} {side.unit}" for side in sides)
    return f"There is too little room: {small_text}; in a figure of {size} all would fit."


def cut_to_rows(panel: QWidget) -> str:
    """Make the table of a panel, if it has one, end with a whole row.

    Return the range of the rows shown, such as "1 to 12 of 50"; empty if no row is cut off.
    """
    for table in panel.findChildren(QTableView):
        row_height = table.verticalHeader().defaultSectionSize()
        row_count = table.model().rowCount()
        head_height = table.horizontalHeader().height() + 2
        shown_rows = min(row_count, max(1, (table.height() - head_height) // row_height))
        table.setMaximumHeight(head_height + shown_rows * row_height)
        QApplication.sendPostedEvents()
        if shown_rows < row_count:
            return f"1 to {shown_rows:,} of {row_count:,}"
    return ""
