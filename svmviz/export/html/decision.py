"""The contents with which a page shows the decision of all machines at their ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers import Expansion, Run
from solvers.problem.machines import REDUCTION_TITLES, decision_weights
from solvers.problem.origin import origin_of, without_large_constant
from svmviz.base.words import class_titles, count, percent
from svmviz.document.held_out import TRAINING
from svmviz.export.html.kernel_programs import program_of
from svmviz.export.html.packing import array_text
from svmviz.frames.solved_machines import decision_at, solve_machine
from svmviz.io.scene import Scene


def decision_contents(scene: Scene, run: Run) -> dict[str, Any]:
    """Return the training points of all classes, and f of each machine at its end.

    The page begins with the decision if the scene shows it. ``run`` is that of the machine looked
    at. All machines are written as combinations of one kernel at the same points, from one origin,
    so that a page computes its values once.
    """
    document = scene.document
    many = document.many
    assert many is not None
    rows = np.flatnonzero(many.parts == TRAINING)
    X, kernel, origin = document.solver_points[rows], document.kernel, None
    if document.bias == "free":
        # A constant in the kernel changes no f, because all beta sum to 0.
        kernel = without_large_constant(kernel, X)
        origin = origin_of(X) if run.problem.linear else None
    ends = [
        run.expansion if index == many.shown else solve_machine(document, index).expansion
        for index in range(len(many.machines))
    ]
    decided = decision_at(many.machines, ends, document.solver_points[rows]).classes
    wrong, n = int((decided != many.data.classes[rows]).sum()), len(rows)
    title = REDUCTION_TITLES.get(many.reduction or "", "code matrix")
    return {
        "choices": [
            f"Decision of all {count(len(ends))} machines, {title}",
            f"The machine {many.machine.name(class_titles(many.data))}",
        ],
        "said": f"All {count(len(ends))} machines together: {count(wrong)} of {count(n)} points "
        f"{'is' if wrong == 1 else 'are'} misclassified ({percent(wrong / n)}).",
        "points": array_text(many.data.points[rows]),
        "classes": many.data.classes[rows].tolist(),
        "names": list(document.class_names),
        "codes": [list(machine.code) for machine in many.machines],
        "weights": decision_weights(many.machines).tolist(),
        "shown": many.shown,
        "decides": scene.options.decision,
        "kernel_program": program_of(kernel),
        "origin": None if origin is None else origin.tolist(),
        "betas": [
            None
            if f is None
            else array_text(_spread(f, many.looked_at(index).rows(TRAINING), rows))
            for index, f in enumerate(ends)
        ],
        "biases": [None if f is None else _bias_at(f, origin) for f in ends],
    }


def _spread(expansion: Expansion, rows: np.ndarray, all_rows: np.ndarray) -> np.ndarray:
    """Return the coefficients of a machine at all training points, shape (n,)."""
    beta = np.zeros(len(all_rows))
    beta[np.searchsorted(all_rows, rows)] = expansion.beta
    return beta


def _bias_at(expansion: Expansion, origin: np.ndarray | None) -> float:
    """Return the constant of f if points are taken from ``origin``, where a linear f has it."""
    return float(expansion.bias if origin is None else expansion(origin[None])[0])
