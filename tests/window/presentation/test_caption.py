"""The caption of a presentation: whole, in at most two lines, and readable from the last row."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QVBoxLayout, QWidget

from svmviz import theme
from svmviz.stage.stage import Stage
from svmviz.theme import font
from svmviz.window.presentation.caption import Caption
from tests.stages import eight

# The longest sentences of all methods, and one that fits the first line.
SENTENCES = (
    "Point 137 violates KKT by 0.56; partner 124 is next of all points, from a random start: "
    "α of point 124 falls to 0 and α of point 137 rises to C; the dual D rises by 0.00097.",
    "y·x of each of 128 of 300 points, inside their margin lines, is added 9.94·10⁻⁵ times to w, "
    "which is also scaled by 1 − 9.9·10⁻⁶; the objective J falls from 0.03388 to 0.03387.",
    "Converged after 26 steps in 1 round: all points meet KKT to 0.001; but the kernel is not "
    "positive semi-definite here, so a better optimum may exist.",
    "Pair (3, 7): both α end between 0 and C.",
)
SIZES = ((1024, 700), (1280, 720), (1920, 1080))


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_it_is_whole_in_two_lines(qtbot, qapp, width, height, scale, sentence):
    theme.apply(qapp, theme.LIGHT, scale)
    screen = QWidget()
    qtbot.addWidget(screen)
    screen.resize(width, height)
    layout = QVBoxLayout(screen)
    layout.setContentsMargins(0, 0, 0, 0)
    screen.setProperty(theme.SIZED_BY_HEIGHT, True)
    stage = Stage.of(eight())
    caption = Caption(stage)
    layout.addStretch(1)
    layout.addWidget(caption)
    with qtbot.waitExposed(screen):
        screen.show()
    caption._show("Step 1,234", sentence)
    size, px = caption.type_size, theme.look_of(caption).metrics.px
    assert size >= height / 45
    head = QFontMetricsF(font(size, 600, 1.0)).horizontalAdvance("Step 1,234   ")
    measure = QFontMetricsF(font(size, scale=1.0))
    room = QRectF(0.0, 0.0, caption.width() - 2 * px(16) - head, 1e6)
    needed = measure.boundingRect(room, Qt.TextFlag.TextWordWrap, sentence).height()
    assert needed <= 2 * measure.lineSpacing() + 1
    assert needed <= caption.height() - 2 * px(6) + 1
    # No more than a fifth of the screen.
    assert caption.height() <= height / 5
    stage.close()
    theme.apply(qapp, theme.LIGHT, 1.0)
