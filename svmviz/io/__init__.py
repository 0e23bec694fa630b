"""Scenes, point files, autosaved sessions and settings; reading is strict, writing is atomic."""
