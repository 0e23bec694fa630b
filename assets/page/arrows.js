"use strict";
// The normal w of the boundary as an arrow, for a method that adds points to it at its mistakes; after
// one, w before the step, y x of the point, and their sum: twin of svmviz/plane/paint/weight_arrows.py.

// Smallest and largest length of the longest arrow, relative to the smaller side of the plot; width
// of an arrow, with that of the ground around it, and length and half width of its head, px.
const ARROW = { shortest: 0.12, longest: 0.38, width: 2.5, ground: 5, head: 11, halfHead: 5 };

// The smallest of 1, 2 and 5 times powers of ten that is at least a value above 0.
function roundUp(/** @type {number} */ value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return Number((power * ([1, 2, 5].find((m) => m * power >= value) ?? 10)).toPrecision(15));
}

/** The arrows of a view, px.
 * @param {PlaneView} view @returns {[name: string, colour: string, start: Place, end: Place][]} */
function arrowsOf(view) {
  const { run, colours, explained } = view, lane = run.lanes[view.lane];
  if (!run.isLinear) return [];
  const weights = (place) => run.weights(lane.coefficients.at(place));
  const { place } = explained, after = weights(place);
  const isStep = place > 0 && !explained.isAtEnd && lane.steps[place] === lane.steps[place - 1] + 1;
  const before = isStep ? weights(place - 1) : after, isZero = (vector) => vector.every((value) => value === 0);
  const pull = after.map((value, axis) => value - before[axis]);
  const inPixels = (vector) => vector.map((value, axis) => ((value * run.factors[axis]) / view.units[axis]) * (axis ? -1 : 1));
  const vectors = [before, after, pull].map(inPixels), longest = Math.max(...vectors.map((each) => Math.hypot(...each)));
  if (!(longest > 0)) return [];
  const side = Math.min(view.plotWidth, view.plotHeight);
  const [tooLong, tooShort] = [longest / (ARROW.longest * side), (ARROW.shortest * side) / longest];
  const scale = tooLong > 1 ? 1 / roundUp(tooLong) : roundUp(Math.max(tooShort, 1));
  const named = (/** @type {string} */ name) => (scale === 1 ? name : `${number(scale)} ${name}`);
  const origin = view.toPixels(0, 0), [x, y] = [origin[0] - view.margins.left, origin[1] - MARGINS.top];
  const isInside = x >= 0 && y >= 0 && x <= view.plotWidth && y <= view.plotHeight;
  /** @type {Place} */
  const base = isInside ? origin : [view.margins.left + view.plotWidth / 2, MARGINS.top + view.plotHeight / 2];
  const [old, sum] = vectors.map(([across, up]) => /** @type {Place} */ ([base[0] + scale * across, base[1] + scale * up]));
  if (isZero(pull)) return [[named("w"), colours.text, base, sum]];
  if (isZero(before)) return [[named("y x"), colours.highlight, old, sum]];
  return [[named("w"), colours.muted, base, old], [named("y x"), colours.highlight, old, sum],
    [scale === 1 ? "w + y x" : named("(w + y x)"), colours.text, base, sum]];
}

function paintArrows(/** @type {PlaneView} */ view) {
  const { context, colours } = view, arrows = arrowsOf(view), taken = [];
  for (const [name, colour, start, end] of arrows) {
    const along = end.map((value, axis) => value - start[axis]), length = Math.hypot(...along);
    if (length < 1) continue;
    const [u, v] = along.map((value) => value / length), head = Math.min(ARROW.head, length);
    const foot = [end[0] - head * u, end[1] - head * v], half = Math.min(ARROW.halfHead, length / 2);
    const line = new Path2D(), tip = new Path2D();
    line.moveTo(...start);
    line.lineTo(foot[0], foot[1]);
    view.stroke(line, colours.plane, ARROW.ground);
    view.stroke(line, colour, ARROW.width);
    tip.moveTo(...end);
    tip.lineTo(foot[0] - half * v, foot[1] + half * u);
    tip.lineTo(foot[0] + half * v, foot[1] - half * u);
    context.fillStyle = colour;
    context.fill(tip);
    // Sums are named beyond their tips, and what is added at its middle.
    const isAdded = arrows.length > 1 && colour === colours.highlight, [x, y] = isAdded
      ? [0, 1].map((axis) => (start[axis] + end[axis]) / 2) : [end[0] + 12 * u, end[1] + 12 * v];
    context.font = NAME_FONT;
    context.textBaseline = "middle";
    const width = context.measureText(name).width, left = u < 0 && !isAdded ? x - width : x + (isAdded ? 8 : 0);
    const top = freeHeight(taken, left, y, width, 16);
    context.strokeStyle = colours.plane;
    context.lineWidth = 4;
    context.strokeText(name, left, top);
    context.fillStyle = colour;
    context.fillText(name, left, top);
  }
}
