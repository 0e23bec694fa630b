"""Functions and classes that are imported by their first call, to shorten the start."""

from __future__ import annotations

import importlib
from typing import Any


class Later:
    """A function or class of this package that is imported by its first call.

    Parameters
    ----------
    place : str
        ``module:name``, without the name of the package.

    Attributes
    ----------
    module : str
        Full name of its module, to import it in advance.
    """

    def __init__(self, place: str) -> None:
        module, _, self._name = place.partition(":")
        self.module = f"svmviz.{module}"

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return getattr(importlib.import_module(self.module), self._name)(*arguments, **options)


def later(place: str) -> Later:
    """Return the function or class at ``module:name`` in this package, to be imported later."""
    return Later(place)
