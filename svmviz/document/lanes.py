"""The lanes of a document: their names, their runs, and models that are put beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from solvers import RBF, Kernel, Linear, Polynomial, Run, solve
from solvers.settings import settings_of
from svmviz.base.words import lane_titles, number
from svmviz.document.changes import Penalty
from svmviz.document.document import Document

# What models are compared by: a key, its name in menus, and the factor between two numbers.
COMPARED = {
    "C": ("C", 100.0),
    "gamma": ("γ", 20.0),
    "kernel": ("kernel", 1.0),
    "epsilon": ("ε", 5.0),
}


def other_model(document: Document, compared: str) -> dict[str, Any]:
    """Return what one more lane has of its own if models are compared by a key of COMPARED.

    It is far from what the other lanes have, so that the pictures differ. It is empty if the model
    has no such number, or the kernel cannot differ.
    """
    others = (own for own in _other_models(document, compared) if not _is_used(document, own))
    return next(others, {})


def _other_models(document: Document, compared: str) -> Iterator[dict[str, Any]]:
    kernel, penalty = document.kernel, document.penalty
    gamma = settings_of(kernel).get("gamma")
    if compared == "C" and math.isinf(document.C):
        yield {"penalty": Penalty()}
    elif compared == "C":
        yield from ({"penalty": replace(penalty, value=v)} for v in _far(penalty.value, compared))
    elif compared == "epsilon" and document.is_regression:
        yield from ({"epsilon": value} for value in _far(document.epsilon, compared))
    elif compared == "gamma" and gamma is not None and document.has_coordinates:
        for value in _far(vars(kernel)["gamma"], compared):
            clipped = min(max(value, gamma.low), gamma.high)
            yield {"kernel": type(kernel)(**vars(kernel) | {"gamma": clipped})}
    elif compared == "kernel" and document.has_coordinates:
        names = {view.kernel.name for view in document.views}
        yield from ({"kernel": k} for k in (Linear(), RBF(), Polynomial()) if k.name not in names)


def _far(value: float, compared: str) -> Iterator[float]:
    """Yield numbers far from a positive one: at first smaller ones if it is above 1."""
    factor = COMPARED[compared][1]
    for _ in range(2):
        yield from (value / factor, value * factor)[:: 1 if value > 1.0 else -1]
        factor /= 4.0 if factor < 100.0 else 10.0


def _is_used(document: Document, own: dict[str, Any]) -> bool:
    return any(
        all(getattr(view, name) == value for name, value in own.items()) for view in document.views
    )


def titles_of_lanes(document: Document) -> list[str]:
    """Return the names of the lanes, with what differs only: "C = 1" and "C = 100"."""
    methods, changes = document.methods, document.changes
    if not changes:
        return lane_titles(methods)
    parts = []
    if len(set(methods)) > 1:
        parts.append(lane_titles(methods))
    if changes[0].kernel is not None:
        parts.append(_kernel_titles([each.kernel for each in changes if each.kernel]))
    if changes[0].penalty is not None:
        parts.append([penalty_title(each.penalty) for each in changes if each.penalty])
    if changes[0].epsilon is not None:
        parts.append([f"ε = {number(each.epsilon or 0.0)}" for each in changes])
    return [", ".join(titles) for titles in zip(*parts, strict=True)]


def solve_lanes(document: Document) -> tuple[Run, ...]:
    """Return one finished run per lane; raise BadInput if a lane cannot be solved."""
    return tuple(map(solve, document.problems(), document.methods))


def penalty_title(penalty: Penalty) -> str:
    """Return "C = 1", or "λ = 0.1" if λ is the number that the user has set."""
    if penalty.kind == "lambda" and penalty.value:
        return f"λ = {number(penalty.value)}"
    return f"C = {number(penalty.value if penalty.kind == 'C' else math.inf)}"


def _kernel_titles(kernels: Sequence[Kernel]) -> list[str]:
    """Return the names of kernels, with the settings that differ; of one class, these alone."""
    is_one_class = len({kernel.name for kernel in kernels}) == 1
    titles = []
    for kernel in kernels:
        namesakes = [each for each in kernels if each.name == kernel.name]
        words = [
            _setting_title(spec.label, getattr(kernel, name))
            for name, spec in settings_of(kernel).items()
            if any(getattr(each, name) != getattr(kernel, name) for each in namesakes)
        ]
        label = [] if is_one_class and words else [kernel.label.partition(" (")[0]]
        titles.append(", ".join(label + words))
    return titles


def _setting_title(label: str, value: float | str) -> str:
    # "degree d" has the letter d.
    return value if isinstance(value, str) else f"{label.split()[-1]} = {number(value)}"
