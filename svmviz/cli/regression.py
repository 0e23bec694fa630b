"""``--task regression`` for a table of numbers with any number of columns and a target."""

from __future__ import annotations

import argparse
from typing import Any

from solvers import RBF, SMO, BadInput, Method, Regression
from solvers.data.point_files import MissingValues
from solvers.data.targets import Targets, read_targets
from svmviz.cli.model_options import missing_rows, pick_model, pick_penalty
from svmviz.cli.parser import Parser
from svmviz.document.document import Penalty
from svmviz.io.open_and_save import is_scene, read_text
from svmviz.io.paths import file_path
from svmviz.io.scene_line import is_scene_line

CLASSIFICATION_OPTIONS = ("x", "y", "classes", "scaling")


def read_problem(given: argparse.Namespace, parser: Parser) -> tuple[Targets, Regression, Method]:
    """Read the table that the options name; return it, the problem and the method."""
    for name in CLASSIFICATION_OPTIONS:
        if getattr(given, name) is not None:
            parser.error(f"--{name} is for classification")
    if is_scene_line(given.file):
        raise BadInput("A scene contains its task; leave --task out.")
    path = file_path(given.file)
    text = read_text(path)
    if is_scene(path, text):
        raise BadInput(f"{path.name}: a scene contains its task; leave --task out.")
    try:
        targets = read_targets(
            text, target=given.labels, skip_missing=given.skip_missing, source=path.name
        )
    except MissingValues as missing:
        raise BadInput(missing_rows(missing)) from None
    try:
        kernel, method = pick_model(given, parser, RBF(), (SMO(),), "regression")
        penalty = pick_penalty(given, Penalty(), "regression")
    except BadInput as error:
        parser.error(str(error))
    problem = Regression(
        targets.X,
        targets.y,
        kernel,
        penalty.C(len(targets.y)),
        bias=given.bias or "free",
        epsilon=epsilon_of(given),
    )
    return targets, problem, method


def epsilon_of(given: argparse.Namespace) -> float:
    """Return half the width of the tube that the options give."""
    return Regression.epsilon if given.epsilon is None else given.epsilon


def names_of(targets: Targets, epsilon: float) -> dict[str, Any]:
    """Return the further members of the JSON object, besides those of the run and the model."""
    return {
        "task": "regression",
        "epsilon": epsilon,
        "target": targets.target,
        "axis_names": list(targets.names),
    }


def points_of(targets: Targets, epsilon: float) -> str:
    """Return the text of the line "points"."""
    columns = ", ".join(targets.names)
    return f"{len(targets.y)} ({targets.target} from {columns}; ε = {epsilon:g})"
