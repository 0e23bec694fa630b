"use strict";
// The test points, if their drawer is open: hollow, with a dot, and with a cross where f errs
// (svmviz/plane/paint/held_out.py).

const TEST_MARK = { radius: 0.9, line: 2, dot: 0.34, cross: 1.9 };

function paintTestPoints(view, { points, labels }) {
  const { context, colours, run, state } = view, size = measures(MARK_TABLE.roles[PLAIN], view.size).radius;
  labels.forEach((label, i) => {
    const place = points.subarray(2 * i, 2 * i + 2), [x, y] = view.toPixels(...place);
    view.shape(x, y, shapeOf(run.markOf(label)), TEST_MARK.radius * size);
    context.lineWidth = TEST_MARK.line;
    context.strokeStyle = context.fillStyle = label > 0 ? colours.positive_edge : colours.negative_edge;
    context.stroke();
    view.shape(x, y, 0, TEST_MARK.dot * size);
    context.fill();
    const f = run.valueAt(...place, state.beta, state.bias);
    if (run.isRegression || (f >= 0 ? 1 : -1) === label) return;
    drawCross(context, x, y, size, colours, TEST_MARK.cross);
  });
}
