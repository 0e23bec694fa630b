"""Badge, card, segments, key-value rows, table."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from svmviz.theme import DARK, LIGHT, active, apply
from svmviz.widgets.badge import Badge, BadgeState, colours
from svmviz.widgets.card import FoldingCard
from svmviz.widgets.inputs.choice_box import QuietCombo
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.table import TableView
from svmviz.widgets.value_rows import KeyValue


@pytest.fixture(autouse=True)
def _light(qapp: QApplication):
    apply(qapp, LIGHT, 1.0)
    yield
    apply(qapp, LIGHT, 1.0)


class TestBadge:
    def test_keeps_room_for_the_longest_text(self, qtbot):
        badge = Badge("no data", reserve=("optimal", "step limit reached"))
        qtbot.addWidget(badge)
        before = badge.sizeHint()
        badge.show_state(BadgeState.WARN, "step limit reached", "why")
        assert badge.sizeHint() == before
        assert (badge.text, badge.state) == ("step limit reached", BadgeState.WARN)
        assert (badge.accessibleName(), badge.toolTip()) == ("step limit reached", "why")

    @pytest.mark.parametrize("scale", [1.0, 1.1, 1.25, 1.5])
    @pytest.mark.parametrize("verdict", ["getting ready", "optimal", "not optimal yet", "stopped"])
    def test_shows_the_text_it_has_the_width_of(self, qtbot, qapp, verdict, scale):
        apply(qapp, LIGHT, 1.0, scale)
        text = f"{verdict} · training error 0\N{NO-BREAK SPACE}%"
        badge, other = Badge(), Badge()
        for one, width in ((badge, 0), (other, 20)):
            qtbot.addWidget(one)
            one.show_state(BadgeState.NEUTRAL, text, shorter=("x",))
            one.resize(one.sizeHint().grownBy(QMargins(0, 0, width, 0)))
        # A wider badge shows the same words at the same place.
        part = badge.rect().adjusted(0, 0, -badge.height(), 0)
        assert badge.grab(part).toImage() == other.grab(part).toImage()

    @pytest.mark.parametrize("state", BadgeState)
    def test_wears_the_colour_of_its_state(self, qtbot, state: BadgeState):
        badge = Badge("words", state)
        qtbot.addWidget(badge)
        badge.resize(badge.sizeHint())
        image = badge.grab().toImage()
        middle = image.pixelColor(image.width() // 2, 2)
        assert middle.name() == colours(state, LIGHT)[1]

    def test_changes_with_the_theme(self, qtbot, qapp: QApplication):
        badge = Badge("words", BadgeState.GOOD)
        qtbot.addWidget(badge)
        before = badge.sizeHint()
        apply(qapp, DARK, 1.0, 2.0)
        assert badge.sizeHint().height() == 2 * before.height()


class TestCard:
    def test_folds_by_its_title_and_says_so(self, qtbot):
        card = FoldingCard("Kernel")
        qtbot.addWidget(card)
        inside = card.add(QLabel("inside"))
        card.show()
        tall = card.sizeHint().height()
        title = card.findChildren(QToolButton)[0]
        with qtbot.waitSignal(card.folded) as said:
            qtbot.mouseClick(title, Qt.MouseButton.LeftButton)
        assert said.args == [True]
        assert card.is_folded
        assert not inside.isVisible()
        assert card.sizeHint().height() < tall

    def test_folding_by_the_program_emits_nothing(self, qtbot):
        card = FoldingCard("Kernel")
        qtbot.addWidget(card)
        with qtbot.assertNotEmitted(card.folded):
            card.fold(True)
            card.fold(False)
        assert not card.is_folded

    def test_corner_widget_stands_beside_the_title(self, qtbot):
        card = FoldingCard("Kernel")
        qtbot.addWidget(card)
        corner = Badge("busy", BadgeState.BUSY)
        card.set_corner(corner)
        card.resize(300, 80)
        card.show()
        assert corner.x() > card.findChildren(QToolButton)[0].x()


class TestSegmented:
    @pytest.fixture
    def segments(self, qtbot):
        made = Segmented([("steps", "Steps"), ("time", "Time"), ("sun", "Sun")])
        qtbot.addWidget(made)
        made.show()
        return made

    def test_exactly_one_segment_is_selected(self, segments: Segmented):
        assert segments.value == "steps"
        segments.set_value("time")
        assert segments.value == "time"
        assert [button.isChecked() for button in segments.findChildren(QToolButton)].count(
            True
        ) == 1

    def test_says_what_the_user_took_only(self, qtbot, segments: Segmented):
        with qtbot.assertNotEmitted(segments.chosen):
            segments.set_value("time")
        button = segments.findChildren(QToolButton)[0]
        with qtbot.waitSignal(segments.chosen) as said:
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert said.args == ["steps"]
        with qtbot.assertNotEmitted(segments.chosen):
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def test_arrow_keys_choose(self, qtbot, segments: Segmented):
        segments.activateWindow()
        button = segments.findChildren(QToolButton)[0]
        button.setFocus()
        qtbot.waitUntil(button.hasFocus)
        with qtbot.waitSignal(segments.chosen) as said:
            qtbot.keyClick(button, Qt.Key.Key_Right)
        assert said.args == ["time"]

    def test_width_does_not_change_with_the_choice(self, segments: Segmented):
        widths = set()
        for key in ("steps", "time", "sun"):
            segments.set_value(key)
            widths.add(segments.sizeHint().width())
        assert len(widths) == 1

    def test_choices_can_be_forbidden(self, qtbot, segments: Segmented):
        segments.set_enabled("time", False)
        qtbot.mouseClick(segments.findChildren(QToolButton)[1], Qt.MouseButton.LeftButton)
        assert segments.value == "steps"
        with pytest.raises(KeyError):
            segments.set_value("nonsense")


class TestKeyValue:
    def test_nothing_jumps(self, qtbot):
        pairs = KeyValue([("P", "Primal"), ("gap", "Duality gap", "P minus D")])
        qtbot.addWidget(pairs)
        pairs.set_values({"P": "1"})
        before = pairs.sizeHint()
        pairs.set_values({"P": "−14.2210", "gap": "1.2e−5"})
        assert pairs.sizeHint() == before
        assert pairs.text("P") == "−14.2210"
        with pytest.raises(KeyError):
            pairs.set_values({"Q": "1"})

    @pytest.mark.parametrize("scale", [1.0, 2.0])
    def test_widest_text_fits(self, qtbot, qapp: QApplication, scale: float):
        pairs = KeyValue([("P", "Primal")])
        qtbot.addWidget(pairs)
        pairs.show()
        apply(qapp, LIGHT, 1.0, scale)
        pairs.set_values({"P": "−0.0000e−10"})
        value = next(label for label in pairs.findChildren(QLabel) if label.text() != "Primal")
        assert value.width() >= value.fontMetrics().horizontalAdvance(value.text())
        assert value.height() >= value.fontMetrics().height()


def test_table_rows_grow_with_the_type(qtbot, qapp: QApplication):
    table = TableView()
    qtbot.addWidget(table)
    table.setModel(QStandardItemModel(3, 2, table))
    table.show()
    small = table.rowHeight(0)
    apply(qapp, LIGHT, 1.0, 2.0)
    assert table.rowHeight(0) == 2 * small


class TestQuietCombo:
    def test_words_that_do_not_fit_end_in_dots(self, qtbot):
        combo = QuietCombo()
        qtbot.addWidget(combo)
        combo.addItem("Homogeneous quadratic")
        combo.setFixedWidth(active().metrics.px(192))
        combo.show()
        assert combo.shown_text == "Homogeneous quadratic"
        combo.setFixedWidth(active().metrics.px(120))
        assert combo.shown_text.startswith("Homog")
        assert combo.shown_text.endswith("…")
