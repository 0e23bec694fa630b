"use strict";
// The page solves: points are dragged, added and erased, C and gamma are moved. A worker takes the
// steps of SMO; steps that are shown are replayed here.

const MAX_LIVE_STEPS = 20000, MAX_LIVE_POINTS = 400, MAX_UNDO = 100;
// At this power of ten, the last one of its slider, C is infinite.
const HARD_MARGIN = 4.01;
const WORKER_SCRIPTS = ["kernels.js", "smo.js"];
const WORKER_LOOP = `
onmessage = ({ data }) => postMessage(solved(data));`;

/** What a page needs to solve: live_of in svmviz/export/html/live.py. ``scene`` has the members of the scene that
 * the page does not change, and ``stops`` the sentence on each end of a run.
 * @typedef {{
 *   method: string, tol: number, C: number | null, scene: object, dictionary: string, code: Code, template: Template,
 *   stops: Record<string, string>,
 * }} Live */

// A lane whose steps are those of SMO.
class LiveLane {
  constructor(/** @type {RunOfPage} */ run, /** @type {Live} */ live, /** @type {SmoProblem} */ problem, /** @type {Solution} */ result) {
    const count = result.pairs.length / 2;
    this.run = run;
    this.live = live;
    this.problem = problem;
    this.result = result;
    this.title = this.method = live.method;
    this.code = live.code;
    this.tolerance = 1.001 * live.tol;
    this.C = problem.C;
    this.kinds = problem.C < Infinity ? KINDS : HARD_KINDS;
    this.steps = Uint32Array.from({ length: count + 1 }, (_, k) => k);
    this.objectives = result.objectives;
    /** @type {Map<number, Words>} */
    this.kept = new Map();
    this.hasBeats = count > 0;
    this.end = this.endSentence();
  }

  get last() {
    return this.steps.length - 1;
  }

  get replay() {
    if (!this.made) this.made = new SmoReplay(this.problem, this.live.template, this.live.code);
    return this.made;
  }

  state(/** @type {number} */ place) {
    const { beta, F } = place === this.last ? this.result : this.replay.seek(place);
    const bias = this.result.biases[place], decision = F.map((value, k) => this.run.y[k] - value + bias);
    const state = stateOf(this.run, this.C, beta, bias, decision);
    const [primal, dual, kkt] = this.objectives.slice(3 * place, 3 * place + 3);
    return Object.assign(state, { place, step: place, primal, dual, kkt, gap: primal - dual });
  }

  wordsAt(/** @type {number} */ place) {
    if (place === 0) return { sentence: `All α are 0, so f(x) = ${this.startValue()} everywhere. Play, or take a step.` };
    if (!this.kept.has(place)) this.kept.set(place, this.replay.words(place));
    return this.kept.get(place);
  }

  startValue() {
    const b = number(this.result.biases[0]);
    return b === "0" ? "0" : `b = ${b}`;
  }

  beats(/** @type {number} */ place) {
    return place > 0 ? this.wordsAt(place).beats : [];
  }

  endSentence() {
    const { stop, violation } = this.result, template = this.live.stops[stop];
    if (stop === null && this.C === Infinity) {
      return `Not solved after ${counted(MAX_LIVE_STEPS, "step")}: with a hard margin, the classes must not overlap.`;
    }
    if (!template) return stop === null ? `Only the first ${counted(MAX_LIVE_STEPS, "step")} are shown.` : "";
    const words = {
      "{taken}": `after ${counted(this.last, "step")}`, "{tol:g}": shortText(this.problem.tol, 6),
      "{violation:.2g}": shortText(violation, 2), "{least}": "rounding",
    };
    const ended = Object.entries(words).reduce((text, [field, value]) => text.replace(field, value), template);
    const wrong = numberWrong(this.run, this.state(this.last)), { n } = this.run;
    const error = `raining error ${number((100 * wrong) / n, 2)}\u00a0% (${number(wrong)} of ${number(n)}).`;
    return stop === "optimal" ? `${ended.split(": ")[0]}: ${this.reached()}; t${error}` : `${ended} T${error}`;
  }

  // The width of the street and the number of support vectors, as svmviz/plane/sentences.py.
  reached() {
    const state = this.state(this.last);
    const support = counted(state.kinds.filter((kind) => kind !== ZERO).length, "support vector");
    if (!this.run.isLinear) return support;
    return `the street is 2/‖w‖ = ${number(2 / normOf({ state }))} wide, with ${support}`;
  }
}

const KINDS = ["no support vector: α = 0", "free support vector: 0 < α < C", "support vector at C: α = C"];
const HARD_KINDS = ["no support vector: α = 0", "free support vector: α > 0", "support vector at C: α = C"];

/** @typedef {{ run: RunOfPage, problem: SmoProblem }} Job */

// Solves in a worker; of several problems that wait, only the newest is solved.
class Solver {
  constructor(/** @type {(result: Solution, job: Job) => void} */ show) {
    // Scripts that pages share are files, which a worker could not read from everywhere.
    const texts = typeof WORKER_TEXTS === "undefined" ? WORKER_SCRIPTS.map((name) => byId(name).textContent) : WORKER_TEXTS;
    const url = URL.createObjectURL(new Blob([...texts, WORKER_LOOP], { type: "text/javascript" }));
    this.worker = new Worker(url);
    this.isBusy = false;
    /** @type {Job} */
    this.waiting = null;
    this.worker.onmessage = ({ data }) => {
      const { job } = this;
      this.isBusy = false;
      if (this.waiting) this.post();
      show(data, job);
    };
  }

  solve(/** @type {Job} */ job) {
    this.waiting = job;
    if (!this.isBusy) this.post();
  }

  post() {
    this.isBusy = true;
    this.job = this.waiting;
    this.waiting = null;
    this.worker.postMessage(this.job.problem);
  }
}

/** What is changed: x, y, x, y, ... of the points, their labels, and the model.
 * @typedef {{ points: number[], labels: number[], C: number, program: Program }} LiveState */

// The tools of the live page: what they change, and what follows.
class LiveTools {
  constructor(/** @type {Page} */ page) {
    this.page = page;
    this.file = page.run;
    this.live = page.run.live;
    this.isOn = false;
    /** What a card of a lesson offers: points, C, gamma. @type {string[] | undefined} */
    this.offers = undefined;
    /** @type {LiveState[]} */
    this.history = [];
    this.sliders = {};
    /** @type {number | undefined} */
    this.dragged = undefined;
    this.hasMoved = false;
    const button = byId("live");
    button.hidden = false;
    button.addEventListener("click", () => this.toggle());
    byId("live-undo").addEventListener("click", () => this.undo());
    byId("live-reset").addEventListener("click", () => this.change(() => this.reset()));
    this.slider("C", () => this.C, (value) => { this.C = value; });
    this.slider("gamma", () => this.kernel.gamma, (gamma) => { this.kernel = { ...this.kernel, gamma }; });
    this.slider("degree", () => this.kernel.degree, (degree) => { this.kernel = { ...this.kernel, degree }; },
      (degree) => degree, (degree) => degree);
    this.addPresets(this.file.presets ?? []);
    // The settings of kernels that were left.
    this.settings = { gamma: 1, coef0: 1, degree: 3 };
    byId("live-kernel").addEventListener("change", (event) => this.change(() => {
      Object.assign(this.settings, this.kernel);
      this.kernel = { ...this.settings, name: event.target.value };
    }));
  }

  // Data of the free plane, as scenes in one line; the model stays.
  addPresets(presets) {
    const select = byId("live-presets");
    select.parentElement.hidden = presets.length === 0;
    if (presets.length === 0) return;
    select.replaceChildren(...presets.map(([title, line]) => Object.assign(element("option", title), { value: line })));
    select.addEventListener("change", async () => {
      const { points, labels } = stateOfMembers(await membersOf(select.value, this.live.dictionary));
      this.change(() => Object.assign(this, { points, labels }));
    });
  }

  // Is ready for the first change, until which the run of the file is shown; it must have the same end
  // as the runs of the page.
  begin() {
    const { lanes, many } = this.file;
    if (lanes.length > 1 || many || !lanes[0].has_margin) return;
    this.toggle(false);
    byId("live").hidden = true;
    byId("about").append(" Drag a point.");
  }

  get kernel() {
    return kernelOfProgram(this.program);
  }

  set kernel(kernel) {
    this.program = programOf(kernel);
  }

  // A slider, usually of powers of ten.
  slider(name, read, write, valueOf = (power) => Number((10 ** power).toPrecision(3)), placeOf = Math.log10) {
    const input = byId(`live-${name}`);
    let isNew = true;
    for (const type of ["pointerdown", "keydown"]) input.addEventListener(type, () => { isNew = true; });
    input.addEventListener("input", () => {
      if (isNew) this.remember();
      isNew = false;
      const place = Number(input.value);
      write(place === HARD_MARGIN ? Infinity : valueOf(place));
      this.solve();
    });
    this.sliders = { ...this.sliders, [name]: () => {
      input.parentElement.hidden = read() === undefined || !this.isOffered(name);
      if (read() === undefined) return;
      input.value = Math.min(placeOf(read()), Number(input.max));
      input.setAttribute("aria-valuetext", number(read()));
      byId(`live-${name}-value`).textContent = number(read());
    } };
  }

  isOffered(/** @type {string} */ name) {
    return this.offers?.includes(name) ?? true;
  }

  offer(/** @type {string[]} */ names) {
    this.offers = names;
    this.showControls();
  }

  get tool() {
    return /** @type {HTMLInputElement} */ (document.querySelector("#live-tools input[name=tool]:checked")).value;
  }

  toggle(solves = true) {
    this.isOn = !this.isOn;
    const { page } = this;
    byId("live").setAttribute("aria-pressed", String(this.isOn));
    byId("live-tools").hidden = !this.isOn;
    document.body.classList.toggle("live", this.isOn);
    if (this.isOn) {
      this.solver = this.solver ?? new Solver((result, job) => this.show(result, job));
      if (this.points === undefined) this.reset();
      if (solves) this.solve();
      else this.showControls();
    } else {
      page.use(this.file, 0);
    }
  }

  reset() {
    Object.assign(this, { points: Array.from(this.file.points), labels: this.file.labels.slice(),
      C: this.live.C ?? Infinity, program: this.file.kernel_program });
    byId("live-presets").selectedIndex = 0;
  }

  // Opens what an address has; ``step`` is null for the last one.
  open(/** @type {LiveState} */ state, /** @type {number | null} */ step) {
    if (this.points !== undefined) this.remember();
    Object.assign(this, state, { asked: step, isChanged: true });
    if (this.isOn) this.solve();
    else this.toggle();
  }

  // The members of the scene that is shown.
  members() {
    const { points, labels, kernel, C, live } = this;
    const columns = [0, 1].map((axis) => roundedColumn(points.filter((_, k) => k % 2 === axis)));
    const rows = labels.map((_, i) => columns.map((column) => column[i]));
    return { svmviz: 1, points: rows, labels, ...live.scene, kernel, penalty: { kind: "C", value: C < Infinity ? C : "inf" } };
  }

  remember() {
    this.isChanged = true;
    const { points, labels, C, program } = this;
    this.history = [...this.history.slice(1 - MAX_UNDO), { points: points.slice(), labels: labels.slice(), C, program }];
  }

  undo() {
    const earlier = this.history.pop();
    if (earlier) {
      Object.assign(this, earlier);
      this.solve();
    }
  }

  change(edit) {
    this.remember();
    edit();
    this.solve();
  }

  showControls() {
    for (const show of Object.values(this.sliders)) show();
    /** @type {HTMLElement} */ (document.querySelector("#live-tools fieldset")).hidden = !this.isOffered("points");
    byId("live-kernel").value = this.kernel.name;
    byId("live-undo").disabled = this.history.length === 0;
    byId("live-reset").disabled = !this.isChanged;
  }

  solve() {
    this.showControls();
    const run = Object.assign(Object.create(RunOfPage.prototype), this.file, { title: this.live.method });
    run.usePoints(Float64Array.from(this.points), this.labels.slice(), this.program);
    const margin = this.C < Infinity ? `C = ${number(this.C)}` : "hard margin";
    const { gamma, degree } = this.kernel, { text } = byId("live-kernel").selectedOptions[0];
    const kernel = [text, ...(gamma ? [`γ ${number(gamma)}`] : []), ...(degree ? [`degree ${degree}`] : [])].join(", ");
    run.model = [this.live.method, kernel, margin].join(" · ");
    const problem = { X: run.X, y: run.y, program: this.program, C: this.C, tol: this.live.tol,
      maxSteps: MAX_LIVE_STEPS };
    this.solver.solve({ run, problem });
  }

  show(/** @type {Solution} */ result, /** @type {Job} */ { run, problem }) {
    if (!this.isOn) return;
    const lane = new LiveLane(run, this.live, problem, result);
    if (result.stop === "one class") lane.end = "A classification needs points of both classes.";
    run.lanes = [lane];
    if (typeof this.asked === "number") this.page.showSteps();
    this.page.use(run, this.asked ?? lane.last);
    this.asked = null;
  }

  // Mouse, pen and finger. Return whether the event was used. The picture may be that of an earlier
  // run, so what is hit is searched among the points that are.
  onDown(/** @type {PlaneView} */ view, event, /** @type {Place} */ place) {
    if (!this.isOn || !this.isOffered("points")) return false;
    const index = view.pointAt(...view.toPixels(...place), this.points);
    if (this.tool === "move") {
      if (index === null) return false;
      this.dragged = index;
      view.canvas.setPointerCapture(event.pointerId);
      return false;
    }
    if (this.tool === "erase") {
      if (index !== null) this.erase(index);
    } else if (this.labels.length < MAX_LIVE_POINTS) {
      this.change(() => {
        this.points.push(...place);
        this.labels.push(this.tool === "plus" ? 1 : -1);
      });
    }
    return true;
  }

  onMove(/** @type {Place} */ place) {
    if (!this.isOn || this.dragged === undefined) return false;
    if (!this.hasMoved) {
      this.hasMoved = true;
      this.remember();
      this.page.choose(null);
    }
    this.points.splice(2 * this.dragged, 2, ...place);
    this.solve();
    return true;
  }

  // Returns whether a point was moved.
  onUp() {
    const { hasMoved } = this;
    this.dragged = undefined;
    this.hasMoved = false;
    return hasMoved;
  }

  erase(/** @type {number} */ index) {
    this.page.choose(null);
    this.change(() => {
      this.points.splice(2 * index, 2);
      this.labels.splice(index, 1);
    });
  }

  // Keys on a chosen point: Shift and an arrow move it, Delete erases it.
  onKey(event, /** @type {number} */ index) {
    if (!this.isOn || !this.isOffered("points") || index === null || index >= this.labels.length) return false;
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.key === "Delete") this.erase(index);
    else if (event.shiftKey && steps) {
      const { units } = this.page.views[0];
      this.change(() => steps.forEach((step, axis) => { this.points[2 * index + axis] += 8 * step * units[axis]; }));
    } else return false;
    return true;
  }
}
