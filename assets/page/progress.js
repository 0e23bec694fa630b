"use strict";
// The progress in a page's lesson, kept in the storage of the browser.

// How a task can end.
const RIGHT = "right", GIVEN_UP = "given up";

// Stored progress: the card, and how each task ended, with its answer. The storage may be damaged
// or another program's, so values of another form are left out.
function storedProgress(stored) {
  const { card, done } = Object(stored), kept = {};
  for (const [task, end] of Object.entries(Object(done))) {
    const isEnd = Array.isArray(end) && [RIGHT, GIVEN_UP].includes(end[0]) && typeof end[1] === "string";
    if (isEnd && /^\d+\.\d+$/.test(task)) kept[task] = end;
  }
  return { card: Number.isInteger(card) && card >= 0 ? card : 0, done: kept };
}

// Progress in the storage of the browser; without one, kept until the page is closed.
class Progress {
  constructor(key) {
    this.key = `svmviz lesson ${key}`;
    let stored = null;
    try {
      stored = JSON.parse(localStorage.getItem(this.key));
    } catch (_) {
      // No storage, or no JSON in it.
    }
    this.state = storedProgress(stored);
  }

  save() {
    try {
      localStorage.setItem(this.key, JSON.stringify(this.state));
    } catch (_) {
      // No storage, or it is full.
    }
  }

  clear() {
    this.state = storedProgress(null);
    this.save();
  }
}
