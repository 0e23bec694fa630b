"use strict";
// The progress in a page's lesson, kept in the storage of the browser.

// How a task can end.
const RIGHT = "right", GIVEN_UP = "given up";

// Stored progress: the card; how each task ended, with its answer, wrong tries, seconds and, of a
// decision, the mark and why it is wrong; tries and seconds of tasks that have not ended; which of its
// versions each card has; and what it showed when it was left. The storage may be damaged or another program's, so values of
// another form are left out.
function storedProgress(stored) {
  const isCount = (value) => Number.isInteger(value) && value >= 0;
  const isTime = (value) => Number.isFinite(value) && value >= 0, isText = (value) => typeof value === "string";
  const { card, done, open, versions, shown } = Object(stored), kept = {}, begun = {};
  for (const [task, end] of Object.entries(Object(done))) {
    if (!Array.isArray(end) || !/^\d+\.\d+$/.test(task)) continue;
    const [result, answer, wrong = 0, seconds = 0, outcome = "", why = ""] = end;
    const isEnd = [RIGHT, GIVEN_UP].includes(result) && isCount(wrong) && isTime(seconds);
    if (isEnd && [answer, outcome, why].every(isText)) kept[task] = end;
  }
  for (const [task, tries] of Object.entries(Object(open))) {
    const [wrong, seconds, why] = Array.isArray(tries) ? tries : [];
    if (/^\d+\.\d+$/.test(task) && isCount(wrong) && isTime(seconds) && isText(why)) begun[task] = tries;
  }
  const counted = {};
  for (const [index, version] of Object.entries(Object(versions))) {
    if (/^\d+$/.test(index) && isCount(version)) counted[index] = version;
  }
  const left = {};
  for (const [index, state] of Object.entries(Object(shown))) {
    const { step = null, values = [], line = [0, 0, 0] } = Object(state), isLine = Array.isArray(line) && line.length === 3 && line.every(Number.isFinite);
    const isState = (step === null || isCount(step)) && Array.isArray(values) && values.every(isCount) && isLine;
    if (/^\d+$/.test(index) && isState) left[index] = Object.assign({}, state, { step, values });
  }
  return { card: isCount(card) ? card : 0, done: kept, open: begun, versions: counted, shown: left };
}

// Progress in the storage of the browser; without one, kept until the page is closed.
class Progress {
  constructor(key) {
    this.key = `svmviz lesson ${key}`;
    this.state = this.stored();
  }

  // What is stored now: another tab may have gone on with the lesson.
  stored() {
    try {
      return storedProgress(JSON.parse(localStorage.getItem(this.key)));
    } catch (_) {
      // No storage, or no JSON in it.
      return storedProgress(null);
    }
  }

  // Adds to what is stored, so that two tabs do not forget each other's answers.
  save() {
    this.state.done = Object.assign(this.stored().done, this.state.done);
    this.write();
  }

  write() {
    try {
      localStorage.setItem(this.key, JSON.stringify(this.state));
    } catch (_) {
      // No storage, or it is full.
    }
  }

  clear() {
    this.state = storedProgress({ versions: this.state.versions });
    this.write();
  }
}
