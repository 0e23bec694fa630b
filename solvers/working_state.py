"""What the working-set method keeps: its state, its settings as numbers, its working memory.

Two levels. The *whole* problem has n points, ``beta`` and ``F``; a round copies some of its points
into a *local* problem with a Gram matrix of its own. State holds both levels, so that a run can be
taken up between any two steps; the local Gram matrix is had again from the points of the set.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.problem import DualForm

# How the set is chosen.
FAST, WORST, OSUNA = range(3)
# What a step was.
CHOICE, PAIR, NEWTON, TEST = range(4)
# Places in State.level: m and M of the whole problem when last measured; how far rounding may have
# moved an entry of F; m and M of the local problem; the violation at which a round ends; the
# largest kernel value; how near the hulls of the classes were last found to be (hard margin).
LEVEL_M, LEVEL_LOW, DRIFT, LOCAL_M, LOCAL_LOW, TARGET, LARGEST, DISTANCE = range(8)
# Places in State.count: steps, kernel values asked for, rounds begun, points in the set, points a
# set may have, whether a round is under way, steps in this round, pair steps since the last Newton
# step, how many of them to wait for, Newton steps in a row, why the run ended.
STEPS, EVALUATIONS, ROUND, SIZE, QUOTA, INSIDE, MOVES, SINCE, WAIT, STREAK, CODE = range(11)
# The largest set there may be: its Gram matrix takes 128 MB.
MOST = 4096
# A Newton step solves for at most this many free variables.
NEWTON_MOST = 128

EVENT = np.dtype(
    [
        ("kind", "i4"),
        ("size", "i4"),
        ("i", "i4"),
        ("j", "i4"),
        ("m", "f8"),
        ("M", "f8"),
    ]
)


class State(NamedTuple):
    """Raw variables of the working-set method; q is the most points a set may have.

    Attributes
    ----------
    beta : float64 array, shape (n,)
        Kept up to date at every step.
    F : float64 array, shape (n,)
        ``target - K beta`` as it was when the round began.
    points : int64 array, shape (q,)
        Indices of the set, ascending.
    local_F, local_beta : float64 arrays, shape (q,)
        F and beta of the set, kept up to date at every step.
    old_beta : float64 array, shape (q,)
        beta of the set when the round began.
    level : float64 array, shape (8,)
    count : int64 array, shape (11,)
    """

    beta: np.ndarray
    F: np.ndarray
    points: np.ndarray
    local_F: np.ndarray
    local_beta: np.ndarray
    old_beta: np.ndarray
    level: np.ndarray
    count: np.ndarray


class Rule(NamedTuple):
    """The settings as compiled code takes them.

    ``bounded`` says that ``|K_ij| <= max K_ii``, as for every Mercer kernel; ``hard`` that the
    margin is.
    """

    choice: int
    newton: bool
    tol: float
    seed: int
    bounded: bool
    hard: bool


class SetMemory(NamedTuple):
    """What the inner steps work with; q is the most points a set may have.

    Attributes
    ----------
    held : int64 array, shape (2,)
        The round whose set is at hand, or -1; whether it is that of all points.
    known : bool array, shape (q,)
        Which rows of the Gram matrix have been computed.
    gram, XT : float64 arrays, flat
        Gram matrix and transposed points of the set.
    lower, upper, diagonal, index, gain : float64 arrays, shape (q,)
        Copies for the set; 0, 1, 2, ...; the gains of the candidates.
    stack : float64 array, shape (depth, q); scratch space of the evaluator
    """

    held: np.ndarray
    known: np.ndarray
    gram: np.ndarray
    XT: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    diagonal: np.ndarray
    index: np.ndarray
    gain: np.ndarray
    stack: np.ndarray


class RestMemory(NamedTuple):
    """What the test of all points, and the choice among them, work with.

    Attributes
    ----------
    blocks : float64 array, shape (blocks, d, width)
        All points, transposed, in blocks that stay in the fastest memory; padded with zeros.
    row, stack : float64 arrays, shape (width,) and (depth, width or n)
        One row of kernel values, and scratch space of the evaluator.
    kept, met : float64 and bool arrays, shape (n, n) and (n,), or (1, 1)
        Rows of the whole Gram matrix, where they are kept, and which are there.
    changed, delta : int64 and float64 arrays, shape (n,)
        Which beta changed, and by how much.
    member : bool array, shape (n,)
        Who is chosen; nobody between choices.
    """

    blocks: np.ndarray
    row: np.ndarray
    stack: np.ndarray
    kept: np.ndarray
    met: np.ndarray
    changed: np.ndarray
    delta: np.ndarray
    member: np.ndarray


class NewtonMemory(NamedTuple):
    """The matrix of the free variables (flat), the step and a vector, their places in the set."""

    matrix: np.ndarray
    vectors: np.ndarray
    free: np.ndarray


class Work(NamedTuple):
    """Working memory; never part of a state, so it cannot change a result."""

    set: SetMemory
    rest: RestMemory
    newton: NewtonMemory


class Local(NamedTuple):
    """The local problem as the inner steps see it: views of shape (size,), and the flat Gram."""

    F: np.ndarray
    beta: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    diagonal: np.ndarray
    gain: np.ndarray
    index: np.ndarray
    gram: np.ndarray


# Up to here rows of the whole Gram matrix are kept: 128 MB.
KEPT_UP_TO = 4000
# Points in a block of the whole problem: a row and its scratch space stay in the fastest memory.
BLOCK = 1024


def make_state(beta: np.ndarray, F: np.ndarray, quota: int, most: int) -> State:
    """A state before its first round, for sets of ``quota`` points that may grow to ``most``."""
    count = np.zeros(11, dtype=np.int64)
    count[QUOTA] = quota
    return State(
        beta,
        F,
        np.zeros(most, dtype=np.int64),
        np.zeros(most),
        np.zeros(most),
        np.zeros(most),
        np.zeros(8),
        count,
    )


def make_work(form: DualForm, most: int, keep: bool) -> Work:
    """Working memory for sets of up to ``most`` points; what is never used is never touched."""
    d, n = form.XT.shape
    blocks = _in_blocks(form.XT)
    width = blocks.shape[2]
    free = min(most, NEWTON_MOST + 1)
    depth = len(form.ops) + 1
    keeps = keep and most < n <= KEPT_UP_TO
    return Work(
        SetMemory(
            held=np.array([-1, 0]),
            known=np.empty(most, dtype=np.bool_),
            gram=np.empty(most * most),
            XT=np.empty(d * most),
            lower=np.empty(most),
            upper=np.empty(most),
            diagonal=np.empty(most),
            index=np.arange(float(most)),
            gain=np.empty(most),
            stack=np.empty((depth, most)),
        ),
        RestMemory(
            blocks=blocks,
            row=np.empty(width),
            stack=np.empty((depth, n if keeps else width)),
            kept=np.empty((n, n) if keeps else (1, 1)),
            met=np.zeros(n if keeps else 1, dtype=np.bool_),
            changed=np.empty(n, dtype=np.int64),
            delta=np.empty(n),
            member=np.zeros(n, dtype=np.bool_),
        ),
        NewtonMemory(
            matrix=np.empty(free * free),
            vectors=np.empty((2, free)),
            free=np.empty(free, dtype=np.int64),
        ),
    )


def _in_blocks(XT: np.ndarray) -> np.ndarray:
    """The points in blocks of at most BLOCK, shape (blocks, d, width), padded with zeros."""
    d, n = XT.shape
    number = -(-n // BLOCK)
    if number == 1:
        return XT.reshape(1, d, n)
    width = -(-n // number)
    padded = np.zeros((d, number * width))
    padded[:, :n] = XT
    return np.ascontiguousarray(padded.reshape(d, number, width).swapaxes(0, 1))
