"""A legend of curves."""

from PySide6.QtGui import QFontMetricsF

from svmviz.theme import LIGHT, TEXT, apply, look_of
from svmviz.widgets.charts.legend import CurveEntry, Legend


def test_a_name_too_long_for_the_width_is_cut_off_before_the_value(qtbot, qapp):
    apply(qapp, LIGHT, 1.0)
    legend = Legend()
    qtbot.addWidget(legend)
    entry = CurveEntry("best bound so far (repaired α)", "#3060c0", "15.37")
    legend.show_entries((entry,))
    look = look_of(legend)
    value = QFontMetricsF(look.font(TEXT)).horizontalAdvance(entry.value)
    names = QFontMetricsF(look.font(TEXT))
    # The line before the name, the name, and the value with a gap on each side.
    wide = 28.0 + names.horizontalAdvance(entry.name) + 8.0 + value + 6.0
    assert legend._fitted(entry, wide)[0] == look.letters(entry.name)
    for width in (0.8 * wide, 0.5 * wide):
        shown, start = legend._fitted(entry, width)
        assert shown.endswith("…")
        assert 28.0 + names.horizontalAdvance(shown) <= start
        assert start + value <= width
    # Without a value the name has all of the room.
    assert legend._fitted(CurveEntry(entry.name, "#3060c0"), wide - value)[0] == look.letters(
        entry.name
    )
