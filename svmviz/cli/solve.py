"""``svmviz solve``: one run, as JSON for programs or as a few lines for people. Loads no Qt."""

from __future__ import annotations

import argparse
import json
import math
from typing import Any

import numpy as np

from solvers import Run, solve
from solvers.certificate import BOUND, FREE
from svmviz.cli import model_options
from svmviz.cli.parser import Parser
from svmviz.document import Document


def add_arguments(parser: Parser) -> None:
    """Add what ``solve`` takes."""
    model_options.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(given: argparse.Namespace, parser: Parser) -> int:
    """Solve and print."""
    document = model_options.read_scene(given, parser).document
    # What overflows is told by the numbers that come out, not by warnings on the way.
    with np.errstate(all="ignore"):
        solved = solve(document.problem(), document.method)
        print(as_json(document, solved) if given.json else in_words(document, solved))
    return 0


def as_json(document: Document, solved: Run) -> str:
    """One JSON object; numbers are in the solver's coordinates, what is not finite is null."""
    return json.dumps(_finite(outcome(document, solved)), allow_nan=False)


def outcome(document: Document, solved: Run) -> dict[str, Any]:
    """What scripts rely on, and what was solved."""
    problem, certificate, expansion = solved.problem, solved.certificate, solved.expansion
    assert solved.stop is not None
    return {
        "reason": solved.stop.reason.value,
        "sentence": solved.stop.sentence,
        "steps": solved.steps,
        "seconds": solved.seconds,
        "n": problem.n,
        "alpha": certificate.alpha.tolist(),
        "beta": expansion.beta.tolist(),
        "bias": float(expansion.bias),
        "primal": certificate.primal,
        "dual": certificate.dual,
        "gap": certificate.gap,
        "kkt": certificate.kkt,
        "support": expansion.support.tolist(),
        "scaling": document.scaling,
        "factors": document.factors.tolist(),
        "solver": {"name": solved.method.name, **solved.method.values()},
        "kernel": {"name": problem.kernel.name, **problem.kernel.values()},
        "C": problem.C,
        "lambda": problem.lam,
        "bias_mode": problem.bias,
        "class_names": list(document.data.class_names),
        "axis_names": list(document.data.axis_names),
    }


def in_words(document: Document, solved: Run) -> str:
    """A few lines for people."""
    problem, certificate = solved.problem, solved.certificate
    assert solved.stop is not None
    free, bound = certificate.count(FREE), certificate.count(BOUND)
    margins = "hard margin" if problem.hard else f"λ = {problem.lam:.6g}"
    dual = " (of a repaired α)" if certificate.repaired else ""
    rows = {
        solved.method.label: solved.stop.sentence,
        "steps": f"{solved.steps:,} in {solved.seconds:.3g} s",
        "points": _points(document),
        "kernel": " ".join([problem.kernel.name, *_settings(problem.kernel)]),
        "C": f"{problem.C:g} ({margins})",
        "bias": f"{solved.expansion.bias:.6g} ({problem.bias})",
        "primal": f"{certificate.primal:.6g}",
        "dual": f"{certificate.dual:.6g}{dual}",
        "gap": f"{certificate.gap:.3g}",
        "worst KKT": f"{certificate.kkt:.3g}",
        "support": f"{len(solved.expansion.support)} points ({free} free, {bound} at C)",
    }
    width = max(map(len, rows))
    return "\n".join(f"{name:<{width}}  {text}" for name, text in rows.items())


def _points(document: Document) -> str:
    names, labels = document.data.class_names, document.data.labels
    counts = [int((labels == label).sum()) for label in (-1, 1)]
    scaling = "" if document.scaling == "none" else f"; axes scaled: {document.scaling}"
    return f"{document.n} ({counts[0]} {names[0]}, {counts[1]} {names[1]}{scaling})"


def _settings(owner: Any) -> list[str]:
    return [f"{name}={value:g}" for name, value in owner.values().items()]


def _finite(value: Any) -> Any:
    """The same with None for what JSON has no word for."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
