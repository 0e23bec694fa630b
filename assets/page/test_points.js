"use strict";
// The test points, if their drawer is open: hollow, with a bar, and with a cross where f errs
// (svmviz/plane/paint/held_out.py).

const HOLLOW = MARK_TABLE.hollow;

function paintTestPoints(/** @type {PlaneView} */ view, { points, labels }) {
  const { context, colours, run, state } = view, size = measures(MARK_TABLE.roles[PLAIN], view.size).radius;
  labels.forEach((label, i) => {
    const [across, up] = points.subarray(2 * i, 2 * i + 2), [x, y] = view.toPixels(across, up);
    view.shape(x, y, shapeOf(run.markOf(label)), HOLLOW.radius * size);
    context.lineWidth = HOLLOW.line;
    context.strokeStyle = label > 0 ? colours.positive_edge : colours.negative_edge;
    context.stroke();
    context.lineWidth = HOLLOW.thin;
    context.beginPath();
    context.moveTo(x, y - HOLLOW.bar * size);
    context.lineTo(x, y + HOLLOW.bar * size);
    context.stroke();
    const f = run.valueAt(across, up, state.beta, state.bias);
    if (run.isRegression || (f >= 0 ? 1 : -1) === label) return;
    drawCross(context, x, y, size, colours, HOLLOW.cross);
  });
}
