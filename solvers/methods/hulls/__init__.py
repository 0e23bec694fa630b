"""Nearest points of two (reduced) convex hulls, pair by pair, by MDM or by Wolfe's method."""
