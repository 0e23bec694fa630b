"""The plane: points are placed and solvers watched in a widget; one way to paint it anywhere."""
