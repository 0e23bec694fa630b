"""What the user made and chose: frozen documents and options; no file, no thread, no widget."""
