"""The Pair panel: the two alphas, or the two hull weights, that a step moves."""
