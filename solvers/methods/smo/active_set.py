"""Which points take part in SMO's steps: gathered, set aside by shrinking, and brought back.

A point at a bound that no violating pair could use now (``F_k < M`` where beta_k can only grow,
``F_k > m`` where it can only shrink) is set aside, and steps run over the rest (Joachims 1999;
Chang and Lin 2011). When the rest is solved, F of those set aside is brought up to date from where
they were left, ``F_k -= sum_i (beta_i - reference_i) K_ik``, which only costs the rows of points
that moved meanwhile. Then all take part again, for a while that doubles each time: a loop of
shrinking and bringing back is known to eat the gain.

Nothing here is a step: it happens between two steps, right after the first of them.
"""

from __future__ import annotations

import numpy as np

from solvers.jit.simd import padded
from solvers.kernels.programs import LINEAR
from solvers.kernels.rows import Rows, make_rows
from solvers.methods.smo.state import (
    BEST,
    COUNTS,
    LEAST,
    REBUILDS,
    ROUNDING,
    SHRINK,
    STEPS,
    Points,
    State,
)
from solvers.methods.smo.steps import NOISE, subtract
from solvers.problem.problem import DualForm, Problem
from solvers.run.method import NEVER

# Steps between two looks at what can be set aside, and after the first bringing back.
INTERVAL, FIRST_WAIT = 1000, 16
# Setting aside has to leave out at least this part to be worth gathering the rest.
WORTH = 0.1
# More bytes of kernel rows than this are kept only after n / 8 steps: memory that is new costs
# more than computing the rows, until many are asked for again.
AT_ONCE = 10_000_000
# Up to this many features, a row of inner products is as quick to compute as to read.
FEW_FEATURES = 4


class Work:
    """Working memory of SMO: the points in play. No part of a state; a state can rebuild it."""

    def __init__(self, problem: Problem, keep: bool, single: bool) -> None:
        self.problem = problem
        self._single = single
        late = problem.size**2 * 8 > AT_ONCE
        # The step from which rows are kept.
        self._keep_from = (problem.size // 8 if late else 0) if keep else NEVER
        if late and _is_cheap(problem.form):
            self._keep_from = NEVER
        self._keeps = self._keep_from == 0
        self._everyone = np.arange(problem.size)
        self.all = self._gather(self._everyone)
        self._mask = b""
        self.points = self.all

    def load(self, state: State) -> Points:
        """The points in play at a state, with its beta and F."""
        if not self._keeps and state.count[STEPS] >= self._keep_from:
            self._keep_rows()
        mask = state.active.tobytes()
        if mask != self._mask:
            self._mask = mask
            some = np.flatnonzero(state.active)
            whole = len(some) == len(state.active)
            self.points = self.all if whole else self._gather(some)
        return _fill(self.points, state)

    def store(self, state: State) -> None:
        """Write what the steps changed back into the state."""
        points = self.points
        order = points.order
        if len(order) == len(state.beta):
            state.beta[:] = points.beta[: len(order)]
            state.F[:] = points.F[: len(order)]
        else:
            state.beta[order] = points.beta[: len(order)]
            state.F[order] = points.F[: len(order)]
        state.level[:] = points.level
        state.count[:] = points.count

    def _gather(self, order: np.ndarray) -> Points:
        form = self.problem.form
        real = len(order)
        size = padded(real)
        filled = np.zeros(size, dtype=np.int64)
        filled[:real] = order
        X = form.X[filled]
        zeros = np.zeros((7, size))
        lower, upper, beta, F, closed_up, closed_low, gain = zeros
        lower[:real], upper[:real] = form.lower[order], form.upper[order]
        return Points(
            X=X,
            XT=np.array(X.T, order="C"),
            diagonal=form.diagonal[filled],
            lower=lower,
            upper=upper,
            beta=beta,
            F=F,
            closed_up=closed_up,
            closed_low=closed_low,
            gain=gain,
            order=order,
            level=np.zeros(5),
            count=np.zeros(COUNTS, dtype=np.int64),
            ops=form.ops,
            args=form.args,
            rows=self._rows(size),
        )

    def before_keeping(self, state: State) -> int:
        """How many steps may be taken before rows are to be kept."""
        return NEVER if self._keeps else self._keep_from - int(state.count[STEPS])

    def _rows(self, size: int) -> Rows:
        return make_rows(size, len(self.problem.form.ops), self._keeps, self._single)

    def _keep_rows(self) -> None:
        """From now on, keep the rows of those in play and of all."""
        self._keeps = True
        whole = self.points is self.all
        self.all = self.all._replace(rows=self._rows(len(self.all.F)))
        part = self.points
        self.points = self.all if whole else part._replace(rows=self._rows(len(part.F)))

    def afresh(self, state: State) -> tuple[np.ndarray, float]:
        """``F = target - K beta`` from nothing, and how far rounding may have moved an entry."""
        points = self.all
        n = len(points.order)
        F, size = np.zeros(len(points.F)), np.zeros(len(points.F))
        F[:n] = self.problem.form.target
        size[:n] = np.abs(F[:n])
        subtract(points, state.beta, F, size)
        return F[:n], NOISE * float(size.max())

    def check(self, state: State, tol: float) -> None:
        """Where m and M promise the optimum: see whether it is one of all points and a fresh F."""
        if is_shrunk(state):
            self._bring_back(state)
            count = state.count
            wait = FIRST_WAIT << min(int(count[REBUILDS]), 20)
            count[REBUILDS] += 1
            count[SHRINK] = count[STEPS] + min(wait, INTERVAL)
            if state.level[BEST] - state.level[LEAST] >= tol:
                return
        state.F[:], rounding = self.afresh(state)
        survey(self.problem.form, state)
        state.level[ROUNDING] = rounding

    def shrink(self, state: State) -> None:
        """Set aside whom no violating pair could use now."""
        form, beta, F, count = self.problem.form, state.beta, state.F, state.count
        pause = INTERVAL
        if is_shrunk(state):
            # The longer the same points do, the more seldom the others are looked at.
            self._bring_back(state)
            pause = int(count[STEPS])
        m, M = state.level[BEST], state.level[LEAST]
        stay = (beta < form.upper) & (F >= M) | (beta > form.lower) & (m >= F)
        if np.count_nonzero(stay) <= (1.0 - WORTH) * len(beta):
            state.reference[:] = beta
            state.active[:] = stay
        count[SHRINK] = count[STEPS] + pause

    def _bring_back(self, state: State) -> None:
        """Bring F of those set aside up to date, and let all take part."""
        aside = state.active == 0
        n, size = len(state.F), len(self.all.F)
        F, unused = np.zeros(size), np.zeros(size)
        F[:n] = state.F
        subtract(self.all, state.beta - state.reference, F, unused)
        state.F[aside] = F[:n][aside]
        state.active[:] = 1
        survey(self.problem.form, state)


def _is_cheap(form: DualForm) -> bool:
    """Whether a kernel row is a few multiplications an entry."""
    return form.ops.tolist() == [LINEAR] and form.X.shape[1] <= FEW_FEATURES


def survey(form: DualForm, state: State) -> None:
    """Find m and M over the active points."""
    beta, F = state.beta, state.F
    up, low = beta < form.upper, beta > form.lower
    if len(state.active):
        active = state.active.view(np.bool_)
        up, low = up & active, low & active
    # Plus 0.0, for a zero without a sign.
    state.level[BEST] = F[up].max(initial=-np.inf) + 0.0
    state.level[LEAST] = F[low].min(initial=np.inf) + 0.0
    state.level[ROUNDING] = 0.0


def is_shrunk(state: State) -> bool:
    """Whether points are set aside."""
    return len(state.active) > 0 and not state.active.all()


def _fill(points: Points, state: State) -> Points:
    """Copy beta and F of a state; what follows from them is up to the steps."""
    order = points.order
    n = len(order)
    if n == len(state.beta):
        points.beta[:n], points.F[:n] = state.beta, state.F
    else:
        points.beta[:n], points.F[:n] = state.beta[order], state.F[order]
    points.level[:] = state.level
    points.count[:] = state.count
    return points
