"""Scenes, files of points, autosaves and settings; reading is strict, writing is atomic."""
