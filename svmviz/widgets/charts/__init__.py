"""Small plots with their ticks and legends. They compute only their layout."""
