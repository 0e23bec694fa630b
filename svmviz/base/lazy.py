"""Parts that are imported when they are first called: a registry names many, a start needs few."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


def later(place: str) -> Callable[..., Any]:
    """The function or class at ``module:name`` in this package, imported by its first call."""
    module, _, name = place.partition(":")

    def call(*arguments: Any) -> Any:
        return getattr(importlib.import_module(f"svmviz.{module}"), name)(*arguments)

    return call
