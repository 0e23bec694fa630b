"""The log file: uncaught exceptions of all threads, and messages of Qt.

This module shows nothing to the user. For each uncaught exception, it calls a callback with one
sentence, in the thread of the exception.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import platformdirs

from svmviz.base.versions import at_start

log = logging.getLogger(__name__)
# A log file of more than MAX_BYTES is renamed. The BACKUPS newest renamed files are kept.
MAX_BYTES, BACKUPS = 1_000_000, 3
# Maximum number of lines that are shown, and of bytes read from the end of the file.
MAX_LINES, MAX_BYTES_READ = 200, 64_000
FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"
# PySide puts this in front of the text of an error, once for each Python override of a Qt method
# that the error passed through.
_OVERRIDES = re.compile(r"Error calling Python override of \S+: ")
Notify = Callable[[str], None]
# The calls that undo what `set_up_logging` and `log_qt` did.
_undo = contextlib.ExitStack()


def set_up_logging(notify: Notify | None = None, folder: Path | None = None) -> Path | None:
    """Log to a file, including uncaught exceptions.

    If the file has more than ``MAX_BYTES``, it is renamed and a new file is begun.

    Parameters
    ----------
    notify : callable(str), optional
        Called with one sentence per uncaught exception, after it was logged.
    folder : Path, optional
        Folder of the log; by default the user's log folder.

    Returns
    -------
    Path or None
        The log file; None if no file can be written, and only ``notify`` is called.
    """
    tear_down_logging()
    folder = folder or platformdirs.user_log_path("svmviz", appauthor=False)
    path: Path | None = folder / "svmviz.log"
    root = logging.getLogger()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _rotate(path)
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
    _hook_exceptions(notify)
    log.info("%s, %s, %s", *at_start())
    return path


def tear_down_logging() -> None:
    """Undo everything that :func:`set_up_logging` and :func:`log_qt` did."""
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

    previous_handler = qInstallMessageHandler(on_message)
    _undo.callback(qInstallMessageHandler, previous_handler)


def _rotate(path: Path) -> None:
    """Rename a log of more than ``MAX_BYTES`` to ``svmviz.log.1``, and ``.1`` to ``.2`` and so on.

    ``RotatingFileHandler`` would rename the log while it writes a record. On Windows, a file that
    another process has open cannot be renamed, and the record would be lost. So the log is renamed
    here, before this process opens it.
    """
    paths = [path.with_name(f"{path.name}.{number}") for number in range(BACKUPS + 1)]
    with contextlib.suppress(OSError):
        if path.stat().st_size <= MAX_BYTES:
            return
        # Another process may have the log open, and then renaming it fails on Windows. So the log
        # is renamed first, to the number 0: if that fails, the older files keep their names.
        path.replace(paths[0])
        for younger, older in zip(paths[-2::-1], paths[:0:-1], strict=True):
            if os.path.exists(younger):
                younger.replace(older)


def _hook_exceptions(notify: Notify | None) -> None:
    """Log and report uncaught exceptions, and then call the hooks that were set before."""
    report = _Reporter(notify).report
    main_hook, thread_hook, unraisable_hook = (
        sys.excepthook,
        threading.excepthook,
        sys.unraisablehook,
    )

    def on_main(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        report(kind, error)
        main_hook(kind, error, trace)

    def on_thread(args: threading.ExceptHookArgs) -> None:
        report(args.exc_type, args.exc_value)
        thread_hook(args)

    def on_unraisable(args: Any) -> None:
        report(args.exc_type, args.exc_value, quietly=True)
        unraisable_hook(args)

    sys.excepthook, threading.excepthook, sys.unraisablehook = on_main, on_thread, on_unraisable
    _undo.callback(setattr, sys, "excepthook", main_hook)
    _undo.callback(setattr, threading, "excepthook", thread_hook)
    _undo.callback(setattr, sys, "unraisablehook", unraisable_hook)


class _Reporter:
    """A logger of exceptions that calls ``notify``. Errors of ``notify`` itself are only logged."""

    def __init__(self, notify: Notify | None) -> None:
        self._notify = notify
        self._state = threading.local()

    def report(
        self, kind: type[BaseException], error: BaseException | None, quietly: bool = False
    ) -> None:
        """Log an exception, and notify unless ``quietly``."""
        if issubclass(kind, KeyboardInterrupt | SystemExit):
            return
        error = error or kind()
        log.error("Uncaught exception", exc_info=error)
        if self._notify is None or quietly or getattr(self._state, "notifying", False):
            return
        self._state.notifying = True
        try:
            words = " ".join(_OVERRIDES.sub("", str(error)).split())
            self._notify(f"{kind.__name__}: {words}".removesuffix(": "))
        except Exception:
            log.exception("The error could not be shown")
        finally:
            self._state.notifying = False


def last_lines(path: Path) -> str:
    """Return the last lines of a log file, or a sentence on why it cannot be read."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - MAX_BYTES_READ))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError as error:
        return f"The log cannot be read: {error.strerror or error}."
    return "\n".join(lines[-MAX_LINES:])
