"""Sentences on the learning curve and on the distribution of risks."""

from __future__ import annotations

import numpy as np

from svmviz.base.words import count, number
from svmviz.panels.map.cell_words import risk_words
from svmviz.selection.risk_studies import StudyModel


def learning_words(model: StudyModel) -> str:
    """Return the numbers at the largest size, and how to read the curve."""
    risk, training = model.risk[:, -1], model.training[:, -1]
    known = np.isfinite(risk)
    advice = (
        "If the curves are still apart, more points would help; if they meet high up, the model is"
        " too simple."
    )
    if not known.any():
        return advice
    share = model.is_share
    size = count(model.sizes[-1])
    return (
        f"With {size} training points: validation {_mean_words(risk[known], share)}, training"
        f" {risk_words(float(training[known].mean()), share, 2)}. {advice}{_unfinished(model)}"
    )


def splits_words(model: StudyModel) -> str:
    """Return a sentence on mean, spread and range, and on what they do not mean."""
    risks = model.risk[np.isfinite(model.risk)]
    share = model.is_share
    low, high = (risk_words(float(end), share, 2) for end in (risks.min(), risks.max()))
    splits = "1 split" if len(risks) == 1 else f"{count(len(risks))} splits"
    return (
        f"Risk {_mean_words(risks, share)} over {splits}, from {low} to {high}: one hold-out may"
        " give any of these. All splits share the same points, so the risks are correlated, and"
        f" the spread is not a standard error of the mean.{_unfinished(model)}"
    )


def _mean_words(risks: np.ndarray, share: bool) -> str:
    """Return mean ± sample standard deviation."""
    mean = risk_words(float(risks.mean()), share)
    if len(risks) < 2:
        return mean
    spread = number((100.0 if share else 1.0) * float(risks.std(ddof=1)), 2)
    return f"{mean.removesuffix(' %')} ± {spread}{' %' * share}"


def _unfinished(model: StudyModel) -> str:
    if not model.unfinished:
        return ""
    fits = "1 fit" if model.unfinished == 1 else f"{count(model.unfinished)} fits"
    return f" {fits} did not converge."
