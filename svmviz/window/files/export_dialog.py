"""The dialogs that ask for a picture, on paper or in a file: its parts, size and looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPageLayout, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWidgets import QWidget

from solvers import BadInput
from solvers.cancelling import Report, no_report
from svmviz.base.words import percent
from svmviz.export import FORMATS
from svmviz.export.figure import Figure
from svmviz.export.figure_settings import FigureSettings
from svmviz.export.page import MILLIMETRES_PER_INCH, FigureSize
from svmviz.io.scene import Scene
from svmviz.plane.picture import Picture
from svmviz.plane.sentences import caption
from svmviz.window.files.export_form import ExportForm
from svmviz.window.files.preview import PreviewDialog
from svmviz.window.files.process_figure import Drawer, ProcessFigure


@dataclass(frozen=True)
class Export:
    """A figure, and the file to write it to."""

    path: Path
    figure: Figure | ProcessFigure

    def write(self, report: Report = no_report) -> str:
        """Write the file atomically; can be called once, in any thread.

        Return a sentence on what differs from the request; empty if nothing does.
        """
        if not isinstance(self.figure, ProcessFigure):
            return FORMATS[self.path.suffix.lower()].save(self.path, self.figure) or ""
        try:
            return self.figure.write(self.path, report)
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
        The choices in panels; see ``ViewState.choices``.
    """

    # Title of the window, and text of the button.
    title, action = "Export picture", "Save"

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
        # The note says how the file differs from the request.
        super().__init__(parent, self.title, proposed, note_lines=2)
        self._shown, self._clock, self._derivation = shown, clock, derivation
        self._choices = tuple(choices.items())
        self._drawer = Drawer(scene)
        self.form = ExportForm(scene.document, (*shown.size, shown.scale), remembered or {}, self)
        self._prepare_form()
        self.save = self._lay_out(self.form, self.action)
        self.preview.note_changed.connect(self.note.setText)
        self.form.changed.connect(self._show)
        # A user who opens the list of panels will probably choose one, so the process that draws
        # panels is started.
        self.form.list_opened.connect(self._prepare)
        self._show()

    def _prepare_form(self) -> None:
        """Adapt the form before it is laid out."""

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
        self._drawer.prepare(self._settings())

    def export(self) -> Export:
        """Return the figure and the file; call this only after the dialog was accepted."""
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


@dataclass(frozen=True)
class PrintJob:
    """A figure, and the printer that was chosen for it."""

    figure: Figure | ProcessFigure
    printer: QPrinter

    def run(self, report: Report) -> str:
        """Print; can be called once, in any thread.

        Return a sentence on what differs from the request, for example that the figure was made
        smaller to fit the paper; empty if nothing does.
        """
        figure = self.figure
        if not isinstance(figure, ProcessFigure):
            return self._paint(figure.page, figure.paint)
        try:
            image, note = figure.image(report)
        finally:
            figure.drawer.close()
        box = QRectF(image.rect())
        shrunk = self._paint(figure.settings.page, lambda painter: painter.drawImage(box, image))
        return f"{shrunk} {note}".strip()

    def _paint(self, page: FigureSize, paint: Callable[[QPainter], object]) -> str:
        """Paint at the page's size on paper, or smaller if the page is too large for the paper."""
        sides = [side / MILLIMETRES_PER_INCH for side in page.millimetres]
        room = self.printer.pageRect(QPrinter.Unit.Inch)
        share = min(1.0, room.width() / sides[0], room.height() / sides[1])
        with QPainter(self.printer) as painter:
            if not painter.isActive():
                raise BadInput("The printer did not take the picture.")
            factor = share * self.printer.resolution() * sides[0] / page.width
            painter.scale(factor, factor)
            paint(painter)
        return "" if share == 1.0 else f"It was made smaller to fit the paper, to {percent(share)}."


class PrintDialog(ExportDialog):
    """Parts, size and looks of a picture; the Print button asks for the printer.

    Attributes
    ----------
    printer : QPrinter or None
        The printer, once the user has chosen it.
    """

    title, action = "Print", "Print…"
    printer: QPrinter | None = None

    def _prepare_form(self) -> None:
        self.form.hide_formats()

    def _ask_path(self) -> None:
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(self._proposed.name)
        if not QPrinterInfo.availablePrinterNames():
            printer.setOutputFileName(f"{self._proposed}.pdf")
        width, height = self._settings().page.millimetres
        if width > height and width > printer.pageRect(QPrinter.Unit.Millimeter).width():
            printer.setPageOrientation(QPageLayout.Orientation.Landscape)
        dialog = QPrintDialog(printer, self)
        if dialog.exec():
            self.printer = printer
            self.accept()
        dialog.deleteLater()

    def job(self) -> PrintJob:
        """Return the figure and the printer; call this only after the dialog was accepted."""
        assert self.printer is not None
        return PrintJob(self.figure(), self.printer)
