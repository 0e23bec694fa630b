"""Families of problems, and brute-force definitions, that the tests of the solvers share."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from solvers import RBF, Custom, Kernel, Laplacian, Linear, Polynomial, Problem, Sigmoid
from solvers.settings import Setting, settings_of

EIGHT_POINTS = [
    (0.2, -1.4),
    (-2.1, 1.7),
    (0.9, 1),
    (-1, -3.1),
    (-0.2, -1),
    (-0.2, 1.3),
    (2, -1),
    (0.5, 2.1),
]
EIGHT_LABELS = [-1, 1, 1, -1, -1, 1, -1, 1]
EIGHT_ALPHA = [0, 0, 0.5, 0, 0.25, 0, 0.25, 0]

XOR_POINTS = [(1, 1), (-1, -1), (1, -1), (-1, 1)]
XOR_LABELS = [1, 1, -1, -1]


def cloud(n: int, seed: int, noise: float = 0.5, d: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Return standardised points (n, d) split by a random line; with noise, classes overlap."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X @ rng.normal(size=d) + noise * rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def separated(n: int, seed: int, gap: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Return two clouds, shape (n, 2), with an empty strip of width ``gap`` between them."""
    X, y = cloud(n, seed)
    y = np.where(X[:, 0] > np.median(X[:, 0]), 1.0, -1.0)
    return X + 0.5 * gap * y[:, None] * np.array([1.0, 0.0]), y


def wave(n: int, seed: int, noise: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    """Return points, shape (n, 2), and targets: a wave along one axis, with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.sin(2.0 * X[:, 0]) + 0.3 * X[:, 1] + noise * rng.normal(size=n)


def contradictory(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return an overlapping cloud with duplicates, some with the opposite label."""
    rng = np.random.default_rng(seed)
    X, y = cloud(n - n // 4, seed)
    pick = rng.integers(0, len(X), n // 4)
    return np.vstack([X, X[pick]]), np.append(y, y[pick] * rng.choice([-1.0, 1.0], n // 4))


def random_problem(seed: int) -> Problem:
    """Return a problem to compare with scikit-learn: C from 0.01 to 1,000."""
    rng = np.random.default_rng([seed, 1])
    n = int(rng.integers(10, 70))
    noise = float(rng.choice([0.0, 0.5, 1.5]))
    X, y = contradictory(n, seed) if seed % 3 == 0 else cloud(n, seed, noise)
    kernels = [
        Linear(),
        Polynomial(10 ** rng.uniform(-1, 0), float(rng.integers(2)), int(rng.integers(2, 4))),
        RBF(10 ** rng.uniform(-1, 1)),
    ]
    return Problem(X, y, kernel=kernels[rng.integers(3)], C=10 ** rng.uniform(-2, 3))


def kernels_of(kind: type[Kernel]) -> list[Kernel]:
    """Return the default kernel of a class, and one with every setting changed."""
    moved = {
        name: moved_from(default, spec, kind.name)
        for (name, spec), default in zip(settings_of(kind).items(), kind().values().values())
    }
    return [kind(), kind(**moved)] if moved else [kind()]


def moved_from(default: Any, spec: Setting, kernel: str) -> Any:
    """Return another value of a setting."""
    if spec.scale == "text":
        return list(TEXTS[kernel])[-1]
    return spec.low + 2 if spec.scale == "integer" else 0.7 * default + 0.05


# The meaning of typed kernels, written by hand: the default of each, and another one.
TEXTS: dict[str, dict[str, Callable[[np.ndarray, np.ndarray], float]]] = {
    "composed": {
        "0.5*rbf(gamma=2) + linear()": lambda x, z: (
            0.5 * math.exp(-2 * dot(x - z, x - z)) + dot(x, z)
        ),
        "poly(2, 0.5)*rbf(1) + exp(linear()/100)": lambda x, z: (
            (1 + 0.5 * dot(x, z)) ** 2 * math.exp(-dot(x - z, x - z)) + math.exp(dot(x, z) / 100)
        ),
    },
    "custom": {
        "-(x1*z1 + x2*z2)": lambda x, z: -dot(x, z),
        "1 - (x1 - z1)^2 - (x2 - z2)^2": lambda x, z: 1 - dot(x - z, x - z),
        "exp(-abs(x1 - z1)) + min(x1, z1)/3*cos(x2*z2)": lambda x, z: (
            math.exp(-abs(x[0] - z[0])) + min(x[0], z[0]) / 3 * math.cos(x[1] * z[1])
        ),
    },
}

# k(x, z) of single points, from the definition: a new kernel needs a line here.
DEFINITIONS: dict[str, Callable[[Kernel, np.ndarray, np.ndarray], float]] = {
    "linear": lambda k, x, z: dot(x, z),
    "polynomial": lambda k, x, z: (k.coef0 + k.gamma * dot(x, z)) ** k.degree,
    "rbf": lambda k, x, z: math.exp(-k.gamma * dot(x - z, x - z)),
    "laplacian": lambda k, x, z: math.exp(-k.gamma * math.fsum(abs(x - z))),
    "quadratic": lambda k, x, z: dot(x, z) + dot(x, x) * dot(z, z),
    "homogeneous-quadratic": lambda k, x, z: dot(x, z) ** 2,
    "full-quadratic": lambda k, x, z: 1 + dot(x, z) + dot(x, z) ** 2,
    "composed": lambda k, x, z: TEXTS["composed"][k.expression](x, z),
    "custom": lambda k, x, z: TEXTS["custom"][k.formula](x, z),
    "sigmoid": lambda k, x, z: math.tanh(k.gamma * dot(x, z) + k.coef0),
}


def dot(x: np.ndarray, z: np.ndarray) -> float:
    return math.fsum(float(a) * float(b) for a, b in zip(x, z))


def define_gram(kernel: Kernel, A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return the Gram matrix by definition, entry by entry, shape (len(A), len(B))."""
    define = DEFINITIONS[kernel.name]
    return np.array([[define(kernel, x, z) for z in B] for x in A])


def size_of_gram(kernel: Kernel, A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return the scale of rounding errors of a Gram matrix: its size without cancellation."""
    if isinstance(kernel, RBF | Laplacian | Sigmoid):
        return np.ones((len(A), len(B)))
    if isinstance(kernel, Custom):
        return (1.0 + np.abs(A) @ np.abs(B).T) ** 2
    return define_gram(kernel, np.abs(A), np.abs(B)) + 1.0


def is_one_sentence(text: str) -> bool:
    """Return whether a message is one line that ends like a sentence and contains no code."""
    return text.endswith(".") and "\n" not in text and not any(c in text for c in "{}<>")


def nothing_is_nan(*numbers: object) -> bool:
    return not any(np.isnan(np.asarray(number, dtype=float)).any() for number in numbers)
