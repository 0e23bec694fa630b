"""The contents with which a page solves by itself, by SMO, for the kernels of its script.

The page takes the steps of :mod:`solvers.methods.smo` in the same order of operations, so that a
run of the page takes the same pairs as a run of the window.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

from solvers import RBF, SMO, Linear, Polynomial
from solvers.geometry.hard_margin import HULLS_MEET
from solvers.methods.smo.smo import STOPS
from solvers.methods.smo.steps import COINCIDENT, INSEPARABLE, OPTIMAL, STALLED
from solvers.methods.smo.words import PAIR_STEP, code_of
from solvers.run.templates import BeatTemplate
from svmviz.document.document import Document
from svmviz.io.scene import Scene, write_scene
from svmviz.io.scene_line import DICTIONARY

KERNELS = (Linear, Polynomial, RBF)
# The choice of the pair.
PAIR = "second-order"
# Maximum number of points; with more, a page would lag behind the hand that drags a point.
MAX_POINTS = 400


def obstacle(document: Document) -> str:
    """Return what a document has that a page cannot solve; empty if it can solve the document."""
    obstacles = (
        (document.is_regression, "a regression"),
        (not document.has_coordinates, "points without coordinates"),
        # The factors would change with the points.
        (document.scaling != "none", "points that are scaled"),
        (not isinstance(document.kernel, KERNELS), f"the kernel {document.kernel.label}"),
        (document.bias != "free", "a bias that is not free"),
        # The script has one C for all points.
        (document.has_weights, "weights of classes"),
        (document.n > MAX_POINTS, f"more than {MAX_POINTS} points"),
    )
    return next((words for has, words in obstacles if has), "")


def live_of(document: Document) -> dict[str, Any] | None:
    """Return the contents with which the page solves, or None if it cannot solve this document.

    C is None for the hard margin. The tolerance is that of the first lane if its method is SMO,
    otherwise the default.
    """
    if obstacle(document):
        return None
    method = document.method if isinstance(document.method, SMO) else SMO()
    code = code_of(PAIR, "classification")
    return {
        # The name of the file's own run, unless that chooses the pair in another way.
        "method": SMO.label if method.pair == PAIR else f"{SMO.label}, second order",
        "tol": method.tol,
        "C": document.C if math.isfinite(document.C) else None,
        "scene": _members_of(document, method),
        "dictionary": DICTIONARY.decode(),
        "code": {"source": code.source, "lines": [[line.label, line.text] for line in code.lines]},
        "template": {
            "sentence": PAIR_STEP.sentence,
            "why": PAIR_STEP.why,
            "beats": [_beat(beat) for beat in PAIR_STEP.beats],
        },
        "stops": {
            "optimal": STOPS[OPTIMAL][1],
            "stalled": STOPS[STALLED][1],
            "coincident": STOPS[COINCIDENT][1],
            "inseparable": STOPS[INSEPARABLE][1].replace(
                "{why_inseparable}", HULLS_MEET.format(where="")
            ),
        },
    }


def _members_of(document: Document, method: SMO) -> dict[str, Any]:
    """Return the members of the scene that a page does not change, except those with defaults."""
    members = json.loads(write_scene(Scene(replace(document, methods=(method,)))))
    defaults = json.loads(write_scene(Scene(replace(Document(), methods=(SMO(),)))))
    kept = "class_names", "axis_names", "solvers"
    return {name: members[name] for name in kept if members[name] != defaults[name]}


def _beat(beat: BeatTemplate) -> dict[str, Any]:
    return {
        **{name: getattr(beat, name) for name in ("title", "sentence", "lines", "names")},
        "formulas": [[f.letters, f.numbers, f.each, f.when] for f in beat.formulas],
    }
