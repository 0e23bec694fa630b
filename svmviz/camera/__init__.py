"""The camera, which converts data units to pixels and back, and ticks of an axis; no painting."""
