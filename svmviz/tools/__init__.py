"""Tools of the plane; :data:`TOOLS` lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from solvers.data.datasets import MAX_CLASSES
from svmviz.stage.stage import Stage
from svmviz.tools.add import AddNegative, AddOf, AddPositive
from svmviz.tools.base import PlaneGeometry, Tool
from svmviz.tools.brushes import Erase, Spray
from svmviz.tools.lasso import Lasso
from svmviz.tools.line import LineTool
from svmviz.tools.measure import Measure
from svmviz.tools.pan import Pan
from svmviz.tools.pen import Pen
from svmviz.tools.select import Select


@dataclass(frozen=True)
class ToolEntry:
    """A tool with the name, icon and texts that buttons, menus and help show.

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
        Tooltip of one sentence or two.
    make : callable(Stage, PlaneGeometry) -> Tool
    number : int or None
        For an Add tool, the class that it adds, in the order of the keys, from 0. If there is no
        such class yet, its first point makes one.
    needs_plane : bool
        Whether the tool needs points with coordinates. If there are none, Add +1 replaces it.
    """

    name: str
    title: str
    icon: str
    key: str
    help: str
    make: Callable[[Stage, PlaneGeometry], Tool]
    number: int | None = None
    needs_plane: bool = False


PEN = "pen"
_ENTRIES = (
    ToolEntry(
        "add-positive",
        "Add +1",
        "plus-class",
        "1",
        "Click to place +1; right-click or Ctrl-click, −1. Drag a point to move it, off the plane"
        " to delete it.",
        AddPositive,
        number=0,
    ),
    ToolEntry(
        "add-negative",
        "Add −1",
        "minus-class",
        "2",
        "Click to place −1; right-click or Ctrl-click, +1. Drag a point to move it, off the plane"
        " to delete it.",
        AddNegative,
        number=1,
    ),
    *(
        ToolEntry(
            f"add-class-{number + 1}",
            f"Add class {number + 1}",
            f"class-{number + 1}",
            str(number + 1),
            "The first click makes one more class. A machine separates some classes from others, "
            "and leaves out the new one until you look at another machine.",
            partial(AddOf, number=number),
            number=number,
        )
        for number in range(2, MAX_CLASSES)
    ),
    ToolEntry(
        "select",
        "Select",
        "select",
        "S",
        "Drag a rectangle to select points; with Shift, to add or remove them. Drag the selection"
        " to move it.",
        Select,
    ),
    ToolEntry(
        "lasso",
        "Lasso",
        "lasso",
        "Shift+S",
        "Draw around points to select them; with Shift, to add or remove them. Buttons in the"
        " Split panel move the selection to a part.",
        Lasso,
    ),
    ToolEntry(
        "spray",
        "Spray",
        "spray",
        "B",
        "Hold the left button to spray points, the right button to spray the other class. [ and ]"
        " change the size of the brush.",
        Spray,
        needs_plane=True,
    ),
    ToolEntry(
        "erase",
        "Erase",
        "erase",
        "E",
        "Drag over points to erase them. [ and ] change the size of the eraser.",
        Erase,
    ),
    ToolEntry(
        "line",
        "Line",
        "line",
        "Shift+L",
        "Drag to draw your line; drag it to shift it, drag a handle to turn it. A"
        " right-click removes it.",
        LineTool,
        needs_plane=True,
    ),
    ToolEntry(
        "measure",
        "Measure",
        "ruler",
        "Q",
        "Click a place: f there, its class, and its distance from the boundary. Drag from one"
        " point or place to another: their distances in the plane and in the feature space.",
        Measure,
    ),
    ToolEntry(
        PEN,
        "Pen",
        "pen",
        "Shift+W",
        "Draw on the plane, with the right button in the other colour. Undo removes the last"
        " stroke; the key of the pen also puts it away. A stop of a lecture keeps its strokes.",
        Pen,
    ),
    ToolEntry("hand", "Pan", "hand", "H", "Drag the plane. The middle button pans too.", Pan),
)
TOOLS = {entry.name: entry for entry in _ENTRIES}
