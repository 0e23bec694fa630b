"""Entries of the palette of commands: from menus, settings, lessons, help and the panel Model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QMenu,
    QMenuBar,
    QScrollArea,
    QWidget,
    QWidgetAction,
)

from svmviz.frames.frame import Frame
from svmviz.lessons.shipped import LESSONS
from svmviz.panels.controls.model.model_sheets import sheet_of
from svmviz.panels.registry import PANELS
from svmviz.widgets.more import More
from svmviz.widgets.needs import lacks_of
from svmviz.widgets.plain_text import words_of_tip
from svmviz.window.docks.docks import Docks
from svmviz.window.help.contents import pages

# Names of actions that have no use in a presentation, because they act on the window, which the
# presentation hides.
NOT_IN_PRESENTATION = re.compile("panels|panel-.*|layout-.*|full-screen")
# Separator between the name of a menu and that of a menu inside it.
INSIDE = " > "
ENABLED = Qt.ItemFlag.ItemIsEnabled


class PaletteEntry(NamedTuple):
    """A command of the palette.

    Attributes
    ----------
    text : str
    place : str
        Its place in the window, such as ``"View > Layers"``.
    note : str
        Its keys, its value, or the reason why it cannot be used.
    run : callable()
    can_run : bool
    content : str
        The text of a page of the help, or of a tooltip, which is searched but not shown.
    """

    text: str
    place: str
    note: str
    run: Callable[[], object]
    can_run: bool = True
    content: str = ""


def all_entries(
    bar: QMenuBar,
    docks: Docks,
    open_lesson: Callable[[str], object],
    show_help: Callable[[str], object],
    frame: Frame,
) -> tuple[PaletteEntry, ...]:
    """Return the entries of menus, numbers of the model, settings, lessons and help."""
    return (
        *_menu_entries(bar, docks),
        *_number_entries(docks, frame),
        *_setting_entries(docks),
        *(
            PaletteEntry(of.title, "Lesson", "", partial(open_lesson, n))
            for n, of in LESSONS.items()
        ),
        *(
            PaletteEntry(
                page.title,
                f"Help{INSIDE}{page.chapter}",
                "",
                partial(show_help, name),
                content=page.content,
            )
            for name, page in pages().items()
        ),
    )


def _menu_entries(bar: QMenuBar, docks: Docks) -> Iterator[PaletteEntry]:
    """Yield the entries of all menus, in their order."""
    for action in bar.actions():
        if (menu := _menu_of(action)) is not None:
            yield from _entries_below(menu, plain_text(action.text()), docks)


def _number_entries(docks: Docks, frame: Frame) -> Iterator[PaletteEntry]:
    """Yield the numbers of the panel Model, such as the width; running one shows the panel."""
    if (lane := frame.lane) is None:
        return
    sheet, spec = sheet_of(frame.document, lane.method), PANELS["model"]
    head, _, rows = sheet.texts(frame, lane)
    for key, name, tip in (*sheet.head, *sheet.rows):
        show = partial(docks.show, spec.name)
        place = f"Panel {spec.title_for(frame.document)}"
        yield PaletteEntry(name, place, (head | rows)[key], show, content=tip)


def _setting_entries(docks: Docks) -> Iterator[PaletteEntry]:
    """Yield the settings with their values, and the choices of each list.

    Running a setting gives it the focus; running a choice makes it.
    """
    column = docks.column
    panels: dict[str, QWidget] = {
        "data": column.data,
        "model": column.model,
        "solver": column.solver,
    }
    for card, panel in panels.items():
        for field in panel.findChildren(QWidget):
            value = _value_of(field)
            name = _name_of(field)
            if name and value is not None and _can_be_reached(field, panel):
                place = f"Settings{INSIDE}{column.cards[card].title}"
                go = partial(_go_to, docks, card, field)
                tip = words_of_tip(field) or words_of_tip(field.parentWidget() or field)
                yield PaletteEntry(name, place, value, go, field.isEnabled(), tip)
                if isinstance(field, QComboBox):
                    yield from _choices_of(field, f"{place}{INSIDE}{name}")


def _can_be_reached(field: QWidget, panel: QWidget) -> bool:
    """Return whether a field is shown in its panel, or would be if the part around it were open."""
    more = _more_around(field)
    if more is None:
        return field.isVisibleTo(panel)
    return field.isVisibleTo(more.body) and more.isVisibleTo(panel)


def _more_around(widget: QWidget) -> More | None:
    above = widget.parentWidget()
    while above is not None and not isinstance(above, More):
        above = above.parentWidget()
    return above


def _choices_of(field: QComboBox, place: str) -> Iterator[PaletteEntry]:
    """Yield the choices of a list; running one is as if the user had chosen it there."""
    for index in range(field.count()):
        is_current = index == field.currentIndex()
        can_choose = bool(field.model().flags(field.model().index(index, 0)) & ENABLED)
        note = "in use" if is_current else "" if can_choose else "not now"
        choose = partial(_choose, field, index)
        yield PaletteEntry(field.itemText(index), place, note, choose, can_choose)


def _entries_below(menu: QMenu, place: str, docks: Docks) -> Iterator[PaletteEntry]:
    presents = docks.elsewhere is not None
    panels = {action: name for name, action in docks.toggles.items()} if presents else {}
    # Some menus list their entries when they are about to open.
    menu.aboutToShow.emit()
    inside = place
    for action in menu.actions():
        text = plain_text(action.text())
        if isinstance(action, QWidgetAction):
            # A heading of the entries below it.
            place = f"{inside}{INSIDE}{text}"
            continue
        if (inner := _menu_of(action)) is not None:
            # Below a heading, the title of a menu only lists what is in it.
            below = f"{place}{INSIDE}{text}" if place == inside else place
            yield from _entries_below(inner, below, docks)
        elif presents and NOT_IN_PRESENTATION.fullmatch(action.objectName()):
            continue
        elif text and not action.isSeparator():
            tip = words_of_tip(action) or action.toolTip()
            run = partial(docks.show, panels[action]) if action in panels else action.trigger
            note = keys_of(action) if action in panels and action.isEnabled() else _note(action)
            yield PaletteEntry(text, place, note, run, action.isEnabled(), tip)


def keys_of(action: QAction) -> str:
    """Return the shortcuts of an action in words; empty if it has none."""
    return " or ".join(map(key_name, action.shortcuts()))


def key_name(key: QKeySequence) -> str:
    """Return a key, or keys that are pressed one after the other, in words."""
    return key.toString(QKeySequence.SequenceFormat.NativeText).replace(", ", " then ")


def _menu_of(action: QAction) -> QMenu | None:
    menu = action.menu()
    return menu if isinstance(menu, QMenu) else None


def _note(action: QAction) -> str:
    if not action.isEnabled():
        lacks = lacks_of(action)
        return f"needs {lacks}" if lacks else "not now"
    state = ("on" if action.isChecked() else "off") if action.isCheckable() else ""
    return "   ".join(filter(None, (state, keys_of(action))))


def plain_text(text: str) -> str:
    """Return the text of an action without the sign of its mnemonic, and without keys after a tab.

    A double sign is one sign.
    """
    words = text.partition("\t")[0]
    return "&".join(part.replace("&", "") for part in words.split("&&"))


def _name_of(field: QWidget) -> str:
    return field.text() if isinstance(field, QCheckBox) else field.accessibleName()


def _value_of(field: QWidget) -> str | None:
    """Return the value that a field shows; None if the widget is not a field."""
    if isinstance(field, QComboBox):
        return field.currentText()
    if isinstance(field, QLineEdit):
        return field.text()
    if isinstance(field, QCheckBox):
        return "on" if field.isChecked() else "off"
    return None


def _go_to(docks: Docks, card: str, field: QWidget) -> None:
    """Show a setting and give it the focus; a list opens, and a text is selected."""
    column = docks.show_settings()
    if column is not docks.column:
        twins = column.cards[card].findChildren(type(field))
        field = next(twin for twin in twins if _name_of(twin) == _name_of(field))
    column.cards[card].fold(False)
    if (more := _more_around(field)) is not None:
        more.open(True)

    def focus() -> None:
        holder = column.parentWidget()
        if holder is not None and isinstance(area := holder.parentWidget(), QScrollArea):
            area.ensureWidgetVisible(field)
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if isinstance(field, QLineEdit):
            field.selectAll()
        elif isinstance(field, QComboBox):
            field.showPopup()

    # The field gets its place in the next turn of the event loop.
    QTimer.singleShot(0, field, focus)


def _choose(field: QComboBox, index: int) -> None:
    field.setCurrentIndex(index)
    field.activated.emit(index)
