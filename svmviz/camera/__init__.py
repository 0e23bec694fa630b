"""The camera and the ticks of an axis: arithmetic for plane and tools, without painting."""
