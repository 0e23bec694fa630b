"""Sentences below the charts of the Risk panel."""

from __future__ import annotations

import numpy as np

from solvers.run.method import counted
from svmviz.base.words import count
from svmviz.panels.selection.cell_words import risk_words, spread_words
from svmviz.selection.plan import held_words
from svmviz.selection.risk_studies import StudyModel


def learning_words(model: StudyModel) -> str:
    """Return sentences on the risks at the largest number of training points, with advice."""
    risk, training = model.risk[:, -1], model.training[:, -1]
    computed = np.isfinite(risk)
    advice = (
        "If the curves are still apart, more points would help; if they meet high up, the model is"
        " too simple, or the points are noisy."
    )
    if not computed.any():
        return advice
    in_percent = model.is_fraction
    size = count(model.sizes[-1])
    training_risk = risk_words(float(training[computed].mean()), in_percent, 2)
    return (
        f"With {size} training points ({_division(model)}): validation"
        f" {_mean_words(risk[computed], in_percent)}, training {training_risk}."
        f" {advice}{_limits(model)}"
    )


def splits_words(model: StudyModel) -> str:
    """Return sentences on mean, deviation and range of the risks, with a warning on the spread."""
    risks = model.risk[np.isfinite(model.risk)]
    in_percent = model.is_fraction
    low, high = (risk_words(float(end), in_percent, 2) for end in (risks.min(), risks.max()))
    splits = counted(len(risks), "split")
    return (
        f"Risk {_mean_words(risks, in_percent)} over {splits} ({_division(model)}), from {low} to"
        f" {high}: one hold-out may give any of these. All splits share the same points, so the"
        " risks are correlated, and the spread is not a standard error of the mean."
        f"{_limits(model)}"
    )


def _division(model: StudyModel) -> str:
    assert model.result_settings is not None
    return model.result_settings.plan.words


def _limits(model: StudyModel) -> str:
    """Return sentences on the penalty of the fits, and on those that did not converge."""
    assert model.document is not None
    held = held_words(model.document)
    return f"{' ' if held else ''}{held}{_unfinished_words(model)}"


def _mean_words(risks: np.ndarray, in_percent: bool) -> str:
    """Return "mean ± sample standard deviation"; with ``in_percent``, fractions are shown in %."""
    mean = float(risks.mean())
    if len(risks) < 2:
        return risk_words(mean, in_percent)
    return spread_words(mean, float(risks.std(ddof=1)), in_percent)


def _unfinished_words(model: StudyModel) -> str:
    """Return a sentence on the fits that did not converge; empty if all converged."""
    if not model.unfinished:
        return ""
    return f" {counted(model.unfinished, 'fit')} did not converge."
