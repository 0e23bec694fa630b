"""One file or folder per method: settings, state, one compiled step, an event that explains it."""
