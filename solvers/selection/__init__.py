"""Model selection: the risk on new points, the choice among models, and models over C."""
