"""Degenerate problems: each run ends with a true reason, replays to the bit, and holds no NaN.

``python -m tests.campaigns.problems [SEED [NUMBER]]`` runs the campaign, or one case of it.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from solvers import KERNELS, METHODS, BadInput, Cursor, Kernel, Method, Reason, Run, separation
from solvers import solve as solve_problem
from solvers.data.coordinates import MAX_COORDINATE
from solvers.data.datasets import PointSet
from solvers.kernels.evaluator import BLOCK
from solvers.settings import Setting, settings_of
from svmviz.document.document import SCALINGS, Document, Penalty
from tests.campaigns.summary import Summary, find_fault, run_cases, run_or_show
from tests.solvers.states import same_state

COUNT = 5_000
MAX_STEPS = 1500
# Steps of each run that are replayed in any order.
REPLAYED = 6
Random = np.random.Generator
SIZES = (1.0, 1.0, 1.0, 1e-9, 1e6, 1e9, 1e-30, 1e30, 1e-150, 1e-300, 5e-324, MAX_COORDINATE)
EXPRESSIONS = (
    "0.5*rbf(gamma=2) + linear()", "poly(2, 0.5)*rbf(1) + exp(linear()/100)", "linear()^3",
    "rbf(1) - rbf(2)", "-linear()", "scale(inverse_norm, linear())", "scale(gaussian, poly(3))",
    "scale(norm, rbf(1e-9))", "0*linear()", "1", "1e-300*linear()", "1e6*rbf(1)^10",
    "((rbf(1))^3)^3", "sigmoid() + 1", "laplacian(1e9)", "exp(sigmoid(5, -5))", "rbf(sigma=1e-6)",
)  # fmt: skip
FORMULAS = (
    "x1*z1 + x2*z2", "(1 + x1*z1 + x2*z2)^2", "exp(-abs(x1 - z1)) + min(x1, z1)/3*cos(x2*z2)",
    "1 - (x1 - z1)^2 - (x2 - z2)^2", "0", "1", "-x1*z1", "abs(x1 - z1)", "tanh(x1*z1)", "x1*z2",
    "max(x1, z1)", "sqrt(abs(x1*z1))", "1/(1 + (x1 - z1)^2)", "log(1 + abs(x1*z1))",
    "sin(x1*z1*1e9)",
)  # fmt: skip


def main(seed: int = 0, count: int = COUNT, processes: int = 2) -> Summary:
    """Run the campaign."""
    return run_cases("problems", check, seed, count, processes)


def check(seed: int, number: int) -> tuple[str, str]:
    """Solve one problem; return how it ended, and what is wrong."""
    rng = np.random.default_rng([seed, number])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            document = make_document(rng)
            problem = document.problem()
            guess = rng.normal(size=problem.n) * _power(rng, -3, 3) if rng.random() < 0.1 else None
            run = solve_problem(problem, document.method, guess)
        except BadInput as error:
            return "refused", find_fault(str(error))
        return f"{document.task} {run.reason}", "; ".join(filter(None, faults_of(run, rng)))


def make_document(rng: Random) -> Document:
    """A degenerate problem and a method for it."""
    kind = METHODS[str(rng.choice(list(METHODS)))]
    is_regression = "regression" in kind.tasks and bool(rng.random() < 0.3)
    points, labels = make_points(rng)
    return Document(
        data=PointSet(points, labels),
        kernel=make_kernel(rng),
        penalty=_penalty(rng),
        bias=str(rng.choice(kind.biases)),
        methods=(make_method(rng, kind),),
        scaling=str(rng.choice(["none", "none", *SCALINGS])),
        task="regression" if is_regression else "classification",
        epsilon=float(rng.choice([0.0, 0.1, 1e-9, 1e9])),
    )


def make_points(rng: Random) -> tuple[np.ndarray, np.ndarray]:
    """Points, shape (n, 2), and labels of both classes, shape (n,)."""
    # Blocks of kernel values that are full, and that hold one point.
    is_large = rng.random() < 0.01
    n = int(rng.choice([BLOCK, BLOCK + 1] if is_large else [2, 2, 3, 4, 5, 8, 13, 30]))
    shape = SHAPES[rng.integers(len(SHAPES))]
    points = shape(rng, n) * SIZES[rng.integers(len(SIZES))]
    if rng.random() < 0.15:
        # Axes of very different units.
        points = points * (1.0, _power(rng, -30, 0))
    if rng.random() < 0.15:
        points = points + np.abs(points).max() * float(rng.choice([1.0, 1e3, 1e9]))
    points = np.clip(points, -MAX_COORDINATE, MAX_COORDINATE)
    labels = rng.choice([-1, 1], size=n)
    labels[:2] = 1, -1
    if rng.random() < 0.2:
        # One point of a class, all others of the other.
        labels[1:] = -1
    return points, labels


def _cloud(rng: Random, n: int) -> np.ndarray:
    return rng.normal(size=(n, 2))


def _coincident(rng: Random, n: int) -> np.ndarray:
    return np.repeat(rng.normal(size=(1, 2)), n, axis=0)


def _few(rng: Random, n: int) -> np.ndarray:
    return rng.choice([0.0, 1.0, -1.0, 1e-9], size=(n, 2))


def _collinear(rng: Random, n: int) -> np.ndarray:
    along = rng.normal(size=n) if rng.random() < 0.5 else np.arange(n, dtype=float)
    return np.outer(along, rng.choice([0.0, 1.0, 3.0, 0.1], size=2)) + rng.choice([0.0, 1.0])


def _last_bits(rng: Random, n: int) -> np.ndarray:
    base = np.repeat(rng.normal(size=(1, 2)), n, axis=0)
    return base * (1.0 + np.finfo(float).eps * rng.integers(-2, 3, size=(n, 2)))


def _outlier(rng: Random, n: int) -> np.ndarray:
    points = rng.normal(size=(n, 2))
    points[0] *= _power(rng, 3, 12)
    return points


def _spread(rng: Random, n: int) -> np.ndarray:
    return rng.normal(size=(n, 2)) * 10.0 ** rng.uniform(-12, 0, size=(n, 2))


def _grid(rng: Random, n: int) -> np.ndarray:
    return rng.integers(-2, 3, size=(n, 2)).astype(float)


SHAPES = (_cloud, _coincident, _few, _collinear, _last_bits, _outlier, _spread, _grid)


def make_kernel(rng: Random) -> Kernel:
    """Any kernel with any settings."""
    kind = KERNELS[str(rng.choice(list(KERNELS)))]
    if kind.name == "composed":
        return kind(expression=str(rng.choice(EXPRESSIONS)))
    if kind.name == "custom":
        return kind(formula=str(rng.choice(FORMULAS)))
    return kind(**_values(rng, kind))


def make_method(rng: Random, kind: type[Method]) -> Method:
    """Any variant of a method, with few steps."""
    limit = int(rng.choice([1, 7, 200, MAX_STEPS]))
    return kind(**{**_values(rng, kind), "max_steps": limit})


def _values(rng: Random, owner: Any) -> dict[str, Any]:
    """A value for each setting, half of the time its default."""
    return {
        name: _value(rng, spec)
        for name, spec in settings_of(owner).items()
        if spec.scale != "text" and rng.random() < 0.5
    }


def _value(rng: Random, spec: Setting) -> Any:
    if spec.scale == "choice":
        return str(rng.choice([value for value, _ in spec.choices]))
    if spec.scale == "switch":
        return bool(rng.random() < 0.5)
    low, high = max(spec.low, spec.hard_low), min(spec.high, spec.hard_high)
    if spec.scale == "integer":
        return int(rng.integers(int(low), int(min(high, low + 40)) + 1))
    if rng.random() < 0.3:
        # What may be typed reaches further than the control.
        bounds = [edge for edge in (spec.hard_low, spec.hard_high) if math.isfinite(edge)]
        if bounds and not (spec.open_low and bounds[0] == spec.hard_low):
            return float(rng.choice(bounds))
        return float(high * _power(rng, 0, 9))
    if spec.scale == "log":
        return float(math.exp(rng.uniform(math.log(low), math.log(high))))
    return float(rng.uniform(low, high))


def _power(rng: Random, low: float, high: float) -> float:
    return float(10.0 ** rng.uniform(low, high))


def _penalty(rng: Random) -> Penalty:
    draw = rng.random()
    if draw < 0.25:
        return Penalty("C", math.inf)
    if draw < 0.4:
        return Penalty("lambda", float(rng.choice([0.0, _power(rng, -12, 12)])))
    if draw < 0.5:
        return Penalty("C", float(rng.choice([1e-75, 1e75])))
    return Penalty("C", _power(rng, -9, 9))


# What is asked of a run.


def faults_of(run: Run, rng: Random) -> Iterator[str]:
    """Everything that is wrong with a run that has ended; empty texts are none."""
    if run.stop is None or run.reason is None:
        yield "the run has not ended"
        return
    yield find_fault(run.stop.sentence)
    yield from _number_faults(run)
    yield from _reason_faults(run)
    yield from _replay_faults(run, rng)


def _number_faults(run: Run) -> Iterator[str]:
    problem, expansion, certificate = run.problem, run.expansion, run.certificate
    if not (np.isfinite(expansion.beta).all() and math.isfinite(expansion.bias)):
        yield f"beta {expansion.beta}, b {expansion.bias}"
    # A single point, read-only as the problem holds it.
    if expansion(problem.X[:1]).tobytes() != expansion(problem.X)[:1].tobytes():
        yield "f of the first point depends on the points beside it"
    for name in ("primal", "dual", "gap", "relative_gap", "kkt", "norm", "margin"):
        if math.isnan(getattr(certificate, name)):
            yield f"{name} is NaN"
    for name in ("decision", "slack", "alpha", "violation"):
        if np.isnan(getattr(certificate, name)).any():
            yield f"{name} holds a NaN"


def _reason_faults(run: Run) -> Iterator[str]:
    """Return whether the reason is true by the certificate, not by the method's own numbers."""
    problem, method, certificate = run.problem, run.method, run.certificate
    words = f"{run.reason}: {run.stop.sentence if run.stop else ''}"
    if run.reason is Reason.STEP_LIMIT and run.steps != method.max_steps:
        yield f"{words} after {run.steps} steps"
    if run.reason is Reason.CONVERGED:
        tol = getattr(method, "tol", None)
        right = method.is_correct(problem, certificate.decision)
        if "separates" in method.guarantees and not right.all():
            yield f"{words} min y f = {(problem.y * certificate.decision).min():g}"
        # With an indefinite kernel nothing bounds distances of hulls in units of f.
        bounded = tol is not None and (problem.kernel.mercer or method.uses_penalty)
        if bounded and not certificate.kkt <= tol * (1 + 1e-6):
            yield f"{words} kkt {certificate.kkt:g} > tol {tol:g}"
    if run.reason is Reason.NOT_SEPARABLE:
        if not problem.hard and method.name not in ("perceptron", "hulls"):
            yield f"{words} with C = {problem.C:g}"
        coincide = "coincide" in words and len(np.unique(problem.X, axis=0)) < problem.n
        if not coincide and separation(problem, getattr(method, "mu", 1.0)).separable is True:
            yield f"{words} but they are separable"
    if run.reason in (Reason.CANCELLED, Reason.MEMORY_LIMIT):
        yield words


def _replay_faults(run: Run, rng: Random) -> Iterator[str]:
    """Steps in any order, one after the other, and of a second run: the same to the bit."""
    steps = rng.integers(run.steps + 1, size=REPLAYED).tolist()
    jumping, walking = Cursor(run), Cursor(run)
    found = {}
    for step in steps:
        snapshot = jumping.seek(step)
        found[step] = (snapshot.expansion.beta.tobytes(), snapshot.expansion.bias)
        if np.isnan(snapshot.expansion.beta).any() or math.isnan(snapshot.expansion.bias):
            yield f"NaN at step {step}"
        if snapshot.event is not None:
            yield _event_fault(snapshot.event)
    # One step at a time: what a step does must not depend on how many are taken at once.
    for step in range(max(steps) + 1):
        snapshot = walking.seek(step, with_event=False)
        beta = snapshot.expansion.beta
        if step in found and found[step] != (beta.tobytes(), snapshot.expansion.bias):
            yield f"step {step} is not the same forwards as it is among {steps}"
    if run.warm:
        return
    again = solve_problem(run.problem, run.method)
    if (again.steps, again.stop) != (run.steps, run.stop):
        yield f"the second run ends otherwise: {again.steps}, {again.stop}"
    for step in steps:
        if not same_state(jumping.state(step), Cursor(again).state(step)):
            yield f"step {step} of a second run is another"


def _event_fault(event: Any) -> str:
    for sentence in filter(None, (event.sentence, event.why)):
        if fault := find_fault(sentence):
            return fault
        if "nan" in sentence.split():
            return f"NaN in {sentence!r}"
    for formula in event.formulas:
        if "nan" in formula.numbers.replace("\\nan", ""):
            return f"NaN in {formula.numbers!r}"
    return ""


def show(seed: int, number: int) -> None:
    """Print one case and its result."""
    document = make_document(np.random.default_rng([seed, number]))
    print(document)
    print(check(seed, number))


if __name__ == "__main__":
    run_or_show(main, show)
