"""Probabilities of classes from decision values: Platt's sigmoid, and the coupling of pairs.

A support vector machine has no probabilities. Platt (1999) fits a logistic curve to its decision
values, ``P(y = +1 | f) = 1 / (1 + exp(A f + B))``. Values of f at the points that the machine was
trained on lie too far from 0, so f of each point is taken from a machine trained without its fold.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from solvers.errors import BadInput, shorten
from solvers.problem.problem import Problem
from solvers.run.method import Method
from solvers.selection.models import Model
from solvers.selection.splits import Classes, Split, fold_splits
from solvers.solving import solve

# Number of folds in which points are held out, or the number of points of a class if that is less.
FOLDS = 5
# Newton's method ends when no component of the gradient is larger than this per point, or when no
# step of at least MIN_STEP lowers the objective, which then is minimal up to rounding.
TOLERANCE, MAX_NEWTON_STEPS, MIN_STEP = 1e-12, 100, 1e-10
# Added to the diagonal of the Hessian, which is singular if all decision values are equal.
RIDGE = 1e-12
# Probabilities of pairs keep this distance from 0 and 1, as in LIBSVM, so that the coupling has
# exactly one solution.
MIN_PAIR = 1e-7
# Maximum number of entries of the linear systems that are solved at once.
BLOCK = 4_000_000


@dataclass(frozen=True)
class Sigmoid:
    """The curve ``P(y = +1 | f) = 1 / (1 + exp(A f + B))``; it rises with f if A is below 0."""

    A: float
    B: float

    def __call__(self, f: np.ndarray) -> np.ndarray:
        """Return the probability of the label +1 at decision values of any shape."""
        # In this form no power overflows.
        return np.exp(-np.logaddexp(0.0, self.A * f + self.B))


def fit_sigmoid(f: np.ndarray, y: np.ndarray) -> Sigmoid:
    """Return the sigmoid of greatest likelihood.

    The targets are not 1 and 0, but ``(N+ + 1) / (N+ + 2)`` and ``1 / (N- + 2)`` for N+ points with
    the label +1 and N- with -1, so that the curve stays finite if f separates the classes. The
    negative log-likelihood is convex and is minimised by Newton's method with backtracking.

    Parameters
    ----------
    f : array, shape (n,)
        Decision values, of points that are not those the machine was trained on.
    y : array, shape (n,)
        Labels -1 and +1.

    Raises
    ------
    BadInput
        If the shapes differ, a value is not finite, a label is another number, or one is missing.

    Source
    ------
    Lin, Lin and Weng (2007), A note on Platt's probabilistic outputs for support vector machines.
    """
    f, y = np.asarray(f, dtype=np.float64), np.asarray(y)
    if f.ndim != 1 or f.shape != y.shape:
        raise BadInput(f"There must be one label per decision value: got {y.shape} for {f.shape}.")
    if not np.isfinite(f).all():
        raise BadInput("A sigmoid is fitted to finite decision values: one of them is not finite.")
    if set(np.unique(y).tolist()) != {-1, 1}:
        raise BadInput("A sigmoid is fitted to points of both labels, -1 and +1.")
    positive = y > 0
    many, few = int(positive.sum()), int((~positive).sum())
    target = np.where(positive, (many + 1.0) / (many + 2.0), 1.0 / (few + 2.0))
    # The size of f depends on C and the kernel; that of the Hessian must not.
    size = float(np.abs(f).max()) or 1.0
    features = np.column_stack([f / size, np.ones(len(f))])

    def objective(at: np.ndarray) -> float:
        z = features @ at
        return float((np.logaddexp(0.0, -z) + target * z).sum())

    at = np.array([0.0, np.log((few + 1.0) / (many + 1.0))])
    value = objective(at)
    for _ in range(MAX_NEWTON_STEPS):
        p = Sigmoid(*at.tolist())(features[:, 0])
        gradient = features.T @ (target - p)
        if np.abs(gradient).max() <= TOLERANCE * len(f):
            break
        hessian = features.T @ (features * (p * (1.0 - p))[:, None]) + RIDGE * np.eye(2)
        direction = -np.linalg.solve(hessian, gradient)
        step, slope = 1.0, float(gradient @ direction)
        while step >= MIN_STEP and objective(at + step * direction) >= value + 1e-4 * step * slope:
            step *= 0.5
        if step < MIN_STEP:
            break
        at = at + step * direction
        value = objective(at)
    return Sigmoid(float(at[0]) / size, float(at[1]))


def probability_splits(y: np.ndarray, names: tuple[str, str], seed: int = 0) -> list[Split]:
    """Return the stratified folds in which points are held out, to fit a sigmoid.

    Parameters
    ----------
    y : array, shape (n,)
        Labels -1 and +1.
    names : (str, str)
        Names of the two classes, -1 first.

    Raises
    ------
    BadInput
        If a class has one point: where it is held out, there is nothing to train on.
    """
    codes = (np.asarray(y) > 0).astype(np.int64)
    counts = np.bincount(codes, minlength=2)
    if counts.min() < 2:
        raise BadInput(
            "Probabilities need at least two points of each class: class"
            f" {shorten(names[int(counts.argmin())])} has {counts.min()}."
        )
    return fold_splits(Classes(codes, names), min(FOLDS, int(counts.min())), seed, stratified=True)


def held_out_sigmoid(problem: Problem, method: Method, names: tuple[str, str]) -> Sigmoid:
    """Return the sigmoid of a problem, fitted to f of machines that were trained without a fold.

    Raises
    ------
    BadInput
        As :func:`probability_splits`.
    """
    f = np.empty(problem.n)
    with np.errstate(all="ignore"):
        for split in probability_splits(problem.y, names):
            run = solve(Model(method).on(problem, split.train), method, record=False)
            f[split.test] = run.expansion(problem.X[split.test])
    return fit_sigmoid(f, problem.y)


def couple(pairs: np.ndarray, k: int) -> np.ndarray:
    """Return the probabilities of k classes that agree best with those of their pairs.

    For ``r_ij``, the probability of class i if the class is i or j, they minimise
    ``sum_i sum_{j != i} (r_ji p_i - r_ij p_j)^2`` with ``sum_i p_i = 1``. The minimum is found from
    the linear system of its optimality conditions, and is never negative.

    Parameters
    ----------
    pairs : array, shape (m, k (k - 1) / 2)
        ``r_ij`` at m places, in the order of ``itertools.combinations(range(k), 2)``.

    Returns
    -------
    array, shape (m, k)

    Source
    ------
    Wu, Lin and Weng (2004), Probability estimates for multi-class classification by pairwise
    coupling, section 4: their second method.
    """
    probabilities = np.empty((len(pairs), k))
    places = max(1, BLOCK // (k + 1) ** 2)
    for start in range(0, len(pairs), places):
        block = slice(start, start + places)
        r = np.zeros((len(pairs[block]), k, k))
        for column, (i, j) in enumerate(itertools.combinations(range(k), 2)):
            r[:, i, j] = np.clip(pairs[block, column], MIN_PAIR, 1.0 - MIN_PAIR)
            r[:, j, i] = 1.0 - r[:, i, j]
        system = np.zeros((len(r), k + 1, k + 1))
        system[:, :k, :k] = -r * r.transpose(0, 2, 1)
        diagonal = np.arange(k)
        system[:, diagonal, diagonal] = (r**2).sum(axis=1)
        system[:, k, :k] = system[:, :k, k] = 1.0
        right = np.zeros((len(r), k + 1, 1))
        right[:, k] = 1.0
        p = np.maximum(np.linalg.solve(system, right)[:, :k, 0], 0.0)
        probabilities[block] = p / p.sum(axis=1, keepdims=True)
    return probabilities
