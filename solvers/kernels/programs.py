"""Kernels as small postfix programs, the form that compiled loops read.

For example, ``[RBF_, CONSTANT, ADD]`` is ``exp(-gamma ||x - z||^2) + c``. The compiled functions of
:mod:`solvers.kernels.evaluator` run all programs, so nothing is compiled again when a parameter
changes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# The evaluator finds out the kind of an operation by comparing its number with CONSTANT, ADD and
# BOUND. So the three kinds below must be in this order, and CONSTANT, X_ and Z_ must be the last
# operations of the first kind.
#
# Operations that push an operand on the stack; :mod:`solvers.kernels.evaluator` defines them.
# QUADRATIC_ is ``a_0 + a_1 <x, z> + a_2 <x, z>^2``, SCALING_ is ``f(x) f(z)``, GIVEN_ is the entry
# of a given matrix, X_ is a coordinate of x, and Z_ is a coordinate of z.
(
    LINEAR, POLYNOMIAL, RBF_, SIGMOID, LAPLACIAN_, QUADRATIC_, SCALING_, GIVEN_, CONSTANT, X_, Z_
) = range(11)  # fmt: skip
# Operations that combine two operands.
ADD, SUBTRACT, MULTIPLY, DIVIDE, RAISE, MINIMUM, MAXIMUM = range(11, 18)
# Operations that change one operand; BOUND only limits the operand to MAX_OPERAND in size, SINGLE
# rounds it to single precision.
BOUND, NEGATE, EXP, LOG, SQRT, ABS, SIN, COS, TANH, SINGLE = range(18, 28)
# All operations.
OPERATIONS = range(28)
# Number of arguments stored for each operation; unused arguments are 0.
ARGUMENTS = 3

# The functions f of SCALING_. The first argument of SCALING_ is one of these numbers; the second is
# the parameter g of GAUSSIAN.
NORM, SQUARED_NORM, INVERSE_NORM, GAUSSIAN = range(4)

# Operands are limited to this size, so that no sum, product or quotient is NaN.
MAX_OPERAND = 1e150


class Program(NamedTuple):
    """A kernel in postfix form.

    Attributes
    ----------
    ops : int64 array, shape (m,)
        The operations, in the order in which they are carried out.
    args : float64 array, shape (m, 3)
        The arguments of each operation.
    """

    ops: np.ndarray
    args: np.ndarray

    @classmethod
    def of(cls, op: int, *arguments: float) -> Program:
        """Return a program of one operation."""
        padded = list(arguments) + [0.0] * (ARGUMENTS - len(arguments))
        return cls(np.array([op], dtype=np.int64), np.array([padded], dtype=np.float64))

    def then(self, *others: Program) -> Program:
        """Return this program followed by others."""
        programs = (self, *others)
        return Program(
            np.concatenate([program.ops for program in programs]),
            np.concatenate([program.args for program in programs]),
        )


def plus_one(program: Program) -> Program:
    """Return the program of ``k + 1``, the kernel of a bias that is regularised with w."""
    return program.then(Program.of(CONSTANT, 1.0), Program.of(ADD))
