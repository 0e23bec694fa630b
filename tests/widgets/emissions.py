"""Signals of a control, recorded for tests."""

from __future__ import annotations

from typing import Any


class Emissions:
    """Arguments of the signals ``moved`` and ``released`` of a control, in order."""

    def __init__(self, control: Any) -> None:
        self.moved: list[Any] = []
        self.released: list[Any] = []
        control.moved.connect(self.moved.append)
        control.released.connect(self.released.append)
