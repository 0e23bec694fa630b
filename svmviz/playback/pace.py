"""How fast a run is played while no hand has said how fast."""

from __future__ import annotations

import math

from svmviz.document.document import Document
from svmviz.playback.player import Player, fitting_speed


class Pace:
    """Sets the speed of a player: the one a hand chose, or one that fits the length of the run.

    Parameters
    ----------
    player : Player
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._is_chosen = False
        # The document whose speed is settled.
        self._settled: Document | None = None

    def choose(self, steps_per_second: float) -> None:
        """Play at a speed, whatever is played; 0 or infinite shows the newest step at any time."""
        self._is_chosen = True
        self._set(steps_per_second)

    def suggest(self, steps_per_second: float, document: Document) -> None:
        """Play one document at a speed; other ones have a speed that fits their runs."""
        self._is_chosen, self._settled = False, document
        self._set(steps_per_second)

    def renew(self) -> None:
        """Have the same document fitted again, since its length is counted in another way."""
        self._settled = None

    def fit(self, document: Document, length: int) -> bool:
        """Fit the speed to the finished runs of a document; return whether it is another."""
        if self._is_chosen or self._settled is document:
            return False
        self._settled = document
        self._set(fitting_speed(length))
        return True

    def _set(self, steps_per_second: float) -> None:
        self._player.speed = steps_per_second if steps_per_second > 0 else math.inf
