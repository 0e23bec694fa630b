"use strict";
// The panels beside the plane: why the step was taken, pseudo-code, objective, and the points.

/** @template {keyof HTMLElementTagNameMap} K @param {K} name */
function element(name, text = "", className = "") {
  const made = document.createElement(name);
  if (text !== "") made.textContent = text;
  if (className) made.className = className;
  return made;
}

// An element with text of strangers, in which x^2 has a superscript.
function richElement(name, /** @type {string} */ text, className = "") {
  const made = element(name, "", className);
  text.split(/\^(\w+)/).forEach((piece, k) => made.append(k % 2 ? element("sup", piece) : piece));
  return made;
}

function buttonOf(text, action, className = "") {
  const made = richElement("button", text, className);
  made.type = "button";
  made.addEventListener("click", action);
  return made;
}

// Fills a list with names and values, and returns it.
function showRows(list, /** @type {string[][]} */ rows) {
  list.replaceChildren(...rows.flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
  return list;
}

// An element of page.html, of any kind.
/** @returns {any} */
function byId(id) {
  return document.getElementById(id);
}

// Sentence, formulas and values of the step shown or, if a beat is shown, of the beat.
function showWhy(box, /** @type {{ sentence: string, formulas: Pair[], values: Pair[] }} */ { sentence, formulas, values }) {
  const list = formulas.map(([letters, numbers]) => {
    const equation = element("div", "", "equation");
    const [above, below] = [element("div", "", "letters"), element("div", "", "numbers")];
    above.append(formulaElement(letters));
    below.append(formulaElement(numbers));
    equation.append(above, ...(numbers ? [below] : []));
    return equation;
  });
  const rows = showRows(element("dl", "", "values"), values);
  box.replaceChildren(element("p", sentence), ...(values.length ? [rows] : []), ...list);
}

// What is seen of a solution, or why there is none.
function solutionSentence(/** @type {RunOfPage} */ run, /** @type {ShownLane} */ lane, /** @type {State} */ state) {
  const { result } = lane, support = state.kinds.filter((kind) => kind !== ZERO).length;
  if (run.many || run.lanes.length > 1 || (result && !["optimal", "stalled"].includes(result.stop))) return lane.end;
  const head = `${number(support)} of ${number(run.n)} points are support vectors`;
  if (run.isRegression) return `${head}: those on the edge of the tube, and outside it.`;
  const wrong = numberWrong(run, state);
  return `${head}; ${wrong === 0 ? "no point is" : wrong === 1 ? "1 point is" : `${number(wrong)} points are`} misclassified.`;
}

// What the panel Why? shows: see svmviz/panels/step/step_panel.py.
function whyOf(/** @type {Words} */ words, /** @type {Beat} */ beat, head) {
  if (beat) {
    return { sentence: `${beat.name}. ${beat.sentence}`, formulas: beat.formulas, values: beat.values };
  }
  const beats = words.beats ?? [];
  const formulas = [...(words.formulas ?? []), ...beats.flatMap((each) => each.formulas)];
  return { sentence: head + (words.why ?? words.sentence), formulas, values: [] };
}

function showCode(/** @type {ShownLane} */ lane, /** @type {Words} */ words, /** @type {Beat} */ beat) {
  byId("code-panel").hidden = !lane.code;
  if (!lane.code) return;
  byId("code-source").textContent = `${lane.method}: ${lane.code.source}`;
  const shown = beat ? [beat] : words.beats ?? [];
  const lit = new Map(shown.flatMap((each) => each.lines));
  const lines = lane.code.lines.map(([label, text]) => {
    const isLit = label !== "" && lit.has(label), item = element("li", "", isLit ? "lit" : "");
    const code = element("span", text.trim());
    code.style.marginInlineStart = `${(text.length - text.trimStart().length) * 0.45}em`;
    item.append(code);
    if (isLit) {
      item.setAttribute("aria-current", "step");
      item.append(element("b", lit.get(label)));
    }
    return item;
  });
  byId("code").replaceChildren(...lines);
}

// The places and values of a line that are seen: of many steps in one column of pixels, the smallest
// and the largest value. Thousands of long strokes in a column would take a browser minutes.
function thinned(line, /** @type {number} */ width) {
  const perColumn = Math.max(1, Math.ceil(line.length / Math.max(1, width))), seen = [];
  for (let start = 0; start < line.length; start += perColumn) {
    let [low, high] = [-1, -1];
    for (let k = start; k < Math.min(line.length, start + perColumn); k++) {
      if (!Number.isFinite(line[k])) continue;
      if (low < 0 || line[k] < line[low]) low = k;
      if (high < 0 || line[k] > line[high]) high = k;
    }
    if (low < 0) continue;
    for (const k of low === high ? [low] : [Math.min(low, high), Math.max(low, high)]) seen.push([k, line[k]]);
  }
  return seen;
}

/** A size in px. @typedef {{ width: number, height: number }} Size */

// The context of a canvas with as many pixels as its size on the page, or in a print, needs.
function fitted(/** @type {HTMLCanvasElement} */ canvas, /** @type {Size} */ printed, ratio = printed ? PRINT_RATIO : window.devicePixelRatio || 1) {
  const box = printed ?? canvas.getBoundingClientRect(), context = canvas.getContext("2d");
  canvas.width = Math.round(box.width * ratio);
  canvas.height = Math.round(box.height * ratio);
  context.scale(ratio, ratio);
  return { context, box };
}

// P and D over the steps of a lane, with a line at the step shown.
function paintChart(/** @type {HTMLCanvasElement} */ canvas, /** @type {ShownLane} */ lane, /** @type {State} */ state, /** @type {Colours} */ colours, /** @type {Size} */ printed) {
  const { context, box } = fitted(canvas, printed), { last } = lane;
  if (box.width < 10) return;
  const values = (offset) => Array.from({ length: last + 1 }, (_, k) => lane.objectives[3 * k + offset]);
  const [primal, dual] = [values(0), values(1)], finite = dual.filter(Number.isFinite);
  const low = Math.min(0, ...finite), top = Math.max(...finite, low + 1e-9);
  const high = top + 0.6 * (top - low), left = 44, bottom = box.height - 20;
  const toX = (k) => left + ((box.width - left - 8) * k) / Math.max(1, last);
  const toY = (v) => bottom - ((bottom - 8) * (v - low)) / (high - low);
  context.font = LABEL_FONT;
  context.fillStyle = colours.axis;
  context.textAlign = "right";
  context.textBaseline = "middle";
  const heights = ticks(low, high, 4), texts = tickTexts(heights);
  for (const [k, v] of heights.entries()) {
    context.fillText(texts[k], left - 5, toY(v), left - 6);
    context.globalAlpha = 0.6;
    context.fillRect(left, Math.round(toY(v)), box.width - left - 8, 0.5);
    context.globalAlpha = 1;
  }
  context.textAlign = "center";
  context.fillText("step", (left + box.width) / 2, bottom + 11);
  context.save();
  context.beginPath();
  context.rect(left, 4, box.width, bottom - 2);
  context.clip();
  [{ line: primal, colour: colours.negative, name: "P" }, { line: dual, colour: colours.positive, name: "D" }].forEach(({ line, colour, name }) => {
    context.beginPath();
    for (const [k, v] of thinned(line, box.width)) context.lineTo(toX(k), Math.max(-20, toY(v)));
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.stroke();
    context.fillStyle = colour;
    context.font = NAME_FONT;
    context.fillText(name, box.width - 16, Math.max(12, toY(line[last]) + (name === "P" ? -10 : 12)));
  });
  context.strokeStyle = colours.highlight;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(toX(state.place), 4);
  context.lineTo(toX(state.place), bottom);
  context.stroke();
  context.restore();
}

function showMeasures(/** @type {State} */ state, /** @type {RunOfPage} */ run) {
  const rows = [
    ["P", number(state.primal)], ["D", number(state.dual)], ["gap P − D", number(state.gap)],
    ["largest KKT violation", number(state.kkt)], ["b", numberOrZero(state.bias - run.shiftOf(state))],
  ];
  showRows(byId("measures"), rows);
  byId("chart").setAttribute("aria-label",
    "P and D over the steps: " + rows.slice(0, 4).map((row) => row.join(" ")).join(", "));
}

// A table of the points; its cells are made once and written when their texts change.
class PointTable {
  constructor(box, /** @type {RunOfPage} */ run, /** @type {(point: number) => void} */ choose) {
    this.run = run;
    const names = ["Point", run.isRegression ? "y" : "class", run.isRegression ? "β" : "α", "f", "E = f − y", "ξ"];
    const table = element("table"), head = element("thead"), row = element("tr");
    for (const name of names) {
      const cell = element("th", name);
      cell.scope = "col";
      row.append(cell);
    }
    head.append(row);
    this.body = element("tbody");
    this.cells = Array.from({ length: Math.min(run.n, MAX_ROWS) }, (_, i) => {
      const line = element("tr"), title = element("th"), button = element("button", String(i + 1));
      title.scope = "row";
      button.type = "button";
      button.setAttribute("aria-label", `Point ${i + 1}: show its card`);
      button.addEventListener("click", () => choose(i));
      title.append(button);
      const cells = names.slice(1).map(() => element("td"));
      cells[0].textContent = run.isRegression ? number(run.y[i]) : run.className(i);
      line.append(title, ...cells);
      this.body.append(line);
      return { line, cells };
    });
    table.append(element("caption", "The points at the step shown"), head, this.body);
    box.replaceChildren(table);
  }

  show(/** @type {State} */ state, /** @type {number[]} */ marked) {
    const { run } = this;
    this.cells.forEach(({ line, cells }, i) => {
      const values = [run.isRegression ? state.beta[i] : state.alpha[i], state.decision[i],
        state.decision[i] - run.y[i], state.slack[i]];
      values.forEach((value, k) => {
        const text = numberOrZero(value);
        if (cells[k + 1].textContent !== text) cells[k + 1].textContent = text;
      });
      line.className = marked.includes(i) ? "marked" : "";
    });
  }
}

const MAX_ROWS = 500;

// Title, rows and notes of the card of a point: see svmviz/plane/point_card.py.
function cardOf(/** @type {RunOfPage} */ run, /** @type {ShownLane} */ lane, /** @type {State} */ state, /** @type {number} */ i) {
  const rows = run.names ? [] : [
    [run.axes[0], number(run.units[0] * run.points[2 * i], 6)],
    [run.axes[1], number(run.units[1] * run.points[2 * i + 1], 6)]];
  const title = run.names ? `Point ${i + 1}: ${run.names[i]}` : `Point ${i + 1}`;
  const f = state.decision[i], tolerance = lane.tolerance, notes = [lane.kinds[state.kinds[i]]];
  if (run.isRegression) {
    rows.push(["f(x)", numberOrZero(f)], ["y − f(x)", numberOrZero(run.y[i] - f)],
      ["slack ξ", numberOrZero(state.slack[i])], ["β", number(state.beta[i])]);
    const excess = Math.abs(run.y[i] - f) - run.epsilon;
    notes.push(excess < -tolerance ? "inside the tube: |y − f| < ε"
      : excess <= tolerance ? "on the edge of the tube: |y − f| = ε" : "outside the tube: ξ > 0");
    return { title, rows, notes };
  }
  const margin = run.y[i] * f, isHard = lane.C === Infinity, isViolated = state.slack[i] > tolerance;
  rows.push(["class", run.className(i)],
    lane.weight_factor ? ["weight τ", number(state.alpha[i] * lane.weight_factor)] : ["α", number(state.alpha[i])],
    ...(isHard && !isViolated ? [] : [[isHard ? "1 − y f(x)" : "slack ξ", numberOrZero(state.slack[i])]]),
    ["f(x)", numberOrZero(f)]);
  if (lane.caps) rows.splice(-2, 0, ["Cᵢ = C · weight of the class", number(lane.caps[i])]);
  if (state.alpha[i] > (lane.caps?.[i] ?? lane.C) * (1 + 1e-12)) notes[0] = "support vector above C: α > C, not dual feasible";
  const signs = isHard ? ["y f < 1", "y f = 0", "y f < 0"] : ["0 < ξ < 1", "ξ = 1", "ξ > 1"];
  const end = isHard ? ", which is not allowed" : "";
  notes.push(margin > 1 + tolerance ? "outside the margin band: y f > 1"
    : margin >= 1 - tolerance ? "on its margin line: y f = 1"
    : margin > tolerance ? `inside the band: ${signs[0]}${end}`
    : margin >= -tolerance ? `on the boundary: ${signs[1]}${end}` : `misclassified: ${signs[2]}${end}`);
  return { title, rows, notes };
}

// The QR code with these rows of modules, black on white in every theme, with its quiet zone; the
// style sheet enlarges its pixels.
function qrElement(/** @type {string[]} */ rows) {
  const canvas = element("canvas"), quiet = 4, context = canvas.getContext("2d");
  canvas.width = canvas.height = rows.length + 2 * quiet;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "QR code of the scene");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "#000";
  rows.forEach((row, y) => [...row].forEach((module, x) => {
    if (module === "1") context.fillRect(x + quiet, y + quiet, 1, 1);
  }));
  return canvas;
}

function showCard(box, card, x, /** @type {number} */ y) {
  const rows = showRows(element("dl"), card.rows);
  box.replaceChildren(element("h2", card.title), rows, ...card.notes.map((note) => element("p", note)));
  box.hidden = false;
  // On a small screen the style sheet puts the card at the lower edge.
  if (getComputedStyle(box).position === "fixed") return;
  const { width, height } = box.getBoundingClientRect(), page = document.documentElement;
  const isRight = x + 24 + width < page.clientWidth;
  box.style.left = `${Math.max(4, isRight ? x + 24 : x - 24 - width) + window.scrollX}px`;
  box.style.top = `${Math.max(4, Math.min(y - height / 2, page.clientHeight - height - 4)) + window.scrollY}px`;
}
