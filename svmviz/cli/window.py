"""``svmviz [FILE]``: the window; where there is no display, a picture instead."""

from __future__ import annotations

import argparse
import ctypes
import os
import re
import sys
from pathlib import Path

from svmviz import __version__
from svmviz.cli.parser import Parser

EPILOG = """\
commands:
  svmviz solve FILE ...      solve without a window
  svmviz render FILE -o OUT  draw a picture without a window
  svmviz list solvers        names of solvers (kernels, datasets, panels, formats)"""
DEMO = "scenes/demo.svmviz"
# Platforms of Qt that need a server which may not be there.
SERVED = ("", "xcb", "wayland")


def add_arguments(parser: Parser) -> None:
    """Add what the window takes."""
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", nargs="?", help="scene or points to open")
    parser.add_argument("--version", action="version", version=f"svmviz {__version__}")


def run(given: argparse.Namespace, parser: Parser) -> int:
    """Open the window, or draw a picture where there can be none."""
    if not has_display():
        return _draw_instead(given.file)
    from svmviz.app import run_window

    return run_window(given.file)


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


def _draw_instead(file: str | None) -> int:
    from svmviz.cli.render import render_file
    from svmviz.resources import path

    picture = Path(f"svmviz-{Path(file).stem if file else 'demo'}.png")
    render_file(file or path(DEMO), picture)
    what = file or "the demo scene"
    print(f"There is no display to open a window on, so {what} was drawn to {picture} instead.")
    return 0
