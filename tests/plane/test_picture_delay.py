from PySide6.QtCore import QObject

from svmviz.document.document import Document
from svmviz.plane.picture_delay import PATIENCE, Lag


def test_a_document_without_a_frame_is_noticed(qtbot, qapp):
    owner = QObject()
    lag, document = Lag(owner), Document()
    with qtbot.waitSignal(lag.passed):
        lag.ask(document)
        assert not lag.is_long
    assert lag.is_long
    lag.answer(document)
    assert not lag.is_long


def test_answers_in_time_keep_it_quiet(qtbot, qapp):
    owner = QObject()
    lag = Lag(owner)
    with qtbot.assertNotEmitted(lag.passed, wait=int(1500 * PATIENCE)):
        for _ in range(4):
            first, second = Document(), Document()
            lag.ask(first)
            lag.ask(second)
            lag.answer(first)
            lag.answer(second)


def test_a_frame_answers_for_all_older_documents(qapp):
    owner = QObject()
    lag = Lag(owner)
    documents = [Document() for _ in range(3)]
    for document in documents:
        lag.ask(document)
    lag.answer(documents[2])
    assert not lag._waiting
    lag.answer(documents[0])
    lag.rest()
