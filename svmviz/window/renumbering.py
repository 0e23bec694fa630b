"""A notice on points whose numbers have changed because other points were removed."""

from __future__ import annotations

from PySide6.QtCore import QObject

from solvers.data.datasets import PointSet
from svmviz.session.session import Session
from svmviz.window.messages import Messages


def describe_removal(before: PointSet, after: PointSet) -> str:
    """Return sentences on the points whose numbers have changed; empty if there are none.

    Parameters
    ----------
    before, after : PointSet
        The points before and after a removal. The remaining points keep their order.
    """
    n_after, n_removed = len(after), len(before) - len(after)
    if n_removed <= 0:
        return ""
    differ = (before.points[:n_after] != after.points).any(axis=1)
    differ |= before.labels[:n_after] != after.labels
    if not differ.any():
        # Either only the last points were removed, or points that equal their successors.
        return ""
    first = int(differ.argmax()) + 1
    if n_removed > 1:
        return f"{n_removed:,} points were removed. The others have new numbers from {first:,} on."
    if first == n_after:
        return f"Point {first:,} was removed. Point {first + 1:,} has the number {first:,} now."
    return (
        f"Point {first:,} was removed. Points {first + 1:,} to {n_after + 1:,} have the numbers "
        f"{first:,} to {n_after:,} now."
    )


class RenumberingNotice(QObject):
    """A watcher that shows a notice after each edit that changes the numbers of points.

    Parameters
    ----------
    session : Session
    messages : Messages
    parent : QObject
    """

    def __init__(self, session: Session, messages: Messages, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._messages = messages
        self._undo_index = session.undo_stack.index()
        self._sentence = ""
        session.undo_stack.indexChanged.connect(self._on_stack_changed)

    def _on_stack_changed(self, index: int) -> None:
        old_index, self._undo_index = self._undo_index, index
        self._messages.withdraw(self._sentence)
        newest = self._session.newest_edit
        if index <= old_index or newest is None or newest.generates:
            return
        # A new split moves points between parts, but removes none.
        before, after = newest.before, newest.after
        if before.held_out != after.held_out:
            return
        # Another machine, or another class of a point, removes no point either.
        if after.many is not None and len(before.all_points) <= len(after.all_points):
            return
        self._sentence = describe_removal(before.data, after.data)
        if self._sentence:
            self._messages.notify(self._sentence)
