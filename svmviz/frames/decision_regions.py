"""What the machines of a document decide together, on a fine grid of the plane.

The decision is no smooth function: votes jump. So f of each machine is interpolated between the
nodes of the field, as its contours are, to a node per px, and only then do the machines vote. Which
machines agree changes with each step of the machine looked at alone, so votes and sums of the
others are computed once per grid.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers import Expansion
from solvers.cancelling import check_cancelled
from solvers.problem.expansion import freeze
from solvers.problem.machines import Machine, decision_weights
from svmviz.frames.decision_field import HALF_LEVEL, contour_generator
from svmviz.frames.frame import Field
from svmviz.frames.viewport import MAX_NODES, Grid

# Number of nodes along the longer side while the picture moves; at rest there is one per px.
MOVING_NODES = 480
# Number of grids whose votes are stored: those of a moving picture and of one at rest, and that of
# a step whose field needs a finer grid.
MAX_GRIDS = 3
# Values of f are clipped to this size, so that their sums are finite in single precision.
MAX_SINGLE = 1e30
# Votes, sums and least f: of each class an array, shape (rows, columns).
Tally = tuple[Any, Any, Any]
# Rows of nodes that are decided at a time, so that all arrays fit into the cache of a processor.
ROWS = 32


@dataclass(frozen=True, eq=False)
class Regions:
    """The decision at the nodes of a fine grid.

    Attributes
    ----------
    grid : Grid
        The grid of the field. The fine one has the same edges and more nodes.
    classes : uint8 array, shape (rows, columns)
        The class decided for, from the top row to the bottom row. The outer nodes lie on the edges
        of the section, as those of a ``Field``.
    levels : uint8 array, shape (rows, columns)
        ``lead / (0.3 + lead)``, from 0..1 to 0..255; see ``solvers.problem.machines.Decision``.
    undecided : bool array, shape (rows, columns)
        Where several classes have most votes.
    boundary : list of arrays, shape (m, 2)
        The lines f = 0 of the machine looked at, in data units, with f > 0 on their left.
    others : OthersOnGrid
        It has the lines of the other machines.
    """

    grid: Grid
    classes: np.ndarray
    levels: np.ndarray
    undecided: np.ndarray
    boundary: list[np.ndarray]
    others: OthersOnGrid


@dataclass(frozen=True, eq=False)
class OthersOnGrid:
    """What the machines that are not looked at say on a grid.

    Attributes
    ----------
    votes, sums, least : arrays, shape (k, rows, columns)
        As in ``solvers.problem.machines.Decision``.
    boundaries : tuple of lists of arrays, shape (m, 2)
        For each machine the lines f = 0, none for the one looked at.
    """

    votes: np.ndarray
    sums: np.ndarray
    least: np.ndarray
    boundaries: tuple[list[np.ndarray], ...]


class DecisionFields:
    """The decision of several machines over grids, of which one changes from step to step.

    Parameters
    ----------
    machines : sequence of Machine
    expansions : sequence of Expansion or None
        f of each machine but the one looked at; None for that one, and for those without an f.
    shown : int
        Index of the machine looked at.
    factors : array, shape (2,)
        Data units are divided by these to get solver units.
    """

    def __init__(
        self,
        machines: Sequence[Machine],
        expansions: Sequence[Expansion | None],
        shown: int,
        factors: np.ndarray,
    ) -> None:
        self.machines = tuple(machines)
        self.expansions = tuple(expansions)
        self.shown = shown
        self._factors = factors
        present = [i for i in range(len(machines)) if expansions[i] or i == shown]
        weights = decision_weights([machines[i] for i in present])
        self._weights = dict(zip(present, weights, strict=True))
        self._stored: OrderedDict[Grid, OthersOnGrid] = OrderedDict()

    def regions(self, field: Field) -> Regions:
        """Return the decision if the machine looked at has this field."""
        if not self.knows(field.grid):
            self.store(field.grid, self.others_on(field.grid))
        others = self._stored[field.grid]
        self._stored.move_to_end(field.grid)
        code, weights = np.array(self.machines[self.shown].code), self._weights[self.shown]
        is_changed = ((code != 0) | (weights != 0)).tolist()
        parts = [np.empty(others.votes.shape[1:], kind) for kind in (np.uint8, np.uint8, bool)]
        # Images begin with the top row.
        from_below = [part[::-1] for part in parts]
        for rows, f in _refined(field.values, _refinement(field.grid)):
            # Arrays of classes about which the machine says nothing are not copied.
            votes, sums, least = (
                [each[rows].copy() if c else each[rows] for each, c in zip(array, is_changed)]
                for array in (others.votes, others.sums, others.least)
            )
            _add((votes, sums, least), f, code, weights)
            for part, found in zip(from_below, _decided((votes, sums, least)), strict=True):
                part[rows] = found
        classes, levels, undecided = map(freeze, parts)
        return Regions(field.grid, classes, levels, undecided, field.contours[0.0], others)

    def knows(self, grid: Grid) -> bool:
        """Return whether the votes of the other machines on a grid are stored."""
        return grid in self._stored

    def store(self, grid: Grid, others: OthersOnGrid) -> None:
        """Store the votes of the other machines on a grid."""
        self._stored[grid] = others
        if len(self._stored) > MAX_GRIDS:
            self._stored.popitem(last=False)

    def others_on(self, grid: Grid) -> OthersOnGrid:
        """Compute the votes of the other machines on a grid, in any thread."""
        k, factor = len(self.machines[0].code), _refinement(grid)
        shape = k, factor * (grid.rows - 1) + 1, factor * (grid.columns - 1) + 1
        votes, sums = np.zeros(shape, dtype=np.uint8), np.zeros(shape, dtype=np.float32)
        least = np.full(shape, MAX_SINGLE, dtype=np.float32)
        boundaries: list[list[np.ndarray]] = [[] for _ in self.machines]
        xs, ys = grid.xs / self._factors[0], grid.ys / self._factors[1]
        for index, expansion in enumerate(self.expansions):
            if expansion is None or index == self.shown:
                continue
            check_cancelled()
            values = expansion.on_grid(xs, ys)
            boundaries[index] = contour_generator(grid.xs, grid.ys, values).lines(0.0)
            code = np.array(self.machines[index].code)
            for rows, f in _refined(values, factor):
                tally = votes[:, rows], sums[:, rows], least[:, rows]
                _add(tally, f, code, self._weights[index])
        return OthersOnGrid(votes, sums, least, tuple(boundaries))


def _refinement(grid: Grid) -> int:
    """Return into how many parts the distance of two nodes is divided."""
    wanted = min(grid.pixels or MOVING_NODES, MAX_NODES)
    return max(1, math.ceil(wanted / max(grid.columns, grid.rows)))


def _refined(values: np.ndarray, factor: int) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield rows of values with others between them, interpolated linearly, as float32."""
    coarse = np.clip(values, -MAX_SINGLE, MAX_SINGLE).astype(np.float32)
    count = factor * (len(coarse) - 1) + 1
    for top in range(0, count, ROWS):
        rows = np.arange(top, min(top + ROWS, count))
        low = rows // factor
        shares = ((rows % factor) / np.float32(factor)).astype(np.float32)[:, None]
        across = coarse[low] + shares * (coarse[np.minimum(low + 1, len(coarse) - 1)] - coarse[low])
        left, right = across[:, :-1], across[:, 1:]
        fine = np.empty((len(rows), factor * left.shape[1] + 1), dtype=np.float32)
        for k in range(factor):
            fine[:, k:-1:factor] = left + np.float32(k / factor) * (right - left)
        fine[:, -1] = across[:, -1]
        yield slice(top, top + len(rows)), fine


def _add(tally: Tally, f: np.ndarray, code: np.ndarray, weights: np.ndarray) -> None:
    """Add what a machine with these f says, by its code and its weight in each class's sum."""
    votes, sums, least = tally
    is_positive = f >= 0.0
    is_negative, negated = ~is_positive, -f
    for k, side in enumerate(code.tolist()):
        if side:
            votes[k] += is_positive if side > 0 else is_negative
            np.minimum(least[k], f if side > 0 else negated, out=least[k])
        if weights[k]:
            sums[k] += f if weights[k] > 0 else negated


def _decided(tally: Tally) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return class, level and whether it is undecided, as in ``Regions``.

    One class after the other is compared, which takes a third of the time of ``argmax``.
    """
    votes, sums, least = tally
    most, best, lead = votes[0].copy(), sums[0].copy(), least[0].copy()
    classes = np.zeros(most.shape, dtype=np.uint8)
    undecided = np.zeros(most.shape, dtype=bool)
    for k in range(1, len(votes)):
        more, equal = votes[k] > most, votes[k] == most
        wins = more | (equal & (sums[k] > best))
        undecided = (undecided & ~more) | equal
        classes[wins] = k
        np.copyto(best, sums[k], where=wins)
        np.copyto(lead, least[k], where=wins)
        np.maximum(most, votes[k], out=most)
    np.maximum(lead, 0.0, out=lead)
    return classes, (255.0 * (lead / (HALF_LEVEL + lead))).astype(np.uint8), undecided
