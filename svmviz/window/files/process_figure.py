"""Figures with panels: another process draws them, with ``svmviz render``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from svmviz.export.declared import options_from
from svmviz.export.figure_settings import PLANE, FigureSettings
from svmviz.window.files.drawer import Drawer


@dataclass(frozen=True)
class ProcessFigure:
    """A figure that another process draws.

    Attributes
    ----------
    settings : FigureSettings
    drawer : Drawer
        The process, which draws figures of one scene.
    """

    settings: FigureSettings
    drawer: Drawer

    def write(
        self,
        path: Path,
        cancelled: Callable[[], bool],
        report: Callable[[float], None] = lambda _: None,
    ) -> str:
        """Draw the figure and write it to a file atomically; see ``Drawer.draw``."""
        return self.drawer.draw(arguments(self.settings), path, cancelled, report)

    def write_preview(self, path: Path, size: tuple[float, float]) -> str:
        """Draw the figure as a PNG that fits into ``size``, (width, height) in px."""
        return self.drawer.draw(arguments(self.settings), path, size=size)


def arguments(settings: FigureSettings) -> list[str]:
    """Return settings as arguments of ``svmviz render``."""
    options = []
    for view in settings.views or (PLANE,):
        options += ["--view", view]
    for name in ("width", "height"):
        length = getattr(settings, name)
        options += [f"--{name}", f"{length.value:.10g}{length.unit}"]
    options += ["--lane", str(settings.lane + 1)]
    options += ["--derivation", settings.derivation] if settings.derivation else []
    for control, value in settings.choices:
        options += ["--choose", f"{control}={value}"]
    if settings.scale is not None:
        # Only one of the two options is allowed.
        settings = replace(settings, type_size=None)
    return [*options, *options_from(settings)]
