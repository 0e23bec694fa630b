"""The words of a step of the working-set method, and its pseudo-code."""

from __future__ import annotations

from solvers.methods.smo.words import SIGN_LINES, SIGNS
from solvers.run.beats import PseudoCode, pseudo_code
from solvers.run.templates import step_template

TEXT = """
                | repeat
    worst       |   if violation < tol over all: stop
    fast        |   B ← worst, free, random violators
    worst-first |   B ← the worst from both sides
    osuna       |   B ← those of B with α > 0, violators
                |   until B is nearly solved:
    rise        |     i ← SIGNED may rise, smallest E
    fall        |     m ← SIGNED may fall, largest E
    partner     |     j ← largest (Eⱼ − Eᵢ)² / 2η
    move        |     αⱼ ← clip(αⱼ + SIGNⱼ(Eᵢ − Eⱼ)/η)
    other       |     αᵢ ← αᵢ − SIGNᵢSIGNⱼ Δαⱼ
    newton      |     or free S: KΔ + b = F on S
    scaled      |     α ← α + t SIGN Δ on S, t ≤ 1
    rest        |   F ← F − KΔβ at all points
    """
CODES = {
    task: pseudo_code(
        "Osuna et al. 1997; Joachims 1999",
        (SIGN_LINES if task == "regression" else "")
        + TEXT.replace("SIGNED", signed).replace("SIGN", sign),
    )
    for task, (sign, signed) in SIGNS.items()
}
# For each choice of the set, the label of its line in the pseudo-code.
CHOICE_LINES = {"fast": "fast", "worst": "worst-first", "osuna": "osuna"}
# The members of the first set and of later sets as LaTeX, for each choice. A set has at most as
# many members as the setting allows.
MEMBERS = {
    "fast": (
        r"\text{worst pair, random violators}",
        r"\text{worst pair, free ones of the last } B \text{, random violators}",
    ),
    "worst": (r"\text{worst violators: one half to rise, one half to fall}",) * 2,
    "osuna": (
        r"\text{worst pair, evenly spaced others}",
        r"\text{those of the last } B \text{ with } \alpha > 0 \text{, violators}",
    ),
}
ALL_MEMBERS = r"\text{all, since all fit}"


def code_of(choice: str, task: str) -> PseudoCode:
    """Return the pseudo-code for a choice of the set."""
    unused = (line for name, line in CHOICE_LINES.items() if name != choice)
    return CODES[task].without(*unused)


# The stopping rule compares m - M over all points with the tolerance.
VIOLATION = r"""
    formula: \max_{i \in I_{\mathrm{up}}} F_i - \min_{j \in I_{\mathrm{low}}} F_j
        => $m - ${M:()} = $shown_violation
    """
SUMS = {"shown_violation": lambda m, M: m - M}
SET_CHOSEN = step_template(
    r"""
    Round $round: $n_chosen chosen[[, $n_repeated of them again]]; over all $noun the worst pair
    violates by ${violation:.2g}.

    # Violation
    Round $round: over all $noun the violation is $violation, which is above the tolerance, so the
    run continues.
    points: no_points
    compared: both_sides
    line worst: $violation ≥ tol
    asks point pair_choice: Of all points, which two violate optimality most: the one with the
    smallest E that may rise, and the one with the largest E that may fall? Click both.
    """
    + VIOLATION
    + r"""

    # Choose
    $n_chosen ${size:forms|form} the set B[[, $n_repeated of them again]]; $others.
    compared: both_sides
    line fast: |B| = $size
    line worst-first: |B| = $size
    line osuna: |B| = $size
    formula: B = $members => B = $set, \quad |B| = $size
    """,
    kind="set",
    sums=SUMS,
)
FREE_MOVED = step_template(
    r"""
    Round $round, Newton step on $n_moved[[ of $n_all]] free $noun: $end; the dual rises by
    ${rise:.2g}.

    # The free $noun
    $n_free of B ${count_free:is|are} free, 0 < α < C: [[$some_moved of them move in this step, and
    ]]the best joint step of their α solves a system of linear equations.
    compared: errors_before
    asks number |S|=free_asked: The set B is all of the $size_of_all. How many of their α are free,
    0 < α < C?
    missed: A free one is neither 0 nor C.

    # Solve
    After the step Δ of their $signed, F of all $n_moved would equal b: this is their joint optimum.
    compared: errors_before
    line newton: |S| = $n_moved
    formula: K_{SS}\,\Delta + b\,\mathbf{1} = F_S, \quad \mathbf{1}^\top \Delta = 0
        => S = $set, \quad t = $fraction || S = $set, \quad t < 1

    # As far as the box allows
    The step goes $extent; D rises by $rise.
    compared: errors
    line scaled: ${is_full:t = 1|t < 1}
    asks case is_full: The joint step to their optimum is computed. Does it fit into the box as a
    whole? yes, t = 1 | no, t < 1
    missed: It goes $extent.
    formula for moved when is_part: $letters \leftarrow $letters + t\, $sign_k \Delta_k, \quad
        t \leq 1 \ \text{ as far as the box allows} => $name \leftarrow $old
        + $t \cdot ${direction:()} = $new
    formula for moved when is_whole: $letters \leftarrow $letters + t\, $sign_k \Delta_k, \quad
        t \leq 1 \ \text{ as far as the box allows} => $name \leftarrow $old ${direction:+} = $new
    """,
    kind="newton",
    sums={"new": lambda old, t, direction: old + t * direction},
)
REST_TESTED = step_template(
    r"""
    Round $round ends: $n_changed α changed; over all $noun the worst pair violates by
    ${positive_violation:.2g}. || Round $round ends: $n_changed α changed; no pair
    violates.

    # The rest
    Round $round has changed $n_changed α, $outside.
    line rest: $n_changed Δβ

    # Test
    Over all $noun the violation is $violation_or_0: if this is below the tolerance, the run ends;
    otherwise a new set is chosen.
    compared: both_sides
    line worst: $shown_violation
    asks case ends: Does the run end now, or is another set chosen? it ends | another set
    missed: It ends if no pair violates optimality by more than the tolerance, and over all points
    the violation is $violation_or_0.
    """
    + VIOLATION,
    kind="test",
    sums=SUMS,
)
