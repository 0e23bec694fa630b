"""A table of the parts of the split: numbers of points, errors, and a badge for the test part.

The badge says whether the error on the test part is an honest estimate. It is not if the test part
was shown, or if an earlier model used its points.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from svmviz.base.words import count
from svmviz.document.held_out import PARTS, TEST, HeldOut
from svmviz.frames.part_risks import PartRisk
from svmviz.theme import look_of
from svmviz.widgets.badge import Badge, BadgeState
from svmviz.widgets.plain_text import Label
from svmviz.widgets.styling import StyleFollower

# Words on the badge of the test part, and their tooltips.
HONEST, USED, SEEN = "honest", "used", "seen"
TIPS = {
    HONEST: "No model of this document was trained on these points, chosen by them or shown with "
    "them.",
    USED: "Seen by earlier models: at least one of these points was in a training or validation "
    "part, or in a test part that was shown. Undo does not change that, and the scene file keeps "
    "it.",
    SEEN: "Someone has seen the error on these points. Undo does not change that, and the scene "
    "file keeps it.",
}
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PartTable(StyleFollower, QWidget):
    """Table with one row per part: its number of points and its error.

    A dash stands for 0 points, or for an error that is not known.
    """

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(2, 1)
        heads = [Label(words, role="muted") for words in ("part", "points", "error")]
        self.quantity = heads[2]
        for column, label in enumerate(heads):
            if column:
                label.setAlignment(RIGHT)
            self._grid.addWidget(label, 0, column)
        self.counts, self.errors = ([Label(role="section") for _ in PARTS] for _ in range(2))
        for row, name in enumerate(PARTS, start=1):
            self._grid.addWidget(Label(name.capitalize()), row, 0)
            for column, label in ((1, self.counts[row - 1]), (2, self.errors[row - 1])):
                label.setAlignment(RIGHT)
                self._grid.addWidget(label, row, column)
        self.badge = Badge(reserve=(HONEST,))
        self._grid.addWidget(self.badge, TEST + 1, 3)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.follow_style(PartTable._apply_style)

    def lay_across(self, across: bool) -> None:
        """Put the badge beside the row of the test part, or below it if not ``across``."""
        self._grid.removeWidget(self.badge)
        if across:
            self._grid.addWidget(self.badge, TEST + 1, 3)
        else:
            self._grid.addWidget(self.badge, TEST + 2, 0, 1, 3)

    def show_parts(
        self, quantity: str, counts: tuple[int, ...], risks: tuple[PartRisk, ...]
    ) -> None:
        """Show the number of points and the error of each part.

        Parameters
        ----------
        quantity : str
            Heading of the column of errors.
        counts : tuple of int
            Number of points of each part, in the order of ``PARTS``.
        risks : tuple of PartRisk
            The known errors; a part without an error has a dash.
        """
        by_part = {risk.part: risk for risk in risks}
        self.quantity.setText(quantity)
        for part in range(len(PARTS)):
            self.counts[part].setText(count(counts[part]) if counts[part] else "–")
            self.errors[part].setText(_error_words(by_part.get(part)))

    def show_badge(self, held_out: HeldOut | None) -> None:
        """Show whether the error on the test part is an honest estimate.

        Without test points the badge shows a dash, so that the table keeps its size.
        """
        state, words = BadgeState.NEUTRAL, "–"
        if held_out is not None and len(held_out.test):
            words = SEEN if held_out.seen else USED if held_out.used else HONEST
            state = BadgeState.GOOD if words == HONEST else BadgeState.WARN
        self.badge.show_state(state, words, TIPS.get(words, "There are no test points."))

    def _apply_style(self) -> None:
        space = look_of(self).metrics.space
        self._grid.setHorizontalSpacing(space(3))
        self._grid.setVerticalSpacing(space(1))


def _error_words(risk: PartRisk | None) -> str:
    """Return the error as text, with the number of wrong points if there are any."""
    if risk is None:
        return "–"
    n_wrong = f" ({count(risk.wrong)})" if risk.wrong else ""
    return f"{risk.words}{n_wrong}"
