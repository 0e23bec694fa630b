"""The methods, one file or folder each: settings, state, compiled step, and the event of a step."""
