"use strict";
// Commands that only the formulas of lessons have.
Object.assign(LETTERS, { kappa: "κ", partial: "∂", ln: "ln" });
Object.assign(OPERATORS, { Leftrightarrow: "⇔", perp: "⊥", parallel: "∥" });
RELATIONS.push("⇔");
