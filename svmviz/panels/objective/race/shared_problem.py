"""Sentences on which methods of a race solve the document's problem, and why one cannot join."""

from __future__ import annotations

import math

from solvers import BadInput, Hulls, Method
from solvers.problem.problem import BIASES
from svmviz.base.words import number
from svmviz.document.class_weights import weights_words
from svmviz.document.document import Document
from svmviz.document.lanes import COMPARED, other_model, titles_of_lanes
from svmviz.plane.race_tiles import MAX_LANES

OWN_NAMES = {"kernel": "the kernel", "penalty": "C", "epsilon": "ε"}


def problem_words(document: Document) -> str:
    """Return a sentence on which methods of a race solve the document's problem."""
    if not document.has_one_problem:
        names = " and ".join(OWN_NAMES[name] for name in document.changes[0].own)
        return (
            f"The lanes differ in {names}. Each minimises a P of its own, so compare their errors, "
            "not their P."
        )
    penalty = "hard margin" if math.isinf(document.C) else f"C = {number(document.C)}"
    if document.has_weights:
        penalty += f", {weights_words(document.weight_per_class)}"
    problem = f"{penalty}, {BIASES[document.bias].partition(':')[0]}"
    titles = titles_of_lanes(document)
    solving = [_solves(method, document) for method in document.methods]
    if all(solving):
        return f"All solve one problem: {problem}."
    if not any(solving):
        return f"None of these methods solves the problem of P*: {problem}."
    solvers = [title for title, solves in zip(titles, solving, strict=True) if solves]
    if len(solvers) == 1:
        return f"Only {solvers[0]} solves the problem of P*: {problem}."
    others = [title for title, solves in zip(titles, solving, strict=True) if not solves]
    return f"All but {' and '.join(others)} solve one problem: {problem}."


def _solves(method: Method, document: Document) -> bool:
    """Return whether a method solves the document's problem, up to the method's tolerance."""
    if method.uses_penalty:
        return True
    if not (isinstance(method, Hulls) and math.isinf(document.C)):
        return False
    # With an indefinite kernel, algorithms of Hulls other than "pairwise" may solve another
    # problem; see Hulls.certified_problem. With mu < 1 the hulls are reduced: another problem, too.
    is_same_problem = document.kernel.mercer or method.algorithm == "pairwise"
    return method.mu == 1.0 and is_same_problem


def why_no_model(document: Document, compared: str) -> str:
    """Return a sentence on why no model can be put beside the others; empty if one can.

    ``compared`` is a key of ``COMPARED``.
    """
    if len(document.methods) >= MAX_LANES:
        return f"At most {MAX_LANES} models are side by side."
    name = COMPARED[compared][0]
    return "" if other_model(document, compared) else f"This model has no other {name}."


def why_not(document: Document, method: Method) -> str:
    """Return a sentence on why a method cannot join the race; empty if it can."""
    if len(document.methods) >= MAX_LANES:
        return f"At most {MAX_LANES} methods race."
    try:
        joined = document.with_methods((*document.methods, method))
        if document.n:
            method.accept(joined.problem())
    except BadInput as error:
        return str(error)
    return ""
