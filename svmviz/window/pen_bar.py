"""The buttons of the pen: its two colours, undo, wipe, and to put it away."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from svmviz.base.keys import key_text
from svmviz.document.pen import COLOURS
from svmviz.plane.widget import PlaneView
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.icon_button import IconButton
from svmviz.widgets.styling import StyleFollower

# Distance from the corner of the plot, and side of a button, px at scale 1.
GAP, SIDE = 8, 17


class PenBar(StyleFollower, QFrame):
    """A row of buttons in the top left corner of the plot, visible while the pen is in hand.

    Parameters
    ----------
    stage : Stage
    plane : PlaneView
    parent : QWidget
        The parent of the planes.

    Signals
    -------
    put_away()
        The pen is no longer wanted.
    """

    put_away = Signal()

    def __init__(self, stage: Stage, plane: PlaneView, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._drawing, self._plane = stage.drawing, plane
        self._row = QHBoxLayout(self)
        self.buttons = {
            **{
                colour: IconButton("pen", f"{colour.title()} (right button: the other colour)")
                for colour in COLOURS
            },
            "undo": IconButton("undo", f"Remove the last stroke ({key_text('Ctrl+Z')})"),
            "wipe": IconButton(
                "trash", f"Wipe all strokes ({key_text('Ctrl+Z')} brings them back)"
            ),
            "close": IconButton("close", f"Put the pen away ({key_text('Shift+W')})"),
        }
        for name, button in self.buttons.items():
            # The plane keeps the focus, and so its keys.
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setCheckable(name in COLOURS)
            self._row.addWidget(button)
        for colour in COLOURS:
            self.buttons[colour].clicked.connect(partial(self._choose, colour))
        self.buttons["undo"].clicked.connect(self._drawing.undo)
        self.buttons["wipe"].clicked.connect(self._drawing.wipe)
        self.buttons["close"].clicked.connect(self.put_away)
        self._drawing.changed.connect(self._show)
        self.follow_style(PenBar._apply_style)
        self.hide()

    def fit(self) -> None:
        """Show the row in its corner while the pen is in hand."""
        if self._drawing.in_hand:
            gap, camera = look_of(self).metrics.px(GAP), self._plane.camera
            self.adjustSize()
            corner = QPoint(round(camera.left) + gap, round(camera.top) + gap)
            self.move(self._plane.pos() + corner)
            self.raise_()
        self.setVisible(self._drawing.in_hand)

    def _choose(self, colour: str, _checked: bool = False) -> None:
        self._drawing.choose(colour)

    def _show(self) -> None:
        for colour in COLOURS:
            self.buttons[colour].setChecked(colour == self._drawing.colour)
        self.buttons["undo"].setEnabled(self._drawing.can_undo)
        self.buttons["wipe"].setEnabled(bool(self._drawing.strokes))
        if self.isHidden() == self._drawing.in_hand:
            self.fit()

    def _apply_style(self) -> None:
        look = look_of(self)
        side, space = round(look.metrics.px(SIDE)), look.metrics.space
        self._row.setContentsMargins(space(1), space(1), space(1), space(1))
        self._row.setSpacing(space(1))
        for button in self.buttons.values():
            button.setIconSize(QSize(side, side))
        for colour in COLOURS:
            picture = QPixmap(side, side)
            picture.fill(Qt.GlobalColor.transparent)
            with QPainter(picture) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(look.theme.series[COLOURS.index(colour)]))
                painter.drawEllipse(QPointF(0.5 * side, 0.5 * side), 0.36 * side, 0.36 * side)
            self.buttons[colour].setIcon(QIcon(picture))
        self._show()
        self.fit()
