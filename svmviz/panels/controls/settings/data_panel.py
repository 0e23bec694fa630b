"""The points that are there, other points (files, generators), and the scaling of the axes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from solvers import BadInput
from solvers.data.datasets import DATASETS, MAX_CLASSES, Dataset, PointSet
from solvers.data.regression_datasets import CURVES
from solvers.run.method import counted
from svmviz.base.keys import key_text
from svmviz.base.words import axis_units, class_titles, count, number
from svmviz.document.advice import about_spreads
from svmviz.document.document import SCALINGS, TASKS, Document
from svmviz.document.limits import MAX_SHOWN_POINTS
from svmviz.document.rescaling import rescale_kernel
from svmviz.document.source import Source
from svmviz.document.splitting import split_alike
from svmviz.panels.controls.settings.class_names import ClassNames
from svmviz.panels.controls.settings.settings_panel import SettingsPanel
from svmviz.panels.seed_box import SeedBox
from svmviz.stage.stage import Stage
from svmviz.theme.icons import icon
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.plain_text import Label, MutedLabel, set_tip

NO_SCALING = "These points have no coordinates that could be scaled, only kernel values."
NUMBER_TIP = "Number of points to generate."
NOISE_TIP = "How far points scatter from the pattern."
CLASSES_TIP = "Number of classes to generate."
SCALING_NAMES = {"none": "None", "common": "Same factor", "each": "Each axis alone"}


class DataPanel(SettingsPanel):
    """Number and origin of the points, generators of other points, and the scaling of the axes.

    Parameters
    ----------
    stage : Stage

    Signals
    -------
    open_requested()
        The user wants to open a file.
    """

    open_requested = Signal()

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._reading = stage.reading
        # The name of the file or example that the points are from; empty if there is none.
        self._origin = ""
        # The last points of each task with their generator, restored when the user returns to the
        # task.
        self._last_points: dict[str, tuple[PointSet, Source | None]] = {}
        self.task = self.add(Segmented([(task, task.capitalize()) for task in TASKS]))
        self.task.chosen.connect(self._on_task)
        self.counts = self.add(MutedLabel())
        self._add_files()
        self._add_generator()
        self._add_scaling()
        self.names = self.more.body.add(ClassNames(stage.session))
        self.add(self.more)
        stage.session.document_changed.connect(self._show_document)
        # Whether points were changed by hand is known after the document has changed.
        stage.session.undo_stack.indexChanged.connect(self._show_words)
        self._show_document()

    # Widgets.

    def _add_files(self) -> None:
        row = self.add(Column(across=True))
        self.open = row.add(QPushButton(icon("open"), "Open…"), 1)
        set_tip(
            self.open, f"Open points from a CSV or LIBSVM file, or a scene ({key_text('Ctrl+O')})"
        )
        self.open.clicked.connect(self.open_requested)
        self.table = row.add(QPushButton(icon("table"), "Table…"), 1)
        set_tip(self.table, "Show all points as a table with editable numbers")
        self.table.clicked.connect(lambda: self._reading.panel_requested.emit("table"))

    def _add_generator(self) -> None:
        self.dataset = self.add(
            ChoiceBox("Generate", _choices_of(self._sets), placeholder="choose…")
        )
        self.dataset.chosen.connect(self._on_dataset)
        self.generator = self.more.body.add(Column(gap=1.0))
        self.number = self.generator.add(
            ValueSlider("Points n", Track(4, 2000, whole=True), 100, _check_number, tip=NUMBER_TIP)
        )
        self.noise = self.generator.add(
            ValueSlider(
                "Noise", Track(0.0, 1.5, logarithmic=False), 0.15, _check_noise, tip=NOISE_TIP
            )
        )
        self.classes = self.generator.add(
            ValueSlider(
                "Classes", Track(2, MAX_CLASSES, whole=True), 2, _check_classes, tip=CLASSES_TIP
            )
        )
        for slider in (self.number, self.noise, self.classes):
            slider.moved.connect(lambda _value: self._preview())
            slider.released.connect(lambda _value: self._commit())
        self.seed = self.generator.add(SeedBox())
        self.seed.chosen.connect(self._commit)
        if self._session.document.n >= 2:
            self.number.set_value(len(self._session.document.all_points))

    def _add_scaling(self) -> None:
        entries = [(key, SCALING_NAMES[key], words) for key, words in SCALINGS.items()]
        self.scaling = self.more.compare(ChoiceBox("Scaling", entries, default="none"))
        self.scaling.chosen.connect(self._on_scaling)
        self.hint = self.add(Label(role="warning", wraps=True))

    @property
    def _sets(self) -> dict[str, Dataset]:
        """Generators for the task of the document, by name."""
        return CURVES if self._session.document.is_regression else DATASETS

    # Display.

    def show_origin(self, name: str) -> None:
        """Say from which file or example the points are; "" if from none."""
        self._origin = name
        self._show_words()

    def _show_document(self) -> None:
        document = self._session.document
        self.task.set_value(document.task)
        if set(self.dataset.keys) != set(self._sets):
            self.dataset.set_choices(_choices_of(self._sets))
        self._show_source()
        self._show_words()
        self.names.show_document(document)
        self.scaling.set_value(document.scaling)
        self.scaling.setEnabled(document.has_coordinates)
        tip = SCALINGS[document.scaling] if document.has_coordinates else NO_SCALING
        set_tip(self.scaling, tip)
        advice = about_spreads(document)
        self.hint.say(advice.sentence if advice else "")
        self._settle()

    def _show_words(self, _index: int = 0) -> None:
        """Say how many points there are, of which classes, and from where."""
        document = self._session.document
        if not document.n:
            self.counts.setText("No points yet. Click in the plane, or generate some.")
            return
        if document.is_regression:
            (x, _), (y, _) = axis_units(document.data)
            kinds = f"{y} over {x}"
        else:
            # Of two classes, +1 is named first.
            titles = list(enumerate(class_titles(document.all_points)))
            numbers = np.bincount(document.classes, minlength=len(titles))
            kinds = ", ".join(
                f"{title}: {count(int(numbers[k]))}"
                for k, title in (titles if document.many else titles[::-1])
                if numbers[k] or not document.many
            )
        held_out = document.held_out
        others = f" Held out: {count(held_out.n)}." if held_out is not None else ""
        if len(document.left_out):
            left_out = class_titles(document.all_points)
            names = [left_out[k] for k in np.unique(document.left_out.classes).tolist()]
            others += f" Left out by this machine: {count(len(document.left_out))}"
            others += f" ({', '.join(names)})."
        self.counts.setText(
            f"{counted(document.n, 'point')} ({kinds}).{others}\n{self._origin_words()}"
        )

    def _origin_words(self) -> str:
        source = self._session.document.source
        if source is not None:
            return f"{source.title}: noise {number(source.noise)}, seed {source.seed}."
        if not self._origin:
            return "Placed by hand."
        is_changed = self._session.points_are_manual()
        return f"From {self._origin}{', changed by hand' if is_changed else ''}."

    def _show_source(self) -> None:
        """Show the generator of the points, if they have one, as after an undo."""
        document = self._session.document
        source = document.source
        self.generator.setVisible(source is not None)
        if source is None:
            self.dataset.set_value("")
            return
        if source.name != self.dataset.value or source != self._source:
            self.dataset.set_value(source.name)
            self._show_dataset()
            self.noise.set_value(source.noise)
            self.seed.set_value(source.seed)
            self.classes.set_value(source.classes)
        # Some data sets, such as "Eight points", ignore the number of points.
        if document.held_out is None and len(source.draw(2)) == 2:
            self.number.set_value(len(document.all_points))

    def _show_dataset(self) -> None:
        """Show the description and the default noise of the data set chosen in the list."""
        entry = self._sets[self.dataset.value]
        set_tip(self.dataset, entry.help)
        set_tip(self.noise, entry.help)
        self.noise.set_value(entry.noise_default)
        self.classes.setVisible(entry.has_many_classes)

    @property
    def _source(self) -> Source:
        """The generator with the settings of the controls."""
        has_many = self._sets[self.dataset.value].has_many_classes
        classes = round(self.classes.value) if has_many else 2
        return Source(self.dataset.value, self.noise.value, self.seed.value, classes)

    # Edits.

    def generated(self) -> tuple[Document, str]:
        """Return the document with generated points, and a note.

        The note says that gamma was fitted to the points; it is empty if gamma was not fitted.
        """
        source, before = self._source, self._session.committed
        data = source.draw(round(self.number.value))
        old = before.source
        if old is not None and (old.name, old.classes) == (source.name, source.classes):
            data = replace(data, class_names=before.class_names)
        document = split_alike(replace(before, data=data, source=source), before)
        return rescale_kernel(document, before)

    def choose_dataset(self, by: int) -> None:
        """Generate the next data set of the list, or the previous one if ``by`` is -1.

        If the current points are not generated, it is the first data set, or the last one.
        """
        is_generated = self._session.committed.source is not None
        keys = self.dataset.keys_from(by) if is_generated else self.dataset.keys[::by]
        self.dataset.set_value(keys[0])
        self._on_dataset(self.dataset.value)

    def change_task(self) -> None:
        """Switch between classification and regression."""
        self._on_task(next(task for task in TASKS if task != self._session.document.task))

    @property
    def dataset_title(self) -> str:
        """Title of the data set that the list shows."""
        return self._sets[self.dataset.value].title

    def _on_dataset(self, _name: str) -> None:
        self._show_dataset()
        self._commit()

    def _on_task(self, task: str) -> None:
        document = self._session.document
        if task == document.task:
            return
        self._last_points[document.task] = document.all_points, document.source
        if task not in self._last_points:
            entry = next(iter((CURVES if task == "regression" else DATASETS).values()))
            source = Source(entry.name, entry.noise_default, self.seed.value)
            self._last_points[task] = source.draw(round(self.number.value)), source
        self._session.select(())
        changed = document.with_task(task, *self._last_points[task])
        rescaled, note = rescale_kernel(changed, document)
        self._session.edit(rescaled, task.capitalize(), note, generates=True)

    def _preview(self) -> None:
        self._session.preview(self.generated()[0])

    def _commit(self) -> None:
        self._session.select(())
        document, note = self.generated()
        self._session.edit(document, f"Generate {self.dataset_title}", note, generates=True)

    def _on_scaling(self, scaling: str) -> None:
        before = self._session.document
        document, note = rescale_kernel(replace(before, scaling=scaling), before)
        self._session.edit(document, "Change scaling", note)


def _choices_of(sets: Mapping[str, Dataset]) -> list[tuple[str, str, str]]:
    return [(name, entry.title, entry.help) for name, entry in sets.items()]


def _check_number(value: float) -> str:
    # Infinity cannot be rounded; the second check refuses it.
    if math.isfinite(value) and value != round(value):
        return f"The number of points must be a whole number: got {value:g}."
    if not 2 <= value <= MAX_SHOWN_POINTS:
        return f"The number of points must be from 2 to {MAX_SHOWN_POINTS:,}: got {value:g}."
    return ""


def _check_classes(value: float) -> str:
    if value not in range(2, MAX_CLASSES + 1):
        return f"The number of classes must be a whole number from 2 to {MAX_CLASSES}."
    return ""


def _check_noise(value: float) -> str:
    # All generators check the noise in the same way.
    try:
        DATASETS["moons"].generate(2, value, 0)
    except BadInput as error:
        return str(error)
    return "" if math.isfinite(value) else "The noise must be finite."
