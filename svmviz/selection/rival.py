"""The second model of a comparison: a kept one, or the present one with another kernel."""

from __future__ import annotations

import math
from dataclasses import dataclass

from solvers import RBF, Kernel, Linear, Method, Polynomial
from solvers.selection.models import Model
from solvers.settings import settings_of
from svmviz.base.words import number
from svmviz.document.document import Document

# The keys of the choices: no other model, and the model that the user has kept.
NONE, KEPT = "", "kept"


@dataclass(frozen=True)
class Rival:
    """A model that is compared with that of the document."""

    kernel: Kernel
    method: Method
    C: float
    epsilon: float
    task: str

    @property
    def label(self) -> str:
        """Kernel, parameters and method, such as "RBF, γ = 1, C = 10, SMO"."""
        parts = [self.kernel.label.partition(" (")[0]]
        for name, spec in settings_of(self.kernel).items():
            value = getattr(self.kernel, name)
            if isinstance(value, int | float):
                parts.append(f"{spec.label} = {number(float(value), 3)}")
        if self.method.uses_penalty:
            parts.append("hard margin" if math.isinf(self.C) else f"C = {number(self.C, 3)}")
        if self.task == "regression":
            parts.append(f"ε = {number(self.epsilon, 3)}")
        return ", ".join([*parts, self.method.label])

    @property
    def model(self) -> Model:
        """The model for procedures of model selection."""
        changes = {"C": self.C} | ({"epsilon": self.epsilon} if self.task == "regression" else {})
        return Model(self.method, self.kernel, changes)


def rival_like(document: Document, kernel: Kernel | None = None) -> Rival:
    """Return the model of a document, with its kernel or another one."""
    own = document.kernel if kernel is None else kernel
    return Rival(own, document.method, document.C, document.epsilon, document.task)


def rivals_of(document: Document, kept: Rival | None) -> dict[str, Rival]:
    """Return the models that can be compared with that of a document, by key.

    They are the kept model, if it is for the same task, and the usual kernels that the document
    does not have.
    """
    rivals = {KEPT: kept} if kept is not None and kept.task == document.task else {}
    for kernel in (Linear(), Polynomial(degree=2), RBF()):
        if kernel.name != document.kernel.name:
            rivals[kernel.name] = rival_like(document, kernel)
    return rivals
