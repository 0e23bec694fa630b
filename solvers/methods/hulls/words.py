"""The words of a step towards the nearest points of two hulls, for each algorithm, and its code.

The weights are called tau and not lambda, since elsewhere lambda is ``1 / (C n)``. The weights of
the pairwise algorithm, whose sum varies, are called zeta on screen; divided by their sum in each
class they are tau.
"""

from __future__ import annotations

from solvers.run.beats import PseudoCode, pseudo_code
from solvers.run.templates import step_template

# First and last line of the pairwise sweep, by the settings ``initial`` and ``criterion``.
STARTS = {"zero": "ζ ← 0", "means": "ζ ← 1/n₊ in class +1, 1/n₋ in class −1"}
ENDS = {"kkt": "until the KKT violation ≤ tol", "delta": "until all |δ| of a sweep ≤ tol"}
PAIRWISE_CODE = """
             | {start}
             | u, v ← Σ ζx of class +1, of −1
             | repeat for all i of class +1, j of class −1
        pair |   i, j ← the next pair that moves
        low  |   M ← max(−ζᵢ, −ζⱼ)
        top  |   δ ← (1 − ⟨u − v, xᵢ − xⱼ⟩) / ‖xᵢ − xⱼ‖²
        box  |   if δ < M
        clip |     δ ← M
        move |   ζᵢ ← ζᵢ + δ, ζⱼ ← ζⱼ + δ
             | {end}
             | p, q ← u, v, each divided by its Σ ζ
        """
# The pseudo-code of the other algorithms.
CODES = {
    "mdm": pseudo_code(
        "Mitchell, Dem'yanov, Malozemov 1974",
        """
             | repeat in the class of larger difference
        pair |   i ← nearest with τ < μ
        far  |   j ← farthest with τ > 0
        low  |   M ← min(τⱼ, μ − τᵢ)
        top  |   δ ← |⟨p − q, xᵢ − xⱼ⟩| / ‖xᵢ − xⱼ‖²
        box  |   if δ > M
        clip |     δ ← M
        move |   τᵢ ← τᵢ + δ, τⱼ ← τⱼ − δ
        """,
    ),
    "wolfe": pseudo_code(
        "Wolfe 1976",
        """
              | repeat
        join  |   corral S ← S and the worst violator
        solve |   Δ ← step to the best τ on S
        drop  |   if a τ meets its bound: S ← S without it
        move  |   τ ← τ + sΔ, s ≤ 1 as far as the box allows
        """,
    ),
}


def code_of(algorithm: str, initial: str, criterion: str) -> PseudoCode:
    """Return the pseudo-code of an algorithm, with the settings of the pairwise sweep."""
    if algorithm != "pairwise":
        return CODES[algorithm]
    text = PAIRWISE_CODE.format(start=STARTS[initial], end=ENDS[criterion])
    return pseudo_code("Platt 1998, for hulls", text)


# The last beat of a step that moves two weights; its formula follows.
MOVE = r"""
    # The step
    $why_delta, so δ = $delta: $symbol${i:sub}: $old_i → $new_i,
    $symbol${j:sub}: $old_j → $new_j[[; ‖p − q‖: $distances]].
    line box: ${clipped:yes|no}
    line clip: δ = $clip
    line move: δ = $delta
    asks number δ=delta: The minimum is at δ = $minimum, and δ $at_bound M = $low. How far does the
    step go?
    missed: To the minimum, or only to M if the minimum is beyond M.
    slip minimum: That is the minimum, but it is beyond M.
    note i: $symbol $old_i → $new_i
    note j: $symbol $old_j → $new_j
    """
# The formula that every step ends with: how inner products alone give the distance of p and q.
DISTANCE = r"""
    formula: \|p - q\|^2 = R - 2 S + T, \quad R = \langle p, p\rangle,
        \ S = \langle p, q\rangle, \ T = \langle q, q\rangle
        => \|p - q\|^2 = $R - 2 \cdot ${S:()} + $T = $squared_distance
    """
SUMS = {
    "squared_distance": lambda R, S, T: R - 2.0 * S + T,
    "new_i": lambda old_i, change_i: old_i + change_i,
    "new_j": lambda old_j, change_j: old_j + change_j,
}
MDM_SUMS = SUMS | {
    "delta": lambda old_j, mu, old_i, unclipped: min(old_j, mu - old_i, unclipped),
}
PAIRWISE_SUMS = SUMS | {"delta": lambda low, inner, eta: max(low, (1.0 - inner) / eta)}
STEPS = {
    "pairwise": step_template(
        r"""
    Pair ($i, $j): both ζ ${rises:grow|fall} by $size[[, until $emptied]]; the
    objective falls by ${fall:.2g}.

    # The pair
    Sweep ${sweep:,} comes to point $i of class +1 and $j of class −1[[; $skipped before it
    would not move]].
    pair: PAIR
    line pair: $i, $j
    note i: ζ = $old_i
    note j: ζ = $old_j

    # The segment
    Both ζ change by the same δ, and δ ≥ M = max(−ζᵢ, −ζⱼ) = $low: the objective ‖u − v‖² − Σ ζ,
    where u and v are the sums of ζ$weighted_x of the two classes, is a parabola in δ with its
    minimum at $unclipped.
    pair: SEGMENT
    line low: M = $low
    line top: δ = $unclipped
    asks number M=low: ζᵢ = $old_i and ζⱼ = $old_j change by the same δ, and neither may fall below
    0. Which is the smallest δ, M?
    missed: M = max(−ζᵢ, −ζⱼ).
    asks number δ=minimum: ⟨u − v, $difference⟩ = $inner and ‖$difference‖² = $eta. At which δ
    is the minimum of ‖u − v‖² − Σ ζ?
    missed: (1 − ⟨u − v, $difference⟩) / ‖$difference‖².
    size: inverse_eta
    note i: ζ = $old_i
    note j: ζ = $old_j
    formula: M = \max\left(-\zeta_i^{+},\ -\zeta_j^{-}\right)
        => M = \max\left($minus_old_i,\ $minus_old_j\right) = $low
    formula: \delta = \max\left(M,\ \frac{1 - \langle u - v,\ $x_difference\rangle}
        {\|$x_difference\|^2}\right), \quad u = \sum_{y_k = +1} \zeta_k $x_k, \ v =
        \sum_{y_k = -1} \zeta_k $x_k
        => \delta = \max\left($low,\ \frac{1 - ${inner:()}}{$eta}\right) = $delta
    """
        + MOVE
        + r"""
    row point $i in p, τ = ζ/Σ ζ: $share_i
    row point $j in q, τ = ζ/Σ ζ: $share_j
    formula: \zeta_i^{+} \leftarrow \zeta_i^{+} + \delta, \quad
        \zeta_j^{-} \leftarrow \zeta_j^{-} + \delta
        => \zeta_{$i}^{+} \leftarrow $old_i ${change_i:+} = $new_i, \quad
        \zeta_{$j}^{-} \leftarrow $old_j ${change_j:+} = $new_j
    """
        + DISTANCE,
        kind="opposite-pair",
        sums=PAIRWISE_SUMS,
    ),
    "mdm": step_template(
        r"""
    Weight $delta goes from point $j to point $i$end; $distance_changes.

    # The pair
    Along p − q, of the points of class ${label:+d} whose weight may grow, point $i is nearest to
    the other hull, and of those with weight point $j is farthest from it: no class has a larger
    difference, so weight moves from $j to $i.
    pair: PAIR
    line pair: i = $i
    line far: j = $j
    asks point gains loses: Along p − q, weight goes from the point with τ > 0 that is farthest from
    the other hull to the nearest one with τ < μ of its class, in the class where these two differ
    more. Click both.
    note i: τ = $old_i
    note j: τ = $old_j

    # The segment
    τ${i:sub} gains the δ that τ${j:sub} loses, and δ ≤ M = min(τⱼ, μ − τᵢ) = $low: ‖p − q‖² is a
    parabola in δ with its minimum at $minimum. || τ${i:sub} gains the δ that τ${j:sub} loses, and
    δ ≤ M = min(τⱼ, μ − τᵢ) = $low: ‖p − q‖² has no minimum in δ, since the curvature $eta is not
    above 0.
    pair: SEGMENT
    line low: M = $low
    line top: δ = $minimum || no minimum
    asks number M=low: τⱼ = $old_j loses what τᵢ = $old_i gains, between 0 and μ = $mu. How much can
    it be, M?
    missed: M = min(τⱼ, μ − τᵢ).
    asks number δ=minimum: ⟨p − q, $difference⟩ = $inner and ‖$difference‖² = $eta. At which δ
    is the minimum of ‖p − q‖²?
    missed: |⟨p − q, $difference⟩| / ‖$difference‖².
    note i: τ = $old_i
    note j: τ = $old_j
    formula: \delta = \min\left(\tau_j,\ \mu - \tau_i,\
        \frac{\left|\langle p - q,\ $x_difference\rangle\right|}{\|$x_difference\|^2}\right)
        => \delta = \min\left($old_j,\ $mu - $old_i,\ $vertex\right) = $delta
    """
        + MOVE
        + r"""
    formula: \tau_i \leftarrow \tau_i + \delta, \quad \tau_j \leftarrow \tau_j - \delta
        => \tau_{$i} \leftarrow $old_i ${change_i:+} = $new_i, \quad
        \tau_{$j} \leftarrow $old_j ${change_j:+} = $new_j
    """
        + DISTANCE,
        kind="pair-in-class",
        sums=MDM_SUMS,
    ),
    "wolfe": step_template(
        r"""
    $joining$leaving; $distance_changes. || τ is already optimal on the corral of
    $full_size, so a point joins it next. || The corral is empty, so a point joins it next.

    # Best on S
    On the corral S of $full_size, τ is already optimal, so a point joins next; $gap_bounds. || The
    corral S is empty, so a point joins next; $gap_bounds.
    when: idle
    points: corral
    line solve: |S| = $n_corral
    formula: $weights_letters => $weights_numbers
    formula: $gap_letters => $gap_terms = $gap

    # The ${n_added:point|points}
    $joiners ${n_added:violates|violate} optimality most, by ${n_added:its position|their positions}
    along p − q: ${n_added:it joins|they join} the corral S, the points whose τ may change.
    points: added
    others: corral
    line join: $added_numbers
    asks point joining_points: Which point violates optimality most, and joins the corral? Click it.
    missed: In each class, of the points whose τ may grow, the one nearest to the other hull along
    p − q; or, of those at μ, the farthest.

    # The segment
    With all other τ fixed, the best τ on the corral S of $size solve linear equations; the step Δ
    leads to them.
    when: acts
    points: corral
    line solve: |S| = $n_corral

    # The step
    $moves[[; ‖p − q‖: $distances]]; $gap_bounds.
    when: acts
    points: moved_first
    line drop: $dropped_numbers
    line move: $moved_count
    asks case drops: Does a τ of the corral meet its bound before the step ends? yes | no
    missed: $moves.
    note moved: τ $old → $new
    formula: $weights_letters => $weights_numbers
    formula: $gap_letters => $gap_terms = $gap
    """
        + DISTANCE,
        kind="corral",
        sums=SUMS,
    ),
}
