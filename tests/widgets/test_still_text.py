"""Text with room for some lines: the room grows once for a longer text, and never shrinks."""

from svmviz.widgets.column import Column
from svmviz.widgets.still_text import StillText

LONG = "The unclipped optimum is outside the box, so the alpha of this point stops at C. " * 3


def test_the_room_grows_for_a_long_text_and_stays(qtbot):
    column = Column()
    text = column.add(StillText(lines=2))
    column.box.addStretch(1)
    qtbot.addWidget(column)
    column.resize(300, 400)
    column.show()
    text.setText("Short.")
    usual = text.height()
    assert text.sizeHint().height() == usual
    text.setText(LONG)
    qtbot.waitUntil(lambda: text.height() > 1.5 * usual)
    grown = text.height()
    text.setText("Short.")
    qtbot.wait(20)
    assert text.height() == grown
    # With more width less is needed.
    column.resize(900, 400)
    qtbot.waitUntil(lambda: text.height() == usual)


def test_hidden_texts_request_room_when_they_are_shown(qtbot):
    column = Column()
    text = column.add(StillText(lines=1))
    column.box.addStretch(1)
    qtbot.addWidget(column)
    column.resize(300, 400)
    text.setText(LONG)
    usual = text.sizeHint().height()
    column.show()
    qtbot.waitUntil(lambda: text.height() > 2 * usual)
