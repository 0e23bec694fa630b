"""The words of an iteration of the interior point: sentence, formulas, beats, and pseudo-code."""

from __future__ import annotations

from solvers.methods.interior_point.steps import STEP_FRACTION
from solvers.run.beats import pseudo_code
from solvers.run.templates import step_template

CODE = pseudo_code(
    "Mehrotra 1992",
    f"""
              | u, v ← multipliers of α ≥ 0, α ≤ C
              | repeat until the gap is small
    affine    |   Δᵃᶠᶠ ← Newton step to αu = 0, (C − α)v = 0
    first     |   sᵃᶠᶠ ← longest step along Δᵃᶠᶠ
    center    |   ω ← min(1, μᵃᶠᶠ / μ)³
    correct   |   Δ ← Newton step to αu = ωμ − ΔᵃᶠᶠαΔᵃᶠᶠu,
    correct-v |        (C − α)v = ωμ + ΔᵃᶠᶠαΔᵃᶠᶠv
    length    |   s ← {STEP_FRACTION} · longest step along Δ
    move      |   α, b, u, v ← each + sΔ
    end       | each α near a bound ← this bound
    """,
)


def gap(primal: float, dual: float) -> float:
    """Return the duality gap."""
    return primal - dual


# In the formulas of the lengths of the steps, z is a distance or a multiplier: the largest length
# is the one with which no z falls below 0.
STEP = step_template(
    rf"""
    Iteration $t: $progress, $reach along the corrected direction (ω = ${{sigma:.2g}})[[; $limiting
    limits the step]].
    why: Iteration $t: aimed straight at the optimum, a step could go $predicted_reach; so this step
    aims at ${{sigma:.2g}} times the mean product of distance and multiplier, and goes
    $reach_until.

    # Predictor
    Straight towards the optimum, the step could go $first_reach.
    points: first_points
    line affine:
    line first: s = $predicted
    asks number s=predicted: Straight towards the optimum, $first_quantity would be the first to
    reach 0: it is $first_now, and the whole way would lower it by $first_fall. Which fraction s of
    the way can the step go?
    missed: s = min(1, what it is divided by how much it falls).
    formula: s_{{\mathrm{{aff}}}} = \min\left(1,\ \min_{{\Delta^{{\mathrm{{aff}}}} z < 0}}
        \frac{{z}}{{{{-}}\Delta^{{\mathrm{{aff}}}} z}}\right), \quad
        z \in $bounds => z = $first_z, \quad
        s_{{\mathrm{{aff}}}} = \min\left(1,\ $first_ratio\right) = $predicted
        || s_{{\mathrm{{aff}}}} = 1

    # Corrector
    After it μ, the mean of distance times multiplier, would be $mu_affine instead of $mu; so the
    step aims at products ωμ, where ω = min(1, ratio of the two)³ = $sigma, each corrected by the
    product of the two changes of the predictor.
    points: no_points
    line center: ω = $sigma
    line correct:
    line correct-v:
    asks number ω=sigma: μ = $mu, and after the predictor it would be $mu_affine. What is ω?
    missed: ω = min(1, ratio of the two)³.
    slip mu_ratio: That is the ratio, and ω is its cube.
    formula: \omega = \min\left(1,\ \frac{{\mu_{{\mathrm{{aff}}}}}}{{\mu}}\right)^3
        => \omega = \min\left(1,\ $mu_fraction\right)^3 = $sigma

    # The longest step
    Along the corrected direction the step goes $blocking_reach; so all distances and multipliers
    stay above 0.
    points: blocking_points
    line length: s = $length
    asks number s=length: Along the corrected direction $blocking_quantity would be the first to
    reach 0: it is $blocking_now, and the whole way would lower it by $blocking_fall. Which fraction
    s of the way does the step go?
    missed: s = min(1, {STEP_FRACTION} · what it is divided by how much it falls).
    slip longest: That would end exactly at the bound; the step goes {STEP_FRACTION} of it.
    formula: s = \min\left(1,\ {STEP_FRACTION} \cdot \min_{{\Delta z < 0}} \frac{{z}}{{{{-}}\Delta
        z}}\right), \quad z \in $bounds => z = $blocking_z, \quad
        s = \min\left(1,\ {STEP_FRACTION} \cdot $blocking_ratio\right)
        = $length || s = 1

    # The step
    All α move by s of the way, for instance $farthest from $old to $new[[; the gap is now $gap]].
    line move: s = $length
    asks number α=new: $farthest was $old, the whole way would change it by $alpha_direction, and
    s = $length. What is it now?
    missed: α ← α + s Δα.
    size: old
    formula: $alpha_i \leftarrow $alpha_i + s\, \Delta$alpha_i
        => $farthest_alpha \leftarrow $old + $length \cdot ${{alpha_direction:()}} = $new
    formula: b \leftarrow b + s\, \Delta b
        => b \leftarrow $b_before + $length \cdot ${{b_direction:()}} = $b
    formula: P - D => P - D = [[$primal - ${{dual:()}} = ]]$shown_gap
    """,
    sums={
        "new": lambda old, length, alpha_direction: old + length * alpha_direction,
        "b": lambda b_before, length, b_direction: b_before + length * b_direction,
        "shown_gap": gap,
    },
)
LAST_STEP = step_template(
    r"""
    Iteration $t: $end.

    # The end
    Iteration $t: $end.
    line end:
    asks number n=n_zero_asked: Each α near a bound becomes equal to it. At how many is α = 0 then?
    missed: α = 0 belongs to points with y·f > 1, or inside the tube.
    formula: $alpha_i \leftarrow 0 \ \text{ or } \ C \ \text{ near a bound}, \quad
        $free_condition \ \text{ between} => $farthest_alpha \leftarrow $old ${change:+} = $new
    formula: P - D => P - D = [[$primal - ${dual:()} = ]]$shown_gap
    """,
    sums={"new": lambda old, change: old + change, "shown_gap": gap},
)
