"use strict";
// The line that is handed in after a lesson: svmviz/lessons/hand_in.py says what it has.

const MAX_NAME = 80, MAX_NUMBER = 99999;

// The line of a student, given the marks [is right, is done, wrong tries, seconds] of the tasks.
function handInLine(student, { prefix, lesson, version }, marks, day) {
  const shown = marks.map(([isRight, isDone, wrong, seconds]) => (
    `${isDone ? (isRight ? "r" : "g") : "-"}${Math.min(wrong, MAX_NUMBER)}t${Math.min(Math.round(seconds), MAX_NUMBER)}`));
  const name = [...student.trim().split(/\s+/).join(" ")].slice(0, MAX_NAME).join("");
  const text = [prefix, plainName(name), lesson, version, shown.join(","), day].join(":");
  return `${text}:${checkNumber(text)}`;
}

function plainName(/** @type {string} */ name) {
  const code = (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(name).replace(/[!*()]/g, code).replace(/%20/g, " ").replace(/%2C/g, ",");
}

// The lower half of the CRC-32 of a text in UTF-8.
function checkNumber(/** @type {string} */ text) {
  const bytes = encodeURIComponent(text).replace(/%(..)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return (checksumOf([...bytes].map((byte) => byte.charCodeAt(0))) & 0xffff).toString(16).padStart(4, "0");
}

// The day of a date where the reader is, as 2026-11-29.
function dayOf(date) {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

function handInElement(/** @type {LessonOfPage} */ lesson) {
  const { hand_in: handIn } = lesson, box = element("details"), form = element("form", "", "answer");
  const label = element("label", "Your name "), input = element("input"), line = element("input");
  Object.assign(input, { type: "text", autocomplete: "name", maxLength: MAX_NAME });
  Object.assign(line, { readOnly: true, hidden: true, ariaLabel: "The line to hand in" });
  label.append(input);
  const button = element("button", "Copy the line");
  button.type = "submit";
  form.append(label, button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    line.value = handInLine(input.value, handIn, lesson.marks(), dayOf(new Date()));
    line.hidden = false;
    box.scrollIntoView({ block: "nearest" });
    line.select();
    copied(line.value, true).then((isCopied) => { button.textContent = isCopied ? "Copied" : "Copy the line"; });
  });
  box.addEventListener("toggle", () => box.scrollIntoView({ block: "nearest" }));
  box.append(element("summary", "Hand in"), element("p", handIn.about, "muted"), form, line);
  return box;
}
