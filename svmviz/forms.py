"""Forms made from settings: one control for each field of a frozen dataclass."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from solvers import BadInput
from solvers.settings import Setting, settings_of
from svmviz.widgets.checked_slider import CheckedSlider
from svmviz.widgets.choice import Choice
from svmviz.widgets.column import Column
from svmviz.widgets.track import Track

# A whole number that spans this factor is spread by factors, not by differences.
WIDE = 100


class SettingsForm(Column):
    """One control for each setting of an instance; it shows, and says what a hand wants.

    ``moved(object)`` brings a new instance while a slider is dragged, ``released(object)`` when
    the hand lets go, a number is typed, or something is chosen. The form itself goes on showing
    what it was told until it is told otherwise.

    Parameters
    ----------
    instance : frozen dataclass made with `solvers.settings.setting`
    skip : tuple of str
        Fields that have their control elsewhere.
    parent : QWidget, optional
    """

    moved = Signal(object)
    released = Signal(object)

    def __init__(
        self, instance: Any, skip: tuple[str, ...] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(gap=1.0, parent=parent)
        self._skip = skip
        self._instance: Any = None
        self._controls: dict[str, QWidget] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_instance(instance)

    @property
    def instance(self) -> Any:
        """What is shown."""
        return self._instance

    @property
    def controls(self) -> dict[str, QWidget]:
        """Controls by the name of their field."""
        return self._controls

    def set_instance(self, instance: Any) -> None:
        """Show an instance, without emitting; controls are made anew only for another type."""
        other = type(instance) is not type(self._instance)
        self._instance = instance
        if other:
            self._build()
        for name, control in self._controls.items():
            value = getattr(instance, name)
            if isinstance(control, QCheckBox):
                control.setChecked(value)
            elif isinstance(control, CheckedSlider | Choice):
                control.set_value(value)

    def _build(self) -> None:
        for control in self._controls.values():
            self.box.removeWidget(control)
            control.hide()
            control.deleteLater()
        defaults = {field.name: field.default for field in dataclasses.fields(type(self._instance))}
        self._controls = {
            name: self.add(self._make(name, spec, defaults[name]))
            for name, spec in settings_of(self._instance).items()
            if name not in self._skip
        }
        self.setVisible(bool(self._controls))

    def _make(self, name: str, spec: Setting, default: Any) -> QWidget:
        if spec.scale == "choice":
            choice = Choice(spec.label, spec.choices, spec.help, default)
            choice.chosen.connect(lambda key: self._say(self.released, name, key))
            return choice
        if spec.scale == "switch":
            switch = QCheckBox(spec.label)
            switch.setToolTip(spec.help)
            # clicked, not toggled: only a hand counts.
            switch.clicked.connect(lambda on: self._say(self.released, name, bool(on)))
            return switch
        slider = CheckedSlider(
            spec.label, track_of(spec), default, self._judge(name), unit=spec.unit, tip=spec.help
        )
        slider.moved.connect(lambda value: self._say(self.moved, name, value))
        slider.released.connect(lambda value: self._say(self.released, name, value))
        return slider

    def _judge(self, name: str) -> Callable[[float], str]:
        def judge(value: float) -> str:
            try:
                dataclasses.replace(self._instance, **{name: value})
            except BadInput as error:
                return str(error)
            return ""

        return judge

    def _say(self, signal: Any, name: str, value: Any) -> None:
        signal.emit(dataclasses.replace(self._instance, **{name: value}))


def track_of(spec: Setting) -> Track:
    """How a number is spread under its slider."""
    whole = spec.scale == "integer"
    wide = whole and spec.low > 0 and spec.high / spec.low >= WIDE
    return Track(spec.low, spec.high, logarithmic=spec.scale == "log" or wide, whole=whole)
