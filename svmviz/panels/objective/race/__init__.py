"""The Race panel: several solvers on one problem."""
