"use strict";
// The run in this file: points, model, and for each lane the coefficients, objectives and words of
// its steps.

// Kinds of points: alpha = 0, between its bounds, at C.
const ZERO = 0, FREE = 1, AT_BOUND = 2;
// Coefficients are kept at multiples of this step, for going back.
const KEPT_EVERY = 50;
// Keys of beats whose values are lists of pairs, which the file has as two lists.
const PAIRS = ["notes", "lines", "formulas"];

/** What a page knows of a scene: contents_of in svmviz/export/html/contents.py. Long lists are texts (`arrayOf`).
 * @typedef {{
 *   task: "classification" | "regression", bias_mode: "free" | "none" | "augmented", model: string, epsilon: number,
 *   points: string, labels: number[], factors: number[], classes: string[], axes: string[], units: number[],
 *   kernel_name: string, kernel_program?: Program, gram?: string, names?: string[], no_boundary?: string,
 *   window: number[], equal: boolean, layers: string[], step: number | null, speed: number | null, line?: Line,
 *   strokes: Stroke[], lanes: LaneContents[], test: { points: string, labels: number[] } | null, many?: Many,
 *   machine?: number[], live: Live | null, obstacle: string, scene: string, qr: string[], no_qr: string, about?: string,
 *   prompts?: string[], presets?: [title: string, line: string][],
 * }} Contents */
/** A run of a scene. ``weight_factor`` is that of reduced hulls, C null with a hard margin; ``caps`` has the C of
 * each point if the classes have weights.
 * @typedef {{
 *   title: string, method: string, has_margin: boolean, C: number | null, tolerance: number, kinds: string[],
 *   weight_factor: number | null, caps?: number[], code: Code | null, end: string, steps: string, betas: Changes, biases: string,
 *   objectives: string, words: { beats: number[] },
 * }} LaneContents */
/** @typedef {{ source: string, lines: [label: string, text: string][] }} Code */
/** @typedef {{ n: number, factors: string, counts: string, indices: string, values: string }} Changes */
/** What is said of a step. @typedef {{ sentence: string, why?: string, formulas?: Pair[], marked?: number[], beats?: Beat[] }} Words */
/** A part of a step. ``points`` are its own, ``others`` those that it compares with them.
 * @typedef {{
 *   name: string, sentence: string, points: number[], others: number[], notes: [point: number, note: string][],
 *   lines: Pair[], values: Pair[], rows?: Pair[], formulas: Pair[],
 * }} Beat */
/** @typedef {[name: string, text: string]} Pair */
/** What is drawn of a step: of each point beta, f, alpha, slack and kind. ``place`` is that in the file.
 * @typedef {{
 *   beta: Float64Array, bias: number, decision: Float64Array, alpha: Float64Array, slack: Float64Array, kinds: Float64Array,
 *   place?: number, step?: number, primal?: number, dual?: number, gap?: number, kkt?: number, norm?: number, w?: number[],
 * }} State */
/** What a page needs of a lane, whether its run is in the file (`Lane`) or solved here (`LiveLane`).
 * @typedef {{
 *   title: string, method: string, has_margin?: boolean, C: number, tolerance: number, kinds: string[],
 *   weight_factor?: number, caps?: number[], code: Code | null, end: string, last: number, steps: Uint32Array,
 *   objectives: ArrayLike<number>, hasBeats: boolean, coefficients?: Coefficients, result?: Solution,
 *   state(place: number): State, wordsAt(place: number): Words, beats(place: number): Beat[],
 * }} ShownLane */

/** @template [T=Float64Array] @param {string} text @param {new (bytes: ArrayBufferLike) => T} type @returns {T} */
function arrayOf(text, type = /** @type {any} */ (Float64Array)) {
  return new type(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
}

// The coefficients of every step, from their changes: beta is the last beta times a factor, except
// at the points that are listed with their values.
class Coefficients {
  constructor(/** @type {Changes} */ { n, factors, counts, indices, values }) {
    this.n = n;
    this.factors = arrayOf(factors);
    this.counts = arrayOf(counts, Uint32Array);
    this.indices = arrayOf(indices, Uint32Array);
    this.values = arrayOf(values);
    this.starts = new Uint32Array(this.counts.length + 1);
    this.counts.forEach((count, k) => { this.starts[k + 1] = this.starts[k] + count; });
    this.kept = new Map();
    this.beta = new Float64Array(n);
    this.place = -1;
  }

  // beta at one of the steps in this file, counted from 0.
  at(/** @type {number} */ place) {
    if (place < this.place || this.place < 0) {
      const earlier = [...this.kept.keys()].filter((kept) => kept <= place);
      this.place = Math.max(-1, ...earlier);
      this.beta = this.place < 0 ? new Float64Array(this.n) : this.kept.get(this.place).slice();
    }
    while (this.place < place) {
      this.advance();
      if (this.place % KEPT_EVERY === 0) this.kept.set(this.place, this.beta.slice());
    }
    return this.beta.slice();
  }

  advance() {
    const place = ++this.place, factor = this.factors[place];
    if (factor !== 1) for (let i = 0; i < this.n; i++) this.beta[i] *= factor;
    for (let k = this.starts[place]; k < this.starts[place + 1]; k++) {
      this.beta[this.indices[k]] = this.values[k];
    }
  }
}

// The words of each step, from lists by key: see columns_of in svmviz/export/html/contents.py.
function rowsOf(/** @type {LaneContents["words"]} */ columns) {
  const ofBeats = Object.keys(columns).filter((key) => /^beat\.\w+$/.test(key));
  let next = 0;
  const pick = (keys, place) => keys.reduce((words, key) => {
    if (columns[key][place] !== 0) words[key.replace("beat.", "")] = columns[key][place];
    return words;
  }, {});
  const beatAt = (place) => PAIRS.reduce((beat, key) => {
    const [firsts, seconds] = [columns[`beat.${key}.0`], columns[`beat.${key}.1`]];
    beat[key] = firsts[place].map((first, k) => [first, seconds[place][k]]);
    return beat;
  }, pick(ofBeats, place));
  return columns.beats.map((count, place) => {
    const words = pick(["sentence", "why", "formulas", "marked"], place);
    if (count > 0) words.beats = Array.from({ length: count }, () => beatAt(next++));
    return words;
  });
}

/** What is drawn of a step with these coefficients; C is one number, or one per point.
 * @param {RunOfPage} run @param {number | number[]} C @param {Float64Array} beta @param {number} bias @returns {State} */
function stateOf(run, C, beta, bias, decision = run.decision(beta, bias)) {
  const { isRegression, y, epsilon } = run;
  const alpha = beta.map((b, i) => (isRegression ? Math.abs(b) : y[i] * b + 0));
  const slack = decision.map((f, i) =>
    Math.max(0, isRegression ? Math.abs(y[i] - f) - epsilon : 1 - y[i] * f));
  const kinds = alpha.map((a, i) => (a <= 0 ? ZERO : a >= (C[i] ?? C) ? AT_BOUND : FREE));
  return { beta, bias, decision, alpha, slack, kinds };
}

// The length of w in the space of the kernel.
function normOf(/** @type {Shown} */ { state: { beta, decision, bias, norm } }) {
  return norm ?? Math.sqrt(Math.max(0, beta.reduce((sum, value, i) => sum + value * (decision[i] - bias), 0)));
}

// The number of points that are misclassified; as everywhere, f = 0 predicts the class +1.
function numberWrong(/** @type {RunOfPage} */ run, /** @type {Shown["state"]} */ { decision }) {
  return run.y.filter((y, i) => (decision[i] >= 0 ? 1 : -1) !== y).length;
}

// The values of C of a lane: one, or one per weight of the classes.
const boundsOf = (/** @type {{ C: number, caps?: number[] }} */ lane) => [...new Set(lane.caps ?? [lane.C])];

// One run of the file; ``state(place)`` is all that is drawn of one of its steps.
class Lane {
  constructor(/** @type {LaneContents} */ contents, /** @type {RunOfPage} */ run) {
    Object.assign(this, contents);
    this.run = run;
    this.C = contents.C ?? Infinity;
    let step = 0;
    this.steps = arrayOf(contents.steps, Uint32Array).map((change) => (step += change));
    this.coefficients = new Coefficients(contents.betas);
    this.biases = arrayOf(contents.biases);
    this.useObjectives(arrayOf(contents.objectives, Float32Array));
    this.words = rowsOf(contents.words);
    for (const beat of this.words.flatMap((words) => words.beats ?? [])) {
      if (beat.rows) beat.values = [...beat.notes.map(([i, note]) => [`point ${i + 1}`, note]), ...beat.rows];
    }
  }

  // The file has D, the gap and the largest KKT violation of each step, in single precision.
  useObjectives(stored) {
    this.gaps = stored.filter((_, k) => k % 3 === 1);
    this.objectives = Float64Array.from(stored, (value, k) => (k % 3 === 2 ? value : stored[k - (k % 3)]));
    this.gaps.forEach((gap, place) => { this.objectives[3 * place] += gap; });
  }

  get last() {
    return this.steps.length - 1;
  }

  get hasBeats() {
    return this.words.some((words) => words.beats?.length > 1);
  }

  state(/** @type {number} */ place) {
    const bias = this.biases[place], [primal, dual, kkt] = this.objectives.subarray(3 * place, 3 * place + 3);
    const state = stateOf(this.run, this.caps ?? this.C, this.coefficients.at(place), bias);
    return Object.assign(state, { place, step: this.steps[place], primal, dual, kkt, gap: this.gaps[place] });
  }

  wordsAt(/** @type {number} */ place) {
    return this.words[place];
  }

  // The beats of a step, if the state before it is in this file, too.
  beats(/** @type {number} */ place) {
    const isNext = place > 0 && this.steps[place] === this.steps[place - 1] + 1;
    return isNext ? this.words[place].beats ?? [] : [];
  }
}

// The centre of points that lie far from 0, otherwise null: as in solvers/problem/origin.py.
function originOf(X) {
  const end = (of) => X.reduce((a, x) => a.map((value, axis) => of(value, x[axis])), X[0] ?? []);
  const low = end(Math.min), high = end(Math.max), center = high.map((value, axis) => 0.5 * (value + low[axis]));
  const half = 0.5 * Math.max(...high.map((value, axis) => value - low[axis]));
  return half > 0 && Math.max(...center.map(Math.abs)) / half > 100 ? center : null;
}

// Points and model, with one lane or several.
class RunOfPage {
  constructor(/** @type {Contents} */ contents) {
    Object.assign(this, contents);
    this.isRegression = contents.task === "regression";
    this.usePoints(arrayOf(contents.points), contents.labels, contents.kernel_program);
    if (contents.test) this.test = { points: arrayOf(contents.test.points), labels: contents.test.labels };
    if (contents.gram) this.useGram(arrayOf(contents.gram, Float32Array));
    /** @type {ShownLane[]} */
    this.lanes = contents.lanes.map((lane) => new Lane(lane, this));
  }

  usePoints(/** @type {Float64Array} */ points, /** @type {number[]} */ labels, /** @type {Program} */ program) {
    this.points = points;
    this.labels = labels;
    // What each point looks like (`shapeOf`).
    this.marks = this.many ? marksOf(this.many, labels, this.many.classes) : labels;
    this.n = labels.length;
    this.kernel_program = program;
    // Points in solver units, in which the kernel is computed, from the origin.
    this.origin = null;
    this.X = Array.from({ length: this.n }, (_, i) => this.scaled(points[2 * i], points[2 * i + 1]));
    if (this.bias_mode === "free" && this.isLinear) this.origin = originOf(this.X);
    if (this.origin) this.X = this.X.map((x) => this.fromOrigin(x));
    this.y = this.isRegression ? this.X.map((_, i) => points[2 * i + 1]) : labels;
    this.kernel = program ? kernelOf(program) : null;
    this.gram = null;
  }

  // Points without coordinates have a Gram matrix, and f has values at points only.
  useGram(matrix) {
    const { n } = this;
    this.gram = Array.from({ length: n }, (_, i) => matrix.subarray(i * n, (i + 1) * n));
  }

  // The mark of a point of which only the label is known.
  markOf(label) {
    return this.many ? marksOf(this.many, [label], [])[0] : label;
  }

  // The name of the class of a point.
  className(/** @type {number} */ i) {
    return this.many ? this.many.names[shapeOf(this.marks[i])] : this.classes[this.labels[i] > 0 ? 1 : 0];
  }

  get last() {
    return Math.max(...this.lanes.map((lane) => lane.last));
  }

  scaled(x, /** @type {number} */ y) {
    const [fx, fy] = this.factors;
    return this.isRegression ? [x / fx] : [x / fx, y / fy];
  }

  fromOrigin(x) {
    return this.origin ? x.map((value, axis) => value - this.origin[axis]) : x;
  }

  // <w, o>, by which the bias at the origin is above that at 0.
  shiftOf(/** @type {{ w?: number[], beta?: ArrayLike<number> }} */ { w, beta }) {
    if (!this.origin) return 0;
    return (w ?? this.weights(beta)).reduce((sum, slope, axis) => sum + slope * this.origin[axis], 0);
  }

  // w of a linear f, in solver units.
  weights(/** @type {ArrayLike<number>} */ beta) {
    return (this.X[0] ?? []).map((_, axis) => this.X.reduce((sum, x, i) => sum + beta[i] * x[axis], 0));
  }

  get isLinear() {
    return this.kernel_program?.ops.join() === "linear";
  }

  // f at the points of the run.
  decision(beta, /** @type {number} */ bias) {
    if (!this.gram) this.gram = this.X.map((x) => Float64Array.from(this.X, (z) => this.kernel(z, x)));
    return Float64Array.from(this.gram, (row) => {
      let sum = 0;
      for (let i = 0; i < this.n; i++) if (beta[i] !== 0) sum += beta[i] * row[i];
      return sum + bias;
    });
  }

  // f at a place in data units.
  valueAt(x, y, beta, /** @type {number} */ bias) {
    const place = this.fromOrigin(this.scaled(x, y));
    let sum = 0;
    for (let i = 0; i < this.n; i++) if (beta[i] !== 0) sum += beta[i] * this.kernel(this.X[i], place);
    return sum + bias;
  }
}

// The position (place, beat) that is ``beats`` beats after a place, or before it if negative (see
// position_after in Python). ``count(place)`` is the number of beats of a step, at least 1.
function positionAfter(count, last, place, /** @type {number} */ beats) {
  while (beats < 0 && place > 0) {
    beats += count(place);
    place--;
  }
  while (beats > 0 && place < last) {
    const next = count(place + 1);
    if (beats < next) return { place, beat: beats };
    beats -= next;
    place++;
  }
  return { place, beat: 0 };
}
