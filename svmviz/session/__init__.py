"""The solver thread: the document with its undo stack, and the runs that every edit starts."""
