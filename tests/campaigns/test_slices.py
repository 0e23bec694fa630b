"""A few cases of each campaign, with fixed seeds."""

from __future__ import annotations

import pytest

from tests.campaigns import files, monkey, presses, problems

pytestmark = pytest.mark.slow


def test_files():
    summary = files.main(seed=7, count=600, processes=1)
    assert summary.tried == 600
    assert not summary.failures, str(summary)


def test_problems():
    summary = problems.main(seed=7, count=60, processes=1)
    assert summary.tried == 60
    assert not summary.failures, str(summary)


@pytest.mark.display
def test_presses():
    summary = presses.main(seed=7, count=200)
    assert summary.tried >= 200
    assert not summary.failures, str(summary)


@pytest.mark.display
def test_monkey():
    # Whether the loop stood still is judged by the campaign alone: tests assert no times.
    summary = monkey.main(seed=7, seconds=5.0, longest=float("inf"))
    assert summary.tried > 50
    assert not summary.failures, str(summary)
