"""Keys of stored results: hashes of everything that a result depends on.

A result depends on the points, the rows, the model, the risk, and the versions of the packages that
compute the result. So if the grid, the folds or a version changes, a search still finds exactly
those stored results that remain valid.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Protocol

import numpy as np

from solvers.problem.many_classes import AnyProblem, ManyClassProblem
from solvers.selection.fitting import Fit, FitContext, FitRequest
from solvers.selection.models import Model

# Packages whose versions are parts of a key.
PACKAGES = ("svmviz", "numpy", "numba", "scipy")


class ResultStore(Protocol):
    """Stores results of fits under keys, and returns them again."""

    def key(self, kind: str, context: FitContext, request: FitRequest) -> str:
        """Return the key of a result; ``kind`` is the name of the function that computes it."""
        ...

    def find(self, kind: str, key: str, request: FitRequest) -> Fit | None:
        """Return the stored result of a key, or None if there is none.

        ``kind`` and ``request`` are those that :meth:`key` got. They tell a store how to decode
        and to check the result.
        """
        ...

    def keep(self, key: str, result: Fit) -> None:
        """Store a result under a key."""
        ...


class Keys:
    """Keys of results for one set of points.

    Parameters
    ----------
    problem : Problem

    Attributes
    ----------
    points : str
        Hash of task and points.
    """

    def __init__(self, problem: AnyProblem) -> None:
        weights = getattr(problem, "weights", None)
        parts = (problem.X, problem.y) if weights is None else (problem.X, problem.y, weights)
        self.points = _hash(problem.task, *parts)
        self._versions = [f"{name} {_version(name)}" for name in PACKAGES]
        # The description of each combination of model, kind of result and risk; cached, because a
        # model has many results.
        self._descriptions: dict[tuple[Model, str, str], str] = {}

    def key(self, kind: str, context: FitContext, request: FitRequest) -> str:
        """Return the hash of everything that a result depends on."""
        model = context.models[request.model]
        described = (model, kind, context.risk)
        if described not in self._descriptions:
            self._descriptions[described] = self._describe(kind, context, model)
        # The guess itself is not hashed, since it follows from the other parts of the key: it is
        # taken from the solution of the same model on all points.
        warm = "" if request.guess is None else "warm"
        return _hash(self.points, self._descriptions[described], warm, request.train, request.test)

    def _describe(self, kind: str, context: FitContext, model: Model) -> str:
        problem = model.on(context.problem)
        members = {
            "kind": kind,
            "risk": context.risk,
            "kernel": [problem.kernel.name, problem.kernel.values()],
            "method": [model.method.name, model.method.values()],
            "C": problem.C,
            "bias": problem.bias,
            "epsilon": getattr(problem, "epsilon", None),
            "versions": self._versions,
            **(
                {"machines": [machine.code for machine in problem.machines]}
                if isinstance(problem, ManyClassProblem)
                else {}
            ),
            # The points of other models are already part of the key.
            **({"X": _hash(model.changes["X"])} if "X" in model.changes else {}),
        }
        return json.dumps(members, sort_keys=True)


def _hash(*parts: Any) -> str:
    """Return the hash of texts and arrays, in this order."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else np.ascontiguousarray(part).tobytes()
        kind = "text" if isinstance(part, str) else f"{part.dtype} {part.shape}"
        # Kind and length are hashed too, so that different texts and arrays cannot give the same
        # bytes.
        total.update(f"{kind} {len(data)}:".encode() + data)
    return total.hexdigest()


def _version(name: str) -> str:
    # Imported here, since it takes 20 ms of a start.
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "unknown"
