"""A legend of curves."""

from PySide6.QtGui import QFontMetricsF

from svmviz.theme import BODY, LIGHT, apply, look_of
from svmviz.widgets.charts.legend import CurveEntry, Legend


def test_a_name_too_long_for_the_width_is_cut_off_before_the_value(qtbot, qapp):
    apply(qapp, LIGHT, 1.0)
    legend = Legend()
    qtbot.addWidget(legend)
    entry = CurveEntry("best bound so far (repaired α)", "#3060c0", "15.37")
    legend.show_entries((entry,))
    look = look_of(legend)
    value = QFontMetricsF(look.font(BODY, 600)).horizontalAdvance(entry.value)
    names = QFontMetricsF(look.font(BODY))
    wide = names.horizontalAdvance(entry.name) + value + 20.0
    assert legend._elided(entry, wide) == entry.name
    for width in (0.8 * wide, 0.5 * wide):
        shown = legend._elided(entry, width)
        assert shown.endswith("…")
        assert names.horizontalAdvance(shown) + value < width
