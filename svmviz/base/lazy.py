"""Functions and classes that are imported when they are first called, to shorten the start."""

from __future__ import annotations

import importlib
from typing import Any


class Later:
    """A function or class of this package that is imported when it is first called.

    Parameters
    ----------
    path : str
        ``module:name``, without the name of the package.

    Attributes
    ----------
    module : str
        Full name of the module, with which it can be imported in advance.
    """

    def __init__(self, path: str) -> None:
        module, _, self._name = path.partition(":")
        self.module = f"svmviz.{module}"

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return getattr(importlib.import_module(self.module), self._name)(*arguments, **options)


def later(path: str) -> Later:
    """Return a function or class, ``module:name``, that is imported when it is first called."""
    return Later(path)
