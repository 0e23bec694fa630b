"""Subscriptions of the plane to the studies of the overlays that are shown."""

from __future__ import annotations

from PySide6.QtCore import QObject

from svmviz.frames.studies import Study
from svmviz.plane.overlays import OVERLAYS
from svmviz.stage.stage import Stage


class OverlaySubscriptions(QObject):
    """Subscriptions to the studies of the overlays that are shown, and to no others.

    Parameters
    ----------
    stage : Stage
    parent : QObject
    """

    def __init__(self, stage: Stage, parent: QObject) -> None:
        super().__init__(parent)
        self._stage = stage
        self._subscribed: dict[str, Study] = {}
        stage.view.changed.connect(self._update)
        stage.session.document_changed.connect(self._update)
        self._update()

    def _update(self) -> None:
        document, options = self._stage.session.document, self._stage.view.options
        for overlay in OVERLAYS.values():
            is_shown, is_subscribed = (
                overlay.is_shown(document, options),
                overlay.name in self._subscribed,
            )
            if is_shown and not is_subscribed:
                study = self._subscribed[overlay.name] = overlay.make_study()
                self._stage.feed.subscribe(overlay.key, study)
            elif is_subscribed and not is_shown:
                study = self._subscribed.pop(overlay.name)
                self._stage.feed.unsubscribe(overlay.key, study)
