"use strict";
// A lesson: its cards, each beside the scene that it shows, with its tasks one after the other.

const FIRST_ANSWER = "First answer the question, or look at the answer.";
// The panels of a page by the names of the window's.
const PANEL_IDS = {
  step: "why-panel", "pseudo-code": "code-panel", objective: "objective-panel", kkt: "kkt-panel",
  table: "table-panel", alpha: "table-panel", model: "model-panel", line: "line-panel",
};
// Numbers stand beside at most so many points while a point is asked for.
const MAX_ASKED_NUMBERS = 60;

/** A lesson: lesson_contents in svmviz/export/html/lesson.py. ``key`` is that of its progress.
 * @typedef {{
 *   key: string, is_talk: boolean, cards: Card[], scenes: Contents[], hand_in: { prefix: string, lesson: string, version: string, about: string },
 * }} LessonContents */
/** A card. ``scene`` is the index of its scene, which ``keeps`` what the card before has changed; ``again`` has cards
 * with other points. Each combination of the values of its controls has a run, by what differs from its scene, or null.
 * @typedef {{
 *   title: string, body: { text?: string, formula?: string[] }[], scene: number | null, keeps: boolean, sets_step: boolean,
 *   step: number | null, last: number | null, panels: string[], missing: string[], hide: string[], has_beats: boolean, offers?: string[],
 *   tasks: Task[], again?: Card[], live?: boolean, numbers?: boolean, alpha_numbers?: boolean, hulls?: boolean,
 *   line?: Line | null, moves_line?: boolean, strokes?: Stroke[], controls?: Control[], variants?: (Partial<Contents> | null)[],
 *   derivation?: Derivation,
 * }} Card */
/** @typedef {[label: string, texts: string[], start: number, isOrdered: boolean]} Control */
/** @typedef {{ title: string, aim: string, trouble: string, lines: [letters: string, numbers: string, sentence: string][] }} Derivation */

/** What a card showed: null for the end of the run, values of its controls, your line, and a scene that was changed.
 * @typedef {{ step: number | null, values: number[], line?: Line, scene?: any }} LeftState */

class LessonOfPage {
  constructor(/** @type {Page} */ page, /** @type {LessonContents} */ contents) {
    this.page = page;
    this.written = contents.cards;
    this.scenes = contents.scenes;
    this.isTalk = contents.is_talk;
    this.hand_in = contents.hand_in;
    /** @type {number} */
    this.index = undefined;
    /** @type {Map<string, RunOfPage>} */
    this.runs = new Map();
    this.progress = new Progress(contents.key);
    this.cards = this.written.map((_, index) => this.versionOf(index));
    this.text = element("section", "", "lesson");
    this.text.id = "lesson-card";
    this.text.setAttribute("aria-label", "Card");
    this.tasks = element("section", "", "lesson");
    this.tasks.id = "lesson-tasks";
    this.tasks.setAttribute("aria-label", "Tasks");
    // The reply stands where the finger was.
    for (const type of ["click", "submit"]) this.tasks.addEventListener(type, ({ target }) => /** @type {Element} */ (target).closest(".choice, form")?.after(this.reply), true);
    // A keyboard on the screen makes the page low, and must not push the field out of sight.
    addEventListener("resize", () => {
      const { activeElement } = document;
      if (this.tasks.contains(activeElement)) activeElement.scrollIntoView({ block: "nearest" });
    });
    this.controls = element("div");
    this.controls.id = "lesson-controls";
    byId("planes").after(this.controls);
    byId("stage").before(this.text);
    byId("stage").after(this.tasks);
    this.lists = Object.fromEntries([["model-panel", "Model"], ["line-panel", "Your line"]].map(([id, title]) => [id, this.addPanel(id, title)]));
    this.reply = element("p", "", "reply");
    this.reply.setAttribute("role", "status");
    document.body.classList.add("has-lesson");
    page.lesson = this;
    // What holds when the hand lets go counts, not what a slider or a point passes by.
    for (const type of ["pointerdown", "pointerup", "pointercancel"]) {
      addEventListener(type, () => {
        this.isHeld = type === "pointerdown";
        if (!this.isHeld) page.show();
      }, true);
    }
    addEventListener("pagehide", () => this.keep());
    this.open(this.asked, false);
  }

  addPanel(id, title) {
    const panel = element("details"), list = element("dl");
    panel.id = id;
    panel.append(element("summary", title), list);
    document.querySelector("aside").prepend(panel);
    return list;
  }

  // A card with the points of its present version: of its text, or fresh ones.
  versionOf(/** @type {number} */ index) {
    const versions = [this.written[index], ...(this.written[index].again ?? [])];
    return versions[(this.progress.state.versions[index] ?? 0) % versions.length];
  }

  // The index of the card in the address; without one, of the card that was open last.
  get asked() {
    const card = Math.trunc(Number(new URLSearchParams(location.hash.slice(1)).get("card"))) || this.progress.state.card + 1;
    return Math.min(Math.max(card, 1), this.cards.length) - 1;
  }

  // Takes other points for a card that has several.
  renew(/** @type {number} */ index) {
    if (!this.written[index].again) return;
    const { versions, shown } = this.progress.state;
    delete shown[index];
    versions[index] = (versions[index] ?? 0) + 1;
    this.cards[index] = this.versionOf(index);
  }

  get card() {
    return this.cards[this.index];
  }

  // Index of the present task; the number of tasks if all are done.
  get taskIndex() {
    const next = this.card.tasks.findIndex((_, k) => !this.progress.state.done[`${this.index}.${k}`]);
    return next < 0 ? this.card.tasks.length : next;
  }

  get task() {
    return this.card.tasks[this.taskIndex];
  }

  // The name of a task in the progress, and its wrong tries, seconds, and why its first answer was wrong.
  get key() {
    return `${this.index}.${this.taskIndex}`;
  }

  get tries() {
    return (this.progress.state.open[this.key] ??= [0, 0, ""]);
  }

  // Keeps what the card shows, and adds the time since the task began, or since this was last called, to its tries.
  keep() {
    const now = Date.now(), { card, page, line, chosenValues: values } = this;
    if (!card) return;
    if (card.tasks.length > this.taskIndex) this.tries[1] += Math.max(now - this.began, 0) / 1000;
    this.began = now;
    if (card.scene !== null) {
      const { lane, place, tools } = page, step = place < page.run.last ? lane.steps[Math.min(place, lane.last)] : null;
      const scene = tools instanceof LiveTools && tools.isChanged ? tools.members() : undefined;
      this.progress.state.shown[this.index] = { step, values, line: line ?? undefined, scene };
    }
    this.progress.save();
  }

  // What the card showed when it was left; nothing while changes of the card before go on in it.
  leftState(/** @type {boolean} */ goesOn) {
    return this.isTalk || (goesOn && this.taskIndex === 0) ? undefined : this.progress.state.shown[this.index];
  }

  // What is handed in of each task: as the window counts an exercise, its decisions are one.
  marks() {
    const { done, open } = this.progress.state;
    return this.cards.flatMap(({ tasks }, index) => [...new Set(tasks.map(({ task }) => task))].map((task) => {
      const keys = [...tasks.keys()].filter((k) => tasks[k].task === task).map((k) => `${index}.${k}`);
      const ends = keys.map((key) => done[key] ?? ["", "", ...(open[key] ?? [])]);
      const sum = (at) => ends.reduce((total, end) => total + (end[at] ?? 0), 0);
      return [ends.every(([end]) => end === RIGHT), ends.every(([end]) => end), sum(2), sum(3)];
    }));
  }

  // Whether a tap in the picture is an answer.
  get isAsking() {
    return this.view instanceof QuestionView && this.view.isPicking;
  }

  // Scenes.

  open(index, /** @type {boolean} */ goesOn) {
    const before = this.scene;
    this.keep();
    this.index = index;
    this.said = "";
    this.began = Date.now();
    this.progress.state.card = index;
    this.progress.save();
    const { card, page } = this, isNext = goesOn && card.keeps && before !== undefined;
    const left = this.leftState(isNext), isSame = isNext && !left;
    this.start = null;
    this.chooseValues(left?.values ?? []);
    document.body.classList.toggle("no-scene", card.scene === null);
    if (card.scene !== null) {
      const { variant } = this, isOther = !isSame || Boolean(card.variants);
      if (isOther) this.showScene(card.scene, card.variants?.[variant] ?? {});
      if (left?.line && card.line) this.line = left.line;
      this.setLive(Boolean(card.live), isSame, left);
      page.beat = 0;
      if (card.sets_step || isOther) page.place = this.placeOf(left ? left.step : card.step);
      byId("parts").checked = Boolean(card.has_beats);
      document.body.classList.toggle("first-view", [0, page.run.last].includes(page.place));
      this.setLineTool();
      this.showPanels();
    }
    this.fillCard();
    this.fillTasks();
    page.show();
    page.address?.write();
  }

  placeOf(/** @type {number} */ step) {
    return this.page.placeOf(step);
  }

  runOf(scene, variant, difference) {
    const key = `${scene}.${this.index}.${variant}`;
    if (!this.runs.has(key)) this.runs.set(key, new RunOfPage({ ...this.scenes[scene], ...difference }));
    return this.runs.get(key);
  }

  get baseRun() {
    return this.runOf(this.card.scene, 0, {});
  }

  showScene(scene, difference) {
    this.setLive(false);
    this.scene = scene;
    this.line = this.card.line;
    this.page.open(this.runOf(scene, this.variant, difference));
  }

  // The page solves during some cards. If two such cards in a row have the same points, changes
  // of the first are kept.
  setLive(/** @type {boolean} */ isOn, isSame = false, /** @type {LeftState | undefined} */ left = undefined) {
    const { page } = this;
    if (isOn && this.isLive && isSame) return /** @type {LiveTools} */ (page.tools).offer(this.card.offers);
    if (page.tools instanceof LiveTools) page.tools.solver?.worker.terminate();
    this.isLive = isOn;
    document.body.classList.remove("live");
    for (const id of ["live", "live-tools"]) {
      const old = byId(id);
      // A copy has no listeners of the tools of an earlier card.
      old.replaceWith(old.cloneNode(true));
      byId(id).hidden = true;
    }
    page.tools = null;
    if (!isOn) return;
    const tools = page.tools = new LiveTools(page);
    tools.offers = this.card.offers;
    tools.toggle(!left?.scene);
    for (const id of ["live", "live-model"]) byId(id).hidden = true;
    // Moves of the first task count from the points of the file.
    if (this.taskIndex === 0) this.start = { run: page.run, state: page.lane.state(page.lane.last) };
    if (!left?.scene) return;
    try {
      tools.open(stateOfMembers(left.scene), left.step);
    } catch (_) {
      // The storage is damaged.
      tools.solve();
    }
  }

  setLineTool() {
    const { page, card } = this;
    if (card.moves_line && this.line) {
      page.tools = new UserLineTool(page, this.line, (line) => { this.line = line; page.show(); });
    }
    for (const view of page.views) {
      view.strokes = card.strokes ?? [];
      view.texts = (shown) => this.textsOf(shown);
      view.paintBelow = (shown) => {
        const hasNearest = !page.hidden.has("nearest");
        if (card.hulls && !(hasNearest && page.hidden.has("alpha"))) paintHulls(shown, hasNearest);
        if (this.line && !shown.run.isRegression) paintUserLine(shown, this.line, card.moves_line);
      };
    }
  }

  // Numbers of points and their alphas, if the card shows them; numbers also while a point is asked for.
  textsOf(/** @type {PlaneView} */ view) {
    const { card, task } = this, isAsked = this.isAsking && "kind" in task && task.kind !== "place" && view.run.n <= MAX_ASKED_NUMBERS;
    return view.pointTexts(Boolean(card.numbers) || isAsked, Boolean(card.alpha_numbers));
  }

  // Controls: each combination of their values has a run.

  variantOf(/** @type {number[]} */ values) {
    return (this.card.controls ?? []).reduce((at, [, texts], k) => at * texts.length + values[k], 0);
  }

  // Takes values, or the first ones of the card where it has no such, or no run for them.
  chooseValues(/** @type {number[]} */ values) {
    const { controls = [], variants } = this.card, starts = controls.map(([, , start]) => start);
    this.chosenValues = controls.map(([, texts], k) => (values[k] < texts.length ? values[k] : starts[k]));
    if (variants && !variants[this.variantOf(this.chosenValues)]) this.chosenValues = starts;
    this.variant = this.variantOf(this.chosenValues);
  }

  controlElement(/** @type {Control} */ [label, texts, , isOrdered], /** @type {number} */ k) {
    const box = element("label", `${label} `, "control"), chosen = this.chosenValues, start = chosen[k];
    const input = element(isOrdered ? "input" : "select"), output = element("output", texts[start]);
    if (isOrdered) Object.assign(input, { type: "range", min: 0, max: texts.length - 1, value: start });
    else input.append(...texts.map((text, value) => new Option(text, String(value), value === start, value === start)));
    if (isOrdered) input.setAttribute("aria-valuetext", texts[start]);
    input.addEventListener("input", () => {
      chosen[k] = Number(input.value);
      output.textContent = texts[chosen[k]];
      if (isOrdered) input.setAttribute("aria-valuetext", texts[chosen[k]]);
      this.showVariant();
    });
    box.append(input, ...(isOrdered ? [" ", output] : []));
    return box;
  }

  showVariant() {
    const { card, page } = this, step = page.lane.steps[Math.min(page.place, page.lane.last)];
    const wasAtEnd = page.place >= page.run.last;
    const variant = this.variantOf(this.chosenValues);
    if (!card.variants[variant]) return this.say("With this value the problem cannot be solved.");
    this.say("");
    this.variant = variant;
    page.use(this.runOf(this.scene, variant, card.variants[variant]), 0);
    page.place = wasAtEnd ? page.run.last : this.placeOf(step);
  }

  // The card.

  fillCard() {
    const { card, index, cards } = this, title = element("h2", card.title);
    title.tabIndex = -1;
    const place = element("p", "", "muted place"), bar = element("progress");
    Object.assign(bar, { max: cards.length, value: index + 1 });
    bar.setAttribute("aria-hidden", "true");
    place.append(`Card ${index + 1} of ${cards.length}`, bar);
    const body = card.body.map(({ text, formula }) => (formula ? formulaBlock(formula) : richElement("p", text)));
    const controls = (card.controls ?? []).map((control, k) => this.controlElement(control, k));
    const missing = card.missing.length === 0 ? []
      : [element("p", `In svmviz this card has also the panel ${card.missing.join(", ")}.`, "muted")];
    this.text.replaceChildren(place, title, ...body, ...(card.derivation ? [derivationElement(card.derivation)] : []),
      ...missing);
    this.controls.replaceChildren(...controls);
  }

  showPanels() {
    const wanted = new Set(this.card.panels.map((name) => PANEL_IDS[name]));
    for (const panel of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("aside details"))) {
      const isWanted = wanted.has(panel.id);
      // Without a mouse, points are chosen in the table.
      const isOffered = panel.id === "scene-panel" || (panel.id === "table-panel" && this.isLive);
      panel.classList.toggle("unused", !isWanted && !isOffered);
      panel.open = isWanted;
    }
  }

  // Tasks.

  fillTasks() {
    const { card, task, page } = this, hadFocus = this.tasks.contains(document.activeElement);
    if (task?.step) page.place = this.placeOf(task.step - 1);
    page.hidden = new Set(task ? card.hide : []);
    document.body.classList.toggle("hides-alpha", page.hidden.has("alpha"));
    document.body.classList.toggle("hides-gap", page.hidden.has("gap"));
    const done = card.tasks.slice(0, this.taskIndex).flatMap((each, k) => this.doneElements(each, k));
    if (task?.decision && this.said) done.push(richElement("p", this.said, "right-answer"));
    this.view = task ? taskView(this, task) : null;
    this.reply.textContent = "";
    this.tasks.replaceChildren(...done, ...(this.view ? [this.view.element] : []), this.reply, this.buttonRow());
    // On a telephone the end of what is done is in sight, with the way on.
    this.tasks.scrollTop = task ? 0 : this.tasks.scrollHeight;
    /** @type {HTMLElement} */
    const next = this.view?.element.querySelector("input, button") ?? this.tasks.querySelector(".primary");
    if (hadFocus) next?.focus({ preventScroll: true });
  }

  // A task that is done; of an exercise its marks, after its last decision.
  doneElements(/** @type {Task} */ task, /** @type {number} */ k) {
    const { done } = this.progress.state, { tasks } = this.card;
    if (!task.decision) return [doneElement(task, done[`${this.index}.${k}`])];
    if (!task.exercise) return [];
    const own = [...tasks.keys()].filter((at) => tasks[at].task === task.task);
    const ends = own.map((at) => done[`${this.index}.${at}`]);
    const marks = ends.map(([, , , , outcome, why], at) => ({ outcome, why, step: tasks[own[at]].step, name: tasks[own[at]].decision }));
    const result = ends.every(([end]) => end === RIGHT) ? RIGHT : GIVEN_UP;
    return [doneElement(task.exercise, [result, summaryOf(marks)])];
  }

  buttonRow() {
    const { task, index, cards } = this, row = element("div", "", "buttons"), isLast = index === cards.length - 1;
    const back = buttonOf("Back", () => this.turn(-1)), on = buttonOf("Next", () => this.turn(1), task ? "" : "primary");
    back.disabled = index === 0;
    on.disabled = Boolean(task);
    row.append(back);
    if (task?.type === "goal" && task.hint) row.append(buttonOf("Hint", () => this.say(task.hint)));
    if (task?.decision) row.append(buttonOf("Model answer", () => this.showModel()));
    else if (task) row.append(buttonOf(task.answer ? "Show the answer" : "Skip", () => this.finish(GIVEN_UP, task.answer ?? "")));
    if (!isLast || task) row.append(on);
    if (!task && this.written[index].again) row.append(buttonOf("Again with other points", () => this.again()));
    if (isLast && !task) this.fillEnd(row);
    return row;
  }

  // The end of the lesson: what was reached, and in a site the way to the next page.
  fillEnd(row) {
    const marks = this.marks(), right = marks.filter(([isRight]) => isRight).length;
    const solved = right > 0 ? `: ${number(right)} of ${counted(marks.length, "task")} solved` : "";
    const onward = /** @type {HTMLElement} */ (document.querySelector("nav a[rel=next]")?.cloneNode(true));
    onward?.prepend("Next: ");
    if (onward) onward.className = "onward primary";
    row.prepend(element("p", `${TICK} Lesson done${solved}.`, "reward"), ...(onward ? [onward] : []));
    row.append(askedButton("Start again", "Forget all answers", () => this.startAgain()));
    if (marks.length) row.append(handInElement(this));
  }

  say(words) {
    this.reply.replaceChildren(...richElement("span", words).childNodes);
    if (words) this.reply.scrollIntoView({ block: "nearest" });
  }

  settle(isRight, answer, /** @type {string} */ words) {
    if (isRight) return this.finish(RIGHT, answer);
    this.tries[0] += 1;
    this.progress.save();
    this.say(words);
  }

  // Answers the decision that waits, as Attempt of svmviz/lessons/exercise.py does.
  decide(answer) {
    const { task, tries, page } = this, [outcome, words] = judge(/** @type {Question} */ (task), answer, page.run.y), isWrong = outcome === WRONG;
    tries[0] += Number(isWrong);
    if (isWrong) tries[2] ||= words;
    if (isWrong && !task.at_end) {
      this.progress.save();
      return this.say(words);
    }
    this.said = task.at_end ? "" : words;
    this.finish(isWrong ? GIVEN_UP : RIGHT, task.answer, tries[2] ? WRONG : outcome);
    if (task.at_end && this.task) this.say(NOTED);
  }

  // The run takes the step: its decisions that are not made are given up.
  showModel() {
    const { step, sentence } = this.task;
    this.said = `Model answer: ${sentence}`;
    while (this.task?.decision && this.task.step === step) this.finish(GIVEN_UP, this.task.answer, this.tries[2] ? WRONG : GIVEN_UP);
  }

  finish(result, answer, outcome = "") {
    this.keep();
    const { is_done: isDone, step } = this.task, { done, open } = this.progress.state, { key } = this;
    if (isDone) this.page.place = this.placeOf(step);
    const [wrong, seconds, why] = open[key];
    done[key] = [result, answer, wrong, seconds, outcome, why];
    delete open[key];
    this.progress.save();
    this.start = null;
    this.fillTasks();
    (this.tasks.querySelector(".reward") ?? [...this.tasks.querySelectorAll(".done-task")].at(-1))?.scrollIntoView({ block: "nearest" });
    this.page.show();
  }

  turn(direction) {
    const index = this.index + direction;
    if (index < 0 || index >= this.cards.length) return;
    this.open(index, direction > 0);
    this.text.querySelector("h2").focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }

  // The card again, with other points.
  again() {
    for (const kept of [this.progress.state.done, this.progress.state.open]) {
      for (const task of Object.keys(kept)) if (task.startsWith(`${this.index}.`)) delete kept[task];
    }
    const { index } = this;
    this.index = undefined;
    this.progress.write();
    this.renew(index);
    this.open(index, false);
  }

  startAgain() {
    this.index = undefined;
    this.progress.clear();
    this.cards.forEach((_, index) => this.renew(index));
    this.open(0, false);
    scrollTo({ top: 0 });
  }

  // Called by the page.

  // Whether a question prevents this change of step, or a talk turns to another card instead.
  holds(/** @type {number} */ count) {
    const { task, page, card } = this;
    if (this.isTalk && Math.abs(count) === 1) {
      const first = this.placeOf(card.step), last = this.placeOf(card.last);
      const hasMore = count > 0 ? page.place < last : page.place > Math.min(first, last);
      if (!hasMore) this.turn(count);
      return !hasMore;
    }
    const isHeld = count > 0 && Boolean(task) && task.type !== "goal";
    if (isHeld && page.place < page.run.last) this.say(FIRST_ANSWER);
    return isHeld;
  }

  onTap(index, /** @type {Place} */ place) {
    const { view } = this, isAsking = view instanceof QuestionView && view.isPicking;
    if (isAsking) view.onTap(index, place);
    return isAsking;
  }

  // Follows what is shown: the lists, and the goal.
  watch() {
    const { page, view } = this, [{ state }] = page.views, { lane, tools } = page;
    byId("transport").hidden = page.run.last === 0 || page.hidden.has("run");
    showRows(this.lists["model-panel"], modelRows(page.run, state));
    if (this.line && !page.run.isRegression) showRows(this.lists["line-panel"], lineRows(page.run, state, this.line));
    if (!(view instanceof GoalView)) return;
    const isBusy = tools instanceof LiveTools && tools.solver?.isBusy;
    if (!this.start && !isBusy && state.place === lane.last) this.start = { run: page.run, state };
    if (view.watch() && !this.isHeld && !isBusy) this.finish(RIGHT, "");
  }

  // The values of names at what is shown.
  valueOf() {
    const { page, start, line } = this, [{ state }] = page.views;
    const shown = { run: page.run, lane: page.lane, state, start, line };
    return (name) => VALUES[name](shown);
  }
}

// A button whose first press shows what a second one does.
function askedButton(text, question, action) {
  const button = buttonOf(text, () => {
    if (button.textContent === question) return action();
    button.textContent = question;
  });
  button.addEventListener("blur", () => { button.textContent = text; });
  return button;
}

function formulaBlock(lines) {
  const block = element("div", "", "equation");
  for (const line of lines) {
    const row = element("div");
    row.append(formulaElement(line));
    block.append(row);
  }
  return block;
}

function derivationElement(/** @type {Derivation} */ { title, aim, trouble, lines }) {
  const box = element("section", "", "derivation"), list = element("ol");
  for (const [letters, numbers, sentence] of lines) {
    const item = element("li");
    item.append(formulaBlock([letters]), ...(numbers ? [formulaBlock([numbers])] : []), richElement("p", sentence));
    list.append(item);
  }
  box.append(element("h3", title), richElement("p", aim), ...(trouble ? [element("p", trouble, "muted")] : []), list);
  return box;
}

// A task that is done, with its reason.
function doneElement(task, [result, answer]) {
  const box = element("div", "", result === RIGHT ? "done-task right" : "done-task");
  box.append(richElement("p", `${result === RIGHT ? TICK : NO_TICK} ${task.ask}`, "muted"));
  if (answer) box.append(richElement("p", answer, "right-answer"));
  if (task.because) box.append(richElement("p", task.because));
  return box;
}

function modelRows(/** @type {RunOfPage} */ run, /** @type {State} */ state) {
  const shown = { run, state }, count = (kind) => number(countKind(kind)(shown));
  const w = run.isLinear && !run.isRegression ? [["w", vectorText(VALUES.w(shown))]] : [];
  const norm = normOf(shown), width = run.isRegression || !(norm > 0) ? [] : [["width of the street, 2 / ‖w‖", number(2 / norm)]];
  return [...w, ["b", numberOrZero(VALUES.b(shown))], ["‖w‖", number(norm)], ...width,
    ["support vectors", number(VALUES.support(shown))], ["free", count(FREE)], [run.lanes[0].caps ? "at Cᵢ" : "at C", count(AT_BOUND)]];
}

function lineRows(/** @type {RunOfPage} */ run, /** @type {State} */ state, /** @type {Line} */ line) {
  return [["ρ of your line", number(ownMargin(line, run))], ["ρ of the widest street", number(1 / normOf({ run, state }))],
    ["points on the wrong side", number(ownValues(line, run).filter((value) => value <= 0).length)]];
}
