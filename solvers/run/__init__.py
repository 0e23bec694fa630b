"""The base class of methods, the loop that runs them, and the recording that replays each step."""
