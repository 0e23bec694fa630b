"""The words of a step of Pegasos: sentence, formulas, beats, and the pseudo-code."""

from __future__ import annotations

import re

from solvers.run.beats import PseudoCode, pseudo_code
from solvers.run.templates import step_template

CODE = pseudo_code(
    "Shalev-Shwartz et al. 2011",
    """
           | for t = 1, 2, …, T
    draw   |   B ← drawn at random
    turn   |   B ← the next in turn
    rate   |   ηₜ ← 1 / (λt)
    test   |   B⁺ ← those with yᵢ f(xᵢ) < 1
    shrink |   w ← (1 − 1/t) w
    add    |   w ← w + ηₜ/|B| Σ yᵢxᵢ over B⁺
    theta  |   θ ← θ + 1/|B| Σ yᵢxᵢ over B⁺
    scale  |   w ← ηₜ θ
    bias   |   b ← b + ηₜ/|B| Σ yᵢ over B⁺
    ball   |   if outside the ball: project
    mean   |   w̄ ← (1 − 1/t) w̄ + w/t
    mean-1 |   w̄ ← (1 − 1/(t+1)) w̄ + w/(t+1)
    """,
)


# The quantities that a projection scales, by notation, and by whether b is regularised.
BALLS = {
    ("w", False): "  if √λ ‖w‖ > 1: divide w by it",
    ("w", True): "  if √λ ‖(w, b)‖ > 1: divide w, b by it",
    ("theta", False): "  if √λ ‖w‖ > 1: divide w, θ by it",
    ("theta", True): "  if √λ ‖(w, b)‖ > 1: divide w, b, θ by it",
}
# Lines of pseudo-code if b is regularised.
REGULARISED_LINES = {
    "shrink": "  w, b ← (1 − 1/t) w, (1 − 1/t) b",
    "add": "  w, b ← w, b + ηₜ/|B| Σ yᵢ(xᵢ, 1) over B⁺",
}
# Lines of pseudo-code in the notation of lectures, where w(t) and θ(t) are those after step t.
LECTURE_LINES = {
    "theta": "  θ(t) ← θ(t−1) + 1/|B| Σ yᵢxᵢ over B⁺",
    "scale": "  w(t) ← θ(t) / (λt)",
}


def code_of(form: str, order: str, project: bool, mean_from: str, bias: str) -> PseudoCode:
    """Return the pseudo-code for some settings; ``mean_from`` is empty without an average.

    A regularised b has no line of its own, since it is updated like the entries of w, whose lines
    name it in the notation of w.
    """
    unused = ["theta", "scale"] if form == "w" else ["shrink", "add"]
    used = {
        "draw": order == "random",
        "turn": order == "cyclic",
        "ball": project,
        "mean": mean_from == "first-step",
        "mean-1": mean_from == "start",
        "bias": bias == "free",
    }
    code = CODE.without(*unused, *(label for label, is_used in used.items() if not is_used))
    if project:
        code = code.with_text("ball", BALLS["w" if form == "w" else "theta", bias == "augmented"])
    for label, text in REGULARISED_LINES.items() if (form, bias) == ("w", "augmented") else ():
        code = code.with_text(label, text)
    for label, text in LECTURE_LINES.items() if form == "lecture" else ():
        code = code.with_text(label, text)
    return code


# The words of a step in each notation begin and end with the same beats.
DRAW = r"""
    $subject: $change[[, then back to the ball (×${projected:.3f})]].
    why: $subject: $change[[, then back to the ball (×${projected:.3f})]]; $mean_is_shown.

    # $drawn_title
    Step t = ${t:,} ${at_random:draws|takes} $drawn_points ${at_random:at random|in turn} from
    ${n:,}; the step size is 1/(λt) = $rate.
    line draw: i = $first || |B| = $k
    line turn: i = $first || |B| = $k
    line rate: ηₜ = $rate
    note drawn: ${last}y·f = $margin
    asks number ηₜ=rate: With λ = $lam, which step size has step t = ${t:,}?
    missed: ηₜ = 1/(λt).
    asks number y·f=margin: Point $first at $x of class ${label:+d} is
    ${at_random:drawn|next}, and w = $w_before[[, b = $b_before]]. What is its y·f?
    missed: f = ⟨w, x⟩ + b, and then times y.
    size: f_terms b_before
    formula: \frac{1}{\lambda t |B|}, \quad \lambda = \frac{1}{C n}
        => \frac{1}{${lam:()} \cdot $t \cdot $k} = $share

    # $margin_title
    Point $first has y·f = ${margin:<1}$of_last: ${adds:inside its margin line, so its|beyond
    its margin line, so no} $yx is added to $sum_letter. || $n_inside of $k
    ${at_random:drawn points|points} ${n_added:has|have} y·f < 1$of_last: $yx of
    ${n_added:it|each} is added to $sum_letter. ||
    $n_inside of $k ${at_random:drawn points|points} have y·f < 1$of_last, so nothing is added.
    line test: $yes_or_no || |B⁺| = $n_inside
    note drawn: ${last}y·f = $margin
    asks case adds: Point $first has y·f = ${margin:~1}. Is its $yx added to $sum_letter?
    yes | no
    missed: It is added if y·f < 1, and here y·f = ${margin:<1}.
    asks number |B⁺|=n_inside: At how many of the $batch_size ${at_random:drawn points|points} is
    y·f < 1?
    missed: Also points on the wrong side count, and a point counts each time that it is taken.
    formula for drawn: y_i f(x_i) < 1 \ \text{ for which } \ i \in B
        => y_{$i} f(x_{$i}) = ${margin:<1}
    """
FREE_BIAS = r"""
    formula when has_free_bias: b_{t+1} = b_t + \frac{1}{\lambda t |B|} $sum y_i
        => b_{$t_next} = $b_before ${b_change:+} = $b
    formula when regularised: b_{t+1} = \left(1 - \frac{1}{t}\right) b_t + \frac{1}{\lambda t |B|}
        $sum y_i => b_{$t_next} = $shrink \cdot ${b_before:()} ${b_change:+} = $b
    """
END = r"""
    # Project
    $norm_of = $norm is beyond the ball of radius 1/√λ, which contains the optimum: $scaled
    multiplied by $projected.
    line ball: × $projected
    note drawn: ${last}y·f $margin_added → $margin_after
    asks number factor=projected: $norm_of = $norm is beyond the ball of radius 1/√λ = $radius. By
    which factor is it scaled?
    missed: By the radius divided by $norm_of, which is then the radius.
    formula: $ball \leftarrow \min\left(1,\ \frac{1/\sqrt{\lambda}}{\|$ball\|}\right) $ball
        => w_{$t_next} \leftarrow $ratio $w = $w_projected[[, \quad b_{$t_next} \leftarrow
        $ratio \cdot ${b:()} = $b_projected]] || \beta_{$visited} \leftarrow $ratio \cdot
        ${beta:()} = $beta_projected[[, \quad b_{$t_next} \leftarrow $ratio \cdot ${b:()}
        = $b_projected]]
    """
MEAN = r"""
    # Mean
    The mean of $mean_of moves 1/${mean_count:,} of the way to the last w. || This is the first w,
    so the mean is this w.
    when: average
    line mean: 1/t = $weight_in_mean
    line mean-1: 1/(t+1) = $weight_in_mean
    note drawn: mean: y·f = $mean_margin
    asks number part=weight_in_mean: w̄ becomes the mean of ${mean_count:,}
    ${mean_count:iterate|iterates}. Which part of
    the way to the new w does it go?
    missed: Each iterate has the same weight, one divided by their number.
    formula: \bar{w} \leftarrow \left(1 - \frac{1}{$T}\right) \bar{w} + \frac{1}{$T} w_{t+1}
        => \bar{w} \leftarrow $mean_shrink $mean_before + \frac{1}{$mean_count} $mean_last = $mean
    formula: \bar{\beta}_i \leftarrow \left(1 - \frac{1}{$T}\right) \bar{\beta}_i
        + \frac{1}{$T} \beta_i
        => \bar{\beta}_{$visited} \leftarrow $mean_shrink \cdot ${mean_before_beta:()}
        + \frac{1}{$mean_count} \cdot ${mean_last_beta:()} = $mean_beta
    formula: \bar{b} \leftarrow \left(1 - \frac{1}{$T}\right) \bar{b} + \frac{1}{$T} b_{t+1}
        => \bar{b} \leftarrow $mean_shrink \cdot ${mean_before_b:()}
        + \frac{1}{$mean_count} \cdot ${mean_last_b:()} = $mean_b
    """
OF_W = r"""
    # Shrink
    $w_is multiplied by 1 − ηₜλ = 1 − 1/t = $decay, the gradient step of the term λ/2 $norm_of².
    when: adds
    line shrink: × $decay
    note drawn: ${last}y·f = $margin
    asks number factor=decay: First w shrinks. By which factor in step t = ${t:,}?
    missed: 1 − ηₜλ = 1 − 1/t.
    size: 1

    # ${adds:Add|Shrink}
    $share·$yx of ${n_added:this point|each of these points} is added to w, which moves the
    boundary. || $w_is multiplied by 1 − ηₜλ = 1 − 1/t = $decay, the gradient step of the term
    λ/2 $norm_of².
    line shrink: × $kept_decay
    line add: ηₜ/|B| = $added_share
    line bias: b = $b_moved
    note drawn: ${last}y·f $margin → $margin_added
    asks number w=w: w = $w_before, times 1 − 1/t = $decay, plus $share times $pull, which is y·x of
    what is inside. What is w now? || No point is inside, so w = $w_before is multiplied by
    1 − 1/t. With t = ${t:,}, what is w now?
    missed: w ← (1 − 1/t) w + ηₜ/|B| Σ y·x.
    size: w_before w
    asks number β=beta_of_first: β of point $first was $beta_before. It is multiplied by 1 − 1/t =
    $decay[[, and y·ηₜ = $signed_share is added]]. What is it now?
    missed: β ← (1 − 1/t) β, plus y·ηₜ only if y·f < 1.
    size: beta_before beta_of_first
    formula: w_{t+1} = \left(1 - \frac{1}{t}\right) w_t + \frac{1}{\lambda t |B|} $sum y_i x_i
        => w_{$t_next} = $shrink $w_before[[ + $share $pull]] = $w
    formula for coefficients: \beta_i \leftarrow \left(1 - \frac{1}{t}\right) \beta_i +
        \frac{y_i}{\lambda t |B|}, \quad \text{if } i \in B,\ y_i f(x_i) < 1
        => \beta_{$i} \leftarrow $shrink \cdot ${old:()}[[ $added $share]] = $new
    """
OF_THETA = r"""
    # Add
    The sum θ grows by ${part}$yx of ${n_added:the|each} point inside its margin line.
    line theta: ${part}$yx
    note drawn: ${last}y·f = $margin
    asks number θ=theta_w: θ = $theta_before, and ${part}$pull is added, y·x of what is inside. What
    is θ now?
    missed: θ ← θ + 1/|B| Σ y·x.
    size: theta_before theta_w
    formula: \theta_{t+1} = \theta_t + \frac{1}{|B|} $sum y_i x_i
        => \theta_{$t_next} = $theta_before + $fraction$pull = $theta_w
    formula for coefficients: $count_letter \leftarrow $count_letter + 1 \ \text{ if } i \in
        B,\ y_i f(x_i) < 1, \quad \theta_{t+1} = \frac{1}{|B|} \sum_i $count_letter\, y_i\,
        \varphi(x_i) => $count_name \leftarrow $count_before + $times = $count

    # Scale
    w is θ/(λt), the sum times $rate: the larger t, the smaller this factor.
    line scale: w = $rate θ
    line bias: b = $b_moved
    note drawn: ${last}y·f $margin → $margin_added
    asks number w=w: θ = $theta_w and 1/(λt) = $rate. What is w now?
    missed: w = θ/(λt).
    asks number factor=rate_of_theta: By which factor is θ multiplied to give w, with λ = $lam and
    t = ${t:,}?
    missed: w = θ/(λt).
    formula: w_{t+1} = \frac{1}{\lambda t}\, \theta_{t+1} => w_{$t_next} = $rate $theta_w = $w
    formula for coefficients: w_{t+1} = \frac{1}{\lambda t}\, \theta_{t+1}, \quad \beta_i =
        \frac{y_i\, $count_letter}{\lambda t |B|}
        => \beta_{$i} = $minus\frac{$count}{$count_scale} = $new
    """
# With the projection, the next step adds to the theta that is scaled here.
THETA_PROJECTED = r"""
    formula: \theta_{t+1} \leftarrow \min\left(1,\ \frac{1/\sqrt{\lambda}}{\|$ball\|}\right)
        \theta_{t+1} => \theta_{$t_next} \leftarrow $ratio $theta_w = $theta ||
        $first_count_name \leftarrow $ratio \cdot ${first_count:()} = $count_projected
    """
SUMS = {
    "w_projected": lambda w, projection: projection * w,
    "b_projected": lambda b, projection: projection * b,
    "beta_projected": lambda beta, projection: projection * beta,
    "theta": lambda theta_w, projection: projection * theta_w,
    "count_projected": lambda first_count, projection: projection * first_count,
    "share": lambda lam, t, k: 1.0 / (lam * t * k),
    "b": lambda b_before, b_t, b_change: (1.0 - 1.0 / b_t) * b_before + b_change,
    "mean": lambda mean_before, mean_last, mean_count: (
        mean_before + (mean_last - mean_before) / mean_count
    ),
    "mean_beta": lambda mean_before_beta, mean_last_beta, mean_count: (
        mean_before_beta + (mean_last_beta - mean_before_beta) / mean_count
    ),
    "mean_b": lambda mean_before_b, mean_last_b, mean_count: (
        mean_before_b + (mean_last_b - mean_before_b) / mean_count
    ),
}
SUMS_OF_W = {
    "w": lambda w_before, t, share, pull: (1.0 - 1.0 / t) * w_before + share * pull,
    "new": lambda old, t, share, signed_times: (1.0 - 1.0 / t) * old + share * signed_times,
}
SUMS_OF_THETA = {
    "theta_w": lambda theta_before, pull, k: theta_before + pull / k,
    "w": lambda rate, theta_w: rate * theta_w,
    "new": lambda label_of_i, count, count_scale: label_of_i * count / count_scale,
}


def _counted_by_lectures(template: str) -> str:
    """Replace the indices of Pegasos in a template by those of lectures, which are one lower."""
    assert PEGASOS_SCALE in template
    template = template.replace(PEGASOS_SCALE, LECTURE_SCALE)
    lower = re.sub(r"(?<=[}bwa])_t\b", "_{t-1}", template)
    return lower.replace("_{t+1}", "_t").replace("{$t_next}", "{$t}")


# Sentences on how w follows from the sum. That of the lectures also says how indices are shifted.
PEGASOS_SCALE = "w is θ/(λt), the sum times $rate: the larger t, the smaller this factor."
LECTURE_SCALE = (
    "w($t) is θ($t)/(λ · $t), the sum times $rate. Pegasos' own indices are one higher: "
    "w($t_next) = θ($t_next)/(λ · $t)."
)
STEPS = {
    "w": step_template(DRAW + OF_W + FREE_BIAS + END + MEAN, sums=SUMS | SUMS_OF_W),
    "theta": step_template(
        DRAW + OF_THETA + FREE_BIAS + END + THETA_PROJECTED + MEAN, sums=SUMS | SUMS_OF_THETA
    ),
    "lecture": step_template(
        DRAW + _counted_by_lectures(OF_THETA + FREE_BIAS + END + THETA_PROJECTED + MEAN),
        sums=SUMS | SUMS_OF_THETA,
    ),
}
# The two halves of the sentence; the second one for each notation.
SUBJECT = (
    "Point $first has y·f = ${margin:<1}$of_last || $n_inside of $k ${at_random:drawn "
    "points|points} ${n_inside:is inside its margin line|are inside their margin lines}$of_last"
)
CHANGES = {
    "w": "$w_is multiplied by 1 − 1/${t:,}, and $added_share·$yx of ${n_added:this point|each of"
    " these} is added || $w_is only multiplied by 1 − 1/${t:,}",
    "theta": "θ($t_next) = θ($t)[[ + ${part}$added_terms]], and w = $rate θ($t_next)",
    "lecture": "θ($t) = θ($t_before)[[ + ${part}$added_terms]], and w = $rate θ($t)",
}
