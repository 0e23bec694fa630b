"""The dialog that asks for a picture: its parts, size and looks, with a preview."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QVBoxLayout, QWidget

from svmviz.export import FORMATS
from svmviz.export.figure import Figure
from svmviz.export.order import Order
from svmviz.io.scene import Scene
from svmviz.panels.transport.narrator import caption
from svmviz.plane.picture import Picture
from svmviz.theme import active
from svmviz.widgets.file_dialog import ask_save_path
from svmviz.window.files.elsewhere import Elsewhere
from svmviz.window.files.export_form import ExportForm
from svmviz.window.files.preview import Preview
from svmviz.window.messages import Messages


@dataclass(frozen=True)
class Export:
    """A figure, and the file to write it to."""

    path: Path
    figure: Figure | Elsewhere

    def write(self, cancelled: Callable[[], bool]) -> None:
        """Write the file, whole or not at all; in any thread."""
        if isinstance(self.figure, Elsewhere):
            self.figure.write(self.path, cancelled)
        else:
            FORMATS[self.path.suffix.lower()].save(self.path, self.figure, cancelled)


class ExportDialog(QDialog):
    """Parts, size and looks of a picture; the Save button asks for the file.

    Parameters
    ----------
    parent : QWidget
    proposed : Path
        Proposed file, without its ending.
    shown : Picture
        The picture on screen, at its own size.
    scene : Scene
        What is on screen, for panels.
    remembered : dict
        What `values` returned last time.
    """

    def __init__(
        self,
        parent: QWidget,
        proposed: Path,
        shown: Picture,
        scene: Scene,
        remembered: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export picture")
        self._proposed, self._shown, self._scene = proposed, shown, scene
        self._path: Path | None = None
        self.form = ExportForm(scene.document, (*shown.size, shown.scale), remembered or {}, self)
        self.preview = Preview(self)
        self._lay_out()
        self.form.changed.connect(self._show)
        self._show()

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self._ask_path)
        buttons.rejected.connect(self.reject)
        self.save = buttons.button(QDialogButtonBox.StandardButton.Save)
        # Return saves, wherever the focus is.
        self.save.setDefault(True)
        self.save.setFocus()
        across = QHBoxLayout()
        across.setSpacing(active().metrics.space(5))
        across.addWidget(self.preview)
        across.addWidget(self.form)
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(4))
        layout.addLayout(across)
        layout.addWidget(buttons)

    def values(self) -> dict[str, Any]:
        """Return what is to be remembered."""
        return self.form.values()

    def figure(self) -> Figure | Elsewhere:
        """Return the figure as chosen."""
        order = self.form.order()
        if order.panels:
            return Elsewhere(self._scene, order)
        return plane_figure(order, self._shown)

    def export(self) -> Export:
        """Return figure and file; only after the dialog was accepted."""
        assert self._path is not None
        return Export(self._path, self.figure())

    def _show(self) -> None:
        trouble = self.form.trouble()
        self.save.setEnabled(not trouble)
        if trouble:
            self.preview.show_text(trouble)
        else:
            self.preview.show_figure(self.figure())

    def done(self, result: int) -> None:
        """Close, and stop the preview."""
        self.preview.rest()
        super().done(result)

    def _ask_path(self) -> None:
        ending = self.form.ending
        start = f"{self._proposed}{ending}"
        filters = f"{self.form.format.currentText()} (*{ending})"
        path, _ = ask_save_path(self, "Export picture", start, filters)
        if not path:
            return
        target = Path(path)
        if target.suffix.lower() not in FORMATS:
            # The dialog asked about the name as it was typed.
            target = target.with_name(target.name + ending)
            if not Messages(self).may_replace(target):
                return
        self._path = target
        self.accept()


def plane_figure(order: Order, shown: Picture) -> Figure:
    """Return the figure of what the planes show."""
    return order.figure((order.plane(shown),), caption(shown.frame))
