"""A script that repeats the run with ``solvers``, step by step."""

from __future__ import annotations

import numpy as np

from solvers import Run
from svmviz.colours.themes import LIGHT, Theme
from svmviz.document.document import Document
from svmviz.export.code import class_code
from svmviz.export.code.drawing import (
    call,
    data_points,
    decision_lines,
    literal,
    number,
)
from svmviz.export.code.listing import CodeCell, Listing, checking_cell

STEPPING = """# A cursor reads the recorded steps in turn; of a long run, 500 to 1000 of them.
# snapshot.event.sentence says what a step did, from step 1 on.
cursor = Cursor(run)
steps = list(range(0, run.steps + 1, max(1, run.steps // 500)))
trace = []
for step in steps:
    snapshot = cursor.seek(step)
    certificate = certify(run.certified_problem, snapshot.expansion)
    trace.append((certificate.primal, certificate.dual))
primal, dual = np.array(trace).T
beta = run.expansion.beta"""
CURVES = """
chart, lines = plt.subplots(figsize=(8, 4), layout="constrained")
lines.plot(steps, primal, label="primal")
lines.plot(steps, dual, label="dual")
lines.set_xlabel("step")
lines.legend()
plt.figure(figure)"""


def solvers_listing(document: Document, run: Run, colours: Theme = LIGHT) -> Listing:
    """Return the script that repeats a run, and compares the decision values at its end."""
    kernel, method = document.solved_kernel, document.method
    bound = f"run.certified_problem.{'caps' if document.has_weights else 'C'}"
    points, figure = class_code.points_and_figure(
        document, run.certificate.decision, method, colours, bound
    )
    decision = decision_lines(document, "run.expansion({points})", ", at the end of the run")
    return Listing(
        title="A run of a support vector machine, step by step",
        about="Made by svmviz. The run is repeated by the library of svmviz, compared with the one "
        "in the\nwindow, and drawn. It needs svmviz and matplotlib.",
        imports="import matplotlib.pyplot as plt\nimport numpy as np\n"
        + (class_code.COLOURS_IMPORT if document.has_decision else "")
        + _imports(document, type(kernel), type(method)),
        cells=(
            CodeCell("The points", points),
            CodeCell("The problem and its method", _problem(document)),
            CodeCell("The steps", f"{STEPPING}\n\n\n{decision}", is_definition=True),
            *class_code.decision_cells(document, _fit(document)),
            CodeCell("The figure", figure + CURVES),
            checking_cell(data_points(document)),
        ),
    )


def _fit(document: Document) -> str:
    """Return the code that trains one of all machines."""
    C = class_code.penalty_code(document) or "problem.C"
    fit = f"model = problem.kernel, {C}, problem.bias\n"
    weights = ", weights=all_weights[seen]" if document.has_weights else ""
    fit += f"one = Problem(all_X[seen], labels[seen], *model{weights})\n"
    return fit + "f = solve(one, method).expansion"


def _imports(document: Document, *kinds: type) -> str:
    """Return the imports of what the script uses, and of the classes of its kernel and method."""
    problem = "Regression" if document.is_regression else "Problem"
    modules = {"solvers": {"Cursor", problem, "certify", "solve"}}
    for kind in kinds:
        package = kind.__module__.partition(".")[0]
        # A class of another package is imported from its module.
        module = package if package == "solvers" else kind.__module__
        modules.setdefault(module, set()).add(kind.__name__)
    return "\n".join(
        f"from {module} import {', '.join(sorted(names, key=_import_key))}"
        for module, names in sorted(modules.items())
    )


def _import_key(name: str) -> tuple[int, str]:
    """Return the sort key of a name among imports: constants, then classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def _problem(document: Document) -> str:
    arguments = {
        "kernel": _constructor_call(document.solved_kernel),
        "C": number(document.C),
        "bias": literal(document.bias),
    }
    if document.has_weights:
        arguments["weights"] = "weights"
    kind = "Problem"
    if document.is_regression:
        kind, arguments["epsilon"] = "Regression", repr(float(document.epsilon))
    indented = {key: value.replace("\n", "\n    ") for key, value in arguments.items()}
    lines = [f"    {key}={value}," for key, value in indented.items()]
    problem = "\n".join([f"problem = {kind}(", "    X,", "    y,", *lines, ")"])
    return f"{problem}\nmethod = {_constructor_call(document.method)}\nrun = solve(problem, method)"


def _constructor_call(owner: object) -> str:
    """Return the call that makes a kernel or a method, with its settings that are not defaults."""
    kind = type(owner)
    defaults = kind().values()  # type: ignore[attr-defined]
    arguments = {
        name: literal(value) if isinstance(value, str) else _value(value)
        for name, value in owner.values().items()  # type: ignore[attr-defined]
        if value != defaults[name]
    }
    return call(kind.__name__, arguments)


def _value(value: float | bool | int) -> str:
    return number(value) if isinstance(value, float) and np.isinf(value) else repr(value)
