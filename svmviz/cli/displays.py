"""Checks whether there is a display and whether Qt can be loaded.

Without a display, Qt would end the process.
"""

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

# Platforms of Qt that need a display server; "" is Qt's own choice.
WITH_SERVER = ("", "xcb", "wayland")


def has_display() -> bool:
    """Return whether a window can be opened; Windows and macOS always have a display."""
    if os.name == "nt" or sys.platform == "darwin":
        return True
    platform = re.split("[:;-]", os.environ.get("QT_QPA_PLATFORM", ""))[0]
    if platform not in WITH_SERVER:
        return True
    if os.environ.get("WAYLAND_DISPLAY"):
        return True
    return bool(os.environ.get("DISPLAY")) and _x_server_answers()


def _x_server_answers() -> bool:
    """Return whether an X server answers; True if libxcb, which would ask it, is missing."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # Qt then reports the missing library itself
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    failed = xcb.xcb_connection_has_error(ctypes.c_void_p(connection))
    xcb.xcb_disconnect(ctypes.c_void_p(connection))
    return not failed


def require_qt() -> None:
    """Load Qt; raise BadInput if a library of the system is missing."""
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        raise BadInput(f"Qt cannot be loaded: {error}.") from None


@contextlib.contextmanager
def without_reading_sources() -> Iterator[None]:
    """Hide the sources of modules that are imported in this block.

    WORKAROUND: PySide6 reads the source of every module imported after it, because a module can
    switch to other spellings of Qt's names. No module of this program does. Reading the sources
    takes a tenth of the time of a start. PySide6 skips modules whose source it cannot read.
    """

    def refuse(_: Any) -> NoReturn:
        raise OSError

    original = inspect.getsource
    inspect.getsource = refuse
    try:
        yield
    finally:
        inspect.getsource = original
