"""Sliders of the penalty C and of lambda = 1 / (C n).

One of the two is pinned: when the number of points n changes, it stays, and the other one changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from solvers import BadInput
from svmviz.document.document import Document, Penalty
from svmviz.stage.stage import Stage
from svmviz.theme.icons import icon
from svmviz.widgets.column import Column
from svmviz.widgets.help_button import HelpButton
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.plain_text import set_tip, show_tip

# Text in the field of C for the hard margin.
HARD_MARGIN_TEXT = "∞ hard"
SLACK_PAGE = "concept:slack"
# Ends of the slider of C; the field accepts other values, too.
MIN_C_SHOWN, MAX_C_SHOWN = 1e-3, 1e6
C_TIPS = {
    "classification": "Penalty of slack in ½‖w‖² + C Σ ξᵢ, with ξᵢ = max(0, 1 − yᵢ f(xᵢ)).\n"
    "C = ∞ is the hard margin.",
    "regression": "Penalty of slack in ½‖w‖² + C Σ ξᵢ, with ξᵢ = max(0, |yᵢ − f(xᵢ)| − ε).",
}
LAMBDA_TIPS = {
    "classification": "λ = 1 / (C n), in ½λ‖w‖² + (1/n) Σ ξᵢ; 0 is the hard margin.",
    "regression": "λ = 1 / (C n), in ½λ‖w‖² + (1/n) Σ ξᵢ.",
}
PIN_TIPS = {
    "C": "C is kept when the number of points n changes; λ = 1 / (C n) follows.",
    "lambda": "λ is kept when the number of points n changes; C = 1 / (λ n) follows.",
}


class HelpedColumn(Column):
    """Column of settings of the document. Subclasses add the buttons that open help pages.

    Parameters
    ----------
    stage : Stage
    parent : QWidget, optional

    Signals
    -------
    help_requested(str)
        The user asked for the help page of this name.
    """

    help_requested = Signal(str)

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(gap=1.0, parent=parent)
        self._session = stage.session


class PenaltyBox(HelpedColumn):
    """Linked sliders of C and lambda, each with a pin. The one that the user set last is pinned.

    Parameters
    ----------
    stage : Stage
    parent : QWidget, optional
    """

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(stage, parent)
        # The kind ("C" or "lambda") that is pinned; during a drag, the one pinned before the drag.
        self._pinned = stage.session.document.penalty.kind
        self.sliders: dict[str, ValueSlider] = {}
        self.pins: dict[str, QToolButton] = {}
        self.helps: dict[str, HelpButton] = {}
        self._add_row(
            "C",
            ValueSlider(
                "C",
                Track(MIN_C_SHOWN, MAX_C_SHOWN, endless=True),
                1.0,
                _check_penalty("C"),
                tip=C_TIPS["classification"],
                infinity=HARD_MARGIN_TEXT,
            ),
        )
        self._add_row(
            "lambda",
            ValueSlider(
                "λ",
                Track(1e-9, 1e3),
                1e-2,
                _check_penalty("lambda"),
                tip=LAMBDA_TIPS["classification"],
            ),
        )
        stage.session.document_changed.connect(self._show_document)
        self._show_document()

    def _add_row(self, kind: str, slider: ValueSlider) -> None:
        slider.moved.connect(lambda value: self._preview(kind, value))
        slider.released.connect(lambda value: self._commit(kind, value))
        pin = QToolButton()
        pin.setCheckable(True)
        pin.setProperty("role", "small")
        pin.setAccessibleName(f"Keep {'C' if kind == 'C' else 'λ'}")
        pin.clicked.connect(lambda: self._pin(kind))
        self.sliders[kind], self.pins[kind] = slider, pin
        slider.add_at_end(pin)
        button = HelpButton(f"About {'C' if kind == 'C' else 'λ'} and slack")
        button.clicked.connect(lambda: self.help_requested.emit(SLACK_PAGE))
        self.helps[kind] = button
        slider.add_at_end(button)
        self.add(slider)

    def step(self, by: int) -> None:
        """Set C to its next larger value, or to a smaller one if ``by`` is negative.

        The values are the stops of the pinned slider; if λ is pinned, a larger C is a smaller λ. C
        becomes infinite only in a classification, and only if all methods can solve the hard
        margin.
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
        if not self._session.previewing:
            self._pinned = document.penalty.kind
        self.sliders["C"].set_value(document.C)
        unused = _unused_words(document)
        set_tip(self.sliders["C"], C_TIPS[document.task] + unused)
        set_tip(self.sliders["lambda"], LAMBDA_TIPS[document.task] + unused)
        self.sliders["lambda"].set_value(document.lam)
        for kind, pin in self.pins.items():
            pinned = kind == document.penalty.kind
            pin.setChecked(pinned)
            pin.setIcon(icon("pin" if pinned else "pin-off"))
            set_tip(pin, PIN_TIPS[kind] if pinned else f"Click to pin: {PIN_TIPS[kind]}")

    def _with_penalty(self, kind: str, value: float) -> Document:
        return replace(self._session.document, penalty=Penalty(kind, value))

    def _preview(self, kind: str, value: float) -> None:
        self._session.preview(self._with_penalty(kind, value))

    def _commit(self, kind: str, value: float) -> None:
        name = "C" if kind == "C" else "λ"
        moves_pin = kind != self._pinned
        self._session.edit(self._with_penalty(kind, value), f"Change {name}")
        if moves_pin:
            self._show_pin_moved(kind)

    def _show_pin_moved(self, kind: str) -> None:
        """Say in a tooltip that the pin has moved to this slider."""
        pin = self.pins[kind]
        if pin.isVisible():
            corner = pin.mapToGlobal(pin.rect().bottomLeft())
            show_tip(corner, f"The pin moved here: {PIN_TIPS[kind]}", pin)

    def _pin(self, kind: str) -> None:
        document = self._session.document
        if document.penalty.kind == kind:
            self._show_document()
            return
        value = document.C if kind == "C" else document.lam
        self._session.edit(self._with_penalty(kind, value), f"Keep {'C' if kind == 'C' else 'λ'}")
        self._show_pin_moved(kind)


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
