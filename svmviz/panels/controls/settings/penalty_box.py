"""Sliders of the penalty C and of lambda = 1 / (C n).

When the number of points n changes, one of the two stays, and the other one changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from solvers import BadInput
from svmviz.document.document import Document, Penalty
from svmviz.stage.stage import Stage
from svmviz.widgets.column import Column
from svmviz.widgets.icon_button import SmallButton
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.more import More
from svmviz.widgets.plain_text import set_tip

# Text in the field of C for the hard margin.
HARD_MARGIN_TEXT = "∞ hard"
SLACK_PAGE = "concept:slack"
# Ends of the slider of C; the field accepts other values, too.
MIN_C_SHOWN, MAX_C_SHOWN = 1e-3, 1e6
NAMES = {"C": "C", "lambda": "λ"}
TIPS = {
    "C": {
        "classification": "The price of slack. A small C gives a wide margin band with points "
        "in it, a large C a narrow one.\n"
        "The method minimises ½‖w‖² + C Σ ξᵢ, with ξᵢ = max(0, 1 − yᵢ f(xᵢ)).\n"
        "C = ∞ is the hard margin: no slack at all.",
        "regression": "The price of slack. A small C gives a flat curve, a large C one close to "
        "the points.\nThe method minimises ½‖w‖² + C Σ ξᵢ, with ξᵢ = max(0, |yᵢ − f(xᵢ)| − ε).",
    },
    "lambda": {
        "classification": "Another way to say C: λ = 1 / (C n), with n points.\n"
        "A large λ is a small C; λ = 0 is the hard margin. The method minimises "
        "½λ‖w‖² + (1/n) Σ ξᵢ.",
        "regression": "Another way to say C: λ = 1 / (C n), with n points.\n"
        "A large λ is a small C. The method minimises ½λ‖w‖² + (1/n) Σ ξᵢ.",
    },
}
STAY_TIPS = {
    "C": "C is kept when the number of points n changes; λ = 1 / (C n) follows.",
    "lambda": "λ is kept when the number of points n changes; C = 1 / (λ n) follows.",
}


class PenaltyBox(Column):
    """Linked sliders of C and lambda. The one that the user set last stays when n changes.

    Parameters
    ----------
    stage : Stage
    more : More
        Gets the slider of lambda, and the choice of what stays.
    """

    def __init__(self, stage: Stage, more: More) -> None:
        super().__init__(gap=1.0)
        self._session, self._lesson = stage.session, stage.lesson
        c, lam = (
            ValueSlider(
                "C",
                Track(MIN_C_SHOWN, MAX_C_SHOWN, endless=True),
                1.0,
                _check_penalty("C"),
                infinity=HARD_MARGIN_TEXT,
            ),
            ValueSlider("λ", Track(1e-9, 1e3), 1e-2, _check_penalty("lambda")),
        )
        self.sliders = {"C": self.add(c), "lambda": more.body.add(lam)}
        self.helps = {kind: self._prepare(kind, slider) for kind, slider in self.sliders.items()}
        stays = [(kind, NAMES[kind], words) for kind, words in STAY_TIPS.items()]
        self.kept = more.compare(ChoiceBox("New points: keep", stays, default="C"))
        self.kept.chosen.connect(self._keep)
        stage.session.document_changed.connect(self._show_document)
        self._show_document()

    def _prepare(self, kind: str, slider: ValueSlider) -> SmallButton:
        """Connect a slider, and add the button of its help page."""
        slider.moved.connect(lambda value: self._preview(kind, value))
        slider.released.connect(lambda value: self._commit(kind, value))
        button = SmallButton("question-mark", f"About {NAMES[kind]} and slack")
        button.clicked.connect(lambda: self._lesson.concept_requested.emit(SLACK_PAGE))
        slider.add_at_end(button)
        return button

    def step(self, by: int) -> None:
        """Set C to its next larger value, or to a smaller one if ``by`` is negative.

        The values are the stops of the slider that stays if n changes; if it is that of λ, a larger
        C is a smaller λ. C becomes infinite only in a classification, and only if all methods can
        solve the hard margin.
        """
        document = self._session.committed
        kind = document.penalty.kind
        value = document.C if kind == "C" else document.lam
        up = by > 0 if kind == "C" else by < 0
        stop = self.sliders[kind].track.stop_beside(value, up)
        hard = not document.is_regression and all(m.hard_margin for m in document.methods)
        if stop is not None and (hard or math.isfinite(stop)):
            self._commit(kind, stop)

    def _show_document(self) -> None:
        document = self._session.document
        unused = _unused_words(document)
        for kind, value in (("C", document.C), ("lambda", document.lam)):
            self.sliders[kind].set_value(value)
            set_tip(self.sliders[kind], TIPS[kind][document.task] + unused)
        self.kept.set_value(document.penalty.kind)
        set_tip(self.kept, STAY_TIPS[document.penalty.kind])

    def _with_penalty(self, kind: str, value: float) -> Document:
        return replace(self._session.document, penalty=Penalty(kind, value))

    def _preview(self, kind: str, value: float) -> None:
        self._session.preview(self._with_penalty(kind, value))

    def _commit(self, kind: str, value: float) -> None:
        self._session.edit(self._with_penalty(kind, value), f"Change {NAMES[kind]}")

    def _keep(self, kind: str) -> None:
        document = self._session.document
        if document.penalty.kind != kind:
            value = document.C if kind == "C" else document.lam
            self._session.edit(self._with_penalty(kind, value), f"Keep {NAMES[kind]}")


def _unused_words(document: Document) -> str:
    """Return a line that says that no method of the document uses C; empty if one uses it."""
    if any(method.uses_penalty for method in document.methods):
        return ""
    names = dict.fromkeys(method.label for method in document.methods)
    return f"\nNot used by {' and '.join(names)}."


def _check_penalty(kind: str) -> Callable[[float], str]:
    def check(value: float) -> str:
        try:
            Penalty(kind, value)
        except BadInput as error:
            return str(error).replace("lambda", "λ")
        if kind == "lambda" and math.isinf(value):
            return "λ must be finite: got ∞."
        return ""

    return check
