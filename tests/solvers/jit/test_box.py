"""What is put into a box comes out of it as it was."""

from typing import NamedTuple

import numpy as np

from solvers.jit.compiled import compiled
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Indices, Matrices, Matrix, Switches


class Inner(NamedTuple):
    rows: Matrix
    switches: Switches


class Outer(NamedTuple):
    order: Indices
    inner: Inner
    factor: float


@compiled_apart
def measure(outer: Outer, cube: Matrices, sizes: Indices) -> tuple[float, tuple[int, bool]]:
    """Write down sizes and strides as seen from here; return a number of each kind."""
    inner = outer.inner
    for axis in range(3):
        sizes[axis], sizes[3 + axis] = cube.shape[axis], cube.strides[axis]
    sizes[6], sizes[7], sizes[8] = cube.size, cube.itemsize, inner.switches.strides[0]
    sizes[9], sizes[10] = inner.rows.strides[0], len(inner.switches)
    total = outer.factor
    for k in range(len(outer.order)):
        total += inner.rows[k].sum() + cube[outer.order[k]][:, -1].sum()
    return total, (outer.order[-1], inner.switches[1])


@compiled
def call(outer: Outer, cube: Matrices, sizes: Indices) -> tuple[float, tuple[int, bool]]:
    """Call it."""
    return measure(outer, cube, sizes)


def test_arrays_in_tuples_of_tuples_arrive_with_shape_and_strides():
    rows, cube = np.arange(6.0).reshape(2, 3), np.arange(24.0).reshape(2, 3, 4)
    switches = np.array([True, False, True])
    order, sizes = np.array([1, 0]), np.zeros(11, dtype=np.int64)
    found = call(Outer(order, Inner(rows, switches), 0.5), cube, sizes)
    assert found == (0.5 + rows.sum() + cube[:, :, -1].sum(), (0, False))
    expected = (*cube.shape, *cube.strides, cube.size, 8, 1, rows.strides[0], 3)
    assert sizes.tolist() == list(expected)


def test_what_is_empty_stays_empty():
    cube, sizes = np.zeros((2, 0, 3)), np.zeros(11, dtype=np.int64)
    outer = Outer(np.array([0]), Inner(np.zeros((1, 0)), np.zeros(2, dtype=bool)), 1.0)
    assert call(outer, cube, sizes) == (1.0, (0, False))
    assert sizes[:3].tolist() == [2, 0, 3]
    assert sizes[6] == 0
