"""The controls of declared settings in the dialogs of exports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from PySide6.QtWidgets import QCheckBox

from solvers.settings import Setting, settings_of
from svmviz.export.declared import defaults_of
from svmviz.widgets.inputs.number_box import NumberBox
from svmviz.widgets.inputs.segmented import Segmented


class DeclaredControls:
    """Controls for declared settings of a class; a form lays them out.

    Parameters
    ----------
    owner : type
        A dataclass with fields made by ``export_setting``.
    names : iterable of str
        Names of the settings.
    on_changed : callable()
        Called when a control has another value.

    Attributes
    ----------
    choices, switches, numbers : dict of str to QWidget
        The controls by the name of their setting.
    """

    def __init__(self, owner: type, names: Iterable[str], on_changed: Callable[[], None]) -> None:
        self._defaults = defaults_of(owner)
        specs = {name: settings_of(owner)[name] for name in names}
        self.choices = {
            name: Segmented(spec.choices) for name, spec in specs.items() if spec.scale == "choice"
        }
        self.switches = {
            name: QCheckBox(spec.label) for name, spec in specs.items() if spec.scale == "switch"
        }
        self.numbers = {
            name: number_box(spec) for name, spec in specs.items() if spec.scale == "linear"
        }
        for choice in self.choices.values():
            choice.chosen.connect(on_changed)
        for switch in self.switches.values():
            switch.toggled.connect(on_changed)
        for box in self.numbers.values():
            box.valueChanged.connect(on_changed)

    def values(self) -> dict[str, Any]:
        """Return the values of the controls, which are values of JSON."""
        return {
            **{name: choice.value for name, choice in self.choices.items()},
            **{name: switch.isChecked() for name, switch in self.switches.items()},
            **{name: box.value() for name, box in self.numbers.items()},
        }

    def fill(self, remembered: Mapping[str, Any], **defaults: Any) -> None:
        """Show remembered values. If a setting has no valid one, show its default.

        ``defaults`` replace those of the declarations.
        """
        defaults = {**self._defaults, **defaults}
        for name, choice in self.choices.items():
            value = remembered.get(name)
            choice.set_value(value if value in choice.keys else defaults[name])
        for name, switch in self.switches.items():
            value = remembered.get(name)
            switch.setChecked(value if isinstance(value, bool) else defaults[name])
        for name, box in self.numbers.items():
            box.setValue(real_number(remembered.get(name), defaults[name]))


def number_box(spec: Setting) -> NumberBox:
    """Return a box for the number of a setting."""
    return NumberBox(spec.label, spec.low, spec.high, f" {spec.unit}" if spec.unit else "")


def real_number(value: Any, default: float) -> float:
    """Return a remembered number; the default if it is NaN or not a number."""
    return float(value) if isinstance(value, int | float) and value == value else default
