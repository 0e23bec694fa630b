"""Forms made from settings: one control for each field of a frozen dataclass."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from solvers import BadInput
from solvers.settings import Setting, Twin, settings_of
from svmviz.base.words import number
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.inputs.text_field import TextField
from svmviz.widgets.plain_text import set_tip

# An integer setting has a logarithmic scale if its upper limit is at least this multiple of its
# lower limit.
MIN_LOG_RATIO = 100
AnyControl = TypeVar("AnyControl", ValueSlider, TextField)


def _identity(value: Any) -> Any:
    return value


class SettingsForm(Column):
    """Form with one control for each setting of an instance.

    When the user changes a setting, the form keeps its instance, and emits a changed copy. The
    receiver may pass the copy to `set_instance`.

    Parameters
    ----------
    instance : frozen dataclass made with `solvers.settings.setting`
    skip : tuple of str
        Fields without a control in this form.
    twins_in : Column, optional
        Gets the controls of twins; by default, they are in the form.

    Signals
    -------
    moved(object)
        A changed copy, while a slider is dragged or a text is typed.
    released(object)
        A changed copy, when a drag ends, a number is typed, or a choice is made.
    """

    moved = Signal(object)
    released = Signal(object)

    def __init__(
        self,
        instance: Any,
        skip: tuple[str, ...] = (),
        twins_in: Column | None = None,
    ) -> None:
        super().__init__(gap=1.0)
        self._skip = skip
        self._twins_column = twins_in or self
        self._only: frozenset[str] | None = None
        self._instance: Any = None
        self._controls: dict[str, QWidget] = {}
        self._twins: dict[str, ValueSlider] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_instance(instance)

    @property
    def instance(self) -> Any:
        """The instance whose settings are shown."""
        return self._instance

    @property
    def controls(self) -> dict[str, QWidget]:
        """Controls by the name of their field."""
        return self._controls

    @property
    def twins(self) -> dict[str, ValueSlider]:
        """Controls of twins, by name. A twin is another number for a setting: sigma for gamma."""
        return self._twins

    @property
    def differences(self) -> tuple[str, ...]:
        """A line such as "Tolerance: 0.1, not 0.001" for each setting that is not its default."""
        specs, defaults = settings_of(self._instance), _defaults_of(self._instance)
        values = {name: getattr(self._instance, name) for name in self._controls}
        return tuple(
            f"{specs[name].label}: {_words(specs[name], value)}, "
            f"not {_words(specs[name], defaults[name])}"
            for name, value in values.items()
            if value != defaults[name]
        )

    def set_instance(self, instance: Any) -> None:
        """Show an instance; if it has another type, make new controls. This emits no signal."""
        is_other_type = type(instance) is not type(self._instance)
        self._instance = instance
        if is_other_type:
            self._make_controls()
        specs = settings_of(instance)
        for name, control in self._controls.items():
            value = getattr(instance, name)
            if isinstance(control, QCheckBox):
                control.setChecked(value)
            elif isinstance(control, ValueSlider | ChoiceBox | TextField):
                control.set_value(value)
            twin = specs[name].twin
            if twin is not None:
                self._twins[twin.name].set_value(twin.back(value))

    def keep_only(self, names: Iterable[str]) -> None:
        """Show controls only for the settings of these names."""
        self._only = frozenset(names)
        self._make_controls()
        self.set_instance(self._instance)

    def _make_controls(self) -> None:
        """Replace all controls by those of the settings of the instance."""
        for control in (*self._controls.values(), *self._twins.values()):
            for column in (self, self._twins_column):
                column.box.removeWidget(control)
            control.hide()
            control.deleteLater()
        defaults = _defaults_of(self._instance)
        self._controls, self._twins = {}, {}
        for name, spec in settings_of(self._instance).items():
            if name in self._skip or (self._only is not None and name not in self._only):
                continue
            self._controls[name] = self.add(self._make_control(name, spec, defaults[name]))
            if spec.twin is not None:
                self._twins[spec.twin.name] = self._twins_column.add(
                    self._make_twin(name, spec.twin, defaults[name])
                )
        self.setVisible(bool(self._controls))

    def _make_control(self, name: str, spec: Setting, default: Any) -> QWidget:
        if spec.scale == "choice":
            choice = ChoiceBox(spec.label, spec.choices, spec.help, default)
            choice.chosen.connect(lambda key: self._release(name, key))
            return choice
        if spec.scale == "switch":
            switch = QCheckBox(spec.label)
            set_tip(switch, spec.help)
            # Not ``toggled``, which is also emitted if the program sets the value.
            switch.clicked.connect(lambda on: self._release(name, bool(on)))
            return switch
        if spec.scale == "text":
            return self._connect(
                TextField(spec.label, self._check_of(name), spec.inserts, spec.help), name
            )
        slider = ValueSlider(
            spec.label,
            track_of(spec),
            default,
            self._check_of(name),
            unit=spec.unit,
            tip=spec.help,
            zero=spec.zero,
        )
        return self._connect(slider, name)

    def _make_twin(self, name: str, twin: Twin, default: Any) -> ValueSlider:
        slider = ValueSlider(
            twin.label,
            Track(twin.low, twin.high),
            twin.back(default),
            self._check_of_twin(name, twin),
            tip=twin.help,
        )
        return self._connect(slider, name, twin.to)

    def _connect(
        self, control: AnyControl, name: str, to_setting: Callable[[Any], Any] = _identity
    ) -> AnyControl:
        """Connect a control to the setting ``name``; ``to_setting`` converts the value."""
        control.moved.connect(lambda value: self._move(name, to_setting(value)))
        control.released.connect(lambda value: self._release(name, to_setting(value)))
        return control

    def _check_of_twin(self, name: str, twin: Twin) -> Callable[[float], str]:
        """Return a function that says why a value of a twin is invalid; "" if it is valid."""
        check = self._check_of(name)

        def check_twin(value: float) -> str:
            if not 0 < value < math.inf:
                return f"{twin.label} must be above 0: got {value:g}."
            try:
                is_valid = not check(twin.to(value))
            except (OverflowError, ZeroDivisionError):
                is_valid = False
            return "" if is_valid else f"{twin.label} is out of range: got {value:g}."

        return check_twin

    def _check_of(self, name: str) -> Callable[[Any], str]:
        """Return a function that says why a value of a setting is invalid; "" if it is valid."""
        label = settings_of(self._instance)[name].label

        def check(value: Any) -> str:
            if not self._has(name):
                return ""
            # If the user typed 5, the sentence must not show 5.0.
            typed = int(value) if isinstance(value, float) and value.is_integer() else value
            try:
                dataclasses.replace(self._instance, **{name: typed})
            except BadInput as error:
                return _as_sentence(str(error), f"{self._instance.title()}: {name}", label)
            return ""

        return check

    def _move(self, name: str, value: Any) -> None:
        if self._has(name):
            self.moved.emit(dataclasses.replace(self._instance, **{name: value}))

    def _release(self, name: str, value: Any) -> None:
        if self._has(name):
            # The owner may show the new instance only with the next frame. If a second control is
            # clicked before that, its instance must have the value of the first one.
            self._instance = dataclasses.replace(self._instance, **{name: value})
            self.released.emit(self._instance)

    def _has(self, name: str) -> bool:
        """Return whether the instance has a setting of this name.

        A control of an earlier instance of another type may still report a setting that the current
        instance does not have.
        """
        return name in settings_of(self._instance)


def _defaults_of(instance: Any) -> dict[str, Any]:
    return {field.name: field.default for field in dataclasses.fields(type(instance))}


def _words(spec: Setting, value: Any) -> str:
    """Return the value of a setting as its control shows it."""
    if spec.scale == "choice":
        return dict(spec.choices)[value]
    if spec.scale == "switch":
        return "on" if value else "off"
    if isinstance(value, str):
        return value
    return spec.zero if value == 0 and spec.zero else number(value)


def _as_sentence(error: str, code_name: str, label: str) -> str:
    predicate = error.removeprefix(code_name)
    if predicate == error:
        return error
    # The sentence is shown beside the label, so "cannot ..." needs no subject.
    if predicate.startswith(" cannot"):
        return f"Cannot{predicate.removeprefix(' cannot')}"
    return f"{label}{predicate}"


def track_of(spec: Setting) -> Track:
    """Return the range and the scale of the slider of a numerical setting."""
    whole = spec.scale == "integer"
    is_wide = whole and spec.low > 0 and spec.high / spec.low >= MIN_LOG_RATIO
    return Track(spec.low, spec.high, logarithmic=spec.scale == "log" or is_wide, whole=whole)
