"""What is said of typed solutions agrees with the certificate of the program."""

import numpy as np
import pytest

from solvers import RBF, SMO, Pegasos
from solvers.errors import BadInput
from svmviz.document.document import Penalty
from svmviz.lessons.certificates import labels_of, numbers_in_words, right_numbers, verdict
from svmviz.lessons.expressions import read
from svmviz.lessons.goals import ALPHA, LINE, CertificateTask, GoalPart
from tests.plane.frames import fitted, lane_of, solved
from tests.stages import eight, moons


def task(kind, gap=0.01, *parts):
    goals = tuple(GoalPart(read(text), "") for text in parts)
    return CertificateTask(kind, gap, goals, ask="Type it.", row=1)


def frame_of(document):
    return solved(document, fitted(document), nodes=8)


@pytest.fixture
def frame():
    return frame_of(eight())


def of_line(frame, *typed, gap=0.01):
    return verdict(task(LINE, gap), typed, frame, lane_of(frame).certificate.dual)


def of_alpha(frame, *typed, gap=0.01):
    return verdict(task(ALPHA, gap), typed, frame, lane_of(frame).certificate.dual)


@pytest.mark.parametrize("kind", [LINE, ALPHA])
def test_the_optimum_is_right(frame, kind):
    optimum = right_numbers(task(kind), frame)
    said = verdict(task(kind), optimum, frame, lane_of(frame).certificate.dual)
    assert said.is_right
    assert said.sentences[0] == "Feasible."
    assert "P = 0.5" in said.sentences[1]
    rounded = tuple(np.round(optimum, 2))
    assert verdict(task(kind), rounded, frame, lane_of(frame).certificate.dual).is_right


def test_a_line_that_is_too_flat_is_not_feasible(frame):
    hard = frame_of(eight(penalty=Penalty("C", np.inf)))
    said = of_line(hard, 0.0, 0.5, 0.0)
    assert not said.is_right
    violated = "point 3 by 0.5, point 5 by 0.5, point 7 by 0.5, point 6 by 0.35"
    assert said.sentences == (f"Not feasible: y f ≥ 1 is violated: {violated}.",)


def test_a_gap_that_is_only_rounding_error_is_said_to_be_0():
    exact = frame_of(eight(penalty=Penalty("C", np.inf), methods=(SMO(tol=1e-8),)))
    said = of_line(exact, 0.0, 1.0, 0.0)
    assert lane_of(exact).certificate.dual != 0.5
    assert said.sentences[1] == "P = 0.5, the best D = 0.5: the gap is 0, 0\xa0% of P."


def test_a_longer_w_is_feasible_and_has_a_gap(frame):
    # P = 2 against the optimum of 1/2.
    said = of_line(frame, 0.0, 2.0, 0.0)
    assert not said.is_right
    assert "P = 2" in said.sentences[1]
    assert "75\xa0% of P" in said.sentences[1]
    assert of_line(frame, 0.0, 2.0, 0.0, gap=0.8).is_right


def test_alphas_are_measured_by_the_constraints_of_the_dual(frame):
    assert "α₁ = −1 is below 0." in of_alpha(frame, -1, 0, 1, 0, 0, 0, 0, 0).sentences[0]
    assert "Σ α y = 1, and not 0." in of_alpha(frame, 0, 0, 1, 0, 0, 0, 0, 0).sentences[0]
    small = frame_of(eight(penalty=Penalty("C", 0.1)))
    assert "α₃ = 0.5 is above C = 0.1." in of_alpha(small, 0, 0, 0.5, 0, 0.5, 0, 0, 0).sentences[0]


def test_a_feasible_alpha_is_told_what_it_violates(frame):
    said = of_alpha(frame, 0, 0, 0.2, 0, 0.2, 0, 0, 0)
    assert said.sentences[0] == "Feasible."
    assert not said.is_right
    assert any("violates y f = 1" in sentence for sentence in said.sentences)


def test_a_soft_margin_has_slack_and_is_always_feasible():
    soft = frame_of(eight(penalty=Penalty("C", 0.1)))
    said = of_line(soft, 0.0, 0.5, 0.0)
    assert said.sentences[0] == "Feasible."
    assert said.sentences[2].startswith("Slack: point 3 0.5")
    certificate = lane_of(soft).certificate
    best = verdict(task(ALPHA), tuple(certificate.alpha), soft, certificate.dual)
    assert best.is_right
    assert best.sentences[-1] == "None violates its condition."


def test_conditions_take_the_place_of_the_gap(frame):
    asked = task(ALPHA, 0.01, "D >= 0.3", "support == 2")
    said = verdict(asked, (0, 0, 0.4, 0, 0.4, 0, 0, 0), frame, 0.5)
    assert said.holds == (True, True)
    assert said.is_right
    assert verdict(asked, (0, 0, 0.1, 0, 0.1, 0, 0, 0), frame, 0.5).holds == (False, True)


def test_a_scene_that_does_not_suit_is_refused():
    with pytest.raises(BadInput, match="at most 8 points"):
        labels_of(task(ALPHA), frame_of(moons(40)))
    with pytest.raises(BadInput, match="kernel is linear"):
        labels_of(task(LINE), frame_of(eight(kernel=RBF(1.0), penalty=Penalty("C", 1.0))))
    pegasos = eight(methods=(Pegasos(),), bias="augmented", penalty=Penalty("C", 1.0))
    with pytest.raises(BadInput, match="bias free"):
        labels_of(task(LINE), frame_of(pegasos))


def test_a_solution_in_words_has_no_rounding_noise():
    words = numbers_in_words(("w1", "w2", "b"), (3.5e-9, 1.0, -2.5e-9))
    assert words == "w1 = 0, w2 = 1, b = 0"
