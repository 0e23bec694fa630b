"""Each slip of the notes is on its pages and in the table of the docs; what is called right is."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from solvers import (
    RBF,
    SMO,
    CoordinateAscent,
    Hulls,
    Linear,
    Problem,
    solve,
)
from solvers.geometry.separation import largest_separating_mu, separation
from solvers.problem.certificate import BOUND, FREE
from svmviz.base import resources
from svmviz.lessons.slips import NOTES, slips, slips_of
from svmviz.window.help.contents import pages
from tests.solvers.problems import EIGHT_LABELS, EIGHT_POINTS, cloud, separated

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("slip", slips(), ids=lambda slip: slip.printed)
def test_a_slip_is_on_its_pages_and_in_the_table(slip):
    assert set(slip.notes) <= NOTES.keys()
    for page in slip.pages:
        assert slip.sentence in pages()[page].slips
    table = (ROOT / "docs" / "notes.md").read_text(encoding="utf-8")
    found = ", ".join(pages()[page].title for page in slip.pages)
    notes = ", ".join(slip.notes) or "some"
    cells = (notes, slip.printed, slip.right, slip.reason, found)
    row = "".join("| " + cell.replace("|", "\\|") + " " for cell in cells) + "|"
    assert row in table.splitlines()


def test_a_slip_is_said_in_order():
    assert slips_of("panel:folds") == (
        "The slides on SVMs and kernels (B) have a sum from 1 to n in the risk of k folds. "
        "Right: from 1 to k, divided by k, because there is one risk for each of the k parts.",
    )
    assert slips_of("panel:nothing") == ()


def test_the_mistakes_may_exceed_R_over_gamma_squared_and_not_its_square():
    # A perceptron without a bias, from its rule.
    X, y = separated(30, 3)
    scale = 100.0
    w, mistakes, is_done = np.zeros(2), 0, False
    X = X * scale
    while not is_done:
        is_done = True
        for point, label in zip(X, y, strict=True):
            if label * (w @ point) <= 0.0:
                w, mistakes, is_done = w + label * point, mistakes + 1, False
        if mistakes > 10_000:
            pytest.skip("no line through 0 separates")
    angles = np.linspace(0.0, 2.0 * np.pi, 100_001)
    gamma = (y[:, None] * X @ np.array([np.cos(angles), np.sin(angles)])).min(axis=0).max()
    R = np.linalg.norm(X, axis=1).max()
    assert R / gamma**2 < mistakes <= (R / gamma) ** 2


def test_lambda_is_1_over_C_and_without_a_half_the_bound_is_C_over_2():
    X, y = cloud(20, 2)
    C = 0.7

    def best(a, c):
        """Return w at the least a |w|^2 + c sum xi, by small smoothed steps from the formula."""

        def value(p):
            return a * p[:2] @ p[:2] + c * np.maximum(0.0, 1.0 - y * (X @ p[:2] + p[2])).sum()

        return min(
            (
                minimize(
                    value,
                    np.zeros(3),
                    method="Nelder-Mead",
                    options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 20_000},
                )
                for _ in "1"
            ),
            key=lambda found: found.fun,
        ).x[:2]

    w = best(0.5, C)
    assert best(0.5 / C, 1.0) == pytest.approx(w, abs=1e-3)
    assert best(0.5 * C / 2, 1.0) != pytest.approx(w, abs=1e-2)
    # |w|^2 + C sum xi has the w, and so the alpha, of C/2.
    problem = Problem(X, y, Linear(), C / 2)
    run = solve(problem, SMO(tol=1e-9))
    assert run.expansion.w == pytest.approx(best(1.0, C), abs=1e-3)
    assert run.certificate.alpha.max() <= C / 2


def test_w_moved_by_the_step_that_is_not_clipped_is_no_sum_of_alpha_y_x():
    X, y = cloud(20, 2)
    ends = {}
    for is_clipped in (True, False):
        alpha, w = np.zeros(20), np.zeros(2)
        for i in list(range(20)) * 3:
            step = (1.0 - y[i] * (w @ X[i])) / (X[i] @ X[i])
            new = min(max(alpha[i] + step, 0.0), 0.5)
            w = w + ((new - alpha[i]) if is_clipped else step) * y[i] * X[i]
            alpha[i] = new
        ends[is_clipped] = float(np.abs(w - (alpha * y) @ X).max())
    assert ends[True] < 1e-12
    assert ends[False] > 0.1


def test_kernels_that_are_none():
    X, _ = cloud(30, 1)
    inner = 1.0 + np.abs(X) @ np.abs(X).T
    assert np.linalg.eigvalsh(inner**1.5).min() < -1e-6 * np.abs(inner**1.5).max()
    assert np.linalg.eigvalsh(inner**2).min() > -1e-9 * (inner**2).max()
    assert ((1.0 + X @ X.T) < 0.0).any()
    K = RBF()(X, X)
    assert np.linalg.eigvalsh(-2.0 * K).min() == pytest.approx(-2.0 * np.linalg.eigvalsh(K).max())


def test_a_pair_moves_to_the_top_of_D_with_eta_of_one_sign():
    X, y = cloud(12, 4)
    K, C = X @ X.T, 50.0
    random = np.random.default_rng(0)
    alpha = random.uniform(0.0, 0.2, 12)
    i, j = 2, 9
    E = K @ (alpha * y) - y
    eta = K[i, i] + K[j, j] - 2.0 * K[i, j]
    assert eta > 0.0

    def dual(change):
        moved = alpha.copy()
        moved[j] += change
        moved[i] -= y[i] * y[j] * change
        beta = moved * y
        return moved.sum() - 0.5 * beta @ K @ beta

    top = y[j] * (E[i] - E[j]) / eta
    assert top == pytest.approx(-y[j] * (E[i] - E[j]) / -eta)
    assert dual(top) > max(dual(top + 1e-3), dual(top - 1e-3), dual(-top), dual(0.0))
    assert C > 0.0


def test_with_q_of_plus_1_nothing_is_found():
    X, y = np.array(EIGHT_POINTS), np.array(EIGHT_LABELS, dtype=float)
    K = X @ X.T * np.outer(y, y)
    balance = {"type": "eq", "fun": lambda alpha: alpha @ y}

    def solution(q):
        return minimize(
            lambda alpha: 0.5 * alpha @ K @ alpha + q * alpha.sum(),
            np.full(8, 0.1), bounds=[(0.0, None)] * 8, constraints=[balance], tol=1e-12,
        ).x  # fmt: skip

    assert solution(1.0) == pytest.approx(np.zeros(8), abs=1e-5)
    assert (solution(-1.0) * y) @ X == pytest.approx([0.0, 1.0], abs=1e-4)


def test_b_of_a_point_at_C_is_wrong():
    problem = Problem(*cloud(40, 3), RBF(1.0), 0.5)
    run = solve(problem, SMO(tol=1e-9))
    certificate, b = run.certificate, run.expansion.bias
    bs = problem.y - (certificate.decision - b)
    assert bs[certificate.kinds == FREE] == pytest.approx(b, abs=1e-6)
    assert np.abs(bs[certificate.kinds == BOUND] - b).max() > 0.1


def test_a_cap_at_which_hulls_are_apart_is_a_largest_one():
    problem = Problem(*cloud(30, 0), Linear(), np.inf)
    mu = largest_separating_mu(problem)
    least = 1.0 / min((problem.y > 0).sum(), (problem.y < 0).sum())
    assert least < mu < 1.0
    assert separation(problem, 0.5 * (least + mu)).separable
    assert separation(problem, 0.99 * mu).separable
    assert not separation(problem, min(1.0, 1.02 * mu)).separable
    assert solve(problem, Hulls("wolfe", mu=0.99 * mu)).reason.value == "converged"


def test_adelie_is_on_the_positive_side_of_the_printed_w():
    rows = [
        row.split(",")
        for row in (resources.path("penguins.csv")).read_text(encoding="utf-8").splitlines()
    ]
    depth, mass = (np.array([float(row[k]) for row in rows[1:]]) for k in (0, 1))
    names = np.array([row[2] for row in rows[1:]])
    f = 1.25 * depth - mass / 200.0
    assert f[names == "Adelie"].min() > f[names == "Gentoo"].max()


def test_with_k_of_0_a_variable_goes_to_C():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0]])
    run = solve(Problem(X, np.array([1.0, 1.0, -1.0]), Linear(), 3.0, "none"), CoordinateAscent())
    assert run.certificate.alpha[0] == 3.0


def test_two_support_vectors_may_be_farther_apart_than_the_margin_and_the_nearest_points_too():
    run = solve(Problem(EIGHT_POINTS, EIGHT_LABELS, Linear(), np.inf), SMO(tol=1e-9))
    X, y = run.problem.X, run.problem.y
    support = run.expansion.support
    apart = np.linalg.norm(X[support][:, None] - X[support], axis=2)
    assert apart[y[support] == -1][:, y[support] == -1].max() > 2.0 / run.certificate.norm
    nearest = np.linalg.norm(X[y > 0][:, None] - X[y < 0], axis=2).min()
    assert nearest > 2.0 / run.certificate.norm
    assert 2.0 / run.certificate.norm == pytest.approx(2.0)


def test_a_regularised_bias_is_another_problem():
    X, y = cloud(20, 1)
    fs = [
        solve(Problem(X + 2.0, y, Linear(), 1.0, bias), SMO(tol=1e-9) if bias == "free"
              else CoordinateAscent(tol=1e-9)).certificate.decision
        for bias in ("free", "augmented")
    ]  # fmt: skip
    assert np.abs(fs[0] - fs[1]).max() > 0.01


def test_pegasos_has_theta_of_the_next_index():
    X, y = cloud(10, 5)
    lam, w, theta = 0.1, np.zeros(2), np.zeros(2)
    for t in range(1, 30):
        i = t % 10
        if y[i] * (w @ X[i]) < 1.0:
            theta = theta + y[i] * X[i]
            w = (1.0 - 1.0 / t) * w + y[i] * X[i] / (lam * t)
        else:
            w = (1.0 - 1.0 / t) * w
        assert w == pytest.approx(theta / (lam * t), abs=1e-12)
