"""The words of a step of coordinate ascent: sentence, formulas, beats, and the pseudo-code."""

from __future__ import annotations

from solvers.run.beats import PseudoCode, pseudo_code
from solvers.run.templates import step_template

# The pseudo-code without a bias, and with a regularised one, which adds 1 to the kernel.
CODE, CODE_WITH_BIAS = (
    pseudo_code(
        "Hsieh et al. 2008",
        f"""
              | repeat
        visit |   for i in the order of the sweep
        slope |     G ← yᵢ f(xᵢ) − 1
        stay  |     if G = 0 or −G points out of [0, C]: next i
        top   |     α ← αᵢ − G / {K_ii}
        box   |     if α ∉ [0, C]
        clip  |       α ← the nearer of 0 and C
        w     |     w ← w + (α − αᵢ) yᵢxᵢ
        b     |     b ← b + (α − αᵢ) yᵢ
        alpha |     αᵢ ← α
        """,
    )
    for K_ii in ("Kᵢᵢ", "(Kᵢᵢ + 1)")
)


def code_of(bias: str, order: str) -> PseudoCode:
    """Return the pseudo-code for a kind of bias and an order of visits."""
    code = CODE_WITH_BIAS if bias == "augmented" else CODE.without("b")
    return code.with_text("visit", DRAWN) if order == "uniform" else code


# The line for the visits if every point is drawn anew (Shalev-Shwartz and Zhang 2013).
DRAWN = "  for i drawn anew, each as likely"


STEP = step_template(
    r"""
    Point $i has y·f = ${margin:<1} and its α stays at $kept. || Point $i has y·f = ${margin:<1}:
    its α ${rises:rises|falls} from $start $end.

    # The point
    Sweep ${sweep:,} ${is_drawn:draws|visits} point $i: y·f = $margin, and α${i:sub} = $old.
    line visit: i = $i
    note i: y·f = $margin
    asks number y·f=margin: Point $i at $x of class ${label:+d} is next, and w = $w_before[[, b =
    $b_before]]. What is its y·f?
    missed: f = ⟨w, x⟩ + b, and then times y.
    size: f_terms b_before

    # Its gradient
    G = y·f − 1 = $gradient: α${i:sub} $why_it_stays, so it stays and nothing moves. ||
    G = y·f − 1 = $gradient, the slope of −D, where D is the dual objective: α${i:sub} must
    ${rises:rise|fall}; the parabola of D with curvature $curvature $top.
    line slope: G = $gradient
    line stay: $yes_it_stays
    line top: $top_value
    note i: G = $gradient
    asks case direction: y·f = ${margin:~1} at point $i, α = $old and C = $C. Where does its α go?
    up | down | it stays
    missed: G = y·f − 1 = $gradient is the slope of −D, so D rises against it, and α stays only
    where [0, C] ends.
    asks number α=top_asked: −D has the slope G = $gradient at α = $old, and the curvature
    $curvature. At which α is the top of D?
    missed: α − G divided by the curvature.
    size: old
    formula: G_i = y_i f(x_i) - 1 => G_{$i} = $margin - 1 = $gradient
    formula when stays: \alpha_i \leftarrow \alpha_i => \alpha_{$i} \leftarrow $old
    formula when no_top: \alpha_i \leftarrow C \text{ if } G_i < 0, \text{ else } 0
        => \alpha_{$i} \leftarrow $new_alpha
    formula when has_top: \hat{\alpha}_i = \alpha_i - \frac{G_i}{$K_ii}
        => \hat{\alpha}_{$i} = $old - \frac{$gradient}{$curvature} = $unclipped

    # The clip
    α${i:sub}: $old → $new: it $arrives; w moves by Δα·$yx and the lower bound D rises
    by $rise.
    when: moves
    line box: ${clipped:yes|no}
    line clip: α = $clip
    line w: Δα = $moved_by
    line b: b = $b_moved
    line alpha: α${i:sub} = $moved_to
    note i: α $old → $new
    asks number α=new: The top is at α = $unclipped, and the box is [0, $C]. Where does α go?
    missed: To the top, or to the nearer end of the box.
    slip unclipped: That is the top, but it is outside the box.
    formula when has_top: \alpha_i \leftarrow \min\left(\max\left(\hat{\alpha}_i,\ 0\right),\
        C\right) => \alpha_{$i} \leftarrow \min\left(\max\left($unclipped,\ 0\right),\ $C\right)
        = $new_alpha
    formula: w \leftarrow w + \left(\alpha_i^{\mathrm{new}} - \alpha_i\right) y_i x_i
        => w \leftarrow $w_before + ${change:()}\, $pull = $w
    formula for coefficients: \beta_i \leftarrow \beta_i + \left(\alpha_i^{\mathrm{new}} -
        \alpha_i\right) y_i => \beta_{$i} \leftarrow $old $added ${change:()} = $new
    formula: b \leftarrow b + \left(\alpha_i^{\mathrm{new}} - \alpha_i\right) y_i
        => b \leftarrow $b_before ${b_change:+} = $b
    """,
    sums={
        "gradient": lambda margin: margin - 1.0,
        "unclipped": lambda old, gradient, curvature: old - gradient / curvature,
        "w": lambda w_before, change, pull: w_before + change * pull,
        "new": lambda old, change, label: old + change * label,
        "b": lambda b_before, b_change: b_before + b_change,
    },
)
