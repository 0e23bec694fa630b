"""What there is: one line for each kernel and method. Menus, forms and help are made from it."""

from __future__ import annotations

from solvers.composed import Composed
from solvers.coordinate import CoordinateAscent
from solvers.custom import Custom
from solvers.hulls import Hulls
from solvers.interior_point import InteriorPoint
from solvers.kernels import RBF, Kernel, Laplacian, Linear, Polynomial, Sigmoid
from solvers.method import Method
from solvers.pegasos import Pegasos
from solvers.perceptron import Perceptron
from solvers.quadratics import FullQuadratic, HomogeneousQuadratic, Quadratic
from solvers.smo import SMO
from solvers.subgradient import Subgradient
from solvers.working_set import WorkingSet

KERNELS: dict[str, type[Kernel]] = {
    kernel.name: kernel
    for kernel in (
        Linear,
        Polynomial,
        RBF,
        Sigmoid,
        Laplacian,
        Quadratic,
        HomogeneousQuadratic,
        FullQuadratic,
        Composed,
        Custom,
    )
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
