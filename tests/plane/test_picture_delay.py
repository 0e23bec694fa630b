from PySide6.QtCore import QObject

from svmviz.document.document import Document
from svmviz.plane.picture_delay import MAX_DELAY, PictureDelay


def test_a_document_without_a_frame_is_noticed(qtbot, qapp):
    owner = QObject()
    delay, document = PictureDelay(owner), Document()
    with qtbot.waitSignal(delay.passed):
        delay.expect(document)
        assert not delay.is_long
    assert delay.is_long
    delay.end(document)
    assert not delay.is_long


def test_no_signal_if_frames_come_in_time(qtbot, qapp):
    owner = QObject()
    delay = PictureDelay(owner)
    with qtbot.assertNotEmitted(delay.passed, wait=int(1500 * MAX_DELAY)):
        for _ in range(4):
            first, second = Document(), Document()
            delay.expect(first)
            delay.expect(second)
            delay.end(first)
            delay.end(second)


def test_a_frame_ends_the_wait_for_all_older_documents(qapp):
    owner = QObject()
    delay = PictureDelay(owner)
    documents = [Document() for _ in range(3)]
    for document in documents:
        delay.expect(document)
    delay.end(documents[2])
    assert not delay._waiting
    delay.end(documents[0])
    delay.stop()
