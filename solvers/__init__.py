"""Solvers for support vector machines that can be watched at every step.

>>> from solvers import Problem, RBF, SMO, solve
>>> problem = Problem([[0, 0], [1, 1]], [-1, 1], kernel=RBF(gamma=0.5), C=10.0)
>>> run = solve(problem, SMO(tol=1e-3))
>>> run.reason.value
'converged'
"""

from typing import Any

from solvers.errors import BadInput
from solvers.geometry.boundaries import Boundary, bisector, nu_boundary
from solvers.geometry.separation import Separation, largest_separating_mu, separation
from solvers.kernels.custom import Custom
from solvers.kernels.items.given import Given, given_rows
from solvers.kernels.items.strings import EditDistance, Spectrum
from solvers.kernels.kernel import Kernel
from solvers.kernels.kernel_text import Composed
from solvers.kernels.quadratics import FullQuadratic, HomogeneousQuadratic, Quadratic
from solvers.kernels.standard import RBF, Laplacian, Linear, Polynomial, Sigmoid
from solvers.methods.coordinate_ascent.coordinate_ascent import CoordinateAscent
from solvers.methods.hulls.hulls import Hulls
from solvers.methods.interior_point.interior_point import InteriorPoint
from solvers.methods.pegasos.pegasos import Pegasos
from solvers.methods.perceptron.perceptron import Novikoff, Perceptron
from solvers.methods.smo.smo import SMO
from solvers.methods.subgradient.subgradient import Subgradient
from solvers.methods.working_set.working_set import WorkingSet
from solvers.problem.certificate import Certificate, certify
from solvers.problem.expansion import Expansion
from solvers.problem.problem import Problem
from solvers.problem.regression import Regression
from solvers.registry import ITEM_KERNELS, KERNELS, METHODS
from solvers.run.cursor import Cursor, Snapshot
from solvers.run.event import Event
from solvers.run.method import Method, Reason, Stop
from solvers.run.run import Run
from solvers.solving import solve

__all__ = [
    "ITEM_KERNELS",
    "KERNELS",
    "METHODS",
    "RBF",
    "SMO",
    "BadInput",
    "Boundary",
    "Certificate",
    "Composed",
    "CoordinateAscent",
    "Cursor",
    "Custom",
    "EditDistance",
    "Event",
    "Expansion",
    "FullQuadratic",
    "Given",
    "HomogeneousQuadratic",
    "Hulls",
    "InteriorPoint",
    "Kernel",
    "Laplacian",
    "Linear",
    "Method",
    "Novikoff",
    "Pegasos",
    "Perceptron",
    "Polynomial",
    "Problem",
    "Quadratic",
    "Reason",
    "Regression",
    "Run",
    "Separation",
    "Sigmoid",
    "Snapshot",
    "Spectrum",
    "Stop",
    "Subgradient",
    "WorkingSet",
    "bisector",
    "certify",
    "given_rows",
    "largest_separating_mu",
    "nu_boundary",
    "separation",
    "solve",
]


def __getattr__(name: str) -> Any:
    """Return a method or kernel of this library by the name of its class.

    A class that is added to a registry can then be imported without a change to this file.
    """
    # ``entries`` loads no other package: this may be called while such a package is imported.
    for owner in (*METHODS.entries.values(), *KERNELS.entries.values()):
        if owner.__name__ == name:
            return owner
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
