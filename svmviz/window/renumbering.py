"""A notice on points that have other numbers because others were removed."""

from __future__ import annotations

from PySide6.QtCore import QObject

from solvers.data.datasets import PointSet
from svmviz.session.session import Session
from svmviz.window.messages import Messages


def describe_removal(before: PointSet, after: PointSet) -> str:
    """Return which points have other numbers after a removal; empty if none has.

    Parameters
    ----------
    before, after : PointSet
        The points before and after the removal of some; the others stay in the same order.
    """
    left, gone = len(after), len(before) - len(after)
    if gone <= 0:
        return ""
    differ = (before.points[:left] != after.points).any(axis=1)
    differ |= before.labels[:left] != after.labels
    if not differ.any():
        # No number changes if only the last points were removed, or points equal to them.
        return ""
    first = int(differ.argmax()) + 1
    if gone > 1:
        return f"{gone:,} points were removed. The others have new numbers from {first:,} on."
    if first == left:
        return f"Point {first:,} was removed. Point {first + 1:,} has the number {first:,} now."
    return (
        f"Point {first:,} was removed. Points {first + 1:,} to {left + 1:,} have the numbers "
        f"{first:,} to {left:,} now."
    )


class RenumberingNotice(QObject):
    """Shows a notice after each edit that gives points other numbers.

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
        self._done = session.undo_stack.index()
        self._sentence = ""
        session.undo_stack.indexChanged.connect(self._on_stack_changed)

    def _on_stack_changed(self, done: int) -> None:
        was, self._done = self._done, done
        self._messages.withdraw(self._sentence)
        newest = self._session.newest_edit
        if done <= was or newest is None or newest.generates:
            return
        # Points that change parts are not removed.
        if newest.before.held_out != newest.after.held_out:
            return
        self._sentence = describe_removal(newest.before.data, newest.after.data)
        if self._sentence:
            self._messages.notify(self._sentence)
