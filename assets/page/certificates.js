"use strict";
// The verdict on a typed solution, w and b or the alphas: whether it is feasible, P, D and their gap,
// and which points violate a condition (svmviz/lessons/certificates.py).

// Typed numbers are rounded, so a condition may be violated by this fraction.
const TYPED_ROUNDING = 0.005, MAX_WORST = 4;

/** The verdict on typed numbers. @param {Certificate} task @param {number[]} typed @param {RunOfPage} run @param {ShownLane} lane */
function verdictOn(task, typed, run, lane) {
  const { state, troubles } = task.kind === "alpha" ? typedAlpha(typed, run, lane.C) : typedLine(task, typed, run, lane.C);
  const isFeasible = troubles.length === 0;
  const sentences = isFeasible ? ["Feasible.", ...measuresOf(task, state, run, lane.C)] : [`Not feasible: ${troubles.join(" ")}`];
  let isRight = isFeasible && state.gap <= task.gap * state.primal + 1e-9;
  if (task.parts.length > 0) {
    const shown = { run, lane, state };
    isRight = isFeasible && task.parts.every((part) => conditionHolds(part, (name) => VALUES[name](shown)));
  }
  return { isRight, sentences };
}

function worstOf(values) {
  return values.map((_, i) => i).filter((i) => values[i] > TYPED_ROUNDING)
    .sort((a, b) => values[b] - values[a]).slice(0, MAX_WORST);
}

function typedLine(/** @type {Certificate} */ task, /** @type {number[]} */ [w1, w2, b], /** @type {RunOfPage} */ run, /** @type {number} */ C) {
  const bias = b + run.shiftOf({ w: [w1, w2] });
  const decision = run.X.map((x) => w1 * x[0] + w2 * x[1] + bias);
  const slack = decision.map((f, i) => Math.max(0, 1 - run.y[i] * f)), norm = Math.hypot(w1, w2);
  const worst = C === Infinity ? worstOf(slack) : [];
  const by = worst.map((i) => `point ${i + 1} by ${number(slack[i], 3)}`).join(", ");
  const primal = 0.5 * norm ** 2 + (C === Infinity ? 0 : C * total(slack));
  const dual = Math.min(task.dual, primal);
  const state = { decision, slack, bias, norm, w: [w1, w2], primal, dual, gap: primal - dual };
  return { state, troubles: worst.length > 0 ? [`y f ≥ 1 is violated: ${by}.`] : [] };
}

function typedAlpha(/** @type {number[]} */ alpha, /** @type {RunOfPage} */ run, /** @type {number} */ C) {
  const name = (i) => `${alphaName(i)} = ${number(alpha[i])}`, troubles = [];
  const add = (isWrong, words) => alpha.map((_, i) => i).filter(isWrong).slice(0, MAX_WORST)
    .forEach((i) => troubles.push(`${name(i)} is ${words}.`));
  add((i) => alpha[i] < 0, "below 0");
  add((i) => alpha[i] > C * (1 + TYPED_ROUNDING), `above C = ${number(C)}`);
  const sum = total(alpha.map((a, i) => a * run.y[i]));
  if (run.bias_mode === "free" && Math.abs(sum) > TYPED_ROUNDING * total(alpha.map(Math.abs))) troubles.push(`Σ α y = ${number(sum)}, and not 0.`);
  const clipped = alpha.map((a) => Math.min(Math.max(a, 0), C));
  const beta = Float64Array.from(clipped, (a, i) => a * run.y[i]), sums = [...run.decision(beta, 0)];
  const bias = bestBias(run, beta, sums, C), state = stateOf(run, C, beta, bias);
  const norm = Math.sqrt(Math.max(0, squareOf(run, beta, sums)));
  Object.assign(state, { norm, primal: primalOf(state, norm, run, C), dual: dualOf(clipped, run) });
  return { state: Object.assign(state, { gap: state.primal - state.dual }), troubles };
}

function primalOf(/** @type {State} */ state, norm, /** @type {RunOfPage} */ run, /** @type {number} */ C) {
  if (C !== Infinity) return 0.5 * norm ** 2 + C * total([...state.slack]);
  const least = Math.min(...run.y.map((y, i) => y * state.decision[i]));
  return least > 1e-100 ? 0.5 * (norm / least) ** 2 : Infinity;
}

// ||w||^2, or ||(w, b)||^2 if the bias is regularised.
function squareOf(/** @type {RunOfPage} */ run, beta, /** @type {ArrayLike<number> & Iterable<number>} */ sums) {
  return total([...sums].map((value, i) => value * beta[i])) + (run.bias_mode === "augmented" ? total([...beta]) ** 2 : 0);
}

// D of a feasible alpha near the given one: the alphas of the class with the larger sum are
// multiplied by a factor below 1, then all by the factor for which D is largest. Without a free bias
// every alpha of the box is feasible.
function dualOf(alpha, /** @type {RunOfPage} */ run) {
  const sumOf = (label) => total(alpha.filter((_, i) => run.y[i] === label)), sums = { "1": sumOf(1), "-1": sumOf(-1) };
  const least = Math.min(sums[1], sums[-1]), isEven = run.bias_mode !== "free" || Math.abs(sums[1] - sums[-1]) <= 1e-9 * run.n * Math.max(...alpha);
  const even = alpha.map((a, i) => (isEven || sums[run.y[i]] === 0 ? a : (a * least) / sums[run.y[i]]));
  const beta = Float64Array.from(even, (a, i) => a * run.y[i]), values = run.decision(beta, 0);
  const square = squareOf(run, beta, values), linear = total(even);
  const factor = isEven ? 1 : square > 0 ? Math.min(1, linear / square) : 1;
  return factor * linear - 0.5 * factor ** 2 * square;
}

// The b with the smallest P, if it is free.
function bestBias(/** @type {RunOfPage} */ { y, bias_mode }, beta, sums, /** @type {number} */ C) {
  if (bias_mode !== "free") return bias_mode === "augmented" ? total([...beta]) : 0;
  if (C === Infinity) {
    const of = (label) => sums.filter((_, i) => y[i] === label);
    return -0.5 * (Math.max(...of(-1)) + Math.min(...of(1)));
  }
  const breaks = sums.map((value, i) => y[i] - value);
  const slack = breaks.map((b) => total(sums.map((value, i) => Math.max(0, 1 - y[i] * (value + b)))));
  const least = Math.min(...slack), best = breaks.filter((_, k) => slack[k] <= least * (1 + 1e-12) + 1e-12);
  return 0.5 * (Math.min(...best) + Math.max(...best));
}

function measuresOf(/** @type {Certificate} */ task, state, /** @type {RunOfPage} */ run, /** @type {number} */ C) {
  const isLine = task.kind !== "alpha", { primal, dual } = state;
  if (primal === Infinity) return [`D = ${number(dual)}. With these α the line does not separate the classes yet.`];
  const gap = Math.abs(state.gap) <= 1e-13 * Math.max(Math.abs(primal), Math.abs(dual)) ? 0 : Math.max(0, state.gap);
  const share = gap && primal > 0 ? gap / primal : 0;
  const sentences = [`P = ${number(primal)}, ${isLine ? "the best D" : "D"} = ${number(dual)}: the gap is ` +
    `${number(gap, 2)}, ${number(100 * share, 2)}\u00a0% of P.`];
  const margins = run.y.map((y, i) => y * state.decision[i]);
  if (isLine) {
    const slack = worstOf(margins.map((value) => Math.max(0, 1 - value)));
    const list = slack.map((i) => `point ${i + 1} ${number(1 - margins[i], 3)}`).join(", ");
    return slack.length > 0 && C !== Infinity ? [...sentences, `Slack: ${list}.`] : sentences;
  }
  const violation = margins.map((value, i) =>
    [Math.max(0, 1 - value), Math.abs(1 - value), Math.max(0, value - 1)][state.kinds[i]]);
  const worst = worstOf(violation).map((i) => `Point ${i + 1} violates y f ${["≥ 1", "= 1", "≤ 1"][state.kinds[i]]}: ` +
    `its y f is ${number(margins[i], 3)}, by ${number(violation[i], 3)}.`);
  return [...sentences, ...(worst.length > 0 ? worst : ["None violates its condition."])];
}
