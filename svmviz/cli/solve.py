"""``svmviz solve``: one run, printed as JSON or as a few lines of text. Loads no Qt."""

from __future__ import annotations

import argparse
import json
import math
from typing import Any

import numpy as np

from solvers import Run, solve
from solvers.errors import shorten
from solvers.jit.helper import compiling_elsewhere
from solvers.problem.certificate import BOUND, FREE
from svmviz.cli import regression, task_options
from svmviz.cli.parser import Parser
from svmviz.document.document import Document


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``solve``."""
    task_options.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(given: argparse.Namespace, parser: Parser) -> int:
    """Solve and print."""
    # An overflow shows in the results; numpy need not warn of it.
    with np.errstate(all="ignore"), compiling_elsewhere(everything=False):
        if given.task == "regression":
            targets, problem, method = regression.read_problem(given, parser)
            solved = solve(problem, method)
            epsilon = regression.epsilon_of(given)
            extra = regression.names_of(targets, epsilon)
            points = regression.points_of(targets, epsilon)
            whole = {**result(solved), **model(solved), **extra}
        else:
            document = task_options.read_document(given, parser)
            task_options.note_held_out(document)
            solved = solve(document.problem(), document.method)
            points, whole = _points(document), outcome(document, solved)
        print(as_json(whole) if given.json else as_text(points, solved))
    return 0


def as_json(whole: dict[str, Any]) -> str:
    """Return one JSON object, in the solver's coordinates, with null for numbers not finite."""
    return json.dumps(_finite(whole), allow_nan=False)


def outcome(document: Document, solved: Run) -> dict[str, Any]:
    """Return the members of the JSON object, on which scripts rely."""
    fitted = {"task": document.task, "epsilon": document.epsilon}
    return {
        **result(solved),
        **(fitted if document.is_regression else {}),
        "scaling": document.scaling,
        "factors": document.factors.tolist(),
        **model(solved),
        "class_names": list(document.data.class_names),
        "axis_names": list(document.data.axis_names),
    }


def result(solved: Run) -> dict[str, Any]:
    """Return how the run ended, and its solution."""
    certificate, expansion = solved.certificate, solved.expansion
    assert solved.stop is not None
    return {
        "reason": solved.stop.reason.value,
        "sentence": solved.stop.sentence,
        "steps": solved.steps,
        "seconds": solved.seconds,
        "n": solved.problem.n,
        "alpha": certificate.alpha.tolist(),
        "beta": expansion.beta.tolist(),
        "bias": float(expansion.bias),
        "primal": certificate.primal,
        "dual": certificate.dual,
        "gap": certificate.gap,
        "kkt": certificate.kkt,
        "support": expansion.support.tolist(),
    }


def model(solved: Run) -> dict[str, Any]:
    """Return the model and the method."""
    problem, method = solved.problem, solved.method
    return {
        "solver": {"name": method.name, **method.values()},
        "kernel": {"name": problem.kernel.name, **problem.kernel.values()},
        "C": problem.C,
        "lambda": problem.lam,
        "bias_mode": problem.bias,
    }


def as_text(points: str, solved: Run) -> str:
    """Return a few lines for people; ``points`` is the text of the line "points"."""
    problem, certificate = solved.problem, solved.certificate
    assert solved.stop is not None
    free, bound = certificate.count(FREE), certificate.count(BOUND)
    margins = "hard margin" if problem.hard else f"λ = {problem.lam:.6g}"
    margins += "" if solved.method.uses_penalty else "; not used by this method"
    at = "at the cap μ" if solved.certified_problem.capped else "at C"
    primal, dual = "", " (of a repaired α)" if certificate.repaired else ""
    if solved.certified_problem.capped:
        primal, dual = " (half ‖p − q‖²)", " (half the squared width of the strip)"
    rows = {
        solved.method.label: solved.stop.sentence,
        "steps": f"{solved.steps:,} in {solved.seconds:.3g} s",
        "points": points,
        "kernel": " ".join([problem.kernel.name, *_settings(problem.kernel)]),
        "C": f"{problem.C:g} ({margins})",
        "bias": f"{solved.expansion.bias:.6g} ({problem.bias})",
        "primal": f"{certificate.primal:.6g}{primal}",
        "dual": f"{certificate.dual:.6g}{dual}",
        "gap": f"{certificate.gap:.3g}",
        "worst KKT": f"{certificate.kkt:.3g}",
        "support": f"{len(solved.expansion.support)} points ({free} free, {bound} {at})",
    }
    width = max(map(len, rows))
    return "\n".join(f"{name:<{width}}  {text}" for name, text in rows.items())


def _points(document: Document) -> str:
    if document.is_regression:
        x, y = map(shorten, document.data.axis_names)
        return f"{document.n} ({y} from {x}; ε = {document.epsilon:g})"
    names, labels = [*map(shorten, document.data.class_names)], document.data.labels
    counts = [int((labels == label).sum()) for label in (-1, 1)]
    scaling = "" if document.scaling == "none" else f"; axes scaled: {document.scaling}"
    return f"{document.n} ({counts[0]} {names[0]}, {counts[1]} {names[1]}{scaling})"


def _settings(owner: Any) -> list[str]:
    return [
        f'{name}="{value}"' if isinstance(value, str) else f"{name}={value:g}"
        for name, value in owner.values().items()
    ]


def _finite(value: Any) -> Any:
    """Return the same value with None for numbers that are not finite."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
