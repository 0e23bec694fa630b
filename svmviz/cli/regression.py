"""``svmviz solve --task regression``: a table whose columns are numbers, one of them the target."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from solvers import RBF, SMO, BadInput, Regression, Run, solve
from solvers.data.targets import Targets, read_targets
from svmviz.cli.model_options import pick_model
from svmviz.cli.parser import Parser
from svmviz.io.files import is_scene, read_text

# What only a document of two classes in the plane has.
OF_CLASSES = ("x", "y", "classes", "scaling")


def solve_targets(given: argparse.Namespace, parser: Parser) -> tuple[Targets, Run]:
    """Read the table that the options name, and solve it."""
    for name in OF_CLASSES:
        if getattr(given, name) is not None:
            parser.error(f"--{name} is for classification")
    path = Path(given.file)
    text = read_text(path)
    if is_scene(path, text):
        raise BadInput(f"{path.name}: a scene says itself what is solved; leave --task out.")
    targets = read_targets(text, target=given.labels, source=path.name)
    try:
        kernel, method = pick_model(given, parser, RBF(), (SMO(),))
        problem = Regression(
            targets.X,
            targets.y,
            kernel,
            _penalty(given, len(targets.y)),
            bias=given.bias or "free",
            epsilon=epsilon_of(given),
        )
    except BadInput as error:
        parser.error(str(error))
    return targets, solve(problem, method)


def _penalty(given: argparse.Namespace, n: int) -> float:
    if given.lam is not None:
        if not given.lam > 0:
            raise BadInput(f"lambda must be above 0: got {given.lam:g}.")
        return 1.0 / (given.lam * n)
    return 1.0 if given.C is None else given.C


def epsilon_of(given: argparse.Namespace) -> float:
    """Half the width of the tube that the options ask for."""
    return Regression.epsilon if given.epsilon is None else given.epsilon


def names_of(targets: Targets, epsilon: float) -> dict[str, Any]:
    """What the JSON object says beyond run and model."""
    return {
        "task": "regression",
        "epsilon": epsilon,
        "target": targets.target,
        "axis_names": list(targets.names),
    }


def points_of(targets: Targets, epsilon: float) -> str:
    """What the line "points" says."""
    columns = ", ".join(targets.names)
    return f"{len(targets.y)} ({targets.target} from {columns}; ε = {epsilon:g})"
