"""The plane that shows points and solvers: its widget, and its painting on any device."""
