"""How names from the data are shown to people."""

from __future__ import annotations

from collections.abc import Sequence

from solvers import Method
from solvers.datasets import PointSet
from solvers.settings import settings_of


def class_title(name: str) -> str:
    """Name of a class: a hyphen before a number is a minus sign."""
    numeric = name[:1] in ("+", "-") and name[1:].replace(".", "", 1).isdigit()
    return name.replace("-", "−") if numeric else name


def class_titles(data: PointSet) -> tuple[str, str]:
    """Names of the classes -1 and +1, in this order."""
    negative, positive = data.class_names
    return class_title(negative), class_title(positive)


def lane_titles(methods: Sequence[Method]) -> list[str]:
    """A name for each lane of a race: the method, and in what it differs from its namesakes."""
    return [_title(method, [m for m in methods if m.name == method.name]) for method in methods]


def _title(method: Method, namesakes: Sequence[Method]) -> str:
    told = []
    for name, spec in settings_of(method).items():
        value = getattr(method, name)
        if value is not False and any(getattr(other, name) != value for other in namesakes):
            words = dict(spec.choices).get(value)
            told.append(words or _plain(spec.label, value))
    return f"{method.label} ({', '.join(told)})" if told else method.label


def _plain(label: str, value: float) -> str:
    if value is True:
        return label[:1].lower() + label[1:]
    return f"{label} {value:,}" if isinstance(value, int) else f"{label} {value:g}"
