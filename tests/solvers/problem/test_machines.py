"""Machines of several classes against votes counted one by one, and against scikit-learn."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from sklearn.svm import SVC

from solvers import BadInput
from solvers.problem.machines import (
    ONE_AGAINST_ONE,
    ONE_AGAINST_REST,
    REDUCTIONS,
    Machine,
    confusion,
    decide,
    equal_classes,
    machines_of,
    reduction_of,
)
from solvers.sklearn import SVMClassifier


def random_code(rng: np.random.Generator, k: int) -> tuple[Machine, ...]:
    codes = rng.integers(-1, 2, (40, k)).tolist()
    return tuple(Machine(tuple(row)) for row in codes if {-1, 1} <= set(row))[:7]


@pytest.mark.parametrize("k", range(2, 7))
def test_reductions_have_the_machines_of_their_definitions(k):
    pairs = machines_of(ONE_AGAINST_ONE, k)
    assert [(m.positive, m.negative) for m in pairs] == [
        ((i,), (j,)) for i, j in itertools.combinations(range(k), 2)
    ]
    rest = machines_of(ONE_AGAINST_REST, k)
    assert [m.positive for m in rest] == [(i,) for i in range(k)]
    assert all(len(m.negative) == k - 1 for m in rest)
    if k > 2:
        assert [reduction_of(machines_of(name, k)) for name in REDUCTIONS] == list(REDUCTIONS)
        assert reduction_of(pairs[::-1]) is None


@pytest.mark.parametrize("seed", range(60))
def test_votes_and_sums_are_those_counted_one_by_one(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(3, 7))
    machines = machines_of(REDUCTIONS[seed % 3], k) if seed % 3 < 2 else random_code(rng, k)
    # Small whole numbers, so that votes, sums and zeros tie often.
    values = rng.integers(-2, 3, (50, len(machines))).astype(float)
    decision = decide(machines, values)
    for i, row in enumerate(values):
        votes, sums = [0] * k, [0.0] * k
        for machine, f in zip(machines, row):
            for c in machine.positive:
                votes[c] += f >= 0
                sums[c] += f
            for c in machine.negative:
                votes[c] += f < 0
                sums[c] -= f
        assert decision.votes[i].tolist() == votes
        best = max(range(k), key=lambda c: (votes[c], sums[c]))
        assert decision.classes[i] == best
        assert decision.undecided[i] == (votes.count(max(votes)) > 1)
        assert decision.first_classes[i] == votes.index(max(votes))
        favours = [m.code[best] * f for m, f in zip(machines, row) if m.code[best]]
        assert decision.lead[i] == max(min(favours), 0.0)


@pytest.mark.parametrize("k", [3, 4, 6])
def test_one_against_the_rest_decides_for_the_largest_f(k):
    values = np.random.default_rng(k).standard_normal((2000, k))
    decision = decide(machines_of(ONE_AGAINST_REST, k), values)
    assert (decision.classes == values.argmax(axis=1)).all()
    # Votes decide exactly where one machine, and no other, claims the place.
    assert (decision.undecided == ((values >= 0).sum(axis=1) != 1)).all()


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("multi_class", ["ovo", "ovr"])
def test_decisions_are_those_of_the_classifier_and_of_svc(seed, multi_class):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(3, 7))
    centres = rng.uniform(-2, 2, (k, 2))
    classes = np.arange(15 * k) % k
    X = centres[classes] + rng.normal(0, 0.7, (15 * k, 2))
    settings = {"C": float(10 ** rng.uniform(-1, 2)), "gamma": 0.5, "tol": 1e-8}
    model = SVMClassifier(method="smo", multi_class=multi_class, **settings).fit(X, classes)
    places = rng.uniform(-4, 4, (1000, 2))
    values = np.column_stack([machine(places) for machine in model.machines_])
    reduction = {"ovo": ONE_AGAINST_ONE, "ovr": ONE_AGAINST_REST}[multi_class]
    decision = decide(machines_of(reduction, k), values)
    assert (decision.classes == model.predict(places)).all()
    if multi_class == "ovo":
        clear = np.abs(values).min(axis=1) > 1e-4
        sums = np.sort(decision.sums, axis=1)
        clear &= (np.diff(sums, axis=1) > 1e-4).all(axis=1)
        with_sums = SVC(break_ties=True, **settings).fit(X, classes).predict(places)
        by_number = SVC(**settings).fit(X, classes).predict(places)
        assert clear.mean() > 0.9
        assert (decision.classes == with_sums)[clear].all()
        assert (decision.first_classes == by_number)[clear].all()


def test_classes_without_a_machine_between_them_are_found():
    assert equal_classes(machines_of(ONE_AGAINST_ONE, 4)) is None
    assert equal_classes([Machine((1, -1, -1)), Machine((1, 0, -1))]) == (1, 2)


def test_names_say_who_is_against_whom():
    names = ("Adelie", "Chinstrap", "Gentoo")
    assert Machine((1, 0, -1)).name(names) == "Adelie against Gentoo"
    assert Machine((-1, 1, -1)).name(names) == "Chinstrap against the rest"
    assert Machine((1, 1, -1)).name(names) == "Adelie, Chinstrap against Gentoo"
    assert Machine((-1, 1, -1)).side_names(("a", "the rest", "b")) == (
        "not the rest",
        "the rest",
    )


@pytest.mark.parametrize(
    ("code", "sentence"),
    [((1, 1, 0), "a class on each side"), ((1, -1, 2), "consists of -1, 0 and")],
)
def test_codes_that_are_no_machine_are_refused(code, sentence):
    with pytest.raises(BadInput, match=sentence):
        Machine(code)


def test_an_unknown_reduction_is_refused():
    with pytest.raises(BadInput, match="one-against-one or one-against-rest"):
        machines_of("crammer", 3)


def test_confusion_counts_rows_of_true_classes():
    table = confusion(np.array([0, 0, 1, 2, 2]), np.array([0, 1, 1, 2, 0]), 3)
    assert table.tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 1]]
