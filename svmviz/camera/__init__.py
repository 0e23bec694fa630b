"""The camera and the ticks of an axis: arithmetic that plane and tools share; no painting here."""
