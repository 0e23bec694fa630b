"""The advice of the window on the scales of points, as notes on stderr."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

import numpy as np

from solvers import Method, Regression
from solvers.methods.target_scale import target_misfit
from svmviz.cli.streams import print_error
from svmviz.document.advice import advise, targets_sentence
from svmviz.document.document import Document

# The options that advice would replace. If one of them is given, the user has decided.
DECIDED_BY = {
    "spreads": ("scaling",),
    "width": ("setting gamma", "setting sigma"),
    "targets": ("C", "lam", "epsilon", "setting tol"),
}


def note_advice(options: argparse.Namespace, document: Document) -> None:
    """Write the first advice on a document, with the options that follow it."""
    if getattr(options, "grid", None):
        return
    with np.errstate(all="ignore"):
        advice = advise(document, _decided(options))
    if advice is None:
        return
    present, better = _numbers(document), _numbers(advice.advised)
    _print(advice.sentence, present, better)


def note_targets(options: argparse.Namespace, problem: Regression, method: Method) -> None:
    """Write the advice on epsilon and C for a regression with any number of coordinates."""
    if getattr(options, "grid", None) or "targets" in _decided(options):
        return
    misfit = target_misfit(problem, method)
    if misfit is not None:
        present = {"epsilon": problem.epsilon, "C": problem.C, "tol": getattr(method, "tol", 0.0)}
        better = {name: getattr(misfit, name) for name in present}
        _print(targets_sentence(misfit, problem, method), present, better)


def _numbers(document: Document) -> dict[str, Any]:
    """Return the numbers that advice can change, by the names of options."""
    gamma = getattr(document.kernel, "gamma", None)
    scales = {"scaling": document.scaling, "gamma": gamma}
    tol = getattr(document.method, "tol", None)
    return {**scales, "epsilon": document.epsilon, "C": document.C, "tol": tol}


def _decided(options: argparse.Namespace) -> frozenset[str]:
    return frozenset(
        kind
        for kind, names in DECIDED_BY.items()
        if any(getattr(options, name, None) is not None for name in names)
    )


def _print(sentence: str, present: Mapping[str, Any], better: Mapping[str, Any]) -> None:
    """Write a sentence, and the options with better numbers."""
    words = " ".join(
        f"--{name} {value:g}" if isinstance(value, float) else f"--{name} {value}"
        for name, value in better.items()
        if value != present[name]
    )
    print_error(f"svmviz: {sentence} Better for these points: {words}.")
