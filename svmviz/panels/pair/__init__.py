"""The Pair panel: the two weights that a step moves."""
