"""Frozen documents and options, which hold all that the user made and chose; without Qt."""
