"""The choice of the clock of a race; its names are shorter if there is little room."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout

from svmviz.frames.clocks import CLOCKS
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.plain_text import set_tip

# Sets of names of the clocks, the longest names first.
NAMES = (
    {clock.name: clock.label for clock in CLOCKS.values()},
    {"steps": "Steps", "evaluations": "Values", "seconds": "Time"},
    {"steps": "Steps", "evaluations": "k", "seconds": "µs"},
)
TIPS = {
    "steps": "Compare after the same number of steps",
    "evaluations": "Compare after the same number of kernel evaluations k(x, z)",
    "seconds": "Compare after the same solving time, in microseconds (µs).\n"
    "A run below 20 ms is repeated five times; the shortest time counts.",
}


class ClockChoice(Segmented):
    """Choice of the clock by which lanes are compared: steps, kernel evaluations, solving time."""

    def __init__(self) -> None:
        # Width of this widget with each set of names, px; empty until the widths are measured.
        self._widths: list[int] = []
        super().__init__(list(NAMES[0].items()))
        # With Qt's default constraint, the widget could not become narrower than its longest names.
        self._layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        for name, tip in TIPS.items():
            set_tip(self.button(name), tip)
            self.button(name).setAccessibleName(NAMES[0][name])
        self.follow_style(ClockChoice._measure)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(max(self._widths, default=hint.width()), hint.height())

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(self._widths, default=hint.width()), hint.height())

    def _set_names(self, names: dict[str, str]) -> None:
        for key, text in names.items():
            if self.button(key).text() != text:
                self.button(key).setText(text)

    def _measure(self) -> None:
        self._widths = []
        widths = []
        for names in NAMES:
            self._set_names(names)
            widths.append(super().sizeHint().width())
        self._widths = widths
        self._fit()
        self.updateGeometry()

    def _fit(self) -> None:
        widths = zip(NAMES, self._widths, strict=True)
        fitting = [names for names, width in widths if width <= self.width()]
        self._set_names(fitting[0] if fitting else NAMES[-1])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
