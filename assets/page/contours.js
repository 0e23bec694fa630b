"use strict";
// Marching squares: the rings around the regions of a grid where values are at least a level.

// For each set of corners above the level (1 lower left, 2 lower right, 4 upper right, 8 upper
// left), the segments between edges (0 below, 1 right, 2 above, 3 left), with the region at the
// left. Two opposite corners are joined (code + 16) if the mean of all four is above the level.
const SEGMENTS = {
  1: [[0, 3]], 2: [[1, 0]], 3: [[1, 3]], 4: [[2, 1]], 6: [[2, 0]], 7: [[2, 3]], 8: [[3, 2]],
  9: [[0, 2]], 11: [[1, 2]], 12: [[3, 1]], 13: [[0, 1]], 14: [[3, 0]],
  5: [[0, 3], [2, 1]], 10: [[1, 0], [3, 2]], 21: [[0, 1], [2, 3]], 26: [[1, 2], [3, 0]],
};

// Returns rings, each a list of x, y, x, y, ... in units of the grid (column, row). Outside of the
// grid all values count as below the level, so every ring is closed; an edge point on the border is
// moved onto the border itself.
function ringsAbove(values, columns, rows, /** @type {number} */ level) {
  const at = (c, r) =>
    c < 0 || r < 0 || c >= columns || r >= rows ? -Infinity : values[r * columns + c] - level;
  // Whether each node is above the level, with a border of nodes below it.
  const width = columns + 2, above = new Uint8Array(width * (rows + 2));
  for (let r = 0, k = 0; r < rows; r++) {
    for (let c = 0, node = (r + 1) * width + 1; c < columns; c++) above[node++] = values[k++] >= level ? 1 : 0;
  }
  // An edge is named by its lower left node and its direction; each edge has one crossing at most.
  const next = new Map();
  for (let node = 0; node < width * (rows + 1) - 1; node++) {
    const code = above[node] + 2 * above[node + 1] + 4 * above[node + width + 1] + 8 * above[node + width];
    if (code === 0 || code === 15) continue;
    const edges = [2 * node, 2 * (node + 1) + 1, 2 * (node + width), 2 * node + 1];
    const c = (node % width) - 1, r = Math.floor(node / width) - 1;
    const isSaddle = code === 5 || code === 10;
    const isJoined = isSaddle && at(c, r) + at(c + 1, r) + at(c, r + 1) + at(c + 1, r + 1) >= 0;
    for (const [from, to] of SEGMENTS[isJoined ? code + 16 : code]) next.set(edges[from], edges[to]);
  }
  return joined(next, (edge) => crossing(edge, width, at, columns, rows));
}

function joined(next, /** @type {(edge: number) => number[]} */ place) {
  const rings = [];
  while (next.size > 0) {
    const ring = [];
    let [edge] = next.keys();
    while (next.has(edge)) {
      const following = next.get(edge);
      next.delete(edge);
      ring.push(...place(edge));
      edge = following;
    }
    rings.push(ring);
  }
  return rings;
}

function crossing(edge, width, at, columns, /** @type {number} */ rows) {
  const node = edge >> 1, isUp = edge & 1;
  const c = (node % width) - 1, r = Math.floor(node / width) - 1;
  const start = at(c, r), end = isUp ? at(c, r + 1) : at(c + 1, r);
  let share = start / (start - end);
  if (start === -Infinity) share = 1;
  if (end === -Infinity) share = 0;
  const x = isUp ? c : c + share, y = isUp ? r + share : r;
  return [Math.min(Math.max(x, 0), columns - 1), Math.min(Math.max(y, 0), rows - 1)];
}

// The pieces of rings that do not run along the border of the grid: the contour of the level.
function insidePieces(rings, columns, /** @type {number} */ rows) {
  const pieces = [];
  for (const ring of rings) {
    let piece = [];
    for (let k = 0; k <= ring.length; k += 2) {
      const i = k % ring.length, j = (k + 2) % ring.length;
      piece.push(ring[i], ring[i + 1]);
      if (k === ring.length || isOnBorder(ring, i, j, columns, rows)) {
        if (piece.length > 2) pieces.push(piece);
        piece = [];
      }
    }
  }
  return pieces;
}

function isOnBorder(ring, i, j, columns, /** @type {number} */ rows) {
  return (ring[i] === ring[j] && (ring[i] === 0 || ring[i] === columns - 1)) ||
    (ring[i + 1] === ring[j + 1] && (ring[i + 1] === 0 || ring[i + 1] === rows - 1));
}

// The level is left by a ring by this much at most, and sides of this length are not divided, in
// units of the grid.
const CLOSE = 0.06, SHORT_SIDE = 0.4;

// Moves the corners of a ring onto f = 0, and adds corners where the contour leaves a side, as it
// does at a kink of f: the grid alone cuts the corners of the contour. f has its region at the left.
function refinedRing(ring, columns, rows, f) {
  const corners = ring.slice(), result = [], { length } = ring;
  for (let k = 0; k < length; k += 2) {
    const before = (k + length - 2) % length, after = (k + 2) % length;
    let across = ring[after] - ring[before], up = ring[after + 1] - ring[before + 1];
    // On the border a corner stays there.
    if (ring[k] === 0 || ring[k] === columns - 1) up = 0;
    if (ring[k + 1] === 0 || ring[k + 1] === rows - 1) across = 0;
    const found = placeOnLevel(ring[k], ring[k + 1], across, up, 1, f);
    if (found) [corners[k], corners[k + 1]] = found;
  }
  for (let k = 0; k < length; k += 2) {
    const after = (k + 2) % length;
    result.push(corners[k], corners[k + 1]);
    if (isOnBorder(ring, k, after, columns, rows)) continue;
    result.push(...cornersBetween(corners[k], corners[k + 1], corners[after], corners[after + 1], f));
  }
  return result;
}

function cornersBetween(x, y, endX, endY, f) {
  const across = endX - x, up = endY - y, length = Math.hypot(across, up);
  if (length < SHORT_SIDE) return [];
  const [middleX, middleY] = [x + across / 2, y + up / 2];
  const found = placeOnLevel(middleX, middleY, across, up, length, f);
  if (!found || Math.hypot(found[0] - middleX, found[1] - middleY) <= CLOSE) return [];
  return [...cornersBetween(x, y, ...found, f), ...found, ...cornersBetween(...found, endX, endY, f)];
}

// The place nearest to (x, y) at which f changes its sign, at a right angle to a direction that has
// f >= 0 at its left; null if there is none within a distance.
function placeOnLevel(x, y, across, up, reach, f) {
  const size = Math.hypot(across, up), start = f(x, y), isAbove = start >= 0;
  if (size === 0) return null;
  const [stepX, stepY] = isAbove ? [up / size, -across / size] : [-up / size, across / size];
  const at = (distance) => f(x + distance * stepX, y + distance * stepY);
  let [near, far, valueNear] = [0, CLOSE, start], valueFar = at(far);
  while (valueFar >= 0 === isAbove) {
    if (far >= reach) return null;
    [near, valueNear, far] = [far, valueFar, Math.min(2 * far, reach)];
    valueFar = at(far);
  }
  while (far - near > CLOSE) {
    const middle = (near + far) / 2, value = at(middle);
    if (value >= 0 === isAbove) [near, valueNear] = [middle, value];
    else [far, valueFar] = [middle, value];
  }
  const distance = near + ((far - near) * valueNear) / (valueNear - valueFar);
  return [x + distance * stepX, y + distance * stepY];
}
