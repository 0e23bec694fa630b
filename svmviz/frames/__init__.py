"""The frame thread: it turns runs and a step of each into one frozen frame."""
