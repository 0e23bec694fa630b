"""Has the frames of a stage bring what the overlays of its planes need, while they are shown."""

from __future__ import annotations

from PySide6.QtCore import QObject

from svmviz.plane.overlays import OVERLAYS
from svmviz.stage.stage import Stage


class Attendance(QObject):
    """Attends to the studies of the overlays that are shown, and to no others.

    Parameters
    ----------
    stage : Stage
    parent : QObject
    """

    def __init__(self, stage: Stage, parent: QObject) -> None:
        super().__init__(parent)
        self._stage = stage
        self._attended: set[str] = set()
        stage.view.changed.connect(self._look)
        stage.session.document_changed.connect(self._look)
        self._look()

    def _look(self) -> None:
        document, options = self._stage.session.document, self._stage.view.options
        for overlay in OVERLAYS.values():
            wanted, there = overlay.shown(document, options), overlay.name in self._attended
            if wanted and not there:
                self._attended.add(overlay.name)
                self._stage.playback.attend(overlay.key, overlay.make_study())
            elif there and not wanted:
                self._attended.discard(overlay.name)
                self._stage.playback.leave(overlay.key)
