"""Labelled points in the plane, and named generators for them.

A new generator is one function ``name(n, noise, seed) -> PointSet`` and one line in
:data:`DATASETS`. Coordinates are at most about 3 in size, which suits an RBF kernel with gamma = 1.
A generator first draws points without noise and then adds noise. So with the same n and seed, the
points move continuously with the noise.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solvers.data.coordinates import refuse_coordinates
from solvers.data.items import Items
from solvers.errors import BadInput, short_repr

# Maximum number of points that are generated or read.
MAX_POINTS = 1_000_000
# Maximum number of classes; each has a colour and a shape of its own.
MAX_CLASSES = 6
# Why points cannot be added to words or to a given matrix, nor moved among them.
NO_PLACES = (
    "These points have no coordinates, only kernel values: a place in the picture is no point, so "
    "none can be added or moved."
)


@dataclass(frozen=True, eq=False)
class PointSet:
    """Points with labels, and the names of classes and axes.

    Two sets are equal if their names, labels and coordinates are equal bit for bit.

    Parameters
    ----------
    points : array, shape (n, 2)
        Coordinates in data units, at most 1e100 in size; stored as a read-only float64 copy. n
        may be 0.
    labels : array, shape (n,)
        The class of each point: with two classes -1 or +1, with more the index of its name, from 0;
        stored as a read-only int8 copy. Classes may be absent.
    class_names : tuple of two to MAX_CLASSES str
        Names of the classes, which differ. Of two classes the first is -1, the second is +1.
    axis_names : (str, str)
        Names of the two coordinates. They differ. White space in names becomes single spaces.
    items : Items or None
        What the points stand for if they have no coordinates of their own. Then ``points`` are
        places in a picture.

    Raises
    ------
    BadInput
        If an argument is invalid; the message is one sentence.
    """

    points: np.ndarray
    labels: np.ndarray
    class_names: tuple[str, ...] = ("-1", "+1")
    axis_names: tuple[str, str] = ("x1", "x2")
    items: Items | None = None

    def __post_init__(self) -> None:
        points = _point_array(self.points)
        object.__setattr__(self, "points", points)
        class_names = _names(self.class_names, "class", MAX_CLASSES)
        object.__setattr__(self, "labels", _label_array(self.labels, len(points), len(class_names)))
        object.__setattr__(self, "class_names", class_names)
        object.__setattr__(self, "axis_names", _names(self.axis_names, "axis", 2))
        if self.items is not None and len(self.items) != len(points):
            raise BadInput(NO_PLACES)

    def __len__(self) -> int:
        return len(self.points)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PointSet) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        names = self.class_names, self.axis_names
        return (self.points.tobytes(), self.labels.tobytes(), *names, self.items)

    @property
    def has_two_classes(self) -> bool:
        """Whether the labels are -1 and +1."""
        return len(self.class_names) == 2

    @property
    def classes(self) -> np.ndarray:
        """The index of the name of each point's class, shape (n,), from 0."""
        return (self.labels > 0).astype(np.int8) if self.has_two_classes else self.labels

    def at(self, rows: np.ndarray) -> PointSet:
        """Return some of the points, by their indices or by a mask."""
        items = self.items and self.items.at(np.arange(len(self))[rows])
        return replace(self, points=self.points[rows], labels=self.labels[rows], items=items)


def labels_of(classes: np.ndarray, k: int) -> np.ndarray:
    """Return the labels of points of a :class:`PointSet` from the indices of their k classes."""
    return 2 * classes - 1 if k == 2 else classes


@dataclass(frozen=True)
class Dataset:
    """A named generator.

    Attributes
    ----------
    name : str
        Name of the generator on the command line.
    title : str
        Name of the generator in menus.
    help : str
        The first line of the generator's docstring: one sentence, which also says what the noise
        is. The noise is in data units.
    generate : callable
        ``generate(n, noise, seed) -> PointSet``; the same arguments give the same bits. If
        ``has_many_classes``, it takes ``classes``, the number of classes.
    noise_default : float
        The initial value of the noise.
    tasks : tuple of str
        The tasks for which the points are made: "classification" or "regression".
    fresh_by_seed : bool
        Whether another seed draws new points from the same distribution. If not, another seed
        gives the same points or another distribution.
    has_many_classes : bool
        Whether the points may have up to MAX_CLASSES classes instead of two.
    """

    name: str
    title: str
    help: str
    generate: Callable[..., PointSet]
    noise_default: float
    tasks: tuple[str, ...] = ("classification",)
    fresh_by_seed: bool = True
    has_many_classes: bool = False


def blobs(n: int, noise: float, seed: int, classes: int = 2) -> PointSet:
    """Two round clouds around ±(1.2, 0.8); noise is their standard deviation.

    The clouds of more classes are on a circle, 2.4 from each other.
    """
    n, noise, rng = check_arguments(n, noise, seed)
    labels = _labels_in_turn(n, classes)
    centres = labels[:, None] * np.array([1.2, 0.8])
    if classes > 2:
        centres = _on_circle(labels / classes, 1.2 / math.sin(math.pi / classes))
    return _shuffled(rng, centres + _scatter(rng, n, noise), labels, classes)


def gaussians(n: int, noise: float, seed: int) -> PointSet:
    """Two overlapping long clouds around ±(0.7, 0); noise is their lengthwise standard deviation.

    The long axes of the clouds are at 45 degrees to the x axis, and the clouds are half as wide as
    long. So the best line is not the bisector of the centres.
    """
    n, noise, rng = check_arguments(n, noise, seed)
    labels = _labels_in_turn(n)
    centres = labels[:, None] * np.array([0.7, 0.0])
    axes = np.array([[1.0, 1.0], [-0.5, 0.5]]) * math.sqrt(0.5)
    scatter = noise * rng.standard_normal((n, 2))
    # The matrix product ``scatter @ axes`` is written out, since its bits may depend on the BLAS
    # library.
    displacements = scatter[:, :1] * axes[0] + scatter[:, 1:] * axes[1]
    return _shuffled(rng, centres + displacements, labels)


def mixture(n: int, noise: float, seed: int) -> PointSet:
    """Ten centres per class around (1, 0) and (0, 1); noise is the scatter around a centre.

    The recipe is that of Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*,
    2.3.3. Ten centres are drawn per class, from N((1, 0), I) for +1 and N((0, 1), I) for -1. Each
    point is a random centre of its class plus a displacement from N(0, noise^2 I); in the book
    noise^2 is 1/5. The centres depend on the seed alone, so a larger n adds points of the same
    distribution.
    """
    n, noise, rng = check_arguments(n, noise, seed)
    means = np.array([[0.0, 1.0], [1.0, 0.0]])
    centres = means[:, None] + rng.standard_normal((2, 10, 2))
    labels = _labels_in_turn(n)
    point_centres = centres[(labels > 0).astype(int), rng.integers(0, 10, n)]
    return _shuffled(rng, point_centres + _scatter(rng, n, noise), labels)


def outlier(n: int, noise: float, seed: int) -> PointSet:
    """Two discs around ±(1.5, 0), and one outlier; noise is the radius of the discs.

    The outlier is negative and lies 0.25 to the left of the positive disc. If the noise is below
    1.5, a line separates the classes, with a much narrower margin than without the outlier.
    """
    n, noise, rng = check_arguments(n, noise, seed)
    labels = _labels_in_turn(n)
    radius = noise * np.sqrt(rng.random(n))
    points = labels[:, None] * np.array([1.5, 0.0]) + _on_circle(rng.random(n), radius)
    # Point 0 has the label -1.
    points[0] = (1.5 - noise - 0.25, 0.0)
    return _shuffled(rng, points, labels)


def moons(n: int, noise: float, seed: int) -> PointSet:
    """Two half circles of radius 1.4 that interlock; noise is the scatter around them."""
    n, noise, rng = check_arguments(n, noise, seed)
    labels = _labels_in_turn(n)
    arc = _on_circle(0.5 * rng.random(n), 1.4) - (0.7, 0.35)
    # The lower moon is the upper moon, turned by 180 degrees about the origin.
    return _shuffled(rng, labels[:, None] * arc + _scatter(rng, n, noise), labels)


def circles(n: int, noise: float, seed: int, classes: int = 2) -> PointSet:
    """A circle of radius 0.8 (+1) inside one of radius 2 (-1); noise is the scatter around them.

    The circles of more classes have radii from 2.8 / classes to 2.8, the first class inside.
    """
    n, noise, rng = check_arguments(n, noise, seed)
    labels = _labels_in_turn(n, classes)
    radius = 2.8 * (1 + labels) / classes if classes > 2 else np.where(labels > 0, 0.8, 2.0)
    points = _on_circle(rng.random(n), radius) + _scatter(rng, n, noise)
    return _shuffled(rng, points, labels, classes)


def spirals(n: int, noise: float, seed: int, classes: int = 2) -> PointSet:
    """Two arms that wind out to radius 2.8 in one and a half turns; noise is the scatter.

    The arms of more classes are as many, at equal angles.
    """
    n, noise, rng = check_arguments(n, noise, seed)
    labels = _labels_in_turn(n, classes)
    # The square root spreads the points evenly along the arm.
    arm_position = np.sqrt(rng.random(n))
    turn = labels / classes if classes > 2 else 0.0
    arm = _on_circle(1.5 * arm_position + turn, 0.3 + 2.5 * arm_position)
    arm = arm if classes > 2 else labels[:, None] * arm
    return _shuffled(rng, arm + _scatter(rng, n, noise), labels, classes)


def xor(n: int, noise: float, seed: int) -> PointSet:
    """Four clouds around (±1, ±1), +1 if the signs differ; noise is their standard deviation.

    With n = 4 and noise 0 these are the four points of the XOR problem.
    """
    n, noise, rng = check_arguments(n, noise, seed)
    labels = _labels_in_turn(n)
    x_sign = np.where(np.arange(n) % 4 < 2, 1.0, -1.0)
    corners = np.stack([x_sign, -labels * x_sign], axis=1)
    return _shuffled(rng, corners + _scatter(rng, n, noise), labels)


def checkerboard(n: int, noise: float, seed: int) -> PointSet:
    """Sixteen unit squares on [-2, 2]²; noise scatters the points after they got their labels."""
    n, noise, rng = check_arguments(n, noise, seed)
    labels = _labels_in_turn(n)
    column, half_row = rng.integers(0, 4, n), rng.integers(0, 2, n)
    row = 2 * half_row + (column + (labels > 0)) % 2
    points = np.stack([column, row], axis=1) - 2.0 + rng.random((n, 2))
    return _shuffled(rng, points + _scatter(rng, n, noise), labels)


def eight_points() -> PointSet:
    """Eight points whose hard margin is known: w = (0, 1), b = 0, margin 1.

    Points 3, 5 and 7 (counted from 1) are the support vectors, with alpha 1/2, 1/4 and 1/4.
    """
    points = [(0.2, -1.4), (-2.1, 1.7), (0.9, 1), (-1, -3.1)]
    points += [(-0.2, -1), (-0.2, 1.3), (2, -1), (0.5, 2.1)]
    return PointSet(np.array(points), np.array([-1, 1, 1, -1, -1, 1, -1, 1]))


def eight(n: int, noise: float, seed: int) -> PointSet:
    """Always eight points, with a known solution; noise is the standard deviation of jitter."""
    _, noise, rng = check_arguments(n, noise, seed)
    without_noise = eight_points()
    return PointSet(
        without_noise.points + _scatter(rng, len(without_noise), noise), without_noise.labels
    )


def check_arguments(n: Any, noise: Any, seed: Any) -> tuple[int, float, np.random.Generator]:
    """Return n and noise of a generator, checked, and the random generator of the seed.

    Raises
    ------
    BadInput
        If an argument is invalid; the message is one sentence.
    """
    count, whole_seed = _to_integer("The number of points", n), _to_integer("The seed", seed)
    if not 2 <= count <= MAX_POINTS:
        raise BadInput(f"The number of points must be from 2 to {MAX_POINTS:,}: got {count}.")
    if whole_seed < 0:
        raise BadInput(f"The seed must not be negative: got {whole_seed}.")
    try:
        noise_size = float(noise)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"The noise must be a number: got {short_repr(noise)}.") from None
    # This limit is far larger than the extent of the data. Much larger noise could overflow.
    if not 0 <= noise_size <= 1e6:
        raise BadInput(f"The noise must be a number from 0 to a million: got {noise_size:g}.")
    return count, noise_size, np.random.default_rng(whole_seed)


def _to_integer(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise BadInput(f"{name} must be a whole number: got {short_repr(value)}.") from None


def _labels_in_turn(n: int, classes: Any = 2) -> np.ndarray:
    """Return labels -1, +1, -1, ... of two classes, 0, 1, 2, ..., 0, ... of more, shape (n,)."""
    count = _to_integer("The number of classes", classes)
    if not 2 <= count <= MAX_CLASSES:
        raise BadInput(f"The number of classes must be from 2 to {MAX_CLASSES}: got {count}.")
    return labels_of(np.arange(n) % count, count)


def _on_circle(turns: np.ndarray, radius: np.ndarray | float) -> np.ndarray:
    """Return points, shape (n, 2), from polar coordinates; ``turns`` are angles in full turns."""
    angle = 2.0 * math.pi * turns
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def _scatter(rng: np.random.Generator, n: int, noise: float) -> np.ndarray:
    """Return normal displacements with standard deviation ``noise``, shape (n, 2)."""
    return noise * rng.standard_normal((n, 2))


def _shuffled(
    rng: np.random.Generator, points: np.ndarray, labels: np.ndarray, classes: int = 2
) -> PointSet:
    order = rng.permutation(len(points))
    if classes == 2:
        return PointSet(points[order], labels[order])
    return PointSet(points[order], labels[order], tuple(map(str, range(1, classes + 1))))


def _point_array(values: Any) -> np.ndarray:
    try:
        points = np.array(values, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise BadInput("Points must be an array of numbers, one row per point.") from None
    if points.size == 0:
        points = points.reshape(0, 2)
    if points.ndim != 2 or points.shape[1] != 2:
        raise BadInput(f"Points must have shape (n, 2): got {points.shape}.")
    refuse_coordinates(points)
    points.setflags(write=False)
    return points


def _label_array(values: Any, n: int, k: int) -> np.ndarray:
    values = np.asarray(values)
    if values.shape != (n,) and not values.size == n == 0:
        raise BadInput(f"Labels must have shape ({n},), one per point: got {values.shape}.")
    is_label = np.isin(values, (-1, 1) if k == 2 else range(k))
    if not is_label.all():
        allowed = "-1 or +1" if k == 2 else f"whole numbers from 0 to {k - 1}"
        raise BadInput(f"Labels must be {allowed}: got {values[~is_label][0]}.")
    labels = values.reshape(n).astype(np.int8)
    labels.setflags(write=False)
    return labels


def _names(values: Any, kind: str, most: int) -> tuple[str, ...]:
    names = tuple(" ".join(str(name).split()) for name in values)
    if not 2 <= len(names) <= most or not all(names) or len(set(names)) < len(names):
        count = "two" if most == 2 else f"two to {most}"
        raise BadInput(f"There must be {count} different {kind} names: got {short_repr(values)}.")
    return names


def make_dataset(
    title: str,
    generate: Callable[..., PointSet],
    noise_default: float,
    task: str = "classification",
    fresh_by_seed: bool = True,
    has_many_classes: bool = False,
) -> Dataset:
    """Return the data set of a generator, with the first line of the docstring as its help."""
    help = (generate.__doc__ or "").partition("\n")[0]
    name = generate.__name__
    tasks = (task,)
    return Dataset(
        name, title, help, generate, noise_default, tasks, fresh_by_seed, has_many_classes
    )


# The data sets for classification, by name.
DATASETS: dict[str, Dataset] = {
    dataset.name: dataset
    for dataset in (
        make_dataset("Two clouds", blobs, 0.4, has_many_classes=True),
        make_dataset("Two moons", moons, 0.15),
        make_dataset("Two circles", circles, 0.15, has_many_classes=True),
        make_dataset("XOR", xor, 0.3),
        make_dataset("Two spirals", spirals, 0.08, has_many_classes=True),
        make_dataset("Checkerboard", checkerboard, 0.05),
        make_dataset("Overlapping Gaussians", gaussians, 1.0),
        # Another seed gives other centres, and so another distribution.
        make_dataset("Mixture of Gaussians", mixture, math.sqrt(0.2), fresh_by_seed=False),
        make_dataset("Clouds with an outlier", outlier, 0.8),
        make_dataset("Eight points", eight, 0.0, fresh_by_seed=False),
    )
}
