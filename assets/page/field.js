"use strict";
// The decision function on a grid of the plane: its values, its shades, and its contours.

// Distance between neighbouring nodes, px: at rest, and while the picture moves.
const FINE_SPACING = 3, COARSE_SPACING = 8;
// A shade is f / (HALF_LEVEL + |f|); its strength is a power of it. Share of the class colour in
// the band between the margins (svmviz/plane/paint/field.py).
const HALF_LEVEL = 0.3, EXPONENT = 0.8, PALE_BAND = 0.6, STRONG_BAND = 0.75;
// Kernel values that are kept for the points of one grid, at most.
const MAX_KEPT = 10e6;
// Bound on the rounding error of f: twin of ROUNDING in svmviz/frames/decision_field.py.
const ROUNDING = 64 * 2 ** -52;
// The levels of the margins and the boundary. Contours with more corners than this are not refined.
const LEVELS = [-1, 0, 1], MAX_REFINED = 10000;
// Kernel values of a grid with a node per px, at most; and the fraction of |f| around a point up to
// which f at the point is near the boundary.
const MAX_FINEST = 6e7, NEAR = 0.1;

/** A picture of f on a grid of ``columns`` x ``rows`` nodes, row by row from the bottom.
 * @typedef {{ columns: number, rows: number, image: HTMLCanvasElement, rings: number[][][] | null, values: Float64Array, missed: number[] }} FieldPicture */

// The kernel values of every point at the nodes of one grid, computed when they are needed.
class FieldOfPlane {
  constructor(/** @type {RunOfPage} */ run, /** @type {number} */ spacing) {
    this.run = run;
    this.spacing = spacing;
  }

  // Lays the grid over a view whose size is given in px.
  fit(view, width, /** @type {number} */ height) {
    const [columns, rows] = [width, height].map((size) => Math.max(16, Math.ceil(size / this.spacing) + 1));
    const [left, right, bottom, top] = view;
    this.view = view;
    this.columns = columns;
    this.rows = rows;
    this.kept = new Map();
    this.image = Object.assign(document.createElement("canvas"), { width: columns, height: rows });
    this.pixels = new ImageData(columns, rows);
    this.xs = Float64Array.from({ length: columns }, (_, c) => left + ((right - left) * c) / (columns - 1));
    this.ys = Float64Array.from({ length: rows }, (_, r) => bottom + ((top - bottom) * r) / (rows - 1));
  }

  // Shows another run; results for points and kernels that stay are kept.
  follow(/** @type {RunOfPage} */ run) {
    const isSame = ["kernel_program", "origin"].every((name) => JSON.stringify(run[name]) === JSON.stringify(this.run[name]));
    for (const i of [...this.kept.keys()]) {
      const [x, old] = [run.X[i], this.run.X[i]];
      if (!isSame || !x || x.some((value, axis) => value !== old[axis])) this.kept.delete(i);
    }
    this.run = run;
  }

  // f at the nodes, row by row from the bottom.
  values(beta, /** @type {number} */ bias) {
    const total = new Float64Array(this.columns * this.rows).fill(bias);
    for (let i = 0; i < beta.length; i++) {
      const weight = beta[i];
      if (weight === 0) continue;
      const row = this.kernelRow(i);
      for (let k = 0; k < total.length; k++) total[k] += weight * row[k];
    }
    return total;
  }

  // What is drawn of f: its shades as a canvas with one pixel for each node, which is drawn enlarged,
  // and for each level the rings of the grid (see contours.js), or null if f is flat. The canvas is
  // that of the next picture, too.
  // ``missed`` holds the points that the grid misses: twin of svmviz/frames/decision_field.py.
  /** @returns {FieldPicture} */
  picture(/** @type {State} */ state, /** @type {Uint32Array} */ shades) {
    const { beta, bias } = state, { columns, rows } = this;
    let values = this.values(beta, bias), missed = missedPoints(this, values, state.decision);
    if (missed.length > 0 && this.spacing === FINE_SPACING) {
      const finest = this.finest(beta);
      if (finest) return finest.picture(state, shades);
    }
    if (missed.length > 0) {
      values = withoutThinParts(withoutThinParts(values, columns, columns), columns, 1);
      missed = missedPoints(this, values, state.decision);
    }
    const isFlat = this.isConstant(values, beta, bias);
    let rings = isFlat ? null : LEVELS.map((level) => ringsAbove(values, columns, rows, level));
    if (rings && this.spacing === FINE_SPACING) rings = this.refined(rings, beta, bias);
    this.shade(values, shades);
    return { columns, rows, image: this.image, rings, values, missed };
  }

  // Whether f has one value up to rounding error, which would give contours of thousands of
  // fragments; then all values become that one.
  isConstant(values, beta, /** @type {number} */ bias) {
    const { run } = this;
    let [low, high, size] = [Infinity, -Infinity, Math.abs(bias)];
    for (const f of values) [low, high] = [Math.min(low, f), Math.max(high, f)];
    beta.forEach((value, i) => { size += value === 0 ? 0 : Math.abs(value * run.kernel(run.X[i], run.X[i])); });
    const isConstant = high - low <= ROUNDING * Math.max(size, -low, high);
    if (isConstant) values.fill(low);
    return isConstant;
  }

  // The field with a node per px, if it takes no longer than about half a second.
  finest(beta) {
    const { run, view, columns, rows, spacing } = this;
    const support = beta.reduce((count, value) => count + (value !== 0), 0);
    if (support * columns * rows * spacing ** 2 > MAX_FINEST) return null;
    const field = new FieldOfPlane(run, 1);
    field.fit(view, (columns - 1) * spacing, (rows - 1) * spacing);
    return field;
  }

  shade(values, table) {
    const { columns, rows } = this, pixels = new Uint32Array(this.pixels.data.buffer);
    for (let r = 0; r < rows; r++) {
      for (let c = 0, k = (rows - 1 - r) * columns; c < columns; c++, k++) {
        const f = values[k];
        pixels[r * columns + c] = table[Math.round(127.5 + (127.5 * f) / (HALF_LEVEL + Math.abs(f)))];
      }
    }
    this.image.getContext("2d").putImageData(this.pixels, 0, 0);
  }

  refined(rings, beta, /** @type {number} */ bias) {
    const { run, columns, rows, view } = this, [left, right, bottom, top] = view;
    if (rings.flat(2).length > 2 * MAX_REFINED) return rings;
    const across = (right - left) / (columns - 1), up = (top - bottom) / (rows - 1);
    return rings.map((ofLevel, k) => {
      const f = (c, r) => run.valueAt(left + across * c, bottom + up * r, beta, bias) - LEVELS[k];
      return ofLevel.map((ring) => refinedRing(ring, columns, rows, f));
    });
  }

  kernelRow(/** @type {number} */ i) {
    let row = this.kept.get(i);
    if (row === undefined) {
      row = this.computedRow(this.run.X[i]);
      if ((this.kept.size + 1) * row.length <= MAX_KEPT) this.kept.set(i, row);
    }
    return row;
  }

  computedRow(x) {
    const [ox, oy] = this.run.origin ?? [0, 0];
    const { columns, rows, run } = this, row = new Float64Array(columns * rows);
    const { ops, args } = run.kernel_program;
    const [fx, fy] = run.factors;
    if (ops.length === 1 && ops[0] === "rbf") {
      // exp of a sum is a product.
      const across = this.xs.map((u) => Math.exp(-args[0][0] * (u / fx - x[0]) ** 2));
      const up = this.ys.map((v) => Math.exp(-args[0][0] * (v / fy - x[1]) ** 2));
      for (let r = 0, k = 0; r < rows; r++) for (let c = 0; c < columns; c++) row[k++] = up[r] * across[c];
      return row;
    }
    const node = [0, 0];
    for (let r = 0, k = 0; r < rows; r++) {
      node[1] = this.ys[r] / fy - oy;
      for (let c = 0; c < columns; c++) {
        node[0] = this.xs[c] / fx - ox;
        row[k++] = run.kernel(x, node);
      }
    }
    return row;
  }
}

// The points at which f has another sign than at the four nodes around them, and is not near 0.
function missedPoints(/** @type {FieldOfPlane} */ { run, columns, rows, view: [left, right, bottom, top] }, values, decision) {
  const missed = [];
  if (!decision || run.isRegression) return missed;
  for (let i = 0; i < run.n; i++) {
    const c = ((run.points[2 * i] - left) / (right - left)) * (columns - 1);
    const r = ((run.points[2 * i + 1] - bottom) / (top - bottom)) * (rows - 1);
    if (!(c >= 0 && r >= 0 && c <= columns - 1 && r <= rows - 1)) continue;
    const node = Math.min(Math.floor(r), rows - 2) * columns + Math.min(Math.floor(c), columns - 2);
    const f = decision[i], corners = [node, node + 1, node + columns, node + columns + 1];
    const least = Math.min(...corners.map((k) => -Math.sign(f) * values[k]));
    if (least >= 0 && Math.abs(f) > NEAR * least) missed.push(i);
  }
  return missed;
}

// The values without parts above or below a level that are one node high (``step`` is the number of
// columns) or wide (``step`` is 1): the node gets the mean of its neighbours.
function withoutThinParts(values, columns, /** @type {number} */ step) {
  const result = values.slice();
  for (let k = step; k < values.length - step; k++) {
    const column = k % columns;
    if (step === 1 && (column === 0 || column === columns - 1)) continue;
    const [before, here, after] = [values[k - step], values[k], values[k + step]];
    const isThin = LEVELS.some((level) => here >= level !== before >= level && here >= level !== after >= level);
    if (isThin) result[k] = (before + after) / 2;
  }
  return result;
}

function channels(/** @type {string} */ colour) {
  return [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
}

function mixed(first, second, /** @type {number} */ share) {
  const other = channels(second);
  return channels(first).map((a, k) => Math.round(a + (other[k] - a) * share));
}

function cssColour(rgb) {
  return `rgb(${rgb.join()})`;
}

// The colours of the shades 0 to 255, for f from -infinity to infinity, as the four bytes of a pixel.
function shadeColours(/** @type {Colours} */ colours) {
  const table = new Uint8ClampedArray(4 * 256);
  for (let shade = 0; shade < 256; shade++) {
    const level = (shade - 127.5) / 127.5;
    const end = level > 0 ? colours.positive_band : colours.negative_band;
    table.set([...mixed(colours.plane, end, Math.abs(level) ** EXPONENT), 255], 4 * shade);
  }
  return new Uint32Array(table.buffer);
}
