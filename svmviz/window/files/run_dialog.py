"""The dialog that exports a run: as a movie, a table, arrays or code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QWidget,
)

from solvers import BadInput
from solvers.run.method import counted
from solvers.settings import settings_of
from svmviz.export import RUN_FORMATS, RunFormat
from svmviz.export.figure_settings import FigureSettings
from svmviz.export.page import Length
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import (
    MAX_FPS,
    MAX_GIF_FPS,
    MOVIE_SIZE,
    RunSettings,
    Steps,
)
from svmviz.plane.picture import Picture
from svmviz.playback.player import GLIDE
from svmviz.theme import active
from svmviz.widgets.inputs.number_box import NumberBox
from svmviz.widgets.plain_text import Label, add_row
from svmviz.window.files.declared_controls import DeclaredControls
from svmviz.window.files.export_dialog import plane_figure
from svmviz.window.files.preview import PreviewDialog

# Maximum number of exported steps after the start, when the dialog opens. For a longer run, it
# proposes only every k-th step.
DEFAULT_FRAMES = 300
# Maximum width and height of a movie, px.
MAX_SIDE = 8000
# Settings for the contents of a file; a format has one of them or none.
CONTENTS = ("table", "code")
# Descriptions of files without pictures, by the choice of their contents or by their ending.
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


@dataclass(frozen=True)
class RunFacts:
    """The facts on a run that the form needs.

    Attributes
    ----------
    length : int
        Number of steps of the longest run.
    glides : bool
        Whether the picture in the window glides from step to step.
    clock : str
        The clock that compares the lanes of a race.
    lane : int
        The lane in focus.
    loop : (int, int), optional
        The steps that are proposed; by default, all.
    """

    length: int
    glides: bool = False
    clock: str = "steps"
    lane: int = 0
    loop: tuple[int, int] | None = None


class RunForm(QWidget):
    """The fields of the dialog, from which `RunSettings` are made.

    Parameters
    ----------
    facts : RunFacts
    remembered : dict
        The result of `values` when the dialog was closed last; may be empty.
    parent : QWidget, optional

    Signals
    -------
    changed : a field has another value
    """

    changed = Signal()

    def __init__(
        self, facts: RunFacts, remembered: dict[str, Any], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._facts = facts
        # While true, changes of fields are not handled.
        self._filling = True
        self._make_contents()
        self._make_steps()
        self._make_movie()
        self._lay_out()
        self._fill(remembered)
        self._filling = False
        for box in (self.format, self.contents):
            box.currentIndexChanged.connect(self._on_changed)
        for number in (self.first, self.last, self.every, self.step, *self.sides):
            number.valueChanged.connect(self._on_changed)
        self._on_changed()

    # Fields.

    def _make_contents(self) -> None:
        self.format, self.contents = QComboBox(), QComboBox()
        for kind in RUN_FORMATS.values():
            ending = "" if kind.ending == "/" else f" ({kind.ending})"
            self.format.addItem(kind.title + ending, kind.ending)

    def _make_steps(self) -> None:
        length = self._facts.length
        self.first = NumberBox("First step", 0, length, decimals=0)
        self.last = NumberBox("Last step", 0, length, decimals=0)
        self.every = NumberBox("Distance between exported steps", 1, max(1, length), decimals=0)
        self.every.setPrefix("1 in ")
        self.every.setSpecialValueText("every step")
        self.step = NumberBox("Step of the solution", 0, length, decimals=0)
        first, last = self._facts.loop or (0, length)
        self.first.setValue(first)
        self.last.setValue(last)
        self.step.setValue(length)
        self.every.setValue(max(1, -(-(last - first) // DEFAULT_FRAMES)))

    def _make_movie(self) -> None:
        movie = ("changes", "fps", "hold", "glide")
        self._movie = DeclaredControls(RunSettings, movie, self._on_changed)
        self.fps, self.hold = self._movie.numbers.values()
        self.changes, self.glide = self._movie.switches.values()
        looks = ("theme", "caption")
        self._looks = DeclaredControls(FigureSettings, looks, self._on_changed)
        self.theme, self.caption = self._looks.choices["theme"], self._looks.switches["caption"]
        self.sides = tuple(
            NumberBox(name, 2, MAX_SIDE, " px", decimals=0) for name in ("Width", "Height")
        )

    def _lay_out(self) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        add_row(form, "Format", self.format)
        add_row(form, "Contents", self.contents)
        form.addRow(Label("Steps"), _row(self.first, Label("to"), self.last, self.every))
        form.addRow(Label(), self.changes)
        add_row(form, "Step", self.step)
        add_row(form, "Pace", self.fps)
        add_row(form, "First and last for", self.hold)
        form.addRow(Label("Size"), _row(self.sides[0], Label("×"), self.sides[1]))
        add_row(form, "Colours", self.theme)
        form.addRow(Label(), self.caption)
        form.addRow(Label(), self.glide)

    # Values.

    @property
    def kind(self) -> RunFormat:
        """The chosen format."""
        return RUN_FORMATS[self.format.currentData()]

    def settings(self) -> RunSettings:
        """Return the settings of the export; raise BadInput if the format cannot have them."""
        width, height = (Length(side.value(), "px") for side in self.sides)
        kind = self.kind
        if "steps" in kind.options and self.first.value() > self.last.value():
            raise BadInput("The first step comes after the last.")
        chosen = self._movie.values()
        chosen["glide"] = chosen["glide"] and "glide" in kind.options
        chosen |= {name: self.contents.currentData() for name in CONTENTS if name in kind.options}
        settings = RunSettings(
            steps=Steps(self.first.whole(), self.last.whole(), self.every.whole())
            if "steps" in kind.options
            else Steps(),
            step=self.step.whole(),
            picture=FigureSettings(
                width=width,
                height=height,
                palette=active().theme.palette,
                clock=self._facts.clock,
                lane=self._facts.lane,
                **self._looks.values(),
            ),
            **chosen,
        )
        if kind.is_movie:
            # ``page`` raises BadInput for a size that no picture can have.
            _ = settings.picture.page
        kind.check(kind.ending, settings)
        return settings

    def values(self) -> dict[str, Any]:
        """Return the values to be remembered, as values of JSON, without the steps of this run."""
        movie = self._movie.values()
        # A movie glides if the window does, so this is not remembered.
        del movie["glide"]
        return {
            "ending": self.kind.ending,
            "contents": self.contents.currentData(),
            "sides": [side.whole() for side in self.sides],
            **movie,
            **self._looks.values(),
        }

    def _fill(self, values: dict[str, Any]) -> None:
        """Fill in the remembered values that are still valid."""
        self.format.setCurrentIndex(max(0, self.format.findData(values.get("ending"))))
        self._fill_contents(values.get("contents"))
        self._movie.fill({**values, "glide": self._facts.glides})
        self._looks.fill(values, caption=True)
        sides = values.get("sides")
        sides = sides if isinstance(sides, list) and len(sides) == 2 else MOVIE_SIZE
        for side, value, default in zip(self.sides, sides, MOVIE_SIZE, strict=True):
            side.setValue(value if isinstance(value, int) else default)

    def _fill_contents(self, chosen: object = None) -> None:
        """Fill the list of contents with the choices of the format."""
        name = next((name for name in CONTENTS if name in self.kind.options), "")
        choices = dict(settings_of(RunSettings)[name].choices) if name else {"": "The run"}
        if [self.contents.itemData(row) for row in range(self.contents.count())] != list(choices):
            self.contents.clear()
            for key, text in choices.items():
                self.contents.addItem(text, key)
        if chosen is not None:
            self.contents.setCurrentIndex(max(0, self.contents.findData(chosen)))
        self.contents.setEnabled(bool(name))

    # Events.

    def _on_changed(self) -> None:
        if self._filling:
            return
        self._filling = True
        self._fill_contents()
        self.fps.setMaximum(MAX_GIF_FPS if self.kind.ending == ".gif" else MAX_FPS)
        self._filling = False
        kind, is_solution = self.kind, self.contents.currentData() == "solution"
        for field in (self.first, self.last, self.every):
            field.setEnabled("steps" in kind.options and not is_solution)
        self.step.setEnabled(is_solution)
        self.changes.setEnabled("changes" in kind.options)
        for field in (self.fps, self.hold):
            field.setEnabled("fps" in kind.options)
        for field in (*self.sides, self.theme, self.caption):
            field.setEnabled(kind.is_movie)
        self.glide.setEnabled("glide" in kind.options and self.fps.value() * GLIDE <= 1.0)
        self.changed.emit()


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
            return "Code of the first method of the race." if is_race else ""
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


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    for widget in widgets:
        row.addWidget(widget, 0 if isinstance(widget, Label) else 1)
    return row
