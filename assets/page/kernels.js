"use strict";
// Kernels as postfix programs (solvers/kernels/programs.py), evaluated by the rules of
// solvers/kernels/evaluator.py: k(x, z) for points of one or two coordinates.

// Operations that combine two operands, and operations that change one. All others push one.
const BINARY = ["add", "subtract", "multiply", "divide", "raise", "minimum", "maximum"];
const UNARY = ["bound", "negate", "exp", "log", "sqrt", "abs", "sin", "cos", "tanh", "single"];
const MAX_OPERAND = 1e150, MIN_LOG_ARGUMENT = 1e-300, MAX_PRODUCT_EXPONENT = 10;
const SPLIT = 134217729; // 2^27 + 1
const LN2_HIGH = 6.93147180369123816490e-1, LN2_LOW = 1.90821492927058770002e-10;
const ROUND = 6755399441055744; // 1.5 * 2^52
const EXP_REMAINDER = [
  2.763263963904103e-7, 2.755724091857897e-6, 2.4801485482328494e-5, 0.00019841269890047113,
  0.0013888888952314775, 0.008333333333319601, 0.0416666666664881, 0.1666666666666668,
  0.5000000000000019,
];
const powerBits = new DataView(new ArrayBuffer(8));

// a b + c, rounded once: the products and sums are split into two doubles without error (Dekker
// 1971). The library uses the instruction of the processor.
function multiplyAdd(a, b, c) {
  const product = a * b;
  let scaled = SPLIT * a;
  const aHigh = scaled - (scaled - a), aLow = a - aHigh;
  scaled = SPLIT * b;
  const bHigh = scaled - (scaled - b), bLow = b - bHigh;
  const lost = aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
  const sum = product + c, part = sum - product;
  return sum + (product - (sum - part) + (c - part) + lost);
}

// exp(x) with the roundings of solvers/kernels/arithmetic.py.
function exactExp(x) {
  if (!(x > -708)) return 0;
  const bounded = Math.min(x, 709);
  const k = multiplyAdd(bounded, 1 / Math.LN2, ROUND) - ROUND;
  const r = multiplyAdd(-k, LN2_LOW, multiplyAdd(-k, LN2_HIGH, bounded));
  let p = 2.5110037605963777e-8;
  for (const coefficient of EXP_REMAINDER) p = multiplyAdd(p, r, coefficient);
  p = multiplyAdd(multiplyAdd(p, r, 1), r, 1);
  powerBits.setUint32(0, (k + 1023) << 20);
  return p * powerBits.getFloat64(0);
}

function boundedOperand(v) {
  return Math.max(-MAX_OPERAND, Math.min(MAX_OPERAND, v));
}

function innerProduct(x, z) {
  return x.length === 1 ? x[0] * z[0] : x[0] * z[0] + x[1] * z[1];
}

function distance(x, z, isSquared) {
  let total = 0;
  for (let c = 0; c < x.length; c++) {
    const difference = x[c] - z[c];
    total += isSquared ? difference * difference : Math.abs(difference);
  }
  return total;
}

// Operations that push an operand: value of the operation with arguments a at x and z.
function leafValue(op, a, x, z, exp) {
  switch (op) {
    case "linear": return innerProduct(x, z);
    case "polynomial": {
      const base = a[1] + a[0] * innerProduct(x, z);
      let product = base;
      for (let power = 1; power < a[2]; power++) product *= base;
      return product;
    }
    case "rbf": return exp(-a[0] * distance(x, z, true));
    case "sigmoid": return Math.tanh(a[0] * innerProduct(x, z) + a[1]);
    case "laplacian": return exp(-a[0] * distance(x, z, false));
    case "quadratic": {
      const v = innerProduct(x, z);
      return a[0] + v * (a[1] + a[2] * v);
    }
    case "scaling":
      return scaleFactor(a, innerProduct(x, x), exp) * scaleFactor(a, innerProduct(z, z), exp);
    case "constant": return a[0];
    default: return (op === "x" ? x : z)[a[0]];
  }
}

function scaleFactor(a, squaredNorm, exp) {
  if (a[0] === 1) return squaredNorm;
  if (a[0] === 0) return Math.sqrt(squaredNorm);
  if (a[0] === 2) return squaredNorm > 0 ? 1 / Math.sqrt(squaredNorm) : 0;
  return exp(-a[1] * squaredNorm);
}

function combined(op, u, v) {
  switch (op) {
    case "add": return u + v;
    case "subtract": return u - v;
    case "multiply": return u * v;
    case "divide": return v !== 0 ? u / v : 0;
    case "minimum": return Math.min(u, v);
    case "maximum": return Math.max(u, v);
    default: return raised(u, v);
  }
}

function raised(u, v) {
  if (Number.isInteger(v) && v >= 1 && v <= MAX_PRODUCT_EXPONENT) {
    let product = u;
    for (let power = 1; power < v; power++) product = boundedOperand(product) * u;
    return product;
  }
  const isDefined = u > 0 || (u === 0 && v >= 0) || (u < 0 && Number.isInteger(v));
  return isDefined ? Math.pow(u, v) : 0;
}

function changed(op, u, exp) {
  switch (op) {
    case "negate": return -u;
    case "exp": return exp(u);
    case "log": return Math.log(Math.max(u, MIN_LOG_ARGUMENT));
    case "sqrt": return Math.sqrt(Math.max(u, 0));
    case "abs": return Math.abs(u);
    case "sin": return Math.sin(u);
    case "cos": return Math.cos(u);
    case "tanh": return Math.tanh(u);
    case "single": return Math.fround(u);
    default: return u;
  }
}

/** A kernel as operations and the arguments of each. @typedef {{ops: string[], args: number[][]}} Program */
/** A kernel at two points in solver units. @typedef {(x: number[], z: number[]) => number} Kernel */

/** The kernel of a program. ``exp`` is Math.exp where a picture needs speed, and exactExp where the steps
 * of the library are taken. @param {Program} program @returns {Kernel} */
function kernelOf(program, exp = Math.exp) {
  const { ops, args } = program;
  if (ops.length === 1) return (x, z) => leafValue(ops[0], args[0], x, z, exp);
  const stack = new Array(ops.length);
  const kinds = ops.map((op) => (BINARY.includes(op) ? 2 : UNARY.includes(op) ? 1 : 0));
  return (x, z) => {
    let depth = 0;
    for (let step = 0; step < ops.length; step++) {
      const op = ops[step];
      if (kinds[step] === 0) {
        stack[depth++] = leafValue(op, args[step], x, z, exp);
      } else if (kinds[step] === 2) {
        depth--;
        stack[depth - 1] = combined(op, boundedOperand(stack[depth - 1]), boundedOperand(stack[depth]));
      } else {
        const top = stack[depth - 1];
        stack[depth - 1] = changed(op, op === "exp" ? top : boundedOperand(top), exp);
      }
    }
    return stack[0];
  };
}
