"""Guards of Python overrides of Qt's methods: an error in an override is logged, without a crash.

WORKAROUND: if an override raises while Qt calls it, shiboken stores the error and puts a sentence
in front of its message. Before Python 3.12, an error of C code, such as an IndexError of numpy or
the OverflowError of ``int(inf)``, may not be an exception object yet. Then shiboken reads foreign
memory, and the process ends by a segmentation fault. Seen with PySide6 6.8 to 6.11.
https://docs.python.org/3.11/c-api/exceptions.html#c.PyErr_NormalizeException
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from shiboken6 import Shiboken

# Name of an attribute that only methods with a guard have.
_MARK = "_makes_exception_objects"


def guard_overrides() -> None:
    """Guard the overrides of all classes, including those that are defined later."""
    if sys.version_info >= (3, 12):
        return
    for kind in list(_subclasses(Shiboken.Object)):
        _guard(kind)
    Shiboken.Object.__init_subclass__ = classmethod(_guard)  # type: ignore[assignment]


def _subclasses(kind: type) -> Iterator[type]:
    for subclass in type.__subclasses__(kind):
        yield subclass
        yield from _subclasses(subclass)


def _guard(kind: type, **_options: Any) -> None:
    """Guard the overrides in a class and in those of its base classes that are not Qt's."""
    qt_classes = [base for base in kind.__mro__ if _is_of_qt(base)]
    for owner in kind.__mro__:
        if _is_of_qt(owner) or owner is object:
            continue
        for name, method in list(vars(owner).items()):
            is_method = isinstance(method, FunctionType) and not name.startswith("__")
            if not is_method or hasattr(method, _MARK):
                continue
            if any(name in vars(base) for base in qt_classes):
                setattr(owner, name, _guarded(method))


def _is_of_qt(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in ("PySide6", "Shiboken", "shiboken6")


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method, in a wrapper that turns its errors into exception objects."""

    @functools.wraps(method)
    def call(*arguments: Any, **options: Any) -> Any:
        try:
            return method(*arguments, **options)
        except BaseException:
            # Catching the error makes it an exception object.
            raise

    setattr(call, _MARK, True)
    return call
