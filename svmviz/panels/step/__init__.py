"""Panels on the step shown: why it was taken, its pair, the pseudo-code, KKT, and all alphas."""
