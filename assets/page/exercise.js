"use strict";
// An exercise over a run: verdicts on its decisions and its marks, as svmviz/lessons/by_hand.py and
// exercise.py have them.

const TIED = "tied", WRONG = "wrong", NOTED = "The answer is noted.";

// RIGHT, TIED or WRONG, and why a wrong answer is wrong or which answers tie; y has the classes.
/** @returns {[outcome: string, words: string]} */
function judge(/** @type {Question} */ task, answer, /** @type {number} */ y) {
  if (!isRightAnswer(task, answer)) return [WRONG, wrongWords(task, answer)];
  if (task.same_class && y[answer[0]] !== y[answer[1]]) return [WRONG, "No: both points are of one class."];
  const isOwn = task.kind === "choice" ? answer === task.own
    : ["number", "place"].includes(task.kind) || answer.every((point) => task.own.includes(point));
  return isOwn ? [RIGHT, `Right: ${task.answer}.`] : [TIED, `Right too: it ties with ${task.own_words}, which the run takes.`];
}

// The reply to a wrong answer, as svmviz/lessons/replies.py makes it.
function wrongWords(/** @type {Question} */ task, answer) {
  const { hint, labels, right, slack } = task, no = (words) => `No. ${words}`.trim();
  if (task.kind === "choice" || (task.kind !== "place" && !labels)) {
    const wrong = answer.length && (answer.find((point) => !right.some((points) => points.includes(point))) ?? answer[0]);
    return task.replies?.[wrong] ?? no(hint);
  }
  const numbers = task.numbers ?? right;
  const misses = [...answer.keys()].filter((k) => !isRightNumber(answer[k], numbers[k], slack));
  const slip = task.slips.find(([number]) => misses.some((k) => isRightNumber(answer[k], number)));
  if (slip) return no(slip[1]);
  if (misses.length === answer.length) return no(hint);
  return `Not yet: ${misses.map((k) => labels[k]).join(" and ")} ${misses.length === 1 ? "is" : "are"} wrong. ${hint}`.trim();
}

// The marks in words, and below them why each wrong answer is wrong.
function summaryOf(marks) {
  const count = (outcome) => marks.filter((mark) => mark.outcome === outcome).length;
  const ties = count(TIED) ? ` (${count(TIED)} by a tie)` : "";
  const parts = [`${count(RIGHT) + count(TIED)} of ${marks.length} right at first try${ties}`];
  for (const outcome of [WRONG, GIVEN_UP]) if (count(outcome)) parts.push(`${count(outcome)} ${outcome}`);
  const wrong = marks.filter((mark) => mark.outcome === WRONG);
  return [`${parts.join(", ")}.`, ...wrong.map(({ step, name, why }) => `Step ${step}, ${name}: ${why}`)].join("\n");
}
