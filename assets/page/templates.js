"use strict";
// Texts with fields, which are filled with the named values of a step: the rules of
// solvers/run/fields.py, formulas.py and templates.py. A value is a number, a text, true or false,
// {count} for a whole number, or null if a step has no such value.

/** The texts of a step and of its parts.
 * @typedef {{ sentence: string, why: string, beats: TemplateBeat[] }} Template */
/** ``names`` are those of the values that say which points a part marks, and when it is left out.
 * @typedef {{
 *   title: string, sentence: string, lines: Record<string, string>,
 *   names: { when?: string, points?: string, others?: string, notes?: string },
 *   formulas: [letters: string, numbers: string, each: string, when: string][],
 * }} TemplateBeat */

const FIELD = /\$(?:(\w+)|\{(\w+)(?::([^}]*))?\})/g;
const CHANGE = /\$(\w+)(?: → | to )\$(\w+)/g;
const MAX_DIGITS = 9;
const MAX_WRITTEN = 3, MAX_STRONG = 8, ROUNDING_OF_SUM = 64 * 2 ** -52;

// As Python writes a number with the format ``.{digits}g``.
function generalText(value, /** @type {number} */ digits) {
  const sign = value < 0 ? "-" : "";
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return `${sign}inf`;
  const [rounded, power] = decimalDigits(value, digits);
  if (power >= -4 && power < digits) return sign + trimmed(placed(rounded, power));
  const mantissa = trimmed(digits > 1 ? `${rounded[0]}.${rounded.slice(1)}` : rounded);
  return `${sign}${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

// A number of a sentence: three digits by default, in the form of the window.
function shortText(/** @type {number} */ value, digits = 3) {
  const text = generalText(value + 0, digits);
  return text.includes("e") || text.includes("inf") ? number(Number.isFinite(value) ? Number(text) : value) : text.replace("-", "−");
}

function decimalText(value, /** @type {number} */ digits) {
  const size = Math.abs(value);
  if (!Number.isFinite(size)) return String(value);
  if (size && !(size >= 1e-3 && size < Math.max(1e5, 10 ** (digits - 1)))) {
    const [rounded, power] = decimalDigits(value, digits - 1);
    const mantissa = trimmed(`${rounded[0]}.${rounded.slice(1)}`);
    return `${value < 0 ? "-" : ""}${mantissa}e${power}`;
  }
  const text = generalText(value, size >= 1e4 ? Math.max(digits, 5) : digits);
  return text.includes("e") ? decimalText(Number(text), digits) : text === "-0" ? "0" : text;
}

function latexNumber(/** @type {number} */ value, digits = 4) {
  if (!Number.isFinite(value)) return value > 0 ? "\\infty" : "{-}\\infty";
  const [mantissa, power] = decimalText(value, digits).split("e");
  const text = power === undefined ? mantissa : `${mantissa} \\cdot 10^{${Number(power)}}`;
  return text.startsWith("-") ? `{-}${text.slice(1)}` : text;
}

function bracketed(/** @type {number} */ value, digits = 4) {
  const text = latexNumber(value, digits);
  return text.startsWith("{") || text.includes("cdot") ? `\\left(${text}\\right)` : text;
}

function inSentence(value, style, digits = 3) {
  if (style.includes("|")) {
    const [one, other] = style.split("|");
    return value === 1 || value === true || value.count === 1 ? one : other;
  }
  if (typeof value === "string") return value;
  if (value.count !== undefined) return number(value.count);
  return shortText(value, style ? Number(style.slice(1, -1)) : digits);
}

// The digits with which two numbers show by how much they differ, up to a quarter of it.
function digitsOfChange(old, now) {
  const change = now - old;
  if (!Number.isFinite(change)) return 3;
  for (let digits = 3; digits <= MAX_DIGITS; digits++) {
    const shown = Number(generalText(now, digits)) - Number(generalText(old, digits));
    if (Math.abs(shown - change) <= 0.25 * Math.abs(change)) return digits;
  }
  return 3;
}

// The digits of numbers with an arrow between them, as in ``$old → $new``.
function digitsOfChanges(text, values) {
  const digits = {};
  text.replace(CHANGE, (_, old, now) => {
    if (typeof values[old] !== "number" || typeof values[now] !== "number") return;
    digits[old] = digits[now] = digitsOfChange(values[old], values[now]);
  });
  return digits;
}

function inLatex(value, style, digits = 4) {
  if (typeof value === "string") return value;
  if (style === "+") return `${value < 0 ? "-" : "+"} ${bracketed(Math.abs(value), digits)}`;
  if (style === "()") return bracketed(value, digits);
  return style ? inSentence(value, style) : latexNumber(value, digits);
}

function namesIn(/** @type {string} */ text) {
  const names = [];
  text.replace(FIELD, (_, plain, named) => {
    names.push(plain || named);
    return "";
  });
  return names;
}

// The text of a template, or null if it names a value that is null. ``digits`` has numbers of digits.
function filled(template, values, write = inSentence, digits = {}) {
  const isMissing = (text) => namesIn(text).some((name) => (values[name] ?? null) === null);
  const written = (text) => text.replace(FIELD, (_, plain, named, style) => {
    const name = plain || named;
    return write(values[name], style || "", digits[name]);
  });
  for (const text of template.split(" || ")) {
    const needed = text.replace(/\[\[.*?\]\]/g, "");
    if (isMissing(needed)) continue;
    const whole = text.replace(/\[\[(.*?)\]\]/g, (_, part) => (isMissing(part) ? "" : part));
    if (write === inSentence) digits = Object.assign(digitsOfChanges(whole, values), digits);
    return written(whole);
  }
  return null;
}

// The number of digits with which rounded terms give the result of a sum.
function digitsOfSum(terms, result, combine) {
  const sizes = terms.filter((term) => term && Number.isFinite(term)).map(Math.abs);
  let digits = 4;
  if (!Number.isFinite(result)) return digits;
  let unit = 1e-4 * (sizes.length ? Math.min(...sizes) : 1);
  if (result) unit = 10 ** (decimalDigits(result, 17)[1] - 3);
  for (; digits < 16; digits++) {
    const rounded = terms.map((term) => Number(decimalText(Number(term), digits)));
    if (Math.abs(combine(...rounded) - result) < unit) break;
  }
  return digits;
}

function withoutRounding(result, terms) {
  const finite = terms.filter(Number.isFinite).map(Math.abs);
  return Math.abs(result) <= ROUNDING_OF_SUM * Math.max(0, ...finite) ? 0 : result;
}

/** A formula, or null if it is left out; ``sums`` has for the name of a result the names of its terms and the
 * function that computes it. @returns {Pair | null} */
function filledFormula(/** @type {TemplateBeat["formulas"][0]} */ [letters, numbers, each, when], values, sums) {
  if (when.split(" ").some((name) => name && !values[name])) return null;
  const rows = each ? (values[each] || []).map((row) => Object.assign({}, values, row)) : [values];
  const texts = rows.slice(0, MAX_WRITTEN).map((row) => filledNumbers(numbers, row, sums));
  const inLetters = filled(letters, values, inLatex);
  if (inLetters === null || texts.includes(null) || texts.length === 0) return null;
  const dots = rows.length > MAX_WRITTEN ? ["\\dots"] : [];
  return [inLetters, [...texts.filter((text) => text !== ""), ...dots].join(", \\quad ")];
}

function filledNumbers(template, row, /** @type {object} */ sums) {
  const digits = {}, named = namesIn(template);
  let values = row;
  for (const [result, [names, combine]] of Object.entries(sums)) {
    if (!named.includes(result) || values[result] === null) continue;
    const terms = names.map((name) => Number(values[name]));
    values = Object.assign({}, values, { [result]: withoutRounding(values[result], terms) });
    const needed = digitsOfSum(terms, values[result], combine);
    for (const name of names) digits[name] = Math.max(needed, digits[name] || 0);
  }
  return filled(template, values, inLatex, digits);
}

/** @param {Pair[]} texts @returns {Pair[]} */
function filledPairs(texts, values) {
  const pairs = texts.map(([name, text]) => /** @type {Pair} */ ([filled(name, values), filled(text, values)]));
  return pairs.filter((pair) => !pair.includes(null));
}

/** A beat of a template with these values, or null if it is left out. @param {TemplateBeat} beat @returns {Beat} */
function filledBeat(beat, values, labels, sums) {
  const { names } = beat;
  if ((names.when || "").split(" ").some((name) => name && !values[name])) return null;
  const sentence = filled(beat.sentence, values);
  if (sentence === null) return null;
  /** @type {[point: number, text: string][]} */
  const notes = names.notes ? values[names.notes] : [];
  const marked = [...new Set(values[names.points || "points"])];
  const [points, light] = marked.length <= MAX_STRONG ? [marked, []] : [[], marked];
  const others = [...light, ...(names.others ? values[names.others] : [])];
  const lines = Object.entries(beat.lines).filter(([label]) => labels.has(label));
  return {
    name: filled(beat.title, values) || "",
    sentence,
    points,
    others: [...new Set(others)].filter((point) => !points.includes(point)),
    notes,
    lines: filledPairs(lines, values),
    values: notes.map(([point, text]) => /** @type {Pair} */ ([`point ${point + 1}`, text])),
    formulas: beat.formulas.map((each) => filledFormula(each, values, sums)).filter(Boolean),
  };
}

/** The words of a step: as svmviz/export/html/contents.py writes them. @param {Template} template @returns {Words} */
function filledStep(template, values, labels, sums) {
  const beats = template.beats.map((beat) => filledBeat(beat, values, labels, sums)).filter(Boolean);
  return {
    sentence: filled(template.sentence, values) || "",
    why: filled(template.why, values) || undefined,
    beats,
    marked: values.points,
  };
}
