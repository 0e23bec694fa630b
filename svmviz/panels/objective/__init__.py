"""Panels on the objective: primal, dual and gap over the steps, and the badge of their state."""
