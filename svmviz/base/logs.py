"""The log file, and everything that should end up in it: exceptions, threads, Qt's own messages.

Nothing here shows anything: whoever wants to tell the user hands in a callback, which gets one
sentence. It is called in whatever thread the exception was in.
"""

from __future__ import annotations

import contextlib
import logging
import platform
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import platformdirs

from svmviz import __version__

log = logging.getLogger(__name__)
MOST_BYTES, BACKUPS = 1_000_000, 3
FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"
# What PySide puts before an error for each call of Qt that it passed through.
_OVERRIDES = re.compile(r"Error calling Python override of \S+: ")
Tell = Callable[[str], None]
_undo = contextlib.ExitStack()


def set_up_logging(tell: Tell | None = None, folder: Path | None = None) -> Path | None:
    """Log to a file, a new one if the last is past 1 MB, and send uncaught exceptions there.

    Parameters
    ----------
    tell : callable(str), optional
        Gets one sentence for each uncaught exception, after it was logged.
    folder : Path, optional
        Where the log lies; the user's log folder if not given.

    Returns
    -------
    Path or None
        The log file; None if none can be written, and then only ``tell`` hears of anything.
    """
    tear_down_logging()
    folder = folder or platformdirs.user_log_path("svmviz", appauthor=False)
    path: Path | None = folder / "svmviz.log"
    root = logging.getLogger()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _turn_over(path)
        handler = logging.FileHandler(path, encoding="utf-8")
    except OSError:
        path = None
    else:
        handler.setFormatter(logging.Formatter(FORMAT))
        root.addHandler(handler)
        _undo.callback(handler.close)
        _undo.callback(root.removeHandler, handler)
    _undo.callback(root.setLevel, root.level)
    root.setLevel(logging.INFO)
    _hook_exceptions(tell)
    # Not ``platform.platform()``, which starts a process to ask for the processor.
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    log.info("svmviz %s, Python %s, %s", __version__, sys.version.split()[0], system)
    return path


def tear_down_logging() -> None:
    """Take back everything that :func:`set_up_logging` and :func:`log_qt` did."""
    _undo.close()


def log_qt() -> None:
    """Send Qt's messages to the log instead of stderr; loads Qt."""
    from PySide6.QtCore import QtMsgType, qInstallMessageHandler

    levels = {
        QtMsgType.QtDebugMsg: logging.DEBUG,
        QtMsgType.QtInfoMsg: logging.INFO,
        QtMsgType.QtWarningMsg: logging.WARNING,
        QtMsgType.QtCriticalMsg: logging.ERROR,
        QtMsgType.QtFatalMsg: logging.CRITICAL,
    }

    def on_message(kind: QtMsgType, context: Any, message: str) -> None:
        category = getattr(context, "category", None) or "default"
        logging.getLogger(f"qt.{category}").log(levels.get(kind, logging.WARNING), "%s", message)

    before = qInstallMessageHandler(on_message)
    _undo.callback(qInstallMessageHandler, before)


def _turn_over(path: Path) -> None:
    """Number a log past 1 MB among the older ones, ``svmviz.log.1`` being the youngest.

    Only before it is opened, not at some record as ``RotatingFileHandler`` does: Windows renames
    no file that another window has open, and the record would be lost.
    """
    places = [path.with_name(f"{path.name}.{number}") for number in range(BACKUPS + 1)]
    with contextlib.suppress(OSError):
        if path.stat().st_size <= MOST_BYTES:
            return
        # The one that may be open goes first: if it has to stay, so have the others.
        path.replace(places[0])
        for younger, older in zip(places[-2::-1], places[:0:-1], strict=True):
            if younger.exists():
                younger.replace(older)


def _hook_exceptions(tell: Tell | None) -> None:
    """Log what nobody catches, tell of it, and pass it on to whoever was hooked in before."""
    report = _Reporter(tell).report
    main, thread, unraisable = sys.excepthook, threading.excepthook, sys.unraisablehook

    def on_main(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        report(kind, error)
        main(kind, error, trace)

    def on_thread(args: threading.ExceptHookArgs) -> None:
        report(args.exc_type, args.exc_value)
        thread(args)

    def on_unraisable(args: Any) -> None:
        report(args.exc_type, args.exc_value, quietly=True)
        unraisable(args)

    sys.excepthook, threading.excepthook, sys.unraisablehook = on_main, on_thread, on_unraisable
    _undo.callback(setattr, sys, "excepthook", main)
    _undo.callback(setattr, threading, "excepthook", thread)
    _undo.callback(setattr, sys, "unraisablehook", unraisable)


class _Reporter:
    """Logs an exception, and tells of it; never of one that happens while telling."""

    def __init__(self, tell: Tell | None) -> None:
        self._tell = tell
        self._telling = threading.local()

    def report(
        self, kind: type[BaseException], error: BaseException | None, quietly: bool = False
    ) -> None:
        """Log; then tell, unless quietly."""
        if issubclass(kind, KeyboardInterrupt | SystemExit):
            return
        error = error or kind()
        log.error("Uncaught exception", exc_info=error)
        if self._tell is None or quietly or getattr(self._telling, "now", False):
            return
        self._telling.now = True
        try:
            words = " ".join(_OVERRIDES.sub("", str(error)).split())
            self._tell(f"{kind.__name__}: {words}".removesuffix(": "))
        except Exception:
            log.exception("The error could not be shown")
        finally:
            self._telling.now = False
