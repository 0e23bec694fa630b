"""The dialog that exports a run: as a movie, a table, arrays or code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QVBoxLayout, QWidget

from solvers import BadInput
from solvers.run.method import counted
from svmviz.export.runs.order import RunOrder
from svmviz.export.runs.recording import Recording
from svmviz.plane.picture import Picture
from svmviz.theme import active
from svmviz.widgets.column import Column
from svmviz.widgets.file_dialog import ask_save_path
from svmviz.widgets.still_text import StillText
from svmviz.window.files.export_dialog import plane_figure
from svmviz.window.files.preview import Preview
from svmviz.window.files.run_form import RunFacts, RunForm
from svmviz.window.messages import Messages

# What a file without pictures contains.
ABOUT = {
    "trace": "A row for each step: primal, dual, gap, KKT violation, seconds, points moved.",
    "solution": "A row for each point: x, y, label, α, β, slack, f, and its kind.",
    "sklearn": "The points, the model with scikit-learn, a comparison with our optimum, and the "
    "figure with matplotlib. It runs as it is.",
    "solvers": "The points, the run with our own solvers, step by step, and the figure with "
    "matplotlib. It runs as it is.",
    "": "The step, β and the bias at each step, for numpy.load.",
}


class RunDialog(QDialog):
    """Format, steps, pace and size; the Export button asks for the file.

    Parameters
    ----------
    parent : QWidget
    proposed : Path
        Proposed file, without its ending.
    recording : Recording
        The run or race; its lengths are those of this moment.
    shown : Picture
        The picture on screen, for the preview.
    facts : RunFacts
    remembered : dict, optional
        What `values` returned last time.
    """

    def __init__(
        self,
        parent: QWidget,
        proposed: Path,
        recording: Recording,
        shown: Picture,
        facts: RunFacts,
        remembered: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export run")
        self._proposed, self._recording, self._shown = proposed, recording, shown
        self.path: Path | None = None
        self.form = RunForm(facts, remembered or {}, self)
        self.preview = Preview(self)
        # How long the movie is, and what is special about it.
        self.note = StillText(lines=3)
        self._lay_out()
        self.form.changed.connect(self._show)
        self._show()

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.export = buttons.addButton("Export…", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self._ask_path)
        buttons.rejected.connect(self.reject)
        # Return exports, wherever the focus is.
        self.export.setDefault(True)
        self.export.setFocus()
        left = Column(gap=1.0)
        left.add(self.preview)
        left.add(self.note)
        across = QHBoxLayout()
        across.setSpacing(active().metrics.space(5))
        across.addWidget(left)
        across.addWidget(self.form)
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(4))
        layout.addLayout(across)
        layout.addWidget(buttons)

    def values(self) -> dict[str, Any]:
        """Return the values to be remembered."""
        return self.form.values()

    def done(self, result: int) -> None:
        """Close, and stop the preview."""
        self.preview.rest()
        super().done(result)

    def _show(self) -> None:
        try:
            order = self.form.order()
            note = self._estimate(order)
        except BadInput as error:
            self.export.setEnabled(False)
            self.note.setText("")
            self.preview.show_text(_sentence(error))
            return
        self.export.setEnabled(True)
        self.note.setText(" ".join(filter(None, (note, self._growing()))))
        kind = self.form.kind
        if kind.is_movie:
            # As it will be written.
            field = "bands" if kind.ending == ".gif" else order.picture.field
            self.preview.show_figure(plane_figure(replace(order.picture, field=field), self._shown))
        else:
            self.preview.show_text(ABOUT[self.form.contents.currentData()])

    def _estimate(self, order: RunOrder) -> str:
        """Return how much is written, in a sentence."""
        kind, steps = self.form.kind, len(order.steps.within(self._recording.length))
        if kind.is_movie:
            frames = counted(order.frames(steps), "frame")
            most = "At most " if order.changes else ""
            if "fps" not in kind.options:
                return f"{most}{counted(steps, 'image')}."
            return f"{most}{frames}, {_duration(order.seconds(steps))}."
        if kind.ending in (".py", ".ipynb"):
            lanes = len(self._recording.runs) > 1
            return "Code of the first solver of the race." if lanes else ""
        if order.table == "solution":
            return f"{counted(self._recording.scene.document.n, 'row')}."
        return f"{counted(steps, 'step')}."

    def _growing(self) -> str:
        runs = self._recording.runs
        if all(run.stop is not None for run in runs):
            return ""
        length = counted(self._recording.length, "step")
        return f"The run has not ended; only its first {length} can be exported."

    def _ask_path(self) -> None:
        kind = self.form.kind
        is_folder = kind.ending == "/"
        ending = " frames" if is_folder else kind.ending
        filters = "Folder (*)" if is_folder else f"{kind.title} (*{kind.ending})"
        path, _ = ask_save_path(self, "Export run", f"{self._proposed}{ending}", filters)
        if not path:
            return
        target = Path(path)
        if not is_folder and target.suffix.lower() != kind.ending:
            # The dialog asked about the name as it was typed.
            target = target.with_name(target.name + kind.ending)
            if not Messages(self).may_replace(target):
                return
        self.path = target
        self.accept()


def _duration(seconds: float) -> str:
    if seconds < 60.0:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def _sentence(error: BadInput) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(".") else ".")
