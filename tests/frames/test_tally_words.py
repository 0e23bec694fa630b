"""The sentence on how a place is decided."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from solvers.problem.machines import REDUCTIONS, Machine, decide, machines_of
from svmviz.base.words import listed
from svmviz.frames.tally_words import tally_sentence

NAMES = "Adelie", "Gentoo", "Chinstrap"


@pytest.mark.parametrize(
    ("reduction", "f", "sentence"),
    [
        (REDUCTIONS[0], (1, 1, 1), "Adelie has two votes, the most; the next has one."),
        (
            REDUCTIONS[0],
            (0.5, -0.2, 0.1),
            "Adelie, Gentoo and Chinstrap have one vote each; the sum of f says Adelie.",
        ),
        (
            REDUCTIONS[0],
            (0.1, -0.2, 0.5),
            "Adelie, Gentoo and Chinstrap have one vote each; the sum of f says Gentoo. LIBSVM "
            "would say Adelie, the first of them.",
        ),
        (REDUCTIONS[1], (1, -1, -1), "Adelie has three votes, the most; the next has one."),
        (
            REDUCTIONS[1],
            (-0.3, -0.2, -0.5),
            "Every machine says “the rest”, so all classes have two votes each; the largest f says "
            "Gentoo. LIBSVM would say Adelie, the first of them.",
        ),
        (
            REDUCTIONS[1],
            (0.3, 0.2, -0.5),
            "Adelie and Gentoo have two votes each; the largest f says Adelie.",
        ),
    ],
)
def test_the_rule_that_decides_is_named(reduction, f, sentence):
    machines = machines_of(reduction, 3)
    assert tally_sentence(machines, decide(machines, np.array([f])), NAMES) == sentence


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_the_sentence_names_the_class_decided_for_at_any_votes(reduction):
    machines = machines_of(reduction, 3)
    for signs in itertools.product((-1, 1), repeat=3):
        decision = decide(machines, np.array([signs]) * np.array([[0.3, 0.5, 0.7]]))
        sentence = tally_sentence(machines, decision, NAMES)
        said = sentence.split(" LIBSVM")[0]
        decided = NAMES[int(decision.classes[0])]
        assert said.startswith(f"{decided} has") or said.endswith(f"says {decided}.")
        assert ("LIBSVM" in sentence) == (decision.classes[0] != decision.first_classes[0])


def test_a_class_without_votes_has_none_and_names_that_are_numbers_are_classes():
    machines = [Machine((1, -1, 0))]
    one = decide(machines, np.array([[0.5]]))
    assert (
        tally_sentence(machines, one, NAMES) == "Adelie has one vote, the most; the next has none."
    )
    pairs = machines_of(REDUCTIONS[0], 3)
    two = decide(pairs, np.array([[1, 1, 1]]))
    tie = decide(pairs, np.array([[0.1, -0.2, 0.5]]))
    numbers = "1", "2", "3"
    assert (
        tally_sentence(pairs, two, numbers) == "Class 1 has two votes, the most; the next has one."
    )
    assert tally_sentence(pairs, tie, numbers) == (
        "Class 1, class 2 and class 3 have one vote each; the sum of f says class 2. LIBSVM would "
        "say class 1, the first of them."
    )


def test_lists_of_names():
    assert [listed(NAMES[:n]) for n in (1, 2, 3)] == [
        "Adelie",
        "Adelie and Gentoo",
        "Adelie, Gentoo and Chinstrap",
    ]
