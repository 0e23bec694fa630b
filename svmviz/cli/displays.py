"""Whether there is a display, and Qt: found out beforehand, for Qt ends the process without one."""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import os
import re
import sys
from collections.abc import Iterator
from typing import Any, NoReturn

from solvers import BadInput

# Platforms of Qt that need a server which may not be there; "" is Qt's own choice.
SERVED = ("", "xcb", "wayland")


def has_display() -> bool:
    """Whether a window can be opened; only Linux and its kin can be without a display."""
    if os.name == "nt" or sys.platform == "darwin":
        return True
    platform = re.split("[:;-]", os.environ.get("QT_QPA_PLATFORM", ""))[0]
    if platform not in SERVED:
        return True
    if os.environ.get("WAYLAND_DISPLAY"):
        return True
    return bool(os.environ.get("DISPLAY")) and _is_answering()


def _is_answering() -> bool:
    """Whether an X server answers: where none does, Qt ends the process."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # then Qt says in its own words what is missing
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    failed = xcb.xcb_connection_has_error(ctypes.c_void_p(connection))
    xcb.xcb_disconnect(ctypes.c_void_p(connection))
    return not failed


def require_qt() -> None:
    """Load Qt; raises BadInput where one of the system's libraries is missing."""
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        raise BadInput(f"Qt cannot be loaded: {error}.") from None


@contextlib.contextmanager
def without_reading_sources() -> Iterator[None]:
    """Have modules that are imported in this block keep their sources to themselves.

    WORKAROUND: PySide6 reads the source of every module imported after it, in search of a switch
    to other spellings of Qt's names, which nobody uses here: a tenth of a start. Where there is no
    source it does without.
    """

    def refuse(_: Any) -> NoReturn:
        raise OSError

    before = inspect.getsource
    inspect.getsource = refuse
    try:
        yield
    finally:
        inspect.getsource = before
