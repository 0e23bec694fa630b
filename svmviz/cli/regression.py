"""``--task regression`` for a table of numbers with any number of columns and a target."""

from __future__ import annotations

import argparse
from typing import Any

from solvers import RBF, SMO, BadInput, Method, Regression
from solvers.data.targets import Targets, read_targets
from svmviz.cli.advice import note_targets
from svmviz.cli.model_options import option_of, pick_model, pick_penalty, say, table_refusals
from svmviz.cli.parser import Parser
from svmviz.document.document import Penalty
from svmviz.io.open_and_save import is_scene, read_text
from svmviz.io.paths import file_path
from svmviz.io.scene_line import is_scene_line

# Options that are for classification only.
CLASSIFICATION_OPTIONS = ("y", "classes", "scaling", "class_weight")


def read_problem(options: argparse.Namespace, parser: Parser) -> tuple[Targets, Regression, Method]:
    """Read the table FILE, and return it with the problem and the method of the options."""
    for name in CLASSIFICATION_OPTIONS:
        if getattr(options, name) is not None:
            parser.error(f"{option_of(name)} is for classification")
    if is_scene_line(options.file):
        raise BadInput("A scene contains its task; leave --task out.")
    path = file_path(options.file)
    text = read_text(path)
    if is_scene(path, text):
        raise BadInput(f"{path.name}: a scene contains its task; leave --task out.")
    with table_refusals():
        targets = read_targets(
            text, target=options.labels, x=options.x, skip_missing=options.skip_missing,
            decimal=options.decimal, header=options.header, source=path.name, on_guess=say,
        )  # fmt: skip
    try:
        kernel, method = pick_model(options, parser, RBF(), (SMO(),), "regression")
        penalty = pick_penalty(options, Penalty(), "regression")
    except BadInput as error:
        parser.error(str(error))
    problem = Regression(
        targets.X,
        targets.y,
        kernel,
        penalty.C(len(targets.y)),
        bias=options.bias or "free",
        epsilon=epsilon_of(options),
    )
    note_targets(options, problem, method)
    return targets, problem, method


def epsilon_of(options: argparse.Namespace) -> float:
    """Return epsilon, half the width of the tube, from the options."""
    return Regression.epsilon if options.epsilon is None else options.epsilon


def task_members(targets: Targets, epsilon: float) -> dict[str, Any]:
    """Return members on the task and the table, for the JSON object of ``svmviz solve``."""
    return {
        "task": "regression",
        "epsilon": epsilon,
        "target": targets.target,
        "axis_names": list(targets.names),
    }


def points_text(targets: Targets, epsilon: float) -> str:
    """Return the text of the line "points" that ``svmviz solve`` prints."""
    columns = ", ".join(targets.names)
    return f"{len(targets.y)} ({targets.target} from {columns}; ε = {epsilon:g})"
