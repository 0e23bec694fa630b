"""``svmviz select``: the risk of a model, or of each model of a grid. Loads no Qt."""

from __future__ import annotations

import argparse
import contextlib
import inspect
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from solvers import Method, Problem
from solvers.jit.helper import compiling_elsewhere
from solvers.selection.estimate import Cell, Estimate, estimate
from solvers.selection.procedures import PROCEDURES, result_count
from solvers.selection.search import Result
from solvers.selection.store import Store
from svmviz.cli import regression, select_options, task_options
from svmviz.cli.meter import Meter
from svmviz.cli.parser import Parser
from svmviz.cli.select_text import as_text
from svmviz.cli.solve import as_json
from svmviz.document.held_out import TRAINING


class Given(NamedTuple):
    """The problem and models to estimate, and the data row of each point."""

    problem: Problem
    method: Method
    rows: np.ndarray


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``select``."""
    task_options.add_arguments(parser)
    select_options.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(given: argparse.Namespace, parser: Parser) -> int:
    """Estimate and print."""
    with np.errstate(all="ignore"), compiling_elsewhere(everything=False):
        problem, method, rows = _read(given, parser)
        risk = select_options.check_risk(given, parser, problem.task)
        models = select_options.read_models(given, parser, problem, method)
        with _store(given, problem) as store, select_options.open_pool(given, parser) as pool:
            resources = {"risk": given.risk, "store": store, "pool": pool}
            seed = select_options.seed_of(given, parser)
            results = _results(given, problem, models or method, seed, resources)
            total = result_count(given.procedure, problem.n, len(models or [method]), given.folds)
            found = estimate(given.procedure, _measured(results, total))
        names = [model.parameters for model in models or ()]
        if given.json:
            print(as_json(outcome(found, names, rows)))
        else:
            print(as_text(found, names, risk))
    return 0


def _read(given: argparse.Namespace, parser: Parser) -> Given:
    """Read FILE as the options say."""
    if given.task == "regression":
        targets, problem, method = regression.read_problem(given, parser)
        return Given(problem, method, targets.rows)
    kept: list[np.ndarray] = []
    document = task_options.read_document(given, parser, kept.append)
    task_options.note_held_out(document)
    # A scene has no rows, so its points are numbered, including those held out.
    rows = kept[-1] if kept else np.flatnonzero(document.parts == TRAINING)
    return Given(document.problem(), document.method, rows)


def _store(given: argparse.Namespace, problem: Problem) -> Any:
    """Return the store that the options name, or None, as a context."""
    if given.store is None:
        return contextlib.nullcontext()
    return Store(given.store, problem)


def _results(
    given: argparse.Namespace,
    problem: Problem,
    models: Any,
    seed: int,
    resources: dict[str, Any],
) -> Iterator[Result]:
    """Return the stream of results; a procedure gets only the options that it has."""
    procedure = PROCEDURES[given.procedure]
    known = inspect.signature(procedure).parameters
    options = {
        name: getattr(given, name)
        for name in ("folds", "test", "validation", "retrain", "stratified")
        if name in known
    }
    return procedure(problem, models, seed, **resources, **options)


def _measured(results: Iterator[Result], total: int) -> Iterator[Result]:
    """Yield the results, and show on a terminal how many there are."""
    meter = Meter()
    for count, result in enumerate(results, start=1):
        meter.report(count / total)
        yield result
    meter()


def outcome(found: Estimate, names: list[Any], rows: np.ndarray) -> dict[str, Any]:
    """Return the members of the JSON object, on which scripts rely."""
    several = found.procedure == "nested" and names
    parts = [
        {**_part(part, rows), **({"cell": part.model} if several else {})} for part in found.parts
    ]
    whole: dict[str, Any] = {
        "procedure": found.procedure,
        "risk": found.risk,
        "spread": found.spread,
        "parts": parts,
    }
    if names:
        whole["cells"] = [
            {**_plain(name), **_cell(cell, rows)} for name, cell in zip(names, found.cells)
        ]
        whole["best"] = found.best
        tests = [(k, cell.test) for k, cell in enumerate(found.cells) if cell.test is not None]
        if tests:
            whole["tests"] = [
                {"cells": [k, found.best], "t": test.t, "p": test.p} for k, test in tests
            ]
    bounds = found.cells[found.best].bounds
    if bounds is not None:
        whole["bounds"] = bounds._asdict()
    whole["note"] = found.note
    return whole


def _plain(parameters: Any) -> dict[str, Any]:
    """Return the parameters of a cell under the names of their options."""
    return {("solver" if key == "method" else key): value for key, value in parameters.items()}


def _cell(cell: Cell, rows: np.ndarray) -> dict[str, Any]:
    parts = [_part(part, rows) for part in cell.parts]
    return {"risk": cell.risk, "spread": cell.spread, "parts": parts}


def _part(part: Result, rows: np.ndarray) -> dict[str, Any]:
    split = part.split
    validation = rows[split.validation].tolist()
    return {
        "train": rows[split.train].tolist(),
        **({"validation": validation} if validation else {}),
        "test": rows[split.test].tolist(),
        "risk": part.risk,
    }
