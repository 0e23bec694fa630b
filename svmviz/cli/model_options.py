"""Options for the file and the model, shared by all commands that read FILE.

Every setting of every kernel and method has an option of the same name, made from
``solvers.settings``. An option of a setting that neither the chosen kernel nor the chosen method
has is bad usage.
"""

from __future__ import annotations

import argparse
import contextlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from solvers import ITEM_KERNELS, METHODS, BadInput, Kernel, Method
from solvers import KERNELS as POINT_KERNELS
from solvers.data.datasets import PointSet
from solvers.data.guesses import Guess
from solvers.data.numerals import DECIMALS
from solvers.data.point_files import MissingValues, UnclearColumns, UnclearNumbers
from solvers.data.point_files import OnRows as OnRows
from solvers.data.point_files import ignore as ignore
from solvers.errors import shorten
from solvers.problem.machines import REDUCTIONS, machines_of
from solvers.problem.problem import BIASES, MAX_C, MIN_C
from solvers.problem.regression import checked_epsilon
from solvers.run.method import counted
from solvers.settings import Setting, Twin, settings_of
from svmviz.cli.advice import note_advice
from svmviz.cli.parser import LIST_OPTION, Names, Parser, number, whole_number
from svmviz.cli.streams import print_error
from svmviz.document.class_weights import BALANCED, ClassWeights, checked_weights
from svmviz.document.document import SCALINGS, TASKS, Document, Penalty
from svmviz.document.item_plane import accept_kernel
from svmviz.io.open_and_save import open_file
from svmviz.io.scene import Scene, as_scene
from svmviz.io.target_files import TargetSet, read_as

# All kernels: those of points with coordinates, and those of words or a given matrix.
KERNELS = {**POINT_KERNELS, **ITEM_KERNELS}
# Deterministic methods accept a seed and ignore it, so that scripts can always give one.
ALWAYS_ACCEPTED = {"seed"}
# Options of the commands themselves. A setting with such a name has an option that begins with the
# name of its kernel or method.
COMMAND_OPTIONS = {
    "output", "step", "size", "theme", "palette", "scale", "task", "epsilon", "json", "view",
    "width", "height", "type_size", "title", "caption", "transparent", "field", "svg_text", "steps",
    "table", "text", "changes", "fps", "hold", "code",
    "procedure", "folds", "test", "validation", "retrain", "stratified", "risk", "grid",
    "random", "jobs", "decision", "store", "backend", "address",
}  # fmt: skip
# In the parsed namespace, the names of settings begin with this; those of other options do not.
PREFIX = "setting "
FILE_HELP = (
    "scene (.svmviz, or one line of text), table of points, of words or of a kernel matrix (.csv),"
    " or LIBSVM text"
)
COLUMN_HINTS = {
    "axes": "choose two by --x and --y",
    "labels": "choose one by --labels",
    "classes": "choose two or more of them by --classes, or another column by --labels",
}
DEFAULTS = """\
defaults if FILE is no scene: SMO, RBF with gamma 1, C 1, tol 1e-3, bias free, scaling none, seed 0
exit codes: 0 done (also if the solver stopped early: read the reason), 1 bad input, 2 bad usage"""


def add_arguments(parser: Parser) -> None:
    """Add FILE and all options of the model."""
    parser.epilog = DEFAULTS
    parser.add_argument("file", metavar="FILE", help=FILE_HELP)
    model = parser.add_argument_group("model; by default as in the scene")
    model.add_argument("--solver", choices=METHODS, help="method; see svmviz list solvers")
    model.add_argument("--kernel", choices=KERNELS, help="kernel; see svmviz list kernels")
    penalty = model.add_mutually_exclusive_group()
    penalty.add_argument("--C", type=number, metavar="C", help=_penalty_help())
    penalty.add_argument(
        "--lambda", dest="lam", type=number, metavar="LAMBDA", help="1 / (C n) instead of C"
    )
    model.add_argument("--bias", choices=BIASES, help="\n".join(map(_bias_help, BIASES)))
    model.add_argument(
        "--class-weight",
        type=_class_weight,
        metavar="WEIGHTS",
        help="factors of C per class, as a list in the order of the classes: 1,5;\n"
        "or balanced: so that all classes have the same sum of weights [1 each]",
    )
    scalings = "\n".join(f"{name}: {text}" for name, text in SCALINGS.items())
    model.add_argument("--scaling", choices=SCALINGS, help=scalings)
    model.add_argument(
        "--decision",
        choices=REDUCTIONS,
        help="the machines of three and more classes, each of which separates some classes from"
        " others: one per pair of classes, or one per class [one-against-one]\n"
        "two classes are one machine, whatever is given",
    )
    columns = parser.add_argument_group("tables: columns by name, or by number from 1")
    columns.add_argument(
        "--labels", metavar="COLUMN", help="column of the labels, or of the targets"
    )
    columns.add_argument("--x", metavar="COLUMN", help="column of the first coordinate")
    columns.add_argument("--y", metavar="COLUMN", help="column of the second coordinate")
    columns.add_argument(
        LIST_OPTION,
        action=Names,
        nargs=2,
        metavar=("NEGATIVE", "POSITIVE"),
        help="labels -1 and +1 by name; or three and more labels in their order, as a list: a,b,c",
    )
    columns.add_argument(
        "--skip-missing", action="store_true", help="leave out rows in which a value is missing"
    )
    columns.add_argument(
        "--decimal", choices=DECIMALS, help="decimal mark of the numbers [as the table shows]"
    )
    columns.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="whether the first row has the names of the columns [as the table shows]",
    )
    _add_task(parser)
    settings = parser.add_argument_group("settings of kernels and methods")
    for name, specs in _all_settings().items():
        _add_setting(settings, name, specs)


def _add_task(parser: Parser) -> None:
    task = parser.add_argument_group("task")
    task.add_argument(
        "--task",
        choices=tuple(TASKS),
        help="regression: the target is the column given by --labels, or named target or y, or the"
        " last column of numbers; the coordinate is that of --x, or all others (solve, select)\n"
        "[regression for two columns of numbers, otherwise classification; a scene has its own]",
    )
    task.add_argument(
        "--epsilon",
        type=_epsilon,
        metavar="EPSILON",
        help="regression: half the width of the tube in which no error counts [0.1]",
    )


def _epsilon(text: str) -> float:
    try:
        return checked_epsilon(number(text))
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error).removesuffix(".")) from None


def _class_weight(text: str) -> ClassWeights:
    if text == BALANCED:
        return BALANCED
    return tuple(map(number, text.split(",")))


def _penalty_help() -> str:
    unused = ", ".join(name for name, method in METHODS.items() if not method.uses_penalty)
    finite = ", ".join(name for name, method in METHODS.items() if not method.hard_margin)
    return (
        "penalty of the slack, in 1/2 |w|^2 + C (sum of slack)\n"
        "inf: the hard margin; not in a regression\n"
        f"{finite}: C must be finite\n"
        f"{unused}: C is not used"
    )


def _bias_help(bias: str) -> str:
    without = ", ".join(name for name, method in METHODS.items() if bias not in method.biases)
    return f"{bias}: {BIASES[bias]}" + (f" (not for {without})" if without else "")


def read_scene(
    options: argparse.Namespace,
    parser: Parser,
    on_rows: OnRows = ignore,
    says_classes: bool = False,
) -> Scene:
    """Read FILE as a scene and apply the options to it.

    If FILE is a table, ``on_rows`` is called with the row number of each point. Rows are numbered
    from 0; those that --skip-missing leaves out are numbered too. ``says_classes`` says on stderr
    which of two classes of a table is +1, unless they are called so.
    """
    names = ("labels", "x", "y", "classes", "decimal", "header")
    choices = {key: getattr(options, key) for key in names}
    columns = {key: value for key, value in choices.items() if value is not None}
    tasks = (options.task,) if options.task is not None else tuple(TASKS)
    try:
        with table_refusals():
            content = open_file(
                options.file, tasks=tasks, skip_missing=options.skip_missing, on_rows=on_rows,
                on_guess=say, **columns,
            )  # fmt: skip
    except UnclearColumns:
        _refuse_epsilon(options, parser, "classification")
        raise
    if columns and isinstance(content, Scene):
        parser.error(f"--{next(iter(columns))} is for tables, and {options.file} is a scene")
    scene = as_scene(content)
    task = scene.document.task
    if options.task not in (None, task):
        parser.error(f"--task is for tables, and {options.file} is a scene")
    if options.task is None and isinstance(content, TargetSet):
        print_error(f"svmviz: {read_as(content)}")
    if says_classes and isinstance(content, PointSet) and _has_own_names(content):
        print_error(f"svmviz: {read_as(content)}")
    _refuse_epsilon(options, parser, task)
    for name in ("decision", "class_weight") if task == "regression" else ():
        if getattr(options, name) is not None:
            option = f"--{name.replace('_', '-')}"
            parser.error(f"{option} is for classes, and a regression has none")
    try:
        document = _apply_options(scene.document, options, parser)
    except BadInput as error:
        # The file is valid, so the error is in an option.
        parser.error(str(error))
    if not isinstance(content, Scene):
        note_advice(options, document)
    return replace(scene, document=document)


def _has_own_names(points: PointSet) -> bool:
    """Return whether there are two classes, and they are not called -1 and +1."""
    names = tuple(name.removeprefix("+") for name in points.class_names)
    return points.has_two_classes and names != ("-1", "1") and not isinstance(points, TargetSet)


def say(guess: Guess) -> None:
    """Write to stderr what was guessed about a table, and which option reads it otherwise."""
    sentence = guess.sentence
    for name, value in guess.options.items():
        option = f"--{name} {value}" if isinstance(value, str) else f"--no-{name}"
        sentence += f" {guess.offer}: {option}."
    print_error(f"svmviz: {sentence}")


@contextlib.contextmanager
def table_refusals() -> Iterator[None]:
    """Name the option that settles the question if a table is refused within this block."""
    try:
        yield
    except (MissingValues, UnclearNumbers, UnclearColumns) as error:
        if isinstance(error, UnclearColumns):
            hint = COLUMN_HINTS[error.asks_for]
        elif isinstance(error, MissingValues):
            hint = f"--skip-missing reads the table without {counted(error.rows, 'row')}"
        else:
            hint = "choose by --decimal comma or --decimal point"
        error.args = (f"{str(error).rstrip('.')}; {hint}.",)
        raise


def _apply_options(document: Document, options: argparse.Namespace, parser: Parser) -> Document:
    kernel, method = pick_model(options, parser, document.kernel, document.methods, document.task)
    methods = (method,) if options.solver else (method, *document.methods[1:])
    if options.kernel is not None:
        accept_kernel(document.data, kernel)
    document = replace(document, kernel=kernel, methods=methods).with_method(method)
    if options.bias is not None:
        document = replace(document, bias=options.bias)
    document = replace(document, penalty=pick_penalty(options, document.penalty, document.task))
    if options.class_weight is not None:
        weights = checked_weights(options.class_weight, len(document.class_names))
        document = replace(document, class_weights=weights)
    if options.scaling is not None:
        document = replace(document, scaling=options.scaling)
    if options.epsilon is not None:
        document = replace(document, epsilon=options.epsilon)
    many = document.many
    if options.decision is not None and many is not None:
        document = document.with_many(many.with_machines(machines_of(options.decision, many.k)))
    return document


def _refuse_epsilon(options: argparse.Namespace, parser: Parser, task: str) -> None:
    if options.epsilon is not None and task != "regression":
        parser.error("--epsilon is for --task regression")


def note_held_out(document: Document) -> None:
    """Write to stderr that points of a scene are held out, if some are."""
    if document.held_out is not None:
        training, validation, test = np.bincount(document.parts, minlength=3).tolist()
        print_error(
            f"The scene holds out {validation} validation and {test} test points: only its"
            f" {training} training points are used."
        )


def pick_penalty(options: argparse.Namespace, present: Penalty, task: str) -> Penalty:
    """Return the penalty that the options give, or the present one if they give none.

    A lambda of 0 means the hard margin, like an infinite C, so regression refuses both.
    """
    if options.lam is None and options.C is None:
        return present
    penalty = Penalty("C", options.C) if options.lam is None else Penalty("lambda", options.lam)
    # Whether C is infinite does not depend on the number of points, so 1 point is assumed.
    C = penalty.C(1)
    if task == "regression" and math.isinf(C):
        raise BadInput("Regression needs a finite C, and a lambda above 0.")
    if options.lam is None and not (math.isinf(C) or MIN_C <= C <= MAX_C):
        raise BadInput(f"C must be between {MIN_C:g} and {MAX_C:g}, or inf: got {C:g}.")
    return penalty


def pick_model(
    options: argparse.Namespace,
    parser: Parser,
    kernel: Kernel,
    methods: tuple[Method, ...],
    task: str,
) -> tuple[Kernel, Method]:
    """Return the kernel and the method that the options name, with the settings they give."""
    settings = _given_settings(options)
    kernel = _pick(KERNELS, options.kernel, (kernel,))
    method = _pick(METHODS, options.solver, methods)
    if options.solver is not None:
        method.accept_task(task)
    _refuse_foreign(settings, kernel, method, parser)
    return _with_settings(kernel, settings), _with_settings(method, settings)


def kernel_named(name: str, options: argparse.Namespace, present: Kernel) -> Kernel:
    """Return the ``present`` kernel if it has this name, otherwise a new kernel with the name.

    Settings that the options give replace those of the kernel.
    """
    return _with_settings(_pick(KERNELS, name, (present,)), _given_settings(options))


def method_named(name: str, options: argparse.Namespace, present: Method) -> Method:
    """Return the method with a name; see :func:`kernel_named`."""
    return _with_settings(_pick(METHODS, name, (present,)), _given_settings(options))


def _given_settings(options: argparse.Namespace) -> dict[str, Any]:
    return {
        name.removeprefix(PREFIX): value
        for name, value in vars(options).items()
        if name.startswith(PREFIX)
    }


def _pick(registry: Mapping[str, type], name: str | None, present: tuple[Any, ...]) -> Any:
    """Return the kernel or method with this name.

    It is one of ``present``, which are those of FILE, if one of them has the name; otherwise it is
    new. Without a name, return the first of ``present``.
    """
    if name is None:
        return present[0]
    return next((owner for owner in present if owner.name == name), None) or registry[name]()


def _with_settings(owner: Any, settings: Mapping[str, Any]) -> Any:
    """Return a kernel or method with new values of its settings; ignore settings it lacks."""
    accepted = {name: value for name, value in settings.items() if name in settings_of(owner)}
    for name, twin in _twins_of(owner).items():
        if twin.name in settings:
            accepted[name] = twin.setting_from(settings[twin.name])
    return replace(owner, **accepted)


def _twins_of(owner: Any) -> dict[str, Twin]:
    """Return the twins of the settings of a kernel or method, by the names of the settings.

    A twin is another number by which a setting can be given, such as sigma for gamma.
    """
    return {name: spec.twin for name, spec in settings_of(owner).items() if spec.twin is not None}


def _option_names(owner: Any) -> set[str]:
    return {*settings_of(owner), *(twin.name for twin in _twins_of(owner).values())}


def _refuse_foreign(settings: Mapping[str, Any], kernel: Any, method: Any, parser: Parser) -> None:
    """End with bad usage if a setting belongs to neither the kernel nor the method."""
    for name in settings:
        if (
            name in ALWAYS_ACCEPTED
            or name in _option_names(kernel)
            or name in _option_names(method)
        ):
            continue
        owners = [*KERNELS.values(), *METHODS.values()]
        owner_names = ", ".join(owner.name for owner in owners if name in _option_names(owner))
        parser.error(
            f"{option_of(name)} is a setting of {owner_names}, "
            f"not of {kernel.name} or {method.name}"
        )


def _all_settings() -> dict[str, list[tuple[str, Setting, Any]]]:
    """Return, for each name of a setting, a list of (owner's name, specification, default).

    The owners are all kernels and methods that have a setting of this name.
    """
    specs: dict[str, list[tuple[str, Setting, Any]]] = {}
    for owner in (*KERNELS.values(), *METHODS.values()):
        default: Any = owner()
        for name, spec in settings_of(owner).items():
            specs.setdefault(name, []).append((owner.name, spec, getattr(default, name)))
    return specs


def _add_setting(group: Any, name: str, specs: list[tuple[str, Setting, Any]]) -> None:
    spec = specs[0][1]
    twins = [(owner, spec.twin) for owner, spec, _ in specs if spec.twin is not None]
    if twins:
        group = group.add_mutually_exclusive_group()
    for owner, twin in twins:
        group.add_argument(
            option_of(twin.name),
            dest=PREFIX + twin.name,
            default=argparse.SUPPRESS,
            type=number,
            metavar=twin.name.upper(),
            help=f"{twin.help} [{owner}, instead of {name}]",
        )
    arguments: dict[str, Any] = {
        "dest": PREFIX + name,
        "default": argparse.SUPPRESS,
        "help": _setting_help(specs).replace("%", "%%"),
    }
    if spec.scale == "switch":
        arguments["action"] = argparse.BooleanOptionalAction
    elif spec.scale == "choice":
        arguments["choices"] = list(dict.fromkeys(key for _, s, _ in specs for key, _ in s.choices))
    elif spec.scale == "text":
        arguments["metavar"] = "TEXT"
    else:
        arguments["type"] = whole_number if spec.scale == "integer" else number
        arguments["metavar"] = name.upper()
    group.add_argument(option_of(name), **arguments)


def _setting_help(specs: list[tuple[str, Setting, Any]]) -> str:
    """Return the help of a setting, with one line per meaning that it has, and its defaults."""
    owners: dict[tuple[str, str], list[str]] = {}
    for owner, spec, default in specs:
        help = spec.help
        if any(key != title for key, title in spec.choices):
            help += f" Values: {', '.join(f'{key} ({title})' for key, title in spec.choices)}."
        owners.setdefault((help, _default_text(default)), []).append(owner)
    return "\n".join(
        f"{', '.join(names)}: {help} [{default}]" for (help, default), names in owners.items()
    )


def option_of(name: str) -> str:
    """Return the option of a setting.

    If the setting has a name in ``COMMAND_OPTIONS``, the option begins with the name of the kernel
    or method.
    """
    if name in COMMAND_OPTIONS:
        owners = (*KERNELS.values(), *METHODS.values())
        owner = next(owner.name for owner in owners if name in settings_of(owner))
        name = f"{owner}-{name}"
    return "--" + name.replace("_", "-")


def _default_text(default: Any) -> str:
    if isinstance(default, bool):
        return "on" if default else "off"
    return f"{default}"


def weight_members(document: Document) -> dict[str, Any]:
    """Return the weights of the classes for JSON; none if each is 1."""
    return {"class_weight": document.weight_per_class.tolist()} if document.class_weights else {}


def weights_text(document: Document) -> str:
    """Return the weight of each class: "1 for Adelie, 5 for Gentoo"."""
    names = map(shorten, document.class_names)
    weights = zip(document.weight_per_class.tolist(), names, strict=True)
    return "C times " + ", ".join(f"{weight:.6g} for {name}" for weight, name in weights)


def settings_text(owner: Any) -> list[str]:
    """Return the settings of a kernel or method, each as NAME=VALUE."""
    return [
        f'{name}="{value}"' if isinstance(value, str) else f"{name}={value:g}"
        for name, value in owner.values().items()
    ]
