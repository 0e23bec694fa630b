"""What the working-set method keeps: its state, its settings as numbers, its working memory.

Two levels. The *whole* problem has n points, ``beta`` and ``F``; a round copies some of its points
into a *local* problem with a Gram matrix of its own, on which SMO's pairs move. State holds both
levels, so that a run can be taken up between any two steps; the local Gram matrix is had again from
the points of the set.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from solvers.jit.signatures import Contiguous, Indices, Matrix, Switches, Vector
from solvers.jit.simd import padded
from solvers.methods.smo.state import COUNTS
from solvers.methods.working_set.features import NO_MONOMIALS, monomials_at, number_of_features
from solvers.methods.working_set.rows import KeptRows, make_kept_rows, no_kept_rows
from solvers.problem.problem import Problem

# How the set is chosen.
FAST, WORST, OSUNA = range(3)
# What a step was.
CHOICE, PAIR, NEWTON, TEST = range(4)
# Places in State.level, after those of SMO (BEST and LEAST are m and M of the local problem): m and
# M of the whole problem when last measured; how far rounding may have moved an entry of F; the
# violation at which a round ends; the largest kernel value.
LEVEL_M, LEVEL_LOW, DRIFT, TARGET, LARGEST = range(5, 10)
LEVELS = 10
# Places in State.count, after those of SMO: rounds begun, points in the set, points a set may
# have, whether a round is under way, steps in this round, pair steps since the last Newton step,
# how many of them to wait for, Newton steps in a row, the points of LEVEL_M and LEVEL_LOW.
ROUND, SIZE, QUOTA, INSIDE, INNER, SINCE, WAIT, STREAK, TOP, BOTTOM = range(COUNTS, COUNTS + 10)
# The largest set there may be: its Gram matrix takes 128 MB.
MOST = 4096
# A Newton step solves for at most this many free variables, and for at least so many if there are.
NEWTON_MOST, FEWEST = 128, 5
# Rows of Work.local before the points. Rows of kernel values keep their precision.
LOCAL_ROWS = 6
SINGLE = np.zeros(1, dtype=np.bool_)

EVENT = np.dtype(
    [
        ("kind", "i4"),
        ("size", "i4"),
        ("i", "i4"),
        ("j", "i4"),
        ("beta_i", "f8"),
        ("beta_j", "f8"),
        ("m", "f8"),
        ("M", "f8"),
    ]
)
StepEvent = Annotated[Any, EVENT]
StepEvents = Annotated[np.ndarray, Contiguous(EVENT, 1)]


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
    local_F, local_beta : float64 arrays, shape (q padded,)
        F and beta of the set, kept up to date at every step; zeros after it.
    old_beta : float64 array, shape (q padded,)
        beta of the set when the round began.
    level : float64 array, shape (10,)
    count : int64 array, shape (22,)
    """

    beta: Vector
    F: Vector
    points: Indices
    local_F: Vector
    local_beta: Vector
    old_beta: Vector
    level: Vector
    count: Indices


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


class Work(NamedTuple):
    """Working memory; never part of a state, so it cannot change a result.

    What belongs together is one array with rows: handing an array to compiled code costs numba half
    a microsecond, and a whole run on 50 points takes 46.

    Attributes
    ----------
    held : int64 array, shape (3,)
        The round whose set is at hand, or -1; whether it is that of all points; the slot that is
        looked at next for room.
    owner : int64 array, shape (q padded,)
        Which rows of the Gram matrix of the set have been computed: r, else -1.
    gram, local : float64 arrays, flat
        Gram matrix of the set; six rows (walls, diagonal, who cannot grow, who cannot shrink, gains
        of candidates), then its points, both ways round.
    kept : the points in blocks, and rows of the whole Gram matrix
    scratch : float64 array, shape (depth + 2, width)
        Scratch space of the evaluator; one row of kernel values.
    single : bool array, shape (1,); False: rows keep their precision
    chosen : int64 array, shape (n,)
        Which points changed, or may be drawn.
    delta : float64 array, shape (n,)
        By how much they changed.
    member : bool array, shape (n,)
        Who is chosen; nobody between choices.
    features, weights : float64 arrays, shape (D, n) and (2, D)
        The monomials of all points; their coefficients in the kernel, and in what changes.
    systems, vectors, free : arrays
        Of Newton steps: the matrix of the free variables with two right sides, and its factor
        (both flat); the step and another vector; the places of the free variables in the set.
    """

    held: Indices
    owner: Indices
    gram: Vector
    local: Vector
    kept: KeptRows
    scratch: Matrix
    single: Switches
    chosen: Indices
    delta: Vector
    member: Switches
    features: Matrix
    weights: Matrix
    systems: Matrix
    vectors: Matrix
    free: Indices


def make_state(beta: np.ndarray, F: np.ndarray, quota: int, most: int) -> State:
    """A state before its first round, for sets of ``quota`` points that may grow to ``most``."""
    count = np.zeros(COUNTS + 10, dtype=np.int64)
    count[QUOTA] = quota
    q = padded(most)
    return State(
        beta,
        F,
        np.zeros(most, dtype=np.int64),
        np.zeros(q),
        np.zeros(q),
        np.zeros(q),
        np.zeros(LEVELS),
        count,
    )


def make_work(problem: Problem, quota: int, most: int) -> Work:
    """Working memory for sets of up to ``most`` points; what is never used is never touched."""
    form = problem.form
    d, n = form.XT.shape
    q = padded(most)
    few = number_of_features(problem.kernel, d)
    free = min(most, NEWTON_MOST if few is None else max(few + 2, FEWEST))
    # Where a set is everything, F of all points is that of the set.
    kept = make_kept_rows(form) if n > quota else no_kept_rows(form)
    features, weights = monomials_at(form) if n > quota else NO_MONOMIALS
    return Work(
        held=np.array([-1, 0, 0]),
        owner=np.empty(q, dtype=np.int64),
        gram=np.empty(q * q),
        local=np.empty((LOCAL_ROWS + 2 * d) * q),
        kept=kept,
        scratch=np.empty((len(form.ops) + 2, max(kept.blocks.shape[2], q))),
        single=SINGLE,
        chosen=np.empty(n, dtype=np.int64),
        delta=np.empty(n),
        member=np.zeros(n, dtype=np.bool_),
        features=features,
        weights=weights,
        systems=np.empty((2, free * padded(free + 2))),
        vectors=np.empty((2, free)),
        free=np.empty(free, dtype=np.int64),
    )
