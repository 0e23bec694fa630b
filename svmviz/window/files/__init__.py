"""Opening, saving, exporting and autosaving from the window, with their threads and questions."""
