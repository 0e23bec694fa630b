"""The code of a kernel as a function of numpy arrays, for scripts without this library."""

from __future__ import annotations

import math

from solvers import (
    RBF,
    BadInput,
    Composed,
    Custom,
    Given,
    Kernel,
    Laplacian,
    Linear,
    Polynomial,
    Sigmoid,
)
from solvers.kernels.combinations import (
    Constant,
    Exponential,
    Power,
    Product,
    Scaled,
    Sum,
)
from solvers.kernels.custom import formula_of
from solvers.kernels.expressions import Binary, Call, Minus, Name, Number, Tree
from solvers.kernels.kernel import Part
from solvers.kernels.kernel_text import compose
from solvers.kernels.programs import GAUSSIAN, INVERSE_NORM, NORM
from solvers.kernels.quadratics import QuadraticForm

# Terms that kernels contain, as assignments. The generated function ``kernel`` begins with those
# that it uses.
TERMS = {
    "inner": "inner = A @ B.T",
    "squares": "squares = ((A[:, None] - B[None]) ** 2).sum(axis=2)",
    "l1_distances": "l1_distances = np.abs(A[:, None] - B[None]).sum(axis=2)",
    "norm_products": "norm_products = np.outer((A**2).sum(axis=1), (B**2).sum(axis=1))",
}
INVERSE = '''def inverse_norm(X):
    """Return 1 / |x| of each point, and 0 at the origin."""
    norm = np.linalg.norm(X, axis=1)
    return np.divide(1.0, norm, out=np.zeros_like(norm), where=norm > 0.0)'''
FUNCTIONS = {"min": "np.minimum", "max": "np.maximum", "pow": "np.power"}


class KernelCode:
    """The lines of a function ``kernel(A, B)``.

    Parameters
    ----------
    kernel : Kernel
    """

    def __init__(self, kernel: Kernel) -> None:
        self._lines: list[str] = []
        # Names in ``TERMS``, and assignments of columns of A and B, such as
        # "x1 = A[:, None, 0]".
        self._terms: list[str] = []
        self._helpers: list[str] = []
        if isinstance(kernel, Composed):
            result = self._part(compose(kernel.expression))
        elif isinstance(kernel, Custom):
            result = self._tree(formula_of(kernel.formula)[0])
        else:
            result = self._leaf(kernel)
        # The expression of a constant kernel is a number, from which a matrix must be made.
        if isinstance(kernel, Composed | Custom):
            result = f"{result} + np.zeros((len(A), len(B)))"
        self._result = result

    def text(self) -> str:
        """Return the code of the function, preceded by the functions that it calls."""
        terms = [TERMS.get(name, name) for name in self._terms]
        lines = ['"""Return the Gram matrix, shape (len(A), len(B))."""', *terms, *self._lines]
        body = "\n".join(f"    {line}" for line in [*lines, f"return {self._result}"])
        return "\n\n\n".join([*self._helpers, f"def kernel(A, B):\n{body}"])

    def _use(self, name: str) -> str:
        """Add a name or an assignment to the terms that the function defines, and return it."""
        if name not in self._terms:
            self._terms.append(name)
        return name

    def _assign(self, expression: str) -> str:
        """Add a line that assigns an expression to a new name, and return the name."""
        name = f"k{len(self._lines) + 1}"
        self._lines.append(f"{name} = {expression}")
        return name

    def _leaf(self, kernel: Kernel) -> str:
        """Return an expression for a kernel that is not composed, using names in ``TERMS``."""
        if isinstance(kernel, Linear):
            return self._use("inner")
        if isinstance(kernel, Polynomial):
            inside = f"{kernel.coef0!r} + {kernel.gamma!r} * {self._use('inner')}"
            return f"({inside}) ** {kernel.degree}"
        if isinstance(kernel, RBF):
            return f"np.exp({-kernel.gamma!r} * {self._use('squares')})"
        if isinstance(kernel, Laplacian):
            return f"np.exp({-kernel.gamma!r} * {self._use('l1_distances')})"
        if isinstance(kernel, Sigmoid):
            return f"np.tanh({kernel.gamma!r} * {self._use('inner')} + {kernel.coef0!r})"
        if isinstance(kernel, Given):
            return "A[:, 1 + B[:, 0].astype(int)]"
        if not isinstance(kernel, QuadraticForm):
            raise BadInput(
                f"The kernel {kernel.label} cannot be written as code of numpy: "
                "choose the code with solvers."
            )
        return self._quadratic(kernel.weights)

    def _quadratic(self, weights: tuple[float, float, float, float]) -> str:
        """Return an expression for ``w0 + w1 <x, z> + w2 <x, z>**2 + w3 |x|**2 |z|**2``."""
        terms = []
        for weight, term in zip(weights, ("", "inner", "inner**2", "norm_products"), strict=True):
            if not weight:
                continue
            if term:
                self._use(term.removesuffix("**2"))
            factor = f"{weight!r} * " if term and weight != 1.0 else ""
            terms.append(f"{factor}{term}" if term else repr(weight))
        return " + ".join(terms)

    def _part(self, part: Part) -> str:
        """Return the variable that holds the values of a part of a kernel.

        For a constant part, return its number as text.
        """
        if isinstance(part, Constant):
            # In Python -2.0**2 is -4, so a negative number is put in brackets.
            return repr(part.value) if part.value >= 0.0 else f"({part.value!r})"
        if isinstance(part, Kernel):
            return self._assign(self._leaf(part))
        if isinstance(part, Sum | Product):
            left, right = self._part(part.left), self._part(part.right)
            return self._assign(f"{left} {'+' if isinstance(part, Sum) else '*'} {right}")
        if isinstance(part, Power):
            return self._assign(f"{self._part(part.part)}**{part.exponent}")
        if isinstance(part, Exponential):
            return self._assign(f"np.exp({self._part(part.part)})")
        assert isinstance(part, Scaled)
        inner = self._part(part.part)
        left, right = (self._assign(self._scaling(part, name)) for name in "AB")
        return self._assign(f"{left}[:, None] * {inner} * {right}[None]")

    def _scaling(self, part: Scaled, points: str) -> str:
        """Return an expression for f(x) at each point, where f is the function of :class:`Scaled`.

        ``points`` is "A" or "B".
        """
        if part.kind == INVERSE_NORM:
            if INVERSE not in self._helpers:
                self._helpers.append(INVERSE)
            return f"inverse_norm({points})"
        if part.kind == NORM:
            return f"np.linalg.norm({points}, axis=1)"
        squared = f"({points}**2).sum(axis=1)"
        return f"np.exp({-part.g!r} * {squared})" if part.kind == GAUSSIAN else squared

    def _tree(self, tree: Tree) -> str:
        """Return the variable that holds the values of a part of a formula.

        For a number in the formula, return it as text.
        """
        if isinstance(tree, Number):
            return repr(tree.value)
        if isinstance(tree, Minus):
            return self._assign(f"-{self._tree(tree.operand)}")
        if isinstance(tree, Binary):
            left, right = self._tree(tree.left), self._tree(tree.right)
            if tree.sign == "^":
                return self._assign(f"np.power({left}, {right})")
            return self._assign(f"{left} {tree.sign} {right}")
        if isinstance(tree, Name):
            return self._name(tree.name)
        assert isinstance(tree, Call)
        arguments = ", ".join(self._tree(argument) for _, argument in tree.arguments)
        return self._assign(f"{FUNCTIONS.get(tree.name, f'np.{tree.name}')}({arguments})")

    def _name(self, name: str) -> str:
        """Return pi, or a coordinate such as x1 or z2, which is defined as a column of A or B."""
        if name == "pi":
            return repr(math.pi)
        index = int(name[1]) - 1
        column = f"A[:, None, {index}]" if name[0] == "x" else f"B[None, :, {index}]"
        self._use(f"{name} = {column}")
        return name
