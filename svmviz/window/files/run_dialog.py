"""The dialog that exports a run: as a movie, a table, arrays or code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from solvers import BadInput
from solvers.run.method import counted
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import RunSettings
from svmviz.plane.picture import Picture
from svmviz.window.files.export_dialog import plane_figure
from svmviz.window.files.preview_dialog import PreviewDialog
from svmviz.window.files.run_form import RunFacts, RunForm

# What a file without pictures contains, by the choice of its contents or by its ending.
ABOUT = {
    "trace": "A row for each step: primal, dual, gap, KKT violation, seconds, points moved.",
    "solution": "A row for each point: x, y, label, α, β, slack, f, and its kind.",
    "sklearn": "The points, the model with scikit-learn, a comparison with our optimum, and the "
    "figure with matplotlib. It runs as it is.",
    "solvers": "The points, the run with our own solvers, step by step, and the figure with "
    "matplotlib. It runs as it is.",
    ".npz": "The step, β and the bias at each step, for numpy.load.",
    ".html": "The run as one page for any browser, on a telephone too, without network: plane, "
    "sentences, formulas, pseudo-code and points, step by step.",
}


class RunDialog(PreviewDialog):
    """Format, steps, pace and size; the Export button asks for the file.

    Parameters
    ----------
    parent : QWidget
    proposed : Path
        Proposed file, without its ending.
    recording : Recording
        The steps of the run or race that are recorded when the dialog opens.
    shown : Picture
        The picture on screen, for the preview.
    facts : RunFacts
    remembered : dict, optional
        The result of `values` when the dialog was closed last.
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
        super().__init__(parent, "Export run", proposed, note_lines=3)
        self._recording, self._shown = recording, shown
        self.form = RunForm(facts, remembered or {}, self)
        self.export = self._lay_out(self.form, "Export…")
        self.form.changed.connect(self._show)
        self._show()

    def values(self) -> dict[str, Any]:
        """Return the values to be remembered."""
        return self.form.values()

    def _show(self) -> None:
        try:
            settings = self.form.settings()
            note = self._estimate(settings)
        except BadInput as error:
            self.export.setEnabled(False)
            self.note.setText("")
            self.preview.show_text(_sentence(error))
            return
        self.export.setEnabled(True)
        self.note.setText(" ".join(filter(None, (note, self._unfinished_note()))))
        kind = self.form.kind
        if kind.is_movie:
            # A GIF always has a field of bands.
            field = "bands" if kind.ending == ".gif" else settings.picture.field
            self.preview.show_figure(
                plane_figure(replace(settings.picture, field=field), self._shown)
            )
        else:
            self.preview.show_text(ABOUT[self.form.contents.currentData() or kind.ending])

    def _estimate(self, settings: RunSettings) -> str:
        """Return a sentence on how much is written: frames, seconds, rows or steps."""
        kind, steps = self.form.kind, len(settings.steps.within(self._recording.length))
        if kind.is_movie:
            frames = counted(settings.frames(steps), "frame")
            prefix = "At most " if settings.changes else ""
            if "fps" not in kind.options:
                return f"{prefix}{counted(steps, 'image')}."
            return f"{prefix}{frames}, {_duration(settings.seconds(steps))}."
        if kind.ending in (".py", ".ipynb"):
            is_race = len(self._recording.runs) > 1
            return "Code of the first solver of the race." if is_race else ""
        if settings.table == "solution":
            return f"{counted(self._recording.scene.document.n, 'row')}."
        return f"{counted(steps, 'step')}."

    def _unfinished_note(self) -> str:
        """Return a sentence if the run has not ended; otherwise ""."""
        runs = self._recording.runs
        if all(run.stop is not None for run in runs):
            return ""
        length = counted(self._recording.length, "step")
        return f"The run has not ended; only its first {length} can be exported."

    def _ask_path(self) -> None:
        kind = self.form.kind
        if kind.ending == "/":
            self._accept_path(" frames", "Folder (*)", (), kind.check_target)
        else:
            self._accept_path(kind.ending, f"{kind.title} (*{kind.ending})", (kind.ending,))


def _duration(seconds: float) -> str:
    if seconds < 60.0:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def _sentence(error: BadInput) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(".") else ".")
