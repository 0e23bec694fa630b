"""Forms made from settings: one control for each field of a frozen dataclass."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from solvers import BadInput
from solvers.settings import Setting, Twin, settings_of
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.checked_slider import CheckedSlider
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.inputs.text_field import TextField
from svmviz.widgets.plain_text import set_tip

# A setting that is an integer has a logarithmic scale if its upper limit is at least this multiple
# of its lower limit.
MIN_LOG_RATIO = 100
AnyControl = TypeVar("AnyControl", CheckedSlider, TextField)


def _identity(value: Any) -> Any:
    return value


class SettingsForm(Column):
    """One control for each setting of an instance.

    ``moved(object)`` gives a new instance while a slider is dragged, ``released(object)`` when the
    drag ends, a number is typed, or something is chosen. The form keeps its instance until
    `set_instance` is called.

    Parameters
    ----------
    instance : frozen dataclass made with `solvers.settings.setting`
    skip : tuple of str
        Fields without a control in this form.
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
        self._twins: dict[str, CheckedSlider] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_instance(instance)

    @property
    def instance(self) -> Any:
        """The instance shown."""
        return self._instance

    @property
    def controls(self) -> dict[str, QWidget]:
        """Controls by the name of their field."""
        return self._controls

    @property
    def twins(self) -> dict[str, CheckedSlider]:
        """The controls of twins, by name. A twin is another form of a setting: sigma for gamma."""
        return self._twins

    def set_instance(self, instance: Any) -> None:
        """Show an instance, without emitting. If its type is another one, make new controls."""
        other = type(instance) is not type(self._instance)
        self._instance = instance
        if other:
            self._build()
        specs = settings_of(instance)
        for name, control in self._controls.items():
            value = getattr(instance, name)
            if isinstance(control, QCheckBox):
                control.setChecked(value)
            elif isinstance(control, CheckedSlider | ChoiceBox | TextField):
                control.set_value(value)
            twin = specs[name].twin
            if twin is not None:
                self._twins[twin.name].set_value(twin.back(value))

    def _build(self) -> None:
        for control in (*self._controls.values(), *self._twins.values()):
            self.box.removeWidget(control)
            control.hide()
            control.deleteLater()
        defaults = {field.name: field.default for field in dataclasses.fields(type(self._instance))}
        self._controls, self._twins = {}, {}
        for name, spec in settings_of(self._instance).items():
            if name in self._skip:
                continue
            self._controls[name] = self.add(self._make(name, spec, defaults[name]))
            if spec.twin is not None:
                self._twins[spec.twin.name] = self.add(
                    self._make_twin(name, spec.twin, defaults[name])
                )
        self.setVisible(bool(self._controls))

    def _make(self, name: str, spec: Setting, default: Any) -> QWidget:
        if spec.scale == "choice":
            choice = ChoiceBox(spec.label, spec.choices, spec.help, default)
            choice.chosen.connect(lambda key: self._emit(self.released, name, key))
            return choice
        if spec.scale == "switch":
            switch = QCheckBox(spec.label)
            set_tip(switch, spec.help)
            # The signal is not ``toggled``, which is also emitted if the program sets the value.
            switch.clicked.connect(lambda on: self._emit(self.released, name, bool(on)))
            return switch
        if spec.scale == "text":
            return self._connect(
                TextField(spec.label, self._check_of(name), spec.inserts, spec.help), name
            )
        slider = CheckedSlider(
            spec.label,
            track_of(spec),
            default,
            self._check_of(name),
            unit=spec.unit,
            tip=spec.help,
            zero=spec.zero,
        )
        return self._connect(slider, name)

    def _make_twin(self, name: str, twin: Twin, default: Any) -> CheckedSlider:
        slider = CheckedSlider(
            twin.label,
            Track(twin.low, twin.high),
            twin.back(default),
            self._check_of_twin(name, twin),
            tip=twin.help,
        )
        return self._connect(slider, name, twin.to)

    def _connect(
        self, control: AnyControl, name: str, to: Callable[[Any], Any] = _identity
    ) -> AnyControl:
        control.moved.connect(lambda value: self._emit(self.moved, name, to(value)))
        control.released.connect(lambda value: self._emit(self.released, name, to(value)))
        return control

    def _check_of_twin(self, name: str, twin: Twin) -> Callable[[float], str]:
        check = self._check_of(name)

        def check_twin(value: float) -> str:
            if not 0 < value < math.inf:
                return f"{twin.label} must be above 0: got {value:g}."
            try:
                wrong = check(twin.to(value))
            except (OverflowError, ZeroDivisionError):
                wrong = "too far"
            return f"{twin.label} is out of range: got {value:g}." if wrong else ""

        return check_twin

    def _check_of(self, name: str) -> Callable[[Any], str]:
        label = settings_of(self._instance)[name].label

        def check(value: Any) -> str:
            if not self._has(name):
                return ""
            # The sentence shows 5 as it was typed, not 5.0.
            plain = int(value) if isinstance(value, float) and value.is_integer() else value
            try:
                dataclasses.replace(self._instance, **{name: plain})
            except BadInput as error:
                return _as_sentence(str(error), f"{self._instance.title()}: {name}", label)
            return ""

        return check

    def _emit(self, signal: Any, name: str, value: Any) -> None:
        if self._has(name):
            signal.emit(dataclasses.replace(self._instance, **{name: value}))

    def _has(self, name: str) -> bool:
        """Return whether the instance has a setting.

        A control that is about to be replaced may not fit.
        """
        return name in settings_of(self._instance)


def _as_sentence(error: str, where: str, label: str) -> str:
    """Return the sentence of an error, with the label in place of ``where``, a name in the code."""
    rest = error.removeprefix(where)
    if rest == error:
        return error
    # The sentence is shown beside the label, so "… cannot" needs no subject.
    return f"Cannot{rest[len(' cannot') :]}" if rest.startswith(" cannot") else f"{label}{rest}"


def track_of(spec: Setting) -> Track:
    """Return the track of the slider of a number."""
    whole = spec.scale == "integer"
    wide = whole and spec.low > 0 and spec.high / spec.low >= MIN_LOG_RATIO
    return Track(spec.low, spec.high, logarithmic=spec.scale == "log" or wide, whole=whole)
