"use strict";
// Kernels as postfix programs (solvers/kernels/programs.py), evaluated by the rules of
// solvers/kernels/evaluator.py: k(x, z) for points of one or two coordinates.

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
function multiplyAdd(a, b, /** @type {number} */ c) {
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

// Operations that push an operand, with arguments a, at x and z.
const LEAVES = {
  linear: (a, x, z) => innerProduct(x, z),
  polynomial(a, x, z) {
    const base = a[1] + a[0] * innerProduct(x, z);
    let product = base;
    for (let power = 1; power < a[2]; power++) product *= base;
    return product;
  },
  rbf: (a, x, z, exp) => exp(-a[0] * distance(x, z, true)),
  sigmoid: (a, x, z) => Math.tanh(a[0] * innerProduct(x, z) + a[1]),
  laplacian: (a, x, z, exp) => exp(-a[0] * distance(x, z, false)),
  quadratic(a, x, z) {
    const v = innerProduct(x, z);
    return a[0] + v * (a[1] + a[2] * v);
  },
  scaling: (a, x, z, exp) => scaleFactor(a, innerProduct(x, x), exp) * scaleFactor(a, innerProduct(z, z), exp),
  constant: (a) => a[0],
  x: (a, x) => x[a[0]],
  z: (a, x, z) => z[a[0]],
};
// Operations that combine two operands, and operations that change one.
const BINARY = {
  add: (u, v) => u + v, subtract: (u, v) => u - v, multiply: (u, v) => u * v, divide: (u, v) => (v !== 0 ? u / v : 0),
  minimum: Math.min, maximum: Math.max, raise: raised,
};
const UNARY = {
  bound: (u) => u, negate: (u) => -u, exp: (u, exp) => exp(u), log: (u) => Math.log(Math.max(u, MIN_LOG_ARGUMENT)),
  sqrt: (u) => Math.sqrt(Math.max(u, 0)), abs: Math.abs, sin: Math.sin, cos: Math.cos, tanh: Math.tanh, single: Math.fround,
};

function scaleFactor(a, squaredNorm, exp) {
  if (a[0] === 1) return squaredNorm;
  if (a[0] === 0) return Math.sqrt(squaredNorm);
  if (a[0] === 2) return squaredNorm > 0 ? 1 / Math.sqrt(squaredNorm) : 0;
  return exp(-a[1] * squaredNorm);
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

/** A kernel as operations and the arguments of each. @typedef {{ops: string[], args: number[][]}} Program */
/** A kernel at two points in solver units. @typedef {(x: number[], z: number[]) => number} Kernel */

/** The kernel of a program. ``exp`` is Math.exp where a picture needs speed, and exactExp where the steps
 * of the library are taken. @param {Program} program @returns {Kernel} */
function kernelOf(program, exp = Math.exp) {
  const { ops, args } = program;
  const [leaves, binary, unary] = [LEAVES, BINARY, UNARY].map((table) => ops.map((op) => table[op]));
  if (ops.length === 1) return (x, z) => leaves[0](args[0], x, z, exp);
  const stack = new Array(ops.length);
  return (x, z) => {
    let depth = 0;
    for (let step = 0; step < ops.length; step++) {
      const top = stack[depth - 1];
      if (leaves[step]) stack[depth++] = leaves[step](args[step], x, z, exp);
      else if (unary[step]) stack[depth - 1] = unary[step](ops[step] === "exp" ? top : boundedOperand(top), exp);
      else {
        depth--;
        stack[depth - 1] = binary[step](boundedOperand(stack[depth - 1]), boundedOperand(top));
      }
    }
    return stack[0];
  };
}
