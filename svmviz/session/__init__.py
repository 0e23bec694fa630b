"""The document with its undo stack, and the thread with the runs that every edit starts."""
