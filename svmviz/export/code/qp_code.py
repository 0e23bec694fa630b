"""A script that solves the dual of a document with a library for quadratic programs."""

from __future__ import annotations

from solvers.problem.quadratic_program import quadratic_program
from svmviz.document.document import Document
from svmviz.export.code.drawing import number
from svmviz.export.code.kernel_code import KernelCode

LIBRARY = """library = piqp.DenseSolver()
library.settings.eps_abs = library.settings.eps_rel = 1e-9
library.setup(np.asfortranarray(P), q, A, b, G, None, h)
assert library.solve() == piqp.PIQP_SOLVED
x = library.result.x
print("D =", -(0.5 * x @ P @ x + q @ x))
print("alpha =", np.round(x, 6).tolist())"""


def qp_script(document: Document) -> str:
    """Return Python code that makes the matrices of the dual, and solves it with piqp.

    Raises
    ------
    BadInput
        If the document has no problem, or its matrices are too large.
    """
    problem = document.problem()
    qp = quadratic_program(problem)
    rows = ",\n".join(f"    {row!r}" for row in problem.centered.tolist())
    is_regression = problem.task == "regression"
    lines = ["import numpy as np", "import piqp", ""]
    if problem.origin is not None:
        lines += [
            f"# The points lie far from 0: taken from {tuple(problem.origin.tolist())}, D stays."
        ]
    lines += [f"X = np.array([\n{rows},\n])"]
    if is_regression:
        lines += [
            f"y = np.array({problem.y.tolist()!r})",
            "# Two variables per point: one that raises f, and one that lowers it.",
            "X = np.vstack([X, X])",
            f"sign = np.array({problem.sign.tolist()!r})",
            f"target = np.array({problem.target.tolist()!r})",
        ]
    else:
        lines += [f"sign = target = np.array({problem.y.tolist()!r})"]
    lines += ["", "", KernelCode(document.solved_kernel).text(), "", ""]
    extra = " + 1.0" if problem.bias == "augmented" else ""
    lines += [
        f"K = kernel(X, X){extra}",
        "N = len(X)",
        "P = np.outer(sign, sign) * K",
        "q = -sign * target",
    ]
    weights = None if problem.weights is None else problem.weights.tolist()
    upper = "np.full(N, C)" if weights is None else f"C * np.array({weights!r})"
    if problem.hard:
        lines += ["G = -np.eye(N)", "h = np.zeros(N)"]
    else:
        lines += [
            f"C = {number(problem.C)}",
            "G = np.vstack([-np.eye(N), np.eye(N)])",
            f"h = np.concatenate([np.zeros(N), {upper}])",
        ]
    has_equality = len(qp.A) > 0
    lines += ["A, b = sign[None, :], np.zeros(1)" if has_equality else "A = b = None", LIBRARY]
    return "\n".join(lines) + "\n"
