"""A method without a narration runs, and each of its steps has a plain sentence."""

import numpy as np

from solvers import RBF, Problem, solve
from solvers.run.cursor import Cursor
from solvers.run.method import Reason
from tests.solvers.methods.plain_method import Plain


def test_it_solves_and_each_step_names_the_points_that_changed():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 1.0]])
    problem = Problem(X, np.array([1.0, 1.0, -1.0, -1.0]), kernel=RBF(), C=0.6, bias="none")
    run = solve(problem, Plain())
    assert run.reason is Reason.CONVERGED
    assert run.certificate.gap < 1e-6
    cursor, sentences = Cursor(run), set()
    for step in range(1, run.steps + 1):
        before, after = cursor.seek(step - 1).expansion.beta, cursor.seek(step)
        moved = np.flatnonzero(before != after.expansion.beta).tolist()
        assert after.event.touched == tuple(moved)
        assert after.event.sentence == (
            f"Changes α of point {moved[0] + 1}." if moved else "Changes no α."
        )
        sentences.add(after.event.sentence)
    assert len(sentences) == 5
