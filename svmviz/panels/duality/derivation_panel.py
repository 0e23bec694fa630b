"""The Derivation panel: a derivation, line by line, with the numbers of the step shown."""

from __future__ import annotations

import html
from typing import Any

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QPushButton, QScrollArea

from svmviz.base.notation import rich
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.lessons.derivations import (
    Derivation,
    DerivationLine,
    ShownDerivation,
    derivations,
    show,
)
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.theme import TEXT, look_of
from svmviz.widgets.column import Column
from svmviz.widgets.formula import RELATIVE_SIZE, FormulaView
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.latex_lines import pack_lines
from svmviz.widgets.plain_text import Label, MutedLabel, RichLabel, set_tip

# Numbers that change sooner than this, ms, cannot be read, and are not typeset.
TYPESET_DELAY = 120
# Width of the bar beside the line that is read, px at scale 1.
BAR = 3


class DerivationPanel(FramePanel):
    """A derivation of :mod:`svmviz.lessons.derivations`, up to the line that is read.

    Parameters
    ----------
    stage : Stage
    """

    name = "derivation"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, gap=3.0, margin=3.0)
        self.shown: ShownDerivation | None = None
        self.choice = self.add(ChoiceBox("", [(d.name, d.title) for d in derivations().values()]))
        self.choice.combo.setAccessibleName("Derivation")
        self.choice.chosen.connect(stage.reading.choose)
        # In an exported figure the choice is hidden, so a title names the derivation.
        self.title = self.add(Label(role="section", wraps=True))
        self.aim = self.add(MutedLabel())
        self.panels = self.add(RichLabel(wraps=True))
        self.panels.linkActivated.connect(stage.reading.panel_requested)
        self.trouble = self.add(MutedLabel())
        self.lines: list[LineView] = []
        self._buttons = self.add(Column(gap=2.0, across=True))
        self.back = self._buttons.add(QPushButton("Back"))
        self.on = self._buttons.add(QPushButton("Next line"))
        self._buttons.box.addStretch(1)
        self.box.addStretch(1)
        set_tip(self.on, "The Right key does the same, and goes on to the next step at the end.")
        self.back.clicked.connect(lambda: self._go(-1))
        self.on.clicked.connect(lambda: self._go(1))
        # Where the buttons were when one of them was clicked; None if a key went on.
        self._button_height: int | None = None
        self._is_clicked = False
        stage.reading.changed.connect(self._on_reading)
        self._derivation = stage.reading.derivation
        # Whether the line that is read is new, and its formulas are not typeset yet.
        self._is_arriving = False
        self._fill()

    def make_study(self) -> Study:
        return DerivationStudy(self.stage.reading.derivation)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        result = study if isinstance(study, ShownDerivation) else None
        is_current = result is not None and result.derivation is self._derivation
        self.shown = result if is_current else None
        self._show_panels()
        self._show_numbers()

    def apply_style(self) -> None:
        self._show_numbers()

    def _on_reading(self) -> None:
        if self.stage.reading.derivation is not self._derivation:
            self._fill()
            self.renew_study()
        self._show_numbers()
        self._is_arriving = True
        if not self._is_clicked:
            self._button_height = None
        if self.isVisible():
            # Scroll later, when the layout has placed the new line.
            QTimer.singleShot(0, self, self._bring_into_sight)

    def _fill(self) -> None:
        self._derivation = derivation = self.stage.reading.derivation
        self.shown = None
        self.choice.set_value(derivation.name)
        self.title.setText(derivation.title)
        self.title.setVisible(look_of(self).printing)
        self.aim.setText(derivation.aim)
        for view in self.lines:
            self.box.removeWidget(view)
            view.hide()
            view.deleteLater()
        self.lines = []
        for index, line in enumerate(derivation.lines):
            view = LineView(line)
            view.clicked.connect(lambda index=index: self.stage.reading.go_to(index))
            self.box.insertWidget(self.box.indexOf(self._buttons), view)
            self.lines.append(view)

    def _show_panels(self) -> None:
        """Show links to the panels that the derivation concerns, if they suit the document."""
        titles = self.stage.reading.panel_titles()
        names = [page.removeprefix("panel:") for page in self._derivation.concerns]
        links = [
            f"<a href='{name}'>{html.escape(titles[name])}</a>" for name in names if name in titles
        ]
        self.panels.setVisible(bool(links))
        self.panels.setText(f"See it in: {', '.join(links)}")

    def _show_numbers(self) -> None:
        """Show the lines up to the one that is read, and light the points of that line."""
        last, shown = self.stage.reading.line, self.shown
        width = self._width_of_text()
        for index, view in enumerate(self.lines):
            view.setVisible(index <= last)
            view.set_read(index == last)
            numbers = shown.lines[index] if shown and shown.lines else None
            view.fit(width, numbers.numbers if numbers else "", numbers and numbers.holds)
        self.trouble.say(shown.trouble if shown else "")
        self.back.setEnabled(last > 0)
        self.on.setEnabled(last < len(self.lines) - 1)
        lit = shown.lines[last].lit if shown and shown.lines and self.isVisible() else ()
        self.stage.spotlight.name_points(self.name, lit)

    def _width_of_text(self) -> float:
        """Return the width for formulas, in units of their type size."""
        look = look_of(self)
        margins = self.box.contentsMargins()
        room = self.width() - margins.left() - margins.right() - look.metrics.px(4 * BAR)
        return room / (RELATIVE_SIZE * look.metrics.px(TEXT))

    def _area(self) -> QScrollArea | None:
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        return area

    def _bring_into_sight(self) -> None:
        view = self.lines[self.stage.reading.line]
        # Until its formulas are typeset the line grows, and would not be seen as a whole.
        self._is_arriving = self._is_arriving and not view.is_ready
        area = self._area()
        if area is not None:
            self.box.activate()
            if self._button_height is None:
                area.ensureWidgetVisible(self._buttons, 0, 4)
                area.ensureWidgetVisible(view, 0, 4)
                return
            # The button that was clicked stays under the mouse, so that nothing else gets there.
            bar, height = area.verticalScrollBar(), self._height_in(area)
            bar.setValue(bar.value() + height - self._button_height)

    def _height_in(self, area: QScrollArea) -> int:
        """Return how far below the top of an area the buttons are, px."""
        return self._buttons.mapTo(area.viewport(), QPoint()).y()

    def _go(self, direction: int) -> None:
        """Go to the next line, or back, by a click."""
        area = self._area()
        self._button_height = self._height_in(area) if area is not None else None
        self._is_clicked = True
        self.stage.reading.go(direction)
        self._is_clicked = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_arriving:
            QTimer.singleShot(0, self, self._bring_into_sight)

    def showEvent(self, event: QShowEvent) -> None:
        self.stage.reading.is_open = True
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.stage.reading.is_open = False
        self.stage.spotlight.name_points(self.name, ())


class DerivationStudy:
    """The numbers of all lines of a derivation."""

    def __init__(self, derivation: Derivation) -> None:
        self._derivation = derivation

    def __call__(self, frame: Frame, runs: object) -> ShownDerivation:
        return show(self._derivation, frame)


class LineView(Column):
    """One line: the formula in letters, the same with numbers, and the sentence.

    Parameters
    ----------
    line : Line

    Signals
    -------
    clicked()
    """

    clicked = Signal()

    def __init__(self, line: DerivationLine) -> None:
        super().__init__(gap=1.0)
        self._line = line
        self._is_read = False
        self.letters = self.add(FormulaView(fits_content=True))
        self.numbers = self.add(FormulaView(delay=TYPESET_DELAY, fits_content=True))
        self.sentence = self.add(RichLabel(rich(line.sentence), wraps=True))
        self.follow_style(LineView._leave_room)

    def fit(self, width: float, numbers: str, holds: bool | None) -> None:
        """Break the formulas for a width, in units of their type size, and show the numbers.

        ``holds`` is whether the claim of the line holds at the step shown.
        """
        self.letters.set_lines(pack_lines(self._line.letters, width))
        mark = r"\;\;\checkmark" if holds else ""
        self.numbers.set_lines(pack_lines(numbers + mark, width) if numbers else ())
        self.numbers.setVisible(bool(numbers))

    @property
    def is_ready(self) -> bool:
        """Whether the formulas are typeset."""
        return self.letters.is_ready and self.numbers.is_ready

    def set_read(self, is_read: bool) -> None:
        """Put a bar beside the line that is read."""
        if is_read != self._is_read:
            self._is_read = is_read
            self.update()

    def _leave_room(self) -> None:
        self.box.setContentsMargins(look_of(self).metrics.px(4 * BAR), 0, 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        look = look_of(self)
        if self._is_read:
            with QPainter(self) as painter:
                bar = QRect(0, 0, look.metrics.px(BAR), self.height())
                painter.fillRect(bar, QColor(look.theme.accent))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()
