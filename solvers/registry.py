"""What there is: one line for each kernel and method. Menus, forms and help are made from it.

Kernels that stand on their own are listed in :mod:`solvers.composed`, which is made of them.
"""

from __future__ import annotations

from solvers.composed import LEAF_KERNELS, Composed
from solvers.coordinate import CoordinateAscent
from solvers.custom import Custom
from solvers.hulls import Hulls
from solvers.interior_point import InteriorPoint
from solvers.kernels import Kernel
from solvers.method import Method
from solvers.pegasos import Pegasos
from solvers.perceptron import Perceptron
from solvers.smo import SMO
from solvers.subgradient import Subgradient
from solvers.working_set import WorkingSet

KERNELS: dict[str, type[Kernel]] = {
    kernel.name: kernel for kernel in (*LEAF_KERNELS, Composed, Custom)
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
