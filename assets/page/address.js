"use strict";
// What is changed is kept in the address, after its #, as the scene's one line: see
// svmviz/io/scene_line.py, which reads what this writes, and the other way round.

const LINE_START = "svmviz:1:", CHECKSUM_BYTES = 4, MAX_LINE = 200000, PRECISION = 1e-4;
// Time without a change after which the address is written, ms: browsers refuse to do it often.
const ADDRESS_DELAY = 400;
// Settings of the kernels of the live page, in the order of their programs.
const KERNEL_SETTINGS = { linear: [], polynomial: ["gamma", "coef0", "degree"], rbf: ["gamma"] };
const MAX_DEGREE = 8;

/** A kernel by its name and settings, as in a scene.
 * @typedef {{ name: string, gamma?: number, coef0?: number, degree?: number }} KernelMember */

/** @returns {Program} */
function programOf(/** @type {KernelMember} */ kernel) {
  return { ops: [kernel.name], args: [KERNEL_SETTINGS[kernel.name].map((name) => kernel[name])] };
}

/** @returns {KernelMember} */
function kernelOfProgram(/** @type {Program} */ { ops: [name], args: [args] }) {
  return Object.assign({ name }, ...KERNEL_SETTINGS[name].map((setting, k) => ({ [setting]: args[k] })));
}

async function piped(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

// A line without the dictionary of the compression, which readers do not need then.
async function lineOf(members) {
  const text = new TextEncoder().encode(JSON.stringify(members));
  const packed = await piped(text, new CompressionStream("deflate-raw"));
  const payload = new Uint8Array(packed.length + CHECKSUM_BYTES);
  payload.set(packed);
  new DataView(payload.buffer).setUint32(packed.length, checksumOf(packed));
  const letters = btoa(Array.from(payload, (byte) => String.fromCharCode(byte)).join(""));
  return LINE_START + letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// Reads a line. The dictionary of the compression goes before the line as a block that is not compressed.
async function membersOf(line, dictionary) {
  if (!line.startsWith(LINE_START) || line.length > MAX_LINE) throw new Error("no line of this version");
  const letters = line.slice(LINE_START.length).replaceAll("-", "+").replaceAll("_", "/");
  const payload = arrayOf(letters, Uint8Array);
  const packed = payload.subarray(0, -CHECKSUM_BYTES);
  const checksum = new DataView(payload.buffer).getUint32(packed.length);
  if (checksum !== checksumOf(packed)) throw new Error("damaged");
  const before = new TextEncoder().encode(dictionary), { length } = before;
  const head = [0, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255];
  const bytes = await piped(new Uint8Array([...head, ...before, ...packed]), new DecompressionStream("deflate-raw"));
  return JSON.parse(new TextDecoder().decode(bytes.subarray(length)));
}

// Numbers rounded as in a line of Python.
function roundedColumn(values) {
  const low = Math.min(...values), high = Math.max(...values);
  const spread = high - low || Math.max(Math.abs(low), Math.abs(high)) || 1;
  const unit = Math.ceil(-Math.log10(spread * PRECISION));
  return values.map((value) => (unit > 0 ? Number(value.toFixed(Math.min(unit, 100))) : Math.round(value * 10 ** unit) / 10 ** unit));
}

// What the live page has of a scene; an error if it cannot solve this scene.
/** @returns {LiveState} */
function stateOfMembers({ points, labels, kernel, penalty = { kind: "C", value: /** @type {number | "inf"} */ (1) }, bias = "free", task = "classification", scaling = "none", class_weights: weights }) {
  const isIn = (value, low, high = Number.MAX_VALUE) => typeof value === "number" && value >= low && value <= high;
  const limits = { gamma: [Number.MIN_VALUE], coef0: [0], degree: [1, MAX_DEGREE] };
  const C = penalty.value === "inf" ? Infinity : penalty.value;
  const isSolved = points.length <= MAX_LIVE_POINTS && labels.length === points.length
    && labels.every((label) => label === 1 || label === -1)
    && points.every((point) => point.length === 2 && point.every(Number.isFinite))
    && KERNEL_SETTINGS[kernel.name].every((name) => isIn(kernel[name], ...limits[name]))
    && (kernel.degree === undefined || Number.isInteger(kernel.degree))
    && penalty.kind === "C" && isIn(C, Number.MIN_VALUE, Infinity)
    && bias === "free" && task === "classification" && scaling === "none" && weights === undefined;
  if (!isSolved) throw new Error("another scene");
  return { points: points.flat(), labels, C, program: programOf(kernel) };
}

const linkOf = () => location.href.replace(/#$/, "");

function embedOf() {
  const [link, title] = [linkOf(), document.title].map((text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;"));
  return `<iframe src="${link}" title="${title}" width="100%" height="700" style="border: 0" loading="lazy"></iframe>`;
}

// Keeps the address of a page: the changed scene, or only the step; of a lesson, the card.
class Address {
  constructor(/** @type {Page} */ page) {
    this.page = page;
    this.text = "";
    byId("share").hidden = false;
    byId("share").addEventListener("click", () => this.offer());
    addEventListener("hashchange", () => this.open());
    this.open();
  }

  get tools() {
    return this.page.tools instanceof LiveTools ? this.page.tools : null;
  }

  async open() {
    const text = location.hash.slice(1), { page } = this, { lesson } = page;
    if (lesson) {
      if (lesson.asked !== lesson.index) lesson.open(lesson.asked, false);
      return;
    }
    if (!text.startsWith("svmviz:")) {
      if (text !== this.text) page.goTo(page.placeOfAddress());
      return;
    }
    try {
      if (!this.tools) throw new Error("no page that solves");
      const members = await membersOf(text, this.tools.live.dictionary);
      this.tools.open(stateOfMembers(members), members.step ?? null);
      byId("note").textContent = "";
    } catch (_) {
      byId("note").textContent = "The link is damaged, incomplete, or of a scene that this page cannot solve: the scene of the file is shown.";
    }
  }

  // Writes the address when the page rests.
  keep() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), ADDRESS_DELAY);
  }

  async write() {
    const { page, tools } = this, { place, lesson } = page;
    if (lesson) {
      lesson.keep();
      return this.set(`card=${lesson.index + 1}`);
    }
    const isChanged = Boolean(tools?.isOn && tools.isChanged);
    const lane = page.run.lanes[0], step = lane.steps[Math.min(place, lane.last)];
    const line = isChanged ? await lineOf({ ...tools.members(), step: place < page.run.last ? step : null }) : "";
    // What changed meanwhile is written by a later call.
    if (isChanged && place !== page.place) return;
    byId("scene").value = line || page.fileRun.scene;
    byId("qr").hidden = isChanged;
    const isMoved = place !== page.placeOf(page.run.step) || this.text !== "";
    this.set(line || (isMoved ? `step=${step}` : ""));
  }

  set(/** @type {string} */ text) {
    this.text = text;
    if (this.text === location.hash.slice(1)) return;
    try {
      history.replaceState(null, "", `#${this.text}`);
    } catch (_) {
      // A page within another one, such as a notebook, may have no address.
    }
  }

  offer() {
    const buttons = [linkOf, embedOf].map((textOf) =>
      buttonOf(textOf === linkOf ? "Copy the link" : "Copy the code to embed", () => this.share(textOf)));
    byId("note").replaceChildren(...buttons);
    buttons[0].focus();
  }

  // Copies a link to what is shown, or a frame of it for another page.
  async share(textOf) {
    await this.write();
    const note = byId("note");
    if (textOf === embedOf && location.protocol === "file:") {
      note.textContent = "This page is a file: put it on a web server first, then it can be embedded.";
      return;
    }
    const field = Object.assign(element("input"), { readOnly: true, value: textOf(), ariaLabel: "The text to copy" });
    note.append(field);
    field.select();
    const isCopied = await copied(field.value, true);
    note.replaceChildren(isCopied ? "Copied: " : "Copy this: ", field);
  }
}
