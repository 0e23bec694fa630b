"""How names from the data are shown to people."""

from __future__ import annotations

from solvers.datasets import PointSet


def class_title(name: str) -> str:
    """Name of a class: a hyphen before a number is a minus sign."""
    numeric = name[:1] in ("+", "-") and name[1:].replace(".", "", 1).isdigit()
    return name.replace("-", "−") if numeric else name


def class_titles(data: PointSet) -> tuple[str, str]:
    """Names of the classes -1 and +1, in this order."""
    negative, positive = data.class_names
    return class_title(negative), class_title(positive)
