"""The speed of playing. The user sets it, or it is fitted to the length of the run."""

from __future__ import annotations

import math
from collections.abc import Sequence

from solvers import Run
from svmviz.document.document import Document
from svmviz.frames.clocks import Clock
from svmviz.playback.player import Player, fitting_speed, race_speed


class Pace:
    """The speed of a player: the user's speed, or one that fits the length of the runs.

    A speed is in units of the clock per second. A fitted speed stays while the document is edited.
    The speed is fitted again when a document is opened, and when all methods are replaced by
    methods of other kinds.

    In a race the speed is fitted so that the first lane arrives after ``FIRST_ARRIVAL`` seconds. A
    lane arrives when its method meets its tolerance. The speed is fitted again when another clock
    is chosen.

    Parameters
    ----------
    player : Player
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._is_chosen = False
        # The classes of methods for which the speed was fitted or suggested. While the set is
        # empty, the speed is fitted to the next finished run.
        self._fitted_kinds: frozenset[type] = frozenset()
        # Reading at which the first lane of the race arrives; None without a race, and until the
        # speed is fitted to the race.
        self._arrival: int | None = None

    def choose(self, steps_per_second: float) -> None:
        """Set the user's speed, which stays until a race begins or the clock of a race changes.

        With speed 0 or infinity, playing always shows the newest step.
        """
        self._is_chosen = True
        self._set(steps_per_second)

    def suggest(self, steps_per_second: float, document: Document) -> None:
        """Set the speed for a document and all edits of it.

        If the document is a race, :meth:`fit_race` replaces this speed when the race has finished.
        """
        self._is_chosen, self._fitted_kinds = False, _kinds(document)
        self._set(steps_per_second)

    def renew(self) -> None:
        """Fit the speed again to the next finished run.

        Without a race, a speed that the user has set stays. In a race the user's speed is dropped,
        since it has no meaning for another race or another clock.
        """
        self._fitted_kinds = frozenset()
        if self._arrival is not None:
            self._arrival, self._is_chosen = None, False

    def fit_runs(self, document: Document, runs: Sequence[Run], clock: Clock) -> bool:
        """Fit the speed to finished runs, and return whether the speed has changed."""
        if len(runs) > 1:
            return self.fit_race(document, clock.first_arrival(runs))
        self.end_race()
        return self.fit(document, clock.length(runs))

    def fit(self, document: Document, length: int) -> bool:
        """Fit the speed to a finished run, and return whether the speed has changed.

        It does not change if the user has set it, or if it was fitted for a method of the same
        kind.

        Parameters
        ----------
        document : Document
            The document that the run solves.
        length : int
            Number of steps of the run.
        """
        kinds = _kinds(document)
        keeps_speed = self._is_chosen or bool(self._fitted_kinds & kinds)
        self._fitted_kinds = kinds
        if keeps_speed:
            return False
        self._set(fitting_speed(length))
        return True

    def fit_race(self, document: Document, arrival: int) -> bool:
        """Fit the speed to a finished race, unless the user has set it for this race.

        Return whether the speed has changed.

        Parameters
        ----------
        document : Document
            The document that the runs solve.
        arrival : int
            Reading of the clock at which the first lane arrives, at least 1.
        """
        is_new_race = self._arrival is None
        if not is_new_race and (self._is_chosen or arrival == self._arrival):
            return False
        self._arrival, self._is_chosen = arrival, False
        self._fitted_kinds = _kinds(document)
        self._set(race_speed(arrival))
        return True

    def end_race(self) -> None:
        """Fit the speed again to the next finished run, if there was a race."""
        if self._arrival is not None:
            self.renew()

    def _set(self, steps_per_second: float) -> None:
        self._player.speed = steps_per_second if steps_per_second > 0 else math.inf


def _kinds(document: Document) -> frozenset[type]:
    return frozenset(type(method) for method in document.methods)
