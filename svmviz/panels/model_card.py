"""The model in numbers: the line where there is one, support vectors, cost."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from solvers import Linear
from svmviz.frame import Frame
from svmviz.panels.model_sheets import EMPTY, SHEETS, Sheet
from svmviz.stage import Stage
from svmviz.widgets.column import Column
from svmviz.widgets.key_value import KeyValue

WIDEST_PAIR, WIDEST_COUNT = "(−0.0000, −0.0000)", "10,000 of 10,000"


class ModelCard(Column):
    """Numbers of the model at the step shown, in a place of their own each.

    Parameters
    ----------
    stage : Stage
    parent : QWidget, optional
    """

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(gap=2.0, margin=3.0, parent=parent)
        self.sheet: Sheet | None = None
        # Each in turn is shown; what is above the note, and what is below it.
        self._heads = {sheet.head: KeyValue(sheet.head, WIDEST_PAIR) for sheet in SHEETS.values()}
        self._rows = {sheet.rows: KeyValue(sheet.rows, WIDEST_COUNT) for sheet in SHEETS.values()}
        for widget in self._heads.values():
            self.add(widget)
        self.units = self.add(QLabel())
        self.units.setProperty("role", "caption")
        self.units.setWordWrap(True)
        for widget in self._rows.values():
            self.add(widget)
        self.box.addStretch(1)
        self._playback = stage.playback
        stage.playback.frame_changed.connect(self._on_frame)
        self._show(stage.playback.frame)

    @property
    def head(self) -> KeyValue:
        """What is particular to the kind of model."""
        assert self.sheet is not None
        return self._heads[self.sheet.head]

    @property
    def rows(self) -> KeyValue:
        """What every model of the task has."""
        assert self.sheet is not None
        return self._rows[self.sheet.rows]

    def showEvent(self, event: QShowEvent) -> None:
        self._show(self._playback.frame)
        super().showEvent(event)

    def _on_frame(self, frame: Frame) -> None:
        # Unseen it rests: a text that changes has the whole window laid out again.
        if self.isVisible():
            self._show(frame)

    def _show(self, frame: Frame) -> None:
        straight = isinstance(frame.document.kernel, Linear)
        sheet = SHEETS[frame.document.task, straight]
        if sheet is not self.sheet:
            self._take(sheet)
        lane = frame.lane
        if lane is None:
            self.head.set_values({key: EMPTY for key, *_ in sheet.head})
            self.rows.set_values({key: EMPTY for key, *_ in sheet.rows})
            self.units.setText("")
            return
        head, note, rows = sheet.texts(frame, lane)
        self.head.set_values(head)
        self.units.setText(note)
        self.rows.set_values(rows)

    def _take(self, sheet: Sheet) -> None:
        self.sheet = sheet
        for rows, widget in {**self._heads, **self._rows}.items():
            widget.setVisible(rows in (sheet.head, sheet.rows))
