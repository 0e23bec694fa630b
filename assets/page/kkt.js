"use strict";
// The KKT conditions as a staircase: alpha over y f, in a regression beta over y - f. A point that
// satisfies its condition lies on the staircase.

const KKT_LEFT = 44, KKT_BOTTOM = 34;

// The corners of the staircases, one per value of C, and the place of each point.
function kktPlaces(/** @type {RunOfPage} */ run, /** @type {ShownLane} */ lane, /** @type {State} */ state) {
  if (run.isRegression) {
    const { C } = lane, e = run.epsilon;
    return {
      lines: [[[-Infinity, -C], [-e, -C], [-e, 0], [e, 0], [e, C], [Infinity, C]]],
      places: run.y.map((y, i) => [y - state.decision[i], state.beta[i]]),
      names: ["y − f", "β"],
    };
  }
  return {
    lines: boundsOf(lane).map((C) => [[-Infinity, C], [1, C], [1, 0], [Infinity, 0]]),
    places: run.y.map((y, i) => [y * state.decision[i], state.alpha[i]]),
    names: ["y f", "α"],
  };
}

function range(values, padding) {
  const low = Math.min(...values), high = Math.max(...values), space = padding * (high - low || 1);
  return [low - space, high + space];
}

/** @param {RunOfPage} run @param {ShownLane} lane @param {State} state @param {Colours} colours @param {Size} printed */
function paintKkt(canvas, run, lane, state, marked, colours, printed) {
  const { context, box } = fitted(canvas, printed), { lines, places, names } = kktPlaces(run, lane, state), corners = lines.flat();
  if (box.width < 10) return;
  const finite = (values) => values.filter(Number.isFinite);
  const [left, right] = range([...places.map(([x]) => x), ...finite(corners.map(([x]) => x)), 0], 0.06);
  const [low, high] = range([...places.map(([, y]) => y), ...finite(corners.map(([, y]) => y))], 0.08);
  const width = box.width - KKT_LEFT - 10, height = box.height - KKT_BOTTOM - 8;
  const clip = (value, least, most) => Math.max(least, Math.min(most, value));
  const toX = (x) => KKT_LEFT + (width * (clip(x, left, right) - left)) / (right - left);
  const toY = (y) => 8 + (height * (high - clip(y, low, high))) / (high - low);
  context.strokeStyle = colours.line_strong;
  context.strokeRect(KKT_LEFT - 0.5, 7.5, width + 1, height + 1);
  context.font = LABEL_FONT;
  context.fillStyle = colours.axis;
  context.textAlign = "center";
  context.textBaseline = "top";
  const acrosses = ticks(left, right, width / 70), texts = tickTexts(acrosses);
  acrosses.forEach((x, k) => context.fillText(texts[k], toX(x), 11 + height));
  context.fillText(names[0], KKT_LEFT + width / 2, 22 + height);
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const y of ticks(low, high, 4)) context.fillText(number(y), KKT_LEFT - 5, toY(y), KKT_LEFT - 14);
  context.textAlign = "left";
  context.fillText(names[1], 1, 14);
  context.beginPath();
  for (const line of lines) line.forEach(([x, y], k) => context[k ? "lineTo" : "moveTo"](toX(x), toY(y)));
  context.strokeStyle = colours.boundary;
  context.lineWidth = 2;
  context.stroke();
  places.forEach(([x, y], i) => {
    const isPositive = run.labels[i] > 0;
    shapePath(context, toX(x), toY(y), isPositive ? 0 : 1, 4);
    context.fillStyle = isPositive ? colours.positive : colours.negative;
    context.fill();
    context.strokeStyle = isPositive ? colours.positive_edge : colours.negative_edge;
    context.lineWidth = 1;
    context.stroke();
  });
  context.strokeStyle = colours.highlight;
  context.lineWidth = 3;
  for (const i of marked) {
    context.beginPath();
    context.arc(toX(places[i][0]), toY(places[i][1]), 8, 0, 2 * Math.PI);
    context.stroke();
  }
  canvas.setAttribute("aria-label",
    `${names[1]} over ${names[0]} of each point, and the staircase of the KKT conditions; ` +
    `largest violation ${number(state.kkt)}`);
}
