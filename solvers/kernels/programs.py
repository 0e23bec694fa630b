"""Small postfix programs: the form of a kernel that compiled loops read.

``[RBF_, CONSTANT, ADD]`` is ``exp(-gamma ||x - z||^2) + c``. One compiled evaluator runs them all
(:mod:`solvers.kernels.evaluator`), so nothing is compiled again when a kernel changes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# Operations, defined in solvers.kernels.evaluator. First those that push an operand:
# QUADRATIC_ is ``a_0 + a_1 <x, z> + a_2 <x, z>^2``, and SCALING_ is ``f(x) f(z)``.
LINEAR, POLYNOMIAL, RBF_, SIGMOID, LAPLACIAN_, QUADRATIC_, SCALING_, CONSTANT, X_, Z_ = range(10)
# Then those that combine two operands.
ADD, SUBTRACT, MULTIPLY, DIVIDE, RAISE, MINIMUM, MAXIMUM = range(10, 17)
# Then those that change one operand.
BOUND, NEGATE, EXP, LOG, SQRT, ABS, SIN, COS, TANH = range(17, 26)
ARGUMENTS = 3

# The functions f of SCALING_; their number is its first argument.
NORM, SQUARED_NORM, INVERSE_NORM, GAUSSIAN = range(4)

# Operands are limited to this size, so that no sum, product or quotient is NaN.
MAX_OPERAND = 1e150


class Program(NamedTuple):
    """A kernel in postfix form.

    Attributes
    ----------
    ops : int64 array, shape (m,)
    args : float64 array, shape (m, 3)
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
        parts = (self, *others)
        return Program(
            np.concatenate([part.ops for part in parts]),
            np.concatenate([part.args for part in parts]),
        )


def plus_one(program: Program) -> Program:
    """Return the program of ``k + 1``: a regularised bias by the augmentation trick."""
    return program.then(Program.of(CONSTANT, 1.0), Program.of(ADD))
