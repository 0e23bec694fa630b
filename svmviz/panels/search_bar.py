"""Buttons that start, pause and cancel a search, and a text with its progress and time left."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from solvers.run.method import counted
from svmviz.base.words import PERCENT
from svmviz.selection.background_search import BackgroundSearch, State
from svmviz.widgets.column import AnyWidget, Column
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_text import StillLabel


class SearchBar(Column):
    """Two buttons and a line of text for one search.

    Parameters
    ----------
    search : BackgroundSearch
    start : str
        Text of the button that starts the search.
    tip : str
        Tooltip of the button that starts the search.

    Signals
    -------
    started()
        The user wants to start a new search.
    """

    started = Signal()

    def __init__(self, search: BackgroundSearch, start: str, tip: str) -> None:
        super().__init__(gap=0.5)
        self._search, self._start = search, start
        row = self._row = self.add(Column(gap=1.0, across=True))
        self.button = row.add(QPushButton(start))
        set_tip(self.button, tip)
        self.cancel = row.add(QPushButton("Cancel"))
        set_tip(self.cancel, "Results so far are kept: the next search continues with them.")
        row.box.addStretch(1)
        self.words = self.add(StillLabel())
        self.button.clicked.connect(self._on_clicked)
        self.cancel.clicked.connect(search.cancel)
        search.changed.connect(self.refresh)
        self.refresh()

    def add_beside(self, widget: AnyWidget) -> AnyWidget:
        """Add a widget at the right end of the row of buttons, and return it."""
        return self._row.add(widget)

    def refresh(self) -> None:
        """Show the state of the search."""
        state = self._search.state
        texts = {State.RUNNING: "Pause", State.PAUSED: "Go on"}
        text = texts.get(state, self._start)
        if self.button.text() != text:
            self.button.setText(text)
        self.cancel.setEnabled(self._search.is_active)
        self.words.setText(self._progress(state))

    def _progress(self, state: State) -> str:
        search = self._search
        percentage = f"{100 * search.n_arrived // max(1, search.count)}{PERCENT}"
        if state is State.RUNNING:
            seconds_left = search.seconds_left
            if seconds_left is None:
                return f"{percentage} …"
            return f"{percentage}, {time_words(seconds_left)} left"
        if state is State.PAUSED:
            return f"Paused at {percentage}"
        if state is State.CANCELLED:
            return f"Cancelled at {percentage}; the next search continues there"
        return f"{counted(search.n_arrived, 'model')} tested" if state is State.DONE else ""

    def _on_clicked(self) -> None:
        state = self._search.state
        if state is State.RUNNING:
            self._search.pause()
        elif state is State.PAUSED:
            self._search.resume()
        else:
            self.started.emit()


def time_words(seconds: float) -> str:
    """Return a time in words, rounded so that the words rarely change."""
    if seconds < 1.0:
        return "less than 1 s"
    if seconds < 60.0:
        return f"{round(seconds)} s"
    minutes = round(seconds / 60.0)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
