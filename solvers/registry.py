"""The registries: all kernels and all methods by name. Menus, forms and help are made from them.

:mod:`solvers.kernels.kernel_text` lists the kernels that an expression typed by the user may
contain. Other packages bring more kernels and methods (:mod:`solvers.entry_points`).
"""

from __future__ import annotations

from typing import Any

from solvers.entry_points import Group, Registry, checked_name, checked_texts
from solvers.errors import BadInput
from solvers.kernels.custom import Custom
from solvers.kernels.items.given import Given
from solvers.kernels.items.strings import EditDistance, Spectrum
from solvers.kernels.kernel import Kernel
from solvers.kernels.kernel_text import LEAF_KERNELS, Composed
from solvers.kernels.programs import OPERATIONS
from solvers.methods.coordinate_ascent.coordinate_ascent import CoordinateAscent
from solvers.methods.hulls.hulls import Hulls
from solvers.methods.interior_point.interior_point import InteriorPoint
from solvers.methods.pegasos.pegasos import Pegasos
from solvers.methods.perceptron.perceptron import Perceptron
from solvers.methods.smo.smo import SMO
from solvers.methods.subgradient.subgradient import Subgradient
from solvers.methods.working_set.working_set import WorkingSet
from solvers.run.method import GUARANTEES, Method


def _checked(kind: Any, base: type, *texts: str) -> str:
    """Return the name of a class of another package; BadInput says why it cannot be used."""
    if not (isinstance(kind, type) and issubclass(kind, base)):
        raise BadInput(f"it is no class derived from solvers.{base.__name__}")
    checked_texts(kind, "label", "help", *texts)
    return checked_name(getattr(kind, "name", ""))


def _name_of_method(kind: Any) -> str:
    name = _checked(kind, Method, "source")
    unknown = set(kind.guarantees) - set(GUARANTEES)
    if unknown:
        raise BadInput(f"there is no guarantee {', '.join(map(repr, sorted(unknown)))}")
    kind()
    return name


def _name_of_kernel(kind: Any) -> str:
    name = _checked(kind, Kernel, "notation")
    kernel = kind()
    if kernel.domain == "points" and not set(kernel.program().ops.tolist()) <= set(OPERATIONS):
        raise BadInput("its program has an operation that there is not")
    return name


_KERNELS = Group("solvers.kernels", "kernel", _name_of_kernel)
KERNELS: Registry[type[Kernel]] = _KERNELS.registry(
    {kernel.name: kernel for kernel in (*LEAF_KERNELS, Composed, Custom)},
    lambda kernel: kernel.domain == "points",
)

# The kernels of items without coordinates. The first of a domain is its default.
ITEM_KERNELS: Registry[type[Kernel]] = _KERNELS.registry(
    {kernel.name: kernel for kernel in (Spectrum, EditDistance, Given)}
)

METHODS: Registry[type[Method]] = Group("solvers.methods", "method", _name_of_method).registry(
    {
        method.name: method
        for method in (
            SMO,
            WorkingSet,
            CoordinateAscent,
            Pegasos,
            Subgradient,
            Perceptron,
            InteriorPoint,
            Hulls,
        )
    }
)
