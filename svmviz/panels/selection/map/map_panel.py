"""The Map panel: the risks of a grid of models over two parameters, and their boundaries."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QCheckBox

from solvers import BadInput
from svmviz.document.document import Document
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.search_bar import SearchBar
from svmviz.panels.selection.cell_words import cell_words, notes_words
from svmviz.panels.selection.map.axis_form import NONE, AxisForm
from svmviz.panels.selection.map.layers import LAYERS
from svmviz.panels.selection.map.map_view import MapPicture, MapScale, MapView
from svmviz.panels.selection.map.thumbnail import HoverCard, Thumbnail
from svmviz.panels.selection.plan_form import PlanForm
from svmviz.selection.axes import axes_of, value_of, with_values
from svmviz.selection.background_search import State
from svmviz.selection.map_model import MapSettings, map_of
from svmviz.selection.plan import MAX_EXPORT_EFFORT, TOO_LONG
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.card import FoldingCard
from svmviz.widgets.charts.spread_chart import SpreadChart, SpreadCurve
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.plain_text import ErrorLabel, set_tip
from svmviz.widgets.still_text import StillText

INVITATION = (
    "Search estimates the risk of each pair of parameters; cells fill as results come. Point at a "
    "cell to see its boundary, click to use its parameters."
)
TIP = "Estimate the risk of all cells; results of an earlier search are used again."
# If the panel is wider than this, px at scale 1, the picture of a cell and the curve are beside the
# map; otherwise below it.
MIN_WIDTH_BESIDE = 560


class MapPanel(FramePanel):
    """The map, one cell in words and as a picture, the risks along one axis, and the settings.

    Parameters
    ----------
    stage : Stage
    """

    name = "map"
    may_stack = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.model = map_of(stage.session, stage.searches)
        self._drawn_key: object = None
        self._hovered_cell: int | None = None
        # The document of each cell whose picture was shown. The thumbnail caches pictures by the
        # identity of the document, so the same object must be used again.
        self._documents: dict[int, Document] = {}
        self._shown_document: Document | None = None
        self.bar = self.add(SearchBar(self.model.search, "Search", TIP))
        self.bar.started.connect(self._start)
        self.error_label = self.add(ErrorLabel())
        self._beside = self.add(Column(gap=2.0, across=True), 1)
        self._make_map()
        self._make_pictures()
        self._make_settings()
        self.model.changed.connect(self._on_model)

    def _make_map(self) -> None:
        """Make the cells, and the choice of the quantity that their colours show."""
        left = self._beside.add(Column(gap=1.0), 3)
        layers = [(layer.name, layer.label, layer.tip) for layer in LAYERS.values()]
        self.layer = left.add(ChoiceBox("Colours", layers))
        self.numbers = self.bar.add_beside(QCheckBox("Numbers"))
        set_tip(self.numbers, "Write the numbers into the cells, if there is room for them.")
        self.scale = left.add(MapScale())
        self.map = left.add(MapView(), 1)
        self.reading = left.add(StillText(lines=3))
        self.share_choice("layer", self.layer, lambda _layer: self._refresh())
        self.numbers.clicked.connect(self._refresh)
        self.map.pointed.connect(self._on_pointed)
        self.map.chosen.connect(self.model.load)

    def _make_pictures(self) -> None:
        """Make the picture of the boundary of a cell, and the curve of the risks along one axis."""
        right = self._pictures = self._beside.add(Column(gap=1.0), 2)
        self.thumbnail = right.add(Thumbnail(self.stage.searches.make()), 2)
        set_tip(self.thumbnail, "The boundary of the cell, trained on all training points.")
        self.hover_card = HoverCard(self)
        self.thumbnail.pictured.connect(self._show_hover_card)
        self.along = right.add(Segmented([("x", "Along C"), ("y", "Along γ")]))
        self.share_choice("along", self.along, lambda _axis: self._refresh())
        self.chart = right.add(SpreadChart("", "risk", height=200.0), 2)
        self.notes = self.add(StillText(lines=2))

    def _make_settings(self) -> None:
        """Make the form of axes and procedure."""
        self.card = self.add(FoldingCard("What is searched"))
        self.setting_forms.append(self.card)
        self.across = AxisForm("Across")
        self.up = AxisForm("Up", optional=True)
        self.plan = PlanForm()
        for form in (self.across, self.up, self.plan):
            self.card.add(form)
            form.changed.connect(self._on_typed)
        self.across.chosen.connect(lambda name: self._choose(name, None))
        self.up.chosen.connect(lambda name: self._choose(None, name))

    # Settings.

    def _choose(self, x: str | None, y: str | None) -> None:
        """Put other parameters on the axes; None leaves an axis as it is.

        ``x`` and ``y`` are names of parameters; ``y`` may be NONE.
        """
        settings, parameters = self.model.settings, axes_of(self.stage.session.document)
        across, up = settings.x, settings.y
        if x is not None:
            across = parameters[x]
        if y is not None:
            up = None if y == NONE else parameters[y]
        self.error_label.say("")
        self.model.set_settings(MapSettings(across, up, settings.plan))

    def _on_typed(self) -> None:
        """Read the settings from the form, or show why they are not valid."""
        self.error_label.attempt(self._keep_settings)

    def _keep_settings(self) -> None:
        """Search with the settings of the form from now on; raise BadInput if one is not valid."""
        across = self.across.read()
        assert across is not None
        self.model.set_settings(MapSettings(across, self.up.read(), self.plan.read()))

    def _start(self) -> None:
        """Begin the search, or show why it cannot begin."""
        attempt = self.error_label.attempt
        if attempt(self._keep_settings) and attempt(self.model.start):
            self.card.fold(True)

    # Display.

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        # The panel shows the document, not the step. Nothing changes from step to step.
        key = self.stage.session.document, self.size(), look_of(self)
        if key != self._drawn_key:
            self._drawn_key = key
            self._beside.lay_across(self.width() > look_of(self).metrics.px(MIN_WIDTH_BESIDE))
            self._show_settings()
            self._refresh()
        if look_of(self).printing:
            self.bar.hide()
            self.card.hide()
            if self.model.result_settings is None:
                self._start_for_figure()

    @property
    def is_busy(self) -> bool:
        """Whether results or a picture are still being computed."""
        return self.model.search.is_active or self.thumbnail.is_busy

    def _start_for_figure(self) -> None:
        """Start the search for an exported figure, unless it would take too long."""
        rows, columns = self.model.settings.shape
        n = self.stage.session.document.n
        if self.model.settings.plan.fits(n, rows * columns) * n > MAX_EXPORT_EFFORT:
            self.reading.setText(TOO_LONG)
        elif not self.error_label.text():
            self._start()

    def _on_model(self) -> None:
        if not self.isVisible():
            return
        self._show_settings()
        self._refresh()

    def _show_settings(self) -> None:
        document, settings = self.stage.session.document, self.model.settings
        parameters = axes_of(document)
        self.across.show_axis(settings.x, parameters, settings.y.name if settings.y else "")
        self.up.show_axis(settings.y, parameters, settings.x.name)
        self.plan.show_plan(settings.plan, document.task)

    def _refresh(self) -> None:
        """Show the cells of the last search, and one of them in words and pictures."""
        model, shown = self.model, self.model.result_settings
        if model.document is not self._shown_document:
            self._shown_document, self._hovered_cell, self._documents = model.document, None, {}
            self.thumbnail.forget()
        if model.search.state is State.FAILED:
            self.error_label.say(model.search.trouble)
        if shown is None or model.document is None:
            self.reading.setText(INVITATION)
            self._pictures.hide()
            self.notes.hide()
            self.map.hide()
            self.scale.hide()
            return
        self.map.show()
        self.scale.show()
        self._pictures.show()
        stale = model.is_stale
        here = None if stale else model.position_of(self.stage.session.document)
        best = None if stale else model.best
        quantity = f"{model.risk_label} {self.layer.value}" if self.layer.value != "support" else ""
        under = None if stale else self._hovered_cell
        picture = MapPicture(
            shown,
            model.cells,
            self.layer.value,
            self.numbers.isChecked(),
            model.is_fraction,
            quantity or "support vectors",
            best,
            here,
            under,
            stale,
        )
        self.map.show_picture(picture)
        self.scale.show_picture(picture)
        self._show_cell(under, best, stale)
        self.notes.setVisible(not stale and model.search.n_arrived > 0)
        if not stale:
            self.notes.setText(notes_words(model))

    def _show_cell(self, under: int | None, best: int | None, stale: bool) -> None:
        """Show one cell in words, its boundary, and the curve through it.

        Parameters
        ----------
        under, best : int or None
            The cell under the mouse, and the one with the lowest risk, which is shown if there is
            no cell under the mouse.
        stale : bool
            Whether points or model have changed since the cells were computed.
        """
        self._pictures.setVisible(not stale)
        if stale:
            self.reading.setText(
                "Points or model have changed since this map was filled. Search again."
            )
            return
        cell = best if under is None else under
        beginning = self._sentence_beginning(under, best)
        words = "" if cell is None else cell_words(self.model, cell, beginning)
        self.reading.setText(words or "Cells fill as results come.")
        self._show_curve(cell)
        # While the map is being computed, the best cell changes too often to show its picture.
        if under is not None or not self.model.search.is_active:
            self.thumbnail.show_document(self._document_of(cell))

    def _sentence_beginning(self, under: int | None, best: int | None) -> str:
        """Return the beginning of the sentence on the cell shown; empty if it is not the best cell.

        For ``under`` and ``best`` see `_show_cell`.
        """
        if best is None or under not in (None, best):
            return ""
        risks = self.model.cells.risk
        tie_count = int((risks == risks.flat[best]).sum())
        if tie_count > 1:
            return f"{tie_count:,} cells share the lowest risk; the first: "
        return "Lowest risk: "

    def _document_of(self, cell: int | None) -> Document | None:
        """Return the document with the parameters of a cell; None if these are not allowed."""
        shown, document = self.model.result_settings, self.model.document
        if cell is None or shown is None or document is None:
            return None
        if cell not in self._documents:
            try:
                self._documents[cell] = with_values(document, shown.values(cell))
            except BadInput:
                return None
        return self._documents[cell]

    def _show_curve(self, cell: int | None) -> None:
        """Show training and validation risk in the row or column of a cell (None: first cell)."""
        model, shown = self.model, self.model.result_settings
        assert shown is not None
        rows, columns = model.cells.shape
        self.along.setVisible(rows > 1)
        for key, axis in (("x", shown.x), ("y", shown.y)):
            if axis is not None:
                self.along.button(key).setText(f"Along {axis.label}")
        row, column = divmod(cell or 0, columns)
        if self.along.value == "x" or shown.y is None:
            axis, cells_of_line = shown.x, (row, slice(None))
        else:
            axis, cells_of_line = shown.y, (slice(None), column)
        cells = model.cells
        shows_spread = shown.plan.procedure == "k-fold"
        factor = 100.0 if model.is_fraction else 1.0
        curves = [
            SpreadCurve(
                name,
                factor * mean[cells_of_line],
                factor * (spread[cells_of_line] if shows_spread else np.nan * mean[cells_of_line]),
                dashed=name == "training",
            )
            for name, mean, spread in (
                ("validation", cells.risk, cells.spread),
                ("training", cells.training, cells.training_spread),
            )
        ]
        document = self.stage.session.document
        is_marked = model.position_of(document) is not None
        risk_label = f"{model.risk_label} risk{', %' * model.is_fraction}"
        self.chart.chart.set_labels(axis.label, risk_label)
        self.chart.show_curves(
            curves,
            axis.values,
            logarithmic=axis.logarithmic,
            whole=axis.is_integer,
            marked=value_of(document, axis.name) if is_marked else None,
            mark_name="this model",
        )

    # Mouse.

    def _on_pointed(self, cell: int | None) -> None:
        if cell != self._hovered_cell and (cell is None or not self.model.is_stale):
            self._hovered_cell = cell
            self._refresh()
            self._show_hover_card()

    def _show_hover_card(self) -> None:
        """Show the cell under the mouse on a card if at most half of the thumbnail is visible."""
        thumbnail = self.thumbnail
        visible_height = thumbnail.visibleRegion().boundingRect().height()
        is_visible = 2 * visible_height > thumbnail.height()
        if self._hovered_cell is None or self.model.is_stale or is_visible:
            self.hover_card.hide()
            return
        top = self.map.mapToGlobal(self.map.rect().topLeft()).y()
        self.hover_card.show_cell(thumbnail.grab(), self.reading.text(), top)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._on_pointed(None)
