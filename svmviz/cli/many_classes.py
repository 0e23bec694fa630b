"""What ``svmviz solve`` prints of more than two classes: machines, their decision, its errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from solvers import BadInput
from solvers.errors import shorten
from solvers.problem.machines import REDUCTION_TITLES, number_wrong
from solvers.problem.many_classes import ManyClassProblem
from svmviz.cli.columns import aligned
from svmviz.cli.model_options import settings_text, weight_members, weights_text
from svmviz.document.document import Document
from svmviz.document.held_out import PARTS, TRAINING
from svmviz.frames.solved_machines import (
    SolvedMachine,
    confusion_tables,
    decision_at,
    solve_machines,
)

# The name of the decision by machines that are no usual reduction.
CODE_MATRIX = "code-matrix"


def problem_of_all(document: Document) -> ManyClassProblem:
    """Return the problem of all machines, on the training points."""
    many = document.many_classes
    in_training, C = many.parts == TRAINING, document.penalty.value
    classes = many.data.classes[in_training]
    if document.penalty.kind == "lambda":
        C = tuple(document.looking_at(index).C for index in range(len(many.machines)))
    return ManyClassProblem(
        document.solver_points[in_training],
        classes,
        many.machines,
        document.class_names,
        document.solved_kernel,
        C,
        document.bias,
        document.weight_per_class[classes] if document.class_weights else None,
    )


def solve_all(document: Document) -> tuple[list[SolvedMachine], dict[int, np.ndarray]]:
    """Solve all machines; return them, and the confusion matrix of each part that may be seen.

    Raises
    ------
    BadInput
        If none of the machines can be solved.
    """
    many, solved = document.many_classes, list(solve_machines(document))
    if not any(machine.run for machine in solved):
        raise BadInput(solved[0].trouble)
    expansions = [machine.expansion for machine in solved]
    decided = decision_at(many.machines, expansions, document.solver_points).classes
    return solved, confusion_tables(document, decided)


def members_of(
    document: Document, solved: Sequence[SolvedMachine], tables: dict[int, np.ndarray]
) -> dict[str, Any]:
    """Return the members of the JSON object, on which scripts rely.

    Indices of support vectors are those of all training points, in the order of FILE.
    """
    many = document.many_classes
    held = {PARTS[part]: _table_members(table) for part, table in tables.items() if part}
    return {
        "classes": list(document.class_names),
        "decision": many.reduction or CODE_MATRIX,
        "machines": [_machine_members(document, index, one) for index, one in enumerate(solved)],
        **_table_members(tables[TRAINING]),
        **held,
        "scaling": document.scaling,
        "factors": document.factors.tolist(),
        "solver": {"name": document.method.name, **document.method.values()},
        "kernel": {"name": document.kernel.name, **document.kernel.values()},
        "bias_mode": document.bias,
        **weight_members(document),
        "axis_names": list(document.data.axis_names),
    }


def _table_members(table: np.ndarray) -> dict[str, Any]:
    return {"n": int(table.sum()), "confusion": table.tolist(), "errors": number_wrong(table)}


def _machine_members(document: Document, index: int, one: SolvedMachine) -> dict[str, Any]:
    many, run = document.many_classes, one.run
    training = np.cumsum(many.parts == TRAINING) - 1
    rows = training[many.looked_at(index).rows(TRAINING)]
    support = rows[run.expansion.support].tolist() if run else []
    return {
        "name": one.name,
        "positive": [document.class_names[k] for k in one.machine.positive],
        "negative": [document.class_names[k] for k in one.machine.negative],
        "n": one.n,
        "steps": run.steps if run else 0,
        "reason": run.reason.value if run and run.reason else None,
        "gap": run.certificate.gap if run else None,
        "support": support,
        "C": document.penalty.C(one.n),
        "lambda": document.penalty.lam(one.n),
        **({"trouble": one.trouble} if one.trouble else {}),
    }


def text_of(
    document: Document, solved: Sequence[SolvedMachine], tables: dict[int, np.ndarray]
) -> str:
    """Return a table of the machines, and the confusion matrix of each part, for people."""
    many = document.many_classes
    names = [shorten(name) for name in document.class_names]
    C, lam = document.penalty.value, document.penalty.kind != "C"
    decision = REDUCTION_TITLES.get(many.reduction or "", "a code matrix")
    weights = f", {weights_text(document)}" if document.class_weights else ""
    head = ["machine", "points", "steps", "support", "gap", "end"]
    machines = [_machine_row(one) for one in solved]
    blocks = [
        f"{len(names)} classes, decided by {decision}: {len(solved)} machines, each of which"
        f" separates some classes from others\n{document.method.label},"
        f" {' '.join([document.kernel.name, *settings_text(document.kernel)])},"
        f" {'λ' if lam else 'C'} = {C:g}, bias {document.bias}, axes scaled: {document.scaling}"
        f"{weights}",
        aligned([head, *machines], left=1),
    ]
    for part, table in tables.items():
        errors, n = number_wrong(table), int(table.sum())
        rows = [[name, *map(str, row)] for name, row in zip(names, table.tolist(), strict=True)]
        blocks.append(
            aligned([["true class, decided for", *names], *rows], left=1)
            + f"\n{errors_text(errors, n, part)}"
        )
    return "\n\n".join(blocks)


def errors_text(errors: int, n: int, part: int = TRAINING) -> str:
    """Return how many of the points of a part are decided wrongly."""
    return f"{errors} of {n} {PARTS[part]} points decided wrongly ({100 * errors / n:.3g} %)"


def _machine_row(one: SolvedMachine) -> list[str]:
    run = one.run
    if run is None:
        return [shorten(one.name), str(one.n), "", "", "", one.trouble]
    numbers = f"{run.steps:,}", str(len(run.expansion.support)), f"{run.certificate.gap:.3g}"
    assert run.reason is not None
    return [shorten(one.name), str(one.n), *numbers, run.reason.value]
