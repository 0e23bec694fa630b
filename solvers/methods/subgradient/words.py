"""The words of a step of sub-gradient descent: sentence, formulas, beats, and the pseudo-code."""

from __future__ import annotations

from solvers.run.beats import PseudoCode, pseudo_code
from solvers.run.templates import step_template

CODE = pseudo_code(
    "Shor 1985",
    """
             | for t = 1, 2, …
    inside   |   B⁺ ← all i with yᵢ f(xᵢ) < 1
    inverse  |   ηₜ ← 1 / (λt)
    constant |   ηₜ ← η₀
    root     |   ηₜ ← η₀ / √t
    shrink   |   w ← (1 − ηₜλ) w
    add      |   w ← w + ηₜ/n Σ yᵢxᵢ over B⁺
    bias     |   b ← b + ηₜ/n Σ yᵢ over B⁺
    best     |   if J(w) < J(best): best ← w
    """,
)
RULES = ("inverse", "constant", "root")


def code_of(rule: str, best: bool, bias: str) -> PseudoCode:
    """Return the pseudo-code for some settings.

    A regularised b has no line of its own, since it is updated like the entries of w.
    """
    unused = [other for other in RULES if other != rule]
    used = {"best": best, "bias": bias == "free"}
    return CODE.without(*unused, *(label for label, is_used in used.items() if not is_used))


STEP = step_template(
    r"""
    $w_is multiplied by 1 − ${eta_lam:.2g}, and $share·$yx of $inside_their_margin is added; the
    objective $J_changes. || No point is inside its margin line: $w_is only multiplied by
    1 − ${eta_lam:.2g}; the objective $J_changes.

    # Look at all points
    ${n_added:,} ${n_added:point|points} of ${n:,} ${n_added:is|are} inside the margin line,
    y·f < 1: each adds −$yx/n to the sub-gradient of the mean hinge loss. || No point of ${n:,} is
    inside its margin line, y·f < 1: the mean hinge loss has the slope 0.
    line inside: |B⁺| = $n_inside
    asks number |B⁺|=n_countable: How many of the ${n:,} points have y·f < 1?
    missed: Count what is between the margin lines, and all that is on the wrong side.
    asks case is_any_inside: Has any of the ${n:,} points y·f < 1? yes | no
    missed: There are $n_inside.

    # Step size
    Step t = ${t:,} has the step size ηₜ = $rate_text$eta.
    line inverse: ηₜ = $eta
    line constant: ηₜ = $eta
    line root: ηₜ = $eta
    asks number ηₜ=eta: ηₜ = 1/(λt) with λ = $lam_asked. Which step size has step t = ${t:,}? ||
    ηₜ = η₀/√t with η₀ = $first_eta_asked. Which step size has step t = ${t:,}? || ηₜ is constant,
    and η₀ = $constant_eta. Which step size has step t = ${t:,}?
    missed: Put t = ${t:,} into the rule.
    formula when constant: \eta_t = \eta_0 => \eta_t = $eta
    formula when root: \eta_t = \frac{\eta_0}{\sqrt{t}}
        => \eta_t = \frac{$first_eta}{\sqrt{$t}} = $eta
    formula when inverse: \eta_t = \frac{1}{\lambda t}, \quad \lambda = \frac{1}{C n}
        => \eta_t = \frac{1}{${lam:()} \cdot $t} = $eta

    # Shrink
    $w_is multiplied by 1 − ηₜλ = $decay, the gradient step of the term λ/2 $norm_of².
    when: n_added
    line shrink: × $decay
    asks number factor=decay: First w shrinks, with ηₜ = $eta and λ = $lam. By which factor?
    missed: 1 − ηₜλ, from the gradient of λ/2 ‖w‖².
    size: 1

    # ${adds:Add|Shrink}
    $added_share·$yx of each point inside is added to w: $J_changes. || No point is inside, so
    $w_is only multiplied by 1 − ηₜλ = $decay: $J_changes.
    line shrink: × $kept_decay
    line add: ηₜ/n = $added_share
    line bias: b = $b_moved
    asks number w=w: w = $w_before, times 1 − ηₜλ = $decay, plus ηₜ/n = $share times $pull, which is
    y·x of what is inside. What is w now? || No point is inside, so w = $w_before is multiplied by
    1 − ηₜλ. With ηₜ = $eta and λ = $lam, what is w now?
    missed: w ← (1 − ηₜλ) w + ηₜ/n Σ y·x.
    size: w_before w
    asks number times=share_asked: $yx of each point inside is added to w. How many times, with
    ηₜ = $eta and n = ${n:,}?
    missed: ηₜ/n, since the loss is a mean over all points.
    asks number factor=decay_asked: No point is inside. By which factor is w multiplied, with
    ηₜ = $eta and λ = $lam?
    missed: 1 − ηₜλ, from the gradient of λ/2 ‖w‖².
    size: 1
    formula: w_{t+1} = \left(1 - \eta_t \lambda\right) w_t + \frac{\eta_t}{n}
        \sum_{y_i f(x_i) < 1} y_i x_i
        => w_{$t_next} = \left(1 - $eta_lam\right) $w_before[[ + $share $pull]] = $w
    formula for coefficients: \beta_i \leftarrow \left(1 - \eta_t \lambda\right) \beta_i +
        \frac{\eta_t}{n} y_i \ \text{ if } y_i f(x_i) < 1
        => \beta_{$i} \leftarrow \left(1 - $eta_lam\right) \cdot ${old:()}[[ $added $share]] = $new
    formula when has_free_bias: b_{t+1} = b_t + \frac{\eta_t}{n} \sum_{y_i f(x_i) < 1} y_i
        => b_{$t_next} = $b_before ${b_change:+} = $b
    formula when regularised: b_{t+1} = \left(1 - \eta_t \lambda\right) b_t + \frac{\eta_t}{n}
        \sum_{y_i f(x_i) < 1} y_i
        => b_{$t_next} = \left(1 - $b_eta_lam\right) \cdot ${b_before:()} ${b_change:+} = $b

    # Best so far
    The best J so far was ${best_before:.4g}; ${value:.4g} is
    ${is_best:the new best, and is shown|not below it, so the best stays}.
    line best: J = ${new_best:.4g}
    asks case is_best: The best J was ${best_before:.6g}, and J of this w is ${value:.6g}. Which w
    is shown? this one | the best so far
    missed: J may rise, so the w with the smallest J is kept.
    formula: J_{\mathrm{best}} \leftarrow \min\left(J_{\mathrm{best}},\ J(w_{t+1})\right), \quad
        w_{\mathrm{best}} \text{ is shown} => J_{\mathrm{best}} \leftarrow
        \min\left($best_before,\ $value\right) = $best, \quad w_{\mathrm{best}} = w_{$best_next}
    """,
    sums={
        "w": lambda w_before, eta_lam, share, pull: (1.0 - eta_lam) * w_before + share * pull,
        "new": lambda old, eta_lam, share, signed_times: (
            (1.0 - eta_lam) * old + share * signed_times
        ),
        "b": lambda b_before, b_eta_lam, b_change: (1.0 - b_eta_lam) * b_before + b_change,
    },
)
