"""``svmviz render``: a picture of a file, or its whole run, without a display."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers import BadInput, Run
from solvers.errors import short_path, shorten
from svmviz.base.lazy import later
from svmviz.base.resources import names_in_order
from svmviz.base.strict_json import suggest
from svmviz.cli import export_options, model_options
from svmviz.cli.displays import has_display, require_qt
from svmviz.cli.meter import Meter
from svmviz.cli.parser import Parser
from svmviz.cli.streams import print_error
from svmviz.document.lanes import solve_lanes
from svmviz.export import FORMATS, RUN_FORMATS
from svmviz.export.figure_settings import PLANE, FigureSettings
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import RunSettings, Steps
from svmviz.frames.clocks import CLOCKS
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import SMALLEST_GRID
from svmviz.io.atomic import write_atomically
from svmviz.io.open_and_save import SCENE_ENDING, open_scene
from svmviz.io.paths import absolute_path, explain, names_folder
from svmviz.io.scene import Scene
from svmviz.lessons.lessons import ENDING as LESSON_ENDING
from svmviz.lessons.lessons import Lesson, is_lesson_file, read_lesson_file
from svmviz.plane.overlays import studies_for

if TYPE_CHECKING:
    from svmviz.export.figure import Figure

# Only movies and pages have captions, so other formats do not load what writes them.
_caption = later("plane.sentences:caption")
# Name of the page that links to the others.
INDEX = "index.html"
# Holds the QGuiApplication, which painting needs, so that it is not destroyed.
_application: list[Any] = []


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``render``."""
    export_options.add_figure_options(parser)
    export_options.add_run_options(parser)
    model_options.add_arguments(parser)


def run(options: argparse.Namespace, parser: Parser) -> int:
    """Solve, and draw one step or write the run."""
    ending = ending_of(options.output)
    lesson = _lesson_of(options)
    if lesson is not None:
        if ending not in (".html", ".pdf"):
            parser.error(
                "a lesson is written as a page, so OUT ends in .html, or in .pdf if it has no "
                "questions"
            )
        export_options.refuse_unused(options, parser, ending)
        write = _write_lesson if ending == ".html" else _write_lecture
        write(lesson, Path(options.output))
        return 0
    if os.path.isdir(options.file) and ending == "/":
        export_options.refuse_unused(options, parser, ".html")
        figure = export_options.read_figure_settings(options, parser, movie=False)
        settings = export_options.read_run_settings(options, figure)
        return _write_pages(options, parser, settings)
    endings = [*FORMATS, *RUN_FORMATS]
    if ending not in endings:
        parser.error(f'no format has the ending "{ending}"; {suggest(ending, endings)}')
    export_options.refuse_unused(options, parser, ending)
    movie = ending in RUN_FORMATS and RUN_FORMATS[ending].is_movie
    settings = export_options.read_figure_settings(options, parser, movie=movie)
    output = Path(options.output)
    if ending in RUN_FORMATS:
        run_settings = export_options.read_run_settings(options, settings)
        plays_loop = options.steps is None
        _write_run(_scene_of(options, parser), output, ending, run_settings, plays_loop)
        return 0
    if settings.panels and not FORMATS[ending].has_panels:
        raise BadInput(FORMATS[ending].why_not(settings.panels[0]))
    scene = _scene_of(options, parser)
    step = scene.step if options.step is None else options.step
    _draw(scene, output, step, settings)
    return 0


def _scene_of(options: argparse.Namespace, parser: Parser) -> Scene:
    scene = model_options.read_scene(options, parser)
    changes = {"decision": options.regions, "shading": options.shading}
    changes = {name: value for name, value in changes.items() if value is not None}
    return replace(scene, options=replace(scene.options, **changes))


def ending_of(output: str) -> str:
    """Return the ending that selects a format, in lower case; "/" for a folder."""
    return "/" if names_folder(output) else Path(output).suffix.lower()


def _write_run(
    scene: Scene, output: Path, ending: str, settings: RunSettings, plays_loop: bool
) -> None:
    """Write a run; a movie that ``plays_loop`` has the steps of the scene's loop, if it has one."""
    kind = RUN_FORMATS[ending]
    if not os.path.isdir(output.parent):
        # Otherwise this would fail at writing, after the scene was solved.
        raise BadInput(explain(FileNotFoundError(), output, writing=True))
    kind.check(ending, settings, thoroughly=True)
    if kind.is_movie:
        load_qt(widgets=False)
    kind.check_target(output)
    with np.errstate(all="ignore"):
        runs = solve_lanes(scene.document)
        recording = Recording(scene, runs, _caption)
        loop = scene.marks.loop_within(recording.length)
        if plays_loop and loop is not None and kind.is_movie and settings.picture.clock == "steps":
            settings = replace(settings, steps=Steps(*loop))
        with Meter() as meter:
            kind.save(output, recording, settings, meter.report)


def _lesson_of(options: argparse.Namespace) -> Lesson | None:
    """Return the lesson that FILE names, a lesson file or a shipped lesson; None for a scene."""
    file = Path(options.file)
    if is_lesson_file(file):
        return read_lesson_file(file)
    if file.name != str(options.file) or file.suffix or os.path.exists(file):
        return None
    # Imported late, because it reads all lessons.
    from svmviz.lessons.shipped import LESSONS

    return LESSONS.get(file.name)


def _write_lesson(lesson: Lesson, output: Path) -> None:
    from svmviz.export.html.save import save_lesson
    from svmviz.panels.registry import shown_by_lessons
    from svmviz.tools import TOOLS

    titles = shown_by_lessons()
    lesson.check_names(titles, TOOLS)
    with np.errstate(all="ignore"), Meter() as meter:
        save_lesson(output, lesson, titles, _caption, meter.report)


def _write_lecture(lesson: Lesson, output: Path) -> None:
    from svmviz.cli.lecture_pages import write_lecture

    load_qt(widgets=True)
    with np.errstate(all="ignore"), Meter() as meter:
        write_lecture(lesson, output, figure_of, meter.report)


def _write_pages(options: argparse.Namespace, parser: Parser, settings: RunSettings) -> int:
    """Write a page for each scene and lesson in the folder FILE into OUT, and ``index.html``.

    The pages have the order of the folder's ``order.txt``, which contains names without endings;
    other pages follow, sorted by name. If no page can be made of a file, the file is left out and
    named on stderr. Return the exit code: 1 if a file was left out, otherwise 0. If a page would
    replace a file in OUT that svmviz did not make, raise BadInput before anything is written.
    """
    # Imported here, because pages need the colours of the theme, and tables need no Qt.
    from svmviz.export.html.contents import model_line
    from svmviz.export.html.save import Entry, index_of

    source, target = Path(options.file), Path(options.output)
    files = files_of(source)
    names = page_names(files)
    make_folder(target, names.values())
    pages, is_complete = [], True
    for file in files:
        chosen = argparse.Namespace(**{**vars(options), "file": file})
        page = target / names[file]
        try:
            lesson = _lesson_of(chosen)
            if lesson is not None:
                _write_lesson(lesson, page)
                title, line = lesson.title, lesson.help
            else:
                scene = model_options.read_scene(chosen, parser)
                _write_run(scene, page, ".html", settings, plays_loop=False)
                title, line = file.stem, model_line(scene.document)
        except BadInput as error:
            print_error(f"svmviz: {with_name(file, error)}")
            is_complete = False
        else:
            pages.append(Entry(page.name, title, line))
    title = absolute_path(source).resolve().name or "svmviz"
    write_atomically(target / INDEX, index_of(title, pages))
    return 0 if is_complete else 1


def with_name(file: Path, error: BadInput) -> str:
    """Return the sentence of an error, which begins with the name of the file."""
    text = str(error)
    return text if text.startswith(shorten(file.name)) else f"{file.name}: {text}"


def make_folder(target: Path, names: Iterable[str]) -> None:
    """Make a folder for pages; raise BadInput if one would replace a file of another program."""
    from svmviz.export.html.save import is_page

    try:
        target.mkdir(exist_ok=True)
    except OSError as error:
        raise BadInput(explain(error, target, writing=True)) from None
    for name in (INDEX, *names):
        if os.path.lexists(target / name) and not is_page(target / name):
            raise BadInput(
                f"{short_path(target)} has another {name}, which svmviz did not make; choose "
                "another folder."
            )


def page_names(files: Iterable[Path], *others: str) -> dict[Path, str]:
    """Return the name of the page of each file: its stem, and its kind if the stem is taken.

    Names that differ only in case count as equal, as they do on many systems. The names do not
    depend on the order in which the pages are listed. The names ``others`` are taken, too.
    """
    kinds = {SCENE_ENDING: "scene", LESSON_ENDING: "lesson"}
    names: dict[Path, str] = {}
    taken = {INDEX, *others}
    for file in sorted(files, key=lambda file: (kinds[file.suffix.lower()] != "scene", file.name)):
        stem = file.stem
        while f"{stem}.html".casefold() in taken:
            stem = f"{stem}-{kinds[file.suffix.lower()]}"
        names[file] = f"{stem}.html"
        taken.add(names[file].casefold())
    return names


def files_of(folder: Path) -> list[Path]:
    """Return the scenes and lessons of a folder in their order."""
    if not os.path.isdir(folder):
        kind = "a file, not a folder" if os.path.lexists(folder) else "no folder"
        raise BadInput(f"{short_path(folder)} is {kind}.")
    files = [f for ending in (SCENE_ENDING, LESSON_ENDING) for f in folder.glob(f"*{ending}")]
    order = names_in_order(folder)
    places = {name: place for place, name in enumerate(order)}
    if not files:
        raise BadInput(
            f"There is no scene (*{SCENE_ENDING}) and no lesson (*{LESSON_ENDING}) in the folder "
            f"{short_path(folder)}."
        )
    return sorted(files, key=lambda file: (places.get(file.stem, len(order)), file.name))


def render_file(path: str | os.PathLike[str], output: Path, task: str | None = None) -> None:
    """Draw a file with default settings; ``task`` is the task for which a table is read."""
    tasks = {} if task is None else {"tasks": (task,)}
    with model_options.table_refusals():
        scene = open_scene(path, on_guess=model_options.say, **tasks)
    _draw(scene, output, scene.step, FigureSettings())


def _draw(scene: Scene, output: Path, step: int | None, settings: FigureSettings) -> None:
    load_qt(widgets=bool(settings.panels))
    save = FORMATS[output.suffix.lower()].save
    if not settings.panels:
        _print_notes(save(output, figure_of(scene, step, settings)))
        return
    from svmviz.panels.figure_panels import figure_with_panels

    # The overlays of the plane need other studies than the panels, so the frame of the plane is
    # computed here.
    plane = figure_of(scene, step, settings).parts if PLANE in settings.views else ()
    with figure_with_panels(settings, scene, step, plane) as figure:
        _print_notes(figure.note, save(output, figure))


def _print_notes(*sentences: str | None) -> None:
    """Write sentences to stderr; they say what differs from the request."""
    for sentence in filter(None, sentences):
        print_error(f"svmviz: {sentence}")


def figure_of(
    scene: Scene, step: int | None, settings: FigureSettings, runs: Sequence[Run] = ()
) -> Figure:
    """Return the figure of a step; None stands for the last step.

    Without the ``runs`` of its lanes, the scene is solved.
    """
    return figure_from(frame_of(scene, step, settings, runs), scene, settings)


def figure_from(frame: Frame, scene: Scene, settings: FigureSettings) -> Figure:
    """Return the figure of a frame of a scene."""
    from svmviz.camera.camera import Camera, has_equal_axes
    from svmviz.plane.picture import Picture
    from svmviz.plane.sentences import caption

    points = scene.document.visible_points
    aspect = scene.options.aspect_for(scene.document.task)
    camera = Camera().fitted(points, aspect)
    if scene.window is not None:
        camera = camera.showing(*scene.window).with_equal(has_equal_axes(aspect, points))
    page = settings.page
    picture = Picture(frame, (page.width, page.height), options=scene.options, camera=camera)
    return settings.figure((settings.plane(picture),), caption(frame))


def frame_of(
    scene: Scene, step: int | None, settings: FigureSettings, runs: Sequence[Run] = ()
) -> Frame:
    """Return the frame in which the lane ``settings.lane`` is at a step.

    If ``step`` is None, return the frame at the end of all runs. Without ``runs``, the scene is
    solved.
    """
    with np.errstate(all="ignore"):
        runs = tuple(runs) or solve_lanes(scene.document)
        clock = CLOCKS[settings.clock]
        steps = clock.steps(runs, clock.reading_at(runs, settings.lane, step))
        # The field of this frame is not painted, so its grid is the smallest one. The picture
        # computes a finer field.
        studies = studies_for(scene.document, scene.options)
        return make_frame(scene.document, runs, steps, SMALLEST_GRID, studies).focused_on(
            settings.lane
        )


def load_qt(*, widgets: bool) -> None:
    """Start Qt, with widgets if panels are drawn.

    Qt uses a display only if QT_QPA_PLATFORM asks for one and it exists.
    """
    if not os.environ.get("QT_QPA_PLATFORM") or not has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    require_qt()
    from PySide6.QtGui import QGuiApplication

    if QGuiApplication.instance() is None:
        if widgets:
            from PySide6.QtWidgets import QApplication

            _hide_platform_warnings()
            _application.append(QApplication([]))
        else:
            _application.append(QGuiApplication([]))


def _hide_platform_warnings() -> None:
    """Hide Qt's warnings on what a platform without a screen cannot do."""
    from PySide6.QtCore import qInstallMessageHandler

    def print_others(_kind: object, _context: object, message: str) -> None:
        if not message.startswith("This plugin does not support"):
            print_error(message)

    qInstallMessageHandler(print_others)
