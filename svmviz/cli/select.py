"""``svmviz select``: the risk of a model, or of each model of a grid. Loads no Qt."""

from __future__ import annotations

import argparse
import contextlib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from solvers import RBF, BadInput, Kernel, Method
from solvers.data.datasets import PointSet
from solvers.errors import short_path, shorten
from solvers.problem.machines import reduction_of
from solvers.problem.many_classes import AnyProblem, ManyClassProblem
from solvers.run.method import counted
from solvers.selection.cluster import ClusterLost
from solvers.selection.estimate import Cell, Estimate, estimate
from solvers.selection.models import Model
from solvers.selection.procedures import PROCEDURES, result_count
from solvers.selection.risks import Risk
from solvers.selection.search import Result
from solvers.selection.store import Store
from svmviz.cli import model_options, regression, select_options
from svmviz.cli.columns import aligned
from svmviz.cli.many_classes import CODE_MATRIX, problem_of_all
from svmviz.cli.meter import Meter
from svmviz.cli.parser import Parser
from svmviz.cli.solve import as_json
from svmviz.cli.streams import print_error, print_lines
from svmviz.document.held_out import TRAINING
from svmviz.selection.plan import held_words

# Maximum number of models in the table; the JSON has all of them.
MAX_ROWS = 40


class FileProblem(NamedTuple):
    """The problem of FILE, and the model to solve it with.

    Attributes
    ----------
    problem : Problem or ManyClassProblem
        The problem by which a store of results is identified. If its points are words, it has
        their default kernel.
    kernel, method
        The model that the options give.
    rows : int array, shape (n,)
        The number of the row of each point.
    data : PointSet or None
        The points; None in a regression with any number of coordinates.
    """

    problem: AnyProblem
    kernel: Kernel
    method: Method
    rows: np.ndarray
    data: PointSet | None = None

    @property
    def model(self) -> Model:
        """The model that the options give."""
        model = Model(self.method, self.kernel)
        return model if self.data is None else select_options.on_points(self.data, model)


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``select``."""
    model_options.add_arguments(parser)
    select_options.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace, parser: Parser) -> int:
    """Estimate and print."""
    with np.errstate(all="ignore"):
        file = _read_file(options, parser)
        problem = file.problem
        risk = select_options.check_risk(options, parser, problem)
        models = select_options.read_models(
            options, parser, problem, file.kernel, file.method, file.data
        )
        with _store(options, problem) as store, select_options.open_pool(options, parser) as pool:
            resources = {"risk": options.risk, "store": store, "pool": pool}
            seed = select_options.seed_of(options, parser)
            results = _results(options, problem, models or file.model, seed, resources)
            total = result_count(options.procedure, problem.n, len(models or [1]), options.folds)
            estimated = _estimated(options, _with_meter(results, total))
        parameters = [model.parameters for model in models or ()]
        if options.json:
            members = estimate_members(estimated, parameters, file.rows)
            print_lines(as_json({**_class_members(problem), **members}))
        else:
            print_lines(as_text(estimated, parameters, risk, _division(options)))
    return 0


def _estimated(options: argparse.Namespace, results: Iterator[Result]) -> Estimate:
    """Return the estimate. If the cluster is lost, raise BadInput, which says what is kept."""
    try:
        return estimate(options.procedure, results)
    except ClusterLost as error:
        kept = "Nothing is kept; with --store FOLDER, a next search goes on from the results so far"
        if options.store is not None:
            kept = (
                f"The results so far are kept in {short_path(options.store)}: the same command"
                " goes on from them when the cluster answers again"
            )
        raise BadInput(f"{error} {kept}.") from None


def _read_file(options: argparse.Namespace, parser: Parser) -> FileProblem:
    if options.task == "regression":
        targets, problem, method = regression.read_problem(options, parser)
        return FileProblem(problem, problem.kernel, method, targets.rows)
    row_lists: list[np.ndarray] = []
    document = model_options.read_scene(options, parser, row_lists.append).document
    model_options.note_held_out(document)
    if held := held_words(document, all_machines=True):
        print_error(held)
    # A scene has no rows, so the indices of the training points among all its points are used.
    rows = row_lists[-1] if row_lists else np.flatnonzero(document.parts == TRAINING)
    # The document replaces RBF, which cannot compare items, by the default kernel of the items.
    stored = document if document.has_coordinates else replace(document, kernel=RBF())
    problem = stored.problem() if document.many is None else problem_of_all(stored)
    data = document.all_points.at(document.parts == TRAINING)
    return FileProblem(problem, document.kernel, document.method, rows, data)


def _class_members(problem: AnyProblem) -> dict[str, Any]:
    """Return the members on more than two classes, which are decided among by machines."""
    if not isinstance(problem, ManyClassProblem):
        return {}
    decision = reduction_of(problem.machines) or CODE_MATRIX
    return {"classes": list(problem.names), "decision": decision}


def _store(options: argparse.Namespace, problem: AnyProblem) -> Any:
    """Return a context manager of the store that the options name; of None if they name none."""
    if options.store is None:
        return contextlib.nullcontext()
    return Store(options.store, problem)


def _results(
    options: argparse.Namespace,
    problem: AnyProblem,
    models: Any,
    seed: int,
    resources: dict[str, Any],
) -> Iterator[Result]:
    """Start the procedure with those options that it accepts, and return its results."""
    procedure = PROCEDURES[options.procedure]
    accepted = inspect.signature(procedure).parameters
    procedure_options = {
        name: getattr(options, name)
        for name in ("folds", "test", "validation", "retrain", "stratified")
        if name in accepted
    }
    return procedure(problem, models, seed, **resources, **procedure_options)


def _division(options: argparse.Namespace) -> str:
    """Return whether the parts are stratified, in words; empty if the procedure has no choice."""
    if "stratified" not in inspect.signature(PROCEDURES[options.procedure]).parameters:
        return ""
    return "stratified" if options.stratified else "not stratified"


def _with_meter(results: Iterator[Result], total: int) -> Iterator[Result]:
    """Yield the results; on a terminal, show which fraction of ``total`` results is done."""
    with Meter() as meter:
        for count, result in enumerate(results, start=1):
            meter.report(count / total)
            yield result


def estimate_members(estimated: Estimate, models: list[Any], rows: np.ndarray) -> dict[str, Any]:
    """Return the members of the JSON object, on which scripts rely.

    ``models`` has the parameters of each model of the grid. The results of one model are called a
    cell. ``rows`` has the number of each point's row in FILE.
    """
    names_model = estimated.procedure == "nested" and models
    parts = [
        {**_part(part, rows), **({"cell": part.model} if names_model else {})}
        for part in estimated.parts
    ]
    members: dict[str, Any] = {
        "procedure": estimated.procedure,
        "risk": estimated.risk,
        "spread": estimated.spread,
        "parts": parts,
    }
    if models:
        members["cells"] = [
            {**_as_options(model), **_cell(cell, rows)}
            for model, cell in zip(models, estimated.cells)
        ]
        members["best"] = estimated.best
        tests = [(k, cell.test) for k, cell in enumerate(estimated.cells) if cell.test is not None]
        if tests:
            members["tests"] = [
                {"cells": [k, estimated.best], "t": test.t, "p": test.p} for k, test in tests
            ]
    bounds = estimated.cells[estimated.best].bounds
    if bounds is not None:
        members["bounds"] = bounds._asdict()
    members["note"] = estimated.note
    return members


def _as_options(parameters: Any) -> dict[str, Any]:
    """Return the parameters of a model under the names of their options."""
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


def as_text(
    estimate: Estimate, models: Sequence[Mapping[str, Any]], risk: Risk, division: str = ""
) -> str:
    """Return the table of the models, if there are any, and the lines on the estimate.

    ``models`` has the parameters of each model. ``division`` says how the points are divided, such
    as "stratified"; it may be empty.
    """
    blocks = [_table(estimate, models)] if models else []
    blocks.append(_estimate_lines(estimate, models, risk, division))
    return "\n\n".join(blocks)


def _table(estimate: Estimate, models: Sequence[Mapping[str, Any]]) -> str:
    """Return one line per model, sorted by risk, for at most ``MAX_ROWS`` models."""
    columns = list(dict.fromkeys(name for model in models for name in model))
    # In the procedure "validation", models are compared by their risk on the validation part.
    measure = "validation" if estimate.procedure == "validation" else "risk"
    head = ["", *columns, measure, "spread", "training", "support"]
    if any(cell.test for cell in estimate.cells):
        head.append("p")
    # The sort is stable, so models of equal risk keep their order.
    order = sorted(range(len(models)), key=lambda k: estimate.cells[k].risk)
    rows = [
        _row(k == estimate.best, models[k], estimate.cells[k], columns) for k in order[:MAX_ROWS]
    ]
    rows = [row[: len(head)] for row in rows]
    table = aligned([head, *rows])
    if len(order) > MAX_ROWS:
        table += f"\n  and {counted(len(order) - MAX_ROWS, 'more model')}: see --json"
    return table


def _row(
    is_best: bool, parameters: Mapping[str, Any], cell: Cell, columns: Sequence[str]
) -> list[str]:
    values = [_value_text(parameters[name]) if name in parameters else "" for name in columns]
    p = "" if cell.test is None or cell.test.p is None else f"{cell.test.p:.3f}"
    numbers = [_value_text(cell.risk), _value_text(cell.spread), _value_text(cell.training_risk)]
    return ["*" if is_best else "", *values, *numbers, f"{cell.support:.1f}", p]


def _estimate_lines(
    estimate: Estimate, models: Sequence[Mapping[str, Any]], risk: Risk, division: str
) -> str:
    spread = "" if estimate.spread is None else f" ± {_value_text(estimate.spread)}"
    parts = counted(len(estimate.parts), "part")
    rows = {
        "procedure": ", ".join(filter(None, (estimate.procedure, parts, division))),
        "risk": f"{_value_text(estimate.risk)}{spread} ({risk.label}: {risk.help})",
    }
    if models:
        best = ", ".join(
            f"{key} {_value_text(value)}" for key, value in models[estimate.best].items()
        )
        rows["best"] = f"{best} (marked *)"
    bounds = estimate.cells[estimate.best].bounds
    if bounds is not None:
        rows["bounds"] = (
            f"support vectors / n {_value_text(bounds.support)}, ξα {_value_text(bounds.xi_alpha)}"
        )
    rows["note"] = estimate.note
    return aligned(rows.items(), left=2)


def _value_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "on" if value else "off"
    return shorten(value) if isinstance(value, str) else f"{value:.4g}"
