"""A dialog with a preview that asks what to export, and to which file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from solvers import BadInput
from svmviz.io.paths import is_full_folder
from svmviz.theme import active
from svmviz.widgets.column import Column
from svmviz.widgets.file_dialog import ask_save_path
from svmviz.widgets.still_text import StillText
from svmviz.window.files.preview import Preview
from svmviz.window.messages import Messages


class PreviewDialog(QDialog):
    """A preview and a note on the left, a form on the right, and two buttons below.

    Parameters
    ----------
    parent : QWidget
    title : str
    proposed : Path
        Proposed file, without its ending.
    note_lines : int
        Number of lines that are reserved for the note.

    Attributes
    ----------
    preview : Preview
    note : StillText
        What the user should know about the file.
    path : Path or None
        The file, once the user has chosen it.
    """

    def __init__(self, parent: QWidget, title: str, proposed: Path, note_lines: int) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._proposed = proposed
        self.path: Path | None = None
        self.preview = Preview(self)
        self.note = StillText(lines=note_lines)

    def done(self, result: int) -> None:
        """Close, and stop the preview."""
        self.preview.rest()
        super().done(result)

    def _lay_out(self, form: QWidget, label: str) -> QPushButton:
        """Lay out preview, note, form and buttons; return the button that asks for the file."""
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        button = buttons.addButton(label, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self._ask_path)
        buttons.rejected.connect(self.reject)
        # The Return key clicks this button, whichever field has the focus.
        button.setDefault(True)
        button.setFocus()
        left = Column(gap=1.0)
        left.add(self.preview)
        left.add(self.note)
        upper = QHBoxLayout()
        upper.setSpacing(active().metrics.space(5))
        upper.addWidget(left)
        upper.addWidget(form)
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(4))
        layout.addLayout(upper)
        layout.addWidget(buttons)
        return button

    def _ask_path(self) -> None:
        """Call :meth:`_accept_path` with the endings of this dialog; subclasses override this.

        The button that asks for the file calls this method.
        """
        raise NotImplementedError

    def _accept_path(
        self,
        ending: str,
        filters: str,
        endings: Collection[str],
        check: Callable[[Path], None] = lambda _: None,
    ) -> None:
        """Ask for the file; store its path and accept the dialog if the user chooses one.

        Parameters
        ----------
        ending : str
            Ending of the proposed name; also added to a chosen name that has none of ``endings``.
        filters : str
            Kinds of files, as Qt's file dialog takes them.
        endings : collection of str
            Endings that a name may have. If the collection is empty, a folder is asked for.
        check : callable(Path), optional
            Raises BadInput if the file cannot be written; the dialog then stays open.
        """
        start = f"{self._proposed}{ending}"
        chosen, _ = ask_save_path(self, self.windowTitle(), start, filters, not endings)
        if not chosen:
            return
        path = Path(chosen)
        if endings and path.suffix.lower() not in endings:
            # The file dialog has asked about replacing a file of the typed name, but the file to be
            # written has the ending as well.
            path = path.with_name(path.name + ending)
            if not Messages(self).may_replace(path):
                return
        try:
            check(path)
        except BadInput as error:
            Messages(self).warn_not_written(path, error)
            return
        if is_full_folder(path) and not Messages(self).may_replace(path):
            return
        self.path = path
        self.accept()
