"use strict";
// The user's line, f(x) = w x + b in data units as [w1, w2, b]: its picture with its street, the
// convex hulls of the classes, and the tool by which the line is shifted and turned.

/** f(x) = w x + b in data units. @typedef {[w1: number, w2: number, b: number]} Line */

// Distances in px within which a press takes hold of a handle, and of the line; where the handles
// are, as fractions of the visible part of the line.
const HANDLE_REACH = 22, LINE_REACH = 16, HANDLE_PLACES = [0.15, 0.85], HANDLE_RADIUS = 7;
// How far a key shifts the line, px, and turns it, degrees.
const KEY_SHIFT = 4, KEY_TURN = 1;
// Number of directions in which corners of a reduced hull are searched.
const DIRECTIONS = 360;

// y f of a line f(x) = w x + b, in data units, at each point; negative where it errs.
function ownValues(/** @type {Line} */ line, /** @type {RunOfPage} */ run) {
  if (!line) throw new NoValue("You have drawn no line here.");
  return run.y.map((y, i) => y * (line[0] * run.points[2 * i] + line[1] * run.points[2 * i + 1] + line[2]));
}

// The distance of the nearest point, in solver units; negative if the line errs.
function ownMargin(/** @type {Line} */ line, /** @type {RunOfPage} */ run) {
  const [fx, fy] = run.factors;
  return Math.min(...ownValues(line, run)) / Math.hypot(line[0] * fx, line[1] * fy);
}

// The ends of the visible part of the line f = level, in px; null if no part of it is visible.
function lineEnds(/** @type {PlaneView} */ view, /** @type {Line} */ [w1, w2, b], level = 0) {
  const [left, right, bottom, top] = view.view, ends = /** @type {Place[]} */ ([]);
  const add = (x, y) => {
    if (x >= left - 1e-9 && x <= right + 1e-9 && y >= bottom - 1e-9 && y <= top + 1e-9) ends.push([x, y]);
  };
  for (const x of [left, right]) if (w2 !== 0) add(x, (level - b - w1 * x) / w2);
  for (const y of [bottom, top]) if (w1 !== 0) add((level - b - w2 * y) / w1, y);
  if (ends.length < 2) return null;
  const spread = (end) => Math.hypot(end[0] - ends[0][0], end[1] - ends[0][1]);
  const other = ends.reduce((far, end) => (spread(end) > spread(far) ? end : far), ends[0]);
  return [ends[0], other].map(([x, y]) => view.toPixels(x, y));
}

function strokeLine(/** @type {PlaneView} */ view, /** @type {Place[]} */ ends, colour, /** @type {number} */ width, dash = []) {
  if (!ends) return;
  const path = new Path2D();
  path.moveTo(...ends[0]);
  path.lineTo(...ends[1]);
  view.context.setLineDash(dash);
  view.stroke(path, colour, width);
  view.context.setLineDash([]);
}

// The line, and the edges of its street if it separates the classes.
function paintUserLine(/** @type {PlaneView} */ view, /** @type {Line} */ line, /** @type {boolean} */ hasHandles) {
  const { colours, context, run } = view, least = Math.min(...ownValues(line, run));
  if (least > 0) for (const level of [-least, least]) strokeLine(view, lineEnds(view, line, level), colours.user_line, 1.2, [3, 4]);
  const ends = lineEnds(view, line);
  strokeLine(view, ends, colours.user_line, 3);
  if (!hasHandles || !ends) return;
  for (const [x, y] of handlesOf(ends)) {
    view.shape(x, y, 0, HANDLE_RADIUS);
    context.fillStyle = colours.plane;
    context.fill();
    context.strokeStyle = colours.user_line;
    context.lineWidth = 2.5;
    context.stroke();
  }
}

/** @returns {Place[]} */
function handlesOf(/** @type {Place[]} */ [[x, y], [endX, endY]]) {
  return HANDLE_PLACES.map((share) => [x + share * (endX - x), y + share * (endY - y)]);
}

// The corners of the convex hull of points [x, y], by Andrew's chain.
function hullOf(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turns = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const half = (list) => list.reduce((chain, point) => {
    while (chain.length > 1 && turns(chain[chain.length - 2], chain[chain.length - 1], point) <= 0) chain.pop();
    return [...chain, point];
  }, []);
  return sorted.length < 3 ? sorted : [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
}

// The corners of a reduced hull: in each of many directions the mean of the outermost points, none
// with a weight above mu.
function reducedHullOf(points, mu) {
  return hullOf(Array.from({ length: DIRECTIONS }, (_, k) => {
    const angle = (2 * Math.PI * k) / DIRECTIONS, along = ([x, y]) => x * Math.cos(angle) + y * Math.sin(angle);
    let [left, x, y] = [1, 0, 0];
    for (const point of [...points].sort((a, b) => along(b) - along(a))) {
      const weight = Math.min(mu, left);
      [left, x, y] = [left - weight, x + weight * point[0], y + weight * point[1]];
    }
    return [x, y];
  }));
}

// The hulls of the classes, and p and q, the means of their points with the weights alpha.
function paintHulls(/** @type {PlaneView} */ view, hasNearest = true) {
  const { run, state, colours, context } = view, ends = [], [lane] = run.lanes;
  const mu = lane.weight_factor ? lane.weight_factor * lane.C : 1;
  for (const label of [1, -1]) {
    const own = run.X.map((_, i) => i).filter((i) => run.labels[i] === label), path = new Path2D();
    const colour = label > 0 ? colours.positive : colours.negative;
    const points = own.map((i) => view.pointPixels(i));
    (mu < 1 ? reducedHullOf(points, mu) : hullOf(points)).forEach(([x, y]) => path.lineTo(x, y));
    path.closePath();
    context.globalAlpha = 0.16;
    context.fillStyle = colour;
    context.fill(path);
    context.globalAlpha = 1;
    view.stroke(path, colour, 1.5);
    const weight = total(own.map((i) => state.alpha[i]));
    const mean = (axis) => total(own.map((i) => state.alpha[i] * run.points[2 * i + axis])) / weight;
    if (weight > 0 && hasNearest) ends.push(view.toPixels(mean(0), mean(1)));
  }
  if (ends.length < 2) return;
  strokeLine(view, ends, colours.text, 1.5, [5, 4]);
  ends.forEach(([x, y], k) => {
    view.shape(x, y, 0, 4);
    context.fillStyle = colours.text;
    context.fill();
    context.font = NAME_FONT;
    context.fillText("pq"[k], x + 7, y - 8);
  });
}

// Takes the place of the live tools of a page: a drag of the line shifts it, a drag of a handle
// turns it about the other one. With the focus in the picture, arrows do the same.
class UserLineTool {
  constructor(/** @type {Page} */ page, /** @type {Line} */ line, /** @type {(line: Line) => void} */ changed) {
    this.page = page;
    this.line = line;
    this.changed = changed;
    /** @type {{ view: PlaneView, fixed?: Place, at?: Place, ends?: Place[] } | undefined} */
    this.dragged = undefined;
    this.canvas = page.views[0].canvas;
    this.canvas.tabIndex = 0;
  }

  // Lays the line through two places, px, with the same side for class +1.
  layThrough(/** @type {PlaneView} */ view, /** @type {Place} */ from, /** @type {Place} */ to) {
    const [x1, y1] = view.toData(...from), [x2, y2] = view.toData(...to), size = Math.hypot(x2 - x1, y2 - y1);
    if (!(size > 0)) return;
    const w = [(y1 - y2) / size, (x2 - x1) / size], old = this.line, length = Math.hypot(old[0], old[1]);
    const factor = length * (w[0] * old[0] + w[1] * old[1] >= 0 ? 1 : -1);
    /** @type {Line} */
    const line = [factor * w[0], factor * w[1], -factor * (w[0] * x1 + w[1] * y1)];
    this.changed(this.line = line);
  }

  onDown(/** @type {PlaneView} */ view, event, /** @type {Place} */ place) {
    const at = view.toPixels(...place), ends = lineEnds(view, this.line);
    if (!ends) return false;
    const distance = ([x, y]) => Math.hypot(x - at[0], y - at[1]), handles = handlesOf(ends);
    const nearest = distance(handles[0]) <= distance(handles[1]) ? 0 : 1;
    const [start, end] = ends, length = Math.hypot(end[0] - start[0], end[1] - start[1]);
    const off = Math.abs((end[0] - start[0]) * (at[1] - start[1]) - (end[1] - start[1]) * (at[0] - start[0])) / length;
    if (distance(handles[nearest]) <= HANDLE_REACH) this.dragged = { view, fixed: handles[1 - nearest] };
    else if (off <= LINE_REACH) this.dragged = { view, at, ends };
    else return false;
    view.canvas.setPointerCapture(event.pointerId);
    return true;
  }

  onMove(/** @type {Place} */ place) {
    if (this.dragged === undefined) return false;
    const { view, fixed, at, ends } = this.dragged, now = view.toPixels(...place);
    const moved = ([x, y]) => /** @type {Place} */ ([x + now[0] - at[0], y + now[1] - at[1]]);
    if (fixed) this.layThrough(view, now, fixed);
    else this.layThrough(view, moved(ends[0]), moved(ends[1]));
    return true;
  }

  onUp() {
    const wasDragging = this.dragged !== undefined;
    this.dragged = undefined;
    return wasDragging;
  }

  onKey(event) {
    const [shift, turn] = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, 1], ArrowRight: [0, -1] }[event.key] ?? [0, 0];
    const view = this.page.views[0], ends = lineEnds(view, this.line);
    if (event.target !== this.canvas || !ends || (!shift && !turn)) return false;
    const [[x1, y1], [x2, y2]] = ends, middle = [(x1 + x2) / 2, (y1 + y2) / 2], length = Math.hypot(x2 - x1, y2 - y1);
    const angle = Math.atan2(y2 - y1, x2 - x1) - (turn * KEY_TURN * Math.PI) / 180;
    const along = [Math.cos(angle) * length / 2, Math.sin(angle) * length / 2];
    // Up is up, whichever end comes first.
    const up = Math.abs(x2 - x1) > Math.abs(y2 - y1) ? [0, -shift * KEY_SHIFT] : [shift * KEY_SHIFT, 0];
    const end = (sign) => /** @type {Place} */ ([0, 1].map((axis) => middle[axis] + up[axis] + sign * along[axis]));
    this.layThrough(view, end(-1), end(1));
    return true;
  }
}
