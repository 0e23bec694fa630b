"""The order of the Tab key in the main window: region by region, each as it is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QMainWindow, QScrollArea, QWidget

# Property of the widget that Tab has given the focus.
TABBED = "tabbed"


def focus_beside(window: QWidget, forwards: bool) -> bool:
    """Give the focus to the next or previous widget; return False if no widget can have it.

    Qt's own order is that in which widgets were made. With it, panels that are made when they are
    opened would come last, and Tab would go through panels that are hidden behind others.
    """
    order = list(_order(window))
    if not order:
        return False
    focused = QApplication.focusWidget()
    if focused in order:
        target = order[(order.index(focused) + (1 if forwards else -1)) % len(order)]
    else:
        inside = [w for w in order if focused is not None and focused.isAncestorOf(w)]
        target = (inside or order)[0 if forwards else -1]
    give_focus(target, forwards)
    return True


def give_focus(widget: QWidget, forwards: bool = True) -> None:
    """Give a widget the focus as Tab does."""
    widget.setProperty(TABBED, True)
    reasons = Qt.FocusReason
    widget.setFocus(reasons.TabFocusReason if forwards else reasons.BacktabFocusReason)
    _scroll_to(widget)


def is_tabbed(widget: QWidget | None) -> bool:
    """Return whether Tab has given a widget the focus, and not a click or the program."""
    return widget is not None and bool(widget.property(TABBED))


def _order(window: QWidget) -> Iterator[QWidget]:
    """Yield the widgets that Tab reaches: in the centre, then in docks and bars downwards."""
    if not isinstance(window, QMainWindow):
        yield from as_read([w for w in window.findChildren(QWidget) if _takes_tab(w)], window)
        return
    centre = window.centralWidget()
    parts = [w for w in window.children() if isinstance(w, QWidget) and w is not centre]
    places = {part: part.geometry().topLeft() for part in parts}
    parts.sort(key=lambda part: (places[part].y(), places[part].x()))
    for region in filter(None, (centre, *parts)):
        # Qt counts a dock that is hidden behind another one as visible, but its visible region is
        # empty.
        if not region.isWindow() and not region.visibleRegion().isEmpty():
            widgets = [region, *region.findChildren(QWidget)]
            yield from as_read([w for w in widgets if _takes_tab(w)], window)


def _takes_tab(widget: QWidget) -> bool:
    takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    is_there = widget.isEnabled() and widget.isVisible() and not widget.isWindow()
    return takes and is_there and widget.focusProxy() is None


def as_read(widgets: Sequence[QWidget], window: QWidget) -> list[QWidget]:
    """Return widgets row by row, each from left to right.

    Each row begins with its highest widget. The row has all further widgets whose top is above the
    middle of that widget.
    """
    boxes = [(QRect(w.mapTo(window, QPoint()), w.size()), w) for w in widgets]
    boxes.sort(key=lambda item: item[0].top())
    rows: list[list[tuple[QRect, QWidget]]] = []
    for box, widget in boxes:
        if not rows or box.top() >= rows[-1][0][0].center().y():
            rows.append([])
        rows[-1].append((box, widget))
    return [w for row in rows for _, w in sorted(row, key=lambda item: item[0].left())]


def _scroll_to(widget: QWidget) -> None:
    """Scroll all areas around a widget so that it is seen."""
    area = widget.parentWidget()
    while area is not None:
        if isinstance(area, QScrollArea):
            area.ensureWidgetVisible(widget)
        area = area.parentWidget()
