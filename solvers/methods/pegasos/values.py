"""Named values of a step of Pegasos, from the states around it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from solvers.methods.pegasos.steps import margin_of, visited
from solvers.methods.pegasos.words import CHANGES, SUBJECT
from solvers.methods.weight_updates import weight_values, weights
from solvers.problem.problem import Problem
from solvers.run.fields import Index, fill
from solvers.run.formulas import ROUNDING, number, without_rounding


def step_values(
    method: Any, problem: Problem, before: Any, after: Any, record: Any
) -> dict[str, Any]:
    """Return the values of the step between two states; ``method`` is a :class:`.Pegasos`.

    The values of w, beta and b belong to the last iterate, even if the mean is shown. They are
    those before the projection; if their names contain ``projected``, they are those after it.
    """
    t, k = int(after.scalars["steps"][0]), method.batch_size
    params = method.params(problem)
    batch = [Index(visited(params, t, r, problem.n)) for r in range(k)]
    margins = [float(margin_of(problem.dual_form, params, before, i)) for i in batch]
    violating = [i for i, margin in zip(batch, margins, strict=True) if margin < 1.0]
    n_inside, rate = len(violating), 1.0 / (problem.lam * t)
    projection = float(record["projection"])
    last = replace(method, average=False)
    (beta_before, b_before), (beta, b) = (last.expand(problem, x) for x in (before, after))
    beta = beta / projection
    b = b / projection if problem.bias == "augmented" else b
    values = {
        "t": t,
        "t_next": t + 1,
        "t_before": t - 1,
        "n": problem.n,
        "k": k,
        "lam": problem.lam,
        "rate": rate,
        "projection": projection,
        "visited": batch[0],
        "share": rate / k,
        "decay": 1.0 - 1.0 / t,
        "shrink": rf"\left(1 - \frac{{1}}{{{t}}}\right)",
        "sum": r"\sum_{i \in B,\ y_i f(x_i) < 1}",
        "batch": batch,
        "violating": violating,
        "margins": margins,
        "margin": margins[0],
        "label": int(problem.y[batch[0]]),
        "batch_size": None if k == 1 else k,
        "n_inside": n_inside,
        "adds": n_inside > 0,
        "kept_decay": None if n_inside else 1.0 - 1.0 / t,
        "added_share": rate / k if n_inside else None,
        **weight_values(problem, beta_before, beta, violating, batch[0]),
        "has_free_bias": problem.bias == "free",
        "regularised": problem.bias == "augmented",
        "n_added": n_inside or None,
        **_words(method, t, batch, n_inside),
    }
    several = f"the sum of their {values['yx']}"
    values["added_terms"] = (values["yx"] if n_inside == 1 else several) if n_inside else None
    values |= _bias_values(problem, (beta_before, b_before), (beta, b), values)
    values |= _first_beta(problem, values)
    values |= _theta(method, problem, before, after, values)
    values |= _projected(method, problem, values)
    values |= _mean(method, problem, before, after, batch[0])
    values["drawn"] = _drawn(method, problem, (beta, b), after, dict(zip(batch, margins)))
    values["subject"] = fill(SUBJECT, values)
    values["change"] = fill(CHANGES[method.form], values)
    return values


def _words(method: Any, t: int, batch: list[Index], n_inside: int) -> dict[str, Any]:
    """Return the parts of sentences that depend on the settings."""
    k, at_random = len(batch), method.order == "random"
    first = "w₀ = 0" if method.form == "lecture" else "w₁ = 0"
    mean_of = f"{first} and the {t:,} w after it" if t > 1 else f"{first} and the w after it"
    if method.mean_from != "start":
        mean_of = f"the {t:,} w so far"
    return {
        "first": batch[0] if k == 1 else None,
        "drawn_points": f"point {batch[0] + 1}" if k == 1 else f"a batch B of {k:,} points",
        "drawn_title": ("The point drawn" if at_random else "The next point")
        if k == 1
        else ("The batch drawn" if at_random else "The next batch"),
        "margin_title": "Its y·f" if k == 1 else "Their y·f",
        "part": "" if k == 1 else f"1/{k} of ",
        "yes_or_no": ("yes" if n_inside else "no") if k == 1 else None,
        "at_random": at_random,
        "average": method.average,
        "T": "t + 1" if method.mean_from == "start" else "t",
        "mean_of": mean_of if t > 1 or method.mean_from == "start" else None,
        "mean_is_shown": "the mean of all w so far is shown" if method.average else None,
        # If the picture shows the mean, texts say which margins are those of the last w.
        "of_last": " for the last w" if method.average else "",
        "last": "last w: " if method.average else "",
        "sum_letter": "w" if method.form == "w" else "θ",
    }


def _first_beta(problem: Problem, values: Any) -> dict[str, Any]:
    """Return beta of a point that is drawn alone, before and after the step, and what is added.

    They are None for the linear kernel, whose w is shown instead.
    """
    names = ("beta_of_first", "beta_before", "signed_share")
    rate = None if problem.linear else values["rate"]
    if problem.linear or values["k"] > 1:
        return {**dict.fromkeys(names), "rate_of_theta": rate}
    point = values["coefficients"][0]
    share = values["label"] * values["share"] if values["adds"] else None
    numbers = point["new"], point["old"], share
    return {**dict(zip(names, numbers, strict=True)), "rate_of_theta": rate}


def _theta(method: Any, problem: Problem, before: Any, after: Any, values: Any) -> dict[str, Any]:
    """Return theta before and after the step; for a nonlinear kernel add the counts.

    ``theta_w`` is the theta that gives w, before the projection. A projection multiplies theta and
    all counts by the same factor as w, so the counts are whole numbers only without a projection.
    """
    shared = {"count_letter": "c_i" if method.project else r"\mathrm{count}_i"}
    if not problem.linear:
        scale = float(before.scalars["scale"][0])
        for point in values["coefficients"]:
            point["times"] = values["violating"].count(point["i"])
            point["count_before"] = float(before.counts[point["i"]]) * scale
            point["count"] = point["count_before"] + point["times"]
            point["label_of_i"] = float(problem.y[point["i"]])
            point["minus"] = "" if point["label_of_i"] > 0 else "-"
            point["count_name"] = shared["count_letter"].replace("_i", f"_{{{point['i'] + 1}}}")
        names = ("theta_before", "theta_w", "theta", "fraction")
        count_scale = method.batch_size / values["rate"]
        return {**shared, **dict.fromkeys(names), "count_scale": count_scale}
    X = problem.centered
    old, new = (
        weights(problem.y * state.counts * state.scalars["scale"][0], X) / method.batch_size
        for state in (before, after)
    )
    return {
        **shared,
        "theta_before": tuple(old.tolist()),
        "theta_w": tuple((new / values["projection"]).tolist()),
        "theta": tuple(new.tolist()),
        "fraction": "" if method.batch_size == 1 else rf"\frac{{1}}{{{method.batch_size}}} ",
    }


def _projected(method: Any, problem: Problem, values: Any) -> dict[str, Any]:
    """Return the values of the projection; None if w is inside the ball."""
    factor, is_augmented = values["projection"], problem.bias == "augmented"
    scaled = "(w, b)" if is_augmented else "w"
    shared = {"scaled": f"{scaled} is" if method.form == "w" else f"{scaled}, and with it θ, is"}
    if factor == 1.0:
        return {**shared, "projected": None, "norm": None, "radius": None}
    radius = method.radius(problem)
    # Six digits, so that products with this ratio can be checked.
    ratio = rf"\frac{{{number(radius, 6)}}}{{{number(radius / factor, 6)}}}"
    first = None if problem.linear else values["coefficients"][0]
    return {
        **shared,
        "projected": factor,
        "norm": radius / factor,
        "radius": radius,
        "ratio": rf"\min\left(1,\ {ratio}\right)",
        "ball": ("(w, b)" if is_augmented else "w")
        + ("_t" if method.form == "lecture" else "_{t+1}"),
        "w_projected": tuple(factor * x for x in values["w"]) if problem.linear else None,
        "beta": None if first is None else first["new"],
        "beta_projected": None if first is None else factor * first["new"],
        "first_count": None if first is None else first["count"],
        "first_count_name": None if first is None else first["count_name"],
        "count_projected": None if first is None else factor * first["count"],
        "b_projected": factor * values["b"] if is_augmented else None,
    }


def _mean(method: Any, problem: Problem, before: Any, after: Any, i: int) -> dict[str, Any]:
    """Return the mean of the iterates: of w for the linear kernel, otherwise of ``beta_i``."""
    if not method.average:
        return {}
    count = method.mean_count(int(after.scalars["steps"][0]))
    values: dict[str, Any] = {
        "mean_count": count,
        "weight_in_mean": 1.0 / count,
        "mean_shrink": rf"\left(1 - \frac{{1}}{{{count}}}\right)",
    }
    last = replace(method, average=False).expand(problem, after)
    iterates = method.expand(problem, before), last, method.expand(problem, after)
    for name, (beta, b) in zip(("mean_before", "mean_last", "mean"), iterates, strict=True):
        is_linear = problem.linear
        values[name] = tuple(weights(beta, problem.centered).tolist()) if is_linear else None
        values[f"{name}_beta"] = None if is_linear else float(beta[i]) + 0.0
        size = float(np.abs(beta).sum())
        values[f"{name}_b"] = None if problem.bias == "none" else without_rounding(b, (size,))
    return values


def _drawn(
    method: Any,
    problem: Problem,
    added: tuple[np.ndarray, float],
    after: Any,
    margins: dict[Index, float],
) -> list[dict[str, Any]]:
    """Return each drawn point with its ``y_i f(x_i)`` at all stages of the step.

    The stages are before the step, after it but before the projection (``added`` has this beta and
    b), and at its end. If the mean of all iterates is shown, the value of the mean is added.
    """
    points = list(margins)
    iterates = {
        "margin_added": added,
        "margin_after": replace(method, average=False).expand(problem, after),
        "mean_margin": method.expand(problem, after),
    }
    X, y = problem.X[points], problem.y[points]
    columns = {
        name: _without_noise(y * problem.expansion(*iterate)(X))
        for name, iterate in iterates.items()
    }
    return [
        {"i": i, "margin": margins[i], **{name: float(x[r]) for name, x in columns.items()}}
        for r, i in enumerate(points)
    ]


def _without_noise(margins: np.ndarray) -> np.ndarray:
    return np.where(np.abs(margins) <= ROUNDING, 0.0, margins)


def _bias_values(
    problem: Problem,
    before: tuple[np.ndarray, float],
    after: tuple[np.ndarray, float],
    values: dict[str, Any],
) -> dict[str, float | None]:
    """Return b before and after a step, and what the step adds to it; rounding error is 0.

    ``before`` and ``after`` are (beta, b). A regularised b is the sum of beta, so it has the
    rounding error of this sum.
    """
    (beta_before, b_before), (beta, b) = before, after
    share = values["share"]
    change = share * float(problem.y[values["violating"]].sum())
    if problem.bias == "augmented":
        b_before = without_rounding(b_before, (float(np.abs(beta_before).sum()),))
        b = without_rounding(b, (float(np.abs(beta).sum()),))
    b_before, b = (without_rounding(x, (change, share)) for x in (b_before, b))
    # A free b is not multiplied by 1 - 1/t.
    b_t = float(values["t"]) if problem.bias == "augmented" else math.inf
    moved = b if values["adds"] else None
    return {
        "b_before": b_before,
        "b_change": change,
        "b": b,
        "b_t": b_t,
        "b_moved": moved,
    }
