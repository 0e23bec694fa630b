"""The presentation: the planes fill the screen, with a caption, while the window is hidden."""
