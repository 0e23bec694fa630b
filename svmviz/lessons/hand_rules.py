"""The rules by which a step is done by hand, for each method, from the values of its step.

=================  ===============================================================================
SMO                i may rise with the smallest E, and j promises the largest rise of D or has the
                   largest E; Platt: the next violator j, and its free partner with the largest
                   difference of E. Then αⱼ ← clip(αⱼ + yⱼ(Eᵢ − Eⱼ)/η, L, H), and αᵢ keeps Σ αy
perceptron         the next point in turn; w ← w + yx and b ← b + y if it is a mistake
Pegasos            w ← (1 − 1/t) w, plus yx/(λt) if y f(x) < 1, then back to the ball
coordinate ascent  the next point in turn; α ← clip(α − G/Kᵢᵢ, 0, C) with G = y f(x) − 1
hulls              MDM: weight goes from the farthest point to the nearest one; pairwise: both
                   weights of the pair change; Wolfe: the worst violator joins the corral. Then p
                   goes to its nearest place
=================  ===============================================================================

:mod:`svmviz.lessons.by_hand` asks by them, and judges.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from solvers.methods.smo.choice_values import curvatures
from solvers.run.beats import short, subscript
from solvers.run.fields import Index
from solvers.run.formulas import without_rounding
from solvers.run.question_templates import ROUNDED, QuestionTemplate
from solvers.run.templates import step_template

# What is said before the steps of hulls, because it is too long for each question.
WEIGHTS_MOVE = (
    "τ are the weights of a hull’s points, α a multiple of them. Weight goes along p − q, from the "
    "point with τ > 0 farthest from the other hull to the nearest one with τ < μ of its class; in "
    "the class where these differ more."
)
# Questions list E of at most so many points.
MAX_LISTED = 12


@dataclass(frozen=True)
class Rule:
    """The decisions of the steps of a method.

    Attributes
    ----------
    text : str
        The questions, in the words of :mod:`solvers.run.templates`.
    data : str
        What the numbers are computed from; ``$data`` in the questions.
    derived : function
        Returns further values, given the run and the values of the step.
    names : tuple of str
        Names of values that may be missing.
    sums : dict
        How results follow from the data, which are written with as many digits as that takes.
    """

    text: str
    data: str
    derived: Callable[[Any, Mapping[str, Any]], dict[str, Any]]
    sums: dict[str, Callable[..., float]] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    @property
    def questions(self) -> tuple[QuestionTemplate, ...]:
        """The templates of the questions."""
        return step_template(f"\n# By hand\n{self.text}").beats[0].questions


def _near(x: float, bound: float, size: float) -> bool:
    """Return whether two numbers are equal up to the digits that a question shows."""
    return abs(x - bound) <= ROUNDED * max(abs(bound), size)


# SMO.


def _new_j(
    old_j: float, y_j: float, E_i: float, E_j: float, K_ii: float, K_jj: float, K_ij: float,
    low: float, high_end: float,
) -> float:  # fmt: skip
    eta, slope = K_ii + K_jj - 2.0 * K_ij, y_j * (E_i - E_j)
    if eta <= 0.0:
        return high_end if slope > 0.0 else low
    return min(max(old_j + slope / eta, low), high_end)


def _of_pair(run: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    problem = run.problem
    i, j = (problem.point_of(int(values[name])) for name in "ij")
    new_j, low, high = (float(values[name]) for name in ("new_j", "low", "high"))
    sizes = [values[name] for name in ("old_i", "old_j", "new_i", "new_j")]
    top, is_cut = values["unclipped"], bool(values["cut_short"])
    is_close = any(math.isfinite(end) and _near(top, end, max(sizes)) for end in (low, high))
    names = ("rise_choice", "pair_choice", "gain_choice", "violator_choice", "partner_choice")
    found = {name: values.get(name) for name in names}
    if found["pair_choice"] is not None:
        found["rise_choice"] = None
    etas = _etas(problem, i, values) if found["gain_choice"] is not None else {}
    return {
        **found,
        "errors": _errors(run, values),
        "etas": etas,
        "promises": _promises(values, etas, problem.n),
        "unclipped": without_rounding(top, sizes) if math.isfinite(top) else top,
        "own_rise_choice": (i,),
        "own_pair_choice": (i, j),
        "own_gain_choice": (j,),
        "own_violator_choice": (found["violator_choice"],),
        "own_partner_choice": (i,),
        "high_end": high if math.isfinite(high) else 10.0 * (1.0 + abs(new_j)),
        "is_cut": is_cut,
        # At a top that lies on the end of the segment, both answers are right.
        "tied_is_cut": (0, 1) if is_close else (),
        "letter": "y" if problem.task == "classification" else "s",
        "i_name": values["a_i"],
        "j_name": values["a_j"],
        "number_i": Index(i),
    }


def _errors(run: Any, values: Mapping[str, Any]) -> str | None:
    """Return E of all points in words, if these are few."""
    pair: Any = values.get("pair_choice") or (values.get("rise_choice"), values.get("fall_choice"))
    if run.problem.task != "classification" or run.problem.n > MAX_LISTED or None in pair:
        return None
    known = {k: E for group in pair for k, E in zip(group.points, group.values, strict=True)}
    texts = {k: short(without_rounding(E, (1.0,))) for k, E in known.items()}
    return ", ".join(f"E{subscript(k + 1)} = {texts[k]}" for k in sorted(texts))


def _etas(problem: Any, i: int, values: Mapping[str, Any]) -> dict[int, float]:
    """Return η of the pair of i with each point that may fall."""
    group = values.get("fall_choice")
    if group is None or problem.task != "classification":
        return {}
    points = sorted(set(group.points) - {i})
    return dict(zip(points, curvatures(problem, i, np.array(points)).tolist(), strict=True))


def _promises(values: Mapping[str, Any], etas: Mapping[int, float], n: int) -> str | None:
    """Return E and η of the points that may fall in words, if these are few."""
    if not etas or n > MAX_LISTED:
        return None
    group = values["fall_choice"]
    errors = dict(zip(group.points, group.values, strict=True))
    texts = [(k + 1, short(without_rounding(errors[k], (1.0,))), short(etas[k])) for k in etas]
    return " ".join(f"Point {k}: E = {error}, η = {eta}." for k, error, eta in texts)


SMO_RULE = Rule(
    r"""
    asks point rise_choice: $rising_variables may rise, as the bounds leave room ($rises_if). i is
    the one with the smallest error $E_is[[: $errors]]. Which one?
    asks point pair_choice: Which two points violate optimality most: of those that may rise
    ($rises_if) the one with the smallest $E_is, and of those that may fall ($falls_if) the one with
    the largest?[[ $errors.]]
    asks point gain_choice: Let i be point $number_i. A point that may fall promises a rise of the
    dual objective D by (Eₖ − Eᵢ)² / (2η) if Eₖ > Eᵢ, else none; η = Kᵢᵢ + Kₖₖ − 2Kᵢₖ.[[ Eᵢ = $E_i.
    $promises]] j is the one that promises most. Which one?
    asks point violator_choice: The sweep goes on $sweep_from. Which is the next point that violates
    its KKT condition by more than the tolerance, and can move?
    missed: The sweep takes the points as they are numbered$sweep_over.
    asks point partner_choice: The partner is free, 0 < α < C. Which free point has the largest
    |Eᵢ − Eⱼ| with point $violator_number?
    asks case is_cut: $data Does the box stop the step before the top of D? yes | no
    missed: αⱼ may go from L = $low to H = $high, and the top is αⱼ + $sign_name (Eᵢ − Eⱼ)/η =
    $unclipped, with η = Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ.
    asks number αᵢ=new_i αⱼ=new_j: $data What are both α after the step?
    missed: αⱼ goes to αⱼ + $sign_name (Eᵢ − Eⱼ)/η with η = Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ, but not beyond
    L = $low and H = $high; αᵢ changes so that $sum stays.
    size: old_i old_j new_i new_j
    """,
    "i is $i_name = $old_i with $letter = ${y_i:+d} and E = $E_i; j is $j_name = $old_j with "
    "$letter = ${y_j:+d} and E = $E_j. Kᵢᵢ = $K_ii, Kⱼⱼ = $K_jj, Kᵢⱼ = $K_ij, C = $C.",
    _of_pair,
    {"new_j": _new_j},
    ("rising_variables", "rises_if", "falls_if", "E_is", "sweep_from", "sweep_over",
     "violator_number"),
)  # fmt: skip


# The perceptron, Pegasos and coordinate ascent, which visit points.


def _of_visit(run: Any, values: Mapping[str, Any], i: int) -> dict[str, Any]:
    """Return what is asked of a point that is visited in turn, and f at the point."""
    is_in_turn = run.method.order == "cyclic" and not getattr(run.method, "shrinking", False)
    return {
        "visit": Index(i) if is_in_turn else None,
        "at": Index(i),
        "f": values["label"] * values["margin"],
    }


VISIT = r"""
    asks point visit: The points are taken as they are numbered. Which one is next?
    missed: After the last point comes the first one again.
    """
PLACE = "Point $at at $x of class ${label:+d} is next, and w = $w_before[[, b = $b_before]]."
NO_PLACE = "Point $at of class ${label:+d} is next, and f = $f there."


def _signs_of(values: Mapping[str, Any]) -> tuple[int, ...]:
    """Return both answers if the sign of f cannot be seen, because f is the rest of large terms."""
    size = max(map(abs, values["f_terms"] or (0.0,)))
    return (0, 1) if 0.0 < abs(values["f"]) <= ROUNDED * size else ()


def _of_perceptron(run: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    has_bias, is_mistake = run.problem.bias != "none", values["mistake"]
    coefficients = values["coefficients"]
    return {
        **_of_visit(run, values, values["i"]),
        "b_new": values["b"] if has_bias and is_mistake else None,
        "b_before": values["b_before"] if has_bias else None,
        "w_alone": values["w"] if not has_bias and is_mistake else None,
        "w_new": values["w"] if is_mistake else None,
        "beta_old": coefficients[0]["old"] if coefficients else None,
        "beta_new": coefficients[0]["new"] if coefficients and is_mistake else None,
        "tied_mistake": _signs_of(values),
    }


PERCEPTRON_RULE = Rule(
    VISIT
    + r"""
    asks case mistake: $data A mistake is $mistake_is. Is it one? yes | no
    missed: y·f = $margin.
    asks number w=w_new b=b_new: $data It is a mistake. What are w and b now?
    missed: w ← w + y·x and b ← b + y.
    size: w_before x b_before
    asks number w=w_alone: $data It is a mistake. What is w now?
    missed: w ← w + y·x.
    size: w_before x
    asks number β=beta_new: Point $at of class ${label:+d} is a mistake, and its β is $beta_old.
    What is it now?
    missed: β ← β + y.
    """,
    f"{PLACE} || {NO_PLACE}",
    _of_perceptron,
)


def _of_pegasos(run: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    is_single, is_linear = values["k"] == 1, run.problem.linear
    projected, has_bias = values["projected"] is not None, run.problem.bias != "none"
    suffix = "_projected" if projected else ""
    scales_bias = run.problem.bias == "augmented"
    w = values[f"w{suffix}"] if is_linear else None
    b = values["b_projected"] if projected and scales_bias else values["b"]
    beta = values.get("beta_of_first")
    if beta is not None and projected:
        beta = values["beta_projected"]
    margin = values["margin"]
    return {
        **_of_visit(run, values, values["visited"]),
        "visit": Index(values["visited"]) if is_single and run.method.order == "cyclic" else None,
        "batch_is": None if is_single else ", ".join(f"{i + 1}" for i in values["batch"]),
        "adds_one": values["adds"] if is_single else None,
        "which_inside": f"its y·f {'<' if values['adds'] else '≥'} 1"
        if is_single
        else f"y·f < 1 at {values['n_inside']} of these",
        "count": None if is_single else values["n_inside"],
        "x": values["x"] if is_single else None,
        "b_before": values["b_before"] if has_bias else None,
        "w_new": w if has_bias else None,
        "b_new": b if has_bias else None,
        "w_alone": None if has_bias else w,
        "beta_new": beta,
        "tied_adds_one": (0, 1) if margin != 1.0 and _near(margin, 1.0, 0.0) else (),
        "b_rule": "b changes as w does, with y in place of y·x"
        + ", but is not multiplied by 1 − 1/t" * (run.problem.bias == "free"),
        "then": " A w beyond the ball of radius 1/√λ is scaled back to it."
        if run.method.project
        else "",
    }


PEGASOS_RULE = Rule(
    VISIT
    + r"""
    asks case adds_one: $data Is y·f < 1, so that its y·x is added? yes | no
    missed: y·f = $margin.
    asks number |B⁺|=count: $data At how many of these is y·f < 1?
    missed: A point counts each time that it is taken.
    asks number w=w_new b=b_new: $data In step t = ${t:,} with λ = $lam, $which_inside.$then
    Here $b_rule. What are w and b after the step?
    missed: w ← (1 − 1/t) w + 1/(λt) times the mean of y·x over the points with y·f < 1; $b_rule.
    size: w_before w_new b_before b_new
    asks number w=w_alone: $data In step t = ${t:,} with λ = $lam, $which_inside.$then
    What is w after the step?
    missed: w ← (1 − 1/t) w + 1/(λt) times the mean of y·x over the points with y·f < 1.
    size: w_before w_alone
    asks number β=beta_new: $data Its β was $beta_before. In step t = ${t:,} with λ = $lam, what is
    it after the step?$then
    missed: β ← (1 − 1/t) β, plus y/(λt) if y·f < 1.
    size: beta_before beta_new
    """,
    f"The points of this step are $batch_is, and w = $w_before[[, b = $b_before]]. || {PLACE} || "
    f"{NO_PLACE}",
    _of_pegasos,
)


def _of_ascent(run: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    new, top, C = values["new"], values["unclipped"], values["C"]
    case = 2 if values["stays"] else int(values["clipped"])
    close = [
        end for end in (0.0, C) if math.isfinite(end) and _near(top, end, max(values["old"], new))
    ]
    tied = ()
    if values["moves"] and close:
        tied = (0, 1)
    return {
        **_of_visit(run, values, values["i"]),
        "where": case,
        "tied_where": tied,
        "alpha_new": new if values["moves"] else None,
        "b_before": values["b_before"],
    }


ASCENT_RULE = Rule(
    VISIT
    + r"""
    asks case where: $data α = $old, C = $C and Kᵢᵢ = $curvature. Where does α go? to the top of D |
    only to an end of [0, C] | it stays
    missed: The slope of −D is G = y·f − 1 = $gradient, and the top is at α − G/Kᵢᵢ = $unclipped.
    asks number α=alpha_new: $data α = $old, C = $C and Kᵢᵢ = $curvature. What is α after the step?
    missed: α − G/Kᵢᵢ with G = y·f − 1, at least 0 and at most C.
    slip unclipped: That is the top, but it is outside the box.
    size: old alpha_new
    """,
    f"{PLACE} || {NO_PLACE}",
    _of_ascent,
)


# Hulls.


def _of_hulls(run: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    algorithm = run.method.algorithm
    side = "p"
    if algorithm == "mdm":
        side = "p" if values["label"] > 0 else "q"
    elif values["p"] == values["p_before"]:
        side = "q"
    before, after = values[f"{side}_before"], values[side]
    if before is not None and after is not None:
        sizes = [abs(x) for x in (*before, *after)]
        after = tuple(without_rounding(x, sizes) for x in after)
    moves = before is not None and before != after and len(before) == 2
    has_place = algorithm != "pairwise" and moves
    pair = (values["i"], values["j"]) if algorithm != "wolfe" else None
    clipped = values.get("clipped")
    low, top = values.get("low"), values.get("minimum")
    is_close = (
        low is not None
        and top is not None
        and _near(top, low, max(values["old_i"], values["old_j"]))
    )
    joins = values.get("joining_points")
    return {
        "own_gains": pair,
        # How far it is to the minimum; the question has all digits that it follows from.
        "way": abs(top) if top is not None else None,
        "offset": float(algorithm == "pairwise"),
        "own_joining_points": values.get("added"),
        "joining_points": joins if joins and len(values["added"]) == 1 else None,
        "clipped_case": clipped if top is not None else None,
        "tied_clipped_case": (0, 1) if is_close else (),
        "drops_case": values["drops"] if values.get("moved") else None,
        "place_p": after if has_place and side == "p" else None,
        "place_q": after if has_place and side == "q" else None,
        "place_before": before,
        "other": values["q_before" if side == "p" else "p_before"],
        "zeta_i": values["new_i"] if algorithm == "pairwise" else None,
        "zeta_j": values["new_j"] if algorithm == "pairwise" else None,
        "delta_alone": values.get("delta") if algorithm == "mdm" and not has_place else None,
        "x_i": _row(run, pair[0]) if pair and run.problem.linear else None,
        "x_j": _row(run, pair[1]) if pair and run.problem.linear else None,
        "direction": "ζᵢ and ζⱼ change by the same δ ≥ M = max(−ζᵢ, −ζⱼ)"
        if algorithm == "pairwise"
        else "τᵢ gains the δ ≤ M = min(τⱼ, μ − τᵢ) that τⱼ loses",
        "product": "u − v" if algorithm == "pairwise" else "p − q",
        "top_is": "(1 − ⟨u − v, xᵢ − xⱼ⟩) / ‖xᵢ − xⱼ‖²"
        if algorithm == "pairwise"
        else "|⟨p − q, xᵢ − xⱼ⟩| / ‖xᵢ − xⱼ‖²",
    }


def _row(run: Any, i: int) -> tuple[float, ...]:
    return tuple(run.problem.X[i].tolist())


HULLS_RULE = Rule(
    r"""
    asks point gains loses: Which two points exchange weight?
    missed: Along p − q, weight goes from the point with τ > 0 that is farthest from the other hull
    to the nearest one with τ < μ[[ = $mu]] of its class, in the class where these two differ more.
    asks point joining_points: Which point violates optimality most, and joins the corral?
    missed: In each class, of the points whose τ may grow, the one nearest to the other hull along
    p − q; or, of those at μ, the farthest.
    asks case clipped_case: $data Does M stop the step before the minimum? yes | no
    missed: The minimum is at $top_is = $unclipped, and M = $low.
    asks case drops_case: Does a τ of the corral meet its bound before the step ends? yes | no
    asks number δ=delta_alone: $data What is δ?
    missed: $top_is, but at most M = $low.
    asks number ζᵢ=zeta_i ζⱼ=zeta_j: $data What are both weights after the step?
    missed: δ = $top_is, but at least M = $low.
    size: old_i old_j zeta_i zeta_j
    asks number p=place_p: [[$data ]]p is at $place_before, and q at $other. Where does p go?
    missed: p goes along xᵢ − xⱼ. || p goes to the place of its hull that is nearest to q.
    asks number q=place_q: [[$data ]]q is at $place_before, and p at $other. Where does q go?
    missed: q goes along xᵢ − xⱼ. || q goes to the place of its hull that is nearest to p.
    """,
    "i is point $i[[ at $x_i]], its weight $old_i; j is point $j[[ at $x_j]], its weight $old_j. "
    "$direction; ⟨$product, $difference⟩ = $inner, ‖$difference‖² = $eta[[, μ = $mu]].",
    _of_hulls,
    {"way": lambda inner, eta, offset: abs(offset - inner) / eta if eta > 0.0 else 0.0},
    ("i", "j", "old_i", "old_j", "inner", "eta", "mu", "low", "unclipped", "new_i",
     "gains", "loses", "moves"),
)  # fmt: skip


RULES: Mapping[str, Rule] = {
    "smo": SMO_RULE,
    "perceptron": PERCEPTRON_RULE,
    "pegasos": PEGASOS_RULE,
    "coordinate-ascent": ASCENT_RULE,
    "hulls": HULLS_RULE,
}
METHODS_IN_WORDS = "SMO, the perceptron, Pegasos, coordinate ascent and hulls"
