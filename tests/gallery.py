"""Every widget, icon and colour on one sheet, to be looked at.

python -m tests.gallery out.png [--dark] [--scale 1.5] [--ratio 2]
"""

from __future__ import annotations

import argparse
import os
import sys

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QHBoxLayout,
    QMainWindow,
    QTabWidget,
    QToolBar,
    QWidget,
)

from svmviz.theme import DARK, LIGHT, apply, font
from svmviz.theme.icons import icon
from svmviz.widgets.inputs.ticked_slider import Groove
from tests.gallery_cards import (
    buttons_card,
    column,
    fields_card,
    icons_card,
    menu_picture,
    settings_card,
    table_card,
    text_card,
)
from tests.gallery_scene import Scene


def window() -> QMainWindow:
    """Main window with bars, a dock, tabs, and all cards."""
    made = QMainWindow()
    for title in ("File", "Edit", "View", "Run", "Lessons", "Help"):
        made.menuBar().addMenu(title).addAction("Nothing")
    bar = QToolBar()
    for name in ("go-start", "step-back", "play", "step-forward", "go-end"):
        bar.addAction(icon(name), name)
    bar.addSeparator()
    for name in ("undo", "redo", "moon", "projector"):
        bar.addAction(icon(name), name)
    made.addToolBar(bar)
    made.statusBar().showMessage("Ready. 120 points, 37 support vectors.")
    dock = QDockWidget("Inspector")
    dock.setWidget(settings_card())
    made.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    tabs = QTabWidget()
    tabs.addTab(column(Scene(), table_card()), "Plane")
    tabs.addTab(QWidget(), "Race")
    tabs.addTab(QWidget(), "Kernel matrix")
    centre = QWidget()
    layout = QHBoxLayout(centre)
    layout.addWidget(tabs)
    layout.addWidget(column(text_card(), fields_card()))
    layout.addWidget(column(buttons_card(), menu_picture()))
    whole = column(centre, icons_card())
    made.setCentralWidget(whole)
    return made


def main() -> None:
    """Make the sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--focus", action="store_true", help="focus on the first slider")
    parser.add_argument("--ratio", default="1", help="device pixel ratio")
    options = parser.parse_args()
    os.environ["QT_SCALE_FACTOR"] = options.ratio
    app = QApplication(sys.argv[:1])
    apply(app, DARK if options.dark else LIGHT, options.scale)
    sheet = window()
    sheet.setFont(font())
    sheet.show()
    app.processEvents()
    sheet.resize(sheet.sizeHint())
    if options.focus:
        sheet.activateWindow()
        next(w for w in sheet.findChildren(Groove) if w.isEnabled()).setFocus()
        app.processEvents()
    sheet.grab().save(options.out)


if __name__ == "__main__":
    main()
