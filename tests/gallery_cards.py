"""The cards of the gallery."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
)

from svmviz.theme import active
from svmviz.theme.icons import icon, names
from svmviz.widgets.badge import Badge, BadgeState
from svmviz.widgets.card import FoldingCard
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.table import TableView
from svmviz.widgets.value_rows import KeyValue


def row(*widgets: QWidget) -> QWidget:
    """Return widgets side by side."""
    return _box(QBoxLayout.Direction.LeftToRight, widgets)


def column(*widgets: QWidget) -> QWidget:
    """Return widgets below each other."""
    return _box(QBoxLayout.Direction.TopToBottom, widgets)


def _box(direction: QBoxLayout.Direction, widgets: tuple[QWidget, ...]) -> QWidget:
    holder = QWidget()
    layout = QBoxLayout(direction, holder)
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


def icons_card() -> FoldingCard:
    """All icons with their names."""
    card, holder = FoldingCard("Icons"), QWidget()
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


def text_card() -> FoldingCard:
    """The type scale, Greek, figures, badges."""
    card = FoldingCard("Type and badges")
    card.add(label("Display 0.0421", "display"))
    card.add(label("Title: choose a data set", "title"))
    said = "Step 231: pair (7, 31). Point 7 stops at C; the dual rises by 0.042."
    card.add(label(said, "narrator"))
    card.add(label("Body: α β λ ξ γ ε η κ σ ₁ ₂ ᵢ ⱼ ² ⁻¹ ≤ ≥ − × ‖w‖ ∑ ∞ → ≈"))
    card.add(label("Muted body text", "muted"))
    card.add(label("Caption: axis ticks −1.5  0  1.5", "caption"))
    card.add(label("gamma must be above 0, got −1", "error"))
    card.add(row(Badge("optimal", BadgeState.GOOD), Badge("step limit", BadgeState.WARN)))
    card.add(row(Badge("running", BadgeState.BUSY), Badge("no data")))
    return card


def buttons_card() -> FoldingCard:
    """Buttons in all states."""
    card = FoldingCard("Buttons and choices")
    card.add(
        row(
            state(QPushButton("Generate"), role="primary"),
            QPushButton(icon("open"), "Open…"),
            QPushButton("Clear"),
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
    card.add(Segmented([("sun", "Light"), ("moon", "Dark")]))
    return card


def fields_card() -> FoldingCard:
    """Fields."""
    card = FoldingCard("Fields")
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


def settings_card() -> FoldingCard:
    """What the panel at the right is made of."""
    card = FoldingCard("Penalty and kernel")
    penalties = Track(1e-2, 1e4, endless=True)
    hard = ValueSlider("C", penalties, 1.0, infinity="∞ hard margin", tip="Penalty of slack")
    soft = ValueSlider("C", penalties, 1.0, infinity="∞ hard margin")
    hard.set_value(float("inf"))
    soft.set_value(37.5)
    card.add(soft)
    card.add(hard)
    gamma = ValueSlider("Kernel width γ", Track(1e-3, 1e3), 1.0)
    gamma.set_value(0.125)
    card.add(gamma)
    card.add(ValueSlider("Batch size", Track(1, 1000, whole=True), 10, unit="points"))
    off = ValueSlider("Degree", Track(1, 10, whole=True), 3)
    off.setEnabled(False)
    card.add(off)
    pairs = KeyValue([("P", "Primal"), ("D", "Dual"), ("gap", "Duality gap")])
    pairs.set_values({"P": "14.2210", "D": "−3.1187", "gap": "1.2e−5"})
    card.add(pairs)
    return card


def table_card() -> FoldingCard:
    """A table."""
    card = FoldingCard("Points")
    model = QStandardItemModel(4, 3)
    model.setHorizontalHeaderLabels(["x₁", "x₂", "α"])
    for k in range(12):
        model.setItem(k // 3, k % 3, QStandardItem(f"{(k * 37 % 11) / 3 - 1:.3f}"))
    table = TableView()
    model.setParent(table)
    table.setModel(model)
    table.selectRow(1)
    table.setAlternatingRowColors(True)
    card.add(table)
    return card


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
