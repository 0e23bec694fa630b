"use strict";
// The plane: shades, band, margins, boundary, points with their slack, and the marks of a step.
// Sizes in px are those of svmviz/base/marks.py.

const MARKS = { highlight: 17.5, highlightWidth: 4, halo: 7.5, boundary: 3, margin: 1.5, stroke: 3.5, strokeBacking: 6 };
// Pixels of a printed canvas per px of its layout.
const PRINT_RATIO = 3;
// A point is hit up to this distance, px.
const REACH = 22;
// Names are written beside at most so many points.
const MAX_NAMES = 100;
// Factors on points that a part of a step compares with its own, and on the point under the mouse;
// smallest factor on the circles of a step.
const COMPARED = 1.45, HOVERED = 1.15, MIN_CIRCLE = 0.55;
const MARGINS = { left: 52, right: 10, top: 10, bottom: 40 };
// Distances of ticks, px; least space between the numbers of the x axis, and space that the name of
// the y axis takes beside its numbers.
const TICK_DISTANCES = [80, 60], NUMBER_SPACE = 20, NAME_SPACE = 26;
const COLOUR_NAMES = [
  "plane", "grid", "axis", "positive", "positive_edge", "positive_field", "positive_band",
  "negative", "negative_edge", "negative_field", "negative_band", "boundary", "margin", "slack",
  "ring", "highlight", "highlight_halo", "bad", "text", "muted", "line", "line_strong", "user_line",
  "lane_0", "lane_1", "lane_2", "lane_3",
];

/** The colours of the plane, each as #rrggbb. @typedef {ReturnType<typeof themeColours>} Colours */
/** A stroke of the pen: its colour, and the x, y, x, y, ... of its places. @typedef {[colour: number, places: number[]]} Stroke */
/** Coordinates in data units, or a place of the canvas in px. @typedef {[x: number, y: number]} Place */
/** What is marked in a step, with notes beside points.
 * @typedef {{ points: number[], others: number[], notes: [point: number, note: string][] }} StepMarks */
/** What is explained: a step by its place in the run, a part of it, or the end of the run.
 * @typedef {{ place: number, beat?: Beat, isAtEnd?: boolean }} Explained */

function themeColours() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(COLOUR_NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

class PlaneView {
  constructor(/** @type {HTMLCanvasElement} */ canvas, /** @type {RunOfPage} */ run, lane = 0) {
    this.canvas = canvas;
    this.run = run;
    this.lane = lane;
    // Two grids, of which the fine one is used at rest.
    this.fields = [COARSE_SPACING, FINE_SPACING].map((spacing) => new FieldOfPlane(run, spacing));
    this.hovered = null;
    this.hidden = new Set();
    // What a lesson adds: texts beside points, strokes, and a function that paints below the points.
    /** @type {(view: PlaneView) => string[] | null} */
    this.texts = null;
    this.strokes = run.strokes;
    /** @type {(view: PlaneView) => void} */
    this.paintBelow = null;
    /** @type {() => void} */
    this.onFit = null;
    /** @type {StepMarks} */
    this.marks = { points: [], others: [], notes: [] };
    /** @type {Explained} */
    this.explained = { place: 0 };
    // Whether the decision of all machines is shown, and its picture for a view.
    this.decides = false;
    /** @type {{ machines: MachinesOfPage, key: string, image: HTMLCanvasElement }} */
    this.decision = null;
  }

  // Lays the plot out in the size of the canvas on the page, or in the size of a print, px.
  fit(printed = null) {
    const box = printed ?? this.canvas.getBoundingClientRect();
    const ratio = printed ? PRINT_RATIO : window.devicePixelRatio || 1;
    this.width = Math.max(120, box.width);
    this.height = Math.max(120, box.height);
    const [width, height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.ratio = ratio;
    this.layOut(MARGINS.left);
    const [, numbers] = this.ticks, needed = NAME_SPACE + this.widthOf(numbers);
    if (needed > MARGINS.left) this.layOut(Math.min(needed, this.width / 3));
    const places = Array.from({ length: this.run.n }, (_, i) => this.pointPixels(i));
    const isInside = ([px, py]) => px >= this.margins.left && px <= this.width - MARGINS.right && py >= MARGINS.top && py <= this.height - MARGINS.bottom;
    this.size = sizeOfMarks(places.filter(isInside), this.plotWidth * this.plotHeight);
    for (const field of this.fields) field.fit(this.view, this.plotWidth, this.plotHeight);
    this.shown = null;
    this.colours = themeColours();
    this.shades = shadeColours(this.colours);
    this.onFit?.();
  }

  // The view and its ticks, with a left margin, px.
  layOut(leftMargin) {
    this.margins = { ...MARGINS, left: leftMargin };
    this.plotWidth = this.width - leftMargin - MARGINS.right;
    this.plotHeight = this.height - MARGINS.top - MARGINS.bottom;
    const [left, right, bottom, top] = this.run.window;
    let unitX = (right - left) / this.plotWidth, unitY = (top - bottom) / this.plotHeight;
    if (this.run.equal) unitX = unitY = Math.max(unitX, unitY);
    const [x, y] = [(left + right) / 2, (bottom + top) / 2];
    const [halfX, halfY] = [(unitX * this.plotWidth) / 2, (unitY * this.plotHeight) / 2];
    this.view = [x - halfX, x + halfX, y - halfY, y + halfY];
    this.units = [unitX, unitY];
    const [columns, rows] = [this.plotWidth, this.plotHeight].map((size, axis) => size / TICK_DISTANCES[axis]);
    this.ticks = [this.ticksOf(0, columns), this.ticksOf(1, rows)];
    const needed = this.widthOf(this.ticks[0]) + NUMBER_SPACE;
    if (needed > TICK_DISTANCES[0]) this.ticks[0] = this.ticksOf(0, this.plotWidth / needed);
  }

  // The width of the widest number of an axis, px.
  widthOf(numbers) {
    const context = this.canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.font = LABEL_FONT;
    return Math.max(0, ...numbers.map(([, text]) => context.measureText(text).width));
  }

  // Shows another run.
  follow(/** @type {RunOfPage} */ run) {
    this.run = run;
    this.shown = null;
    for (const field of this.fields) field.follow(run);
  }

  /** @returns {Place} */
  toPixels(x, /** @type {number} */ y) {
    return [
      this.margins.left + (x - this.view[0]) / this.units[0],
      MARGINS.top + (this.view[3] - y) / this.units[1],
    ];
  }

  /** @returns {Place} */
  toData(px, /** @type {number} */ py) {
    return [
      this.view[0] + (px - this.margins.left) * this.units[0],
      this.view[3] - (py - MARGINS.top) * this.units[1],
    ];
  }

  pointPixels(/** @type {number} */ i) {
    return this.toPixels(this.run.points[2 * i], this.run.points[2 * i + 1]);
  }

  // The point nearest to a pixel, if one is near enough.
  pointAt(px, /** @type {number} */ py, /** @type {ArrayLike<number>} */ points = this.run.points) {
    let best = null, least = REACH * REACH;
    for (let i = 0; 2 * i < points.length; i++) {
      const [x, y] = this.toPixels(points[2 * i], points[2 * i + 1]), squared = (x - px) ** 2 + (y - py) ** 2;
      if (squared < least) [best, least] = [i, squared];
    }
    return best;
  }

  paint(/** @type {State} */ state, isMoving = false) {
    if (!this.view) this.fit();
    this.state = state;
    const context = this.canvas.getContext("2d");
    this.context = context;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = this.colours.plane;
    context.fillRect(0, 0, this.width, this.height);
    context.save();
    context.beginPath();
    context.rect(this.margins.left, MARGINS.top, this.plotWidth, this.plotHeight);
    context.clip();
    if (this.decides) {
      paintDecision(this);
      this.paintStrokes();
      context.restore();
      return this.paintAxes();
    }
    const paintBoundary = this.hidden.has("f") ? null : this.run.isRegression ? this.paintCurve() : this.paintField(isMoving);
    if (!paintBoundary) this.paintGrid();
    if (this.run.many) paintClasses(this, true);
    if (this.run.test) paintTestPoints(this, this.run.test);
    this.paintBelow?.(this);
    paintOwnGround(this);
    paintPoints(this);
    paintBoundary?.();
    const names = this.texts?.(this) ?? this.run.names ?? this.pointTexts();
    if (names?.length <= MAX_NAMES) this.paintNames(names);
    this.paintMarks();
    if (!this.hidden.has("f") && !this.hasMargin) paintArrows(this);
    this.paintStrokes();
    writeMissed(this);
    context.restore();
    this.paintAxes();
  }

  // Paints shades, band, grid and margins, and returns a function that paints the boundary; null if there
  // is none, and the grid is not painted.
  paintField(/** @type {boolean} */ isMoving) {
    this.boundary = [];
    if (!this.run.kernel) return null;
    const { colours, context } = this, { columns, rows, image, rings } = this.pictureOfField(isMoving);
    const across = this.plotWidth / (columns - 1), down = this.plotHeight / (rows - 1);
    context.imageSmoothingQuality = isMoving ? "low" : "high";
    if (this.has("field")) context.drawImage(image, this.margins.left - across / 2, MARGINS.top - down / 2,
      this.plotWidth + across, this.plotHeight + down);
    if (!rings) return null;
    const path = (lines, isClosed) => this.path(lines, across, down, isClosed);
    const tints = [colours.negative_field, colours.positive_field];
    if (this.hasMargin && this.has("band")) tints.forEach((tint, k) => {
      context.fillStyle = cssColour(mixed(colours.plane, tint, PALE_BAND));
      context.fill(path([...rings[k], ...rings[k + 1]], true), "evenodd");
    });
    this.paintGrid();
    const [lower, boundary, upper] = rings.map((ofLevel) => insidePieces(ofLevel, columns, rows));
    context.strokeStyle = colours.margin;
    context.lineWidth = MARKS.margin;
    const hasLines = this.has("contours");
    if (this.hasMargin && hasLines) context.stroke(path([...lower, ...upper], false));
    this.boundary = boundary.map((line) =>
      line.map((u, k) => (k % 2 ? this.view[2] + u * down * this.units[1] : this.view[0] + u * across * this.units[0])));
    return () => hasLines && this.stroke(path(boundary, false), colours.boundary, MARKS.boundary);
  }

  // Whether a layer of the plane is drawn: an option of the scene's view, by its name there.
  has(/** @type {string} */ layer) {
    return this.run.layers.includes(layer);
  }

  // The picture of f at the state shown. A fine one also serves while the picture moves.
  pictureOfField(/** @type {boolean} */ isMoving) {
    const { shown, state } = this, { place } = state;
    if (shown?.place === place && (isMoving || shown.isFine)) return shown;
    const picture = this.fields[isMoving ? 0 : 1].picture(state, this.shades);
    this.shown = { ...picture, place, isFine: !isMoving };
    return this.shown;
  }

  path(lines, across, down, /** @type {boolean} */ isClosed) {
    const path = new Path2D(), bottom = MARGINS.top + this.plotHeight;
    for (const line of lines) {
      path.moveTo(this.margins.left + line[0] * across, bottom - line[1] * down);
      for (let k = 2; k < line.length; k += 2) {
        path.lineTo(this.margins.left + line[k] * across, bottom - line[k + 1] * down);
      }
      if (isClosed) path.closePath();
    }
    return path;
  }

  // The curve of a regression with its tube.
  paintCurve() {
    const { run, state, context, colours } = this, count = Math.ceil(this.plotWidth / 2) + 1;
    const curve = Array.from({ length: count }, (_, k) => {
      const x = this.view[0] + ((this.view[1] - this.view[0]) * k) / (count - 1);
      return [x, run.valueAt(x, 0, state.beta, state.bias)];
    });
    const line = (shift) => curve.map(([x, f]) => this.toPixels(x, f + shift));
    const path = (points) => {
      const result = new Path2D();
      points.forEach(([x, y], k) => (k ? result.lineTo(x, y) : result.moveTo(x, y)));
      return result;
    };
    const [upper, lower] = [line(run.epsilon), line(-run.epsilon)];
    context.fillStyle = cssColour(mixed(colours.plane, colours.positive_band, STRONG_BAND));
    context.fill(path([...upper, ...lower.reverse()]));
    this.paintGrid();
    for (const edge of [upper, lower]) this.stroke(path(edge), colours.margin, MARKS.margin);
    this.boundary = [curve.flat()];
    return () => this.stroke(path(line(0)), colours.boundary, MARKS.boundary);
  }

  stroke(path, colour, /** @type {number} */ width) {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.lineJoin = "round";
    context.stroke(path);
  }

  // The strokes of the pen, each with its colour and its coordinates.
  paintStrokes() {
    for (const [colour, places] of this.strokes ?? []) {
      const path = new Path2D();
      path.moveTo(...this.toPixels(places[0], places[1]));
      // A single place is a dot, since the ends of lines are round.
      for (let k = 0; k < places.length; k += 2) path.lineTo(...this.toPixels(places[k], places[k + 1]));
      this.context.lineCap = "round";
      this.stroke(path, this.colours.plane, MARKS.strokeBacking);
      this.stroke(path, this.colours[`lane_${colour}`], MARKS.stroke);
    }
  }

  shape(x, y, shape, /** @type {number} */ radius) {
    shapePath(this.context, x, y, shape, radius);
  }

  roleOf(/** @type {number} */ i) {
    return this.hidden.has("alpha") ? PLAIN : this.state.kinds[i];
  }

  isWrong(/** @type {number} */ i) {
    return !this.run.isRegression && !this.hidden.has("f") && this.state.slack[i] > 1;
  }

  // Whether the method looks for a margin; the perceptron does not.
  get hasMargin() {
    return this.run.lanes[this.lane]?.has_margin !== false;
  }

  // The colour of outlines of support vectors: in a race that of the lane.
  get outline() {
    return this.run.lanes.length > 1 ? this.colours[`lane_${this.lane % 4}`] : this.colours.ring;
  }

  paintPoint(/** @type {number} */ i, factor = 1) {
    const [x, y] = this.pointPixels(i);
    drawMark(this.context, x, y, this.run.marks[i], this.roleOf(i), this.size, this.colours, this.outline, factor);
  }

  paintCross(/** @type {number} */ i, factor = 1) {
    const { radius } = measures(MARK_TABLE.roles[FREE], this.size);
    drawCross(this.context, ...this.pointPixels(i), factor * radius, this.colours);
  }

  paintMarks() {
    const { context, colours, marks } = this;
    const circle = (i, radius, colour, width) => {
      const [x, y] = this.pointPixels(i);
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke();
    };
    const radius = MARKS.highlight * Math.max(MIN_CIRCLE, Math.sqrt(this.size));
    const paintAgain = (i, factor) => {
      if (this.isWrong(i)) this.paintCross(i, factor);
      this.paintPoint(i, factor);
    };
    for (const i of marks.others) paintAgain(i, COMPARED);
    for (const i of marks.points) {
      circle(i, radius, colours.highlight_halo, MARKS.halo);
      circle(i, radius, colours.highlight, MARKS.highlightWidth);
    }
    if (this.hovered !== null && this.hovered < this.run.n) {
      paintAgain(this.hovered, HOVERED);
      circle(this.hovered, radius + 4, colours.text, 2);
    }
    this.paintNotes(radius);
  }

  // Numbers of points, and their alphas, unless these are hidden; null if there is nothing to write.
  pointTexts(hasNumbers = this.has("numbers"), hasAlphas = this.has("alpha_numbers")) {
    const showsAlphas = hasAlphas && !this.hidden.has("alpha");
    if (!hasNumbers && !showsAlphas) return null;
    return Array.from(this.state.alpha, (alpha, i) => [hasNumbers ? String(i + 1) : "",
      showsAlphas && alpha > 0 ? `α = ${number(alpha, 3)}` : ""].filter(Boolean).join("  "));
  }

  paintNames(names) {
    const { context, colours } = this;
    context.font = LABEL_FONT;
    context.textBaseline = "middle";
    context.fillStyle = colours.muted;
    const marked = [...this.marks.points, ...this.marks.notes.map(([i]) => i)], taken = [];
    names.forEach((name, i) => {
      if (marked.includes(i)) return;
      const [x, y] = this.pointPixels(i), { width } = context.measureText(name);
      const isLeft = x + 18 + width > this.width - MARGINS.right;
      const left = isLeft ? x - 18 - width : x + 18, top = freeHeight(taken, left, y, width, 13);
      context.fillText(name, left, top);
    });
  }

  // Texts beside points; a text that would lie on an earlier one moves down.
  paintNotes(/** @type {number} */ radius) {
    const { context, colours, marks } = this, taken = [];
    /** @type {StepMarks["notes"]} */
    const unnamed = marks.points.slice(0, 8).map((i) => [i, ""]), notes = marks.notes.length ? marks.notes : unnamed;
    context.font = NAME_FONT;
    context.textBaseline = "middle";
    context.lineJoin = "round";
    for (const [i, note] of notes) {
      const name = this.run.names ? `${i + 1} ${this.run.names[i]}` : String(i + 1);
      const text = note ? `${name}:  ${note}` : name, [px, py] = this.pointPixels(i);
      const width = context.measureText(text).width;
      let x = px + radius + 5;
      if (x + width > this.width - MARGINS.right - 2) x = px - radius - 5 - width;
      const y = freeHeight(taken, x, py, width, 16);
      context.strokeStyle = colours.highlight_halo;
      context.lineWidth = 4;
      context.strokeText(text, x, y);
      context.fillStyle = colours.highlight;
      context.fillText(text, x, y);
    }
  }

  // The ticks of an axis, about ``count``, each as its coordinate and its number as text.
  ticksOf(axis, /** @type {number} */ count) {
    const unit = this.run.units[axis], [low, high] = this.view.slice(2 * axis);
    const values = ticks(unit * low, unit * high, count), texts = tickTexts(values);
    return values.map((value, k) => [value / unit, texts[k]]);
  }

  paintGrid() {
    if (!this.has("grid")) return;
    const { context, colours } = this;
    context.globalAlpha = 0.7;
    context.fillStyle = colours.grid;
    for (const [x] of this.ticks[0]) {
      context.fillRect(Math.round(this.toPixels(x, 0)[0]), MARGINS.top, 1, this.plotHeight);
    }
    for (const [y] of this.ticks[1]) {
      context.fillRect(this.margins.left, Math.round(this.toPixels(0, y)[1]), this.plotWidth, 1);
    }
    context.globalAlpha = 1;
  }

  paintAxes() {
    const { context, colours, run } = this, { left } = this.margins, bottom = MARGINS.top + this.plotHeight;
    context.strokeStyle = colours.line_strong;
    context.lineWidth = 1;
    context.strokeRect(this.margins.left - 0.5, MARGINS.top - 0.5, this.plotWidth + 1, this.plotHeight + 1);
    context.fillStyle = colours.axis;
    context.font = LABEL_FONT;
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const [x, text] of this.ticks[0]) {
      context.fillText(text, this.toPixels(x, 0)[0], bottom + 5);
    }
    context.fillText(cutText(context, run.axes[0], this.plotWidth), left + this.plotWidth / 2, bottom + 21);
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const [y, text] of this.ticks[1]) {
      context.fillText(text, left - 6, this.toPixels(0, y)[1]);
    }
    context.save();
    context.textAlign = "center";
    context.translate(8, MARGINS.top + this.plotHeight / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(cutText(context, run.axes[1], this.plotHeight), 0, 0);
    context.restore();
    context.textAlign = "left";
  }
}

// The height at which a text covers none of those in ``taken``, to which it is added.
function freeHeight(taken, x, y, width, /** @type {number} */ height) {
  while (taken.some(([a, b, w]) => Math.abs(b - y) < height && x < a + w && a < x + width)) y += height;
  taken.push([x, y, width]);
  return y;
}

const LABEL_FONT = `13px ${getComputedStyle(document.documentElement).fontFamily}`;
const NAME_FONT = `600 ${LABEL_FONT}`;

// A text, or its beginning with an ellipsis if it is wider than this, px.
function cutText(context, text, /** @type {number} */ width) {
  if (context.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && context.measureText(text.slice(0, end) + "…").width > width) end--;
  return text.slice(0, end).trimEnd() + "…";
}

// Round numbers of a range, about ``count`` of them: multiples of 1, 2 or 5 times a power of ten.
function ticks(low, high, /** @type {number} */ count) {
  const rough = (high - low) / Math.max(1, count), power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((m) => m * power >= rough) ?? 10), result = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) {
    result.push(Math.abs(k * step) < step * 1e-9 ? 0 : Number((k * step).toPrecision(15)));
  }
  // One number alone gives no scale.
  return result.length > 1 || count > 20 ? result : ticks(low, high, 2 * count);
}
