"""``svmviz render``: a picture of a file, without a display."""

from __future__ import annotations

import argparse
import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from solvers import solve
from solvers.jit.helper import compiling_elsewhere
from svmviz.base.strict_json import suggest
from svmviz.cli import model_options
from svmviz.cli.displays import has_display, require_qt
from svmviz.cli.parser import Parser, number, whole
from svmviz.export import FORMATS
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import Window
from svmviz.io.files import open_scene
from svmviz.io.paths import names_folder
from svmviz.io.scene import Scene
from svmviz.plane.overlays import studies_for

SIZE = (1280, 960)
# At this size, in px, lines and type are as large as in the window.
NATURAL = (960, 720)
MAX_SIDE, MAX_PIXELS = 32_000, 200_000_000
# At a smaller scale the type cannot be read; small pictures are crowded instead.
MIN_SCALE = 0.75
# Keeps the QGuiApplication alive, which painting needs.
_keep: list[Any] = []


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``render``."""
    picture = parser.add_argument_group("picture")
    picture.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        type=_output,
        help="file to write; its ending selects the format",
    )
    picture.add_argument(
        "--step",
        type=_step,
        metavar="K",
        help="step shown; past the end: the last [the scene's own, else the last]",
    )
    picture.add_argument(
        "--size", type=_size, default=SIZE, metavar="WxH", help="pixels [1280x960]"
    )
    picture.add_argument("--theme", choices=("light", "dark"), default="light", help="colours")
    picture.add_argument(
        "--scale",
        type=_scale,
        metavar="S",
        help="factor on lines, marks and type [in proportion to the size]",
    )
    model_options.add_arguments(parser)


def run(given: argparse.Namespace, parser: Parser) -> int:
    """Solve, and draw one step."""
    ending = given.output.suffix.lower()
    if ending not in FORMATS:
        parser.error(f'no format has the ending "{ending}"; {suggest(ending, FORMATS)}')
    scene = model_options.read_scene(given, parser)
    step = scene.step if given.step is None else given.step
    _draw(scene, given.output, step, given.size, given.theme, given.scale)
    return 0


def render_file(path: str | os.PathLike[str], output: Path) -> None:
    """Draw a file without options, in the default size."""
    scene = open_scene(path)
    _draw(scene, output, scene.step)


def _draw(
    scene: Scene,
    output: Path,
    step: int | None,
    size: tuple[int, int] = SIZE,
    theme: str = "light",
    scale: float | None = None,
) -> None:
    _load_qt()
    from svmviz.camera.camera import Camera, is_equal
    from svmviz.plane.picture import Picture
    from svmviz.theme import THEMES

    points = scene.document.data.points
    aspect = scene.options.aspect_for(scene.document.task)
    camera = Camera().fitted(points, aspect)
    if scene.window is not None:
        camera = camera.showing(*scene.window).with_equal(is_equal(aspect, points))
    with compiling_elsewhere(everything=False):
        picture = Picture(
            frame=_frame(scene, step),
            size=size,
            theme=THEMES[theme],
            options=scene.options,
            scale=scale or natural_scale(size),
            camera=camera,
        )
        FORMATS[output.suffix.lower()].save(output, picture)


def natural_scale(size: tuple[int, int]) -> float:
    """Return the scale at which lines and type are in proportion to a picture of ``size`` px."""
    return max(MIN_SCALE, math.sqrt(size[0] / NATURAL[0] * size[1] / NATURAL[1]))


def _frame(scene: Scene, step: int | None) -> Frame:
    problem = scene.document.problem()
    with np.errstate(all="ignore"):
        runs = tuple(solve(problem, method) for method in scene.document.methods)
        last = max(run.steps for run in runs)
        # The coarsest grid, because the picture computes its own field.
        window = Window(-1.0, 1.0, -1.0, 1.0, 2, 2)
        studies = studies_for(scene.document, scene.options)
        return make_frame(scene.document, runs, last if step is None else step, window, studies)


def _load_qt() -> None:
    """Start Qt; use a display only if QT_QPA_PLATFORM asks for one and it exists."""
    if not os.environ.get("QT_QPA_PLATFORM") or not has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    require_qt()
    from PySide6.QtGui import QGuiApplication

    if QGuiApplication.instance() is None:
        _keep.append(QGuiApplication([]))


def _output(text: str) -> Path:
    if names_folder(text):
        raise argparse.ArgumentTypeError(f"{text!r} names a folder, and a picture is a file")
    return Path(text)


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().replace("×", "x").partition("x")
    if not (cross and width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form 1280x960")
    size = int(width), int(height)
    if not 1 <= min(size) <= max(size) <= MAX_SIDE or size[0] * size[1] > MAX_PIXELS:
        raise argparse.ArgumentTypeError(
            f"a picture can have 1 to {MAX_SIDE:,} pixels per side and {MAX_PIXELS:,} in all"
        )
    return size


def _step(text: str) -> int:
    step = whole(text)
    if step < 0:
        raise argparse.ArgumentTypeError("a step cannot be negative")
    return step


def _scale(text: str) -> float:
    scale = number(text)
    if not 0.1 <= scale <= 100:
        raise argparse.ArgumentTypeError("a scale can be 0.1 to 100")
    return scale
