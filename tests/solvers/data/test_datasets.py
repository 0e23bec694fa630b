import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC

from solvers.data.datasets import DATASETS, PointSet, eight_points
from solvers.errors import BadInput

RANDOM = ["blobs", "moons", "circles", "xor", "spirals", "checkerboard", "gaussians"]
RANDOM += ["mixture", "outlier"]
NAMES = [*RANDOM, "eight"]
drawn = pytest.mark.parametrize("name", RANDOM)
every = pytest.mark.parametrize("name", NAMES)


def generate(name: str, n: int = 200, seed: int = 0, noise: float | None = None) -> PointSet:
    dataset = DATASETS[name]
    return dataset.generate(n, dataset.noise_default if noise is None else noise, seed)


def train_accuracy(pointset: PointSet, **settings) -> float:
    model = SVC(**settings).fit(pointset.points, pointset.labels)
    return float(model.score(pointset.points, pointset.labels))


def test_registry_names_every_generator():
    assert list(DATASETS) == NAMES
    for name, dataset in DATASETS.items():
        assert dataset.name == name
        assert dataset.title
        assert "noise" in dataset.help.lower()
        assert dataset.help.endswith(".")


@every
def test_the_same_seed_gives_the_same_bits(name):
    assert generate(name, seed=3) == generate(name, seed=3)
    if name != "eight":
        assert generate(name, seed=3) != generate(name, seed=4)


@drawn
@pytest.mark.parametrize("n", [2, 3, 5, 8, 100])
def test_size_and_both_classes(name, n):
    pointset = generate(name, n)
    assert len(pointset) == n
    assert abs(int(pointset.labels.sum())) <= 1


@every
def test_arrays_are_typed_and_read_only(name):
    pointset = generate(name)
    assert pointset.points.dtype == np.float64
    assert pointset.labels.dtype == np.int8
    for array in (pointset.points, pointset.labels):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@every
def test_coordinates_suit_gamma_one(name):
    points = generate(name).points
    assert 1.0 < np.abs(points).max() < 4.5


@every
def test_huge_sets(name):
    assert len(generate(name, 100_000)) == (8 if name == "eight" else 100_000)


@drawn
def test_points_move_continuously_with_noise(name):
    before, after = generate(name, noise=0.5), generate(name, noise=0.5 + 1e-6)
    assert (before.labels == after.labels).all()
    assert np.abs(before.points - after.points).max() < 1e-5


@pytest.mark.parametrize("name", ["moons", "circles", "xor", "spirals", "checkerboard"])
def test_curved_sets_need_a_kernel(name):
    pointset = generate(name, 400)
    assert train_accuracy(pointset, kernel="linear") < 0.92
    assert train_accuracy(pointset, kernel="rbf", gamma=1.0, C=10.0) > 0.85


@pytest.mark.parametrize("seed", range(10))
def test_outlier_is_separable_and_narrows_the_margin(seed):
    pointset = generate("outlier", 60, seed)
    model = SVC(kernel="linear", C=1e6).fit(pointset.points, pointset.labels)
    assert model.score(pointset.points, pointset.labels) == 1.0
    outlier = np.argmin(np.abs(pointset.points - (0.45, 0.0)).sum(axis=1))
    rest = np.delete(np.arange(60), outlier)
    without = SVC(kernel="linear", C=1e6).fit(pointset.points[rest], pointset.labels[rest])
    assert np.linalg.norm(model.coef_) > 2 * np.linalg.norm(without.coef_)


def test_gaussians_overlap():
    assert 0.7 < train_accuracy(generate("gaussians", 1000), kernel="linear") < 0.95


def centres_of(pointset: PointSet, label: int) -> np.ndarray:
    return np.unique(pointset.points[pointset.labels == label], axis=0)


def test_mixture_has_ten_centres_per_class_whatever_n():
    few, many = generate("mixture", 400, noise=0.0), generate("mixture", 3000, noise=0.0)
    for label in (-1, 1):
        assert centres_of(many, label).shape == (10, 2)
        assert centres_of(few, label).tolist() == centres_of(many, label).tolist()


def test_centres_of_a_mixture_are_normal_around_the_published_means():
    for label, mean in ((-1, (0.0, 1.0)), (1, (1.0, 0.0))):
        found = np.concatenate(
            [centres_of(generate("mixture", 400, seed, 0.0), label) for seed in range(200)]
        )
        assert found.mean(axis=0) == pytest.approx(mean, abs=0.1)
        assert np.cov(found.T) == pytest.approx(np.eye(2), abs=0.1)


def test_points_of_a_mixture_have_the_published_variance_around_their_centres():
    exact, pointset = generate("mixture", 20_000, noise=0.0), generate("mixture", 20_000)
    scatter = pointset.points - exact.points
    assert np.cov(scatter.T) == pytest.approx(0.2 * np.eye(2), abs=0.01)
    assert scatter.mean(axis=0) == pytest.approx((0.0, 0.0), abs=0.02)


def test_xor_of_four_without_noise_is_exact():
    pointset = generate("xor", 4, noise=0.0)
    assert sorted(map(tuple, pointset.points.tolist())) == [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    assert (pointset.labels == -pointset.points.prod(axis=1)).all()


def test_checkerboard_labels_are_the_parity_of_the_square():
    pointset = generate("checkerboard", 500, noise=0.0)
    parity = np.floor(pointset.points).sum(axis=1) % 2
    assert len(set(zip(parity, pointset.labels.tolist()))) == 2


def test_eight_points_have_the_known_solution():
    pointset = eight_points()
    assert generate("eight", n=50) == pointset
    model = SVC(kernel="linear", C=1e3, tol=1e-9).fit(pointset.points, pointset.labels)
    assert model.coef_[0] == pytest.approx([0, 1], abs=1e-6)
    assert model.intercept_[0] == pytest.approx(0, abs=1e-6)
    assert model.support_.tolist() == [4, 6, 2]


def test_eight_points_jitter():
    moved = generate("eight", noise=0.1)
    assert 0 < np.abs(moved.points - eight_points().points).max() < 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 0.1, 0), "number of points must be from 2 to 1,000,000: got 1"),
        ((10**7, 0.1, 0), "got 10000000"),
        ((2.5, 0.1, 0), "number of points must be a whole number: got 2.5"),
        ((10, -0.1, 0), "noise must be a number from 0 to a million: got -0.1"),
        ((10, math.nan, 0), "got nan"),
        ((10, math.inf, 0), "got inf"),
        ((10, "much", 0), "noise must be a number: got 'much'"),
        ((10, 0.1, -1), "seed must not be negative: got -1"),
        ((10, 0.1, None), "seed must be a whole number: got None"),
    ],
)
@every
def test_bad_arguments_are_refused(name, arguments, message):
    with pytest.raises(BadInput, match=message):
        DATASETS[name].generate(*arguments)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (([[1, 2, 3]], [1]), r"shape \(n, 2\): got \(1, 3\)"),
        (([[0, 0], [1, math.nan]], [1, -1]), "Point 2 has a coordinate that is not finite"),
        ((["ab", "cd"], [1, -1]), "array of numbers"),
        (([[1, 2]], [1, -1]), r"Labels must have shape \(1,\)"),
        (([[1, 2]], [0]), r"-1 or \+1: got 0"),
        (([[1, 2]], [1], ("a", "a")), "different class names"),
        (([[1, 2]], [1], ("a", "b"), ("x", " ")), "two different axis names"),
    ],
)
def test_bad_pointsets_are_refused(fields, message):
    with pytest.raises(BadInput, match=message):
        PointSet(*fields)


def test_pointset_may_be_empty():
    assert PointSet(np.array([]), np.array([])).points.shape == (0, 2)


def test_a_pointset_has_copies_of_its_arrays():
    points = np.zeros((1, 2))
    pointset = PointSet(points, np.array([1]))
    points[0] = 5
    assert pointset.points.tolist() == [[0, 0]]


def test_pointset_compares_bits():
    points, labels = np.array([[0.0, 1.0]]), np.array([1])
    one, same = PointSet(points, labels), PointSet(points, labels)
    assert one == same == pickle.loads(pickle.dumps(one))
    assert len({one, same, PointSet(points * [-1, 1], labels)}) == 2
    assert one != PointSet(points, labels, axis_names=("a", "b"))
    assert one != "one"


@given(st.text())
def test_names_are_one_line(name):
    try:
        pointset = PointSet(np.zeros((1, 2)), np.array([1]), (name, "+1"))
    except BadInput:
        assert not name.split() or name.split() == ["+1"]
    else:
        assert pointset.class_names[0] == " ".join(name.split())


@pytest.mark.parametrize("name", [n for n, entry in DATASETS.items() if entry.has_many_classes])
@pytest.mark.parametrize("classes", range(3, 7))
def test_sets_of_more_classes(name, classes):
    generate = DATASETS[name].generate
    found = generate(200, 0.0, 3, classes=classes)
    assert found.class_names == tuple(map(str, range(1, classes + 1)))
    assert np.ptp(np.bincount(found.classes)) <= 1
    assert np.abs(found.points).max() <= 3.0
    # Without noise, all points of a class are where the docstring says.
    radius, turns = np.hypot(*found.points.T), np.arctan2(*found.points.T[::-1]) / (2 * np.pi)
    share = found.classes / classes
    if name == "circles":
        assert np.allclose(radius, 2.8 * (share + 1 / classes))
        return
    apart = turns - share - (1.5 * (radius - 0.3) / 2.5 if name == "spirals" else 0.0)
    assert np.allclose(apart, np.round(apart))
    if name == "blobs":
        first, second = (found.points[found.classes == k][0] for k in (0, 1))
        assert np.hypot(*(first - second)) == pytest.approx(2.4)
    # The noise moves the points continuously, and two classes are the set without ``classes``.
    near = generate(200, 1e-9, 3, classes=classes)
    assert np.abs(near.points - found.points).max() < 1e-7
    assert generate(50, 0.1, 3, classes=2) == generate(50, 0.1, 3)


@pytest.mark.parametrize("classes", [1, 7, 2.5, "three"])
def test_numbers_of_classes_that_are_refused(classes):
    with pytest.raises(BadInput, match="number of classes"):
        DATASETS["blobs"].generate(10, 0.1, 0, classes=classes)
