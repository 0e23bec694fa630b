"""Tools of the plane. A new one is one file and one line in :data:`TOOLS`."""

from __future__ import annotations

from dataclasses import dataclass

from svmviz.tools.add import AddNegative, AddPositive
from svmviz.tools.base import Tool
from svmviz.tools.erase import Erase
from svmviz.tools.hand import Hand
from svmviz.tools.select import Select
from svmviz.tools.spray import Spray


@dataclass(frozen=True)
class Entry:
    """A tool as buttons, menus and help show it.

    Attributes
    ----------
    name : str
        Key in TOOLS, and in settings.
    title : str
    icon : str
        Name in ``svmviz.theme.icons``.
    key : str
        Shortcut, as ``QKeySequence`` reads it.
    help : str
        One sentence or two.
    make : type of Tool
    places : bool
        Whether it stands for a class.
    """

    name: str
    title: str
    icon: str
    key: str
    help: str
    make: type[Tool]
    places: bool = False


_ENTRIES = (
    Entry(
        "add-positive",
        "Add +1",
        "plus-class",
        "1",
        "Click to place +1; right-click or Ctrl-click, −1. Drag a point to move it, off the plane"
        " to delete it.",
        AddPositive,
        places=True,
    ),
    Entry(
        "add-negative",
        "Add −1",
        "minus-class",
        "2",
        "Click to place −1; right-click or Ctrl-click, +1. Drag a point to move it, off the plane"
        " to delete it.",
        AddNegative,
        places=True,
    ),
    Entry(
        "select",
        "Select",
        "select",
        "S",
        "Drag a rectangle to select; Shift adds and takes away. Drag the selection to move it.",
        Select,
    ),
    Entry(
        "spray",
        "Spray",
        "spray",
        "B",
        "Hold the button to spray points, the right one for the other class. [ and ] change the"
        " size of the brush.",
        Spray,
    ),
    Entry(
        "erase",
        "Erase",
        "erase",
        "E",
        "Drag over points to erase them. [ and ] change the size.",
        Erase,
    ),
    Entry("hand", "Pan", "hand", "H", "Drag the plane. The middle button pans too.", Hand),
)
TOOLS = {entry.name: entry for entry in _ENTRIES}
