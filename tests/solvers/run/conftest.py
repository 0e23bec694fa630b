"""Segments of a few steps, for every method."""

import pytest

from solvers import METHODS
from tests.solvers.run.short_segments import SIZE


@pytest.fixture
def small_segments(monkeypatch):
    for kind in METHODS.values():
        monkeypatch.setattr(kind, "segment_size", lambda self, problem: SIZE)
