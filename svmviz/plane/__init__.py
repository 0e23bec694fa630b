"""The plane: camera, painting and the widget in which points are placed and solvers watched."""
