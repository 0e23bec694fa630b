"""Models to choose among: single models, lists, grids and random draws of models."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from solvers.errors import BadInput, short_repr, shorten
from solvers.kernels.kernel import Kernel
from solvers.methods.smo.smo import SMO
from solvers.problem.many_classes import AnyProblem, ManyClassProblem
from solvers.problem.problem import Problem
from solvers.run.method import Method
from solvers.settings import settings_of

# A problem; what a model makes of it is of the same kind.
SameKind = TypeVar("SameKind", bound=AnyProblem)
# Parameters of a problem. All other parameters are settings of its kernel or of the method.
PROBLEM_PARAMETERS = ("C", "bias", "epsilon")


@dataclass(frozen=True, eq=False)
class Model:
    """A method, and the kernel and parameters with which it solves a problem.

    Attributes
    ----------
    method : Method
    kernel : Kernel, optional
        Kernel that replaces the kernel of the problem.
    changes : dict
        Values that replace C, bias, epsilon or X of the problem, by name. Items without coordinates
        have an X that depends on the kernel (:func:`solvers.kernels.items.given.given_rows`).
    parameters : dict
        The names and values that a table shows to tell this model from other models.
    """

    method: Method = field(default_factory=SMO)
    kernel: Kernel | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def on(self, problem: SameKind, rows: np.ndarray | None = None) -> SameKind:
        """Return the problem with the changes of this model, on some rows or on all.

        C is the same for any number n of rows, so ``lambda = 1 / (C n)`` depends on n.
        """
        changes = dict(self.changes)
        if self.kernel is not None:
            changes["kernel"] = self.kernel
        if rows is not None:
            changes |= {"X": self.points(problem)[rows], "y": problem.y[rows]}
            changes["weights"] = problem.weights_of(rows)
        return dataclasses.replace(problem, **changes)

    def points(self, problem: AnyProblem) -> np.ndarray:
        """Return the points of the problem with the changes of this model."""
        return self.changes.get("X", problem.X)


# The models that procedures accept.
Models = Method | Model | Sequence[Method | Model]


def as_models(models: Models | None, problem: AnyProblem) -> list[Model]:
    """Return a list of models from a method, a model or a list of them; None stands for SMO.

    Raises
    ------
    BadInput
        If there is no model, or a model cannot solve the problem.
    """
    items = models if isinstance(models, Sequence) else [SMO() if models is None else models]
    model_list = [item if isinstance(item, Model) else Model(item) for item in items]
    if not model_list:
        raise BadInput("There is no model to choose from.")
    for model in model_list:
        if "epsilon" in model.changes and problem.task != "regression":
            raise BadInput("Only a regression has an epsilon.")
        for _, binary_problem in problems_of(model.on(problem)):
            model.method.accept(binary_problem)
    return model_list


def problems_of(problem: AnyProblem) -> list[tuple[np.ndarray, Problem]]:
    """Return the problems to be solved, each with the rows of its points: one per machine."""
    if isinstance(problem, ManyClassProblem):
        return problem.binary_problems()
    return [(np.arange(problem.n), problem)]


def grid(
    axes: Mapping[str, Sequence[Any]], kernel: Kernel, method: Method | None = None
) -> list[Model]:
    """Return a model for each combination of values; the last axis varies fastest.

    Parameters
    ----------
    axes : dict
        The values of each parameter, by name. The names are C, bias, epsilon, kernel, method, and
        names of settings of kernels and methods. A setting is left out of a model if neither the
        kernel nor the method of the model has this setting. Models that become equal because
        settings are left out are returned only once.
    kernel, method
        Kernel and method of the models, if ``axes`` has no values for them. Settings that are not
        in ``axes`` have the values of this kernel and this method.

    Raises
    ------
    BadInput
        If a setting belongs to no model, a value cannot be used, or an axis has no values.
    """
    _refuse_empty(axes)
    combinations = itertools.product(*axes.values())
    choices = [dict(zip(axes, values)) for values in combinations]
    return _models_of(choices, kernel, method or SMO())


def random_models(
    axes: Mapping[str, Sequence[Any]],
    count: int,
    seed: int,
    kernel: Kernel,
    method: Method | None = None,
) -> list[Model]:
    """Return ``count`` random models; the other parameters are those of :func:`grid`.

    If the values of an axis are floats, a number between the smallest and the largest is drawn. If
    the smallest value is above 0, the logarithm of this number is distributed uniformly; otherwise
    the number itself is. If the values are integers or anything else, one of them is drawn.
    """
    _refuse_empty(axes)
    rng = np.random.default_rng(seed)
    choices = [
        {name: _draw_value(name, values, rng) for name, values in axes.items()}
        for _ in range(count)
    ]
    return _models_of(choices, kernel, method or SMO())


def _refuse_empty(axes: Mapping[str, Sequence[Any]]) -> None:
    for name, values in axes.items():
        if not len(values):
            raise BadInput(f"There is no value of {shorten(name)} to choose from.")


def _draw_value(name: str, values: Sequence[Any], rng: np.random.Generator) -> Any:
    """Draw a value of the axis ``name``, as :func:`random_models` describes."""
    if not all(isinstance(value, float) for value in values):
        return values[int(rng.integers(len(values)))]
    low, high = min(values), max(values)
    if not math.isfinite(high - low):
        raise BadInput(
            f"No random {shorten(name)} can be drawn between {low:g} and {high:g}: these numbers "
            "must be finite, and not too far apart."
        )
    if low > 0:
        return min(high, max(low, math.exp(rng.uniform(math.log(low), math.log(high)))))
    return float(rng.uniform(low, high))


def _models_of(choices: list[dict[str, Any]], kernel: Kernel, method: Method) -> list[Model]:
    """Return the models of some choices; a *choice* has one value for each name of an axis."""
    models: dict[tuple[Any, ...], Model] = {}
    for number, choice in enumerate(choices):
        model = _model_of(choice, kernel, method)
        # Choices that differ only in settings that were left out become one model. All other
        # choices become models of their own, even if an axis contains a value twice.
        own_number = number if len(model.parameters) == len(choice) else None
        models.setdefault((own_number, *model.parameters.items()), model)
    used_names = {name for model in models.values() for name in model.parameters}
    for name in choices[0] if choices else ():
        if name not in used_names:
            raise BadInput(
                f"No kernel or method of these models has the setting {short_repr(name)}."
            )
    return list(models.values())


def _model_of(choice: Mapping[str, Any], kernel: Kernel, method: Method) -> Model:
    """Return the model of one choice, without settings that neither kernel nor method has."""
    kernel = choice.get("kernel", kernel)
    method = choice.get("method", method)
    parameters: dict[str, Any] = {}
    changes: dict[str, Any] = {}
    for name, value in choice.items():
        if name in ("kernel", "method"):
            parameters[name] = value.name
        elif name in PROBLEM_PARAMETERS:
            parameters[name] = changes[name] = value
        elif (owner := _owner_of(name, kernel, method)) is not None:
            parameters[name] = value
            changed = _with_setting(owner, name, value)
            kernel, method = (changed, method) if owner is kernel else (kernel, changed)
    return Model(method, kernel, changes, parameters)


def _owner_of(name: str, *owners: Any) -> Any:
    """Return the first kernel or method with a setting or twin of this name; None if none has it.

    A *twin* is a number that the user may give instead of a setting, such as sigma for gamma.
    """
    for owner in owners:
        for key, spec in settings_of(owner).items():
            if name == key or (spec.twin is not None and name == spec.twin.name):
                return owner
    return None


def _with_setting(owner: Any, name: str, value: Any) -> Any:
    """Return a kernel or method with another value of a setting, given by its name or its twin."""
    specs = settings_of(owner)
    if name in specs:
        return dataclasses.replace(owner, **{name: value})
    key, twin = next((k, s.twin) for k, s in specs.items() if s.twin and s.twin.name == name)
    return dataclasses.replace(owner, **{key: twin.setting_from(value)})
