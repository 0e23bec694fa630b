"""How long leave-one-out shows each point."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from svmviz.panels.selection.folds.left_out import CHANGED, UNCHANGED, WRONG, LeftOutPlayer
from tests.stages import eight, sine


class Part:
    """A part of one point, of which only the outcome matters."""

    def __init__(self, is_retrained: bool, is_error: bool) -> None:
        self.is_retrained, self._is_error = is_retrained, is_error

    def errors(self, _labels: np.ndarray) -> np.ndarray:
        return np.array([self._is_error])


OUTCOMES = [(False, False), (True, False), (True, True)]


@pytest.mark.parametrize(
    ("document", "times"),
    [(eight(), [UNCHANGED, CHANGED, WRONG]), (sine(8), [UNCHANGED, CHANGED, CHANGED])],
    ids=["classification", "regression"],
)
def test_an_error_is_shown_for_longer(qapp, document, times):
    player = LeftOutPlayer()
    parts = cast(Any, {k: Part(*outcome) for k, outcome in enumerate(OUTCOMES)})
    player.begin(document, parts)
    for position, time in enumerate(times, start=1):
        player.go_to(position)
        assert player._time() == time
