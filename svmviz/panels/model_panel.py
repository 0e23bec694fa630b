"""Kernel with its parameters, and the penalty as C and as lambda."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtWidgets import QLabel, QWidget

from solvers import KERNELS, RBF, BadInput, Kernel
from svmviz.forms import SettingsForm
from svmviz.panels.penalty_box import PenaltyBox
from svmviz.stage import Stage
from svmviz.widgets.checked_slider import CheckedSlider
from svmviz.widgets.choice import Choice
from svmviz.widgets.column import Column
from svmviz.widgets.track import Track

# The widths that belong to the range of gamma.
WIDTHS = Track(0.025, 25.0)


class ModelPanel(Column):
    """Kernel and penalty of the document.

    Parameters
    ----------
    stage : Stage
    parent : QWidget, optional
    """

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(gap=1.0, parent=parent)
        self._session = stage.session
        # Parameters that a kernel had when it was last shown, so that trying another loses nothing.
        self._earlier: dict[str, Kernel] = {}
        choices = [
            (name, kernel.label, kernel.help, kernel.notation) for name, kernel in KERNELS.items()
        ]
        self.kernel = self.add(Choice("Kernel", choices))
        self.formula = self.add(QLabel())
        self.form = self.add(SettingsForm(stage.session.document.kernel))
        self.width_slider = self.add(self._make_width_slider())
        self.penalty = self.add(PenaltyBox(stage))
        self.kernel.chosen.connect(self._on_kernel)
        self.form.moved.connect(self._preview)
        self.form.released.connect(self._commit)
        stage.session.document_changed.connect(self._show_document)
        self._show_document()

    def _make_width_slider(self) -> CheckedSlider:
        tip = "Width of a bump: σ = 1 / √(2γ), in data units."
        slider = CheckedSlider("σ", WIDTHS, math.sqrt(0.5), _judge_width, tip=tip)
        slider.moved.connect(lambda width: self._preview(_of_width(width)))
        slider.released.connect(lambda width: self._commit(_of_width(width)))
        return slider

    def _show_document(self) -> None:
        kernel = self._session.document.kernel
        self._earlier[kernel.name] = kernel
        self.kernel.set_value(kernel.name)
        self.kernel.setToolTip(kernel.help)
        self.formula.setText(f"k(x, z) = {kernel.notation}")
        self.formula.setToolTip(kernel.help)
        self.form.set_instance(kernel)
        self.width_slider.setVisible(isinstance(kernel, RBF))
        if isinstance(kernel, RBF):
            self.width_slider.set_value(1.0 / math.sqrt(2.0 * kernel.gamma))

    def _on_kernel(self, name: str) -> None:
        if name != self._session.document.kernel.name:
            kernel = self._earlier.get(name) or KERNELS[name]()
            text = f"{kernel.label} kernel"
            self._session.edit(replace(self._session.document, kernel=kernel), text)

    def _preview(self, kernel: Kernel) -> None:
        self._session.preview(replace(self._session.document, kernel=kernel))

    def _commit(self, kernel: Kernel) -> None:
        self._session.edit(replace(self._session.document, kernel=kernel), "Change kernel")


def _of_width(width: float) -> RBF:
    return RBF(gamma=0.5 / width**2)


def _judge_width(width: float) -> str:
    if not 0 < width < math.inf:
        return f"σ must be above 0: got {width:g}."
    try:
        _of_width(width)
    except (BadInput, OverflowError, ZeroDivisionError):
        return f"σ leads to a γ that cannot be: got {width:g}."
    return ""
