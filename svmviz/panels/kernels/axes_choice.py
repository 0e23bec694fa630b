"""The choice of the three coordinates of phi that are drawn, if phi has more."""

from __future__ import annotations

import re

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy

from solvers.kernels.feature_maps import FeatureMap
from solvers.run.beats import subscript
from svmviz.panels.kernels.feature_solids import chosen_coordinates
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.choice_box import ChoiceBox

FACTOR = "exp(−γ‖x‖²)"
AXES = ("first", "second", "third")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class AxesChoice(Column):
    """Three combo boxes with the coordinates of phi; hidden if it has no more than three.

    A coordinate that is chosen for a second axis changes places with the one that was there.

    Signals
    -------
    chosen(object)
        The user chose other coordinates: their three indices.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__(gap=1.0, across=True)
        self._map: FeatureMap | None = None
        self._texts: tuple[str, ...] = ()
        self._values: list[str] = []
        self.boxes = [self.add(ChoiceBox("", ()), 1) for _ in AXES]
        for axis, (box, name) in enumerate(zip(self.boxes, AXES, strict=True)):
            # They share the width of a panel that may be narrow.
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            box.combo.setAccessibleName(f"Coordinate of φ on the {name} axis")
            box.chosen.connect(lambda key, axis=axis: self._on_chosen(axis, key))
        self.hide()

    def offer(self, feature_map: FeatureMap | None) -> None:
        """Offer the coordinates of a map.

        The user's choice stays if it is among them and their number is as before. Otherwise the
        first three are chosen.
        """
        if feature_map is self._map:
            return
        self._map = feature_map
        varying = feature_map.varying if feature_map else ()
        self.setVisible(len(varying) > 3)
        if feature_map is None or len(varying) <= 3:
            return
        texts = tuple(
            plain(feature_map.coordinates[k].letters, feature_map.factor) for k in varying
        )
        if texts == self._texts:
            return
        keys = [str(k) for k in varying]
        if len(texts) != len(self._texts) or not set(self._values) <= set(keys):
            first = chosen_coordinates(feature_map) or ()
            self._values = [str(k) for k in first]
        self._texts = texts
        for box, value in zip(self.boxes, self._values, strict=True):
            # Emptied first, since a box keeps its texts if the keys are the same.
            box.set_choices(())
            names = (f"φ{subscript(k + 1)}" for k in varying)
            box.set_choices(tuple(zip(keys, names, texts, texts, strict=True)))
            box.set_value(value)

    def _on_chosen(self, axis: int, key: str) -> None:
        before = self._values[axis]
        if key in self._values:
            self._values[self._values.index(key)] = before
        self._values[axis] = key
        for box, value in zip(self.boxes, self._values, strict=True):
            box.set_value(value)
        self.chosen.emit(tuple(int(value) for value in self._values))


def plain(letters: str, factor: str = "") -> str:
    r"""Return a coordinate as plain text: ``\sqrt{2} x_{1}^{2}`` as ``√2 x₁²``.

    With a factor, it is written out: ``√2 x₁ exp(−γ‖x‖²)``.
    """
    text = re.sub(r"\\sqrt\{(\d+)\}", r"√\1", letters.replace(r"\|", "‖").replace(r"\,\psi", " ψ"))
    text = re.sub(r"_\{(\d+)\}", lambda match: subscript(int(match[1])), text)
    text = re.sub(r"\^\{?(\d+)\}?", lambda match: match[1].translate(_SUPERSCRIPTS), text)
    if factor:
        text = FACTOR if text == "1" else f"{text} {FACTOR}"
    return text
