"""Deletion of widgets at once, for what starts a thread afterwards."""

from __future__ import annotations

from PySide6.QtCore import QObject
from shiboken6 import Shiboken


def delete_now(owner: QObject) -> None:
    """Delete an object of Qt and its children; nothing of it may be in use any more.

    WORKAROUND: ``deleteLater`` deletes without Python's lock. If another thread collects garbage
    meanwhile, and finds the Python objects of a dialog with them, the process ends by a
    segmentation fault. A thread that imports modules collects often. Seen with PySide6 6.11.3, in
    one of ten exports of a movie.
    https://doc.qt.io/qtforpython-6/shiboken6/shibokenmodule.html#shiboken.delete
    """
    if Shiboken.isValid(owner):
        Shiboken.delete(owner)
