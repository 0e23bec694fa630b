"use strict";
// Numbers as text, in the form of the window (svmviz/base/words.py): at most four significant
// digits, commas between thousands, a true minus sign, and powers of ten as they are printed.

const MIN_PLAIN = 1e-4, MAX_PLAIN = 1e7;

/** The digits of |value|, rounded half to even as Python rounds, and the power of ten of the first.
 * @returns {[digits: string, power: number]} */
function decimalDigits(value, /** @type {number} */ count) {
  const [exact, power] = Math.abs(value).toExponential(60).split("e");
  const digits = exact.replace(".", "");
  const isTie = /^50*$/.test(digits.slice(count));
  // JavaScript rounds ties up.
  const isEven = "02468".includes(digits[count - 1]);
  if (isTie && isEven) return [digits.slice(0, count), Number(power)];
  const [rounded, roundedPower] = Math.abs(value).toExponential(count - 1).split("e");
  return [rounded.replace(".", ""), Number(roundedPower)];
}

function trimmed(/** @type {string} */ text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function withMinus(value, /** @type {string} */ text) {
  return value < 0 && /[1-9]/.test(text) ? "−" + text : text;
}

function powerOfTen(/** @type {number} */ power) {
  const digits = [...String(power)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]));
  return power === 0 ? "" : "·10" + digits.join("");
}

// Digits with a decimal point, the first of them at a power of ten.
function placed(digits, /** @type {number} */ power) {
  if (power < 0) return "0." + "0".repeat(-power - 1) + digits;
  const padded = digits.padEnd(power + 1, "0"), whole = padded.slice(0, power + 1);
  return padded.length > power + 1 ? whole + "." + padded.slice(power + 1) : whole;
}

// The digits of a whole number, with commas between thousands.
function grouped(/** @type {string} */ digits) {
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

function number(/** @type {number} */ value, digits = 4) {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const [rounded, power] = decimalDigits(value, digits), isWhole = Number.isInteger(value);
  const size = isWhole ? Math.abs(value) : Number(`${rounded}e${power - digits + 1}`);
  if (size < MIN_PLAIN || size >= MAX_PLAIN) {
    const mantissa = trimmed(rounded[0] + "." + rounded.slice(1));
    return withMinus(value, mantissa + powerOfTen(power));
  }
  const text = trimmed(isWhole ? String(size) : placed(rounded, power));
  if (size < 10 ** (digits - 1)) return withMinus(value, text);
  const [whole] = text.split(".");
  return withMinus(value, grouped(whole));
}

// Texts of the ticks of an axis, with as many digits as their distance needs: twin of
// svmviz/camera/ticks.py.
const MAX_TICK_LENGTH = 9;

function tickTexts(values) {
  const largest = Math.max(0, ...values.map(Math.abs)), longest = (texts) => Math.max(...texts.map((text) => text.length));
  if (!(largest > 0) || values.length < 2) return values.map((value) => number(value));
  const place = Math.floor(Math.log10(values[1] - values[0]) + 1e-9), decimals = Math.max(0, -place);
  const isShort = decimals <= 20 && largest < 1e20;
  const plain = !isShort ? [] : values.map((value) => {
    const [whole, fraction] = Math.abs(value).toFixed(decimals).split(".");
    return withMinus(value, [grouped(whole), fraction].filter(Boolean).join("."));
  });
  if (isShort && largest >= MIN_PLAIN && longest(plain) <= MAX_TICK_LENGTH) return plain;
  const power = Math.floor(Math.log10(largest)), digits = Math.min(20, Math.max(0, power - place));
  const scientific = values.map((value) =>
    value === 0 ? "0" : withMinus(value, Math.abs(value / 10 ** power).toFixed(digits) + powerOfTen(power)));
  return isShort && longest(plain) <= longest(scientific) ? plain : scientific;
}

// As ``number``, but values that are 0 up to rounding error become 0.
function numberOrZero(/** @type {number} */ value) {
  return number(Math.abs(value) < 1e-12 ? 0 : value);
}

// CRC-32.
function checksumOf(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}
