"use strict";
// The named values of a step of SMO with the second-order choice, in a classification: those of
// solvers/methods/smo/values.py and choice_values.py, from which the templates make every text, as
// far as they use them. What is said of ties there is left out.

const NEGLIGIBLE = 1e-7, FULL_FRACTION = 1 - 1e-9, EQUAL_GAIN = 1e-9, MAX_NOTES = 5;
const SUPERSCRIPT_DIGITS = "₀₁₂₃₄₅₆₇₈₉";
const MAX_TERMS = 4;
const F_IS = "F_k = y_k - \\sum_l \\alpha_l^{\\mathrm{new}} y_l K_{kl}";
// For each result of a formula, the names of its terms, and how it is computed from them.
const SUMS = {
  E: [["f", "y"], (f, y) => f - y],
  eta: [["K_ii", "K_jj", "K_ij"], (a, b, c) => a + b - 2 * c],
  goal: [["old_j", "y_j", "E_i", "E_j", "divisor"], (a, y, E, G, d) => a + (y * (E - G)) / d],
  low: [["old_i", "old_j", "C_i", "C_j", "same_signs"], (a, b, C, _, same) => Math.max(0, same ? a + b - C : b - a)],
  high: [["old_i", "old_j", "C_i", "C_j", "same_signs"], (a, b, C, D, same) => Math.min(D, same ? a + b : C + b - a)],
  new_j: [["unclipped", "low", "high"], (a, low, high) => Math.min(Math.max(a, low), high)],
  new_i: [["old_i", "old_j", "new_j", "sign"], (a, b, c, sign) => a + sign * (b - c)],
  F_k: [["b_before", "E_k", "less_i", "K_ik", "less_j", "K_jk"], (b, E, d, K, e, L) => b - E + d * K + e * L],
  middle: [["m_after", "M_after"], (m, M) => 0.5 * (m + M)],
};

function counted(count, noun) {
  return `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function alphaName(/** @type {number} */ i) {
  return "α" + [...String(i + 1)].map((digit) => SUPERSCRIPT_DIGITS[digit]).join("");
}

// Numbers with three digits, or with more if different numbers would look the same.
function distinctTexts(values) {
  const different = new Set(values.map((value) => value + 0)).size;
  for (let digits = 3; digits < 10; digits++) {
    const texts = values.map((value) => generalText(value + 0, digits));
    if (new Set(texts).size === different) return values.map((value) => shortText(value, digits));
  }
  return values.map((value) => shortText(value));
}

function changeText(old, now) {
  const digits = digitsOfChange(old, now);
  return `${shortText(old, digits)} → ${shortText(now, digits)}`;
}

// The mean of F of some variables, with enough digits to check it.
function meanOfF(variables, F, mean) {
  const values = variables.map((k) => withoutRounding(F[k], [1])), names = variables.map((k) => `F_{${k + 1}}`);
  const n = values.length, sum = (terms) => terms.reduce((a, b) => a + b, 0);
  if (n === 1) return names[0];
  const inBrackets = (value, digits) => bracketed(value, digits);
  if (n > MAX_TERMS) {
    const shown = [...names.slice(0, MAX_TERMS - 1), "\\dots"].join(" + ");
    const digits = digitsOfSum([sum(values)], mean, (total) => total / n);
    return `\\left(${shown}\\right) / ${n} = ${inBrackets(sum(values), digits)} / ${n}`;
  }
  const digits = digitsOfSum(values, mean, (...terms) => sum(terms) / n);
  const written = values.map((value, at) => {
    const sign = at === 0 ? (value < 0 ? "{-}" : "") : value < 0 ? " - " : " + ";
    return sign + inBrackets(Math.abs(value), digits);
  }).join("");
  return `\\left(${names.join(" + ")}\\right) / ${n} = \\left(${written}\\right) / ${n}`;
}

/** A copy of a run at one of its steps.
 * @typedef {{ beta: Float64Array, F: Float64Array, m: number, M: number, b: number }} SmoState */

// The values of the step of the pair i, j between two states of a run.
class PairValues {
  constructor(/** @type {SmoRun} */ run, /** @type {SmoState} */ before, /** @type {SmoState} */ after, { i, j }) {
    this.run = run;
    this.before = before;
    this.after = after;
    this.i = i;
    this.j = j;
    this.all = Array.from({ length: run.n }, (_, k) => k);
    this.rising = this.all.filter((k) => before.beta[k] < run.upper[k]);
    this.falling = this.all.filter((k) => before.beta[k] > run.lower[k]);
  }

  values() {
    const points = [this.i, this.j], violation = this.before.m - this.before.M;
    this.move = Object.assign({ classification: true, points, violation }, this.moved(), this.errors(), this.bias());
    return Object.assign({}, this.move, this.names(), this.wordsOfMove(), this.choice());
  }

  moved() {
    const { run, i, j } = this, { y, C, K, diagonal } = run, sameSigns = y[i] === y[j];
    const alphas = [this.before, this.after].map((state) => [i, j].map((k) => y[k] * state.beta[k] + 0));
    const sizes = [...alphas[0], ...alphas[1]], rounded = (value) => withoutRounding(value, sizes);
    const [[old_i, old_j], [new_i, new_j]] = alphas.map((pair) => pair.map(rounded));
    const [K_ii, K_jj, K_ij] = [diagonal[i], diagonal[j], K[i][j]];
    let eta = K_ii + K_jj - 2 * K_ij;
    if (!(eta > 0)) eta = withoutRounding(eta, [K_ii, K_jj, K_ij]);
    const ends = (sameSigns ? [old_i + old_j - C, old_i + old_j] : [old_j - old_i, C + old_j - old_i])
      .map((end) => withoutRounding(end, [old_i, old_j, C]));
    const [low, high] = [Math.max(0, ends[0]), Math.min(C, ends[1])];
    const slope = this.before.F[i] - this.before.F[j], hasTop = eta > 0;
    const divisor = hasTop ? eta : EPS * (Math.abs(K_ii) + Math.abs(K_jj));
    const unclipped = old_j - y[j] * (hasTop ? slope / divisor : Infinity), t = y[i] * rounded(new_i - old_i);
    const cutShort = Math.abs(new_j - old_j) < FULL_FRACTION * Math.abs(unclipped - old_j);
    return {
      y_j: y[j], C_i: C, C_j: C, top_i: "C", top_j: "C",
      K_ii, K_jj, K_ij, eta, old_i, old_j, new_i, new_j,
      sign: y[i] * y[j], plus: sameSigns ? "+" : "-", same_signs: sameSigns,
      opposite_signs: !sameSigns, divisor, has_top: hasTop, unclipped,
      top: hasTop ? unclipped : null, goal: hasTop ? unclipped : null,
      no_top: hasTop ? null : unclipped, low, high, end: unclipped > old_j ? "H" : "L",
      cut_short: cutShort, box: C === Infinity ? "[0, ∞)²" : "[0, C]²", clip: cutShort ? new_j : null, rise: t * slope - 0.5 * t * t * eta,
    };
  }

  errors() {
    const { run, before } = this, pair = [this.i, this.j];
    const decisions = pair.map((k) => withoutRounding(before.b - before.F[k] + run.y[k], [1]));
    const raw = pair.map((k, at) => withoutRounding(decisions[at] - run.y[k], [decisions[at], run.y[k]]));
    const limit = NEGLIGIBLE * Math.abs(raw[0] - raw[1]);
    const errors = raw.map((E) => (Math.abs(E) <= limit ? 0 : E));
    const rows = pair.map((k, at) => ({ E_name: `E_{${k + 1}}`, f: decisions[at], y: run.y[k], E: errors[at] }));
    return { pair: rows, E_i: errors[0], E_j: errors[1] };
  }

  bias() {
    const { run, after, all } = this, { F, beta, m, M, b } = after;
    const used = all.filter((k) => beta[k] > run.lower[k] && beta[k] < run.upper[k]);
    const isFree = used.length > 0, shown = withoutRounding(b, [m, M, 1]);
    const nameAt = (mayMove, value) => {
      const found = all.find((k) => mayMove(k) && F[k] === value);
      return found === undefined ? null : `F_{${found + 1}}`;
    };
    return {
      b: shown, b_before: this.before.b, b_free: isFree ? shown : null,
      b_middle: isFree ? null : shown, b_clause: isFree ? "" : "; no point is free, 0 < α < C, so b is the middle of the interval that KKT allows",
      by_middle: !isFree, by_free: isFree, middle: b, m_after: m, M_after: M,
      m_name: nameAt((k) => beta[k] < run.upper[k], m),
      M_name: nameAt((k) => beta[k] > run.lower[k], M),
      F_is: F_IS, in_set: "", F_of_pair: [],
      S_is: "S = \\{k : 0 < \\alpha_k < C\\}", mean_of_F: isFree ? meanOfF(used, F, b) : null,
    };
  }

  names() {
    const { i, j } = this, alpha = (k) => `\\alpha_{${k + 1}}`;
    return {
      sum: "Σ αy", sign_i: "y_i", sign_j: "y_j", top_letter: "\\alpha_j^{\\mathrm{top}}",
      top_name: `${alpha(j)}^{\\mathrm{top}}`, a_i: alphaName(i), a_j: alphaName(j), i_alpha: "αᵢ",
      j_alpha: "αⱼ", letter_i: "\\alpha_i", letter_j: "\\alpha_j",
      new_letter_i: "\\alpha_i^{\\mathrm{new}}", new_letter_j: "\\alpha_j^{\\mathrm{new}}",
      new_name_i: `${alpha(i)}^{\\mathrm{new}}`, new_name_j: `${alpha(j)}^{\\mathrm{new}}`,
    };
  }

  wordsOfMove() {
    const { i, j, move, run } = this;
    const bounds = [[i, move.old_i, move.new_i], [j, move.old_j, move.new_j]].map(([k, old, now]) => {
      const name = `α of point ${k + 1}`;
      if (now === run.C && old !== run.C) return `${name} rises to C`;
      return now === 0 && old !== 0 ? `${name} goes to 0` : "";
    }).filter(Boolean).join(" and ");
    const isHard = run.C === Infinity, box = isHard ? "the box, α ≥ 0" : "the box, 0 ≤ α ≤ C";
    const side = bounds ? `outside ${box}, so ${bounds}` : `inside ${box}`;
    const noTop = "the dual has no top along their line";
    let stop = "the top is inside, so the step goes there";
    if (!move.has_top) stop = `there is no top, so the step goes to ${move.end}`;
    else if (move.cut_short) stop = `the top is beyond ${move.end}, so the step stops there`;
    const note = (k, text) => [k, `α ${text}`];
    return {
      bounds: bounds || `both weights α end ${isHard ? "above 0" : "between 0 and C"}`,
      end_of_step: move.has_top ? `the top of D along their line lies ${side}`
        : bounds ? `${noTop}, so ${bounds}` : `${noTop}, and no bound ends the step`,
      without_top: ": it rises up to the end of the box",
      stop,
      pair_points: [i, j],
      old_notes: [note(i, `= ${shortText(move.old_i)}`), note(j, `= ${shortText(move.old_j)}`)],
      new_notes: [note(i, changeText(move.old_i, move.new_i)), note(j, changeText(move.old_j, move.new_j))],
    };
  }

  // E of a variable before the step; 0 if it is only rounding error.
  errorOf(/** @type {number} */ k) {
    const terms = [this.move.E_i, this.before.F[this.i] - this.before.F[k]];
    const E = withoutRounding(terms[0] + terms[1], terms);
    return Math.abs(E) <= this.negligible ? 0 : E;
  }

  errorNotes(variables, key, first) {
    const order = [...variables].sort((a, b) => key(a) - key(b) || a - b).slice(0, MAX_NOTES);
    const shown = [first, ...order.filter((k) => k !== first)].slice(0, MAX_NOTES);
    const texts = distinctTexts(shown.map((k) => this.errorOf(k)));
    return [texts[0], shown.map((k, at) => [k, `E = ${texts[at]}`])];
  }

  gainOf(/** @type {number} */ k) {
    const { run, before, i } = this, eta = run.diagonal[i] + run.diagonal[k] - 2 * run.K[i][k];
    return Math.max(before.F[i] - before.F[k], 0) ** 2 / (eta > 0 ? eta : TAU);
  }

  choice() {
    const { i, rising, falling, move, before } = this, { F } = before;
    this.negligible = NEGLIGIBLE * Math.abs(move.violation);
    const m = falling.reduce((best, k) => (F[k] < F[best] ? k : best), falling[0]);
    const [smallest_E, riseNotes] = this.errorNotes(rising, (k) => -F[k], i);
    // The note on i comes first, and is not repeated if i may fall, too.
    const others = falling.filter((k) => k !== i || k === m);
    const [largest_E, fallNotes] = this.errorNotes(others, (k) => F[k], m);
    const own = m === i ? [] : [[i, `E = ${shortText(move.E_i)}`]];
    return Object.assign(this.reason(), this.partners(), {
      rising_variables: `αy of ${counted(rising.length, "point")}`,
      falling_variables: `αy of ${counted(falling.length, "point")}`,
      rises_if: "class +1: α < C, class −1: α > 0",
      E_is: "E = f − y", of_pairs: "", smallest_E, largest_E,
      name_i: `point ${i + 1}`, name_m: `point ${m + 1}`, short_i: String(i + 1),
      short_j: String(this.j + 1), short_m: String(m + 1),
      tied_i: "", tied_m: "", tied_j: "",
      i_points: [i], m_points: [...new Set([i, m])], rising, falling, rise_notes: riseNotes,
      fall_notes: [...own, ...fallNotes],
      second_order: true,
    });
  }

  reason() {
    const { i, j, falling } = this, partner = `point ${j + 1}`;
    const largest = Math.max(...falling.map((k) => this.gainOf(k))) * (1 - EQUAL_GAIN);
    const what = this.gainOf(j) >= largest
      ? `of those that may fall, ${partner} promises the largest rise of the dual`
      : `${partner} has the largest E of those that may fall`;
    return {
      subject: `Points ${i + 1} and ${j + 1}`,
      reason: `Point ${i + 1} has the smallest E of the αy that may rise; ${what}`,
    };
  }

  partners() {
    const { i, j, falling, before, run } = this;
    const gain = falling.map((k) =>
      before.F[i] - before.F[k] > this.negligible || k === j ? this.gainOf(k) : 0);
    const valueOf = (k) => gain[falling.indexOf(k)];
    const partners = falling.filter((_, at) => gain[at] > 0);
    const hasTop = partners.every((k) => run.diagonal[i] + run.diagonal[k] - 2 * run.K[i][k] > 0);
    const limit = Math.max(...gain) * (1 - EQUAL_GAIN), isLargest = valueOf(j) >= limit;
    const next = 0.5 * Math.max(0, ...gain.filter((value) => !(value >= limit)));
    const texts = distinctTexts([0.5 * valueOf(j), next]);
    const order = [...partners].sort((a, b) => valueOf(b) - valueOf(a) || a - b).slice(0, MAX_NOTES);
    const shown = distinctTexts(order.map((k) => 0.5 * valueOf(k)));
    const notes = order.map((k, at) => [k, `D rises by ${shown[at]}`]), name = `point ${j + 1}`;
    return {
      n_partners: { count: partners.length },
      partner_variables: partners.length > 1
        ? `each of ${counted(partners.length, "point")} that may fall and have a larger E`
        : "the only point that may fall and has a larger E",
      allowed_rise: this.move.cut_short ? this.move.rise : null,
      tau: hasTop ? null : TAU, partners, gain_notes: notes, why_notes: notes,
      largest_gain_j: isLargest ? name : null, largest_rise: texts[0],
      next_rise: next ? texts[1] : null,
      fallback_j: isLargest ? null : name, second_j: isLargest ? String(j + 1) : null,
    };
  }
}

// The words of each step of a run, by replaying it: the newest step is kept, for the way on.
class SmoReplay {
  constructor(/** @type {SmoProblem} */ problem, /** @type {Template} */ template, /** @type {Code} */ code) {
    this.problem = problem;
    this.template = template;
    this.labels = new Set(code.lines.map(([label]) => label).filter((label) => label !== ""));
    this.restart();
  }

  restart() {
    this.run = new SmoRun(this.problem);
    /** @type {SmoState} */
    this.before = null;
  }

  copy() {
    const { beta, F, m, M } = this.run;
    return { beta: beta.slice(), F: F.slice(), m, M, b: this.run.bias() };
  }

  // Goes to a step; afterwards ``before`` is the state before it, ``after`` the state after it.
  seek(/** @type {number} */ step) {
    if (step < this.run.steps || (step === this.run.steps && step > 0 && this.before === null)) this.restart();
    while (this.run.steps < step) {
      if (this.run.steps === step - 1) this.before = this.copy();
      this.pair = this.run.step();
      if (this.pair === null) throw new RangeError(`This run has no step ${step}: it ends after ${this.run.steps}.`);
    }
    this.after = this.copy();
    return this.after;
  }

  words(/** @type {number} */ step) {
    this.seek(step);
    const values = new PairValues(this.run, this.before, this.after, this.pair).values();
    return filledStep(this.template, values, this.labels, SUMS);
  }
}
