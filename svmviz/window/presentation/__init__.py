"""The presentation: the planes fill the screen, with a caption; the window is hidden meanwhile."""
