"""The figures that all formats must show alike."""

from solvers import SMO, Hulls, Linear, Pegasos
from svmviz.cli.render import figure_of
from svmviz.document.user_line import LineParts, UserLine
from svmviz.export.figure_settings import FigureSettings
from svmviz.io.scene import Scene
from tests import stages

TITLE = "Ärger & <Freude>"
ALL_PARTS = LineParts(origin=True, parallels=True, pair=True)
CASES = {
    "classification": (Scene(document=stages.moons(50), step=9), {}),
    "finished": (Scene(document=stages.moons(50)), {}),
    "user line": (
        Scene(
            document=stages.moons(
                50,
                user_line=UserLine(
                    (-0.4, 1.0), -0.2, LineParts(origin=True, parallels=True, pair=True)
                ),
            )
        ),
        {},
    ),
    "classification with bands": (Scene(document=stages.moons(50), step=9), {"field": "bands"}),
    "regression": (Scene(document=stages.sine(30), step=7), {}),
    "race": (
        Scene(
            document=stages.moons(40, kernel=Linear(), methods=(SMO(), Pegasos(max_steps=60))),
            step=12,
        ),
        {},
    ),
    "hulls": (Scene(document=stages.eight(methods=(Hulls(),)), step=3), {}),
}


def make(name, **changes):
    """The figure of a case."""
    scene, settings = CASES[name]
    chosen = {"caption": True, "title": TITLE, **settings, **changes}
    return figure_of(scene, scene.step, FigureSettings(**chosen))
