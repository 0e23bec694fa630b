"""Support vector machine solvers that can be watched, step by step."""
