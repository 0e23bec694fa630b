"""Settings as data: fields of a frozen dataclass, with range, scale, unit and help.

Forms in the window, options of the command line, scene files and error messages are made from these
fields, so a kernel or method describes each of its settings only once.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import math
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from solvers.errors import BadInput, short_repr

# The scale of a setting without choices, for each type of its default.
SCALES = {bool: "switch", int: "integer", str: "text"}


@dataclass(frozen=True)
class Twin:
    """A number from which the value of a setting is computed, if the user gives it instead.

    For example, gamma is a setting of the Gaussian kernel, and sigma is the twin of this setting. A
    settings form has a control for gamma and one for sigma.

    Attributes
    ----------
    name, label, help : str
        As in :class:`Setting`, but for this number.
    low, high : float
        Range of the control of this number; the control is logarithmic.
    to, back : callable(float) -> float
        ``to`` converts this number to the value of the setting, and ``back`` converts the value of
        the setting to this number. Both numbers are above 0.
    """

    name: str
    label: str
    help: str
    low: float
    high: float
    to: Callable[[float], float]
    back: Callable[[float], float]

    def setting_from(self, value: Any) -> float:
        """Return the value of the setting for a value of this number.

        Raises
        ------
        BadInput
            If the value is no number above 0, or so small or large that the setting cannot be
            computed.
        """
        if isinstance(value, int | float) and 0.0 < value < math.inf:
            with contextlib.suppress(ZeroDivisionError, OverflowError):
                setting_value = self.to(value)
                if 0.0 < setting_value < math.inf:
                    return setting_value
        got = f"{value:g}" if isinstance(value, float) else short_repr(value)
        raise BadInput(f"{self.name} must be above 0 and neither tiny nor huge: got {got}.")


@dataclass(frozen=True)
class Setting:
    """The description of one field: range, scale, unit and help.

    Attributes
    ----------
    label : str
        The label of the control, in the usual notation ("γ", "tolerance").
    help : str
        One sentence, with a formula if there is one.
    low, high : float
        Range of the control. Values that are typed or read from files may be outside this range.
    hard_low, hard_high : float
        Limits of every value, also of typed values and of values read from files.
    open_low : bool
        Whether the value must be above ``hard_low``, not equal to it.
    scale : str
        The kind of control: ``"log"`` or ``"linear"`` slider, ``"integer"``, ``"choice"``,
        ``"switch"`` or ``"text"``. :func:`setting` finds all but ``"log"`` from the default.
    unit : str
        Unit after the number, or empty.
    zero : str
        The text shown instead of 0 if the value 0 means that the method chooses the value. Empty if
        0 has no such meaning.
    choices : tuple of (str, str)
        For ``"choice"``: each value, and its text in the form.
    twin : Twin, optional
        A number that the user may give instead of the value of this setting.
    check : callable(str) -> str, optional
        For ``"text"``: returns the end of the error message, after the name of the setting
        (such as "cannot be read at character 3"), or an empty string for a valid text.
    inserts : tuple of (str, str)
        For ``"text"``: pieces of text that a menu inserts, and their names in the menu. An ellipsis
        in a piece is replaced by the selected text. An empty piece is a separator of the menu.
    """

    label: str
    help: str
    low: float = 0.0
    high: float = 1.0
    scale: str = "linear"
    unit: str = ""
    zero: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    hard_low: float = -math.inf
    hard_high: float = math.inf
    open_low: bool = False
    twin: Twin | None = None
    check: Callable[[str], str] | None = None
    inserts: tuple[tuple[str, str], ...] = ()


def setting(
    default: Any, label: str, help: str, kind: type[Setting] = Setting, **attributes: Any
) -> Any:
    """Return a dataclass field with a default and a :class:`Setting` with these attributes."""
    scale = "choice" if "choices" in attributes else SCALES.get(type(default), "linear")
    description = kind(label, help, **{"scale": scale, **attributes})
    return dataclasses.field(default=default, metadata={"setting": description})


def tolerance(help: str, default: float = 1e-3, low: float = 1e-8) -> Any:
    """Return the field ``tol`` of a method; ``low`` is the minimum of its control."""
    return setting(
        default,
        "Tolerance",
        help,
        low=low,
        high=1e-1,
        scale="log",
        hard_low=1e-12,
        hard_high=1.0,
    )


def step_limit(
    default: int,
    help: str,
    *,
    high: float,
    low: int = 100,
    hard_high: float = 1e9,
    label: str = "Step limit",
) -> Any:
    """Return the field ``max_steps`` of a method; without a stopping rule its label is "Steps"."""
    return setting(
        default,
        label,
        help,
        low=low,
        high=high,
        hard_low=1,
        hard_high=hard_high,
    )


def random_seed(help: str) -> Any:
    """Return the field ``seed`` of a method with random numbers."""
    return setting(
        0,
        "Seed",
        help,
        low=0,
        high=999,
        hard_low=0,
        hard_high=2**31 - 1,
    )


def settings_of(owner: Any) -> dict[str, Setting]:
    """Return the :class:`Setting` of each field made by :func:`setting`, by the field's name.

    ``owner`` is a dataclass or one of its instances.
    """
    return {
        field.name: field.metadata["setting"]
        for field in dataclasses.fields(owner)
        if "setting" in field.metadata
    }


class Checked:
    """A mixin of frozen dataclasses that converts and checks the value of every setting."""

    def __post_init__(self) -> None:
        types = _types_of(type(self))
        for name, spec in settings_of(self).items():
            checked = _check(f"{self.title()}: {name}", getattr(self, name), spec, types[name])
            object.__setattr__(self, name, checked)

    @classmethod
    def title(cls) -> str:
        """Return the name of the class in error messages."""
        return cls.__name__

    def values(self) -> dict[str, Any]:
        """Return the settings as a dictionary, in the order of the fields."""
        return {name: getattr(self, name) for name in settings_of(self)}


# Cached: resolving annotations takes half a millisecond, as long as a small run.
@functools.cache
def _types_of(owner: type) -> dict[str, Any]:
    return typing.get_type_hints(owner)


def _check(name: str, value: Any, spec: Setting, kind: type) -> Any:
    if spec.scale == "choice":
        allowed = [key for key, _ in spec.choices]
        if value not in allowed:
            raise BadInput(f"{name} must be one of {', '.join(allowed)}: got {short_repr(value)}.")
        return value
    if spec.scale == "switch":
        if not isinstance(value, bool):
            raise BadInput(f"{name} must be true or false: got {short_repr(value)}.")
        return value
    if spec.scale == "text":
        return _check_text(name, value, spec)
    return _check_number(name, value, spec, kind)


def _check_text(name: str, value: Any, spec: Setting) -> str:
    if not isinstance(value, str):
        raise BadInput(f"{name} must be a text: got {short_repr(value)}.")
    text = " ".join(value.split())
    problem = spec.check(text) if spec.check else ""
    if problem:
        raise BadInput(f"{name} {problem}.")
    return text


def _check_number(name: str, value: Any, spec: Setting, kind: type) -> float | int:
    if isinstance(value, bool | str):
        raise BadInput(f"{name} must be a number: got {short_repr(value)}.")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"{name} must be a number: got {short_repr(value)}.") from None
    if not math.isfinite(number):
        raise BadInput(f"{name} must be finite: got {short_repr(value)}.")
    if kind is int:
        if number != int(number):
            raise BadInput(f"{name} must be a whole number: got {short_repr(value)}.")
        number = int(number)
    too_low = number <= spec.hard_low if spec.open_low else number < spec.hard_low
    if too_low or number > spec.hard_high:
        raise BadInput(f"{name} must be {_range_in_words(spec)}: got {short_repr(value)}.")
    return number


def _range_in_words(spec: Setting) -> str:
    low = f"{'above' if spec.open_low else 'at least'} {spec.hard_low:g}"
    if math.isinf(spec.hard_high):
        return low
    high = f"at most {spec.hard_high:g}"
    return high if math.isinf(spec.hard_low) else f"{low} and {high}"
