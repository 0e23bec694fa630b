"use strict";
// The progress in a page's lesson, kept in the storage of the browser.

// How a task can end.
const RIGHT = "right", GIVEN_UP = "given up";

// Stored progress: the card, how each task ended, with its answer, and which of its versions each card has. The storage may be damaged
// or another program's, so values of another form are left out.
function storedProgress(stored) {
  const isCount = (value) => Number.isInteger(value) && value >= 0;
  const { card, done, versions } = Object(stored), kept = {};
  for (const [task, end] of Object.entries(Object(done))) {
    const isEnd = Array.isArray(end) && [RIGHT, GIVEN_UP].includes(end[0]) && typeof end[1] === "string";
    if (isEnd && /^\d+\.\d+$/.test(task)) kept[task] = end;
  }
  const counted = {};
  for (const [index, version] of Object.entries(Object(versions))) {
    if (/^\d+$/.test(index) && isCount(version)) counted[index] = version;
  }
  return { card: isCount(card) ? card : 0, done: kept, versions: counted };
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
