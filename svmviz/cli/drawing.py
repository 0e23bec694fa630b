"""The process that draws figures with panels for the window.

A request (:mod:`solvers.processes`) is either an object with the keys ``lecture`` (a text) and
``output`` (the PDF to be written), or one with these keys: ``arguments`` (the arguments of
``svmviz render``), ``size`` (optional: the figure is reduced to this maximum width and height, and
drawn as a PNG) and ``draws`` (false if the scene must be solved but not drawn). The answer is a
sentence on what differs from the request, or "".
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from solvers.cancelling import Report
from solvers.processes import answer_requests
from svmviz.cli import export_options, model_options, render
from svmviz.cli.lecture_pages import write_lecture
from svmviz.cli.parser import Parser
from svmviz.export import FORMATS
from svmviz.export.figure_settings import PLANE
from svmviz.frames.frame import Frame
from svmviz.io.scene import Scene
from svmviz.lessons.lessons import read_lesson


class SceneDrawer:
    """A drawer of figures that keeps one scene with its runs in memory.

    All requests have the same scene.
    """

    def __init__(self) -> None:
        render.load_qt(widgets=True)
        from svmviz.panels.figure_panels import PanelStage

        self._parser = Parser()
        export_options.add_figure_options(self._parser)
        model_options.add_arguments(self._parser)
        self._make_stage = PanelStage
        self._scene: Scene | None = None
        # The planes of a figure are painted from a frame of the scene. The last frame made is kept
        # for the next request, with its key: the clock and the lane for which it was made.
        self._frame: Frame | None = None
        self._key: tuple[str, int] | None = None
        self._stage: PanelStage | None = None

    def answer(self, request: dict[str, Any], report: Report) -> str:
        """Draw the figure of a request, and return the answer."""
        if "lecture" in request:
            lecture = read_lesson(request["lecture"], "lecture")
            write_lecture(lecture, Path(request["output"]), render.figure_of, report)
            return ""
        options = self._parser.parse_args(request["arguments"])
        settings = export_options.read_figure_settings(options, self._parser)
        scene = self._scene = self._scene or model_options.read_scene(options, self._parser)
        planes = ()
        if PLANE in settings.views:
            key = settings.clock, settings.lane
            if self._key != key:
                self._frame, self._key = render.frame_of(scene, scene.step, settings), key
            assert self._frame is not None
            planes = render.figure_from(self._frame, scene, settings).parts
        report(0.2)
        self._stage = self._stage or self._make_stage(scene)
        if not request.get("draws", True):
            self._stage.solve()
            return ""
        with self._stage.figure(settings, scene.step, planes, report) as figure:
            path, size = Path(options.output), request.get("size")
            if size is not None:
                factor = min(new / old for new, old in zip(size, figure.size, strict=True))
                small = figure.scaled(min(1.0, factor))
                FORMATS[".png"].save(path, small)
            else:
                save_note = FORMATS[path.suffix.lower()].save(path, figure)
                return " ".join(filter(None, (figure.note, save_note)))
            return figure.note


def main() -> None:
    """Draw figures for the window, until it has ended."""
    answer_requests(SceneDrawer().answer)


if __name__ == "__main__":
    main()
