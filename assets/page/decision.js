"use strict";
// More than two classes: the points that the machine leaves out, and what all machines decide at
// their ends. Twins: solvers/problem/machines.py, svmviz/frames/decision_regions.py,
// svmviz/plane/paint/decision.py and point_shapes.py.

/** The machines of all classes at their ends: svmviz/export/html/decision.py. The codes have the side of each
 * class in each machine, and ``shown`` is the machine that is looked at.
 * @typedef {{
 *   points: string, classes: number[], names: string[], codes: number[][], weights: number[][], shown: number,
 *   decides: boolean, choices: string[], said: string, kernel_program: Program, origin: number[] | null, betas: (string | null)[],
 *   biases: (number | null)[],
 * }} Many */

const CLASS_COLOURS = ["class_0", "class_1", "class_2", "class_3", "class_4", "class_5"];
// Fraction of the colour of a class in its region with the largest lead and with none, and in the
// hatches of undecided places; their distance and width, px.
const REGION = { most: 0.42, least: 0.1, hatched: 0.75, distance: 9, width: 1.3 };
// Fraction of the colour of its class in the outline of a point that the machine leaves out.
const PALE_SHARE = 0.7;

const REST_COLOUR = "rest";
// Width of one half of a line f = 0, of the machine looked at and of the others, px.
const HALVES = { own: 2, other: 1.2 };

function colourOf(/** @type {string} */ name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function classColours() {
  return CLASS_COLOURS.map(colourOf);
}

// The colour of a side of a machine, +1 or -1: that of its class, or of the rest.
function sideColour(code, side) {
  const classes = code.flatMap((value, index) => (value === side ? [index] : []));
  return colourOf(classes.length === 1 ? CLASS_COLOURS[classes[0]] : REST_COLOUR);
}

// The marks of points, from the code of the machine and their labels: those that the file does not have
// look like the first class of their side.
function marksOf(/** @type {Many} */ { codes, shown }, /** @type {number[]} */ labels, /** @type {number[]} */ classes) {
  const code = codes[shown], seen = classes.filter((index) => code[index] !== 0);
  return labels.map((label, i) => label * (2 + (code[seen[i]] === label ? seen[i] : code.indexOf(label))));
}

// The marks of the classes of a machine, and their names.
function namedMarks(/** @type {Many} */ { codes, shown, names }) {
  return [1, -1].flatMap((side) => codes[shown].flatMap(
    (value, index) => (value === side ? [{ mark: side * (2 + index), name: names[index] }] : [])));
}

// Draws the mark of a class: filled, or hollow and pale.
function drawClassMark(context, x, y, index, radius, /** @type {Colours} */ colours, /** @type {boolean} */ isPale) {
  const fill = classColours()[index];
  shapePath(context, x, y, index, radius);
  context.lineJoin = "round";
  context.fillStyle = fill;
  context.strokeStyle = isPale ? cssColour(mixed(colours.plane, fill, PALE_SHARE)) : colours.ring;
  context.lineWidth = isPale ? HOLLOW.line : 1;
  if (!isPale) context.fill();
  context.stroke();
}

// Draws points of all classes, or only those that the machine leaves out, which are pale.
function paintClasses(/** @type {PlaneView} */ view, /** @type {boolean} */ onlyLeftOut) {
  const { many } = view.run, points = arrayOf(many.points);
  const { radius } = measures(MARK_TABLE.roles[onlyLeftOut ? PLAIN : FREE], view.size);
  many.classes.forEach((index, i) => {
    if (onlyLeftOut && many.codes[many.shown][index] !== 0) return;
    drawClassMark(view.context, ...view.toPixels(points[2 * i], points[2 * i + 1]), index, radius, view.colours, onlyLeftOut);
  });
}

// The functions f of all machines, as combinations of the kernel at the points of all classes.
class MachinesOfPage {
  constructor(/** @type {RunOfPage} */ run) {
    const { many, factors } = run, points = arrayOf(many.points), { origin } = many;
    this.many = many;
    this.factors = factors;
    this.origin = origin;
    this.kernel_program = many.kernel_program;
    this.kernel = kernelOf(many.kernel_program);
    this.X = many.classes.map((_, i) =>
      [0, 1].map((axis) => points[2 * i + axis] / factors[axis] - (origin ? origin[axis] : 0)));
    this.betas = many.betas.map((beta) => (beta ? arrayOf(beta) : null));
  }

  // The class decided for, its level, and whether it is undecided, from f of each machine.
  decide(values) {
    const { codes, weights } = this.many, k = codes[0].length;
    const votes = new Array(k).fill(0), sums = new Array(k).fill(0), least = new Array(k).fill(Infinity);
    values.forEach((f, m) => {
      if (f === null) return;
      for (let c = 0; c < k; c++) {
        if (codes[m][c] * (f >= 0 ? 1 : -1) > 0) votes[c]++;
        if (codes[m][c]) least[c] = Math.min(least[c], codes[m][c] * f);
        sums[c] += weights[m][c] * f;
      }
    });
    let best = 0, isUndecided = false;
    for (let c = 1; c < k; c++) {
      if (votes[c] === votes[best]) isUndecided = true;
      else if (votes[c] > votes[best]) isUndecided = false;
      if (votes[c] > votes[best] || (votes[c] === votes[best] && sums[c] > sums[best])) best = c;
    }
    const lead = Math.max(0, least[best]);
    return { best, level: lead / (HALF_LEVEL + lead), isUndecided };
  }

  // The decision at each px of the plot, row by row from the top. f is interpolated between the
  // nodes of a grid, and only then do the machines vote.
  regions(/** @type {PlaneView} */ view) {
    const [width, height] = [view.plotWidth, view.plotHeight].map(Math.round), grid = new FieldOfPlane(/** @type {any} */ (this), FINE_SPACING);
    grid.fit(view.view, view.plotWidth, view.plotHeight);
    const { columns, rows } = grid, values = this.betas.map(() => null), regions = [];
    const fields = this.betas.map((beta, m) => (beta ? grid.values(beta, this.many.biases[m]) : null));
    for (let y = 0; y < height; y++) {
      const v = (1 - (y + 0.5) / height) * (rows - 1), r = Math.min(Math.floor(v), rows - 2), up = v - r;
      for (let x = 0; x < width; x++) {
        const u = ((x + 0.5) / width) * (columns - 1), c = Math.min(Math.floor(u), columns - 2), across = u - c;
        const k = r * columns + c;
        fields.forEach((field, m) => {
          if (!field) return;
          const low = field[k] + across * (field[k + 1] - field[k]);
          const high = field[k + columns] + across * (field[k + columns + 1] - field[k + columns]);
          values[m] = low + up * (high - low);
        });
        regions.push(this.decide(values));
      }
    }
    return { width, height, regions, fields, columns, rows };
  }

  // The regions as a canvas, in the colours of the classes.
  picture(/** @type {PlaneView} */ view) {
    const { width, height, regions, fields, columns, rows } = this.regions(view), { plane } = view.colours, fills = classColours();
    const canvas = Object.assign(element("canvas"), { width, height }), image = new ImageData(width, height);
    const tables = fills.map((fill) => Array.from({ length: 256 }, (_, level) =>
      mixed(plane, fill, REGION.least + (REGION.most - REGION.least) * (level / 255) ** EXPONENT)));
    const hatches = fills.map((fill) => mixed(plane, fill, REGION.hatched)), ground = channels(plane);
    regions.forEach(({ best, level, isUndecided }, place) => {
      const isHatch = ((place % width) + Math.floor(place / width)) % REGION.distance < Math.SQRT2 * REGION.width;
      image.data.set(isUndecided ? (isHatch ? hatches[best] : ground) : tables[best][Math.floor(255 * level)], 4 * place);
      image.data[4 * place + 3] = 255;
    });
    const context = canvas.getContext("2d");
    context.putImageData(image, 0, 0);
    const order = fields.map((_, m) => m).sort((a, b) => Number(a === this.many.shown) - Number(b === this.many.shown));
    for (const m of order) {
      if (!fields[m]) continue;
      const half = m === this.many.shown ? HALVES.own : HALVES.other;
      const lines = insidePieces(ringsAbove(fields[m], columns, rows, 0), columns, rows).map((line) =>
        line.map((value, k) => (k % 2 ? height - (value * height) / (rows - 1) : (value * width) / (columns - 1))));
      for (const side of [1, -1]) strokeBeside(context, lines, 0.5 * side * half, half, sideColour(this.many.codes[m], side));
    }
    return canvas;
  }
}

// Strokes lines, px, moved to their left (seen with y upwards) by a distance.
function strokeBeside(context, lines, distance, width, /** @type {string} */ colour) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  for (const line of lines) {
    const count = line.length / 2;
    context.beginPath();
    for (let i = 0; i < count; i++) {
      const a = Math.max(0, i - 1), b = Math.min(count - 1, i + 1);
      const across = line[2 * b] - line[2 * a], down = line[2 * b + 1] - line[2 * a + 1], size = Math.hypot(across, down) || 1;
      context.lineTo(line[2 * i] + (distance * down) / size, line[2 * i + 1] - (distance * across) / size);
    }
    context.stroke();
  }
}

// Paints the decision at the ends in place of f, and all points with the colours of their classes.
function paintDecision(/** @type {PlaneView} */ view) {
  if (view.decision?.machines.many !== view.run.many) view.decision = { machines: new MachinesOfPage(view.run), key: "", image: null };
  const key = JSON.stringify([view.view, view.plotWidth, view.plotHeight, view.colours.plane]);
  const { decision } = view;
  if (decision.key !== key) Object.assign(decision, { key, image: decision.machines.picture(view) });
  view.context.drawImage(decision.image, view.margins.left, MARGINS.top, view.plotWidth, view.plotHeight);
  view.paintGrid();
  paintClasses(view, false);
}

// The entries of the legend for the decision: the classes.
function showClasses(box, /** @type {PlaneView} */ view) {
  const { size, colours, run } = view, { radius } = measures(MARK_TABLE.roles[FREE], size);
  box.replaceChildren(...run.many.names.map((name, index) => {
    const entry = element("span"), canvas = element("canvas"), middle = LEGEND_MARK / 2;
    const { context } = fitted(canvas, { width: LEGEND_MARK, height: LEGEND_MARK }, view.ratio);
    drawClassMark(context, middle, middle, index, radius, colours, false);
    entry.append(canvas, name);
    return entry;
  }));
}

// Adds the choice between decision and machine to a page. Returns a function that is called if
// another run is shown: if points have changed, the ends of the other machines are not known.
function addDecision(/** @type {Page} */ page) {
  const row = element("div"), boxes = [0, 1].map(() => Object.assign(element("input"), { type: "radio", name: "decision" }));
  const names = boxes.map((box) => {
    const label = element("label"), name = element("span");
    label.append(box, name);
    row.append(label);
    return name;
  });
  row.id = "decision-choice";
  byId("legend").before(row);
  const show = () => {
    const decides = boxes[0].checked;
    for (const view of page.views) view.decides = decides;
    document.body.classList.toggle("decides", decides);
    if (!decides) showLegend(byId("legend"), page.run);
    // Before the first fit there are no sizes and colours; then it draws the legend.
    if (page.views[0].view) page.views[0].onFit();
    page.show();
  };
  row.addEventListener("change", show);
  let views = null;
  return () => {
    const { many } = page.run, isNew = views !== page.views;
    views = page.views;
    row.hidden = !many || page.run !== page.fileRun;
    names.forEach((name, k) => { name.textContent = many?.choices[k] ?? ""; });
    if (row.hidden ? boxes[0].checked : isNew) {
      boxes[many?.decides && !row.hidden ? 0 : 1].checked = true;
      show();
    }
  };
}
