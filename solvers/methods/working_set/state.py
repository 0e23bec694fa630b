"""State of the working-set method, its settings for compiled code, and its working memory.

There are two levels. The *whole* problem has n points, with ``beta`` and ``F``. A round copies some
of these points, the *set*, into a *local* problem that has its own Gram matrix. Steps within the
round change beta on both levels, but F only in the local problem. At the end of the round, F of the
whole problem is updated.

The state contains both levels, so that a run can resume between any two steps. The local Gram
matrix is not in the state, since it can be computed from the points of the set.

``F = target - K beta``. m is the largest F of the points whose beta may rise, M is the smallest F
of the points whose beta may fall. There are an m and an M of the set, and an m and an M of all
points.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from solvers.jit.signatures import Contiguous, Indices, Matrix, Switches, Vector
from solvers.jit.simd import padded
from solvers.kernels.evaluator import FOUR
from solvers.kernels.kernel_rows import SLOT_ROWS, Rows, make_rows
from solvers.kernels.programs import Program
from solvers.methods.smo.steps import SCALARS, Scalars
from solvers.methods.working_set.features import (
    NO_MONOMIALS,
    monomials_at,
    number_of_features,
    subtract_polynomial,
)
from solvers.problem.problem import Problem
from solvers.run.records import new_record

# Choices of the set: random violators, worst violators, and that of Osuna, Freund and Girosi.
FAST, WORST, OSUNA = range(3)
# Kinds of steps: choose the set, move a pair, move all free variables, test all points.
CHOICE, PAIR, NEWTON, TEST = range(4)
# Maximum number of points in a set. The Gram matrix of so many points takes 128 MB.
MAX_SET = 4096
# A Newton step moves at most MAX_NEWTON free variables. For a kernel with D features, where D is at
# most MAX_FEATURES (features.py), it moves at most D + 2 or MIN_NEWTON, whichever is larger.
MAX_NEWTON, MIN_NEWTON = 128, 5
# Rows of Work.local, and their number LOCAL_ROWS. The points of the set follow these rows.
LOWER, UPPER, DIAGONAL, UP_MASK, LOW_MASK, GAIN, LOCAL_ROWS = range(7)

# With at most FEW_FEATURES features, reading a row from a larger memory than this, in bytes, would
# be slower than computing it again.
FEW_FEATURES, CHEAP_CACHE_BYTES = 4, 2_000_000

# The contents of the working memory of a run. round: the number of the round whose set was last
# copied into it, or -1 if none was. has_all: 1 if that set contains all points, otherwise 0.
LOADED = np.dtype([("round", "i8"), ("has_all", "i8")])
Loaded = Annotated[np.ndarray, Contiguous(LOADED, 1)]

# The record of a step: its kind, and the number of points in the set. For a pair step, i and j are
# the pair, and beta_i and beta_j are their values after the step. For a Newton step, i is the
# number of variables that move. For a pair step or a Newton step, m and M are those of the set
# before the step. For a choice or a test, they are those of all points.
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

# The numbers of a round. A state also has SMO's scalars, in which m and M are those of the set.
ROUND = np.dtype(
    [
        # m and M over all points, as last computed.
        ("m", "f8"),
        ("M", "f8"),
        # The points that attain m and M.
        ("i", "i8"),
        ("j", "i8"),
        # Bound on the rounding error of every entry of F; inf if no bound is known.
        ("F_error", "f8"),
        # The pair and Newton steps of the round end when m - M of the set is below this.
        ("inner_tol", "f8"),
        # The largest |K_ii|.
        ("max_kernel", "f8"),
        # Rounds begun.
        ("number", "i8"),
        # Number of points in the set, and maximum number of points in the next set.
        ("size", "i8"),
        ("next_size", "i8"),
        # 1 during a round, 0 between rounds.
        ("is_open", "i8"),
        # Pair and Newton steps of this round.
        ("steps", "i8"),
        # Pair steps since the last Newton step, pair steps to take before the next one, and the
        # number of successive Newton steps.
        ("pairs_since_newton", "i8"),
        ("newton_wait", "i8"),
        ("newton_streak", "i8"),
    ]
)
Round = Annotated[np.ndarray, Contiguous(ROUND, 1)]


class State(NamedTuple):
    """Raw variables of the working-set method.

    q is the maximum size of a set; "q padded" is q rounded up to a multiple of
    :data:`solvers.jit.simd.PAD`. If the present set has s points, only the first s entries of
    ``points`` are used. Of the other arrays for the set, the first "s padded" entries are used;
    those after the first s belong to points that cannot move.

    Attributes
    ----------
    beta : float64 array, shape (n,)
        The current beta.
    F : float64 array, shape (n,)
        ``target - K beta``; during a round, as it was when the round began.
    points : int64 array, shape (q,)
        Indices of the points of the set, ascending.
    local_F, local_beta : float64 arrays, shape (q padded,)
        The current F and beta of the set.
    old_beta : float64 array, shape (q padded,)
        beta of the set when the round began.
    scalars : structured array, shape (1,)
        The scalars of SMO: steps, kernel evaluations, the stop code, m and M of the set.
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

    Attributes
    ----------
    choice : int
        FAST, WORST or OSUNA.
    newton : bool
        Whether to take Newton steps.
    tol : float
        The run ends if ``m - M < tol``.
    seed : int
    bounded : bool
        Whether ``|K_ij| <= max K_ii``, as for every Mercer kernel.
    hard : bool
        Whether the margin is hard.
    """

    choice: int
    newton: bool
    tol: float
    seed: int
    bounded: bool
    hard: bool


class Parts(NamedTuple):
    """Addresses of functions that are compiled apart from the loop that calls them.

    numba optimises the code of a callee again with each caller, so with four levels of calls most
    code would be compiled four times. An address is 0 if no step of the run calls the function.
    """

    choose: int
    inner_steps: int
    newton_step: int
    end_round: int
    mark_worst: int
    subtract_polynomial: int


class Work(NamedTuple):
    """Working memory; never part of a state, so it cannot change a result.

    q, "q padded" and "s padded" are those of :class:`State`: s is the present size of the set. f is
    the maximum number of variables that a Newton step moves. Related quantities are rows of one
    array, because numba needs half a microsecond per array in every call. This matters: a whole run
    on 50 points takes 46 microseconds.

    Attributes
    ----------
    parts : Parts
    loaded : structured array, shape (1,); see :data:`LOADED`
    rows : Rows
        All points, and rows of their Gram matrix.
    slots : int64 array, shape (SLOT_ROWS (q padded + 1),)
        Which rows of the set's Gram matrix have been computed, see :class:`Rows`.
    together : int
        How many rows of the set's Gram matrix are computed when one is needed.
    gram : float64 array, shape (q padded ** 2,)
        The Gram matrix of the set, row by row; each row has s padded entries.
    local : float64 array, one-dimensional
        The rows LOWER to GAIN of the set, each of s padded entries; then the points of the set, and
        their transpose.
    indices : int64 array, shape (n,)
        Indices of points: the changed points, or the violators from which a set is drawn.
    delta : float64 array, shape (n,)
        The changes of beta of the changed points.
    member : bool array, shape (n,)
        Whether a point belongs to the set that is being chosen; all False between choices.
    features : float64 array, shape (D, n)
        The D monomials of all points (see :mod:`.features`).
    weights : float64 array, shape (2, D)
        The coefficients of the monomials in the kernel, and in the change of F.
    systems : float64 array, shape (2, f times (f + 2) padded)
        For Newton steps: the matrix of the moved variables with two right sides, and the factor of
        this matrix (see :mod:`.newton`).
    vectors : float64 array, shape (2, f)
        For Newton steps: the step, and working memory.
    free : int64 array, shape (f,)
        For Newton steps: the free variables that move, as positions within the set.
    """

    parts: Parts
    loaded: Loaded
    rows: Rows
    slots: Indices
    together: int
    gram: Vector
    local: Vector
    indices: Indices
    delta: Vector
    member: Switches
    features: Matrix
    weights: Matrix
    systems: Matrix
    vectors: Matrix
    free: Indices


def make_state(beta: np.ndarray, F: np.ndarray, size: int, max_size: int) -> State:
    """Return a state before its first round.

    The first set has ``size`` points, and no set has more than ``max_size`` points.
    """
    first = new_record(ROUND)
    first["next_size"] = size
    q = padded(max_size)
    return State(
        beta,
        F,
        np.zeros(max_size, dtype=np.int64),
        np.zeros(q),
        np.zeros(q),
        np.zeros(q),
        new_record(SCALARS),
        first,
    )


def make_work(problem: Problem, size: int, max_size: int, parts: Parts, cache_bytes: int) -> Work:
    """Allocate working memory for a first set of ``size`` points and sets of up to ``max_size``."""
    dual_form = problem.dual_form
    n, d = dual_form.X.shape
    q = padded(max_size)
    n_features = number_of_features(problem.used_kernel, d)
    max_newton = MAX_NEWTON if n_features is None else max(n_features + 2, MIN_NEWTON)
    max_free = min(max_size, max_newton)
    max_bytes = CHEAP_CACHE_BYTES if d <= FEW_FEATURES else cache_bytes
    # Steps on a set of all points update F of all points, so cached rows are not needed.
    program = Program(dual_form.ops, dual_form.args)
    max_bytes = min(max_bytes, cache_bytes) if n > size else 0
    rows = make_rows(dual_form.X, program, max_bytes, min_width=q)
    features, weights = monomials_at(dual_form) if n > size else NO_MONOMIALS
    if len(features):
        parts = parts._replace(subtract_polynomial=subtract_polynomial.address)
    loaded = new_record(LOADED)
    loaded["round"][0] = -1
    return Work(
        parts=parts,
        loaded=loaded,
        rows=rows,
        slots=np.empty(SLOT_ROWS * (q + 1), dtype=np.int64),
        together=1 if d <= FEW_FEATURES else FOUR,
        gram=np.empty(q * q),
        local=np.empty((LOCAL_ROWS + 2 * rows.X.shape[1]) * q),
        indices=np.empty(n, dtype=np.int64),
        delta=np.empty(n),
        member=np.zeros(n, dtype=np.bool_),
        features=features,
        weights=weights,
        systems=np.empty((2, max_free * padded(max_free + 2))),
        vectors=np.empty((2, max_free)),
        free=np.empty(max_free, dtype=np.int64),
    )
