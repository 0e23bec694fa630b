"""The Weights panel: the primal over the plane of w."""
