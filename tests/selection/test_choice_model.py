"""The choice of a model is that of the library's procedure, on the parts of the document."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, SMO, BadInput, Hulls, Linear, Polynomial, solve
from solvers.selection.memory import Memory
from solvers.selection.models import Model
from solvers.selection.procedures import validation
from svmviz.document.document import Penalty
from svmviz.document.held_out import Shares
from svmviz.document.splitting import split
from svmviz.selection.choice_model import (
    Candidate,
    ChoiceSettings,
    kernels_for,
    methods_for,
)
from svmviz.selection.plan import fixed_split
from tests.stages import moons, sine

SHARES = Shares(validation=0.2, test=0.25, seed=3)


def divided(**changes):
    return split(moons(80, **changes), SHARES)


def run(document, *candidates):
    job = ChoiceSettings(candidates).job(document)
    results = list(job.begin(Memory()))
    assert len(results) == job.count
    return results


@pytest.mark.parametrize("scaling", ["none", "each"])
def test_risks_are_those_of_each_model_on_the_validation_part(scaling):
    document = divided(scaling=scaling)
    points, y = document.held_out.validation.points, document.held_out.validation.labels
    for found in run(document, Candidate(RBF(), SMO()))[::9]:
        trained = replace(
            document,
            kernel=RBF(found.values["gamma"]),
            penalty=Penalty("C", found.values["C"]),
        )
        f = solve(trained.problem(), SMO()).expansion(points / trained.factors)
        assert found.risk == pytest.approx(np.mean(y * f <= 0.0))


def test_the_lowest_risk_is_that_of_the_librarys_procedure():
    document = divided()
    candidates = [Candidate(kernel, SMO()) for kernel in (Linear(), RBF())]
    ours = run(document, *candidates)
    whole = moons(80).problem()
    models = [
        Model(one.candidate.method, RBF(one.values["gamma"]), {"C": one.values["C"]})
        if "gamma" in one.values
        else Model(one.candidate.method, Linear(), {"C": one.values["C"]})
        for one in ours
    ]
    results = list(
        validation(whole, models, SHARES.seed, validation=0.2, test=0.25, stratified=True)
    )
    theirs = {one.model: one.risk for one in results if one.measured_on == "validation"}
    assert [one.risk for one in ours] == [theirs[k] for k in range(len(models))]


def test_models_without_a_risk_say_why():
    found = run(divided(), Candidate(Linear(), Hulls()))
    assert {one.risk for one in found} == {math.inf}
    assert all(one.refusal for one in found)


def test_what_is_offered():
    assert [kernel.name for kernel in kernels_for(moons())] == ["linear", "polynomial", "rbf"]
    own = Polynomial(gamma=2.0, degree=4)
    assert kernels_for(moons(kernel=own))[1] == own
    assert [one.name for one in methods_for(moons())] == ["smo", "pegasos", "perceptron"]
    assert [one.name for one in methods_for(sine())] == ["smo"]
    perceptron = methods_for(moons())[2]
    # A perceptron has no C, and a linear kernel no parameter.
    assert Candidate(Linear(), perceptron).choices(moons()) == [{}]
    assert len(Candidate(RBF(), SMO()).choices(moons())) == 49


def test_without_a_validation_part_there_is_no_choice():
    with pytest.raises(BadInput, match="no validation points"):
        fixed_split(moons())
    problem, parts = fixed_split(divided())
    assert (len(parts.train), len(parts.validation), problem.n) == (44, 16, 60)


def test_a_regression_is_measured_by_the_distance_to_its_targets():
    document = split(sine(60), Shares(0.2, 0.2))
    found = run(document, Candidate(RBF(), SMO()))
    assert min(one.risk for one in found) < 0.3
