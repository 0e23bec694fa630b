"""The contents of a page that its scripts read, as values of JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from solvers import BadInput, Problem, Run
from solvers.cancelling import Report
from solvers.errors import shorten, visible
from solvers.problem.reduced_hulls import ReducedHulls
from solvers.problem.regression import Regression
from solvers.run.beats import Beat
from solvers.run.event import Event
from solvers.run.formulas import Formula
from solvers.settings import settings_of
from svmviz.base.kinds import kinds_of
from svmviz.base.qr_code import qr_rows, too_long
from svmviz.base.words import axis_units, class_titles, number, tidied
from svmviz.camera.camera import Camera, has_equal_axes
from svmviz.document.class_weights import weights_words
from svmviz.document.document import Document
from svmviz.document.item_plane import NO_BOUNDARY
from svmviz.document.lanes import titles_of_lanes
from svmviz.document.pen import COLOURS
from svmviz.document.view_options import ViewOptions
from svmviz.export.html.decision import decision_contents
from svmviz.export.html.kernel_programs import program_of
from svmviz.export.html.live import live_of, obstacle
from svmviz.export.html.packing import array_text, changes_of
from svmviz.export.runs.recording import Recording
from svmviz.frames.clocks import STEPS, Clock
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.lane_reader import LaneReader
from svmviz.frames.viewport import SMALLEST_GRID
from svmviz.io.scene import Scene
from svmviz.io.scene_line import write_scene_line

# Maximum number of characters of the name of a point.
MAX_NAME = 20
# Options of the view that a page has, too.
LAYERS = ("field", "band", "contours", "sticks", "alpha_area", "alpha_numbers", "numbers", "grid")
# Keys of beats whose values are lists of pairs.
PAIRS = ("notes", "lines", "formulas")


def contents_of(
    recording: Recording, steps: Sequence[int], report: Report, clock: Clock = STEPS
) -> dict[str, Any]:
    """Return the contents of the page of a recording; between two steps, report the progress.

    By another ``clock`` than that of steps, the lanes are at one reading of it in each place of the
    page.
    """
    document = recording.scene.document
    if any(own.kernel or own.epsilon is not None for own in document.changes):
        raise BadInput(
            "A page shows models side by side only if they differ in C alone. Export a picture or "
            "a movie instead."
        )
    problem = recording.runs[0].problem
    titles = titles_of_lanes(document)
    lanes = []
    steps_of_lanes = _steps_of_lanes(recording, steps, clock)
    for place, (run, title) in enumerate(zip(recording.runs, titles, strict=True)):
        own_steps, share = steps_of_lanes[place], len(recording.runs)

        def report_lane(done: float, place: int = place, share: int = share) -> None:
            report((place + done) / share)

        lanes.append({"title": title, **_lane(recording, run, own_steps, report_lane)})
    return {
        "task": document.task,
        "bias_mode": document.bias,
        "model": model_line(document),
        "epsilon": problem.epsilon if isinstance(problem, Regression) else 0.0,
        "points": array_text(document.data.points),
        "labels": document.data.labels.tolist(),
        "factors": document.factors.tolist(),
        "classes": list(class_titles(document.data)),
        "axes": [title for title, _ in axis_units(document.data, document.is_regression)],
        "units": [unit for _, unit in axis_units(document.data)],
        **_kernel_facts(document, problem),
        "kernel_name": document.kernel.label,
        **_window(recording.scene),
        "layers": [name for name in LAYERS if getattr(recording.scene.options, name)],
        "step": recording.scene.step,
        "speed": _speed(recording.scene),
        **({"line": line_of(document)} if document.user_line else {}),
        "strokes": strokes_of(recording.scene.options),
        "lanes": lanes,
        "test": _test_part(document),
        **(
            {"many": decision_contents(recording.scene, recording.runs[0])}
            if document.has_decision
            else {}
        ),
        **({"machine": document.many.machine.code} if document.many else {}),
        "live": live_of(document),
        "obstacle": obstacle(document),
        **_scene_text(recording.scene),
    }


def _steps_of_lanes(recording: Recording, steps: Sequence[int], clock: Clock) -> list[list[int]]:
    """Return the steps of each lane, one for each place of the page."""
    runs, lengths = recording.runs, recording.lengths
    own = [[step for step in steps if step <= length] or [length] for length in lengths]
    if clock is STEPS or not recording.is_race:
        return own
    pairs = zip(runs, own, lengths, strict=True)
    readings = {clock.reading(run, k) for run, taken, length in pairs for k in (*taken, length)}
    return [
        [min(clock.step(run, reading), length) for reading in sorted(readings)]
        for run, length in zip(runs, lengths, strict=True)
    ]


def _test_part(document: Document) -> dict[str, Any] | None:
    """Return the test points; None if their drawer is closed."""
    held_out = document.held_out
    if held_out is None or not held_out.seen or not document.has_coordinates:
        return None
    return {
        "points": array_text(held_out.test.points),
        "labels": held_out.test.labels.tolist(),
    }


def _scene_text(scene: Scene) -> dict[str, Any]:
    """Return the scene as one line with its QR code, or why it has none."""
    line = write_scene_line(scene)
    rows = qr_rows(line)
    return {"scene": line, "qr": rows, "no_qr": "" if rows else too_long(line)}


def _kernel_facts(document: Document, problem: Problem) -> dict[str, Any]:
    """Return the program of the kernel; for points without coordinates, names and Gram matrix.

    The entries of the matrix have single precision, which takes half the space.
    """
    items = document.data.items
    if items is None:
        return {"kernel_program": program_of(problem.used_kernel)}
    gram = problem.kernel(problem.X, problem.X)
    names = [shorten(visible(name), MAX_NAME) for name in items.names]
    return {"gram": array_text(gram, "<f4"), "names": names, "no_boundary": NO_BOUNDARY}


def _lane(recording: Recording, run: Run, steps: list[int], report: Report) -> dict[str, Any]:
    document = recording.scene.document
    reader = LaneReader(run, document.held_points)
    betas, biases, objectives, words = [], [], [], []
    lane = None
    for count, step in enumerate(steps):
        report(count / len(steps))
        lane = reader.read(step, SMALLEST_GRID, document.factors)
        certificate = lane.certificate
        betas.append(lane.expansion.beta)
        biases.append(lane.expansion.constant)
        objectives += [certificate.dual, certificate.gap, certificate.kkt]
        start = "" if lane.event else recording.caption(Frame(document, (lane,)))
        words.append(words_of(lane, start))
    assert lane is not None
    return {
        "method": run.method.label,
        "has_margin": run.method.maximizes_margin or document.is_regression,
        "steps": array_text(np.diff(steps, prepend=0), "<u4"),
        "betas": changes_of(betas),
        "biases": array_text(biases),
        "objectives": array_text(objectives, "<f4"),
        "words": columns_of(words),
        "end": recording.caption(Frame(document, (lane,))) if lane.at_end else "",
        **_facts(lane),
    }


def _facts(lane: Lane) -> dict[str, Any]:
    """Return the contents that do not change from step to step."""
    code, problem = lane.pseudo_code, lane.certified_problem
    kinds = kinds_of(problem)
    names = "no support vector", "free support vector", f"support vector {kinds.at_bound}"
    pairs = zip(names, kinds.conditions, strict=True)
    is_hulls = isinstance(problem, ReducedHulls)
    return {
        "C": None if math.isinf(problem.C) else problem.C,
        **({} if problem.weights is None else {"caps": problem.caps.tolist()}),
        "weight_factor": problem.mu / problem.C if is_hulls else None,
        "tolerance": lane.kkt_tolerance,
        "kinds": [f"{name}: {condition}" for name, condition in pairs],
        "code": code
        and {"source": code.source, "lines": [[line.label, line.text] for line in code.lines]},
    }


def line_of(document: Document) -> list[float]:
    """Return w and b of the user's line."""
    line = document.user_line
    assert line is not None
    return [*line.w, line.b]


def _speed(scene: Scene) -> float | None:
    """Return the steps per second of the scene; None for the default and for an infinite speed."""
    return scene.speed if scene.speed is not None and math.isfinite(scene.speed) else None


def strokes_of(options: ViewOptions) -> list[Any]:
    """Return colour and coordinates of each stroke of the pen, if the page shows them."""
    return [
        [COLOURS.index(stroke.colour), [number for place in stroke.places for number in place]]
        for stroke in options.strokes
        if options.pen
    ]


def _window(scene: Scene) -> dict[str, Any]:
    points = scene.document.visible_points
    aspect = scene.options.aspect_for(scene.document.task)
    camera = Camera().fitted(points, aspect)
    if scene.window is not None:
        camera = camera.showing(*scene.window)
    half_x, half_y = 0.5 * camera.span_x, 0.5 * camera.span_y
    window = [camera.x - half_x, camera.x + half_x, camera.y - half_y, camera.y + half_y]
    return {"window": window, "equal": has_equal_axes(aspect, points)}


def model_line(document: Document) -> str:
    """Return the methods, the kernel with its settings, and C in one line."""
    kernel, titles = document.kernel, titles_of_lanes(document)
    settings = [
        f"{spec.label} {number(value)}"
        for name, spec in settings_of(kernel).items()
        if isinstance(value := getattr(kernel, name), int | float)
    ]
    C = "hard margin" if math.isinf(document.C) else f"C = {number(document.C)}"
    words = (" and ".join(titles), ", ".join((kernel.label, *settings)), C)
    if document.has_weights:
        words = (*words[:2], f"{C}, {weights_words(document.weight_per_class)}")
    # The titles of lanes that differ in C name it.
    return " · ".join(words[:-1] if document.changes else words)


def words_of(lane: Lane, start: str) -> dict[str, Any]:
    """Return the words of the step that a lane shows; ``start`` is the sentence of step 0.

    Empty values are left out. ``formulas`` has the formulas that belong to no beat.
    """
    return {"sentence": start} if lane.event is None else event_words(lane.event)


def columns_of(words: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return a list for each key of the words of steps, and for each key of the words of beats.

    When texts of one kind are side by side, compression halves their size. ``beats`` has the number
    of beats of each step; keys of beats begin with ``beat.``. Lists of pairs become two lists.
    """
    beats = [beat for step in words for beat in step.get("beats", ())]
    keys = ("sentence", "why", "formulas", "marked")
    columns: dict[str, list[Any]] = {key: [step.get(key, 0) for step in words] for key in keys}
    columns["beats"] = [len(step.get("beats", ())) for step in words]
    for key in dict.fromkeys(key for beat in beats for key in beat):
        column = [beat.get(key, 0) for beat in beats]
        if key in PAIRS:
            columns |= {
                f"beat.{key}.{k}": [[pair[k] for pair in x] for x in column] for k in (0, 1)
            }
        else:
            columns[f"beat.{key}"] = column
    return columns


def event_words(event: Event, *, keeps_values: bool = False) -> dict[str, Any]:
    """Return the words of an event.

    If the values of a beat begin with those of its notes, only the remaining values are kept, as
    ``rows``; the page restores the others. With ``keeps_values``, all values are kept.
    """
    in_beats = sum(len(beat.formulas) for beat in event.beats)
    words = {
        "sentence": tidied(event.sentence),
        "why": tidied(event.why),
        "formulas": _formulas(event.formulas[: len(event.formulas) - in_beats]),
        "beats": [_beat(beat, keeps_values) for beat in event.beats],
        "marked": list(event.marked),
    }
    return {name: value for name, value in words.items() if value}


def _beat(beat: Beat, keeps_values: bool) -> dict[str, Any]:
    notes = [[point, tidied(note)] for point, note in beat.notes]
    values = [[name, tidied(value)] for name, value in beat.values]
    same = [[f"point {point + 1}", note] for point, note in notes]
    has_same = not keeps_values and values[: len(same)] == same
    return {
        "name": beat.name,
        "sentence": tidied(beat.sentence),
        "points": list(beat.points),
        "others": list(beat.others),
        "notes": notes,
        "lines": [[label, tidied(value)] for label, value in beat.lines],
        **({"rows": values[len(same) :]} if has_same else {"values": values}),
        "formulas": _formulas(beat.formulas),
    }


def _formulas(formulas: tuple[Formula, ...]) -> list[list[str]]:
    return [[formula.letters, formula.numbers] for formula in formulas]
