"use strict";
// Points and their slack. What a point looks like is in MARK_TABLE, the table of
// svmviz/plane/paint/roles.py, which every page gets. Twins: roles.py, crowd.py, point_shapes.py and
// slack_paths.py there.

// The role of all points if roles are hidden; the others are the kinds of a state (run.js).
const PLAIN = 3;
// Side of a mark in the legend, px, as in the style sheet.
const LEGEND_MARK = 24;
// Spacing of points at which marks have full size, px; smallest size; side of the cells in which
// points are counted, px; and the smallest part of the plot that points are assumed to fill.
const CROWD = { fullSpacing: 31, minSize: 0.125, side: 40, minArea: 0.02 };
// Smallest slack that is drawn, and the largest number of lines. Width of a line at full size and in
// a crowd, length of a line with an open end outside its mark, and radius of the ring there, px.
const SLACK = { least: 2e-3, most: 400, width: 1, leastWidth: 0.5, stub: 9, openEnd: 2.2 };
// The ground of a point of its own: its radius beyond the mark, and its line, px.
const GROUND = { beyond: 3.5, line: 1 };
// Steps along the gradient of f, in cells of the grid: the longest on a coarse grid, on any grid as a
// fraction of its longer side, the shortest, and their number. A path that ends at a maximum of y f
// is not open if that is below 1 by at most ``top``.
const STEPS = { longest: 1.5, fraction: 0.012, shortest: 0.1, most: 32, turn: 0.6, top: 0.05 };
const TRIANGLE = [[0, -1.56], [1.35, 0.78], [-1.35, 0.78]], CROSS_CORNERS = [
  [1, 3], [1, 1], [3, 1], [3, -1], [1, -1], [1, -3], [-1, -3], [-1, -1], [-3, -1], [-3, 1], [-1, 1], [-1, 3],
].map((corner) => corner.map((value) => 0.4 * value));
// Corners of the shapes of the third to the sixth class, with the area of a disc of radius 1.
const CORNERS = [
  TRIANGLE, [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]], TRIANGLE.map(([x, y]) => [x, -y]), CROSS_CORNERS,
];

// The size of marks, 1 if points are few; ``pixels`` holds the x, y of the points on screen.
function sizeOfMarks(/** @type {Place[]} */ pixels, area) {
  const n = pixels.length;
  if (n === 0) return 1;
  const middle = [0, 1].map((axis) => pixels.reduce((sum, place) => sum + place[axis], 0) / n);
  const counts = new Map();
  for (const place of pixels) {
    const cell = place.map((value, axis) => Math.floor((value - middle[axis]) / CROWD.side)).join();
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  let others = 0;
  for (const count of counts.values()) others += count * (count - 1);
  const perPoint = Math.min(CROWD.side ** 2 / Math.max(others / n, 1e-9), area);
  const spacing = Math.sqrt(Math.max(perPoint, (CROWD.minArea * area) / n));
  return Math.min(1, Math.max(CROWD.minSize, spacing / CROWD.fullSpacing));
}

// Radius, width of the outline and strength of the filling of a mark at a size.
function measures(/** @type {Mark} */ mark, /** @type {number} */ size) {
  const { radius, leastFrom, fullFrom } = MARK_TABLE;
  const full = Math.min(1, Math.max(0, (size - leastFrom) / (fullFrom - leastFrom)));
  return {
    radius: radius * Math.min(1, Math.max(mark.least, mark.room * size)),
    line: Math.max(mark.least_width, mark.width * full),
    filling: mark.bare_fill + full * (mark.fill - mark.bare_fill),
  };
}

// The shape of a mark: a disc for +1 and a square for -1; of more classes, +-(2 + index), the shape of
// the class. Twin of class_of_mark in point_shapes.py.
function shapeOf(mark) {
  return Math.abs(mark) > 1 ? Math.abs(mark) - 2 : Number(mark < 0);
}

// Shapes: 0 is a disc, 1 a square; for the others see CORNERS.
function shapePath(/** @type {CanvasRenderingContext2D} */ context, x, y, shape, /** @type {number} */ radius) {
  const side = MARK_TABLE.halfSide * radius;
  context.beginPath();
  if (shape === 0) context.arc(x, y, radius, 0, 2 * Math.PI);
  else if (shape === 1) context.rect(x - side, y - side, 2 * side, 2 * side);
  else {
    CORNERS[shape - 2].forEach(([across, down]) => context.lineTo(x + radius * across, y + radius * down));
    context.closePath();
  }
}

// Draws a mark in the colour of its side; ``outline`` is the colour of outlines of support vectors.
function drawMark(/** @type {CanvasRenderingContext2D} */ context, x, y, label, role, size, /** @type {Colours} */ colours, /** @type {string} */ outline, factor = 1) {
  const mark = MARK_TABLE.roles[role], { radius, line, filling } = measures(mark, size), shape = shapeOf(label);
  const [fill, edge] = label > 0
    ? [colours.positive, colours.positive_edge] : [colours.negative, colours.negative_edge];
  shapePath(context, x, y, shape, factor * radius);
  context.fillStyle = cssColour(mixed(colours.plane, fill, filling));
  context.fill();
  if (line > 0) {
    context.strokeStyle = mark.outline === "edge" ? edge : outline;
    context.lineWidth = line;
    context.lineJoin = "round";
    context.stroke();
  }
  if (mark.core === 0) return;
  shapePath(context, x, y, shape, factor * mark.core * radius);
  context.fillStyle = colours.plane;
  context.fill();
}

// Pale discs in the colours of the classes, whose areas beyond the marks show alpha / C, or without a
// bound alpha / max(alpha).
function paintHalos(/** @type {PlaneView} */ view) {
  const { context, run, state, colours, size, lane } = view;
  const { radius, opacity } = MARK_TABLE.halo, bound = Math.max(...boundsOf(run.lanes[lane])), mark = (MARK_TABLE.radius / radius) ** 2;
  const full = bound < Infinity ? bound : Math.max(...state.alpha);
  context.globalAlpha = opacity;
  state.alpha.forEach((alpha, i) => {
    if (!(alpha > 0)) return;
    shapePath(context, ...view.pointPixels(i), 0, radius * size * Math.sqrt(mark + Math.min(1, alpha / full) * (1 - mark)));
    context.fillStyle = run.marks[i] > 0 ? colours.positive : colours.negative;
    context.fill();
  });
  context.globalAlpha = 1;
}

// Draws the cross of an error, whose mark covers the middle of it.
function drawCross(/** @type {CanvasRenderingContext2D} */ context, x, y, radius, /** @type {Colours} */ colours, reach = MARK_TABLE.cross.reach) {
  const { width, backing } = MARK_TABLE.cross, away = Math.SQRT1_2 * reach * radius;
  const share = Math.min(1, Math.max(0.5, radius / MARK_TABLE.radius));
  context.lineCap = "round";
  context.beginPath();
  for (const side of [-1, 1]) {
    context.moveTo(x - away, y - side * away);
    context.lineTo(x + away, y + side * away);
  }
  for (const isBacking of [true, false]) {
    context.strokeStyle = isBacking ? colours.plane : colours.bad;
    context.lineWidth = share * (isBacking ? backing : width);
    context.stroke();
  }
  context.lineCap = "butt";
}

// Draws all points: quiet ones, slack, support vectors, and misclassified points last.
function paintPoints(/** @type {PlaneView} */ view) {
  const { run, state, hidden } = view, all = Array.from({ length: run.n }, (_, i) => i);
  const role = (i) => view.roleOf(i), isWrong = (i) => view.isWrong(i);
  const isSupport = (i) => role(i) === FREE || role(i) === AT_BOUND;
  if (view.has("alpha_area") && !hidden.has("alpha")) paintHalos(view);
  for (const i of all) if (!isSupport(i) && !isWrong(i)) view.paintPoint(i);
  if (!hidden.has("slack") && view.hasMargin && view.has("sticks")) paintSlack(view, state);
  for (const i of all) if (isSupport(i) && !isWrong(i)) view.paintPoint(i);
  for (const i of all) if (isWrong(i)) view.paintCross(i);
  for (const i of all) if (isWrong(i)) view.paintPoint(i);
}

// Draws discs under the points that the grid misses, in the colour of their f; discs that meet are
// one. Twin of svmviz/plane/paint/own_ground.py.
function paintOwnGround(/** @type {PlaneView} */ view) {
  const { context, colours, state, size } = view, missed = view.shown?.missed ?? [];
  if (view.hidden.has("f") || view.run.isRegression) return;
  const { radius, line } = measures(MARK_TABLE.roles[FREE], size), strength = (1 / (1 + HALF_LEVEL)) ** EXPONENT;
  for (const isLine of [true, false]) {
    for (const i of missed) {
      const band = state.decision[i] >= 0 ? colours.positive_band : colours.negative_band;
      shapePath(context, ...view.pointPixels(i), 0, radius + line / 2 + GROUND.beyond + (isLine ? GROUND.line : 0));
      context.fillStyle = isLine ? colours.boundary : cssColour(mixed(colours.plane, band, strength));
      context.fill();
    }
  }
}

// Says in the lower left corner of the plot what the picture cannot show.
function writeMissed(/** @type {PlaneView} */ view) {
  const { context, colours } = view, missed = view.shown?.missed?.length ?? 0;
  if (missed === 0 || view.hidden.has("f") || view.run.isRegression) return;
  const words = `The boundary round ${number(missed)} ${missed === 1 ? "point" : "points"} is finer than this picture.`;
  const x = view.margins.left + 10, y = MARGINS.top + view.plotHeight - 14;
  context.font = LABEL_FONT;
  context.textBaseline = "middle";
  context.fillStyle = colours.plane;
  context.globalAlpha = 0.85;
  context.fillRect(x - 4, y - 9, context.measureText(words).width + 8, 18);
  context.globalAlpha = 1;
  context.fillStyle = colours.muted;
  context.fillText(words, x, y);
}

function paintSlack(/** @type {PlaneView} */ view, /** @type {State} */ state) {
  const { context, colours, run, size } = view;
  context.strokeStyle = colours.slack;
  context.lineWidth = Math.max(SLACK.leastWidth, SLACK.width * Math.min(1, 1.5 * size));
  const stroke = (pixels) => {
    context.beginPath();
    pixels.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.stroke();
  };
  let rows = Array.from(state.slack.keys()).filter((i) => state.slack[i] > SLACK.least);
  if (run.isRegression) {
    for (const i of rows) {
      const [x, y] = view.pointPixels(i), residual = run.y[i] - state.decision[i];
      stroke([[x, y], [x, view.toPixels(0, run.y[i] - Math.sign(residual) * state.slack[i])[1]]]);
    }
    return;
  }
  if (!view.shown?.values) return;
  rows = rows.sort((i, j) => state.slack[j] - state.slack[i]).slice(0, SLACK.most);
  const { radius } = measures(MARK_TABLE.roles[FREE], size), stub = radius + SLACK.stub - SLACK.openEnd;
  for (const i of rows) {
    const { path, isOpen } = slackPath(view, i), pixels = path.map(([x, y]) => view.toPixels(x, y));
    if (path.length < 2) continue;
    const shown = isOpen ? shortened(pixels, stub) : pixels;
    stroke(shown);
    if (!isOpen) continue;
    context.beginPath();
    const [x, y] = shown[shown.length - 1];
    context.arc(x, y, SLACK.openEnd, 0, 2 * Math.PI);
    context.stroke();
  }
}

// The beginning of a path up to a length.
function shortened(/** @type {Place[]} */ path, /** @type {number} */ length) {
  const result = [path[0]];
  for (let k = 1, left = length; k < path.length; k++) {
    const [x, y] = path[k - 1], [across, down] = [path[k][0] - x, path[k][1] - y];
    const piece = Math.hypot(across, down);
    if (piece >= left) return [...result, [x + (across * left) / piece, y + (down * left) / piece]];
    result.push(path[k]);
    left -= piece;
  }
  return result;
}

// Follows the gradient of y f, in solver units, on the grid of f until y f is 1.
function slackPath(/** @type {PlaneView} */ view, /** @type {number} */ i) {
  const { values, columns, rows } = view.shown, [left, right, bottom, top] = view.view;
  const cell = [(right - left) / (columns - 1), (top - bottom) / (rows - 1)];
  const metric = view.run.factors.map((factor, axis) => (factor / cell[axis]) ** 2);
  const sign = view.run.labels[i], f = (c, r) => sign * valueBetween(values, columns, rows, c, r);
  let c = (view.run.points[2 * i] - left) / cell[0], r = (view.run.points[2 * i + 1] - bottom) / cell[1];
  const isInside = (u, v) => u >= 0 && v >= 0 && u <= columns - 1 && v <= rows - 1;
  const path = /** @type {Place[]} */ ([]), add = (u, v) => path.push([left + u * cell[0], bottom + v * cell[1]]);
  if (!isInside(c, r)) return { path, isOpen: true };
  add(c, r);
  let before = null, value = f(c, r), step = Math.max(STEPS.longest, STEPS.fraction * Math.max(columns, rows));
  for (let count = 0; value < 1; count++) {
    const away = Math.max(0.5, step);
    const across = metric[0] * (f(c + away, r) - f(c - away, r)), up = metric[1] * (f(c, r + away) - f(c, r - away));
    const length = Math.hypot(across, up);
    let direction = [across / length, up / length];
    // Along a ridge of y f the gradient points to and fro across it; its mean, along it.
    if (before && direction[0] * before[0] + direction[1] * before[1] < STEPS.turn) {
      const mean = direction.map((value, axis) => value + before[axis]), size = Math.hypot(...mean) + 1e-9;
      direction = mean.map((value) => value / size);
    }
    const u = c + step * direction[0], v = r + step * direction[1];
    if (length === 0 || count === STEPS.most || step < STEPS.shortest || !isInside(u, v)) return { path, isOpen: value < 1 - STEPS.top };
    const reached = f(u, v);
    // Where y f falls, the step was too long, or there is a maximum.
    if (reached <= value) {
      step *= 0.4;
      continue;
    }
    const share = reached < 1 ? 1 : (1 - value) / (reached - value);
    [c, r, value, before] = [c + share * (u - c), r + share * (v - r), reached, direction];
    add(c, r);
  }
  return { path, isOpen: false };
}

// f between the nodes of a grid, by bilinear interpolation.
function valueBetween(values, columns, rows, c, /** @type {number} */ r) {
  const x = Math.min(Math.max(c, 0), columns - 1), y = Math.min(Math.max(r, 0), rows - 1);
  const left = Math.min(Math.floor(x), columns - 2), low = Math.min(Math.floor(y), rows - 2);
  const [u, v, k] = [x - left, y - low, low * columns + left];
  return (1 - v) * ((1 - u) * values[k] + u * values[k + 1]) +
    v * ((1 - u) * values[k + columns] + u * values[k + columns + 1]);
}

// The classes that the machine leaves out.
function leftOutOf(/** @type {Many | undefined} */ many) {
  return (many?.codes[many.shown] ?? []).flatMap((value, index) => (value === 0 ? [index] : []));
}

// The marks of the plane and what they mean; `paintLegend` draws the marks.
function showLegend(box, /** @type {RunOfPage} */ run) {
  /** @type {[mark: number, role: number | "wrong" | null, name: string][]} */
  const entries = run.isRegression ? [[1, 0, "point"]]
    : run.many ? namedMarks(run.many).map(({ mark, name }) => [mark, 0, name])
      : [[1, 0, run.classes[1]], [-1, 0, run.classes[0]]], first = entries[0][0];
  entries.push([first, FREE, `support vector: ${run.isRegression ? "the curve" : "the boundary"} depends on it`]);
  const where = run.isRegression ? "outside the tube: " : run.lanes[0].has_margin === false ? "" : "inside the street or on the wrong side: ";
  entries.push([first, AT_BOUND, `${where}${run.isRegression ? "|β|" : "α"} at cap ${run.lanes[0].caps ? "Cᵢ" : "C"}`]);
  if (!run.isRegression) entries.push([first, "wrong", "misclassified"]);
  if (run.no_boundary) entries.push([first, null, run.no_boundary]);
  const entryOf = (data, /** @type {string} */ name, hasMark = true) => {
    const entry = element("span"), canvas = element("canvas");
    Object.assign(canvas.dataset, data);
    entry.append(...(hasMark ? [canvas] : []), name);
    return entry;
  };
  box.replaceChildren(...entries.map(([mark, role, name]) => entryOf({ mark, role }, name, role !== null)),
    ...leftOutOf(run.many).map((index) => entryOf({ left: index }, `${run.many.names[index]}, left out by this machine`)));
}

// Leaves out of the legend the roles that no point has.
function showDrawn(box, /** @type {PlaneView[]} */ views) {
  for (const canvas of box.querySelectorAll("[data-role]")) {
    const { role } = canvas.dataset, has = (view, i) => (role === "wrong" ? view.isWrong(i) : [ZERO, view.roleOf(i)].includes(Number(role)));
    canvas.parentElement.hidden = !views.some((view) => view.state.kinds.some((_, i) => has(view, i)));
  }
}

// Draws the marks of the legend as they are in a plane, also in a crowd.
function paintLegend(box, /** @type {PlaneView} */ view) {
  for (const canvas of box.querySelectorAll("canvas")) {
    const { size, colours } = view, { role } = canvas.dataset, middle = LEGEND_MARK / 2;
    const { context } = fitted(canvas, { width: LEGEND_MARK, height: LEGEND_MARK }, view.ratio), isWrong = role === "wrong";
    if (canvas.dataset.left) {
      drawClassMark(context, middle, middle, Number(canvas.dataset.left), measures(MARK_TABLE.roles[PLAIN], size).radius, colours, true);
      continue;
    }
    if (isWrong) drawCross(context, middle, middle, measures(MARK_TABLE.roles[FREE], size).radius, colours);
    const drawn = view.hidden.has("alpha") ? PLAIN : isWrong ? AT_BOUND : Number(role);
    drawMark(context, middle, middle, Number(canvas.dataset.mark), drawn, size, colours, colours.ring);
  }
}
