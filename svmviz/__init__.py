"""A desktop explorer for support vector machines."""

from importlib import import_module
from typing import Any

__version__ = "1.0.0"


def __getattr__(name: str) -> Any:
    """Return ``show`` of :mod:`svmviz.notebook`, which is loaded only then."""
    if name == "show":
        return import_module("svmviz.notebook").show
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
