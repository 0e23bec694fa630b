"""State of the working-set method, its settings for compiled code, and its working memory.

There are two levels. The *whole* problem has n points, ``beta`` and ``F``; a round copies some of
its points into a *local* problem with a Gram matrix of its own, on which SMO's pairs move. The
state holds both levels, so that a run can resume between any two steps; the local Gram matrix is
computed again from the points of the set.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from solvers.jit.signatures import Contiguous, Indices, Matrix, Switches, Vector
from solvers.jit.simd import padded
from solvers.methods.smo.state import SCALARS, Scalars
from solvers.methods.working_set.cached_rows import (
    CachedRows,
    Loaded,
    make_cached_rows,
    make_loaded,
    no_cached_rows,
)
from solvers.methods.working_set.features import NO_MONOMIALS, monomials_at, number_of_features
from solvers.problem.problem import Problem
from solvers.run.records import new_record

# Choices of the set.
FAST, WORST, OSUNA = range(3)
# Kinds of steps.
CHOICE, PAIR, NEWTON, TEST = range(4)
# Points of the largest set: its Gram matrix takes 128 MB.
MAX_SET = 4096
# The maximum number of free variables that a Newton step solves for. With a kernel of few features
# the maximum is lower, but not below MIN_NEWTON.
MAX_NEWTON, MIN_NEWTON = 128, 5
# Rows of Work.local; the points of the set follow.
LOWER, UPPER, DIAGONAL, UP_MASK, LOW_MASK, GAIN, LOCAL_ROWS = range(7)
# An argument of kernel rows: False means double precision.
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

# The numbers of a state beside SMO's, which belong to the local problem.
ROUND = np.dtype(
    [
        # m and M over all points, when last computed.
        ("m", "f8"),
        ("M", "f8"),
        # The points that attain them.
        ("i", "i8"),
        ("j", "i8"),
        # Bound of the rounding error in an entry of F.
        ("F_error", "f8"),
        # The violation at which the inner steps end.
        ("inner_tol", "f8"),
        # The largest |K_ii|.
        ("max_kernel", "f8"),
        # Rounds begun.
        ("number", "i8"),
        # Points in the set, and points that the next set may have.
        ("size", "i8"),
        ("next_size", "i8"),
        # Whether the round is under way: 0 or 1; its steps so far.
        ("is_open", "i8"),
        ("steps", "i8"),
        # Pair steps since the last Newton step, those to wait for, Newton steps in a row.
        ("pairs_since_newton", "i8"),
        ("newton_wait", "i8"),
        ("newton_streak", "i8"),
    ]
)
Round = Annotated[np.ndarray, Contiguous(ROUND, 1)]


class State(NamedTuple):
    """Raw variables of the working-set method; q is the maximum size of a set.

    Attributes
    ----------
    beta : float64 array, shape (n,)
        Up to date at every step.
    F : float64 array, shape (n,)
        ``target - K beta`` as it was when the round began.
    points : int64 array, shape (q,)
        Indices of the set, ascending.
    local_F, local_beta : float64 arrays, shape (q padded,)
        F and beta of the set, up to date at every step; then zeros.
    old_beta : float64 array, shape (q padded,)
        beta of the set when the round began.
    scalars : structured array, shape (1,)
        Those of SMO: steps, kernel evaluations and the end of the run; m and M of the set.
    round : structured array, shape (1,); see :data:`ROUND`
    """

    beta: Vector
    F: Vector
    points: Indices
    local_F: Vector
    local_beta: Vector
    old_beta: Vector
    scalars: Scalars
    round: Round


class Params(NamedTuple):
    """The settings for compiled code.

    ``bounded`` says that ``|K_ij| <= max K_ii``, as for every Mercer kernel; ``hard`` that the
    margin is hard.
    """

    choice: int
    newton: bool
    tol: float
    seed: int
    bounded: bool
    hard: bool


class Work(NamedTuple):
    """Working memory; never part of a state, so it cannot change a result.

    What belongs together is one array with rows: each array costs numba half a microsecond per
    call, and a whole run on 50 points takes 46.

    Attributes
    ----------
    loaded : structured array, shape (1,); see :data:`.cached_rows.LOADED`
    owner : int64 array, shape (q padded,)
        r if row r of the Gram matrix of the set has been computed, else -1.
    gram, local : float64 arrays, flat
        Gram matrix of the set; six rows (LOWER to GAIN), then its points, and these transposed.
    cached : the points in blocks, and rows of the whole Gram matrix
    scratch : float64 array, shape (depth + 2, width)
        Scratch space of the evaluator; one row of kernel values.
    single : bool array, shape (1,); False, for double precision
    chosen : int64 array, shape (n,)
        Points that changed, or that may be drawn.
    delta : float64 array, shape (n,)
        The changes of their beta.
    member : bool array, shape (n,)
        Whether a point is chosen; all False between choices.
    features, weights : float64 arrays, shape (D, n) and (2, D)
        The monomials of all points; their coefficients in the kernel, and in the change of F.
    systems, vectors, free : arrays
        For Newton steps: the matrix of the free variables with two right sides, and its factor
        (both flat); the step and another vector; the positions of the free variables in the set.
    """

    loaded: Loaded
    owner: Indices
    gram: Vector
    local: Vector
    cached: CachedRows
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


def make_state(beta: np.ndarray, F: np.ndarray, size: int, largest: int) -> State:
    """Return a state before its first round, for sets of ``size`` points, at most ``largest``."""
    first = new_record(ROUND)
    first["next_size"] = size
    q = padded(largest)
    return State(
        beta,
        F,
        np.zeros(largest, dtype=np.int64),
        np.zeros(q),
        np.zeros(q),
        np.zeros(q),
        new_record(SCALARS),
        first,
    )


def make_work(problem: Problem, size: int, largest: int) -> Work:
    """Allocate working memory for sets of up to ``largest`` points; unused parts stay untouched."""
    dual_form = problem.dual_form
    d, n = dual_form.XT.shape
    q = padded(largest)
    few = number_of_features(problem.kernel, d)
    free = min(largest, MAX_NEWTON if few is None else max(few + 2, MIN_NEWTON))
    # If a set contains all points, F of all points is that of the set.
    cached = make_cached_rows(dual_form) if n > size else no_cached_rows(dual_form)
    features, weights = monomials_at(dual_form) if n > size else NO_MONOMIALS
    return Work(
        loaded=make_loaded(),
        owner=np.empty(q, dtype=np.int64),
        gram=np.empty(q * q),
        local=np.empty((LOCAL_ROWS + 2 * d) * q),
        cached=cached,
        scratch=np.empty((len(dual_form.ops) + 2, max(cached.blocks.shape[2], q))),
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
