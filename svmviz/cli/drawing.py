"""The process that draws figures with panels for the window.

Each line of standard input is a request, which is a JSON object with these keys: ``arguments``
(the arguments of ``svmviz render``), ``size`` (width and height of a small PNG, optional) and
``draws`` (false if the scene must be solved but not drawn). Each line of standard output is a JSON
object. While the work goes on, it has ``share`` (the fraction done). The last one of a request has
``note`` (a sentence on what differs from the request) or ``error``.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from solvers import BadInput
from solvers.jit.helper import compiling_elsewhere
from svmviz.cli import figure_options, model_options, render
from svmviz.cli.parser import Parser
from svmviz.export import FORMATS
from svmviz.export.figure_settings import PLANE
from svmviz.frames.frame import Frame
from svmviz.io.scene import Scene

Report = Callable[[float], None]


class Drawing:
    """A scene with its runs, which stay in memory for several figures.

    A scene is identified by the path of its file, since two scenes have different paths.
    """

    def __init__(self) -> None:
        render.load_qt(widgets=True)
        from svmviz.panels.figure_panels import PanelStage

        self._parser = Parser()
        figure_options.add_arguments(self._parser)
        model_options.add_arguments(self._parser)
        self._make_stage = PanelStage
        self._path = ""
        self._scene: Scene | None = None
        # The last frame of the planes, and the clock and the lane for which it was made.
        self._frame: Frame | None = None
        self._key: tuple[str, int] | None = None
        self._stage: PanelStage | None = None

    def answer(self, request: dict[str, Any], report: Report) -> str:
        """Draw the figure of a request, and return the note."""
        given = self._parser.parse_args(request["arguments"])
        settings = figure_options.read_settings(given, self._parser)
        if given.file != self._path:
            self.close()
            self._path, self._scene = given.file, model_options.read_scene(given, self._parser)
        scene = self._scene
        assert scene is not None
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
            path, size = Path(given.output), request.get("size")
            if size is not None:
                factor = min(one / other for one, other in zip(size, figure.size, strict=True))
                small = figure.scaled(min(1.0, factor))
                FORMATS[".png"].save(path, small)
            else:
                more = FORMATS[path.suffix.lower()].save(path, figure)
                return " ".join(filter(None, (figure.note, more)))
            return figure.note

    def close(self) -> None:
        """Forget the scene."""
        if self._stage is not None:
            self._stage.close()
        self._stage = self._frame = self._key = None


def main() -> None:
    """Answer requests until standard input is closed."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Standard output is redirected: text that is printed by mistake must not look like an answer.
    os.dup2(2, 1)

    def send(**answer: object) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    with compiling_elsewhere(everything=False):
        drawing = Drawing()
        # The window may have ended.
        with contextlib.suppress(BrokenPipeError):
            for line in sys.stdin:
                try:
                    send(note=drawing.answer(json.loads(line), lambda share: send(share=share)))
                except BadInput as error:
                    send(error=str(error))
        drawing.close()


if __name__ == "__main__":
    main()
