"""How many points the window shows, and what it does with more."""

import numpy as np
import pytest

from solvers import BadInput
from solvers.data.datasets import PointSet
from svmviz.document import limits


@pytest.fixture
def most(monkeypatch):
    """At most eight points are shown."""
    monkeypatch.setattr(limits, "MAX_SHOWN_POINTS", 8)


def test_a_sample_keeps_the_order_and_each_point_once(most):
    data = PointSet(np.arange(40.0).reshape(20, 2), [1, -1] * 10)
    some = limits.sample(data)
    rows = (some.points[:, 0] / 2.0).astype(int)
    assert len(set(rows)) == 8
    assert (np.diff(rows) > 0).all()
    assert (some.labels == data.labels[rows]).all()
    assert some == limits.sample(data)


def test_more_points_than_are_shown_are_refused(most):
    limits.check_number(8, "the file")
    with pytest.raises(BadInput, match=r"^With the file there would be 9 points; the window shows"):
        limits.check_number(9, "the file")
