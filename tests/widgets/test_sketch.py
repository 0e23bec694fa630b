"""The small plot without pyqtgraph."""

import numpy as np

from svmviz.camera.camera import MAX_PIXEL
from svmviz.widgets.charts.sketch import Sketch


def test_points_beyond_double_precision_have_finite_pixels(qtbot):
    sketch = Sketch(lambda _painter, _sketch: None)
    qtbot.addWidget(sketch)
    sketch.resize(300, 200)
    sketch.show()
    pixels = sketch.to_pixels(np.array([[1e308, -1e308], [0.5, 0.5]]))
    assert np.abs(pixels[0]).tolist() == [MAX_PIXEL, MAX_PIXEL]
    assert np.all((pixels[1] > 0.0) & (pixels[1] < 300.0))
