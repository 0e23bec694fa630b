"""A script that trains the model with scikit-learn, and compares it with the optimum of svmviz."""

from __future__ import annotations

import math

import numpy as np

from solvers import (
    RBF,
    BadInput,
    InteriorPoint,
    Kernel,
    Linear,
    Method,
    Polynomial,
    Problem,
    Sigmoid,
    solve,
)
from solvers.problem.certificate import Certificate
from svmviz.colours.themes import LIGHT, Theme
from svmviz.document.document import Document
from svmviz.export.code import class_code
from svmviz.export.code.drawing import (
    call,
    data_points,
    decision_lines,
)
from svmviz.export.code.kernel_code import KernelCode
from svmviz.export.code.listing import CodeCell, Listing, checking_cell

# Tolerance of the method that computes an optimum here. The script compares scikit-learn's solution
# with this optimum.
TOLERANCE = 1e-10
# If the KKT violation of this optimum is above MAX_VIOLATION times the range of f, a second method
# is tried too. If it is above 100 times that, no code is written.
MAX_VIOLATION = 1e-8
# LIBSVM needs a finite C. For a hard margin, C is this multiple of the largest alpha, rounded up to
# a power of ten.
HARD_FACTOR = 1e4
# Names of the kernels that scikit-learn has.
NATIVE: dict[type[Kernel], str] = {
    Linear: "linear",
    Polynomial: "poly",
    RBF: "rbf",
    Sigmoid: "sigmoid",
}
REFINE = """# LIBSVM, inside scikit-learn, keeps kernel values in single precision. The last digits
# come from the conditions of the optimum: f = {goal} at the free support vectors that
# LIBSVM found, and all coefficients sum to 0.
K = kernel(X, X)
beta = np.zeros(len(X))
beta[model.support_] = model.dual_coef_[0]
bias = model.intercept_[0]
free = (beta != 0.0) & (np.abs(beta) < {bound})
if free.any():
    count = int(free.sum())
    system = np.ones((count + 1, count + 1))
    system[:count, :count] = K[np.ix_(free, free)]
    system[count, count] = 0.0
    fixed = np.where(free, 0.0, beta)
    goal = {value} - K[free] @ fixed
    solution = np.linalg.lstsq(system, np.append(goal, -fixed.sum()), rcond=None)[0]
    if np.abs(solution[:count] - beta[free]).max() < 1e-2 * np.abs(beta).max() + 1e-2:
        beta[free], bias = solution[:count], solution[count]"""


def sklearn_listing(document: Document, colours: Theme = LIGHT) -> Listing:
    """Return the script; its figure has the colours of a theme.

    Raises
    ------
    BadInput
        If scikit-learn does not solve such a problem, or its optimum cannot be computed here.
    """
    if document.bias != "free":
        raise BadInput(
            "scikit-learn's SVC and SVR have a free bias: choose a free bias, or the code with "
            "solvers."
        )
    certificate, C = _optimum(document.problem())
    estimator = "SVR" if document.is_regression else "SVC"
    has_all = document.has_decision
    points, figure = class_code.points_and_figure(
        document, certificate.decision, _exact(), colours, _bound(document)
    )
    return Listing(
        title="A support vector machine in the plane, with scikit-learn",
        about="Made by svmviz. The model is solved again, compared with the optimum that svmviz "
        "found, and\ndrawn. It needs numpy, scikit-learn and matplotlib.",
        imports="import matplotlib.pyplot as plt\nimport numpy as np\n"
        + (class_code.COLOURS_IMPORT if has_all else "")
        + ("from sklearn.base import clone\n" if has_all else "")
        + f"from sklearn.svm import {estimator}",
        cells=(
            CodeCell("The points", points),
            CodeCell("The kernel", KernelCode(document.solved_kernel).text(), is_definition=True),
            CodeCell("The model", _model(document, estimator, C)),
            CodeCell("Its last digits", _refined(document), is_definition=True),
            *class_code.decision_cells(document, _fit(document)),
            CodeCell("The figure", figure),
            checking_cell(data_points(document)),
        ),
    )


def _exact() -> Method:
    """Return the method whose solution is compared with that of scikit-learn."""
    from solvers import WorkingSet

    return WorkingSet(tol=TOLERANCE)


def _fit(document: Document) -> str:
    """Return the code that trains one of all machines."""
    penalty = class_code.penalty_code(document)
    other = f", C={penalty}" if penalty else ""
    fit = f"one = clone(model).set_params(tol=1e-5{other})\n"
    weights = ", all_weights[seen]" if document.has_weights else ""
    return fit + f"f = one.fit(all_X[seen], labels[seen]{weights}).decision_function"


def _optimum(problem: Problem) -> tuple[Certificate, float]:
    with np.errstate(all="ignore"):
        certificate = solve(problem, _exact()).certificate
        spread = max(float(np.ptp(certificate.decision)), 1e-12)
        if not certificate.kkt <= MAX_VIOLATION * spread and problem.kernel.mercer:
            second = solve(problem, InteriorPoint(tol=TOLERANCE)).certificate
            certificate = min(certificate, second, key=lambda each: each.kkt)
    if not certificate.kkt <= 100 * MAX_VIOLATION * spread:
        raise BadInput(
            "The optimum of this problem cannot be computed to enough digits to compare with: its "
            f"largest KKT violation stays at {certificate.kkt:.2g}."
        )
    if math.isfinite(problem.C):
        return certificate, problem.C
    largest = max(float(certificate.alpha.max()), 1e-6)
    return certificate, 10.0 ** math.ceil(math.log10(HARD_FACTOR * largest))


def _model(document: Document, estimator: str, C: float) -> str:
    kernel = document.kernel
    native_name = NATIVE.get(type(kernel)) if document.has_coordinates else "precomputed"
    arguments = {"kernel": f'"{native_name}"' if native_name else "kernel"}
    if native_name and document.has_coordinates:
        arguments |= {name: repr(value) for name, value in kernel.values().items()}
    arguments["C"] = "C"
    if document.is_regression:
        arguments["epsilon"] = repr(float(document.epsilon))
    arguments |= {"tol": "1e-8", "cache_size": "500"}
    hard = "" if math.isfinite(document.C) else "  # large: the margin is hard"
    notes = [] if native_name else ["# A function as kernel: scikit-learn takes its Gram matrix."]
    if not document.problem().is_concave:
        notes.append("# The dual may not be concave; then there can be several optima.")
    points = "X" if document.has_coordinates else "kernel(X, X)"
    weights = ", weights" if document.has_weights else ""
    fit = f"model.fit({points}, {'y' if document.is_regression else 'y.astype(int)'}{weights})"
    return "\n".join([f"C = {C!r}{hard}", *notes, f"model = {call(estimator, arguments)}", fit])


def _bound(document: Document) -> str:
    """Return code for the upper bound of alpha."""
    return "C * weights" if document.has_weights else "C"


def _refined(document: Document) -> str:
    if document.is_regression:
        value = f"y[free] - {float(document.epsilon)!r} * np.sign(beta[free])"
        refined = REFINE.format(goal="y - epsilon sign(beta)", value=value, bound="C")
    else:
        refined = REFINE.format(goal="y", value="y[free]", bound=_bound(document))
    return f"{refined}\n\n\n{decision_lines(document, 'kernel({points}, X) @ beta + bias')}"
