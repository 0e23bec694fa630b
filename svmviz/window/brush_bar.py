"""A form for size and rate of the brush, the circle with which some tools add or erase points."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from solvers.settings import Checked
from svmviz.plane.widget import PlaneView
from svmviz.theme import active
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.styling import StyleFollower

# Width of the form, and its distance from the edges of the plot, px at scale 1.
WIDTH, GAP = 320, 8


class BrushBar(StyleFollower, QFrame):
    """A small form in a corner of a plane, visible only while the selected tool has a brush.

    It shows the brush of one plane, and changes the brush of all planes.

    Parameters
    ----------
    plane : PlaneView
        The plane whose brush is shown.
    views : list of PlaneView
        All planes; the list may change.
    parent : QWidget
        The parent of the planes.
    """

    def __init__(self, plane: PlaneView, views: list[PlaneView], parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._plane, self._views = plane, views
        self._layout = QVBoxLayout(self)
        self._form: SettingsForm | None = None
        self.follow_style(BrushBar._apply_style)
        self.hide()

    @property
    def form(self) -> SettingsForm | None:
        """The form; None before a tool with a brush was first selected."""
        return self._form

    def fit(self) -> None:
        """Show the settings of the tool's brush; hide the form if the tool has no brush."""
        brush = self._plane.brush
        if brush is None:
            self.hide()
            return
        if self._form is None:
            self._form = SettingsForm(brush)
            self._form.moved.connect(self._on_set)
            self._form.released.connect(self._on_set)
            self._layout.addWidget(self._form)
        self._form.set_instance(brush)
        self.place()
        self.show()
        self.raise_()

    def place(self) -> None:
        """Move to the top left corner of the plot."""
        gap, camera = active().metrics.px(GAP), self._plane.camera
        width = min(active().metrics.px(WIDTH), round(camera.plot_width) - 2 * gap)
        self.resize(width, self.sizeHint().height())
        corner = self._plane.pos()
        self.move(corner.x() + round(camera.left) + gap, corner.y() + round(camera.top) + gap)

    def _on_set(self, brush: Checked) -> None:
        for view in self._views:
            view.set_brush(brush)
        self.fit()

    def _apply_style(self) -> None:
        space = active().metrics.space
        self._layout.setContentsMargins(space(3), space(2), space(3), space(2))

    def event(self, event: QEvent) -> bool:
        is_handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self._form is not None:
            # The height of the form depends on the brush, so it is set here.
            self.place()
        return is_handled
