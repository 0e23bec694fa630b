"use strict";
// Marks of what is done: the answers of lessons are in the storage of the browser (progress.js).
for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-key]"))) {
  const { key, tasks } = item.dataset;
  let done = 0;
  try {
    const ends = Object.values(JSON.parse(localStorage.getItem(`svmviz lesson ${key}`)).done);
    done = ends.filter(([end]) => end === "right").length;
  } catch (_) {
    // No storage, or nothing in it.
  }
  if (done > 0) {
    const mark = document.createElement("p");
    mark.className = "done";
    mark.textContent = done >= Number(tasks) ? "✓ Done" : `${done} of ${tasks} tasks done`;
    item.append(mark);
  }
}
