"use strict";
// Sequential minimal optimisation with the second-order choice of the pair, for classification with
// a free bias: the steps of solvers/methods/smo, in the same order of operations, so that a run
// takes the same pairs as the window's. The mathematics is at the top of smo.py.

const EPS = 2 ** -52, NOISE = 4 * EPS, TAU = 1e-12;
const MIN_MARGIN = 1e-100;
// With a hard margin, separability is tested after so many steps and two per point, and again when
// their number has grown by a factor: solvers/geometry/hard_margin.py.
const FIRST_MARGIN_CHECK = 100, CHECK_GROWTH = 4;
const MAX_WOLFE_STEPS = 1000, MAX_STEP = 1e130, MAX_RISE = 1e260;
// Points per block, as in steps.py: a partner without a gain is searched in the first block only.
const BLOCK = 256;

/** What is solved: points in solver units, labels, C, tolerance, and the program of a linear, polynomial or RBF kernel.
 * @typedef {{ X: number[][], y: number[], program: Program, C: number, tol: number, maxSteps?: number }} SmoProblem */
/** @typedef {ReturnType<typeof solved>} Solution */

class SmoRun {
  constructor(/** @type {SmoProblem} */ { X, y, program, C, tol }) {
    const n = X.length, kernel = kernelOf(program, exactExp);
    this.n = n;
    this.X = X;
    this.y = y;
    this.C = C;
    this.tol = tol;
    this.program = program;
    this.steps = 0;
    /** @type {string | null} */
    this.stop = null;
    this.errorOfF = 0;
    this.nextCheck = C < Infinity ? Infinity : FIRST_MARGIN_CHECK + 2 * n;
    if (C === Infinity && haveCoincidentClasses(X, y)) this.stop = "coincident";
    this.K = X.map((x) => Float64Array.from(X, (z) => kernel(x, z)));
    this.diagonal = Float64Array.from(X, (x) => kernel(x, x));
    this.lower = Float64Array.from(y, (label) => Math.min(C * label, 0));
    this.upper = Float64Array.from(y, (label) => Math.max(C * label, 0));
    this.beta = new Float64Array(n);
    this.F = Float64Array.from(y);
    this.gain = new Float64Array(n);
    this.findExtremes();
  }

  isUp(/** @type {number} */ k) {
    return this.beta[k] < this.upper[k];
  }

  isLow(/** @type {number} */ k) {
    return this.beta[k] > this.lower[k];
  }

  // m is the largest F of the variables that may rise, M the smallest of those that may fall.
  findExtremes() {
    let [m, M, i] = [-Infinity, Infinity, 0];
    for (let k = 0; k < this.n; k++) {
      if (this.isUp(k) && this.F[k] > m) [m, i] = [this.F[k], k];
      if (this.isLow(k) && this.F[k] < M) M = this.F[k];
    }
    // Adding 0 turns -0 into 0.
    this.m = m + 0;
    this.M = M + 0;
    this.i = i;
  }

  // The partner of i that promises the largest rise of the dual.
  bestPartner(/** @type {number} */ i) {
    const { F, diagonal, gain, n } = this, row = this.K[i];
    let best = 0;
    for (let k = 0; k < n; k++) {
      const difference = this.isLow(k) ? Math.max(F[i] - F[k], 0) : 0;
      const eta = diagonal[i] + diagonal[k] - 2 * row[k];
      gain[k] = (difference * difference) / (eta > 0 ? eta : TAU);
      if (gain[k] > best) best = gain[k];
    }
    const end = best > 0 ? n : Math.min(n, BLOCK);
    for (let k = 0; k < end; k++) if (this.isLow(k) && gain[k] === best) return k;
    return i;
  }

  // Takes a step; returns the pair, or null if the run has ended, for the reason ``stop``.
  step() {
    while (this.stop === null) {
      if (this.m - this.M < this.tol) {
        this.recomputeF();
        if (this.m - this.M < this.tol) this.stop = "optimal";
        if (this.stop !== null) return null;
      }
      if (this.steps >= this.nextCheck) {
        this.checkSeparability();
        if (this.stop !== null) return null;
      }
      const limit = Math.max(this.errorOfF, NOISE * Math.max(Math.abs(this.m), Math.abs(this.M)));
      if (!(this.m - this.M > limit)) {
        this.stop = "stalled";
        return null;
      }
      const { i } = this, j = this.bestPartner(i);
      this.movePair(i, j);
      if (this.stop === null) return { i, j };
    }
    return null;
  }

  // Stops if no boundary separates the classes; that of RBF separates all points that differ.
  checkSeparability() {
    const { F, y } = this, decision = F.map((value, k) => y[k] - value);
    const of = (label) => decision.filter((_, k) => y[k] === label);
    if (Math.min(...of(1)) > Math.max(...of(-1))) this.nextCheck = CHECK_GROWTH * this.steps;
    else if (this.program.ops.join() !== "rbf" && hullsMeet(this.K, y)) this.stop = "inseparable";
    else this.nextCheck = Infinity;
  }

  movePair(i, /** @type {number} */ j) {
    const { beta, F, diagonal, lower, upper } = this, K_i = this.K[i], K_j = this.K[j];
    const toBound_i = upper[i] - beta[i], toBound_j = beta[j] - lower[j];
    const eta = diagonal[i] + diagonal[j] - 2 * K_i[j];
    const size = Math.abs(diagonal[i]) + Math.abs(diagonal[j]);
    const t = stepLength(eta, size, F[i] - F[j], Math.min(toBound_i, toBound_j));
    const old_i = beta[i], old_j = beta[j];
    let new_i = t === toBound_i ? upper[i] : old_i + t;
    let new_j = t === toBound_j ? lower[j] : old_j - t;
    if (t === toBound_i && t < toBound_j) new_j = Math.max(lower[j], old_i + old_j - new_i);
    else if (t === toBound_j && t < toBound_i) new_i = Math.min(upper[i], old_i + old_j - new_j);
    const noise = NOISE * (Math.abs(old_i) + Math.abs(old_j));
    if (upper[i] - new_i <= noise) new_i = upper[i];
    if (new_j - lower[j] <= noise) new_j = lower[j];
    const change_i = new_i - old_i, change_j = new_j - old_j, sum = change_i + change_j;
    if (t > MAX_STEP || t * t * size > MAX_RISE) this.stop = "unbounded";
    else if (change_i === 0 && change_j === 0) this.stop = "stalled";
    if (this.stop !== null) return;
    beta[i] = new_i;
    beta[j] = new_j;
    for (let k = 0; k < this.n; k++) {
      F[k] -= change_i * (K_i[k] - K_j[k]) + sum * K_j[k];
    }
    this.steps++;
    this.errorOfF = 0;
    this.findExtremes();
  }

  recomputeF() {
    const { n, K, beta, F, y } = this, sums = new Float64Array(n).fill(1);
    F.set(y);
    for (let i = 0; i < n; i++) {
      if (beta[i] === 0) continue;
      for (let k = 0; k < n; k++) {
        const term = beta[i] * K[i][k];
        F[k] -= term;
        sums[k] += Math.abs(term);
      }
    }
    this.errorOfF = NOISE * sums.reduce((a, b) => Math.max(a, b));
    this.findExtremes();
  }

  // The mean of F over the free variables, or the middle of the interval of b.
  bias() {
    let total = 0, count = 0;
    for (let k = 0; k < this.n; k++) {
      if (this.isUp(k) && this.isLow(k)) {
        total += this.F[k];
        count++;
      }
    }
    return count > 0 ? total / count : 0.5 * (this.m + this.M);
  }

  // P, D and the largest violation of a KKT condition, from F = y - K beta. With a hard margin P is
  // that of f scaled to y f >= 1, as in solvers/problem/certificate.py.
  objectives(/** @type {number} */ bias) {
    let norm = 0, linear = 0, slack = 0, kkt = 0, least = Infinity;
    for (let k = 0; k < this.n; k++) {
      const { beta, F, y, C } = this, alpha = y[k] * beta[k], shortfall = y[k] * (F[k] - bias);
      norm += beta[k] * (y[k] - F[k]);
      linear += alpha;
      slack += Math.max(0, shortfall);
      least = Math.min(least, 1 - shortfall);
      const violation = alpha <= 0 ? shortfall : alpha >= C ? -shortfall : Math.abs(shortfall);
      kkt = Math.max(kkt, violation);
    }
    const primal = this.C < Infinity ? 0.5 * norm + this.C * slack
      : least > MIN_MARGIN ? (0.5 * norm) / least / least : Infinity;
    return [primal, linear - 0.5 * norm, kkt];
  }
}

function haveCoincidentClasses(X, /** @type {number[]} */ y) {
  const positive = new Set(X.filter((_, i) => y[i] > 0).map((x) => x.join()));
  return X.some((x, i) => y[i] < 0 && positive.has(x.join()));
}

// Whether the convex hulls of the classes meet in the space of the kernel, by Wolfe's method: see
// solvers/geometry/wolfe.py. A corner is a difference of two points, one of each class; z is the point
// of the hull of some corners that is nearest to 0. It ends when z separates the classes, or is 0.
function hullsMeet(K, /** @type {number[]} */ y) {
  const all = Array.from(y, (_, k) => k), of = (label) => all.filter((k) => y[k] === label);
  const [positive, negative] = [of(1), of(-1)], extent = Math.max(...all.map((k) => Math.abs(K[k][k])));
  const product = (v, u) => K[v[0]][u[0]] - K[v[0]][u[1]] - (K[v[1]][u[0]] - K[v[1]][u[1]]);
  let corners = [[positive[0], negative[0]]], weights = [1];
  for (let steps = 0; steps < MAX_WOLFE_STEPS; steps++) {
    const along = all.map((k) => corners.reduce((sum, [i, j], at) => sum + weights[at] * (K[i][k] - K[j][k]), 0));
    const squared = corners.reduce((sum, [i, j], at) => sum + weights[at] * (along[i] - along[j]), 0);
    if (squared <= 16 * NOISE * extent) return true;
    const i = positive.reduce((best, k) => (along[k] < along[best] ? k : best)), j = negative.reduce((best, k) => (along[k] > along[best] ? k : best));
    if (along[i] - along[j] > 4 * NOISE * extent || corners.some(([k, l]) => k === i && l === j)) return false;
    [corners, weights] = [[...corners, [i, j]], [...weights, 0]];
    for (;;) {
      const solved = solution(corners.map((one) => corners.map((other) => product(one, other) + extent)));
      const sum = solved.reduce((a, b) => a + b, 0), nearest = solved.map((value) => value / sum);
      const share = Math.min(1, ...nearest.map((value, at) => (value < 0 ? weights[at] / (weights[at] - value) : 1)));
      if (!(share >= 0)) return false;
      weights = weights.map((weight, at) => weight + share * (nearest[at] - weight));
      if (share === 1) break;
      // The corners that are left are those with a weight.
      const least = Math.min(...weights), kept = weights.map((weight) => weight > Math.max(least, 1e-14));
      corners = corners.filter((_, at) => kept[at]);
      weights = weights.filter((_, at) => kept[at]);
    }
  }
  return false;
}

// The x of A x = 1, by elimination.
function solution(A) {
  const n = A.length, rows = A.map((row) => [...row, 1]);
  for (let k = 0; k < n; k++) {
    const at = rows.reduce((best, row, r) => (r >= k && Math.abs(row[k]) > Math.abs(rows[best][k]) ? r : best), k);
    [rows[k], rows[at]] = [rows[at], rows[k]];
    for (let r = 0; r < n; r++) {
      const factor = r === k ? 0 : rows[r][k] / rows[k][k];
      for (let c = k; c <= n; c++) rows[r][c] -= factor * rows[k][c];
    }
  }
  return rows.map((row, k) => row[n] / row[k]);
}

function stepLength(eta, size, difference, /** @type {number} */ toBound) {
  let length = difference / eta;
  if (eta <= 0) length = toBound === Infinity ? difference / (EPS * size) : toBound;
  return Math.min(length, toBound);
}

// A whole run, at most ``maxSteps`` steps: the pair of each step, b and the objectives before the
// first step and after each, and beta and F at the end. Points of one class are left as they are.
/** @param {SmoProblem} problem */
function solved(problem) {
  const { y, maxSteps } = problem;
  if (!y.includes(1) || !y.includes(-1)) {
    const beta = new Float64Array(y.length), F = Float64Array.from(y);
    return { pairs: [], biases: [0], objectives: [0, 0, 0], beta, F, stop: "one class", violation: 0 };
  }
  const run = new SmoRun(problem);
  const pairs = [], biases = [run.bias()];
  const objectives = run.objectives(biases[0]);
  while (run.steps < maxSteps) {
    const pair = run.step();
    if (pair === null) break;
    pairs.push(pair.i, pair.j);
    biases.push(run.bias());
    objectives.push(...run.objectives(biases[run.steps]));
  }
  const { beta, F, stop, m, M } = run;
  return { pairs, biases, objectives, beta, F, stop, violation: m - M };
}
