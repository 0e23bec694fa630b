"""Every widget, icon and colour on one sheet, to be looked at.

python -m tests.gallery out.png [--dark] [--scale 1.5] [--ratio 2]
"""

from __future__ import annotations

import argparse
import os
import sys

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDockWidget,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QSlider,
    QSpinBox,
    QTabWidget,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from svmviz.icons import icon, names
from svmviz.theme import DARK, LIGHT, MARKS, active, apply, font
from svmviz.widgets.badge import Badge, State
from svmviz.widgets.card import Card
from svmviz.widgets.groove import Groove
from svmviz.widgets.key_value import KeyValue
from svmviz.widgets.log_slider import LogSlider
from svmviz.widgets.segmented import Segmented
from svmviz.widgets.table import Table


class Scene(QWidget):
    """A painted stand-in for the plane: are the colours right next to each other?"""

    def sizeHint(self) -> QSize:
        scale = active().metrics.scale
        return QSize(int(460 * scale), int(300 * scale))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, scale = active().theme, active().metrics.scale
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width, height = self.width() / scale, self.height() / scale
        painter.scale(scale, scale)
        middle = width / 2
        for left, right, colour in (
            (0, middle - 70, theme.negative_field),
            (middle - 70, middle, theme.negative_band),
            (middle, middle + 70, theme.positive_band),
            (middle + 70, width, theme.positive_field),
        ):
            painter.fillRect(QRectF(left, 0, right - left, height), QColor(colour))
        painter.setPen(QPen(QColor(theme.boundary), MARKS.boundary_width))
        painter.drawLine(QPointF(middle, 0), QPointF(middle, height))
        painter.setPen(QPen(QColor(theme.margin), MARKS.margin_width))
        for x in (middle - 70, middle + 70):
            painter.drawLine(QPointF(x, 0), QPointF(x, height))
        self._points(painter, middle)

    def _points(self, painter: QPainter, middle: float) -> None:
        theme = active().theme
        points = [(1, 120, 50), (1, 160, 120), (1, 70, 200), (1, 40, 90), (1, -30, 240)]
        points += [(-1, -120, 70), (-1, -160, 160), (-1, -70, 130), (-1, -100, 250), (-1, 35, 40)]
        for sign, x, y in points:
            at = QPointF(middle + x, y)
            if abs(x) <= 70:
                self._ring(painter, at, bound=abs(x) < 70)
            if (x, y) in ((70, 200), (-70, 130)):
                self._shout(painter, at)
            if sign * x < 70:
                painter.setPen(QPen(QColor(theme.slack), MARKS.slack_width))
                painter.drawLine(at, QPointF(middle + 70 * sign, y))
            painter.setPen(
                QPen(QColor(theme.positive_edge if sign > 0 else theme.negative_edge), 1.25)
            )
            painter.setBrush(QColor(theme.positive if sign > 0 else theme.negative))
            if sign > 0:
                painter.drawEllipse(at, MARKS.point_radius, MARKS.point_radius)
            else:
                half = 0.89 * MARKS.point_radius
                painter.drawRect(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half))

    def _ring(self, painter: QPainter, at: QPointF, *, bound: bool) -> None:
        painter.setPen(QPen(QColor(active().theme.ring), MARKS.ring_width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for extra in (0.0, MARKS.ring_gap)[: 1 + bound]:
            painter.drawEllipse(at, MARKS.ring_radius + extra, MARKS.ring_radius + extra)

    def _shout(self, painter: QPainter, at: QPointF) -> None:
        theme, radius = active().theme, MARKS.highlight_radius
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in (
            (theme.highlight_halo, MARKS.highlight_halo),
            (theme.highlight, MARKS.highlight_width),
        ):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawEllipse(at, radius, radius)


def row(*widgets: QWidget) -> QWidget:
    """Widgets side by side."""
    holder = QWidget()
    layout = QHBoxLayout(holder)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(active().metrics.space(2))
    for widget in widgets:
        layout.addWidget(widget)
    layout.addStretch()
    return holder


def label(text: str, role: str = "") -> QLabel:
    """Label of a role of the style sheet."""
    made = QLabel(text)
    made.setProperty("role", role)
    made.setWordWrap(role == "narrator")
    return made


def state(widget: QWidget, **properties: object) -> QWidget:
    """Widget with properties set."""
    for name, value in properties.items():
        if name == "enabled":
            widget.setEnabled(bool(value))
        else:
            widget.setProperty(name, value)
    return widget


def icons_card() -> Card:
    """All icons with their names."""
    card, holder = Card("Icons", collapsible=False), QWidget()
    grid = QGridLayout(holder)
    grid.setSpacing(active().metrics.space(1))
    for k, name in enumerate(names()):
        button, text = QToolButton(), label(name, "caption")
        button.setIcon(icon(name))
        button.setCheckable(True)
        button.setChecked(k % 9 == 4)
        button.setEnabled(k % 9 != 7)
        grid.addWidget(button, 2 * (k // 9), k % 9, Qt.AlignmentFlag.AlignCenter)
        grid.addWidget(text, 2 * (k // 9) + 1, k % 9, Qt.AlignmentFlag.AlignCenter)
    card.add(holder)
    return card


def text_card() -> Card:
    """The type scale, Greek, figures, badges."""
    card = Card("Type and badges")
    card.add(label("Display 0.0421", "display"))
    card.add(label("Title: choose a data set", "title"))
    said = "Step 231: pair (7, 31). Point 7 stops at C; the dual rises by 0.042."
    card.add(label(said, "narrator"))
    card.add(label("Body: α β λ ξ γ ε η κ σ ₁ ₂ ᵢ ⱼ ² ⁻¹ ≤ ≥ − × ‖w‖ ∑ ∞ → ≈"))
    card.add(label("Muted body text", "muted"))
    card.add(label("Caption: axis ticks −1.5  0  1.5", "caption"))
    card.add(label("gamma must be above 0, got −1", "error"))
    card.add(row(Badge("optimal", State.GOOD), Badge("step limit", State.WARN)))
    card.add(row(Badge("gap 0.3", State.BAD), Badge("running", State.BUSY), Badge("no data")))
    return card


def buttons_card() -> Card:
    """Buttons in all states."""
    card = Card("Buttons and choices")
    card.add(
        row(
            state(QPushButton("Generate"), role="primary"),
            QPushButton(icon("open"), "Open…"),
            state(QPushButton("Clear"), role="danger"),
        )
    )
    focused = QPushButton("Disabled")
    focused.setEnabled(False)
    checked = QPushButton("Checked")
    checked.setCheckable(True)
    checked.setChecked(True)
    card.add(row(focused, checked, state(QPushButton("Primary"), role="primary", enabled=False)))
    ticked, radio, partial = QCheckBox("Show margins"), QRadioButton("RBF"), QCheckBox("Some")
    ticked.setChecked(True)
    radio.setChecked(True)
    partial.setTristate(True)
    partial.setCheckState(Qt.CheckState.PartiallyChecked)
    card.add(row(ticked, QCheckBox("Off"), partial, state(QCheckBox("No"), enabled=False)))
    card.add(row(radio, QRadioButton("Linear"), state(QRadioButton("No"), enabled=False)))
    segments = Segmented([("steps", "Steps"), ("kernel", "Evaluations"), ("time", "Time")])
    card.add(segments)
    tools = [("pointer", "", "pointer"), ("plus", "", "plus-class"), ("minus", "", "minus-class")]
    card.add(row(Segmented(tools), Segmented([("sun", "", "sun"), ("moon", "", "moon")])))
    return card


def fields_card() -> Card:
    """Fields."""
    card = Card("Fields")
    kernels = QComboBox()
    kernels.addItems(["RBF", "Polynomial"])
    spin, real = QSpinBox(), QDoubleSpinBox()
    spin.setValue(42)
    card.add(row(kernels, spin, real))
    wrong = state(QLineEdit("−1"), invalid=True)
    card.add(row(QLineEdit("two moons"), wrong))
    card.add(row(state(QLineEdit("disabled"), enabled=False), state(QSpinBox(), enabled=False)))
    bar, slider = QProgressBar(), QSlider(Qt.Orientation.Horizontal)
    bar.setValue(60)
    bar.setTextVisible(False)
    slider.setValue(40)
    card.add(slider)
    card.add(bar)
    return card


def settings_card() -> Card:
    """What the panel at the right is made of."""
    card = Card("Penalty and kernel")
    hard = LogSlider("C", 1e-2, 1e4, 1.0, infinity="∞ hard margin", tip="Penalty of slack")
    soft = LogSlider("C", 1e-2, 1e4, 1.0, infinity="∞ hard margin")
    hard.set_value(float("inf"))
    soft.set_value(37.5)
    card.add(soft)
    card.add(hard)
    gamma = LogSlider("Kernel width γ", 1e-3, 1e3, 1.0)
    gamma.set_value(0.125)
    card.add(gamma)
    card.add(LogSlider("Batch size", 1, 1000, 10, unit="points", whole=True))
    off = LogSlider("Degree", 1, 10, 3, whole=True)
    off.setEnabled(False)
    card.add(off)
    pairs = KeyValue([("P", "Primal"), ("D", "Dual"), ("gap", "Duality gap")])
    pairs.set_values({"P": "14.2210", "D": "−3.1187", "gap": "1.2e−5"})
    card.add(pairs)
    return card


def table_card() -> Card:
    """A table."""
    card = Card("Points")
    model = QStandardItemModel(4, 3)
    model.setHorizontalHeaderLabels(["x₁", "x₂", "α"])
    for k in range(12):
        model.setItem(k // 3, k % 3, QStandardItem(f"{(k * 37 % 11) / 3 - 1:.3f}"))
    table = Table()
    model.setParent(table)
    table.setModel(model)
    table.selectRow(1)
    table.setAlternatingRowColors(True)
    card.add(table)
    return card


def column(*widgets: QWidget) -> QWidget:
    """Widgets below each other."""
    holder = QWidget()
    layout = QVBoxLayout(holder)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(active().metrics.space(2))
    for widget in widgets:
        layout.addWidget(widget)
    layout.addStretch()
    return holder


def window() -> QMainWindow:
    """Main window with bars, a dock, tabs, and all cards."""
    made = QMainWindow()
    for title in ("File", "Edit", "View", "Run", "Lessons", "Help"):
        made.menuBar().addMenu(title).addAction("Nothing")
    bar = QToolBar()
    for name in ("go-start", "step-back", "play", "step-forward", "go-end"):
        bar.addAction(icon(name), name)
    bar.addSeparator()
    for name in ("undo", "redo", "sun", "projector"):
        bar.addAction(icon(name), name)
    made.addToolBar(bar)
    made.statusBar().showMessage("Ready. 120 points, 37 support vectors.")
    dock = QDockWidget("Inspector")
    dock.setWidget(settings_card())
    made.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    tabs = QTabWidget()
    tabs.addTab(column(Scene(), table_card()), "Plane")
    tabs.addTab(QWidget(), "Race")
    tabs.addTab(QWidget(), "Kernel matrix")
    centre = QWidget()
    layout = QHBoxLayout(centre)
    layout.addWidget(tabs)
    layout.addWidget(column(text_card(), fields_card()))
    layout.addWidget(column(buttons_card(), menu_picture()))
    whole = column(centre, icons_card())
    made.setCentralWidget(whole)
    return made


def menu_picture() -> QLabel:
    """A menu, open."""
    menu = QMenu()
    menu.addAction(icon("open"), "Open…").setShortcut("Ctrl+O")
    menu.addAction(icon("save"), "Save").setShortcut("Ctrl+S")
    menu.addSeparator()
    menu.addMenu("Export").addAction("PNG")
    ticked = menu.addAction("Show margins")
    ticked.setCheckable(True)
    ticked.setChecked(True)
    menu.addAction("Disabled").setEnabled(False)
    menu.setActiveAction(menu.actions()[1])
    picture = QLabel()
    menu.ensurePolished()
    menu.resize(menu.sizeHint())
    picture.setPixmap(menu.grab())
    return picture


def main() -> None:
    """Make the sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--focus", action="store_true", help="focus on the first slider")
    parser.add_argument("--ratio", default="1", help="device pixel ratio")
    options = parser.parse_args()
    os.environ["QT_SCALE_FACTOR"] = options.ratio
    app = QApplication(sys.argv[:1])
    apply(app, DARK if options.dark else LIGHT, options.scale)
    sheet = window()
    sheet.setFont(font())
    sheet.show()
    app.processEvents()
    sheet.resize(sheet.sizeHint())
    if options.focus:
        sheet.activateWindow()
        next(w for w in sheet.findChildren(Groove) if w.isEnabled()).setFocus()
        app.processEvents()
    sheet.grab().save(options.out)


if __name__ == "__main__":
    main()
