"""Sentences of the Folds panel: the part left out, the risk, its spread and its bounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solvers.run.method import counted
from solvers.selection.estimate import mean_and_spread
from solvers.selection.paired_test import REPLICATIONS, five_by_two_test
from solvers.selection.risks import RISKS
from svmviz.base.words import number
from svmviz.document.document import Document
from svmviz.selection.fold_plan import FoldPlan
from svmviz.selection.part_pictures import LeftOutPart
from svmviz.selection.plan import held_words

# A difference whose p-value is below this level is called rare.
LEVEL = 0.05


def risk_label(plan: FoldPlan, document: Document) -> str:
    """Return the name of the risk, such as "0-1 risk"."""
    names = [risk.name for risk in RISKS.values() if risk.task == document.task]
    return f"{RISKS[plan.risk or names[0]].label} risk"


def summary(parts: Sequence[LeftOutPart], plan: FoldPlan, document: Document, expected: int) -> str:
    """Return sentences on the mean and the spread of the parts' risks, and on the errors.

    ``expected`` is the number of parts of the plan; ``parts`` are those that have arrived.
    """
    if not parts:
        return ""
    mean, spread = mean_and_spread([part.result for part in parts])
    words = f"{plan.words}: mean {risk_label(plan, document)} {number(mean, 3)}"
    if spread is not None:
        words += f", spread {number(spread, 2)}"
    so_far = f" so far, {len(parts):,} of {expected:,} parts" if len(parts) < expected else ""
    words += so_far + "."
    if document.is_regression:
        return words
    wrong = sum(int(part.errors(document.data.labels).sum()) for part in parts)
    left_out = sum(len(part.rows) for part in parts)
    who = f"{wrong:,} {'is' if wrong == 1 else 'are'}" if wrong else "none is"
    return f"{words} Of the {counted(left_out, 'prediction')} for points left out, {who} wrong."


def comparison_words(
    parts: Sequence[LeftOutPart],
    rivals: Sequence[LeftOutPart],
    plan: FoldPlan,
    document: Document,
) -> str:
    """Return sentences on the second model of 5 x 2 halves, and on the paired test."""
    assert plan.rival is not None
    first, second = (
        np.array([part.result.risk for part in of_model]).reshape(REPLICATIONS, 2)
        for of_model in (parts, rivals)
    )
    other = f"{plan.rival.label}: mean {risk_label(plan, document)} {number(second.mean(), 3)}."
    if (first == second).all():
        return f"{other} On every half both models have the same risk."
    t, p = five_by_two_test(first, second)
    if t is None or p is None:
        return f"{other} The difference is the same on all halves, so there is no test."
    verdict = (
        "if both had the same risk, such a difference would be rare."
        if p < LEVEL
        else "if both have the same risk, such a difference is not rare."
    )
    return f"{other} Paired test: t = {number(t, 3)}, p = {number(p, 2)}; {verdict}"


def left_out_words(part: LeftOutPart, document: Document) -> str:
    """Return a sentence on one point that was left out."""
    row = int(part.rows[0])
    value = float(part.result.fit.decision[0])
    if document.is_regression:
        error = abs(float(document.data.points[row, 1]) - value)
        outcome = f"Its error |y − f(x)| is {number(error, 3)}."
        zero_text = "β = 0"
    else:
        label = int(document.data.labels[row])
        wrong = bool(part.errors(document.data.labels)[0])
        outcome = f"f(x) = {number(value, 3)}, y = {'+1' if label > 0 else '−1'}: "
        outcome += "an error." if wrong else "correct."
        zero_text = "α = 0"
    if part.is_retrained:
        return f"Point {row + 1} is left out, and the rest is solved again. {outcome}"
    same = " with the same C" if held_words(document) else ""
    return f"Point {row + 1}: {zero_text}, so leaving it out{same} changes nothing. {outcome}"


def progress_words(shown: int, errors: int, document: Document) -> str:
    """Return a sentence on the number of points left out so far, and the errors among them."""
    words = f"Left out: {shown:,} of {counted(document.n, 'point')}."
    return words if document.is_regression else f"{words} Errors: {errors:,}."


def bounds_words(
    full_fit: LeftOutPart, parts: Sequence[LeftOutPart], plan: FoldPlan, document: Document
) -> str:
    """Return sentences on the risk of leave-one-out, and on upper bounds on its 0-1 risk.

    Parameters
    ----------
    full_fit : LeftOutPart
        The fit on all points, from which the bounds are computed.
    parts : sequence of LeftOutPart
        One per point.
    plan : FoldPlan
    document : Document
    """
    risk = float(np.mean([part.result.risk for part in parts]))
    retrained = sum(part.is_retrained for part in parts)
    words = f"Leave-one-out {risk_label(plan, document)}: {number(risk, 3)}."
    if retrained < len(parts):
        words += f" The problem was solved again for {retrained:,} of {len(parts):,} points."
    bounds = full_fit.result.bounds
    if bounds is None:
        return words
    return (
        f"{words} Bounds: support vectors / n = {number(bounds.support, 3)}, Joachims’ ξα ="
        f" {number(bounds.xi_alpha, 3)}. Both need only the model of all points: a point with"
        " α = 0 stays correct if it is left out, so only a support vector can become an error;"
        " ξα counts the support vectors whose α and ξ are large enough for that."
    )
