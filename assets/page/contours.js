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
function ringsAbove(values, columns, rows, level) {
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
    for (const [from, to] of SEGMENTS[code + 16 * isJoined]) next.set(edges[from], edges[to]);
  }
  return joined(next, (edge) => crossing(edge, width, at, columns, rows));
}

function joined(next, place) {
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

function crossing(edge, width, at, columns, rows) {
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
function insidePieces(rings, columns, rows) {
  const pieces = [];
  for (const ring of rings) {
    let piece = [];
    for (let k = 0; k <= ring.length; k += 2) {
      const i = k % ring.length, j = (k + 2) % ring.length;
      piece.push(ring[i], ring[i + 1]);
      const isOnBorder =
        (ring[i] === ring[j] && (ring[i] === 0 || ring[i] === columns - 1)) ||
        (ring[i + 1] === ring[j + 1] && (ring[i + 1] === 0 || ring[i + 1] === rows - 1));
      if (isOnBorder || k === ring.length) {
        if (piece.length > 2) pieces.push(piece);
        piece = [];
      }
    }
  }
  return pieces;
}
