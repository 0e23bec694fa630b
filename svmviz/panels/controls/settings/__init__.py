"""The settings beside the plane: data, kernel and penalty, solver."""
