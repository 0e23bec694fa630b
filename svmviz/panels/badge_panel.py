"""Whether the picture is right: one short text, and all the numbers behind it."""

from __future__ import annotations

import math

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QWidget

from solvers import Reason
from svmviz.base.words import PRIMAL_HELP, count, number, primal_name, tidied
from svmviz.frames.curves import Curve
from svmviz.frames.frame import Frame, Lane
from svmviz.stage.stage import Stage
from svmviz.widgets.badge import Badge, State
from svmviz.widgets.styling import StyleFollower

# Above this distance from the optimum, a run that met its own tolerance is not called optimal.
OPTIMAL = 0.01
WIDEST = "nearest points found; within 0.00012 % of the optimum"
LEAST = "optimal"
# From here on, P is told as a multiple of the optimum and not in per cent above it.
TWICE = 0.995
QWIDGETSIZE_MAX = (1 << 24) - 1


class BadgePanel(StyleFollower, QWidget):
    """The badge at the top right of the window.

    Parameters
    ----------
    stage : Stage
    parent : QWidget, optional
    """

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._feed = stage.feed
        self.badge = Badge()
        self._room = QWIDGETSIZE_MAX
        self._box = QHBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        # At the right edge, in a room that does not change with the words.
        self._box.addStretch(1)
        self._box.addWidget(self.badge)
        stage.feed.panel_frame_changed.connect(self._show)
        stage.feed.curves_changed.connect(self._show)
        self.follow_style(BadgePanel._fit)
        self._show()

    def keep_within(self, width: int) -> bool:
        """Have at most so much room, in px; words that need more are cut. Say if that is new."""
        before, self._room = self.width(), width
        self._fit()
        return self.width() != before

    def _fit(self) -> None:
        # Fixed, or every change of the words would have the whole window laid out again.
        widest, least = Badge(WIDEST).sizeHint(), Badge(LEAST).sizeHint()
        self.setFixedSize(min(widest.width(), max(self._room, least.width())), widest.height())
        self.badge.setMaximumWidth(self.width())

    def sizeHint(self) -> QSize:
        # A menu bar places its corner by the hint alone, whatever the size is.
        return self.minimumSize()

    def _show(self, _news: object = None) -> None:
        frame = self._feed.panel_frame
        self.badge.show_state(*judge(frame, best_bound(frame, self._feed.curves)))
        # Now, not with the next turn of the event loop: until then longer words would be cut.
        self._box.activate()


def best_bound(frame: Frame, curves: tuple[Curve, ...]) -> float:
    """The best lower bound on the optimum: a feasible alpha of any step of any lane gives one."""
    shown = {lane.run for lane in frame.lanes}
    known = [float(c.best_dual[-1]) for c in curves if c.run in shown and len(c.best_dual)]
    return max([*(lane.certificate.dual for lane in frame.lanes), *known], default=-math.inf)


def judge(frame: Frame, bound: float) -> tuple[State, str, str]:
    """State, words and tooltip for what is shown, given the best bound on the optimum."""
    lane = frame.lane
    if lane is None:
        if frame.trouble:
            empty = frame.document.n == 0
            words = "no points yet" if empty else "cannot be solved"
            return (State.NEUTRAL if empty else State.WARN), words, frame.trouble
        return State.BUSY, "getting ready", "The solver is being made ready."
    return *_words(lane, _distance(lane, bound)), _numbers(lane, bound)


def _words(lane: Lane, distance: float) -> tuple[State, str]:
    converged = lane.at_end and lane.stop is not None and lane.stop.reason is Reason.CONVERGED
    if converged and not lane.problem.kernel.mercer:
        return State.WARN, "stationary point"
    good = distance <= OPTIMAL
    if converged and lane.method.aim:
        # It does not look for this optimum; how near it came, the certificate tells.
        words = f"{lane.method.aim}; {_how_near(distance)}"
        return (State.GOOD if good else State.NEUTRAL), words
    if converged and good:
        return State.GOOD, "optimal"
    if converged and math.isfinite(distance):
        # Of an optimum near 0 a gap is hundreds of thousands of per cent, which tells nobody much.
        far = distance >= TWICE
        near = _how_near(distance) if far else f"gap {_per_cent(distance)}"
        return State.WARN, f"met the tolerance, {near}"
    if lane.stop is None and lane.step == lane.length:
        return State.BUSY, f"solving: step {count(lane.step)}"
    if lane.at_end and lane.stop is not None and lane.stop.reason is Reason.NOT_SEPARABLE:
        return State.WARN, "cannot be separated"
    if math.isinf(lane.certificate.primal):
        return State.WARN, "not separated yet"
    if lane.at_end:
        return State.WARN, _how_near(distance)
    return State.NEUTRAL, _how_near(distance)


def _how_near(distance: float) -> str:
    """How far the objective is from its optimum at most, in per cent of the optimum."""
    if distance < 1e-6:
        return "optimal to rounding"
    if distance >= 99.0:
        return "far from the optimum"
    if distance >= TWICE:
        return f"within {number(1.0 + distance, 2)} times the optimum"
    return f"within {_per_cent(distance)} of the optimum"


def _per_cent(share: float) -> str:
    return f"{number(100 * share, 2)} %"


def _distance(lane: Lane, bound: float) -> float:
    """``(P - bound) / bound``: P is at most this share above the optimum."""
    gap = lane.certificate.primal - bound
    if math.isinf(gap):
        return math.inf
    if gap <= 0.0:
        return 0.0
    return gap / bound if bound > 0 else math.inf


def _numbers(lane: Lane, bound: float) -> str:
    certificate = lane.certificate
    # Of any step and lane: the panel of the objective tells that of the steps so far.
    lower = "dual D" if bound == certificate.dual else "best bound known"
    lower += ", by a repaired α" if certificate.repaired else ""
    lines = [
        f"Step {count(lane.step)} of {count(lane.length)}",
        f"{primal_name(lane.problem.hard)}  {number(certificate.primal)}",
        f"{lower}  {number(bound)}",
        f"gap  {number(certificate.primal - bound)}",
        f"worst KKT violation  {number(certificate.kkt)}, in units of f",
        f"support vectors  {count(len(lane.expansion.support))} of {count(lane.problem.n)}",
    ]
    if lane.problem.hard:
        lines.append(PRIMAL_HELP)
    if not lane.problem.kernel.mercer:
        lines.append("This kernel is not positive semi-definite in general: nothing is certified.")
    if lane.at_end and lane.stop is not None:
        lines.append(tidied(lane.stop.sentence))
    return "\n".join(lines)
