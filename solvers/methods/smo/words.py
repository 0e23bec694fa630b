"""The words of a step of SMO: sentence, formulas, beats, pseudo-code, and the names of variables.

The working-set method has the same words for its pairs.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from solvers.problem.problem import Problem
from solvers.run.beats import ComparedPoints, PseudoCode, pseudo_code, subscript
from solvers.run.formulas import alpha
from solvers.run.templates import step_template

# Notes of a beat: points, the names of their rows in the table of values, and texts.
Notes = list[tuple[int, str, str]]
# The pseudo-code of the two choices that compare the errors of all points, and that of the two
# choices that sweep over the points, for a classification.
PAIR_CODE = """
           | repeat, with E = f − y, F = b − E
    rise   |   i ← αy may rise, smallest Eₖ
    fall   |   m ← αy may fall, largest Eₖ
    test   |   if Eₘ − Eᵢ < tol: stop
    slopes |   ηₖ ← Kᵢᵢ + Kₖₖ − 2Kᵢₖ, Eₖ > Eᵢ
    gain   |   ΔDₖ ← (Eₖ − Eᵢ)² / (2ηₖ)
    second |   j ← may fall, largest ΔDₖ
    first  |   j ← m
    eta    |   η ← Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ
    top    |   αⱼ ← αⱼ + yⱼ(Eᵢ − Eⱼ) / η
    ends   |   L, H ← range of αⱼ
    box    |   if αⱼ < L or αⱼ > H
    clip   |     αⱼ ← the nearer end
    other  |   αᵢ ← αᵢ + yᵢyⱼ (old αⱼ − αⱼ)
    free   |   b ← mean F of 0 < α < C
    middle |   if none: b ← middle of interval
    """
SWEEP_CODE = """
                | E = f − y, F = b − E
    both-sweeps | for j in all points, then the free
    all-points  | for j in all points
    violates    |   if j violates KKT by > tol
    furthest    |     i ← free, largest |Eᵢ − Eⱼ|
    next-free   |     else i ← next free, random start
    next-of-all |     else i ← next of all, random start
    drawn       |     i ← drawn at random
    twin        |     i, j ← each or its twin
    eta         |     η ← Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ
    top         |     αⱼ ← αⱼ + yⱼ(Eᵢ − Eⱼ) / η
    ends        |     L, H ← range of αⱼ
    box         |     if αⱼ < L or αⱼ > H
    clip        |       αⱼ ← the nearer end
    other       |     αᵢ ← αᵢ + yᵢyⱼ (old αⱼ − αⱼ)
    free        |     i or j free: b ← its F
    mean        |     neither free: b ← (Fᵢ + Fⱼ) / 2
    middle      |     optimal: b ← middle of interval
    """
# The first line of the pseudo-code for a regression.
REGRESSION_LINE = """
           | E ← f − y + sε, s = +1 for α*, −1 for α
    """


@functools.cache
def code_of(choice: str, task: str) -> PseudoCode:
    """Return the pseudo-code of a choice of the pair."""
    if choice == "second-order":
        return code_for_task("Fan, Chen and Lin 2005", PAIR_CODE, task).without("first")
    if choice == "maximal-violation":
        return code_for_task("Keerthi et al. 2001", PAIR_CODE, task).without(
            "slopes", "gain", "second"
        )
    # Only a point of a regression has two variables, which are twins.
    unused = ["twin"] if task == "classification" else []
    if choice == "platt":
        code = code_for_task("Platt 1998", SWEEP_CODE, task)
        return code.without("drawn", "all-points", *unused)
    code = code_for_task("Platt 1998, simplified", SWEEP_CODE, task)
    return code.without("furthest", "next-free", "next-of-all", "both-sweeps", *unused)


def code_for_task(source: str, text: str, task: str) -> PseudoCode:
    """Return pseudo-code for a task; ``text`` is that for a classification.

    In a regression the sign s of a variable takes the place of y.
    """
    if task == "regression":
        text = text.replace("E = f − y, F", "F")
        text = re.sub("(?<![a-z])y(?![a-z])", "s", text.replace("αy", "sα"))
        text = REGRESSION_LINE + text
    return pseudo_code(source, text)


SENTENCE = r"""
    $subject: $bounds; the lower bound D rises by ${rise:.2g}.
    why: $reason; $end_of_step.
    """
BY_ERRORS = r"""
    # Which may rise
    $rising_variables may rise, as the bounds leave room ($rises_if): the smallest error $E_is is
    $smallest_E, at $name_i$tied_i.
    pair: NOTHING
    points: i_points
    others: rising
    notes: rise_notes
    compared: rise_groups
    line rise: i = $short_i
    asks point rise_choice: $rising_variables may rise, as the bounds leave room ($rises_if).
    Which point has the smallest error $E_is of them? Click it.

    # Which may fall
    $falling_variables may fall: the largest E is $largest_E, at $name_m$tied_m, above E of
    $name_i by their violation $violation.
    pair: NOTHING
    points: m_points
    others: falling
    notes: fall_notes
    compared: fall_groups
    line fall: m = $short_m
    line test: $violation ≥ tol
    asks point fall_choice: $falling_variables may fall, as the bounds leave room ($falls_if).
    Which point has the largest error $E_is of them? Click it.

    # Its partners
    With $name_i, $partner_variables would raise the dual objective D by (Eₖ − Eᵢ)² / (2η)[[ (with
    $tau for an η that is not above 0)]] if no bound stops it; the largest wins.
    when: second_order
    pair: NOTHING
    points: i_points
    others: partners
    notes: gain_notes
    compared: partner_groups
    line slopes:
    line gain: $n_partners ${n_partners:pair|pairs}
    line partner: $n_partners ${n_partners:pair|pairs}
    asks point gain_choice: With $name_i, a point that may fall promises a rise of D by
    (Eₖ − Eᵢ)² / (2η) if Eₖ > Eᵢ, else none; η = Kᵢᵢ + Kₖₖ − 2Kᵢₖ. Which one promises
    most? Click it.

    # Why this pair
    Pair ($short_i, $short_j): $largest_gain_j promises the largest rise of D, $largest_rise[[,
    ahead of $next_rise]]$tied_j[[; the bounds on α allow a rise of $allowed_rise]]. ||
    Pair ($short_i, $short_j): the best partner would move by less than rounding, so $fallback_j
    with the largest E takes its place. || Pair ($short_i, $short_j) violates optimality
    most${of_pairs}: one may rise with E = $smallest_E, the other may fall with E = $largest_E; at
    the optimum all that may rise have at least as large an E as all that may fall.
    pair: PAIR
    points: pair_points
    others: partners
    notes: why_notes
    compared: why_groups
    line second: j = $second_j
    line partner: j = $second_j
    line first: j = $first_j
    asks point pair_choice: Which two points violate optimality most, and move? Click both.
    """
BY_SWEEPS = r"""
    # A violator
    The sweep comes to $name_violator: it violates its KKT condition by $violator_violation, so a
    pair with ${classification:it|it or its twin} has to move.
    pair: NOTHING
    points: violator_points
    notes: violator_notes
    compared: violator_groups
    line both-sweeps:
    line all-points:
    line violates: j = $short_violator
    asks point violator_choice: The sweep goes on $sweep_from. Which is the next point that violates
    its KKT condition by more than the tolerance, and can move? Click it.
    missed: The sweep takes the points as they are numbered$sweep_over.

    # Its partner
    Partner of $name_violator is $name_partner, which $partner_clause[[; $why_twin, with
    E = $twin_E]].
    pair: PAIR
    points: sweep_points
    notes: partner_notes
    line furthest: $furthest
    line next-free: $next_free
    line next-of-all: $next_of_all
    line drawn: $drawn
    line twin: ${twin_line}
    asks point partner_choice: The partner is free, 0 < α < C. Which free point has the largest
    |Eᵢ − Eⱼ| with point $violator_number? Click it.
    """
# Formulas of the last beat of the choice, whichever it is.
ERRORS_OF_PAIR = r"""
    formula for pair when classification: E_k = f(x_k) - y_k => $E_name = $f - ${y:()} = $E
    formula for pair when regression: E_k = f(x_k) - y_k + s_k\,\varepsilon
        => $E_name = $f - ${y:()} ${s_epsilon:+} = $E
    """
MOVE = r"""
    # Direction and parabola
    $sum is constant, so the two α ${same_signs:have a constant sum|rise or fall together}: along
    this line the dual objective D is a parabola with curvature η = $eta and its top at $a_j = $top.
    || $sum is constant, so the two α ${same_signs:have a constant sum|rise or fall together}: along
    this line the dual objective D has the curvature η = $eta, which is not above 0, and so no
    top$without_top.
    pair: VERTEX
    points: pair_points
    notes: old_notes
    line eta: η = $eta
    line top: $j_alpha = $goal || none: η ≤ 0
    line move: η = $eta
    asks number η=eta: For this pair Kᵢᵢ = $K_ii, Kⱼⱼ = $K_jj and Kᵢⱼ = $K_ij. What is the curvature
    η of D along their line?
    missed: η = Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ.
    asks number αⱼ=top: αⱼ = $old_j, $sign_name = ${y_j:+d}, Eᵢ = $E_i, Eⱼ = $E_j and η = $eta. At
    which αⱼ is the top of D?
    missed: αⱼ + $sign_name (Eᵢ − Eⱼ)/η.
    size: old_j top
    formula: \eta = K_{ii} + K_{jj} - 2 K_{ij} => \eta = $K_ii + ${K_jj:()} - 2 \cdot ${K_ij:()} =
        $eta[[, \quad \eta \leftarrow $endless_eta]]
    formula: $top_letter = $letter_j + \frac{$sign_j\,(E_i - E_j)}{\eta} => $top_name =
        $old_j + \frac{$y_j \cdot \left($E_i - ${E_j:()}\right)}{$divisor} = $goal
    formula: $top_letter = \infty \text{ if } $sign_j\,(E_i - E_j) > 0, \text{ else } {-}\infty,
        \quad \text{because } \eta \leq 0 => $top_name = $no_top

    # Where the box clips
    The bounds on both α, the box $box, leave $a_j between L = $low and H = $high: $stop.
    pair: SEGMENT
    points: pair_points
    notes: old_notes
    line ends: L = $low, H = $high
    line box: ${cut_short:yes|no}
    line clip: $j_alpha = $end = $clip
    line move: $j_alpha = $new_j
    asks number L=low_asked H=high_asked: αᵢ = $old_i, αⱼ = $old_j, $one_C = $C_i, and the $signs
    are ${same_signs:equal|different}. Between which ends L and H can αⱼ move? || αᵢ = $old_i,
    αⱼ = $old_j, Cᵢ = $C_i, Cⱼ = $C_j, and the $signs are ${same_signs:equal|different}. Between
    which ends L and H can αⱼ move?
    missed: $ends_rule.
    size: old_i old_j
    asks number L=lowest: αᵢ = $old_i, αⱼ = $old_j, the $signs are different, and without C there is
    no H. From which L on can αⱼ move?
    missed: L = max(0, αⱼ − αᵢ), since αⱼ − αᵢ is constant.
    size: old_i old_j
    asks number αⱼ=stop_j: The top is at αⱼ = $top, and L = $low, H = $high. Where does αⱼ go? || D
    has no top and rises with ${to_high:larger|smaller} αⱼ, and L = $low, H = $high. Where does αⱼ
    go?
    missed: To the top, or to the nearer of L and H.
    slip unclipped: That is the top, but it is beyond $end.
    formula when same_signs: L = \max(0,\ $letter_i + $letter_j - $top_i), \quad
        H = \min($top_j,\ $letter_i + $letter_j) =>
        L = \max\left(0,\ $old_i + $old_j - $C_i\right) = $low,
        \quad H = \min\left($C_j,\ $old_i + $old_j\right) = $high
    formula when opposite_signs: L = \max(0,\ $letter_j - $letter_i), \quad
        H = \min($top_j,\ $top_i + $letter_j - $letter_i) =>
        L = \max\left(0,\ $old_j - $old_i\right) = $low,
        \quad H = \min\left($C_j,\ $C_i + $old_j - $old_i\right) = $high
    formula: $new_letter_j = \mathrm{clip}\left($top_letter,\ L,\ H\right) => $new_name_j =
        \mathrm{clip}\left($unclipped,\ $low,\ $high\right) = $new_j

    # New α, b and ${classification:boundary|curve}
    $a_i: $old_i → $new_i; $a_j: $old_j → $new_j; the lower bound D rises by $rise, and the
    ${classification:boundary|curve} follows$b_clause.
    points: pair_points
    notes: new_notes
    line other: $i_alpha = $new_i
    line free: b = $b_free
    line mean: b = $b_mean
    line middle: b = $b_middle
    asks number αᵢ=new_i: αⱼ goes from $old_j to $new_j, αᵢ was $old_i, and the $signs are
    ${same_signs:equal|different}. What is αᵢ now?
    missed: $sum is constant: ${same_signs:what one gains the other loses|both change by the same}.
    size: old_i new_j
    asks case b_case: The pair has α = $new_i and $new_j now. How is b computed? $b_choices
    missed: $b_rule.
    formula: $new_letter_i = $letter_i + $sign_i $sign_j\,($letter_j - $new_letter_j) =>
        $new_name_i = $old_i $plus \left($old_j - $new_j\right) = $new_i
    formula for F_of_pair: F_k = b - E_k - \Delta\beta_i K_{ik} - \Delta\beta_j K_{jk}
        => $F_name = $b_before - ${E_k:()} ${less_i:+} \cdot ${K_ik:()} ${less_j:+} \cdot
        ${K_jk:()} = $F_k
    formula when by_middle: b^{\mathrm{new}} = \frac{1}{2} \left(\max_{k \in I_{\mathrm{up}}$in_set}
        F_k + \min_{k \in I_{\mathrm{low}}$in_set} F_k\right), \quad $F_is => b^{\mathrm{new}} =
        [[\left($m_name + $M_name\right) / 2 = ]]\left($m_after ${M_after:+}\right) / 2 = $middle
    formula when by_pair: b^{\mathrm{new}} = F_k \ \text{ of a free one of the pair, else the mean
        of both} => b^{\mathrm{new}} = $mean_of_F = $b
    formula when by_free: b^{\mathrm{new}} = \frac{1}{|S|} \sum_{k \in S} F_k, \quad $S_is, \quad
        $F_is => b^{\mathrm{new}} = $mean_of_F = $b
    """


def clipped(unclipped: float, low: float, high: float) -> float:
    """Return a value, moved to the nearer end of [low, high] if it is outside."""
    return min(max(unclipped, low), high)


def low_end(old_i: float, old_j: float, C_i: float, C_j: float, same_signs: bool) -> float:
    """Return L, the lower end of the segment; C_j only gets as many digits as the others."""
    return max(0.0, old_i + old_j - C_i if same_signs else old_j - old_i)


# How values follow from others, which are the parameters of the function.
SUMS = {
    "E": lambda f, y, s_epsilon: f - y + s_epsilon,
    "eta": lambda K_ii, K_jj, K_ij: K_ii + K_jj - 2.0 * K_ij,
    "goal": lambda old_j, y_j, E_i, E_j, divisor: old_j + y_j * (E_i - E_j) / divisor,
    "low": low_end,
    "low_asked": low_end,
    "high": lambda old_i, old_j, C_i, C_j, same_signs: min(
        C_j, old_i + old_j if same_signs else C_i + old_j - old_i
    ),
    "top": lambda old_j, y_j, E_i, E_j, eta: old_j + y_j * (E_i - E_j) / eta,
    "new_j": clipped,
    "new_i": lambda old_i, old_j, new_j, sign: old_i + sign * (old_j - new_j),
    "F_k": lambda b_before, E_k, less_i, K_ik, less_j, K_jk: (
        b_before - E_k + less_i * K_ik + less_j * K_jk
    ),
    "middle": lambda m_after, M_after: 0.5 * (m_after + M_after),
}
# The words of a step by a choice that compares errors, and by a choice that sweeps over the points.
PAIR_STEP, SWEEP_STEP = (
    step_template(SENTENCE + choice + ERRORS_OF_PAIR + MOVE, kind="pair", sums=SUMS)
    for choice in (BY_ERRORS, BY_SWEEPS)
)


def variable_noun(problem: Problem) -> str:
    """Return the word by which variables are counted: a regression has two for each point."""
    return "point" if problem.task == "classification" else "variable"


def short_name(problem: Problem, variable: int) -> str:
    """Return the number of a variable's point, such as ``3``; in a regression its full name."""
    point = f"{problem.point_of(variable) + 1}"
    return point if problem.task == "classification" else problem.name_of(variable)


def point_name(problem: Problem, variable: int) -> str:
    """Return the name of a variable in sentences, such as ``point 3``; or its full name."""
    is_point = problem.task == "classification"
    return f"point {variable + 1}" if is_point else problem.name_of(variable)


def alpha_symbol(problem: Problem, variable: int) -> str:
    """Return α, or α* for a variable of a regression that raises f."""
    return "α*" if problem.task == "regression" and problem.sign[variable] > 0 else "α"


def alpha_name(problem: Problem, variable: int) -> str:
    """Return a variable as α with the number of its point as subscript; α* has a star."""
    star = alpha_symbol(problem, variable)[1:]
    return f"α{subscript(problem.point_of(variable) + 1)}{star}"


def labelled(problem: Problem, variable: int, text: str) -> str:
    """Return a text beside the point of a variable; in a regression it says which variable.

    A point of a regression has two variables, so ``E = 1`` beside a point would be ambiguous.
    """
    return (
        text if problem.task == "classification" else f"{alpha_symbol(problem, variable)}: {text}"
    )


def named_like_alpha(problem: Problem, variable: int, letter: str) -> str:
    r"""Return a letter in LaTeX with the marks of a variable's alpha, such as ``E_{3}^{*}``."""
    return alpha(problem, variable).replace(r"\alpha", letter)


def points_of(problem: Problem, variables: Sequence[int] | np.ndarray) -> list[int]:
    """Return the points of some variables, each once."""
    return list(dict.fromkeys(points_of_each(problem, np.asarray(variables, dtype=np.int64))))


def points_of_each(problem: Problem, variables: np.ndarray) -> list[int]:
    """Return the point of each variable; a point may occur twice."""
    # As `Problem.point_of` for each, but fast for thousands of them.
    return (variables % problem.n).tolist()


def notes_of(problem: Problem, texts: Sequence[tuple[int, str]]) -> Notes:
    """Return notes on variables: pairs of a variable and a text."""
    return [(problem.point_of(k), point_name(problem, k), text) for k, text in texts]


def compared_group(
    problem: Problem,
    name: str,
    variables: np.ndarray,
    errors: np.ndarray,
    selected: int | None = None,
    rises: Any = (),
) -> ComparedPoints:
    """Return a group of variables with their errors, for a chart; the group is called ``name``.

    ``selected`` is the variable of the group that the method selects. ``rises`` are the predicted
    rises of the dual, if the method predicts them.
    """
    positions = np.flatnonzero(variables == selected).tolist() if selected is not None else []
    points = tuple(points_of_each(problem, variables))
    selected = positions[0] if positions else None
    return ComparedPoints(name, points, tuple(errors.tolist()), selected, tuple(rises))
