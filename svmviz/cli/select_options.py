"""Options of ``svmviz select``: the procedure, the sizes of its parts, the risk, and the models."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from solvers import METHODS, BadInput, Given, Kernel, Method
from solvers.data.datasets import PointSet
from solvers.problem.many_classes import AnyProblem, ManyClassProblem
from solvers.problem.problem import BIASES
from solvers.selection.cluster import Cluster, silence_logs
from solvers.selection.models import Model, as_models, grid, random_models
from solvers.selection.pools import SERIAL, Local, Pool
from solvers.selection.procedures import PROCEDURES
from solvers.selection.risks import RISKS, Risk, risk_for
from solvers.settings import settings_of
from svmviz.cli import model_options
from svmviz.cli.model_options import KERNELS
from svmviz.cli.parser import Parser, number, whole_number, within
from svmviz.document.item_plane import accept_kernel, solver_rows

# Numbers that a grid can vary and that are not settings of kernels or methods, with the functions
# that read their values.
AXES: dict[str, Callable[[str], Any]] = {"C": number, "epsilon": number}
# The backends that can train models, and their descriptions.
BACKENDS = {
    "threads": "in this process",
    "processes": "on this machine",
    "dask": "on the workers of a Dask cluster; needs the extra svmviz[dask]",
}
# HOST:PORT, or PROTOCOL://HOST:PORT; the host may be an IPv6 address in brackets.
_ADDRESS = re.compile(r"(\w+://)?(\[[0-9a-fA-F:.]+\]|[^\s:/]+):[0-9]{1,5}")
# Description of each procedure.
PROCEDURE_HELP = {
    "hold-out": "train on one part, test on the other",
    "validation": "choose on a validation part, test on the test part",
    "leave-one-out": "leave out each point once",
    "k-fold": "test on each fold, after training on the others",
    "5x2": "five times two halves, with Dietterich's paired test of the models",
    "nested": "folds within folds: the inner ones choose the model, the outer ones test it",
}


def add_arguments(parser: Parser) -> None:
    """Add the options of the procedure and of the grid."""
    group = parser.add_argument_group("procedure; it ignores the options that it does not use")
    group.add_argument(
        "--procedure",
        choices=PROCEDURES,
        required=True,
        help="\n".join(f"{name}: {PROCEDURE_HELP[name]}" for name in PROCEDURES),
    )
    group.add_argument(
        "--folds",
        type=whole_number,
        default=5,
        metavar="K",
        help="k-fold, nested: number of folds [5]",
    )
    size = "a fraction of all points (below 1), or a number of points"
    for part, default in (("test", 0.2), ("validation", 0.1)):
        group.add_argument(
            f"--{part}",
            type=number,
            default=default,
            metavar="SIZE",
            help=f"size of the {part} part: {size} [{default}]",
        )
    group.add_argument(
        "--retrain",
        action="store_true",
        help="validation: train the chosen model on training and validation part before the test",
    )
    group.add_argument(
        "--stratified",
        action="store_true",
        help="keep the proportions of the classes in each part; in a regression, the"
        " fifths of the sorted targets take the role of the classes",
    )
    risks = "\n".join(f"{risk.name}: {risk.help} ({risk.task})" for risk in RISKS.values())
    group.add_argument(
        "--risk", choices=RISKS, help=f"risk to estimate [the first one of the task]\n{risks}"
    )
    group.add_argument(
        "--grid",
        type=_axis,
        action="append",
        metavar="NAME=A,B,...",
        help="values of C, epsilon, bias, kernel, solver or a setting; if --grid is given several"
        " times, all combinations are models, and the values of the last one vary fastest",
    )
    group.add_argument(
        "--random",
        type=within(whole_number, 1, 1_000_000, "between 1 and a million models can be drawn"),
        metavar="N",
        help="instead of the whole grid, N random models: numbers are drawn between the smallest"
        " and the largest value, uniformly in the logarithm if possible; settings that must be"
        " whole numbers or words take one of the given values",
    )
    _add_resources(parser)


def _add_resources(parser: Parser) -> None:
    """Add the options for the workers that train models, and for the folder of their results."""
    group = parser.add_argument_group("where the models are trained")
    backends = "\n".join(f"{name}: {text}" for name, text in BACKENDS.items())
    group.add_argument("--backend", choices=BACKENDS, default="threads", help=backends)
    group.add_argument(
        "--jobs",
        type=within(whole_number, 1, 1000, "between 1 and 1000 threads or processes can run"),
        metavar="N",
        help="number of threads or processes [the number of processors]",
    )
    group.add_argument(
        "--address", type=_address, metavar="HOST:PORT", help="dask: address of the scheduler"
    )
    group.add_argument(
        "--store",
        metavar="DIR",
        help="folder for results, from which an interrupted search goes on; each file of points"
        " needs its own folder",
    )


def check_risk(options: argparse.Namespace, parser: Parser, problem: AnyProblem) -> Risk:
    """Return the risk; end with bad usage if it is for another task, or for two classes."""
    try:
        risk = risk_for(problem, options.risk)
    except BadInput as error:
        parser.error(str(error))
    if isinstance(problem, ManyClassProblem):
        risk = replace(risk, help="share of wrong decisions of all machines together")
    return risk


def read_models(
    options: argparse.Namespace,
    parser: Parser,
    problem: AnyProblem,
    kernel: Kernel,
    method: Method,
    data: PointSet | None,
) -> list[Model] | None:
    """Return the models of the grid; None if there is no --grid.

    ``kernel`` and ``method`` are used unless the grid varies them. ``data`` has the points of FILE;
    it is None in a regression with any number of coordinates.
    """
    if not options.grid:
        if options.random is not None:
            parser.error("--random needs a --grid")
        return None
    axes: dict[str, Sequence[Any]] = {}
    try:
        for name, words in options.grid:
            key, values = _values(name, words, options, kernel, method)
            if key in axes:
                parser.error(f"--grid {name} is given twice")
            axes[key] = values
        if options.random is None:
            models = grid(axes, kernel, method)
        else:
            models = random_models(axes, options.random, seed_of(options, parser), kernel, method)
        models = models if data is None else [on_points(data, model) for model in models]
        return as_models(models, problem)
    except (BadInput, argparse.ArgumentTypeError) as error:
        parser.error(f"--grid: {error}")


def on_points(data: PointSet, model: Model) -> Model:
    """Return the model, with the Gram matrix of its kernel as its points if they are items.

    Raises
    ------
    BadInput
        If the kernel of the model cannot compare the points.
    """
    assert model.kernel is not None
    accept_kernel(data, model.kernel)
    if data.items is None:
        return model
    changes = {**model.changes, "X": solver_rows(data.items, model.kernel)}
    return replace(model, kernel=Given(), changes=changes)


def seed_of(options: argparse.Namespace, parser: Parser) -> int:
    """Return the seed, which is used for random splits, for random models and for the method."""
    seed = getattr(options, f"{model_options.PREFIX}seed", 0)
    if not 0 <= seed < 2**31:
        parser.error(f"the seed must be at least 0 and below 2^31: got {seed}")
    return seed


def _values(
    name: str, words: list[str], options: argparse.Namespace, kernel: Kernel, method: Method
) -> tuple[str, list[Any]]:
    """Return the name in ``solvers`` of one axis of the grid, and the values along the axis."""
    if name in AXES:
        return name, [AXES[name](word) for word in words]
    if name == "bias":
        return name, [_one_of(BIASES, word, name) for word in words]
    if name == "kernel":
        kernel_names = [_one_of(KERNELS, word, name) for word in words]
        return name, [model_options.kernel_named(word, options, kernel) for word in kernel_names]
    if name in ("solver", "method"):
        method_names = [_one_of(METHODS, word, name) for word in words]
        return "method", [
            model_options.method_named(word, options, method) for word in method_names
        ]
    name = name.replace("-", "_")
    return name, [_reader_of(name)(word) for word in words]


def _one_of(choices: Any, word: str, name: str) -> str:
    if word not in choices:
        raise BadInput(f"{name} must be one of {', '.join(choices)}: got {word!r}.")
    return word


def _reader_of(name: str) -> Callable[[str], Any]:
    """Return the function that reads the values of a setting of any kernel or method."""
    for owner in (*KERNELS.values(), *METHODS.values()):
        for key, spec in settings_of(owner).items():
            if spec.twin is not None and name == spec.twin.name:
                return number
            if name == key:
                readers = {"integer": whole_number, "choice": str, "text": str, "switch": _switch}
                return readers.get(spec.scale, number)
    names = [*AXES, "bias", "kernel", "solver", *_names_of_settings()]
    raise BadInput(f"There is no {name!r}; a grid can have {', '.join(names)}.")


def _names_of_settings() -> list[str]:
    owners = (*KERNELS.values(), *METHODS.values())
    return sorted({name for owner in owners for name in settings_of(owner)})


def _switch(word: str) -> bool:
    if word not in ("on", "off"):
        raise BadInput(f"A switch is on or off: got {word!r}.")
    return word == "on"


def _axis(text: str) -> tuple[str, list[str]]:
    """Read NAME=A,B,... as the name of an axis of the grid and the texts of its values."""
    name, equals, values = text.partition("=")
    words = [word.strip() for word in values.split(",")]
    if not (name.strip() and equals and all(words)):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form C=0.1,1,10")
    return name.strip(), words


@contextlib.contextmanager
def open_pool(options: argparse.Namespace, parser: Parser) -> Iterator[Pool]:
    """Open the pool of workers that train models, and close it afterwards."""
    if options.backend == "dask":
        if options.address is None:
            parser.error("--backend dask needs the --address HOST:PORT of a scheduler")
        # Dask reports lost workers. The user need not know: other workers repeat their work.
        silence_logs()
        with Cluster(options.address) as cluster:
            yield cluster
        return
    jobs = options.jobs or os.cpu_count() or 1
    yield Local(jobs, options.backend == "processes") if jobs > 1 else SERIAL


def _address(text: str) -> str:
    if not _ADDRESS.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form HOST:PORT")
    return text
