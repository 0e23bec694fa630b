"use strict";
// The LaTeX of a step's formulas as MathML. A tree is [name, attributes, ...children]; a child is a
// tree or a text. Only commands that the methods use are known; another one is shown as its name.

const LETTERS = {
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", varepsilon: "ε", epsilon: "ε", zeta: "ζ", eta: "η",
  theta: "θ", lambda: "λ", mu: "μ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ",
  varphi: "φ", phi: "φ", psi: "ψ", omega: "ω", Delta: "Δ", Phi: "Φ", infty: "∞", dots: "…",
  top: "⊤", star: "⋆", ell: "ℓ",
};
const OPERATORS = {
  leftarrow: "←", rightarrow: "→", Rightarrow: "⇒", leq: "≤", geq: "≥", neq: "≠", approx: "≈",
  in: "∈", notin: "∉", cdot: "·", times: "×", pm: "±", cup: "∪", setminus: "∖", sum: "∑", to: "→",
};
const FENCES = { "{": "{", "}": "}", "|": "‖", langle: "⟨", rangle: "⟩" };
const SPACES = { quad: "1em", qquad: "2em", " ": "0.25em", ",": "0.17em", ";": "0.28em" };
const ACCENTS = { hat: "^", bar: "¯" };
const WITH_LIMITS = { sum: "∑", max: "max", min: "min" };
const RELATIONS = ["=", "←", "≤", "≥", "⇒", "→"];
// Stands for a space in a text, which is not left out as spaces elsewhere are.
const SPACE = "\ue000";
const TOKEN = /\\([a-zA-Z]+|.)|(\d+(?:\.\d+)?|\.\d+)|\s+|[^]/gu;

class FormulaReader {
  constructor(latex) {
    this.tokens = [];
    latex.replace(TOKEN, (text, command, digits) => {
      if (command !== undefined || text.trim() !== "") this.tokens.push({ command, number: digits, text });
    });
    this.next = 0;
    this.latex = latex;
  }

  row(/** @type {string} */ end) {
    const items = [];
    while (this.next < this.tokens.length) {
      const token = this.tokens[this.next];
      if (token.text === end) break;
      items.push(this.scripted());
    }
    this.next++;
    return items;
  }

  scripted() {
    const base = this.atom();
    const scripts = {};
    while (["^", "_"].includes(this.tokens[this.next]?.text)) {
      const kind = this.tokens[this.next++].text;
      scripts[kind] = this.atom();
    }
    const hasLimits = base[1].limits;
    delete base[1].limits;
    const { "_": below, "^": above } = scripts;
    if (below && above) return [hasLimits ? "munderover" : "msubsup", {}, base, below, above];
    if (below) return [hasLimits ? "munder" : "msub", {}, base, below];
    return above ? [hasLimits ? "mover" : "msup", {}, base, above] : base;
  }

  atom() {
    const token = this.tokens[this.next++];
    if (token === undefined) return ["mrow", {}];
    if (token.command !== undefined) return this.command(token.command);
    if (token.number) return ["mn", {}, token.text];
    if (token.text === "{") return this.group();
    if (token.text.toLowerCase() !== token.text.toUpperCase()) return ["mi", {}, token.text];
    if (token.text === "-") return ["mo", {}, "−"];
    if ("()[]|".includes(token.text)) return ["mo", { stretchy: "false", lspace: "0", rspace: "0" }, token.text];
    return ["mo", {}, token.text];
  }

  group() {
    const items = this.row("}");
    // A sign in braces belongs to its number.
    if (items.length === 1 && items[0][2] === "−") return ["mo", { form: "prefix", lspace: "0", rspace: "0" }, "−"];
    return items.length === 1 ? items[0] : ["mrow", {}, ...items];
  }

  // The text of a group, as it is written.
  words() {
    let text = "";
    if (this.tokens[this.next]?.text !== "{") return this.tokens[this.next++]?.text ?? "";
    const token = this.tokens[this.next++];
    for (let depth = 1; depth > 0 && this.next < this.tokens.length; this.next++) {
      const { text: piece } = this.tokens[this.next];
      depth += piece === "{" ? 1 : piece === "}" ? -1 : 0;
      if (depth > 0) text += piece;
    }
    return token ? text.split(SPACE).join("\u00a0") : "";
  }

  command(/** @type {string} */ name) {
    if (name === "frac") return ["mfrac", {}, this.atom(), this.atom()];
    if (name === "sqrt") return ["msqrt", {}, this.atom()];
    if (name in ACCENTS) return ["mover", { accent: "true" }, this.atom(), ["mo", {}, ACCENTS[name]]];
    if (name === "left") return this.fenced();
    if (name === "begin") return this.table();
    if (name === "mathrm") return ["mi", { mathvariant: "normal" }, this.words()];
    if (name === "mathbf") return ["mi", { mathvariant: "normal" }, [...this.words()].map(bold).join("")];
    if (name in WITH_LIMITS) return [name === "sum" ? "mo" : "mi", { limits: true }, WITH_LIMITS[name]];
    if (name in SPACES) return ["mspace", { width: SPACES[name] }];
    if (name in LETTERS) return ["mi", {}, LETTERS[name]];
    if (name in OPERATORS) return ["mo", {}, OPERATORS[name]];
    if (name in FENCES) return ["mo", { stretchy: "false", lspace: "0", rspace: "0" }, FENCES[name]];
    return ["mi", {}, name];
  }

  fence() {
    const { command, text } = this.tokens[this.next++] ?? { text: "." };
    const sign = command === undefined ? text : FENCES[command] ?? command;
    return ["mo", { stretchy: "true" }, sign === "." ? "" : sign];
  }

  fenced() {
    const items = [this.fence()];
    while (this.next < this.tokens.length && this.tokens[this.next].command !== "right") {
      items.push(this.scripted());
    }
    this.next++;
    return ["mrow", {}, ...items, this.fence()];
  }

  // An array; words() passes over its name, and over its columns, which are all at the left.
  table() {
    this.words();
    if (this.tokens[this.next]?.text === "{") this.words();
    const rows = [[[]]];
    for (let ended = false; !ended && this.next < this.tokens.length;) {
      const { command, text } = this.tokens[this.next], row = rows[rows.length - 1];
      ended = command === "end";
      if (!ended && command !== "\\" && text !== "&") row[row.length - 1].push(this.scripted());
      else this.next++;
      if (command === "\\") rows.push([[]]);
      if (text === "&") row.push([]);
    }
    this.words();
    return ["mtable", {}, ...rows.map((row) => ["mtr", {}, ...row.map((cell) => ["mtd", {}, ...cell])])];
  }
}

function bold(character) {
  const code = character.codePointAt(0);
  if (code >= 48 && code <= 57) return String.fromCodePoint(0x1d7ce + code - 48);
  if (code >= 65 && code <= 90) return String.fromCodePoint(0x1d400 + code - 65);
  return code >= 97 && code <= 122 ? String.fromCodePoint(0x1d41a + code - 97) : character;
}

// The formula in parts between which a line may be broken: each part but the first begins with a
// relation, or follows a wide space.
function formulaParts(latex) {
  const reader = new FormulaReader(spacedTexts(latex));
  const parts = [[]];
  while (reader.next < reader.tokens.length) {
    const item = reader.scripted();
    const isRelation = item[0] === "mo" && RELATIONS.includes(item[2]);
    if (isRelation) item[1].form = "infix";
    if (isRelation && parts[parts.length - 1].length > 0) parts.push([]);
    parts[parts.length - 1].push(item);
    if (isWideSpace(item)) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

function isWideSpace([name, { width }]) {
  return name === "mspace" && width === SPACES.quad;
}

// A copy of a formula in which the words of \text{...} keep their spaces and are one letter run.
function spacedTexts(latex) {
  return latex.replace(/\\text\{([^{}]*)\}/g, (_, words) => `\\mathrm{${words.split(" ").join(SPACE)}}`);
}

const MATHML = "http://www.w3.org/1998/Math/MathML";

function mathElement(tree) {
  const [name, attributes, ...children] = tree;
  const element = document.createElementNS(MATHML, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  for (const child of children) {
    element.append(typeof child === "string" ? child : mathElement(child));
  }
  return element;
}

// A span with a formula. Lines are broken first at its wide spaces, and then at relations.
function formulaElement(latex) {
  const formula = document.createElement("span");
  formula.className = "formula";
  let equation = null;
  for (const part of formulaParts(latex)) {
    if (equation === null) formula.append((equation = document.createElement("span")), document.createElement("wbr"));
    equation.append(mathElement(["math", { displaystyle: "true" }, ...part]), document.createElement("wbr"));
    if (isWideSpace(part[part.length - 1])) equation = null;
  }
  return formula;
}
