"""The registries: all kernels and all methods by name. Menus, forms and help are made from them.

:mod:`solvers.kernels.kernel_text` lists the kernels that an expression typed by the user may
contain.
"""

from __future__ import annotations

from solvers.kernels.custom import Custom
from solvers.kernels.items.given import Given
from solvers.kernels.items.strings import EditDistance, Spectrum
from solvers.kernels.kernel import Kernel
from solvers.kernels.kernel_text import LEAF_KERNELS, Composed
from solvers.methods.coordinate_ascent.coordinate_ascent import CoordinateAscent
from solvers.methods.hulls.hulls import Hulls
from solvers.methods.interior_point.interior_point import InteriorPoint
from solvers.methods.pegasos.pegasos import Pegasos
from solvers.methods.perceptron.perceptron import Perceptron
from solvers.methods.smo.smo import SMO
from solvers.methods.subgradient.subgradient import Subgradient
from solvers.methods.working_set.working_set import WorkingSet
from solvers.run.method import Method

KERNELS: dict[str, type[Kernel]] = {
    kernel.name: kernel for kernel in (*LEAF_KERNELS, Composed, Custom)
}

# The kernels of items without coordinates. The first of a domain is its default.
ITEM_KERNELS: dict[str, type[Kernel]] = {
    kernel.name: kernel for kernel in (Spectrum, EditDistance, Given)
}

METHODS: dict[str, type[Method]] = {
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
