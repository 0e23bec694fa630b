"use strict";
// The tasks of a card: questions, goals and certificates. Each view is an element, which passes
// answers to the lesson.

/** An expression: its kind, and its operands (tree_of in svmviz/export/html/tasks.py). @typedef {any[]} Tree */
/** What all tasks have. ``task`` is the index of the task in its card, of which an exercise has several; ``way`` is
 * empty for a task that a page cannot watch.
 * @typedef {{ ask: string, hint: string, because: string, task: number, answer?: string, step?: number, way?: "" | "steps" | "live" | "line" } & Partial<Decision>} TaskOfCard */
/** ``right`` has numbers, for each point that is asked for those that are right, or indices of choices.
 * @typedef {TaskOfCard & {
 *   type: "question", kind: "choice" | "order" | "number" | "range" | "point" | "pair" | "place", choices: string[],
 *   right: any[], slack?: number, replies?: string[], order?: number[], wrong?: [answer: any, reply: string][],
 *   labels?: string[], numbers?: number[], place?: string, parts?: Tree[],
 * }} Question */
/** A decision of an exercise: its name, the answer of the run, and how it ends.
 * @typedef {{
 *   decision: string, own: any, own_words: string, slips: [number: number, reply: string][], same_class: boolean, at_end: boolean,
 *   is_done: boolean, sentence: string, exercise: TaskOfCard | null,
 * }} Decision */
/** Parts of a goal with their words; it is watched in the ``way`` of steps by masks, otherwise by its expressions.
 * @typedef {TaskOfCard & { type: "goal", words: string[], masks?: number[][], parts?: Tree[] }} Goal */
/** A solution to type, its best D and largest gap, or the conditions on it.
 * @typedef {TaskOfCard & {
 *   type: "certificate", kind: "alpha" | "line", labels: string[], dual: number, gap: number, parts: Tree[],
 * }} Certificate */
/** @typedef {Question | Goal | Certificate} Task */

const ACCURACY = 0.01, TICK = "✓", NO_TICK = "○";
const CLICKS = {
  point: "Tap the point in the picture, or type its number.",
  pair: "Tap the two points in the picture, in any order, or type their numbers.",
  place: "Tap the place in the picture, or type its coordinates.",
  order: "Tap the sentences in their order; tap one again to take it back.",
};
const BRIEF_CLICKS = {
  point: "tap the point, or type its number.", pair: "tap both points, or type their numbers.",
  place: "tap the place, or type it.",
};
const FIELDS = {
  number: ["Your answer"], range: ["from", "to"], point: ["point"], pair: ["point", "and point"], place: ["x1", "x2"],
};
const NO_PAGE = "A page in a browser cannot do this. Do it in svmviz, or go on.";

// The number that a text means, as svmviz/base/words.py reads it; NaN if it means none.
function readNumber(/** @type {string} */ text) {
  const parts = text.split("/");
  if (parts.length > 1) {
    const [over, under] = parts.map(readNumber), value = over / under;
    return parts.length === 2 && [over, under, value].every(Number.isFinite) ? value : NaN;
  }
  let plain = text.replace(/\s+/g, "").toLowerCase().replace("−", "-");
  if (/^(∞|inf|infinity|infinite)$/.test(plain)) return Infinity;
  plain = plain.replace(/·?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/, (_, power) =>
    "e" + [...power].map((c) => (c === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c))).join(""));
  if (/^-?\d{1,3}(,\d{3})+(\.|$)/.test(plain)) plain = plain.replace(/,/g, "");
  else if (!plain.includes(".")) plain = plain.replace(",", ".");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/.test(plain) ? Number(plain) : NaN;
}

function isRightNumber(answer, right, slack = 0) {
  const tolerance = Math.max(ACCURACY * (1 + 1e-7) * Math.abs(right) + 1e-12, slack);
  return answer === right || (tolerance < Infinity && Math.abs(answer - right) <= tolerance);
}

// Whether an answer is right: see svmviz/lessons/answers.py and questions.py.
function isRightAnswer(/** @type {Question} */ task, answer, right = task.right) {
  if (task.kind === "choice") return right.includes(answer);
  if (task.kind === "order") return answer.every((index, k) => task.choices[index] === right[k]);
  const areRight = (numbers) => numbers.every((value, k) => isRightNumber(answer[k], Number(value), task.slack));
  if (task.kind === "place") return Math.hypot(answer[0] - right[0], answer[1] - right[1]) <= right[2] || (Boolean(task.numbers) && areRight(task.numbers));
  if (task.kind === "number" || task.kind === "range") return areRight(right);
  const orders = answer.length > 1 ? [answer, [answer[1], answer[0]]] : [answer];
  return answer.length === right.length && orders.some((order) => order.every((point, k) => right[k].includes(point)));
}

// What is said of a wrong answer: see reply_to in svmviz/lessons/questions.py. The wrong numbers are
// those of the points as they were.
function replyTo(/** @type {Question} */ task, answer, /** @type {any[]} */ right) {
  if (task.kind === "choice") return task.replies?.[answer] ?? task.hint;
  if (task.kind === "order") return task.replies?.[answer.find((index, k) => task.choices[index] !== right[k])] ?? task.hint;
  const isAsWritten = right === task.right || isRightAnswer(task, right);
  return (isAsWritten && task.wrong?.find(([wrong]) => isRightAnswer(task, answer, wrong))?.[1]) || task.hint;
}

// What a task asks for, and whether a page has no way to do it.
function askElement(/** @type {TaskOfCard} */ task) {
  const box = element("div", "", "task");
  box.append(richElement("p", task.ask, "ask"), ...(task.way === "" ? [element("p", NO_PAGE, "muted")] : []));
  return box;
}

class QuestionView {
  constructor(/** @type {LessonOfPage} */ lesson, /** @type {Question} */ task) {
    this.lesson = lesson;
    this.task = task;
    /** @type {number[]} */
    this.picked = [];
    /** @type {number[]} */
    this.order = [];
    this.element = askElement(task);
    // The words on a decision of an exercise are brief, for telephones.
    const words = task.place ? [task.place, BRIEF_CLICKS[task.kind]].filter(Boolean).join(": ") : CLICKS[task.kind];
    if (words) this.element.append(element("p", words, "muted"));
    const shown = task.order ?? task.choices.map((_, k) => k);
    this.buttons = shown.map((k) => buttonOf(task.choices[k], () => this.onChoice(k), "choice"));
    this.places = shown;
    this.element.append(...this.buttons);
    if (task.kind in FIELDS) this.element.append(this.form());
  }

  form() {
    return answerForm(this.task.labels ?? FIELDS[this.task.kind], (numbers) => {
      const isPoint = ["point", "pair"].includes(this.task.kind);
      const points = numbers.map((value) => value - 1), { n } = this.lesson.page.run;
      const areMade = points.every((point) => Number.isInteger(point) && point >= 0 && point < n) && new Set(points).size === points.length;
      if (isPoint && !areMade) return this.lesson.say(`Type the number of ${points.length > 1 ? "two different points" : "a point"}, from 1 to ${n}.`);
      this.answer(isPoint ? points : numbers);
    }, (words) => this.lesson.say(words));
  }

  onChoice(/** @type {number} */ k) {
    if (this.task.kind === "choice") return this.answer(k);
    this.order = this.order.includes(k) ? this.order.filter((other) => other !== k) : [...this.order, k];
    const order = this.order, isComplete = order.length === this.places.length;
    if (isComplete) this.order = [];
    this.buttons.forEach((button, position) => {
      const place = this.order.indexOf(this.places[position]);
      const text = this.task.choices[this.places[position]];
      button.replaceChildren(...richElement("span", place < 0 ? text : `${place + 1}. ${text}`).childNodes);
      button.setAttribute("aria-pressed", String(place >= 0));
    });
    if (isComplete) this.answer(order);
  }

  get isPicking() {
    return ["point", "pair", "place"].includes(this.task.kind);
  }

  onTap(index, /** @type {Place} */ place) {
    if (this.task.kind === "place") return this.answer(place);
    if (index === null) return;
    this.picked = this.picked.includes(index) ? this.picked.filter((i) => i !== index) : [...this.picked, index];
    if (this.picked.length < this.task.right.length) {
      this.lesson.say(`Point ${index + 1} is chosen.`);
      return;
    }
    const { picked } = this;
    this.picked = [];
    this.answer(picked);
  }

  // The right numbers are computed while the page solves, because they change with the points.
  answer(answer) {
    const { task, lesson } = this;
    if (task.decision) return lesson.decide(answer);
    let { right, answer: words } = task;
    if (task.parts && lesson.isLive) {
      try {
        right = task.parts.map((tree) => Number(new Evaluation(lesson.valueOf()).value(tree)));
        words = right.map((value) => number(value)).join(" to ");
      } catch (error) {
        if (!(error instanceof NoValue)) throw error;
        return lesson.say(error.message);
      }
    }
    const chosen = task.kind === "choice" ? task.choices[answer] : words;
    const said = replyTo(task, answer, right);
    lesson.settle(isRightAnswer(task, answer, right), chosen, `No. ${said}`.trim());
  }
}

// A form of one field per label; ``answered`` gets the numbers.
function answerForm(labels, answered, refused) {
  const form = element("form", "", "answer");
  const inputs = labels.map((label) => {
    const box = element("label", label), input = element("input");
    Object.assign(input, { type: "text", autocomplete: "off", inputMode: "text", size: 8 });
    box.append(" ", input);
    form.append(box);
    return input;
  });
  const button = element("button", "Answer", "primary");
  button.type = "submit";
  form.append(button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const numbers = inputs.map((input) => readNumber(input.value)), wrong = numbers.findIndex(Number.isNaN);
    inputs.forEach((input, k) => input.setAttribute("aria-invalid", String(k === wrong)));
    if (wrong < 0) return answered(numbers);
    refused(inputs[wrong].value.trim() ? `“${inputs[wrong].value.trim()}” is no number.` : "Type a number.");
    inputs[wrong].focus();
  });
  return form;
}

class CertificateView {
  constructor(/** @type {LessonOfPage} */ lesson, /** @type {Certificate} */ task) {
    this.element = askElement(task);
    if (task.way === "") return;
    this.element.append(answerForm(task.labels, (typed) => {
      const { isRight, sentences } = verdictOn(task, typed, lesson.baseRun, lesson.baseRun.lanes[0]);
      lesson.settle(isRight, sentences.join(" "), [...sentences, task.hint].join(" ").trim());
    }, (words) => lesson.say(words)));
  }
}

class GoalView {
  constructor(/** @type {LessonOfPage} */ lesson, /** @type {Goal} */ task) {
    this.lesson = lesson;
    this.task = task;
    this.element = askElement(task);
    if (task.way === "") return;
    const list = element("ul", "", "ticks");
    this.ticks = task.words.map((words) => {
      const item = element("li"), tick = element("span", NO_TICK, "tick");
      item.append(tick, richElement("span", words));
      list.append(item);
      return tick;
    });
    this.trouble = element("p", "", "muted");
    this.element.append(list, this.trouble);
  }

  // Ticks the parts that hold at the step shown; returns whether all do.
  watch() {
    const { task, lesson } = this;
    if (task.way === "") return false;
    let trouble = "";
    const masks = task.masks && (task.masks[lesson.variant] ?? task.masks[0]), mask = masks?.[lesson.page.place] ?? 0;
    const holds = task.masks ? task.words.map((_, k) => Boolean((mask >> k) & 1)) : task.parts.map((part) => {
      try {
        return conditionHolds(part, lesson.valueOf());
      } catch (error) {
        if (!(error instanceof NoValue)) throw error;
        trouble = trouble || error.message;
        return false;
      }
    });
    this.ticks.forEach((tick, k) => {
      const sign = holds[k] ? TICK : NO_TICK;
      if (tick.textContent === sign) return;
      tick.textContent = sign;
      tick.className = holds[k] ? "tick done" : "tick";
    });
    this.trouble.textContent = trouble;
    return holds.every(Boolean);
  }
}

function taskView(/** @type {LessonOfPage} */ lesson, /** @type {Task} */ task) {
  if (task.type === "question") return new QuestionView(lesson, task);
  return task.type === "goal" ? new GoalView(lesson, task) : new CertificateView(lesson, task);
}
