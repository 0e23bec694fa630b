"""The Weights panel: contours of the primal over the plane of w."""
