"""The badge: whether the solution is optimal, and the numbers that show it."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from solvers import BadInput, Certificate, Problem, Reason
from solvers.kernels.mercer import MAX_POINTS
from solvers.problem.reduced_hulls import ReducedHulls
from svmviz.base.words import count, number, percent, primal_help, primal_name, tidied
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.objective_curves import ObjectiveCurve
from svmviz.frames.part_risks import error_sentence, error_words
from svmviz.lessons.shows import GAP
from svmviz.plane.decision_study import machine_words
from svmviz.stage.stage import Stage
from svmviz.widgets.badge import Badge, BadgeState
from svmviz.widgets.column import NO_LIMIT
from svmviz.widgets.styling import StyleFollower

# With a larger gap, relative to max(|P|, |D|), the badge does not say "optimal", although no KKT
# violation exceeds the tolerance.
MAX_GAP = 0.5
# The widget is as wide as a badge with LONGEST_TEXT, which is about the longest text. If there is
# less room, it is narrower, but not narrower than a badge with SHORTEST_TEXT.
LONGEST_TEXT, SHORTEST_TEXT = (
    "not optimal yet · training error 1.2 %, validation 12 %, test 1.2 % (seen)",
    "optimal",
)
# A gap of at most this fraction of max(|P|, |D|) is rounding error, and is shown as 0. So is a KKT
# violation of at most this value.
ROUNDING = 1e-12
KKT = "KKT: Karush, Kuhn and Tucker"


class BadgePanel(StyleFollower, QWidget):
    """The badge at the top right of the window.

    Parameters
    ----------
    stage : Stage

    Signals
    -------
    clicked()
        The user wants to see the numbers over the steps.
    resized()
        The size has changed, because the style or the maximum width has changed.
    """

    clicked = Signal()
    resized = Signal()

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self._feed, self._view = stage.feed, stage.view
        self.badge = Badge()
        self.badge.setCursor(Qt.CursorShape.PointingHandCursor)
        self.badge.clicked.connect(self.clicked)
        self._max_width = NO_LIMIT
        self._box = QHBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        # The badge is at the right edge of this widget, whose width does not depend on the text.
        self._box.addStretch(1)
        self._box.addWidget(self.badge)
        stage.feed.panel_frame_changed.connect(self._show)
        stage.feed.curves_changed.connect(self._show)
        stage.view.hiding_changed.connect(self._show)
        self.follow_style(BadgePanel._fit)
        self._show()

    def keep_within(self, width: int) -> None:
        """Set the maximum width, px. A text that does not fit is replaced by a shorter one."""
        self._max_width = width
        self._fit()

    def _fit(self) -> None:
        old_size = self.size()
        # The width is fixed, because each change of it would lay out the whole window again.
        longest, shortest = Badge(LONGEST_TEXT).sizeHint(), Badge(SHORTEST_TEXT).sizeHint()
        self.setFixedSize(
            min(longest.width(), max(self._max_width, shortest.width())), longest.height()
        )
        self.badge.setMaximumWidth(self.width())
        self.badge.updateGeometry()
        self._box.activate()
        if self.size() != old_size:
            self.resized.emit()

    def sizeHint(self) -> QSize:
        # A menu bar uses only the size hint of its corner widget.
        return self.minimumSize()

    def _show(self, _signal_value: object = None) -> None:
        frame = self._feed.panel_frame
        self.badge.setVisible(GAP not in self._view.hidden)
        self.badge.show_state(*describe(frame, self._feed.curves))
        # Lay out now; otherwise a longer text would be cut until the event loop runs again.
        self._box.activate()


def is_optimal(certificate: Certificate, tol: float) -> bool:
    """Return whether no point violates its KKT condition by more than ``tol``, in units of f."""
    return certificate.kkt <= tol


def verdict_words(frame: Frame) -> tuple[str, ...]:
    """Return the text of the badge and shorter ones; empty before there is a verdict."""
    lane = frame.lane
    state, words = (BadgeState.BUSY, "") if lane is None else _verdict(lane)
    if lane is None or state is BadgeState.BUSY:
        return ()
    errors = error_words(frame.document, lane, machine_words(frame))
    return (*(f"{words} · {error}" for error in errors), words)


def describe(
    frame: Frame, curves: tuple[ObjectiveCurve, ...] = ()
) -> tuple[BadgeState, str, str, tuple[str, ...]]:
    """Return state, text, tooltip and shorter texts for the lane in focus.

    If the text does not fit, the badge shows the first of the shorter texts that fits.
    """
    lane = frame.lane
    if lane is None:
        if frame.trouble:
            document = frame.document
            is_empty, has_one_class = document.n == 0, len(np.unique(document.data.labels)) < 2
            words = "needs both classes" if has_one_class else "cannot be solved"
            words = "no points yet" if is_empty else words
            state = BadgeState.NEUTRAL if is_empty else BadgeState.WARN
            return state, words, frame.trouble, ()
        return BadgeState.BUSY, "getting ready", "The method is being made ready.", ()
    state, words = _verdict(lane)
    texts = verdict_words(frame)[:-1] or (words,)
    return state, texts[0], _tooltip(frame, lane, curves), texts[1:]


def _verdict(lane: Lane) -> tuple[BadgeState, str]:
    """Return state and words on whether the step is optimal.

    At the newest step of a run that is still solving, the words say so. At the last step of a run
    that has ended without an optimum, they say how it ended.
    """
    if lane.stop is None and lane.step == lane.length:
        return BadgeState.BUSY, f"solving: step {count(lane.step)}"
    if is_optimal(lane.certificate, lane.kkt_tolerance):
        # The KKT conditions hold at every stationary point.
        if lane.gap_proves is None:
            return BadgeState.NEUTRAL, "stationary point"
        if not lane.gap_proves:
            return BadgeState.WARN, "not a kernel" if _is_refuted(lane) else "stationary point"
        is_close = lane.certificate.relative_gap <= MAX_GAP
        return (BadgeState.GOOD, "optimal") if is_close else (BadgeState.NEUTRAL, "nearly optimal")
    if not lane.at_end or lane.stop is None:
        if lane.method.maximizes_margin:
            return BadgeState.NEUTRAL, "not optimal yet"
        is_right = lane.method.is_correct(lane.problem, lane.certificate.decision).all()
        return BadgeState.NEUTRAL, "no mistakes left" if is_right else "still makes mistakes"
    if lane.stop.reason is Reason.CONVERGED and lane.method.aim:
        return BadgeState.NEUTRAL, lane.method.aim
    if lane.stop.reason is Reason.NOT_SEPARABLE:
        return BadgeState.WARN, "not separable"
    return BadgeState.WARN, "not optimal"


def _is_refuted(lane: Lane) -> bool:
    """Return whether the kernel is none on these points, so that the dual is not concave."""
    try:
        return lane.certified_problem.concavity.concave is False
    except BadInput:
        return False


def _condition(lane: Lane) -> str:
    """Return a sentence on the tolerance, whether it is met, and the gap that is left."""
    certificate, tol = lane.certificate, number(lane.kkt_tolerance, 2)
    gap = f"the gap P − D is {gap_words(certificate)}"
    if not is_optimal(certificate, lane.kkt_tolerance):
        by = f"by {_violation_words(certificate.kkt)}, more than the tolerance {tol}"
        return f"Not optimal: a point misses its optimality condition ({KKT}) {by}; {gap}."
    met = f"Every point meets its optimality condition ({KKT}) to within {tol}"
    if not lane.gap_proves:
        return f"{met}, which proves no optimum here."
    if certificate.relative_gap <= MAX_GAP:
        boundary = "f" if lane.problem.task == "regression" else "boundary"
        return (
            f"Optimal: {met[0].lower()}{met[1:]}, and {gap}.\n"
            f"That means that no other {boundary} has a smaller P, not that no point is wrong."
        )
    return f"{met}, but {gap}: with so large a C, only a smaller tolerance makes it small."


def gap_words(certificate: Certificate) -> str:
    """Return the gap P - D as a multiple of D, such as ``0.2 % of D`` or ``2.4 times D``.

    If D <= 0, return the gap itself.
    """
    gap, dual = certificate.gap, certificate.dual
    if math.isinf(gap):
        return "∞"
    if abs(certificate.relative_gap) <= ROUNDING:
        return "0"
    if dual <= 0.0:
        return number(gap, 2)
    ratio = gap / dual
    return f"{number(ratio, 2)} times D" if ratio >= 1.0 else f"{percent(ratio)} of D"


def describe_problem(lane: Lane) -> str:
    """Return a sentence on the problem that a method without C solves, and on the P shown."""
    problem = lane.certified_problem
    if lane.method.aim:
        return f"{lane.method.label} does not use C or minimise P. This P is of the hard margin."
    if isinstance(problem, ReducedHulls):
        cap = number(problem.mu)
        return f"The problem: nearest points of the hulls reduced to μ = {cap}. C is not used."
    return "The problem: the hard margin, C = ∞. The C of the settings is not used."


def _why_no_proof(problem: Problem) -> str:
    """Return a sentence on why neither KKT nor the gap proves an optimum."""
    try:
        concave = problem.concavity.concave
    except BadInput as error:
        return tidied(str(error))
    if concave is None:
        why = f"{MAX_POINTS} of the points were checked, and on all the dual may not be concave"
    elif concave:
        why = "K is positive semi-definite only for Σ β = 0, which this step does not keep"
    else:
        why = "this kernel is not positive semi-definite on these points, and the dual not concave"
    return f"KKT and gap prove no optimum: {why}."


def _worst_violation(certificate: Certificate) -> str:
    """Return the largest KKT violation, and the point that it is of."""
    worst = int(certificate.violation.argmax()) + 1
    of_point = f" (point {worst})" if certificate.kkt > ROUNDING else ""
    return f"largest KKT violation  {_violation_words(certificate.kkt)}, in units of f{of_point}"


def _violation_words(violation: float) -> str:
    """Return a KKT violation as text; rounding error is written as 0."""
    return number(violation if violation > ROUNDING else 0.0, 2)


def _primal_rose(lane: Lane, curves: tuple[ObjectiveCurve, ...]) -> bool:
    """Return whether P has been smaller at an earlier step of this run."""
    primal = lane.certificate.primal
    for curve in curves:
        if curve.run == lane.run:
            earlier = curve.primal[curve.steps < lane.step]
            return bool(len(earlier)) and primal > float(earlier.min()) * (1.0 + 1e-9)
    return False


def _tooltip(frame: Frame, lane: Lane, curves: tuple[ObjectiveCurve, ...]) -> str:
    """Return the lines of the tooltip: tolerance, step, certificate, errors, end of the run."""
    certificate = lane.certificate
    lower = "dual D, of a repaired α" if certificate.repaired else "dual D"
    # If the dual is not concave, D may be above the optimum.
    has_optimum = lane.stop is None or lane.stop.reason is not Reason.NOT_SEPARABLE
    between = "; the optimum lies between D and P" if lane.gap_proves and has_optimum else ""
    lines = [
        _condition(lane),
        f"Step {count(lane.step)} of {count(lane.length)}",
        _worst_violation(certificate),
        f"{primal_name(lane.certified_problem)}  {number(certificate.primal)}, to be minimised",
        f"{lower}  {number(certificate.dual)}, to be maximised",
        f"gap P − D  {gap_words(certificate)}{between}",
        f"support vectors  {count(len(lane.expansion.support))} of {count(lane.problem.n)}",
        error_sentence(frame.document, lane, machine_words(frame, with_name=True)),
    ]
    if _primal_rose(lane, curves):
        lines.append(
            "P was smaller at an earlier step. A step that raises D may raise P too; "
            "D is what this method improves."
            if "dual-rises" in lane.method.guarantees
            else "P was smaller at an earlier step: this method does not lower P at every step."
        )
    if lane.certified_problem is not lane.problem:
        lines.append(describe_problem(lane))
    if primal_help(lane.certified_problem):
        lines.append(primal_help(lane.certified_problem))
    if lane.gap_proves is None:
        lines.append("During a drag it is not checked whether the gap proves an optimum.")
    elif not lane.gap_proves:
        lines.append(_why_no_proof(lane.certified_problem))
    if lane.at_end and lane.stop is not None:
        lines.append(tidied(lane.stop.sentence))
    lines.append("A click shows P, D and the gap over the steps.")
    return "\n".join(lines)
