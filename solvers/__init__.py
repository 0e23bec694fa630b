"""Solvers for support vector machines that can be watched at every step.

>>> from solvers import Problem, RBF, SMO, solve
>>> problem = Problem([[0, 0], [1, 1]], [-1, 1], kernel=RBF(gamma=0.5), C=10.0)
>>> run = solve(problem, SMO(tol=1e-3))
>>> run.reason.value
'converged'
"""

from solvers.boundaries import Boundary, bisector, nu_boundary
from solvers.certificate import Certificate, certify
from solvers.composed import Composed
from solvers.coordinate import CoordinateAscent
from solvers.custom import Custom
from solvers.errors import BadInput
from solvers.expansion import Expansion
from solvers.hulls import Hulls
from solvers.interior_point import InteriorPoint
from solvers.kernels import RBF, Kernel, Laplacian, Linear, Polynomial, Sigmoid
from solvers.method import Event, Method, Reason, Stop
from solvers.pegasos import Pegasos
from solvers.perceptron import Novikoff, Perceptron
from solvers.problem import Problem
from solvers.quadratics import FullQuadratic, HomogeneousQuadratic, Quadratic
from solvers.registry import KERNELS, METHODS
from solvers.regression import Regression
from solvers.run import Cursor, Run, Snapshot, solve
from solvers.separation import Separation, largest_separating_mu, separation
from solvers.smo import SMO
from solvers.subgradient import Subgradient
from solvers.working_set import WorkingSet

__all__ = [
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
    "Event",
    "Expansion",
    "FullQuadratic",
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
    "Stop",
    "Subgradient",
    "WorkingSet",
    "bisector",
    "certify",
    "largest_separating_mu",
    "nu_boundary",
    "separation",
    "solve",
]
