"""All panels around one live stage, to be looked at and clicked.

python -m tests.panels_gallery out.png [--dark] [--scale 2] [--width 300] [--step 20] [--stay]
"""

from __future__ import annotations

import argparse
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from solvers import KERNELS, METHODS
from solvers.data.datasets import DATASETS
from svmviz.document.document import Document, Penalty
from svmviz.panels.controls.settings.data_panel import DataPanel
from svmviz.panels.controls.settings.model_panel import ModelPanel
from svmviz.panels.controls.settings.solver_panel import SolverPanel
from svmviz.panels.controls.transport.narrator import Narrator
from svmviz.panels.controls.transport.transport import Transport
from svmviz.panels.objective.badge_panel import BadgePanel
from svmviz.panels.registry import PANELS
from svmviz.stage.stage import Stage
from svmviz.theme import DARK, LIGHT, active, apply
from svmviz.widgets.card import FoldingCard


def in_card(title: str, widget: QWidget) -> FoldingCard:
    """A widget in a titled card."""
    card = FoldingCard(title)
    card.add(widget)
    return card


def in_column(width: int, *widgets: QWidget) -> QWidget:
    """Widgets below each other in a column of fixed width, px at scale 1."""
    holder = QWidget()
    layout = QVBoxLayout(holder)
    for widget in widgets:
        layout.addWidget(widget)
    layout.addStretch(1)
    holder.setFixedWidth(active().metrics.px(width))
    return holder


def gallery(stage: Stage, width: int) -> QWidget:
    """Window with every panel."""
    made = QWidget()
    layout = QVBoxLayout(made)
    columns = QHBoxLayout()
    layout.addLayout(columns)
    columns.addWidget(
        in_column(width, in_card("Data", DataPanel(stage)), in_card("Solver", SolverPanel(stage)))
    )
    made_panels = {name: spec.make(stage) for name, spec in PANELS.items()}
    columns.addWidget(
        in_column(
            width,
            in_card("Kernel and penalty C", ModelPanel(stage)),
            in_card("Model", made_panels["model"]),
        )
    )
    columns.addWidget(
        in_column(
            width,
            BadgePanel(stage),
            in_card("Alpha", made_panels["alpha"]),
            in_card("Objective", made_panels["objective"]),
        )
    )
    columns.addWidget(in_card("Points", made_panels["table"]), 1)
    layout.addWidget(Transport(stage))
    layout.addWidget(Narrator(stage))
    return made


def wait(app: QApplication, seconds: float) -> None:
    """Let the window live."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.processEvents()
        time.sleep(0.002)


def main() -> None:
    """Make the picture, or stay open."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--width", type=int, default=320)
    parser.add_argument("--height", type=int, default=0)
    parser.add_argument("--data", default="moons")
    parser.add_argument("--n", type=int, default=60)
    parser.add_argument("--kernel", default="rbf")
    parser.add_argument("--method", default="smo")
    parser.add_argument("--C", type=float, default=10.0)
    parser.add_argument("--step", type=int, default=-1)
    parser.add_argument("--wait", type=float, default=3.0)
    parser.add_argument("--stay", action="store_true")
    options = parser.parse_args()
    app = QApplication(sys.argv[:1])
    apply(app, DARK if options.dark else LIGHT, options.scale)
    data = DATASETS[options.data].generate(options.n, DATASETS[options.data].noise_default, 0)
    kernel, method = KERNELS[options.kernel](), METHODS[options.method]()
    stage = Stage.of(
        Document(data=data, kernel=kernel, penalty=Penalty("C", options.C), methods=(method,))
    )
    window = gallery(stage, options.width)
    # Labels that wrap need more than their hint says.
    window.resize(window.sizeHint().width(), window.sizeHint().height() + round(80 * options.scale))
    window.show()
    wait(app, options.wait)
    if options.step >= 0:
        stage.playback.seek(options.step)
        wait(app, 0.6)
    window.grab().save(options.out)
    if options.stay:
        app.exec()
    stage.close()


if __name__ == "__main__":
    main()
