"""``svmviz solve``: one run, printed as JSON or as a few lines of text. Loads no Qt."""

from __future__ import annotations

import argparse
import json
import math
from typing import Any

import numpy as np

from solvers import Run, solve
from solvers.errors import shorten
from solvers.problem.certificate import BOUND, FREE
from solvers.problem.losses import misclassified
from svmviz.cli import many_classes, model_options, regression
from svmviz.cli.columns import aligned
from svmviz.cli.parser import Parser
from svmviz.cli.streams import print_lines
from svmviz.document.document import Document


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``solve``."""
    model_options.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace, parser: Parser) -> int:
    """Solve and print."""
    # numpy need not warn of an overflow, because the results show it.
    with np.errstate(all="ignore"):
        if options.task == "regression":
            document = None
            targets, problem, method = regression.read_problem(options, parser)
            finished_run = solve(problem, method)
            epsilon = regression.epsilon_of(options)
            points = regression.points_text(targets, epsilon)
            task = regression.task_members(targets, epsilon)
            members = {**run_members(finished_run), **model_members(finished_run), **task}
        else:
            document = model_options.read_scene(options, parser).document
            model_options.note_held_out(document)
            if document.many is not None:
                solved, tables = many_classes.solve_all(document)
                write = many_classes.members_of if options.json else many_classes.text_of
                answer = write(document, solved, tables)
                print_lines(answer if isinstance(answer, str) else as_json(answer))
                return 0
            finished_run = solve(document.problem(), document.method)
            points, members = _points_text(document), document_members(document, finished_run)
        print_lines(as_json(members) if options.json else as_text(points, finished_run, document))
    return 0


def as_json(members: dict[str, Any]) -> str:
    """Return the text of one JSON object, with null for infinity and NaN."""
    return json.dumps(_finite(members), allow_nan=False)


def document_members(document: Document, finished_run: Run) -> dict[str, Any]:
    """Return the members of the JSON object, on which scripts rely.

    The solution is in the solver's coordinates, which are those of the data divided by ``factors``.
    """
    regression_members = {
        "task": document.task,
        "epsilon": document.epsilon,
        "target": document.data.axis_names[-1],
    }
    return {
        **run_members(finished_run),
        **(regression_members if document.is_regression else {}),
        "scaling": document.scaling,
        "factors": document.factors.tolist(),
        **model_members(finished_run),
        "kernel": {"name": document.kernel.name, **document.kernel.values()},
        **model_options.weight_members(document),
        **({} if document.is_regression else {"errors": _errors(document, finished_run)}),
        "class_names": list(document.data.class_names),
        "axis_names": list(document.data.axis_names),
    }


def run_members(finished_run: Run) -> dict[str, Any]:
    """Return the members on how the run ended, and on its solution."""
    certificate, expansion = finished_run.certificate, finished_run.expansion
    assert finished_run.stop is not None
    return {
        "reason": finished_run.stop.reason.value,
        "sentence": finished_run.stop.sentence,
        "steps": finished_run.steps,
        "seconds": finished_run.seconds,
        "n": finished_run.problem.n,
        "alpha": certificate.alpha.tolist(),
        "beta": expansion.beta.tolist(),
        "bias": float(expansion.bias),
        "primal": certificate.primal,
        "dual": certificate.dual,
        "gap": certificate.gap,
        "kkt": certificate.kkt,
        "support": expansion.support.tolist(),
    }


def model_members(finished_run: Run) -> dict[str, Any]:
    """Return the members on the model and the method."""
    problem, method = finished_run.problem, finished_run.method
    return {
        "solver": {"name": method.name, **method.values()},
        "kernel": {"name": problem.kernel.name, **problem.kernel.values()},
        "C": problem.C,
        "lambda": problem.lam,
        "bias_mode": problem.bias,
    }


def as_text(points: str, finished_run: Run, document: Document | None) -> str:
    """Return a few lines for people; ``points`` is the text of the line "points".

    ``document`` is None for a table of any number of coordinates.
    """
    kernel = document.kernel if document else finished_run.problem.kernel
    problem, certificate = finished_run.problem, finished_run.certificate
    assert finished_run.stop is not None
    support = len(finished_run.expansion.support)
    free, bound = certificate.count(FREE), certificate.count(BOUND)
    penalty_note = "hard margin" if problem.hard else f"λ = {problem.lam:.6g}"
    penalty_note += "" if finished_run.method.uses_penalty else "; not used by this method"
    bound_name = "at the cap μ" if finished_run.certified_problem.capped else "at C"
    primal, dual = "", " (of a repaired α)" if certificate.repaired else ""
    if finished_run.certified_problem.capped:
        primal = " (half the squared distance of two points, one in each hull)"
        dual = " (half the squared width of an empty strip between the hulls)"
    concavity = problem.concavity
    not_mercer = {"Mercer": concavity.sentence} if concavity.mercer.refuted else {}
    origin = (
        ", ".join(f"{value:.6g}" for value in problem.origin) if problem.origin is not None else ""
    )
    note = "x is taken from here, since the points lie far from 0; w does not depend on it"
    rows = {
        finished_run.method.label: finished_run.stop.sentence,
        "steps": f"{finished_run.steps:,} in {finished_run.seconds:.3g} s",
        "points": points,
        "kernel": " ".join([kernel.name, *model_options.settings_text(kernel)]),
        **not_mercer,
        "C": f"{problem.C:g} ({penalty_note})",
        **(
            {"weights": model_options.weights_text(document)}
            if document and document.class_weights
            else {}
        ),
        "bias": f"{finished_run.expansion.bias:.6g} ({problem.bias})",
        **({"origin": f"{origin} ({note})"} if origin else {}),
        "primal": f"{certificate.primal:.6g}{primal}",
        "dual": f"{certificate.dual:.6g}{dual}",
        "gap": f"{certificate.gap:.3g}",
        "worst KKT": f"{certificate.kkt:.3g}",
        "support": f"{support} points ({free} free, {bound} {bound_name})",
    }
    if document and not document.is_regression:
        rows["errors"] = many_classes.errors_text(_errors(document, finished_run), document.n)
    return aligned(rows.items(), left=2)


def _errors(document: Document, finished_run: Run) -> int:
    """Return how many training points are decided wrongly."""
    return int(misclassified(document.data.labels, finished_run.certificate.decision).sum())


def _points_text(document: Document) -> str:
    if document.is_regression:
        x, y = map(shorten, document.data.axis_names)
        return f"{document.n} ({y} from {x}; ε = {document.epsilon:g})"
    names, labels = [*map(shorten, document.data.class_names)], document.data.labels
    counts = [int((labels == label).sum()) for label in (-1, 1)]
    scaling = "" if document.scaling == "none" else f"; axes scaled: {document.scaling}"
    return f"{document.n} ({counts[0]} {names[0]}, {counts[1]} {names[1]}{scaling})"


def _finite(value: Any) -> Any:
    """Return a value of JSON with None in place of numbers that are not finite."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
