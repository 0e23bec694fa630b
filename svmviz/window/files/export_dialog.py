"""The dialog that asks for a picture: its parts, size and looks, with a preview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtWidgets import QWidget

from svmviz.export import FORMATS
from svmviz.export.figure import Figure
from svmviz.export.figure_settings import FigureSettings
from svmviz.io.scene import Scene
from svmviz.panels.controls.transport.narrator import caption
from svmviz.plane.picture import Picture
from svmviz.window.files.drawer import Drawer
from svmviz.window.files.export_form import ExportForm
from svmviz.window.files.preview_dialog import PreviewDialog
from svmviz.window.files.process_figure import ProcessFigure, arguments
from svmviz.window.files.tasks import Control


@dataclass(frozen=True)
class Export:
    """A figure, and the file to write it to."""

    path: Path
    figure: Figure | ProcessFigure

    def write(self, control: Control) -> str:
        """Write the file atomically; can be called once, in any thread.

        Return a sentence on what differs from the request; empty if nothing does.
        """
        if not isinstance(self.figure, ProcessFigure):
            return FORMATS[self.path.suffix.lower()].save(self.path, self.figure, control) or ""
        try:
            return self.figure.write(self.path, control, control.report)
        finally:
            self.figure.drawer.close()


class ExportDialog(PreviewDialog):
    """Parts, size and looks of a picture; the Save button asks for the file.

    Parameters
    ----------
    parent : QWidget
    proposed : Path
        Proposed file, without its ending.
    shown : Picture
        The picture on screen, at its own size.
    scene : Scene
        The scene on screen, from which another process draws panels.
    remembered : dict
        The result of `values` when the dialog was closed last.
    clock : str
        The clock that compares the lanes of a race.
    derivation : str
        Name of the derivation that its panel shows; empty for the first that has numbers.
    choices : dict of str to str
        What is chosen in panels: ``Stage.choices``.
    """

    def __init__(
        self,
        parent: QWidget,
        proposed: Path,
        shown: Picture,
        scene: Scene,
        remembered: dict[str, Any] | None = None,
        clock: str = "steps",
        derivation: str = "",
        choices: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        # The note says what in the file differs from the request.
        super().__init__(parent, "Export picture", proposed, note_lines=2)
        self._shown, self._clock, self._derivation = shown, clock, derivation
        self._choices = tuple(choices.items())
        self._drawer = Drawer(scene)
        self.form = ExportForm(scene.document, (*shown.size, shown.scale), remembered or {}, self)
        self.save = self._lay_out(self.form, "Save")
        self.preview.note_changed.connect(self.note.setText)
        self.form.changed.connect(self._show)
        # A user who opens the list of panels will probably choose one, so the process that draws
        # panels is started.
        self.form.list_opened.connect(self._prepare)
        self._show()

    def values(self) -> dict[str, Any]:
        """Return the values to be remembered."""
        return self.form.values()

    def figure(self) -> Figure | ProcessFigure:
        """Return the figure as chosen."""
        settings = self._settings()
        return (
            ProcessFigure(settings, self._drawer)
            if settings.panels
            else plane_figure(settings, self._shown)
        )

    def _settings(self) -> FigureSettings:
        return replace(
            self.form.settings(),
            clock=self._clock,
            lane=self._shown.frame.focus,
            derivation=self._derivation,
            choices=self._choices,
        )

    def _prepare(self) -> None:
        self._drawer.prepare(arguments(self._settings()))

    def export(self) -> Export:
        """Return figure and file; call this only after the dialog was accepted."""
        assert self.path is not None
        return Export(self.path, self.figure())

    def _show(self) -> None:
        trouble = self.form.trouble()
        self.save.setEnabled(not trouble)
        if trouble:
            self.preview.show_text(trouble)
        else:
            self.preview.show_figure(self.figure())

    def done(self, result: int) -> None:
        """Close, and end the process that draws panels unless it draws the file."""
        if not (result and self._settings().panels):
            self._drawer.close()
        super().done(result)

    def _ask_path(self) -> None:
        ending = self.form.ending
        self._accept_path(ending, f"{self.form.format.currentText()} (*{ending})", FORMATS)


def plane_figure(settings: FigureSettings, shown: Picture) -> Figure:
    """Return the figure of the planes, from their picture on screen."""
    return settings.figure((settings.plane(shown),), caption(shown.frame))
