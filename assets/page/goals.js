"use strict";
// Expressions of goals: trees (svmviz/export/html/tasks.py), evaluated by the rules of
// svmviz/lessons/expressions.py, and the values of their names at the step shown.

/** What is shown, the state at which the task began, and the user's line.
 * @typedef {{
 *   run?: RunOfPage, lane?: ShownLane, state: Pick<State, "bias" | "decision"> & Partial<State>,
 *   start?: { run: RunOfPage, state: State }, line?: Line,
 * }} Shown */

const EQUAL_WITHIN = 1e-9, SAME_F = 0.01;
// Says why an expression has no value.
class NoValue extends Error {}

// A function of numbers, applied to each entry of vectors.
function byEntry(combine, ...operands) {
  const vectors = operands.filter(Array.isArray);
  if (vectors.length === 0) return combine(...operands);
  const { length } = vectors[0];
  if (vectors.some((vector) => vector.length !== length)) throw new NoValue("These lengths do not fit.");
  return Array.from({ length }, (_, k) => combine(...operands.map((v) => (Array.isArray(v) ? v[k] : v))));
}

function listOf(/** @type {number} */ value) {
  return Array.isArray(value) ? value : [value];
}

// A vector in brackets, with 0 for entries that are noise beside the others: without_noise of
// solvers/rounding.py.
function vectorText(values) {
  const largest = Math.max(...values.map(Math.abs));
  const noise = largest >= 1e-3 && largest <= 1e3 ? 1e-8 * largest : 0;
  return `(${values.map((value) => number(Math.abs(value) <= noise ? 0 : value)).join(", ")})`;
}

function total(vector) {
  return listOf(vector).reduce((sum, value) => sum + Number(value), 0);
}

// A number is true unless it is 0, as in Python: NaN is true.
function isTrue(/** @type {number | boolean} */ value) {
  return value !== 0 && value !== false;
}

const EXPRESSION_FUNCTIONS = {
  sum: total,
  mean: (v) => total(v) / listOf(v).length,
  smallest: (v) => Math.min(...listOf(v)),
  largest: (v) => Math.max(...listOf(v)),
  at_smallest: (v) => listOf(v).indexOf(Math.min(...listOf(v))) + 1,
  at_largest: (v) => listOf(v).indexOf(Math.max(...listOf(v))) + 1,
  count: (v) => listOf(v).filter(isTrue).length,
  all: (v) => listOf(v).every(isTrue),
  any: (v) => listOf(v).some(isTrue),
  abs: (v) => byEntry(Math.abs, v),
  sqrt: (v) => byEntry(Math.sqrt, v),
  exp: (v) => byEntry(Math.exp, v),
  log: (v) => byEntry(Math.log, v),
  norm: (v) => Math.hypot(...listOf(v)),
  dot: (u, v) => total(byEntry((a, b) => a * b, u, v)),
  min: (u, v) => byEntry(Math.min, u, v),
  max: (u, v) => byEntry(Math.max, u, v),
  where: (condition, u, v) => byEntry((c, a, b) => (isTrue(c) ? a : b), condition, u, v),
};
const ARITHMETIC = {
  "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b, "**": (a, b) => a ** b,
};
const COMPARISONS = {
  "==": (a, b, isEqual) => isEqual, "!=": (a, b, isEqual) => !isEqual,
  "<": (a, b, isEqual) => !isEqual && a < b, "<=": (a, b, isEqual) => isEqual || a < b,
  ">": (a, b, isEqual) => !isEqual && a > b, ">=": (a, b, isEqual) => isEqual || a > b,
};

// Evaluates a tree; ``largest`` is the largest number since it was last set to 0. ``valueOf``
// gives the value of a name.
class Evaluation {
  constructor(valueOf) {
    this.valueOf = valueOf;
    this.largest = 0;
  }

  value(tree) {
    const value = this.operation(tree);
    for (const entry of listOf(value)) {
      if (typeof entry === "number" && Number.isFinite(entry)) this.largest = Math.max(this.largest, Math.abs(entry));
    }
    return value;
  }

  operation([kind, ...operands]) {
    const [first, ...rest] = operands;
    if (kind === "value") return first;
    if (kind === "name") return this.valueOf(first);
    if (kind === "binary") return byEntry(ARITHMETIC[first], ...rest.map((tree) => this.number(tree)));
    if (kind === "minus") return byEntry((a) => -a, this.number(first));
    if (kind === "not") return byEntry((a) => !a, this.truth(first));
    if (kind === "compare") return this.compared(first, rest);
    if (kind === "call") return EXPRESSION_FUNCTIONS[first](...rest.map((tree) => this.number(tree)));
    if (kind === "entry") return this.entry(this.value(first), this.number(rest[0]));
    return this.joined(kind === "and", operands);
  }

  number(tree) {
    const value = this.value(tree);
    if (typeof value === "string") throw new NoValue("A text is no number.");
    return byEntry(Number, value);
  }

  truth(tree) {
    const value = this.value(tree);
    if (typeof value === "string") throw new NoValue("A text is neither true nor false.");
    return byEntry(isTrue, value);
  }

  entry(vector, /** @type {number} */ index) {
    if (!Array.isArray(vector) || !(Number.isInteger(index) && index >= 1 && index <= vector.length)) {
      throw new NoValue(`There is no number ${index} here.`);
    }
    return vector[index - 1];
  }

  joined(isAnd, operands) {
    let result = isAnd;
    for (const operand of operands) {
      result = byEntry((a, b) => (isAnd ? a && b : a || b), result, this.truth(operand));
      if (!Array.isArray(result) && result !== isAnd) break;
    }
    return result;
  }

  compared(signs, trees) {
    const before = this.largest;
    this.largest = 0;
    const sides = trees.map((tree) => this.value(tree)), tolerance = EQUAL_WITHIN * this.largest;
    this.largest = Math.max(before, this.largest);
    return signs.map((sign, k) => byEntry((a, b) => {
      if (typeof a === "string" || typeof b === "string") return COMPARISONS[sign](String(a), String(b), a === b);
      return COMPARISONS[sign](Number(a), Number(b), a === b || Math.abs(a - b) <= tolerance);
    }, sides[k], sides[k + 1])).reduce((one, other) => byEntry((a, b) => a && b, one, other));
  }
}

// Whether a condition holds, for a vector at every entry.
function conditionHolds(tree, valueOf) {
  return listOf(new Evaluation(valueOf).truth(tree)).every(Boolean);
}

function countKind(kind) {
  return (/** @type {Shown} */ { state }) => state.kinds.filter((each) => each === kind).length;
}

/** For each name its value. @type {Record<string, (shown: Shown) => any>} */
const VALUES = {
  task: ({ run }) => run.task,
  kernel: ({ run }) => run.kernel_program.ops[0],
  gamma: ({ run }) => run.kernel_program.args[0][0],
  n: ({ run }) => run.n,
  C: ({ lane }) => lane.C,
  number: ({ run }) => run.X.map((_, k) => k + 1),
  x1: ({ run }) => run.X.map((x) => x[0] + (run.origin?.[0] ?? 0)),
  x2: ({ run }) => run.X.map((x) => x[x.length - 1] + (run.origin?.[x.length - 1] ?? 0)),
  y: ({ run }) => [...run.y],
  step: ({ state }) => state.step,
  ended: ({ lane, state }) => state.place === lane.last && Boolean(lane.end),
  w: ({ run, state }) => state.w ?? run.weights(state.beta),
  b: ({ run, state }) => state.bias - run.shiftOf(state),
  norm: normOf,
  width: (shown) => 2 / normOf(shown),
  beta: ({ state }) => [...state.beta],
  alpha: ({ state }) => [...state.alpha],
  f: ({ state }) => [...state.decision],
  yf: ({ run, state }) => run.y.map((y, k) => y * state.decision[k]),
  xi: ({ state }) => [...state.slack],
  E: ({ run, state }) => run.y.map((y, k) => state.decision[k] - y),
  P: ({ state }) => state.primal,
  D: ({ state }) => state.dual,
  gap: ({ state }) => state.gap,
  kkt: ({ state }) => state.kkt,
  support: ({ state }) => [...state.beta].filter((beta) => beta !== 0).length,
  zero: countKind(ZERO),
  free: countKind(FREE),
  at_C: countKind(AT_BOUND),
  errors: ({ run, state }) => numberWrong(run, state),
  moved: ({ run, start }) => movedPoints(run, begun(start).run).length,
  moved_support: ({ run, start }) => movedPoints(run, begun(start).run).filter((i) => start.state.alpha[i] > 0).length,
  same_f: (shown) => isSameF(...beforeAndNow(shown), 1),
  same_line: (shown) => {
    const [before, now] = beforeAndNow(shown), size = total(before.map((f) => f * f));
    const factor = size > 0 ? total(before.map((f, k) => f * now[k])) / size : 0;
    return factor > 0 && isSameF(before, now, factor);
  },
  own_width: ({ run, line }) => 2 * ownMargin(line, run),
  own_errors: ({ run, line }) => ownValues(line, run).filter((value) => value <= 0).length,
};

function begun(/** @type {Shown["start"]} */ start) {
  if (!start) throw new NoValue("This task begins at the end of the run: undo the changes and go there.");
  return start;
}

// The indices of the points that have moved.
function movedPoints(/** @type {RunOfPage} */ run, /** @type {RunOfPage} */ before) {
  if (run.n !== before.n) throw new NoValue("Points were added or removed; undo that.");
  return [...run.X.keys()].filter((i) => [0, 1].some((axis) => run.points[2 * i + axis] !== before.points[2 * i + axis]));
}

// f at the start's points, before and now.
/** @returns {[before: number[], now: number[]]} */
function beforeAndNow(/** @type {Shown} */ { run, state, start }) {
  const { points, n } = begun(start).run;
  const now = Array.from({ length: n }, (_, i) => run.valueAt(points[2 * i], points[2 * i + 1], state.beta, state.bias));
  return [[...start.state.decision], now];
}

function isSameF(before, now, factor) {
  const most = Math.max(...before.map((f, k) => Math.abs(now[k] - factor * f)));
  return most <= SAME_F * factor * Math.max(...before.map(Math.abs));
}
