"""The fields of the dialog that exports a picture: parts, format, size, colours and texts."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QWidget,
)

from solvers import BadInput
from solvers.settings import settings_of
from svmviz.document.document import Document
from svmviz.export import FORMATS
from svmviz.export.figure_settings import PLANE, FigureSettings
from svmviz.export.page import (
    AXIS_TYPE,
    POINTS_PER_INCH,
    PRESETS,
    TYPE_SIZE,
    FigureSize,
    Length,
    page_of,
)
from svmviz.panels.registry import PANELS, by_family
from svmviz.theme import active
from svmviz.widgets.inputs.number_box import NumberBox
from svmviz.widgets.plain_text import Label, add_row
from svmviz.window.files.declared_controls import DeclaredControls, number_box, real_number

# Keys of two sizes besides PRESETS: WINDOW_FACTOR times the size of the planes, and a typed size.
WINDOW, FREE = "window", "free"
WINDOW_FACTOR = 2
UNITS = ("px", "mm", "cm")
# Maximum number in the fields of width and height, in any unit. `page_of` refuses sizes that are
# too large in their unit.
MAX_LENGTH = 99_999.0
# The choices when the dialog is first used: a figure for one column of a paper.
DEFAULTS: dict[str, Any] = {"ending": ".pdf", "preset": "column"}
# Declared settings with a control, in its order.
LOOKS = (
    "theme", "field", "svg_text", "legend", "axes", "titles", "caption", "transparent",
)  # fmt: skip


class ExportForm(QWidget):
    """The fields of the dialog, from which `FigureSettings` are made.

    Parameters
    ----------
    document : Document
        Panels that do not fit the document are not in the list.
    window : (int, int, float)
        Width and height of the planes on screen, px, and their scale.
    remembered : dict
        The result of `values` when the dialog was closed last; may be empty.
    parent : QWidget, optional

    Signals
    -------
    changed()
        A field has another value.
    list_opened()
        The user has opened the list of panels.
    """

    changed = Signal()
    list_opened = Signal()

    def __init__(
        self,
        document: Document,
        window: tuple[int, int, float],
        remembered: dict[str, Any],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        # While true, changes of fields are not handled.
        self._filling = False
        self._make_contents(document)
        self._make_size()
        self._looks = DeclaredControls(FigureSettings, LOOKS, self._on_changed)
        self.theme, self.field, self.svg_text = self._looks.choices.values()
        self.switches = self._looks.switches
        self._lay_out()
        self._fill({**DEFAULTS, **remembered})

    # Fields.

    def _make_contents(self, document: Document) -> None:
        self.views = QPushButton()
        # The Return key must press the Save button.
        self.views.setAutoDefault(False)
        menu = QMenu(self.views)
        menu.aboutToShow.connect(self.list_opened)
        is_race = len(document.methods) > 1
        self._views: dict[str, QAction] = {}
        self._add_view(menu, PLANE, "Planes" if is_race else "Plane")
        for family, panels in by_family().items():
            inner = menu.addMenu(family)
            for name in (view for views in panels for view in views):
                if PANELS[name].fits(document) and (is_race or name != "race"):
                    self._add_view(inner, name, PANELS[name].title_for(document))
        self.views.setMenu(menu)
        self.format = QComboBox()
        for kind in FORMATS.values():
            self.format.addItem(kind.title, kind.ending)
        self.format.currentIndexChanged.connect(self._on_changed)
        self.title = QLineEdit()
        self.title.setPlaceholderText("none")
        self.title.textChanged.connect(self._on_changed)

    def _add_view(self, menu: QMenu, name: str, title: str) -> None:
        action = menu.addAction(title)
        action.setCheckable(True)
        action.toggled.connect(self._on_changed)
        self._views[name] = action

    def _make_size(self) -> None:
        self.preset = QComboBox()
        self.preset.addItem(f"As in the window, ×{WINDOW_FACTOR}", WINDOW)
        for key, preset in PRESETS.items():
            self.preset.addItem(preset.title, key)
        self.preset.addItem("Other", FREE)
        self.sides = tuple(NumberBox(name, 0.1, MAX_LENGTH) for name in ("Width", "Height"))
        self.unit = QComboBox()
        self.unit.addItems(UNITS)
        self.unit.setAccessibleName("Unit of width and height")
        self.type_size = number_box(settings_of(FigureSettings)["type_size"])
        self.preset.activated.connect(self._on_preset)
        for side in self.sides:
            side.valueChanged.connect(self._on_size)
        self.unit.activated.connect(self._on_size)
        self.type_size.valueChanged.connect(self._on_size)

    def _lay_out(self) -> None:
        size = QHBoxLayout()
        for widget in (self.sides[0], Label("×"), self.sides[1], self.unit, self.type_size):
            size.addWidget(widget)
        form = self._form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        add_row(form, "Show", self.views)
        add_row(form, "Format", self.format)
        add_row(form, "Size", self.preset)
        form.addRow(Label(), size)
        add_row(form, "Colours", self.theme)
        add_row(form, "Field", self.field)
        add_row(form, "Text", self.svg_text)
        add_row(form, "Title", self.title)
        switches = QGridLayout()
        switches.setVerticalSpacing(active().metrics.space(1))
        for row, switch in enumerate(self.switches.values()):
            switches.addWidget(switch, row, 0)
        form.addRow(Label(), switches)

    def hide_formats(self) -> None:
        """Hide the fields that only files need: the format, and how it holds text."""
        self.format.setCurrentIndex(self.format.findData(".pdf"))
        for row in (self.format, self.svg_text):
            self._form.setRowVisible(row, False)

    # Values.

    @property
    def ending(self) -> str:
        """Ending of the format."""
        return self.format.currentData()

    def settings(self) -> FigureSettings:
        """Return the settings of the figure."""
        width, height = self._lengths()
        in_window = self.preset.currentData() == WINDOW
        return FigureSettings(
            views=tuple(self._chosen_views()),
            width=width,
            height=height,
            type_size=None if in_window else self.type_size.value(),
            scale=WINDOW_FACTOR * self._window[2] if in_window else None,
            palette=active().theme.palette,
            title=self.title.text().strip(),
            **self._looks.values(),
        )

    def trouble(self) -> str:
        """Return a sentence on why the settings cannot be used; empty if they can."""
        try:
            page_of(*self._lengths())
        except BadInput as error:
            sentence = str(error)
            return f"{sentence[:1].upper()}{sentence[1:]}."
        settings, kind = self.settings(), FORMATS[self.ending]
        if settings.panels and not kind.has_panels:
            return kind.why_not(self._views[settings.panels[0]].text())
        return "" if settings.views else "Choose the plane or a panel to be shown."

    def values(self) -> dict[str, Any]:
        """Return the values of the fields to be remembered, as values of JSON."""
        return {
            "ending": self.ending,
            "preset": self.preset.currentData(),
            "views": self._chosen_views(),
            "sides": [side.value() for side in self.sides],
            "unit": self.unit.currentText(),
            "type_size": self.type_size.value(),
            **self._looks.values(),
        }

    def _chosen_views(self) -> list[str]:
        return [name for name, action in self._views.items() if action.isChecked()]

    def _lengths(self) -> tuple[Length, Length]:
        unit = self.unit.currentText()
        width, height = (Length(side.value(), unit) for side in self.sides)
        return width, height

    def _fill(self, values: dict[str, Any]) -> None:
        """Fill in remembered values, if they are still valid."""
        self._filling = True
        views = values.get("views")
        for name, action in self._views.items():
            action.setChecked(name in views if isinstance(views, list) else name == PLANE)
        if not self._chosen_views():
            self._views[PLANE].setChecked(True)
        for box, name in ((self.format, "ending"), (self.preset, "preset")):
            index = box.findData(values.get(name))
            box.setCurrentIndex(index if index >= 0 else box.findData(DEFAULTS[name]))
        self._looks.fill(values)
        self.type_size.setValue(real_number(values.get("type_size"), TYPE_SIZE))
        if self.preset.currentData() == FREE:
            sides = values.get("sides")
            sides = sides if isinstance(sides, list) and len(sides) == 2 else [86.0, 60.0]
            unit = values.get("unit")
            self.unit.setCurrentText(unit if unit in UNITS else "mm")
            for side, value in zip(self.sides, sides, strict=True):
                side.setValue(real_number(value, 86.0))
        self._filling = False
        self._on_preset()

    # Events.

    def _on_preset(self) -> None:
        """Fill in the sizes of the chosen preset."""
        key = self.preset.currentData()
        self._filling = True
        if key == WINDOW:
            self._set_sides(
                Length(WINDOW_FACTOR * self._window[0], "px"),
                Length(WINDOW_FACTOR * self._window[1], "px"),
            )
        elif key in PRESETS:
            preset = PRESETS[key]
            self._set_sides(preset.width, preset.height)
            scale = preset.page.scale(preset.type_size)
            self.type_size.setValue(preset.type_size or _points(scale, preset.page))
        self._filling = False
        self._on_changed()

    def _set_sides(self, width: Length, height: Length) -> None:
        self.unit.setCurrentText(width.unit)
        for side, length in zip(self.sides, (width, height), strict=True):
            side.setValue(length.value)

    def _on_size(self) -> None:
        if not self._filling:
            self.preset.setCurrentIndex(self.preset.findData(FREE))
            self._on_changed()

    def _on_changed(self) -> None:
        if self._filling:
            return
        for side in self.sides:
            side.setDecimals(0 if self.unit.currentText() == "px" else 1)
        chosen = [action.text() for action in self._views.values() if action.isChecked()]
        self.views.setText(", ".join(chosen[:3]) + (" …" if chosen[3:] else "") or "Nothing")
        self.type_size.setEnabled(self.preset.currentData() != WINDOW)
        self.svg_text.setEnabled(self.ending == ".svg")
        self.field.setEnabled(self.ending != ".png")
        self.changed.emit()


def _points(scale: float, page: FigureSize) -> float:
    """Convert a scale of text on a page to the size of the numbers at the axes, pt."""
    return scale * AXIS_TYPE / page.dpi * POINTS_PER_INCH
