"""The scripts of a page in an engine without a browser: what computes, but draws nothing."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtQml import QJSEngine, QJSValue

from svmviz.base import resources

# The engine has no atob.
ATOB = """
function atob(text) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  let bytes = "", bits = 0, held = 0;
  for (const letter of text.replace(/=/g, "")) {
    bits = ((bits << 6) | letters.indexOf(letter)) & 0xffffff;
    held += 6;
    if (held >= 8) bytes += String.fromCharCode((bits >> (held -= 8)) & 255);
  }
  return bytes;
}
"""
NAMES = ("numbers.js", "kernels.js", "contours.js", "formulas.js", "run.js")


class Engine:
    """Runs the scripts of a page."""

    def __init__(self, *names: str, before: str = "") -> None:
        files = [resources.path(f"page/{name}") for name in names or NAMES]
        scripts = [before, ATOB, *(file.read_text(encoding="utf-8") for file in files)]
        self._engine = QJSEngine()
        # In this engine only one text sees its classes and constants, so it evaluates the others.
        text = "\n".join([*scripts, "function evaluated(text) { return eval(text); }"])
        self._check(self._engine.evaluate(text))

    def run(self, text: str) -> Any:
        evaluated = self._engine.globalObject().property("evaluated")
        return self._check(evaluated.call([QJSValue(text)]))

    @staticmethod
    def _check(result: QJSValue) -> QJSValue:
        assert not result.isError(), (result.toString(), result.property("stack").toString())
        return result

    def call(self, text: str, **arguments: Any) -> Any:
        """Return the value of an expression in which the names of arguments may occur.

        Values pass as JSON, which keeps every bit of a finite number.
        """
        names, values = ", ".join(arguments), ", ".join(map(json.dumps, arguments.values()))
        result = self.run(f"JSON.stringify((({names}) => ({text}))({values}))").toString()
        return None if result == "undefined" else json.loads(result)
