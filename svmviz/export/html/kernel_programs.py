"""Kernels as programs, with the names that the scripts of pages have for their operations."""

from __future__ import annotations

from typing import Any

from solvers import BadInput, Kernel
from solvers.kernels import programs

# For each operation of a kernel's program, its name in ``assets/page/kernels.js``.
OPERATION_NAMES = {
    getattr(programs, name): name.rstrip("_").lower()
    for name in (
        *("LINEAR", "POLYNOMIAL", "RBF_", "SIGMOID", "LAPLACIAN_", "QUADRATIC_", "SCALING_"),
        *("CONSTANT", "X_", "Z_", "ADD", "SUBTRACT", "MULTIPLY", "DIVIDE", "RAISE", "MINIMUM"),
        *("MAXIMUM", "BOUND", "NEGATE", "EXP", "LOG", "SQRT", "ABS", "SIN", "COS", "TANH"),
        "SINGLE",
    )
}


def program_of(kernel: Kernel) -> dict[str, Any]:
    """Return the program of a kernel, with the names of its operations."""
    program = kernel.program()
    if not set(program.ops.tolist()) <= OPERATION_NAMES.keys():
        raise BadInput(f"A page cannot compute the kernel {kernel.label} yet.")
    ops = [OPERATION_NAMES[op] for op in program.ops.tolist()]
    return {"ops": ops, "args": program.args.tolist()}
