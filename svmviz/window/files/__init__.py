"""Opening, saving, exporting and rescuing from the window: all threads and questions of files."""
