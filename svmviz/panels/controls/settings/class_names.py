"""Fields with the names of the classes."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QLineEdit

from solvers.data.datasets import MAX_CLASSES
from solvers.errors import quote
from svmviz.base.words import MAX_NAME, shown_name
from svmviz.document.document import Document
from svmviz.session.session import Session
from svmviz.theme.icons import icon
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.text_field import TextField
from svmviz.widgets.plain_text import MutedLabel


class ClassNames(Column):
    """One field per class, in the order of the keys that add points, beside the class's mark.

    Parameters
    ----------
    session : Session
    """

    def __init__(self, session: Session) -> None:
        super().__init__(gap=1.0)
        self._session = session
        self.add(MutedLabel("Names of the classes"))
        self.fields = [self._add_field(number) for number in range(MAX_CLASSES)]
        self._marks = [
            field.field.addAction(icon("plus-class"), QLineEdit.ActionPosition.LeadingPosition)
            for field in self.fields
        ]

    def _add_field(self, number: int) -> TextField:
        label = f"Rename class {number + 1}"
        field = self.add(TextField(label, partial(self._check, number), shows_label=False))
        field.released.connect(partial(self._rename, number))
        return field

    def show_document(self, document: Document) -> None:
        """Show the names of a document, which are none in a regression."""
        self.setVisible(not document.is_regression)
        names = document.class_names
        for number, field in enumerate(self.fields):
            field.setVisible(number < len(names))
            if number < len(names):
                field.set_value(shown_name(names[_class_of(document, number)]))
                shape = f"class-{number + 1}" if document.many else MARKS[number]
                self._marks[number].setIcon(icon(shape))

    def _check(self, number: int, text: str) -> str:
        names = list(self._session.document.class_names)
        name = " ".join(text.split())
        del names[_class_of(self._session.document, number)]
        if not name:
            return "A class needs a name."
        if len(name) > MAX_NAME:
            return f"A name has at most {MAX_NAME} characters, and this one has {len(name)}."
        return f"Another class has the name {quote(name)}." if name in names else ""

    def _rename(self, number: int, text: str) -> None:
        document = self._session.committed
        names = list(document.class_names)
        class_ = _class_of(document, number)
        if number < len(names) and text != shown_name(names[class_]):
            names[class_] = text
            self._session.edit(document.with_class_names(names), "Rename class")


def _class_of(document: Document, number: int) -> int:
    """Return the index of a class by its place among the keys; of two classes, +1 comes first."""
    return number if document.many else 1 - number


# The marks of two classes.
MARKS = "plus-class", "minus-class"
