"""The speed of playing: set by the user, or fitted to the length of the run."""

from __future__ import annotations

import math

from svmviz.document.document import Document
from svmviz.playback.player import Player, fitting_speed


class Pace:
    """The speed of a player: the user's, or one that fits the length of the first run.

    A fitted speed stays while the document is edited, and while a solver joins or leaves a race. It
    is fitted again for a document that is opened, and if all methods are replaced by methods of
    other kinds.

    Parameters
    ----------
    player : Player
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._is_chosen = False
        # The kinds of methods for which the speed is settled; empty if it is not.
        self._settled: frozenset[type] = frozenset()

    def choose(self, steps_per_second: float) -> None:
        """Set the speed for good; 0 or infinite shows the newest step at any time."""
        self._is_chosen = True
        self._set(steps_per_second)

    def suggest(self, steps_per_second: float, document: Document) -> None:
        """Set the speed for a document, and for the documents that edits make from it."""
        self._is_chosen, self._settled = False, _kinds(document)
        self._set(steps_per_second)

    def renew(self) -> None:
        """Fit the speed again to the next finished run."""
        self._settled = frozenset()

    def fit(self, document: Document, length: int) -> bool:
        """Fit the speed to finished runs if none is settled for them; return whether it is new."""
        kinds = _kinds(document)
        is_kept = self._is_chosen or bool(self._settled & kinds)
        self._settled = kinds
        if is_kept:
            return False
        self._set(fitting_speed(length))
        return True

    def _set(self, steps_per_second: float) -> None:
        self._player.speed = steps_per_second if steps_per_second > 0 else math.inf


def _kinds(document: Document) -> frozenset[type]:
    return frozenset(type(method) for method in document.methods)
