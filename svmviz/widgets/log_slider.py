"""A positive number over many powers of ten: C, gamma, a tolerance."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from svmviz.widgets.slider import ValueSlider
from svmviz.widgets.track import Track


class LogSlider(ValueSlider):
    """Slider whose equal steps are equal factors.

    Parameters
    ----------
    label : str
    minimum, maximum : float
        Ends of the range, above 0.
    default : float
        What a double click on the label goes back to; ``inf`` if ``infinity`` is given.
    unit, tip : str
        After the number; tooltip.
    infinity : str
        If given, infinity lies at the right end and the field says this, such as
        ``"∞ hard margin"``.
    whole : bool
        Only whole numbers.
    parent : QWidget, optional
    """

    def __init__(
        self,
        label: str,
        minimum: float,
        maximum: float,
        default: float,
        *,
        unit: str = "",
        tip: str = "",
        infinity: str = "",
        whole: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        track = Track(minimum, maximum, whole=whole, endless=bool(infinity))
        super().__init__(
            label, track, default, unit=unit, tip=tip, infinity=infinity or "∞", parent=parent
        )

    def set_range(self, minimum: float, maximum: float, default: float) -> None:
        """Change range and default, without emitting; the number is kept or clipped."""
        track = self.track
        self.set_track(Track(minimum, maximum, True, track.whole, track.endless), default)
