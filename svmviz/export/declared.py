"""Declared settings of exports, from which dialogs make controls and the command line options."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solvers.settings import Setting, setting, settings_of


@dataclass(frozen=True)
class ExportSetting(Setting):
    """A setting of an export; ``low`` and ``high`` are limits of every value.

    Attributes
    ----------
    help : str
        The help of the option.
    option : str
        The option, if its name is not made from that of the field.
    metavar : str
        The name of the value in the help of the option.
    limits : str
        The error of the command line for a number beyond the limits.
    """

    option: str = ""
    metavar: str = ""
    limits: str = ""


def export_setting(default: Any, label: str, help: str, **attributes: Any) -> Any:
    """Return a dataclass field with a default and an :class:`ExportSetting`."""
    return setting(default, label, help, ExportSetting, **attributes)


def switch(default: bool, label: str, help: str, option: str = "") -> Any:
    """Return the field of a switch; ``help`` says what differs from the default."""
    return export_setting(default, label, help, option=option)


def choice(default: str, label: str, help: str, labels: Mapping[str, str]) -> Any:
    """Return the field of a choice among the keys of ``labels``."""
    return export_setting(default, label, help, choices=tuple(labels.items()))


def labels_of(registry: Mapping[str, Any]) -> dict[str, str]:
    """Return the labels of the entries of a registry."""
    return {name: entry.label for name, entry in registry.items()}


def defaults_of(owner: type) -> dict[str, Any]:
    """Return the default of each declared setting of a dataclass."""
    defaults = {field.name: field.default for field in dataclasses.fields(owner)}
    return {name: defaults[name] for name in settings_of(owner)}


def option_of(owner: type, name: str) -> str:
    """Return the option of a setting; for a switch that is on by default, it turns that off."""
    spec = settings_of(owner)[name]
    assert isinstance(spec, ExportSetting)
    prefix = "--no-" if defaults_of(owner)[name] is True else "--"
    return spec.option or prefix + name.replace("_", "-")


def options_from(settings: Any) -> list[str]:
    """Return the options that give the declared settings of an instance their values."""
    owner, options = type(settings), []
    for name, default in defaults_of(owner).items():
        value, option = getattr(settings, name), option_of(owner, name)
        if isinstance(value, bool):
            options += [option] if value != default else []
        elif value not in (None, ""):
            text = f"{value:.10g}" if isinstance(value, float) else value
            # Joined by "=", because a text may begin with a hyphen.
            options.append(f"{option}={text}")
    return options
