"""Opening, saving, exporting and rescuing from the window, with their dialogs and threads."""
