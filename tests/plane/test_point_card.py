import math
from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, Expansion, Linear, Perceptron
from solvers.data.datasets import DATASETS, PointSet
from solvers.data.regression_datasets import CURVES
from solvers.problem.machines import ONE_AGAINST_REST, machines_of
from svmviz.document.document import Document, Penalty
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Frame
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.labels import labels_of
from svmviz.plane.paint.style import Style
from svmviz.plane.pair_candidates import candidates_line, error_rows
from svmviz.plane.point_card import alpha_note, describe, slack_note
from tests.plane.frames import fitted, lane_of, points, solved

# f(x) = x: on the margins, outside, inside, on the boundary, and on the wrong side.
POINTS = np.array([[-1.0, 0], [1, 0], [2, 0], [0.5, 0], [0, 0], [-0.5, 0]])
DATA = points(POINTS, [-1, 1, 1, 1, 1, 1], ("a", "b"), ("bill_depth_mm", "mass_g"))


@pytest.fixture(scope="module")
def lane():
    pair = Document(data=points(POINTS[:2], [-1, 1]), kernel=Linear(), penalty=Penalty("C", 10))
    lane = lane_of(solved(pair, fitted(pair)))
    labels = DATA.labels.astype(float)
    decision = POINTS[:, 0]
    certificate = replace(
        lane.certificate,
        decision=decision,
        slack=np.maximum(0, 1 - labels * decision),
        alpha=np.array([0.5, 0.5, 0, 10, 10, 10]),
        kinds=np.array([1, 1, 0, 2, 2, 2]),
        violation=np.array([0, 0, 0.2, 0, 0, 0]),
    )
    problem = replace(pair, data=DATA).problem()
    expansion = Expansion(Linear(), POINTS, labels * certificate.alpha, 0.0)
    return replace(
        lane,
        problem=problem,
        certified_problem=problem,
        certificate=certificate,
        expansion=expansion,
    )


@pytest.mark.parametrize(
    ("index", "words"),
    [
        (0, "on its margin line"),
        (2, "outside the margin band"),
        (3, "inside the band"),
        (4, "on the boundary"),
        (5, "misclassified"),
    ],
)
def test_kind_by_slack(lane, index, words):
    assert slack_note(lane, index).startswith(words)


@pytest.mark.parametrize(
    ("index", "words"), [(0, "free"), (2, "no support"), (3, "support vector at C")]
)
def test_kind_by_alpha(lane, index, words):
    assert alpha_note(lane, index).startswith(words)


def test_hard_margin_has_no_C_to_be_below(lane):
    hard = replace(lane, certified_problem=replace_C(lane, math.inf))
    assert alpha_note(hard, 0) == "free support vector: α > 0"


@pytest.mark.parametrize(
    ("index", "words", "violation"),
    [
        (0, "on its margin line: y f = 1", None),
        (2, "outside the margin band: y f > 1", None),
        (3, "inside the band: y f < 1, which is not allowed", "0.5"),
        (5, "misclassified: y f < 0, which is not allowed", "1.5"),
    ],
)
def test_a_hard_margin_has_no_slack(lane, index, words, violation):
    hard = replace(lane, certified_problem=replace_C(lane, math.inf))
    card = describe(Frame(Document(data=DATA, kernel=Linear()), (hard,)), index)
    rows = dict(card.rows)
    assert "slack ξ" not in rows
    assert rows.get("1 − y f(x)") == violation
    assert card.notes[-1] == words
    # A lesson that hides slack hides this too.
    assert "1 − y f(x)" not in dict(card.without(frozenset({"slack"})).rows)


def replace_C(lane, C):
    document = Document(data=DATA, kernel=Linear(), penalty=Penalty("C", C))
    return document.problem()


def test_card_of_a_point(lane):
    card = describe(Frame(Document(data=DATA, kernel=Linear()), (lane,)), 5)
    rows = dict(card.rows)
    assert card.title == "Point 6"
    assert rows["bill depth (mm)"] == "−0.5"
    assert rows["class"] == "b"
    assert rows["slack ξ"] == "1.5"
    assert rows["f(x)"] == "−0.5"
    assert rows["f / ‖w‖"] == "−0.5"
    assert "KKT violation" not in rows
    assert card.notes == ("support vector at C: α = C", "misclassified: ξ > 1")


def test_kkt_violation_is_shown_if_there_is_one(lane):
    card = describe(Frame(Document(data=DATA, kernel=Linear()), (lane,)), 2)
    assert dict(card.rows)["KKT violation"] == "0.2"


def test_distance_is_shown_for_the_linear_kernel_only():
    document = Document(data=points(POINTS[:2], [-1, 1]), kernel=RBF(1.0))
    card = describe(solved(document, fitted(document)), 0)
    assert not [name for name, _ in card.rows if "‖w‖" in name]


def test_distance_says_when_it_is_scaled():
    data = points(POINTS[:2] * (3, 1), [-1, 1])
    document = Document(data=data, kernel=Linear(), scaling="each")
    names = [name for name, _ in describe(solved(document, fitted(document)), 0).rows]
    assert "f / ‖w‖ (scaled)" in names


def test_without_a_run_only_the_point_is_described():
    card = describe(Frame(Document(data=DATA)), 0)
    assert [name for name, _ in card.rows] == ["bill depth (mm)", "mass (g)", "class"]
    assert card.notes == ()
    assert card.line == "Point 1, class a, bill depth (mm) −1, mass (g) 0"


def test_an_alpha_above_C_is_not_said_to_be_at_C(lane):
    low = replace_C(lane, 0.5 * float(lane.certificate.alpha[5]))
    raised = replace(lane, certified_problem=low)
    assert alpha_note(raised, 5) == "support vector above C: α > C, not dual feasible"
    assert raised.exceeds_bound
    assert not lane.exceeds_bound


def test_the_card_of_smo_says_what_it_compares(lane):
    assert lane.method.compares_errors
    frame = Frame(Document(data=DATA, kernel=Linear()), (lane,))
    rows = dict(describe(frame, 3).rows)
    assert rows["E = f − y"] == "−0.5"
    ways = [dict(error_rows(lane, index))["αy can still"] for index in (0, 2, 3)]
    assert ways == ["rise and fall", "rise", "fall"]
    assert candidates_line(lane) == (
        "αy may rise: 1, 2, 3; smallest E = f − y: 0 (1, 2)."
        " αy may fall: 1, 2, 4, 5, 6; largest E = f − y: 0 (1, 2)."
    )


def test_the_card_of_a_regression_has_both_kinds_at_every_step():
    """Where a point lies does not follow from its beta before the end."""
    sine = CURVES["noisy_sine"].generate(20, 0.2, 1)
    document = Document(sine, RBF(gamma=1.0), Penalty("C", 1.0), task="regression", epsilon=0.2)
    camera = fitted(document)
    seen = set()
    for step in (0, 1, 5, 10**6):
        frame = solved(document, camera, step)
        lane = lane_of(frame)
        problem, near = lane.problem, lane.kkt_tolerance
        residual = np.abs(problem.y - lane.expansion(problem.X))
        for index, beta in enumerate(np.abs(lane.expansion.beta)):
            notes = describe(frame, index).notes
            assert notes[0] == (
                "no support vector: β = 0"
                if beta == 0.0
                else "support vector at C: |β| = C"
                if beta == problem.C
                else "free support vector: 0 < |β| < C"
            )
            beyond = residual[index] - 0.2
            assert notes[1] == (
                "inside the tube: |y − f| < ε"
                if beyond < -near
                else "on the edge of the tube: |y − f| = ε"
                if beyond <= near
                else "outside the tube: ξ > 0"
            )
            seen.add(notes)
    # A point outside without beta, and one inside that still has some: only before the end.
    assert ("no support vector: β = 0", "outside the tube: ξ > 0") in seen
    assert len(seen) > 4


def test_labels_of_a_regression_have_the_size_of_beta():
    sine = CURVES["noisy_sine"].generate(20, 0.2, 1)
    document = Document(sine, RBF(gamma=1.0), task="regression", epsilon=0.2)
    frame = solved(document, fitted(document))
    style = Style(options=ViewOptions(numbers=True, alpha_numbers=True))
    canvas = Canvas(frame, fitted(document), style)
    texts = [label.text for label in labels_of(canvas)]
    assert any("|β|" in text for text in texts)
    assert not any("α" in text for text in texts)


def test_the_card_of_a_perceptron_says_what_its_alpha_is():
    """It has no C, no margin and no support vectors: alpha counts mistakes."""
    moons = DATASETS["moons"].generate(30, 0.1, 0)
    document = Document(moons, RBF(1.0), Penalty("C", 0.5), methods=(Perceptron(),))
    frame = solved(document, fitted(document))
    lane = lane_of(frame)
    assert lane.certificate.alpha.max() > 0.5
    assert not lane.exceeds_bound
    seen = set()
    for index, alpha in enumerate(lane.certificate.alpha):
        notes = describe(frame, index).notes
        assert notes[0] == (
            "in the sum of f: α is its number of mistakes"
            if alpha > 0
            else "never a mistake so far: α = 0"
        )
        assert not any(word in note for note in notes for word in ("margin", "support", "C"))
        seen.add(notes[0])
    assert len(seen) == 2


def test_a_point_that_the_machine_leaves_out_says_so():
    data = PointSet([[0.0, 0.0], [1.0, 1.0], [2.5, 3.0]], [0, 1, 2], ("a", "b", "c"))
    document = Document(data)
    card = describe(Frame(document), document.n)
    assert dict(card.rows) == {"x₁": "2.5", "x₂": "3", "class": "c"}
    assert card.notes == ("this machine leaves its class out",)
    assert card.label == document.many.mark_of_class[2]
    # Points of the machine have the names of their own classes, not of its sides.
    rest = document.with_many(document.many.with_machines(machines_of(ONE_AGAINST_REST, 3)))
    assert dict(describe(Frame(rest), 2).rows)["class"] == "c"
