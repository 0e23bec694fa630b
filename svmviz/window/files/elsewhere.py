"""Figures with panels, drawn by another process: panels are widgets, and the window may not wait.

The process is ``svmviz render`` on a copy of the scene. The document alone decides every step of a
run, so that what it solves anew is what the window shows.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from solvers import BadInput
from svmviz.export.order import PLANE, Order
from svmviz.io.open_and_save import save
from svmviz.io.scene import Scene

# Time between two looks at whether the work is cancelled, s; and how long the process may take to
# end once it is asked to, s.
INTERVAL, FAREWELL = 0.01, 5.0
PREFIX = "svmviz: "


@dataclass(frozen=True)
class Elsewhere:
    """A figure for another process.

    Attributes
    ----------
    scene : Scene
    order : Order
    """

    scene: Scene
    order: Order

    def write(self, path: Path, cancelled: Callable[[], bool]) -> None:
        """Draw the figure and write it to a file, whole or not at all.

        Raises
        ------
        BadInput
            If it cannot be drawn or written.
        """
        with tempfile.TemporaryDirectory(prefix="svmviz-") as folder:
            scene = Path(folder) / "scene.svmviz"
            save(scene, self.scene)
            _run([str(scene), "-o", str(path.absolute()), *arguments(self.order)], cancelled)


def arguments(order: Order) -> list[str]:
    """Return an order as arguments of ``svmviz render``."""
    usual = Order()
    found = []
    for view in order.views or (PLANE,):
        found += ["--view", view]
    for name in ("width", "height"):
        length = getattr(order, name)
        found += [f"--{name}", f"{length.value:.10g}{length.unit}"]
    if order.scale is not None:
        found += ["--scale", f"{order.scale:.10g}"]
    elif order.type_size is not None:
        found += ["--type-size", f"{order.type_size:.10g}pt"]
    for name in ("theme", "field", "svg_text"):
        found += [f"--{name.replace('_', '-')}", getattr(order, name)]
    for name, option in (("legend", "legend"), ("axes", "axes"), ("titles", "title")):
        found += [] if getattr(order, name) else [f"--no-{option}"]
    for name in ("caption", "transparent"):
        found += [f"--{name}"] if getattr(order, name) != getattr(usual, name) else []
    # In one word, for a title may begin with a hyphen.
    return [*found, f"--title={order.title}"] if order.title else found


def _run(given: list[str], cancelled: Callable[[], bool]) -> None:
    paths = [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        # Nothing of it is to be seen.
        "QT_QPA_PLATFORM": "offscreen",
    }
    windows = ("CREATE_NO_WINDOW", "BELOW_NORMAL_PRIORITY_CLASS")
    process = subprocess.Popen(
        # -P: the folder that the program was started in is no place to import from.
        [sys.executable, "-P", "-m", "svmviz", "render", *given],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=environment,
        creationflags=sum(getattr(subprocess, flag, 0) for flag in windows),
    )
    with process:
        while True:
            try:
                _, errors = process.communicate(timeout=INTERVAL)
                break
            except subprocess.TimeoutExpired:
                if cancelled():
                    _end(process)
                    return
    if process.returncode and not cancelled():
        raise BadInput(_sentence(errors))


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.communicate(timeout=FAREWELL)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def _sentence(errors: str) -> str:
    lines = [line for line in errors.splitlines() if line.strip()]
    return lines[-1].removeprefix(PREFIX) if lines else "The process that draws has ended early."
