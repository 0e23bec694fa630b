"""Figures with panels: another process draws them, with ``svmviz render``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from svmviz.export.figure_settings import PLANE, FigureSettings
from svmviz.window.files.drawer import Drawer


@dataclass(frozen=True)
class ProcessFigure:
    """A figure that another process draws.

    Attributes
    ----------
    settings : FigureSettings
    drawer : Drawer
        Controls the process, which draws one scene.
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
    defaults = FigureSettings()
    options = []
    for view in settings.views or (PLANE,):
        options += ["--view", view]
    for name in ("width", "height"):
        length = getattr(settings, name)
        options += [f"--{name}", f"{length.value:.10g}{length.unit}"]
    if settings.scale is not None:
        options += ["--scale", f"{settings.scale:.10g}"]
    elif settings.type_size is not None:
        options += ["--type-size", f"{settings.type_size:.10g}pt"]
    for name in ("theme", "palette", "field", "svg_text", "clock"):
        options += [f"--{name.replace('_', '-')}", getattr(settings, name)]
    for name, switch in (("legend", "legend"), ("axes", "axes"), ("titles", "title")):
        options += [] if getattr(settings, name) else [f"--no-{switch}"]
    for name in ("caption", "transparent"):
        options += [f"--{name}"] if getattr(settings, name) != getattr(defaults, name) else []
    options += ["--lane", str(settings.lane + 1)]
    options += ["--derivation", settings.derivation] if settings.derivation else []
    for control, value in settings.choices:
        options += ["--choose", f"{control}={value}"]
    # The title is joined by "=", because it may begin with a hyphen.
    return [*options, f"--title={settings.title}"] if settings.title else options
