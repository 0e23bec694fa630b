"""The entry of the undo stack."""

from PySide6.QtGui import QUndoStack

from svmviz.document.document import Document
from svmviz.session.undo import Edit


def test_an_entry_shows_the_document_after_with_its_note_and_the_one_before_without(qapp):
    shown = []
    before, after = Document(), Document(epsilon=0.25)
    stack = QUndoStack()
    stack.push(Edit(lambda *args: shown.append(args), before, after, "Widen", "C was kept"))
    assert stack.undoText() == "Widen"
    stack.undo()
    stack.redo()
    assert shown == [(after, "C was kept"), (before, ""), (after, "C was kept")]
