"use strict";
// The page: the step that is shown, and all that is drawn of it.

// Steps per second if the scene has no speed of its own, and at most.
const STEPS_PER_SECOND = 4, MAX_STEPS_PER_SECOND = 30;
// Time without a change after which a fine picture and the panels are drawn, ms; longer while
// a point is dragged. Until then, numbers are drawn once per NUMBERS_DELAY such times.
const REST = 50, REST_OF_HAND = 120, NUMBERS_DELAY = 4;
// Settings of the reader that change colours.
const COLOUR_SETTINGS = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"];
/** @type {StepMarks} */
const NO_MARKS = { points: [], others: [], notes: [] };
// A finger that moves by this many px to one side takes a step.
const SWIPE = 45;
// And on a slider by this many px, it moves it.
const SIDEWAYS = 8;

// A finger that begins a scroll on a slider leaves its value: it counts once the finger has gone
// sideways, or was lifted.
function guardSliders() {
  let held = null;
  const letGo = (isMeant) => {
    const { target, value } = held ?? {};
    held = null;
    if (isMeant) target?.dispatchEvent(new Event("input"));
    else if (target) target.value = value;
  };
  /** @type {Record<string, (event: any) => void>} */
  const listeners = {
    pointerdown({ target, pointerType, clientX: x, clientY: y }) {
      held = pointerType === "touch" && target.type === "range" ? { target, value: target.value, x, y } : null;
    },
    pointermove({ clientX, clientY }) {
      if (held && Math.abs(clientX - held.x) > Math.max(SIDEWAYS, Math.abs(clientY - held.y))) letGo(true);
    },
    pointerup: () => letGo(true),
    pointercancel: () => letGo(false),
    input(event) { if (held) event.stopImmediatePropagation(); },
  };
  for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, true);
}

/** What presses and moves in the picture change, and keys. Each method returns whether it has used the event.
 * @typedef {{
 *   dragged?: unknown, onDown(view: PlaneView, event: PointerEvent, place: Place): boolean, onMove(place: Place): boolean,
 *   onUp(): boolean, onKey(event: KeyboardEvent, chosen: number | null): boolean,
 * }} Tools */

class Page {
  constructor(/** @type {RunOfPage} */ run) {
    this.timer = null;
    /** @type {LessonOfPage} */
    this.lesson = null;
    /** @type {Address} */
    this.address = null;
    /** @type {Tools} */
    this.tools = null;
    this.numbersTime = 0;
    // What a card of a lesson hides: alpha, f, slack, step, gap.
    this.hidden = new Set();
    // A canvas changes its size with the window, and when others are hidden or parts are shown.
    this.observer = new ResizeObserver(() => this.resize());
    this.open(run);
    this.connect();
    if (run.live) this.tools = new LiveTools(this);
    else if (run.lanes[0].caps) byId("note").textContent = "In this page points stay where they are: it solves with one C for all points, and here the classes have weights.";
    if ("addDecision" in window) this.checkDecision = addDecision(this);
    this.checkDecision?.();
    this.place = this.placeOfAddress();
    this.draw();
  }

  // Begins with a run: its planes, table and legend.
  open(/** @type {RunOfPage} */ run) {
    this.run = this.fileRun = run;
    this.place = this.beat = this.focus = 0;
    /** @type {number | null} */
    this.chosen = null;
    byId("card").hidden = true;
    // The colours of the sides of the machine: see `_colours` in save.py.
    document.documentElement.dataset.machine = run.machine?.join("_") ?? "";
    byId("planes").replaceChildren();
    this.makePlanes();
    this.table = new PointTable(byId("table"), run, (i) => this.choose(i));
    showLegend(byId("legend"), run);
    byId("scene").value = run.scene;
    byId("qr").replaceChildren(run.qr.length > 0 ? qrElement(run.qr) : run.no_qr);
    byId("about").textContent = run.about ?? "";
    byId("obstacle").textContent = run.obstacle && `The points stay where they are: a page does not solve ${run.obstacle}. To change them, open the scene in svmviz.`;
    byId("prompts").hidden = !run.prompts?.length;
    byId("prompts").lastChild.replaceChildren(...(run.prompts ?? []).map((prompt) => element("li", prompt)));
    this.showModel();
    this.checkDecision?.();
  }

  // A scene without a step of its own begins with its solution; steps are shown when they are asked for.
  beginWithSolution() {
    if (!this.run.presets && (this.askedStep !== null || this.run.last === 0)) return;
    document.body.classList.add("first-view");
    if (this.tools instanceof LiveTools) this.tools.begin();
  }

  get showsSolution() {
    return !this.lesson && document.body.classList.contains("first-view");
  }

  showSteps() {
    document.body.classList.remove("first-view");
  }

  showModel() {
    byId("model").textContent = this.run.model;
    byId("slider").max = this.run.last;
    byId("parts-label").hidden = !this.run.lanes.some((lane) => lane.hasBeats);
  }

  get lane() {
    return this.run.lanes[this.focus];
  }

  makePlanes() {
    const { lanes } = this.run, box = byId("planes");
    this.observer.disconnect();
    this.views = lanes.map((lane, number) => {
      const figure = element("figure"), canvas = element("canvas");
      canvas.setAttribute("role", "img");
      if (lanes.length > 1) {
        const title = element("figcaption"), button = element("button", lane.title);
        button.type = "button";
        button.addEventListener("click", () => { this.focus = number; this.beat = 0; this.show(); });
        title.append(button, element("span"));
        figure.append(title);
      }
      figure.append(canvas);
      box.append(figure);
      this.observer.observe(canvas);
      const view = new PlaneView(canvas, this.run, number);
      if (this.run.line) view.paintBelow = (shown) => paintUserLine(shown, this.run.line, false);
      if (number === 0) view.onFit = () => (view.decides ? showClasses : paintLegend)(byId("legend"), view);
      this.connectPlane(view, number);
      return view;
    });
    byId("stage").dataset.lanes = box.dataset.lanes = lanes.length;
  }

  connect() {
    const actions = {
      first: () => this.goTo(0), back: () => this.move(-1), next: () => this.move(1),
      end: () => this.goTo(this.run.last), play: () => this.togglePlay(),
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
    byId("how").addEventListener("click", () => {
      this.goTo(0);
      byId("play").focus();
    });
    byId("slider").addEventListener("input", (event) => this.goTo(Number(event.target.value)));
    byId("parts").addEventListener("change", (event) => this.setParts(event.target.checked));
    byId("copy").addEventListener("click", () => this.copyScene());
    document.addEventListener("keydown", (event) => this.onKey(event));
    for (const setting of COLOUR_SETTINGS) matchMedia(setting).addEventListener("change", () => this.resize());
    for (const panel of document.querySelectorAll("aside details")) panel.addEventListener("toggle", () => this.show());
    guardSliders();
    // What to try follows the sentence where there is no column beside it.
    const wide = matchMedia("(min-width: 1000px)");
    const place = () => (wide.matches ? byId("why-panel").before(byId("prompts")) : byId("narrator").after(byId("prompts")));
    wide.addEventListener("change", place);
    place();
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
    document.addEventListener("pointerdown", (event) => {
      if (!/** @type {Element} */ (event.target).closest("canvas, #card, #table")) this.choose(null);
    });
  }

  async copyScene() {
    const field = byId("scene");
    field.select();
    await copied(field.value, true);
    byId("copy").textContent = "Copied";
  }

  // Shows another run, from a place on.
  use(/** @type {RunOfPage} */ run, /** @type {number} */ place) {
    const isOtherTable = run.n !== this.run.n || run.labels.some((label, i) => label !== this.run.labels[i]);
    if (run.lanes.length <= this.focus) this.focus = 0;
    Object.assign(this, { run, place: Math.min(place, run.last), beat: 0 });
    if (this.chosen >= run.n) this.chosen = null;
    this.views.forEach((view, number) => {
      view.follow(run);
      view.canvas.parentElement.hidden = number >= run.lanes.length;
    });
    if (isOtherTable) this.table = new PointTable(byId("table"), run, (i) => this.choose(i));
    this.showModel();
    this.checkDecision?.();
    this.show();
  }

  connectPlane(/** @type {PlaneView} */ view, /** @type {number} */ number) {
    let start = null, isGrabbed = false;
    const { canvas } = view;
    const pixelsAt = (event) => {
      const box = canvas.getBoundingClientRect();
      return /** @type {Place} */ ([event.clientX - box.left, event.clientY - box.top]);
    };
    const at = (event) => view.pointAt(...pixelsAt(event));
    /** @returns {Place} */
    const placeAt = (event) => {
      const [x, y] = view.toData(...pixelsAt(event));
      const [left, right, bottom, top] = view.view;
      // Numbers with few digits, which differ from the place by a tenth of a px at most.
      const rounded = (value, unit) => Number(value.toFixed(Math.max(0, 1 - Math.floor(Math.log10(unit)))));
      return [rounded(Math.min(Math.max(x, left), right), view.units[0]), rounded(Math.min(Math.max(y, bottom), top), view.units[1])];
    };
    canvas.addEventListener("pointerdown", (event) => {
      const isUsed = !this.lesson?.isAsking && this.tools?.onDown(view, event, placeAt(event));
      start = isUsed ? null : [event.clientX, event.clientY];
      isGrabbed = isUsed || this.tools?.dragged !== undefined;
    });
    // A finger that holds nothing scrolls the page.
    canvas.addEventListener("touchstart", (event) => { if (isGrabbed) event.preventDefault(); }, { passive: false });
    canvas.addEventListener("pointercancel", () => { start = null; if (this.tools?.onUp()) this.show(); });
    canvas.addEventListener("pointerup", (event) => {
      if (this.tools?.onUp()) return this.show();
      if (start === null) return;
      const across = event.clientX - start[0], down = event.clientY - start[1];
      start = null;
      if (event.pointerType !== "mouse" && !this.showsSolution && Math.abs(across) > Math.max(SWIPE, Math.abs(down))) {
        this.move(across < 0 ? 1 : -1);
      } else if (!this.lesson?.onTap(at(event), placeAt(event))) {
        this.choose(at(event), number);
      }
    });
    canvas.addEventListener("pointermove", (event) => {
      if (this.tools?.onMove(placeAt(event))) return;
      if (event.pointerType === "mouse" && !event.buttons) this.choose(at(event), number);
    });
    canvas.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") this.choose(null);
    });
  }

  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    // Fields and controls have keys of their own.
    if (event.target.closest("textarea, select, .lesson input")) return;
    if (this.tools?.onKey(event, this.chosen)) return event.preventDefault();
    // A slider of the live page has its own keys.
    if (event.target.closest("#live-tools input")) return;
    const actions = {
      ArrowRight: () => this.move(1), ArrowLeft: () => this.move(-1), Home: () => this.goTo(0),
      End: () => this.goTo(this.run.last), Escape: () => this.choose(null),
    };
    const isOnControl = event.target.closest("button, summary, input[type=checkbox]");
    if (event.key === " " && !isOnControl) actions[" "] = () => this.togglePlay();
    if (event.key in actions) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  // Shows steps in parts, from the first part of the step shown, or whole steps again; see
  // Playback.set_by_beats in Python. At the end, the place stays.
  setParts(/** @type {boolean} */ isOn) {
    const isWithin = this.place > 0 && this.place < this.run.last;
    if (!isOn && this.beat > 0) Object.assign(this, { place: this.place + 1, beat: 0 });
    else if (isOn && isWithin && this.lane.beats(this.place).length > 1) {
      Object.assign(this, { place: this.place - 1, beat: 1 });
    }
    this.show();
  }

  // Moves by steps or, if parts are shown, by parts of a step.
  move(/** @type {number} */ count) {
    if (this.lesson?.holds(count)) return this.pause();
    this.showSteps();
    if (!byId("parts").checked) return this.goTo(this.place + count);
    const { lane } = this, before = this.beat + count;
    const number = (place) => Math.max(1, lane.beats(place).length);
    const place = Math.min(this.place, lane.last);
    const position = positionAfter(number, lane.last, place, before);
    if (position.place === place && position.beat === this.beat) return this.goTo(this.place + count);
    this.place = position.place;
    this.beat = position.beat;
    this.show();
  }

  goTo(/** @type {number} */ place) {
    if (this.lesson?.holds(place - this.place)) return this.pause();
    this.showSteps();
    this.place = Math.min(Math.max(place, 0), this.run.last);
    this.beat = 0;
    this.show();
  }

  togglePlay() {
    if (this.timer !== null) return this.pause();
    if (this.place >= this.run.last) this.goTo(0);
    document.body.classList.add("playing");
    byId("play").setAttribute("aria-label", "Pause");
    this.timer = setInterval(() => {
      this.move(1);
      if (this.place >= this.run.last && this.beat === 0) this.pause();
    }, 1000 / Math.min(this.run.speed ?? STEPS_PER_SECOND, MAX_STEPS_PER_SECOND));
  }

  pause() {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    document.body.classList.remove("playing");
    byId("play").setAttribute("aria-label", "Play");
    this.show();
  }

  // The step in the address or, without one, that of the scene; null for the end.
  get askedStep() {
    return new URLSearchParams(location.hash.slice(1)).get("step") ?? this.run.step;
  }

  placeOfAddress() {
    return this.placeOf(this.askedStep);
  }

  placeOf(asked) {
    if (asked === null) return this.run.last;
    // By the clock of a race a step may last for several places.
    const place = this.lane.steps.indexOf(Number(asked));
    if (place >= 0) return place;
    // A page may have each k-th step only.
    const before = this.lane.steps.filter((step) => step <= Number(asked)).length;
    return Math.max(0, before - 1);
  }

  // The step that is explained, and the beat, if one is shown. At the end no step is explained.
  /** @returns {Explained} */
  explained() {
    const { lane } = this, place = Math.min(this.place, lane.last);
    const isAtEnd = this.beat === 0 && place === lane.last && Boolean(lane.end);
    if (!byId("parts").checked) return { place, isAtEnd };
    const shown = this.beat ? place + 1 : place, beats = lane.beats(shown);
    const beat = beats[this.beat ? this.beat - 1 : beats.length - 1];
    return { place: shown, beat, isAtEnd: isAtEnd && !beat };
  }

  // Draws the moving parts in the next frame, and all parts after a time without changes.
  show() {
    this.address?.keep();
    clearTimeout(this.restTimer);
    cancelAnimationFrame(this.request);
    this.request = requestAnimationFrame(() => this.drawMoving());
  }

  drawMoving() {
    const rest = this.tools?.dragged === undefined ? REST : REST_OF_HAND;
    const state = this.drawPicture(true);
    if (performance.now() - this.numbersTime > NUMBERS_DELAY * rest) this.drawNumbers(state);
    this.restTimer = setTimeout(() => this.draw(), rest);
  }

  draw() {
    const explained = this.explained(), state = this.drawPicture(false);
    // Before the other panels, which would make the browser lay out the page first.
    this.drawNumbers(state);
    // While a dragged point rests, the words of the run would take time in vain.
    if (this.tools?.dragged !== undefined) return;
    const words = this.lane.wordsAt(explained.place);
    const isLast = explained.isAtEnd && explained.place > 0;
    showWhy(byId("why"), whyOf(words, explained.beat, isLast ? `Step ${number(this.lane.steps[explained.place])}, the last. ` : ""));
    showCode(this.lane, words, explained.beat);
  }

  // Draws planes and sentence, and returns the state that the panels show.
  drawPicture(/** @type {boolean} */ isMoving) {
    const { run } = this, explained = this.explained();
    const states = run.lanes.map((each) => each.state(Math.min(this.place, each.last)));
    this.views.slice(0, run.lanes.length).forEach((view, number) => {
      view.marks = number === this.focus ? this.marksOf(explained) : this.marksOfStep(run.lanes[number], states[number].place);
      view.explained = number === this.focus ? explained : { place: states[number].place };
      view.hovered = this.chosen;
      view.hidden = this.hidden;
      view.paint(states[number], isMoving);
      this.describePlane(view, number, states[number]);
    });
    this.showNarrator(explained, states[this.focus]);
    this.lesson?.watch();
    if (this.chosen !== null) this.showChosen();
    return states[this.focus];
  }

  drawNumbers(/** @type {State} */ state) {
    const { lane, views, printed } = this, { colours, marks } = views[this.focus];
    this.numbersTime = performance.now();
    paintChart(byId("chart"), lane, state, colours, printed?.chart);
    // Reduced hulls have conditions of their own.
    byId("kkt-panel").hidden = Boolean(lane.weight_factor);
    if (byId("kkt-panel").open && !lane.weight_factor) {
      paintKkt(byId("kkt"), this.run, lane, state, marks.points, colours, printed?.chart);
    }
    showMeasures(state, this.run);
    showDrawn(byId("legend"), views.slice(0, this.run.lanes.length));
    if (byId("table-panel").open) this.table.show(state, marks.points);
  }

  marksOf(/** @type {Explained} */ { place, beat, isAtEnd }) {
    if (this.hidden.has("step")) return NO_MARKS;
    if (beat) return { points: beat.points, others: beat.others, notes: beat.notes };
    return isAtEnd ? NO_MARKS : this.marksOfStep(this.lane, place);
  }

  /** @returns {StepMarks} */
  marksOfStep(/** @type {ShownLane} */ lane, /** @type {number} */ place) {
    const isAtEnd = place === lane.last && Boolean(lane.end);
    return isAtEnd || this.hidden.has("step") ? NO_MARKS : { points: lane.wordsAt(place).marked ?? [], others: [], notes: [] };
  }

  describePlane(/** @type {PlaneView} */ view, index, /** @type {State} */ state) {
    const lane = this.run.lanes[index], title = view.canvas.parentElement.querySelector("figcaption");
    const support = state.kinds.filter((kind) => kind !== ZERO).length;
    view.canvas.setAttribute("aria-label",
      `${lane.title}, step ${state.step}: ${this.run.n} points, ${support} support vectors`);
    if (!title) return;
    title.querySelector("span").textContent = `step ${number(state.step)} of ${number(lane.steps[lane.last])}`;
    title.querySelector("button").setAttribute("aria-pressed", String(index === this.focus));
  }

  showNarrator(/** @type {Explained} */ { place, beat, isAtEnd }, /** @type {State} */ state) {
    const { lane } = this, step = number(lane.steps[place]);
    const { many } = this.run, machine = many && !this.lesson ? `${many.choices[1]}.` : "";
    const isStart = place === 0 && lane.steps[0] === 0;
    const [head, sentence] = this.views[0].decides ? ["", many.said] : beat ? [`Step ${step} · part ${this.beat || lane.beats(place).length} of ${lane.beats(place).length}`, beat.sentence]
      : isAtEnd ? [machine, this.showsSolution ? solutionSentence(this.run, lane, state) : lane.end] : [isStart ? "Start" : `Step ${step}`, lane.wordsAt(place).sentence];
    byId("narrator").replaceChildren(...(head ? [element("b", head)] : []), " ", this.hidden.has("step") ? "" : sentence);
    byId("slider").value = this.place;
    const last = number(lane.steps[lane.last]), shown = number(lane.steps[Math.min(this.place, lane.last)]);
    byId("slider").setAttribute("aria-valuetext", `Step ${shown} of ${last}`);
    byId("counter").textContent = `${shown} / ${last}`;
  }

  choose(/** @type {number} */ point, number = this.focus) {
    if (point === this.chosen) return;
    this.chosen = point;
    this.chosenLane = number;
    if (point === null) byId("card").hidden = true;
    this.show();
  }

  showChosen() {
    const view = this.views[this.chosenLane], box = view.canvas.getBoundingClientRect();
    const [x, y] = view.pointPixels(this.chosen), lane = this.run.lanes[this.chosenLane];
    const card = cardOf(this.run, lane, view.state, this.chosen);
    if (this.hidden.size > 0) Object.assign(card, { rows: card.rows.slice(0, 3), notes: [] });
    showCard(byId("card"), card, box.left + x, box.top + y);
  }

  resize() {
    if (this.printed) return;
    for (const view of this.views) view.fit();
    this.show();
  }

  // Paper is light, whatever the reader's setting, and has a size of its own.
  print(isPrinting) {
    document.documentElement.classList.toggle("printing", isPrinting);
    const columns = Math.min(2, this.views.length);
    /** @type {{ plane: Size, chart: Size } | null} */
    this.printed = isPrinting ? { plane: { width: 960 / columns, height: 500 / columns }, chart: { width: 460, height: 170 } } : null;
    for (const view of this.views) view.fit(this.printed?.plane);
    this.draw();
  }
}

// Copies a text, and returns whether it could. The clipboard of the browser is not open to every
// file, so the old way serves where it is shut: it copies what is selected.
async function copied(/** @type {string} */ text, isSelected = false) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return isSelected && document.execCommand("copy");
  }
}

// The digits of base 85: see svmviz/export/html/packing.py.
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%:()*+-;,=.?@^_`{|}~";

// The bytes of a text in base 85: five digits are four bytes.
function bytesOf(/** @type {string} */ text) {
  const view = new DataView(new ArrayBuffer(4 * Math.ceil(text.length / 5)));
  for (let start = 0; start < text.length; start += 5) {
    const value = [...text.slice(start, start + 5).padEnd(5, "~")].reduce((sum, digit) => 85 * sum + DIGITS.indexOf(digit), 0);
    view.setUint32((4 * start) / 5, value);
  }
  return new Uint8Array(view.buffer, 0, Math.floor((4 * text.length) / 5));
}

// The contents of the data block: base 85 of JSON compressed by zlib.
async function readContents(/** @type {string} */ text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

if (!window.DecompressionStream) {
  byId("note").textContent = "This page needs a newer browser: Chrome 80, Firefox 113, Safari 16.4, or later.";
} else readContents(byId("contents").textContent).then((contents) => {
  window.page = new Page(new RunOfPage(contents.scenes?.[0] ?? contents));
  if (contents.cards) window.page.lesson = new LessonOfPage(window.page, contents);
  else window.page.beginWithSolution();
  window.page.address = new Address(window.page);
  document.body.classList.add("ready");
});
