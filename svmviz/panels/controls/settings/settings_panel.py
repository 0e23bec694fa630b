"""The base of the cards of settings: what is decided first, and more behind a button."""

from __future__ import annotations

from svmviz.stage.stage import Stage
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.more import More


class SettingsPanel(Column):
    """Column of settings of the document; subclasses add ``more`` as its last widget.

    Parameters
    ----------
    stage : Stage

    Attributes
    ----------
    more : More
        The settings that are seldom needed.
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__(gap=1.0)
        self._session = stage.session
        self.more = More()

    def _settle(self) -> None:
        """Mark what differs from its default, and align the sliders; call it after each change."""
        self.more.show_differences()
        sliders = tuple(each for each in self.findChildren(ValueSlider) if not each.isHidden())
        for slider in sliders:
            slider.align_with(sliders)
